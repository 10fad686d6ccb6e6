"""
Filters of segments as data: canonical form, difference, and the effect on each condition. Pure functions.

A *group* is an object with a list of ``filters``; every other filter is a *condition*. The contract (section 2) shows
few of the possible kinds and operators, so the order of a list counts unless it plainly cannot.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["ConditionChange", "Difference", "apply", "canonical", "condition_changes", "difference", "same"]

Node = dict[str, Any]

GROUP_OPERATORS: Final = frozenset({"and", "or"})
"""The order of the filters that these combine cannot matter; contract section 2 shows the first."""

VALUE_OPERATORS: Final = frozenset({"in"})
"""The order of the values that these compare with cannot matter; contract section 2 shows it."""


def canonical(filters: Any) -> Any:
    """
    Filters in a form that is equal for definitions that cannot differ in meaning.

    Keys are sorted. Filters and values are sorted without duplicates if their order cannot matter. Case, types and
    everything of unknown kinds stay as they are.

    :param filters: ``included_filters`` or any part of it.
    """
    if isinstance(filters, Mapping):
        node = {str(key): canonical(filters[key]) for key in sorted(filters, key=str)}
        name = _items_name(node)
        if name and _unordered(node, name):
            node[name] = _unique(node[name])
        return node
    if isinstance(filters, (list, tuple)):
        return [canonical(item) for item in filters]
    return filters


def _sorted(node: Any) -> Any:
    """A canonical node with every list in it sorted, also those whose order may matter."""
    if isinstance(node, dict):
        node = {key: _sorted(value) for key, value in node.items()}
        name = _items_name(node)
        if name and _unordered(node, name):
            node[name] = _unique(node[name])  # equal by now
        return node
    return sorted(map(_sorted, node), key=_text) if isinstance(node, list) else node


def same(one: Any, other: Any) -> bool:
    """Whether two canonical forms are equal; unlike ``==``, 1, 1.0 and true are three values."""
    return _text(one) == _text(other)


@dataclass(frozen=True)
class Difference:
    """
    What differs between two canonical nodes.

    :ivar header: all of the new node but its filters or values.
    :ivar items: ``filters`` or ``value``, whichever the new node has; empty if neither is a list.
    :ivar removed: filters or values that the new node lacks.
    :ivar added: filters or values that the old node lacks.
    :ivar changed: filters of the old node, each with its own difference.
    :ivar order: the order of the new node's items if it matters, as JSON texts.
    """

    header: Node
    items: str
    removed: list[Any] = field(default_factory=list)
    added: list[Any] = field(default_factory=list)
    changed: list[tuple[Node, Difference]] = field(default_factory=list)
    order: list[str] | None = None


def difference(before: Node, after: Node) -> Difference:
    """
    The difference of two filter definitions, which :func:`apply` puts on top of the first to get the second.

    :param before: canonical.
    :param after: canonical.
    """
    name = _items_name(after)
    old, new = _items(before), _items(after)
    removed, added = _minus(old, new), _minus(new, old)
    changed = []
    if name == "filters" and _same_header(before, after):
        pairs = _pairs(removed, added)
        removed = _minus(removed, [one for one, _ in pairs])
        added = _minus(added, [other for _, other in pairs])
        changed = [(one, difference(one, other)) for one, other in pairs]
    order = None if _unordered(after, name) else [_text(item) for item in new]
    return Difference(_header(after), name, removed, added, changed, order)


def apply(before: Node, change: Difference) -> Node:
    """
    Filters with a difference put on top of them.

    :param before: canonical.
    :return: canonical.
    """
    kept = _minus(_items(before), [*change.removed, *(node for node, _ in change.changed)])
    items = [*kept, *change.added, *(apply(node, inner) for node, inner in change.changed)]
    if change.order is not None:
        by_text: dict[str, list[Any]] = {}
        for item in items:
            by_text.setdefault(_text(item), []).append(item)
        items = [by_text[text].pop() for text in change.order]
    node: Node = canonical({**change.header, change.items: items} if change.items else change.header)
    return node


@dataclass(frozen=True)
class ConditionChange:
    """
    How a condition changes, in numbers of distinct values.

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
    removed: tuple[Any, ...] = ()
    added: tuple[Any, ...] = ()


def condition_changes(before: Node | None, after: Node) -> list[ConditionChange]:
    """
    What happens to each condition, those that stay the same included. Another order of any list is no change.

    :param before: canonical; ``None`` if nothing is known of it, which makes every condition a new one.
    :param after: canonical.
    """
    after = _sorted(after)
    if before is None:
        return [_added(node) for node in _conditions(after)]
    before = _sorted(before)
    return list(_changes(before, difference(before, after)))


