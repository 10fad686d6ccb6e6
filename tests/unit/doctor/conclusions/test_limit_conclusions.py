"""
What is said of rate limits is the first of these that applies. A quota that is used up, *Not
proved*: after other reads, the last ones, of two requests or more, all got 429 or words of a quota;
it says since when, the last words and headers, and how long to wait, and names these reads. A limit
of too few requests (5 a day), *Not proved*. Too few requests that are left for an hour or longer by
the last reply that says how many are, *Not proved*. A limit with a status of 500 or above, by its words,
*Not proved*. A reset much later than Retry-After, *Not proved*. Limits are *sure* if one reply
states a number and a reset, with how many replies do, and how many reads got 429.

Otherwise the provider keeps to the documented ones (*not shown*). Named are headers of the contract
without a reset that is a time, and the reset's unit if it is less than 86,400 (seconds) or in
milliseconds (*Not proved* then if a read got 429); else that a read got 429; else headers of
another form, from the last reply that has any; else that there are none.

Changes, and reads of what was changed, count like reads, but no quota is seen in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    Said,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    numbers_of,
    segment,
    segment_again,
)
from support.doctor_replies import MOMENT, SETTINGS, error_body, evidence_of, reply, request_for
from wes_provider.client import requests
from wes_provider.doctor.conclusions.limit_conclusions import conclude_on_limits
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.replies.words import as_it_came

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE

DATE = {"date": "Fri, 15 Jan 2027 08:00:00 GMT"}
REMAINING = {**DATE, "x-ratelimit-remaining": "7"}
RESET = {**DATE, "x-ratelimit-reset": str(int(MOMENT) + 60)}
STATED = {**REMAINING, **RESET}
LIMIT = {**DATE, "x-ratelimit-limit": "60"}
TRIAL = {"ratelimit-policy": "5;w=86400"}
QUOTA_WORDS = error_body("", "Daily quota exceeded.")
STRANGE = error_body("teapot", "Moon phase is unfavourable.")


class Case(NamedTuple):
    """Replies, and what is said of limits."""

    name: str
    probes: Sequence[Probe]
    said: Said


def refused_by_limit(status: int = 429, content: Any = b"", **more: Any) -> list[Probe]:
    """Two requests that a limit refuses, after one that it let pass."""
    return [
        listed(200, FILES, sent_at=MOMENT - 60),
        segment(status, content, **more),
        nowhere(status, content, **{"sent_at": MOMENT + 30, **more}),
    ]


def check_limits(row: Case) -> None:
    """The finding about limits says what the row says, word for word."""
    finding = conclude_on_limits(evidence_of(*row.probes))
    assert finding.topic is Topic.LIMITS
    assert Said.of(finding) == row.said


STATED_LIMITS = [
    Case(
        "a number and a reset",
        [listed(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 1 response; the provider keeps to them."),
    ),
    Case(
        "a number and a reset in one of two replies",
        [listed(200, FILES), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them."),
    ),
    Case(
        "a number and a reset, after 429",
        [listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them. 1 read got 429."),
    ),
    Case(
        "a number and a reset, after 429 twice",
        [listed(429), listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 3 responses; the provider keeps to them. 2 reads got 429."),
    ),
]


@pytest.mark.parametrize("row", STATED_LIMITS, ids=ids(STATED_LIMITS))
def test_limits_are_sure_if_one_reply_states_a_number_and_a_reset(row: Case):
    check_limits(row)


UPLOAD = requests.upload(
    SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv", "name": "a"}
)


def upload(status: int, headers: Mapping[str, str]) -> Probe:
    """An upload, and the reply to it."""
    return reply(status, b"", headers, question=Question.WRITE, request=UPLOAD)


def followed(status: int, headers: Mapping[str, str]) -> Probe:
    """A read of the list since the upload."""
    return reply(status, b"", headers, question=Question.FOLLOW)


def followed_file(status: int) -> Probe:
    """A read of the file since the upload."""
    request = request_for(Question.FILE_PATH)
    return reply(status, question=Question.FOLLOW, request=request)


class Later(NamedTuple):
    """Replies after a read without headers of limits, and what is said of limits."""

    name: str
    probes: Sequence[Probe]
    said: Said


LATER = [
    Later(
        "an upload with 429 and its headers",
        [upload(429, STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them. 1 request got 429."),
    ),
    Later(
        "a read of the uploaded file with the headers",
        [upload(201, {}), followed(200, STATED)],
        Said(SURE, "Stated by 1 of 3 responses; the provider keeps to them."),
    ),
    Later(
        "a read of the uploaded file with 429",
        [upload(201, {}), followed(429, {"retry-after": "8"})],
        Said(
            NOT_SHOWN,
            "1 read got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
    Later(
        "two requests with 429",
        [upload(429, {}), followed(429, {})],
        Said(
            NOT_SHOWN,
            "2 requests got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
    Later(
        "two reads with 429 in the end, of the list and of the file",
        [upload(201, {}), followed(429, {}), followed_file(429)],
        Said(
            NOT_SHOWN,
            "2 reads got 429, and no response has the documented headers: tasks keep to the "
            "documented limits, and may get 429, too.",
        ),
    ),
    Later(
        "none",
        [upload(201, {}), followed(200, {})],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
]


@pytest.mark.parametrize("row", LATER, ids=ids(LATER))
def test_changes_and_reads_of_what_was_changed_count_for_the_limits(row: Later):
    finding = conclude_on_limits(evidence_of(listed(200, FILES)), row.probes)
    assert Said.of(finding) == row.said


INCOMPLETE = [
    Case(
        "a number alone",
        [listed(200, FILES, headers=REMAINING)],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a reset alone",
        [listed(200, FILES, headers=RESET)],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "a limit alone",
        [listed(200, FILES, headers=LIMIT)],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that can be "
            "read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a number in one reply, and a limit in another",
        [listed(200, FILES, headers=REMAINING), again(200, FILES, headers=LIMIT)],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-limit and x-ratelimit-remaining, but no "
            "x-ratelimit-reset that can be read: the provider keeps to the documented "
            "ones.",
        ),
    ),
    Case(
        "429 with a limit and a reset of a few seconds",
        [
            listed(429, headers={**LIMIT, "x-ratelimit-reset": "12"}),
            again(200, FILES, headers=LIMIT),
        ],
        Said(
            NOT_PROVED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that is a time (it is 12, "
            "perhaps seconds from then): tasks keep to the documented limits, and may get 429, as "
            "1 read did. Ask whoever sends them for times in epoch seconds.",
        ),
    ),
    Case(
        "429 with a limit and a reset in milliseconds",
        [listed(429, headers={**LIMIT, "x-ratelimit-reset": "1795754830000"})],
        Said(
            NOT_PROVED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that is a time (it is "
            "1795754830000, perhaps milliseconds): tasks keep to the documented limits, and may "
            "get 429, as 1 read did. Ask whoever sends them for times in epoch seconds.",
        ),
    ),
    Case(
        "a limit and a reset in milliseconds, and no 429",
        [listed(200, FILES, headers={**LIMIT, "x-ratelimit-reset": "1795754830000"})],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset in seconds since 1970 (it "
            "is 1795754830000, perhaps milliseconds): the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "x-quota, and a number",
        [listed(200, FILES, headers={"x-quota": "7", **REMAINING})],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a limit, and a reset of as many seconds as a day has",
        [listed(200, FILES, headers={**LIMIT, "x-ratelimit-reset": "86400"})],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that can be "
            "read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a limit, and a reset of a second less than a day",
        [listed(200, FILES, headers={**LIMIT, "x-ratelimit-reset": "86399"})],
        Said(
            NOT_SHOWN,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset in seconds since 1970 (it "
            "is 86399, perhaps seconds from then): the provider keeps to the documented ones.",
        ),
    ),
]


@pytest.mark.parametrize("row", INCOMPLETE, ids=ids(INCOMPLETE))
def test_headers_of_the_contract_that_do_not_suffice_are_named(row: Case):
    check_limits(row)


OTHER_HEADERS = [
    Case(
        "x-quota",
        [listed(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_SHOWN,
            "In another form than the contract's (x-quota: 7): the provider keeps to the "
            "documented ones.",
        ),
    ),
    Case(
        "x-quota and x-burst-limit in the second reply",
        [listed(200, FILES), again(200, FILES, headers={"x-quota": "7", "x-burst-limit": "9"})],
        Said(
            NOT_SHOWN,
            "In another form than the contract's (x-quota: 7, x-burst-limit: 9): the provider "
            "keeps to the documented ones.",
        ),
    ),
    Case(
        "x-quota in each reply",
        [listed(200, FILES, headers={"x-quota": "8"}), again(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_SHOWN,
            "In another form than the contract's (x-quota: 7): the provider keeps to the "
            "documented ones.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_HEADERS, ids=ids(OTHER_HEADERS))
def test_headers_of_another_form_are_named_from_the_last_reply_that_has_any(row: Case):
    check_limits(row)


CONTRADICTED = [
    Case(
        "a limit with the status of a failure",
        [listed(503, {"message": "Throttled"}), again(200, FILES), nowhere()],
        Said(
            NOT_PROVED,
            "1 of 3 reads got 503: 'Throttled', which is a limit by its words. Tasks take that "
            "status for a failure, and do not keep to the limit: they repeat reads, and look for "
            "an upload in the list before they send it again. Ask whoever runs the gateway to "
            "reply 429 with Retry-After, and for enough requests.",
        ),
    ),
    Case(
        "a limit with status 500, and 429 with a reset much later than Retry-After",
        [
            listed(500, {"message": "Throttled"}),
            again(
                429,
                headers={"x-ratelimit-reset": str(int(MOMENT) + 7200), "retry-after": "2"},
                sent_at=MOMENT,
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "1 of 3 reads got 500: 'Throttled', which is a limit by its words. Tasks take that "
            "status for a failure, and do not keep to the limit: they repeat reads, and look for "
            "an upload in the list before they send it again. Ask whoever runs the gateway to "
            "reply 429 with Retry-After, and for enough requests.",
        ),
    ),
    Case(
        "429 with a reset much later than Retry-After, and a number and a reset in another reply",
        [
            listed(200, FILES, headers=STATED),
            again(
                429,
                headers={"x-ratelimit-reset": str(int(MOMENT) + 7200), "retry-after": "2"},
                sent_at=MOMENT,
            ),
        ],
        Said(
            NOT_PROVED,
            "A reply with 429 permits requests in 2 s by Retry-After, and 7199 s later by "
            "x-ratelimit-reset. One of the two may be of another limit, such as one of a day, or "
            "of another clock. Tasks wait for x-ratelimit-reset: ask the service's support which "
            "one holds.",
        ),
    ),
    Case(
        "429 with a reset much later than Retry-After",
        [
            listed(200, FILES),
            again(
                429,
                headers={"x-ratelimit-reset": str(int(MOMENT) + 7200), "retry-after": "2"},
                sent_at=MOMENT,
            ),
        ],
        Said(
            NOT_PROVED,
            "A reply with 429 permits requests in 2 s by Retry-After, and 7199 s later by "
            "x-ratelimit-reset. One of the two may be of another limit, such as one of a day, or "
            "of another clock. Tasks wait for x-ratelimit-reset: ask the service's support which "
            "one holds.",
        ),
    ),
    Case(
        "a limit with status 500",
        [listed(500, {"message": "Throttled"})],
        Said(
            NOT_PROVED,
            "1 of 1 read got 500: 'Throttled', which is a limit by its words. Tasks take that "
            "status for a failure, and do not keep to the limit: they repeat reads, and look for "
            "an upload in the list before they send it again. Ask whoever runs the gateway to "
            "reply 429 with Retry-After, and for enough requests.",
        ),
    ),
    Case(
        "a limit with status 500, and a number and a reset in another reply",
        [listed(500, {"message": "Throttled"}), again(200, FILES, headers=STATED)],
        Said(
            NOT_PROVED,
            "1 of 2 reads got 500: 'Throttled', which is a limit by its words. Tasks take that "
            "status for a failure, and do not keep to the limit: they repeat reads, and look for "
            "an upload in the list before they send it again. Ask whoever runs the gateway to "
            "reply 429 with Retry-After, and for enough requests.",
        ),
    ),
    Case(
        "a limit with status 403, which lets others pass later",
        [listed(403, QUOTA_WORDS), again(200, FILES)],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
]


@pytest.mark.parametrize("row", CONTRADICTED, ids=ids(CONTRADICTED))
def test_a_limit_that_tasks_would_not_keep_is_not_proved(row: Case):
    check_limits(row)


NO_HEADERS = [
    Case(
        "nothing was read",
        [],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "no headers",
        [listed(200, FILES)],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "429, and no headers",
        [listed(429), again(200, FILES)],
        Said(
            NOT_SHOWN,
            "1 read got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
    Case(
        "429 for a made-up key, since too many wrong ones came",
        [listed(200, FILES), made_up(429, error_body("", "Too many failed logins"))],
        Said(NOT_SHOWN, "No headers: the provider keeps to the documented ones."),
    ),
]


@pytest.mark.parametrize("row", NO_HEADERS, ids=ids(NO_HEADERS))
def test_without_headers_the_documented_limits_apply_and_a_429_is_said(row: Case):
    check_limits(row)


TOO_FEW = [
    Case(
        "5 a day",
        [listed(200, FILES, headers=TRIAL)],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
    Case(
        "5 a day in the second reply, and a number and a reset",
        [listed(200, FILES, headers=STATED), again(200, FILES, headers=TRIAL)],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
    Case(
        "5 a day, and a limit with status 500 in another reply",
        [listed(200, FILES, headers=TRIAL), again(500, {"message": "Throttled"})],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of times an "
            "hour, and for this command, which sends about 10 reads: to wait does not help. Ask "
            "the service's support for more. Responses state that limit.",
        ),
    ),
    Case(
        "5 and 6 a day in two replies",
        [
            listed(200, FILES, headers=TRIAL),
            again(200, FILES, headers={"ratelimit-policy": "6;w=86400"}),
        ],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
]


@pytest.mark.parametrize("row", TOO_FEW, ids=ids(TOO_FEW))
def test_the_first_limit_of_too_few_requests_is_not_proved(row: Case):
    check_limits(row)


DAY, LEFT = '"day";q=100;w=86400', '"day";r=8;t=30000'
DAY_QUOTED, LEFT_QUOTED = as_it_came(DAY), as_it_came(LEFT)
FEW_LEFT = [
    Case(
        "8 in the last of two replies",
        [
            listed(200, FILES, headers={"ratelimit": '"day";r=40;t=30000'}),
            again(200, FILES, headers={"ratelimit-policy": DAY, "ratelimit": LEFT}),
            nowhere(404),
        ],
        Said(
            NOT_PROVED,
            f"8 requests are left for about 8 hours (ratelimit-policy: {DAY_QUOTED}, "
            f"ratelimit: {LEFT_QUOTED}), too few for a wait, which reads each file dozens of times an hour. Run tasks after "
            "that, or ask the service's support for more.",
        ),
    ),
    Case(
        "1, and a limit with status 500 in another reply",
        [
            listed(500, {"message": "Throttled"}),
            again(200, FILES, headers={"ratelimit": "r=1;t=7200"}),
        ],
        Said(
            NOT_PROVED,
            "1 request is left for about 2 hours (ratelimit: r=1⁏t=7200), too few for a wait, which "
            "reads each file dozens of times an hour. Run tasks after that, or ask the service's "
            "support for more.",
        ),
    ),
    Case(
        "8 in the first of two replies, and 40 in the last",
        [
            listed(200, FILES, headers={"ratelimit": LEFT}),
            again(200, FILES, headers={"ratelimit": '"day";r=40;t=30000'}),
        ],
        Said(
            NOT_SHOWN,
            'In another form than the contract\'s (ratelimit: "day"⁏r=40⁏t=30000): the provider '
            "keeps to the documented ones.",
        ),
    ),
    Case(
        "8, and a limit of 5 a day",
        [listed(200, FILES, headers={**TRIAL, "ratelimit": LEFT})],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of times an "
            "hour, and for this command, which sends about 10 reads: to wait does not help. Ask "
            "the service's support for more. Responses state that limit.",
        ),
    ),
]


@pytest.mark.parametrize("row", FEW_LEFT, ids=ids(FEW_LEFT))
def test_too_few_requests_that_the_last_reply_leaves_are_not_proved(row: Case):
    check_limits(row)


USED_UP = [
    Case(
        "429 twice at the end",
        refused_by_limit(),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before, or are open.",
        ),
    ),
    Case(
        "429 twice at the end, with words",
        refused_by_limit(429, STRANGE),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests: 'Moon "
            "phase is unfavourable'. Tasks may be refused as well. Wait, or ask the "
            "service's support for more, and run this again. The other rows rest on "
            "the reads before, or are open.",
        ),
    ),
    Case(
        "429 twice at the end, with a header and a time",
        refused_by_limit(headers={"x-quota": "0", "retry-after": "7200"}),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests (its "
            "limit resets at 10:00:30 UTC). It sends x-quota: 0. Tasks may be refused "
            "as well. Wait until then, or ask the service's support for more, and run "
            "this again. The other rows rest on the reads before, or are open.",
        ),
    ),
    Case(
        "429 twice at the end, with two headers",
        refused_by_limit(headers={"x-quota": "0", "x-burst-limit": "9"}),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. It "
            "sends x-quota: 0, x-burst-limit: 9. Tasks may be refused as well. Wait, "
            "or ask the service's support for more, and run this again. The other rows "
            "rest on the reads before, or are open.",
        ),
    ),
    Case(
        "403 with words of a quota twice at the end",
        refused_by_limit(403, QUOTA_WORDS),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 403 to each of 2 requests: 'Daily "
            "quota exceeded'. Tasks may be refused as well. Wait, or ask the service's "
            "support for more: it is about no key. The other rows rest on the reads "
            "before, or are open.",
        ),
    ),
    Case(
        "429 with words and another header, then with words of a quota",
        [
            listed(200, FILES),
            segment(429, STRANGE, headers={"x-quota": "1"}),
            nowhere(429, QUOTA_WORDS, headers={"x-quota": "2"}),
        ],
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests: 'Daily "
            "quota exceeded'. It sends x-quota: 2. Tasks may be refused as well. Wait, "
            "or ask the service's support for more, and run this again. The other rows "
            "rest on the reads before, or are open.",
        ),
    ),
    Case(
        "429 with 5 a day twice at the end",
        refused_by_limit(429, STRANGE, headers=TRIAL),
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Since 08:00:00 UTC, "
            "the service replied 429 to each of 2 requests: 'Moon phase is "
            "unfavourable'. It sends ratelimit-policy: 5⁏w=86400. The other rows rest "
            "on the reads before, or are open.",
        ),
    ),
    Case(
        "429 twice at the end, and 5 a day before",
        [listed(200, FILES, headers=TRIAL), *refused_by_limit()[1:]],
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before, or are open.",
        ),
    ),
    Case(
        "429 twice at the end, to the same request",
        [listed(200, FILES), segment(429), segment_again(429)],
        Said(
            NOT_SHOWN,
            "2 reads got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
    Case(
        "429 to each of two requests, and no other read",
        refused_by_limit()[1:],
        Said(
            NOT_SHOWN,
            "2 reads got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
    Case(
        "429 twice, then files",
        [*refused_by_limit(), again(200, FILES)],
        Said(
            NOT_SHOWN,
            "2 reads got 429, and no response has the documented headers: tasks keep to "
            "the documented limits, and may get 429, too.",
        ),
    ),
]


@pytest.mark.parametrize("row", USED_UP, ids=ids(USED_UP))
def test_a_quota_is_used_up_if_the_last_reads_of_two_requests_are_refused_after_others(
    row: Case,
):
    check_limits(row)


def test_a_finding_about_a_quota_names_the_reads_since_it_is_used_up():
    probes = refused_by_limit()
    assert numbers_of(conclude_on_limits(evidence_of(*probes)), probes) == [1, 2]


def test_a_finding_about_limits_names_no_reads_if_others_pass_later():
    assert conclude_on_limits(evidence_of(listed(429), again(200, FILES))).probes == ()
