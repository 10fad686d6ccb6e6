"""Which updates of a segment pass: the options, and the plan that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from typing import Any, ClassVar

from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards.filters import ConditionChange, canonical, condition_changes, same
from wes_provider.guards.history import Baseline
from wes_provider.guards.plan import Plan
from wes_provider.models import from_json, json_bytes, shown, templated

__all__ = ["SegmentGuard"]

Limit = Any  # a share, a number, or either by attribute
ACTIONS = ("fail", "skip", "approve", "warn")


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

    template_fields: ClassVar[Sequence[str]] = (
        "skip_unchanged",
        "max_removed",
        "max_added",
        "min_values",
        "on_violation",
        "on_missing_baseline",
        "approval_timeout",
        "if_not_approved",
        "show_values",
        "keep",
    )

    def __post_init__(self) -> None:
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        self._given = frozenset(name for name, value in values.items() if value is not None)
        for name, value in values.items():
            if not templated(value):
                CHECKS[name](f"guard.{name}", value)

    def checked(self) -> SegmentGuard:
        """
        The guard after rendering, with numbers and booleans in the place of their texts.

        :raises WesConfigurationError: naming the field that has no meaning.
        """
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        if lost := [name for name in self._given if values[name] is None]:
            raise WesConfigurationError(f"guard.{', guard.'.join(sorted(lost))} rendered to None")
        return replace(self, **{name: CHECKS[name](f"guard.{name}", value) for name, value in values.items()})

    def plan(self, segment_id: str, body: Mapping[str, Any], baseline: Baseline) -> Plan:
        """
        What an update would change, and what follows from it.

        :param body: the request's, as it would be sent.
        :param baseline: what was sent before.
        """
        before = {name: canonical(value) for name, value in baseline.fields.items()}
        after = {name: canonical(value) for name, value in body.items()}
        old, new = before.get("included_filters"), after.get("included_filters")
        changes = tuple(condition_changes(old, new)) if new is not None else ()
        missing = new is not None and old is None
        different = [name for name, value in after.items() if name not in before or not same(before[name], value)]
        violations = [*([] if missing else self._exceeded(changes)), *self._too_few(changes)]
        if new is not None:
            for other, filters in baseline.others.items():
                exceeded = self._exceeded(condition_changes(canonical(filters), new))
                violations += [f"{violation}, compared with {other}" for violation in exceeded]
        notes = list(baseline.notes)
        if missing:
            notes.append("the filters cannot be compared: this is the first update, or Airflow's records are gone")
        if not different and not baseline.uncertain and self.skip_unchanged:
            verdict = "unchanged"
        elif violations:
            verdict = self.on_violation
        elif missing and self.on_missing_baseline != "warn":
            verdict = self.on_missing_baseline
        else:
            verdict = "send"
        seen = {
            "segment": segment_id,
            "body": body,
            "before": before,
            "violations": violations,
            "notes": baseline.notes,
        }
        return Plan(
            segment_id=segment_id,
            verdict=verdict,
            compared_with=baseline.description,
            changes=changes,
            fields=tuple(name for name in different if name != "included_filters"),
            violations=tuple(violations),
            notes=tuple(notes),
            token=hashlib.sha256(json_bytes(seen)).hexdigest()[:8],
            show_values=self.show_values,
        )

    def _exceeded(self, changes: Sequence[ConditionChange]) -> list[str]:
        found = []
        for change in changes:
            for what, values, name in (
                ("removed", change.removed, "max_removed"),
                ("added", change.added, "max_added"),
            ):
                limit = self._limit(name, change.attribute, whole=change.before is None or change.after is None)
                number, total = len(values), change.before or 0
                if change.after is None and not total:  # a filter without values, which is gone as a whole
                    number = total = int(what == "removed")
                if _exceeds(number, total, limit):
                    found.append(f"{change.label}: {number} of {total} values {what}, allowed {_shown(limit)}")
        total = sum(change.before is not None for change in changes)
        for what, number, name in (
            ("removed", sum(change.after is None for change in changes), "max_removed"),
            ("added", sum(change.before is None for change in changes), "max_added"),
        ):
            limit = self._limit(name, "filters")
            if _exceeds(number, total, limit):
                found.append(f"filters: {number} of {total} {what}, allowed {_shown(limit)}")
        return found

    def _limit(self, name: str, attribute: str, *, whole: bool = False) -> Any:
        """
        What holds for an attribute.

        :param whole: the filter is new, or gone.
        """
        limits = getattr(self, name)
        if not isinstance(limits, Mapping):
            return limits
        if whole and "filters" in limits and attribute not in limits:
            return None
        default = next(item.default for item in fields(self) if item.name == name)
        return limits.get(attribute, limits.get("*", default))

    def _too_few(self, changes: Sequence[ConditionChange]) -> list[str]:
        found = []
        left = {change.attribute for change in changes if change.after is not None}
        for change in changes:
            least = self._limit("min_values", change.attribute)
            if least is not None and change.after is not None and change.after < least:
                found.append(f"{change.label}: {change.after} values, at least {least} required")
        named = self.min_values if isinstance(self.min_values, Mapping) else {}
        gone = {change.attribute for change in changes} - left
        for name in sorted({*named, *gone} - {"*"} - left):
            if least := self._limit("min_values", name):
                found.append(f"{name}: no filter is on it, at least {least} values required")
        return found


def _exceeds(number: int, total: int, limit: Any) -> bool:
    if limit is None:
        return False
    return number > (limit * total + 1e-9 if isinstance(limit, float) else limit)


def _shown(limit: Any) -> str:
    return f"{limit:.0%}" if isinstance(limit, float) else str(limit)


# -- options ---------------------------------------------------------------------------------------


def _error(name: str, takes: str, value: Any) -> WesConfigurationError:
    return WesConfigurationError(f"{name} takes {takes}\nIt is {shown(value)}")


def _number(value: Any) -> Any:
    """The number that a template made a text of."""
    if isinstance(value, str):
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                continue
    return None if isinstance(value, bool) else value


def _check_limit(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = from_json(name, value)
    if isinstance(value, Mapping):
        return {str(key): _check_limit(f"{name}[{key!r}]", item) for key, item in value.items()}
    number = _number(value)
    if type(number) is float and 0 <= number <= 1:
        return number
    if type(number) is int and number >= 0:
        return number
    raise _error(name, "a share between 0.0 and 1.0, a count, or an object", value)


def _check_least(name: str, value: Any) -> Any:
    least = _check_limit(name, value)
    if any(isinstance(item, float) for item in (least.values() if isinstance(least, dict) else [least])):
        raise _error(name, "a whole number, or an object of whole numbers by attribute", value)
    return least


def _check_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise _error(name, "true or false", value)


def _check_action(name: str, value: Any) -> str:
    if value not in ACTIONS:
        raise _error(name, "fail, skip, approve or warn", value)
    if value == "approve" and not can_approve():
        raise WesConfigurationError(
            f"{name} is 'approve', which needs Airflow 3.1 or later\nUse 'fail', 'skip' or 'warn' here."
        )
    return str(value)


def _check_no_approval(name: str, value: Any) -> str:
    if value not in ("fail", "skip"):
        raise _error(name, "fail or skip", value)
    return str(value)


def _check_seconds(name: str, value: Any) -> float:
    number = _number(value)
    if not isinstance(number, (int, float)) or not 0 < number < float("inf"):
        raise _error(name, "seconds above 0", value)
    return float(number)


def _check_keep(name: str, value: Any) -> int:
    number = _number(value)
    if type(number) is not int or number < 2:
        raise _error(name, "a whole number from 2", value)
    return number


CHECKS = {
    "skip_unchanged": _check_bool,
    "max_removed": _check_limit,
    "max_added": _check_limit,
    "min_values": _check_least,
    "on_violation": _check_action,
    "on_missing_baseline": _check_action,
    "approval_timeout": _check_seconds,
    "if_not_approved": _check_no_approval,
    "show_values": _check_bool,
    "keep": _check_keep,
}


def can_approve() -> bool:
    """Whether this Airflow can request a response from a person: 3.1 and later."""
    try:
        return find_spec("airflow.sdk.execution_time.hitl") is not None
    except ModuleNotFoundError:
        return False
