"""
If the status of a file turns between replies to the same request, Statuses are *not proved*: the
text names the request, the file and how many others, and what came. If a final status is pending
again, a node may be behind (or, after a failure, the service may try the file again). If two words
may say one state, it asks for one language, and guesses what an unknown word means. Else the nodes
may disagree. A status of any reply that no list has is named. Files of a list and of an upload are
alike.

Of an uploaded file, two words in turn come before all else, and a failure of the file is added; a
success that goes back is said as such, with all of its statuses. That the list has another status
than one file's path is not added. The finding rests on all replies that have such a file, if it is
about one.
Without a turn, an unknown status of a later reply alone is named as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    FILE_PATH,
    LIST,
    LIST_PATH,
    NONE_ADDED,
    NOT_PROVED,
    SETTINGS,
    SURE,
    THREE_ADDED,
    SaidOfFiles,
    followed,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import (
    conclude_from_list,
    conclude_from_upload,
)
from wes_provider.doctor.findings.finding import Finding, Topic
from wes_provider.doctor.reads.evidence import Places, file_at, list_at
from wes_provider.doctor.replies.probes import Probe

Records = Sequence[Mapping[str, Any]]
LIST_READ = list_at(SETTINGS, LIST_PATH, LIST)
TWO_OF_LIST = "The service gave two answers to the same request, GET /v1/coupon-list/spring/files: "
AT = "at 00:00:00 UTC."
BEHIND = (
    "One of several nodes may be behind, so a task may read an old status, and wait for longer: run "
    "this again later, or ask the service's support which node is behind."
)
ONE_STATE = (
    "Its counts or its reason stay the same, so these may be two words for one state, as of two "
    "languages: ask the service's support for one language"
)
NAME_BOTH = f"{ONE_STATE}, or name both words in coupon_file_statuses."
CONFIRM = (
    "Confirm this in the service's dashboard before you put the extra below into the connection."
)
APART = (
    "Several nodes may disagree, and a task takes the status that it reads: run this again later, or "
    "ask the service's support which one holds."
)


def lists(*bodies: Records) -> list[Probe]:
    """A reply to the read of the list for each body."""
    return [probe(LIST_READ, body) for body in bodies]


def statuses_in(findings: Sequence[Finding]) -> SaidOfFiles:
    (finding,) = [finding for finding in findings if finding.topic is Topic.STATUSES]
    return SaidOfFiles.of(finding)


class Lists(NamedTuple):
    """What one list after the other has, and what is said of statuses."""

    name: str
    bodies: Sequence[Records]
    said: SaidOfFiles


OK = rec("f1", "SUCCESS", **THREE_ADDED)
FAILED = rec("f2", "FAILED", error="x", **NONE_ADDED)
TURNING = [
    Lists(
        "a success is pending",
        [[OK], [rec("f1", "PENDING", **NONE_ADDED)]],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 is SUCCESS, then PENDING, {AT} {BEHIND}",
        ),
    ),
    Lists(
        "a failure is pending",
        [[FAILED], [rec("f2", "PENDING", **NONE_ADDED)]],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f2 is FAILED, then PENDING, {AT} One of several nodes "
            "may be behind, or the service tries the file again by itself, and a task fails at the "
            "first FAILED: ask the service's support which of the two it is.",
        ),
    ),
    Lists(
        "an unknown word for two states, of two files",
        [
            [OK, FAILED],
            [rec("f1", "FERTIG", **THREE_ADDED), rec("f2", "AUS", error="y", **NONE_ADDED)],
        ],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 (and of 1 other) is SUCCESS, then FERTIG, {AT} "
            f"{NAME_BOTH} AUS may mean failure, as FAILED does; FERTIG may mean success, as SUCCESS "
            f"does. {CONFIRM}",
            {"success": ["FERTIG"], "failure": ["AUS"]},
        ),
    ),
    Lists(
        "a known word",
        [[OK], [rec("f1", "DONE", **THREE_ADDED)]],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 is SUCCESS, then DONE, {AT} {ONE_STATE}. The "
            "provider knows both words, but other states may have a second one, too.",
        ),
    ),
    Lists(
        "an unknown word with other counts",
        [[OK], [rec("f1", "QQQ", **NONE_ADDED)]],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 is SUCCESS, then QQQ, {AT} {APART} Nothing shows "
            "what QQQ means.",
        ),
    ),
    Lists(
        "a known word, and an unknown one of a file that goes on",
        [
            [OK, rec("f3", "PENDING", **NONE_ADDED)],
            [rec("f1", "DONE", **THREE_ADDED), rec("f3", "IMPORTED", **THREE_ADDED)],
        ],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 is SUCCESS, then DONE, {AT} {ONE_STATE}. The "
            "provider knows both words, but other states may have a second one, too. IMPORTED "
            f"seems to mean success (file f3: coupons were added). {CONFIRM}",
            {"success": ["IMPORTED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", TURNING, ids=ids(TURNING))
def test_statuses_of_a_list_that_turn_are_not_proved(row: Lists):
    replies = lists(*row.bodies)
    findings = conclude_from_list(SETTINGS, Places({LIST_PATH: replies[0]}, {}), replies)
    assert statuses_in(findings) == row.said


def test_the_finding_rests_on_all_replies_with_a_status_that_turns_each_once():
    replies = lists([OK], [rec("f1", "PENDING")], [OK])
    findings = conclude_from_list(SETTINGS, Places({LIST_PATH: replies[0]}, {}), replies)
    (finding,) = [finding for finding in findings if finding.topic is Topic.STATUSES]
    assert list(map(id, finding.probes)) == list(map(id, replies))


def test_it_is_not_said_that_one_files_path_has_another_status_if_a_status_turns():
    replies = lists([OK], [rec("f1", "PENDING", **NONE_ADDED)])
    alone = probe(file_at(SETTINGS, FILE_PATH, LIST, "f1"), rec("f1", "DONE", **THREE_ADDED))
    tried = Places({LIST_PATH: replies[0]}, {FILE_PATH: alone}, "f1")
    said = statuses_in(conclude_from_list(SETTINGS, tried, [*replies, alone]))
    assert said.text.endswith(BEHIND)


GOING_ON = [
    Lists(
        "a known status",
        [[rec("f1", "PENDING", **NONE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)], [OK]],
        SaidOfFiles(SURE, "PENDING, SUCCESS in the list, which the provider knows."),
    ),
    Lists(
        "an unknown status of a later reply",
        [
            [rec("f3", "PENDING", **NONE_ADDED), OK],
            [rec("f3", "IMPORTED", **THREE_ADDED), OK],
        ],
        SaidOfFiles(
            NOT_PROVED,
            "IMPORTED seems to mean success (file f3: coupons were added). Confirm this in the "
            "service's dashboard, then put the extra below into the connection.",
            {"success": ["IMPORTED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", GOING_ON, ids=ids(GOING_ON))
def test_statuses_of_files_that_go_on_are_those_of_all_replies(row: Lists):
    replies = lists(*row.bodies)
    findings = conclude_from_list(SETTINGS, Places({LIST_PATH: replies[0]}, {}), replies)
    assert statuses_in(findings) == row.said


TWO_ENDS = ("PENDING", "SUCCESS", "FERTIG")


class Uploaded(NamedTuple):
    """
    What polls have of an uploaded file, one after the other, and what is said of statuses.

    :ivar lists: what reads have of its list; ``before``: the statuses before its last one.
    """

    name: str
    record: Mapping[str, Any]
    polls: Records
    said: SaidOfFiles
    lists: Sequence[Records] = ()
    before: Sequence[str] = ("PENDING",)


FILE_READ = file_at(SETTINGS, FILE_PATH, LIST, "up")
TWO_OF_FILE = (
    "The service gave two answers to the same request, GET /v1/coupon-list/spring/files/up: the "
    "status of file up is "
)
WAITS, DONE = rec("up", "PENDING", **NONE_ADDED), rec("up", "SUCCESS", **THREE_ADDED)
UPLOADED = [
    Uploaded(
        "two words of a file on its way",
        DONE,
        [WAITS, rec("up", "WARTET", **NONE_ADDED), WAITS, DONE],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_FILE}PENDING, then WARTET, then PENDING, {AT} {NAME_BOTH} WARTET may mean "
            f"pending, as PENDING does. {CONFIRM}",
            {"pending": ["WARTET"]},
        ),
    ),
    Uploaded(
        "two words of its end",
        DONE,
        [DONE, rec("up", "FERTIG", **THREE_ADDED), DONE],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_FILE}SUCCESS, then FERTIG, then SUCCESS, {AT} {NAME_BOTH} FERTIG may mean "
            f"success, as SUCCESS does. {CONFIRM}",
            {"success": ["FERTIG"]},
        ),
        before=TWO_ENDS,
    ),
    Uploaded(
        "two words, and a failure",
        rec("up", "FAILED", error="no header"),
        [WAITS, rec("up", "WARTET", **NONE_ADDED), WAITS, rec("up", "FAILED", error="no header")],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_FILE}PENDING, then WARTET, then PENDING, {AT} {NAME_BOTH} WARTET may mean "
            f"pending, as PENDING does. {CONFIRM} The uploaded file failed (no header).",
            {"pending": ["WARTET"]},
        ),
    ),
    Uploaded(
        "a pending word in turn, with other counts",
        DONE,
        [WAITS, rec("up", "RUNNING", **THREE_ADDED), WAITS, DONE],
        SaidOfFiles(NOT_PROVED, f"{TWO_OF_FILE}PENDING, then RUNNING, then PENDING, {AT} {APART}"),
    ),
    Uploaded(
        "two words, after another file of the list that is behind",
        DONE,
        [WAITS, rec("up", "WARTET", **NONE_ADDED), WAITS, DONE],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_FILE.replace('file up', 'file up (and of 1 other)')}PENDING, then WARTET, then "
            f"PENDING, {AT} {NAME_BOTH} WARTET may mean pending, as PENDING does. {CONFIRM}",
            {"pending": ["WARTET"]},
        ),
        lists=[[OK], [rec("f1", "PENDING", **NONE_ADDED)]],
    ),
    Uploaded(
        "a success that goes back",
        DONE,
        [WAITS, DONE, WAITS, DONE],
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → SUCCESS: the status goes back. One of several nodes may "
            "be behind another, or SUCCESS may be the status of a step, too, so that tasks would "
            "end too early. Ask the service's support which of the two it is.",
        ),
        before=("PENDING", "SUCCESS", "PENDING"),
    ),
    Uploaded(
        "another file of the list, by reads",
        DONE,
        [WAITS, DONE],
        SaidOfFiles(
            NOT_PROVED,
            f"{TWO_OF_LIST}the status of file f1 is SUCCESS, then PENDING, {AT} {BEHIND}",
        ),
        lists=[[OK], [rec("f1", "PENDING", **NONE_ADDED)]],
    ),
]


@pytest.mark.parametrize("row", UPLOADED, ids=ids(UPLOADED))
def test_statuses_of_an_upload_that_turn_are_not_proved(row: Uploaded):
    polls = [probe(FILE_READ, record) for record in row.polls]
    came = replace(followed(row.record, row.before), own_reads=polls)
    findings = conclude_from_upload(SETTINGS, came, "a", lists(*row.lists))
    assert statuses_in(findings) == row.said


class RestsOn(NamedTuple):
    """What polls have of an uploaded file, and whether the finding rests on all of them."""

    name: str
    polls: Records
    rests_on_all: bool
    before: Sequence[str] = ("PENDING",)


RESTS_ON = [
    RestsOn("a pending word in turn", [WAITS, rec("up", "RUNNING"), WAITS], True),
    RestsOn(
        "two words of its end", [DONE, rec("up", "FERTIG", **THREE_ADDED), DONE], True, TWO_ENDS
    ),
    RestsOn(
        "a success that goes back", [DONE, WAITS, DONE], False, ("PENDING", "SUCCESS", "PENDING")
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_the_finding_on_an_upload_rests_on_replies_with_a_status_that_turns_if_it_says_so(
    row: RestsOn,
):
    polls = [probe(FILE_READ, record) for record in row.polls]
    came = replace(followed(DONE, row.before), own_reads=polls)
    findings = conclude_from_upload(SETTINGS, came, "a")
    (finding,) = [finding for finding in findings if finding.topic is Topic.STATUSES]
    read = [*map(id, came.reads)]
    if row.rests_on_all:
        read = [*map(id, polls), *read]
    assert list(map(id, finding.probes)) == read
