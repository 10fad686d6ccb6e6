"""
The identifier of a new catalog: where the connection says, or else below ``catalog_id``, ``_id``
or ``id``, at the top before below ``data``, or the body or ``data`` itself if that is one word
which is not one like *created*. A 2xx with an error, or without success, names no catalog. A 409,
or a 400 or 422 whose words say so, says that the name is taken.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.exchanges import CATALOG, response
from wes_provider import exceptions
from wes_provider.client import responses


class NotIdentified(NamedTuple):
    """
    What a response to the creation of a catalog holds.

    :ivar path: to the identifier, as the connection's extra has it.
    """

    content: Any
    path: str | None = None


class Identified(NamedTuple):
    """What a response to the creation of a catalog holds, and its identifier."""

    content: Any
    catalog_id: str
    path: str | None = None


IDENTIFIED = {
    "catalog_id": Identified({"catalog_id": "c1"}, "c1"),
    "a number": Identified({"_id": 12}, "12"),
    "below data": Identified({"data": {"id": "c1"}}, "c1"),
    "at the top before below data": Identified(
        {"catalog_id": "top", "data": {"catalog_id": "below"}}, "top"
    ),
    "data": Identified({"data": "c1"}, "c1"),
    "a string": Identified("c1", "c1"),
    "a string with blanks around": Identified("  c1\n", "c1"),
    "a string that begins with ok": Identified("okapi", "okapi"),
    "below data, beside a boolean": Identified({"_id": False, "data": {"id": "c1"}}, "c1"),
    "below data, beside a word": Identified({"id": "Created", "data": {"id": "c1"}}, "c1"),
    "where the connection says": Identified({"result": {"key": "c1"}}, "c1", "result.key"),
}
NOT_IDENTIFIED = {
    "a page": NotIdentified("<html>"),
    "OK": NotIdentified("OK"),
    "a word": NotIdentified("Created."),
    "two words": NotIdentified("two words"),
    "a boolean": NotIdentified(True),
    "a number": NotIdentified(7),
    "nothing": NotIdentified(None),
    "an empty object": NotIdentified({}),
    "id is a boolean": NotIdentified({"id": True}),
    "id is a sentence": NotIdentified({"id": "Catalog created"}),
    "id is a word": NotIdentified({"id": "success"}),
    "data is a sentence": NotIdentified({"data": "The catalog was created"}),
    "data is a word": NotIdentified({"data": "ACCEPTED"}),
    "data is empty": NotIdentified({"data": ""}),
    "data is a number": NotIdentified({"data": 7}),
    "a boolean where the connection says": NotIdentified({"result": True}, "result"),
    "a word where the connection says": NotIdentified({"result": "IN_PROGRESS"}, "result"),
    "an object where the connection says": NotIdentified(
        {"result": {"key": {"x": 1}}}, "result.key"
    ),
    "elsewhere than the connection says": NotIdentified({"catalog_id": "c1"}, "result.key"),
}


@pytest.mark.parametrize("row", IDENTIFIED.values(), ids=IDENTIFIED)
def test_a_catalogs_identifier_is_found(row: Identified):
    assert responses.catalog_id(row.content, row.path) == row.catalog_id


@pytest.mark.parametrize("row", NOT_IDENTIFIED.values(), ids=NOT_IDENTIFIED)
def test_what_is_no_identifier_of_a_catalog_is_not_taken_for_one(row: NotIdentified):
    assert responses.catalog_id(row.content, row.path) is None


class RefusedCatalog(NamedTuple):
    """A response that refuses to create a catalog."""

    status: int
    body: dict[str, Any]


TAKEN = [
    RefusedCatalog(409, {}),
    RefusedCatalog(400, {"code": "name-exists"}),
    RefusedCatalog(422, {"code": "ALREADY_EXISTS"}),
    RefusedCatalog(400, {"code": "NameTaken"}),
    RefusedCatalog(400, {"code": "DUPLICATE_NAME"}),
    RefusedCatalog(422, {"message": "Name has already been taken"}),
    RefusedCatalog(400, {"message": "name is not unique"}),
    RefusedCatalog(422, {"message": "A catalog's name must be unique"}),
    RefusedCatalog(400, {"message": "conflict with catalog 7"}),
    RefusedCatalog(422, {"errors": [{"detail": "A catalog of this name exists."}]}),
]
NOT_TAKEN = [
    RefusedCatalog(400, {"code": "not-exists"}),
    RefusedCatalog(400, {"message": "The currency does not exist"}),
    RefusedCatalog(400, {"message": "attribute 3 doesn't exist"}),
    RefusedCatalog(400, {"message": "no such type exists"}),
    RefusedCatalog(400, {"message": "existence of coexisting units"}),
    RefusedCatalog(400, {"message": "mistaken: use unique ids"}),
    RefusedCatalog(400, {"message": "no conflict, but no name"}),
    RefusedCatalog(404, {}),
    RefusedCatalog(500, {"code": "name-exists"}),
]


@pytest.mark.parametrize("row", TAKEN, ids=lambda row: f"{row.status} {row.body}")
def test_a_conflict_or_its_words_say_that_a_name_is_taken(row: RefusedCatalog):
    assert responses.name_is_taken(responses.error_of(CATALOG, response(row.status, row.body)))


@pytest.mark.parametrize("row", NOT_TAKEN, ids=lambda row: f"{row.status} {row.body}")
def test_other_refusals_do_not_say_that_a_name_is_taken(row: RefusedCatalog):
    assert not responses.name_is_taken(responses.error_of(CATALOG, response(row.status, row.body)))


class DeniedSuccess(NamedTuple):
    """A body of a 2xx that says that the catalog was not created."""

    id: str
    body: Any


DENIED = [
    DeniedSuccess("error", {"error": {"code": "quota"}, "id": "req-1"}),
    DeniedSuccess("error as a string", {"error": "quota", "catalog_id": "c9"}),
    DeniedSuccess("errors", {"errors": [{"message": "quota"}], "id": "req-1"}),
    DeniedSuccess("no success", {"success": False, "id": "c9"}),
]


@pytest.mark.parametrize("row", DENIED, ids=[row.id for row in DENIED])
def test_an_error_in_a_success_is_no_catalog(row: DeniedSuccess):
    given = response(200, json.dumps(row.body).encode())
    with pytest.raises(exceptions.WesUnknownOutcomeError, match="response 200 holds an error: "):
        responses.created_catalog(CATALOG, given)
