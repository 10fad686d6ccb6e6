"""
What is remembered of catalogs, and where.

The service reports a catalog's identifier once, and has no operation to read it again. So it is
kept in the state stores of the task and of its catalog assets (Airflow 3.3), and in XComs of each
run.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from wes_provider import arguments
from wes_provider.attempt import Attempt
from wes_provider.texts import PAGES, shown

if TYPE_CHECKING:
    from wes_provider.settings import WesSettings

log = logging.getLogger(__name__)


class CatalogRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    A catalog that a run created.

    :ivar catalog_id: its identifier; empty if it is not known.
    :ivar response: the service's response to the creation.
    :ivar generation: that of the attempt that created it; it grows with each clear.
    :ivar created_at: epoch seconds; of several records, the newest counts.
    """

    name: str
    catalog_id: str = ""
    price_currency: str = ""
    attributes: list[dict[str, Any]] = []
    response: Any = None
    generation: int = 0
    created_at: float = 0.0
    version: int = 1

    def changes_to(self, other: CatalogRecord) -> list[str]:
        """
        Describe what differs in another record's schema, one sentence for each difference.

        :return: nothing if this record has no schema.
        """
        if not self.price_currency:
            return []
        changes = []
        if self.price_currency != other.price_currency:
            changes.append(
                f"price_currency was {self.price_currency} and is now {other.price_currency}"
            )
        before = _attributes_by_name(self)
        after = _attributes_by_name(other)
        for name in [*before, *(name for name in after if name not in before)]:
            changes += _describe_attribute(name, before.get(name), after.get(name))
        return changes


def _attributes_by_name(record: CatalogRecord) -> dict[str, dict[str, Any]]:
    return {attribute["name"]: attribute for attribute in record.attributes}


def _describe_attribute(
    name: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Iterator[str]:
    if before is None:
        yield f"attribute {name} was added"
    elif after is None:
        yield f"attribute {name} was removed"
    else:
        for field in {**before, **after}:
            if before.get(field) != after.get(field):
                was = before.get(field, "not given")
                yield f"{field} of attribute {name} was {was} and is now {after.get(field, 'none')}"


class CatalogRecords:
    """
    The records of one catalog: in the state stores of the task and of its catalog assets, and in
    XComs.

    :param ti: Airflow's task instance, for XComs.
    :param attempt: of the task.
    :param settings: of the connection: workspaces may have catalogs of the same name.
    :param catalog_assets: those outlets of the task that are catalogs.
    :param name: of the catalog.
    """

    def __init__(
        self,
        ti: Any,
        attempt: Attempt,
        settings: WesSettings,
        catalog_assets: Sequence[Any],
        name: str,
    ) -> None:
        identity = arguments.json_bytes(
            {"catalog": [settings.base_url, settings.workspace_id, name]}
        )
        self._key = f"wes_catalog_{hashlib.sha256(identity).hexdigest()[:16]}"
        self._name = name
        self._ti = ti
        self._attempt = attempt
        asset_stores = [attempt.asset_store(asset) for asset in catalog_assets]
        self._asset_stores = [store for store in asset_stores if store is not None]
        self._task_stores = [attempt.state_store] if attempt.state_store is not None else []

    def read_of_this_run(self, wanted: CatalogRecord) -> CatalogRecord | None:
        """Read what an earlier attempt created, or what a person says that it created."""
        if self._attempt.state_store is not None:
            stored = self._attempt.state_store.get(self._key)
            if stored:
                record = msgspec.convert(stored, CatalogRecord)
                if record.generation == wanted.generation and not record.changes_to(wanted):
                    log.info(
                        "An earlier attempt created catalog %s: %s", record.name, record.catalog_id
                    )
                    return record
        if self._attempt.try_number == 1:
            return None
        decision = self._attempt.read_decision(self._key)
        if decision.value and not decision.is_absent:
            log.info("Variable %s names catalog %s", decision.variable, decision.value)
            return msgspec.structs.replace(wanted, catalog_id=decision.value)
        return None

    def read_of_any_run(self) -> CatalogRecord | None:
        """Read the catalog that any run created, or this one before a clear."""
        # An asset's store has what the last run created.
        for store in [*self._asset_stores, *self._task_stores]:
            stored = store.get(self._key)
            if stored:
                # For later runs: a clear may have removed the XCom.
                self._ti.xcom_push(key=self._key, value=stored)
                return msgspec.convert(stored, CatalogRecord)
        return self._read_of_earlier_runs()

    def _read_of_earlier_runs(self) -> CatalogRecord | None:
        if self._attempt.loop_index is not None:
            # Airflow 3.4 refuses to read XComs of earlier runs in a loop.
            return None
        pulled = self._ti.xcom_pull(
            task_ids=self._ti.task_id, key=self._key, include_prior_dates=True
        )
        # Several, if the task is mapped, and some of its instances may have none.
        values = [pulled] if isinstance(pulled, Mapping) else list(pulled or ())
        records = [msgspec.convert(value, CatalogRecord) for value in values if value]
        return max(records, key=lambda record: record.created_at, default=None)

    def keep(self, record: CatalogRecord, *, return_value: bool) -> None:
        """
        Keep a record, for other attempts and for later runs.

        :param return_value: push the identifier as the task's return value, too.
        """
        generation = self._attempt.generation
        created_at = record.created_at or time.time()
        kept = msgspec.to_builtins(
            msgspec.structs.replace(record, generation=generation, created_at=created_at)
        )
        failure: Exception | None = None
        # The task's first: a retry after a kill has to know that this run created it.
        for store in [*self._task_stores, *self._asset_stores]:
            try:
                store.set(self._key, kept)
            except Exception as error:
                # The other stores and the XComs may still keep it.
                failure = failure or error
        if return_value:
            self._ti.xcom_push(key="return_value", value=record.catalog_id)
        self._ti.xcom_push(key="catalog", value=record.response)
        self._ti.xcom_push(key=self._key, value=kept)
        if failure is not None:
            raise failure

    def advice(self) -> str:
        """Tell a person what to do about a catalog that may have been created."""
        return (
            f"Look for catalog {shown(self._name)} in the service's console\n"
            f"Set the Airflow Variable {self._attempt.decision_variable(self._key)}\n"
            "to its identifier, and clear the task: it goes on with it. If there is no such "
            "catalog, clear the task.\n"
            f"{PAGES}red-task.html#a-person-decides"
        )
