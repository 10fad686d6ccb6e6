"""
Filters of segments as data: a canonical form, and what an update changes in each condition. Pure.

A *group* is a filter with a list of ``filters``; every other filter is a *condition*. The contract
(section 2) shows few of the possible kinds and operators, so the order of a list counts unless it
plainly cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec


class _OrderedBy(NamedTuple):
    """The property that says whether the order of a list counts, and with which values not."""

    name: str
    unordered: tuple[str, ...]


LISTS: Final = {
    "filters": _OrderedBy("filter_operator", ("and", "or")),
    "value": _OrderedBy("operator", ("in",)),
}


# -- a canonical form ------------------------------------------------------------------------------


def canonical(filters: Any, *, any_order: bool = False) -> Any:
    """
    Return filters in a form whose :func:`text` is equal for definitions of the same meaning.

    Filters and values are sorted without duplicates if their order cannot matter. All else stays as
    it is.

    :param any_order: sort every list, also those whose order may matter.
    """
    if isinstance(filters, Mapping):
        node = {}
        for key, value in filters.items():
            node[str(key)] = canonical(value, any_order=any_order)
        name = _name_of_list(node)
        if name and _may_be_in_any_order(node, name):
            node[name] = _sort_without_duplicates(node[name])
        return node
    if isinstance(filters, (list, tuple)):
        items = [canonical(item, any_order=any_order) for item in filters]
        if any_order:
            items.sort(key=text)
        return items
    return filters


def text(value: Any) -> str:
    """Return JSON by which values are compared: 1, 1.0 and true are three values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _name_of_list(node: Mapping[str, Any]) -> str:
    """Return the name of a filter's list of filters or values; empty if it has none."""
    for name in LISTS:
        if isinstance(node.get(name), list):
            return name
    return ""


def _may_be_in_any_order(node: Mapping[str, Any], name: str) -> bool:
    ordered_by = LISTS[name]
    return str(node.get(ordered_by.name)).lower() in ordered_by.unordered


def _sort_without_duplicates(items: Sequence[Any]) -> list[Any]:
    by_text = {text(item): item for item in items}
    return [by_text[key] for key in sorted(by_text)]


# -- filters, parsed -------------------------------------------------------------------------------


@dataclass(eq=False)
class Condition:
    """
    A filter without filters of its own.

    :ivar header: all of it but its values, as text: conditions of one header are compared.
    :ivar attribute: the name of the attribute that it is on; empty if it has none.
    :ivar label: the condition without its values, for people.
    :ivar takes_values: whether it has values at all, though there may be none.
    :ivar values: by the text by which they are compared.
    """

    header: str
    attribute: str
    label: str
    takes_values: bool
    values: dict[str, Any] = field(repr=False)

    @property
    def items(self) -> set[str]:
        """By which conditions are alike."""
        return set(self.values)


@dataclass(eq=False)
class Group:
    """
    A filter with filters of its own.

    :ivar header: all of it but its filters, as text.
    :ivar items: its filters, as text, by which groups are alike.
    """

    header: str
    filters: list[Filter]
    items: set[str] = field(repr=False)


Filter: TypeAlias = "Group | Condition"


def parse(node: Any) -> Filter:
    """Parse a filter in canonical form; what is no object is a condition of an unknown kind."""
    if not isinstance(node, dict):
        return Condition(text(node), "", "unknown filter", takes_values=False, values={})
    name = _name_of_list(node)
    without_list = dict(node)
    if name:
        without_list[name] = []
    header = text(without_list)
    if name == "filters":
        return Group(
            header,
            filters=[parse(item) for item in node["filters"]],
            items={text(item) for item in node["filters"]},
        )
    attribute = ""
    if isinstance(node.get("name"), str):
        attribute = node["name"]
    return Condition(
        header,
        attribute,
        _label(node, attribute),
        takes_values="value" in node,
        values=_read_values(node),
    )


def _read_values(node: Mapping[str, Any]) -> dict[str, Any]:
    value = node.get("value")
    if value is None:
        return {}
    values = [value]
    if isinstance(value, list):
        values = value
    if node.get("case_sensitive") is not False:
        return {text(item): item for item in values}
    # Capitals do not count.
    return {text(_fold(item)): item for item in values}


def _fold(value: Any) -> Any:
    if isinstance(value, str):
        return value.casefold()
    return value


def _label(node: Mapping[str, Any], attribute: str) -> str:
    words = [attribute or str(node.get("filter_type", "unknown filter"))]
    if node.get("negate") is True:
        words.append("not")
    if node.get("operator"):
        words.append(str(node["operator"]))
    data_type = node.get("data_type", "string")
    if data_type != "string":
        words.append(f"({data_type})")
    return " ".join(words)


