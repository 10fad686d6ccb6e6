"""
A service with a list that has files, and pauses that take no time; the command line without a real
examination.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from support.doctor_cli import GIVEN_EXTRA, HOST, Examination
from support.doctor_reads import LOGIN
from support.doctor_service import service
from support.skipping_clock import CLOCK
from wes_provider.doctor import cli
from wes_provider.doctor.conclusions import limit_conclusions
from wes_provider.doctor.reads import sending
from wes_provider.doctor.writes import upload
from wes_provider.emulator import Emulator
from wes_provider.waits import loop


@pytest.fixture(autouse=True)
def skipped_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor's pauses for limits, repetitions and an upload's way take no time."""
    CLOCK.replace_time(monkeypatch, sending, upload, limit_conclusions, loop)
    CLOCK.replace_asyncio(monkeypatch, loop)


@pytest.fixture(autouse=True)
def without_certificates_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of certificates is given, which would be read anew for each row."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def emulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """
    The service with the contract's defaults; ``wes_default`` leads to it, and files are processed
    at once.
    """
    with service(processing_time=0) as emulator:
        for name, value in emulator.connection_env().items():
            monkeypatch.setenv(name, value)
        yield emulator


@pytest.fixture
def examination(monkeypatch: pytest.MonkeyPatch) -> Examination:
    """The command line with two connections that differ in their login, and no real examination."""
    made = Examination()
    monkeypatch.setattr(cli, "examine", made)
    for name, login in (("WES_DEFAULT", LOGIN), ("OTHER", "another-workspace")):
        connection = {
            "conn_type": "wes",
            "host": HOST,
            "login": login,
            "password": "campaign-key-of-ours",
            "extra": GIVEN_EXTRA,
        }
        monkeypatch.setenv(f"AIRFLOW_CONN_{name}", json.dumps(connection))
    return made


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A terminal, on which ``typed`` is typed."""
    typed = SimpleNamespace(typed="", isatty=lambda: True)
    typed.readline = lambda: typed.typed
    monkeypatch.setattr(sys, "stdin", typed)
    return typed


@pytest.fixture
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the environment names a proxy, unless a test sets one."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
