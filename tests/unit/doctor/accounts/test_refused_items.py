"""
A success that says of its only item that it was refused, as one with 207 has it: in ``results``, ``items``,
``responses`` or ``operations``, by a status from 400 to 599, an ``error``, or ``success: false``; or in
``failed``, ``failures``, ``rejected`` or ``unprocessed``, if nothing stands in ``created`` or alike. A catalog
is *wrong* then, with the item's code and words and what to do about them, and no identifier is looked for.
If any item was accepted, it is a success.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import reply
from support.doctor_service import Account, Call, about, examined_account, json_reply
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.writes.batches import refused_item

ERROR = {"code": "plan-limit", "message": "Catalogs are not in the plan."}


class Batch(NamedTuple):
    """A body, and what is read of the item that was refused: status, code and message."""

    name: str
    body: Any
    refused: tuple[int, str, str]


REFUSED = [
    Batch(
        "a status and an error",
        {"results": [{"index": 0, "status": 403, "error": ERROR}], "request_id": "r-1"},
        (403, "plan-limit", "Catalogs are not in the plan."),
    ),
    Batch(
        "a status code of 599",
        {"items": [{"statusCode": 599, "message": "Away"}]},
        (599, "", "Away"),
    ),
    Batch(
        "an error without a status",
        {"responses": [{"error": ERROR}]},
        (400, "plan-limit", "Catalogs are not in the plan."),
    ),
    Batch(
        "no success",
        {"operations": [{"success": False, "reason": "Too many"}]},
        (400, "", "Too many"),
    ),
    Batch(
        "the first of two",
        {"Results": [{"status": 409, "message": "Taken"}, {"status": 400, "message": "No"}]},
        (409, "", "Taken"),
    ),
    Batch(
        "in a list of what has failed",
        {"created": [], "failed": [{"name": "c", "reason": "Too many"}]},
        (400, "", "Too many"),
    ),
]
NOT_REFUSED: dict[str, Any] = {
    "one of two": {"results": [{"status": 403}, {"status": 201, "id": "c1"}]},
    "a status of 399": {"results": [{"status": 399}]},
    "a status of 600": {"results": [{"status": 600}]},
    "no item": {"results": []},
    "nothing that has failed": {"created": [{"id": "c1"}], "failed": []},
    "one created, one failed": {"created": [{"id": "c1"}], "failed": [{"reason": "Too many"}]},
    "strings": {"failed": ["c"]},
    "an array": [{"status": 403}],
}


@pytest.mark.parametrize("row", REFUSED, ids=ids(REFUSED))
def test_an_item_is_refused_if_the_reply_says_so_of_all_of_them(row: Batch):
    item = refused_item(reply(207, row.body))
    assert item is not None
    assert (item.status, item.code, item.message) == row.refused


@pytest.mark.parametrize("body", NOT_REFUSED.values(), ids=NOT_REFUSED)
def test_no_item_is_refused_if_one_was_accepted_or_none_is_said_to_be(body: Any):
    assert refused_item(reply(207, body)) is None


def test_the_items_of_an_error_are_not_read():
    assert refused_item(reply(400, REFUSED[0].body)) is None


def creating(body: Any) -> Account:
    def nasty(call: Call) -> Reply | None:
        return json_reply(207, body) if call.method == "POST" else None

    return Account(nasty)


def test_a_refused_catalog_is_wrong_with_the_words_of_the_item():
    finding = about(examined_account(creating(REFUSED[0].body), catalog="c"), Topic.CATALOG)
    assert finding.certainty is Certainty.WRONG
    assert finding.text.startswith(
        "207 came, but what it says of the request is a refusal (plan-limit): 'Catalogs are not in "
        "the plan'. So nothing was done in all likelihood. "
    )
    assert "request_id" not in finding.text


def test_a_catalog_beside_a_refused_one_is_created():
    body = {"results": [{"status": 403}, {"status": 201}], "catalog_id": "c1"}
    finding = about(examined_account(creating(body), catalog="c"), Topic.CATALOG)
    assert finding.text == "Created; its identifier is c1."
