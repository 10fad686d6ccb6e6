"""
The Address is made of a data center, 02, and each read gets an error about another one. If the
error names one (as a number with "data center", "dc" or "cluster", in a host, a word such as eu-03
or a property such as home_region), and a read there gets 200, the verdict says to set the data
center to it. If no read there succeeds, it says so "as it says". If the error names none by number,
or two, or numbers of something else (a plan, a request), the data center is to be set to what the
error says, without a number. An error with status 421 is about the place whatever its words; one
with 400 or 403 by its words.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    LIST,
    Account,
    Call,
    about,
    error_reply,
    examined,
    json_reply,
)
from support.servers import Reply, replying
from wes_provider.doctor.findings.finding import Topic


class Elsewhere(NamedTuple):
    """An error about another data center, by how it names that."""

    name: str
    reply: Reply


def check_verdict(reply: Reply, says: str) -> None:
    """The verdict is about the Address and says this, if each data center but 03 replies so."""

    def replies(call: Call) -> Reply:
        _, data_center, path = call.path.split("/", 2)
        if data_center != "dc03":
            return reply
        return Account().reply(call._replace(path=f"/{path}"))

    with replying(Account(replies)) as url:
        report = examined(f"{url}/dc02", host=f"{url}/dc{{data_center}}", coupon_list_id=LIST)
    assert about(report, Topic.ADDRESS).text in report.verdict
    assert says in report.verdict


IN_03 = [
    Elsewhere("dc03", json_reply(421, {"detail": "Not served by dc02. Home region is dc03."})),
    Elsewhere("dc3", json_reply(421, {"detail": "The workspace is homed in dc3."})),
    Elsewhere(
        "data center 03, with status 403",
        error_reply(403, "wrong-data-center", "This is in data center 03, not 02."),
    ),
    Elsewhere(
        "a host, with status 400",
        error_reply(400, "moved", "Use https://api-03.example.com instead."),
    ),
    Elsewhere("a region", json_reply(421, {"title": "Homed in eu-03 since 2026-11-02."})),
    Elsewhere("a city", json_reply(421, {"title": "It lives in frankfurt-03."})),
    Elsewhere("a string", json_reply(421, {"title": "Elsewhere", "home_region": "eu-03"})),
    Elsewhere(
        "a number beside the data center of the Address",
        json_reply(421, {"title": "Elsewhere", "homeDc": 3, "dc": "02"}),
    ),
]


@pytest.mark.parametrize("row", IN_03, ids=ids(IN_03))
def test_a_data_center_that_an_error_names_is_to_be_set_if_a_read_there_succeeds(row: Elsewhere):
    check_verdict(
        row.reply, 'In data center 03, a read gets 200: set Data center (data_center) to "03"'
    )


def test_a_data_center_that_an_error_names_is_to_be_set_as_it_says_if_no_read_there_succeeds():
    check_verdict(error_reply(403, "elsewhere", "It is in cluster 114."), 'to "114", as it says')


def test_a_region_without_a_number_is_quoted():
    check_verdict(
        json_reply(421, {"title": "Elsewhere", "region": "eu-west-1"}), "region: eu-west-1'"
    )


WITHOUT_NUMBER = [
    Elsewhere(
        "numbers of something else",
        json_reply(421, {"title": "Moved to plan 20, request a-07-b."}),
    ),
    Elsewhere("no number", error_reply(403, "elsewhere", "Wrong region.")),
]


@pytest.mark.parametrize("row", WITHOUT_NUMBER, ids=ids(WITHOUT_NUMBER))
def test_the_data_center_is_to_be_set_if_an_error_names_none_by_number(
    row: Elsewhere,
):
    check_verdict(
        row.reply,
        "Set the Data center (data_center), which the Address is made of, to that, and run",
    )


def test_the_data_center_is_to_be_set_to_what_an_error_says_if_it_names_two():
    check_verdict(
        error_reply(403, "elsewhere", "In region 03 or region 04."),
        "Set the Data center (data_center), which the Address is made of, to what it says",
    )
