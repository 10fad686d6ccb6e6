"""
Before `wes-doctor` changes anything, it shows on stderr what it will change, and that it sends at
most 12 reads before; before an upload also how often that is read after it: at most 100 times in a
minute, then once in 10 seconds. Then it asks on the terminal. "yes", in any case and with white
space around it, confirms; anything else ends with 2 before anything is sent. With --yes it shows
the same and asks nothing. Without a terminal, it ends with 2 if --yes is not given.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from support.doctor_cli import (
    ADDRESS,
    URL,
    Examination,
    check_usage_error,
)
from wes_provider.doctor.cli import main

pytestmark = pytest.mark.usefixtures("examination")

CREATES = (
    f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
    "  - Create the catalog shoes\n"
)


def test_what_is_to_be_changed_is_shown_before_it_is_asked(
    terminal: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    main(["--catalog", "shoes"])
    assert capsys.readouterr().err == f"{CREATES}Type yes to go on: "


def test_with_yes_given_what_is_to_be_changed_is_shown_and_nothing_asked(
    terminal: SimpleNamespace, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    assert main(["--catalog", "shoes", "--yes"]) == 0
    assert capsys.readouterr().err == CREATES
    assert len(examination.calls) == 1


def test_how_often_an_upload_is_read_is_shown_before_it(capsys: pytest.CaptureFixture[str]):
    main(["--coupon-list", "spring", "--upload", URL, "--yes"])
    assert capsys.readouterr().err == (
        f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
        f"  - Upload {URL} to the list spring\n"
        "It follows the upload with at most 100 reads in a minute, then with one in 10 s.\n"
    )


@pytest.mark.parametrize("typed", ["yes\n", " YES \n"], ids=repr)
def test_yes_on_the_terminal_confirms_a_change(
    typed: str, examination: Examination, terminal: SimpleNamespace
):
    terminal.typed = typed
    assert main(["--catalog", "shoes"]) == 0
    assert len(examination.calls) == 1


@pytest.mark.parametrize("typed", ["y\n", "yes please\n", "\n", ""], ids=repr)
def test_anything_but_yes_on_the_terminal_ends_with_2_before_anything_is_sent(
    typed: str, examination: Examination, terminal: SimpleNamespace
):
    terminal.typed = typed
    assert main(["--catalog", "shoes"]) == 2
    assert examination.calls == []


def test_without_a_terminal_a_change_needs_yes_as_an_argument(
    examination: Examination, terminal: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    terminal.typed = "yes\n"
    terminal.isatty = lambda: False
    message = "this changes something: confirm it on a terminal, or give --yes"
    check_usage_error(["--catalog", "c"], message, examination, capsys)
