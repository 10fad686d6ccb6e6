"""
Uploads are redirected if a read of their path, which is the contract's path of lists, is redirected
on this host, or with another scheme; if it leads to another host, only if files were read elsewhere
at this one; not if it leads to another port. The first redirect counts. A page with a Location, and
a redirect of another path, are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    at_path,
    ids,
    listed,
    redirected,
)
from support.doctor_replies import (
    evidence_of,
    request_for,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question


class Upload(NamedTuple):
    """Replies at the path of uploads, and the number of the redirect; ``None`` for none."""

    name: str
    probes: Sequence[Probe]
    number: int | None


UPLOADS = [
    Upload("nothing", [], None),
    Upload("no redirect", [listed(200, FILES)], None),
    Upload("a redirect to another path", [redirected("/v2/files")], 0),
    Upload("a redirect to another host", [redirected("https://api.example.org/v2/files")], None),
    Upload(
        "a redirect to another host, and files elsewhere at this one",
        [redirected("https://api.example.org/v2/files"), at_path("/a", 200, FILES)],
        0,
    ),
    Upload(
        "a redirect to another port", [redirected("https://api.example.com:8443/v2/files")], None
    ),
    Upload("a redirect to another scheme", [redirected("http://api.example.com/v2/files")], 0),
    Upload(
        "files, then two redirects", [listed(200, FILES), redirected("/a"), redirected("/b")], 1
    ),
    Upload("a page with a location", [listed(200, PAGE, headers={"location": "/v2"})], None),
    Upload(
        "another path that is redirected",
        [redirected("/a", request=request_for(Question.LIST, path="/x"))],
        None,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_uploads_are_redirected_if_their_path_is_and_the_service_is_at_this_host(row: Upload):
    found = facts.redirect_of_uploads(evidence_of(*row.probes))
    assert found is (None if row.number is None else row.probes[row.number])
