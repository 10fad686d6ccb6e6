"""An uploaded file, and files of a list, made by hand, and rows of what is concluded from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.file_conclusions import (
    conclude_from_list,
    conclude_from_upload,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Places, file_at, list_at
from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.writes.upload import Followed
from wes_provider.settings import WesSettings

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN = Certainty.NOT_SHOWN
SETTINGS = WesSettings("https://api.example.com", "acme", "campaign-key", "data-key")
WITH_LIVE_AS_SUCCESS = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(success=frozenset({"LIVE", "SUCCESS"}))
)
FILE_PATH, LIST_PATH = SETTINGS.coupon_file_path, SETTINGS.coupon_files_path
LIST = "spring"
NAME = "Wes-Doctor-1234567890-nnnn.csv"
THREE_ADDED = {"coupons_added": 3, "coupons_duplicate": 1}
NONE_ADDED = {"coupons_added": 0, "coupons_duplicate": 0}


def rec(file_id: str, status: str, **more: Any) -> dict[str, Any]:
    """A record without counts, unless more is given."""
    return {"_id": file_id, "status": status, **more}


def probe(request: Request, content: Any, took: float = 0.1) -> Probe:
    body = json.dumps(content).encode()
    response = Response(200, {"content-type": "application/json"}, body)
    return Probe(Question.FOLLOW, request, response=response, took=took)


def followed(
    record: Mapping[str, Any],
    statuses: Sequence[str] = ("PENDING",),
    others: Sequence[Mapping[str, Any]] = (),
    before: Sequence[Mapping[str, Any]] | None = None,
    listed: bool = True,
    in_list: Mapping[str, Any] | None = None,
    alone: bool = True,
    partial: bool = False,
    problem: str = "",
    after: float = 4.0,
    unlisted: float = 0.0,
    took: float = 0.1,
) -> Followed:
    """
    An uploaded file that was followed for 20 s, or until the list had it, if that is later: by
    default from PENDING to the status of its record, which its own path and, after 4 s, the list
    have.

    :param statuses: that came before the last one.
    :param problem: why its end was not seen; empty if it was.
    :param before: the files that the list had before; by default ``others``.
    :param listed: whether the list has the file; ``in_list``: how, if not as its own path has it.
    :param alone: whether a path of its own has it.
    :param partial: whether the list announces more files.
    :param after: seconds after which the list had it; ``unlisted``: after which it still had not.
    """
    record = {"name": NAME, **record}
    file = file_of(record)
    assert file is not None
    content: Any = [*others]
    if listed:
        content = [*others, {"name": NAME, **(in_list or record)}]
    if partial:
        content = {"data": content, "total": 99}
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), content, took)}
    files = {}
    if alone:
        files = {FILE_PATH: probe(file_at(SETTINGS, FILE_PATH, LIST, file.id), record)}
    if file.status and file.status not in statuses[-1:]:
        statuses = [*statuses, file.status]
    if before is None:
        before = others
    known = [file_of(other) for other in before]
    seen_after = None
    if listed:
        seen_after = after
    return Followed(
        file,
        Places(lists, files, file.id, file.id),
        before=[other for other in known if other is not None],
        statuses=tuple(statuses),
        listed_after=seen_after,
        unlisted_after=unlisted,
        waited=max(20.0, after),
        problem=problem,
    )


class SaidOfFiles(NamedTuple):
    """
    What is said of a topic.

    :ivar new: what the extra has besides the usual values: statuses by their list, and names of
        counts. It is proved if the finding is sure or wrong, and else a guess.
    :ivar guessed: what a finding that is sure or wrong only guesses.
    """

    certainty: Certainty
    text: str
    new: Mapping[str, Any] = {}
    needs_action: bool = False
    guessed: Mapping[str, Any] = {}

    @classmethod
    def of(cls, finding: Finding) -> SaidOfFiles:
        """Read it from a finding."""
        proved, guessed = _new_in(finding.settings), _new_in(finding.guesses)
        if finding.certainty not in (SURE, WRONG):
            assert finding.settings == {}
            return cls(finding.certainty, finding.text, guessed, finding.needs_action)
        guessed = {name: guessed[name] for name in guessed if guessed[name] != proved.get(name)}
        return cls(finding.certainty, finding.text, proved, finding.needs_action, guessed)


def _new_in(values: Mapping[str, Any]) -> dict[str, Any]:
    """What values of the extra have besides the usual ones."""
    new: dict[str, Any] = {}
    for name, value in values.items():
        if name.startswith("coupon_file_statuses."):
            kind = name.partition(".")[2]
            added = sorted({*value} - getattr(Statuses(), kind))
            if added:
                new[kind] = added
        elif value != "":
            new[name] = value
    return new


class UploadCase(NamedTuple):
    """A file that was uploaded and followed, and what is said of one topic."""

    name: str
    followed: Followed
    said: SaidOfFiles
    settings: WesSettings = SETTINGS

    def check(self, topic: Topic) -> None:
        """The finding about the topic says this, word for word."""
        findings = conclude_from_upload(self.settings, self.followed, NAME)
        assert [SaidOfFiles.of(finding) for finding in findings if finding.topic is topic] == [
            self.said
        ]


class ListCase(NamedTuple):
    """The files of a list, and what is said of one topic."""

    name: str
    records: Sequence[Mapping[str, Any]]
    said: SaidOfFiles
    settings: WesSettings = SETTINGS

    def check(self, topic: Topic) -> None:
        """The finding about the topic says this, word for word."""
        lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), self.records)}
        findings = conclude_from_list(self.settings, Places(lists, {}))
        assert [SaidOfFiles.of(finding) for finding in findings if finding.topic is topic] == [
            self.said
        ]
