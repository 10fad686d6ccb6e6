"""
Texts of the service, a status, an error, a name and a message, may be odd or long. In the output
for people and in the JSON, their control characters are replaced, by � in a status (in capitals)
and by a space in a quoted error, and the output has printable characters only. Of a text of
thousands of characters, more than 80 and at most 100 are printed without a gap. The error output
stays empty.
"""

from __future__ import annotations

import json
import re

import pytest

from support.doctor_service import (
    CAMPAIGN_KEY,
    DATA_KEY,
    LIST,
    SEGMENT_PATH,
    WORKSPACE,
    Account,
    Call,
    not_found,
    record,
)
from support.servers import Reply, replying
from wes_provider.doctor.cli import main

ODD = "\x1b]0;owned\x07\u202e" + "A" * 3_000


def what_an_odd_account_has_printed(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """The output for an account whose last file, and whose reply about a segment, have odd texts."""

    def no_segment(call: Call) -> Reply | None:
        if call.path == SEGMENT_PATH and call.key == "data":
            return not_found(f"segment {ODD}")
        return None

    odd_file = record("f" * 500, ODD, error=ODD, **{ODD: 7})
    with replying(Account(no_segment, [record("f1"), odd_file])) as url:
        connection = {
            "conn_type": "wes",
            "host": url,
            "login": WORKSPACE,
            "password": CAMPAIGN_KEY,
            "extra": {"data_api_key": DATA_KEY},
        }
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
        assert main(["--coupon-list", LIST, *option.split()]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


OUTPUTS = pytest.mark.parametrize("option", ["", "--json"], ids=["for people", "JSON"])


@OUTPUTS
def test_control_characters_of_the_service_are_replaced_in_the_output(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The status in capitals, as it is compared; what the service says of the file in quotes."""
    output = what_an_odd_account_has_printed(option, monkeypatch, capsys)
    assert "Not proved: Statuses." in output
    assert "\ufffd]0;OWNED\ufffd\ufffdAAA" in output
    assert "' ]0;owned" in output
    assert all(character.isprintable() or character == "\n" for character in output)


@OUTPUTS
def test_of_a_long_text_of_the_service_at_most_100_characters_are_in_the_output(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    output = what_an_odd_account_has_printed(option, monkeypatch, capsys)
    lengths = [len(run) for run in re.findall("A+|f+", output)]
    assert 80 < max(lengths) <= 100
