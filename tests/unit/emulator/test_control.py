"""The controls: the same from this process and, over HTTP, from another."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import math
from typing import Any

import pytest
import requests

from support.emulator_calls import Caller
from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.actions import Actions
from wes_provider.emulator.control import Controls
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.settings import Settings


@pytest.fixture(params=["in this process", "over HTTP"])
def controls(request: pytest.FixtureRequest, wes_emulator: Emulator) -> Controls:
    """Either way of control."""
    return wes_emulator if request.param == "in this process" else EmulatorControl(wes_emulator.url + "/")


def test_everything_that_happened_can_be_seen(controls: Controls, session: Session) -> None:
    file = session.upload(controls.host("c.csv", b"A\n\xff\n"))
    session.post("/v1/catalog", json={"name": "c", "price_currency": "EUR", "attributes": []})
    with Session(controls, controls.data_api_key) as data_session:
        data_session.patch("/v3/custom-segments/7", json={"name": "s"})
    session.get("/v1/catalog")
    controls.clock.advance(2)
    assert controls.files("list-1") == [{**file, "status": "SUCCESS", "coupons_added": 2, "coupons_duplicate": 0}]
    assert controls.files("none") == []
    assert [catalog["name"] for catalog in controls.catalogs.values()] == ["c"]
    assert controls.segments["7"]["name"] == "s"
    assert controls.callbacks == []
    seen = [(request.operation, request.method, request.status) for request in controls.requests if request.accepted]
    catalog, segment = ("create_catalog", "POST", 201), ("update_segment", "PATCH", 200)
    assert seen == [("upload_coupon_file", "POST", 201), catalog, segment]
    assert (controls.requests[-1].operation, controls.requests[-1].status) == ("", 405)
    (upload,) = controls.requests_for("upload_coupon_file")
    assert json.loads(upload.body) == {"file_url": file["file_url"]}
    assert upload.headers["svc-appkey"] == "emulated-workspace"
    assert controls.counts["upload_coupon_file"] == 1


def test_faults_can_be_queued_and_cleared_and_files_scripted(controls: Controls, session: Session) -> None:
    def status() -> int:
        return session.get("/v1/coupon-list/list-1/files").status_code

    controls.fail("list_coupon_files", faults.error(503, headers={"x-a": "b"}, body=b"\x00\xff"))
    response = session.get("/v1/coupon-list/list-1/files")
    assert (response.status_code, response.headers["x-a"], response.content) == (503, "b", b"\x00\xff")
    controls.fail("list_coupon_files", faults.error(500), times=None, list_id="list-1")
    assert [status(), status()] == [500, 500]
    controls.clear_faults()
    assert status() == 200
    controls.script(list_id="list-1", statuses=[("QUEUED", 1.5), ("STUCK", None)])
    controls.script(name="bad", outcome="failure", processing_time=0, error="Wrong columns", fields={"rows": 7})
    controls.clock.speed = 0
    stuck, bad = session.upload(), session.upload(name="bad")
    assert (session.fetch(stuck)["status"], session.fetch(bad)["status"]) == ("QUEUED", "FAILED")
    assert (session.fetch(bad)["error"], session.fetch(bad)["rows"]) == ("Wrong columns", 7)
    controls.clock.advance(1.5)
    assert session.fetch(stuck)["status"] == "STUCK"


def test_reset_goes_back_to_the_start(controls: Controls, session: Session) -> None:
    session.upload()
    controls.fail("*", faults.error(500), times=None)
    controls.script(outcome="failure")
    controls.configure(list_shape="data")
    controls.clock.advance(1_000_000)
    controls.clock.speed = 0
    url = controls.host("c.csv", b"A\n")
    controls.reset()
    assert (controls.requests, controls.counts, controls.files("list-1"), controls.clock.speed) == ([], {}, [], 1)
    assert session.get("/v1/coupon-list/list-1/files").json() == []
    assert requests.get(url, timeout=30).status_code == 404
    controls.clock.advance(60)
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
    session.post("/v1/coupon-list/x/files", data=b'{"file_url_auth_password": "s3cret", oops')
    shown = requests.get(f"{wes_emulator.url}/_emulator/requests", timeout=30).text
    credential = base64.b64encode(b"emulated-workspace:emulated-campaign-key").decode()
    assert credential not in shown
    first, second = EmulatorControl(wes_emulator.url).requests
    assert first.headers["Authorization"] == "[redacted]"
    assert json.loads(first.body)["file_url_auth_password"] == "[redacted]"
    assert json.loads(first.body)["file_url_auth_username"] == "u"
    assert b"s3cret" not in second.body


REFUSED: list[tuple[str, bytes, str]] = [
    ("nonsense", b"{}", "there is no action 'nonsense'; there are callbacks, "),
    ("fail", b"{", "truncated"),
    ("fail", b"[]", "Expected `object`, got `array`"),
    ("fail", b"{}", "fail: Object missing required field `operation`"),
    ("fail", b'{"operation": "*", "fault": {"colour": 1}}', "fault: Object contains unknown field `colour`"),
    ("fail", b'{"operation": "*", "fault": {"headers": {"a": "b\\r\\nc: d"}}}', "fault.headers.0.1: Expected `str`"),
    ("fail", b'{"operation": "upload", "fault": {}}', "operation must be * or one of upload_coupon_file"),
    ("fail", b'{"operation": "*", "fault": {}, "times": 0}', "times must be at least 1"),
    ("clock", b'{"advance": "soon"}', "clock.advance: Expected `float | null`, got `str`"),
    ("health", b'{"loud": true}', "health: Object contains unknown field `loud`"),
    ("script", b'{"statuses": [["QUEUED"]]}', "script.statuses.0: Expected `array` of length 2"),
    ("script", b'{"error": "why"}', "error is of a file that fails; the outcome is 'success'"),
    ("script", b'{"processing_time": 1, "statuses": [["QUEUED", 1]]}', "give processing_time or statuses"),
    ("configure", b'{"colour": 1}', "there is no setting colour; there are workspace_id, api_key"),
    ("configure", b'{"window_policy": "sliding"}', "window_policy: Invalid enum value 'sliding'; it is one of fixed"),
    ("configure", b'{"clock_offset": 2}', "can be set at the start only"),
    ("snapshot", b'{"name": ""}', "must be a string that is not empty"),
    ("restore", b'{"name": "x"}', "there is no snapshot 'x'; there are none"),
    ("request", b'{"number": 7}', "request 7 is not in the log"),
]


@pytest.mark.parametrize(("action", "body", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_refusal_names_what_is_wrong(wes_emulator: Emulator, action: str, body: bytes, message: str) -> None:
    headers = {"Content-Type": "application/json"}
    response = requests.post(f"{wes_emulator.url}/_emulator/{action}", data=body, headers=headers, timeout=30)
    assert response.status_code == 400
    assert message in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "content_type", "status"),
    [
        ("GET", "", 405),
        ("PUT", "application/json", 400),
        ("POST", "text/plain", 400),
        ("POST", "application/json", 200),
    ],
)
def test_what_changes_something_takes_a_post_of_json(
    wes_emulator: Emulator, method: str, content_type: str, status: int
) -> None:
    url = f"{wes_emulator.url}/_emulator/reset"
    response = requests.request(method, url, data=b"{}", headers={"Content-Type": content_type}, timeout=30)
    assert response.status_code == status


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null"])
def test_a_page_of_another_address_is_refused(wes_emulator: Emulator, origin: str) -> None:
    for path in ("/_emulator/reset", "/v1/catalog"):
        response = requests.post(f"{wes_emulator.url}{path}", json={}, headers={"Origin": origin}, timeout=30)
        assert (response.status_code, "other web pages" in response.text) == (403, True)


ANOTHER = ("evil.example", "localhost.evil.example", "[::1")
OWN = ("localhost:8099", "127.0.0.1:1", "[::1]:8099", "wes.localhost", "host.docker.internal:8099")


@pytest.mark.parametrize(("name", "status"), [*((one, 403) for one in ANOTHER), *((one, 200) for one in OWN)])
def test_a_name_that_leads_here_by_dns_rebinding_is_refused(wes_emulator: Emulator, name: str, status: int) -> None:
    wes_emulator.host("c.csv", b"A\n")
    for action in ("", "events", "settings", "hosted/c.csv"):
        url = f"{wes_emulator.url}/_emulator/{action}"
        with requests.get(url, headers={"Host": name}, timeout=30, stream=True) as response:
            assert response.status_code == status


def test_browsers_are_told_to_keep_pages_apart(wes_emulator: Emulator) -> None:
    wes_emulator.host("page.html", b"<script>fetch('/_emulator/reset')</script>")
    for action, policy in (("", "frame-ancestors 'none'"), ("state", ""), ("hosted/page.html", "sandbox")):
        headers = requests.get(f"{wes_emulator.url}/_emulator/{action}", timeout=30).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert policy in headers.get("Content-Security-Policy", "")


ODD: list[Any] = [
    *(None, True, -1, 1.5, 1e18, 10**400, float("nan")),
    *("", "\r\nX: y", "\ud800", "{0.a}{b}", [[1, 2]], {"a": 1}),
]
USUAL: dict[str, dict[str, Any]] = {
    "files": {"list_id": "l"},
    "stock": {"list_id": "l"},
    "fail": {"operation": "*", "fault": {"status": 503}},
    "issue_coupons": {"list_id": "l", "number": 1},
    "host": {"name": "c"},
}
SCRIPT = ("list_id", "name", "url", "processing_time", "outcome", "statuses", "error", "fields")
NAMES = {"script": SCRIPT, "configure": (*Settings.__dataclass_fields__, "nonsense")}
ACTIONS = ("requests", "request", "catalogs", "reset", "snapshot", "restore", "clock", "script", "configure", *USUAL)


@pytest.mark.parametrize("action", ACTIONS)
def test_odd_arguments_are_refused_or_do_no_harm(action: str) -> None:
    """Whatever is taken, the service and its controls go on, and nothing of it is a defect."""
    usual = USUAL.get(action, {})
    known = Actions(Caller().service, Hosting(), None, "", None).known  # type: ignore[arg-type]
    names = NAMES.get(action) or tuple(inspect.signature(known[action]).parameters)

    async def send(name: str, odd: Any) -> None:
        caller = Caller()
        actions = Actions(caller.service, Hosting(), Processor(caller.service), "http://127.0.0.1:1", None)
        try:
            await actions.requested("POST", action, "application/json", json.dumps({**usual, name: odd}).encode())
        except (ValueError, RecursionError):
            return
        if action != "fail":
            assert caller.upload().status < 500, (name, odd)
            assert caller.list().status < 500, (name, odd)
        for reading in ("state", "settings", "health", "openapi", "requests"):
            json.dumps(await actions.requested("GET", reading, "", b""))

    async def send_all() -> None:
        for name in names:
            for odd in ODD:
                await send(name, odd)

    asyncio.run(send_all())


def test_requests_of_the_test_button_are_marked_and_the_made_up_keys_are_shown(
    wes_emulator: Emulator, session: Session
) -> None:
    session.get("/v1/coupon-list/wes-connection-test/files")
    session.get("/v3/custom-segments/wes-connection-test")
    session.get("/nope")
    with requests.get(f"{wes_emulator.url}/_emulator/events", stream=True, timeout=30) as response:
        lines = response.iter_lines()
        data = [json.loads(line[6:]) for line in (next(lines) for _ in range(6)) if line.startswith(b"data: ")]
    state, rows = data
    assert [(row["status"], row["test"]) for row in rows] == [(200, True), (401, True), (404, False)]
    assert state["connection"]["Campaign API key"] == "emulated-campaign-key"
    assert state["connection"]["Data API key"] == "emulated-data-key"
