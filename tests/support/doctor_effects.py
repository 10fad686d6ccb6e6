"""Accounts, and what the verdict says of them in the words and numbers of the service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from support.doctor_service import (
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
)
from support.servers import Reply


class Case(NamedTuple):
    """
    An account, and what the verdict says of it, in this order.

    :ivar absent: what is in no text of the report.
    :ivar options: of the command.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    absent: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}


def check(case: Case) -> None:
    """The verdict has the parts of a row in their order, and the report nothing that is absent."""
    report = examined_account(case.account(), **case.options)
    check_what_holds_of_each_report(report)
    check_says(report.verdict, case.says)
    texts = " ".join(line.plain.strip() for line in report.lines())
    assert not [part for part in case.absent if part in f"{texts} {report.to_json()}"]


def below(beginning: str, reply: Reply) -> Callable[[], Account]:
    """A service that gives one reply to all paths with a beginning."""
    return lambda: Account(lambda call: reply if call.path.startswith(beginning) else None)


def instead(make: Callable[[Call, Reply], Reply | None]) -> Callable[[], Account]:
    """A service whose replies are made of those of a healthy one."""
    return lambda: Account(lambda call: make(call, Account().reply(call)))


__all__ = ["Case", "below", "check", "instead"]
