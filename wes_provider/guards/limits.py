"""
What an update may change, and which of it is exceeded. Pure.

Each thing that is compared with what was sent before is a row, a :class:`Measure`, and its option
is parsed once into a limit for each attribute. What must be so after any update is checked below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from wes_provider.guards.compare import ConditionChange

FILTERS: Final = "filters"
"""In an object of limits, the number of filters."""

EVERYTHING_ELSE: Final = "*"
"""In an object of limits, all attributes that it does not name."""

WORDS: Final = frozenset({FILTERS, EVERYTHING_ELSE})
"""What an object of limits has beside names of attributes; no attribute is meant by them."""

_Value = TypeVar("_Value")

ROUNDING: Final = 1e-9
"""A share of a whole number may be a little less than the whole number that it means."""


# -- limits ----------------------------------------------------------------------------------------


class NoLimit(NamedTuple):
    """Everything is allowed."""


class CountLimit(NamedTuple):
    """So many are allowed."""

    most: int


class ShareLimit(NamedTuple):
    """Such a part of what there was is allowed; of nothing, nothing."""

    share: float


Limit: TypeAlias = "NoLimit | CountLimit | ShareLimit"


def is_exceeded(limit: Limit, number: int, total: int) -> bool:
    """
    Tell whether a limit is exceeded.

    :param number: how many are removed, or added.
    :param total: how many there were.
    """
    if isinstance(limit, CountLimit):
        return number > limit.most
    if isinstance(limit, ShareLimit):
        return number > limit.share * total + ROUNDING
    return False


def _describe(limit: Limit) -> str:
    if isinstance(limit, CountLimit):
        return str(limit.most)
    if isinstance(limit, ShareLimit):
        return f"{limit.share:.0%}"
    return "everything"


@dataclass(frozen=True)
class Limits:
    """
    One option of a guard, such as ``max_removed``.

    :ivar everything_else: the limit of what is not named.
    :ivar by_attribute: the limits of attributes by name.
    :ivar of_filters: the limit of the number of filters.
    :ivar filters_alone_limit_whole_filters: whether a filter that is new or gone as a whole counts
        as a filter only, unless its attribute is named.
    """

    everything_else: Limit
    by_attribute: Mapping[str, Limit]
    of_filters: Limit
    filters_alone_limit_whole_filters: bool

    @classmethod
    def parse(cls, given: Any, default: Limit) -> Limits:
        """
        Read an option.

        :param given: a share, a whole number, ``None``, or an object of these by attribute.
        :param default: of an object without ``*``, the limit of everything else.
        """
        if not isinstance(given, Mapping):
            limit = _parse_limit(given)
            return cls(limit, {}, limit, filters_alone_limit_whole_filters=False)
        named = {name: _parse_limit(value) for name, value in given.items()}
        everything_else = named.get(EVERYTHING_ELSE, default)
        return cls(
            everything_else=everything_else,
            by_attribute=_keep_attributes(named),
            of_filters=named.get(FILTERS, everything_else),
            filters_alone_limit_whole_filters=FILTERS in named,
        )

    def of(self, change: ConditionChange) -> Limit:
        """Return the limit of the values of a condition."""
        if change.attribute in self.by_attribute:
            return self.by_attribute[change.attribute]
        is_whole = change.is_new or change.is_gone
        if is_whole and self.filters_alone_limit_whole_filters:
            return NoLimit()
        return self.everything_else


def _keep_attributes(named: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return what an object of limits has of attributes, without the words for more."""
    return {name: value for name, value in named.items() if name not in WORDS}


def _parse_limit(given: Any) -> Limit:
    if given is None:
        return NoLimit()
    if isinstance(given, float):
        return ShareLimit(given)
    return CountLimit(given)


class GuardLimits(NamedTuple):
    """
    All limits of a guard; a new one is a field here, and counts in one of the two methods.

    :ivar min_values: a whole number for each condition, an object by attribute, or ``None``.
    """

    max_removed: Limits
    max_added: Limits
    min_values: Any

    def exceeded_by(self, changes: Sequence[ConditionChange]) -> list[str]:
        """Describe which limits changes exceed, compared with what was sent before."""
        measures = [
            *_measure_removed(changes, self.max_removed),
            *_measure_added(changes, self.max_added),
        ]
        return [measure.describe() for measure in measures if measure.is_exceeded]

    def violated_after(self, changes: Sequence[ConditionChange]) -> list[str]:
        """Describe what may not be so after the changes, whatever was sent before."""
        required = RequiredValues.parse(self.min_values)
        return [*_check_values_after(changes, required), *_check_filters_after(changes, required)]


# -- what is counted -------------------------------------------------------------------------------


