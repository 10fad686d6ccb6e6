"""
A 4xx to an update of a segment whose words name ``updated_by``, or the e-mail that was sent as that. The
segment is *not proved*, and ``--updated-by`` is advised; neither the key nor the segment's identifier is
blamed. A 401, other words, and the same words about an upload or a catalog are told as usual.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import Account, Call, about, examined_account, json_reply
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic

ADVICE = (
    "The doctor sent me@example.com as updated_by, and your tasks send their own: run this again "
    "with --updated-by and the e-mail of a user of the workspace."
)


class Refused(NamedTuple):
    """The status and the words of a refused update."""

    name: str
    status: int
    message: str


OF_UPDATER = [
    Refused("404, by the e-mail", 404, "User me@example.com not found."),
    Refused("422, by the field", 422, "updated_by: is not a member of this workspace."),
    Refused("403, by both", 403, "updated_by me@example.com may not do this."),
]
OF_SOMETHING_ELSE = [
    Refused("another user", 404, "User you@example.com not found."),
    Refused("the segment", 404, "Segment not found."),
    Refused("401", 401, "updated_by me@example.com is unknown."),
    Refused("500", 500, "updated_by me@example.com is unknown."),
]


def finding_on(row: Refused, topic: Topic = Topic.SEGMENT) -> Finding:
    """What is said of a change that the row's error refuses."""
    refusal = json_reply(row.status, {"error": {"code": "no", "message": row.message}})

    def nasty(call: Call) -> Reply | None:
        return refusal if call.method in ("PATCH", "POST") else None

    options = {Topic.SEGMENT: {"segment_id": "s"}, Topic.CATALOG: {"catalog": "c"}}[topic]
    report = examined_account(Account(nasty), updated_by="me@example.com", **options)
    return about(report, topic)


@pytest.mark.parametrize("row", OF_UPDATER, ids=ids(OF_UPDATER))
def test_an_updater_that_the_service_does_not_know_is_to_be_named_by_the_option(row: Refused):
    finding = finding_on(row)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text.endswith(f" Nothing was done. {ADVICE}")


@pytest.mark.parametrize("row", OF_SOMETHING_ELSE, ids=ids(OF_SOMETHING_ELSE))
def test_no_updater_is_to_be_named_if_the_error_is_about_something_else(row: Refused):
    assert "--updated-by" not in finding_on(row).text


def test_no_updater_is_to_be_named_for_a_catalog():
    assert "--updated-by" not in finding_on(OF_UPDATER[0], Topic.CATALOG).text
