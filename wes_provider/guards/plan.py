"""What an update would change in a segment, which limits that exceeds, and what follows from it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from wes_provider.exceptions import WesError
from wes_provider.guards.filters import ConditionChange
from wes_provider.texts import shown

__all__ = ["BASELINE", "ROWS", "Plan", "WesGuardError", "not_updated", "row_of"]

ROWS: Final = 50  # conditions that a plan holds at most; the rest is counted
EXAMPLES: Final = 5  # values that it shows of each condition at most, if it shows any
BASELINE: Final = (
    "Compared with what Airflow sent last: the service has no way to read a segment, so edits elsewhere are not seen."
)


class WesGuardError(WesError):
    """A guard has not let an update of a segment pass; nothing was sent."""

    permanent = True


def not_updated(segment_id: str) -> str:
    """The first words of an error."""
    return f"segment {shown(segment_id)} is not updated"


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that changes, in numbers of values: ``before`` is ``None`` if it is new, ``after`` if it is gone."""

    condition: str
    before: int | None
    after: int | None
    removed: int
    added: int
    removed_examples: list[str] | None = None
    added_examples: list[str] | None = None

    def cells(self) -> list[str]:
        """The row of a table."""
        share = f" ({self.removed / self.before:.0%})" if self.before and self.removed else ""
        counts = ["-" if number is None else str(number) for number in (self.before, self.after)]
        removed = " ".join([f"{self.removed}{share}", *(self.removed_examples or ())])
        added = " ".join([str(self.added), *(self.added_examples or ())])
        return [cell.replace("|", "¦").replace("\n", " ") for cell in (self.condition, *counts, removed, added)]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An update that has not been sent yet; what XComs and asset events hold of it."""

    segment_id: str
    verdict: str  # ``send``, ``unchanged``, ``warn``, ``approve``, ``skip`` or ``fail``
    compared_with: str  # the update that it is compared with, for people; empty if none is known
    conditions: list[Row]  # those that change, the largest changes first
    conditions_changed: int
    conditions_unchanged: int
    fields: list[str]  # besides the filters, that differ from what was sent last
    violations: list[str]  # which limits the update exceeds
    notes: list[str]  # what a reader must know besides
    token: str  # stands for what is sent, what that is compared with, the violations, and what else may be in effect
    version: int = 1

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON holds it."""
        plan: dict[str, Any] = msgspec.to_builtins(self)
        return plan

    def table(self) -> str:
        """The plan for a log: one line for each condition, then the checks and the verdict."""
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            [self._head(), *("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows), *self._foot()]
        )

    def markdown(self) -> str:
        """The plan for a page that shows Markdown, such as that of an approval."""
        header, *rows = self._rows()
        lines = [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]
        return "\n".join([self._head(), "", *lines, "", *(f"- {line}" for line in self._foot())])

    def _head(self) -> str:
        return f"Compared with {self.compared_with}." if self.compared_with else "No earlier update is known."

    def _rows(self) -> list[list[str]]:
        more = {"more": self.conditions_changed - len(self.conditions), "unchanged": self.conditions_unchanged}
        return [
            ["condition", "values before", "after", "removed", "added"],
            *(row.cells() for row in self.conditions),
            *([f"({number} {what})", "", "", "", ""] for what, number in more.items() if number),
        ]

    def _foot(self) -> list[str]:
        lines = [f"Changed: {name}" for name in self.fields]
        lines += [f"Note: {note}" for note in self.notes]
        lines += [f"Exceeded: {violation}" for violation in self.violations] or ["No limit is exceeded."]
        return [*lines, f"Verdict: {'needs approval' if self.verdict == 'approve' else self.verdict}"]


def row_of(change: ConditionChange, *, show_values: bool) -> Row:
    """A row of a plan, with up to five values if they may be shown."""
    examples = (_examples(values) if show_values else None for values in (change.removed, change.added))
    return Row(change.label, change.before, change.after, len(change.removed), len(change.added), *examples)


def _examples(values: list[Any]) -> list[str]:
    return [shown(value) for value in sorted(values, key=str)[:EXAMPLES]] + (["…"] if len(values) > EXAMPLES else [])
