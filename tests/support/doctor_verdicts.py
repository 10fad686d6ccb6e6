"""Accounts whose replies are odd, and what their verdicts say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from support.doctor_service import (
    LIST,
    Account,
    Call,
    check_says,
    examined_account,
    json_reply,
)
from support.servers import Reply


def everywhere(reply: Reply) -> Callable[[], Account]:
    """What replies the same to everything."""
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


def is_swapped(call: Call) -> bool:
    """Tell whether a request has the key of another operation."""
    return (call.key == "data") is not call.path.startswith("/v3/")


class Case(NamedTuple):
    """
    An account, and what its report says.

    :ivar says: in the verdict, in this order.
    :ivar never: in no row.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


def check(case: Case) -> None:
    """The verdict has the parts of the row in their order, and no finding what it never says."""
    report = examined_account(case.account())
    check_says(report.verdict, case.says)
    rows = " ".join(finding.text for finding in report.findings)
    assert [part for part in case.never if part in rows] == []


__all__ = ["Case", "check", "everywhere", "failing_list", "is_swapped", "refused", "text_reply"]
