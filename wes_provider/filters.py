"""
Filters of users: builders, and the checked body of a segment's update.

What is refused would silently empty a segment, or fill it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.arguments import check_boolean, early, json_bytes, templated, text_of
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

NATIVE_RENDERING: Final = (
    "If a template gave it, set render_template_as_native_obj=True on the DAG, or pass the other "
    "task's output."
)
ALLOW_EMPTY: Final = (
    "An empty one may select nobody, or everybody. If that is meant, set allow_empty=True."
)
NONE_IN_VALUES: Final = (
    "A row of the query that it comes from may have no value: leave such rows out there, or the "
    "filter would compare with nothing."
)
BLANK_IN_VALUES: Final = (
    "A row of the query that it comes from may have no value: leave such rows out there. If users "
    "whose attribute is empty are meant, set allow_empty=True."
)
# Fields of a filter that take a string, whatever its data type is.
STRING_FIELDS: Final = ("filter_type", "name", "data_type", "operator")
# Fields of a filter that take true or false.
BOOLEAN_FIELDS: Final = ("negate", "case_sensitive")
# Operators that compare with several values, in small letters without spaces, - and _.
LIST_OPERATORS: Final = re.compile(r"(not|n)?(in|between)|(any|all|one|none)of|containsany")
# The data type whose values are strings.
STRING_TYPE: Final = "string"
# How a string begins and ends that was a Python or JSON object.
BRACKETS: Final = ("[]", "{}", "()")


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
    Return a filter on an attribute of users.

    :param name: the name of the attribute.
    :param values: the values to compare with: a list, or what renders to one (a template, another
        task's output).
    :param data_type: the data type of the attribute; the contract shows ``string`` and does not
        list the others.
    :param operator: how values are compared; the contract shows ``in`` and does not list the
        others.
    :param negate: select the users for whom the condition does not hold.
    :param case_sensitive: whether capitals and small letters differ when strings are compared.
    :return: a plain filter object, which may be templated and nested.
    :raises WesConfigurationError: if the name is empty, if ``values`` is no list and the operator
        takes one, such as ``in``, or if ``negate`` or ``case_sensitive`` is no boolean.

    Contract: section 2.
    """
    if isinstance(values, (set, frozenset)):
        values = sorted(values, key=repr)
    elif isinstance(values, tuple):
        values = list(values)
    is_list = isinstance(values, list) or values is None
    if _takes_list(operator) and not is_list and not templated(values):
        if isinstance(values, str):
            raise WesConfigurationError(
                f"values takes a list, not the text {shown(values)}\nWrite [{shown(values)}]."
            )
        raise WesConfigurationError(f"values takes a list, not {_kind(values)}")
    early(check_boolean, "negate", negate)
    early(check_boolean, "case_sensitive", case_sensitive)
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
    Return ``included_filters`` of users who satisfy every one of ``filters`` (contract section 2).

    :param filters: from :func:`user_attribute`, or plain filter objects.
    :raises WesConfigurationError: if one is no object.
    """
    for number, item in enumerate(filters):
        if not isinstance(item, Mapping):
            raise WesConfigurationError(
                f"filter {number} of all_of() is no object, but {shown(item)}\n"
                "Give each filter as an argument of its own, such as user_attribute() returns."
            )
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
    Return the body of a segment's update (contract section 4.3), checked.

    :param allow_empty: let an empty filter list or an empty ``value`` pass.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body: dict[str, Any] = {}
    if name is not None:
        body["name"] = text_of("name", name)
    if included_filters is not None:
        body["included_filters"] = segment_filters(included_filters, allow_empty=allow_empty)
    if updated_by is not None:
        body["updated_by"] = _mail_address("updated_by", updated_by)
    if not body:
        raise WesConfigurationError(
            "nothing to update: give at least one of name, included_filters and updated_by"
        )
    json_bytes(body)
    return body


def segment_filters(value: Any, *, allow_empty: bool = False) -> dict[str, Any]:
    """
    Check ``included_filters``, whose kinds, operators and types the contract does not list: any
    pass, but each field has the JSON type that section 2 shows.

    A ``value`` may be any JSON, unless the operator compares with several values, as ``in`` does:
    then it is a list. Messages show none, since it may be personal data. What else is refused would
    silently empty a segment, or fill it: no filters, an empty value, and the string of a list,
    which a template gives.

    :param allow_empty: let what is empty pass.
    """
    # Groups that hold themselves would have no end.
    json_bytes({"included_filters": value})
    _check_group("included_filters", value, allow_empty=allow_empty)
    return {**value, "filters": [dict(item) for item in value["filters"]]}


def _check_group(field: str, group: Any, *, allow_empty: bool) -> None:
    """Check the filters of a group, and of the groups in it."""
    filters = _filters_of(field, group)
    if not filters and not allow_empty:
        raise _empty(f"{field}.filters")
    _check_strings(field, group, ("filter_operator",))
    for index, item in enumerate(filters):
        where = f"{field}.filters[{index}]"
        if "filters" in item:
            _check_group(where, item, allow_empty=allow_empty)
        _check_types(where, item)
        if item.get("operator") == "in" or "value" in item:
            _check_value(f"{where}.value", item.get("value"), allow_empty=allow_empty)
        elif not item and not allow_empty:
            # Other operators may need no value, but a filter without anything is none.
            raise _empty(f"{where}.value")


def _filters_of(field: str, group: Any) -> Sequence[Mapping[str, Any]]:
    """Return the filters of a group, which are a list of objects."""
    if isinstance(group, Mapping):
        filters = group.get("filters")
        if isinstance(filters, (list, tuple)) and _are_objects(filters):
            return filters
    raise WesConfigurationError(
        f"{field} takes an object with filter_operator and filters, a list of objects"
    )


def _are_objects(items: Sequence[Any]) -> bool:
    return all(isinstance(item, Mapping) for item in items)


def _check_types(where: str, item: Mapping[str, Any]) -> None:
    """Check that the fields of a filter have the JSON types of the contract."""
    _check_strings(where, item, STRING_FIELDS)
    for name in BOOLEAN_FIELDS:
        if name in item and not isinstance(item[name], bool):
            raise _wrong_type(f"{where}.{name}", "true or false", item[name])
    if _takes_list(item.get("operator")) and _is_single(item.get("value")):
        raise _wrong_type(f"{where}.value", "a list", item["value"])


def _check_strings(field: str, item: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        if name in item and not isinstance(item[name], str):
            raise _wrong_type(f"{field}.{name}", "a string", item[name])


def _takes_list(operator: Any) -> bool:
    """Return whether an operator compares with several values."""
    if not isinstance(operator, str):
        return False
    return LIST_OPERATORS.fullmatch(re.sub("[ _-]", "", operator.lower())) is not None


def _is_single(value: Any) -> bool:
    """Return whether a value is no list, and nothing of which another message says what it is."""
    if isinstance(value, (list, tuple)) or value is None:
        return False
    return not _is_blank(value) and not _was_rendered_to_string(value)


def _wrong_type(field: str, takes: str, value: Any) -> WesConfigurationError:
    return WesConfigurationError(f"{field} takes {takes}, not {_kind(value)}\n{NATIVE_RENDERING}")


def _kind(value: Any) -> str:
    """Return what a value is, without the value."""
    kinds = {str: "a string", bool: "a boolean", dict: "an object", list: "a list"}
    if value is None:
        return "None"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "a number"
    return kinds.get(type(value), type(value).__name__)


def _mail_address(field: str, value: Any) -> str:
    """Check an e-mail address, as far as anybody can: something stands before and after an @."""
    address = text_of(field, value)
    user, _, host = address.strip().rpartition("@")
    host_is_one_word = len(host.split()) == 1
    if not user or not host_is_one_word:
        raise WesConfigurationError(
            f"{field} takes an e-mail address, such as {field}='team@example.com', not "
            f"{shown(address)}"
        )
    return address.strip()


class _Rendered(NamedTuple):
    """
    A filter, or a group of filters.

    :ivar field: its place, such as ``included_filters.filters[0]``.
    :ivar template: as the DAG gives it.
    :ivar rendered: after rendering.
    """

    field: str
    template: Mapping[str, Any]
    rendered: Mapping[str, Any]


def _walk(field: str, template: Any, rendered: Any) -> Iterator[_Rendered]:
    """Yield a group of filters, and each filter and group in it."""
    if not isinstance(template, Mapping) or not isinstance(rendered, Mapping):
        return
    yield _Rendered(field, template, rendered)
    templates = template.get("filters")
    filters = rendered.get("filters")
    if isinstance(templates, (list, tuple)) and isinstance(filters, (list, tuple)):
        for index, (inner, inner_rendered) in enumerate(zip(templates, filters, strict=False)):
            yield from _walk(f"{field}.filters[{index}]", inner, inner_rendered)


def find_wrongly_typed(field: str, template: Any, rendered: Any) -> list[str]:
    """
    Find templates in filters that rendered to another type than their field takes: to a string
    instead of a boolean, or to a single value instead of a list.

    :param template: a group of filters as the DAG gives it.
    :param rendered: the same after rendering.
    :return: the place and the template of each, and the type that it has become; no value.
    """
    problems = []
    for item in _walk(field, template, rendered):
        problems += _find_no_booleans(item)
        problems += _find_no_list(item)
    return problems


def _find_no_booleans(item: _Rendered) -> list[str]:
    """Find templates of a filter's booleans that rendered to something else."""
    problems = []
    for name in BOOLEAN_FIELDS:
        template = item.template.get(name)
        value = item.rendered.get(name)
        if templated(template) and not isinstance(value, bool):
            problems.append(
                f"{item.field}.{name} takes true or false: {shown(str(template))} rendered to "
                f"{_kind(value)}"
            )
    return problems


