"""
If the key of a change is refused (a 401 whose code says so), the change and the key are *wrong*,
whatever reads get: nothing was done. The key is to be pasted again; words such as "expired" say
otherwise what to do.

If an error comes with the status 200, the change is *wrong*. An update is refused then, and the key
is *wrong*, too, if the code is that of a refused key. Of an upload it is open whether it was done:
its file is to be looked for before anything is uploaded again.
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

REFUSED_KEYS = [
    Case(
        "an upload",
        Topic.UPLOAD,
        reply(401, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Campaign API key: refused (401 invalid-api-key), so nothing was done. Paste the key "
        "again, or check whether it may do this.",
        besides=[
            (
                Topic.CAMPAIGN_KEY,
                Certainty.WRONG,
                "Refused for an upload (401 invalid-api-key), whatever reads get. Paste the "
                "key again, or check whether it may do this.",
            ),
        ],
    ),
    Case(
        "an upload, and the words say that the key has expired",
        Topic.UPLOAD,
        reply(401, {"error": {"code": "invalid-api-key", "message": "The key has expired."}}),
        Certainty.WRONG,
        "Campaign API key: refused (401 invalid-api-key: 'The key has expired'), so nothing "
        "was done. Make a new key, or have its time extended, and put it in.",
        besides=[
            (
                Topic.CAMPAIGN_KEY,
                Certainty.WRONG,
                "Refused for an upload (401 invalid-api-key: 'The key has expired'), "
                "whatever reads get. Make a new key, or have its time extended, and put it "
                "in.",
            ),
        ],
    ),
    Case(
        "an update",
        Topic.SEGMENT,
        reply(401, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Data API key: refused (401 invalid-api-key), so nothing was done. Paste the key "
        "again, or check whether it may do this.",
        besides=[
            (
                Topic.DATA_KEY,
                Certainty.WRONG,
                "Refused for an update (401 invalid-api-key), whatever reads get. Paste the "
                "key again, or check whether it may do this.",
            ),
        ],
    ),
]


@pytest.mark.parametrize("row", REFUSED_KEYS, ids=ids(REFUSED_KEYS))
def test_a_change_with_a_refused_key_is_wrong_and_so_is_the_key(row: Case):
    check_reply(row)


ERRORS_IN_SUCCESSES = [
    Case(
        "an upload, with success: false",
        Topic.UPLOAD,
        reply(200, {"success": False, "message": "No."}),
        Certainty.WRONG,
        "The service or a gateway replies 200 with an error to POST "
        "/v1/coupon-list/spring/files: 'No'. A task cannot tell whether it was done, since "
        "the status is that of a success: ask the service's support. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "an update, with success: false",
        Topic.SEGMENT,
        reply(200, {"success": False, "code": "10003", "message": "Unknown segment"}),
        Certainty.WRONG,
        "Refused (200 10003: 'Unknown segment'), though a task takes the status for a "
        "success. Ask the service's support. Look in the service's dashboard whether "
        "anything was done.",
    ),
    Case(
        "an update, with the code of a refused key",
        Topic.SEGMENT,
        reply(200, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Refused (200 invalid-api-key: 'No'), though a task takes the status for a success. "
        "Paste the key again, or check whether it may do this.",
        besides=[
            (
                Topic.DATA_KEY,
                Certainty.WRONG,
                "Refused for an update (200 invalid-api-key: 'No'), whatever reads get. "
                "Paste the key again, or check whether it may do this.",
            ),
        ],
    ),
]


@pytest.mark.parametrize("row", ERRORS_IN_SUCCESSES, ids=ids(ERRORS_IN_SUCCESSES))
def test_an_error_with_the_status_of_a_success_is_wrong(row: Case):
    """Of an update it is a refusal; of an upload, whether it was done is open."""
    check_reply(row)
