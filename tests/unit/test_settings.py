"""
A connection's fields, read into settings. Host, login and password are enough: the data center is
then 01, the Data API key the password, and all else has a default, such as timeouts of 10 s and 60
s and five attempts. The address is read from host, scheme, port and data center; what the host has
itself wins, https is added, and plain http is taken for loopback addresses only, or with
``allow_http``. An extra may be a string, as URIs have it, and a key or login of digits a number;
``verify`` may be the path of a bundle; what a form leaves empty is absent; unknown extras are kept
by name.

Whatever cannot be used is one WesConfigurationError, which names all problems at once, each with
its field as Airflow and as the form calls it, and with what the field takes. It shows no key, and
no credentials or query of the host; nor does the repr of settings. Any connection and any extra
give settings or this error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import EXTRAS, WesSettings


@dataclass
class Connection:
    """What is read of an Airflow connection."""

    host: Any = "https://api-{data_center}.example.com"
    login: Any = "workspace-1"
    password: Any = "campaign-key"
    schema: Any = None
    port: Any = None
    extra: Any = None
    conn_id: Any = "wes_default"


def settings(extra: Any = None, **fields: Any) -> WesSettings:
    extra = json.dumps(extra) if isinstance(extra, dict) else extra
    return WesSettings.from_connection(Connection(extra=extra, **fields))


def test_a_connection_without_an_extra_has_the_defaults():
    assert settings() == WesSettings(
        base_url="https://api-01.example.com",
        workspace_id="workspace-1",
        api_key="campaign-key",
        data_api_key="campaign-key",
        workspace_header="SVC-APPKEY",
        connect_timeout=10,
        read_timeout=60,
        max_attempts=5,
        max_rate_limit_wait=120,
        verify=True,
        coupon_file_path="/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
        coupon_files_path="/v1/coupon-list/{coupon_list_id}/files",
        catalog_id_property=None,
        coupon_files_lag=30,
        statuses=Statuses(),
    )


class Address(NamedTuple):
    """An address, and the connection's fields and extras that give it."""

    base_url: str
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed
    extra: dict[str, Any] = {}  # noqa: RUF012 - never changed


ADDRESSES = {
    "template": Address("https://api-01.example.com"),
    "data center as number": Address("https://api-01.example.com", extra={"data_center": 1}),
    "data center as string": Address("https://api-01.example.com", extra={"data_center": "1"}),
    "data center of two digits": Address("https://api-03.example.com", extra={"data_center": "03"}),
    "data center of three digits": Address(
        "https://api-104.example.com", extra={"data_center": 104}
    ),
    "data center 0": Address("https://api-00.example.com", extra={"data_center": 0}),
    "data center 999": Address("https://api-999.example.com", extra={"data_center": 999}),
    "largest port": Address(
        "https://h.example.com:65535", {"host": "h.example.com", "port": 65535}
    ),
    "no scheme": Address("https://api.example.com", {"host": "api.example.com"}),
    "no scheme, path": Address("https://api.example.com/wes", {"host": "api.example.com/wes/"}),
    "no scheme, port": Address("https://api.example.com:8443", {"host": "api.example.com:8443"}),
    "scheme and port beside": Address(
        "https://h.example.com:8443", {"host": "h.example.com", "schema": "https", "port": 8443}
    ),
    "http on 127.0.0.1, its scheme beside": Address(
        "http://127.0.0.1:8099", {"host": "127.0.0.1", "schema": "http", "port": 8099}
    ),
    "http on another loopback address": Address(
        "http://127.8.9.1:8099", {"host": "http://127.8.9.1:8099"}
    ),
    "own port wins": Address(
        "https://h.example.com:1", {"host": "https://h.example.com:1", "port": 2}
    ),
    "own scheme wins": Address(
        "https://h.example.com", {"host": "https://h.example.com", "schema": "http"}
    ),
    "https on an IPv6 address": Address(
        "https://[fd00::1]:8443", {"host": "https://[fd00::1]:8443"}
    ),
    "http on the loopback address of IPv6": Address(
        "http://[::1]:8099", {"host": "http://[::1]:8099"}
    ),
    "http on localhost": Address("http://localhost:8099", {"host": "http://localhost:8099"}),
    "http on another host, with allow_http": Address(
        "http://h.example.com", {"host": "http://h.example.com"}, {"allow_http": "true"}
    ),
    "port of an empty field": Address(
        "https://h.example.com", {"host": "h.example.com", "port": 0}
    ),
    "white space around": Address("https://h.example.com", {"host": " https://h.example.com/ "}),
}


