"""
The verdict is the first line of a report. Without a trouble it is *Ready*, "as far as reads show"
unless an upload was accepted, with what replies announce behind. A stopped run says that it was
stopped, whatever was found. Otherwise it is *Not ready* or *Not proved*, as the first trouble is
wrong or not, with its topic and its text, without secrets, of which the middle is left out beyond
700 characters. Only a ready account works.

Then it says to paste the extra below, if that changes a setting of the first trouble, and that a
part is a guess, if it is. Else it names the topics that the extra is for, those of troubles first;
it says nothing of an extra that would change nothing, or that the text names. Then it says to leave
``--catalog`` out of the next run, if a catalog was created (a 200, not a 500), and ``--upload``, if
a file was uploaded and the extra is to be pasted. Last it names the topics of other troubles that are wrong and not settled by the extra.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import SETTINGS, changed, reply
from support.doctor_reports import (
    ADDRESS,
    COUNTS,
    GUESS,
    HEADER,
    LAG,
    LATE,
    NOT_PROVED,
    NOT_SHOWN,
    PASTE,
    READY,
    READY_BY_READS,
    SURE,
    WRONG,
    report_of,
)
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.client import requests
from wes_provider.doctor.findings.finding import Finding, Topic
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.report import State


class Verdict(NamedTuple):
    """Findings, and the first line of the report."""

    name: str
    findings: tuple[Finding, ...]
    state: State
    verdict: str
    stopped: bool = False


def check_verdict(row: Verdict) -> None:
    """The report's first line is that of the row, and only an account that is ready works."""
    report = report_of(*row.findings, stopped=row.stopped)
    assert (report.state, report.verdict) == (row.state, row.verdict)
    assert report.works is (row.state is State.READY)


