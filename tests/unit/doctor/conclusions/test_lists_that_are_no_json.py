"""
If the list gets a web page with another status than 404, while another path gets the service's own
reply, its path is *not proved* and the Address right; a firewall's page is said, and so is a slash
in the list's identifier, which is sent escaped. If its body is text, or JSON that is cut or longer
than the provider reads, it is *not proved*. If it is JSON in a call, as JSONP, or before other
text, or another form with a name (CSV, XML), it is *wrong* if it came twice and another reply is an
error of the service, and else *not proved*, as gzip that is called CSV is. A page with 404 only
shows no list: *not proved*. Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    PAGE,
    Said,
    ids,
    nowhere,
)
from support.doctor_paths import (
    NOT_PROVED,
    WRAPPED,
    WRONG,
    PathCase,
    check_list,
    given_list,
    given_list_twice,
)
from support.doctor_replies import request_for
from wes_provider.contract import MIB
from wes_provider.doctor.replies.probes import Question

READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
CALLED_JSON = {"headers": {"content-type": "application/json"}}
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


CSV = {"headers": {"content-type": "text/csv"}}
AS_CSV = (
    "The list comes as CSV (200 with text/csv: '_id,status f1,NEW'), which the provider cannot "
    "read, and no setting changes that: ask the service's support for JSON. Other paths reply "
    "here, so the Address"
)
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
        "CSV twice",
        [*given_list_twice(200, "_id,status\r\nf1,NEW", **CSV), nowhere()],
        Said(WRONG, f"{AS_CSV} is right."),
    ),
    PathCase(
        "CSV once",
        [given_list(200, "_id,status\r\nf1,NEW", **CSV), nowhere()],
        Said(NOT_PROVED, f"{AS_CSV} is right."),
    ),
    PathCase(
        "CSV twice, and nowhere no error of the service",
        [
            *given_list_twice(200, "_id,status\r\nf1,NEW", **CSV),
            nowhere(400, {"error": "No."}),
        ],
        Said(NOT_PROVED, f"{AS_CSV} may be right."),
    ),
    PathCase(
        "XML that is called XML twice",
        [*given_list_twice(200, "<files/>", headers={"content-type": "text/xml"}), nowhere()],
        Said(
            WRONG,
            "The list comes as XML (200 with text/xml: '<files/>'), which the provider cannot "
            "read, and no setting changes that: ask the service's support for JSON. Other paths "
            "reply here, so the Address is right.",
        ),
    ),
    PathCase(
        "gzip that is called CSV twice",
        [*given_list_twice(200, b"\x1f\x8b\x00", **CSV), nowhere()],
        Said(
            NOT_PROVED,
            "200 with text/csv came, but its body is gzip (it begins with 1f 8b) without "
            "Content-Encoding: a proxy may have dropped that header. No setting helps: ask whoever "
            "runs what is between, or the service's support. Other paths reply here, so the "
            "Address is right.",
        ),
    ),
    PathCase(
        "JSON before other text twice",
        [*given_list_twice(200, '[{"a": 1}]\n-- end'), nowhere()],
        Said(
            WRONG,
            "The service replies with JSON before other text ('-- end'), which the provider cannot "
            "read, and no setting changes that: send that line to its support. Other paths reply "
            "here, so the Address is right.",
        ),
    ),
    PathCase(
        "text twice",
        [*given_list_twice(200, "OK"), nowhere()],
        Said(
            NOT_PROVED,
            "The list comes as text (200 with no Content-Type: 'OK'), which the provider cannot "
            "read, and no setting changes that: ask the service's support for JSON. Other paths "
            "reply here, so the Address is right.",
        ),
    ),
    PathCase(
        "JSON that is cut",
        [given_list(200, '[{"_id": "f1"'), nowhere()],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. Run this "
            "again. Other paths reply here, so the Address is right.",
        ),
    ),
    *(
        PathCase(
            f"{name} that is longer than the provider reads twice",
            [*given_list_twice(200, begins + b" " * 32 * MIB), nowhere()],
            Said(
                NOT_PROVED,
                "The list is longer than the 32 MB that the provider reads. Tasks upload and wait, "
                "but cannot look in such a list for an upload whose outcome is not known: use "
                "lists with fewer files, and name one in --coupon-list, or ask the service's "
                "support for shorter records in lists. Other paths reply here, so the Address is "
                "right.",
            ),
        )
        for name, begins in {"JSON": b"[", "wrapped JSON": WRAPPED.encode()}.items()
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
def test_a_reply_that_is_no_json_is_wrong_only_if_its_form_has_a_name_and_came_twice(
    row: PathCase,
):
    check_list(row)
