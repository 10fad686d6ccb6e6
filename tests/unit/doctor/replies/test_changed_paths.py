"""
Paths that a gateway changes.

A reply changes the beginning of its path if its words name a path that ends with the same two parts
or more, and begins otherwise. If each of two replies does so in the same way, the change is named,
with whom to ask. Otherwise nothing is said: of one reply alone, if one reply names its path as it
was sent (with or without the first slash), names no path or only its last part, or changes it in
another way.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.replies.echoes import Sent, about_changed_paths

LIST = "/v1/coupon-list/spring/files"
NOWHERE = "/v1/wes-doctor-no-such-path/wes-doctor"


class Words(NamedTuple):
    """The words of the replies to a list, and to a path that does not exist."""

    name: str
    of_list: str
    of_nowhere: str
    change: str = ""


CHANGED = [
    Words(
        "without the first part",
        "No route for GET /coupon-list/spring/files",
        "No route for GET /wes-doctor-no-such-path/wes-doctor",
        "paths without /v1",
    ),
    Words(
        "without the first part and the first slash",
        "No static resource coupon-list/spring/files.",
        "No static resource wes-doctor-no-such-path/wes-doctor.",
        "paths without /v1",
    ),
    Words(
        "below another path",
        "Cannot GET /svc/coupons/coupon-list/spring/files",
        "Cannot GET /svc/coupons/wes-doctor-no-such-path/wes-doctor",
        "/svc/coupons in place of /v1",
    ),
    Words(
        "in a sentence with other paths",
        "'/coupon-list/spring/files' is none of a/b and c/d.",
        "'/wes-doctor-no-such-path/wes-doctor' is none of a/b and c/d.",
        "paths without /v1",
    ),
]


def said_of(row: Words) -> str:
    return about_changed_paths([Sent(LIST, row.of_list), Sent(NOWHERE, row.of_nowhere)])


@pytest.mark.parametrize("row", CHANGED, ids=ids(CHANGED))
def test_paths_that_both_replies_change_alike_are_named_with_whom_to_ask(row: Words):
    assert said_of(row) == (
        f"The words name {row.change}, so a gateway may change paths: ask whoever runs it which "
        "paths it passes on, since uploads, catalogs and segments go the same way."
    )


NOT_CHANGED = [
    Words("as they were sent", f"No {LIST}", f"No {NOWHERE}"),
    Words("without the first slash", f"No {LIST[1:]}.", f"No {NOWHERE[1:]}."),
    Words("no path", "Not found", "Not found"),
    Words("the last part alone", "No x/files", "No x/wes-doctor"),
    Words("one of them changed", "No /coupon-list/spring/files", f"No {NOWHERE}"),
    Words(
        "changed in two ways",
        "No /a/coupon-list/spring/files",
        "No /b/wes-doctor-no-such-path/wes-doctor",
    ),
]


@pytest.mark.parametrize("row", NOT_CHANGED, ids=ids(NOT_CHANGED))
def test_nothing_is_said_unless_both_replies_change_their_paths_alike(row: Words):
    assert said_of(row) == ""


def test_nothing_is_said_of_one_reply_which_may_name_a_path_to_use():
    assert about_changed_paths([Sent(LIST, "Use /v2/coupon-list/spring/files")]) == ""
    assert about_changed_paths([]) == ""
