"""Which updates of a segment pass: the options, and the plan that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from wes_provider.arguments import from_json, json_bytes, templated
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.guards.filters import ConditionChange, canonical, condition_changes, text
from wes_provider.guards.history import Baseline
from wes_provider.texts import PAGES, shown

__all__ = ["Plan", "SegmentGuard", "WesGuardError", "can_approve"]

ROWS: Final = 50  # conditions that a plan holds at most; the rest is counted
EXAMPLES: Final = 5  # values that it shows of each condition at most, if it shows any

MAX_REMOVED: Final = 0.2

Count = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Limit = Count | Share | dict[str, Count | Share | None] | None
Action = Literal["fail", "skip", "approve", "warn"]


class WesGuardError(WesError):
    """A guard has not let an update of a segment pass; nothing was sent."""

    permanent = True


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An update that has not been sent yet; what XComs and asset events hold of it."""

    segment_id: str
    verdict: str  # ``send``, ``unchanged``, ``warn``, ``approve``, ``skip`` or ``fail``
    compared_with: str  # the update that it is compared with, for people; empty if none is known
    # Those that change, in numbers of values; the largest changes first.
    conditions: list[dict[str, Any]]
    conditions_changed: int
    fields: list[str]  # besides the filters, that differ from what was sent last
    violations: list[str]  # which limits the update exceeds
    notes: list[str]  # what a reader must know besides
    # Stands for what is sent, what that is compared with, the violations, and what else may be in
    # effect.
    token: str

    def table(self) -> str:
        """
        For a log and for pages that show Markdown: one line for each condition, then the checks and
        the verdict.
        """
        more = self.conditions_changed - len(self.conditions)
        rows = [
            ["condition", "values before", "after", "removed", "added"],
            *map(_cells, self.conditions),
        ]
        rows += [[f"({more} more)", "", "", "", ""]] if more else []
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        rows.insert(1, ["-" * width for width in widths])
        lines = [f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows]
        foot = [f"Changed: {name}" for name in self.fields] + [
            f"Note: {note}" for note in self.notes
        ]
        foot += [f"Exceeded: {violation}" for violation in self.violations] or [
            "No limit is exceeded."
        ]
        foot.append(f"Verdict: {'needs approval' if self.verdict == 'approve' else self.verdict}")
        head = (
            f"Compared with {self.compared_with}."
            if self.compared_with
            else "No earlier update is known."
        )
        return "\n".join([head, "", *lines, "", *(f"- {line}" for line in foot)])


class Options(msgspec.Struct):
    """What a guard's arguments take; :class:`SegmentGuard` describes them."""

    skip_unchanged: bool = True
    max_removed: Limit = MAX_REMOVED
    max_added: Limit = None
    min_values: Count | dict[str, Count | None] | None = None
    on_violation: Action = "fail"
    on_missing_baseline: Action = "warn"
    approval_timeout: Annotated[float, msgspec.Meta(gt=0, le=10**9)] = 24 * 60 * 60
    if_not_approved: Literal["fail", "skip"] = "fail"
    show_values: bool = False


