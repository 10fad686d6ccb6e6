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
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import redact_url, shown

LONGEST_WAIT: Final = 7 * contract.DAY  # seconds; operating systems take no timeout of any length

CORRECT_IT: Final = "Correct it under Admin, Connections, or where else it is defined."
EXAMPLE: Final = (
    "One is https://api-{data_center}.example.com; keys go into the login and the password."
)
SEEMS_IPV6: Final = (
    "seems to be an IPv6 address: Airflow drops its brackets from a URI\n"
    "Give the connection as JSON, with the host in brackets, as in https://[::1]:8099"
)
ADDRESS: Final = re.compile(
    r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?(/[^\s?#@\\]*)?", re.IGNORECASE | re.ASCII
)

Seconds = Annotated[float, Meta(ge=0, le=LONGEST_WAIT)]
Timeout = Annotated[float, Meta(gt=0, le=LONGEST_WAIT)]
# Headers that the provider or HTTP itself sets, so that they hold no workspace.
OTHER_HEADERS: Final = (
    "accept|accept-encoding|authorization|cache-control|connection|content-length|content-type|"
    "cookie|host|proxy-authorization|transfer-encoding|user-agent"
)
HeaderName = Annotated[  # RFC 9110
    str, Meta(pattern=rf"^(?!(?i:{OTHER_HEADERS})$)[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
]
DataCenter = Annotated[str, Meta(pattern=r"^\s*[0-9]{1,3}\s*$")]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/@]+(/|\Z)")]
Property = Annotated[str, Meta(pattern=r"^[^\s.]+(\.[^\s.]+)*\Z")]
_IN_PATHS: Final = r"/([^\s#\\{}]|\{coupon_list_id\}|\{coupon_file_id\})*\Z"
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
    "data_api_key": (str, "a string"),
    "data_center": (
        DataCenter | Annotated[int, Meta(ge=0, le=999)],
        "two or three digits such as 01",
    ),
    "workspace_header": (HeaderName, "the name of a header of its own"),
    "console_url": (WebAddress, "the address of the service's console"),
    "connect_timeout": (Timeout, f"seconds above 0, at most {LONGEST_WAIT}"),
    "read_timeout": (Timeout, f"seconds above 0, at most {LONGEST_WAIT}"),
    "max_attempts": (Annotated[int, Meta(ge=1)], "a whole number from 1 up"),
    "max_rate_limit_wait": (Seconds, f"seconds from 0 to {LONGEST_WAIT}"),
    "coupon_files_lag": (Seconds, f"seconds from 0 to {LONGEST_WAIT}"),
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
        "a JSON object with pending, success and failure, lists of strings",
    ),
    "coupon_file_counts": (CountNames, "a JSON object with added and duplicates, strings"),
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

    @property
    def secrets(self) -> frozenset[str]:
        """The keys, and what Basic authentication makes of them."""
        keys = {self.api_key, self.data_api_key}
        encoded = {self.credentials(key).decode() for key in keys}
        # Some leave out the end of base64.
        without_padding = {credentials.rstrip("=") for credentials in encoded}
        return frozenset(keys | encoded | without_padding)

    def credentials(self, key: str) -> bytes:
        """Return what Basic authentication sends with a key."""
        return base64.b64encode(f"{self.workspace_id}:{key}".encode())

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
        """
        Return the settings of the connection.

        :raises WesConfigurationError: with all problems.
        """
        extra = self._extra()
        given: dict[str, Any] = {}
        for name in EXTRAS:
            value = self._converted(name, extra[name]) if name in extra else None
            if value is not None:
                given[name] = value
        paths = given.pop("paths", None) or _Paths()
        data_center = str(given.pop("data_center", contract.DEFAULT_DATA_CENTER)).strip().zfill(2)
        api_key = self._key("password", self._connection.password)
        data_api_key = api_key
        if "data_api_key" in given:
            data_api_key = self._key("data_api_key", given.pop("data_api_key"))
        settings = WesSettings(
            base_url=self._base_url(data_center, http_allowed=given.pop("allow_http", False)),
            workspace_id=self._login(),
            api_key=api_key,
            data_api_key=data_api_key,
            coupon_file_path=paths.coupon_file,
            coupon_files_path=paths.coupon_files,
            catalog_id_property=paths.catalog_id,
            statuses=given.pop("coupon_file_statuses", Statuses()),
            count_names=given.pop("coupon_file_counts", CountNames()),
            unknown_extras=tuple(sorted(extra.keys() - EXTRAS.keys())),
            conn_id=self._connection.conn_id or "wes_default",
            **given,
        )
        if self._problems:
            which = "The connection"
            if self._connection.conn_id:
                which = f"Connection {self._connection.conn_id!r}"
            problems = "\n".join(self._problems)
            raise WesConfigurationError(f"{which} cannot be used: {problems}\n{CORRECT_IT}")
        return settings

    def _add(self, name: str, problem: str) -> None:
        self._problems.append(f"{field_label(name)} {problem}")

    def _extra(self) -> dict[str, Any]:
        """Return the extras that have a value."""
        raw: Any = self._connection.extra or "{}"
        try:
            content = raw
            if isinstance(raw, str):
                content = json.loads(raw)
            items = content.items()
        except (AttributeError, ValueError, RecursionError):
            # The string itself may hold keys, so it is not shown.
            self._add("extra", "is not a JSON object")
            return {}
        return {key: value for key, value in items if value is not None and str(value).strip()}

    def _converted(self, name: str, value: Any) -> Any:
        """
        Return an extra in its type: a URI or a form gives strings for everything. Return ``None``,
        and note a problem, if it has none.
        """
        if name == "data_api_key":
            return value
        kind, takes = EXTRAS[name]
        try:
            if isinstance(value, str):
                value = _read_string(value)
            if name == "verify":
                return _verify(value)
            converted = msgspec.convert(value, kind, strict=False)
            if name == "coupon_file_statuses":
                return Statuses.of(converted)
            return converted
        except WesConfigurationError as error:
            self._add(name, str(error).removeprefix(f"{name} "))
        except (msgspec.ValidationError, ValueError) as error:
            # msgspec's message ends with the place.
            place = str(error).partition(" - at ")[2].strip("`$.")
            problem = f"takes {takes}, not {shown(value)}"
            if place:
                problem += f" at {place}"
            self._add(name, problem)
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
        key = str(value) if isinstance(value, (str, int)) else ""
        if not key.strip():
            self._add(name, "is missing")
        elif not key.isprintable():
            self._add(name, "has control characters; paste the key again")
        elif key != key.strip():
            self._add(name, "begins or ends with a space; paste the key without it")
        return key

    # -- the address --

    def _base_url(self, data_center: str, *, http_allowed: bool) -> str:
        """Return the service's address without a slash at its end; empty if it has a problem."""
        address = self._address(data_center)
        if not address:
            return ""
        if not ADDRESS.fullmatch(address):
            problem = f"{shown(redact_url(address))} {_problem_of_address(address)}"
            self._add("host", f"{problem}\n{EXAMPLE}")
            return ""
        parts = urlsplit(address)
        if parts.scheme == "http" and not http_allowed:
            self._check_is_loopback(address, parts.hostname or "")
        port = self._port(parts.netloc)
        netloc = parts.netloc.removesuffix(f":{port}")
        with_port = f"{netloc}:{port}" if port else netloc
        return f"{parts.scheme}://{with_port}{parts.path.rstrip('/')}"

    def _address(self, data_center: str) -> str:
        """Return the host with its scheme and data center; empty if it has a problem."""
        host = str(self._connection.host or "").strip().replace("{data_center}", data_center)
        if not host:
            self._add("host", f"is missing\n{EXAMPLE}")
            return ""
        if "://" in host:
            return host
        if host.count(":") > 1 and "[" not in host:
            self._add("host", f"{shown(host)} {SEEMS_IPV6}")
            return ""
        scheme = str(self._connection.schema or "https").strip()
        return f"{scheme}://{host}"

    def _port(self, netloc: str) -> str:
        """Return the port of the address, else the connection's; empty for none."""
        in_address = netloc.rpartition("]")[2].partition(":")[2]
        # Airflow's pages say 0 for none.
        port = in_address or str(self._connection.port or "")
        if port and not 0 <= int(port) < 65536:
            self._add("port", f"takes 1 to 65535, not {shown(port, quoted=False)}")
        return port

    def _check_is_loopback(self, address: str, hostname: str) -> None:
        if _is_loopback(hostname):
            return
        with_scheme = "schema"
        if "://" in str(self._connection.host):
            with_scheme = "host"
        self._add(
            "host",
            f"{shown(address)} is plain http, which would show the keys to the network\n"
            f"Write https into {field_label(with_scheme)}, "
            f"or set {field_label('allow_http')} to true",
        )


def field_label(name: str) -> str:
    """Return a field's name as Airflow has it, and as the form has it if that differs."""
    label = LABELS[name]
    if label.lower() == name.replace("_", " "):
        return name
    return f"{name} ({label})"


def _read_string(value: str) -> Any:
    """Read an extra that a URI or a form gives as a string, which may be an object in JSON."""
    if value.lstrip().startswith("{"):
        return json.loads(value)
    return value.strip()


def _problem_of_address(address: str) -> str:
    """Return what is wrong with an address; messages show it without credentials and query."""
    authority = re.split("[/?#]", address.partition("://")[2], maxsplit=1)[0]
    if "@" in authority:
        return "has a username or a password before the @: leave them out"
    if "?" in address or "#" in address:
        return "has a ? or a #: leave out what begins with it"
    return "is not an address of http or https"


def _is_loopback(hostname: str) -> bool:
    if hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False


def _verify(value: Any) -> bool | str:
    try:
        return bool(msgspec.convert(value, bool, strict=False))
    except msgspec.ValidationError:
        if isinstance(value, str) and os.path.exists(value):
            return value
        raise