WITHOUT_TROUBLE = [
    Verdict("no finding", (), State.READY, READY_BY_READS),
    Verdict("an upload that works", (Finding(Topic.UPLOAD, SURE, "ok"),), State.READY, READY),
    Verdict(
        "an upload that was not tried, and a lag that is sure",
        (Finding(Topic.UPLOAD, NOT_SHOWN, "no"), Finding(Topic.LAG, SURE, "ok")),
        State.READY,
        READY_BY_READS,
    ),
    Verdict(
        "two announcements",
        (
            Finding(Topic.NOTICES, SURE, "Ends  soon."),
            Finding(Topic.LAG, SURE, "ok"),
            Finding(Topic.NOTICES, SURE, "New key."),
        ),
        State.READY,
        f"{READY_BY_READS} Ends  soon. New key.",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_TROUBLE, ids=ids(WITHOUT_TROUBLE))
def test_without_a_trouble_the_verdict_is_that_the_account_is_ready(row: Verdict):
    check_verdict(row)


STOPPED = [
    Verdict(
        "without a finding",
        (),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
    Verdict(
        "with a wrong address",
        (ADDRESS,),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
]


@pytest.mark.parametrize("row", STOPPED, ids=ids(STOPPED))
def test_the_verdict_on_a_stopped_run_says_so_whatever_was_found(row: Verdict):
    check_verdict(row)


ONE_TROUBLE = [
    Verdict("a wrong address", (ADDRESS,), State.NOT_READY, "Not ready: Address. Wrong address."),
    Verdict(
        "a lag that is not proved",
        (Finding(Topic.LAG, NOT_PROVED, "Open."),),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open.",
    ),
]


@pytest.mark.parametrize("row", ONE_TROUBLE, ids=ids(ONE_TROUBLE))
def test_the_verdict_is_the_state_the_topic_and_the_text_of_a_trouble(row: Verdict):
    check_verdict(row)


PASTED = [
    Verdict(
        "a setting of the first trouble",
        (LATE,),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Verdict(
        "a setting of the first trouble, and a guess of the second one",
        (LATE, COUNTS),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}{GUESS}",
    ),
]


@pytest.mark.parametrize("row", PASTED, ids=ids(PASTED))
def test_the_verdict_says_to_paste_the_extra_if_it_has_a_setting_of_the_first_trouble(
    row: Verdict,
):
    check_verdict(row)


EXTRA_FOR = [
    Verdict(
        "a guess of the only trouble",
        (COUNTS,),
        State.NOT_PROVED,
        "Not proved: Counts. No count. The extra below is for Counts.",
    ),
    Verdict(
        "a guess of the second trouble",
        (COUNTS, ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Counts.",
    ),
    Verdict(
        "two settings of later troubles, and one of what is sure",
        (
            Finding(Topic.STATUSES, SURE, "ok", settings=LAG),
            COUNTS,
            ADDRESS,
            Finding(Topic.WORKSPACE_HEADER, WRONG, "Header.", settings=HEADER),
        ),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Workspace header, Counts, "
        "Statuses.",
    ),
]


@pytest.mark.parametrize("row", EXTRA_FOR, ids=ids(EXTRA_FOR))
def test_the_verdict_names_the_topics_that_an_extra_without_a_setting_of_the_first_trouble_is_for(
    row: Verdict,
):
    """Those of troubles come first, in their order."""
    check_verdict(row)


def test_the_verdict_adds_nothing_about_an_extra_if_it_would_change_nothing():
    """The connection has an extra already, whose lag is the one that is found."""
    late = Finding(Topic.LAG, WRONG, "Late.", settings=LAG)
    report = report_of(late, settings=changed(coupon_files_lag=5.0), given=LAG)
    assert report.extra == LAG
    assert report.verdict == "Not ready: Lag of the list. Late."


def test_the_verdict_adds_nothing_about_an_extra_that_its_text_names():
    guess = {"coupon_file_counts.added": "n"}
    report = report_of(Finding(Topic.COUNTS, NOT_PROVED, "Try the extra.", guesses=guess))
    assert report.verdict == "Not proved: Counts. Try the extra."


ALSO_WRONG = [
    Verdict(
        "a wrong address, after a cause that is not proved",
        (ADDRESS, Finding(Topic.ACCOUNT, NOT_PROVED, "Locked.", is_cause=True)),
        State.NOT_PROVED,
        "Not proved: Account. Locked. Also wrong, as below: Address.",
    ),
    Verdict(
        "wrong counts, after an open lag",
        (Finding(Topic.COUNTS, WRONG, "Counts."), Finding(Topic.LAG, NOT_PROVED, "Open.")),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open. Also wrong, as below: Counts.",
    ),
    Verdict(
        "a wrong lag with a setting and a wrong segment without one",
        (ADDRESS, LATE, Finding(Topic.SEGMENT, WRONG, "No segment.")),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Lag of the list. "
        "Also wrong, as below: Segment.",
    ),
    Verdict(
        "a second one of the same topic",
        (ADDRESS, Finding(Topic.ADDRESS, WRONG, "Another.")),
        State.NOT_READY,
        "Not ready: Address. Wrong address.",
    ),
    Verdict(
        "none, but limits that are not proved",
        (Finding(Topic.LIMITS, NOT_PROVED, "Quota."), ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address.",
    ),
]


@pytest.mark.parametrize("row", ALSO_WRONG, ids=ids(ALSO_WRONG))
def test_behind_the_first_trouble_the_verdict_names_what_else_is_wrong_and_not_settled_by_the_extra(
    row: Verdict,
):
    check_verdict(row)


WITHOUT_CATALOG = "If you run this again, leave --catalog out: it might create another catalog."
CREATED = reply(
    200, {"id": "c1"}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"})
)
NOT_CREATED = reply(500, {}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"}))


WITHOUT_UPLOAD = (
    "If you run this again, leave --upload out: it might upload the same file once more."
)
WITHOUT_BOTH = (
    "If you run this again, leave --catalog and --upload out: they might create another catalog "
    "and upload the same file once more."
)
UPLOAD = requests.upload(SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv"})
UPLOADED = reply(201, {"_id": "f1"}, request=UPLOAD)
NOT_UPLOADED = reply(400, {}, request=UPLOAD)


class Again(NamedTuple):
    """The reply to a change, a finding, and the verdict."""

    name: str
    probes: Sequence[Probe]
    finding: Finding
    verdict: str


AGAIN = [
    Again(
        "a 200, and an extra to paste",
        (reply(200), CREATED),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE} {WITHOUT_CATALOG}",
    ),
    Again(
        "a 500, and an extra to paste",
        (reply(200), NOT_CREATED),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Again(
        "a 200, and no extra",
        (CREATED,),
        Finding(Topic.LAG, WRONG, "Late."),
        f"Not ready: Lag of the list. Late. {WITHOUT_CATALOG}",
    ),
]


AGAIN_WITHOUT_UPLOAD = [
    Again(
        "a 201, and an extra to paste",
        (UPLOADED,),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE} {WITHOUT_UPLOAD}",
    ),
    Again(
        "a 201 and a catalog, and an extra to paste",
        (UPLOADED, CREATED),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE} {WITHOUT_BOTH}",
    ),
    Again(
        "a 400, and an extra to paste",
        (NOT_UPLOADED,),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Again(
        "a 201, and no extra, as if another file is to be uploaded",
        (UPLOADED,),
        Finding(Topic.LAG, WRONG, "Late."),
        "Not ready: Lag of the list. Late.",
    ),
]


@pytest.mark.parametrize("row", AGAIN_WITHOUT_UPLOAD, ids=ids(AGAIN_WITHOUT_UPLOAD))
def test_the_verdict_says_to_leave_the_option_upload_out_once_a_file_was_uploaded(row: Again):
    assert report_of(row.finding, probes=row.probes).verdict == row.verdict


@pytest.mark.parametrize("row", AGAIN, ids=ids(AGAIN))
def test_the_verdict_says_to_leave_the_option_catalog_out_if_a_catalog_was_created(row: Again):
    assert report_of(row.finding, probes=row.probes).verdict == row.verdict


def test_the_middle_of_a_text_of_more_than_700_characters_is_left_out_after_a_secret_is_masked():
    text = f"key {CAMPAIGN_KEY} " + "word " * 200
    verdict = report_of(Finding(Topic.LAG, WRONG, text)).verdict
    said = verdict.removeprefix("Not ready: Lag of the list. ")
    assert said == "key *** " + "word " * 68 + "… " + "word " * 70


def test_a_text_of_700_characters_is_whole():
    text = "word " * 139 + "words"
    assert len(text) == 700
    assert (
        report_of(Finding(Topic.LAG, WRONG, text)).verdict == f"Not ready: Lag of the list. {text}"
    )
