"""
The canonical form of filters, and the difference of two: properties that hold for any filters,
which Hypothesis makes. The form of a form is itself, and the argument stays as it is. Filters and
values in another order remove and add nothing. For each condition, what was there before, less
what is removed, and with what is added, is what is there after.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wes_provider.guards.compare import canonical, condition_changes, text

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, 2.5])
    | st.text("aAbé", max_size=2)
)
values = (
    scalars
    | st.lists(scalars, max_size=5)
    | st.dictionaries(st.sampled_from("xy"), scalars, max_size=2)
)
conditions = st.fixed_dictionaries(
    {
        "filter_type": st.sampled_from(["user_attributes", "events"]),
        "name": st.sampled_from(["city", "age"]),
    },
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
        {
            "filter_operator": st.sampled_from(["and", "or", "AND", "then", 7]),
            "filters": st.lists(of, max_size=4),
        },
        optional={"negate": st.booleans()},
    )


definitions = groups(st.recursive(conditions | scalars, groups, max_leaves=6))


@given(definitions)
def test_the_canonical_form_of_a_canonical_form_is_itself_and_the_argument_stays(
    filters: dict[str, Any],
):
    before = text(filters)
    once = canonical(filters)
    assert text(canonical(once)) == text(once)
    assert text(filters) == before


@given(definitions, st.randoms(use_true_random=False))
def test_another_order_removes_and_adds_nothing(filters: dict[str, Any], random_: random.Random):
    def shuffled(node: Any) -> Any:
        if isinstance(node, list):
            return random_.sample([shuffled(item) for item in node], len(node))
        if isinstance(node, dict):
            return {
                key: shuffled(value) for key, value in random_.sample(list(node.items()), len(node))
            }
        return node

    changes = condition_changes(canonical(filters), canonical(shuffled(filters)))
    assert not any(change.removed or change.added for change in changes)
    assert all(change.before == change.after for change in changes)


@given(definitions, definitions)
def test_the_numbers_of_a_change_fit_together(one: dict[str, Any], other: dict[str, Any]):
    for change in condition_changes(canonical(one), canonical(other)):
        before, after = change.before or 0, change.after or 0
        assert before - len(change.removed) + len(change.added) == after
