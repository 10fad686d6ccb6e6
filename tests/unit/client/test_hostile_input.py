"""Whatever a user or a template gives: an error that names the field, or the exact bytes on the wire."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from support.wes_driver import Driver, read
from wes_provider.client.operations import Operation, Operations
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError, WesError

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of the huge text

URL = "https://files.example.com/coupons.csv"
HUGE = "x" * 1_000_000
NASTY = [
    "../../v3/custom-segments/x",
    "..",
    ".",
    "%2e%2e",
    "%2e%2e%2f",
    "a/b",
    "a\\b",
    "a?b=c",
    "a#b",
    "a;b",
    "//elsewhere.example.com/x",
    "http://elsewhere.example.com",
    "@elsewhere.example.com",
    "a\r\nX-Injected: 1",
    "a\r\n\r\nGET /v1/other HTTP/1.1\r\nHost: x\r\n\r\n",
    "a\nb",
    "a\x00b",
    "\x7f",
    "\x85\u2028\u2029",
    " ",
    "",
    "\t",
    "é",
    "e\u0301",
    "🎁👩‍👩‍👧",
    "\u202egnirts",
    "\ud800",
    "\ufeffx",
    "{coupon_list_id}",
    "{0.__class__}",
    "%s%n",
    "None",
    HUGE,
]
not_texts = st.sampled_from(
    [None, 0, 1.5, True, b"bytes", [], ["x"], {}, {"a": 1}, ("x",), {"x"}, object(), float("nan"), range(3)]
)
texts = st.sampled_from(NASTY) | st.text(max_size=50) | st.text(st.characters(max_codepoint=0x7F), max_size=50)
anything = texts | not_texts
# The emulator, which all examples share, is asked only for what the last of them sent.
shared_emulator = hypothesis_settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=hypothesis_settings().max_examples // 5,  # each opens a session and a connection
)


def sent(driver: Driver, emulator: Emulator, make: Callable[[Operations], Operation[Any]]) -> Any:
    """The one request that a call made; the error's message, where it was refused before that."""
    before = sum(emulator.counts.values())
    try:
        driver(make)
    except WesConfigurationError as error:
        assert sum(emulator.counts.values()) == before
        return str(error)
    except WesError:
        pass  # the service refuses it, or knows no such thing
    after = emulator.counts
    assert sum(after.values()) - before <= 2  # a request, and a connection
    request = emulator.requests[-1]
    assert request.headers["Host"] == emulator.url.partition("://")[2]
    assert request.headers["SVC-APPKEY"] == emulator.workspace_id
    names = {name.lower() for name in request.headers}
    usual = {"host", "connection", "svc-appkey", "authorization", "accept", "accept-encoding", "cache-control"}
    assert names - usual - {"user-agent", "content-type", "content-length"} == set()
    return request


@pytest.fixture
def no_limits(wes_emulator: Emulator) -> None:
    wes_emulator.configure(limits=None, request_log=1)


IDENTIFIED: dict[str, tuple[Callable[[Operations, Any], Operation[Any]], str, str]] = {
    "upload": (
        lambda operations, value: operations.upload_coupon_file(value, URL),
        "coupon_list_id",
        "/v1/coupon-list/{}/files",
    ),
    "list": (
        lambda operations, value: operations.list_coupon_files(value),
        "coupon_list_id",
        "/v1/coupon-list/{}/files",
    ),
    "get of a list": (
        lambda operations, value: operations.get_coupon_file(value, "f"),
        "coupon_list_id",
        "/v1/coupon-list/{}/files/f",
    ),
    "get of a file": (
        lambda operations, value: operations.get_coupon_file("l", value),
        "coupon_file_id",
        "/v1/coupon-list/l/files/{}",
    ),
    "segment": (
        lambda operations, value: operations.update_segment(value, updated_by="me"),
        "segment_id",
        "/v3/custom-segments/{}",
    ),
}


@pytest.mark.usefixtures("no_limits")
@pytest.mark.parametrize(("make", "field", "path"), IDENTIFIED.values(), ids=IDENTIFIED)
@shared_emulator
@given(value=anything)
@example("a/b")
@example("..")
def test_an_identifier_is_one_segment_of_the_path(
    driver: Driver,
    wes_emulator: Emulator,
    make: Callable[[Operations, Any], Operation[Any]],
    field: str,
    path: str,
    value: Any,
):
    request = sent(driver, wes_emulator, lambda operations: make(operations, value))
    if isinstance(request, str):
        assert field in request
        assert len(request) < 1000
        return
    before, _, after = path.partition("{}")
    assert request.raw_path.startswith(before)
    assert request.raw_path.endswith(after)
    segment = request.raw_path[len(before) : len(request.raw_path) - len(after)]
    assert set(segment).isdisjoint("/?#\\ ")
    assert unquote_to_bytes(segment) == value.encode()


