"""The options of a guard, which says which updates of a segment pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from wes_provider.arguments import check_notifiers, from_json, templated
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.forms import has_forms
from wes_provider.guards.history import Baseline, TaskInstance
from wes_provider.guards.limits import GuardLimits, Limits, NoLimit, ShareLimit
from wes_provider.guards.plan import Plan, Rules, make_plan
from wes_provider.texts import PAGES, shown

__all__ = ["SegmentGuard", "WesGuardError", "can_approve"]

MAX_REMOVED: Final = 0.2

Count = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
LimitOption = Count | Share | dict[str, Count | Share | None] | None
Action = Literal["fail", "skip", "approve", "warn"]


A_LIMIT: Final = (
    "a share from 0.0 to 1.0, a whole number from 0 up, None, or an object of these by attribute"
)
AN_ACTION: Final = "'fail', 'skip', 'approve' or 'warn'"
TAKES: Final = {
    "skip_unchanged": "True or False",
    "max_removed": A_LIMIT,
    "max_added": A_LIMIT,
    "min_values": "a whole number from 0 up, None, or an object of these by attribute",
    "on_violation": AN_ACTION,
    "on_missing_baseline": AN_ACTION,
    "approval_timeout": "seconds above 0",
    "if_not_approved": "'fail' or 'skip'",
    "show_values": "True or False",
    "assigned_users": "a list of objects with id and name",
    "notifiers": "a notifier of Airflow, or a list of them",
}
"""What each option takes, for messages."""


class WesGuardError(WesError):
    """A guard has not let an update of a segment pass; nothing was sent."""

    permanent = True


class Options(msgspec.Struct):
    """What a guard's arguments take; :class:`SegmentGuard` describes them."""

    skip_unchanged: bool = True
    max_removed: LimitOption = MAX_REMOVED
    max_added: LimitOption = None
    min_values: Count | dict[str, Count | None] | None = None
    on_violation: Action = "fail"
    on_missing_baseline: Action = "warn"
    approval_timeout: Annotated[float, msgspec.Meta(gt=0, le=10**9)] = 24 * 60 * 60
    if_not_approved: Literal["fail", "skip"] = "fail"
    show_values: bool = False
    assigned_users: list[dict[str, str]] | None = None
    notifiers: Any = ()


class SegmentGuard(Options):
    """
    Limits on how much an update of a segment may change, compared with what Airflow sent last.

    A limit of what may change is a share between 0.0 and 1.0, a whole number of values or filters,
    or an object of either by attribute. All fields are templated.

    :param skip_unchanged: send nothing if the update equals what was sent last.
    :param max_removed: how many values of each condition, and how many filters, an update may
        remove.
    :param max_added: how many it may add. ``None`` means no limit.
    :param min_values: how many values each condition keeps at least; a whole number, or an object
        by attribute. The update fails if an attribute of the object has no filter. ``filters`` in
        the object is the least number of filters.
    :param on_violation: if a limit is exceeded, ``fail`` the task, ``skip`` it, have a person
        ``approve`` the update (Airflow 3.1 and later), or ``warn`` and send it.
    :param on_missing_baseline: the same if there is nothing to compare with: for the first update,
        or the first one after Airflow's records were removed. ``fail`` and ``skip`` stop every
        first update; let the first one pass with ``warn`` or ``approve``. With ``warn``, the
        verdict is ``send``. If a first update exceeds a limit, too, the stricter option counts:
        ``fail``, then ``skip``, ``approve`` and ``warn``.
    :param approval_timeout: seconds that a person has to respond.
    :param if_not_approved: after a rejection or after the timeout, ``fail`` the task or ``skip``
        it.
    :param show_values: show up to five values of each condition in the log, the XCom, asset events
        and the request for approval. They may be personal data.
    :param assigned_users: who may approve: objects with ``id`` and ``name`` of Airflow's users;
        ``None`` for everybody who may respond.
    :param notifiers: a notifier of Airflow, or several: called with the task's context when the
        task begins to wait for approval.
    """

    template_fields: ClassVar[Sequence[str]] = Options.__struct_fields__

    def __post_init__(self) -> None:
        if not templated(*msgspec.structs.astuple(self)):
            self._read_options()

    def checked(self) -> SegmentGuard:
        """
        Return the guard after rendering, with values in the place of their strings.

        :raises WesConfigurationError: naming the field that has no meaning.
        """
        return SegmentGuard(*msgspec.structs.astuple(self._read_options()))

    def _read_options(self) -> Options:
        given = {}
        for name, value in msgspec.structs.asdict(self).items():
            given[name] = _read_json(name, value)
        self._check_fields(given)
        options = msgspec.convert(given, Options, strict=False)
        check_notifiers("notifiers", options.notifiers)
        asks = "approve" in (options.on_violation, options.on_missing_baseline)
        if asks and not can_approve():
            raise WesConfigurationError(
                "A guard's 'approve' needs Airflow 3.1 or later\nUse 'fail', 'skip' or 'warn'."
            )
        return options

    def _check_fields(self, given: Mapping[str, Any]) -> None:
        """Check one field after the other, so that the message names the right one."""
        for name, value in given.items():
            try:
                msgspec.convert({name: value}, Options, strict=False)
            except msgspec.ValidationError:
                raise WesConfigurationError(
                    f"guard.{name} is {shown(value)}\n"
                    f"It takes {TAKES[name]}: {PAGES}guards.html#options"
                ) from None

    def plan(
        self,
        segment_id: str,
        body: Mapping[str, Any],
        baseline: Baseline,
        task: TaskInstance | None = None,
    ) -> Plan:
        """
        Plan an update.

        :param body: the request's, as it would be sent.
        :param baseline: what was sent before.
        :param task: the task instance. Its earlier attempts make no other plan, which a person
            would have to approve.
        """
        limits = GuardLimits(
            max_removed=Limits.parse(self.max_removed, default=ShareLimit(MAX_REMOVED)),
            max_added=Limits.parse(self.max_added, default=NoLimit()),
            min_values=self.min_values,
        )
        rules = Rules(
            skip_unchanged=self.skip_unchanged,
            limits=limits,
            on_violation=self.on_violation,
            on_missing_baseline=self.on_missing_baseline,
            show_values=self.show_values,
        )
        return make_plan(segment_id, body, baseline, task, rules)


def can_approve() -> bool:
    """Return whether this Airflow can request a response from a person: 3.1 and later."""
    return has_forms()


def _read_json(name: str, value: Any) -> Any:
    """Read an object or a list that a template gives as JSON."""
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        return from_json(f"guard.{name}", value)
    return value