class Measure(NamedTuple):
    """
    One thing that is counted.

    :ivar label: of what, for people.
    :ivar noun: what is counted, for people.
    :ivar number: how many of it.
    :ivar total: how many there were.
    :ivar limit: how many are allowed.
    """

    label: str
    noun: str
    number: int
    total: int
    limit: Limit

    @property
    def is_exceeded(self) -> bool:
        """Whether there are more than are allowed."""
        return is_exceeded(self.limit, self.number, self.total)

    def describe(self) -> str:
        """Return what people read of a limit that is exceeded."""
        return (
            f"{self.label}: {self.number} of {self.total} {self.noun}, "
            f"allowed {_describe(self.limit)}"
        )


def _measure_removed(changes: Sequence[ConditionChange], limits: Limits) -> Iterator[Measure]:
    for change in changes:
        number = len(change.removed)
        total = change.before or 0
        if change.is_gone and not total:
            # A filter without values is gone as a whole.
            number = total = 1
        yield Measure(
            label=change.label,
            noun="values removed",
            number=number,
            total=total,
            limit=limits.of(change),
        )
    yield Measure(
        label=FILTERS,
        noun="removed",
        number=sum(change.is_gone for change in changes),
        total=_count_before(changes),
        limit=limits.of_filters,
    )


def _measure_added(changes: Sequence[ConditionChange], limits: Limits) -> Iterator[Measure]:
    for change in changes:
        number = len(change.added)
        if change.is_new and not number:
            # A filter without values is new as a whole.
            number = 1
        yield Measure(
            label=change.label,
            noun="values added",
            number=number,
            total=change.before or 0,
            limit=limits.of(change),
        )
    yield Measure(
        label=FILTERS,
        noun="added",
        number=sum(change.is_new for change in changes),
        total=_count_before(changes),
        limit=limits.of_filters,
    )


def _count_before(changes: Sequence[ConditionChange]) -> int:
    """Return how many filters there were, within groups, too; groups are none."""
    return sum(not change.is_new for change in changes)


def _count_after(changes: Sequence[ConditionChange]) -> int:
    """Return how many filters there are after the update, within groups, too; groups are none."""
    return sum(not change.is_gone for change in changes)


# -- what must be so after the update --------------------------------------------------------------


def _check_values_after(changes: Sequence[ConditionChange], required: RequiredValues) -> list[str]:
    """
    Describe which conditions have fewer values than they must.

    A condition that takes no values, such as ``exists``, has none to keep. Blank values do not
    count.
    """
    counts = [
        *_count_values(changes),
        *_count_values_of_missing_filters(changes, required.by_attribute),
    ]
    problems = []
    for count in counts:
        least = required.of(count.attribute)
        if count.number < least:
            problems.append(f"{count.label}: {count.number} values, at least {least} required")
    return problems


def _check_filters_after(changes: Sequence[ConditionChange], required: RequiredValues) -> list[str]:
    """Describe that there are fewer filters than there must be."""
    filters = _count_after(changes)
    if filters >= required.filters:
        return []
    return [f"{FILTERS}: {filters}, at least {required.filters} required"]


class RequiredValues(NamedTuple):
    """
    The option ``min_values``; ``None`` and 0 require nothing.

    :ivar by_attribute: of the attributes that it names.
    :ivar of_others: of each other condition.
    :ivar filters: how many filters there must be.
    """

    by_attribute: Mapping[str, int | None]
    of_others: int | None
    filters: int

    @classmethod
    def parse(cls, given: Any) -> RequiredValues:
        """Read the option: a whole number for each condition, an object, or ``None``."""
        if not isinstance(given, Mapping):
            return cls(by_attribute={}, of_others=given, filters=0)
        return cls(
            by_attribute=_keep_attributes(given),
            of_others=given.get(EVERYTHING_ELSE),
            filters=given.get(FILTERS) or 0,
        )

    def of(self, attribute: str) -> int:
        """Return how many values a condition on an attribute must have."""
        return self.by_attribute.get(attribute, self.of_others) or 0


class _ValueCount(NamedTuple):
    label: str
    attribute: str
    number: int


def _count_values(changes: Sequence[ConditionChange]) -> Iterator[_ValueCount]:
    for change in changes:
        if change.after is not None and change.takes_values:
            yield _ValueCount(change.label, change.attribute, change.after - change.blank)


def _count_values_of_missing_filters(
    changes: Sequence[ConditionChange], by_attribute: Mapping[str, Any]
) -> Iterator[_ValueCount]:
    """Count no values for an attribute without a filter, and for a filter that is gone."""
    still_there = {change.attribute for change in changes if not change.is_gone}
    gone = [change for change in changes if change.is_gone and change.takes_values]
    attributes = {change.attribute for change in gone if change.attribute}
    attributes |= by_attribute.keys()
    for attribute in sorted(attributes - still_there):
        yield _ValueCount(f"{attribute}, on which no filter is", attribute, 0)
    for change in gone:
        if not change.attribute:
            yield _ValueCount(f"{change.label}, which is gone", "", 0)
