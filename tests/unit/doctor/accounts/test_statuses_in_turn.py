"""
Accounts whose nodes reply with other statuses of the same files are *Not proved*, about Statuses:
in two languages, with both words as guesses; or since a node is behind, with nothing proposed. It
does not matter whether the list or the path of one file differs, and the header that tells replies
apart is quoted. After an upload, they are not *Ready* either, and the extra has all words of all
replies. A file that ends while the doctor reads leaves an account *Ready*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import from_request, nodes
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined,
    examined_account,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import State

Records = Sequence[Mapping[str, Any]]
GERMAN = {"COMPLETED": "ABGESCHLOSSEN", "FAILED": "FEHLGESCHLAGEN", "PENDING": "WARTET"}
FILES = (record("f1", "COMPLETED"), record("f2", "FAILED", error="no header"))
IN_GERMAN = tuple({**file, "status": GERMAN[file["status"]]} for file in FILES)
BEHIND = (record("f1", "PENDING", coupons_added=0), FILES[1])


def in_language(language: str, records: Records, only: str = "") -> Callable[[Call], Reply | None]:
    """
    A node that names its language.

    :param only: the beginning of the paths that it replies to; those of all files by default.
    """

    def reply(call: Call) -> Reply | None:
        if not call.path.startswith(only):
            return None
        made = Account(records=records).reply(call)
        return replace(made, headers={**made.headers, "Content-Language": language})

    return reply


def without_language(records: Records, only: str = "") -> Callable[[Call], Reply | None]:
    return lambda call: Account(records=records).reply(call) if call.path.startswith(only) else None


ONE_FILE = f"{FILES_PATH}/"
TWO_ANSWERS = "Not proved: Statuses. The service gave two answers to the same request, GET "


class InTurn(NamedTuple):
    """Nodes that reply in turn, what the verdict says, and the statuses that the extra has."""

    name: str
    nodes: Sequence[Callable[[Call], Reply | None]]
    says: Sequence[str]
    extra: Mapping[str, str] = {}


IN_TURN = [
    InTurn(
        "two languages",
        (in_language("en", FILES), in_language("de", IN_GERMAN)),
        (
            f"{TWO_ANSWERS}{FILES_PATH}: the status of file f1 (and of 1 other) is "
            "COMPLETED [Content-Language: en]",
            "then ABGESCHLOSSEN [Content-Language: de]",
            "two words for one state",
            "ask the service's support for one language, or name both words",
            "ABGESCHLOSSEN may mean success, as COMPLETED does; FEHLGESCHLAGEN may mean failure, "
            "as FAILED does. Confirm this",
        ),
        {"success": "ABGESCHLOSSEN", "failure": "FEHLGESCHLAGEN"},
    ),
    InTurn(
        "two languages of one file's path",
        (without_language(FILES), in_language("de", IN_GERMAN, ONE_FILE)),
        (
            f"{TWO_ANSWERS}{FILES_PATH}/f1: the status of file f1 is COMPLETED",
            "then ABGESCHLOSSEN",
            "two words for one state",
        ),
        {"success": "ABGESCHLOSSEN"},
    ),
    InTurn(
        "a node that is behind",
        (without_language(FILES), without_language(BEHIND)),
        (
            f"{TWO_ANSWERS}{FILES_PATH}: the status of file f1 is COMPLETED",
            "then PENDING",
            "One of several nodes may be behind, so a task may read an old status",
            "ask the service's support which node is behind",
        ),
    ),
    InTurn(
        "a node that is behind with one file's path",
        (without_language(FILES), without_language(BEHIND, ONE_FILE)),
        (
            f"{TWO_ANSWERS}{FILES_PATH}/f1: the status of file f1 is COMPLETED",
            "then PENDING",
            "One of several nodes may be behind",
        ),
    ),
]


@pytest.mark.parametrize("row", IN_TURN, ids=ids(IN_TURN))
def test_statuses_of_the_same_files_that_come_in_turn_are_not_proved(row: InTurn):
    report = examined_account(Account(nodes(*row.nodes), records=FILES))
    check_what_holds_of_each_report(report)
    assert report.state is State.NOT_PROVED
    check_says(report.verdict, row.says)
    lists = report.extra.get("coupon_file_statuses", {})
    assert lists.keys() == row.extra.keys()
    for name, status in row.extra.items():
        assert status in lists[name]


def test_a_file_that_ends_while_the_doctor_reads_leaves_an_account_ready():
    at_first = Account(records=[*BEHIND, record("f3", "COMPLETED")])
    later = from_request(4, Account(records=[*FILES, record("f3", "COMPLETED")]).reply)
    report = examined_account(replace(at_first, replies=later))
    assert report.verdict.startswith("Ready, as far as reads show")
    assert about(report, Topic.STATUSES).certainty is Certainty.SURE


def test_an_upload_to_a_service_of_two_languages_does_not_make_it_ready():
    stages = (
        (0, record("up", "PENDING", coupons_added=0)),
        (6, record("up", "COMPLETED", coupons_added=3)),
    )
    uploads = Uploads(stages=stages, others=FILES)
    german = Uploads(
        stages=[(after, {**stage, "status": GERMAN[stage["status"]]}) for after, stage in stages],
        others=IN_GERMAN,
    )

    def take(body: bytes) -> None:
        uploads.take(body)
        german.take(body)

    answer = nodes(uploads.answer, german.answer)
    with replying(Account(answer), take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    check_what_holds_of_each_report(report)
    assert report.state is State.NOT_PROVED
    assert report.verdict.startswith(TWO_ANSWERS)
    statuses = report.extra["coupon_file_statuses"]
    assert "WARTET" in statuses["pending"]
    assert "ABGESCHLOSSEN" in statuses["success"]
    assert "FEHLGESCHLAGEN" in statuses["failure"]
