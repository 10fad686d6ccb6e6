"""
An empty list, or an object without one, proves nothing if a header or its body says that it is a fallback, a degraded or a
default reply, or that a circuit is open; or if a read of one file, or of another path or list of
the same key, gets a 502, 503 or 504 each time. A 500 may be about the made-up identifier that was
sent. A list with files is none of these. If the fallback begins after an upload, the file was
accepted, and is not to be uploaded again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import FILES, at_path, ids, listed, made_up, nowhere
from support.doctor_replies import evidence_of, reply
from support.doctor_service import FILES_PATH, Call, about
from support.doctor_uploads import Uploads
from support.servers import Reply
from wes_provider.contract import COUPON_FILE_PATH as FILE_PATH
from wes_provider.doctor.conclusions.kept_back import is_upload_advised, why_not_sent
from wes_provider.doctor.conclusions.list_conclusions import list_path
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.fallbacks import says_fallback, what_speaks_for_fallback
from wes_provider.doctor.replies.probes import Probe, Question

OPEN = {"x-circuit-state": "OPEN"}
OTHER_PATH = "/v1/coupon-lists/{coupon_list_id}/files"


class Said(NamedTuple):
    """What a reply has, and what of it says that it is a fallback; empty if nothing does."""

    name: str
    content: Any
    headers: Mapping[str, str]
    says: str


SAYINGS = [
    Said("nothing", [], {"x-request-id": "1"}, ""),
    Said("an open circuit", [], OPEN, "x-circuit-state: OPEN"),
    Said("a half-open circuit", [], {"x-circuit": "HALF_OPEN"}, "x-circuit: HALF_OPEN"),
    Said("a closed circuit", [], {"x-circuit-state": "CLOSED"}, ""),
    Said("an identifier of a circuit", [], {"x-circuit-id": "7f3a"}, ""),
    Said("a fallback", [], {"x-fallback-response": "true"}, "x-fallback-response: true"),
    Said("no fallback", [], {"x-fallback-response": "false"}, ""),
    Said("another language", [], {"x-fallback-locale": "en"}, ""),
    Said("a source", [], {"x-served-by": "fallback"}, "x-served-by: fallback"),
    Said("a warning", [], {"warning": '199 - "default response"'}, "warning: 199"),
    Said("a property", {"data": [], "degraded": True}, {}, "degraded: true"),
    Said("a property that denies it", {"data": [], "degraded": False}, {}, ""),
    Said("a nested property", {"data": [], "meta": {"source": "fallback"}}, {}, "meta.source: "),
    Said("words", {"data": [], "message": "Service not ready: degraded"}, {}, "message: Service"),
    Said("an array of words", {"data": [], "warnings": ["Circuit breaker is open"]}, {}, "warn"),
    Said("words that deny it", {"data": [], "message": "This is not a fallback."}, {}, ""),
    Said("a default list", {"data": [], "name": "default list"}, {}, ""),
]


@pytest.mark.parametrize("row", SAYINGS, ids=ids(SAYINGS))
def test_a_reply_says_that_it_is_a_fallback(row: Said):
    says = says_fallback(reply(200, row.content, headers=dict(row.headers)))
    assert says.startswith(row.says)
    assert bool(says) is bool(row.says)


def one_file(status: int) -> Probe:
    """A read of a file with a made-up identifier."""
    return at_path(FILE_PATH, status, {}, question=Question.FILE_PATH)


class Read(NamedTuple):
    """Reads of a list and of others beside it, and what speaks for a fallback."""

    name: str
    probes: Sequence[Probe]
    speaks: str


READS = [
    Read("an empty list", [listed(200, []), one_file(404)], ""),
    Read(
        "an empty list with words",
        [listed(200, [], headers=OPEN)],
        "its reply says x-circuit-state",
    ),
    Read("files with words", [listed(200, FILES, headers=OPEN)], ""),
    Read("files, and 503 beside", [listed(200, FILES), one_file(503)], ""),
    Read("503 to one file", [listed(200, []), one_file(503)], "gets 503 at the same time"),
    Read("504 to one file", [listed(200, []), one_file(504)], "gets 504 at the same time"),
    Read("500 to a made-up file", [listed(200, []), one_file(500)], ""),
    Read("503, then 404", [listed(200, []), one_file(503), one_file(404)], ""),
    Read(
        "503 to another path",
        [listed(200, []), at_path(OTHER_PATH, 503, {}, question=Question.LIST_PATH)],
        "gets 503 at the same time",
    ),
]


@pytest.mark.parametrize("row", READS, ids=ids(READS))
def test_an_empty_list_beside_what_fails_proves_nothing(row: Read):
    evidence = evidence_of(*row.probes, nowhere(404), made_up(401))
    tried = facts.places(evidence)
    speaks = what_speaks_for_fallback(evidence, tried)
    assert row.speaks in speaks
    assert bool(speaks) is bool(row.speaks)
    assert bool(why_not_sent(evidence)) is bool(row.speaks)
    assert is_upload_advised(evidence) is not bool(row.speaks)
    finding = list_path(evidence, tried)
    waits = "may come from a fallback while the service behind is away. Wait, run this again"
    assert (waits in finding.text) is bool(row.speaks)
    if row.speaks:
        assert finding.certainty is Certainty.NOT_PROVED
        assert "--upload" not in finding.text


class Without(NamedTuple):
    """A success without a list, whether it may be a fallback, and what is said of the path."""

    name: str
    content: Any
    headers: Mapping[str, str]
    is_fallback: bool
    says: str


WITHOUT = [
    Without(
        "an object that says so",
        {"fallback": True},
        {},
        True,
        "It replies 200 without files, and its re",
    ),
    Without(
        "an object with a header", {"ok": True}, OPEN, True, "It replies 200 without files, and"
    ),
    Without(
        "an object that denies it",
        {"fallback": False},
        {},
        False,
        "It has an object without an arr",
    ),
    Without("another object", {"files": "none"}, {}, False, "It has an object without an array"),
]


@pytest.mark.parametrize("row", WITHOUT, ids=ids(WITHOUT))
def test_an_object_without_a_list_may_come_from_a_fallback(row: Without):
    probe = listed(200, row.content, headers=row.headers)
    evidence = evidence_of(probe, nowhere(404), made_up(401))
    finding = list_path(evidence, facts.places(evidence))
    assert finding.text.startswith(row.says)
    assert bool(why_not_sent(evidence)) is row.is_fallback


@dataclass
class FallsBack(Uploads):
    """An account whose lists come from a fallback since the upload."""

    headers: Mapping[str, str] = field(default_factory=dict)

    def answer(self, call: Call) -> Reply | None:
        is_list = call.method == "GET" and call.path == FILES_PATH
        if is_list and self.name:
            return Reply(200, b"[]", {"Content-Type": "application/json", **self.headers})
        return super().answer(call)


def test_a_fallback_that_begins_after_an_upload_is_named():
    path = about(FallsBack(headers={"X-Fallback": "true"}).examine(), Topic.LIST_PATH)
    assert path.certainty is Certainty.NOT_PROVED
    assert "and its reply says x-fallback: true: it may come from a fallback" in path.text
    assert path.text.endswith("It was accepted: do not upload it again.")


def test_an_empty_list_after_an_upload_is_no_fallback_by_itself():
    path = about(FallsBack().examine(), Topic.LIST_PATH)
    assert "has no file at all" in path.text
