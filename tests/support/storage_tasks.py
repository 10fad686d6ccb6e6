"""The server of a bucket, if what it needs is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def bucket_server() -> Iterator[Any]:
    for module in ("moto", "s3fs", "duckdb", "airflow.providers.amazon"):
        pytest.importorskip(module, reason=f"{module} is not installed: dependency group storage")
    from support.s3_server import s3_server

    with s3_server() as server:
        yield server
