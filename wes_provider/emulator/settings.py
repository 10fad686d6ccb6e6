"""Everything about an emulator that can be set, and the connection that leads to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.emulator.replies import JsonObject

__all__ = [
    *("AT_START", "CONTROL_PATH", "HOSTING_PATH", "Profile", "Settings"),
    *("Count", "HeaderName", "Keys", "Number", "Seconds", "Share", "Text"),
    *("check_workspace", "checked", "connection_of", "form_fields", "stored_name", "with_profile"),
]

CONTROL_PATH: Final = "/_emulator"
HOSTING_PATH: Final = "/_emulator/hosted"

# Of any number: seconds in which a clock shows years that nobody can write, and above any count.
MOST: Final = 10**12

Number = Annotated[float, Meta(ge=-MOST, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=MOST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Text = Annotated[str, Meta(min_length=1)]
# The beginning of URLs, such as https://files.example.com/coupons; a path follows after a slash.
Address = Annotated[str, Meta(pattern=r"^https?://[^/?#]+(/[^/?#]+)*\Z")]
# RFC 9110, section 5.6.2.
HeaderName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")]

WindowPolicy = Literal["fixed", "rolling"]
OperationName = Annotated[str, Meta(pattern=rf"^({'|'.join(contract.OPERATIONS)})\Z")]
AT_START: Final = frozenset({"clock_offset"})  # counts at the start only: the clock never goes back

# The settings of a variant of the service: a JSON file's path, or what it holds.
Profile = str | Path | Mapping[str, Any]

# What the form calls extras that have a field of their own.
_LABELS: Final = {"data_api_key": "Data API key", "verify": "Verify TLS"}

_Window = Annotated[float, Meta(ge=0.001, le=MOST)]  # seconds
_Success = Annotated[int, Meta(ge=200, le=299)]
_SEGMENTS: Final = r"(/(\{coupon_list_id\}|\{coupon_file_id\}|[^/{}]+))+\Z"
_FilePath = Annotated[str, Meta(pattern=rf"^(?=.*\{{coupon_file_id\}}){_SEGMENTS}")]
_ListPath = Annotated[str, Meta(pattern=rf"^(?=.*\{{coupon_list_id\}}){_SEGMENTS}")]
_Statuses = Annotated[tuple[Text, ...], Meta(min_length=1)]
_T = TypeVar("_T")


def checked(
    value: Any,
    kind: type[_T],
    place: str = "",
    *,
    strict: bool = True,
) -> _T:
    """
    Read parsed JSON as a type that msgspec knows.

    :param place: what the value is, for messages, such as ``lists.spring``.
    :param strict: false if numbers may come as strings, as in a query.
    :raises ValueError: naming the place and what it takes.
    """
    try:
        return msgspec.convert(value, kind, strict=strict)
    except SystemError:  # msgspec 0.20: an integer that no float can hold
        raise ValueError(f"{place}: Number out of range") from None
    except (msgspec.ValidationError, RecursionError) as error:
        what, _, where = str(error).partition(" - at ")
        place = f"{place}{_dotted(where)}".lstrip(".")
        if place:
            what = f"{place}: {what}"
        raise ValueError(what) from None


def _dotted(place: str) -> str:
    """Write a place as msgspec names it, such as ``$.files[0]._id``, as ``.files.0._id``."""
    path = place.rpartition("`$")[2].strip("`")
    return path.replace("...", "*").replace("[", ".").replace("]", "")


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a further workspace."""

    api_key: Text
    data_api_key: Text | None = None


