"""
Which headers are sent next in place of the connection's workspace header. Another header may help
after two 401 of the list (not after one, and not if their words are about the key), or after one
error whose words name a header or say that one is missing, or if a data key other than the campaign
key gets two 401 and the list gets no files. Files, at any time, exclude it.
First the headers of the error's words are tried, then those that the reply's own headers hint at,
then the usual ones, all at once, without the connection's; what was tried is not tried again. An
error that is no 401, and names a header without saying that it is missing, excludes the usual ones;
so does one that names the connection's own header. A named header is missed in a 401, and if the
words say that it is missing; not in a 403 about a scope.
If several headers help, half of them are tried, rounded up, then half of what remains, down to one.
A lost read changes nothing; a redirect ends the search, and so does it if all usual ones do not
help. Headers that the words name are also to be sent besides the connection's; hinted ones only if
an error says that one is missing.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    ids,
    with_headers,
)
from support.doctor_header_reads import (
    ASKS_FOR_X_TENANT,
    HALF,
    REFUSED_TWICE,
    SAME_KEY_FOR_BOTH,
    USUAL,
    X_TENANT,
    Search,
    check,
    list_reply,
    segment_reply,
)
from support.doctor_replies import changed, error_body, evidence_of, reply, request_for
from wes_provider.doctor.reads import header
from wes_provider.doctor.reads.header import HEADERS
from wes_provider.doctor.replies.probes import Question

REFUSED = [
    Search("nothing", []),
    Search("files", [list_reply(200)]),
    Search("one refusal", REFUSED_TWICE[:1]),
    Search("two refusals", REFUSED_TWICE, refused=0, to_try=USUAL),
    Search("a refusal, then files", [list_reply(401), list_reply(200)]),
    Search("two refusals about the key", 2 * [list_reply(401, "The key expired.")]),
]


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_another_header_may_help_after_two_refusals_of_the_list_that_are_not_about_its_key(
    row: Search,
):
    check(row)


DATA_KEY_REFUSED = [
    Search(
        "a data key that is refused twice",
        [list_reply(400, "No."), segment_reply(401), segment_reply(401)],
        refused=1,
        to_try=USUAL,
    ),
    Search(
        "a data key that is refused twice, and is the campaign key",
        [
            list_reply(400, "No."),
            segment_reply(401, SAME_KEY_FOR_BOTH),
            segment_reply(401, SAME_KEY_FOR_BOTH),
        ],
        settings=SAME_KEY_FOR_BOTH,
    ),
    Search(
        "a data key that is refused twice, and files",
        [list_reply(200), segment_reply(401), segment_reply(401)],
    ),
    Search("a data key that is refused once", [list_reply(400, "No."), segment_reply(401)]),
    Search(
        "a data key that is refused, then gets 404",
        [list_reply(400, "No."), segment_reply(401), segment_reply(404)],
    ),
]


@pytest.mark.parametrize("row", DATA_KEY_REFUSED, ids=[row.name for row in DATA_KEY_REFUSED])
def test_another_header_may_help_if_another_data_key_is_refused_twice_and_no_read_gets_files(
    row: Search,
):
    check(row)


NAMED = [
    Search(
        "a 401 that names one",
        [list_reply(401, "Header X-Tenant is required")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a 401 that names the connection's",
        [
            list_reply(401, "Header Svc-Appkey is wrong"),
            list_reply(401, "Header Svc-Appkey is wrong"),
        ],
        refused=0,
        to_try=("Svc-Appkey",),
        to_add=(),
        missed=True,
    ),
    Search(
        "a 403 about a scope that names one",
        [list_reply(403, "The scope is missing: header X-Tenant")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
    ),
    Search(
        "a 400 that asks for one",
        [ASKS_FOR_X_TENANT],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a 400 with the name of one",
        [list_reply(400, "Bad X-Tenant")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
    ),
    Search(
        "a success with the name of one",
        [reply(200, {"message": "Header X-Tenant", "data": FILES})],
    ),
    Search(
        "a name of a 422, whose header gets the same",
        [
            list_reply(422, "Use X-Tenant"),
            with_headers("X-Tenant", 422, error_body("", "Use X-Tenant")),
        ],
        refused=0,
        to_try=(),
        to_add=X_TENANT,
    ),
    Search(
        "the name of the header that was sent, as it was sent",
        [list_reply(401, "Header SVC-APPKEY is not known")] * 2,
        refused=0,
        to_try=(),
    ),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_headers_that_the_words_of_an_error_name_are_tried_before_usual_ones(row: Search):
    """They are missed in a 401, or if words say that they are missing; not in a 403 about a scope."""
    check(row)


HINTED = [
    Search(
        "a hint",
        [list_reply(401, vary="X-Org"), list_reply(401)],
        refused=0,
        to_try=("X-Org",),
        to_add=(),
    ),
    Search(
        "a hint that was tried",
        [list_reply(401, vary="X-Org"), list_reply(401), with_headers("X-Org", 401)],
        refused=0,
        to_try=USUAL,
    ),
    Search(
        "a name that was tried, and a hint",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers("X-Tenant", 401),
        ],
        refused=0,
        to_try=("X-Org",),
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a name and a hint that were tried",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers("X-Tenant", 401),
            with_headers("X-Org", 401),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a name that was tried, of a 400",
        [
            list_reply(400, "Bad X-Tenant"),
            with_headers("X-Tenant", 400, error_body("", "Bad X-Tenant")),
        ],
        refused=0,
        to_try=(),
        to_add=X_TENANT,
    ),
    Search(
        "a missing tenant, and a hint",
        [list_reply(400, "Tenant is missing", vary="X-Org")],
        refused=0,
        to_try=("X-Org",),
        to_add=("X-Org",),
        missed=True,
    ),
    Search(
        "a data key that is refused twice, and a hint of the list's 400",
        [list_reply(400, "No.", vary="X-Org"), segment_reply(401), segment_reply(401)],
        refused=1,
        to_try=("X-Org",),
    ),
]


@pytest.mark.parametrize("row", HINTED, ids=[row.name for row in HINTED])
def test_headers_that_headers_of_a_reply_name_are_tried_after_those_of_its_words(row: Search):
    check(row)


HALVES = [
    Search("all help", [*REFUSED_TWICE, with_headers(" ".join(USUAL))], refused=0, to_try=HALF),
    Search(
        "three help",
        [*REFUSED_TWICE, with_headers("A B C")],
        refused=0,
        to_try=("A", "B"),
    ),
    Search(
        "three help, and the first two do not",
        [
            *REFUSED_TWICE,
            with_headers("A B C"),
            with_headers("A B", 401),
        ],
        refused=0,
        to_try=("C",),
    ),
    Search(
        "two of three help",
        [*REFUSED_TWICE, with_headers("A B C"), with_headers("A B")],
        refused=0,
        to_try=("A",),
    ),
    Search("all do not help", [*REFUSED_TWICE, with_headers(" ".join(USUAL), 401)], refused=0),
    Search(
        "two help, and the first is lost",
        [*REFUSED_TWICE, with_headers("A B"), with_headers("A", 503)],
        refused=0,
        to_try=("A",),
    ),
    Search(
        "two help, and the first is redirected",
        [*REFUSED_TWICE, with_headers("A B"), with_headers("A", 302)],
        refused=0,
    ),
]


@pytest.mark.parametrize("row", HALVES, ids=ids(HALVES))
def test_several_headers_are_tried_at_once_then_the_half_that_helps(row: Search):
    check(row)


def test_the_usual_headers_that_are_tried_leave_out_the_connections_in_any_case_of_letters():
    """The connection has x-app-id, and X-App-Id is not tried again."""
    settings = changed(workspace_header="x-app-id")
    request = request_for(Question.LIST, settings)
    evidence = evidence_of(*2 * [reply(401, request=request)], settings=settings)
    assert header.headers_to_try(evidence) == tuple(name for name in HEADERS if name != "X-App-Id")
