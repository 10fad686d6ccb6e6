"""Attempts of a task that uploads files of a bucket, and the bucket's server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from support import attempts
from support.attempts import Store

__all__ = ["Store", "TaskInstance", "bucket_server"]


@dataclass
class TaskInstance(attempts.TaskInstance):
    """One whose operators have an asset state store; ``pushed`` is called with each XCom."""

    assets: Any = None
    pushed: Callable[[str, Any], None] = lambda key, value: None

    def xcom_push(self, key: str, value: Any) -> None:
        super().xcom_push(key, value)
        self.pushed(key, value)

    def context(self) -> dict[str, Any]:
        return {**super().context(), "asset_state_store": self.assets}

    def run(self, make: Any) -> Any:
        """An attempt in one process, of an operator."""
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
