"""
A finding that advises an option (--upload, --segment, --catalog) says something else in its place
once that option was given; that names no option. While no reply shows the service, it says
something else or nothing in its place, and names no option that writes. --coupon-list is advised
likewise, and still named then. Each such part of a sentence ends as one. Only the text of a finding
changes. Options that were not given are still advised.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.advice import ADVICE, Advice, without_given, without_writes
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.options import Options


def finding(text: str) -> Finding:
    return Finding(Topic.UPLOAD, Certainty.NOT_SHOWN, text)


OPTIONS = {
    "file_url": "--upload URL",
    "segment_id": "--segment ID",
    "catalog": "--catalog NAME",
    "coupon_list_id": "--coupon-list",
}


@pytest.mark.parametrize("each", ADVICE, ids=[each.text for each in ADVICE])
def test_advice_is_about_the_option_that_it_names(each: Advice):
    assert [name for name, option in OPTIONS.items() if option in each.text] == [each.option]


@pytest.mark.parametrize("each", ADVICE, ids=[each.text for each in ADVICE])
def test_nothing_names_an_option_once_it_was_given(each: Advice):
    assert "--" not in each.instead


WRITES = [each for each in ADVICE if each.option != "coupon_list_id"]


@pytest.mark.parametrize("each", WRITES, ids=[each.text for each in WRITES])
def test_what_stands_in_place_of_an_option_that_writes_ends_as_a_sentence(each: Advice):
    assert each.text.endswith(".")
    assert each.instead.endswith(".")
    assert each.before.endswith(".")


@pytest.mark.parametrize("each", WRITES, ids=[each.text for each in WRITES])
def test_no_option_that_writes_is_named_before_the_service_is_shown(each: Advice):
    assert "--" not in each.before


class Given(NamedTuple):
    """Options, and what becomes of an advice to upload a file, and of one to update a segment."""

    name: str
    options: Options
    upload: str
    update: str


UPLOAD = "Kept out; --upload URL tries one."
UPDATE = "Kept out; --segment ID tries one."
NO_UPLOAD = "Kept out, and no upload has one. Ask the service's support."
GIVEN = [
    Given("none", Options(), UPLOAD, UPDATE),
    Given("a file", Options(file_url="https://a.test/b"), NO_UPLOAD, UPDATE),
    Given("a segment", Options(segment_id="vip"), UPLOAD, "Kept out."),
    Given("both", Options(file_url="https://a.test/b", segment_id="vip"), NO_UPLOAD, "Kept out."),
]


@pytest.mark.parametrize("row", GIVEN, ids=ids(GIVEN))
def test_an_option_that_was_given_is_not_advised(row: Given):
    findings = [
        finding(f"Kept out{advice.UPLOAD_TRIES_STATUS}"),
        finding(f"Kept out{advice.UPDATE_TRIES_ONE}"),
    ]
    said = [each.text for each in without_given(findings, row.options)]
    assert said == [row.upload, row.update]


def test_no_option_is_advised_while_no_reply_shows_the_service():
    findings = [finding(f"Open. {advice.UPLOAD_SHOWS}"), finding(f"Open{advice.UPDATE_TRIES_ONE}")]
    said = [each.text for each in without_writes(findings)]
    assert said == ["Open. Settle what the verdict says first.", "Open."]


def test_all_of_a_finding_but_its_text_stays():
    given = finding(str(advice.UPLOAD_SHOWS))
    (after,) = without_given([given], Options(file_url="https://a.test/b"))
    assert after == Finding(
        given.topic, given.certainty, "No upload has shown it: ask the service's support."
    )
