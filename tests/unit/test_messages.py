"""
The errors that users get from a task, each from a cause with the real operators and sensor against
the emulator: its class; that it is permanent only if a retry is of no use; what its message begins
with; that the first line has the whole reason, which callbacks show as ``reason``; that the last
line is the address of the page about errors; and that no key and no signature is in it. Every class
of error that a task ends with has a cause here, but those of one status each.

What Airflow does with a permanent error is in ``tests/unit/test_retry_policy.py``. ``pytest -s
tests/unit/test_messages.py`` prints all messages as one page, to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

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

URL = "https://files.example.com/summer/a.csv"
# The emulator's keys, and what ``World.upload`` signs its URL with.
SECRETS = ("emulated-campaign-key", "emulated-data-key", "topsecret")
MADE: dict[str, WesError] = {}
"""The errors that the tests have caused, by row."""


@dataclass
class World:
    """What the causes use: an emulator, and a task that goes to it."""

    emulator: Emulator
    ti: TaskInstance
    monkeypatch: pytest.MonkeyPatch

    def connection(self, **fields: Any) -> None:
        """Replace fields of the connection ``wes_default``."""
        env = self.emulator.connection_env(**fields)
        for name, value in env.items():
            self.monkeypatch.setenv(name, value)

    def fail(self, operation: str, *given: Any, times: int | None) -> None:
        """Have so many of the next requests fail; without ``times``, all of them."""
        for fault in given:
            self.emulator.fail(operation, fault, times=times)

    def upload(self, attempt: str = "run", **arguments: Any) -> Any:
        """
        Upload a file at a signed URL.

        :param attempt: the method of the task instance that makes it: ``run``, ``retry``, ``clear``.
        """
        given = {
            "task_id": "replenish",
            "coupon_list_id": "summer",
            "file_url": f"{URL}?sig=topsecret",
        }
        return getattr(self.ti, attempt)(
            lambda: WesUploadCouponFileOperator(**{**given, **arguments})
        )

    def upload_with(self, *given: Any, times: int | None = 1) -> Any:
        """Upload with faults of the upload's request; without ``times``, of all such requests."""
        self.fail("upload_coupon_file", *given, times=times)
        return self.upload()

    def upload_and_wait(self, outcome: str, **arguments: Any) -> Any:
        """Upload, and wait for a file of which the service makes this at once."""
        self.emulator.script(processing_time=0.0, outcome=outcome)
        return self.upload(wait_for_completion=True, **arguments)

    def replenish(self, files: Any, outcome: str) -> Any:
        """Upload files of which the service makes this at once, and wait for them."""
        self.emulator.script(processing_time=0.0, outcome=outcome)
        given = {"task_id": "replenish", "coupon_list_id": "summer", "files": files}
        return self.ti.run(lambda: WesReplenishCouponListOperator(**given))

    def catalog(self) -> Any:
        """Create a catalog, always of the same name."""
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
        """Wait with a sensor for a file that is never processed."""
        self.emulator.script(outcome="never")
        file_id = self.upload()
        given = {
            "task_id": "replenish",
            "coupon_list_id": "summer",
            "coupon_file_id": file_id,
            "timeout": 0.1,
        }
        return self.ti.run(lambda: WesCouponFileSensor(**given))


class Cause(NamedTuple):
    """
    What causes an error.

    :ivar kind: the class of the error.
    :ivar begins: how the first line of its message begins.
    :ivar is_permanent: whether the error is. Airflow retries a task after any other one, but for a
        sensor's timeout.
    """

    name: str
    kind: str
    begins: str
    cause: Callable[[World], Any]
    is_permanent: bool


LOST = faults.reset(effect=True)
"""The request has its effect, and the response is lost."""


def key_is_missing(world: World) -> None:
    world.connection(password="")
    world.upload()


def service_is_away(world: World) -> None:
    world.connection(host="http://127.0.0.1:9")
    world.upload()


def reply_is_lost_and_list_does_not_exist(world: World) -> None:
    world.fail("list_coupon_files", faults.error(404), times=None)
    world.upload_with(LOST)


