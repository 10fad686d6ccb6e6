"""A server for the tests of object storage."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from wes_provider.emulator import Emulator

# These tests go with the package, without which the rest of the provider does.
collect_ignore_glob = [] if find_spec("wes_provider.storage") else ["*"]


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
