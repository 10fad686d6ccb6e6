"""
The report of findings: the settings that they prove, the extra to paste, the verdict, the JSON, and
the lines for people: 30, or 16 if the account is ready, unless troubles alone need more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, SETTINGS, changed, error, reply
from support.doctor_service import CAMPAIGN_KEY, DATA_KEY, WORKSPACE
from support.settings import settings as settings_of
from wes_provider.client import requests
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.cleaning import cleaner
from wes_provider.doctor.findings import ON_TWO_ANSWERS, Certainty, Finding, Topic
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.doctor.report import DEFAULTS, Report, State
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
SURE, NOT_ASKED = Certainty.SURE, Certainty.NOT_ASKED
READY = "Ready: everything that your tasks need works."
READY_BY_READS = (
    "Ready, as far as reads show: keys, paths and statuses work; uploads were not tried."
)
PASTE = "Put the extra below into the connection, and run this again."
GUESS = " Part of it is a guess, as the rows say."
SUCCESS = DEFAULTS["coupon_file_statuses.success"]
COMPANY = "wes_default: https://api.example.com (3 reads, 1 write)"


def report_of(
    *findings: Finding,
    settings: WesSettings = SETTINGS,
    given: Mapping[str, Any] | None = None,
    probes: Sequence[Probe] = (),
    stopped: bool = False,
) -> Report:
    return Report(
        settings=settings,
        given=given or {},
        findings=findings,
        probes=probes,
        reads=3,
        writes=1,
        stopped=stopped,
        clean=cleaner(settings),
    )


def printed(report: Report, width: int = 100) -> list[str]:
    return [line.plain for line in report.lines(width)]


HEADER = {"workspace_header": "X-App-Id"}
LAG = {"coupon_files_lag": 5.0}


# -- settings --------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_a_connection_that_sets_nothing():
    assert DEFAULTS == {
        "workspace_header": "SVC-APPKEY",
        "paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/files",
        "paths.coupon_file": "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
        "paths.catalog_id": None,
        "coupon_file_statuses.pending": [
            "IN_PROGRESS",
            "PENDING",
            "PROCESSING",
            "QUEUED",
            "RUNNING",
        ],
        "coupon_file_statuses.success": SUCCESS,
        "coupon_file_statuses.failure": [
            "CANCELLED",
            "ERROR",
            "EXPIRED",
            "FAILED",
            "FAILURE",
            "REJECTED",
        ],
        "coupon_file_counts.added": "",
        "coupon_file_counts.duplicates": "",
        "coupon_files_lag": 30.0,
    }
    assert sorted(SUCCESS) == SUCCESS


def test_each_setting_that_the_connection_has_is_known():
    settings = changed(
        workspace_header="X-App-Id",
        coupon_files_path="/files",
        coupon_file_path="/file",
        catalog_id_property="key",
        statuses=Statuses(frozenset("BA"), frozenset("DC"), frozenset("FE")),
        count_names=CountNames("new", "old"),
        coupon_files_lag=5.0,
    )
    values = report_of(settings=settings).values
    assert {name: value.value for name, value in values.items()} == {
        "workspace_header": "X-App-Id",
        "paths.coupon_files": "/files",
        "paths.coupon_file": "/file",
        "paths.catalog_id": "key",
        "coupon_file_statuses.pending": ["A", "B"],
        "coupon_file_statuses.success": ["C", "D"],
        "coupon_file_statuses.failure": ["E", "F"],
        "coupon_file_counts.added": "new",
        "coupon_file_counts.duplicates": "old",
        "coupon_files_lag": 5.0,
    }


class Proof(NamedTuple):
    """Findings, and what follows for the header: its value, and whether it is proved."""

    name: str
    findings: tuple[Finding, ...]
    value: str
    certainty: str


OTHER = {"workspace_header": "X-Other"}
PROOFS = [
    Proof("no finding", (), "SVC-APPKEY", "not proved"),
    Proof("sure", (Finding(Topic.LAG, SURE, "", settings=HEADER),), "X-App-Id", "sure"),
    Proof("wrong", (Finding(Topic.LAG, WRONG, "", settings=HEADER),), "X-App-Id", "sure"),
    Proof(
        "not proved",
        (Finding(Topic.LAG, NOT_PROVED, "", settings=HEADER),),
        "X-App-Id",
        "not proved",
    ),
    Proof(
        "not asked", (Finding(Topic.LAG, NOT_ASKED, "", settings=HEADER),), "X-App-Id", "not proved"
    ),
    Proof("a guess", (Finding(Topic.LAG, SURE, "", guesses=HEADER),), "X-App-Id", "not proved"),
    Proof(
        "a setting and a guess of one finding",
        (Finding(Topic.LAG, SURE, "", settings=HEADER, guesses=OTHER),),
        "X-App-Id",
        "sure",
    ),
    Proof(
        "a setting of one finding, and a guess of a later one",
        (
            Finding(Topic.LAG, SURE, "", settings=HEADER),
            Finding(Topic.LAG, SURE, "", guesses=OTHER),
        ),
        "X-Other",
        "not proved",
    ),
]


@pytest.mark.parametrize("row", PROOFS, ids=ids(PROOFS))
def test_a_value_is_proved_by_a_finding_that_is_certain(row: Proof):
    value = report_of(*row.findings).values["workspace_header"]
    assert (value.value, value.is_proved, value.certainty) == (
        row.value,
        row.certainty == "sure",
        row.certainty,
    )


class Extra(NamedTuple):
    """The extra that a connection has, what a finding proves, and the extra to paste."""

    name: str
    given: Mapping[str, Any]
    found: Mapping[str, Any]
    extra: dict[str, Any]


def extra_of(given: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """The extra to paste into a connection that has an extra, after a finding."""
    connection = {
        "host": SETTINGS.base_url,
        "login": WORKSPACE,
        "password": CAMPAIGN_KEY,
        "extra": given,
    }
    finding = Finding(Topic.LAG, SURE, "", settings=found)
    return report_of(finding, settings=settings_of(connection), given=given).extra


FOUND = [
    Extra("nothing", {}, {}, {}),
    Extra("the default", {}, {"coupon_files_lag": 30.0}, {}),
    Extra(
        "another value than the default", {}, {"coupon_files_lag": 0.0}, {"coupon_files_lag": 0.0}
    ),
    Extra(
        "two values below one property, and one above",
        {},
        {"paths.coupon_files": "/f", "paths.catalog_id": "a.b", **HEADER},
        {"paths": {"coupon_files": "/f", "catalog_id": "a.b"}, **HEADER},
    ),
    Extra(
        "a path besides the one that the connection sets",
        {"paths": {"coupon_files": "/old/{coupon_list_id}"}},
        {"paths.coupon_file": "/one/{coupon_file_id}"},
        {
            "paths": {
                "coupon_files": "/old/{coupon_list_id}",
                "coupon_file": "/one/{coupon_file_id}",
            }
        },
    ),
    Extra(
        "another path than the connection sets",
        {"paths": {"coupon_files": "/old/{coupon_list_id}"}},
        {"paths.coupon_files": "/new/{coupon_list_id}"},
        {"paths": {"coupon_files": "/new/{coupon_list_id}"}},
    ),
    Extra(
        "the default, where the connection sets another value", LAG, {"coupon_files_lag": 30.0}, {}
    ),
]


@pytest.mark.parametrize("row", FOUND, ids=ids(FOUND))
def test_the_extra_has_what_is_found_out_and_differs_from_the_defaults(row: Extra):
    assert extra_of(row.given, row.found) == row.extra


def test_the_extra_keeps_what_could_be_found_out_and_was_not():
    assert extra_of(given=LAG, found={}) == LAG


def test_the_extra_has_no_key():
    found = {"workspace_header": f"X-{CAMPAIGN_KEY}"}
    assert extra_of(given={}, found=found) == {"workspace_header": "X-***"}


NOT_FOUND_OUT = [
    Extra(
        "values that are no defaults",
        {"verify": False, "max_attempts": 7},
        {},
        {"verify": False, "max_attempts": 7},
    ),
    Extra("the defaults", {"read_timeout": 60, "verify": True}, {}, {}),
    Extra("the data key", {"data_api_key": DATA_KEY}, {}, {}),
    Extra("a member that is no setting", {"mine": 1}, {}, {}),
]


@pytest.mark.parametrize("row", NOT_FOUND_OUT, ids=ids(NOT_FOUND_OUT))
def test_the_extra_keeps_other_settings_of_the_connection_but_for_defaults_and_the_key(row: Extra):
    assert extra_of(row.given, row.found) == row.extra


# -- the verdict -----------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """Findings, and the first line of the report."""

    name: str
    findings: tuple[Finding, ...]
    state: State
    verdict: str
    stopped: bool = False


def check_verdict(row: Verdict) -> None:
    """The report's first line is that of the row, and only an account that is ready works."""
    report = report_of(*row.findings, stopped=row.stopped)
    assert (report.state, report.verdict) == (row.state, row.verdict)
    assert report.works is (row.state is State.READY)


