"""
Which upload this is, and the name that makes its file recognisable. Pure.

A name of ours is ``{hash}-g{generation}-{start}-{origin}{suffix}``, 23 or 24 characters and the
file's suffix. The hash says which file of which DAG run goes into which list of which workspace.
The generation grows with each clear of the task instance (unless its ``retries`` are lowered before
it), and the origin is the task instance. The start is that of the DAG run: Airflow moves it if the
run had ended and is cleared, and a run that is deleted and created again has another one. If the
file's URL has a query that counts, its hash stands behind the origin:
``{hash}-g{generation}-{start}-{origin}-{query}{suffix}``.

What differs between two names says what the two uploads have in common:

========================  ==========================================================
what differs              the two uploads are
========================  ==========================================================
nothing                   the same one, perhaps sent twice
``generation``            of one task instance, before and after a clear of it
``origin``                of two task instances, of the same file to the same list
``start``                 of one task instance, before and after its run was started
                          anew; or of two runs of one id, the first of which was
                          deleted
``hash``, ``query``       of different files, lists, runs or workspaces
========================  ==========================================================
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider.attempt import Attempt, digest

_OURS: Final = re.compile(
    r"([a-z2-7]{8})-g([0-9]+)-([a-z2-7]{4})-([a-z2-7]{6})(?:-([a-z2-7]{6})(?![a-z2-7]))?"
)
_OF_DOCTOR: Final = re.compile(r"wes-doctor-[0-9a-f]{14}-")
_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,8}")


class FileKey(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    What a file is, the same in each attempt.

    :ivar name: the user's name for it, else its URL without the query, or its place in storage.
    :ivar query: of a URL without a user's name, the query as far as it counts; else empty.
    """

    name: str
    query: str = ""


class UploadName(NamedTuple):
    """The parts of a name of ours, without the suffix; ``query`` is empty if no query counts."""

    hash: str
    generation: int
    start: str
    origin: str
    query: str = ""

    def __str__(self) -> str:
        text = f"{self.hash}-g{self.generation}-{self.start}-{self.origin}"
        return f"{text}-{self.query}" if self.query else text

    @property
    def file(self) -> str:
        """Which file of the run this is: the hash, and the hash of the query that counts."""
        return f"{self.hash}-{self.query}" if self.query else self.hash

    @property
    def subject(self) -> str:
        """What a person's decision about this upload is about: the file, and the task instance."""
        return f"{self.file}_{self.origin}"

    def is_of_same_attempts(self, other: UploadName) -> bool:
        """Tell whether both are of one task instance, in one run, since the same clear."""
        same_clear = self.generation == other.generation and self.start == other.start
        return same_clear and self.origin == other.origin


def name_upload(
    attempt: Attempt, workspace_id: str, coupon_list_id: str, file: FileKey
) -> UploadName:
    """
    Make the name of an upload.

    :param workspace_id: that of the list: a task may serve several.
    :param file: what the file is.
    """
    return UploadName(
        hash=digest(*attempt.run_parts, workspace_id, coupon_list_id, file.name)[:8],
        generation=attempt.generation,
        start=attempt.start,
        origin=attempt.origin,
        query=digest(file.query)[:6] if file.query else "",
    )


def suffix_of(path: str) -> str:
    """Return the suffix of a file that its name keeps, such as ``.csv``; empty if it has none."""
    suffix = PurePosixPath(path).suffix
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def parse(name: Any) -> UploadName | None:
    """Read a name that a list shows, ignoring case and suffix; ``None`` for any other name."""
    if not isinstance(name, str):
        return None
    match = _OURS.match(name.strip().lower())
    if match is None:
        return None
    hash_, generation, start, origin, query = match.groups()
    return UploadName(hash_, int(generation), start, origin, query or "")


def is_made_by_provider(name: str) -> bool:
    """Tell whether only this provider gives such a name: to an upload, or to wes-doctor's."""
    is_of_doctor = _OF_DOCTOR.match(name.strip().lower()) is not None
    return is_of_doctor or parse(name) is not None