@dataclass(frozen=True)
class Settings:
    """The settings of one emulator, each of them plain JSON. Made by ``of``, which checks them."""

    # -- the account, contract section 5

    #: The workspace identifier, a connection's login.
    workspace_id: Text = "emulated-workspace"
    #: The key of coupon and catalog operations.
    api_key: Text = "emulated-campaign-key"
    #: The key of segment operations. ``None``: ``api_key`` is for all.
    data_api_key: Text | None = "emulated-data-key"
    #: Further workspaces, each with lists, catalogs, segments and limits of its own: ``{"other":
    #: {"api_key": "k", "data_api_key": "d"}}``.
    workspaces: dict[Text, Keys] = field(default_factory=dict)
    #: The header that holds the workspace identifier.
    workspace_header: HeaderName = contract.WORKSPACE_HEADER
    #: ``False``: every coupon operation gets a 403.
    coupon_management: bool = True

    # -- processing

    #: Service seconds from the upload of a file to the end of its processing.
    processing_time: Seconds = 2.0
    #: The statuses that reads show until the end. The first is shown for a quarter of the time.
    statuses: _Statuses = (contract.STATUS_AFTER_UPLOAD, "PROCESSING")
    #: The last status of a file that was processed.
    success_status: Text = "SUCCESS"
    #: The last status of a file that failed.
    failure_status: Text = "FAILED"
    #: This machine's seconds for fetching one coupon file.
    fetch_timeout: Seconds = 30.0
    #: The address of coupon files that the emulator has: a file below it is taken from the hosted
    #: files, so that a DAG needs no other URLs. ``None``: each file is fetched from its URL.
    hosted_url: Address | None = None

    # -- callbacks, contract section 6

    #: Service seconds from the end of processing to the callback.
    callback_delay: Seconds = 0.0
    #: How often each callback is made again.
    callback_repeats: Count = 0
    #: The share of callbacks that are never made.
    callback_loss: Share = 0.0

    # -- limits, contract section 8

    #: Limits by operation: ``{"upload_coupon_file": [[5, 60], [50, 86400]]}`` are 5 requests in 60
    #: seconds and 50 in a day, for each list as the contract has it. Operations that are not named
    #: keep the contract's limits. ``None``: no limits at all.
    limits: dict[OperationName, tuple[tuple[Count, _Window], ...]] | None = field(
        default_factory=dict
    )
    #: ``fixed``: windows begin at full minutes, hours and days. ``rolling``: a window is the
    #: seconds before a request.
    window_policy: WindowPolicy = "fixed"
    #: Seconds by which fixed windows are shifted.
    window_offset: Number = 0.0
    #: Which responses of limited operations have rate-limit headers.
    rate_limit_headers: Literal["429", "all", "none"] = "429"
    #: How many bytes a coupon file can have.
    upload_url_bytes: Count = contract.UPLOAD_URL_BYTES
    #: How many coupons a list can have.
    list_coupons: Count = contract.LIST_COUPONS
    #: How many bytes the body of a new catalog can have.
    catalog_bytes: Count = contract.CATALOG_BYTES

    # -- time

    #: The service's seconds for each of this machine's, at the start.
    speed: Seconds = 1.0
    #: Seconds by which the service's clock is ahead of this machine's, at the start.
    clock_offset: Number = 0.0
    #: Seconds by which the ``Date`` header is ahead of the service's clock.
    date_skew: Number = 0.0
    #: ``False``: the ``Date`` header is empty.
    date_header: bool = True

    # -- what the contract does not show

    #: ``None``: one coupon file cannot be read by itself.
    coupon_file_path: _FilePath | None = contract.COUPON_FILE_PATH
    #: ``None``: the files of a list cannot be listed.
    coupon_files_path: _ListPath | None = contract.COUPON_FILES_PATH
    #: The status for a known path with another method.
    wrong_method: Literal[405, 404] = 405
    #: What a listing is: an array, or an object with the array under a property: ``data`` or
    #: ``result.files``.
    list_shape: Text = "array"
    #: Service seconds until a new file is in the listing.
    list_lag: Seconds = 0.0
    #: The listing of a list that has no files.
    unknown_list: Literal["empty", "404"] = "empty"
    #: Service seconds until a new file can be read by itself.
    fetch_lag: Seconds = 0.0
    #: The property of a coupon file that holds its list.
    list_id_property: Text = "coupons_list_id"
    #: The count of added coupons in a coupon file, dotted if nested. ``None``: not shown.
    added_property: Text | None = "coupons_added"
    #: The count of duplicates, likewise.
    duplicate_property: Text | None = "coupons_duplicate"
    #: The identifier in the response to the creation of a catalog, dotted if nested. ``None``: it
    #: is the whole body.
    catalog_id_property: Text | None = "catalog_id"
    #: ``text``: the identifier as plain text.
    catalog_response: Literal["json", "text"] = "json"
    #: The status of that response.
    catalog_status: _Success = 201
    #: The status of the response to the update of a segment.
    segment_status: _Success = 200
    #: Its body: the segment, the segment under ``data``, none, or a sentence.
    segment_response: Literal["object", "data", "empty", "text"] = "object"
    #: What the update of a segment that does not exist does.
    unknown_segment: Literal["create", "404"] = "create"

    # -- faults at random, for load tests

    #: The share of requests that fail at random: a 503, a lost reply, a reset.
    fault_rate: Share = 0.0
    #: With the same number, the same requests fail.
    seed: Count | None = None

    #: How many requests are remembered; of their bodies, 64 MiB in all.
    request_log: Count = 10_000

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """
        Make settings from what people write.

        :raises ValueError: if a value makes no sense; the message names the setting and what it
            takes.
        """
        known = [one.name for one in fields(cls)]
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise ValueError(
                f"there is no setting {', '.join(unknown)}; there are {', '.join(known)}"
            )
        try:
            return replace(checked(dict(given), cls))  # with its defaults as values, too
        except ValueError as error:
            message = f"emulator setting {error}"
            if "enum" in str(error):
                choices = get_args(get_type_hints(cls).get(str(error).partition(":")[0]))
                message += f"; it is one of {', '.join(map(str, choices))}"
            raise ValueError(message) from None


