"""
The controls of an emulator over HTTP (``docs/emulator-reference.md``, *Control it over HTTP*), by
which another process sees files, catalogs, segments and requests, sets faults and scripts, moves
the clock, and resets. What makes no sense is refused, and the message begins with the place of what
is wrong. The log of requests as another process sees it has no credentials. No page of another site
reads or controls the emulator: controls, their page and hosted files (not the service itself) take
no name that somebody can register (*Who can reach it*), and a ``GET`` changes nothing.

Whoever cannot know the password of a file, says so: another process, which gets none, and each
process if the body of an upload is no JSON.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.wire import Session
from unit.emulator.conftest import CATALOG, FILES, basic, failure
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.world import Clock

JSON = {"Content-Type": "application/json"}


# -- what happened ---------------------------------------------------------------------------------


def test_the_files_of_a_list_are_seen_with_their_counts_once_they_are_processed(
    controls: EmulatorControl, session: Session
) -> None:
    # Bytes that are no text; and the two seconds that the processing takes by default.
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


def test_a_reset_ends_faults(controls: EmulatorControl, session: Session) -> None:
    controls.fail("*", faults.error(500), times=None)
    controls.reset()
    assert session.get(FILES).status_code == 200


def test_a_reset_ends_scripts(controls: EmulatorControl, session: Session) -> None:
    controls.script(outcome="failure", processing_time=0)
    controls.reset()
    assert session.fetch(session.upload())["status"] == "PENDING"


def test_a_reset_brings_back_the_settings_of_the_start(
    controls: EmulatorControl, session: Session
) -> None:
    controls.configure(list_shape="data")
    assert session.get(FILES).json() != []
    controls.reset()
    assert session.get(FILES).json() == []


def test_a_reset_brings_back_the_speed_of_the_clock(controls: EmulatorControl) -> None:
    controls.configure(speed=0)
    assert controls.clock.speed == 0
    controls.reset()
    assert controls.clock.speed == 1


def test_a_reset_hosts_no_file_any_more(controls: EmulatorControl, session: Session) -> None:
    path = controls.host("c.csv", b"A\n").removeprefix(controls.url)
    assert session.get(path).status_code == 200
    controls.reset()
    assert session.get(path).status_code == 404


NO_RESETS: dict[str, Any] = {
    "an unknown name": {"version": 1, "colour": "red"},
    "too many coupons": {"version": 1, "lists": {"l": {"coupons": 100_000_001}}},
    "a URL that cannot be read": {
        "version": 1,
        "lists": {"l": {"files": [{"file_url": "https://[::1/x"}]}},
    },
}


@pytest.mark.parametrize("seed", NO_RESETS.values(), ids=NO_RESETS)
def test_a_reset_that_is_refused_leaves_files_hosted_files_and_requests(
    controls: EmulatorControl, session: Session, seed: Any
) -> None:
    session.upload()
    path = controls.host("c.csv", b"A\n").removeprefix(controls.url)
    with pytest.raises(ValueError, match=r"colour|coupons|file_url"):
        controls._control("reset", seed=seed)
    assert len(controls.files("list-1")) == 1
    assert len(controls.requests) == 1
    assert session.get(path).status_code == 200


# -- the clock -------------------------------------------------------------------------------------


class Advance(NamedTuple):
    """Seconds by which the clock is not advanced, and what the error says."""

    seconds: float
    problem: str


ADVANCES = {
    "back": Advance(-1, "^advance must be at least 0 "),
    "not a number": Advance(math.nan, "^JSON is malformed"),
    "for ever": Advance(math.inf, "^JSON is malformed"),
    "beyond the year 9999": Advance(3e11, "not lead beyond the year 9999"),
}


@pytest.mark.parametrize("row", ADVANCES.values(), ids=ADVANCES)
def test_an_advance_that_makes_no_sense_is_refused_and_leaves_the_clock(
    controls: EmulatorControl, row: Advance
) -> None:
    controls.clock.speed = 0
    before = controls.clock.now()
    with pytest.raises(ValueError, match=row.problem):
        controls.clock.advance(row.seconds)
    assert controls.clock.now() == before


def test_the_clock_goes_as_fast_as_its_speed(controls: EmulatorControl) -> None:
    before = controls.clock.now()
    controls.clock.speed = 1_000_000
    time.sleep(0.01)
    # Ten thousand seconds, or more on a slow machine.
    assert controls.clock.now() >= before + 9_000


def test_the_clock_stands_at_the_speed_0(controls: EmulatorControl) -> None:
    controls.clock.speed = 1_000_000
    controls.clock.speed = 0
    stopped = controls.clock.now()
    time.sleep(0.01)
    assert controls.clock.now() == stopped


class Speeds(NamedTuple):
    """Speeds of a clock, each for ten of this machine's seconds, and what it shows then."""

    speeds: Sequence[float]
    shown: float


