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
    """How a service says that the account is in another data center, and what to do."""

    reply: Reply
    says: str


IN_03 = 'In data center 03, a read gets 200: set Data center (data_center) to "03"'
OPEN = "Set the Data center (data_center), which the Address is made of, to what it says"
NOT_SAID = "Set the Data center (data_center), which the Address is made of, to that, and run"
ELSEWHERE = [
    Elsewhere(json_reply(421, {"detail": "Not served by dc02. Home region is dc03."}), IN_03),
    Elsewhere(json_reply(421, {"detail": "The workspace is homed in dc3."}), IN_03),
    Elsewhere(error_reply(403, "wrong-data-center", "This is in data center 03, not 02."), IN_03),
    Elsewhere(error_reply(400, "moved", "Use https://api-03.example.com instead."), IN_03),
    Elsewhere(json_reply(421, {"title": "Homed in eu-03 since 2026-11-02."}), IN_03),
    Elsewhere(json_reply(421, {"title": "It lives in frankfurt-03."}), IN_03),
    Elsewhere(json_reply(421, {"title": "Moved to plan 20, request a-07-b."}), NOT_SAID),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "home_region": "eu-03"}), IN_03),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "homeDc": 3, "dc": "02"}), IN_03),
    Elsewhere(error_reply(403, "elsewhere", "It is in cluster 114."), 'to "114", as it says'),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "region": "eu-west-1"}), "region: eu-west-1'"),
    Elsewhere(error_reply(403, "elsewhere", "Wrong region."), NOT_SAID),
    Elsewhere(error_reply(403, "elsewhere", "In region 03 or region 04."), OPEN),
]


@pytest.mark.parametrize("row", ELSEWHERE, ids=[str(row.reply.body) for row in ELSEWHERE])
def test_a_data_center_that_an_error_names_is_to_be_set_in_place_of_the_address(row: Elsewhere):
    def replies(call: Call) -> Reply:
        _, data_center, path = call.path.split("/", 2)
        if data_center != "dc03":
            return row.reply
        return Account().reply(call._replace(path=f"/{path}"))

    with replying(Account(replies)) as url:
        report = examined(f"{url}/dc02", host=f"{url}/dc{{data_center}}", coupon_list_id=LIST)
    assert about(report, Topic.ADDRESS).text in report.verdict
    assert row.says in report.verdict
