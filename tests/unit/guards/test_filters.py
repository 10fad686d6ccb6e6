"""Canonical form and difference of filters, for any filters."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wes_provider.guards.filters import canonical, condition_changes, text
from wes_provider.models import all_of, user_attribute

scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 2.5]) | st.text("aAbé", max_size=2)
)
values = scalars | st.lists(scalars, max_size=5) | st.dictionaries(st.sampled_from("xy"), scalars, max_size=2)
conditions = st.fixed_dictionaries(
    {"filter_type": st.sampled_from(["user_attributes", "events"]), "name": st.sampled_from(["city", "age"])},
    optional={
        "operator": st.sampled_from(["in", "between", "is"]),
        "value": values,
        "negate": st.booleans() | st.sampled_from([0, 1]),
        "case_sensitive": st.booleans(),
        "unknown": values,
    },
)


def groups(of: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"filter_operator": st.sampled_from(["and", "or", "AND", "then", 7]), "filters": st.lists(of, max_size=4)},
        optional={"negate": st.booleans()},
    )


definitions = groups(st.recursive(conditions | scalars, groups, max_leaves=6))


@given(definitions)
def test_the_canonical_form_of_a_canonical_form_is_itself(filters: dict[str, Any]):
    once = canonical(filters)
    assert text(canonical(once)) == text(once)


@given(definitions)
def test_the_canonical_form_leaves_its_argument_alone(filters: dict[str, Any]):
    before = copy.deepcopy(filters)
    canonical(filters)
    assert text(filters) == text(before)


@given(definitions)
def test_nothing_changes_in_equal_filters(filters: dict[str, Any]):
    form = canonical(filters)
    changes = condition_changes(form, form)
    assert all(change.before == change.after and not change.removed and not change.added for change in changes)


@given(definitions, st.randoms(use_true_random=False))
def test_another_order_removes_and_adds_nothing(filters: dict[str, Any], random_: random.Random):
    def shuffled(node: Any) -> Any:
        if isinstance(node, list):
            return random_.sample([shuffled(item) for item in node], len(node))
        if isinstance(node, dict):
            return {key: shuffled(value) for key, value in random_.sample(list(node.items()), len(node))}
        return node

    changes = condition_changes(canonical(filters), canonical(shuffled(filters)))
    assert not any(change.removed or change.added for change in changes)
    assert all(change.before == change.after for change in changes)


@given(definitions, definitions)
def test_the_numbers_of_a_change_fit_together(one: dict[str, Any], other: dict[str, Any]):
    for change in condition_changes(canonical(one), canonical(other)):
        before, after = change.before or 0, change.after or 0
        assert before - len(change.removed) + len(change.added) == after


def test_filters_that_mean_the_same_have_one_canonical_form():
    one = all_of(user_attribute("city", ["b", "a", "a"]), user_attribute("age", [2, 1]))
    other = all_of(user_attribute("age", [1, 2]), user_attribute("city", ["a", "b"]))
    assert text(canonical(one)) == text(canonical(other))


def test_equal_numbers_of_different_types_are_different_values():
    one, other = (canonical(all_of(user_attribute("vip", [value]))) for value in (1, True))
    assert one == other, "as Python sees it"
    assert text(one) != text(other)
    (change,) = condition_changes(one, other)
    assert (change.removed, change.added) == ([1], [True])


def test_a_moved_nested_condition_is_one_that_is_gone_and_one_that_is_new():
    def either(*names: str) -> dict[str, Any]:
        return {"filter_operator": "or", "filters": [user_attribute(name, ["x"]) for name in names]}

    before = canonical(all_of(either("a", "b"), either("c", "d")))
    after = canonical(all_of(either("a", "c"), either("b", "d")))
    changes = condition_changes(before, after)
    assert sum(change.after is None for change in changes) == 2
    assert sum(change.before is None for change in changes) == 2
