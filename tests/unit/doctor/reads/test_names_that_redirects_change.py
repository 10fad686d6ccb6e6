"""
A redirect that changes only one identifier of its path, on the same origin, names another list or
another file; the new identifier is decoded. If the file has the name of its list, and both change,
the list counts. It names none if it changes two parts, a part that is no identifier, or adds one;
if it leads to another origin; or if the new part is a page or a login.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    ids,
    listed,
)
from support.doctor_redirects import (
    HOST,
    to,
)
from support.doctor_replies import request_for
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Probe, Question


class Rename(NamedTuple):
    """A redirect, and the identifier that it changes: as it was sent, and what it becomes."""

    name: str
    probe: Probe
    sent: str
    is_list: bool
    value: str


def file_called(file_id: str, location: str) -> Probe:
    request = request_for(Question.FILE_PATH, file_id=file_id)
    return to(location, Question.FILE_PATH, request=request)


RENAMED = [
    Rename("the list", to("/v1/coupon-list/winter/files"), "spring", is_list=True, value="winter"),
    Rename(
        "the list, encoded", to("/v1/coupon-list/a%20b/files"), "spring", is_list=True, value="a b"
    ),
    Rename(
        "the list of a file",
        file_called("f1", "/v1/coupon-list/winter/files/f1"),
        "spring",
        is_list=True,
        value="winter",
    ),
    Rename("the file", file_called("f1", f"{LIST_AT}/f2"), "f1", is_list=False, value="f2"),
    Rename(
        "a list and a file of one name",
        file_called("spring", "/v1/coupon-list/x/files/x"),
        "spring",
        is_list=True,
        value="x",
    ),
]
NOT_RENAMED = [
    ("two changes", to("/v2/coupon-list/winter/files")),
    ("a part that is no identifier", to("/v1/coupon-lists/spring/files")),
    ("a part more", to("/v1/coupon-list/winter/files/all")),
    ("another origin", to(f"{HOST}:8443/v1/coupon-list/winter/files")),
    ("a page", to("/v1/coupon-list/404.html/files")),
    ("a name for a login", to("/v1/coupon-list/login/files")),
    ("no redirect", listed(404)),
]


@pytest.mark.parametrize("row", RENAMED, ids=ids(RENAMED))
def test_a_redirect_that_changes_one_identifier_alone_names_another_list_or_file(row: Rename):
    """Of a file that is called as its list is, the list counts."""
    assert redirects.renamed(row.probe) == redirects.Renamed(row.sent, row.is_list, row.value)


@pytest.mark.parametrize(
    "probe", [probe for _, probe in NOT_RENAMED], ids=[name for name, _ in NOT_RENAMED]
)
def test_any_other_redirect_names_no_other_list_or_file(probe: Probe):
    assert redirects.renamed(probe) is None
