"""What the doctor finds in replies: short names for the replies, and what is said of a topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from support.doctor_replies import MOMENT, SETTINGS, error_body, evidence_of, reply, request_for
from support.doctor_service import LIST, WORKSPACE, record
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence
from wes_provider.doctor.replies.probes import Keys, Probe, Question

FILES = [record("f1"), record("f2")]
UNAUTHENTICATED = error_body("request-unauthenticated", "Credentials are missing or invalid.")
FORBIDDEN = error_body("forbidden", "Not you.")
NOT_FOUND = error_body("not-found", "Nothing is here.")
CONTENTS = {200: [], 401: UNAUTHENTICATED, 403: FORBIDDEN, 404: NOT_FOUND}
PAGE = "<html><title>Hello</title>"
DATA_READ = requests.read_segment(SETTINGS, MADE_UP)
LIST_AT = "/v1/coupon-list/spring/files"


class Said(NamedTuple):
    """How certain a finding is, and its whole text."""

    certainty: Certainty
    text: str

    @classmethod
    def of(cls, finding: Finding) -> Said:
        return cls(finding.certainty, finding.text)


def said_of(topic: Topic, findings: Iterable[Finding]) -> list[Said]:
    """What is said of a topic."""
    return [Said.of(finding) for finding in findings if finding.topic is topic]


def numbers_of(finding: Finding, probes: Sequence[Probe]) -> list[int]:
    """The places of the reads that a finding rests on, among all reads."""
    return [
        next(number for number, probe in enumerate(probes) if probe is found)
        for found in finding.probes
    ]


class RestsOn(NamedTuple):
    """
    Reads by a name for each, in their order, and the names of those that a finding rests on, in
    its order.
    """

    name: str
    reads: Mapping[str, Probe]
    rests_on: Sequence[str]

    def check(self, conclude: Callable[[Evidence], Finding]) -> None:
        """The finding rests on these reads."""
        finding = conclude(evidence_of(*self.reads.values()))
        names = {id(probe): name for name, probe in self.reads.items()}
        assert [names[id(probe)] for probe in finding.probes] == [*self.rests_on]


def by_status(status: int, content: Any) -> Any:
    """The content that is given, or else one that a service sends with this status."""
    if content is None:
        return CONTENTS.get(status, b"")
    return content


def listed(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    """The read of the list."""
    return reply(status, content, **more)


def again(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    """The same read once more."""
    return reply(status, content, question=Question.AGAIN, **{"sent_at": MOMENT + 60, **more})


def nowhere(status: int = 404, content: Any = None, **more: Any) -> Probe:
    """The read of a path that does not exist."""
    return reply(status, by_status(status, content), question=Question.NO_SUCH_PATH, **more)


def made_up(status: int = 401, content: Any = None, **more: Any) -> Probe:
    """The read of the list with a made-up key."""
    return reply(status, by_status(status, content), question=Question.MADE_UP_KEY, **more)


def segment(status: int = 404, content: Any = None, **more: Any) -> Probe:
    """The read of a segment with the data key."""
    return reply(status, by_status(status, content), question=Question.DATA_KEY, **more)


def segment_again(status: int = 404, content: Any = None, **more: Any) -> Probe:
    """The same read of a segment once more."""
    return again(status, by_status(status, content), **{"request": DATA_READ, **more})


def made_up_segment(status: int = 401, content: Any = None, **more: Any) -> Probe:
    """The read of a segment with a made-up key."""
    return reply(status, by_status(status, content), question=Question.MADE_UP_DATA_KEY, **more)


def data_key_on_list(status: int = 200, content: Any = None, **more: Any) -> Probe:
    """The read of the list with the data key."""
    return reply(
        status,
        by_status(status, content),
        question=Question.SWAPPED_KEYS,
        keys=Keys.SWAPPED,
        **more,
    )


def campaign_key_on_segment(status: int = 404, content: Any = None, **more: Any) -> Probe:
    """The read of a segment with the campaign key."""
    return data_key_on_list(status, content, **{"request": DATA_READ, **more})


def one_file(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    """The read of one file."""
    return reply(status, content, question=Question.FILE_PATH, **more)


def with_headers(names: str, status: int = 200, content: Any = None, **more: Any) -> Probe:
    """
    The read of the list with the workspace in other headers, in place of the connection's.

    :param names: of the headers, with spaces between.
    """
    request = _list_in_headers(dict.fromkeys(names.split(), WORKSPACE))
    given = {"question": Question.HEADER, "request": request, "tried": names, **more}
    if content is None and status == 200:
        content = FILES
    return reply(status, by_status(status, content), **given)


def with_headers_besides(names: str, status: int = 200, content: Any = None) -> Probe:
    """The read of the list with the workspace in other headers besides the connection's."""
    in_all = dict.fromkeys([SETTINGS.workspace_header, *names.split()], WORKSPACE)
    request = _list_in_headers(in_all)
    return with_headers(names, status, content, question=Question.HEADER_BESIDES, request=request)


def with_made_up_value(name: str, status: int = 401, content: Any = None) -> Probe:
    """The read of the list with a made-up value in another header than the connection's."""
    request = _list_in_headers({name: MADE_UP})
    return with_headers(name, status, content, question=Question.HEADER_VALUE, request=request)


def _list_in_headers(headers: Mapping[str, str]) -> Request:
    request = request_for(Question.LIST)
    usual = dict(request.headers)
    del usual[SETTINGS.workspace_header]
    return request._replace(headers={**usual, **headers})


def made_up_list(status: int = 404, content: Any = None, **more: Any) -> Probe:
    """The read of a list that does not exist."""
    return reply(status, by_status(status, content), question=Question.MADE_UP_LIST, **more)


def at_path(
    path: str,
    status: int = 200,
    content: Any = b"",
    question: Question = Question.LIST_PATH,
    **more: Any,
) -> Probe:
    """The read of the list, or of one file, at another path."""
    given = {"request": request_for(question, path=path), **more}
    return reply(status, content, question=question, tried=path, **given)


def redirected(location: str, status: int = 302, **more: Any) -> Probe:
    """A redirect of the list."""
    return reply(status, headers={"location": location}, **more)


def lost(problem: str = "ReadTimeout", **more: Any) -> Probe:
    """A read without a response."""
    return reply(0, problem=problem, **more)


def ids(rows: Sequence[Any]) -> list[str]:
    """The names of a table's rows."""
    return [row.name for row in rows]


__all__ = [
    "DATA_READ",
    "FILES",
    "FORBIDDEN",
    "LIST",
    "LIST_AT",
    "NOT_FOUND",
    "PAGE",
    "UNAUTHENTICATED",
    "RestsOn",
    "Said",
    "again",
    "at_path",
    "by_status",
    "campaign_key_on_segment",
    "data_key_on_list",
    "ids",
    "listed",
    "lost",
    "made_up",
    "made_up_list",
    "made_up_segment",
    "nowhere",
    "numbers_of",
    "one_file",
    "redirected",
    "said_of",
    "segment",
    "segment_again",
    "with_headers",
    "with_headers_besides",
    "with_made_up_value",
]
