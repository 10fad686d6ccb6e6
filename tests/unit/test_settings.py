"""A connection's fields, read into settings; every problem named in one error."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.exceptions import WesConfigurationError
from wes_provider.polling import Statuses
from wes_provider.settings import WesSettings


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


def test_defaults():
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


ADDRESSES = {
    "template": ({}, {}, "https://api-01.example.com"),
    "data center as number": ({}, {"data_center": 1}, "https://api-01.example.com"),
    "data center as text": ({}, {"data_center": "1"}, "https://api-01.example.com"),
    "data center of two digits": ({}, {"data_center": "03"}, "https://api-03.example.com"),
    "data center of three digits": ({}, {"data_center": 104}, "https://api-104.example.com"),
    "no scheme": ({"host": "api.example.com"}, {}, "https://api.example.com"),
    "no scheme, path": ({"host": "api.example.com/wes/"}, {}, "https://api.example.com/wes"),
    "no scheme, port": ({"host": "api.example.com:8443"}, {}, "https://api.example.com:8443"),
    "scheme and port beside": ({"host": "127.0.0.1", "schema": "http", "port": 8099}, {}, "http://127.0.0.1:8099"),
    "own port wins": ({"host": "https://h.example.com:1", "port": 2}, {}, "https://h.example.com:1"),
    "own scheme wins": ({"host": "https://h.example.com", "schema": "http"}, {}, "https://h.example.com"),
    "IPv6": ({"host": "http://[::1]:8099"}, {}, "http://[::1]:8099"),
    "localhost": ({"host": "http://localhost:8099"}, {}, "http://localhost:8099"),
    "http where allowed": ({"host": "http://h.example.com"}, {"allow_http": "true"}, "http://h.example.com"),
    "white space around": ({"host": " https://h.example.com/ "}, {}, "https://h.example.com"),
}


@pytest.mark.parametrize(("fields", "extra", "base_url"), ADDRESSES.values(), ids=ADDRESSES)
def test_address(fields: dict[str, Any], extra: dict[str, Any], base_url: str):
    assert settings(extra, **fields).base_url == base_url


def test_strings_are_read_as_numbers_booleans_and_objects():
    """A URI and some forms give text for everything."""
    extra = {
        "connect_timeout": "2.5",
        "read_timeout": "30",
        "max_attempts": "3",
        "max_rate_limit_wait": "0",
        "coupon_files_lag": "5",
        "verify": "False",
        "paths": '{"coupon_file": "/v2/f/{coupon_file_id}", "catalog_id": "result.id"}',
        "coupon_file_statuses": '{"success": ["ready"]}',
        "data_api_key": "data-key",
        "workspace_header": "X-App",
        "console_url": "https://console.example.com",
    }
    read = settings(extra)
    assert (read.connect_timeout, read.read_timeout, read.max_attempts) == (2.5, 30, 3)
    assert (read.max_rate_limit_wait, read.coupon_files_lag, read.verify) == (0, 5, False)
    assert (read.coupon_file_path, read.catalog_id_property) == ("/v2/f/{coupon_file_id}", "result.id")
    assert read.statuses.success == {"READY"}
    assert (read.data_api_key, read.workspace_header) == ("data-key", "X-App")
    assert read.unknown_extras == ()


def test_what_a_form_leaves_empty_is_absent():
    empty = dict.fromkeys(("data_api_key", "data_center", "verify", "paths", "read_timeout"), "")
    assert settings({**empty, "max_attempts": None}) == settings()


def test_verify_takes_the_path_of_a_bundle(tmp_path: Path):
    bundle = tmp_path / "ca.pem"
    bundle.touch()
    assert settings({"verify": str(bundle)}).verify == str(bundle)


def test_a_key_of_digits_may_be_a_number_in_json():
    read = settings({"data_api_key": 998877})
    assert read.data_api_key == "998877"


def test_unknown_extras_are_kept_by_name_only():
    assert settings({"headers": {"X": "y"}, "colour": "blue"}).unknown_extras == ("colour", "headers")


LABEL = r" \([A-Z][^)]*\)"

PROBLEMS = {
    "host missing": ({"host": None}, {}, "host is missing"),
    "host blank": ({"host": " "}, {}, "host is missing"),
    "host with user": ({"host": "https://u:hunter2@h.example.com"}, {}, "is not an address"),
    "host with query": ({"host": "https://h.example.com/?token=hunter2"}, {}, "is not an address"),
    "host with braces": ({"host": "https://{region}.example.com"}, {}, "is not an address"),
    "host with white space": ({"host": "https://a b"}, {}, "is not an address"),
    "host with bad port": ({"host": "https://h.example.com:x"}, {}, "is not an address"),
    "other scheme": ({"host": "ftp://h.example.com"}, {}, "is not an address of http or https"),
    "schema nonsense": ({"host": "h.example.com", "schema": "gopher"}, {}, "is not an address of http or https"),
    "port too large": ({"port": 70000}, {}, "port takes 1 to 65535, not 70000"),
    "plain http": ({"host": "http://h.example.com"}, {}, "plain http"),
    "plain http by schema": ({"host": "h.example.com", "schema": "http"}, {}, "plain http"),
    "plain http, not localhost": ({"host": "http://localhost.example.com"}, {}, "plain http"),
    "login missing": ({"login": None}, {}, "login is missing"),
    "login with colon": ({"login": "a:b"}, {}, "login 'a:b' has a colon"),
    "login with line": ({"login": "a\r\nb"}, {}, "login 'a  b' has a colon or characters"),
    "login with umlaut": ({"login": "müller"}, {}, "login 'müller' has a colon or characters"),
    "password missing": ({"password": ""}, {}, "password is missing"),
    "password with line": ({"password": "hunter2\n"}, {}, "password has control characters"),
    "data center x": ({}, {"data_center": "x"}, "data_center takes two or three digits such as 01, not 'x'"),
    "data center long": ({}, {"data_center": "1234"}, "data_center takes two or three digits such as 01, not '1234'"),
    "data center true": ({}, {"data_center": True}, "data_center takes two or three digits such as 01, not True"),
    "header": ({}, {"workspace_header": "a b"}, "workspace_header takes the name of a header"),
    "timeout zero": ({}, {"connect_timeout": 0}, "connect_timeout takes seconds above 0"),
    "timeout word": ({}, {"read_timeout": "soon"}, "read_timeout takes seconds above 0, not 'soon'"),
    "timeout nan": ({}, {"read_timeout": "nan"}, "read_timeout takes seconds above 0, not 'nan'"),
    "timeout true": ({}, {"read_timeout": True}, "read_timeout takes seconds above 0, not True"),
    "attempts zero": ({}, {"max_attempts": 0}, "max_attempts takes a whole number"),
    "attempts half": ({}, {"max_attempts": 1.5}, "max_attempts takes a whole number"),
    "wait negative": ({}, {"max_rate_limit_wait": -1}, "max_rate_limit_wait takes seconds from 0 up"),
    "verify": ({}, {"verify": "/no/such/bundle.pem"}, "verify takes true, false or the path"),
    "allow_http": ({}, {"allow_http": "maybe"}, "allow_http takes true or false"),
    "paths text": ({}, {"paths": "x"}, "paths takes a JSON object"),
    "paths unknown": (
        {},
        {"paths": {"catalog": "/x"}},
        "and catalog_id (a property), not {'catalog': '/x'}",
    ),
    "path relative": ({}, {"paths": {"coupon_files": "files/{coupon_list_id}"}}, "paths takes a JSON object"),
    "path without id": (
        {},
        {"paths": {"coupon_file": "/files/{coupon_list_id}"}},
        "at coupon_file",
    ),
    "path with other field": ({}, {"paths": {"coupon_files": "/{list}"}}, "at coupon_files"),
    "path with brace": ({}, {"paths": {"coupon_files": "/{coupon_list_id"}}, "at coupon_files"),
    "property": ({}, {"paths": {"catalog_id": "a..b"}}, "at catalog_id"),
    "statuses list": ({}, {"coupon_file_statuses": ["x"]}, "coupon_file_statuses takes a JSON object"),
    "statuses key": (
        {},
        {"coupon_file_statuses": {"ok": ["x"]}},
        "coupon_file_statuses takes lists of statuses as pending, success and failure",
    ),
    "statuses text": (
        {},
        {"coupon_file_statuses": {"success": "x"}},
        "coupon_file_statuses takes a JSON object with pending, success and failure",
    ),
    "status twice": (
        {},
        {"coupon_file_statuses": {"success": ["x"], "failure": ["X"]}},
        "coupon_file_statuses has X in two lists",
    ),
    "console": ({}, {"console_url": "console"}, "console_url takes the address"),
    "extra array": ({}, "[1]", "extra is not a JSON object"),
    "extra broken": ({}, '{"data_api_key": "hunter2"', "extra is not a JSON object"),
}


@pytest.mark.parametrize(("fields", "extra", "message"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_problem_is_named_without_a_secret(fields: dict[str, Any], extra: Any, message: str):
    with pytest.raises(WesConfigurationError, match="Connection 'wes_default' cannot be used") as raised:
        settings(extra, **fields)
    assert message in re.sub(LABEL, "", str(raised.value))
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("fields", "extra", "message"),
    [
        ({"login": None}, {}, "Connection 'wes_default' cannot be used: login (Workspace identifier) is missing"),
        ({"password": ""}, {}, "Connection 'wes_default' cannot be used: password (Campaign API key) is missing"),
        ({}, {"read_timeout": "soon"}, "read_timeout takes seconds above 0, not 'soon'"),
        ({}, {"paths": {"coupon_files": "x"}}, "paths (Undocumented paths) takes a JSON object"),
        ({}, {"coupon_file_statuses": {"success": 1}}, "coupon_file_statuses (Statuses of coupon files) takes"),
        ({"schema": "http"}, {}, "Write https into schema (Scheme), or set allow_http (Allow plain http) to true"),
        ({"host": "http://h"}, {}, "Write https into host (Address), or set allow_http (Allow plain http) to true"),
    ],
)
def test_the_forms_label_stands_beside_a_field_of_another_name(fields: dict[str, Any], extra: Any, message: str):
    with pytest.raises(WesConfigurationError) as raised:
        settings(extra, **{"host": "h.example.com", **fields})
    assert message in str(raised.value)


def test_all_problems_are_named_at_once():
    with pytest.raises(WesConfigurationError) as raised:
        settings({"data_center": "x", "read_timeout": -1, "max_attempts": "no"}, host=None, login="", password=None)
    for name in ("host", "login", "password", "data_center", "read_timeout", "max_attempts"):
        assert f"{name} " in str(raised.value)


def test_repr_holds_no_key():
    text = repr(settings({"data_api_key": "data-key"}))
    assert "campaign-key" not in text
    assert "data-key" not in text


def test_a_status_named_by_the_user_leaves_the_other_default_lists():
    statuses = settings({"coupon_file_statuses": {"success": ["FAILED", "ready"]}}).statuses
    assert statuses.success == {"FAILED", "READY"}
    assert "FAILED" not in statuses.failure
    assert "ERROR" in statuses.failure


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("host", "login", "password", "schema", "extra"), anything)))
def test_any_connection_gives_settings_or_our_error(fields: dict[str, Any]):
    try:
        settings(**fields)
    except WesConfigurationError as error:
        assert "cannot be used" in str(error)  # noqa: PT017 - either is right


extras = (
    "data_api_key data_center workspace_header connect_timeout read_timeout max_attempts max_rate_limit_wait verify "
    "paths coupon_file_statuses allow_http coupon_files_lag console_url"
).split()


@given(
    st.dictionaries(
        st.sampled_from(extras),
        anything | st.dictionaries(st.sampled_from(["coupon_file", "coupon_files", "catalog_id", "success"]), anything),
    )
)
def test_any_extra_gives_settings_or_our_error(extra: dict[str, Any]):
    try:
        settings(extra)
    except WesConfigurationError as error:
        assert "cannot be used" in str(error)  # noqa: PT017 - either is right


def test_a_numeric_login_is_a_login():
    assert settings(login=12345).workspace_id == "12345"
