"""
Creating catalogs, and adopting those that an earlier run created.

The service reports a catalog's identifier once, and has no operation to read it again:
:mod:`wes_provider.catalog_records` keeps it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import models
from wes_provider.catalog_records import (
    CATALOG_KEY,
    Remembered,
    Schema,
    recall,
    record_key,
    remember,
    unremembered,
)
from wes_provider.exceptions import (
    WesConfigurationError,
    WesError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import WesTask, arguments_of, plain

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCreateCatalogOperator"]

FINGERPRINT = "{fingerprint}"
"""The part of a name that is replaced by the schema's fingerprint."""


class WesCreateCatalogOperator(WesTask):
    """
    Create a catalog.

    Returns the catalog's identifier, which the service shows only once, and pushes ``catalog``, the service's
    response, before anything else can fail. If the schema has changed since the catalog was created, it
    pushes ``schema_changes``, a list of texts.

    :param name: unique among the workspace's catalogs. With ``on_schema_change="create"`` it holds ``{fingerprint}``,
        as in ``products-{fingerprint}``, which a hash of the schema replaces. (templated)
    :param price_currency: an ISO 4217 code that the service accepts, in capitals. (templated)
    :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}`` objects; or JSON of
        them, or a ``.json`` file. (templated)
    :param if_exists: if the service reports that there is a catalog of this name, ``fail``, or ``adopt`` the identifier
        that an earlier run of this task got. (templated)
    :param on_schema_change: if currency or attributes differ from those that the adopted catalog was created with,
        ``fail``, ``warn``, or ``create`` another catalog, whose name has another fingerprint. (templated)

    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was sent.
    :raises WesConflictError: if the service reports that the name is taken, and nothing is adopted; not retried.
    :raises WesUnknownOutcomeError: if the catalog may have been created and its identifier is not known; not retried.

    Contract: section 4.2.
    """

    template_fields: Sequence[str] = (
        "wes_conn_id",
        "name",
        "price_currency",
        "attributes",
        "if_exists",
        "on_schema_change",
    )
    template_fields_renderers: ClassVar[dict[str, str]] = {"attributes": "json"}
    label_fields: ClassVar[Sequence[str]] = ("name",)
    ui_color = "#e3f4dc"

    name: str
    price_currency: str
    attributes: Any
    if_exists: str
    on_schema_change: str

    @arguments_of(WesTask)
    def __init__(
        self,
        *,
        name: str,
        price_currency: str,
        attributes: Any,
        if_exists: str = "fail",
        on_schema_change: str = "fail",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._assign(
            name=name,
            price_currency=price_currency,
            attributes=plain(attributes),
            if_exists=if_exists,
            on_schema_change=on_schema_change,
        )
        if not models.templated(self.if_exists):
            check_if_exists(self.if_exists)
        if not models.templated([self.on_schema_change, self.name]):
            check_on_schema_change(self.on_schema_change, self.name)
        if not models.templated(self.price_currency):
            models.currency(self.price_currency)
        if not models.templated(self.attributes):
            models.catalog_attributes(models.from_json("attributes", self.attributes))

    @permanent_failures()
    def execute(self, context: Context) -> str:
        """Create the catalog."""
        check_if_exists(self.if_exists)
        check_on_schema_change(self.on_schema_change, self.name)
        attributes = models.catalog_attributes(models.from_json("attributes", self.attributes))
        schema = Schema.of(self.price_currency, attributes)
        name = self.name.replace(FINGERPRINT, schema.fingerprint)
        for warning in models.catalog_warnings(attributes):
            self.log.warning("Catalog %s: %s", name, warning)
        ti, store = context["ti"], context.get("task_state_store")  # the latter is Airflow 3.3's
        record = store.get(CATALOG_KEY) if store is not None else None
        if not isinstance(record, dict) or record.get("name") != name:
            record = {}
        if (
            record.get("catalog_id")
            and record.get("key") == record_key(self, name)
            and record.get("max_tries") == ti.max_tries
            and record.get("schema") == schema.dump()
        ):
            return self._return_again(context, name, Remembered.of(record, "an earlier attempt of this task"))
        earlier = self._earlier_attempt(context, record)
        if store is not None and not earlier:
            store.set(CATALOG_KEY, {"name": name})
        try:
            catalog_id, response = self.hook.create_catalog_with_response(
                name, self.price_currency, attributes, earlier_attempt=earlier
            )
        except WesError as error:
            if isinstance(error, WesUnknownOutcomeError) and error.response is not None:
                self.log.error("The service's response: %s", models.redact(json.dumps(error.response)))
                ti.xcom_push(key="catalog", value=error.response)
            unknown = isinstance(error, (WesUnknownOutcomeError, WesServerError)) or error.after_unknown
            if store is not None and not (earlier or unknown):
                store.set(CATALOG_KEY, {"name": name, "refused": True})
            if self.if_exists == "adopt" and isinstance(error, WesResponseError):
                return self._adopt(context, name, schema, error)
            raise
        self.log.info("Created catalog %s: %s", name, catalog_id)
        self._push(context, catalog_id, response)
        created = Remembered(catalog_id, response, schema)
        if store is not None:
            store.set(CATALOG_KEY, {**created.record(name), "key": record_key(self, name), "max_tries": ti.max_tries})
        before = recall(self, context, self.name) if self.name != name else None
        remember(self, context, name, created)
        if self.name != name:
            remember(self, context, self.name, created)
        self._describe(context, name, catalog_id, self._schema_changes(context, before, schema))
        return catalog_id

    def _return_again(self, context: Context, name: str, found: Remembered) -> str:
        """Return what an earlier attempt created before it was killed."""
        self.log.info("Catalog %s was created by an earlier attempt of this task: %s", name, found.catalog_id)
        self._push(context, found.catalog_id, found.response)
        for key in {name, self.name}:
            remember(self, context, key, found)
        self._describe(context, name, found.catalog_id, [])
        return found.catalog_id

    def _adopt(self, context: Context, name: str, schema: Schema, error: WesResponseError) -> str:
        """Take the identifier that an earlier run got for the name that is taken."""
        from wes_provider.client.operations import name_exists

        if not name_exists(error):
            raise error
        found = recall(self, context, name)
        if found is None:
            raise unremembered(error, in_loop="loop" in context) from error
        self.log.info("Catalog %s exists: adopting the identifier %s, from %s", name, found.catalog_id, found.place)
        changes = self._schema_changes(context, found, schema)
        if changes and self.on_schema_change == "fail":
            listed = "".join(f"\n  {change}" for change in changes)
            raise WesConfigurationError(
                f"catalog {models.shown(name)} exists with another schema\n"
                "Give it another name, or set on_schema_change: 'warn' adopts it as it is, and 'create' creates "
                f"another one, whose name holds {FINGERPRINT}.{listed}"
            )
        self._push(context, found.catalog_id, found.response)
        remember(self, context, name, found)
        self._describe(context, name, found.catalog_id, changes)
        return found.catalog_id

    def _schema_changes(self, context: Context, found: Remembered | None, schema: Schema) -> list[str]:
        """What has changed since a catalog was created; logged, and pushed if there is anything."""
        if found is None:
            return []
        if found.schema is None:
            self.log.warning(
                "It is not known whether the schema of catalog %s has changed: no record has it", found.catalog_id
            )
            return []
        if changes := found.schema.changes(schema):
            self.log.warning("The schema has changed since catalog %s was created:", found.catalog_id)
            for change in changes:
                self.log.warning("  %s", change)
            context["ti"].xcom_push(key="schema_changes", value=changes)
        return changes

    def _push(self, context: Context, catalog_id: str, response: Any) -> None:
        """Make the identifier known before anything else can fail."""
        if self.do_xcom_push:
            context["ti"].xcom_push(key="return_value", value=catalog_id)
        context["ti"].xcom_push(key="catalog", value=response)

    def _describe(self, context: Context, name: str, catalog_id: str, changes: list[str]) -> None:
        self._link(context, "catalog", catalog_id)
        extra: dict[str, Any] = {"catalog_id": catalog_id, "name": name}
        self._describe_events(context, {**extra, "schema_changes": changes} if changes else extra)

    def _earlier_attempt(self, context: Context, record: dict[str, Any]) -> str:
        """What an earlier attempt of this task may have done; empty if it created nothing."""
        if "catalog_id" in record:
            return f"it got the identifier {record['catalog_id']}"
        if not record:  # clears and settings remove records
            return "it may have ended in the middle" if context["ti"].try_number > 1 else ""
        return "" if record.get("refused") else "it ended in the middle, or without a response"


def check_if_exists(value: Any) -> None:
    """Check the ``if_exists`` argument."""
    if value not in ("fail", "adopt"):
        raise WesConfigurationError(f"if_exists takes fail or adopt, not {models.shown(value)}")


def check_on_schema_change(value: Any, name: Any) -> None:
    """Check the ``on_schema_change`` argument, and the name that goes with it."""
    if value not in ("fail", "warn", "create"):
        raise WesConfigurationError(f"on_schema_change takes fail, warn or create, not {models.shown(value)}")
    if (value == "create") != (FINGERPRINT in str(name)):
        raise WesConfigurationError(
            f"name {models.shown(name)} and on_schema_change {value!r} do not go together\n"
            f"With 'create', the name holds {FINGERPRINT}, as in products-{FINGERPRINT}; otherwise it does not."
        )
