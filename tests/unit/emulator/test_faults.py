"""Each fault as its caller sees it, and what became of the request meanwhile."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import requests
from multidict import CIMultiDict

from support.wire import Session
from unit.emulator.conftest import FILES, Caller
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault

JSON, HTML = "application/json", "text/html"
FAULTS: dict[str, tuple[Callable[..., Fault], bool, Any]] = {  # whether it is carried out by default, and what is seen
    "reply lost": (faults.reply_lost, True, "RemoteDisconnected"),
    "reset": (faults.reset, False, "ConnectionResetError"),
    "truncated": (faults.truncated, True, "IncompleteRead"),
    "garbage": (faults.garbage, True, (201, JSON, b'{"_id": "5f')),
    "empty": (partial(faults.empty, status=204), True, (204, JSON, b"")),
    "page": (faults.wrong_content_type, True, (201, HTML, b"<html>")),
    "content type": (partial(faults.wrong_content_type, HTML, None), True, (201, HTML, b'{"')),
    "error": (partial(faults.error, 503), False, (503, JSON, b'{"error": {"code": "unexpected-error"')),
    "slow": (partial(faults.slow, 0.3), True, (201, JSON, b'{"')),
}


def seen(session: Session) -> Any:
    """What the caller of an upload sees: status, content type and body, or what becomes of the connection."""
    try:
        response = session.post(FILES, json={"file_url": "http://127.0.0.1:9/x"})
    except requests.RequestException as error:
        return re.findall(r"RemoteDisconnected|ConnectionResetError|IncompleteRead", str(error))[0]
    return response.status_code, response.headers["Content-Type"], response.content


@pytest.mark.parametrize("effect", [None, True, False], ids=["default", "with the effect", "without the effect"])
@pytest.mark.parametrize(("fault", "usual", "expected"), FAULTS.values(), ids=FAULTS)
def test_fault_is_seen_and_the_request_carried_out_or_not(
    wes_emulator: Emulator, session: Session, fault: Callable[..., Fault], usual: bool, expected: Any, effect: Any
) -> None:
    made = fault() if effect is None else fault(effect=effect)
    wes_emulator.fail("upload_coupon_file", made)
    before = time.monotonic()
    found = seen(session)
    assert time.monotonic() - before >= made.delay
    carried_out = usual if effect is None else effect
    if isinstance(expected, str):
        assert found == expected
    elif carried_out or made.status:
        assert (*found[:2], found[2][: len(expected[2])]) == expected
    assert [request.accepted for request in wes_emulator.requests] == [carried_out]
    assert [request.status is None for request in wes_emulator.requests] == [made.unanswered]
    assert len(wes_emulator.files("list-1")) == carried_out
    assert session.upload()["status"] == "PENDING"  # the one after it goes well


TWICE = [("X-RateLimit-Reset", "nan"), ("x-ratelimit-reset", "-1")]
REFUSALS: list[tuple[Fault, list[str], list[str]]] = [  # and its three headers, and Retry-After
    (faults.rate_limited(), ["5", "0", "1699920001"], []),
    (faults.rate_limited("past"), ["5", "0", "1699919940"], []),
    (faults.rate_limited(reset_in=90), ["5", "0", "1699920090"], []),
    (faults.rate_limited("missing", headers={"retry-after": "7"}), [], ["7"]),
    (faults.rate_limited("absurd"), ["5", "0", "253402300800000"], []),
    (faults.rate_limited(headers=TWICE), ["5", "0", "nan", "-1"], []),
]


@pytest.mark.parametrize(("fault", "headers", "retry_after"), REFUSALS)
def test_429_out_of_turn_has_any_headers(fault: Fault, headers: list[str], retry_after: list[str]) -> None:
    caller = Caller()
    fail(caller, "upload_coupon_file", fault)
    reply = caller.upload()
    given = CIMultiDict(reply.headers)
    names = [f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset")]
    shown = [value for name in names for value in given.getall(name, [])]
    assert (reply.status, reply.body, shown) == (429, b"", headers)
    assert given.getall("Retry-After", []) == retry_after
    assert caller.service.files("list-1") == []


# -- the queue -----------------------------------------------------------------------------------------


def statuses(caller: Caller, number: int, send: Callable[[Caller], Any] = Caller.list) -> list[int]:
    return [send(caller).status for _ in range(number)]


def fail(caller: Caller, operation: str, fault: Fault, times: int | None = 1, list_id: str | None = None) -> None:
    caller.service.faults.add(operation, fault, times, list_id)


def test_faults_come_in_the_order_of_the_queue_for_one_list_or_for_every_operation() -> None:
    caller = Caller()
    fail(caller, "list_coupon_files", faults.error(500))
    fail(caller, "list_coupon_files", faults.error(503), times=2)
    assert statuses(caller, 4) == [500, 503, 503, 200]
    fail(caller, "upload_coupon_file", faults.error(500), list_id="list-2")
    assert [caller.upload(list_id).status for list_id in ("list-1", "list-2", "list-2")] == [201, 500, 201]
    fail(caller, "*", faults.error(500), times=3)
    assert [caller.upload().status, caller.create_catalog().status, caller.update_segment().status] == [500] * 3
    assert caller.list().status == 200


def test_effect_keeps_to_the_rules() -> None:
    """A request that the service refuses has no effect either if its response is altered."""
    caller = Caller(limits={"upload_coupon_file": [[1, 60]]})
    fail(caller, "upload_coupon_file", faults.error(503, effect=True), times=3)
    assert statuses(caller, 3, Caller.upload) == [503] * 3
    assert [request.accepted for request in caller.service.log] == [True, False, False]


def test_random_faults_come_at_their_rate_and_repeat_with_the_seed() -> None:
    def run() -> list[tuple[int | None, bool]]:
        caller = Caller(fault_rate=0.2, seed=7, limits=None)
        statuses(caller, 2000, Caller.upload)
        return [(request.status, request.accepted) for request in caller.service.log]

    first = run()
    assert first == run()
    assert set(first) == {(201, True), (503, True), (503, False), (None, True), (None, False)}
    assert 300 < sum(status != 201 for status, _ in first) < 500
