"""Each fault as its caller sees it, and what became of the request meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import requests
from multidict import CIMultiDict

from support.wire import Session, raw_exchange
from unit.emulator.conftest import FILES, Caller, right_headers
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault

BODY = b'{"file_url": "http://127.0.0.1:9/csv"}'
HEADERS = {**right_headers(), "Host": "x", "Connection": "close", "Content-Length": len(BODY)}
HEAD = f"POST {FILES} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
UPLOAD = HEAD.encode() + b"\r\n" + BODY
ALL: tuple[Callable[..., Fault], ...] = (
    *(faults.reply_lost, faults.reset, faults.truncated, faults.wrong_content_type),
    lambda effect: faults.error(503, effect=effect),
)


@pytest.mark.parametrize("effect", [True, False], ids=["with the effect", "without the effect"])
@pytest.mark.parametrize("fault", ALL, ids=lambda fault: fault.__name__)
def test_request_is_carried_out_or_not_as_the_fault_says(
    wes_emulator: Emulator, session: Session, fault: Callable[..., Fault], effect: bool
) -> None:
    wes_emulator.fail("upload_coupon_file", fault(effect=effect))
    with suppress(requests.RequestException):
        session.post(FILES, json={"file_url": "http://127.0.0.1:9/x"})
    assert len(wes_emulator.files("list-1")) == int(effect)
    assert [request.accepted for request in wes_emulator.requests] == [effect]
    assert session.upload()["status"] == "PENDING"  # the one after it goes well


def test_a_response_is_lost_by_a_close_or_a_reset_or_is_shorter_than_it_promises(wes_emulator: Emulator) -> None:
    wes_emulator.fail("upload_coupon_file", faults.reply_lost())
    assert raw_exchange(wes_emulator.url, UPLOAD) == b""
    wes_emulator.fail("upload_coupon_file", faults.reset())
    with pytest.raises(ConnectionResetError):
        raw_exchange(wes_emulator.url, UPLOAD)
    assert [request.status for request in wes_emulator.requests] == [None, None]
    wes_emulator.fail("upload_coupon_file", faults.truncated())
    head, _, body = raw_exchange(wes_emulator.url, UPLOAD).partition(b"\r\n\r\n")
    promised = head.lower().partition(b"content-length: ")[2].split()[0]
    assert int(promised) > len(body)
    assert json.loads(body)["status"] == "PENDING"


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        (faults.garbage(), (200, "application/json", b'{"_id": "5f')),
        (faults.empty(status=204), (204, "application/json", b"")),
        (faults.wrong_content_type("text/html", None), (200, "text/html", b"[]")),
        (faults.slow(0.5), (200, "application/json", b"[]")),
    ],
    ids=["garbage", "empty", "wrong content type", "slow"],
)
def test_bodies_and_content_types_can_be_wrong_or_late(
    wes_emulator: Emulator, session: Session, fault: Fault, seen: tuple[int, str, bytes]
) -> None:
    wes_emulator.fail("list_coupon_files", fault)
    before = time.monotonic()
    response = session.get(FILES)
    assert (response.status_code, response.headers["Content-Type"], response.content) == seen
    assert time.monotonic() - before >= fault.delay


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
