"""
The operator that creates catalogs, or adopts those that an earlier run created.

The service reports a catalog's identifier once, and has no operation to read it again. So it is
kept in the state stores of the task and of its catalog assets (Airflow 3.3), and in XComs of each
run.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from wes_provider import arguments, assets, models
from wes_provider.arguments import check_choice, early
from wes_provider.exceptions import WesConfigurationError, WesResponseError, WesUnknownOutcomeError
from wes_provider.operators.base import WesTask
from wes_provider.retry_policy import explained_errors
from wes_provider.texts import PAGES, shown

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCreateCatalogOperator"]

log = logging.getLogger(__name__)


class CatalogRecord(msgspec.Struct, omit_defaults=True):
    """
    A catalog that a run created.

    :ivar response: the service's response to the creation.
    :ivar generation: that of the attempt that created it; it grows with each clear.
    """

    name: str
    catalog_id: str = ""
    price_currency: str = ""
    attributes: list[dict[str, Any]] = []
    response: Any = None
    generation: int = 0
    version: int = 1

    def changes(self, after: CatalogRecord) -> list[str]:
        """
        What differs in another record's schema, one text for each difference; nothing if no record
        has it.
        """
        if not self.price_currency:
            return []
        old, new = self._schema(), after._schema()
        return [
            f"{what} {old.get(what, 'none')} became {new.get(what, 'none')}"
            for what in {**old, **new}
            if old.get(what) != new.get(what)
        ]

    def _schema(self) -> dict[str, Any]:
        properties = (
            (each["name"], key, value) for each in self.attributes for key, value in each.items()
        )
        named = {
            f"attribute {name}: {key}": value for name, key, value in properties if key != "name"
        }
        return {"price_currency:": self.price_currency, **named}


class CatalogRecords:
    """
    Where records of one catalog are kept: the state stores of the task and of its catalog assets,
    and XComs.

    :param operator: the task.
    :param context: Airflow's.
    :param name: of the catalog.
    """

    def __init__(self, operator: WesCreateCatalogOperator, context: Context, name: str) -> None:
        settings = operator.hook.settings  # workspaces may have catalogs of the same name
        content = arguments.json_bytes(
            {"catalog": [settings.base_url, settings.workspace_id, name]}
        )
        self._key = f"wes_catalog_{hashlib.sha256(content).hexdigest()[:16]}"
        self._name, self._context, self._ti = name, context, context["ti"]
        self._last_try = self._ti.max_tries - int(context["task"].retries or 0)
        own: Any = context.get("task_state_store")  # Airflow 3.3's, as are those of assets
        stores: Any = context.get("asset_state_store")
        catalogs = [] if stores is None else assets.outlets(operator, kind="catalog")
        self._own = [] if own is None else [own]
        self._stores = [*(stores[each] for each in catalogs), *self._own]

    def of_this_run(self, wanted: CatalogRecord) -> CatalogRecord | None:
        """
        What an earlier attempt created before it was killed, or what a person says that it did.
        """
        for stored in filter(None, (store.get(self._key) for store in self._own)):
            record = msgspec.convert(stored, CatalogRecord)
            if record.generation == wanted.generation and not record.changes(wanted):
                log.info(
                    "An earlier attempt created catalog %s: %s", record.name, record.catalog_id
                )
                return record
        variables: Any = self._context.get("var") if self._ti.try_number > 1 else None
        decision = str(
            variables["value"].get(self._variable(self._last_try), "") if variables else ""
        ).strip()
        if decision and decision != "absent":
            log.info("Variable %s names catalog %s", self._variable(self._last_try), decision)
            return msgspec.structs.replace(wanted, catalog_id=decision)
        return None

    def of_earlier_runs(self) -> CatalogRecord | None:
        """
        The catalog that an earlier run, or this one before a clear, created; whichever the map
        index was.
        """
        for store in self._stores:
            if record := store.get(self._key):
                # For later runs: a clear may have removed it.
                self._ti.xcom_push(key=self._key, value=record)
                return msgspec.convert(record, CatalogRecord)
        if "loop" in self._context:  # Airflow 3.4 refuses to read XComs of earlier runs in a loop
            return None
        found = self._ti.xcom_pull(
            task_ids=self._ti.task_id, key=self._key, include_prior_dates=True
        )
        records = [found] if isinstance(found, Mapping) else [each for each in found or () if each]
        return msgspec.convert(records[-1], CatalogRecord) if records else None

    def keep(self, record: CatalogRecord, *, returned: bool) -> None:
        """
        Keep a record, for other attempts and for later runs: wherever it can be kept, should one
        place fail.
        """
        kept = msgspec.to_builtins(msgspec.structs.replace(record, generation=self._ti.max_tries))
        pushed = {"return_value": record.catalog_id} if returned else {}
        try:
            for store in self._stores:
                store.set(self._key, kept)
        finally:
            for key, value in {**pushed, "catalog": record.response, self._key: kept}.items():
                self._ti.xcom_push(key=key, value=value)

    def advice(self) -> str:
        """What a person does about a catalog that may have been created."""
        return (
            f"Look for catalog {shown(self._name)} in the service's console\n"
            f"Set the Airflow Variable {self._variable(self._ti.try_number)}\n"
            "to its identifier, and clear the task: it goes on with it. If there is no such "
            "catalog, clear the task.\n"
            f"{PAGES}red-task.html#a-person-decides"
        )

    def _variable(self, try_number: int) -> str:
        return f"wes_decision_{self._key}_try{try_number}"


class WesCreateCatalogOperator(WesTask):
    """
    Create a catalog.

    Returns the catalog's identifier, which the service shows only once, and pushes ``catalog``, the
    service's response, before anything else can fail. If the schema has changed since the catalog
    was created, it pushes ``schema_changes``, a list of texts.

    :param name: unique among the workspace's catalogs. (templated)
    :param price_currency: an ISO 4217 code that the service accepts, in capitals. (templated)
    :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}``
        objects; or JSON of them, or a ``.json`` file. (templated)
    :param if_exists: if the service reports that there is a catalog of this name, ``fail``, or
        ``adopt`` the identifier that an earlier run of this task got. (templated)
    :param on_schema_change: if currency or attributes differ from those that the adopted catalog
        was created with, ``fail`` or ``warn``. (templated)

    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was
        sent.
    :raises WesConflictError: if the service reports that the name is taken, and nothing is adopted;
        not retried.
    :raises WesUnknownOutcomeError: if the catalog may have been created and its identifier is not
        known; not retried.

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
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"attributes": "json"}
    label_fields: ClassVar[Sequence[str]] = ("name",)
    ui_color = "#e3f4dc"

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
        self.name = name
        self.price_currency = price_currency
        self.attributes = plain(attributes)
        self.if_exists = if_exists
        self.on_schema_change = on_schema_change
        self._check_choices()
        early(models.currency, price_currency)
        if not arguments.templated(self.attributes):
            models.catalog_attributes(arguments.from_json("attributes", self.attributes))
        if getattr(self, "multiple_outputs", False):
            raise WesConfigurationError(
                "multiple_outputs takes an object, and this operator returns an identifier"
            )

    def _check_choices(self) -> None:
        early(check_choice, "if_exists", self.if_exists, "fail", "adopt")
        early(check_choice, "on_schema_change", self.on_schema_change, "fail", "warn")

    @explained_errors()
    def execute(self, context: Context) -> str:
        """Create the catalog."""
        self.check_rendered()
        self._check_choices()
        name = arguments.identifier("name", self.name)
        body = models.catalog_body(
            name, self.price_currency, arguments.from_json("attributes", self.attributes)
        )
        for warning in models.catalog_warnings(body["attributes"]):
            self.log.warning("Catalog %s: %s", name, warning)
        wanted = CatalogRecord(**body, generation=context["ti"].max_tries)
        records = CatalogRecords(self, context, name)
        if (known := records.of_this_run(wanted)) is not None:
            return self._keep(context, records, known)
        try:
            catalog_id, response = self.hook.send_catalog(body)
        except WesUnknownOutcomeError as error:
            if error.response is not None:
                self.log.error("The service's response: %s", shown(error.response, 1000))
                context["ti"].xcom_push(key="catalog", value=error.response)
            error.add(records.advice())
            raise
        except WesResponseError as error:
            from wes_provider.client.responses import name_is_taken

            if not name_is_taken(error):
                raise
            return self._adopt(context, records, wanted, error)
        self.log.info("Created catalog %s: %s", name, catalog_id)
        return self._keep(
            context,
            records,
            msgspec.structs.replace(wanted, catalog_id=catalog_id, response=response),
        )

    def _adopt(
        self,
        context: Context,
        records: CatalogRecords,
        wanted: CatalogRecord,
        error: WesResponseError,
    ) -> str:
        """Take the identifier that an earlier run got for the name that is taken."""
        found = records.of_earlier_runs()
        if found is None or self.if_exists == "fail":
            stored = (
                f"Its identifier is {shown(found.catalog_id)}: to take it, set if_exists='adopt'."
                if found
                else ""
            )
            # If none did, an earlier attempt may have created it.
            error.add(
                stored
                or f"No earlier run of this task got this catalog's identifier.\n{records.advice()}"
            )
            raise error
        self.log.info(
            "Catalog %s exists: adopting the identifier %s of an earlier run",
            wanted.name,
            found.catalog_id,
        )
        if changes := found.changes(wanted):
            text = "\n".join(changes)
            context["ti"].xcom_push(key="schema_changes", value=changes)
            if self.on_schema_change == "fail":
                raise WesConfigurationError(
                    f"catalog {shown(wanted.name)} exists with another schema: {changes[0]}\n"
                    "Give it another name, or set on_schema_change='warn' to adopt it as it "
                    f"is.\n{text}"
                )
            self.log.warning(
                "The schema has changed since catalog %s was created:\n%s", found.catalog_id, text
            )
        return self._keep(
            context, records, found, **({"schema_changes": changes} if changes else {})
        )

    def _keep(
        self, context: Context, records: CatalogRecords, record: CatalogRecord, **event: Any
    ) -> str:
        """Make the identifier known before anything else can fail, and keep it for later runs."""
        records.keep(record, returned=self.do_xcom_push)
        self.link(context, "catalog", record.catalog_id)
        assets.describe_events(
            self, context, {"catalog_id": record.catalog_id, "name": record.name, **event}
        )
        return record.catalog_id


def plain(value: Any) -> Any:
    """Lists and objects that Airflow can render templates in: no tuples, no dataclasses."""
    if isinstance(value, models.CatalogAttribute):
        return {"name": value.name, "type": value.type}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value
