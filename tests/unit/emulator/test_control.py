"""
The controls over HTTP, by which another process has what this one has; and assertions, which say
what they found.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.wire import Session
from unit.emulator.conftest import CATALOG, DATA_KEY, FILES, WORKSPACE, basic
from wes_provider.emulator import Emulator, EmulatorControl, faults

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def controls(wes_emulator: Emulator) -> EmulatorControl:
    return EmulatorControl(wes_emulator.url + "/", wes_emulator.ca_file)


# -- what happened ---------------------------------------------------------------------------------


def test_the_files_of_a_list_are_seen_as_the_service_shows_them(
    controls: EmulatorControl, session: Session
) -> None:
    file = session.upload(controls.host("c.csv", b"A\xff1\nA\xff2\n"))
    controls.clock.advance(2)
    processed = {"status": "SUCCESS", "coupons_added": 2, "coupons_duplicate": 0}
    assert controls.files("list-1") == [{**file, **processed}]


def test_a_list_that_nothing_was_uploaded_to_has_no_files(controls: EmulatorControl) -> None:
    assert controls.files("none") == []


def test_catalogs_are_seen(controls: EmulatorControl, session: Session) -> None:
    session.post("/v1/catalog", json=CATALOG)
    assert [catalog["name"] for catalog in controls.catalogs.values()] == ["summer"]


def test_segments_are_seen_by_their_identifier(controls: EmulatorControl) -> None:
    with Session(controls, controls.data_api_key) as session:
        session.patch("/v3/custom-segments/7", json={"name": "s"})
    assert controls.segments["7"]["name"] == "s"


def test_requests_are_seen_in_their_order_also_those_of_no_operation(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload()
    session.post("/v1/catalog", json=CATALOG)
    session.get("/v1/catalog")
    assert [(seen.operation, seen.status, seen.accepted) for seen in controls.requests] == [
        ("upload_coupon_file", 201, True),
        ("create_catalog", 201, True),
        ("", 405, False),
    ]


def test_the_requests_of_one_operation_are_seen_with_headers_and_body(
    controls: EmulatorControl, session: Session
) -> None:
    file = session.upload()
    session.get(FILES)
    (upload,) = controls.requests_for("upload_coupon_file")
    assert upload.method == "POST"
    assert upload.headers["svc-appkey"] == "emulated-workspace"
    assert json.loads(upload.body) == {"file_url": file["file_url"]}


def test_requests_are_counted_by_operation(controls: EmulatorControl, session: Session) -> None:
    session.upload()
    session.upload()
    session.get(FILES)
    assert controls.counts == {"upload_coupon_file": 2, "list_coupon_files": 1}


# -- faults and scripts ----------------------------------------------------------------------------


def test_a_fault_happens_once_if_no_number_is_given(
    controls: EmulatorControl, session: Session
) -> None:
    controls.fail("list_coupon_files", faults.error(503))
    assert [session.get(FILES).status_code for _ in range(2)] == [503, 200]


def test_a_fault_without_end_happens_until_faults_are_cleared(
    controls: EmulatorControl, session: Session
) -> None:
    controls.fail("list_coupon_files", faults.error(500), times=None, list_id="list-1")
    assert [session.get(FILES).status_code for _ in range(3)] == [500, 500, 500]
    controls.clear_faults()
    assert session.get(FILES).status_code == 200


def test_the_headers_and_the_bytes_of_a_fault_are_sent_as_they_are(
    controls: EmulatorControl, session: Session
) -> None:
    headers = [("content-type", "text/plain"), ("X-Two", "a"), ("x-two", "b")]
    controls.fail("list_coupon_files", faults.error(503, headers=headers, body=b"\x00\xff"))
    response = session.get(FILES)
    assert response.content == b"\x00\xff"
    assert response.headers["content-type"] == "text/plain"
    assert response.raw.headers.getlist("x-two") == ["a", "b"]


def test_a_script_is_for_the_files_of_one_list(controls: EmulatorControl, session: Session) -> None:
    controls.script(list_id="list-1", statuses=[("QUEUED", None)])
    assert session.fetch(session.upload())["status"] == "QUEUED"
    assert session.fetch(session.upload(list_id="list-2"))["status"] == "PENDING"


def test_a_script_says_how_and_why_a_file_fails_and_what_its_record_has_besides(
    controls: EmulatorControl, session: Session
) -> None:
    controls.script(
        name="bad", outcome="failure", processing_time=0, error="Wrong columns", fields={"rows": 7}
    )
    bad = session.fetch(session.upload(name="bad"))
    assert (bad["status"], bad["error"], bad["rows"]) == ("FAILED", "Wrong columns", 7)


# -- a reset ---------------------------------------------------------------------------------------


def test_a_reset_forgets_files_requests_and_counts(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload()
    controls.reset()
    assert controls.files("list-1") == []
    assert controls.requests == []
    assert controls.counts == {}


def test_a_reset_ends_faults_and_scripts(controls: EmulatorControl, session: Session) -> None:
    controls.fail("*", faults.error(500), times=None)
    controls.script(outcome="failure")
    controls.reset()
    assert session.fetch(session.upload())["status"] == "PENDING"


def test_a_reset_brings_back_the_settings_and_the_clock_of_the_start(
    controls: EmulatorControl, session: Session
) -> None:
    controls.configure(list_shape="data", speed=0)
    assert controls.clock.speed == 0
    controls.reset()
    assert controls.clock.speed == 1
    assert session.get(FILES).json() == []


def test_a_reset_hosts_no_file_any_more(controls: EmulatorControl, session: Session) -> None:
    url = controls.host("c.csv", b"A\n")
    controls.reset()
    assert session.get(url.removeprefix(controls.url)).status_code == 404


# -- the clock -------------------------------------------------------------------------------------


class Advance(NamedTuple):
    """Seconds that no clock advances by, and what the error says."""

    seconds: float
    problem: str


ADVANCES = {
    "back": Advance(-1, "^advance must be at least 0 "),
    "no number": Advance(math.nan, "^JSON is malformed"),
    "for ever": Advance(math.inf, "^JSON is malformed"),
    "beyond the year 9999": Advance(3e11, "not lead beyond the year 9999"),
}


@pytest.mark.parametrize("row", ADVANCES.values(), ids=ADVANCES)
def test_the_clock_goes_neither_back_nor_nowhere(controls: EmulatorControl, row: Advance) -> None:
    controls.clock.speed = 0
    before = controls.clock.now()
    with pytest.raises(ValueError, match=row.problem):
        controls.clock.advance(row.seconds)
    assert controls.clock.now() == before


def test_the_clock_goes_as_fast_as_its_speed_and_can_stop(controls: EmulatorControl) -> None:
    before = controls.clock.now()
    controls.clock.speed = 1_000_000
    while controls.clock.now() < before + 2000:
        pass  # some thousandths of a second
    controls.clock.speed = 0
    stopped = controls.clock.now()
    assert stopped >= before + 2000
    assert controls.clock.now() == stopped


# -- secrets, and refusals -------------------------------------------------------------------------


def test_the_log_has_no_credentials(controls: EmulatorControl, session: Session) -> None:
    session.upload(file_url_auth_username="u", file_url_auth_password="s3cret")
    (upload,) = controls.requests
    assert upload.headers["Authorization"] == "[redacted]"
    body = json.loads(upload.body)
    assert body["file_url_auth_username"] == "u"
    assert body["file_url_auth_password"] == "[redacted]"


def test_the_log_has_no_password_of_a_body_that_is_no_json(
    controls: EmulatorControl, session: Session
) -> None:
    session.post(FILES, data=b'{"file_url_auth_password": "s3cret", oops')
    (upload,) = controls.requests
    assert b"s3cret" not in upload.body


def test_the_log_over_http_has_no_credentials(session: Session) -> None:
    session.upload()
    encoded = basic("emulated-workspace", "emulated-campaign-key").split()[1]
    assert encoded not in session.get("/_emulator/requests").text


class Refused(NamedTuple):
    """A control that is refused, and what its message says."""

    action: str
    body: bytes
    message: str


REFUSED = {
    "no action": Refused("nonsense", b"{}", "there is no action 'nonsense'; there are callbacks, "),
    "no JSON": Refused("fail", b"{", "truncated"),
    "an argument is missing": Refused(
        "fail", b"{}", "fail: Object missing required field `operation`"
    ),
    "an unknown field of a fault": Refused(
        "fail",
        b'{"operation": "*", "fault": {"colour": 1}}',
        "fault: Object contains unknown field `colour`",
    ),
    "a header of two lines": Refused(
        "fail",
        b'{"operation": "*", "fault": {"headers": {"a": "b\\r\\nc: d"}}}',
        "fault.headers.0.1: Expected `str`",
    ),
    "no operation": Refused(
        "fail",
        b'{"operation": "upload", "fault": {}}',
        "operation must be * or one of upload_coupon_file",
    ),
    "a fault that never happens": Refused(
        "fail", b'{"operation": "*", "fault": {}, "times": 0}', "times must be at least 1"
    ),
    "an error of a success": Refused(
        "script",
        b'{"error": "why"}',
        "error is of a file that fails; the outcome is 'success'",
    ),
    "two times": Refused(
        "script",
        b'{"processing_time": 1, "statuses": [["QUEUED", 1]]}',
        "give processing_time or statuses",
    ),
    "no setting": Refused(
        "configure",
        b'{"colour": 1}',
        "there is no setting colour; there are workspace_id, api_key",
    ),
    "no choice of a setting": Refused(
        "configure",
        b'{"window_policy": "sliding"}',
        "window_policy: Invalid enum value 'sliding'; it is one of fixed",
    ),
    "a negative lag": Refused(
        "configure", b'{"list_lag": -1}', "emulator setting list_lag: Expected `float` >= 0"
    ),
    "limits of no operation": Refused(
        "configure", b'{"limits": {"upload": [[5, 60]]}}', "emulator setting limits"
    ),
    "a path without the file": Refused(
        "configure",
        b'{"coupon_file_path": "/v1/files"}',
        "emulator setting coupon_file_path",
    ),
    "a path with half a segment": Refused(
        "configure",
        b'{"coupon_files_path": "/v1/{coupon_list_id}.json"}',
        "emulator setting coupon_files_path",
    ),
    "a setting of the start": Refused(
        "configure", b'{"clock_offset": 2}', "can be set at the start only"
    ),
    "a snapshot without a name": Refused(
        "snapshot", b'{"name": ""}', "must be a string that is not empty"
    ),
    "no snapshot": Refused("restore", b'{"name": "x"}', "there is no snapshot 'x'; there are none"),
    "no request": Refused("request", b'{"number": 7}', "request 7 is not in the log"),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_what_is_wrong(session: Session, row: Refused) -> None:
    response = session.post(f"/_emulator/{row.action}", data=row.body, headers=JSON)
    assert response.status_code == 400
    assert row.message in response.json()["error"]["message"]


CSV, STATE = "_emulator/hosted/c.csv", "_emulator/state"


class Sent(NamedTuple):
    """What a browser sends for some page, and the status of the response."""

    method: str
    path: str
    headers: Mapping[str, str]
    status: int


RESET = "_emulator/reset"
ORIGINS = ("https://evil.example", "http://127.0.0.1:1")
SOMEBODYS = ("evil.example", "localhost.evil.example", "[::1")
LOOPBACK = ("localhost:8099", "127.0.0.1:1", "[::1]:8099", "wes.localhost")
CONTAINER = "host.docker.internal:8099"
BROWSERS = {
    "a reset as a read": Sent("GET", RESET, {}, 405),
    "a reset by another method": Sent("PUT", RESET, JSON, 400),
    "what a form can send": Sent("POST", RESET, {"Content-Type": "text/plain"}, 400),
    "a request of no origin": Sent("POST", "v1/catalog", {**JSON, "Origin": "null"}, 403),
    **{
        f"a reset of {origin}": Sent("POST", RESET, {**JSON, "Origin": origin}, 403)
        for origin in ORIGINS
    },
    # A name that leads here by DNS rebinding.
    **{f"the state for {name}": Sent("GET", STATE, {"Host": name}, 403) for name in SOMEBODYS},
    **{
        f"{path} for somebody's name": Sent("GET", path, {"Host": "evil.example"}, 403)
        for path in ("_emulator/", "_emulator/events", CSV)
    },
    **{
        f"the state for {name}": Sent("GET", STATE, {"Host": name}, 200)
        for name in (*LOOPBACK, CONTAINER)
    },
}


@pytest.mark.parametrize("sent", BROWSERS.values(), ids=BROWSERS)
def test_no_other_web_page_reads_or_controls_it(
    wes_emulator: Emulator, session: Session, sent: Sent
) -> None:
    wes_emulator.host("c.csv", b"A\n")
    with session.request(
        sent.method, f"/{sent.path}", data=b"{}", headers=sent.headers, stream=True
    ) as response:
        assert response.status_code == sent.status


class Page(NamedTuple):
    """What a browser may load, and a part of the policy that comes with it."""

    path: str
    policy: str


PAGES = {
    "the page itself": Page("_emulator/", "frame-ancestors 'none'"),
    "the state": Page(STATE, ""),
    "a hosted file": Page(CSV, "sandbox"),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_browsers_are_told_to_keep_pages_apart(
    wes_emulator: Emulator, session: Session, page: Page
) -> None:
    wes_emulator.host("c.csv", b"<script>fetch('/_emulator/reset')</script>")
    headers = session.get(f"/{page.path}").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert page.policy in headers.get("Content-Security-Policy", "")


def read_events(session: Session) -> tuple[Any, Any]:
    """The state and the requests that the page gets first."""
    events: list[Any] = []
    with session.get("/_emulator/events", stream=True) as response:
        for line in response.iter_lines():
            if line.startswith(b"data: "):
                events.append(json.loads(line.removeprefix(b"data: ")))
            if len(events) == 2:
                break
    state, requests = events
    return state, requests


def test_requests_of_the_test_button_are_marked(session: Session) -> None:
    session.get("/v1/coupon-list/wes-connection-test/files")
    session.get("/v3/custom-segments/wes-connection-test")
    session.get("/nope")
    _, requests = read_events(session)
    assert [request["test"] for request in requests] == [True, True, False]


def test_the_page_gets_the_made_up_keys(session: Session) -> None:
    session.get(FILES)
    state, _ = read_events(session)
    assert state["connection"]["Campaign API key"] == "emulated-campaign-key"
    assert state["connection"]["Data API key"] == "emulated-data-key"


# -- assertions ------------------------------------------------------------------------------------

URL = "https://files.example.com/spring.csv?X-Signature=s1gned"
SPRING = "/v1/coupon-list/spring/files"


def failure(check: Any, *arguments: Any, **named: Any) -> list[str]:
    """The message of an assertion that fails, by line, without times."""
    with pytest.raises(AssertionError) as raised:
        check(*arguments, **named)
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", str(raised.value)).splitlines()


def test_one_upload_is_found_by_list_url_and_name(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(URL, "found", name="n")
    controls.assert_uploaded_once("found", url=URL, name="n")


def test_two_uploads_are_not_one(controls: EmulatorControl, session: Session) -> None:
    session.upload(URL, "found", name="n")
    session.upload(URL, "found", name="n")
    first = failure(controls.assert_uploaded_once, "found")[0]
    assert first.endswith("there were 2.")


SHOWN_URL = "https://files.example.com/spring.csv"
OF_SPRING = "  TIME upload_coupon_file of 'n' to 'spring'"


@pytest.fixture
def nearest(controls: EmulatorControl, session: Session) -> list[str]:
    """The message about an upload that is missed beside seven others, by line."""
    for i in range(5):
        session.upload(f"https://elsewhere.example.org/{i}", "autumn", name=f"x{i}")
    session.upload(URL.replace("s1gned", "an0ther"), "spring", name="n")
    controls.fail("upload_coupon_file", faults.error(503))
    session.post(SPRING, json={"file_url": URL, "name": "n"})
    return failure(controls.assert_uploaded_once, "spring", url=URL)


def test_a_missed_upload_is_shown_with_the_five_nearest(nearest: list[str]) -> None:
    assert nearest[0].endswith("there were 0.")
    assert len(nearest[1:]) == 5


def test_an_upload_that_is_shown_says_in_what_it_differs(nearest: list[str]) -> None:
    other_query = f"file_url is '{SHOWN_URL}' with another query"
    assert f"{OF_SPRING}: 201, accepted: {other_query}" in nearest
    refused = "503 (status 503 (not carried out)), not accepted: as wanted"
    assert f"{OF_SPRING}: {refused}" in nearest
    assert "list is 'autumn'; file_url is 'https://elsewhere.example.org/" in nearest[2]


def test_uploads_that_are_shown_have_no_queries(nearest: list[str]) -> None:
    words = set(re.findall(r"\w+", "".join(nearest)))
    assert not {"s1gned", "an0ther"} & words


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_refusal_is_beyond_the_limits_and_a_fault_is_not(
    wes_emulator: Emulator, session: Session
) -> None:
    wes_emulator.fail("upload_coupon_file", faults.rate_limited())
    for _ in range(6):
        session.post(SPRING, json={"file_url": URL, "name": "n"})
    wes_emulator.assert_within_limits()
    session.post(SPRING, json={"file_url": URL, "name": "n"})
    assert failure(wes_emulator.assert_within_limits) == [
        "Expected no request beyond the limits; there were 1.",
        "  TIME upload_coupon_file of 'n' to 'spring': 429: refused by the service",
    ]


@pytest.mark.wes(window_offset=0, speed=0, limits=None)
def test_without_limits_those_of_the_contract_count(
    wes_emulator: Emulator, session: Session
) -> None:
    for _ in range(12):
        session.upload(URL, "spring", name="n")
    first, *lines, last = failure(wes_emulator.assert_within_limits)
    assert first == "Expected no request beyond the limits; there were 7."
    assert (len(lines), last) == (5, "  ... and 2 more")
    assert lines[0].endswith("'spring': 201: 5 were accepted in its window, until TIME")


class Secret(NamedTuple):
    """A text with a secret, and what the assertion calls that."""

    text: str
    called: str


SECRETS = {
    "the campaign key": Secret("key=emulated-campaign-key;", "a key of coupons"),
    "the data key": Secret("key=emulated-data-key;", "a key of segments"),
    "credentials": Secret(basic(WORKSPACE, DATA_KEY), "credentials of segments, encoded"),
    "a password": Secret("login with s3cret", "the password of a file"),
    "a query": Secret(f"GET {URL}", "the query of a file_url"),
    "a password in a URL": Secret("postgres://u:p4ss@x", "the password in a file_url"),
}


def upload_with_secrets(session: Session) -> None:
    session.upload(URL.replace("//", "//u:p4ss@"), file_url_auth_password="s3cret")


@pytest.mark.parametrize("row", SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found_and_not_shown(
    wes_emulator: Emulator, session: Session, row: Secret
) -> None:
    upload_with_secrets(session)
    text = f"first\n{row.text}\nemulated-campaign-key"
    message = "".join(failure(wes_emulator.assert_no_secret_in, text))
    assert row.called in message
    for secret in ("campaign-key", "data-key", "s3cret", "s1gned", "p4ss"):
        assert secret not in message


def test_a_url_without_its_query_and_a_workspace_are_no_secrets(
    wes_emulator: Emulator, session: Session
) -> None:
    upload_with_secrets(session)
    wes_emulator.assert_no_secret_in(f"upload of {SHOWN_URL} by emulated-workspace")
