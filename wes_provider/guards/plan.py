"""What an update would change, and what follows from it. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider.arguments import json_bytes
from wes_provider.guards.compare import ConditionChange, canonical, condition_changes, text
from wes_provider.guards.history import Baseline, Entry, TaskInstance
from wes_provider.guards.limits import GuardLimits
from wes_provider.texts import shown

ROWS: Final = 50
"""Conditions that a plan has at most; the rest is counted."""

EXAMPLES: Final = 5
"""Values that a plan shows of each condition at most, if it shows any."""

FIRST_UPDATE: Final = (
    "the filters cannot be compared: this is the first update, or Airflow's records are gone"
)


class Verdict(str, Enum):
    """What becomes of an update."""

    SEND = "send"
    UNCHANGED = "unchanged"
    WARN = "warn"
    APPROVE = "approve"
    SKIP = "skip"
    FAIL = "fail"


# If several verdicts hold, the last one counts.
STRICTNESS: Final = (Verdict.SEND, Verdict.WARN, Verdict.APPROVE, Verdict.SKIP, Verdict.FAIL)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """
    An update that has not been sent yet; what XComs and asset events have of it.

    :ivar segment_id: the segment.
    :ivar verdict: what becomes of the update.
    :ivar compared_with: the update that it is compared with, for people; empty if none is known.
    :ivar conditions: those that change, in numbers of values; the largest changes first.
    :ivar conditions_changed: how many change.
    :ivar fields: besides the filters, those that differ from what was sent last.
    :ivar violations: which limits the update exceeds.
    :ivar notes: what a reader must know besides.
    :ivar token: stands for what is sent, what that is compared with, the violations, and what else
        may be in effect.
    """

    segment_id: str
    verdict: Verdict
    compared_with: str
    conditions: list[dict[str, Any]]
    conditions_changed: int
    fields: list[str]
    violations: list[str]
    notes: list[str]
    token: str

    @property
    def cause(self) -> str:
        """Why the update does not simply pass."""
        if self.violations:
            return self.violations[0].partition(", compared with")[0]
        return "nothing to compare it with"

    @property
    def is_sent_without_comparison(self) -> bool:
        """Whether filters are sent although there is nothing to compare them with."""
        if self.verdict is not Verdict.SEND or self.compared_with:
            return False
        return bool(self.conditions)

    def table(self) -> str:
        """
        Return the plan for a log, and for pages that show Markdown: one line for each condition,
        then the checks and the verdict.
        """
        head = "No earlier update is known."
        if self.compared_with:
            head = f"Compared with {self.compared_with}."
        rows = [_cells(row) for row in self.conditions]
        more = self.conditions_changed - len(self.conditions)
        if more:
            rows.append([f"({more} more)", "", "", "", ""])
        return "\n".join([head, "", *_draw_table(rows), "", *self._checks()])

    def _checks(self) -> list[str]:
        lines = [f"Changed: {name}" for name in self.fields]
        lines += [f"Note: {note}" for note in self.notes]
        lines += [f"Exceeded: {violation}" for violation in self.violations]
        if not self.violations:
            lines.append("No limit is exceeded.")
        verdict = self.verdict.value
        if self.verdict is Verdict.APPROVE:
            verdict = "needs approval"
        lines.append(f"Verdict: {verdict}")
        return [f"- {line}" for line in lines]


def _draw_table(rows: Sequence[Sequence[str]]) -> list[str]:
    header = ["condition", "values before", "after", "removed", "added"]
    table = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(1, ["-" * width for width in widths])
    return [_draw_row(row, widths) for row in table]


def _draw_row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = map(str.ljust, row, widths)
    return f"| {' | '.join(cells)} |"


def _cells(row: Mapping[str, Any]) -> list[str]:
    removed = str(row["removed"])
    if row["before"] and row["removed"]:
        removed += f" ({row['removed'] / row['before']:.0%})"
    added = str(row["added"])
    return [
        _cell(row["condition"]),
        _cell(_describe_number(row["before"])),
        _cell(_describe_number(row["after"])),
        _cell(removed, row.get("removed_examples", ())),
        _cell(added, row.get("added_examples", ())),
    ]


def _cell(content: str, examples: Sequence[str] = ()) -> str:
    """Return a cell without what would end it."""
    cell = " ".join([content, *examples])
    return cell.replace("|", "¦").replace("\n", " ")


def _describe_number(number: int | None) -> str:
    """Return a number of values; a dash if there is no such condition."""
    if number is None:
        return "-"
    return str(number)


# -- how a plan is made ----------------------------------------------------------------------------


class Rules(NamedTuple):
    """The options of a guard from which a plan follows."""

    skip_unchanged: bool
    limits: GuardLimits
    on_violation: str
    on_missing_baseline: str
    show_values: bool


def make_plan(
    segment_id: str,
    body: Mapping[str, Any],
    baseline: Baseline,
    task: TaskInstance | None,
    rules: Rules,
) -> Plan:
    """
    Plan an update: what changes, what is exceeded, what is missing, and what follows.

    :param body: the request's, as it would be sent.
    :param baseline: what was sent before.
    :param task: the task instance. Its earlier attempts make no other plan, which a person would
        have to approve.
    """
    before = _canonical_fields(baseline.fields)
    after = _canonical_fields(body)
    sends_filters = "included_filters" in after
    nothing_to_compare = sends_filters and "included_filters" not in before
    changes = _changes(before, after)
    fields = _find_changed_fields(before, after)
    violations = []
    if sends_filters:
        # Else the segment keeps the filters that it has.
        violations = _find_violations(changes, rules, nothing_to_compare=nothing_to_compare)
    # Before the comparison with doubtful updates, of which a repeated attempt is one: a person who
    # has approved the plan has approved that of the repeated attempt.
    token = _token(segment_id, body, before, violations, _doubts_of_others(baseline, task))
    violations += _compare_with_doubts(baseline, after, rules)
    verdict = _decide(
        differs=bool(fields or baseline.doubts),
        violations=violations,
        nothing_to_compare=nothing_to_compare,
        rules=rules,
    )
    if verdict is Verdict.UNCHANGED:
        violations = []
    changed = _most_changed_first(changes)
    return Plan(
        segment_id=segment_id,
        verdict=verdict,
        compared_with=baseline.description,
        conditions=[_row(change, rules.show_values) for change in changed[:ROWS]],
        conditions_changed=len(changed),
        fields=[name for name in fields if name != "included_filters"],
        violations=violations,
        notes=_make_notes(baseline, nothing_to_compare=nothing_to_compare),
        token=token,
    )


def _canonical_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a body in the form in which they are compared."""
    return {name: canonical(value) for name, value in fields.items()}


