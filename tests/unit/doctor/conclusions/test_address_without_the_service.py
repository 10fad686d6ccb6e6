"""
The address is *not proved* if only the list gets an odd reply, a 200 that is no JSON or a redirect,
and a path that does not exist gets no error of the service: the text says what came first. If that
path gets the service's error, it is *sure*. It is *not proved*, too, if each path gets the same
404, with a made-up key as well, even if that is a documented one: the address may lack a part, and
nothing shows what the keys are worth. The 404's words are quoted. The proxy that may have replied
is named.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    JSON,
    NOT_PROVED,
    SURE,
    Case,
    check_address,
    check_names_proxy,
)
from support.doctor_findings import (
    NOT_FOUND,
    Said,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    redirected,
)
from support.doctor_replies import (
    reply,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_address,
)
from wes_provider.doctor.replies.probes import Question

ODD = listed(200, "no JSON", headers=JSON)
NOTHING_THERE = [reply(404, "", question=Question.LIST), nowhere(404, ""), made_up(404, "")]
ODD_LISTS = [
    Case(
        "no JSON, and nowhere no error of the service",
        [ODD, nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON twice, and nowhere no error of the service",
        [ODD, again(200, "other", headers=JSON), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON, and nowhere an error of the service", [ODD, nowhere()], Said(SURE, "It responds.")
    ),
    Case(
        "a redirect of the list, and nowhere no error of the service",
        [redirected("/files/a"), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "two redirects of the list, and nowhere no error of the service",
        [
            redirected("/files/a"),
            again(302, headers={"location": "/files/b"}),
            nowhere(400, {"error": "No."}),
        ],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", ODD_LISTS, ids=ids(ODD_LISTS))
def test_an_address_with_an_odd_list_is_sure_only_if_another_path_gets_the_services_error(
    row: Case,
):
    check_address(row)


SAME_EVERYWHERE = [
    Case(
        "404 without a body",
        NOTHING_THERE,
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key. The Address may lack a part, such as the "
            "prefix of a gateway, or be another one: check it. Nothing shows what the "
            "keys are worth.",
        ),
    ),
    Case(
        "404 with words",
        [
            listed(404, {"message": "Go away."}),
            nowhere(404, {"message": "Go away."}),
            made_up(404, {"message": "Go away."}),
        ],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key: 'Go away'. The Address may lack a part, "
            "such as the prefix of a gateway, or be another one: check it. Nothing "
            "shows what the keys are worth.",
        ),
    ),
    Case(
        "404 as documented",
        [listed(404, NOT_FOUND), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "Each path gets the same 404, with whatever key: 'Nothing is here'. The "
            "Address may lack a part, such as the prefix of a gateway, or be another "
            "one: check it. Nothing shows what the keys are worth.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAME_EVERYWHERE, ids=ids(SAME_EVERYWHERE))
def test_an_address_is_not_proved_if_each_path_gets_the_same_404_with_whatever_key(row: Case):
    check_address(row)


ADDRESS = [*ODD_LISTS, *SAME_EVERYWHERE]


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_address)


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_reports_keep_a_row_about_slow_replies_or_unchecked_certificates(row: Case):
    assert conclude_on_address(row.evidence).needs_action is row.needs_action
