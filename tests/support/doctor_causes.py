"""Accounts that reply with another cause than a healthy one, and what the verdict says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from support.doctor_service import (
    Account,
    Call,
    check_says,
    examined_account,
    json_reply,
)
from support.servers import Reply

NEW_FILE = "https://files.example.com/new.csv"


def error(status: int, code: str, message: str, **headers: str) -> Reply:
    """An error in the form that the contract shows."""
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def refuses(key: str, code: str, message: str) -> Callable[[], Account]:
    """A service that says why it refuses one of the keys."""
    return lambda: Account(lambda call: error(401, code, message) if call.key == key else None)


def everywhere(reply: Reply) -> Callable[[], Account]:
    """A service, or a gateway before it, that replies so to each request."""
    return lambda: Account(lambda _: reply)


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


class Cause(NamedTuple):
    """
    An account, and what the verdict has, in this order.

    :ivar file_url: of an upload, if there is one.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    file_url: str | None = None


def check(row: Cause) -> None:
    """The verdict has the parts of the row, in their order."""
    report = examined_account(row.account(), file_url=row.file_url)
    check_says(report.verdict, row.says)
