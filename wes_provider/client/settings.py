"""
A connection's fields, read into settings.

One pure function, :meth:`WesSettings.from_connection`, names every problem of a connection in one error.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import math
import os
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import basic_credentials, shown, spellings, with_reason
from wes_provider.polling import CountNames, Statuses

__all__ = ["WesSettings"]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, what a header's name is made of
LONGEST: Final = 2048  # characters of a field that goes into a URL or a header, which servers bound
LONGEST_WAIT: Final = 7 * contract.DAY  # seconds; operating systems take no timeout of any length
_EXTRA_PREFIX: Final = "extra__wes__"  # how Airflow's forms used to spell extras


class ConnectionFields(Protocol):
    """What is read of an Airflow connection."""

    conn_id: str | None
    host: str | None
    schema: str | None
    port: int | None
    login: str | None
    password: str | None

    @property
    def extra(self) -> str | None: ...


@dataclass(frozen=True)
class WesSettings:
    """
    How to reach the service; ``docs/connection.md`` explains the fields.

    Its ``repr`` holds no key.
    """

    base_url: str
    workspace_id: str
    api_key: str = field(repr=False)
    data_api_key: str = field(repr=False)
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
    statuses: Statuses = field(default_factory=Statuses)
    count_names: CountNames = field(default_factory=CountNames)
    console_url: str | None = None
    unknown_extras: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    conn_id: str = field(default="wes_default", compare=False)

    @classmethod
    def from_connection(cls, connection: ConnectionFields, *, in_form: bool = False) -> WesSettings:
        """
        Read a connection of type ``wes``.

        :param in_form: whether the message of an error stands beside the connection's form. It then has the form's
            names of the fields, and no name of the connection, for which Airflow makes one up.
        :raises WesConfigurationError: naming every field that is missing or cannot be used.
        """
        return _Reader(connection, in_form=in_form).settings()

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """What no message may hold: the keys, in every spelling, and as Basic credentials."""
        keys = dict.fromkeys((self.api_key, self.data_api_key))
        credentials = [basic_credentials(self.workspace_id, key) for key in keys]
        return tuple(spelling for secret in (*keys, *credentials) for spelling in spellings(secret))


def _field(name: str) -> str:
    """A field as Airflow calls it, with the form's label unless that has the same words."""
    label = LABELS[name.partition(".")[0]]
    return name if label.lower() == name.replace("_", " ") else f"{name} ({label})"


def _field_in_form(name: str) -> str:
    """A field as the form calls it; what is below a dot is a property of its JSON object."""
    name, _, part = name.partition(".")
    return f"{LABELS[name]}: {part}" if part else LABELS[name]


def _present(value: Any) -> bool:
    return value is not None and not (isinstance(value, str) and not value.strip())


