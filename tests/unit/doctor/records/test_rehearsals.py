"""
A record says that its file was only checked by a member, at any depth, whose value is such a mode
(validate_only, dry run, simulation), or whose name is (dry_run, simulated, preview_only) with a
value that is not false, null or "no"; also with coupons added, and not by the name of the file. The
first such member is quoted.

A record of a file that ended says so, too, by a member that is false or "no" for an effect
(published, live, effective, stored), which comes first; not by another one that is false. The reply
to an upload says so by its headers, its members or a sentence, without secrets; not by the name of
the file or the list, by who uploaded it, or by where it is, nor by an effect that is false, since
the file is not there yet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.doctor.records.rehearsals import not_in_effect_by, rehearsal_by, rehearsal_in
from wes_provider.doctor.replies.files import file_of


class Row(NamedTuple):
    """Members of a record, and the one that says so; empty if none does."""

    name: str
    members: dict[str, Any]
    says: str = ""


ROWS = [
    Row("nothing", {"mode": "full"}),
    Row("a value", {"mode": "validate_only"}, "mode is 'validate_only'"),
    Row("a value in other words", {"run": "Dry run"}, "run is 'Dry run'"),
    Row("a member that is true", {"dry_run": True}, "dry_run is 'True'"),
    Row("a member in camel case", {"dryRun": True}, "dryRun is 'True'"),
    Row("below another member", {"job": {"simulation": "on"}}, "job.simulation is 'on'"),
    Row("a member that is false", {"dry_run": False}),
    Row("a member that is none", {"simulated": None}),
    Row("a member that says no", {"dry_run": "no"}),
    Row("the name of the file", {"name": "dry-run.csv"}),
    Row("coupons added", {"dry_run": True, "added": 3}, "dry_run is 'True'"),
    Row("the first of two", {"preview_only": 1, "dry_run": 1}, "preview_only is '1'"),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_file_is_only_checked_if_a_member_of_its_record_names_such_a_mode_or_is_true(
    row: Row,
) -> None:
    file = file_of({"_id": "f1", "status": "DONE", **row.members})
    assert file is not None
    assert rehearsal_in(file) == row.says


ENDED = [
    Row("nothing", {"published": True}),
    Row("a member that is false", {"published": False}, "published is 'False'"),
    Row("one below another member", {"result": {"isLive": False}}, "result.isLive is 'False'"),
    Row("another member that is false", {"archived": False}),
    Row("a member that says so in a word", {"effective": "no"}),
    Row("a rehearsal", {"mode": "simulation"}, "mode is 'simulation'"),
    Row(
        "both, the member that is false first",
        {"dry_run": True, "stored": False},
        "stored is 'False'",
    ),
]


@pytest.mark.parametrize("row", ENDED, ids=[row.name for row in ENDED])
def test_a_record_says_that_its_file_is_not_in_effect(row: Row) -> None:
    file = file_of({"_id": "f1", "status": "SUCCESS", **row.members})
    assert file is not None
    assert not_in_effect_by(file) == row.says


class Answered(NamedTuple):
    """The headers and the body of a reply to an upload, and what of them says so; or nothing."""

    name: str
    headers: dict[str, str]
    body: dict[str, Any]
    says: str = ""


ANSWERED = [
    Answered("nothing", {"x-mode": "full"}, {"_id": "f1", "status": "PENDING"}),
    Answered("a header's value", {"x-wes-mode": "dry-run"}, {}, "x-wes-mode is 'dry-run'"),
    Answered("a header's name", {"x-dry-run": "true"}, {}, "x-dry-run is 'true'"),
    Answered("a header that says no", {"x-dry-run": "false"}, {}),
    Answered("a member", {}, {"_id": "f1", "dry_run": True}, "dry_run is 'True'"),
    Answered(
        "a sentence",
        {},
        {"message": "Dry run: the file was validated, nothing was stored."},
        "message is 'Dry run: the file was validated, nothing was stored.'",
    ),
    Answered("the name of the file", {}, {"_id": "f1", "name": "dry-run.csv"}),
    Answered("the name of the list", {}, {"_id": "f1", "coupons_list_id": "dry-run"}),
    Answered("who uploaded it", {}, {"_id": "f1", "created_by": "simulation@example.com"}),
    Answered("where it is", {"location": "/v1/coupon-list/dry-run/files/f1"}, {"_id": "f1"}),
    Answered("a file that is not there yet", {}, {"_id": "f1", "imported": False}),
]


@pytest.mark.parametrize("row", ANSWERED, ids=[row.name for row in ANSWERED])
def test_the_reply_to_an_upload_says_that_it_is_a_rehearsal(row: Answered) -> None:
    assert rehearsal_by(reply(201, row.body, row.headers)) == row.says


def test_secrets_are_taken_out_of_what_the_reply_to_an_upload_says() -> None:
    body = {"message": "Dry run for sesame."}
    uploaded = reply(201, body, clean=lambda text: text.replace("sesame", "***"))
    assert rehearsal_by(uploaded) == "message is 'Dry run for ***.'"