SPEEDS = {
    "faster": Speeds([1, 60], 610),
    "slower": Speeds([60, 1], 610),
    "stopped": Speeds([60, 0], 600),
    "stopped, and going on": Speeds([1, 0, 2], 30),
    "the same again": Speeds([2, 2], 40),
}


@pytest.mark.parametrize("row", SPEEDS.values(), ids=SPEEDS)
def test_another_speed_counts_from_then_on(mocker: Any, row: Speeds) -> None:
    machine = mocker.patch("wes_provider.emulator.world.time")
    machine.monotonic.return_value = 1000.0
    clock = Clock(0.0, row.speeds[0])
    for speed in row.speeds:
        before = clock.now()
        clock.speed = speed
        assert clock.now() == before
        machine.monotonic.return_value += 10
    assert clock.now() == row.shown


# -- secrets, and refusals -------------------------------------------------------------------------


HAVE_A_PASSWORD = {
    "an upload": b'{"file_url": "http://a.example/x", "file_url_auth_password": "s3cret"}',
    "its name is escaped": b'{"file_url": "http://a.example/x", '
    b'"file_url_auth_passwor\\u0064": "s3cret"}',
    "it is given twice": b'{"file_url_auth_password": "s3cret", "file_url_auth_password": ""}',
    "it is within an array": b'[{"file_url_auth_password": "s3cret"}]',
    "it is a number": b'{"file_url_auth_password": 5318008}',
    "UTF-16": '{"file_url_auth_password": "s3cret"}'.encode("utf-16"),
}
ARE_NO_JSON = {
    "half of an object": b'{"file_url_auth_password": "s3cret", oops',
    "half of an object, and an escape": b'{"file_url_auth_passwor\\u0064": "s3cret", oops',
    "half of an object in UTF-16": '{"file_url_auth_password": "s3cret", '.encode("utf-16-le"),
}
HAVE_NO_PASSWORD = {
    "no password": b'{"file_url": "http://a.example/x"}',
    "an empty password": b'{"file_url": "http://a.example/x", "file_url_auth_password": ""}',
    "null": b'{"file_url": "http://a.example/x", "file_url_auth_password": null}',
    "a value that is called so": b'{"file_url": "http://a.example/x", '
    b'"name": "file_url_auth_password"}',
    "no JSON that has none": b'{"name": "a", oops',
}
of_each_password = pytest.mark.parametrize(
    "body",
    [*HAVE_A_PASSWORD.values(), *ARE_NO_JSON.values()],
    ids=[*HAVE_A_PASSWORD, *ARE_NO_JSON],
)


@of_each_password
@pytest.mark.parametrize("path", [FILES, "/nope"], ids=["to a list", "to no operation"])
def test_another_process_says_that_it_cannot_know_a_password(
    controls: EmulatorControl, session: Session, path: str, body: bytes
) -> None:
    session.post(path, data=body, headers=JSON)
    with pytest.raises(AssertionError, match=r"password cannot be looked for, since .* over HTTP"):
        controls.assert_no_secret_in("any text")


@of_each_password
def test_the_log_of_requests_has_no_password(
    controls: EmulatorControl, session: Session, body: bytes
) -> None:
    session.post(FILES, data=body, headers=JSON)
    (upload,) = controls.requests
    logged = upload.body.replace(b"\0", b"")
    assert b"s3cret" not in logged
    assert b"5318008" not in logged


@pytest.mark.parametrize("body", HAVE_NO_PASSWORD.values(), ids=HAVE_NO_PASSWORD)
def test_a_body_without_a_password_is_in_the_log_byte_by_byte(
    controls: EmulatorControl, session: Session, body: bytes
) -> None:
    session.post(FILES, data=body, headers=JSON)
    (upload,) = controls.requests
    assert upload.body == body
    controls.assert_no_secret_in("any text")


@pytest.mark.parametrize("body", HAVE_A_PASSWORD.values(), ids=HAVE_A_PASSWORD)
@pytest.mark.parametrize("path", [FILES, "/nope"], ids=["to a list", "to no operation"])
def test_a_password_is_found_wherever_it_was_sent_to(
    wes_emulator: Emulator, session: Session, path: str, body: bytes
) -> None:
    session.post(path, data=body, headers=JSON)
    text = "login with s3cret or 5318008"
    assert failure(wes_emulator.assert_no_secret_in, text)[1:] == [
        "  line 1: the password of a file"
    ]


