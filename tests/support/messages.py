"""Every error message and log line of the provider that a test provokes, searched for secrets."""

from __future__ import annotations

import logging
import re
from typing import Any

from wes_provider import exceptions

SECRET = re.compile(
    r"emulated-(?:campaign|data)-key|p4ssw0rd|s1gned|s3cret|t0ken|topsecret"  # which tests plant
    r"|\w://[^/\s]*:[^/\s@]+@|\w://[^\s?]+\?\w|\bBasic (?=[a-z]*[A-Z0-9+/=])[\w+/]{8,}=*"
)


FOUND: set[str] = set()
"""Messages that hold a secret."""


def install() -> None:
    """Search from now on."""
    create, make = exceptions.WesError.__init__, logging.getLogRecordFactory()

    def created(error: exceptions.WesError, message: str = "", **arguments: Any) -> None:
        create(error, message, **arguments)
        search(str(message))

    def made(name: str | None, *arguments: Any, **more: Any) -> logging.LogRecord:
        record = make(name, *arguments, **more)
        if (
            "wes_provider" in (name or "")
            and "/wes_provider/" in record.pathname
            and "/emulator/" not in record.pathname
        ):
            search(record.getMessage())
        return record

    exceptions.WesError.__init__ = created
    logging.setLogRecordFactory(made)
    for name in ("wes_provider", "airflow.task.operators.wes_provider"):
        logging.getLogger(name).setLevel(logging.INFO)


def search(text: str) -> None:
    if secret := SECRET.search(text):
        FOUND.add(f"{secret[0]!r} in {text[:300]}")
