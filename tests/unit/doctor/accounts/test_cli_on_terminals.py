"""
Without ``--yes``, a terminal shows which changes are to be confirmed. If the user types "yes", they
are sent; after "no", nothing is sent, and the exit code is 2. The question goes to the error
output, and is no part of the report, which is still *Not proved* (exit code 1) without a list.
Progress has one line, in which each step replaces the one before.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_service import (
    service,
)


class OnTerminal(NamedTuple):
    """How the command ended that a user confirmed, or did not, on a terminal."""

    code: int
    asked: str
    progress: str
    output: str
    segments: Sequence[str]


def update_segment_on_terminal(typed: str) -> OnTerminal:
    """
    Update the segment ``s``, in a process of its own, as it is for a user, who types something and
    names no list.
    """
    user, program = pty.openpty()
    os.write(user, f"{typed}\n".encode())
    with service(processing_time=0) as emulator:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor", "--segment", "s"],
            stdin=program,
            stdout=subprocess.PIPE,
            stderr=program,
            env={**os.environ, **emulator.connection_env(), "TERM": "xterm", "COLUMNS": "100"},
            check=False,
            timeout=60,
        )
        segments = [*emulator.segments]
    os.close(program)
    shown = os.read(user, 65536).decode()
    os.close(user)
    asked, _, progress = shown.partition("Type yes to go on: ")
    return OnTerminal(done.returncode, asked, progress, done.stdout.decode(), segments)


@pytest.fixture(scope="module")
def confirmed() -> OnTerminal:
    """The command after the user has typed ``yes``."""
    return update_segment_on_terminal("yes")


def test_a_write_that_is_confirmed_on_a_terminal_is_sent(confirmed: OnTerminal):
    """Without a list, the account is not ready."""
    assert (confirmed.code, confirmed.segments) == (1, ["s"])


def test_a_terminal_shows_what_is_to_be_confirmed(confirmed: OnTerminal):
    assert (
        "  - Update the segment s: its updated_by becomes wes-doctor@example.com" in confirmed.asked
    )


def test_a_question_on_a_terminal_is_no_part_of_the_report(confirmed: OnTerminal):
    assert confirmed.output.startswith("Not proved: ")


def test_a_terminal_has_one_line_of_progress(confirmed: OnTerminal):
    """Each step replaces the one before."""
    assert "Update the segment s" in confirmed.progress
    assert confirmed.progress.count("\n") <= 2


@pytest.mark.weekly("one process more; test_cli_options.py has what confirms, and what does not")
def test_a_write_that_is_not_confirmed_on_a_terminal_is_not_sent():
    refused = update_segment_on_terminal("no")
    assert (refused.code, refused.segments) == (2, [])
    assert "Update the segment s" not in refused.progress
