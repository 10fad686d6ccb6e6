"""
If a service refuses its own key at times since an upload, and accepts it at others, the verdict is
*Not proved*, and says first that the same request was answered in two ways. The key is not *sure*,
and no setting is proposed; that holds if each second read is refused, as well as if only the
uploaded file is refused at times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from support.doctor_findings import UNAUTHENTICATED, ids
from support.doctor_service import Call, about, json_reply
from support.doctor_uploads import Uploads
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


def is_any(_: Call) -> bool:
    """Every read."""
    return True


def is_of_file(call: Call) -> bool:
    """A read of the uploaded file."""
    return call.path.endswith("/up")


class Refused(NamedTuple):
    """Which reads are refused each second time since the upload."""

    name: str
    is_concerned: Callable[[Call], bool]


REFUSED = [Refused("all reads", is_any), Refused("the uploaded file", is_of_file)]


@dataclass
class RefusedAtTimes(Uploads):
    """An account that refuses each second of some reads since the upload."""

    is_concerned: Callable[[Call], bool] = is_any
    number: int = 0

    def answer(self, call: Call) -> Reply | None:
        is_read = call.method == "GET" and call.key == "campaign"
        if not is_read or not self.name or not self.is_concerned(call):
            return super().answer(call)
        self.number += 1
        if self.number % 2:
            return super().answer(call)
        return json_reply(401, UNAUTHENTICATED)


@pytest.mark.parametrize("row", REFUSED, ids=ids(REFUSED))
def test_a_key_that_is_refused_at_times_since_an_upload_is_said_first(row: Refused):
    report = RefusedAtTimes(is_concerned=row.is_concerned).examine()
    assert report.verdict.startswith(
        "Not proved: Campaign API key. The service gave two answers to the same request, GET "
    )
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.NOT_PROVED
    assert report.changed == {}
