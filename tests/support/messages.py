"""
Every error message and log line of the provider that a test provokes, checked for a log pane of 95 characters.

The first line states the cause; advice and details follow in lines of their own; there is no secret in any of them.
"""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable
from types import FrameType
from typing import Any

from wes_provider import exceptions
from wes_provider.models import ERROR_HEADLINE, HEADLINE

PACKAGE = "/wes_provider/"
LEFT_OUT = ("emulator/", "doctor/")
"""Modules whose messages go to a terminal or a test, not into Airflow's log."""

SECRET = re.compile(
    r"emulated-(?:campaign|data)-key|p4ssw0rd|s1gned|s3cret|t0ken|topsecret"  # which tests plant
    r"|\w://[^/\s]*:[^/\s@]+@|\w://[^\s?]+\?(?!\[redacted\]|…)\w|\bBasic (?=[a-z]*[A-Z0-9+/=])[\w+/]{8,}=*"
)
ADVICE = re.compile(
    r"[.;] (?:then |please )?(?:add|ask|change|check|clear|create|fix|give|leave|look|make|mark|open|pass|press|raise|"
    r"remove|run|see|send|set|try|upload|use|wait|write)\b",
    re.IGNORECASE,
)


def problems(text: str, longest: int = HEADLINE) -> list[str]:
    """
    What is wrong with a message.

    :param text: as Airflow's log shows it.
    :param longest: how many characters its first line may have.
    """
    first = text.partition("\n")[0]
    found = []
    if len(first) > longest:
        found.append(f"{len(first)} characters in the first line")
    if advice := ADVICE.search(first):
        found.append(f"advice in the first line: {advice[0]!r}")
    if secret := SECRET.search(text):
        found.append(f"a secret: {secret[0]!r}")
    return found


class Messages:
    """Collects what :func:`problems` finds, each place in the code once."""

    def __init__(self) -> None:
        self.count = 0
        self.found: dict[str, str] = {}
        self._seen: set[tuple[str, str]] = set()

    def install(self) -> Callable[[], None]:
        """From now on; the result undoes it."""
        create, make = exceptions.WesError.__init__, logging.getLogRecordFactory()

        def created(error: exceptions.WesError, message: str = "", **arguments: Any) -> None:
            create(error, message, **arguments)
            self.add(place_of(inspect.currentframe()), str(message), error)

        def made(name: str | None, *arguments: Any, **more: Any) -> logging.LogRecord:
            record = make(name, *arguments, **more)
            if "wes_provider" in (name or "") and PACKAGE in record.pathname:
                self.add(f"{record.pathname.rpartition(PACKAGE)[2]}:{record.lineno}", record.getMessage())
            return record

        def undo() -> None:
            exceptions.WesError.__init__ = create
            logging.setLogRecordFactory(make)

        exceptions.WesError.__init__ = created
        logging.setLogRecordFactory(made)
        return undo

    def add(self, place: str, text: str, error: exceptions.WesError | None = None) -> None:
        """
        Check a message.

        :param place: in the code, its file and line; empty if a test made it.
        """
        if not place or place.startswith(LEFT_OUT) or (place, text) in self._seen:
            return
        self._seen.add((place, text))
        self.count += 1
        # Wrong arguments are mostly found when a DAG is parsed, and shown without a class before them.
        short = error is not None and not isinstance(error, exceptions.WesConfigurationError)
        wrong = problems(text, ERROR_HEADLINE if short else HEADLINE) + unnamed(text, error)
        if wrong:
            self.found.setdefault(place, f"{place}: {'; '.join(wrong)}\n{text[:300]}")


def unnamed(text: str, error: exceptions.WesError | None) -> list[str]:
    """Which of list and file the first line of a failed file's error leaves out; long names are shortened."""
    if not isinstance(error, exceptions.WesCouponFileFailedError):
        return []
    return [] if re.search(r"[ (]list ", text.partition("\n")[0]) else ["neither list nor file in the first line"]


def place_of(frame: FrameType | None) -> str:
    """The line of the package that makes an error; empty for one that a test made, or an event brought back."""
    while frame is not None and frame.f_code.co_filename in (__file__, exceptions.__file__):
        frame = frame.f_back
    if (
        frame is None
        or frame.f_code.co_name in ("load", "load_outcomes")
        or PACKAGE not in frame.f_code.co_filename
        or "/tests/" in frame.f_code.co_filename
    ):
        return ""
    return f"{frame.f_code.co_filename.rpartition(PACKAGE)[2]}:{frame.f_lineno}"
