"""A server for the tests of object storage."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

# These tests go with the package, without which the rest of the provider does.
collect_ignore_glob = [] if find_spec("wes_provider.storage") else ["*"]


@pytest.fixture(scope="session")
def _s3() -> Iterator[Any]:
    for module in ("moto", "s3fs", "duckdb", "airflow.providers.amazon"):
        pytest.importorskip(module, reason=f"{module} is not installed: dependency group storage")
    from support.s3_server import s3_server

    with s3_server() as server:
        yield server


@pytest.fixture
def s3(_s3: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An S3-compatible server that checks signatures and expiry; ``s3_promo`` is a connection to it."""
    _s3.clear()
    monkeypatch.setenv("AIRFLOW_CONN_S3_PROMO", _s3.connection())
    _forget_filesystems()
    return _s3


def _forget_filesystems() -> None:
    """Airflow and fsspec keep filesystems with the credentials that they were made with."""
    import fsspec

    try:
        from airflow.sdk.io.store import _STORE_CACHE
    except ImportError:  # Airflow 2.11
        from airflow.io.store import _STORE_CACHE
    _STORE_CACHE.clear()
    for cls in fsspec.registry.values():
        cls.clear_instance_cache()
