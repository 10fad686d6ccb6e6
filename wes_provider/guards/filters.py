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
    """
    How a condition changes, in distinct values.

    :ivar attribute: the name of the attribute that the condition is on.
    :ivar label: the condition without its values, for people.
    :ivar before: number of values before; ``None`` if the condition is new.
    :ivar after: number of values after; ``None`` if the condition is gone.
    :ivar removed: values that are gone. Capitals do not count if the condition says that they do not.
    :ivar added: values that are new.
    """

    attribute: str
    label: str
    before: int | None
    after: int | None
    removed: list[Any]
    added: list[Any]

    @property
    def differs(self) -> bool:
        """Whether anything changes."""
        return None in (self.before, self.after) or bool(self.removed or self.added)


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
    old, new = ([Counter(map(text, _items(node))) for node in nodes] for nodes in (before, after))
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
    old, new = before or {}, after or {}
    return ConditionChange(
        attribute=_attribute(condition),
        label=_label(condition),
        before=None if before is None else len(before),
        after=None if after is None else len(after),
        removed=[old[key] for key in old.keys() - new.keys()],
        added=[new[key] for key in new.keys() - old.keys()],
    )


def _items_name(node: Any) -> str:
    return next((name for name in UNORDERED if isinstance(node, dict) and isinstance(node.get(name), list)), "")


def _items(node: Any) -> list[Any]:
    name = _items_name(node)
    return list(node[name]) if name else []


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


def _attribute(condition: Any) -> str:
    name = condition.get("name") if isinstance(condition, dict) else None
    return name if isinstance(name, str) else ""


def _label(condition: Any) -> str:
    if not isinstance(condition, dict):
        return "unknown filter"
    name = _attribute(condition) or str(condition.get("filter_type", "unknown filter"))
    negated = "not " if condition.get("negate") is True else ""
    kind = condition.get("data_type", "string")
    return f"{name} {negated}{condition.get('operator', '')}".rstrip() + (f" ({kind})" if kind != "string" else "")