@pytest.mark.parametrize("body", ARE_NO_JSON.values(), ids=ARE_NO_JSON)
def test_a_password_that_no_json_may_have_is_not_said_to_be_absent(
    wes_emulator: Emulator, session: Session, body: bytes
) -> None:
    session.post(FILES, data=body, headers=JSON)
    (message,) = failure(wes_emulator.assert_no_secret_in, "any text")
    assert message == (
        "A file's password cannot be looked for: the body of TIME upload_coupon_file to 'list-1': "
        "400 is no JSON."
    )


def test_the_log_of_requests_has_no_credentials(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(file_url_auth_username="u", file_url_auth_password="s3cret")
    (upload,) = controls.requests
    assert upload.headers["Authorization"] == "[redacted]"
    body = json.loads(upload.body)
    assert body["file_url_auth_username"] == "u"
    assert body["file_url_auth_password"] == "[redacted]"


def test_the_log_over_http_has_no_credentials(session: Session) -> None:
    session.upload()
    encoded = basic("emulated-workspace", "emulated-campaign-key").split()[1]
    text = session.get("/_emulator/requests").text
    assert "upload_coupon_file" in text
    assert encoded not in text


class Refused(NamedTuple):
    """An action and its arguments, which are refused, and a part of the message."""

    action: str
    body: bytes
    message: str


REFUSED = {
    "an unknown action": Refused(
        "nonsense", b"{}", "there is no action 'nonsense'; there are callbacks, "
    ),
    "half of a JSON object": Refused("fail", b"{", "truncated"),
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
    "an unknown operation": Refused(
        "fail",
        b'{"operation": "upload", "fault": {}}',
        "operation must be * or one of upload_coupon_file",
    ),
    "a fault that never happens": Refused(
        "fail", b'{"operation": "*", "fault": {}, "times": 0}', "times must be at least 1"
    ),
    "a reason for the failure of a file that succeeds": Refused(
        "script",
        b'{"error": "why"}',
        "error is of a file that fails; the outcome is 'success'",
    ),
    "a processing time and statuses": Refused(
        "script",
        b'{"processing_time": 1, "statuses": [["QUEUED", 1]]}',
        "give processing_time or statuses",
    ),
    "an unknown setting": Refused(
        "configure",
        b'{"colour": 1}',
        "there is no setting colour; there are workspace_id, api_key",
    ),
    "an unknown choice of a setting": Refused(
        "configure",
        b'{"window_policy": "sliding"}',
        "window_policy: Invalid enum value 'sliding'; it is one of fixed",
    ),
    "a negative lag": Refused(
        "configure", b'{"list_lag": -1}', "emulator setting list_lag: Expected `float` >= 0"
    ),
    "limits of an unknown operation": Refused(
        "configure", b'{"limits": {"upload": [[5, 60]]}}', "emulator setting limits"
    ),
    "a path without the file's identifier": Refused(
        "configure",
        b'{"coupon_file_path": "/v1/files"}',
        "emulator setting coupon_file_path",
    ),
    "a path with an identifier in a part of a segment": Refused(
        "configure",
        b'{"coupon_files_path": "/v1/{coupon_list_id}.json"}',
        "emulator setting coupon_files_path",
    ),
    "a setting that only a start takes": Refused(
        "configure", b'{"clock_offset": 2}', "can be set at the start only"
    ),
    "a snapshot without a name": Refused(
        "snapshot", b'{"name": ""}', "must be a string that is not empty"
    ),
    "an unknown snapshot": Refused(
        "restore", b'{"name": "x"}', "there is no snapshot 'x'; there are none"
    ),
    "a request that is not in the log": Refused(
        "request", b'{"number": 7}', "request 7 is not in the log"
    ),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_what_is_wrong(session: Session, row: Refused) -> None:
    response = session.post(f"/_emulator/{row.action}", data=row.body, headers=JSON)
    assert response.status_code == 400
    assert row.message in response.json()["error"]["message"]


CSV, STATE, RESET = "_emulator/hosted/c.csv", "_emulator/state", "_emulator/reset"
CLOCK = "_emulator/clock"


class FromAnotherPage(NamedTuple):
    """A request that a page of another site can have a browser send, and its refusal."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str]
    status: int


ORIGINS = ("https://evil.example", "http://127.0.0.1:1", "null")
# Names that lead to this machine by DNS rebinding, and a header that cannot be parsed.
SOMEBODYS = ("evil.example", "localhost.evil.example", "[::1")
FROM_ANOTHER_PAGE = (
    FromAnotherPage("a link to a reset", "GET", RESET, {}, 405),
    FromAnotherPage("a link that advances the clock", "GET", f"{CLOCK}?advance=60", {}, 405),
    FromAnotherPage("a link that stops the clock", "GET", f"{CLOCK}?speed=0", {}, 405),
    FromAnotherPage("a reset by another method", "PUT", RESET, JSON, 400),
    FromAnotherPage("a form", "POST", RESET, {"Content-Type": "text/plain"}, 400),
    *(
        FromAnotherPage(f"{path} by origin {origin}", "POST", path, {**JSON, "Origin": origin}, 403)
        for path in (RESET, "v1/catalog")
        for origin in ORIGINS
    ),
    *(
        FromAnotherPage(f"the state at {name}", "GET", STATE, {"Host": name}, 403)
        for name in SOMEBODYS
    ),
    *(
        FromAnotherPage(f"{path} at evil.example", "GET", path, {"Host": "evil.example"}, 403)
        for path in ("_emulator/", "_emulator/events", CSV)
    ),
)


@pytest.mark.parametrize("sent", FROM_ANOTHER_PAGE, ids=[row.name for row in FROM_ANOTHER_PAGE])
def test_no_other_web_page_reads_or_controls_it(
    wes_emulator: Emulator, session: Session, sent: FromAnotherPage
) -> None:
    wes_emulator.host("c.csv", b"A\n")
    with session.request(
        sent.method, f"/{sent.path}", data=b"{}", headers=sent.headers, stream=True
    ) as response:
        assert response.status_code == sent.status


NOBODY_CAN_REGISTER = {
    "localhost": "localhost:8099",
    "an address of this machine": "127.0.0.1:1",
    "an IPv6 address": "[::1]:8099",
    "an address of another machine": "198.51.100.7",
    "below localhost": "wes.localhost",
    "below internal": "host.docker.internal:8099",
    "a name without a dot, such as a container's": "emulator:8099",
}


@pytest.mark.parametrize("name", NOBODY_CAN_REGISTER.values(), ids=NOBODY_CAN_REGISTER)
def test_the_state_is_read_at_each_name_that_nobody_can_register(
    session: Session, name: str
) -> None:
    assert session.get(f"/{STATE}", headers={"Host": name}).status_code == 200


def test_the_service_itself_is_reached_at_any_name(session: Session) -> None:
    assert session.get(FILES, headers={"Host": "evil.example"}).status_code == 200


def test_a_link_reads_the_clock(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.clock.speed = 0
    assert session.get(f"/{CLOCK}").json() == {"now": wes_emulator.clock.now(), "speed": 0}


LOADED = {"the page itself": "_emulator/", "the state": STATE, "a hosted file": CSV}


@pytest.fixture
def script_hosted(wes_emulator: Emulator) -> None:
    """A hosted file that would control the emulator if a browser ran it as a page."""
    wes_emulator.host("c.csv", b"<script>fetch('/_emulator/reset')</script>")


@pytest.mark.parametrize("path", LOADED.values(), ids=LOADED)
@pytest.mark.usefixtures("script_hosted")
def test_no_other_page_may_load_what_it_sends(session: Session, path: str) -> None:
    headers = session.get(f"/{path}").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_no_other_page_may_frame_its_page(session: Session) -> None:
    policy = session.get("/_emulator/").headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy


@pytest.mark.usefixtures("script_hosted")
def test_a_hosted_file_runs_no_script(session: Session) -> None:
    assert "sandbox" in session.get(f"/{CSV}").headers["Content-Security-Policy"]


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


def test_requests_of_the_connections_test_button_are_marked(session: Session) -> None:
    """Airflow's form of a connection has this button, which reads what is called so."""
    session.get("/v1/coupon-list/wes-connection-test/files")
    session.get("/v3/custom-segments/wes-connection-test")
    session.get("/nope")
    _, requests = read_events(session)
    assert [request["test"] for request in requests] == [True, True, False]


def test_the_page_gets_the_keys_of_the_emulator(session: Session) -> None:
    session.get(FILES)
    state, _ = read_events(session)
    assert state["connection"]["Campaign API key"] == "emulated-campaign-key"
    assert state["connection"]["Data API key"] == "emulated-data-key"
