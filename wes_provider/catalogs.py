"""
A catalog's identifier from one run to the next: the service tells it once, and has no operation to ask for it again.

It is kept in the state store of the task's catalog assets (Airflow 3.3), and in an XCom of each run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import assets, models
from wes_provider.exceptions import (
    WesConfigurationError,
    WesError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import WesTask, plain

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCreateCatalogOperator"]


CATALOG_KEY = "wes_catalog"
"""In the task state store: a catalog that this task instance is creating, or has created."""


class WesCreateCatalogOperator(WesTask):
    """
    Create a catalog.

    Returns the catalog's identifier, the only handle on it that the service ever gives, and pushes ``catalog``, the
    service's answer, before anything else can fail.

    :param name: unique among the workspace's catalogs. (templated)
    :param price_currency: an ISO 4217 code that the service takes, in capitals. (templated)
    :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}`` objects; or JSON of
        them, or a ``.json`` file. (templated)
    :param if_exists: where the service says that there is a catalog of this name, ``fail``, or ``adopt`` the identifier
        that an earlier run of this task got. (templated)
    :param wes_conn_id: the connection, of type ``wes``. (templated)

    Contract: section 4.2.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "name", "price_currency", "attributes", "if_exists")
    template_fields_renderers: ClassVar[dict[str, str]] = {"attributes": "json"}
    label_fields: ClassVar[Sequence[str]] = ("name",)
    ui_color = "#e3f4dc"

    def __init__(
        self, *, name: str, price_currency: str, attributes: Any, if_exists: str = "fail", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.name = name
        self.price_currency = price_currency
        self.attributes = plain(attributes)
        self.if_exists = if_exists
        if not models.templated(self.if_exists):
            check_if_exists(self.if_exists)
        if not models.templated(self.price_currency):
            models.currency(self.price_currency)
        if not models.templated(self.attributes):
            models.catalog_attributes(models.from_json("attributes", self.attributes))

    def execute(self, context: Context) -> str:
        """Create the catalog."""
        with permanent_failures():
            return self._execute(context)

    def _execute(self, context: Context) -> str:
        check_if_exists(self.if_exists)
        attributes = models.catalog_attributes(models.from_json("attributes", self.attributes))
        for warning in models.catalog_warnings(attributes):
            self.log.warning("Catalog %s: %s", self.name, warning)
        ti, store = context["ti"], context.get("task_state_store")  # the latter is Airflow 3.3's
        earlier = self._earlier_attempt(context)
        if store is not None and not earlier:
            store.set(CATALOG_KEY, {"name": self.name})
        try:
            catalog_id, response = self.hook.create_catalog_with_response(
                self.name, self.price_currency, attributes, earlier_attempt=earlier
            )
        except WesError as error:
            if isinstance(error, WesUnknownOutcomeError) and error.response is not None:
                self.log.error("The service's answer: %s", error.response)
                ti.xcom_push(key="catalog", value=error.response)
            unknown = isinstance(error, (WesUnknownOutcomeError, WesServerError)) or error.after_unknown
            if store is not None and not (earlier or unknown):
                store.delete(CATALOG_KEY)
            if self.if_exists == "adopt" and isinstance(error, WesResponseError):
                return self._adopt(context, error)
            raise
        self.log.info("Created catalog %s: %s", self.name, catalog_id)
        if self.do_xcom_push:
            ti.xcom_push(key="return_value", value=catalog_id)
        ti.xcom_push(key="catalog", value=response)
        if store is not None:
            store.set(CATALOG_KEY, {"name": self.name, "catalog_id": catalog_id, "catalog": response})
        remember(self, context, self.name, catalog_id, response)
        self._describe(context, catalog_id)
        return catalog_id

    def _adopt(self, context: Context, error: WesResponseError) -> str:
        """Take the identifier that an earlier run got for the name that is taken."""
        from wes_provider.client.operations import name_exists

        if not name_exists(error):
            raise error
        found = recall(self, context, self.name)
        if found is None:
            raise unremembered(error) from error
        self.log.info(
            "Catalog %s exists: adopting the identifier %s, from %s", self.name, found.catalog_id, found.place
        )
        context["ti"].xcom_push(key="catalog", value=found.response)
        remember(self, context, self.name, found.catalog_id, found.response)
        self._describe(context, found.catalog_id)
        return found.catalog_id

    def _describe(self, context: Context, catalog_id: str) -> None:
        self._link(context, "catalog", catalog_id)
        self._describe_events(context, {"catalog_id": catalog_id, "name": self.name})

    def _earlier_attempt(self, context: Context) -> str:
        """What an earlier attempt of this task may have done; empty where it created nothing."""
        store = context.get("task_state_store")  # Airflow 3.3 and later
        if store is None:
            return "it may have ended in the middle" if context["ti"].try_number > 1 else ""
        record = store.get(CATALOG_KEY)
        if not isinstance(record, dict) or record.get("name") != self.name:
            return ""
        if "catalog_id" in record:
            return f"it got the identifier {record['catalog_id']}"
        return "it ended in the middle, or without an answer"


def check_if_exists(value: Any) -> None:
    """Check the ``if_exists`` argument."""
    if value not in ("fail", "adopt"):
        raise WesConfigurationError(f"if_exists takes fail or adopt, not {models.shown(value)}")


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
