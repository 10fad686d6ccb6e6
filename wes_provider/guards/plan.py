"""What an update would change in a segment, which limits that exceeds, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wes_provider.exceptions import WesError
from wes_provider.guards.filters import ConditionChange
from wes_provider.models import counted, shown

__all__ = ["Plan", "WesGuardError"]

ROWS = 50
"""Conditions that a table shows at most; the rest is counted."""

EXAMPLES = 5
"""Values that a plan shows of each condition at most, if it shows any."""

BASELINE = (
    "Compared with what Airflow sent last: the service has no way to read a segment, so edits elsewhere are not seen."
)


class WesGuardError(WesError):
    """A guard has not let an update of a segment pass; nothing was sent."""

    permanent = True


@dataclass(frozen=True)
class Plan:
    """
    An update that has not been sent yet.

    :ivar segment_id: the segment.
    :ivar verdict: ``send``, ``unchanged``, ``warn``, ``approve``, ``skip`` or ``fail``.
    :ivar compared_with: the update that it is compared with, for people; empty if none is known.
    :ivar changes: each condition, those that stay the same included.
    :ivar fields: fields besides the filters that differ from what was sent last.
    :ivar violations: which limits the update exceeds.
    :ivar notes: what a reader must know besides.
    :ivar token: identifies this plan: what is sent, what it is compared with, the violations, and what else may be in
        effect.
    """

    segment_id: str
    verdict: str
    compared_with: str
    changes: tuple[ConditionChange, ...]
    fields: tuple[str, ...] = ()
    violations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    token: str = ""
    show_values: bool = field(default=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The plan for XCom and asset events. Conditions that stay the same are only counted."""
        changed = [change for change in self.changes if _is_change(change)]
        return {
            "segment_id": self.segment_id,
            "verdict": self.verdict,
            "compared_with": self.compared_with,
            "conditions": [self._condition(change) for change in changed[:ROWS]],
            "conditions_changed": len(changed),
            "conditions_unchanged": len(self.changes) - len(changed),
            "fields": list(self.fields),
            "violations": list(self.violations),
            "notes": list(self.notes),
            "token": self.token,
        }

    def _condition(self, change: ConditionChange) -> dict[str, Any]:
        row: dict[str, Any] = {
            "condition": change.label,
            "before": change.before,
            "after": change.after,
            "removed": len(change.removed),
            "added": len(change.added),
        }
        if self.show_values:
            row["removed_examples"] = _examples(change.removed)
            row["added_examples"] = _examples(change.added)
        return row

    def table(self) -> str:
        """The plan for a log: one line for each condition, then the checks and the verdict."""
        return "\n".join([*self._head(), *_aligned(self._rows()), *self._foot()])

    def markdown(self) -> str:
        """The plan for a page that shows Markdown, such as that of an approval."""
        header, *rows = self._rows()
        lines = [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]
        return "\n".join([*self._head(), "", *lines, "", *(f"- {line.strip()}" for line in self._foot())])

    def _head(self) -> list[str]:
        return [f"Compared with {self.compared_with}." if self.compared_with else "No earlier update is known."]

    def _rows(self) -> list[list[str]]:
        changed = sorted(filter(_is_change, self.changes), key=lambda change: -len(change.removed) - len(change.added))
        rows = [["condition", "values before", "after", "removed", "added"]]
        for change in changed[:ROWS]:
            row = [change.label, _count(change.before), _count(change.after), _share(change), str(len(change.added))]
            if self.show_values:
                row[3] += "".join(f" {text}" for text in _examples(change.removed))
                row[4] += "".join(f" {text}" for text in _examples(change.added))
            rows.append([cell.replace("|", "¦").replace("\n", " ") for cell in row])
        if len(changed) > ROWS:
            rows.append([f"({len(changed) - ROWS} more)", "", "", "", ""])
        if same := len(self.changes) - len(changed):
            rows.append([f"({same} unchanged)", "", "", "", ""])
        return rows

    def _foot(self) -> list[str]:
        lines = [f"Changed: {name}" for name in self.fields]
        lines += [f"Note: {note}" for note in self.notes]
        lines += [f"Exceeded: {violation}" for violation in self.violations] or ["No limit is exceeded."]
        return [*lines, f"Verdict: {'needs approval' if self.verdict == 'approve' else self.verdict}"]


def _is_change(change: ConditionChange) -> bool:
    return change.before is None or change.after is None or bool(change.removed or change.added)


def _count(number: int | None) -> str:
    return "-" if number is None else str(number)


def _share(change: ConditionChange) -> str:
    removed = len(change.removed)
    return f"{removed} ({removed / change.before:.0%})" if change.before and removed else str(removed)


def _examples(values: tuple[Any, ...]) -> list[str]:
    return [shown(value) for value in sorted(values, key=str)[:EXAMPLES]] + (["…"] if len(values) > EXAMPLES else [])


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def summary(plan: Mapping[str, Any]) -> str:
    """The first line of an error about a plan of :meth:`Plan.to_dict`."""
    return f"segment {shown(plan['segment_id'])}: {counted(len(plan['violations']), 'limit')} exceeded"
