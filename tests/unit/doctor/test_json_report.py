"""
The JSON of a report has everything by stable names: the connection, the address, the state (ready,
not-ready, not-proved, stopped), the verdict, the settings each with its certainty, the extra, the
findings and the requests. A setting of which no finding speaks has the connection's value and is
not proved. The extra has what differs from the defaults. The state is stopped if the user stopped
it, else that of the first trouble: a cause or two answers (not-proved) before what is wrong, that
before what is not proved. "works" is true only if the state is ready. reads and writes are the
doctor's counts, not those of the requests listed. A finding has the places, from 0, of the requests
that it rests on, of two equal ones those that it holds itself. A lost request has null as status
and code. The JSON is indented, and has letters as they are; a path of up to 300 characters is whole,
of a longer one the middle is left out. It has no secret: a key is shown as ***.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, error_body, reply
from support.doctor_reports import (
    ADDRESS,
    COUNTS,
    HEADER,
    LAG,
    NOT_PROVED,
    SURE,
    WRONG,
    report_of,
)
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.doctor.findings.finding import Finding, Topic
from wes_provider.doctor.replies.probes import Keys, Probe, Question
from wes_provider.doctor.report import DEFAULTS


def test_the_json_has_everything_by_stable_names():
    """A finding has the places of the requests that it rests on."""
    first = reply(
        404, error_body("gone", "Gone."), question=Question.NO_SUCH_PATH, keys=Keys.MADE_UP
    )
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
    assert values["paths.coupon_file"] == {
        "value": DEFAULTS["paths.coupon_file"],
        "certainty": "not proved",
    }
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
CAUSE = Finding(Topic.LAG, NOT_PROVED, "Why.", is_cause=True)
FIRST = {
    "what is wrong, before what is not proved": ((COUNTS, ADDRESS), False, "not-ready"),
    "a cause that is not proved, before what is wrong": ((ADDRESS, CAUSE), False, "not-proved"),
    "stopped, before what is wrong": ((ADDRESS,), True, "stopped"),
}


@pytest.mark.parametrize("row", FIRST.values(), ids=FIRST)
def test_the_state_is_that_of_the_first_trouble_unless_it_was_stopped(row):
    findings, stopped, state = row
    content = json.loads(report_of(*findings, stopped=stopped).to_json())
    assert (content["state"], content["works"]) == (state, False)


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


def test_the_json_has_at_most_300_characters_of_a_path():
    assert path_of("a" * 299) == f"/{'a' * 299}"
    assert path_of("a" * 300) == f"/{'a' * 19}…{'a' * 14}"


def path_of(path: str) -> str:
    """The path of the only request in a report."""
    request = reply().request._replace(url=f"https://api.example.com/{path}")
    return json.loads(report_of(probes=(reply(request=request),)).to_json())["probes"][0]["path"]