def _find_no_list(item: _Rendered) -> list[str]:
    """Find the template of a filter's value that rendered to no list, if its operator takes one."""
    template = item.template.get("value")
    value = item.rendered.get("value")
    is_template = isinstance(template, str) or hasattr(template, "resolve")
    is_wrong = _takes_list(item.rendered.get("operator")) and _is_single(value)
    if not is_template or not is_wrong:
        return []
    return [f"{item.field}.value takes a list: {shown(str(template))} rendered to {_kind(value)}"]


def find_changed_by_rendering(field: str, template: Any, rendered: Any) -> list[str]:
    """
    Find what native rendering made a number, a boolean or a date of, and is to be a string: names,
    and values of filters whose data type is ``string``.

    Values of other data types pass, and so does a list that a template has whole, with what is in
    it.

    :param template: a group of filters as the DAG gives it.
    :param rendered: the same after rendering.
    :return: the place and the template of each, and the type that it has become; no value, which
        may be personal data.
    """
    problems = []
    for item in _walk(field, template, rendered):
        names = ["filter_operator"]
        if _is_string_type(item.rendered.get("data_type")):
            names.append("value")
        names += STRING_FIELDS
        for name in names:
            problems += _find_no_string(
                f"{item.field}.{name}", item.template.get(name), item.rendered.get(name)
            )
    return problems


