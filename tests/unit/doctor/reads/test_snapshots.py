"""
A reply says of when its data is in a header, or in a member of its body that is of no record: at
the top, or one object below. Its name ends with "as of", or says when it was generated, exported,
refreshed, synced, replicated, indexed, cached or the like; its value is a time, as ISO 8601 or HTTP
has it. If that is more than a minute before the reply was sent, by the header Date if it has one,
the list may be a snapshot, and the lag is *not proved*. Members of records, other names and other
values say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, reply
from support.doctor_service import Account, about, check_says, examined_account, record
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.snapshots import snapshot_of

SENT = datetime.fromtimestamp(MOMENT, timezone.utc)


def before(seconds: float) -> str:
    """A time before the reply was sent, as ISO 8601 has it."""
    return (SENT - timedelta(seconds=seconds)).isoformat()


class Body(NamedTuple):
    """A body and headers, and how old they say that the data is, in seconds."""

    name: str
    body: Any
    age: float | None
    headers: Mapping[str, str] = {}


OLD = before(3600)
BODIES = [
    Body("nothing", [], None),
    Body("generated_at", {"data": [], "generated_at": OLD}, 3600.0),
    Body("dataAsOf, one object below", {"meta": {"dataAsOf": OLD}}, 3600.0),
    Body("lastRefreshedAt", {"lastRefreshedAt": OLD}, 3600.0),
    Body("snapshot_time", {"snapshot_time": OLD}, 3600.0),
    Body("a header", [], 3600.0, {"X-Data-As-Of": OLD}),
    Body(
        "a header with a date",
        [],
        3600.0,
        {"X-Snapshot-At": format_datetime(SENT - timedelta(hours=1), usegmt=True)},
    ),
    Body("61 s before", {"as_of": before(61)}, 61.0),
    Body("60 s before", {"as_of": before(60)}, None),
    Body("after it was sent", {"as_of": before(-3600)}, None),
    Body(
        "an hour before Date, which is an hour ahead",
        {"as_of": before(0)},
        3600.0,
        {"Date": format_datetime(SENT + timedelta(hours=1), usegmt=True)},
    ),
    Body(
        "an hour before, and Date says the same",
        {"as_of": OLD},
        None,
        {"Date": format_datetime(SENT - timedelta(hours=1), usegmt=True)},
    ),
    Body("another name", {"created_at": OLD, "last_modified": OLD}, None),
    Body("no time", {"as_of": "yesterday", "generated_at": 7}, None),
    Body("in a record", [{"_id": "f1", "generated_at": OLD}], None),
    Body("in a record under data", {"data": [{"_id": "f1", "generated_at": OLD}]}, None),
]


@pytest.mark.parametrize("row", BODIES, ids=ids(BODIES))
def test_data_is_old_if_a_member_or_a_header_says_so_by_more_than_a_minute(row: Body):
    headers = {name.lower(): value for name, value in row.headers.items()}
    snapshot = snapshot_of(reply(200, row.body, headers))
    assert (snapshot and snapshot.age) == (row.age and pytest.approx(row.age))


def test_an_account_with_a_nightly_list_is_not_ready():
    yesterday = datetime.fromtimestamp(CLOCK.time() - 9 * 3600, timezone.utc).isoformat()
    account = Account(
        records=[record("f1")],
        list_body=lambda files: {"data": files, "generated_at": yesterday},
    )
    report = examined_account(account)
    check_says(
        report.verdict,
        (
            "Not proved: Lag of the list. The list may be a snapshot: the reply says generated_at",
            "9 hours before it was sent. A new file may show as late, and tasks give it 30 s",
        ),
    )
    assert about(report, Topic.LIST_PATH).certainty is Certainty.SURE
