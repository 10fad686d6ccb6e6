"""Which updates of a segment pass: the options, and the plan that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from wes_provider.arguments import from_json, json_bytes, templated
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards.filters import ConditionChange, canonical, condition_changes, text
from wes_provider.guards.history import Baseline
from wes_provider.guards.plan import ROWS, Plan, row_of
from wes_provider.texts import shown

__all__ = ["SegmentGuard", "can_approve"]

Limit = Any  # a share, a number, or either by attribute

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
_Limit = _Count | _Share | dict[str, _Count | _Share | None] | None
_LIMIT = (_Limit, "a share, a whole number, or an object")
_ACTION = (Literal["fail", "skip", "approve", "warn"], "fail, skip, approve or warn")
_BOOL = (bool, "true or false")

OPTIONS: Final[dict[str, tuple[Any, str]]] = {
    "skip_unchanged": _BOOL,
    "max_removed": _LIMIT,
    "max_added": _LIMIT,
    "min_values": (_Count | dict[str, _Count | None] | None, "a whole number, or an object of them"),
    "on_violation": _ACTION,
    "on_missing_baseline": _ACTION,
    "approval_timeout": (Annotated[float, msgspec.Meta(gt=0, le=10**9)], "seconds above 0"),
    "if_not_approved": (Literal["fail", "skip"], "fail or skip"),
    "show_values": _BOOL,
    "keep": (Annotated[int, msgspec.Meta(ge=2)], "a whole number from 2"),
}
"""What each option takes, for msgspec and for people."""


@dataclass
class SegmentGuard:
    """
    Limits on how much an update of a segment may change, compared with what Airflow sent last.

    A limit is a share between 0.0 and 1.0, a whole number of values or filters, or an object of either by attribute.
    All fields are templated.

    :param skip_unchanged: send nothing if the update equals what was sent last.
    :param max_removed: how many values of each condition, and how many filters, an update may remove.
    :param max_added: how many it may add. ``None`` means no limit.
    :param min_values: how many values each condition keeps at least; a whole number, or an object by attribute. The
        update fails if an attribute of the object has no filter.
    :param on_violation: if a limit is exceeded, ``fail`` the task, ``skip`` it, have a person ``approve`` the update
        (Airflow 3.1 and later), or ``warn`` and send it.
    :param on_missing_baseline: the same if there is nothing to compare with: for the first update, or the first one
        after Airflow's records were removed. ``fail`` and ``skip`` stop every first update; let the first one pass with
        ``warn`` or ``approve``. With ``warn``, the verdict is ``send``.
    :param approval_timeout: seconds that a person has to respond.
    :param if_not_approved: after a rejection or after the timeout, ``fail`` the task or ``skip`` it.
    :param show_values: show up to five values of each condition in the log, the XCom, asset events and the request for
        approval. They may be personal data.
    :param keep: how many updates the history keeps, to which a segment can be restored.
    """

    skip_unchanged: bool = True
    max_removed: Limit = 0.2
    max_added: Limit = None
    min_values: Limit = None
    on_violation: str = "fail"
    on_missing_baseline: str = "warn"
    approval_timeout: float = 24 * 60 * 60
    if_not_approved: str = "fail"
    show_values: bool = False
    keep: int = 20

    template_fields: ClassVar[Sequence[str]] = tuple(OPTIONS)

    def __post_init__(self) -> None:
        values = {name: getattr(self, name) for name in OPTIONS}
        self._given = [name for name, value in values.items() if value is not None]
        for name, value in values.items():
            if not templated(value):
                _converted(name, value)

    def checked(self) -> SegmentGuard:
        """
        The guard after rendering, with numbers and booleans in the place of their texts.

        :raises WesConfigurationError: naming the field that has no meaning.
        """
        values = {name: _converted(name, getattr(self, name)) for name in OPTIONS}
        if lost := [f"guard.{name}" for name in self._given if values[name] is None]:
            raise WesConfigurationError(f"{', '.join(lost)} rendered to None")
        return replace(self, **values)

    def plan(self, segment_id: str, body: Mapping[str, Any], baseline: Baseline) -> Plan:
        """
        What an update would change, and what follows from it.

        :param body: the request's, as it would be sent.
        :param baseline: what was sent before.
        """
        before = {name: canonical(value) for name, value in baseline.fields.items()}
        after = {name: canonical(value) for name, value in body.items()}
        old, new = before.get("included_filters"), after.get("included_filters")
        changes = condition_changes(old, new) if new is not None else []
        changed = [one for one in changes if one.removed or one.added or None in (one.before, one.after)]
        changed.sort(key=lambda change: -len(change.removed) - len(change.added))
        missing = new is not None and old is None
        different = [name for name, value in after.items() if name not in before or text(before[name]) != text(value)]
        violations = [*([] if missing else self._exceeded(changes)), *self._too_few(changes)]
        for other, filters in baseline.others.items() if new is not None else ():
            exceeded = self._exceeded(condition_changes(filters, new))
            violations += [f"{violation}, compared with {other}" for violation in exceeded]
        verdict = "send"
        if self.skip_unchanged and not different and not baseline.uncertain:
            verdict = "unchanged"
        elif violations:
            verdict = self.on_violation
        elif missing and self.on_missing_baseline != "warn":
            verdict = self.on_missing_baseline
        first = "the filters cannot be compared: this is the first update, or Airflow's records are gone"
        seen = [segment_id, body, before, violations, baseline.notes]
        return Plan(
            segment_id=segment_id,
            verdict=verdict,
            compared_with=baseline.description,
            conditions=[row_of(change, show_values=self.show_values) for change in changed[:ROWS]],
            conditions_changed=len(changed),
            conditions_unchanged=len(changes) - len(changed),
            fields=[name for name in different if name != "included_filters"],
            violations=violations,
            notes=[*baseline.notes, *([first] if missing else [])],
            token=hashlib.sha256(json_bytes({"plan": seen})).hexdigest()[:8],
        )

    def _exceeded(self, changes: Sequence[ConditionChange]) -> list[str]:
        """Which of the limits on removed and added values and filters are exceeded."""
        found = []
        conditions = sum(change.before is not None for change in changes)
        for what, option, gone in (("removed", "max_removed", "after"), ("added", "max_added", "before")):
            for change in changes:
                number, total = len(getattr(change, what)), change.before or 0
                if change.after is None and not total:  # a filter without values, which is gone as a whole
                    number = total = int(what == "removed")
                limit = self._limit(option, change.attribute, whole=None in (change.before, change.after))
                found += _over(change.label, number, total, f"values {what}", limit)
            number = sum(getattr(change, gone) is None for change in changes)
            found += _over("filters", number, conditions, what, self._limit(option, "filters"))
        return found

    def _too_few(self, changes: Sequence[ConditionChange]) -> list[str]:
        found = []
        left = {change.attribute for change in changes if change.after is not None}
        for change in changes:
            least = self._limit("min_values", change.attribute)
            if least is not None and change.after is not None and change.after < least:
                found.append(f"{change.label}: {change.after} values, at least {least} required")
        named = self.min_values if isinstance(self.min_values, Mapping) else {}
        for name in sorted({*named, *(change.attribute for change in changes)} - {"*"} - left):
            if least := self._limit("min_values", name):
                found.append(f"{name}: no filter is on it, at least {least} values required")
        return found

    def _limit(self, option: str, attribute: str, *, whole: bool = False) -> Any:
        """What holds for an attribute; other things do if a filter is new or gone as a whole."""
        limits = getattr(self, option)
        if not isinstance(limits, Mapping):
            return limits
        if whole and "filters" in limits and attribute not in limits:
            return None
        return limits.get(attribute, limits.get("*", getattr(type(self), option)))


def can_approve() -> bool:
    """Whether this Airflow can request a response from a person: 3.1 and later."""
    try:
        return find_spec("airflow.sdk.execution_time.hitl") is not None
    except ModuleNotFoundError:
        return False


def _converted(name: str, value: Any) -> Any:
    """An option's value; templates make texts of numbers, booleans and objects."""
    kind, takes = OPTIONS[name]
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = from_json(f"guard.{name}", value)
    try:
        converted = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise WesConfigurationError(f"guard.{name} takes {takes}\nIt is {shown(value)}") from None
    if converted == "approve" and not can_approve():
        raise WesConfigurationError(
            f"guard.{name} is 'approve', which needs Airflow 3.1 or later\nUse 'fail', 'skip' or 'warn' here."
        )
    return converted


def _over(label: str, number: int, total: int, what: str, limit: Any) -> list[str]:
    if limit is None or number <= (limit * total + 1e-9 if isinstance(limit, float) else limit):
        return []
    allowed = f"{limit:.0%}" if isinstance(limit, float) else str(limit)
    return [f"{label}: {number} of {total} {what}, allowed {allowed}"]