def _changes(before: Node, change: Difference) -> Iterator[ConditionChange]:
    same_header = _text(_header(before)) == _text(change.header)
    changed = {_text(node): inner for node, inner in change.changed}
    removed = Counter(map(_text, change.removed))
    for item in _items(before):
        text = _text(item)
        if removed[text] > 0 or not same_header:
            removed[text] -= 1
            yield from (_removed(node) for node in _conditions(item))
        elif text not in changed:
            yield from (_compared(node, node) for node in _conditions(item))
        elif changed[text].items == "filters":
            yield from _changes(item, changed[text])
        else:
            yield _compared(item, apply(item, changed[text]))
    new = change.added if same_header else _items(apply(before, change))
    for item in new:
        yield from (_added(node) for node in _conditions(item))


def _compared(before: Node, after: Node) -> ConditionChange:
    old, new = _values(before), _values(after)
    return ConditionChange(
        _attribute(after),
        _label(after),
        len(old),
        len(new),
        tuple(old[key] for key in old.keys() - new.keys()),
        tuple(new[key] for key in new.keys() - old.keys()),
    )


def _removed(node: Node) -> ConditionChange:
    values = _values(node)
    return ConditionChange(_attribute(node), _label(node), len(values), None, tuple(values.values()), ())


def _added(node: Node) -> ConditionChange:
    values = _values(node)
    return ConditionChange(_attribute(node), _label(node), None, len(values), (), tuple(values.values()))


# -- parts of a node -------------------------------------------------------------------------------


def _items_name(node: Any) -> str:
    return next(
        (name for name in ("filters", "value") if isinstance(node, dict) and isinstance(node.get(name), list)), ""
    )


def _items(node: Any) -> list[Any]:
    name = _items_name(node)
    return list(node[name]) if name else []


def _header(node: Any) -> Any:
    name = _items_name(node)
    return {key: value for key, value in node.items() if key != name} if name else node


def _same_header(one: Any, other: Any) -> bool:
    return _text(_header(one)) == _text(_header(other))


def _unordered(node: Node, name: str) -> bool:
    operator = node.get("filter_operator" if name == "filters" else "operator")
    operators = GROUP_OPERATORS if name == "filters" else VALUE_OPERATORS
    return not name or (isinstance(operator, str) and operator.lower() in operators)


def _conditions(node: Any) -> Iterator[Any]:
    if _items_name(node) == "filters":
        for item in _items(node):
            yield from _conditions(item)
    else:
        yield node


def _values(condition: Any) -> dict[str, Any]:
    """Distinct values of a condition by what they are compared by."""
    value = condition.get("value") if isinstance(condition, dict) else None
    values = value if isinstance(value, list) else [] if value is None else [value]
    fold = isinstance(condition, dict) and condition.get("case_sensitive") is False
    return {_text(item.casefold() if fold and isinstance(item, str) else item): item for item in values}


def _attribute(condition: Any) -> str:
    name = condition.get("name") if isinstance(condition, dict) else None
    return name if isinstance(name, str) else ""


def _label(condition: Any) -> str:
    if not isinstance(condition, dict):
        return "unknown filter"
    name = _attribute(condition) or str(condition.get("filter_type", "unknown filter"))
    negated = "not " if condition.get("negate") is True else ""
    operator = condition.get("operator", "")
    kind = condition.get("data_type", "string")
    return f"{name} {negated}{operator}".rstrip() + (f" ({kind})" if kind != "string" else "")


# -- lists of JSON values --------------------------------------------------------------------------


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _unique(items: Iterable[Any]) -> list[Any]:
    by_text = {_text(item): item for item in items}
    return [by_text[text] for text in sorted(by_text)]


def _minus(items: list[Any], others: Iterable[Any]) -> list[Any]:
    """Items without others; each of the others is removed once."""
    left = Counter(map(_text, others))
    result = []
    for item in items:
        text = _text(item)
        if left[text] > 0:
            left[text] -= 1
        else:
            result.append(item)
    return result


def _pairs(removed: list[Any], added: list[Any]) -> list[tuple[Node, Node]]:
    """Filters that are the same but for their values, or for what is nested in them; those most alike first."""
    texts, other_texts = ([Counter(map(_text, _items(node))) for node in nodes] for nodes in (removed, added))
    by_header: dict[str, list[int]] = {}
    for j, other in enumerate(added):
        by_header.setdefault(_items_name(other) + _text(_header(other)), []).append(j)
    candidates = []
    for i, one in enumerate(removed):
        name = _items_name(one)
        for j in by_header.get(name + _text(_header(one)), ()) if name else ():
            candidates.append((-(texts[i] & other_texts[j]).total(), i, j))
    pairs, used_i, used_j = [], set(), set()
    for _, i, j in sorted(candidates):
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            pairs.append((removed[i], added[j]))
    return pairs
