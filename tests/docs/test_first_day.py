"""
The pages about ``wes-doctor`` name what it reports; their commands run in ``tests/scheduler``.
"""

from __future__ import annotations

import json
import re
from enum import Enum

import pytest

from support.doctor_service import Account, examined_account
from support.pages import PAGES, section, snippets
from wes_provider.doctor import cli
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Keys, Kind, Question
from wes_provider.doctor.report import State
from wes_provider.emulator.settings import Settings

FIRST_DAY = PAGES["first-day.md"]
PAGE = PAGES["doctor-report.md"]
COMMANDS = section(PAGES["commands.md"], "wes-doctor")


def test_the_connection_of_the_rehearsal_is_made_as_that_of_an_account():
    connect, connect_rehearsal = snippets(FIRST_DAY, "bash")[4:6]
    values = {
        "https://api-{data_center}.example.com": "http://127.0.0.1:8099",
        '"data_center": "01", ': "",
        "WORKSPACE": Settings.workspace_id,
    }
    for placeholder, value in values.items():
        assert placeholder in connect
        connect = connect.replace(placeholder, value)
    assert connect == connect_rehearsal


def test_every_row_of_the_table_is_one_of_the_doctors():
    rows = re.findall(r"^\| ([^|]+) \|", PAGE[PAGE.index("| row | usual cause |") :], re.MULTILINE)
    named = {name.strip() for row in rows[1:] for name in row.split(",")}
    assert named - {"---"} <= {topic.value for topic in Topic}
    assert len(named) > 8


def test_every_word_of_a_row_is_explained():
    words = set(re.findall(r"^\| `([a-z ]+)` \|", PAGE, re.MULTILINE))
    assert words >= {certainty.value for certainty in Certainty}


def test_every_exit_code_is_on_the_page():
    codes = {cli.READY, cli.NOT_READY, cli.WRONG_USAGE, cli.INTERRUPTED}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == codes


@pytest.mark.parametrize("names", [Certainty, Keys, Kind, Question, State])
def test_the_names_in_the_json_report_are_described(names: type[Enum]):
    missing = {member.value for member in names if f"`{member.value}`" not in COMMANDS}
    assert missing == set()


def test_the_names_of_findings_in_the_json_report_are_described():
    assert {
        topic.stable_name for topic in Topic if f"`{topic.stable_name}`" not in COMMANDS
    } == set()


def test_the_properties_of_the_json_report_are_those_that_are_described():
    report = json.loads(examined_account(Account()).to_json())
    first_columns = "".join(
        re.findall(r"^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|", COMMANDS, re.MULTILINE)
    )
    described = set(re.findall(r"`([a-z_]+)`", first_columns))
    assert described == {*report, *report["findings"][0], *report["probes"][0]}


def test_findings_name_their_probes_by_position():
    report = json.loads(examined_account(Account()).to_json())
    findings = {finding["name"]: finding for finding in report["findings"]}
    probes = [report["probes"][position] for position in findings["campaign-key"]["probes"]]
    assert [probe["keys"] for probe in probes] == ["own", "made-up", "own", "own"]
    assert [probe["question"] for probe in probes] == ["list", "made-up-key", "again", "again"]
