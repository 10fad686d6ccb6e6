"""
A catalog is created (*sure*) if the reply has an identifier where the provider reads it. But it is
*not proved* if the reply says that the catalog was there: created: false, already_exists: true, or
words. It is *not proved*, too, if the reply may be about an operation: a 202, done: false, a state
such as provisioning or QUEUED, the type operation, or an identifier called after a request or a
job. Flags and states of what is done (created: true, done: true, ACTIVE), and a name that sounds
so, do not count.
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

EXISTED = [
    *(
        Case(
            said,
            Topic.CATALOG,
            reply(200, {"id": "c1", **beside}),
            Certainty.NOT_PROVED,
            f"Accepted with 200, and c1 is an identifier, but by the reply ({said}) nothing was "
            "created: 'shop' seems to have been there. A task would take that catalog for the one "
            "that it creates. To see a creation, name a catalog that does not exist.",
            guesses={"paths.catalog_id": None},
        )
        for beside, said in (
            ({"created": False}, "created: false"),
            ({"meta": {"already_exists": True}}, "meta.already_exists: true"),
            (
                {"message": "A catalog of this name exists; it is returned unchanged."},
                "message: 'A catalog of this name exists; it is returned unchanged.'",
            ),
        )
    ),
]


@pytest.mark.parametrize("row", EXISTED, ids=ids(EXISTED))
def test_a_catalog_is_not_created_whose_reply_says_that_it_was_there(row: Case):
    check_reply(row)


READ = [
    Case(
        "catalog_id",
        Topic.CATALOG,
        reply(201, {"catalog_id": "c1"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id beside a ref",
        Topic.CATALOG,
        reply(201, {"id": "c1", "ref": "c2"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and flags that say that it is new",
        Topic.CATALOG,
        reply(
            201,
            {"id": "c1", "created": True, "exists": False, "new": 0, "name": "It already exists"},
        ),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and a header of something else with the same value",
        Topic.CATALOG,
        reply(201, {"id": "c1"}, etag="c1"),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and done: null",
        Topic.CATALOG,
        reply(200, {"id": "c1", "done": None}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and done: true",
        Topic.CATALOG,
        reply(200, {"id": "c1", "done": True}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and the status ACTIVE",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "status": "ACTIVE", "type": "catalog"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id beside the name, and an owner below it",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "owner": {"id": "u7"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "the same id beside the name and above it",
        Topic.CATALOG,
        reply(201, {"id": "c1", "catalog": {"id": "c1", "name": "shop"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "id, and the name below an object without one",
        Topic.CATALOG,
        reply(201, {"id": "c1", "request": {"name": "shop"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "text in place of JSON",
        Topic.CATALOG,
        reply(201, b"c1", content_type="text/plain"),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
]


@pytest.mark.parametrize("row", READ, ids=ids(READ))
def test_a_catalog_is_created_whose_reply_has_an_identifier_where_the_provider_reads_it(row: Case):
    check_reply(row)


ON_ITS_WAY = [
    Case(
        "id with 202",
        Topic.CATALOG,
        reply(202, {"id": "op-5", "metadata": {"target": "catalogs/c7"}}),
        Certainty.NOT_PROVED,
        "Accepted with 202, and not done yet: op-5 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "id, and done: false",
        Topic.CATALOG,
        reply(200, {"id": "op-5", "done": False}),
        Certainty.NOT_PROVED,
        "Accepted with 200, and not done yet: op-5 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "id, and the status provisioning",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "status": "provisioning"}),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet: c1 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "id, and the type operation",
        Topic.CATALOG,
        reply(201, {"id": "req_1", "type": "operation", "name": "shop"}),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet: req_1 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "request_id with 202",
        Topic.CATALOG,
        reply(202, {"request_id": "req-77c1", "state": "ACCEPTED"}),
        Certainty.NOT_PROVED,
        "Accepted with 202: request_id may be the identifier of the request or of an operation, "
        "and not the catalog's. Look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support which property of a reply has it.",
    ),
    Case(
        "job_ref with 201",
        Topic.CATALOG,
        reply(201, {"job_ref": "j-7"}),
        Certainty.NOT_PROVED,
        "Accepted with 201: job_ref may be the identifier of the request or of an operation, and "
        "not the catalog's. Look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support which property of a reply has it.",
    ),
    Case(
        "ref, and the state QUEUED",
        Topic.CATALOG,
        reply(201, {"id": 0, "name": "shop", "state": "QUEUED", "ref": "c1"}),
        Certainty.NOT_PROVED,
        "Accepted with 201: ref may be the identifier of the request or of an operation, and not "
        "the catalog's. Look for 'shop' in the service's dashboard, keep its identifier, and ask "
        "the service's support which property of a reply has it.",
    ),
    Case(
        "no identifier but of the request, and a state on its way",
        Topic.CATALOG,
        reply(
            201,
            {
                "id": "00000000-0000-0000-0000-000000000000",
                "name": "shop",
                "state": "PROVISIONING",
                "ref": "ctlg_7",
                "status_url": "/v1/catalog/requests/ctlg_7",
            },
        ),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet, so which property will have the catalog's identifier "
        "is not shown. Look for 'shop' in the service's dashboard, keep its identifier, and ask "
        "the service's support where a reply has it.",
    ),
]


@pytest.mark.parametrize("row", ON_ITS_WAY, ids=ids(ON_ITS_WAY))
def test_an_identifier_may_be_an_operations_if_the_reply_is_about_one(row: Case):
    check_reply(row)
