"""
If the files of a list name another list's identifier, that is proposed as the list's name only if a
read by it has the same files; else the files are of another list. If an error is about the list, no
key is blamed, and the verdict says what its words say: the list is of another workspace (name one
of the login's, or use another login), the identifier has to have another form, such as 24 hex
digits (name it so), it is one of several of that name (name the one that is meant, whatever the
status of the error is), or it is not there or not for this key (check both).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    examined_account,
    json_reply,
    record,
)
from support.doctor_verdicts import (
    Case,
    check,
    refused,
)
from support.servers import Reply


def other_name(*, is_read_by_it: bool) -> Callable[[], Account]:
    """A service that takes a name for a list, whose files say its identifier."""
    records = [record("f1", coupons_list_id="cl-7"), record("f2", coupons_list_id="cl-7")]

    def replies(call: Call) -> Reply | None:
        if call.path == FILES_PATH.replace(LIST, "cl-7") and call.key == "campaign":
            return json_reply(200, records if is_read_by_it else [])
        return None

    return lambda: Account(replies, records=records)


OTHER_NAMES = [
    Case(
        "a name of a list whose files say its identifier",
        other_name(is_read_by_it=True),
        (
            "Not proved: Path of the list's files. The service calls the list spring cl-7",
            "the same 2 files",
            "Name cl-7 in tasks, and here",
        ),
    ),
    Case(
        "files of another list that has none by its identifier",
        other_name(is_read_by_it=False),
        ("has 2 files, none of them of the list spring, but of cl-7. Name the list as",),
        ("The service calls the list",),
    ),
]


@pytest.mark.parametrize("case", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_has_the_name_that_its_files_say_only_if_a_read_of_that_has_them(case: Case):
    check(case)


LISTS = [
    Case(
        "a list of another account that the error names",
        lambda: Account(
            lambda call: (
                json_reply(
                    404, {"error": {"code": "no-list", "message": "It is of workspace other-one."}}
                )
                if call.key == "campaign"
                else None
            )
        ),
        ("(login) is workspace: name a list of it, or use a connection with the login and the ",),
        ("It replies otherwise to a path that does not exist",),
    ),
    Case(
        "a list's name in place of its identifier",
        lambda: Account(
            lambda call: (
                json_reply(
                    400,
                    {
                        "error": {
                            "code": "invalid-request",
                            "message": "coupon_list_id must be a 24 character hex identifier",
                        }
                    },
                )
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        ("Path of the list's files", "Name the list with --coupon-list by its identifier"),
        ("Do what it says",),
    ),
    Case(
        "a list that is not there, or not for this key",
        refused("campaign", 404, "List spring does not exist or your key has no access to it."),
        ("Check the identifier spring in the service's dashboard, and whether the Campaign API",),
        ("replies so to a list without files",),
    ),
    Case(
        "an identifier of a list that has to have another form",
        refused("campaign", 400, "coupon_list_id must be 24 hex digits, got 'spring'."),
        ("It is about the list's identifier: name the list as", "in place of spring"),
        ("The Campaign API key may be wrong",),
    ),
]


class Ambiguous(NamedTuple):
    """An error about a list of which there are several, uk.spring and de.spring."""

    name: str
    status: int
    error: dict[str, Any]

    def replies(self, call: Call) -> Reply | None:
        if call.path == FILES_PATH and call.key == "campaign":
            return json_reply(self.status, {"error": {"code": "ambiguous-list", **self.error}})
        return None


ADDRESS_IT = {"message": "List 'spring' is in two brands. Address it as uk.spring or de.spring."}
CANDIDATES = {"message": "Ambiguous list identifier; candidates: uk.spring, de.spring"}
AMBIGUOUS = [
    Ambiguous("409, as uk.spring or de.spring", 409, ADDRESS_IT),
    Ambiguous("409, candidates in words", 409, CANDIDATES),
    Ambiguous("404, candidates in words", 404, CANDIDATES),
    Ambiguous("300, candidates in words", 300, CANDIDATES),
    Ambiguous(
        "400, candidates beside the message",
        400,
        {"message": "The list is ambiguous.", "candidates": ["uk.spring", "de.spring"]},
    ),
]


@pytest.mark.parametrize("row", AMBIGUOUS, ids=ids(AMBIGUOUS))
def test_one_of_several_lists_of_that_name_is_to_be_named(row: Ambiguous):
    verdict = examined_account(Account(row.replies)).verdict
    assert verdict.startswith("Not proved: ")
    assert (
        "It names uk.spring, de.spring: name the one that you mean in --coupon-list, and in your "
        "tasks, and run this again."
    ) in verdict
    assert "support" not in verdict


@pytest.mark.parametrize("case", LISTS, ids=ids(LISTS))
def test_an_error_about_the_list_says_to_check_its_name_or_account_and_blames_no_key(case: Case):
    check(case)
