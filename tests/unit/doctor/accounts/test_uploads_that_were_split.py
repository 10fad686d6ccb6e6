"""
If an uploaded file ends as SPLIT, and the list has new files that name it as their parent, Statuses
says which parts it has, with the status and the coupons of each, and that a status is to be named
as success only once all of them are in. No success is proposed.
"""

from __future__ import annotations

from support.doctor_service import (
    LIST,
    Account,
    Call,
    about,
    examined,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Topic


def test_of_a_file_that_was_split_the_parts_and_their_statuses_are_said():
    stages = (
        (0, record("up", "PENDING")),
        (0.3, {"_id": "up", "status": "SPLIT", "parts": ["up_1", "up_2"]}),
    )
    uploads = Uploads(stages=stages)
    parts = [record("up_1", parent_id="up"), record("up_2", "PROCESSING", parent_id="up")]

    def answer(call: Call) -> Reply | None:
        reply = uploads.answer(call)
        is_split = bool(uploads.name) and CLOCK.time() - uploads.since > 0.3
        if call.path.endswith("/files") and call.key == "campaign" and is_split:
            return Account(records=[*uploads.others, uploads.file, *parts]).reply(call)
        return reply

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=0.5)

    text = about(report, Topic.STATUSES).text
    assert "PENDING → SPLIT, which lasted, and nothing shows what it means" in text
    assert "Its record also has parts up_1, up_2." in text
    assert "The list has 2 new files made of it: up_1 (SUCCESS, 5 coupons added), up_2 (" in text
    assert "which status says that all of them are in, and name it as success only then" in text
    assert "coupon_file_statuses.success" not in report.changed
