"""
Filters of segments as data: a canonical form, and what an update changes in each condition. Pure
functions.

A *group* is an object with a list of ``filters``; every other filter is a *condition*. The contract
(section 2) shows few of the possible kinds and operators, so the order of a list counts unless it
plainly cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

__all__ = ["ConditionChange", "canonical", "condition_changes", "text"]

UNORDERED: Final = {"filters": ("filter_operator", ("and", "or")), "value": ("operator", ("in",))}


def canonical(filters: Any, *, any_order: bool = False) -> Any:
    """
    Filters in a form whose :func:`text` is equal for definitions that cannot differ in meaning.

    Filters and values are sorted without duplicates if their order cannot matter. All else stays as
    it is.

    :param any_order: sort every list, also those whose order may matter.
    """
    if isinstance(filters, Mapping):
        node = {str(key): canonical(value, any_order=any_order) for key, value in filters.items()}
        if name := _list_of(node):
            key, operators = UNORDERED[name]
            if str(node.get(key)).lower() in operators:
                node[name] = [
                    item for _, item in sorted({text(item): item for item in node[name]}.items())
                ]
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
    What happens to each condition, those that stay the same included. Another order of any list is
    no change.

    :param before: ``included_filters``; ``None`` if nothing is known of it, which makes every
        condition a new one.
    :param after: ``included_filters``.
    """
    old = [] if before is None else [_Filter(canonical(before, any_order=True))]
    return list(_compared(old, [_Filter(canonical(after, any_order=True))]))


class _Filter:
    """
    A filter in the parts that are compared; ``header`` is all but its list of filters or values.
    """

    def __init__(self, node: Any) -> None:
        fields = node if isinstance(node, dict) else {}
        name, value, fold = (
            _list_of(fields),
            fields.get("value"),
            fields.get("case_sensitive") is False,
        )
        self.filters = list(map(_Filter, fields["filters"])) if name == "filters" else None
        values = [] if value is None or name == "filters" else value if name else [value]
        self.values = {
            text(each.casefold() if fold and isinstance(each, str) else each): each
            for each in values
        }
        self.header = text({**fields, name: []} if name else node)
        self.items = set(map(text, fields["filters"])) if name == "filters" else {*self.values}
        self.attribute = fields["name"] if isinstance(fields.get("name"), str) else ""
        kind = "" if fields.get("data_type", "string") == "string" else f" ({fields['data_type']})"
        operator = f"{'not ' if fields.get('negate') is True else ''}{fields.get('operator', '')}"
        self.label = (
            f"{self.attribute or fields.get('filter_type', 'unknown filter')} {operator}".rstrip()
            + kind
        )

    def conditions(self) -> list[_Filter]:
        """Those of a group, or itself."""
        return (
            [self]
            if self.filters is None
            else [each for item in self.filters for each in item.conditions()]
        )


def _compared(before: list[_Filter], after: list[_Filter]) -> Iterator[ConditionChange]:
    """
    Filters that are the same but for their values, or for what is nested in them, are compared;
    most alike first.
    """
    pairs = [(one, other) for one in before for other in after if one.header == other.header]
    gone, come = dict.fromkeys(before), dict.fromkeys(after)
    for one, other in sorted(
        pairs,
        key=lambda pair: (pair[0].items != pair[1].items, -len(pair[0].items & pair[1].items)),
    ):
        if one in gone and other in come:
            del gone[one], come[other]
            if one.filters is None or other.filters is None:
                yield _change(one, other)
            else:
                yield from _compared(one.filters, other.filters)
    yield from (_change(each, None) for item in gone for each in item.conditions())
    yield from (_change(None, each) for item in come for each in item.conditions())


def _change(before: _Filter | None, after: _Filter | None) -> ConditionChange:
    old, new = (each.values if each else {} for each in (before, after))
    condition = after or before or _Filter({})
    return ConditionChange(
        attribute=condition.attribute,
        label=condition.label,
        before=len(old) if before else None,
        after=len(new) if after else None,
        removed=[old[key] for key in old.keys() - new.keys()],
        added=[new[key] for key in new.keys() - old.keys()],
    )


def _list_of(node: Mapping[str, Any]) -> str:
    """The name of a filter's list of filters or values; empty if it has none."""
    return next((name for name in UNORDERED if isinstance(node.get(name), list)), "")
