"""
What is said of the update of a segment that gets a 2xx; only ``updated_by`` was sent. It is *sure*
if nothing in the reply speaks against it: an identifier, the same updated_by, no body, numbers,
binary, or entries without errors or with a status up to 399.

It is wrong if an entry has a status of 400 or above, or an error: two are quoted. It is wrong if
the reply has filters that are null or empty: the segment may have been replaced; an empty name is
only said then. It is wrong if updated_by is another one, or if, besides, an approval is awaited:
the update is not in effect. But it is *Not proved* if updated_at is less than a minute after the
request, and nothing is awaited, since the service may put its own name there; a created_at does not
count. It is *Not proved* after a web page or half a body; a firewall's page is wrong.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    ACCEPTED_FOR_UPDATE,
    FIREWALL_PAGE,
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Topic

UPDATED = [
    Case(
        "the identifier alone",
        Topic.SEGMENT,
        reply(200, {"id": "vip"}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "the updated_by that was sent",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "updated_by": "wes-doctor@example.com"}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "no body",
        Topic.SEGMENT,
        reply(204),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "filters, and an empty name",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": "", "included_filters": {"filters": []}}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "an empty name, and no filters named",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": ""}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "an entry with the status 399",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 399}]}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "entries without errors",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 200, "error": None, "errors": []}]}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "an array of numbers",
        Topic.SEGMENT,
        reply(200, [1, 2]),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "text in UTF-16",
        Topic.SEGMENT,
        reply(200, b"\xff\xfe\x00binary", content_type="application/octet-stream"),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
]


@pytest.mark.parametrize("row", UPDATED, ids=ids(UPDATED))
def test_an_update_is_done_if_nothing_in_its_reply_speaks_against_it(row: Case):
    check_reply(row)


ENTRIES = [
    Case(
        "a status and an error",
        Topic.SEGMENT,
        reply(
            207,
            {"results": [{"id": "vip", "status": 403, "error": {"code": "segment-locked"}}]},
        ),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        '403 {"code":"segment-locked"} in it. See what that says about the segment before tasks '
        "update it, or ask the service's support.",
    ),
    Case(
        "a status and an error with a message",
        Topic.SEGMENT,
        reply(
            207,
            {"results": [{"status": 403, "error": {"code": "locked", "message": "In use"}}]},
        ),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        "403 locked: 'In use' in it. See what that says about the segment before tasks update it, "
        "or ask the service's support.",
    ),
    Case(
        "an error with a message alone",
        Topic.SEGMENT,
        reply(207, {"results": [{"error": {"message": "In use"}}]}),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has 'In use' "
        "in it. See what that says about the segment before tasks update it, or ask the service's "
        "support.",
    ),
    Case(
        "an entry that went well before two errors",
        Topic.SEGMENT,
        reply(
            207,
            {"results": [{"status": 200}, {"status": 403}, {"status": 404}, {"status": 409}]},
        ),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        "403 and status 404 in it. See what that says about the segment before tasks update it, or "
        "ask the service's support.",
    ),
    Case(
        "the status 400",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 400}]}),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        "400 in it. See what that says about the segment before tasks update it, or ask the "
        "service's support.",
    ),
    Case(
        "errors without a status",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "errors": ["locked"]}]}),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has "
        '["locked"] in it. See what that says about the segment before tasks update it, or ask the '
        "service's support.",
    ),
]


@pytest.mark.parametrize("row", ENTRIES, ids=ids(ENTRIES))
def test_an_update_is_wrong_if_an_entry_of_its_reply_has_an_error(row: Case):
    check_reply(row)


REPLACED = [
    Case(
        "neither name nor filters",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": None, "included_filters": None, "users": 0}),
        Certainty.WRONG,
        "Accepted, but the reply has name null and included_filters null, and the update sent "
        "updated_by alone: it may have replaced the segment. Look at segment vip in the service's "
        "console now, and put back what is gone. Ask the service's support whether an update keeps "
        "the fields that it does not send; until then, let tasks send all of them.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "a name, but no filters",
        Topic.SEGMENT,
        reply(200, {"data": {"id": "vip", "name": "VIP", "included_filters": {}}}),
        Certainty.WRONG,
        "Accepted, but the reply has included_filters {}, and the update sent updated_by alone: "
        "it may have replaced the segment. Look at segment vip in the service's console now, and "
        "put back what is gone. Ask the service's support whether an update keeps the fields that "
        "it does not send; until then, let tasks send all of them.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
]


@pytest.mark.parametrize("row", REPLACED, ids=ids(REPLACED))
def test_an_update_is_wrong_whose_reply_has_no_filters_any_more(row: Case):
    """The name is said, too, if it is gone. The service took the key."""
    check_reply(row)


OF_NOW = "2027-01-15T08:00:59Z"
ABOVE_A_MINUTE = "2027-01-15T08:01:00Z"
UPDATED_NOW = (
    "The reply is 200, which a task takes for a success, but its updated_by is "
    "'anna@example.com', and not the one that was sent. It was updated just now (updated_at "
    f"{OF_NOW}), so the service may put a name of its own there. Look at segment vip in the "
    "service's console, and see whether the update is in effect."
)
OTHER_AUTHORS_OF_NOW = [
    Case(
        "updated a minute less a second after the request",
        Topic.SEGMENT,
        reply(200, {"updated_by": "anna@example.com", "updated_at": OF_NOW}),
        Certainty.NOT_PROVED,
        UPDATED_NOW,
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "the earlier segment beside it",
        Topic.SEGMENT,
        reply(
            200,
            {
                "segment": {"updated_by": "anna@example.com", "updated_at": OF_NOW},
                "previous": {"updated_at": "2025-03-01T00:00:00Z"},
            },
        ),
        Certainty.NOT_PROVED,
        UPDATED_NOW,
        besides=ACCEPTED_FOR_UPDATE,
    ),
]


@pytest.mark.parametrize("row", OTHER_AUTHORS_OF_NOW, ids=ids(OTHER_AUTHORS_OF_NOW))
def test_an_update_is_not_proved_whose_reply_has_another_author_and_is_of_now(row: Case):
    check_reply(row)


OTHER_AUTHORS = [
    Case(
        "another author, updated a minute after the request",
        Topic.SEGMENT,
        reply(200, {"updated_by": "anna@example.com", "updated_at": ABOVE_A_MINUTE}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent: the update is not in effect as the "
        "reply says. Have it approved if it waits for that, or ask the service's support when "
        "updates take effect.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "another author, created now",
        Topic.SEGMENT,
        reply(200, {"updated_by": "anna@example.com", "created_at": OF_NOW}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent: the update is not in effect as the "
        "reply says. Have it approved if it waits for that, or ask the service's support when "
        "updates take effect.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "another author of now, and an approval that is awaited",
        Topic.SEGMENT,
        reply(
            200,
            {
                "updated_by": "anna@example.com",
                "updated_at": OF_NOW,
                "change": {"state": "AWAITING_APPROVAL"},
            },
        ),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent, and says that something is awaited "
        "(change.state: AWAITING_APPROVAL): the update is not in effect as the reply says. Have "
        "it approved if it waits for that, or ask the service's support when updates take effect.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "another author",
        Topic.SEGMENT,
        reply(200, {"data": {"id": "vip", "updated_by": "anna@example.com"}}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent: the update is not in effect as the "
        "reply says. Have it approved if it waits for that, or ask the service's support when "
        "updates take effect.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "another author, and an approval that is awaited",
        Topic.SEGMENT,
        reply(200, {"updated_by": "anna@example.com", "change": {"state": "AWAITING_APPROVAL"}}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent, and says that something is awaited "
        "(change.state: AWAITING_APPROVAL): the update is not in effect as the reply says. Have "
        "it approved if it waits for that, or ask the service's support when updates take effect.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
]


@pytest.mark.parametrize("row", OTHER_AUTHORS, ids=ids(OTHER_AUTHORS))
def test_an_update_is_wrong_whose_reply_has_another_author(row: Case):
    check_reply(row)


NO_REPLIES_OF_THE_SERVICE = [
    Case(
        "a page",
        Topic.SEGMENT,
        reply(200, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "A success for a task, but the reply is a web page: perhaps a gateway's. Look "
        "whether it was done.",
    ),
    Case(
        "half a body",
        Topic.SEGMENT,
        reply(200, b'{"id": "v'),
        Certainty.NOT_PROVED,
        "A success for a task, but the reply is JSON that cannot be read: perhaps a "
        "gateway's. Look whether it was done.",
    ),
    Case(
        "a firewall's page",
        Topic.SEGMENT,
        reply(200, FIREWALL_PAGE, content_type="text/html"),
        Certainty.WRONG,
        "A firewall's page came with 200: 'Request Rejected', so the service may not have got it. "
        "Reads pass, so a rule may be about PATCH or about what its body has, such as a URL: "
        "change no key, and have whoever runs it let these requests through. Hand over what it "
        "names: support ID 8231764490125533120.",
    ),
]


@pytest.mark.parametrize("row", NO_REPLIES_OF_THE_SERVICE, ids=ids(NO_REPLIES_OF_THE_SERVICE))
def test_an_update_is_not_proved_by_a_page_or_half_a_body(row: Case):
    """A firewall's page is wrong."""
    check_reply(row)
