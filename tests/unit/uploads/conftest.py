"""Attempts of tasks that upload, against the emulator on a stopped clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.attempts import Clock, TaskInstance, stop_time
from wes_provider.emulator import Emulator
from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator

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