class SegmentGuard(Options):
    """
    Limits on how much an update of a segment may change, compared with what Airflow sent last.

    A limit is a share between 0.0 and 1.0, a whole number of values or filters, or an object of
    either by attribute. All fields are templated.

    :param skip_unchanged: send nothing if the update equals what was sent last.
    :param max_removed: how many values of each condition, and how many filters, an update may
        remove.
    :param max_added: how many it may add. ``None`` means no limit.
    :param min_values: how many values each condition keeps at least; a whole number, or an object
        by attribute. The update fails if an attribute of the object has no filter.
    :param on_violation: if a limit is exceeded, ``fail`` the task, ``skip`` it, have a person
        ``approve`` the update (Airflow 3.1 and later), or ``warn`` and send it.
    :param on_missing_baseline: the same if there is nothing to compare with: for the first update,
        or the first one after Airflow's records were removed. ``fail`` and ``skip`` stop every
        first update; let the first one pass with ``warn`` or ``approve``. With ``warn``, the
        verdict is ``send``.
    :param approval_timeout: seconds that a person has to respond.
    :param if_not_approved: after a rejection or after the timeout, ``fail`` the task or ``skip``
        it.
    :param show_values: show up to five values of each condition in the log, the XCom, asset events
        and the request for approval. They may be personal data.
    """

    template_fields: ClassVar[Sequence[str]] = Options.__struct_fields__

    def __post_init__(self) -> None:
        if not any(map(templated, msgspec.structs.astuple(self))):
            self._options()

    def checked(self) -> SegmentGuard:
        """
        The guard after rendering, with numbers, booleans and objects in the place of their texts.

        :raises WesConfigurationError: naming the field that has no meaning.
        """
        return SegmentGuard(*msgspec.structs.astuple(self._options()))

    def _options(self) -> Options:
        given = {
            name: from_json(f"guard.{name}", value)
            if str(value).lstrip().startswith("{")
            else value
            for name, value in msgspec.structs.asdict(self).items()
        }
        try:
            options = msgspec.convert(given, Options, strict=False)
        except msgspec.ValidationError as error:
            name = str(error).partition("`$.")[2].partition("`")[0].partition("[")[0]
            advice = f"{error}. {PAGES}guards.html#options has what it takes"
            raise WesConfigurationError(
                f"guard.{name} is {shown(given.get(name))}\n{advice}"
            ) from None
        if "approve" in (options.on_violation, options.on_missing_baseline) and not can_approve():
            raise WesConfigurationError(
                "A guard's 'approve' needs Airflow 3.1 or later\nUse 'fail', 'skip' or 'warn'."
            )
        return options

    def plan(
        self,
        segment_id: str,
        body: Mapping[str, Any],
        baseline: Baseline,
        task: Mapping[str, Any] | None = None,
    ) -> Plan:
        """
        What an update would change, and what follows from it.

        :param body: the request's, as it would be sent.
        :param baseline: what was sent before.
        :param task: the task instance. Its earlier attempts make no other plan, which a person
            would have to approve.
        """
        before = {name: canonical(value) for name, value in baseline.fields.items()}
        after = {name: canonical(value) for name, value in body.items()}
        old, new = before.get("included_filters"), after.get("included_filters")
        changes = condition_changes(old, new) if new is not None else []
        changed = [
            one for one in changes if one.removed or one.added or None in (one.before, one.after)
        ]
        changed.sort(key=lambda change: -len(change.removed) - len(change.added))
        missing = new is not None and old is None
        different = [
            name
            for name, value in after.items()
            if name not in before or text(before[name]) != text(value)
        ]
        violations = [*([] if missing else self._exceeded(changes)), *self._too_few(changes)]
        unsure = [
            f"{entry} was not recorded as finished; it may be in effect"
            for entry, _ in baseline.doubts
        ]
        others = [
            why
            for why, (entry, _) in zip(unsure, baseline.doubts, strict=True)
            if entry.task != task
        ]
        token = hashlib.sha256(
            json_bytes({"": [segment_id, body, before, violations, others]})
        ).hexdigest()[:8]
        for entry, sent in baseline.doubts:
            if new is not None and "included_filters" in sent:
                exceeded = self._exceeded(condition_changes(sent["included_filters"], new))
                violations += [f"{violation}, compared with {entry}" for violation in exceeded]
        first = (
            "the filters cannot be compared: this is the first update, or Airflow's records "
            "are gone"
        )
        return Plan(
            segment_id=segment_id,
            verdict=self._verdict(different or baseline.doubts, violations, missing),
            compared_with=baseline.description,
            conditions=[self._row(change) for change in changed[:ROWS]],
            conditions_changed=len(changed),
            fields=[name for name in different if name != "included_filters"],
            violations=violations,
            notes=[*unsure, *([first] if missing else [])],
            token=token,
        )

    def _verdict(self, different: object, violations: Sequence[str], missing: bool) -> str:
        if self.skip_unchanged and not different:
            return "unchanged"
        if violations:
            return self.on_violation
        return (
            self.on_missing_baseline if missing and self.on_missing_baseline != "warn" else "send"
        )

    def _row(self, change: ConditionChange) -> dict[str, Any]:
        """``before`` is ``None`` if the condition is new, ``after`` if it is gone."""
        row: dict[str, Any] = {
            "condition": change.label,
            "before": change.before,
            "after": change.after,
        }
        for name, values in (("removed", change.removed), ("added", change.added)):
            row[name] = len(values)
            if self.show_values:
                first = [shown(value) for value in sorted(values, key=str)[:EXAMPLES]]
                row[f"{name}_examples"] = first + (["…"] if len(values) > EXAMPLES else [])
        return row

    def _exceeded(self, changes: Sequence[ConditionChange]) -> Iterator[str]:
        """Which of the limits on removed and added values and filters are exceeded."""
        gone, come = (
            [each for each in changes if getattr(each, when) is None]
            for when in ("after", "before")
        )
        kept = len(changes) - len(gone)
        filters = ConditionChange("filters", "filters", len(changes) - len(come), kept, gone, come)
        for what, option in (("removed", "max_removed"), ("added", "max_added")):
            for change in (*changes, filters):
                number, total = len(getattr(change, what)), change.before or 0
                # A filter without values, which is gone as a whole.
                if change.after is None and not total:
                    number = total = int(what == "removed")
                limit = self._limit(
                    option, change.attribute, whole=None in (change.before, change.after)
                )
                most = limit * total + 1e-9 if isinstance(limit, float) else limit
                if most is not None and number > most:
                    allowed = f"{limit:.0%}" if isinstance(limit, float) else limit
                    noun = what if change is filters else f"values {what}"
                    yield f"{change.label}: {number} of {total} {noun}, allowed {allowed}"

    def _too_few(self, changes: Sequence[ConditionChange]) -> Iterator[str]:
        """
        Which conditions have fewer values than they must; an attribute without a filter has none.
        """
        rows = [
            (each.label, each.attribute, each.after) for each in changes if each.after is not None
        ]
        asked = self.min_values if isinstance(self.min_values, Mapping) else ()
        gone = {*asked, *(each.attribute for each in changes)} - {
            "*",
            *(attribute for _, attribute, _ in rows),
        }
        rows += [(f"{name}, on which no filter is", name, 0) for name in sorted(gone)]
        for label, attribute, number in rows:
            if number < (least := self._limit("min_values", attribute) or 0):
                yield f"{label}: {number} values, at least {least} required"

    def _limit(self, option: str, attribute: str, *, whole: bool = False) -> Any:
        """What holds for an attribute; other things do if a filter is new or gone as a whole."""
        limits = getattr(self, option)
        if not isinstance(limits, Mapping):
            return limits
        if whole and "filters" in limits and attribute not in limits:
            return None
        return limits.get(
            attribute, limits.get("*", MAX_REMOVED if option == "max_removed" else None)
        )


def can_approve() -> bool:
    """Whether this Airflow can request a response from a person: 3.1 and later."""
    try:
        return find_spec("airflow.sdk.execution_time.hitl") is not None
    except ModuleNotFoundError:
        return False


def _cells(row: Mapping[str, Any]) -> list[str]:
    counts = ["-" if row[name] is None else str(row[name]) for name in ("before", "after")]
    share = f" ({row['removed'] / row['before']:.0%})" if row["before"] and row["removed"] else ""
    removed = " ".join([f"{row['removed']}{share}", *row.get("removed_examples", ())])
    added = " ".join([str(row["added"]), *row.get("added_examples", ())])
    return [
        cell.replace("|", "¦").replace("\n", " ")
        for cell in (row["condition"], *counts, removed, added)
    ]
