"""The report of findings: its verdict, its extra, its lines for people and its JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, SETTINGS, changed, error, reply
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.client import requests
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.cleaning import cleaner
from wes_provider.doctor.findings import ON_TWO_ANSWERS, Certainty, Finding, Topic
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.doctor.report import DEFAULTS, LONGEST_TEXT, Report, State
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
    """What a connection and a finding have, and the extra to paste."""

    name: str
    extra: dict[str, Any]
    values: Mapping[str, Any] = {}
    given: Mapping[str, Any] = {}
    settings: WesSettings = SETTINGS


EXTRAS = [
    Extra("nothing", {}),
    Extra("values that are the defaults", {}, {"coupon_files_lag": 30.0}),
    Extra("a value of its own", {"coupon_files_lag": 0.0}, {"coupon_files_lag": 0.0}),
    Extra(
        "two values below one property, and one above",
        {"paths": {"coupon_files": "/f", "catalog_id": "a.b"}, **HEADER},
        {"paths.coupon_files": "/f", "paths.catalog_id": "a.b", **HEADER},
    ),
    Extra("what the connection sets already", {"coupon_files_lag": 5.0}, settings=changed(**LAG)),
    Extra(
        "a setting that goes back to the default",
        {},
        {"coupon_files_lag": 30.0},
        given=LAG,
        settings=changed(**LAG),
    ),
    Extra(
        "others that differ from their defaults, but for the key and what is no field",
        {"verify": False, "max_attempts": 7},
        given={"verify": False, "max_attempts": 7, "data_api_key": "k", "mine": 1},
        settings=changed(verify=False, max_attempts=7),
    ),
    Extra("others as their defaults", {}, given={"read_timeout": 60, "verify": True}),
    Extra(
        "what is found out only as it was found out",
        {"paths": {"coupon_file": "/one"}},
        {"paths.coupon_file": "/one"},
        given={"paths": {"coupon_files": "/old"}},
    ),
    Extra(
        "a key in a value", {"workspace_header": "X-***"}, {"workspace_header": f"X-{CAMPAIGN_KEY}"}
    ),
]


@pytest.mark.parametrize("row", EXTRAS, ids=ids(EXTRAS))
def test_the_extra_has_what_differs_from_the_defaults(row: Extra):
    finding = Finding(Topic.LAG, SURE, "", settings=row.values)
    report = report_of(finding, settings=row.settings, given=row.given)
    assert report.extra == row.extra


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
    # Stopped.
    Verdict(
        "no finding, and stopped",
        (),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
    Verdict(
        "a wrong address, and stopped",
        (ADDRESS,),
        State.STOPPED,
        "Stopped: this is what was seen so far.",
        stopped=True,
    ),
]


@pytest.mark.parametrize("row", WITHOUT_TROUBLE, ids=ids(WITHOUT_TROUBLE))
def test_without_a_trouble_the_verdict_is_that_the_account_is_ready_or_that_the_run_was_stopped(
    row: Verdict,
):
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
def test_the_verdict_is_the_text_of_a_trouble(row: Verdict):
    check_verdict(row)


WITH_EXTRA = [
    Verdict(
        "a proved setting",
        (Finding(Topic.LAG, WRONG, "Late.", settings=LAG),),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Verdict(
        "a setting that is the connection's already",
        (Finding(Topic.LAG, WRONG, "Late.", settings={"coupon_files_lag": 30.0}),),
        State.NOT_READY,
        "Not ready: Lag of the list. Late.",
    ),
    Verdict(
        "a guess",
        (COUNTS,),
        State.NOT_PROVED,
        "Not proved: Counts. No count. The extra below is for Counts.",
    ),
    Verdict(
        "a guess whose text speaks of the extra",
        (
            Finding(
                Topic.COUNTS,
                NOT_PROVED,
                "Try the extra.",
                guesses={"coupon_file_counts.added": "n"},
            ),
        ),
        State.NOT_PROVED,
        "Not proved: Counts. Try the extra.",
    ),
    Verdict(
        "a guess, and a wrong address without a setting",
        (COUNTS, ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Counts.",
    ),
    Verdict(
        "a proved setting and a guess",
        (Finding(Topic.LAG, WRONG, "Late.", settings=LAG), COUNTS),
        State.NOT_READY,
        f"Not ready: Lag of the list. Late. {PASTE}{GUESS}",
    ),
    Verdict(
        "a wrong address, two settings of troubles, and one of what is sure",
        (
            Finding(Topic.STATUSES, SURE, "ok", settings=LAG),
            COUNTS,
            ADDRESS,
            Finding(Topic.WORKSPACE_HEADER, WRONG, "Header.", settings=HEADER),
        ),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for "
        f"{Topic.WORKSPACE_HEADER.value}, Counts, Statuses.",
    ),
]


@pytest.mark.parametrize("row", WITH_EXTRA, ids=ids(WITH_EXTRA))
def test_the_verdict_says_what_the_extra_is_for(row: Verdict):
    check_verdict(row)


IN_ORDER = [
    Verdict(
        "a wrong address, and a cause",
        (ADDRESS, Finding(Topic.ACCOUNT, NOT_PROVED, "Locked.", is_cause=True)),
        State.NOT_PROVED,
        "Not proved: Account. Locked. Also wrong, as below: Address.",
    ),
    Verdict(
        "two answers, and a cause",
        (
            Finding(Topic.LAG, NOT_PROVED, "Two.", has_two_answers=True),
            Finding(Topic.ACCOUNT, NOT_PROVED, "Locked.", is_cause=True),
        ),
        State.NOT_PROVED,
        "Not proved: Account. Locked.",
    ),
    Verdict(
        "a wrong address, and two answers",
        (ADDRESS, Finding(Topic.COUNTS, NOT_PROVED, "Two.", has_two_answers=True)),
        State.NOT_PROVED,
        "Not proved: Counts. Two. Also wrong, as below: Address.",
    ),
    Verdict(
        "wrong counts, and an open lag",
        (Finding(Topic.COUNTS, WRONG, "Counts."), Finding(Topic.LAG, NOT_PROVED, "Open.")),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open. Also wrong, as below: Counts.",
    ),
    Verdict(
        "wrong names, and a wrong address",
        (Finding(Topic.NAMES, WRONG, "First."), ADDRESS),
        State.NOT_READY,
        "Not ready: Names in the list. First. Also wrong, as below: Address.",
    ),
    Verdict(
        "a wrong address, a wrong lag with a setting, and a wrong segment",
        (
            ADDRESS,
            Finding(Topic.LAG, WRONG, "Late.", settings=LAG),
            Finding(Topic.SEGMENT, WRONG, "No segment."),
        ),
        State.NOT_READY,
        "Not ready: Address. Wrong address. The extra below is for Lag of the list. "
        "Also wrong, as below: Segment.",
    ),
    # Limits and redirected uploads among what is open.
    Verdict(
        "an open lag, and limits",
        (Finding(Topic.LAG, NOT_PROVED, "Open."), Finding(Topic.LIMITS, NOT_PROVED, "Quota.")),
        State.NOT_PROVED,
        "Not proved: Rate limits. Quota.",
    ),
    Verdict(
        "limits, and a wrong address",
        (Finding(Topic.LIMITS, NOT_PROVED, "Quota."), ADDRESS),
        State.NOT_READY,
        "Not ready: Address. Wrong address.",
    ),
    Verdict(
        "an open lag, and redirected uploads",
        (
            Finding(Topic.LAG, NOT_PROVED, "Open."),
            Finding(Topic.UPLOAD, NOT_PROVED, "Moved.", REDIRECTED),
        ),
        State.NOT_PROVED,
        "Not proved: Upload. Moved.",
    ),
    Verdict(
        "an open lag, and uploads that are not redirected",
        (
            Finding(Topic.LAG, NOT_PROVED, "Open."),
            Finding(Topic.UPLOAD, NOT_PROVED, "Moved.", REDIRECTED[:1]),
        ),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open.",
    ),
    Verdict(
        "an open lag, and redirected names",
        (
            Finding(Topic.LAG, NOT_PROVED, "Open."),
            Finding(Topic.NAMES, NOT_PROVED, "Moved.", REDIRECTED),
        ),
        State.NOT_PROVED,
        "Not proved: Lag of the list. Open.",
    ),
]


@pytest.mark.parametrize("row", IN_ORDER, ids=ids(IN_ORDER))
def test_of_several_troubles_the_verdict_is_that_of_the_first_in_their_order(row: Verdict):
    check_verdict(row)


WITHOUT_CATALOG = "If you run this again, leave --catalog out: it might create another catalog."
CREATED = reply(
    200, {"id": "c1"}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"})
)
REFUSED = reply(500, {}, request=requests.create_catalog(SETTINGS, {"name": "x", "owner": "a"}))


class Again(NamedTuple):
    """Requests, a finding, and the verdict, which may say to leave out the option --catalog."""

    name: str
    probes: Sequence[Probe]
    finding: Finding
    verdict: str


AGAIN = [
    Again(
        "a catalog was created, and the command is to be run again",
        (reply(200), CREATED),
        Finding(Topic.LAG, WRONG, "Late.", settings=LAG),
        f"Not ready: Lag of the list. Late. {PASTE} {WITHOUT_CATALOG}",
    ),
    Again(
        "no catalog was created",
        (reply(200), REFUSED),
        Finding(Topic.LAG, WRONG, "Late.", settings=LAG),
        f"Not ready: Lag of the list. Late. {PASTE}",
    ),
    Again(
        "a catalog was created, and there is no extra",
        (CREATED,),
        Finding(Topic.LAG, WRONG, "Late."),
        f"Not ready: Lag of the list. Late. {WITHOUT_CATALOG}",
    ),
]


@pytest.mark.parametrize("row", AGAIN, ids=ids(AGAIN))
def test_the_verdict_says_to_leave_a_catalog_out_that_was_created(row: Again):
    assert report_of(row.finding, probes=row.probes).verdict == row.verdict


def test_the_middle_of_a_long_text_is_left_out_and_a_secret_is_masked():
    text = f"key {CAMPAIGN_KEY} " + "word " * 200
    verdict = report_of(Finding(Topic.LAG, WRONG, text)).verdict
    said = verdict.removeprefix("Not ready: Lag of the list. ")
    assert said == "key *** " + "word " * 68 + "… " + "word " * 70
    assert len(said) == LONGEST_TEXT


# -- for machines ----------------------------------------------------------------------------------


def test_the_json_has_everything_by_stable_names():
    first = reply(404, error("gone", "Gone."), question=Question.NO_SUCH_PATH, keys=Keys.MADE_UP)
    lost = Probe(Question.LIST, first.request, sent_at=MOMENT + 1, problem="ReadTimeout")
    equal = reply(404, error("gone", "Gone."), question=Question.NO_SUCH_PATH, keys=Keys.MADE_UP)
    findings = (
        Finding(Topic.LIST_PATH, NOT_PROVED, "No\npath.", (lost, equal), has_two_answers=True),
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
    assert (content["state"], content["works"]) == (row.name, row.name == "ready")


def test_the_json_is_as_people_write_and_has_no_secret():
    report = report_of(Finding(Topic.LAG, WRONG, f"Schlüssel {CAMPAIGN_KEY}"), stopped=True)
    text = report.to_json()
    assert '\n  "stopped": true,\n' in text
    assert '"text": "Schlüssel ***"' in text


# -- for people ------------------------------------------------------------------------------------

LIST, NOWHERE = "GET /v1/coupon-list/spring/files", "GET /v1/wes-doctor/spring"
REFUSED = reply(401, error("x", "No."))
GONE = reply(404, error("y", "Gone."), question=Question.NO_SUCH_PATH)
OTHERS = [reply(status) for status in (500, 502, 503, 503)]


class Below(NamedTuple):
    """
    The requests of the first and of the second trouble, and the lines below each.

    :ivar text: of the second trouble.
    """

    name: str
    first: Sequence[Probe]
    below_first: list[str]
    second: Sequence[Probe] = ()
    below_second: Sequence[str] = ()
    text: str = "Second."


BELOW = [
    Below("no request", (), []),
    Below("one request", [REFUSED], [f"{LIST} → 401, JSON: x: No."]),
    Below(
        "three requests",
        [REFUSED, GONE, OTHERS[0]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body",
        ],
    ),
    Below(
        "four requests",
        [REFUSED, GONE, *OTHERS[:2]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body, and 1 more",
        ],
    ),
    Below(
        "eight requests, three of them alike",
        [REFUSED, GONE, REFUSED, *OTHERS, REFUSED],
        [
            f"{LIST} (3 times) → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body, and 3 more",
        ],
    ),
    Below(
        "six requests of the second trouble, one of which is also of the first",
        [REFUSED],
        [f"{LIST} → 401, JSON: x: No."],
        [REFUSED, GONE, *OTHERS],
        [
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body",
            f"{LIST} → 502, no body",
        ],
    ),
    Below(
        "six requests, and those that are left out are also of the second trouble",
        [REFUSED, GONE, *OTHERS],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body, and 3 more",
        ],
        OTHERS,
        [f"{LIST} → 502, no body", f"{LIST} (2 times) → 503, no body"],
    ),
    Below(
        "a second trouble whose text refers to the first one",
        [REFUSED],
        [f"{LIST} → 401, JSON: x: No."],
        [GONE],
        text=ON_TWO_ANSWERS,
    ),
]


@pytest.mark.parametrize("row", BELOW, ids=ids(BELOW))
def test_below_a_trouble_stand_the_requests_that_it_rests_on(row: Below):
    first = Finding(Topic.ADDRESS, WRONG, "First.", tuple(row.first))
    second = Finding(Topic.LAG, NOT_PROVED, row.text, tuple(row.second))
    assert printed(report_of(first, second)) == [
        "Not ready: Address. First.",
        COMPANY,
        "wrong       Address                   See the first lines.",
        *(f"            {line}" for line in row.below_first),
        f"not proved  Lag of the list           {row.text}",
        *(f"            {line}" for line in row.below_second),
    ]


def test_a_stopped_run_shows_the_text_of_each_row_and_counts_no_further_requests():
    finding = Finding(Topic.ADDRESS, WRONG, "First.", (REFUSED, GONE, *OTHERS))
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


def test_no_line_is_lost_between_the_extra_and_what_is_cut_to_topics():
    troubles = [Finding(Topic.STATUSES, WRONG, "t", settings=LAG), *OPEN[:22]]
    lines = printed(report_of(*troubles, *many(9, SURE, "s")))
    assert lines[-2:] == [
        "}",
        "sure        Account, Campaign API key, Data API key, Workspace header, Path of the list's "
        "files, …",
    ]


def test_the_middle_of_a_long_request_is_left_out():
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
    assert [line.style for line in lines[3:]] == ["dim"] * len(lines[3:])


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
    lines and one of one line with two requests. A row that is cut has a mark.
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
    """Findings, and the rows of the report."""

    name: str
    findings: Sequence[Finding]
    rows: str


FIRST = Finding(Topic.ADDRESS, WRONG, "First.", DISTINCT)


def with_requests(number: int) -> list[Finding]:
    """Findings that are open, each with four requests of its own."""
    return [
        Finding(finding.topic, NOT_PROVED, "t", tuple(reply(410 + n + 20 * i) for i in range(4)))
        for n, finding in enumerate(many(number, NOT_PROVED, ""))
    ]


OPEN = 3 * many(14, NOT_PROVED, "t")
NEEDED = many(2, NOT_ASKED, LONG, needs_action=True)
LENGTHS = [
    # Not ready, with long texts.
    Length("30 lines", [FIRST, *many(8, SURE, LONG)], "1+3 3 3 3 3 3 3 3 3"),
    Length("31 lines", [FIRST, *many(9, SURE, LONG)], "1+3 3 3 3 3 3 3 3 2… 1…"),
    # Findings with four requests each.
    Length("6 findings with requests", [FIRST, *with_requests(6)], "1+3 1+3 1+3 1+3 1+3 1+3 1+3"),
    Length("7 findings with requests", [FIRST, *with_requests(7)], "1+3" + 7 * " 1+2"),
    Length(
        "7 findings with requests, and 2 that are sure",
        [FIRST, *with_requests(7), *many(2, SURE, LONG)],
        "1+3" + 7 * " 1+2" + " 2… 1…",
    ),
    Length("8 findings with requests", [FIRST, *with_requests(8)], "1+3" + 8 * " 1+2"),
    Length(
        "9 findings with requests, and 2 that are sure",
        [FIRST, *with_requests(9), *many(2, SURE, LONG)],
        "1+3" + 9 * " 1+1" + " 3 3",
    ),
    Length(
        "11 findings with requests, and 4 that are sure",
        [FIRST, *with_requests(11), *many(4, SURE, "s")],
        "1+3" + 11 * " 1" + " 1 1 1 1",
    ),
    # Open findings without requests.
    Length("20 open, and 5 sure", [FIRST, *OPEN[:20], *many(5, SURE, "s")], "1+2" + 25 * " 1"),
    Length(
        "21 open, and 9 sure", [FIRST, *OPEN[:21], *many(9, SURE, "s")], "1+3" + 21 * " 1" + " 1+1"
    ),
    Length(
        "22 open, 3 sure, and 2 not asked",
        [FIRST, *OPEN[:22], *many(3, SURE, "s"), *many(2, NOT_ASKED, "s")],
        "1+3" + 24 * " 1",
    ),
    Length(
        "22 open, 9 sure, and 1 that needs action",
        [FIRST, *OPEN[:22], *many(9, SURE, "s"), *NEEDED[:1]],
        "1+1" + 22 * " 1" + " 1… 3",
    ),
    Length(
        "23 open, 3 sure, and 2 not asked",
        [FIRST, *OPEN[:23], *many(3, SURE, "s"), *many(2, NOT_ASKED, "s")],
        "1+2" + 25 * " 1",
    ),
    Length(
        "24 open, 3 sure, and 2 not asked",
        [FIRST, *OPEN[:24], *many(3, SURE, "s"), *many(2, NOT_ASKED, "s")],
        "1+1" + 26 * " 1",
    ),
    Length(
        "25 open, and 14 sure", [FIRST, *OPEN[:25], *many(14, SURE, "s")], "1+1" + 25 * " 1" + " 1…"
    ),
    # Ready.
    Length("ready, 4 long texts", many(4, SURE, LONG), "3 3 3 3"),
    Length("ready, 5 long texts", many(5, SURE, LONG), "3 3 3 3 2…"),
    Length("ready, 14 long texts", many(14, SURE, LONG), 14 * "1… "),
    Length("ready, 15 long texts", many(15, SURE, LONG), "1+2"),
    Length(
        "ready, 6 long texts, and 2 that need action",
        [*many(6, SURE, LONG), *NEEDED],
        "3 3 3 1… 1… 1… 3 3",
    ),
    Length(
        "ready, 5 long texts, and an extra",
        [Finding(Topic.LAG, SURE, LONG, settings=LAG), *many(4, SURE, LONG)],
        "3 3 3 3 1… 1",
    ),
]


@pytest.mark.parametrize("row", LENGTHS, ids=ids(LENGTHS))
def test_how_much_of_findings_a_report_shows_follows_from_their_number(row: Length):
    assert outline(report_of(*row.findings)) == row.rows.strip()


class Cut(NamedTuple):
    """A text, and the end of the only line that it has room for."""

    name: str
    text: str
    end: str


CUTS = [
    Cut("words", "word " * 30, "word word …"),
    Cut(
        "numbers before a long word", "x" * 40 + "x cat 12 34 " + "y" * 30 + "word " * 30, "x cat …"
    ),
    Cut("a number and one with a letter", "x" * 50 + " cats 1 2b " + "word " * 30, "cats …"),
]


@pytest.mark.parametrize("row", CUTS, ids=ids(CUTS))
def test_a_row_that_is_cut_keeps_numbers_with_what_they_count(row: Cut):
    lines = printed(report_of(*many(14, SURE, row.text)))[2:]
    assert all(line.endswith(row.end) and len(line) <= 100 for line in lines)
    assert lines[0].startswith("sure        Account                   ")


def pasted(**values: Any) -> list[str]:
    """The lines of the extra that has some values."""
    lines = printed(report_of(Finding(Topic.STATUSES, WRONG, "t", settings=values)))
    return lines[lines.index("{") : lines.index("}") + 1]


def test_a_list_of_the_extra_goes_on_in_further_lines_if_it_is_too_long():
    name = "coupon_file_statuses.success"
    assert pasted(**{name: ["Ä" * 10, "B" * 66]}) == [
        "{",
        '  "coupon_file_statuses": {',
        f'    "success": ["{"Ä" * 10}", "{"B" * 66}"]',
        "  }",
        "}",
    ]
    assert pasted(**{name: ["Ä" * 10, "B" * 67]})[2:4] == [
        f'    "success": ["{"Ä" * 10}",',
        f'        "{"B" * 67}"]',
    ]
    a, b, c, d, e = (letter * 36 for letter in "ABCDE")
    assert pasted(**{name: [a, b, c, d, e], "coupon_file_statuses.failure": ["F"]})[2:-2] == [
        f'    "success": ["{a}", "{b}",',
        f'        "{c}", "{d}",',
        f'        "{e}"],',
        '    "failure": ["F"]',
    ]


def test_a_property_of_the_extra_is_divided_if_it_is_too_long():
    assert pasted(**{"paths.coupon_files": "/" * 69}) == [
        "{",
        f'  "paths": {{"coupon_files": "{"/" * 69}"}}',
        "}",
    ]
    assert pasted(**{"paths.coupon_files": "/" * 70}) == [
        "{",
        '  "paths": {',
        f'    "coupon_files": "{"/" * 70}"',
        "  }",
        "}",
    ]
    assert pasted(**{"paths.coupon_files": "/" * 90, "paths.catalog_id": "ä"}) == [
        "{",
        '  "paths": {',
        f'    "coupon_files": "{"/" * 90}",',
        '    "catalog_id": "ä"',
        "  }",
        "}",
    ]