ADDRESS = Finding(Topic.ADDRESS, WRONG, "Wrong address.")
LATE = Finding(Topic.LAG, WRONG, "Late.", settings=LAG)
COUNTS = Finding(Topic.COUNTS, NOT_PROVED, "No count.", guesses={"coupon_file_counts.added": "n"})
REDIRECTED = (reply(200), reply(302, headers={"location": "/login"}))
WITHOUT_TROUBLE = [
    Verdict("no finding", (), State.READY, READY_BY_READS),
    Verdict("an upload that works", (Finding(Topic.UPLOAD, SURE, "ok"),), State.READY, READY),
    Verdict(
        "an upload that was not tried, and a lag that is sure",
        (Finding(Topic.UPLOAD, NOT_ASKED, "no"), Finding(Topic.LAG, SURE, "ok")),
        State.READY,
        READY_BY_READS,
    ),
    Verdict(
        "two announcements",
        (
            Finding(Topic.NOTICES, SURE, "Ends  soon."),
            Finding(Topic.LAG, SURE, "ok"),
            Finding(Topic.NOTICES, SURE, "New key."),
        ),
        State.READY,
        f"{READY_BY_READS} Ends  soon. New key.",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_TROUBLE, ids=ids(WITHOUT_TROUBLE))
def test_without_a_trouble_the_verdict_is_that_the_account_is_ready(row: Verdict):
    check_verdict(row)


STOPPED = [
    Verdict(
        "without a finding",
        (),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
    Verdict(
        "with a wrong address",
        (ADDRESS,),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
]


@pytest.mark.parametrize("row", STOPPED, ids=ids(STOPPED))
def test_the_verdict_on_a_stopped_run_says_so_whatever_was_found(row: Verdict):
    check_verdict(row)


ONE_TROUBLE = [
    Verdict("a wrong address", (ADDRESS,), State.NOT_READY, "Not ready: Address. Wrong address."),
    Verdict(
        "a lag that is not proved",
        (Finding(Topic.LAG, NOT_PROVED, "Open."),),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open.",
    ),
]


@pytest.mark.parametrize("row", ONE_TROUBLE, ids=ids(ONE_TROUBLE))
def test_the_verdict_is_the_state_the_topic_and_the_text_of_a_trouble(row: Verdict):
    check_verdict(row)


PASTED = [
    Verdict(
        "a setting of the first trouble",
        (LATE,),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Verdict(
        "a setting of the first trouble, and a guess of the second one",
        (LATE, COUNTS),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}{GUESS}",
    ),
]


@pytest.mark.parametrize("row", PASTED, ids=ids(PASTED))
def test_the_verdict_says_to_paste_the_extra_if_it_has_a_setting_of_the_first_trouble(
    row: Verdict,
):
    check_verdict(row)


EXTRA_FOR = [
    Verdict(
        "a guess of the only trouble",
        (COUNTS,),
        State.NOT_PROVED,
        "Not proved: Counts. No count. The extra below is for Counts.",
    ),
    Verdict(
        "a guess of the second trouble",
        (COUNTS, ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Counts.",
    ),
    Verdict(
        "two settings of later troubles, and one of what is sure",
        (
            Finding(Topic.STATUSES, SURE, "ok", settings=LAG),
            COUNTS,
            ADDRESS,
            Finding(Topic.WORKSPACE_HEADER, WRONG, "Header.", settings=HEADER),
        ),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Workspace header, Counts, "
        "Statuses.",
    ),
]


@pytest.mark.parametrize("row", EXTRA_FOR, ids=ids(EXTRA_FOR))
def test_the_verdict_names_the_topics_that_an_extra_without_a_setting_of_the_first_trouble_is_for(
    row: Verdict,
):
    """Those of troubles come first, in their order."""
    check_verdict(row)


def test_the_verdict_adds_nothing_about_an_extra_if_it_would_change_nothing():
    """The connection has an extra already, whose lag is the one that is found."""
    late = Finding(Topic.LAG, WRONG, "Late.", settings=LAG)
    report = report_of(late, settings=changed(coupon_files_lag=5.0), given=LAG)
    assert report.extra == LAG
    assert report.verdict == "Not ready: Lag of the list. Late."


def test_the_verdict_adds_nothing_about_an_extra_that_its_text_names():
    guess = {"coupon_file_counts.added": "n"}
    report = report_of(Finding(Topic.COUNTS, NOT_PROVED, "Try the extra.", guesses=guess))
    assert report.verdict == "Not proved: Counts. Try the extra."


ORDER = (
    Finding(Topic.ACCOUNT, NOT_PROVED, "A cause.", is_cause=True),
    Finding(Topic.NAMES, NOT_PROVED, "Two answers.", has_two_answers=True),
    Finding(Topic.ADDRESS, WRONG, "Wrong."),
    Finding(Topic.UPLOAD, NOT_PROVED, "An upload is redirected.", REDIRECTED),
    Finding(Topic.LAG, NOT_PROVED, "Open."),
    Finding(Topic.COUNTS, WRONG, "Wrong counts."),
    Finding(Topic.COUNTS, NOT_PROVED, "Open counts."),
)
"""Troubles, each more important than the next one."""


class Pair(NamedTuple):
    """Two troubles, of which the first one comes first."""

    name: str
    first: Finding
    second: Finding


NEIGHBOURS = [
    Pair(f"{first.text} {second.text}", first, second) for first, second in pairwise(ORDER)
]


@pytest.mark.parametrize("row", NEIGHBOURS, ids=ids(NEIGHBOURS))
def test_the_more_important_of_two_troubles_comes_first(row: Pair):
    assert report_of(row.second, row.first).troubles == [row.first, row.second]


QUOTA = Finding(Topic.LIMITS, NOT_PROVED, "Quota.")
OPEN_LAG = Finding(Topic.LAG, NOT_PROVED, "Open.")
MOVED = Finding(Topic.UPLOAD, NOT_PROVED, "Moved.", REDIRECTED)
ALIKE = [
    Pair("two that are wrong", Finding(Topic.NAMES, WRONG, "Names."), ADDRESS),
    Pair("limits and a redirected upload", QUOTA, MOVED),
    Pair("a redirected upload and limits", MOVED, QUOTA),
    Pair("two that are open", Finding(Topic.SEGMENT, NOT_PROVED, "Open."), OPEN_LAG),
    Pair(
        "an open lag, and an upload that is open but not redirected",
        OPEN_LAG,
        Finding(Topic.UPLOAD, NOT_PROVED, "Open.", REDIRECTED[:1]),
    ),
    Pair(
        "an open lag, and redirected names",
        OPEN_LAG,
        Finding(Topic.NAMES, NOT_PROVED, "Moved.", REDIRECTED),
    ),
]


@pytest.mark.parametrize("row", ALIKE, ids=ids(ALIKE))
def test_of_two_troubles_of_the_same_importance_that_of_the_first_finding_comes_first(row: Pair):
    assert report_of(row.first, row.second).troubles == [row.first, row.second]


ALSO_WRONG = [
    Verdict(
        "a wrong address, after a cause that is not proved",
        (ADDRESS, Finding(Topic.ACCOUNT, NOT_PROVED, "Locked.", is_cause=True)),
        State.NOT_PROVED,
        "Not proved: Account. Locked. Also wrong, as below: Address.",
    ),
    Verdict(
        "wrong counts, after an open lag",
        (Finding(Topic.COUNTS, WRONG, "Counts."), Finding(Topic.LAG, NOT_PROVED, "Open.")),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open. Also wrong, as below: Counts.",
    ),
    Verdict(
        "a wrong lag with a setting and a wrong segment without one",
        (ADDRESS, LATE, Finding(Topic.SEGMENT, WRONG, "No segment.")),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Lag of the list. "
        "Also wrong, as below: Segment.",
    ),
    Verdict(
        "a second one of the same topic",
        (ADDRESS, Finding(Topic.ADDRESS, WRONG, "Another.")),
        State.NOT_READY,
        "Not ready: Address. Wrong address.",
    ),
    Verdict(
        "none, but limits that are not proved",
        (Finding(Topic.LIMITS, NOT_PROVED, "Quota."), ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address.",
    ),
]


@pytest.mark.parametrize("row", ALSO_WRONG, ids=ids(ALSO_WRONG))
def test_behind_the_first_trouble_the_verdict_names_what_else_is_wrong_and_not_settled_by_the_extra(
    row: Verdict,
):
    check_verdict(row)


WITHOUT_CATALOG = "If you run this again, leave --catalog out: it might create another catalog."
CREATED = reply(
    200, {"id": "c1"}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"})
)
NOT_CREATED = reply(500, {}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"}))


class Again(NamedTuple):
    """The reply to the creation of a catalog, a finding, and the verdict."""

    name: str
    probes: Sequence[Probe]
    finding: Finding
    verdict: str


AGAIN = [
    Again(
        "a 200, and an extra to paste",
        (reply(200), CREATED),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE} {WITHOUT_CATALOG}",
    ),
    Again(
        "a 500, and an extra to paste",
        (reply(200), NOT_CREATED),
        LATE,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Again(
        "a 200, and no extra",
        (CREATED,),
        Finding(Topic.LAG, WRONG, "Late."),
        f"Not ready: Lag of the list. Late. {WITHOUT_CATALOG}",
    ),
]


@pytest.mark.parametrize("row", AGAIN, ids=ids(AGAIN))
def test_the_verdict_says_to_leave_the_option_catalog_out_if_a_catalog_was_created(row: Again):
    assert report_of(row.finding, probes=row.probes).verdict == row.verdict


def test_the_middle_of_a_text_of_more_than_700_characters_is_left_out_after_a_secret_is_masked():
    text = f"key {CAMPAIGN_KEY} " + "word " * 200
    verdict = report_of(Finding(Topic.LAG, WRONG, text)).verdict
    said = verdict.removeprefix("Not ready: Lag of the list. ")
    assert said == "key *** " + "word " * 68 + "… " + "word " * 70


# -- for machines ----------------------------------------------------------------------------------


def test_the_json_has_everything_by_stable_names():
    """A finding has the places of the requests that it rests on."""
    first = reply(404, error("gone", "Gone."), question=Question.NO_SUCH_PATH, keys=Keys.MADE_UP)
    lost = Probe(Question.LIST, first.request, sent_at=MOMENT + 1, problem="ReadTimeout")
    findings = (
        Finding(Topic.LIST_PATH, NOT_PROVED, "No\npath.", (lost,), has_two_answers=True),
        Finding(Topic.LAG, SURE, "ok", (first,), settings=LAG, guesses=HEADER),
    )
    content = json.loads(report_of(*findings, probes=(first, lost)).to_json())
    values = content.pop("settings")
    assert values["coupon_files_lag"] == {"value": 5.0, "certainty": "sure"}
    assert values["workspace_header"] == {"value": "X-App-Id", "certainty": "not proved"}
    assert [*values] == [*DEFAULTS]
    assert content == {
        "connection": "wes_default",
        "address": "https://api.example.com",
        "state": "not-proved",
        "verdict": "Not proved: Path of the list's files. No path. The extra below is for Lag of the list.",
        "works": False,
        "stopped": False,
        "reads": 3,
        "writes": 1,
        "extra": {**HEADER, **LAG},
        "findings": [
            {
                "name": "list-path",
                "topic": "Path of the list's files",
                "certainty": "not proved",
                "text": "No path.",
                "two_answers": True,
                "settings": {},
                "guesses": {},
                "probes": [1],
            },
            {
                "name": "lag",
                "topic": "Lag of the list",
                "certainty": "sure",
                "text": "ok",
                "two_answers": False,
                "settings": LAG,
                "guesses": HEADER,
                "probes": [0],
            },
        ],
        "probes": [
            {
                "question": "no-such-path",
                "method": "GET",
                "path": "/v1/wes-doctor/spring",
                "keys": "made-up",
                "sent_at": MOMENT,
                "kind": "answer",
                "status": 404,
                "code": "gone",
                "text": "GET /v1/wes-doctor/spring (made-up key) → 404, JSON: gone: Gone.",
            },
            {
                "question": "list",
                "method": "GET",
                "path": "/v1/wes-doctor/spring",
                "keys": "own",
                "sent_at": MOMENT + 1,
                "kind": "not now",
                "status": None,
                "code": None,
                "text": "GET /v1/wes-doctor/spring → ReadTimeout",
            },
        ],
    }


def test_of_two_equal_requests_a_finding_has_the_one_that_it_rests_on():
    first, second = reply(404), reply(404)
    assert first == second
    finding = Finding(Topic.LAG, SURE, "ok", (second,))
    content = json.loads(report_of(finding, probes=(first, second)).to_json())
    assert content["findings"][0]["probes"] == [1]


class Named(NamedTuple):
    """Findings, and the name of the state in the JSON report."""

    name: str
    findings: Sequence[Finding]
    stopped: bool = False


NAMED = [
    Named("ready", ()),
    Named("not-ready", (ADDRESS,)),
    Named("not-proved", (COUNTS,)),
    Named("stopped", (), stopped=True),
]


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_each_state_has_a_stable_name(row: Named):
    content = json.loads(report_of(*row.findings, stopped=row.stopped).to_json())
    assert content["state"] == row.name


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_the_json_says_that_an_account_works_if_it_is_ready(row: Named):
    content = json.loads(report_of(*row.findings, stopped=row.stopped).to_json())
    assert content["works"] is (row.name == "ready")


def test_the_json_is_indented_and_has_letters_as_they_are():
    text = report_of(Finding(Topic.LAG, WRONG, "Schlüssel"), stopped=True).to_json()
    assert '\n  "stopped": true,\n' in text
    assert '"text": "Schlüssel"' in text


def test_the_json_has_no_secret():
    text = report_of(Finding(Topic.LAG, WRONG, f"Key {CAMPAIGN_KEY}")).to_json()
    assert '"text": "Key ***"' in text


# -- for people ------------------------------------------------------------------------------------

LIST, NOWHERE = "GET /v1/coupon-list/spring/files", "GET /v1/wes-doctor/spring"
REFUSED = reply(401, error("x", "No."))
GONE = reply(404, error("y", "Gone."), question=Question.NO_SUCH_PATH)
SERVER_ERRORS = [reply(status) for status in (500, 502, 503, 503)]


class Below(NamedTuple):
    """The requests of a trouble, and the lines below it."""

    name: str
    probes: Sequence[Probe]
    lines: list[str]


BELOW_FIRST = [
    Below("no request", (), []),
    Below("one request", [REFUSED], [f"{LIST} → 401, JSON: x: No."]),
    Below(
        "three requests",
        [REFUSED, GONE, SERVER_ERRORS[0]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body",
        ],
    ),
    Below(
        "four requests",
        [REFUSED, GONE, *SERVER_ERRORS[:2]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body, and 1 more",
        ],
    ),
    Below(
        "eight requests, three of them alike",
        [REFUSED, GONE, REFUSED, *SERVER_ERRORS, REFUSED],
        [
            f"{LIST} (3 times) → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body, and 3 more",
        ],
    ),
]


@pytest.mark.parametrize("row", BELOW_FIRST, ids=ids(BELOW_FIRST))
def test_below_the_first_trouble_stand_three_of_its_requests_and_how_many_more_there_are(
    row: Below,
):
    finding = Finding(Topic.ADDRESS, WRONG, "First.", tuple(row.probes))
    assert printed(report_of(finding)) == [
        "Not ready: Address. First.",
        COMPANY,
        "wrong       Address                   See the first lines.",
        *(f"            {line}" for line in row.lines),
    ]


def below_second(first: Sequence[Probe], second: Sequence[Probe], text: str) -> list[str]:
    """What stands below the second of two troubles with these requests, which has the text."""
    lines = printed(
        report_of(
            Finding(Topic.ADDRESS, WRONG, "First.", tuple(first)),
            Finding(Topic.LAG, NOT_PROVED, text, tuple(second)),
        )
    )
    at = lines.index(f"not proved  Lag of the list           {text}")
    return [line.removeprefix(" " * 12) for line in lines[at + 1 :]]


def test_below_a_later_trouble_stand_three_of_its_requests_and_not_how_many_more_there_are():
    assert below_second([], [REFUSED, GONE, *SERVER_ERRORS], "Second.") == [
        f"{LIST} → 401, JSON: x: No.",
        f"{NOWHERE} → 404, JSON: y: Gone.",
        f"{LIST} → 500, no body",
    ]


def test_a_request_that_stands_below_an_earlier_trouble_is_not_repeated():
    assert below_second([REFUSED], [REFUSED, GONE], "Second.") == [
        f"{NOWHERE} → 404, JSON: y: Gone."
    ]


def test_a_request_that_is_left_out_below_an_earlier_trouble_stands_below_the_later_one():
    assert below_second([REFUSED, GONE, *SERVER_ERRORS], SERVER_ERRORS, "Second.") == [
        f"{LIST} → 502, no body",
        f"{LIST} (2 times) → 503, no body",
    ]


def test_no_request_stands_below_a_trouble_whose_text_refers_to_the_one_above():
    assert below_second([REFUSED], [GONE], ON_TWO_ANSWERS) == []


def test_a_stopped_run_has_the_text_of_its_first_trouble_and_not_how_many_more_requests():
    """Its verdict does not have the text."""
    finding = Finding(Topic.ADDRESS, WRONG, "First.", (REFUSED, GONE, *SERVER_ERRORS))
    assert printed(report_of(finding, stopped=True)) == [
        "Stopped: this is what was seen so far.",
        COMPANY,
        "wrong       Address                   First.",
        f"            {LIST} → 401, JSON: x: No.",
        f"            {NOWHERE} → 404, JSON: y: Gone.",
        f"            {LIST} → 500, no body",
    ]


def test_a_request_that_is_longer_than_a_line_goes_on_indented():
    refused = reply(401, error("x", "No such workspace is known here, please check."))
    finding = Finding(Topic.ADDRESS, WRONG, "First.", (refused, refused))
    assert printed(report_of(finding), 60)[2:] == [
        "wrong       Address                   See the first lines.",
        "            GET /v1/coupon-list/spring/files (2 times) →",
        "              401, JSON: x: No such workspace is known here,",
        "              please check.",
    ]


def test_how_often_a_request_was_sent_stands_before_what_came():
    refused = reply(401, error("x", "Old → new."))
    lines = printed(report_of(Finding(Topic.ADDRESS, WRONG, "First.", (refused, refused))))
    assert lines[3] == f"            {LIST} (2 times) → 401, JSON: x: Old → new."


def test_a_report_is_printed_with_100_columns_and_longer_lines_are_not_broken(
    capsys: pytest.CaptureFixture[str],
):
    report = report_of(
        Finding(Topic.LAG, WRONG, "word " * 50, settings={"paths.coupon_files": "/x" * 80})
    )
    report.print()
    assert capsys.readouterr().out.splitlines() == printed(report)
    assert max(map(len, printed(report))) > 160


def test_the_middle_of_a_request_of_more_than_300_characters_is_left_out():
    refused = reply(401, error("x", "word " * 100))
    lines = printed(report_of(Finding(Topic.ADDRESS, WRONG, "First.", (refused,))))[3:]
    said = " ".join(line.strip() for line in lines)
    assert said == f"{LIST} → 401, JSON: x: " + "word " * 19 + "… " + "word " * 29 + "word"


def test_the_extra_stands_below_the_troubles_with_what_each_setting_becomes():
    statuses = [*SUCCESS[1:], "FERTIG", "ÜBER"]
    settings = {"coupon_file_statuses.success": statuses, **LAG}
    report = report_of(
        Finding(Topic.STATUSES, WRONG, "Set.", settings=settings),
        Finding(
            Topic.COUNTS,
            NOT_PROVED,
            "Perhaps.",
            settings={"coupon_files_lag": 30.0},
            guesses={"coupon_file_counts.added": "ü", "workspace_header": "SVC-APPKEY"},
        ),
        Finding(Topic.NAMES, SURE, "Whole."),
        given={"data_api_key": "k"},
    )
    assert printed(report) == [
        f"Not ready: Statuses. Set. {PASTE} Part of it is",
        "a guess, as the rows say.",
        COMPANY,
        "wrong       Statuses                  See the first lines.",
        '            coupon_file_statuses.success: with "FERTIG", "ÜBER"',
        '            coupon_file_statuses.success: without "COMPLETE"',
        "not proved  Counts                    Perhaps.",
        '            coupon_file_counts.added: "ü"',
        "",
        "The connection's extra, ready to paste (keep data_api_key, not shown here):",
        "{",
        '  "coupon_file_statuses": {',
        '    "success": ["COMPLETED", "DONE", "PROCESSED", "SUCCEEDED", "SUCCESS", "SUCCESSFUL", '
        '"FERTIG",',
        '        "ÜBER"]',
        "  },",
        '  "coupon_file_counts": {"added": "ü"}',
        "}",
        "",
        "sure        Names in the list         Whole.",
    ]


def test_an_extra_without_a_data_api_key_says_nothing_of_one():
    report = report_of(COUNTS, given={"data_api_key": ""})
    assert "The connection's extra, ready to paste:" in printed(report)


def test_a_ready_account_has_an_extra_that_is_not_needed_in_one_line():
    report = report_of(
        Finding(Topic.COUNTS, NOT_ASKED, "No file."),
        Finding(Topic.LAG, SURE, "Slow.", settings=LAG),
        Finding(Topic.NOTICES, SURE, "Ends."),
    )
    assert printed(report) == [
        f"{READY_BY_READS} Ends.",
        COMPANY,
        "sure        Lag of the list           Slow.",
        "not asked   Counts                    No file.",
        'An extra that spares warnings, but is not needed: {"coupon_files_lag": 5.0}',
    ]


def test_an_announcement_has_a_row_of_its_own_unless_the_verdict_has_it():
    report = report_of(ADDRESS, Finding(Topic.NOTICES, SURE, "Ends."))
    assert printed(report)[-1] == "sure        Announcements             Ends."


class Colour(NamedTuple):
    """A certainty, and how its word is printed."""

    certainty: Certainty
    style: str


COLOURS = [
    Colour(WRONG, "bold red"),
    Colour(NOT_PROVED, "yellow"),
    Colour(NOT_ASKED, "dim"),
    Colour(SURE, "green"),
]


@pytest.mark.parametrize("row", COLOURS, ids=[row.certainty.value for row in COLOURS])
def test_each_certainty_has_a_colour(row: Colour):
    lines = report_of(Finding(Topic.LAG, row.certainty, "Text.", (REFUSED,))).lines()
    assert [line.style for line in lines[:2]] == ["bold", ""]
    (span,) = lines[2].spans
    assert (span.start, span.end, span.style) == (0, 12, row.style)


def test_requests_below_a_trouble_are_dim():
    lines = report_of(Finding(Topic.LAG, WRONG, "Text.", (REFUSED, GONE))).lines()
    assert [line.style for line in lines[3:]] == ["dim", "dim"]


# -- the length of a report ------------------------------------------------------------------------


def many(number: int, certainty: Certainty, text: str, **more: Any) -> list[Finding]:
    """Findings about different topics."""
    topics = [topic for topic in Topic if topic not in (Topic.ADDRESS, Topic.UPLOAD, Topic.NOTICES)]
    return [Finding(topic, certainty, text, **more) for topic in topics[:number]]


LONG = "word " * 30  # three lines of 100 columns
DISTINCT = tuple(reply(status) for status in (400, 402, 405, 406))


def outline(report: Report, width: int = 100) -> str:
    """
    How many lines each row of a report has, and how many stand below it: ``3 1+2`` is one of three
    lines, and one of one line with two lines below it. Those below are a trouble's requests, or
    further topics of a row that has the topics alone. A row that is cut has the mark ``…``.
    """
    rows: list[list[int]] = []
    marks = []
    for line in printed(report, width)[2:]:
        if line[:12].strip():
            rows.append([1, 0])
            marks.append("")
        else:
            is_below = line[12:13] != " "
            rows[-1][is_below] += 1
        if line.endswith("…"):
            marks[-1] = "…"
    return " ".join(
        f"{own}{mark}+{below}" if below else f"{own}{mark}"
        for (own, below), mark in zip(rows, marks, strict=True)
    )


class Length(NamedTuple):
    """Findings, the rows of the report, and how many lines it has with the two above the rows."""

    name: str
    findings: Sequence[Finding]
    rows: str
    lines: int


def check_length(findings: Sequence[Finding], rows: str, lines: int) -> None:
    """The report has these rows, and so many lines."""
    report = report_of(*findings)
    assert outline(report) == rows
    assert len(printed(report)) == lines


FIRST = Finding(Topic.ADDRESS, WRONG, "First.", DISTINCT)


def with_requests(number: int) -> list[Finding]:
    """Findings that are open, each with four requests of its own."""
    return [
        Finding(finding.topic, NOT_PROVED, "t", tuple(reply(410 + n + 20 * i) for i in range(4)))
        for n, finding in enumerate(many(number, NOT_PROVED, ""))
    ]


OPEN = 3 * many(14, NOT_PROVED, "t")
NEEDED = many(2, NOT_ASKED, LONG, needs_action=True)

SURE_ROWS = [
    Length("8 of three lines", [FIRST, *many(8, SURE, LONG)], "1+3 3 3 3 3 3 3 3 3", 30),
    Length("9 of three lines", [FIRST, *many(9, SURE, LONG)], "1+3 3 3 3 3 3 3 3 2… 1…", 30),
]


@pytest.mark.parametrize("row", SURE_ROWS, ids=ids(SURE_ROWS))
def test_the_last_rows_of_what_is_sure_are_cut_if_a_report_would_have_more_than_30_lines(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


REQUESTS_BELOW = [
    Length("6 more", [FIRST, *with_requests(6)], "1+3" + 6 * " 1+3", 30),
    Length("7 more", [FIRST, *with_requests(7)], "1+3" + 7 * " 1+2", 27),
    Length(
        "7 more, and 2 of three lines that are sure",
        [FIRST, *with_requests(7), *many(2, SURE, LONG)],
        "1+3" + 7 * " 1+2" + " 2… 1…",
        30,
    ),
    Length("8 more", [FIRST, *with_requests(8)], "1+3" + 8 * " 1+2", 30),
    Length(
        "9 more, and 2 of three lines that are sure",
        [FIRST, *with_requests(9), *many(2, SURE, LONG)],
        "1+3" + 9 * " 1+1" + " 3 3",
        30,
    ),
    Length(
        "11 more, and 4 of one line that are sure",
        [FIRST, *with_requests(11), *many(4, SURE, "s")],
        "1+3" + 11 * " 1" + 4 * " 1",
        21,
    ),
]


@pytest.mark.parametrize("row", REQUESTS_BELOW, ids=ids(REQUESTS_BELOW))
def test_below_all_troubles_but_the_first_stand_2_1_or_0_requests_if_30_lines_hold_no_more(
    row: Length,
):
    """For each number, what is sure is cut before fewer requests are shown."""
    check_length(row.findings, row.rows, row.lines)


def test_of_more_troubles_the_first_keeps_2_requests_before_rows_that_are_sure_are_given_up():
    check_length([FIRST, *OPEN[:20], *many(5, SURE, "s")], "1+2" + 25 * " 1", 30)


SURE_AND_NOT_ASKED = [*many(3, SURE, "s"), *many(2, NOT_ASKED, "s")]
TOGETHER = [
    Length(
        "20 open, and 6 sure, whose row has two lines",
        [FIRST, *OPEN[:20], *many(6, SURE, "s")],
        "1+3" + 20 * " 1" + " 1+1",
        28,
    ),
    Length(
        "22 open, a row of topics that are sure and one of topics that were not asked",
        [FIRST, *OPEN[:22], *SURE_AND_NOT_ASKED],
        "1+3" + 24 * " 1",
        30,
    ),
    Length(
        "23 open, and these rows",
        [FIRST, *OPEN[:23], *SURE_AND_NOT_ASKED],
        "1+2" + 25 * " 1",
        30,
    ),
    Length(
        "24 open, and these rows",
        [FIRST, *OPEN[:24], *SURE_AND_NOT_ASKED],
        "1+1" + 26 * " 1",
        30,
    ),
]


@pytest.mark.parametrize("row", TOGETHER, ids=ids(TOGETHER))
def test_above_topics_alone_the_first_trouble_has_3_2_or_1_requests_as_30_lines_hold(row: Length):
    check_length(row.findings, row.rows, row.lines)


CUT_TOPICS = [
    Length(
        "25 open, and 14 sure",
        [FIRST, *OPEN[:25], *many(14, SURE, "s")],
        "1+1" + 25 * " 1" + " 1…",
        30,
    ),
    Length(
        "22 open, 9 sure, and 1 of three lines that needs action",
        [FIRST, *OPEN[:22], *many(9, SURE, "s"), *NEEDED[:1]],
        "1+1" + 22 * " 1" + " 1… 3",
        30,
    ),
]


@pytest.mark.parametrize("row", CUT_TOPICS, ids=ids(CUT_TOPICS))
def test_topics_are_cut_to_a_line_if_the_first_trouble_has_1_request_and_30_lines_do_not_do(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


def test_an_open_trouble_keeps_its_row_though_a_report_has_more_than_30_lines():
    check_length([FIRST, *OPEN[:30]], "1+1" + 30 * " 1", 34)


def test_no_empty_line_stands_between_the_extra_and_topics_that_are_cut_to_a_line():
    troubles = [Finding(Topic.STATUSES, WRONG, "t", settings=LAG), *OPEN[:22]]
    lines = printed(report_of(*troubles, *many(9, SURE, "s")))
    assert lines[-2:] == [
        "}",
        "sure        Account, Campaign API key, Data API key, Workspace header, Path of the list's "
        "files, …",
    ]


READY_ROWS = [
    Length("4 of three lines", many(4, SURE, LONG), "3 3 3 3", 14),
    Length("5 of three lines", many(5, SURE, LONG), "3 3 3 3 2…", 16),
    Length("14 of three lines", many(14, SURE, LONG), " ".join(14 * ["1…"]), 16),
    Length("15, whose topics alone are shown", many(15, SURE, LONG), "1+2", 5),
    Length(
        "5 of three lines, and an extra",
        [Finding(Topic.LAG, SURE, LONG, settings=LAG), *many(4, SURE, LONG)],
        "3 3 3 3 1… 1",
        16,
    ),
    Length(
        "6 of three lines, and 2 that need action, whose further lines do not count",
        [*many(6, SURE, LONG), *NEEDED],
        "3 3 3 1… 1… 1… 3 3",
        20,
    ),
]


@pytest.mark.parametrize("row", READY_ROWS, ids=ids(READY_ROWS))
def test_the_last_rows_of_a_ready_account_are_cut_if_its_report_would_have_more_than_16_lines(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


class Cut(NamedTuple):
    """A text, and the end of the only line that it has room for."""

    name: str
    text: str
    end: str


CUTS = [
    Cut("words", "word " * 30, "word word …"),
    Cut(
        "two numbers, and a word that has no room",
        "x" * 40 + "x cat 12 34 " + "y" * 30 + "word " * 30,
        "x cat …",
    ),
    Cut(
        "a number, and one with a letter, before words that have no room",
        "x" * 50 + " cats 1 2b " + "word " * 30,
        "cats …",
    ),
]


@pytest.mark.parametrize("row", CUTS, ids=ids(CUTS))
def test_a_row_is_cut_after_a_whole_word_and_not_between_a_number_and_what_it_counts(row: Cut):
    lines = printed(report_of(*many(14, SURE, row.text)))[2:]
    assert all(line.endswith(row.end) and len(line) <= 100 for line in lines)
    assert lines[0].startswith("sure        Account                   ")


def pasted(**values: Any) -> list[str]:
    """The lines of the extra that has some values."""
    lines = printed(report_of(Finding(Topic.STATUSES, WRONG, "t", settings=values)))
    return lines[lines.index("{") : lines.index("}") + 1]


SUCCESSES = "coupon_file_statuses.success"


def test_a_list_of_the_extra_that_takes_99_columns_stands_in_one_line():
    assert pasted(**{SUCCESSES: ["Ä" * 10, "B" * 66]}) == [
        "{",
        '  "coupon_file_statuses": {',
        f'    "success": ["{"Ä" * 10}", "{"B" * 66}"]',
        "  }",
        "}",
    ]


def test_a_list_of_the_extra_that_takes_100_columns_goes_on_in_a_further_line():
    assert pasted(**{SUCCESSES: ["Ä" * 10, "B" * 67]})[2:4] == [
        f'    "success": ["{"Ä" * 10}",',
        f'        "{"B" * 67}"]',
    ]


def test_a_list_of_the_extra_takes_as_many_lines_as_it_needs():
    a, b, c, d, e = (letter * 36 for letter in "ABCDE")
    assert pasted(**{SUCCESSES: [a, b, c, d, e], "coupon_file_statuses.failure": ["F"]})[2:-2] == [
        f'    "success": ["{a}", "{b}",',
        f'        "{c}", "{d}",',
        f'        "{e}"],',
        '    "failure": ["F"]',
    ]


def test_a_property_of_the_extra_that_takes_100_columns_stands_in_one_line():
    line = f'  "paths": {{"coupon_files": "{"/" * 69}"}}'
    assert len(line) == 100
    assert pasted(**{"paths.coupon_files": "/" * 69}) == ["{", line, "}"]


def test_a_property_of_the_extra_that_takes_101_columns_has_each_of_its_own_in_a_line():
    assert pasted(**{"paths.coupon_files": "/" * 51, "paths.catalog_id": "ä"}) == [
        "{",
        '  "paths": {',
        f'    "coupon_files": "{"/" * 51}",',
        '    "catalog_id": "ä"',
        "  }",
        "}",
    ]