@pytest.mark.parametrize("row", ADDRESSES.values(), ids=ADDRESSES)
def test_the_address_is_read_from_host_scheme_port_and_data_center(row: Address):
    assert settings(row.extra, **row.fields).base_url == row.base_url


class AsString(NamedTuple):
    """An extra as a string, and what the settings have."""

    extra: str
    text: str
    field: str
    value: Any


STRINGS = [
    AsString("connect_timeout", "604800", "connect_timeout", 604_800),
    AsString("connect_timeout", "2.5", "connect_timeout", 2.5),
    AsString("read_timeout", "30", "read_timeout", 30),
    AsString("max_attempts", "3", "max_attempts", 3),
    AsString("max_rate_limit_wait", "0", "max_rate_limit_wait", 0),
    AsString("max_rate_limit_wait", "604800", "max_rate_limit_wait", 604_800),
    AsString("coupon_files_lag", "0", "coupon_files_lag", 0),
    AsString("coupon_files_lag", "5", "coupon_files_lag", 5),
    AsString("verify", "False", "verify", False),
    AsString(
        "paths",
        '{"coupon_file": "/v2/f/{coupon_file_id}"}',
        "coupon_file_path",
        "/v2/f/{coupon_file_id}",
    ),
    AsString("paths", '{"catalog_id": "result.id"}', "catalog_id_property", "result.id"),
    AsString(
        "coupon_file_statuses",
        '{"success": ["ready"]}',
        "statuses",
        Statuses(success=frozenset({"READY"})),
    ),
    AsString("coupon_file_counts", '{"added": "rows"}', "count_names", CountNames(added="rows")),
    AsString("data_center", "03", "base_url", "https://api-03.example.com"),
    AsString("data_api_key", "data-key", "data_api_key", "data-key"),
    AsString("workspace_header", "X-App", "workspace_header", "X-App"),
    AsString("console_url", "https://c.example.com", "console_url", "https://c.example.com"),
]


@pytest.mark.parametrize("row", STRINGS, ids=[f"{row.extra}: {row.text}" for row in STRINGS])
def test_a_string_is_read_as_what_the_extra_takes(row: AsString):
    """A URI and some forms give strings for everything."""
    assert getattr(settings({row.extra: row.text}), row.field) == row.value


def test_max_attempts_may_be_1():
    assert settings({"max_attempts": 1}).max_attempts == 1


def test_no_extra_that_is_read_is_called_unknown():
    extra = {row.extra: row.text for row in STRINGS} | {"allow_http": "true"}
    assert extra.keys() == EXTRAS.keys()
    assert settings(extra).unknown_extras == ()


def test_what_a_form_leaves_empty_is_absent():
    empty = dict.fromkeys(("data_api_key", "data_center", "verify", "paths", "read_timeout"), "")
    assert settings({**empty, "max_attempts": None}) == settings()


def test_verify_takes_the_path_of_a_bundle(tmp_path: Path):
    bundle = tmp_path / "ca.pem"
    bundle.touch()
    assert settings({"verify": str(bundle)}).verify == str(bundle)


def test_keys_and_logins_of_digits_may_be_numbers_in_json():
    read = settings({"data_api_key": 998877}, login=12345)
    assert (read.data_api_key, read.workspace_id) == ("998877", "12345")


def test_unknown_extras_are_kept_by_name_only():
    assert settings({"headers": {"X": "y"}, "colour": "blue"}).unknown_extras == (
        "colour",
        "headers",
    )


CANNOT_BE_USED = "Connection 'wes_default' cannot be used: "
HOST = "host (Address)"
LOGIN = "login (Workspace identifier)"
PASSWORD = "password (Campaign API key)"
PATHS = "paths (Undocumented paths)"
STATUSES = "coupon_file_statuses (Statuses of coupon files)"
NO_ADDRESS = "is not an address of http or https"
PLAIN_HTTP = "is plain http, which would show the keys to the network"
CREDENTIALS = "has a username or a password before the @: leave them out"
QUERY = "has a ? or a #: leave out what begins with it"
NO_HEADER = "has a colon or characters that no header can carry"
SPACES = "begins or ends with a space; paste the key without it"
DATA_CENTER = "takes two or three digits such as 01, not"


class Problem(NamedTuple):
    """
    Fields or extras of a connection that cannot be used, and what the error says of them.

    :ivar field: the name with which the problem begins: as Airflow or the extra has it, and as the
        form has it if that differs.
    :ivar message: what the problem says beside it.
    """

    field: str
    message: str
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed
    extra: Any = None


