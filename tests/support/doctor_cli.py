"""The command line, with an examination that has one finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.cli import main
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.report import Report
from wes_provider.settings import WesSettings

HOST = "https://api-{data_center}.example.com"
ADDRESS = "https://api-07.example.com"
GIVEN_EXTRA = {"data_center": "07", "data_api_key": "data-key-of-ours", "read_timeout": 90}
FOUND = {"workspace_header": "X-App-Id"}
URL = "https://files.example.com/a.csv"


class Examined(NamedTuple):
    """What was examined."""

    settings: WesSettings
    extra: dict[str, Any]
    options: Options
    host: str


class Examination:
    """
    In place of an examination, which has tests of its own: it has one finding.

    :ivar calls: so far.
    :ivar certainty: of the finding; ``found``: what the extra gets by it.
    :ivar stopped: whether the report says that the user stopped it.
    :ivar ends_with: what it raises in place of a report.
    """

    def __init__(self) -> None:
        self.calls: list[Examined] = []
        self.certainty = Certainty.SURE
        self.found = FOUND
        self.stopped = False
        self.ends_with: BaseException | None = None

    def __call__(
        self,
        settings: WesSettings,
        extra: dict[str, Any],
        options: Options,
        on_step: Any,
        host: str,
    ) -> Report:
        on_step("Read the list")
        self.calls.append(Examined(settings, extra, options, host))
        if self.ends_with is not None:
            raise self.ends_with
        finding = Finding(Topic.WORKSPACE_HEADER, self.certainty, "Found.", settings=self.found)
        return Report(settings, extra, [finding], [], 1, 0, self.stopped, lambda value: value)


def check_usage_error(
    argv: Sequence[str],
    message: str,
    examination: Examination,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command ends with 2 and this message, and nothing was examined or printed as a result."""
    with pytest.raises(SystemExit) as exit_:
        main(argv)
    said = capsys.readouterr()
    assert said.err.endswith(f"wes-doctor: error: {message}\n")
    assert (exit_.value.code, examination.calls, said.out) == (2, [], "")


__all__ = [
    "ADDRESS",
    "FOUND",
    "GIVEN_EXTRA",
    "HOST",
    "URL",
    "Examination",
    "Examined",
    "check_usage_error",
]
