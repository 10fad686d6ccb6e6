"""
What a 2xx shows of an update that sent updated_by alone is the first of these. A field of the
segment without a value, such as included_filters [] or null: *wrong*, and a person has to act
first. Another updated_by than the one that was sent, and nowhere that one: *wrong*; with what is
awaited, if something is. Words that an approval is awaited, in any property but a name: *not
proved*. That nothing was done (modified_count 0, applied false): *not proved*. A state such as
draft: *not proved*. A 202: *not proved*. A sentence for people that may be about the update: *not
proved*. Else the update is *sure*, also without an author, or with an empty one or a number in its
place. What an object called before, previous or the like has does not count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.doctor.findings.finding import Certainty, Row
from wes_provider.doctor.options import Options
from wes_provider.doctor.replies.probes import Question
from wes_provider.doctor.writes.updates import rows_of_update

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
SENT, OTHER = "me@example.com", "anna@example.com"
OPTIONS = Options(segment_id="vip", updated_by=SENT)
UPDATED = "Updated: the service takes updated_by alone."
A_SUCCESS = "which a task takes for a success, but"
LOOK = "Look at segment vip in the service's console"
APPROVE = (
    f"the update may not be in effect. {LOOK}; have the update approved if it waits for that, or "
    "ask the service's support for a key whose updates need no approval."
)
SEE = f"{LOOK}, and see whether its updated_by is {SENT}."


def row_for(status: int, content: Any) -> Row:
    """The first row that applies to a reply."""
    probe = reply(status, content, question=Question.WRITE)
    return next(row for row in rows_of_update(probe, OPTIONS) if row.applies)


class Updated(NamedTuple):
    """A reply, and what is said of the update."""

    name: str
    content: Any
    certainty: Certainty
    text: str
    status: int = 200


UPDATES = [
    Updated("the segment", {"id": "vip", "updated_by": SENT}, SURE, UPDATED),
    Updated("no author", {"id": "vip"}, SURE, UPDATED),
    Updated("a number in the author's place", {"updated_by": 7}, SURE, UPDATED),
    Updated("an empty author", {"updated_by": ""}, SURE, UPDATED),
    Updated(
        "before and after",
        {"before": {"updated_by": OTHER}, "after": {"updated_by": SENT}},
        SURE,
        UPDATED,
    ),
    Updated(
        "another author, and then the one that was sent",
        {"change": {"updated_by": OTHER}, "segment": {"updated_by": SENT}},
        SURE,
        UPDATED,
    ),
    Updated(
        "another author before, within data",
        {"data": {"previous": {"updated_by": OTHER}, "segment": {"id": "vip"}}},
        SURE,
        UPDATED,
    ),
    Updated(
        "without filters before",
        {"previous": {"included_filters": None}, "segment": {"included_filters": {"filters": []}}},
        SURE,
        UPDATED,
    ),
    Updated(
        "without filters and with another author before, in an object of its own",
        {"previous": {"segment": {"included_filters": None, "updated_by": OTHER}}, "id": "vip"},
        SURE,
        UPDATED,
    ),
    Updated(
        "who made it, and who updated it",
        {"segment": {"updated_by": SENT}, "meta": {"updated_by": OTHER}},
        SURE,
        UPDATED,
    ),
    Updated("a name that speaks of an approval", {"name": "Awaiting approval"}, SURE, UPDATED),
    Updated("what was done", {"updated": True, "matched": 1}, SURE, UPDATED),
    Updated(
        "an earlier author below another object",
        {"change_request": "CR-1", "segment": {"id": "vip", "updated_by": OTHER}},
        WRONG,
        f"The reply is 200, {A_SUCCESS} its updated_by is '{OTHER}', and not the one that was "
        "sent: the update is not in effect as the reply says. Have it approved if it waits for "
        "that, or ask the service's support when updates take effect.",
    ),
    Updated(
        "an earlier author, and an approval that is awaited",
        {"state": "AWAITING_APPROVAL", "segment": {"updated_by": OTHER}},
        WRONG,
        f"The reply is 202, {A_SUCCESS} its updated_by is '{OTHER}', and not the one that was "
        "sent, and says that something is awaited (state: AWAITING_APPROVAL): the update is not "
        "in effect as the reply says. Have it approved if it waits for that, or ask the service's "
        "support when updates take effect.",
        status=202,
    ),
    Updated(
        "an approval that is awaited",
        {"id": "vip", "change": {"state": "needsApproval"}},
        NOT_PROVED,
        f"The reply is 200, {A_SUCCESS} it says that something is awaited (change.state: "
        f"needsApproval): {APPROVE}",
    ),
    Updated(
        "accepted only",
        {"id": "vip", "updated_by": SENT},
        NOT_PROVED,
        "Accepted with 202, which says that the update may be done later, or not at all, and a "
        f"task takes it for a success. {SEE}",
        status=202,
    ),
    Updated(
        "nothing updated",
        {"result": {"matched": 1, "modified_count": 0}},
        NOT_PROVED,
        f"The reply is 200, {A_SUCCESS} it has result.modified_count 0: perhaps nothing was "
        f"updated, or the segment had that updated_by before. {SEE}",
    ),
    Updated(
        "not applied",
        {"applied": False},
        NOT_PROVED,
        f"The reply is 200, {A_SUCCESS} it has applied false: perhaps nothing was updated, or the "
        f"segment had that updated_by before. {SEE}",
    ),
    Updated(
        "a draft",
        {"segment": {"id": "vip", "state": "draft"}},
        NOT_PROVED,
        f"The reply is 200, {A_SUCCESS} it says that the update is not in effect, or not yet "
        f"(segment.state: draft). {SEE[:-1]}; ask the service's support how tasks make updates "
        "that take effect.",
    ),
    Updated(
        "a sentence that may be about the update",
        {"id": "vip", "note": "Ask your manager."},
        NOT_PROVED,
        "Accepted, and the reply has a sentence that may be about the update (note: 'Ask your "
        f"manager.') and that a task does not read. {SEE}",
    ),
    Updated(
        "filters that are lost below another object",
        {"segment": {"name": "VIP", "included_filters": []}},
        WRONG,
        "Accepted, but the reply has included_filters [], and the update sent updated_by alone: "
        f"it may have replaced the segment. {LOOK} now, and put back what is gone. Ask the "
        "service's support whether an update keeps the fields that it does not send; until then, "
        "let tasks send all of them.",
    ),
]


@pytest.mark.parametrize("row", UPDATES, ids=[row.name for row in UPDATES])
def test_an_update_is_wrong_by_an_earlier_author_or_lost_filters_and_open_by_words_of_waiting(
    row: Updated,
) -> None:
    found = row_for(row.status, row.content)
    assert (found.certainty, found.text) == (row.certainty, row.text)


def test_filters_that_are_lost_are_said_before_another_author() -> None:
    found = row_for(200, {"updated_by": OTHER, "included_filters": None})
    assert found.is_cause
    assert found.text.startswith("Accepted, but the reply has included_filters null")
