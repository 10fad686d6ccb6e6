"""Operators that update filter segments, and restore them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments, assets, filters
from wes_provider.arguments import check_boolean, early
from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators.base import WesTask
from wes_provider.operators.catalogs import plain
from wes_provider.retry_policy import RETRY_POLICIES, explained_errors
from wes_provider.texts import shown

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.guards import SegmentGuard
    from wes_provider.guards.update import GuardedUpdate

__all__ = ["WesRestoreSegmentOperator", "WesUpdateSegmentOperator"]

ASSET_STATE_STORE = RETRY_POLICIES  # both came with Airflow 3.3


class SegmentTask(WesTask):
    """
    An operator on one segment, with or without a guard.

    :param segment_id: the segment. (templated)
    :param guard: a :class:`~wes_provider.guards.SegmentGuard`, which compares the update with what
        was sent last and stops it if it changes too much. Without a guard, an update is sent,
        however much it changes.
        (its fields are templated)
    :param plan_only: log and push the plan, and send nothing; the task emits no event of the
        segment's asset.
    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was
        sent.
    :raises WesGuardError: if the guard stops the update; nothing was sent; not retried.
    """

    label_fields: ClassVar[Sequence[str]] = ("segment_id",)
    without_guard: ClassVar[Mapping[str, Any]] = {"skip_unchanged": False, "max_removed": None}
    """Options of the guard if none is given: every update is sent."""
    ui_color = "#fbeedc"

    def __init__(
        self,
        *,
        segment_id: str,
        guard: SegmentGuard | None = None,
        plan_only: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.segment_id = segment_id
        self.guard = guard
        self.plan_only = plan_only
        early(arguments.identifier, "segment_id", segment_id)
        check_boolean("plan_only", plan_only)
        if guard is not None and not hasattr(guard, "plan"):
            raise WesConfigurationError(
                f"guard takes a SegmentGuard of wes_provider.guards, not {shown(guard)}"
            )

    def _keep_history(self) -> None:
        """
        Have a task that keeps a history use the state store of the segment's asset, without
        emitting its events.
        """
        if ASSET_STATE_STORE and not arguments.templated(self.segment_id):
            asset = assets.segment(self.segment_id)
            if asset.uri not in [
                getattr(one, "uri", None) for one in (*self.inlets, *self.outlets)
            ]:
                self.inlets = [*self.inlets, asset]

    def _asset_store(self, attempt: Attempt, segment_id: str) -> Any:
        """
        Return the state store of the segment's asset; ``None`` before Airflow 3.3, or if the task
        does not have the asset.
        """
        uri = assets.segment(segment_id).uri
        for asset in (*self.inlets, *self.outlets):
            if getattr(asset, "uri", None) == uri:
                return attempt.asset_store(asset)
        return None

    def _wanted(self, guarded: GuardedUpdate) -> tuple[dict[str, Any], str]:
        """Return the body to send, and which update it restores; empty for none."""
        raise NotImplementedError

    @explained_errors()
    def execute(self, context: Context) -> str:
        """Change the segment, if the guard allows it."""
        guarded = self._guarded(context)
        return guarded.run(*self._wanted(guarded))

    @explained_errors()
    def execute_approved(self, context: Context, event: Any = None) -> str:
        """Resumed when a person has responded, or has not in time."""
        guarded = self._guarded(context)
        body, restored = self._wanted(guarded)
        return guarded.resume(body, event, restored)

    def _guarded(self, context: Context) -> GuardedUpdate:
        """
        Return the update as the guard handles it, or if none is given, one with the options
        :attr:`without_guard`.
        """
        from wes_provider.guards import SegmentGuard
        from wes_provider.guards.history import XComStore
        from wes_provider.guards.update import GuardedUpdate

        self.check_rendered()
        segment_id = arguments.identifier("segment_id", self.segment_id)
        self.link(context, "segment", segment_id)
        store = self._asset_store(Attempt.of(context), segment_id)
        tasks = [
            one
            for one in self.dag.tasks
            if issubclass(getattr(one, "operator_class", type(one)), SegmentTask)
        ]
        if self.plan_only:
            ours = list(assets.outlets(self, "segment"))
            self.outlets = [outlet for outlet in self.outlets if outlet not in ours]
        return GuardedUpdate(
            guard=(self.guard or SegmentGuard(**self.without_guard)).checked(),
            hook=self.hook,
            segment_id=segment_id,
            context=context,
            store=XComStore(context, [one.task_id for one in tasks]) if store is None else store,
            log=self.log,
            outlets=[] if self.plan_only else list(assets.outlets(self)),
            plan_only=self.plan_only,
        )


class WesUpdateSegmentOperator(SegmentTask):
    """
    Update a filter segment.

    Returns the segment's identifier. Pushes the service's response as ``segment`` and, if there is
    a guard, the plan as ``plan``.

    :param name: a new unique name. (templated)
    :param included_filters: which users belong to the segment, from
        :func:`~wes_provider.models.all_of` or a plain object; or JSON of it, or a ``.json`` file.
        (templated)
    :param updated_by: the e-mail address of who updates it. (templated)
    :param allow_empty: send even an empty filter list or an empty ``value``, which may select
        nobody, or everybody.

    Contract: section 4.3.
    """

    template_fields: Sequence[str] = (
        "wes_conn_id",
        "segment_id",
        "name",
        "included_filters",
        "updated_by",
        "guard",
    )
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"included_filters": "json"}

    def __init__(
        self,
        *,
        name: str | None = None,
        included_filters: Any = None,
        updated_by: str | None = None,
        allow_empty: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.name = name
        self.included_filters = plain(included_filters)
        self.updated_by = updated_by
        self.allow_empty = allow_empty
        check_boolean("allow_empty", allow_empty)
        if not arguments.templated(self.name, self.included_filters, self.updated_by):
            self._body()
        if self.guard is not None or self.plan_only:
            self._keep_history()

    def _body(self) -> dict[str, Any]:
        return filters.segment_body(
            name=self.name,
            included_filters=arguments.from_json("included_filters", self.included_filters),
            updated_by=self.updated_by,
            allow_empty=self.allow_empty,
        )

    def execute(self, context: Context) -> str:
        """Update the segment."""
        if self.guard is not None or self.plan_only:
            return super().execute(context)
        with explained_errors():
            self.check_rendered()
            self.segment_id = arguments.identifier("segment_id", self.segment_id)
            body = self._body()
            self.link(context, "segment", self.segment_id)
            response = self.hook.update_segment(
                self.segment_id, **body, allow_empty=self.allow_empty
            )
            context["ti"].xcom_push(key="segment", value=response)
            assets.describe_events(self, context, {"segment_id": self.segment_id})
            self.log.info("Updated segment %s", self.segment_id)
            return self.segment_id

    # Of the base class
    def _wanted(self, guarded: GuardedUpdate) -> tuple[dict[str, Any], str]:  # noqa: ARG002
        return self._body(), ""


class WesRestoreSegmentOperator(SegmentTask):
    """
    Send an earlier definition of a filter segment again, byte for byte.

    You can restore only what an update with a guard has sent. Without a guard, the definition is
    sent whatever it changes. Returns the segment's identifier. Pushes ``segment``, the service's
    response, ``plan``, and ``restored``, the update whose definition was sent.

    :param to: which definition to send: ``previous``, the one before that in effect; the id of a
        DAG run, for the last one that the run sent; or the time of an update. Any other value
        fails, and the error lists the times. (templated)

    Contract: section 4.3.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "segment_id", "to", "guard")

    def __init__(self, *, to: str = "previous", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.to = to
        self._keep_history()

    def _wanted(self, guarded: GuardedUpdate) -> tuple[dict[str, Any], str]:
        return guarded.restorable(str(self.to))
