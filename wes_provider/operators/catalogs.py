"""The operator that creates catalogs, or adopts those that another run created."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from wes_provider import arguments, assets, models
from wes_provider.arguments import check_choice, early
from wes_provider.attempt import Attempt
from wes_provider.exceptions import (
    WesConfigurationError,
    WesError,
    WesResponseError,
    WesUnknownOutcomeError,
    dump_error,
)
from wes_provider.operators.asking import AskingTask, Named, Question
from wes_provider.operators.catalog_records import CatalogRecord, CatalogRecords
from wes_provider.retry_policy import explained_errors
from wes_provider.texts import shown

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCreateCatalogOperator"]

CREATION_TAKES: Final = 60.0
"""Seconds for which another run that has got the name may still wait for its identifier."""

FIRST_PAUSE: Final = 1.0
"""Seconds before the records are read again; each further pause is twice as long."""


class WesCreateCatalogOperator(AskingTask):
    """
    Create a catalog.

    Returns the catalog's identifier, which the service shows only once, and pushes ``catalog``, the
    service's response, before anything else can fail. If the schema has changed since the catalog
    was created, it pushes ``schema_changes``, a list of strings.

    :param name: unique among the workspace's catalogs. (templated)
    :param price_currency: an ISO 4217 code that the service accepts, in capitals. (templated)
    :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}``
        objects; or JSON of them, or a ``.json`` file. (templated)
    :param if_exists: what to do if the service reports that there is a catalog of this name:
        ``fail``, or ``adopt`` the identifier that an earlier run of this task got. (templated)
    :param on_schema_change: what to do if currency or attributes differ from those that the adopted
        catalog was created with: ``fail`` or ``warn``. (templated)

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
        early(arguments.identifier, "name", name)
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
        """Create the catalog, or adopt the one that another run created."""
        return self._run(context)

    @explained_errors()
    def execute_decided(
        self, context: Context, event: Any = None, question: dict[str, Any] | None = None
    ) -> str:
        """Go on when a person has decided what nobody else can know, or has not in time."""
        decision = self.read_decision(context, event, msgspec.convert(question, Question))
        if isinstance(decision, Named):
            return self._run(context, decision.identifier)
        return self._run(context)

    def _run(self, context: Context, named: str = "") -> str:
        """
        Create the catalog, unless an earlier attempt has, or a person names it.

        :param named: the identifier that a person has given; empty if nobody has.
        """
        self.check_rendered()
        self._check_choices()
        name = arguments.identifier("name", self.name)
        attributes = arguments.from_json("attributes", self.attributes)
        body = models.catalog_body(name, self.price_currency, attributes)
        for warning in models.catalog_warnings(body["attributes"]):
            self.log.warning("Catalog %s: %s", name, warning)
        attempt = Attempt.of(context)
        wanted = CatalogRecord(**body, generation=attempt.generation)
        catalog_assets = list(assets.outlets(self, kind="catalog"))
        records = CatalogRecords(context["ti"], attempt, self.hook.settings, catalog_assets, name)
        known = records.read_of_this_run(wanted)
        if named:
            known = msgspec.structs.replace(wanted, catalog_id=named)
        if known is None:
            known = self._create_or_adopt(context, attempt, records, wanted, body)
        return self._keep(context, records, known, wanted)

    def _create_or_adopt(
        self,
        context: Context,
        attempt: Attempt,
        records: CatalogRecords,
        wanted: CatalogRecord,
        body: Mapping[str, Any],
    ) -> CatalogRecord:
        try:
            catalog_id, response = self.hook.send_catalog(body)
        except WesUnknownOutcomeError as error:
            if error.response is not None:
                self.log.error("The service's response: %s", shown(error.response, 1000))
                context["ti"].xcom_push(key="catalog", value=error.response)
            error.add(records.advice())
            self._ask_if_asked_to(context, error)
            raise
        except WesResponseError as error:
            from wes_provider.client.responses import name_is_taken

            if not name_is_taken(error):
                raise
            return self._adopt(context, attempt, records, error)
        self.log.info("Created catalog %s: %s", wanted.name, catalog_id)
        return msgspec.structs.replace(wanted, catalog_id=catalog_id, response=response)

    def _ask_if_asked_to(self, context: Context, error: WesError) -> None:
        """Have a person decide, which ends this part of the task, if ``on_unknown`` says so."""
        if self.asks_in(context):
            self.ask(context, _question(self.name, error))

    def _adopt(
        self,
        context: Context,
        attempt: Attempt,
        records: CatalogRecords,
        error: WesResponseError,
    ) -> CatalogRecord:
        """Take the identifier that another run got for the name that is taken."""
        # An earlier attempt may have been killed before it could keep the identifier.
        may_be_of_this_task = error.after_unknown or attempt.try_number > 1
        found = records.read_of_any_run()
        if self.if_exists == "fail":
            if found is None:
                error.add(f"No earlier run of this task got its identifier.\n{records.advice()}")
                if may_be_of_this_task:
                    self._ask_if_asked_to(context, error)
            else:
                error.add(
                    f"Its identifier is {shown(found.catalog_id)}: to take it, set "
                    "if_exists='adopt'."
                )
            raise error
        if found is None:
            found = self._wait_for_other_run(records)
        if found is None:
            error.add(
                f"No run of this task got its identifier, nor did one within "
                f"{CREATION_TAKES:g} s.\n{records.advice()}"
            )
            if may_be_of_this_task:
                self._ask_if_asked_to(context, error)
            raise error
        self.log.info(
            "Catalog %s exists: adopting the identifier %s of another run",
            found.name,
            found.catalog_id,
        )
        return found

    def _wait_for_other_run(self, records: CatalogRecords) -> CatalogRecord | None:
        """Wait for the identifier of another run, which may be creating the catalog right now."""
        self.log.info(
            "Another run may be creating catalog %s now: waiting for its identifier, for %g s at "
            "most",
            self.name,
            CREATION_TAKES,
        )
        waited = 0.0
        pause = FIRST_PAUSE
        while waited < CREATION_TAKES:
            time.sleep(pause)
            waited += pause
            found = records.read_of_any_run()
            if found is not None:
                return found
            pause = min(2 * pause, CREATION_TAKES - waited)
        return None

    def _keep(
        self,
        context: Context,
        records: CatalogRecords,
        record: CatalogRecord,
        wanted: CatalogRecord,
    ) -> str:
        """Make the identifier known before anything else can fail, and keep it for later runs."""
        event: dict[str, Any] = {"catalog_id": record.catalog_id, "name": record.name}
        changes = record.changes_to(wanted)
        if changes:
            event["schema_changes"] = changes
            self._report_changes(context, record, changes)
        records.keep(record, return_value=self.do_xcom_push)
        self.link(context, "catalog", record.catalog_id)
        assets.describe_events(self, context, event)
        return record.catalog_id

    def _report_changes(
        self, context: Context, record: CatalogRecord, changes: Sequence[str]
    ) -> None:
        details = "\n".join(changes)
        context["ti"].xcom_push(key="schema_changes", value=list(changes))
        if self.on_schema_change == "fail":
            raise WesConfigurationError(
                f"catalog {shown(record.name)} exists with another schema: {changes[0]}\n"
                "Give it another name, or set on_schema_change='warn' to adopt it as it is.\n"
                f"{details}"
            )
        self.log.warning(
            "The schema has changed since catalog %s was created:\n%s",
            record.catalog_id,
            details,
        )


def _question(name: str, error: WesError) -> Question:
    """Make the question to a person about a catalog that may have been created."""
    when = f"at {datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
    if isinstance(error, WesResponseError) and not error.after_unknown:
        when = "by an earlier attempt"
    body = (
        f"Catalog **{name}** may have been created {when}. "
        f"Its identifier is not known: {error.reason}.\n\n"
        f"Look for catalog {name} in the service's console.\n\n"
        "- *It is there*: give its identifier, and the task goes on with it. Nothing checks it.\n"
        "- *It is not there: send it*: the catalog is created now.\n"
        "- *Stop*: the task fails."
    )
    # A task has one catalog.
    return Question("catalog", f"Was catalog {name} created?", body, dump_error(error))


def plain(value: Any) -> Any:
    """Make lists and objects that Airflow can render templates in: no tuples, no dataclasses."""
    if isinstance(value, models.CatalogAttribute):
        return {"name": value.name, "type": value.type}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value
