"""
Every kind of error that users get from a task, made by the operators against the emulator.

``pytest -s tests/unit/test_messages.py`` prints them as one page, to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowFailException

from support.attempts import Clock, TaskInstance, stop_time
from wes_provider import exceptions
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor
from wes_provider.texts import PAGES

URL = "https://files.example.com/summer/a.csv"
SECRETS = ("emulated-campaign-key", "emulated-data-key", "topsecret")
MADE: dict[str, WesError] = {}


@dataclass
class World:
    """What a row of the table may use."""

    emulator: Emulator
    ti: TaskInstance
    monkeypatch: pytest.MonkeyPatch

    def connection(self, **fields: Any) -> None:
        env = self.emulator.connection_env(**fields)
        for name, value in env.items():
            self.monkeypatch.setenv(name, value)

    def fail(self, operation: str, *given: Any, times: int | None = 1) -> None:
        for fault in given:
            self.emulator.fail(operation, fault, times=times)

    def upload(self, attempt: str = "run", **arguments: Any) -> Any:
        given = {
            "task_id": "replenish",
            "coupon_list_id": "summer",
            "file_url": f"{URL}?sig=topsecret",
        }
        return getattr(self.ti, attempt)(
            lambda: WesUploadCouponFileOperator(**{**given, **arguments})
        )

    def upload_with(self, *given: Any, times: int | None = 1) -> Any:
        self.fail("upload_coupon_file", *given, times=times)
        return self.upload()

    def processed(self, **script: Any) -> Any:
        arguments = {
            key: script.pop(key)
            for key in ("file_url", "timeout", "min_coupons_added")
            if key in script
        }
        self.emulator.script(**{"processing_time": 0.0, **script})
        return self.upload(wait_for_completion=True, **arguments)

    def replenish(self, files: Any, **script: Any) -> Any:
        self.emulator.script(**{"processing_time": 0.0, **script})
        given = {"task_id": "replenish", "coupon_list_id": "summer", "files": files}
        return self.ti.run(lambda: WesReplenishCouponListOperator(**given))

    def catalog(self) -> Any:
        attributes = [{"name": "id", "type": "string"}]
        return self.ti.run(
            lambda: WesCreateCatalogOperator(
                task_id="replenish", name="goods", price_currency="EUR", attributes=attributes
            )
        )

    def segment(self, **arguments: Any) -> Any:
        given = {
            "task_id": "replenish",
            "segment_id": "vips",
            "included_filters": all_of(user_attribute("city", ["Oslo"])),
        }
        with DAG("shop", schedule=None):
            return self.ti.run(lambda: WesUpdateSegmentOperator(**{**given, **arguments}))

    def sensor(self) -> Any:
        self.emulator.script(outcome="never")
        file_id = self.upload()
        given = {
            "task_id": "replenish",
            "coupon_list_id": "summer",
            "coupon_file_id": file_id,
            "timeout": 0.1,
        }
        return self.ti.run(lambda: WesCouponFileSensor(**given))


Row = tuple[str, str, Callable[[World], Any]]
LOST = faults.reset(effect=True)
TABLE: dict[str, Row] = {  # the exception, how its first line begins, and what causes it
    "a key is "
        "missing": ("WesConfigurationError", "Connection 'wes_default' cannot be used: password",
        lambda w: (w.connection(password=""), w.upload())),
    "no connection": ("WesConnectionNotFoundError", "Connection 'gone' is not defined",
        lambda w: w.upload(wes_conn_id="gone")),
    "a list that was not "
        "rendered": ("WesConfigurationError", "coupon_list_id is 'rep-{{ x }}', which is no "
            "identifier",
        lambda w: w.upload(coupon_list_id="rep-{{ x }}")),
    "the service is away": ("WesConnectionError", "the service was not reached", lambda w: (
        w.connection(host="http://127.0.0.1:9"), w.upload())),
    "401": ("WesAuthenticationError", "401", lambda w: w.upload_with(faults.error(401))),
    "429 for long": ("WesRateLimitError", "The rate limit allows", lambda w: w.upload_with(
        faults.rate_limited(reset_in=3600.0), times=None)),
    "a reply is lost": ("WesUnknownOutcomeError", "Perhaps uploaded", lambda w: (
        w.fail("list_coupon_files", faults.error(404), times=None), w.upload_with(LOST))),
    "a list that is "
        "away": ("WesUnknownOutcomeError", "Perhaps uploaded, and the list cannot be read "
            "now", lambda w: (
        w.fail("list_coupon_files", faults.error(503), times=None), w.upload_with(LOST))),
    "never uploaded": ("WesConnectionError", "Not uploaded in", lambda w: w.upload_with(
        faults.error(503), times=None)),
    "after a clear": ("WesDuplicateError", "Uploaded before the clear", lambda w: (
        w.upload(), w.upload("clear", on_duplicate="fail"))),
    "a file that "
        "fails": ("WesCouponFileFailedError", "FAILED", lambda w: w.processed(outcome="failure")),
    "files that fail": ("WesCouponFileFailedError", "2 of 2 files failed", lambda w: w.replenish(
        [URL, URL + ".gz"], outcome="failure")),
    "too few coupons": ("WesCouponFileFailedError", "1 coupon added, 0 duplicates, "
        "fewer", lambda w: w.processed(
        file_url=w.emulator.host("coupons.csv", b"CODE-1\n"), min_coupons_added=1000)),
    "too late": ("WesTimeoutError", "Not processed "
        "within", lambda w: w.processed(outcome="never", timeout=0.1)),
    "a sensor too late": ("WesSensorTimeoutError", "Not processed within", lambda w: w.sensor()),
    "a catalog that "
        "exists": ("WesConflictError", "409", lambda w: (w.catalog(), w.ti.__init__(), w.catalog())),
    "a catalog without "
        "identifier": ("WesUnknownOutcomeError", "created, but response 2", lambda w: (
        w.fail("create_catalog", faults.garbage(b"{}")), w.catalog())),
    "a segment and 5xx": ("WesServerError", "503", lambda w: (
        w.fail("update_segment", faults.error(503), times=None), w.segment())),
    "a guard": ("WesGuardError", "segment 'vips' is not updated", lambda w: w.segment(
        guard=pytest.importorskip("wes_provider.guards").SegmentGuard(min_values=5))),
}  # fmt: skip
NOT_PERMANENT = {
    "no connection",
    "the service is away",
    "429 for long",
    "a list that is away",
    "never uploaded",
}
# Airflow retries all but the sensor.
NOT_PERMANENT |= {"too late", "a sensor too late", "a segment and 5xx"}


@pytest.fixture
def world(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> World:
    clock: Clock = stop_time(wes_emulator, monkeypatch)
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: clock.sleep(float(seconds)))
    return World(wes_emulator, TaskInstance(sleep=clock.sleep, now=clock.time), monkeypatch)


@pytest.mark.parametrize("name", TABLE)
def test_an_error_begins_with_its_cause_and_ends_with_where_to_read_on(name: str, world: World):
    kind, begins, cause = TABLE[name]
    with pytest.raises((WesError, AirflowFailException)) as raised:
        cause(world)
    error = raised.value if isinstance(raised.value, WesError) else raised.value.__cause__
    assert isinstance(error, WesError)
    first, *more = str(error).splitlines()
    assert type(error).__name__ == kind, str(error)
    assert first.startswith(begins)
    assert error.reason in first, "whole, for callbacks"
    assert more[-1].startswith(PAGES)
    assert not any(secret in str(error) for secret in SECRETS)
    assert error.permanent is (name not in NOT_PERMANENT)
    MADE[name] = error


def test_there_is_no_other_kind_of_error():
    """Prints the page."""
    print(
        *(f"\n\n## {name}\n\n{type(error).__name__}: {error}" for name, error in MADE.items()),
        sep="",
    )
    # A wait outlives a connection that cannot be read: only its timeout quotes that error.
    known = {kind for kind, _, _ in TABLE.values()} | {"WesError", "WesUnreadableConnectionError"}
    others = [
        getattr(exceptions, name)
        for name in exceptions.__all__
        if name.endswith("Error") and name not in known
    ]
    assert [kind for kind in others if not issubclass(kind, exceptions.WesResponseError)] == []
