"""The controls: the same from this process and, over HTTP, from another."""

from __future__ import annotations

import json
import math

import pytest
import requests

from support.emulator_calls import CATALOG, FILES, basic
from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.control import Controls

JSON = {"Content-Type": "application/json"}


@pytest.fixture(params=["in this process", "over HTTP"])
def controls(request: pytest.FixtureRequest, wes_emulator: Emulator) -> Controls:
    """Either way of control."""
    return wes_emulator if request.param == "in this process" else EmulatorControl(wes_emulator.url + "/")


def test_everything_that_happened_can_be_seen(controls: Controls, session: Session) -> None:
    file = session.upload(controls.host("c.csv", b"A\n\xff\n"))
    session.post("/v1/catalog", json=CATALOG)
    with Session(controls, controls.data_api_key) as data_session:
        data_session.patch("/v3/custom-segments/7", json={"name": "s"})
    session.get("/v1/catalog")
    controls.clock.advance(2)
    assert controls.files("list-1") == [{**file, "status": "SUCCESS", "coupons_added": 2, "coupons_duplicate": 0}]
    assert (controls.files("none"), controls.callbacks) == ([], [])
    assert [catalog["name"] for catalog in controls.catalogs.values()] == ["summer"]
    assert controls.segments["7"]["name"] == "s"
    assert [(request.operation, request.status, request.accepted) for request in controls.requests] == [
        ("upload_coupon_file", 201, True),
        ("create_catalog", 201, True),
        ("update_segment", 200, True),
        ("", 405, False),
    ]
    (upload,) = controls.requests_for("upload_coupon_file")
    assert (upload.method, json.loads(upload.body)) == ("POST", {"file_url": file["file_url"]})
    assert upload.headers["svc-appkey"] == "emulated-workspace"
    assert controls.counts["upload_coupon_file"] == 1


def test_faults_can_be_queued_and_cleared_and_files_scripted(controls: Controls, session: Session) -> None:
    controls.fail("list_coupon_files", faults.error(503, headers={"x-a": "b"}, body=b"\x00\xff"))
    response = session.get(FILES)
    assert (response.status_code, response.headers["x-a"], response.content) == (503, "b", b"\x00\xff")
    controls.fail("list_coupon_files", faults.error(500), times=None, list_id="list-1")
    assert [session.get(FILES).status_code for _ in range(2)] == [500, 500]
    controls.clear_faults()
    assert session.get(FILES).status_code == 200
    controls.script(list_id="list-1", statuses=[("QUEUED", 1.5), ("STUCK", None)])
    controls.script(name="bad", outcome="failure", processing_time=0, error="Wrong columns", fields={"rows": 7})
    controls.clock.speed = 0
    stuck, bad = session.upload(), session.fetch(session.upload(name="bad"))
    assert (bad["status"], bad["error"], bad["rows"]) == ("FAILED", "Wrong columns", 7)
    assert session.fetch(stuck)["status"] == "QUEUED"
    controls.clock.advance(1.5)
    assert session.fetch(stuck)["status"] == "STUCK"


def test_reset_goes_back_to_the_start(controls: Controls, session: Session) -> None:
    session.upload()
    controls.fail("*", faults.error(500), times=None)
    controls.script(outcome="failure")
    controls.configure(list_shape="data", speed=0)
    assert controls.clock.speed == 0
    url = controls.host("c.csv", b"A\n")
    controls.reset()
    assert (controls.requests, controls.counts, controls.files("list-1"), controls.clock.speed) == ([], {}, [], 1)
    assert session.get(FILES).json() == []
    assert requests.get(url, timeout=30).status_code == 404
    assert session.fetch(session.upload())["status"] == "PENDING"


def test_the_clock_goes_neither_back_nor_nowhere_and_changes_speed_without_a_jump(controls: Controls) -> None:
    before = controls.clock.now()
    for seconds in (-1, math.nan, math.inf, 3e11):
        with pytest.raises(ValueError, match=r"advance|malformed"):
            controls.clock.advance(seconds)
    controls.clock.speed = 1_000_000
    while controls.clock.now() < before + 2000:
        pass  # some thousandths of a second
    controls.clock.speed = 0
    assert controls.clock.now() == controls.clock.now() >= before + 2000


# -- over HTTP -----------------------------------------------------------------------------------------------


def test_over_http_nothing_secret_is_shown(wes_emulator: Emulator, session: Session) -> None:
    session.upload(file_url_auth_username="u", file_url_auth_password="s3cret")
    session.post(FILES, data=b'{"file_url_auth_password": "s3cret", oops')
    first, second = EmulatorControl(wes_emulator.url).requests
    assert first.headers["Authorization"] == "[redacted]"
    body = json.loads(first.body)
    assert (body["file_url_auth_username"], body["file_url_auth_password"]) == ("u", "[redacted]")
    assert b"s3cret" not in second.body
    shown = requests.get(f"{wes_emulator.url}/_emulator/requests", timeout=30).text
    assert basic("emulated-workspace", "emulated-campaign-key").split()[1] not in shown