def reply_is_lost_and_list_is_away(world: World) -> None:
    world.fail("list_coupon_files", faults.error(503), times=None)
    world.upload_with(LOST)


def uploaded_before_a_clear(world: World) -> None:
    world.upload()
    world.upload("clear", on_duplicate="fail")


def fewer_coupons_than_wanted(world: World) -> None:
    url = world.emulator.host("coupons.csv", b"CODE-1\n")
    world.upload_and_wait("success", file_url=url, min_coupons_added=1000)


def catalog_exists(world: World) -> None:
    world.catalog()
    # Another task, which remembers nothing of it.
    world.ti = TaskInstance()
    world.catalog()


def catalog_without_identifier(world: World) -> None:
    world.fail("create_catalog", faults.garbage(b"{}"), times=1)
    world.catalog()


def segment_and_5xx(world: World) -> None:
    world.fail("update_segment", faults.error(503), times=None)
    world.segment()


def guard_stops_update(world: World) -> None:
    guards = pytest.importorskip("wes_provider.guards")
    world.segment(guard=guards.SegmentGuard(min_values=5))


CAUSES = (
    # The connection and the arguments.
    Cause(
        "a key is missing",
        "WesConfigurationError",
        "Connection 'wes_default' cannot be used: password",
        key_is_missing,
        is_permanent=True,
    ),
    Cause(
        "a connection that is not defined",
        "WesConnectionNotFoundError",
        "Connection 'gone' is not defined",
        lambda world: world.upload(wes_conn_id="gone"),
        is_permanent=False,
    ),
    Cause(
        "a list that was not rendered",
        "WesConfigurationError",
        "coupon_list_id is 'rep-{{ x }}', which is no identifier",
        lambda world: world.upload(coupon_list_id="rep-{{ x }}"),
        is_permanent=True,
    ),
    # An upload.
    Cause(
        "nobody listens at the service's address",
        "WesConnectionError",
        "the service was not reached",
        service_is_away,
        is_permanent=False,
    ),
    Cause(
        "401 to an upload",
        "WesAuthenticationError",
        "401",
        lambda world: world.upload_with(faults.error(401)),
        is_permanent=True,
    ),
    Cause(
        "429 to each upload, for an hour",
        "WesRateLimitError",
        "The rate limit allows",
        lambda world: world.upload_with(faults.rate_limited(reset_in=3600.0), times=None),
        is_permanent=False,
    ),
    Cause(
        "a reply is lost, and 404 to each read of the list",
        "WesUnknownOutcomeError",
        "Perhaps uploaded",
        reply_is_lost_and_list_does_not_exist,
        is_permanent=True,
    ),
    Cause(
        "a reply is lost, and 503 to each read of the list",
        "WesUnknownOutcomeError",
        "Perhaps uploaded, and the list cannot be read now",
        reply_is_lost_and_list_is_away,
        is_permanent=False,
    ),
    Cause(
        "503 to each upload",
        "WesConnectionError",
        "Not uploaded in",
        lambda world: world.upload_with(faults.error(503), times=None),
        is_permanent=False,
    ),
    Cause(
        "a clear after an upload, with on_duplicate='fail'",
        "WesDuplicateError",
        "Uploaded before the clear",
        uploaded_before_a_clear,
        is_permanent=True,
    ),
    # A wait.
    Cause(
        "a file that fails",
        "WesCouponFileFailedError",
        "FAILED",
        lambda world: world.upload_and_wait("failure"),
        is_permanent=True,
    ),
    Cause(
        "two files that fail",
        "WesCouponFileFailedError",
        "2 of 2 files failed",
        lambda world: world.replenish([URL, URL + ".gz"], outcome="failure"),
        is_permanent=True,
    ),
    Cause(
        "fewer coupons than wanted",
        "WesCouponFileFailedError",
        "1 coupon added, 0 duplicates, fewer",
        fewer_coupons_than_wanted,
        is_permanent=True,
    ),
    Cause(
        "a file that is not processed before the timeout",
        "WesTimeoutError",
        "Not processed within",
        lambda world: world.upload_and_wait("never", timeout=0.1),
        is_permanent=False,
    ),
    Cause(
        "a sensor, and a file that is not processed before the timeout",
        "WesSensorTimeoutError",
        "Not processed within",
        lambda world: world.sensor(),
        is_permanent=False,
    ),
    # Catalogs and segments.
    Cause(
        "a catalog whose name another task has used",
        "WesConflictError",
        "409",
        catalog_exists,
        is_permanent=True,
    ),
    Cause(
        "a created catalog without identifier",
        "WesUnknownOutcomeError",
        "created, but response 2",
        catalog_without_identifier,
        is_permanent=True,
    ),
    Cause(
        "503 to each update of a segment",
        "WesServerError",
        "503",
        segment_and_5xx,
        is_permanent=False,
    ),
    Cause(
        "an update that a guard stops",
        "WesGuardError",
        "segment 'vips' is not updated",
        guard_stops_update,
        is_permanent=True,
    ),
)


