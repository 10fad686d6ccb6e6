"""
If one request gets answers of two shapes, the verdict is *Not proved: Records* (or *Path of one
file*): it quotes both shapes, with the header that tells their versions apart, and which came
first. Shapes differ if records have other properties, a status of another type, or another name of
the array; of a file that has ended, a property that only one version has is enough.

Shapes do not differ if a file only goes on while the doctor reads: its status changes, or it has
only more or only fewer properties before it has ended; then the account is *Ready*.

A data key that gets 404 with another code later, and a list that gets 404 later, have two answers,
too. If another read with the connection's keys is accepted after the 404, its time is said, and not
that it lasted since then, even if it came to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    error_reply,
    examined_account,
    json_reply,
    record,
)
from support.doctor_verdicts import (
    Case,
    check,
)
from support.servers import Reply


def two_versions(
    after: Callable[[dict[str, Any]], Any],
    *,
    path: str = FILES_PATH,
    is_new: Callable[[int], bool] = lambda number: number % 2 == 0,
    records: Sequence[Mapping[str, Any]] = Account().records,
) -> Callable[[], Account]:
    """
    A service of which a new version sends records, or a list of them, otherwise.

    :param after: makes what it sends of what the old version sends.
    :param path: what the new version has otherwise.
    :param is_new: which of the own reads of that path the new version answers.
    """

    def account() -> Account:
        seen: list[Call] = []

        def replies(call: Call) -> Reply | None:
            if call.path != path or call.key != "campaign":
                return None
            seen.append(call)
            body = {"data": [*records]} if path == FILES_PATH else dict(records[0])
            version = "2" if is_new(len(seen)) else "1"
            return json_reply(200, after(body) if version == "2" else body, X_Version=version)

        return Account(replies, records=records)

    return account


def renamed(content: Any) -> Any:
    """Rename the properties that the provider reads."""
    if isinstance(content, list):
        return [renamed(entry) for entry in content]
    names = {"_id": "fileId", "status": "state"}
    return {names.get(name, name): value for name, value in content.items()}


def each_record(**more: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda body: {"data": [{**entry, **more} for entry in body["data"]]}


ONE_FILE = f"{FILES_PATH}/f1"
TWO_VERSIONS = "Not proved: Records. The service gave two answers to the same request, GET"
OLD = "2 objects under data with _id and status [X-Version: 1]"
NEW = "2 objects under data with fileId and state, which the provider cannot read [X-Version: 2]"


TWO_VERSIONS_OF = [
    Case(
        "records that a new version renames",
        two_versions(lambda body: {"data": renamed(body["data"])}),
        (TWO_VERSIONS, OLD, NEW, "Two versions"),
    ),
    Case(
        "records that only an old version names as usual",
        two_versions(
            lambda body: {"data": renamed(body["data"])}, is_new=lambda number: number < 3
        ),
        (TWO_VERSIONS, f"{NEW} at first", OLD),
    ),
    Case(
        "one file that a new version renames",
        two_versions(renamed, path=ONE_FILE),
        (
            "Not proved: Path of one file. The service gave",
            "an object with _id and status",
            "an object with fileId and state, which the provider cannot read",
        ),
    ),
    Case(
        "statuses that a new version numbers",
        two_versions(each_record(status=3)),
        (
            TWO_VERSIONS,
            "with status as a string",
            "with status as a number, which the provider cannot read",
        ),
    ),
    Case(
        "files that a new version has under another name",
        two_versions(lambda body: {"items": body["data"]}),
        (
            TWO_VERSIONS,
            "2 objects under data [X-Version: 1]",
            "2 objects under items, which the provider cannot read",
        ),
    ),
    Case(
        "a property that only a new version has",
        two_versions(each_record(etag="x")),
        (TWO_VERSIONS, "without etag [X-Version: 1]", "with etag [X-Version: 2]"),
    ),
    Case(
        "a file on its way that has another property in place of its own",
        two_versions(
            lambda body: {"data": [body["data"][0], record("f3", "PENDING", percent=3)]},
            records=[record("f1"), record("f3", "PENDING", eta=3)],
        ),
        (TWO_VERSIONS, "with eta [X-Version: 1]", "with percent [X-Version: 2]"),
    ),
    Case(
        "a data key's 404 with another code since a new version",
        lambda: Account(
            lambda call: (
                error_reply(404, "gone", "No such.")
                if call.path.startswith("/v3/") and call.number > 6 and call.key == "data"
                else None
            )
        ),
        ("Not proved: Data API key. The service gave two", "404 not-found at first, 404 gone"),
    ),
]


@pytest.mark.parametrize("row", TWO_VERSIONS_OF, ids=ids(TWO_VERSIONS_OF))
def test_two_versions_of_a_service_are_told_by_what_their_replies_have(row: Case):
    check(row)


GOING_ON = [
    Case(
        "a file that ends while the doctor reads, which is no other shape",
        two_versions(
            lambda body: {"data": [record("f1", "COMPLETED", took=7), body["data"][1]]},
            is_new=lambda number: number > 1,
            records=[record("f1", "PENDING"), record("f2")],
        ),
        ("Ready, as far as reads show",),
    ),
    Case(
        "a file on its way that gets more properties, which is no other shape",
        two_versions(
            lambda body: {"data": [body["data"][0], record("f3", "PENDING", eta=3)]},
            is_new=lambda number: number > 1,
            records=[record("f1"), record("f3", "PENDING")],
        ),
        ("Ready, as far as reads show",),
    ),
    Case(
        "a file on its way that gets fewer properties, which is no other shape",
        two_versions(
            lambda body: {"data": [body["data"][0], record("f3", "PENDING")]},
            is_new=lambda number: number > 1,
            records=[record("f1"), record("f3", "PENDING", eta=3)],
        ),
        ("Ready, as far as reads show",),
    ),
]


@pytest.mark.parametrize("row", GOING_ON, ids=ids(GOING_ON))
def test_a_file_that_goes_on_while_the_doctor_reads_is_no_second_version(row: Case):
    check(row)


class Missing(NamedTuple):
    """
    What gets 404 from a read of the list on, and how the verdict says when.

    :ivar since: the number of the first read of the list that gets it, of three.
    """

    name: str
    paths: Sequence[str]
    since: int
    says: str


MISSING = [
    Missing("the list once, at last", [FILES_PATH], 3, "404 list-not-found at "),
    Missing("the list twice, to the end", [FILES_PATH], 2, "404 list-not-found at "),
    Missing("the list once, and its file", [FILES_PATH, ONE_FILE], 3, "404 list-not-found since "),
    Missing("the list twice, and its file", [FILES_PATH, ONE_FILE], 2, "404 list-not-found since "),
]


@pytest.mark.parametrize("row", MISSING, ids=ids(MISSING))
def test_a_404_lasts_since_its_time_only_if_no_later_read_is_accepted(row: Missing):
    def replies(call: Call) -> Reply | None:
        lists = [
            sent for sent in account.calls if (sent.path, sent.key) == (FILES_PATH, "campaign")
        ]
        is_missing = call.path in row.paths and len(lists) >= row.since
        return error_reply(404, "list-not-found", "No such list.") if is_missing else None

    account = Account(replies)
    report = examined_account(account)
    assert row.says in report.verdict
