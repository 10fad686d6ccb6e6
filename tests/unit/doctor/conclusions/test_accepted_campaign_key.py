"""
What is said of a campaign key that is told from a made-up one.

It is *sure* if it was read at least twice and got a list's files or one file, in a read or after an
upload; what a made-up key gets instead (a refusal, a 404, no file, a page, a redirect) is said.
Without files, such as for an unknown list, it is known, and whether it may read is *not shown*.
Without access, after two reads, it is *Not ready* with a 403. The documented one says so, unless it is
about something else than coupons or the account: then it may not read the list; the words
of another one may name the account or a permission; if they tell nothing, perhaps in another
language, the key is called known, and the advice is to change none and to ask for access. It is
*Not proved* with a 404 about a permission. The words of the first reply count.

After one read, whatever it got, it is *Not proved*, and it is said why there was no second one: a
later read that was lost, or else the reason that is known, and how many replies failed, if three
did.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    Said,
    again,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    one_file,
)
from support.doctor_keys import (
    DOCUMENTED_403,
    LIST_ACCEPTED_TWICE,
    NOT_PROVED,
    NOT_SHOWN,
    OTHER_CODE,
    OTHER_WORKSPACE,
    PERMISSIONS_LACK,
    ROLE_TOO_SMALL,
    SURE,
    WRONG,
    Case,
    check_campaign_key,
    listed_twice,
)
from support.doctor_replies import (
    MOMENT,
    SETTINGS,
    error_body,
    evidence_of,
    reply,
)
from support.doctor_service import record
from wes_provider.doctor.conclusions.key_conclusions import conclude_on_campaign_key
from wes_provider.doctor.reads.evidence import Places
from wes_provider.doctor.replies.probes import Question

ACCEPTED_TWICE = [
    Case(
        "files twice",
        [*LIST_ACCEPTED_TWICE, made_up()],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "files three times",
        [*LIST_ACCEPTED_TWICE, again(200, FILES), made_up()],
        Said(SURE, "Accepted 3 times; a made-up key is refused."),
    ),
    Case(
        "an unknown list twice, but a file",
        [*listed_twice(404, NOT_FOUND), made_up(), one_file(200, record("f1"))],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
]


@pytest.mark.parametrize("row", ACCEPTED_TWICE, ids=ids(ACCEPTED_TWICE))
def test_a_campaign_key_is_sure_that_got_files_while_a_made_up_key_is_refused(row: Case):
    """It was read at least twice."""
    check_campaign_key(row)


MADE_UP_KEYS = [
    Case(
        "a made-up key is refused without words",
        [*LIST_ACCEPTED_TWICE, made_up(401, b"")],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "a made-up key gets 403",
        [*LIST_ACCEPTED_TWICE, made_up(403, FORBIDDEN)],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "a made-up key gets 404",
        [*LIST_ACCEPTED_TWICE, made_up(404, NOT_FOUND)],
        Said(SURE, "Accepted twice; a made-up key gets 404 not-found."),
    ),
    Case(
        "a made-up key gets no file",
        [*LIST_ACCEPTED_TWICE, made_up(200, [])],
        Said(SURE, "Accepted twice; a made-up key gets 200."),
    ),
    Case(
        "a made-up key gets a page",
        [*LIST_ACCEPTED_TWICE, made_up(200, PAGE)],
        Said(SURE, "Accepted twice; a made-up key gets a page."),
    ),
    Case(
        "a made-up key is redirected to a login",
        [*LIST_ACCEPTED_TWICE, made_up(302, b"", headers={"location": "/login"})],
        Said(SURE, "Accepted twice; a made-up key is sent elsewhere."),
    ),
]


@pytest.mark.parametrize("row", MADE_UP_KEYS, ids=ids(MADE_UP_KEYS))
def test_what_a_made_up_key_gets_in_place_of_files_is_said(row: Case):
    check_campaign_key(row)


KNOWN_WITHOUT_FILES = [
    Case(
        "an unknown list",
        [*listed_twice(404, NOT_FOUND), made_up()],
        Said(
            NOT_SHOWN,
            "Known: a made-up key is refused. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
    Case(
        "a list that cannot be read, for the own key only",
        [
            *listed_twice(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(),
        ],
        Said(
            NOT_SHOWN,
            "Known: a made-up key is refused. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
    Case(
        "another error, read twice",
        [*listed_twice(400, OTHER_CODE), made_up(400, error_body("other", "Never."))],
        Said(
            NOT_SHOWN,
            "Known: a made-up key gets 400 other. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN_WITHOUT_FILES, ids=ids(KNOWN_WITHOUT_FILES))
def test_whether_a_known_campaign_key_may_read_is_not_asked_if_no_read_got_files(row: Case):
    check_campaign_key(row)


KNOWN = (
    "So it knows this key, and the account may have no access to coupons, or the key may be for "
    "something else. Change no key yet, but ask the service's support for access to coupons, with "
    "these words."
)
KNOWN_WITHOUT_ACCESS = [
    Case(
        "a 404 about a permission",
        [*listed_twice(404, PERMISSIONS_LACK), made_up()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "403",
        [*listed_twice(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            f"The service replies 403 forbidden: 'Not you', while a made-up key is refused. {KNOWN}",
        ),
    ),
    Case(
        "403 in another language",
        [
            *listed_twice(403, error_body("E4031", "ご契約プランではご利用いただけません。")),
            made_up(),
        ],
        Said(
            WRONG,
            "The service replies 403 E4031: 'ご契約プランではご利用いただけません。', while a "
            f"made-up key is refused. {KNOWN}",
        ),
    ),
    Case(
        "403 as documented",
        [*listed_twice(403, DOCUMENTED_403), made_up()],
        Said(
            WRONG,
            "Accepted, but the account has no access to coupons (403 "
            "request-forbidden: 'No access to coupons'): ask support.",
        ),
    ),
    Case(
        "403 as documented, about an operation",
        [
            *listed_twice(
                403, error_body("request-forbidden", "Operation listFiles is not granted.")
            ),
            made_up(),
        ],
        Said(
            WRONG,
            "Accepted, but it may not read the list (403 request-forbidden: 'Operation listFiles "
            "is not granted'). Do what it says, or ask the service's support, with these words, "
            "what the key may read.",
        ),
    ),
    Case(
        "403 about an account",
        [*listed_twice(403, error_body("", "Unknown workspace.")), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Unknown workspace', while a made-up key is "
            "refused. The Workspace identifier (login) is workspace: check it, whether "
            "the keys are of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "403 about an account, then another 403",
        [listed(403, OTHER_WORKSPACE), again(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'The keys belong to another workspace', while a "
            "made-up key is refused. The Workspace identifier (login) is workspace: "
            "check it, whether the keys are of it, and the Address, and run this "
            "again.",
        ),
    ),
    Case(
        "403 about a role, then another 403",
        [listed(403, ROLE_TOO_SMALL), again(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Your role is too small', while a made-up key is "
            "refused. Ask an administrator of the account for a key with what it "
            "lacks.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN_WITHOUT_ACCESS, ids=ids(KNOWN_WITHOUT_ACCESS))
def test_a_known_campaign_key_is_wrong_if_it_gets_403_and_open_if_a_404_is_about_a_permission(
    row: Case,
):
    """The 403 is wrong; the 404 leaves it open. The words of the first reply count."""
    check_campaign_key(row)


READ_ONCE = [
    Case(
        "403 once",
        [listed(403, FORBIDDEN), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a 404 about a permission once",
        [listed(404, PERMISSIONS_LACK), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once",
        [listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a list that cannot be read, once",
        [
            listed(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(),
        ],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "an unknown list once",
        [listed(404, NOT_FOUND), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", READ_ONCE, ids=ids(READ_ONCE))
def test_whatever_the_only_read_gets_a_campaign_key_is_not_proved_by_it(row: Case):
    check_campaign_key(row)


NOT_REPEATED = [
    Case(
        "files once, and the time ran out",
        [listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "time ran out. Run this again later.",
        ),
        not_asked={Question.AGAIN: "the time ran out"},
    ),
    Case(
        "files once, and no reply later",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT + 60), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "request got no whole response (ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "files once, and no reply at the same moment",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once, and no reply before",
        [lost(sent_at=MOMENT - 60), listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once, after three failures",
        [
            reply(500, sent_at=MOMENT - 9),
            reply(502, sent_at=MOMENT - 8),
            reply(502, sent_at=MOMENT - 7),
            listed(200, FILES),
            made_up(),
        ],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open, and 3 of 5 replies were 500, 502. Run this "
            "again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_REPEATED, ids=ids(NOT_REPEATED))
def test_why_there_was_no_second_read_of_an_accepted_campaign_key_is_said(row: Case):
    check_campaign_key(row)


class Uploaded(NamedTuple):
    """What came at each path after an upload."""

    name: str
    tried: Places


UPLOADED = [
    Uploaded(
        "the path of the file",
        Places({}, {SETTINGS.coupon_file_path: one_file(200, record("f1"))}, "f1"),
    ),
    Uploaded(
        "the list with the file", Places({SETTINGS.coupon_files_path: listed(200, FILES)}, {})
    ),
]


@pytest.mark.parametrize("row", UPLOADED, ids=ids(UPLOADED))
def test_a_campaign_key_that_got_a_file_after_an_upload_is_sure(row: Uploaded):
    evidence = evidence_of(*listed_twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, row.tried).certainty is SURE


def test_a_campaign_key_that_got_no_file_after_an_upload_stays_open():
    evidence = evidence_of(*listed_twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, Places({}, {})).certainty is NOT_SHOWN
