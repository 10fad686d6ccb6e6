"""Accounts whose replies are odd, and what their verdicts say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from support.doctor_service import (
    LIST,
    Account,
    Call,
    check_says,
    error_reply,
    examined_account,
    json_reply,
)
from support.servers import Reply

NEW_FILE = "https://files.example.com/new.csv"


def everywhere(reply: Reply) -> Callable[[], Account]:
    """A service, or a gateway before it, that replies so to each request."""
    return lambda: Account(lambda _: reply)


def text_reply(status: int, text: str, media: str = "text/plain", **headers: str) -> Reply:
    return Reply(status, text.encode(), {"Content-Type": media, **headers})


def failing_list(
    status: int, words: str = "Endpoint request timed out", *, of_all_lists: bool = False
) -> Callable[[], Account]:
    """A service whose lists fail, or one of them, with words that tell why."""

    def replies(call: Call) -> Reply | None:
        is_of_files = call.path.endswith("/files") and call.key == "campaign"
        if is_of_files and (of_all_lists or LIST in call.path):
            return json_reply(status, {"message": words})
        return None

    return lambda: Account(replies)


def refused(key: str, status: int, message: str) -> Callable[[], Account]:
    """A service that refuses one of the keys."""
    reply = json_reply(status, {"error": {"code": "refused", "message": message}})
    return lambda: Account(lambda call: reply if call.key == key else None)


def refuses(key: str, code: str, message: str) -> Callable[[], Account]:
    """A service that says why it refuses one of the keys."""
    return lambda: Account(
        lambda call: error_reply(401, code, message) if call.key == key else None
    )


def lists_get(reply: Reply) -> Callable[[], Account]:
    """A service with another reply to reads of lists with the campaign key."""

    def replies(call: Call) -> Reply | None:
        is_list = call.key == "campaign" and "/coupon-list/" in call.path
        return reply if is_list and call.method == "GET" else None

    return lambda: Account(replies)


def announcing(**headers: str) -> Callable[[], Account]:
    """A healthy account whose replies to the campaign key have further headers."""

    def replies(call: Call) -> Reply | None:
        reply = Account().reply(call)
        if call.key != "campaign":
            return None
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(reply, headers={**reply.headers, **named})

    return lambda: Account(replies)


def is_swapped(call: Call) -> bool:
    """Tell whether a request has the key of another operation."""
    return (call.key == "data") is not call.path.startswith("/v3/")


class Case(NamedTuple):
    """
    An account, and what its report says.

    :ivar says: in the verdict, in this order.
    :ivar never: in no row.
    :ivar file_url: of an upload, if there is one.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    file_url: str | None = None


def check(case: Case) -> None:
    """The verdict has the parts of the row in their order, and no finding what it never says."""
    report = examined_account(case.account(), file_url=case.file_url)
    check_says(report.verdict, case.says)
    rows = " ".join(finding.text for finding in report.findings)
    assert [part for part in case.never if part in rows] == []


__all__ = [
    "NEW_FILE",
    "Case",
    "announcing",
    "check",
    "everywhere",
    "failing_list",
    "is_swapped",
    "lists_get",
    "refused",
    "refuses",
    "text_reply",
]
