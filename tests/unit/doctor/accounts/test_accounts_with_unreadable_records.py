"""
Accounts whose lists or files are in a form that the provider cannot read: identifiers or statuses
that are no strings, records in another place of the body. The verdict is *Not ready* with what the
record has and where it would have to be; one file alone in place of a list still proves the path,
the status and the counts of one file. Numbers as statuses that only the list has, and bytes that
are no text, leave statuses *Not proved*. An account in another charset, zipped, or with ``success``
beside its data is *Ready*.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    GARBLED,
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    in_charset,
    only_path,
    zipped,
)
from support.doctor_service import (
    FILES_PATH,
    Account,
    about,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report


def one_file_alone() -> Account:
    """An account whose list of one file comes as that file, as converters from XML make it."""
    return Account(records=[record("f1")], list_body=lambda records: {"data": records[0]})


ACCOUNTS = [
    Row(
        "numbers as statuses",
        lambda: Account(records=[record("f1", 7), record("f2", 9)]),
        NOT_READY,
        (Topic.FILE_PATH.value, "It has the file with status 7, but the provider reads a string"),
    ),
    Row(
        "objects as statuses",
        lambda: Account(records=[record("f1", {"code": "DONE"})]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with status {"code":"DONE"}, but the provider reads a string'),
    ),
    Row(
        "null as a status, and a state beside it",
        lambda: Account(records=[record("f1", None, state="DONE")]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with state "DONE", but the provider reads a string under status'),
    ),
    Row(
        "null as a status",
        lambda: Account(records=[record("f1", None)]),
        NOT_READY,
        (Topic.RECORDS.value, "without a status, and the list has none", "Nothing in it says why"),
    ),
    Row(
        "numbers as statuses in the list only",
        lambda: Account(list_body=lambda records: [{**file, "status": 7} for file in records]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Files have status 7 in the list, but a status that the provider"),
        not_sure=(Topic.STATUSES,),
    ),
    Row(
        "records without _id",
        lambda: Account(
            records=[{"id": "a", "status": "DONE"}, {"id": "b", "status": "DONE"}],
            list_body=lambda records: {"data": {"items": records}},
        ),
        NOT_READY,
        (Topic.RECORDS.value, "2 objects under data.items without _id"),
    ),
    Row(
        "a number as _id",
        lambda: Account(records=[{"_id": 7, "status": "DONE"}]),
        NOT_READY,
        (Topic.RECORDS.value, "1 object without a usable _id"),
    ),
    Row(
        "identifiers only",
        lambda: Account(list_body=lambda _: {"data": {"items": ["f1", "f2"]}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "2 strings under data.items, but the provider reads an array"),
    ),
    Row(
        "files by identifier",
        lambda: Account(list_body=lambda records: {file["_id"]: file for file in records}),
        NOT_READY,
        (Topic.LIST_PATH.value, "It has 2 files keyed by their identifiers", "The path is right."),
    ),
    Row(
        "one file alone",
        one_file_alone,
        NOT_READY,
        (Topic.LIST_PATH.value, "It has one file alone under data", "The path is right; a list"),
    ),
    Row(
        "files deep below",
        lambda: Account(list_body=lambda records: {"x": {"files": records}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "the files under x.files, but the provider reads an array"),
    ),
    Row(
        "another charset",
        lambda: Account(in_charset("latin-1")),
        READY,
    ),
    Row("zipped", lambda: Account(zipped), READY),
    Row(
        "records below result",
        lambda: Account(
            lambda call: (
                json_reply(200, {"result": record("f1")}) if call.path.endswith("/f1") else None
            )
        ),
        NOT_READY,
        (Topic.FILE_PATH.value, "its _id has to be at the top or under data, but it is under res"),
    ),
    Row(
        "one file as an array",
        lambda: Account(only_path("/f1", json_reply(200, [record("f1")]))),
        NOT_READY,
        (Topic.FILE_PATH.value, "at the top or under data, but it is in an array"),
    ),
    Row(
        "a number as the identifier of one file",
        lambda: Account(only_path("/f1", json_reply(200, {**record("f1"), "_id": 71}))),
        NOT_READY,
        (Topic.FILE_PATH.value, "but it is 71, which is no string"),
    ),
    Row(
        "success true beside the data",
        lambda: Account(
            list_body=lambda records: {"success": True, "error": None, "data": records}
        ),
        READY,
    ),
    Row(
        "a status in bytes that are no text",
        lambda: Account(
            lambda call: (
                only_path(FILES_PATH, Reply(200, GARBLED))(call)
                if call.path == FILES_PATH
                else None
            )
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "cannot be read: its bytes are not text in the charset"),
        not_sure=(Topic.STATUSES,),
    ),
]


@pytest.fixture(scope="module")
def report_on_one_file() -> Report:
    return examined_account(one_file_alone())


@pytest.mark.parametrize("topic", [Topic.FILE_PATH, Topic.STATUSES, Topic.COUNTS])
def test_one_file_alone_in_place_of_a_list_proves_its_path_status_and_counts(
    report_on_one_file: Report, topic: Topic
):
    assert about(report_on_one_file, topic).certainty is Certainty.SURE


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_says_these_words_in_this_order(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


LEFT_OPEN = [row for row in ACCOUNTS if row.not_sure]


@pytest.mark.parametrize("row", LEFT_OPEN, ids=ids(LEFT_OPEN))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    check_open(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is NOT_PROVED]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_not_proved(row: Row):
    check_not_wrong(row)
