"""
A catalog's identifier from one run to the next, with the schema that the catalog was created with.

They are kept in the state store of the task's catalog assets (Airflow 3.3), and in an XCom of each run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wes_provider import assets, models
from wes_provider.exceptions import WesResponseError

__all__ = ["CATALOG_KEY", "Remembered", "Schema", "recall", "record_key", "remember", "unremembered"]


CATALOG_KEY = "wes_catalog"
"""The task state store's key of a catalog that this task instance is creating, or has created."""


@dataclass(frozen=True)
class Schema:
    """
    What a catalog is created with, besides its name.

    :ivar attributes: by name; the order of attributes has no meaning.
    """

    price_currency: str
    attributes: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, price_currency: str, attributes: Sequence[Mapping[str, Any]]) -> Schema:
        """:param attributes: checked, so that names are unique."""
        by_name = {str(attribute["name"]): dict(attribute) for attribute in attributes}
        return cls(price_currency, {name: by_name[name] for name in sorted(by_name)})

    def dump(self) -> dict[str, Any]:
        """As JSON holds it; :meth:`load` reads it back."""
        return {"price_currency": self.price_currency, "attributes": list(self.attributes.values())}

    @classmethod
    def load(cls, dumped: Any) -> Schema | None:
        """The schema of :meth:`dump`; ``None`` if there is none."""
        return cls.of(dumped["price_currency"], dumped["attributes"]) if isinstance(dumped, Mapping) else None

    @property
    def fingerprint(self) -> str:
        """Differs if the schemas differ."""
        content = {
            "price_currency": self.price_currency,
            "attributes": [dict(sorted(attribute.items())) for attribute in self.attributes.values()],
        }
        return hashlib.sha256(models.json_bytes(content)).hexdigest()[:12]

    def changes(self, after: Schema) -> list[str]:
        """What differs in another schema, one text for each difference."""
        found = []
        if self.price_currency != after.price_currency:
            found.append(f"price_currency: {self.price_currency} became {after.price_currency}")
        for name in sorted({*self.attributes, *after.attributes}):
            old, new = self.attributes.get(name), after.attributes.get(name)
            if old is None or new is None:
                found.append(f"attribute {name}: {'added' if old is None else 'removed'}")
                continue
            for key in sorted({*old, *new}):
                if old.get(key) != new.get(key):
                    found.append(f"attribute {name}: {key} {old.get(key)} became {new.get(key)}")
        return found


@dataclass(frozen=True)
class Remembered:
    """
    A catalog that a run created.

    :ivar response: the service's response to the creation.
    :ivar schema: the schema that it was created with; ``None`` if it was not kept.
    :ivar place: where it was kept, for people.
    """

    catalog_id: str
    response: Any
    schema: Schema | None
    place: str = ""

    def record(self, name: str) -> dict[str, Any]:
        """As JSON holds it; :meth:`of` reads it back."""
        record = {"name": name, "catalog_id": self.catalog_id, "catalog": self.response}
        return {**record, "schema": self.schema.dump()} if self.schema else record

    @classmethod
    def of(cls, record: Mapping[str, Any], place: str) -> Remembered:
        """Read a record; keys that are not known are ignored."""
        return cls(record["catalog_id"], record.get("catalog"), Schema.load(record.get("schema")), place)


def remember(task: Any, context: Any, name: str, catalog: Remembered) -> None:
    """Keep a catalog's identifier for later runs of the task."""
    key, record = record_key(task, name), catalog.record(name)
    context["ti"].xcom_push(key=key, value=record)
    for store in _stores(task, context):
        store.set(key, record)


def recall(task: Any, context: Any, name: str) -> Remembered | None:
    """The catalog that an earlier run of the task created, or an earlier attempt; ``None`` if none is known."""
    ti, own = context["ti"], context.get("task_state_store")
    record = own.get(CATALOG_KEY) if own is not None else None
    if isinstance(record, dict) and "catalog_id" in record and record.get("key") == record_key(task, name):
        return Remembered.of(record, "an earlier attempt of this task")
    for store in _stores(task, context):
        if record := store.get(record_key(task, name)):
            return Remembered.of(record, "the state store of the catalog's asset")
    if "loop" in context:  # Airflow 3.4 refuses to read XComs of earlier runs in a loop
        return None
    key = record_key(task, name)
    found = ti.xcom_pull(task_ids=ti.task_id, key=key, map_indexes=ti.map_index, include_prior_dates=True)
    return Remembered.of(found, "an XCom of an earlier run") if found else None


def unremembered(error: WesResponseError, *, in_loop: bool = False) -> WesResponseError:
    """The error of a catalog that exists, and whose identifier no run has stored."""
    advice = "\nIn a loop, only outlets=[wes_provider.assets.catalog(name)] keeps it." if in_loop else ""
    explained = type(error)(
        f"{error}\nif_exists is 'adopt', but no earlier run of this task has stored the identifier of this catalog."
        f"{advice}\nLook for it in the service's console, or create the catalog under another name."
    )
    vars(explained).update(vars(error))
    return explained


def record_key(task: Any, name: str) -> str:
    """What a catalog's record is kept under: workspaces may have catalogs of the same name."""
    settings = task.hook.settings
    # A name may hold what no key can.
    content = models.json_bytes({"catalog": [settings.base_url, settings.workspace_id, name]})
    return f"wes_catalog_{hashlib.sha256(content).hexdigest()[:16]}"


def _stores(task: Any, context: Any) -> Iterator[Any]:
    stores = context.get("asset_state_store")  # Airflow 3.3 and later
    if stores is not None:
        for asset in assets.outlets(task, kind="catalog"):
            yield stores[asset]
