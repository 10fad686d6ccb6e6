"""Every error message and log line of the provider that a test provokes, searched for secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from wes_provider import exceptions

PACKAGE = "/wes_provider/"

SECRET = re.compile(
    r"emulated-(?:campaign|data)-key|p4ssw0rd|s1gned|s3cret|t0ken|topsecret"  # which tests plant
    r"|\w://[^/\s]*:[^/\s@]+@|\w://[^\s?]+\?\w|\bBasic (?=[a-z]*[A-Z0-9+/=])[\w+/]{8,}=*"
)


class Messages:
    """Collects messages that hold a secret."""

    def __init__(self) -> None:
        self.count = 0
        self.found: set[str] = set()

    def install(self) -> Callable[[], None]:
        """From now on; the result undoes it."""
        create, make = exceptions.WesError.__init__, logging.getLogRecordFactory()

        def created(error: exceptions.WesError, message: str = "", **arguments: Any) -> None:
            create(error, message, **arguments)
            self.add(str(message))

        def made(name: str | None, *arguments: Any, **more: Any) -> logging.LogRecord:
            record = make(name, *arguments, **more)
            if "wes_provider" in (name or "") and PACKAGE in record.pathname and "/emulator/" not in record.pathname:
                self.add(record.getMessage())
            return record

        def undo() -> None:
            exceptions.WesError.__init__ = create
            logging.setLogRecordFactory(make)

        exceptions.WesError.__init__ = created
        logging.setLogRecordFactory(made)
        return undo

    def add(self, text: str) -> None:
        """Check a message."""
        self.count += 1
        if secret := SECRET.search(text):
            self.found.add(f"{secret[0]!r} in {text[:300]}")
