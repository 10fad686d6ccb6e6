"""
If no reply has a list, its path is *not asked* if nothing was read or the key was refused, and else
*not proved*, with the first of these that holds. A web page with another status than 404 came,
while another path gets the service's own reply: the Address is right; a firewall's page, or an
escaped slash in the identifier, is said. The body is no JSON; it is *wrong* if it is JSON in a
call, came twice, and another reply is an error of the service. A documented 403 may come from the
right path. After an upload, the path does not show the uploaded file, even if the list was refused.
The first path that does not exist gets the same JSON. No list was named: name one. A 202 is a
job's, whose properties are quoted without secrets. JSON as a string under body is a gateway's
envelope. An object without an array leaves the path open; it is *wrong* if it came twice and a
made-up key was refused. Anything else, such as a web page with 404, shows no list.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    PAGE,
    Said,
    ids,
    made_up,
    nowhere,
)
from support.doctor_paths import (
    NOT_ASKED,
    NOT_PROVED,
    WRAPPED,
    WRONG,
    PathCase,
    check_list,
    given_list,
    given_list_twice,
    without_sesame,
)
from support.doctor_replies import error, request_for
from wes_provider import contract
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.probes import Question

READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
CALLED_JSON = {"headers": {"content-type": "application/json"}}
NOT_READ = [
    PathCase(
        "nothing was read", [], Said(NOT_ASKED, "Not asked, because other replies left it open.")
    ),
    PathCase(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_ASKED, "Not asked, because the time ran out."),
        not_asked={Question.LIST_PATH: "the time ran out"},
    ),
    PathCase(
        "refused",
        [given_list(401)],
        Said(NOT_ASKED, "Not asked, because other replies left it open."),
    ),
]


@pytest.mark.parametrize("row", NOT_READ, ids=ids(NOT_READ))
def test_the_path_is_not_asked_if_nothing_was_read_or_the_list_is_refused(row: PathCase):
    check_list(row)


PAGES = [
    PathCase(
        "a page, while other paths reply",
        [given_list(400, PAGE), nowhere()],
        Said(
            NOT_PROVED,
            "A web page came with status 400: 'Hello'. Other paths reply here, so the Address is "
            "right. Ask the service's support.",
        ),
    ),
    PathCase(
        "a firewall's page, while other paths reply",
        [given_list(403, "<title>Request blocked by the firewall</title>"), nowhere()],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Request blocked by the firewall'. Other paths reply "
            "here, so the Address is right. A firewall may keep these requests out. Change no key, "
            "but have whoever runs it let your workers and triggerers in, whether it keeps out "
            "their addresses or their User-Agent (airflow-provider-wes), and run this from there.",
        ),
    ),
    PathCase(
        "a page for an escaped slash, while other paths reply",
        [*2 * [given_list(400, PAGE, request=READ_OF_ESCAPED_LIST)], nowhere()],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring%2Fsale/files: 'Hello'. The list's identifier has '/' (%2F), "
            "which the provider sends escaped, and other paths reply as the service does. Name the "
            "list by its identifier in the service's dashboard, or have such paths let through.",
        ),
        list_id="spring/sale",
    ),
    PathCase(
        "a page for an escaped slash, and a page and an error of the service nowhere",
        [
            given_list(400, PAGE, request=READ_OF_ESCAPED_LIST),
            nowhere(404, PAGE),
            nowhere(404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring%2Fsale/files: 'Hello'. The list's identifier has '/' (%2F), "
            "which the provider sends escaped, and other paths reply as the service does. Name the "
            "list by its identifier in the service's dashboard, or have such paths let through.",
        ),
        list_id="spring/sale",
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_a_page_leaves_the_path_open_while_some_other_path_gets_the_services_own_reply(
    row: PathCase,
):
    check_list(row)


NO_JSON = [
    PathCase(
        "no JSON",
        [given_list(200, "no JSON", **CALLED_JSON), nowhere()],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support. Other paths reply here, so the Address is right.",
        ),
    ),
    PathCase(
        "wrapped JSON twice",
        [*given_list_twice(200, WRAPPED), nowhere()],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address is right.",
        ),
    ),
    PathCase(
        "wrapped JSON once",
        [given_list(200, WRAPPED), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address is right.",
        ),
    ),
    PathCase(
        "wrapped JSON, and nowhere no error of the service",
        [given_list(200, WRAPPED), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address may be right.",
        ),
    ),
    PathCase(
        "a page",
        [given_list(404, PAGE), nowhere()],
        Said(
            NOT_PROVED,
            "What replied sent 404, which is not the service's, to GET "
            "/v1/coupon-list/spring/files: 'Hello'. This path does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_JSON, ids=ids(NO_JSON))
def test_a_reply_that_is_no_json_is_wrong_only_if_it_is_wrapped_json_and_came_twice(row: PathCase):
    check_list(row)


UNNAMED = [
    PathCase(
        "an object, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
    PathCase(
        "an object, and nowhere the same, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(200, {"hello": "you"}),
        ],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
        list_id=MADE_UP,
    ),
    PathCase(
        "404, and no list is named",
        [
            given_list(404, NOT_FOUND, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
]


@pytest.mark.parametrize("row", UNNAMED, ids=ids(UNNAMED))
def test_without_a_named_list_the_path_may_be_right_unless_any_path_gets_the_same(row: PathCase):
    check_list(row)


NO_ARRAY = [
    PathCase(
        "an object",
        [given_list(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object once, and a made-up key is refused",
        [given_list(200, {"hello": "you"}), nowhere(), made_up(401)],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object twice, and no made-up key was read",
        [*given_list_twice(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object twice, and a made-up key is refused",
        [*given_list_twice(200, {"hello": "you"}), nowhere(), made_up(401)],
        Said(
            WRONG,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_ARRAY, ids=ids(NO_ARRAY))
def test_json_without_a_list_leaves_the_path_open_unless_it_came_twice_and_the_key_is_accepted(
    row: PathCase,
):
    check_list(row)


JOBS = [
    PathCase(
        "a job that collects the list",
        [
            given_list(
                202,
                {"job": "e1", "state": "queued", "by": "x", "more": 1},
                headers={"location": "/v1/exports/e1"},
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, with https://api.example.com/v1/exports/e1 as its "
            "Location (job e1, state queued, by x), as if a job collected it, and the provider "
            "cannot fetch what a job has made. The path may be right: ask the service's support "
            "for one that replies with the files themselves.",
        ),
    ),
    PathCase(
        "an object with 202 that says nothing",
        [given_list(202, {"a": []}), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, as if a job collected it, and the provider cannot fetch "
            "what a job has made. The path may be right: ask the service's support for one that "
            "replies with the files themselves.",
        ),
    ),
    PathCase(
        "a job whose state has a secret",
        [given_list(202, {"state": "for sesame"}, clean=without_sesame), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files (state for ***), as if a job collected it, and the "
            "provider cannot fetch what a job has made. The path may be right: ask the service's "
            "support for one that replies with the files themselves.",
        ),
    ),
    PathCase(
        "a job with a number",
        [given_list(202, {"job": 7}), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files (job 7), as if a job collected it, and the provider "
            "cannot fetch what a job has made. The path may be right: ask the service's support "
            "for one that replies with the files themselves.",
        ),
    ),
]


@pytest.mark.parametrize("row", JOBS, ids=ids(JOBS))
def test_a_success_with_202_is_taken_for_a_list_that_a_job_collects(row: PathCase):
    check_list(row)


def test_of_an_envelope_of_a_gateway_is_said_where_its_json_is():
    check_list(
        PathCase(
            "an envelope of a gateway",
            [given_list(200, {"statusCode": 200, "body": '[{"_id": "f1"}]'}), nowhere()],
            Said(
                NOT_PROVED,
                "It has JSON as a string under body, as the envelope of a function has it, which the "
                "provider does not open: ask whoever runs the gateway to send what is in it. The path "
                "itself may be right.",
            ),
        )
    )


SAME_NOWHERE = [
    PathCase(
        "an object, and nowhere the same",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
    PathCase(
        "an object, and the same at the first of two paths nowhere",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAME_NOWHERE, ids=ids(SAME_NOWHERE))
def test_the_path_is_open_if_the_first_path_that_does_not_exist_gets_the_same_json(row: PathCase):
    check_list(row)


AFTER_UPLOAD = [
    PathCase(
        "refused",
        [given_list(401)],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "an object, and nowhere the same",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
]


@pytest.mark.parametrize("row", AFTER_UPLOAD, ids=ids(AFTER_UPLOAD))
def test_after_an_upload_a_reply_without_a_list_does_not_show_the_uploaded_file(row: PathCase):
    check_list(row)


def test_a_documented_403_may_come_from_the_right_path_even_after_an_upload():
    check_list(
        PathCase(
            "403 as documented, after an upload",
            [given_list(403, error(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
            Said(
                NOT_PROVED,
                "The service replies 403 request-forbidden to GET "
                "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
                "service's support for access.",
            ),
            uploaded="f9",
        )
    )