def _find_changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of fields that are new or differ from what was sent last."""
    changed = []
    for name, value in after.items():
        if name not in before or text(before[name]) != text(value):
            changed.append(name)
    return changed


def _make_notes(baseline: Baseline, *, nothing_to_compare: bool) -> list[str]:
    notes = [_describe_doubt(doubt.entry) for doubt in baseline.doubts]
    if nothing_to_compare:
        notes.append(FIRST_UPDATE)
    return notes


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ConditionChange]:
    if "included_filters" not in after:
        return []
    return condition_changes(before.get("included_filters"), after["included_filters"])


def _most_changed_first(changes: Sequence[ConditionChange]) -> list[ConditionChange]:
    """Return the changes that change something."""
    changed = [change for change in changes if change.changes_something]
    return sorted(changed, key=_size, reverse=True)


def _size(change: ConditionChange) -> int:
    return len(change.removed) + len(change.added)


def _find_violations(
    changes: Sequence[ConditionChange], rules: Rules, *, nothing_to_compare: bool
) -> list[str]:
    """Compare the changes with the limits, and what is left with what may be left."""
    exceeded: list[str] = []
    if not nothing_to_compare:
        exceeded = rules.limits.exceeded_by(changes)
    return [*exceeded, *rules.limits.violated_after(changes)]


def _describe_doubt(entry: Entry) -> str:
    return f"{entry} was not recorded as finished; it may be in effect"


def _doubts_of_others(baseline: Baseline, task: TaskInstance | None) -> list[str]:
    entries = [doubt.entry for doubt in baseline.doubts]
    return [_describe_doubt(entry) for entry in entries if entry.task != task]


def _token(
    segment_id: str,
    body: Mapping[str, Any],
    before: Mapping[str, Any],
    violations: Sequence[str],
    doubts: Sequence[str],
) -> str:
    parts = [segment_id, body, before, list(violations), list(doubts)]
    content = json_bytes({"": parts})
    return hashlib.sha256(content).hexdigest()[:8]


def _compare_with_doubts(baseline: Baseline, after: Mapping[str, Any], rules: Rules) -> list[str]:
    """Compare with each update that may be in effect, though that was not recorded."""
    if "included_filters" not in after:
        return []
    violations = []
    for doubt in baseline.doubts:
        if "included_filters" in doubt.body:
            changes = condition_changes(doubt.body["included_filters"], after["included_filters"])
            for violation in rules.limits.exceeded_by(changes):
                violations.append(f"{violation}, compared with {doubt.entry}")
    return violations


def _decide(
    *, differs: bool, violations: Sequence[str], nothing_to_compare: bool, rules: Rules
) -> Verdict:
    if rules.skip_unchanged and not differs:
        return Verdict.UNCHANGED
    verdicts = [Verdict.SEND]
    if violations:
        verdicts.append(Verdict(rules.on_violation))
    if nothing_to_compare and rules.on_missing_baseline != "warn":
        verdicts.append(Verdict(rules.on_missing_baseline))
    return max(verdicts, key=STRICTNESS.index)


def _row(change: ConditionChange, show_values: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "condition": change.label,
        "before": change.before,
        "after": change.after,
        "removed": len(change.removed),
    }
    if show_values:
        row["removed_examples"] = _examples(change.removed)
    row["added"] = len(change.added)
    if show_values:
        row["added_examples"] = _examples(change.added)
    return row


def _examples(values: Sequence[Any]) -> list[str]:
    examples = [shown(value) for value in sorted(values, key=str)[:EXAMPLES]]
    if len(values) > EXAMPLES:
        examples.append("…")
    return examples
