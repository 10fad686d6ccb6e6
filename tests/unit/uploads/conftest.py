"""Attempts of tasks that upload, against the emulator on a stopped clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from support.attempts import Clock, TaskInstance, stop_time
from wes_provider.attempt import Attempt
from wes_provider.coupon_files import Statuses
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError
from wes_provider.hooks import WesHook
from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator
from wes_provider.uploads.decision import Policy
from wes_provider.uploads.loop import UploadedFile, UploadLoop
from wes_provider.uploads.request import UploadRequest

HOST = "https://files.example.com"


@pytest.fixture
def clock(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Clock:
    wes_emulator.script(outcome="never")  # nobody fetches the files
    clock = stop_time(wes_emulator, monkeypatch)
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: clock.sleep(float(seconds)))
    return clock


@pytest.fixture
def ti(clock: Clock) -> TaskInstance:
    return TaskInstance(sleep=clock.sleep, now=clock.time)


def replenish(files: Any, **arguments: Any) -> Callable[[], Any]:
    """
    Makes the operator anew for each attempt, as Airflow does. By default it fills the list
    ``summer``, defers for the rate limit, and does not wait for the files.

    :param files: what gives them, or a function that renders them for each attempt.
    """

    def make() -> WesReplenishCouponListOperator:
        given = {
            "task_id": "replenish",
            "coupon_list_id": "summer",
            "wait_for_completion": False,
            "deferrable": True,
        }
        return WesReplenishCouponListOperator(
            **{**given, **arguments}, files=files() if callable(files) else list(files)
        )

    return make


def upload(file_url: Any = f"{HOST}/a.csv", **arguments: Any) -> Callable[[], Any]:
    """
    Makes the operator anew for each attempt. By default it uploads ``a.csv`` to the list
    ``summer``, sleeps for the rate limit, and does not wait for the file.

    :param file_url: the URL, or a function that renders it for each attempt.
    """

    def make() -> WesUploadCouponFileOperator:
        url = file_url() if callable(file_url) else file_url
        return WesUploadCouponFileOperator(
            **{"task_id": "replenish", "coupon_list_id": "summer", **arguments}, file_url=url
        )

    return make


def urls(count: int, prefix: str = "part") -> list[str]:
    return [f"{HOST}/{prefix}-{number}.csv" for number in range(count)]


UPLOAD = "upload_coupon_file"
ACCEPTED = faults.empty(effect=False)
"""A 201 without a body, for a file that the list never shows."""
ARRIVES = faults.slow(0.01)
"""A request that is carried out and answered, before one that a later fault is for."""


def is_for_good(error: BaseException) -> bool:
    """Whether Airflow does not retry the task: before Airflow 3.3, by the error's class."""
    return isinstance(error, AirflowFailException) or getattr(error, "permanent", False)


def raises(error: type[WesError], match: str | None = None) -> Any:
    """The error, or before Airflow 3.3, what keeps Airflow from retrying the task for it."""
    return pytest.raises((error, AirflowFailException), match=match)


def refused(emulator: Emulator) -> int:
    """How many uploads got 429."""
    return sum(request.status == 429 for request in emulator.requests_for(UPLOAD))


FAILED_FILE: dict[str, Any] = {"outcome": "failure", "processing_time": 0.0}
LATE = {"list_lag": 45}
"""The list shows a file after it should have: coupon_files_lag is 30 seconds."""
AWAY_NOW = {
    "away": faults.error(503),
    "limited": faults.error(429),
    "a key that is rotated": faults.error(401, code="wrong-key"),
}


def send(
    ti: TaskInstance, file_url: str, on_duplicate: str = "adopt", **fields: Any
) -> list[UploadedFile]:
    """Send an upload as storage and ledgers ask for it."""
    request = replace(UploadRequest.of("summer", {"file_url": file_url}), **fields)
    policy = Policy(on_duplicate, Statuses(), max_attempts=5, timeout=60.0)
    attempt = Attempt.of(ti.context())
    uploads = UploadLoop(WesHook(), attempt, [request], policy, deferrable=False)
    assert uploads.run() is None
    return uploads.progress.done