def _conditions_of(item: Filter) -> Iterator[Condition]:
    if isinstance(item, Condition):
        yield item
        return
    for each in item.filters:
        yield from _conditions_of(each)


# -- what changes ----------------------------------------------------------------------------------


class ConditionChange(msgspec.Struct, frozen=True):
    """
    How a condition changes, in distinct values.

    :ivar attribute: the name of the attribute that the condition is on; empty if it has none.
    :ivar label: the condition without its values, for people.
    :ivar before: number of values; ``None`` if the condition is new.
    :ivar after: number of values; ``None`` if it is gone.
    :ivar removed: values; capitals do not count if the condition says that they do not.
    :ivar added: values.
    :ivar takes_values: whether it has values at all, though there may be none.
    :ivar blank: how many of the values after it are none: empty, or nothing but white space.
    """

    attribute: str
    label: str
    before: int | None
    after: int | None
    removed: list[Any]
    added: list[Any]
    takes_values: bool = True
    blank: int = 0

    @property
    def is_new(self) -> bool:
        """Whether there was no such condition before."""
        return self.before is None

    @property
    def is_gone(self) -> bool:
        """Whether there is no such condition any more."""
        return self.after is None

    @property
    def changes_something(self) -> bool:
        """Whether anything differs."""
        return bool(self.removed or self.added) or self.is_new or self.is_gone


def condition_changes(before: Any, after: Any) -> list[ConditionChange]:
    """
    Tell what happens to each condition, those that stay the same included.

    Another order of any list is no change.

    :param before: ``included_filters``; ``None`` if nothing is known of it, which makes every
        condition a new one.
    :param after: ``included_filters``.
    """
    old = []
    if before is not None:
        old.append(parse(canonical(before, any_order=True)))
    new = [parse(canonical(after, any_order=True))]
    return list(_compare(old, new))


def _compare(before: Sequence[Filter], after: Sequence[Filter]) -> Iterator[ConditionChange]:
    """Compare filters that are the same but for their values, or for what is nested in them."""
    paired_old: set[Filter] = set()
    paired_new: set[Filter] = set()
    for old, new in pair_most_alike(before, after):
        paired_old.add(old)
        paired_new.add(new)
        if isinstance(old, Group) and isinstance(new, Group):
            yield from _compare(old.filters, new.filters)
        elif isinstance(old, Condition) and isinstance(new, Condition):
            yield _changed(old, new)
    for condition in _conditions_besides(before, paired_old):
        yield _gone(condition)
    for condition in _conditions_besides(after, paired_new):
        yield _new(condition)


def _conditions_besides(filters: Sequence[Filter], paired: Set[Filter]) -> Iterator[Condition]:
    """Yield the conditions of filters that have no pair."""
    for item in filters:
        if item not in paired:
            yield from _conditions_of(item)


def pair_most_alike(
    before: Sequence[Filter], after: Sequence[Filter]
) -> Iterator[tuple[Filter, Filter]]:
    """
    Pair filters of one header, each once: equal ones first, then those that share most items.
    """
    pairs = []
    for old in before:
        pairs += [(old, new) for new in after if new.header == old.header]
    pairs.sort(key=_unlikeness)
    paired: set[Filter] = set()
    for old, new in pairs:
        if old not in paired and new not in paired:
            paired.update((old, new))
            yield old, new


def _unlikeness(pair: tuple[Filter, Filter]) -> tuple[bool, int]:
    old, new = pair
    shared = old.items & new.items
    return old.items != new.items, -len(shared)


def _changed(old: Condition, new: Condition) -> ConditionChange:
    return ConditionChange(
        attribute=new.attribute,
        label=new.label,
        before=len(old.values),
        after=len(new.values),
        removed=_values_besides(old, new),
        added=_values_besides(new, old),
        takes_values=new.takes_values,
        blank=_count_blank(new),
    )


def _values_besides(condition: Condition, other: Condition) -> list[Any]:
    """Return the values of a condition that another one does not have."""
    return [value for key, value in condition.values.items() if key not in other.values]


def _gone(old: Condition) -> ConditionChange:
    removed = list(old.values.values())
    return ConditionChange(
        attribute=old.attribute,
        label=old.label,
        before=len(removed),
        after=None,
        removed=removed,
        added=[],
        takes_values=old.takes_values,
    )


def _new(new: Condition) -> ConditionChange:
    added = list(new.values.values())
    return ConditionChange(
        attribute=new.attribute,
        label=new.label,
        before=None,
        after=len(added),
        removed=[],
        added=added,
        takes_values=new.takes_values,
        blank=_count_blank(new),
    )


def _count_blank(condition: Condition) -> int:
    return len(list(filter(_is_blank, condition.values.values())))


def _is_blank(value: Any) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None
