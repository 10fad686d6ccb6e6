"""
If all redirects lead below another address, the Address is *wrong* once the last read there got an
answer, such as 200 or 400, or a 401: it is to be put in. It is *not proved* if no read was sent
there, or the last one failed; and if it got a 404, a 405 or a page: the address is to be checked.
If a path of the connection begins with the new prefix, that is to be taken out of paths. The
finding names two redirects, the reads there, and the other redirects, in this order.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    NOT_PROVED,
    STRANGE,
    WRONG,
    Case,
    below,
    elsewhere,
)
from support.doctor_findings import (
    NOT_FOUND,
    PAGE,
    Said,
    ids,
    listed,
    nowhere,
    numbers_of,
    segment,
)
from support.doctor_replies import (
    changed,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_moved,
)
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Question

ALL_BELOW = [below("/gw", listed()), below("/gw", nowhere()), below("/gw", segment())]
WITH_PREFIX = changed(coupon_files_path="/gw/v1/coupon-list/{coupon_list_id}/files")
FILE_WITH_PREFIX = changed(
    coupon_file_path="/gw/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
)
MOVED = [
    Case(
        "not read",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address. Run "
            "this again later.",
        ),
    ),
    Case(
        "not read, since the time ran out",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because the time ran out: put it into the Address. Run this again "
            "later.",
        ),
        not_asked={Question.OTHER_ADDRESS: "the time ran out"},
    ),
    Case(
        "500 there",
        [*ALL_BELOW, elsewhere(500)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because it failed: put it into the Address. Run this again later.",
        ),
        not_asked={Question.OTHER_ADDRESS: "it failed"},
    ),
    Case(
        "files there",
        [*ALL_BELOW, elsewhere(200)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 200. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "401 there",
        [*ALL_BELOW, elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "404 there",
        [*ALL_BELOW, elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 404 not-found: 'Nothing is here'. Check the address, and whether a "
            "proxy, a gateway or a login page replied in the service's place.",
        ),
    ),
    Case(
        "405 there",
        [*ALL_BELOW, elsewhere(405, STRANGE)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 405 teapot: 'Moon phase is unfavourable'. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "400 there",
        [*ALL_BELOW, elsewhere(400, STRANGE)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 400 teapot. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "a page there",
        [*ALL_BELOW, elsewhere(200, PAGE)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 200 that is not the service's: 'Hello'. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "500, then 401 there",
        [*ALL_BELOW, elsewhere(500), elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "401, then 500 there",
        [*ALL_BELOW, elsewhere(401), elsewhere(500)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address. Run "
            "this again later.",
        ),
    ),
    Case(
        "401 there, with the prefix in the path of one file",
        [*ALL_BELOW, elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, without /gw in paths, and run this "
            "again.",
        ),
        settings=FILE_WITH_PREFIX,
    ),
    Case(
        "not read, with the prefix in the path of one file",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address, "
            "without /gw in paths. Run this again later.",
        ),
        settings=FILE_WITH_PREFIX,
    ),
]


@pytest.mark.parametrize("row", MOVED, ids=ids(MOVED))
def test_an_address_that_all_redirects_lead_below_is_wrong_once_a_read_there_gets_an_answer_but_404(
    row: Case,
):
    """Rows say what a read there gets. The finding names two redirects, that read, and the rest."""
    moved = redirects.moved(row.evidence)
    assert moved is not None
    finding = conclude_on_moved(row.evidence, moved)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said
    tests = range(len(ALL_BELOW), len(row.probes))
    assert numbers_of(finding, row.probes) == [0, 1, *tests, 2]