PROBLEMS = [
    *(Problem(HOST, "is missing", {"host": host}) for host in (None, " ")),
    *(Problem(HOST, NO_ADDRESS, {"host": f"https://{host}"}) for host in ("{r}.h", "a b", "h:x")),
    Problem(HOST, NO_ADDRESS, {"host": "ftp://h.example.com"}),
    Problem(HOST, NO_ADDRESS, {"host": "h.example.com", "schema": "gopher"}),
    Problem(HOST, CREDENTIALS, {"host": "https://@h"}),
    Problem(
        HOST,
        "seems to be an IPv6 address: Airflow drops its brackets from a URI\nGive the connection "
        "as JSON",
        {"host": "::1"},
    ),
    *(
        Problem(HOST, PLAIN_HTTP, {"host": host})
        for host in (
            "http://h",
            "HTTP://h",
            "http://192.168.1.1",
            "http://localhost.example.com",
            "http://128.0.0.1",
        )
    ),
    Problem(
        HOST,
        "Write https into host (Address), or set allow_http (Allow plain http) to true",
        {"host": "http://h"},
    ),
    Problem(
        HOST,
        "Write https into schema (Scheme), or set allow_http (Allow plain http) to true",
        {"host": "h", "schema": "http"},
    ),
    *(Problem("port", f"takes 1 to 65535, not {port}", {"port": port}) for port in (65536, -1)),
    Problem(LOGIN, "is missing", {"login": None}),
    Problem(LOGIN, f"'a:b' {NO_HEADER}", {"login": "a:b"}),
    Problem(LOGIN, f"'a  b' {NO_HEADER}", {"login": "a\r\nb"}),
    Problem(LOGIN, f"'müller' {NO_HEADER}", {"login": "müller"}),
    Problem(PASSWORD, "is missing", {"password": ""}),
    *(
        Problem("data_center", f"{DATA_CENTER} {wrong!r}", extra={"data_center": wrong})
        for wrong in ("x", "1234", True, -1, 1000)
    ),
    *(
        Problem(
            "workspace_header",
            f"takes the name of a header of its own, not {wrong!r}",
            extra={"workspace_header": wrong},
        )
        for wrong in ("a b", "Authorization", "content-type", "Host")
    ),
    Problem(
        "connect_timeout",
        "takes seconds above 0, at most 604800, not 0",
        extra={"connect_timeout": 0},
    ),
    *(
        Problem(
            "read_timeout",
            f"takes seconds above 0, at most 604800, not {wrong!r}",
            extra={"read_timeout": wrong},
        )
        for wrong in ("soon", "nan", True, "1e9", 604_801)
    ),
    *(
        Problem(
            "max_attempts (Attempts)",
            f"takes a whole number from 1 up, not {wrong}",
            extra={"max_attempts": wrong},
        )
        for wrong in (0, 1.5)
    ),
    *(
        Problem(
            f"{name} ({label})",
            f"takes seconds from 0 to 604800, not {wrong}",
            extra={name: wrong},
        )
        for name, label in (
            ("max_rate_limit_wait", "Longest rate-limit wait"),
            ("coupon_files_lag", "Lag of the list of files"),
        )
        for wrong in (-1, 604_801)
    ),
    Problem(
        "verify (Verify TLS)",
        "takes true, false or the path of a CA bundle that exists here, not '/no/such/bundle.pem'",
        extra={"verify": "/no/such/bundle.pem"},
    ),
    Problem(
        "allow_http (Allow plain http)",
        "takes true or false, not 'maybe'",
        extra={"allow_http": "maybe"},
    ),
    Problem(
        PATHS,
        "takes a JSON object with coupon_file (a path with {coupon_file_id}), coupon_files (one "
        "with {coupon_list_id}) and catalog_id (a property), not 'x'",
        extra={"paths": "x"},
    ),
    Problem(PATHS, "not {'catalog': '/x'}", extra={"paths": {"catalog": "/x"}}),
    Problem(PATHS, "at coupon_file\n", extra={"paths": {"coupon_file": "/files/{coupon_list_id}"}}),
    *(
        Problem(PATHS, "at coupon_files\n", extra={"paths": {"coupon_files": path}})
        for path in ("files/{coupon_list_id}", "/{list}", "/{", "/{coupon_list_id}\n")
    ),
    *(
        Problem(PATHS, "at catalog_id\n", extra={"paths": {"catalog_id": name}})
        for name in ("a..b", "id\n")
    ),
    *(
        Problem(
            STATUSES,
            "takes a JSON object with pending, success and failure, lists of strings",
            extra={"coupon_file_statuses": wrong},
        )
        for wrong in (["x"], {"success": "x"})
    ),
    Problem(
        STATUSES,
        "takes lists of statuses as pending, success and failure",
        extra={"coupon_file_statuses": {"ok": ["x"]}},
    ),
    Problem(
        STATUSES,
        "has X in two lists",
        extra={"coupon_file_statuses": {"success": ["x"], "failure": ["X"]}},
    ),
    Problem(
        "coupon_file_counts (Counts of coupon files)",
        "takes a JSON object with added and duplicates, strings, not 'x'",
        extra={"coupon_file_counts": "x"},
    ),
    Problem(
        "console_url (Console address)",
        "takes the address of the service's console, not 'console'",
        extra={"console_url": "console"},
    ),
    Problem("extra", "is not a JSON object", extra="[1]"),
]


