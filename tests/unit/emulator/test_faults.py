"""
Each fault as its caller sees it, and what became of the request meanwhile: a response in place of
the service's, a connection that breaks, or a delay. ``effect`` says whether the request is
carried out; what is not carried out is no success unless the fault says so. Faults come in the
order in which they were set, each as often as it says, for one operation or list or for all of
them; random ones come at their rate, and alike for the same seed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
import requests
from multidict import CIMultiDict

from support.wire import Session
from unit.emulator.conftest import FILES, Caller
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault

JSON, HTML = "application/json", "text/html"


class Replied(NamedTuple):
    """
    A fault, and the response that its caller sees.

    :ivar body: its beginning; empty if it is empty.
    :ivar accepted: whether the request is carried out.
    """

    fault: Fault
    status: int
    content_type: str
    body: bytes
    accepted: bool = True


INTERNAL_ERROR = b'{"error": {"code": "unexpected-error"'
REPLIED = {
    "garbage": Replied(faults.garbage(), 201, JSON, b'{"_id": "5f'),
    "empty": Replied(faults.empty(status=204), 204, JSON, b""),
    "page": Replied(faults.wrong_content_type(), 201, HTML, b"<html>"),
    "content type": Replied(faults.wrong_content_type(HTML, None), 201, HTML, b'{"_id": '),
    "error": Replied(faults.error(503), 503, JSON, INTERNAL_ERROR, accepted=False),
    "slow": Replied(faults.slow(0.01), 201, JSON, b'{"_id": '),
}


class Broken(NamedTuple):
    """
    A fault without a whole response, and the error that its caller gets.

    :ivar accepted: whether the request is carried out.
    :ivar status: what the log has as the status of the response.
    """

    fault: Fault
    error: str
    status: int | None
    accepted: bool = True


BROKEN = {
    "reply lost": Broken(faults.reply_lost(), "RemoteDisconnected", None),
    "reset": Broken(faults.reset(), "ConnectionResetError", None, accepted=False),
    "truncated": Broken(faults.truncated(), "IncompleteRead", 201),
}
BY_NAME = {
    "reply lost": faults.reply_lost,
    "reset": faults.reset,
    "truncated": faults.truncated,
    "content type": faults.wrong_content_type,
    "error": lambda effect: faults.error(503, effect=effect),
}


@pytest.mark.parametrize("effect", [True, False], ids=["with the effect", "without the effect"])
@pytest.mark.parametrize("fault", BY_NAME.values(), ids=BY_NAME)
def test_request_is_carried_out_or_not_as_the_fault_says(
    fault: Callable[..., Fault], effect: bool
) -> None:
    caller = Caller()
    fail(caller, "upload_coupon_file", fault(effect=effect))
    caller.upload()
    assert len(caller.service.files("list-1")) == int(effect)
    assert [request.accepted for request in caller.service.state.log] == [effect]


@pytest.mark.parametrize("row", REPLIED.values(), ids=REPLIED)
def test_caller_sees_the_response_that_the_fault_has(
    wes_emulator: Emulator, session: Session, row: Replied
) -> None:
    wes_emulator.fail("upload_coupon_file", row.fault)
    response = session.post(FILES, json={"file_url": "http://127.0.0.1:9/x"})
    assert response.status_code == row.status
    assert response.headers["Content-Type"] == row.content_type
    assert response.content.startswith(row.body)
    assert bool(response.content) is bool(row.body)
    (request,) = wes_emulator.requests
    assert (request.accepted, request.status) == (row.accepted, row.status)


# Over TLS, a caller sees each of them as an end.
@pytest.mark.wes(tls=False)
@pytest.mark.parametrize("row", BROKEN.values(), ids=BROKEN)
def test_caller_sees_that_the_connection_broke(
    wes_emulator: Emulator, session: Session, row: Broken
) -> None:
    wes_emulator.fail("upload_coupon_file", row.fault)
    with pytest.raises(requests.RequestException, match=row.error):
        session.post(FILES, json={"file_url": "http://127.0.0.1:9/x"})
    (request,) = wes_emulator.requests
    assert (request.accepted, request.status) == (row.accepted, row.status)


def test_slow_response_comes_after_its_time(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.fail("upload_coupon_file", faults.slow(0.3))
    before = time.monotonic()
    session.post(FILES, json={"file_url": "http://127.0.0.1:9/x"})
    assert time.monotonic() - before >= 0.3


class Undone(NamedTuple):
    """A fault whose request is not carried out, and the response; ``code`` of its error, if any."""

    fault: Fault
    operation: str
    status: int
    code: str = ""


INTERNAL = "unexpected-error"
UNDONE = {
    "a slow catalog": Undone(faults.slow(0, effect=False), "create_catalog", 500, INTERNAL),
    "a slow upload": Undone(faults.slow(0, effect=False), "upload_coupon_file", 500, INTERNAL),
    "a slow segment": Undone(faults.slow(0, effect=False), "update_segment", 500, INTERNAL),
    "a slow read": Undone(faults.slow(0, effect=False), "list_coupon_files", 500, INTERNAL),
    "a truncated catalog": Undone(faults.truncated(effect=False), "create_catalog", 500, INTERNAL),
    "other headers": Undone(Fault(headers=(("x-other", "1"),)), "create_catalog", 500, INTERNAL),
    "the body with another content type": Undone(
        faults.wrong_content_type(HTML, None, effect=False), "create_catalog", 500, INTERNAL
    ),
    "a page instead of a catalog": Undone(
        faults.wrong_content_type(effect=False), "create_catalog", 202
    ),
    "nothing instead of a segment": Undone(faults.empty(effect=False), "update_segment", 204),
    "garbage instead of a file": Undone(faults.garbage(effect=False), "upload_coupon_file", 201),
    "a status of its own": Undone(faults.empty(status=207, effect=False), "create_catalog", 207),
}
SENT: dict[str, Callable[[Caller], Any]] = {
    "create_catalog": Caller.create_catalog,
    "upload_coupon_file": Caller.upload,
    "update_segment": Caller.update_segment,
    "list_coupon_files": Caller.list,
}


@pytest.mark.parametrize("row", UNDONE.values(), ids=UNDONE)
def test_what_is_not_carried_out_is_no_success_unless_the_fault_says_so(row: Undone) -> None:
    caller = Caller(catalog_status=202, segment_status=204)
    fail(caller, row.operation, row.fault)
    reply = SENT[row.operation](caller)
    assert reply.status == row.status
    if row.code:
        assert json.loads(reply.body)["error"]["code"] == row.code
    assert list(caller.service.state.world.holdings()) == []
    (request,) = caller.service.state.log
    assert not request.accepted


class OutOfTurn(NamedTuple):
    """A 429 of a fault, with its three headers and ``Retry-After``."""

    fault: Fault
    headers: list[str]
    retry_after: Sequence[str] = ()


TWICE = [("X-RateLimit-Reset", "nan"), ("x-ratelimit-reset", "-1")]
OUT_OF_TURN = {
    "in a second": OutOfTurn(faults.rate_limited(), ["5", "0", "1699920001"]),
    "a minute ago": OutOfTurn(faults.rate_limited("past"), ["5", "0", "1699919940"]),
    "in 90 seconds": OutOfTurn(faults.rate_limited(reset_in=90), ["5", "0", "1699920090"]),
    "now": OutOfTurn(faults.rate_limited(reset_in=0), ["5", "0", "1699920000"]),
    "90 seconds ago": OutOfTurn(faults.rate_limited(reset_in=-90), ["5", "0", "1699919910"]),
    "missing": OutOfTurn(faults.rate_limited("missing", headers={"retry-after": "7"}), [], ["7"]),
    "absurd": OutOfTurn(faults.rate_limited("absurd"), ["5", "0", "253402300800000"]),
    "given twice": OutOfTurn(faults.rate_limited(headers=TWICE), ["5", "0", "nan", "-1"]),
    "another limit": OutOfTurn(
        faults.rate_limited(headers={"X-RateLimit-Limit": "9"}), ["9", "0", "1699920001"]
    ),
    "more remaining than none": OutOfTurn(
        faults.rate_limited(headers={"x-ratelimit-remaining": "3"}), ["5", "3", "1699920001"]
    ),
}


@pytest.mark.parametrize("row", OUT_OF_TURN.values(), ids=OUT_OF_TURN)
def test_429_out_of_turn_has_any_headers(row: OutOfTurn) -> None:
    caller = Caller()
    fail(caller, "upload_coupon_file", row.fault)
    reply = caller.upload()
    given = CIMultiDict(reply.headers)
    names = [f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset")]
    shown = [value for name in names for value in given.getall(name, [])]
    assert (reply.status, reply.body, shown) == (429, b"", row.headers)
    assert given.getall("Retry-After", []) == list(row.retry_after)
    assert caller.service.files("list-1") == []


class Given(NamedTuple):
    """The body of a fault as JSON has it, and the body of the response."""

    body: Any
    sent: bytes | None


GIVEN = {
    "text": Given("busy", b"busy"),
    "an empty text": Given("", b""),
    "an object": Given({"a": 1}, b'{"a": 1}'),
    "an empty object": Given({}, b"{}"),
    "an empty array": Given([], b"[]"),
    "a number": Given(0, b"0"),
    "false": Given(False, b"false"),
    "null, which is the service's own": Given(None, None),
}


@pytest.mark.parametrize("row", GIVEN.values(), ids=GIVEN)
def test_body_of_a_fault_is_text_or_json(row: Given) -> None:
    assert Fault.from_json({"status": 503, "body": row.body}).body == row.sent


@pytest.mark.parametrize("reset", [0.1, "", "soon", "GOOD", None], ids=repr)
def test_no_word_for_a_reset_is_refused(reset: Any) -> None:
    with pytest.raises(ValueError, match="reset is good, missing, past or absurd, not "):
        faults.rate_limited(reset)


# -- the queue -------------------------------------------------------------------------------------


def statuses(caller: Caller, number: int, send: Callable[[Caller], Any] = Caller.list) -> list[int]:
    return [send(caller).status for _ in range(number)]


def fail(
    caller: Caller, operation: str, fault: Fault, times: int | None = 1, list_id: str | None = None
) -> None:
    caller.service.state.faults.add(operation, fault, times, list_id)


def test_faults_come_in_the_order_of_the_queue() -> None:
    caller = Caller()
    fail(caller, "list_coupon_files", faults.error(500))
    fail(caller, "list_coupon_files", faults.error(503), times=2)
    assert statuses(caller, 4) == [500, 503, 503, 200]


def test_random_faults_begin_again_with_a_seed_that_is_set_again() -> None:
    caller = Caller(seed=7)
    first = [caller.service.state.faults.happens(0.5) for _ in range(50)]
    caller.service.configure(seed=7)
    assert [caller.service.state.faults.happens(0.5) for _ in range(50)] == first


def test_the_request_after_a_fault_goes_well() -> None:
    caller = Caller()
    fail(caller, "list_coupon_files", faults.error(500))
    assert statuses(caller, 2) == [500, 200]


def test_fault_of_one_list_leaves_the_others_alone() -> None:
    caller = Caller()
    fail(caller, "upload_coupon_file", faults.error(500), list_id="list-2")
    sent = [caller.upload(list_id).status for list_id in ("list-1", "list-2", "list-2")]
    assert sent == [201, 500, 201]


def test_fault_of_every_operation_takes_any_request() -> None:
    caller = Caller()
    fail(caller, "*", faults.error(500), times=3)
    assert caller.upload().status == 500
    assert caller.create_catalog().status == 500
    assert caller.update_segment().status == 500
    assert caller.list().status == 200


def test_effect_keeps_to_the_rules() -> None:
    """A request that the service refuses has no effect either if its response is altered."""
    caller = Caller(limits={"upload_coupon_file": [[1, 60]]})
    fail(caller, "upload_coupon_file", faults.error(503, effect=True), times=3)
    assert statuses(caller, 3, Caller.upload) == [503] * 3
    assert [request.accepted for request in caller.service.state.log] == [True, False, False]


def test_random_faults_come_at_their_rate_and_repeat_with_the_seed() -> None:
    def run() -> list[tuple[int | None, bool]]:
        caller = Caller(fault_rate=0.2, seed=7, limits=None)
        statuses(caller, 2000, Caller.upload)
        return [(request.status, request.accepted) for request in caller.service.state.log]

    first = run()
    assert first == run()
    assert set(first) == {(201, True), (503, True), (503, False), (None, True), (None, False)}
    assert 300 < sum(status != 201 for status, _ in first) < 500