TEXT_FIELDS: dict[str, Callable[[Operations, Any], Operation[Any]]] = {
    "file_url": lambda operations, value: operations.upload_coupon_file("l", value),
    "callback_url": lambda operations, value: operations.upload_coupon_file("l", URL, callback_url=value),
    "name": lambda operations, value: operations.upload_coupon_file("l", URL, name=value),
    "created_by": lambda operations, value: operations.upload_coupon_file("l", URL, created_by=value),
    "file_url_auth_username": lambda operations, value: operations.upload_coupon_file(
        "l", URL, file_url_auth_username=value
    ),
    "file_url_auth_password": lambda operations, value: operations.upload_coupon_file(
        "l", URL, file_url_auth_username="u", file_url_auth_password=value
    ),
    "price_currency": lambda operations, value: operations.create_catalog("c", value, []),
    "updated_by": lambda operations, value: operations.update_segment("s", updated_by=value),
}
urls = st.builds("{}{}{}".format, st.sampled_from(["https://", "ftp://", "http:/", "//", "javascript:"]), texts, texts)


@pytest.mark.usefixtures("no_limits")
@pytest.mark.parametrize("field", TEXT_FIELDS)
@shared_emulator
@given(value=anything | urls)
@example("https://files.example.com/a.csv https://files.example.com/b.csv")
@example("https://files.example.com/a.csv,https://files.example.com/b.csv")
def test_a_text_is_sent_as_it_is_or_refused_by_name(driver: Driver, wes_emulator: Emulator, field: str, value: Any):
    request = sent(driver, wes_emulator, lambda operations: TEXT_FIELDS[field](operations, value))
    if isinstance(request, str):
        assert field in request or (field == "updated_by" and value is None)
        assert len(request) < 1000
        if field == "file_url_auth_password" and isinstance(value, str) and value.strip():
            assert value not in request
    elif value is None:  # as if it were not given
        assert field not in json.loads(request.body)
    else:
        assert json.loads(request.body)[field] == value


json_values = st.recursive(
    not_texts | st.sampled_from([text for text in NASTY if text is not HUGE]) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
filters = st.fixed_dictionaries(
    {}, optional={"filter_operator": json_values, "filters": st.lists(json_values, max_size=3) | json_values}
)


@pytest.mark.usefixtures("no_limits")
@shared_emulator
@given(value=filters | json_values)
def test_filters_are_sent_as_they_are_or_refused_by_name(driver: Driver, wes_emulator: Emulator, value: Any):
    request = sent(driver, wes_emulator, lambda operations: operations.update_segment("s", included_filters=value))
    if isinstance(request, str):
        assert "included_filters" in request
    else:
        assert json.loads(request.body) == {"included_filters": json.loads(json.dumps(value))}


@pytest.mark.usefixtures("no_limits")
@shared_emulator
@given(value=st.lists(st.fixed_dictionaries({"name": anything, "type": anything}), max_size=3) | json_values)
def test_attributes_are_sent_as_they_are_or_refused_by_name(driver: Driver, wes_emulator: Emulator, value: Any):
    request = sent(driver, wes_emulator, lambda operations: operations.create_catalog("c", "EUR", value))
    if isinstance(request, str):
        assert "attributes" in request
    else:
        assert json.loads(request.body)["attributes"] == value


# -- connections -----------------------------------------------------------------------------------------

CONNECTION_FIELDS = ("host", "schema", "port", "login", "password", "extra")
EXTRAS = (
    *("data_api_key", "data_center", "workspace_header", "connect_timeout", "read_timeout", "max_attempts"),
    *("max_rate_limit_wait", "verify", "paths", "coupon_file_statuses", "console_url", "allow_http", "unknown"),
)


@shared_emulator
@given(
    fields=st.dictionaries(st.sampled_from(CONNECTION_FIELDS[:-1]), anything, max_size=2),
    extra=st.dictionaries(st.sampled_from(EXTRAS), anything | json_values, max_size=3),
)
def test_a_connection_leads_to_its_host_or_is_refused_by_name(
    driver_name: str, wes_emulator: Emulator, fields: dict[str, Any], extra: dict[str, Any]
):
    """Where a hostile field passes, the request goes to the host that is given, with the header that is given."""
    good = wes_emulator.connection()
    try:
        settings = read({**good, **fields, "extra": json.loads(json.dumps({**good["extra"], **extra}, default=str))})
    except WesConfigurationError as error:
        text = str(error)
        assert text.replace("\n", "").isprintable()
        assert any(name in text for name in (*fields, *extra))
        assert wes_emulator.api_key not in text
        return
    base = "" if settings.base_url == wes_emulator.url else settings.base_url
    trusting = (False, wes_emulator.ca_file or True)
    if base or settings.verify not in trusting:
        assert not base or fields.keys() & {"host", "schema", "port"} or "data_center" in extra
        return  # another host than ours is not asked
    driver = Driver(driver_name, settings)
    before = wes_emulator.counts.get("", 0) + wes_emulator.counts.get("list_coupon_files", 0)
    with contextlib.suppress(WesError):
        driver(lambda operations: operations.list_coupon_files("l"))
    request = wes_emulator.requests[-1]
    assert wes_emulator.counts.get("", 0) + wes_emulator.counts.get("list_coupon_files", 0) == before + 1
    assert request.raw_path == settings.coupon_files_path.format(coupon_list_id="l")
    assert request.headers[settings.workspace_header] == settings.workspace_id
