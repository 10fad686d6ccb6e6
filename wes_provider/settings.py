"""
A connection's fields, read into settings.

One pure function, :meth:`WesSettings.from_connection`, names every problem of a connection in one
error.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import os
import re
from typing import Annotated, Any, Final
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import redact_url, shown

__all__ = ["WesSettings"]

LONGEST_WAIT: Final = 7 * contract.DAY  # seconds; operating systems take no timeout of any length

EXAMPLE: Final = (
    "One is https://api-{data_center}.example.com; keys go into the login and the password."
)
ADDRESS: Final = re.compile(
    r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?(/[^\s?#@\\]*)?", re.IGNORECASE | re.ASCII
)

Seconds = Annotated[float, Meta(ge=0, le=LONGEST_WAIT)]
Timeout = Annotated[float, Meta(gt=0, le=LONGEST_WAIT)]
HeaderName = Annotated[str, Meta(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")]  # RFC 9110
DataCenter = Annotated[str, Meta(pattern=r"^\s*[0-9]{1,3}\s*$")]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/@]+(/|$)")]
Property = Annotated[str, Meta(pattern=r"^[^\s.]+(\.[^\s.]+)*$")]
_IN_PATHS: Final = r"/([^\s#\\{}]|\{coupon_list_id\}|\{coupon_file_id\})*$"
FilePath = Annotated[str, Meta(pattern=r"^(?=.*\{coupon_file_id\})" + _IN_PATHS)]
FilesPath = Annotated[
    str, Meta(pattern=r"^(?=.*\{coupon_list_id\})(?!.*\{coupon_file_id\})" + _IN_PATHS)
]


class _Paths(msgspec.Struct, forbid_unknown_fields=True):
    """The extra ``paths``."""

    coupon_file: FilePath = contract.COUPON_FILE_PATH
    coupon_files: FilesPath = contract.COUPON_FILES_PATH
    catalog_id: Property | None = None


# The type of each extra, and what it takes, for messages.
EXTRAS: Final[dict[str, tuple[Any, str]]] = {
    "data_api_key": (str, "a text"),
    "data_center": (
        DataCenter | Annotated[int, Meta(ge=0, le=999)],
        "two or three digits such as 01",
    ),
    "workspace_header": (HeaderName, "the name of a header"),
    "console_url": (WebAddress, "the address of the service's console"),
    "connect_timeout": (Timeout, "seconds above 0"),
    "read_timeout": (Timeout, "seconds above 0"),
    "max_attempts": (Annotated[int, Meta(ge=1)], "a whole number from 1 up"),
    "max_rate_limit_wait": (Seconds, "seconds from 0 up"),
    "coupon_files_lag": (Seconds, "seconds from 0 up"),
    "verify": (bool | str, "true, false or the path of a CA bundle that exists here"),
    "allow_http": (bool, "true or false"),
    "paths": (
        _Paths,
        "a JSON object with coupon_file (a path with {coupon_file_id}), coupon_files (one with "
        "{coupon_list_id}) "
        "and catalog_id (a property)",
    ),
    "coupon_file_statuses": (
        dict[str, list[str]],
        "a JSON object with pending, success and failure, lists of texts",
    ),
    "coupon_file_counts": (CountNames, "a JSON object with added and duplicates, texts"),
}


class WesSettings(msgspec.Struct, frozen=True):
    """
    How to reach the service; ``docs/connection.md`` explains the fields.

    Its ``repr`` holds no key.
    """

    base_url: str
    workspace_id: str
    api_key: str
    data_api_key: str
    workspace_header: str = contract.WORKSPACE_HEADER
    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    max_attempts: int = 5
    max_rate_limit_wait: float = 120.0
    verify: bool | str = True
    coupon_file_path: str = contract.COUPON_FILE_PATH
    coupon_files_path: str = contract.COUPON_FILES_PATH
    catalog_id_property: str | None = None
    coupon_files_lag: float = 30.0
    statuses: Statuses = Statuses()
    count_names: CountNames = CountNames()
    console_url: str | None = None
    unknown_extras: tuple[str, ...] = ()
    conn_id: str = "wes_default"

    def __repr__(self) -> str:
        return f"WesSettings({self.base_url}, workspace {self.workspace_id})"

    def without_keys(self, body: bytes) -> bytes:
        """
        A response's body without the keys, which a service or a proxy may quote: it ends in
        messages and XComs.
        """
        for key in {self.api_key, self.data_api_key}:
            credentials = base64.b64encode(f"{self.workspace_id}:{key}".encode())
            for secret in (key.encode(), quote(key, safe="").encode(), credentials):
                body = body.replace(secret, b"***")
        return body

    @classmethod
    def from_connection(cls, connection: Any) -> WesSettings:
        """
        Read a connection of type ``wes``.

        :raises WesConfigurationError: naming every field that is missing or cannot be used.
        """
        return _Reader(connection).settings()


class _Reader:
    """One pass over a connection that gathers problems instead of stopping at the first."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._problems: list[str] = []

    def settings(self) -> WesSettings:
        connection = self._connection
        extra = self._extra()
        given = {name: self._converted(name, extra[name]) for name in EXTRAS if name in extra}
        given = {name: value for name, value in given.items() if value is not None}
        paths = given.pop("paths", None) or _Paths()
        data_center = str(given.pop("data_center", contract.DEFAULT_DATA_CENTER)).strip().zfill(2)
        api_key = self._key("password", connection.password)
        settings = WesSettings(
            base_url=self._base_url(data_center, http_allowed=given.pop("allow_http", False)),
            workspace_id=self._login(),
            api_key=api_key,
            data_api_key=self._key("data_api_key", given.pop("data_api_key"))
            if "data_api_key" in given
            else api_key,
            coupon_file_path=paths.coupon_file,
            coupon_files_path=paths.coupon_files,
            catalog_id_property=paths.catalog_id,
            statuses=given.pop("coupon_file_statuses", Statuses()),
            count_names=given.pop("coupon_file_counts", CountNames()),
            unknown_extras=tuple(sorted(extra.keys() - EXTRAS.keys())),
            conn_id=connection.conn_id or "wes_default",
            **given,
        )
        if self._problems:
            which = f"Connection {connection.conn_id!r}" if connection.conn_id else "The connection"
            raise WesConfigurationError(f"{which} cannot be used: " + "\n".join(self._problems))
        return settings

    def _add(self, name: str, problem: str) -> None:
        self._problems.append(f"{_named(name)} {problem}")

    def _extra(self) -> dict[str, Any]:
        raw: Any = self._connection.extra or "{}"
        try:
            items = (json.loads(raw) if isinstance(raw, str) else raw).items()
        except (AttributeError, ValueError):  # the text itself may hold keys, so it is not shown
            self._add("extra", "is not a JSON object")
            return {}
        return {key: value for key, value in items if value is not None and str(value).strip()}

    def _converted(self, name: str, value: Any) -> Any:
        """
        An extra in its type: a URI or a form gives texts for everything. ``None``, and a problem,
        if it has none.
        """
        kind, takes = EXTRAS[name]
        if name == "data_api_key":
            return value
        try:
            if isinstance(value, str) and value.lstrip()[:1] == "{":
                value = json.loads(value)
            if name == "verify":
                return _verify(value)
            converted = msgspec.convert(
                value.strip() if isinstance(value, str) else value, kind, strict=False
            )
            return Statuses.of(converted) if name == "coupon_file_statuses" else converted
        except WesConfigurationError as error:
            self._add(name, str(error).removeprefix(f"{name} "))
        # The text of msgspec's ends with the place.
        except (msgspec.ValidationError, ValueError) as error:
            place = str(error).partition(" - at ")[2].strip("`$.")
            self._add(name, f"takes {takes}, not {shown(value)}{f' at {place}' if place else ''}")
        return None

    def _login(self) -> str:
        login = str(self._connection.login or "").strip()
        if not login:
            self._add("login", "is missing")
        elif ":" in login or not login.isascii() or not login.isprintable():
            # Basic credentials end the username at the first colon (RFC 7617).
            self._add("login", f"{shown(login)} has a colon or characters that no header can carry")
        return login

    def _key(self, name: str, value: Any) -> str:
        key = str(value or "") if isinstance(value, (str, int)) or value is None else ""
        if not key.strip():
            self._add(name, "is missing")
        elif not key.isprintable():
            self._add(name, "has control characters; paste the key again")
        return key

    def _base_url(self, data_center: str, *, http_allowed: bool) -> str:
        host = str(self._connection.host or "").strip().replace("{data_center}", data_center)
        if not host:
            self._add("host", f"is missing\n{EXAMPLE}")
            return ""
        of_scheme = "host" if "://" in host else "schema"
        address = (
            host if "://" in host else f"{str(self._connection.schema or 'https').strip()}://{host}"
        )
        if of_scheme == "schema" and host.count(":") > 1 and "[" not in host:
            self._add(
                "host",
                f"{shown(host)} seems to be an IPv6 address: Airflow drops its brackets from a "
                "URI\n"
                "Give the connection as JSON, with the host in brackets, as in https://[::1]:8099",
            )
            return ""
        if not ADDRESS.fullmatch(address):
            self._add(
                "host",
                f"{shown(redact_url(address))} is not an address of http or https\n{EXAMPLE}",
            )
            return ""
        parts = urlsplit(address)
        port = parts.netloc.rpartition("]")[2].partition(":")[2] or self._connection.port or 0
        if not 0 <= int(port) < 65536:  # Airflow's pages say 0 for none
            self._add("port", f"takes 1 to 65535, not {shown(port)}")
        if parts.scheme == "http" and not http_allowed and not _loopback(parts.hostname or ""):
            self._add(
                "host",
                f"{shown(address)} is plain http, which would show the keys to the network\n"
                f"Write https into {_named(of_scheme)}, or set {_named('allow_http')} to true",
            )
        netloc = parts.netloc.removesuffix(f":{port}")
        return f"{parts.scheme}://{netloc}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def _named(name: str) -> str:
    """A field as Airflow calls it, and as the form does."""
    return name if LABELS[name].lower() == name.replace("_", " ") else f"{name} ({LABELS[name]})"


def _loopback(hostname: str) -> bool:
    try:
        return hostname == "localhost" or ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False


def _verify(value: Any) -> bool | str:
    try:
        return bool(msgspec.convert(value, bool, strict=False))
    except msgspec.ValidationError:
        if isinstance(value, str) and os.path.exists(value):
            return value
        raise
