"""
Filters of segments as data: a canonical form, and what an update changes in each condition. Pure functions.

A *group* is an object with a list of ``filters``; every other filter is a *condition*. The contract (section 2) shows
few of the possible kinds and operators, so the order of a list counts unless it plainly cannot.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

__all__ = ["ConditionChange", "canonical", "condition_changes", "text"]

UNORDERED: Final = {"filters": ("filter_operator", ("and", "or")), "value": ("operator", ("in",))}
"""For which operators the order of a list cannot matter; contract section 2 shows ``and`` and ``in``."""


def canonical(filters: Any, *, any_order: bool = False) -> Any:
    """
    Filters in a form whose :func:`text` is equal for definitions that cannot differ in meaning.

    Filters and values are sorted without duplicates if their order cannot matter. All else stays as it is.

    :param any_order: sort every list, also those whose order may matter.
    """
    if isinstance(filters, Mapping):
        node = {str(key): canonical(value, any_order=any_order) for key, value in filters.items()}
        if name := _items_name(node):
            key, operators = UNORDERED[name]
            if str(node.get(key)).lower() in operators:
                node[name] = [item for _, item in sorted({text(item): item for item in node[name]}.items())]
        return node
    if isinstance(filters, (list, tuple)):
        items = [canonical(item, any_order=any_order) for item in filters]
        return sorted(items, key=text) if any_order else items
    return filters


def text(value: Any) -> str:
    """JSON by which values are compared: unlike with ``==``, 1, 1.0 and true are three values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class ConditionChange(msgspec.Struct, frozen=True):
    """How a condition changes, in distinct values."""

    attribute: str  # the name of the attribute that the condition is on
    label: str  # the condition without its values, for people
    before: int | None  # number of values; ``None`` if the condition is new
    after: int | None  # ``None`` if it is gone
    removed: list[Any]  # capitals do not count if the condition says that they do not
    added: list[Any]


def condition_changes(before: Any, after: Any) -> list[ConditionChange]:
    """
    What happens to each condition, those that stay the same included. Another order of any list is no change.

    :param before: ``included_filters``; ``None`` if nothing is known of it, which makes every condition a new one.
    :param after: ``included_filters``.
    """
    old = [] if before is None else [canonical(before, any_order=True)]
    return list(_compared(old, [canonical(after, any_order=True)]))


def _compared(before: list[Any], after: list[Any]) -> Iterator[ConditionChange]:
    """Filters that are the same but for their values, or for what is nested in them, are compared; most alike first."""
    headers, others = list(map(_header, before)), list(map(_header, after))
    old, new = (
        [Counter(map(text, _items_name(node) and node[_items_name(node)])) for node in nodes]
        for nodes in (before, after)
    )
    pairs = [(i, j) for i, header in enumerate(headers) for j, other in enumerate(others) if header == other]
    gone, come = dict(enumerate(before)), dict(enumerate(after))
    for i, j in sorted(pairs, key=lambda pair: (old[pair[0]] != new[pair[1]], -(old[pair[0]] & new[pair[1]]).total())):
        if i in gone and j in come:
            one, other = gone.pop(i), come.pop(j)
            if _items_name(other) == "filters":
                yield from _compared(one["filters"], other["filters"])
            else:
                yield _change(other, _values(one), _values(other))
    yield from (_change(node, _values(node), None) for item in gone.values() for node in _conditions(item))
    yield from (_change(node, None, _values(node)) for item in come.values() for node in _conditions(item))


def _change(condition: Any, before: dict[str, Any] | None, after: dict[str, Any] | None) -> ConditionChange:
    node = condition if isinstance(condition, dict) else {}
    name = node.get("name") if isinstance(node.get("name"), str) else ""
    kind = "" if node.get("data_type", "string") == "string" else f" ({node['data_type']})"
    negated = "not " if node.get("negate") is True else ""
    label = f"{name or node.get('filter_type', 'unknown filter')} {negated}{node.get('operator', '')}".rstrip() + kind
    old, new = before or {}, after or {}
    removed, added = ([one[key] for key in one.keys() - other.keys()] for one, other in ((old, new), (new, old)))
    numbers = (None if values is None else len(values) for values in (before, after))
    return ConditionChange(str(name), label, next(numbers), next(numbers), removed, added)


def _items_name(node: Any) -> str:
    return next((name for name in UNORDERED if isinstance(node, dict) and isinstance(node.get(name), list)), "")


def _header(node: Any) -> str:
    """All of a filter but what is in its list of filters or values."""
    name = _items_name(node)
    return text({**node, name: []} if name else node)


def _conditions(node: Any) -> list[Any]:
    return (
        [each for item in node["filters"] for each in _conditions(item)] if _items_name(node) == "filters" else [node]
    )


def _values(condition: Any) -> dict[str, Any]:
    """Distinct values of a condition by what they are compared by."""
    node = condition if isinstance(condition, dict) else {}
    value = node.get("value")
    values = value if isinstance(value, list) else [] if value is None else [value]
    fold = node.get("case_sensitive") is False
    return {text(item.casefold() if fold and isinstance(item, str) else item): item for item in values}
