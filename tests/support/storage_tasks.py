"""Attempts of a task that uploads files of a bucket, and the bucket's server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support import attempts
from support.attempts import Store

__all__ = ["Store", "TaskInstance", "bucket_server"]


class TaskInstance(attempts.TaskInstance):
    """One whose attempts take an operator, and are of one process."""

    def run(self, make: Any) -> Any:
        return make.execute(self.context())


@contextmanager
def bucket_server() -> Iterator[Any]:
    """An S3-compatible server, if what it needs is installed."""
    import pytest

    for module in ("moto", "s3fs", "duckdb", "airflow.providers.amazon"):
        pytest.importorskip(module, reason=f"{module} is not installed: dependency group storage")
    from support.s3_server import s3_server

    with s3_server() as server:
        yield server
