"""
The named list is forbidden if each read of it gets a 403 that does not refuse the key. It alone is
forbidden if the own key gets a 404 for a list that does not exist, whose words are about no
permission.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    again,
    ids,
    listed,
    made_up_list,
)
from support.doctor_replies import error_body, evidence_of
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe

QUOTA = error_body("", "Quota exceeded")


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


IS_FORBIDDEN = [
    Shown("nothing was read", [], holds=False),
    Shown("403", [listed(403, FORBIDDEN)], holds=True),
    Shown("403 twice", [listed(403, FORBIDDEN), again(403, FORBIDDEN)], holds=True),
    Shown("files, then 403", [listed(200, FILES), again(403, FORBIDDEN)], holds=False),
    Shown("403, then 401", [listed(403, FORBIDDEN), again(401)], holds=False),
    Shown("401", [listed(401)], holds=False),
    Shown("403 with a page", [listed(403, PAGE)], holds=False),
    Shown("403 about a quota", [listed(403, QUOTA)], holds=False),
]


@pytest.mark.parametrize("row", IS_FORBIDDEN, ids=ids(IS_FORBIDDEN))
def test_a_list_is_forbidden_if_each_read_gets_a_403_that_refuses_no_key(row: Shown):
    assert facts.is_list_forbidden(evidence_of(*row.probes)) is row.holds


def test_no_list_is_forbidden_if_none_is_named():
    evidence = evidence_of(listed(403, FORBIDDEN), list_id="wes-doctor")
    assert not facts.is_list_forbidden(evidence)


ALONE = [
    Shown("another one gets 404", [listed(403, FORBIDDEN), made_up_list(404, NOT_FOUND)], True),
    Shown("another one gets 403", [listed(403, FORBIDDEN), made_up_list(403, FORBIDDEN)], False),
    Shown("another one gets 200", [listed(403, FORBIDDEN), made_up_list(200, [])], False),
    Shown(
        "another one gets a 404 about a permission",
        [listed(403, FORBIDDEN), made_up_list(404, error_body("", "Missing permission"))],
        False,
    ),
    Shown("no other one was read", [listed(403, FORBIDDEN)], False),
    Shown("the list gets 404, too", [listed(404, NOT_FOUND), made_up_list(404, NOT_FOUND)], False),
]


@pytest.mark.parametrize("row", ALONE, ids=ids(ALONE))
def test_a_list_alone_is_forbidden_if_one_that_does_not_exist_gets_a_404(row: Shown):
    other = facts.answer_beside_forbidden_list(evidence_of(*row.probes))
    assert (other is not None) is row.holds