def problem_of(row: Problem) -> str:
    """What the error says after the connection's name."""
    with pytest.raises(WesConfigurationError) as raised:
        settings(row.extra, **row.fields)
    connection, cannot_be_used, problem = str(raised.value).partition(CANNOT_BE_USED)
    assert (connection, cannot_be_used) == ("", CANNOT_BE_USED)
    return problem


@pytest.mark.parametrize("row", PROBLEMS, ids=lambda row: str(row.fields or row.extra))
def test_an_error_names_the_field_and_what_is_wrong_with_it(row: Problem):
    problem = problem_of(row)
    assert problem.startswith(f"{row.field} ")
    assert row.message in problem


SECRETS = [
    *(
        Problem(HOST, CREDENTIALS, {"host": f"https://{host}"})
        for host in ("u:hunter2@h", "hunter2@h")
    ),
    *(
        Problem(HOST, QUERY, {"host": f"https://{host}"})
        for host in ("h/?token=hunter2", "h#hunter2")
    ),
    Problem(PASSWORD, "has control characters; paste the key again", {"password": "hunter2\n"}),
    *(Problem(PASSWORD, SPACES, {"password": key}) for key in ("hunter2 ", " hunter2")),
    Problem("data_api_key", SPACES, extra={"data_api_key": "hunter2 "}),
    Problem("extra", "is not a JSON object", extra='{"data_api_key": "hunter2"'),
]


@pytest.mark.parametrize("row", SECRETS, ids=lambda row: str(row.fields or row.extra))
def test_an_error_about_a_field_with_a_secret_names_the_field_without_the_secret(row: Problem):
    """The secret is ``hunter2``."""
    problem = problem_of(row)
    assert problem.startswith(f"{row.field} ")
    assert row.message in problem
    assert "hunter2" not in problem


def test_all_problems_are_named_at_once():
    with pytest.raises(WesConfigurationError) as raised:
        settings(
            {"data_center": "x", "read_timeout": -1, "max_attempts": "no"},
            host=None,
            login="",
            password=None,
        )
    lines = str(raised.value).removeprefix(CANNOT_BE_USED).splitlines()
    for problem in (
        f"{HOST} is missing",
        f"{LOGIN} is missing",
        f"{PASSWORD} is missing",
        f"data_center {DATA_CENTER} 'x'",
        "read_timeout takes seconds above 0, at most 604800, not -1",
        "max_attempts (Attempts) takes a whole number from 1 up, not 'no'",
    ):
        assert problem in lines


def test_the_repr_of_settings_has_neither_key():
    text = repr(settings({"data_api_key": "data-key"}))
    assert "campaign-key" not in text
    assert "data-key" not in text


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("host", "login", "password", "schema", "extra"), anything)
    )
)
def test_any_connection_gives_settings_or_our_error(fields: dict[str, Any]):
    try:
        settings(**fields)
    except WesConfigurationError as error:
        assert "cannot be used" in str(error)  # noqa: PT017 - either is right


@given(
    st.dictionaries(
        st.sampled_from(sorted(EXTRAS)),
        anything
        | st.dictionaries(
            st.sampled_from(["coupon_file", "coupon_files", "catalog_id", "success"]), anything
        ),
    )
)
def test_any_extra_gives_settings_or_our_error(extra: dict[str, Any]):
    try:
        settings(extra)
    except WesConfigurationError as error:
        assert "cannot be used" in str(error)  # noqa: PT017 - either is right