class _Reader:
    """One pass over a connection that gathers problems instead of stopping at the first."""

    def __init__(self, connection: ConnectionFields, *, in_form: bool) -> None:
        self.connection = connection
        self.in_form = in_form
        self.named: Callable[[str], str] = _field_in_form if in_form else _field
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.extra = self._read_extra()

    def settings(self) -> WesSettings:
        given: dict[str, Any] = {
            "conn_id": self.connection.conn_id or "wes_default",
            "base_url": self._base_url(),
            "workspace_id": self._login(),
            "api_key": self._key("password", self.connection.password),
        }
        data_api_key = self._take("data_api_key")
        given["data_api_key"] = given["api_key"] if data_api_key is None else self._key("data_api_key", data_api_key)
        self._read(given, "workspace_header", _header_name)
        self._read(given, "connect_timeout", _positive_seconds)
        self._read(given, "read_timeout", _positive_seconds)
        self._read(given, "max_attempts", _attempts)
        self._read(given, "max_rate_limit_wait", _seconds)
        self._read(given, "coupon_files_lag", _seconds)
        self._read(given, "verify", _verify)
        self._read(given, "console_url", _console_url)
        self._read(given, "coupon_file_statuses", lambda value: Statuses.of(_object(value)), into="statuses")
        self._read(given, "coupon_file_counts", lambda value: CountNames.of(_object(value)), into="count_names")
        self._paths(given)
        given["unknown_extras"] = tuple(sorted(self.extra))
        given["warnings"] = tuple(self.warnings)
        if self.problems:
            which = "The connection" if self.in_form else f"connection {self.connection.conn_id or 'wes_default'!r}"
            raise WesConfigurationError(with_reason(f"{which} cannot be used", "\n".join(self.problems)))
        return WesSettings(**given)

    def _read_extra(self) -> dict[str, Any]:
        raw = self.connection.extra
        if not _present(raw):
            return {}
        try:
            extra = json.loads(raw) if isinstance(raw, str) else raw
            if not isinstance(extra, dict):
                raise ValueError(f"it is a {type(extra).__name__}")
        except ValueError as error:
            # The text itself may hold keys, so it is not shown; a decoder's message has the position only.
            self._add("extra", f"is not a JSON object: {error}")
            return {}
        return {key.removeprefix(_EXTRA_PREFIX): value for key, value in extra.items() if _present(value)}

    def _add(self, name: str, problem: str) -> None:
        self.problems.append(f"{self.named(name)} {problem}")

    def _take(self, name: str) -> Any:
        return self.extra.pop(name, None)

    def _read(self, given: dict[str, Any], name: str, read: Callable[[Any], Any], *, into: str | None = None) -> None:
        value = self._take(name)
        if value is None:
            return
        try:
            given[into or name] = read(value)
        except ValueError as error:
            first, _, rest = str(error).partition(" ")
            if first.partition(".")[0] == name:  # it names the property, too
                self._add(first, rest)
            else:
                self._add(name, str(error))

    def _login(self) -> str:
        login: Any = self.connection.login
        if type(login) is int:  # of a connection in JSON
            login = str(login)
        if not isinstance(login, str) or not login.strip():
            self._add("login", "is missing")
            return ""
        if ":" in login:
            # Basic credentials end the username at the first colon (RFC 7617).
            self._add("login", f"{shown(login)} has a colon, which no Basic username can have")
        elif len(login) > LONGEST:
            self._add("login", f"{shown(login)} is longer than the {LONGEST} characters it may have")
        elif not login.isascii() or not login.isprintable():
            self._add("login", f"{shown(login)} has characters that no header can carry")
        return login.strip()

    def _key(self, name: str, value: Any) -> str:
        value = str(value) if type(value) is int else value  # of a connection in JSON
        if not _present(value):
            self._add(name, "is missing")
        elif not isinstance(value, str):
            self._add(name, f"takes a text, not {type(value).__name__}")
        elif len(value) > LONGEST:
            self._add(name, f"has {len(value)} characters, and may have {LONGEST}; paste the key again")
        elif not value.isprintable():
            self._add(name, "has control characters; paste the key again")
        else:
            return value
        return ""

    def _data_center(self) -> str:
        value = self._take("data_center")
        host = self.connection.host
        if value is not None and isinstance(host, str) and "{data_center}" not in host:
            self.warnings.append(
                f"data_center has no effect, since {self.named('host')} has no {{data_center}}\n"
                f"Write it into {self.named('host')}, or remove data_center from extra"
            )
        if value is None:
            return contract.DEFAULT_DATA_CENTER
        text = str(value).strip() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
        if not re.fullmatch(r"[0-9]{1,3}", text):
            self._add("data_center", f"{shown(value)} is not two or three digits such as 01")
            return contract.DEFAULT_DATA_CENTER
        return text.zfill(2)

    def _base_url(self) -> str:
        data_center = self._data_center()
        allow_http = self._take("allow_http")
        try:
            http_allowed = allow_http is not None and _boolean(allow_http)
        except ValueError as error:
            self._add("allow_http", str(error))
            http_allowed = True
        host = self.connection.host
        if not isinstance(host, str) or not host.strip():
            self._add("host", "is missing\nAn example is https://api-{data_center}.example.com")
            return ""
        try:
            return _base_url(
                host.strip().replace("{data_center}", data_center),
                scheme=self.connection.schema,
                port=self.connection.port or None,  # Airflow's pages say 0 for none
                http_allowed=http_allowed,
                named=self.named,
            )
        except ValueError as error:
            self.problems.append(str(error))
            return ""

    def _paths(self, given: dict[str, Any]) -> None:
        value = self._take("paths")
        if value is None:
            return
        try:
            paths = dict(_object(value))
        except ValueError as error:
            self._add("paths", str(error))
            return
        for name, into, fields, query in (
            ("coupon_file", "coupon_file_path", {"coupon_list_id", "coupon_file_id"}, False),
            ("coupon_files", "coupon_files_path", {"coupon_list_id"}, True),
        ):
            path = paths.pop(name, None)
            if path is None:
                continue
            try:
                given[into] = _path(path, fields, query_allowed=query)
            except ValueError as error:
                self._add(f"paths.{name}", str(error))
        prop = paths.pop("catalog_id", None)
        if prop is not None:
            if isinstance(prop, str) and all(part.strip() for part in prop.split(".")):
                given["catalog_id_property"] = prop
            else:
                self._add("paths.catalog_id", f"takes a dotted property such as data.id, not {shown(prop)}")
        for name in paths:
            self._add("paths", f"has {shown(name)}; it takes coupon_file, coupon_files and catalog_id")


