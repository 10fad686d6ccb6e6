"""The way of an upload through the package: short, downwards, and in parts that can be read in one sitting."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import requests.adapters

import wes_provider
from support.attempts import TaskInstance, stop_time
from wes_provider.emulator import Emulator
from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator
from wes_provider.upload_task import WesUploadTask

PACKAGE = Path(wes_provider.__file__).parent
UPLOADS = PACKAGE / "uploads"
URL = "https://files.example.com/coupons.csv"
ARGUMENTS: dict[type[WesUploadTask], dict[str, Any]] = {
    WesUploadCouponFileOperator: {"file_url": URL},
    WesReplenishCouponListOperator: {"files": [URL], "wait_for_completion": False},
}
MOST_CALLS = 7


def calls_of_ours(frame: FrameType | None) -> Iterator[tuple[Path, str]]:
    """The package's functions that wait for a frame, the innermost first."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if PACKAGE in path.parents:
            yield path, frame.f_code.co_name
        frame = frame.f_back


@pytest.mark.parametrize("method", ["execute", "execute_at_reset"])
@pytest.mark.parametrize("operator", ARGUMENTS, ids=lambda operator: operator.__name__)
def test_the_url_reaches_the_http_library_in_at_most_seven_calls_and_never_goes_back_up(
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    operator: type[WesUploadTask],
    method: str,
):
    clock = stop_time(wes_emulator, monkeypatch)
    ti = TaskInstance(clock, xcoms={"coupon_files": []})
    task = operator(task_id="replenish", coupon_list_id="list", **ARGUMENTS[operator])
    handed_over: list[list[tuple[Path, str]]] = []
    send: CodeType = requests.adapters.HTTPAdapter.send.__code__

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is send and frame.f_locals["request"].method == "POST":
            handed_over.append(list(calls_of_ours(frame.f_back)))

    event = {} if method == "execute" else {"event": {"state": {"version": 1}}}
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        getattr(task, method)(ti.context(), **event)
    finally:
        sys.setprofile(before)
    (calls,) = handed_over
    assert len(calls) <= MOST_CALLS, calls
    rooms = [path.relative_to(PACKAGE).parts[0] for path, _ in reversed(calls)]
    downwards = [Path(sys.modules[operator.__module__].__file__ or "").name, "uploads", "hooks.py", "client"]
    assert rooms == sorted(rooms, key=downwards.index)


def test_every_uploading_operator_is_followed():
    assert set(ARGUMENTS) == set(WesUploadTask.__subclasses__())


def test_the_uploads_package_is_of_small_parts():
    for path in UPLOADS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= (200 if isinstance(node, ast.ClassDef) else 40), (path.name, node.name, lines)
