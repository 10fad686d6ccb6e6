"""Fixtures of the unit tier."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def logged(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Callable[[], str]:
    """What tasks have logged since the last call: Airflow 3 writes it to the standard output."""

    def logged() -> str:
        text = capsys.readouterr().out + caplog.text
        caplog.clear()
        return text

    return logged
