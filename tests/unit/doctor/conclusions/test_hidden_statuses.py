"""
A path that replies with the very record of a file, without a status, is right: what is wrong is the
record. The text quotes what says that a status is left out, in the record or a header, and asks for
a role that may see it; or says that nothing says why. An upload is kept back then, and not advised;
but not if the list has a status of other files, so that this one alone has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids, listed, made_up, nowhere
from support.doctor_paths import GIVEN_FILE, given_file
from support.doctor_replies import evidence_of, reply
from support.doctor_service import Account, about, examined_account, record
from wes_provider.doctor.conclusions.hidden_statuses import conclude_on_hidden_status
from wes_provider.doctor.conclusions.kept_back import is_upload_advised, why_not_sent
from wes_provider.doctor.conclusions.path_conclusions import file_path
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.hidden_statuses import says_hidden

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
BARE: dict[str, Any] = {**record("f1"), "status": None}
REDACTED: dict[str, Any] = {**BARE, "file_url": None, "_redacted": ["status", "file_url"]}
WITHOUT = {name: value for name, value in BARE.items() if name != "status"}


class Said(NamedTuple):
    """A record or headers, and what of them says that the status is left out; empty for nothing."""

    name: str
    content: Any
    headers: Mapping[str, str]
    says: str


SAYINGS = [
    Said("nothing", BARE, {}, ""),
    Said("an array", REDACTED, {}, "_redacted: status, file_url"),
    Said("a string", {**BARE, "hidden_fields": "status"}, {}, "hidden_fields: status"),
    Said("under data", {"data": {**BARE, "masked": ["status"]}}, {}, "data.masked: status"),
    Said("beside data", {"data": BARE, "omitted": ["status"]}, {}, "omitted: status"),
    Said("words", {**BARE, "note": "Your role may not see it: status is hidden"}, {}, "note: "),
    Said("a header", BARE, {"x-redacted-fields": "status"}, "x-redacted-fields: status"),
    Said("other fields", {**BARE, "_redacted": ["file_url"]}, {}, ""),
    Said("part of another name", {**BARE, "_redacted": ["statuscode"]}, {}, ""),
    Said("fields that are shown", {**BARE, "fields": ["status"]}, {}, ""),
]


@pytest.mark.parametrize("row", SAYINGS, ids=ids(SAYINGS))
def test_a_reply_says_that_it_leaves_out_the_status(row: Said):
    says = says_hidden(reply(200, row.content, headers=dict(row.headers)))
    assert says.startswith(row.says)
    assert bool(says) is bool(row.says)


class Read(NamedTuple):
    """
    The files of a list, the own record of the first one, and what is said of the records.

    :ivar certainty: of that; ``None`` if nothing is said.
    :ivar is_kept_back: whether an upload is.
    """

    name: str
    files: list[dict[str, Any]]
    alone: Any
    certainty: Certainty | None
    says: str = ""
    is_kept_back: bool = True


READS = [
    Read(
        "a status in both",
        [record("f1")],
        record("f1"),
        None,
        is_kept_back=False,
    ),
    Read(
        "hidden in both",
        [REDACTED],
        REDACTED,
        WRONG,
        "the list has none of any file, so no task can wait for one. The key's role may hide status "
        "(the record says _redacted: status, file_url): ask for a role that may see it",
    ),
    Read("null in both", [BARE], BARE, WRONG, "one. Nothing in it says why it is missing"),
    Read("no such property in both", [WITHOUT], WITHOUT, WRONG, "Nothing in it says why"),
    Read("under data", [BARE], {"data": BARE}, WRONG, "Nothing in it says why"),
    Read(
        "in the list only",
        [record("f1")],
        BARE,
        WRONG,
        "without a status, though the list has it with SUCCESS. Nothing in it says why",
    ),
    Read(
        "one file alone",
        [BARE, record("f2")],
        BARE,
        NOT_PROVED,
        "as the list has it, which has a status of others. Nothing in it says why: ask the service's",
        is_kept_back=False,
    ),
    Read("in its own record only", [BARE], record("f1"), None, is_kept_back=False),
]


@pytest.mark.parametrize("row", READS, ids=ids(READS))
def test_a_record_without_a_status_is_wrong_and_not_its_path(row: Read):
    evidence = evidence_of(
        listed(200, row.files), nowhere(404), given_file(200, row.alone), made_up(401)
    )
    tried = facts.places(evidence)
    found = conclude_on_hidden_status(evidence, tried)
    assert [finding.certainty for finding in found] == [row.certainty] * (row.certainty is not None)
    assert all(finding.topic is Topic.RECORDS and row.says in finding.text for finding in found)
    assert bool(why_not_sent(evidence)) is row.is_kept_back
    assert is_upload_advised(evidence) is not row.is_kept_back
    path = file_path(evidence, tried)
    assert (path.certainty, path.settings) == (Certainty.SURE, {"paths.coupon_file": GIVEN_FILE})


class Whole(NamedTuple):
    """The one file of an account, and why no other one is uploaded."""

    name: str
    file: dict[str, Any]
    why: str


ACCOUNTS = [
    Whole("a role hides it", REDACTED, "no status, which the key's role may hide, so the"),
    Whole("nothing says why", BARE, "no status, and nothing says why, so the provider"),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_upload_goes_to_a_list_whose_statuses_are_hidden(row: Whole):
    account = Account(records=[row.file])
    report = examined_account(account, file_url="https://files.example.com/a.csv")
    assert report.writes == 0
    assert row.why in about(report, Topic.UPLOAD).text
    assert about(report, Topic.FILE_PATH).certainty is Certainty.SURE
    read = [call.path for call in account.calls if call.path.endswith("/f1")]
    assert len(set(read)) == 1
