"""
A file waits for a further request if its record has, at any place, a link with a word to finish it
(commit, finalize, confirm, publish), by its name or its rel, with a method that writes (POST, PUT)
and a target. It is quoted with both, without the query. A link to read, to cancel or to retry, one
without method or target, and a name that only has such a word in it (uncommitted) is none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.records.demands import demanded_request
from wes_provider.doctor.replies.files import file_of

COMMIT = {"method": "POST", "href": "/v1/files/f1/commit"}


class Recorded(NamedTuple):
    """What the record of a file has besides, and what is quoted of it."""

    name: str
    record: dict[str, Any]
    quoted: str = ""


DEMANDING = [
    Recorded("a link to commit", {"_links": {"commit": COMMIT}}, "POST /v1/files/f1/commit"),
    Recorded("one at the top", {"finalize_url": COMMIT}, "POST /v1/files/f1/commit"),
    Recorded(
        "one in an array",
        {"links": [{"rel": "self", "href": "/v1"}, {"rel": "confirm", **COMMIT}]},
        "POST /v1/files/f1/commit",
    ),
    Recorded(
        "another method and name of the target",
        {"actions": {"Publish": {"Method": "put", "url": "https://api.example.com/p"}}},
        "PUT https://api.example.com/p",
    ),
    Recorded(
        "a target with a signature",
        {"_links": {"commit": {"method": "POST", "href": "https://a.test/c?sig=hunter2"}}},
        "POST https://a.test/c",
    ),
]
NOT_DEMANDING = [
    Recorded("no link", {}),
    Recorded("a link to read", {"_links": {"commit": {"method": "GET", "href": "/v1"}}}),
    Recorded("a link without a method", {"_links": {"commit": {"href": "/v1"}}}),
    Recorded("a link without a target", {"_links": {"commit": {"method": "POST"}}}),
    Recorded("a link to cancel", {"_links": {"cancel": COMMIT}}),
    Recorded("a link to retry", {"_links": {"retry": COMMIT}}),
    Recorded("a link whose name only contains one", {"_links": {"uncommitted": COMMIT}}),
    Recorded("a link to cancel in an array", {"links": [{"rel": "cancel", **COMMIT}]}),
]


@pytest.mark.parametrize("row", [*DEMANDING, *NOT_DEMANDING], ids=ids([*DEMANDING, *NOT_DEMANDING]))
def test_a_link_that_finishes_the_file_is_quoted_with_its_method(row: Recorded):
    file = file_of({"_id": "f1", "status": "STAGED", **row.record})
    assert file is not None
    assert demanded_request(file) == row.quoted
