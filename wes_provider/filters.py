"""
Filters of users: builders, and the checked body of a segment's update.

What is refused would silently empty a segment, or fill it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wes_provider import contract
from wes_provider.arguments import json_bytes, templated, text_of
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

__all__ = ["all_of", "segment_body", "user_attribute"]


def user_attribute(
    name: str,
    values: Any,
    *,
    data_type: str = "string",
    operator: str = "in",
    negate: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    """
    A filter on an attribute of users.

    :param name: the name of the attribute.
    :param values: the values to compare with: a list, or what renders to one (a template, another
        task's output).
    :param data_type: the data type of the attribute; the contract shows ``string`` and does not
        list the others.
    :param operator: how values are compared; the contract shows ``in`` and does not list the
        others.
    :param negate: select the users for whom the condition does not hold.
    :param case_sensitive: whether capitals and small letters differ when texts are compared.
    :return: a plain filter object, which may be templated and nested.
    :raises WesConfigurationError: if the name is empty, or ``values`` is a single text and the
        operator is ``in``.

    Contract: section 2, "Filter object".
    """
    if operator == "in" and isinstance(values, str) and not templated(values):
        raise WesConfigurationError(
            f"values takes a list, not the text {shown(values)}\nWrite [{shown(values)}]."
        )
    if isinstance(values, (set, frozenset, tuple)):
        values = sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)
    return {
        "filter_type": contract.FILTER_TYPE,
        "name": text_of("name", name),
        "data_type": data_type,
        "operator": operator,
        "value": values,
        "negate": negate,
        "case_sensitive": case_sensitive,
    }


def all_of(*filters: Mapping[str, Any]) -> dict[str, Any]:
    """
    ``included_filters`` of users who satisfy every one of ``filters`` (contract section 2).

    :param filters: from :func:`user_attribute`, or plain filter objects.
    """
    return {
        "filter_operator": contract.FILTER_OPERATOR,
        "filters": [dict(item) for item in filters],
    }


def segment_body(
    *,
    name: Any = None,
    included_filters: Any = None,
    updated_by: Any = None,
    allow_empty: bool = False,
) -> dict[str, Any]:
    """
    The body of a segment's update (contract section 4.3).

    :param allow_empty: let an empty filter list or an empty ``value`` pass.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body: dict[str, Any] = {}
    if name is not None:
        body["name"] = text_of("name", name)
    if included_filters is not None:
        body["included_filters"] = segment_filters(included_filters, allow_empty=allow_empty)
    if updated_by is not None:
        body["updated_by"] = text_of("updated_by", updated_by)
    if not body:
        raise WesConfigurationError(
            "nothing to update: give at least one of name, included_filters and updated_by"
        )
    json_bytes(body)
    return body


def segment_filters(value: Any, *, allow_empty: bool = False) -> dict[str, Any]:
    """
    Check ``included_filters``, whose kinds, operators and types the contract does not list: those
    pass as they are.

    A ``value`` may be any JSON; messages show none, since it may be personal data. What is refused
    would silently empty a segment, or fill it: no filters, an empty value, and the text of a list,
    which a template gives.

    :param allow_empty: let what is empty pass.
    """
    json_bytes({"included_filters": value})  # groups that hold themselves would have no end
    _check_group("included_filters", value, allow_empty)
    return {**value, "filters": [dict(item) for item in value["filters"]]}


def _check_group(field: str, group: Any, allow_empty: bool) -> None:
    """Check the filters of a group, and of the groups in it."""
    filters = group.get("filters") if isinstance(group, Mapping) else None
    if not isinstance(filters, (list, tuple)) or not all(
        isinstance(item, Mapping) for item in filters
    ):
        raise WesConfigurationError(
            f"{field} takes an object with filter_operator and filters, a list of objects"
        )
    if not filters and not allow_empty:
        raise _empty(f"{field}.filters")
    for index, item in enumerate(filters):
        without = None if item.get("operator") == "in" else ...  # other operators may need no value
        where, content = f"{field}.filters[{index}]", item.get("value", without)
        if "filters" in item:
            _check_group(where, item, allow_empty)
        text = content if isinstance(content, str) else ""
        if text in ("None", "null") or text[:1] + text[-1:] in ("[]", "{}", "()"):
            raise WesConfigurationError(
                f"{where}.value is the text of a Python or JSON object\n"
                "If a template gave it, set render_template_as_native_obj=True on the DAG, or "
                "pass the other task's "
                "output."
            )
        values = content if isinstance(content, (list, tuple)) else [content]
        nothing = all(
            one in ({}, []) or (isinstance(one, str) and not one.strip()) for one in values
        )
        if not allow_empty and (not item or None in values or nothing):
            raise _empty(f"{where}.value")


def _empty(field: str) -> WesConfigurationError:
    return WesConfigurationError(
        f"{field} is empty\nAn empty one may select nobody, or everybody. If that is meant, set "
        "allow_empty=True."
    )
