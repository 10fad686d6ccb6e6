"""
If the reply to a creation has no identifier where the provider reads it, the only property that is
called one (uid, id) is proposed: *wrong*. If several properties may be it, or the only one is
called otherwise, such as key, it is *not proved*: they are named with their values, those with
names of secrets without, and the only one beside the catalog's name is a guess, else the only one
at all. An id at the top counts no more than others if another candidate stands beside the name. No
candidates are values that a header gives to the request, links, states, kinds and sentences.

If there is no candidate, or only that of a request or an operation, but one link to a catalog, its
last part is named, and a task would fail: *wrong*. If there is no candidate and no such link, a task
would fail, too; the text has the beginning of the body, or the
Location. A web page, or half a body, is *not proved*: a task would fail, and the catalog may have
been created.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Topic

CALLED_SO = [
    Case(
        "catalog.uid",
        Topic.CATALOG,
        reply(201, {"catalog": {"uid": "c1"}, "name": "shop"}),
        Certainty.WRONG,
        "Created; its identifier is under catalog.uid.",
        settings={"paths.catalog_id": "catalog.uid"},
    ),
    Case(
        "catalog.uid, and an id that a header gives to the request",
        Topic.CATALOG,
        reply(201, {"id": "r-1", "catalog": {"uid": "c1"}}, x_request_id="r-1"),
        Certainty.WRONG,
        "Created; its identifier is under catalog.uid. Id 'r-1' is that of the request.",
        settings={"paths.catalog_id": "catalog.uid"},
    ),
    Case(
        "data.UID, and a word beside it",
        Topic.CATALOG,
        reply(201, {"note": "fresh", "data": {"UID": "c1"}}),
        Certainty.WRONG,
        "Created; its identifier is under data.UID.",
        settings={"paths.catalog_id": "data.UID"},
    ),
    Case(
        "uid, and an id that is a sentence",
        Topic.CATALOG,
        reply(201, {"id": "the new one", "uid": "c2"}),
        Certainty.WRONG,
        "Created; its identifier is under uid.",
        settings={"paths.catalog_id": "uid"},
    ),
]


@pytest.mark.parametrize("row", CALLED_SO, ids=ids(CALLED_SO))
def test_the_only_property_that_is_called_an_identifier_is_proposed(row: Case):
    """Values of the request, and sentences, are none."""
    check_reply(row)


CANDIDATES = [
    Case(
        "a key below the name's object",
        Topic.CATALOG,
        reply(201, {"catalog": {"key": "c1"}, "name": "shop"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.key 'c1'. Keep these values, and "
        "name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "catalog.key"},
    ),
    Case(
        "a ref and a tag beside the name",
        Topic.CATALOG,
        reply(201, {"status": "created", "catalog": {"ref": "c1", "tag": "c2", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.ref 'c1' (beside the name), "
        "catalog.tag 'c2' (beside the name). Keep these values, and name the right property in "
        "paths.catalog_id.",
    ),
    Case(
        "a ref beside the name, and an id of the request",
        Topic.CATALOG,
        reply(
            201,
            {"id": "req-1", "catalog": {"ref": "c1", "name": "shop"}},
            x_request_id="req-1",
        ),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.ref 'c1' (beside the name). Keep "
        "these values, and name the right property in paths.catalog_id. Id 'req-1' is that of the "
        "request.",
        guesses={"paths.catalog_id": "catalog.ref"},
    ),
    Case(
        "an id at the top, and a key beside the name",
        Topic.CATALOG,
        reply(201, {"id": "9b2f", "object": "response", "catalog": {"key": "c1", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? id '9b2f', catalog.key 'c1' (beside the "
        "name). Keep these values, and name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "catalog.key"},
    ),
    Case(
        "an id of an event, and a uid beside the name",
        Topic.CATALOG,
        reply(201, {"id": "evt_7", "object": "event", "data": {"uid": "CAT-4", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? id 'evt_7', data.uid 'CAT-4' (beside the "
        "name). Keep these values, and name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "data.uid"},
    ),
    Case(
        "a uid and a key, and a tag beside them",
        Topic.CATALOG,
        reply(201, {"catalog": {"uid": "c1", "key": "c2", "tag": "c3"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.uid 'c1', catalog.key 'c2'. Keep "
        "these values, and name the right property in paths.catalog_id.",
    ),
    Case(
        "a key at the top, and a tag beside it",
        Topic.CATALOG,
        reply(201, {"key": "c1", "tag": "c2"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? key 'c1'. Keep these values, and name "
        "the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "key"},
    ),
    Case(
        "a ref, and names of secrets",
        Topic.CATALOG,
        reply(201, {"ref": "c1", "access_token_id": "hunter2", "api_key": "hunter2"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? ref 'c1', access_token_id, api_key. Keep "
        "these values, and name the right property in paths.catalog_id.",
    ),
    Case(
        "a ref, and an id below credentials",
        Topic.CATALOG,
        reply(201, {"ref": "c1", "credentials": {"id": "hunter2"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? ref 'c1', credentials.id. Keep "
        "these values, and name the right property in paths.catalog_id.",
    ),
    Case(
        "two properties of other names",
        Topic.CATALOG,
        reply(201, {"x": "c1", "y": "c2"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? x 'c1', y 'c2'. Keep these values, and "
        "name the right property in paths.catalog_id.",
    ),
]


@pytest.mark.parametrize("row", CANDIDATES, ids=ids(CANDIDATES))
def test_properties_that_may_be_an_identifier_are_named_with_their_values(row: Case):
    """The only one beside the name is a guess. Secrets are named without their values."""
    check_reply(row)


WITHOUT_IDENTIFIER = [
    Case(
        "an empty object",
        Topic.CATALOG,
        reply(201, {}),
        Certainty.WRONG,
        "Created; the body of the reply ({}) has no identifier that can be read, and no "
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "an array",
        Topic.CATALOG,
        reply(201, ["c1"]),
        Certainty.WRONG,
        'Created; the body of the reply (["c1"]) has no identifier that can be read, and no '
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "binary",
        Topic.CATALOG,
        reply(201, b"\x1f\x8b\x08\x00\x00\x00", content_type="application/json"),
        Certainty.WRONG,
        "Created; the body of the reply (binary) has no identifier that can be read, and no "
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "a kind and a state alone",
        Topic.CATALOG,
        reply(201, {"type": "catalog", "status": "active"}),
        Certainty.WRONG,
        'Created; the body of the reply ({"type": "catalog", "status": "active"}) has no '
        "identifier that can be read, and no setting changes that: look for 'shop' in the "
        "service's dashboard, keep its identifier, and ask the service's support for it in the "
        "body. A task would fail without it.",
    ),
    Case(
        "an id that a header gives to the request",
        Topic.CATALOG,
        reply(201, {"id": "r-1"}, correlation_id="r-1"),
        Certainty.WRONG,
        'Created; the body of the reply ({"id": "r-1"}) has no identifier that can be read, and no '
        "setting changes that: look for 'shop' in the service's dashboard, keep its identifier, "
        "and ask the service's support for it in the body. A task would fail without it.",
    ),
    Case(
        "a flag that it was there, and nothing else",
        Topic.CATALOG,
        reply(200, {"created": False}),
        Certainty.WRONG,
        'Accepted with 200; the body of the reply ({"created": false}) has no identifier that can '
        "be read, and no setting changes that: look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "no body, and a Location",
        Topic.CATALOG,
        reply(201, b"", location="https://api.example.com/v1/catalog/c1?sig=hunter2"),
        Certainty.WRONG,
        "Created; the reply has no body, and its Location names /v1/catalog/c1, which the "
        "provider does not read, and no setting changes that: keep that identifier, and ask "
        "the service's support for it in the body. A task would fail without it.",
    ),
    Case(
        "no body, with 202",
        Topic.CATALOG,
        reply(202),
        Certainty.WRONG,
        "Accepted with 202; the reply has no body, and no setting changes that: look for "
        "'shop' in the service's dashboard, keep its identifier, and ask the service's "
        "support for it in the body. A task would fail without it.",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_IDENTIFIER, ids=ids(WITHOUT_IDENTIFIER))
def test_a_task_would_fail_after_a_creation_whose_reply_has_no_identifier(row: Case):
    check_reply(row)


ENDS_WITH_IT = (
    "The provider does not read links, and no setting changes that: keep that identifier, and ask "
    "the service's support for it in a property of its own. A task would fail without it."
)
WITH_LINK = [
    Case(
        "the only property",
        Topic.CATALOG,
        reply(201, {"self": "https://api.example.com/v1/catalog/c-77?sig=hunter2"}),
        Certainty.WRONG,
        "Created; no property is the identifier, but self is a link that ends with c-77. "
        f"{ENDS_WITH_IT}",
    ),
    Case(
        "a path, deep in the body, in several forms",
        Topic.CATALOG,
        reply(201, {"_links": {"self": {"href": "/v1/catalogs/c-77"}, "up": "/v1/catalogs/c-77/"}}),
        Certainty.WRONG,
        "Created; no property is the identifier, but _links.self.href is a link that ends with "
        f"c-77. {ENDS_WITH_IT}",
    ),
    Case(
        "beside an identifier of the request",
        Topic.CATALOG,
        reply(202, {"request_id": "r-1", "catalog": {"name": "shop", "url": "/v1/catalog/c-77"}}),
        Certainty.WRONG,
        "Accepted with 202; no property is the identifier, but catalog.url is a link that ends "
        f"with c-77. {ENDS_WITH_IT}",
    ),
    Case(
        "beside an identifier",
        Topic.CATALOG,
        reply(201, {"uid": "c-77", "self": "/v1/catalog/c-77"}),
        Certainty.WRONG,
        "Created; its identifier is under uid.",
        settings={"paths.catalog_id": "uid"},
    ),
    Case(
        "links to two catalogs",
        Topic.CATALOG,
        reply(201, {"self": "/v1/catalog/c-77", "next": "/v1/catalog/c-78"}),
        Certainty.WRONG,
        'Created; the body of the reply ({"self": "/v1/catalog/c-77", "next": "/v1/catalog/c-78"}) '
        "has no identifier that can be read, and no setting changes that: look for 'shop' in the "
        "service's dashboard, keep its identifier, and ask the service's support for it in the "
        "body. A task would fail without it.",
    ),
]


@pytest.mark.parametrize("row", WITH_LINK, ids=ids(WITH_LINK))
def test_the_end_of_the_only_link_to_a_catalog_is_named_if_no_property_is_the_identifier(row: Case):
    check_reply(row)


NO_REPLIES_OF_THE_SERVICE = [
    Case(
        "a page",
        Topic.CATALOG,
        reply(201, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "A web page came with status 201, perhaps from a gateway, so a task would fail. Look "
        "in the service's dashboard whether 'shop' was created.",
    ),
    Case(
        "half a body",
        Topic.CATALOG,
        reply(201, b'{"id": "c'),
        Certainty.NOT_PROVED,
        "JSON that cannot be read came with status 201, perhaps from a gateway, so a task "
        "would fail. Look in the service's dashboard whether 'shop' was created.",
    ),
]


@pytest.mark.parametrize("row", NO_REPLIES_OF_THE_SERVICE, ids=ids(NO_REPLIES_OF_THE_SERVICE))
def test_a_catalog_is_not_proved_by_a_page_or_half_a_body(row: Case):
    check_reply(row)
