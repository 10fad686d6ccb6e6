"""
The header is *not proved* if the key is refused, and no other header is accepted. The first of
these says why. The refusal demands another scheme, or says that credentials are missing: no reply
shows the header. It names the header that was sent: it is quoted. No other header was sent: no
reply shows it. A read with other headers got an answer, such as 200 or 404: that settles nothing.
The refusal names headers: they get no better reply; or another refusal, which is quoted; or no
reply, and then why. It misses a header: no usual one is it, nor those that Vary names. Else, all
usual ones are refused, too, by the same or another 401: the key or the workspace may be wrong.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    with_headers,
    with_headers_besides,
)
from support.doctor_headers import (
    HINT,
    NAMES_TENANT,
    NOT_PROVED,
    SENT,
    Case,
    check_header,
    list_read_twice,
    list_refused_twice,
)
from support.doctor_replies import error_body
from support.doctor_service import LIST
from wes_provider.doctor.reads.header import HEADERS
from wes_provider.doctor.replies.probes import Question

LIST_PATH = f"/v1/coupon-list/{LIST}/files"

USUAL = " ".join(name for name in HEADERS if name != SENT)
STRANGE = error_body("teapot", "Moon phase is unfavourable.")
MISSES_ONE = error_body("", "Missing tenant header")


NO_SEARCH = [
    Case(
        "nothing was read",
        [],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "401 twice",
        list_refused_twice(),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "401 with the name of the header that was sent",
        list_refused_twice(error_body("", f"Header {SENT} is not known.")),
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    Case(
        "401, then with the name of the header that was sent",
        [listed(401, UNAUTHENTICATED), again(401, error_body("", f"Header {SENT} is not known."))],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_SEARCH, ids=ids(NO_SEARCH))
def test_the_header_is_open_if_the_key_is_refused_and_no_other_header_was_sent(row: Case):
    check_header(row)


NO_ANSWER_TO_SEARCH = [
    Case(
        "a named header gets 429",
        [*list_read_twice(400, NAMES_TENANT), with_headers("X-Tenant", 429)],
        Said(
            NOT_PROVED,
            f"The service replies 400 to GET {LIST_PATH}: 'Header X-Tenant is required'. No read "
            "with X-Tenant got an answer, because the limit was used up. Run this again later.",
        ),
        not_asked={Question.HEADER: "the limit was used up"},
    ),
    Case(
        "no header is named, and usual ones get 429",
        [*list_refused_twice(), with_headers(USUAL, 429)],
        Said(NOT_PROVED, "No reply shows whether the service takes SVC-APPKEY."),
        not_asked={Question.HEADER: "the limit was used up"},
    ),
]


@pytest.mark.parametrize("row", NO_ANSWER_TO_SEARCH, ids=ids(NO_ANSWER_TO_SEARCH))
def test_a_named_header_is_quoted_if_no_read_with_it_got_an_answer(row: Case):
    check_header(row)


OTHER_REPLIES = [
    Case(
        "all usual headers get files, and one of them 401",
        [*list_refused_twice(), with_headers(USUAL), with_headers("X-App-Id", 401)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get 500, and one of them 404",
        [
            *list_refused_twice(),
            with_headers(USUAL, 500, STRANGE),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get the same, and one of them 404",
        [
            *list_refused_twice(),
            with_headers(USUAL, 401, UNAUTHENTICATED),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "a named header gets 404 besides",
        [*list_refused_twice(NAMES_TENANT), with_headers_besides("X-Tenant", 404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401; with other headers, one got 404 "
            "not-found. That does not settle whether the service takes SVC-APPKEY: run "
            "this again later.",
        ),
    ),
    Case(
        "all usual headers get 404, and one of them files",
        [*list_refused_twice(), with_headers(USUAL, 404, NOT_FOUND), with_headers("X-App-Id")],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get another 401, and one of them 404",
        [
            *list_refused_twice(),
            with_headers(USUAL, 401, error_body("no-tenant", "Who?")),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_REPLIES, ids=ids(OTHER_REPLIES))
def test_another_header_that_gets_another_reply_settles_nothing(row: Case):
    check_header(row)


NO_BETTER = [
    Case(
        "a named header gets the same",
        [*list_refused_twice(NAMES_TENANT), with_headers("X-Tenant", 401, NAMES_TENANT)],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, but a read with it gets no better answer: ask "
            "the service's support what it has to have.",
        ),
    ),
    Case(
        "a named header gets another refusal",
        [
            *list_refused_twice(NAMES_TENANT),
            with_headers("X-Tenant", 401, error_body("unknown-tenant", "Who is that?")),
        ],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, and reads it: with the workspace in it, a read gets 401 "
            "unknown-tenant: 'Who is that?'. A gateway may demand a key of its own there, which "
            "the provider cannot send besides SVC-APPKEY; or it is the workspace's header, and "
            "Workspace identifier is wrong: ask the service's support which of the two it is.",
        ),
    ),
    Case(
        "two named headers get the same",
        [
            *list_refused_twice(error_body("", "Headers X-Tenant and X-Realm are required.")),
            with_headers("X-Tenant X-Realm", 401, NAMES_TENANT),
        ],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, X-Realm, but a read with it gets no better "
            "answer: ask the service's support what it has to have.",
        ),
    ),
    Case(
        "a header is missed, and all usual ones get the same",
        [*list_refused_twice(MISSES_ONE), with_headers(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one. Ask its support for the name, and put it "
            "into Workspace header.",
        ),
    ),
    Case(
        "the very header is missed that was sent",
        list_refused_twice(error_body("missing-header", "Required header SVC-APPKEY is missing.")),
        Said(
            NOT_PROVED,
            "The service misses SVC-APPKEY (401 missing-header: 'Required header SVC-APPKEY is "
            "missing'), which was sent: something on the way may take it out. Change no setting: "
            "ask whoever runs the proxy or gateway in between to pass it on.",
        ),
    ),
    Case(
        "the very header is missed that was sent, and a proxy names itself",
        list_refused_twice(
            error_body("missing-header", "Required header svc-appkey is missing."),
            headers={"via": "1.1 corp-proxy-2"},
        ),
        Said(
            NOT_PROVED,
            "The service misses SVC-APPKEY (401 missing-header: 'Required header svc-appkey is "
            "missing'), which was sent: something on the way may take it out (replies come by 1.1 "
            "corp-proxy-2). Change no setting: ask whoever runs the proxy or gateway in between to "
            "pass it on.",
        ),
    ),
    Case(
        "a header is missed, and Vary names one",
        [*list_refused_twice(MISSES_ONE, headers=HINT), with_headers(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, which replies name. Ask "
            "its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and Vary names two",
        [
            *list_refused_twice(MISSES_ONE, headers={"vary": "X-Tenant, X-Realm"}),
            with_headers(USUAL, 401, MISSES_ONE),
        ],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, X-Realm, which replies "
            "name. Ask its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "all usual headers get another 401",
        [*list_refused_twice(), with_headers(USUAL, 401, error_body("no-tenant", "Who?"))],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY is refused as well (401 "
            "no-tenant); Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get the same",
        [*list_refused_twice(), with_headers(USUAL, 401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY gets the same; "
            "Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get 401, with a challenge for another scheme",
        [
            *list_refused_twice(headers={"www-authenticate": "Negotiate"}),
            with_headers(USUAL, 401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "the error says that credentials are missing, and all usual headers get another 401",
        [
            *list_refused_twice(error_body("", "No credentials were sent.")),
            with_headers(USUAL, 401, error_body("no-tenant", "Who?")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_BETTER, ids=ids(NO_BETTER))
def test_the_header_is_open_if_no_other_one_that_was_sent_gets_a_better_reply(row: Case):
    check_header(row)