@pytest.fixture
def world(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> World:
    """An emulator and a task, on a clock that only sleeping moves."""
    clock: Clock = stop_time(wes_emulator, monkeypatch)
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: clock.sleep(float(seconds)))
    return World(wes_emulator, TaskInstance(sleep=clock.sleep, now=clock.time), monkeypatch)


@pytest.fixture(params=CAUSES, ids=[row.name for row in CAUSES])
def row(request: pytest.FixtureRequest) -> Cause:
    cause: Cause = request.param
    return cause


def caused(row: Cause, world: World) -> WesError:
    """The error of a row; before Airflow 3.3, a permanent one is the cause of Airflow's exception."""
    with pytest.raises((WesError, AirflowFailException)) as raised:
        row.cause(world)
    error = raised.value if isinstance(raised.value, WesError) else raised.value.__cause__
    assert isinstance(error, WesError)
    return error


@pytest.fixture
def error(row: Cause, request: pytest.FixtureRequest) -> WesError:
    """The error of a row, which is caused once for all tests."""
    if row.name not in MADE:
        MADE[row.name] = caused(row, request.getfixturevalue("world"))
    return MADE[row.name]


@pytest.fixture(scope="module", autouse=True)
def _page() -> Iterator[None]:
    """Print all messages at the end."""
    yield
    for name, error in MADE.items():
        print(f"\n\n## {name}\n\n{type(error).__name__}: {error}", end="")


def test_each_cause_has_its_class_of_error(row: Cause, error: WesError):
    assert type(error).__name__ == row.kind, str(error)


def test_an_error_is_permanent_if_a_retry_is_of_no_use(row: Cause, error: WesError):
    assert error.permanent is row.is_permanent, str(error)


def test_a_message_begins_with_what_happened(row: Cause, error: WesError):
    assert str(error).startswith(row.begins)


def test_the_first_line_of_a_message_has_the_whole_reason(error: WesError):
    """Callbacks show ``reason`` alone."""
    assert error.reason
    assert error.reason in str(error).splitlines()[0]


def test_a_message_ends_with_the_address_of_the_page_about_errors(error: WesError):
    page = "https://airflow-provider-wes.readthedocs.io/en/stable/red-task.html"
    assert str(error).splitlines()[-1].startswith(page)


def test_a_message_has_no_secret(error: WesError):
    """Neither a key of the connection, nor the signature of the file's URL."""
    assert [secret for secret in SECRETS if secret in str(error)] == []


def test_every_class_of_error_that_a_task_ends_with_has_a_cause_here():
    """But those of one status each, which have the messages of ``WesResponseError``."""
    # A wait outlives a connection that cannot be read: only its timeout quotes that error. No task
    # ends with the base class.
    known = {row.kind for row in CAUSES} | {"WesError", "WesUnreadableConnectionError"}
    others = [
        getattr(exceptions, name)
        for name in exceptions.__all__
        if name.endswith("Error") and name not in known
    ]
    assert [kind for kind in others if not issubclass(kind, exceptions.WesResponseError)] == []