REFUSED: list[tuple[str, bytes, str]] = [
    ("nonsense", b"{}", "there is no action 'nonsense'; there are callbacks, "),
    ("fail", b"{", "truncated"),
    ("fail", b"{}", "fail: Object missing required field `operation`"),
    ("fail", b'{"operation": "*", "fault": {"colour": 1}}', "fault: Object contains unknown field `colour`"),
    ("fail", b'{"operation": "*", "fault": {"headers": {"a": "b\\r\\nc: d"}}}', "fault.headers.0.1: Expected `str`"),
    ("fail", b'{"operation": "upload", "fault": {}}', "operation must be * or one of upload_coupon_file"),
    ("fail", b'{"operation": "*", "fault": {}, "times": 0}', "times must be at least 1"),
    ("clock", b'{"advance": "soon"}', "clock.advance: Expected `float | null`, got `str`"),
    ("script", b'{"error": "why"}', "error is of a file that fails; the outcome is 'success'"),
    ("script", b'{"processing_time": 1, "statuses": [["QUEUED", 1]]}', "give processing_time or statuses"),
    ("configure", b'{"colour": 1}', "there is no setting colour; there are workspace_id, api_key"),
    ("configure", b'{"window_policy": "sliding"}', "window_policy: Invalid enum value 'sliding'; it is one of fixed"),
    ("configure", b'{"list_lag": -1}', "emulator setting list_lag: Expected `float` >= 0"),
    ("configure", b'{"limits": {"upload": [[5, 60]]}}', "emulator setting limits"),
    ("configure", b'{"limits": {"create_catalog": [[5, 0]]}}', "emulator setting limits"),
    ("configure", b'{"coupon_file_path": "/v1/files"}', "emulator setting coupon_file_path"),
    ("configure", b'{"coupon_files_path": "/v1/{coupon_list_id}.json"}', "emulator setting coupon_files_path"),
    ("configure", b'{"clock_offset": 2}', "can be set at the start only"),
    ("snapshot", b'{"name": ""}', "must be a string that is not empty"),
    ("restore", b'{"name": "x"}', "there is no snapshot 'x'; there are none"),
    ("request", b'{"number": 7}', "request 7 is not in the log"),
]


@pytest.mark.parametrize(("action", "body", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_refusal_names_what_is_wrong(wes_emulator: Emulator, action: str, body: bytes, message: str) -> None:
    response = requests.post(f"{wes_emulator.url}/_emulator/{action}", data=body, headers=JSON, timeout=30)
    assert response.status_code == 400
    assert message in response.json()["error"]["message"]


CSV, STATE = "hosted/c.csv", "state"
BROWSERS: list[tuple[str, str, dict[str, str], int]] = [
    ("GET", "reset", {}, 405),
    ("PUT", "reset", JSON, 400),
    ("POST", "reset", {"Content-Type": "text/plain"}, 400),  # which a form can send
    ("POST", "reset", JSON, 200),
    *(("POST", "reset", {**JSON, "Origin": one}, 403) for one in ("https://evil.example", "http://127.0.0.1:1")),
    ("POST", "../v1/catalog", {**JSON, "Origin": "null"}, 403),
    # A name that leads here by DNS rebinding.
    *(("GET", STATE, {"Host": name}, 403) for name in ("evil.example", "localhost.evil.example", "[::1")),
    *(("GET", action, {"Host": "evil.example"}, 403) for action in ("", "events", CSV)),
    *(("GET", STATE, {"Host": name}, 200) for name in ("localhost:8099", "127.0.0.1:1", "[::1]:8099")),
    *(("GET", STATE, {"Host": name}, 200) for name in ("wes.localhost", "host.docker.internal:8099")),
]


@pytest.mark.parametrize(("method", "action", "headers", "status"), BROWSERS)
def test_no_other_web_page_reads_or_controls_it(
    wes_emulator: Emulator, method: str, action: str, headers: dict[str, str], status: int
) -> None:
    wes_emulator.host("c.csv", b"A\n")
    url = f"{wes_emulator.url}/_emulator/{action}".replace("/_emulator/..", "")
    with requests.request(method, url, data=b"{}", headers=headers, timeout=30, stream=True) as response:
        assert response.status_code == status


def test_browsers_are_told_to_keep_pages_apart(wes_emulator: Emulator) -> None:
    wes_emulator.host("c.csv", b"<script>fetch('/_emulator/reset')</script>")
    for action, policy in (("", "frame-ancestors 'none'"), (STATE, ""), (CSV, "sandbox")):
        headers = requests.get(f"{wes_emulator.url}/_emulator/{action}", timeout=30).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert policy in headers.get("Content-Security-Policy", "")


def test_requests_of_the_test_button_are_marked_and_the_made_up_keys_are_shown(
    wes_emulator: Emulator, session: Session
) -> None:
    for path in ("/v1/coupon-list/wes-connection-test/files", "/v3/custom-segments/wes-connection-test", "/nope"):
        session.get(path)
    with requests.get(f"{wes_emulator.url}/_emulator/events", stream=True, timeout=30) as response:
        lines = response.iter_lines()
        state, rows = (json.loads(line[6:]) for line in (next(lines) for _ in range(6)) if line.startswith(b"data: "))
    assert [(row["status"], row["test"]) for row in rows] == [(200, True), (401, True), (404, False)]
    assert state["connection"]["Campaign API key"] == "emulated-campaign-key"
    assert state["connection"]["Data API key"] == "emulated-data-key"
