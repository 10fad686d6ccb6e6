"""
What is said of a campaign key that replies leave open: it is *Not proved*.

If no made-up key was read, that and why is said, before any words. If a made-up key gets the same
files, page, redirect or error, or another error while the own key was read once, that is said, with
the words only if these are the same or differ alone; an upload (``--upload URL``) would show more.
Instead of an upload, it says what to do if the error is about a plan, a policy of a gateway, or an
account that is elsewhere; to see Account if the files are of another list; and to name the list
otherwise if its identifier has a slash and other paths get the service's replies. If the list cannot
be read while other paths can, the key is not judged (*not shown*), without a made-up key, if that
gets the same, or if it is kept out.

If it is accepted and refused, the first of each is said with time and path; a refusal at the path
of a file, at any time, comes before one of the list.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    redirected,
)
from support.doctor_keys import (
    LIST_ACCEPTED_TWICE,
    NOT_PROVED,
    NOT_SHOWN,
    OTHER_CODE,
    OTHER_CODE_OTHERWISE,
    Case,
    check_campaign_key,
    listed_twice,
)
from support.doctor_replies import (
    MOMENT,
    error_body,
    request_for,
)
from support.doctor_service import record
from wes_provider.doctor.replies.probes import Question

READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
NOT_COMPARED = [
    Case(
        "no made-up key",
        LIST_ACCEPTED_TWICE,
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "no made-up key for a reason",
        LIST_ACCEPTED_TWICE,
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because the time ran out. Run this again later.",
        ),
        not_asked={Question.MADE_UP_KEY: "the time ran out"},
    ),
    Case(
        "no made-up key, and an error about a plan",
        listed_twice(400, error_body("", "Your plan has no API.")),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_COMPARED, ids=ids(NOT_COMPARED))
def test_why_no_made_up_key_was_compared_with_the_campaign_key_is_said(row: Case):
    check_campaign_key(row)


ELSEWHERE = "Workspace workspace is not provisioned on shard 01"
DENIED = "User: anonymous is not authorized to perform this with an explicit deny"
NOT_TOLD_APART = [
    Case(
        "the same files",
        [*LIST_ACCEPTED_TWICE, made_up(200, FILES)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (200). "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "the same files, of another list",
        [
            *listed_twice(200, [record("f1", coupons_list_id="winter")]),
            made_up(200, [record("f1", coupons_list_id="winter")]),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (200). "
            "See Account.",
        ),
    ),
    Case(
        "the same error",
        [*listed_twice(400, OTHER_CODE), made_up(400, OTHER_CODE)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400 "
            "teapot: 'Moon phase is unfavourable'). --upload URL shows it.",
        ),
    ),
    Case(
        "the same redirect",
        [redirected("/files/a"), redirected("/files/a", question=Question.MADE_UP_KEY)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (302). "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "another error, read once",
        [listed(400, OTHER_CODE), made_up(400, error_body("other", "Never."))],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot, a made-up key "
            "400 other. --upload URL shows it.",
        ),
    ),
    Case(
        "the same error in other words",
        [listed(400, OTHER_CODE), made_up(400, OTHER_CODE_OTHERWISE)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot: 'Moon phase is "
            "unfavourable', and a made-up key 400 teapot: 'Saturn is in retrograde'. "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "the same error, about a plan",
        [
            *listed_twice(400, error_body("", "Your plan has no API.")),
            made_up(400, error_body("", "Your plan has no API.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your plan has no API'). Ask the service's support for a plan that has "
            "it.",
        ),
    ),
    Case(
        "the same error first, about a plan, then another one",
        [
            listed(400, error_body("", "Your plan has no API.")),
            again(400, OTHER_CODE),
            made_up(400, error_body("", "Your plan has no API.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your plan has no API'). Ask the service's support for a plan that has "
            "it.",
        ),
    ),
    Case(
        "the same page, at a path with an escaped slash",
        [
            listed(404, PAGE, request=READ_OF_ESCAPED_LIST),
            made_up(404, PAGE, request=READ_OF_ESCAPED_LIST),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (404 that is not "
            "the service's: 'Hello'). The list's identifier has '/' (%2F), which the provider "
            "sends escaped, and other paths reply as the service does: a gateway may refuse such "
            "paths. Name the list by its identifier in the service's dashboard, or have such "
            "paths let through.",
        ),
        list_id="spring/sale",
    ),
    Case(
        "the same error, about a scope",
        [
            *listed_twice(400, error_body("", "Your scope is small.")),
            made_up(400, error_body("", "Your scope is small.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your scope is small'). --upload URL shows it.",
        ),
    ),
    Case(
        "the same error, about an account that is not there",
        [*listed_twice(404, error_body("", ELSEWHERE)), made_up(404, error_body("", ELSEWHERE))],
        Said(
            NOT_PROVED,
            f"No reply shows whether it is accepted: a made-up key gets the same (404: "
            f"'{ELSEWHERE}'). So it is probably of another shard: find out which one has "
            "workspace, in the service's dashboard or from its support, and set the Address to it, "
            "and run this again. If it is this shard, check the Workspace identifier (login).",
        ),
    ),
    Case(
        "the same error, about a policy of the gateway",
        [
            *listed_twice(400, error_body("", DENIED)),
            made_up(400, error_body("", DENIED)),
        ],
        Said(
            NOT_PROVED,
            f"No reply shows whether it is accepted: a made-up key gets the same (400: '{DENIED}'). "
            "A policy of the gateway refuses this "
            "machine, whatever key it sends: change no key, but ask whoever runs the gateway to "
            "let your workers through.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_TOLD_APART, ids=ids(NOT_TOLD_APART))
def test_a_campaign_key_is_open_if_a_made_up_key_gets_the_same_or_only_another_error_once(
    row: Case,
):
    check_campaign_key(row)


LIST_UNREADABLE = [
    Case(
        "a list that cannot be read, and no made-up key",
        [*listed_twice(200, "no JSON", headers={"content-type": "application/json"}), nowhere()],
        Said(NOT_SHOWN, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
    Case(
        "a list that cannot be read, as a made-up key cannot",
        [
            *listed_twice(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(200, "no JSON", headers={"content-type": "application/json"}),
        ],
        Said(NOT_SHOWN, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
]


@pytest.mark.parametrize("row", LIST_UNREADABLE, ids=ids(LIST_UNREADABLE))
def test_a_campaign_key_is_not_judged_by_a_list_that_cannot_be_read(row: Case):
    """Unless a made-up key is kept out."""
    check_campaign_key(row)


AGAIN_ACCEPTED = (
    ", and accepted later: one of several nodes may not know the key yet, or a gateway may refuse at "
    "times. Change nothing, and run this again later."
)
BOTH_AT_LIST = [
    Case(
        "accepted, then refused",
        [listed(200, FILES), again(401, UNAUTHENTICATED), made_up()],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:00 (/v1/coupon-list/spring/files): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "refused, then accepted, then each again",
        [
            listed(401, UNAUTHENTICATED),
            again(200, FILES),
            again(401, UNAUTHENTICATED, sent_at=MOMENT + 90),
            again(200, FILES, sent_at=MOMENT + 120),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:01:00 UTC (/v1/coupon-list/spring/files), refused at "
            f"08:00:00 (/v1/coupon-list/spring/files){AGAIN_ACCEPTED}",
        ),
    ),
    Case(
        "accepted, then refused, then accepted",
        [listed(200, FILES), again(401, UNAUTHENTICATED), again(200, FILES, sent_at=MOMENT + 90)],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            f"08:01:00 (/v1/coupon-list/spring/files){AGAIN_ACCEPTED}",
        ),
    ),
]


@pytest.mark.parametrize("row", BOTH_AT_LIST, ids=ids(BOTH_AT_LIST))
def test_the_first_acceptance_and_the_first_refusal_of_the_list_are_said(row: Case):
    check_campaign_key(row)


BOTH_AT_FILE = [
    Case(
        "accepted, then refused at the path of a file, then accepted",
        [
            *LIST_ACCEPTED_TWICE,
            made_up(),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
            again(200, FILES, sent_at=MOMENT + 90),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            f"08:00:30 (/v1/coupon-list/spring/files/f1){AGAIN_ACCEPTED}",
        ),
    ),
    Case(
        "accepted twice, and refused at the path of a file between",
        [
            listed(200, FILES),
            again(200, FILES, sent_at=MOMENT + 90),
            made_up(),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            f"08:00:30 (/v1/coupon-list/spring/files/f1){AGAIN_ACCEPTED}",
        ),
    ),
    Case(
        "accepted, then refused at the path of a file, then at the list",
        [
            listed(200, FILES),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
            again(401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:00:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "accepted, then refused at the list, then at the path of a file",
        [
            listed(200, FILES),
            again(401, UNAUTHENTICATED),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 90),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", BOTH_AT_FILE, ids=ids(BOTH_AT_FILE))
def test_a_refusal_at_the_path_of_a_file_is_said_before_one_of_the_list(row: Case):
    check_campaign_key(row)
