"""
A catalog's identifier from one run to the next: the service tells it once, and has no operation to ask for it again.

It is kept in the state store of the task's catalog assets (Airflow 3.3), and in an XCom of each run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wes_provider import assets
from wes_provider.exceptions import WesResponseError

__all__ = ["CATALOG_KEY", "Remembered", "recall", "remember", "unremembered"]


CATALOG_KEY = "wes_catalog"
"""In the task state store: a catalog that this task instance is creating, or has created."""


@dataclass(frozen=True)
class Remembered:
    """
    :ivar response: the service's answer to the creation.
    :ivar place: where it was remembered, in words.
    """

    catalog_id: str
    response: Any
    place: str


def remember(task: Any, context: Any, name: str, catalog_id: str, response: Any) -> None:
    """Keep an identifier for later runs of the task."""
    record = {"name": name, "catalog_id": catalog_id, "catalog": response}
    context["ti"].xcom_push(key=_key(name), value=record)
    for store in _stores(task, context):
        store.set(_key(name), record)


def recall(task: Any, context: Any, name: str) -> Remembered | None:
    """The identifier that an earlier run of the task got, or an earlier attempt; ``None`` where there is none."""
    ti, own = context["ti"], context.get("task_state_store")
    record = own.get(CATALOG_KEY) if own is not None else None
    if record and record["name"] == name and "catalog_id" in record:
        return Remembered(record["catalog_id"], record["catalog"], "an earlier attempt of this task")
    for store in _stores(task, context):
        if record := store.get(_key(name)):
            return Remembered(record["catalog_id"], record["catalog"], "the state store of the catalog's asset")
    found = ti.xcom_pull(task_ids=ti.task_id, key=_key(name), map_indexes=ti.map_index, include_prior_dates=True)
    return Remembered(found["catalog_id"], found["catalog"], "an XCom of an earlier run") if found else None


def unremembered(error: WesResponseError) -> WesResponseError:
    """The error of a catalog that exists, and whose identifier no run has left."""
    explained = type(error)(
        f"{error}; if_exists is 'adopt', but no earlier run of this task has left the identifier of this catalog: look "
        "for it in the service's console, or create the catalog under another name"
    )
    vars(explained).update(vars(error))
    return explained


def _key(name: str) -> str:
    # A name may hold what no key can.
    return f"wes_catalog_{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _stores(task: Any, context: Any) -> Iterator[Any]:
    stores = context.get("asset_state_store")  # Airflow 3.3 and later
    if stores is not None:
        for asset in assets.outlets(task, kind="catalog"):
            yield stores[asset]