def _is_string_type(data_type: Any) -> bool:
    return isinstance(data_type, str) and data_type.lower() == STRING_TYPE


def _find_no_string(field: str, template: Any, rendered: Any) -> list[str]:
    """Find templates of one field, or of a list in it, that rendered to no string."""
    if isinstance(template, (list, tuple)) and isinstance(rendered, (list, tuple)):
        problems = []
        for index, (item, item_rendered) in enumerate(zip(template, rendered, strict=False)):
            problems += _find_no_string(f"{field}[{index}]", item, item_rendered)
        return problems
    if not isinstance(template, str) or isinstance(rendered, str) or rendered is None:
        return []
    if isinstance(rendered, (list, tuple, Mapping)) and _keeps_types(template, rendered):
        return []
    return [f"{field}: {shown(template)} rendered to {type(rendered).__name__}"]


def _keeps_types(template: str, rendered: Any) -> bool:
    """
    Return whether what a template rendered to has the types that it was given with: that of a
    single expression has. Of another template, Jinja read a string as Python, and only strings are
    certain.
    """
    return _is_single_expression(template) or _holds_only_strings(rendered)


def _is_single_expression(template: str) -> bool:
    return template.startswith("{{") and template.endswith("}}") and template.count("{{") == 1


def _holds_only_strings(rendered: Any) -> bool:
    """Return whether a list has nothing but strings."""
    is_list = isinstance(rendered, (list, tuple))
    return is_list and all(isinstance(item, str) for item in rendered)


def _check_value(field: str, value: Any, *, allow_empty: bool) -> None:
    """Check what a filter compares with."""
    if _was_rendered_to_string(value):
        raise WesConfigurationError(
            f"{field} is the text of a Python or JSON object\n{NATIVE_RENDERING}"
        )
    if not allow_empty:
        _check_not_empty(field, value)


def _check_not_empty(field: str, value: Any) -> None:
    """Check that a filter compares with something, and that no item of a list is nothing."""
    if value is None:
        raise _empty(field)
    values = [value]
    if isinstance(value, (list, tuple)):
        values = list(value)
    if None in values:
        raise WesConfigurationError(f"{field} holds None\n{NONE_IN_VALUES}")
    if all(_is_blank(item) for item in values):
        raise _empty(field)
    if any(isinstance(item, str) and _is_blank(item) for item in values):
        raise WesConfigurationError(f"{field} holds an empty string\n{BLANK_IN_VALUES}")


def _was_rendered_to_string(value: Any) -> bool:
    """Return whether a string was an object or None before a template made a string of it."""
    if not isinstance(value, str):
        return False
    return value in ("None", "null") or value[:1] + value[-1:] in BRACKETS


def _is_blank(item: Any) -> bool:
    if isinstance(item, str):
        return not item.strip()
    return item in ({}, [])


def _empty(field: str) -> WesConfigurationError:
    return WesConfigurationError(f"{field} is empty\n{ALLOW_EMPTY}")
