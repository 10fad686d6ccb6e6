"""A server for the tests of object storage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from wes_provider.emulator import Emulator

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

    from support.memory_bucket import MemoryBucket

# These tests go with the package, without which the rest of the provider does.
collect_ignore_glob = [] if find_spec("wes_provider.storage") else ["*"]


@pytest.fixture(scope="module", autouse=True)
def one_database(
    tmp_path_factory: pytest.TempPathFactory, module_mocker: MockerFixture
) -> Iterator[None]:
    """
    Count all files of a module in one database: to open one takes longer than to count a few codes.
    """
    if not find_spec("duckdb"):
        yield
        return

    from wes_provider.storage.counting import open_database

    with open_database(tmp_path_factory.mktemp("database") / "codes") as database:

        @contextmanager
        def emptied_database(path: Path) -> Iterator[Any]:
            database.execute("DROP TABLE IF EXISTS lines")
            yield database

        module_mocker.patch("wes_provider.storage.content.open_database", emptied_database)
        yield


@pytest.fixture(scope="session")
def _s3() -> Iterator[Any]:
    from support.storage_tasks import bucket_server

    with bucket_server() as server:
        yield server


@pytest.fixture
def s3(_s3: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """
    An S3-compatible server that checks signatures and expiry; ``s3_promo`` is a connection to it.
    """
    from wes_provider.storage.location import filesystem

    _s3.clear()
    monkeypatch.setenv("AIRFLOW_CONN_S3_PROMO", _s3.connection())
    filesystem.cache_clear()
    return _s3


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """Without limits, so that no test waits for them; ``wes_default`` leads to it."""
    with Emulator(limits=None, processing_time=0) as emulator:
        for name, value in emulator.connection_env(extra={"coupon_files_lag": 0}).items():
            monkeypatch.setenv(name, value)
        yield emulator


@pytest.fixture
def objects(
    service: Emulator, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """
    The bucket ``promo`` of the connection ``s3_promo``: on the S3-compatible server if that is
    installed, else in memory.
    """
    if find_spec("moto"):
        return request.getfixturevalue("s3")

    from support.memory_bucket import MemoryBucket

    bucket = MemoryBucket(service)
    for module in ("files", "objects", "stores"):
        monkeypatch.setattr(
            f"wes_provider.storage.{module}.filesystem", lambda protocol, conn_id: bucket.filesystem
        )
    return bucket


@pytest.fixture
def waited(mocker: Any) -> list[float]:
    """The seconds that claims wait for other writers: none of them passes, and writes take none."""
    seconds: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=seconds.append)
    mocker.patch("wes_provider.storage.stores.time", clock)
    return seconds


@pytest.fixture
def memory(service: Emulator, mocker: Any) -> MemoryBucket:
    """The bucket ``promo`` in memory, of whatever connection; it honours conditional writes."""
    from support.memory_bucket import MemoryBucket

    bucket = MemoryBucket(service)
    mocker.patch("wes_provider.storage.stores.filesystem", return_value=bucket.filesystem)
    return bucket


@pytest.fixture(
    params=["bucket", "unconditional-bucket", "memory", "unconditional-memory", "asset"]
)
def opened(request: pytest.FixtureRequest, mocker: Any, waited: list[float]) -> Any:
    """
    Opens the ledger of a list for a task of a run: ``opened("run-1", "skip", failed=["f1"])``.
    Claims do not wait.

    ``unconditional`` stores overwrite a claim that is there; those in memory need no S3 server.
    """
    from support import ledgers
    from wes_provider.storage import Ledger

    if "memory" in request.param:
        bucket = request.getfixturevalue("memory")
        if request.param == "unconditional-memory":
            ledgers.ignore_conditions(bucket, mocker)
        location, states = f"{ledgers.PLACE}/", None
    elif "bucket" in request.param:
        request.getfixturevalue("s3").conditional = request.param == "bucket"
        location, states = f"{ledgers.PLACE}/", None
    else:
        location, states = None, ledgers.AssetStates()

    def open_(run: str, on_known_content: str = "fail", failed: Any = ()) -> Any:
        return Ledger(location, on_known_content).open(
            ledgers.LIST, ledgers.attempt_in(run, states), failed.__contains__
        )

    return open_
