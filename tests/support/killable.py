"""
One attempt of a task as a process of its own, which can be killed at any moment; what outlives it
is kept in files.

The forked process has what a worker's has: operator, storage library, HTTP client, and a state
store.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.attempts import Store, TaskInstance
from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.storage import BucketFiles, Ledger


class FileStore(Store):
    """The task state store in a file, each write of which takes effect as a whole."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        if path.exists():
            self.values = json.loads(path.read_text())

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        super().set(key, value)
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.values))
        part.replace(self.path)


def fork_server() -> ForkServerContext:
    """Starts processes that have imported all that an attempt needs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [__name__, "s3fs", "aiobotocore.session", "airflow.providers.amazon.aws.fs.s3"]
    )
    return context


def attempt(
    folder: Path, dag_id: str, number: int, arguments: dict[str, Any], env: dict[str, str]
) -> None:
    """
    Replenish a list, once.

    :param folder: for the state, the log, and the result of each attempt.
    :param number: of the attempt; it is sent as each file's ``created_by``.
    :param arguments: ``list``, ``url``, ``ledger``, ``on_known_content``.
    :param env: with the connections.
    """
    os.environ.update(env)
    logging.basicConfig(filename=folder / f"{dag_id}.log", level=logging.INFO, force=True)
    ti = TaskInstance(
        FileStore(folder / f"{dag_id}.json"), dag_id=dag_id, try_number=number, max_tries=99
    )
    ti.pushed = lambda key, value: (
        (folder / f"{dag_id}-{key}.xcom").write_text(json.dumps(value)) and None
    )
    files = BucketFiles(arguments["url"], url_lifetime=600)
    operator = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id=arguments["list"],
        files=[{"file_url": files, "created_by": f"{dag_id}-{number}"}],
        ledger=Ledger(arguments["ledger"], arguments["on_known_content"]),
        wait_for_completion=False,
        deferrable=False,
    )
    try:
        context = {**ti.context(), "task": SimpleNamespace(retries=99)}
        operator.execute(context)
    except Exception:
        logging.getLogger(__name__).exception("The attempt failed")
        os._exit(1)
    os._exit(0)
