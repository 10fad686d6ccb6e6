"""
A 404 whose words name the list, or the file, in another spelling than the request had. If they have the
same letters and digits (at least four) in other capitals or between other characters, or, in quotes, the
first eight characters or more, the report names both spellings, and leaves the cause to whoever runs what
is between. Otherwise nothing is said of it: of a 403, of the identifier as it was sent, of other words.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.echoes import about_echo

SENT = "Summer2026-VIP"


class Named(NamedTuple):
    """The words of a reply to a request with ``Summer2026-VIP``, and what they name in its place."""

    name: str
    words: str
    named: str = ""


OTHERWISE = [
    Named("small letters", "Coupon list 'summer2026-vip' does not exist", "summer2026-vip"),
    Named("another character between", "No list summer2026_VIP", "summer2026_VIP"),
    Named("without a character between", 'List "Summer2026VIP" not found', "Summer2026VIP"),
    Named("escaped", "no such list: Summer2026%2DVIP", "Summer2026%2DVIP"),
    Named("at the end of a sentence", "There is no summer2026-vip.", "summer2026-vip"),
    Named("its first 8 characters, in quotes", "No list 'Summer20'", "Summer20"),
]
NOT_OTHERWISE = [
    Named("as it was sent", "Coupon list 'Summer2026-VIP' does not exist (summer2026-vip)"),
    Named("another list", "No list 'winter2026-vip'"),
    Named("its first 8 characters, without quotes", "No list Summer20"),
    Named("its first 7 characters, in quotes", "No list 'Summer2'"),
    Named("nothing", ""),
]


@pytest.mark.parametrize("row", OTHERWISE, ids=ids(OTHERWISE))
def test_another_spelling_is_named_beside_the_one_that_was_sent(row: Named):
    says = about_echo(row.words, SENT)
    assert says.startswith(f"It names {row.named}, but {SENT} was sent: ")


@pytest.mark.parametrize("row", NOT_OTHERWISE, ids=ids(NOT_OTHERWISE))
def test_nothing_is_said_without_another_spelling(row: Named):
    assert about_echo(row.words, SENT) == ""


@pytest.mark.parametrize("sent", ["A-B1", "AB-1"], ids=["A-B1", "AB-1"])
def test_identifiers_of_three_letters_and_digits_are_too_short_to_tell(sent: str):
    assert about_echo("No list ab1", sent) == ""


def test_identifiers_of_four_letters_and_digits_are_compared():
    assert about_echo("No list abc1", "ABC-1").startswith("It names abc1, but ABC-1 was sent: ")


def refusing(path: str, status: int, message: str) -> Account:
    """An account that replies so to one path with the own key."""
    refusal = json_reply(status, {"error": {"code": "not-found", "message": message}})

    def nasty(call: Call) -> Reply | None:
        return refusal if call.path == path and call.key == "campaign" else None

    return Account(nasty, records=[record("F-0001")])


def test_a_404_of_the_list_in_another_spelling_names_both():
    report = examined_account(refusing(FILES_PATH, 404, "There is no list SPRING"))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert "'There is no list SPRING'. It names SPRING, but spring was sent: " in finding.text


def test_a_403_of_the_list_in_another_spelling_does_not_name_both():
    report = examined_account(refusing(FILES_PATH, 403, "SPRING is closed"))
    assert "It names SPRING" not in about(report, Topic.LIST_PATH).text


def test_a_404_of_a_file_in_another_spelling_names_both():
    report = examined_account(refusing(f"{FILES_PATH}/F-0001", 404, "No coupon file f0001"))
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert "It names f0001, but F-0001 was sent: " in finding.text