def with_profile(profile: Profile | None, settings: Mapping[str, Any]) -> JsonObject:
    """
    Return a profile's settings, and others that take precedence.

    :raises ValueError: if the profile is no JSON object.
    """
    content: Any = profile or {}
    if isinstance(profile, (str, Path)):
        content = json.loads(Path(profile).read_text())
    if not isinstance(content, Mapping):
        raise ValueError(f"profile {profile} is no JSON object of settings")
    return {**content, **settings}


def stored_name(settings: Settings, workspace: str) -> str:
    """Return the name under which a workspace's things are kept: empty for the first workspace."""
    if workspace == settings.workspace_id:
        return ""
    return workspace


def check_workspace(workspace: str, first: str, further: Iterable[str]) -> None:
    """
    Refuse the name of a workspace that does not exist.

    :param workspace: an identifier; an empty one is the first workspace's.
    :param first: the identifier of the first workspace.
    :param further: the identifiers of the others.
    :raises ValueError: that names the workspace and those that there are.
    """
    names = list(dict.fromkeys([first, *further]))
    if workspace and workspace not in names:
        raise ValueError(f"there is no workspace {workspace!r}; there are {names}")


def connection_of(
    settings: Mapping[str, Any],
    url: str,
    workspace: str | None = None,
    verify: str | None = None,
) -> JsonObject:
    """
    Return an Airflow connection: ``conn_type``, ``host``, ``login``, ``password`` and ``extra``.

    :param settings: the emulator's, as JSON.
    :param url: the URL of the service.
    :param workspace: the identifier of a further workspace; ``None`` for the first.
    :param verify: the CA certificate's path, if the service speaks TLS.
    :raises ValueError: if there is no such workspace.
    """
    first = settings["workspace_id"]
    workspaces = {**settings["workspaces"], first: settings}
    login = workspace or first
    check_workspace(login, first, settings["workspaces"])
    key = workspaces[login]["api_key"]
    data_key = workspaces[login]["data_api_key"]
    extra = {}
    if data_key not in (None, key):
        extra["data_api_key"] = data_key
    if verify is not None:
        extra["verify"] = verify
    return {"conn_type": "wes", "host": url, "login": login, "password": key, "extra": extra}


def form_fields(connection: Mapping[str, Any]) -> dict[str, str]:
    """Return a connection as it is entered in Airflow's form, by the names that the form has."""
    address, _, port = connection["host"].rpartition(":")
    form = {
        "Connection Type": "Workforce Engagement Service",
        "Address": address,
        "Port": port,
        "Workspace identifier": connection["login"],
        "Campaign API key": connection["password"],
    }
    extra = dict(connection["extra"])
    for name, label in _LABELS.items():
        if name in extra:
            form[label] = extra.pop(name)
    if extra:
        form["Extra"] = json.dumps(extra)
    return form