def _base_url(
    address: str, *, scheme: str | None, port: int | None, http_allowed: bool, named: Callable[[str], str]
) -> str:
    """
    The service's address without a slash at its end.

    :param named: what messages call a field.
    :raises ValueError: naming the field and its problem; the message never holds user information.
    """
    host, field_of_scheme = f"{named('host')} {shown(address)}", "host"
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", address):
        address = f"{str(scheme or '').strip() or 'https'}://{address}"
        field_of_scheme = "schema"
    try:
        parts = urlsplit(address)
        hostname, own_port = parts.hostname, parts.port
        (hostname or "").encode("idna")  # the clients do that, and raise what is no WesError
    except UnicodeError:
        raise ValueError(f"{host} is not an address\nA part of its name is empty or too long.") from None
    except ValueError as error:
        raise ValueError(f"{host} is not an address\n{error}") from None
    if parts.scheme not in ("http", "https"):
        raise ValueError(f"{named(field_of_scheme)} takes https or http, not {shown(parts.scheme)}")
    if "@" in parts.netloc:
        raise ValueError(
            f"{named('host')} holds user information\nPut it into {named('login')} and {named('password')}."
        )
    if (
        len(address) > LONGEST
        or parts.query
        or parts.fragment
        or not hostname
        or not re.fullmatch(r"[A-Za-z0-9._:%-]+", hostname)
    ):
        raise ValueError(f"{host} is not an address\nOne is https://api-{{data_center}}.example.com.")
    if re.search(r"[\s{}\\\x00-\x1f\x7f]", parts.path) or not parts.path.isascii():
        raise ValueError(f"{host} has a path with characters that no address has")
    number = own_port if own_port is not None else port
    if number is not None and not (re.fullmatch(r"[0-9]{1,5}", str(number)) and 0 < int(number) < 65536):
        raise ValueError(f"{named('port')} takes 1 to 65535, not {shown(number)}")
    if parts.scheme == "http" and not http_allowed and not _loopback(hostname):
        raise ValueError(
            f"{host} is plain http, which would show the keys to the network\n"
            f"Write https into {named(field_of_scheme)}, or set {named('allow_http')} to true"
        )
    netloc = f"[{hostname}]" if ":" in hostname else hostname
    if number is not None:
        netloc += f":{int(number)}"
    return f"{parts.scheme}://{netloc}{parts.path.rstrip('/')}"


def _loopback(hostname: str) -> bool:
    if hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False


# -- readers of one value: each returns it, or raises ValueError with what is wrong ---------------------


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"takes a number, not {shown(value)}")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"takes a number, not {shown(value)}")
    return number


def _seconds(value: Any) -> float:
    number = _number(value)
    if not 0 <= number <= LONGEST_WAIT:
        raise ValueError(f"takes seconds from 0 up to {LONGEST_WAIT}, not {shown(value)}")
    return number


def _positive_seconds(value: Any) -> float:
    number = _number(value)
    if not 0 < number <= LONGEST_WAIT:
        raise ValueError(f"takes seconds above 0 and up to {LONGEST_WAIT}, not {shown(value)}")
    return number


def _attempts(value: Any) -> int:
    number = _number(value)
    if number < 1 or number != int(number):
        raise ValueError(f"takes a whole number from 1 up, not {shown(value)}")
    return int(number)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in ("true", "1", "yes", "on"):
        return True
    if text in ("false", "0", "no", "off"):
        return False
    raise ValueError(f"takes true or false, not {shown(value)}")


def _verify(value: Any) -> bool | str:
    try:
        return _boolean(value)
    except ValueError:
        if isinstance(value, str) and os.path.exists(value):
            return value
        raise ValueError(f"takes true, false or the path of a CA bundle that exists here, not {shown(value)}") from None


def _header_name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST or not _TOKEN.fullmatch(value):
        raise ValueError(f"takes the name of a header, not {shown(value)}")
    if value.lower() in ("authorization", "content-type", "content-length", "host", "transfer-encoding"):
        raise ValueError(f"{shown(value)} is a header that already has a meaning")
    return value


def _object(value: Any) -> Mapping[str, Any]:
    """An object, or its JSON text: a URI or a form gives text for everything."""
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if not isinstance(value, Mapping):
        raise ValueError(f"takes a JSON object, not {shown(value)}")
    return value


def _placeholders(value: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(value) if name is not None}


def _path(value: Any, fields: set[str], *, query_allowed: bool) -> str:
    wanted = " and ".join(f"{{{name}}}" for name in sorted(fields))
    if (
        not isinstance(value, str)
        or len(value) > LONGEST
        or not value.startswith("/")
        or re.search(r"[\s#\\\x00-\x1f\x7f]", value)
        or value.count("?") > query_allowed
    ):
        example = "/v1/files?limit=1000" if query_allowed else "/v1/files"
        raise ValueError(f"takes a path from the service's root such as {example}, not {shown(value)}")
    try:
        found = _placeholders(value)
    except ValueError:
        found = set()
    if not found or found - fields or ("coupon_file_id" in fields and "coupon_file_id" not in found):
        raise ValueError(f"takes a path with {wanted}, not {shown(value)}")
    return value


def _console_url(value: Any) -> str:
    if not isinstance(value, str) or not re.match(r"https?://[^\s/@]+(/|$)", value):
        raise ValueError(f"takes the address of the service's console, not {shown(value)}")
    return value
