"""
If an update is refused, and the error names another header than the one that was sent, the header
of the workspace is *wrong*, too: it may be the named one. If the connection sends another one than
the contract's, and the error names the contract's, the setting is to be left out. If the error
names the header that was sent, or if its status is 405 or 406, nothing is said of the header: these
are about another method or a negotiation.
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

HEADERS = [
    Case(
        "another header than the connection's",
        Topic.SEGMENT,
        reply(
            400, {"error": {"code": "header-missing", "message": "Header X-WORKSPACE is missing."}}
        ),
        Certainty.WRONG,
        "The service replies 400 header-missing to PATCH /v3/custom-segments/vip: 'Header "
        "X-WORKSPACE is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "SVC-APPKEY is sent, but the service replies 400 header-missing: 'Header "
                "X-WORKSPACE is missing'. Ask the service's support which header has the "
                "workspace.",
            ),
        ],
    ),
    Case(
        "the header of the contract",
        Topic.SEGMENT,
        reply(
            400, {"error": {"code": "header-missing", "message": "Header SVC-APPKEY is missing."}}
        ),
        Certainty.WRONG,
        "The service replies 400 header-missing to PATCH /v3/custom-segments/vip: 'Header "
        "SVC-APPKEY is missing'. Nothing was done. Ask the service's support.",
    ),
    Case(
        "the header of the contract, while the connection has another",
        Topic.SEGMENT,
        reply(400, {"error": {"code": "x", "message": "Header SVC-APPKEY is missing."}}),
        Certainty.WRONG,
        "The service replies 400 x to PATCH /v3/custom-segments/vip: 'Header SVC-APPKEY is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "X-App-Id is sent, but the service replies 400 x: 'Header SVC-APPKEY is missing'. "
                "Leave workspace_header out, and ask the service's support about X-App-Id.",
            )
        ],
        connection={"workspace_header": "X-App-Id"},
    ),
    Case(
        "a third header, while the connection has another than the contract's",
        Topic.SEGMENT,
        reply(400, {"error": {"code": "x", "message": "Header X-Tenant is missing."}}),
        Certainty.WRONG,
        "The service replies 400 x to PATCH /v3/custom-segments/vip: 'Header X-Tenant is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "X-App-Id is sent, but the service replies 400 x: 'Header X-Tenant is missing'. "
                "Ask the service's support which header has the workspace.",
            )
        ],
        connection={"workspace_header": "X-App-Id"},
    ),
    Case(
        "a header for another method, with 405",
        Topic.SEGMENT,
        reply(
            405,
            {"error": {"code": "no-patch", "message": "Send POST with X-HTTP-Method-Override."}},
        ),
        Certainty.WRONG,
        "The service replies 405 no-patch to PATCH /v3/custom-segments/vip: 'Send POST with "
        "X-HTTP-Method-Override'. Nothing was done. The provider sends PATCH to this path, and no "
        "setting changes either: ask the service's support to take that.",
    ),
    Case(
        "a third header, with 405",
        Topic.SEGMENT,
        reply(405, {"error": {"code": "x", "message": "Header X-Tenant is missing."}}),
        Certainty.WRONG,
        "The service replies 405 x to PATCH /v3/custom-segments/vip: 'Header X-Tenant is missing'. "
        "Nothing was done. The provider sends PATCH to this path, and no setting changes either: "
        "ask the service's support to take that.",
    ),
    Case(
        "the header Accept, with 406",
        Topic.SEGMENT,
        reply(406, {"error": {"code": "no", "message": "Send the header Accept: a/b."}}),
        Certainty.WRONG,
        "The service replies 406 no to PATCH /v3/custom-segments/vip: 'Send the header "
        "Accept: a/b'. Nothing was done. The provider sends application/json, and asks for it, and no "
        "setting changes that: ask the service's support, or whoever runs the gateway, to accept "
        "updates with that.",
    ),
]


@pytest.mark.parametrize("row", HEADERS, ids=ids(HEADERS))
def test_a_header_that_an_error_names_is_wrong_if_it_may_have_the_workspace(row: Case):
    """Not one that a negotiation or another method is about."""
    check_reply(row)
