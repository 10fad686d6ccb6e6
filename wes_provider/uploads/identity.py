"""
Which upload this is, and the name that makes its file recognisable. Pure.

A name of ours is ``{hash}-g{generation}-{mark}-{file}-{dag}.{task}{suffix}``. The hash identifies the upload in every
attempt. The generation grows with each clear. The mark identifies this start of the DAG run, so that a run that was
deleted and created again is another one. A digest of the file follows, since a list may show no URLs. What matters
comes first, so it survives a service that cuts or lower-cases names.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

__all__ = ["GivenName", "TaskIdentity", "digest", "is_ours", "parse"]

LONGEST_NAME: Final = 60  # characters
HASH_LENGTH: Final = 16
DIGEST_LENGTH: Final = 6  # of mark and file
HASH: Final = re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}")
OURS: Final = re.compile(HASH.pattern + rf"[^0-9a-z]+g([0-9]+)[^0-9a-z]+([0-9a-f]{{{DIGEST_LENGTH}}})")
FILE: Final = re.compile(rf"[^0-9a-z]+([0-9a-f]{{{DIGEST_LENGTH}}})(?=[^0-9a-z])")
SHORTEST_CUT: Final = 8  # characters of the hash that still recognise a name that was cut


class GivenName(NamedTuple):
    """
    What a name of ours says of its upload.

    :ivar generation: -1 if it was cut off the name, together with the mark.
    :ivar mark: the mark of a start of the DAG run.
    :ivar file: a digest of what was uploaded; empty if it was cut off.
    """

    generation: int
    mark: str
    file: str = ""

    def same_upload(self, other: GivenName) -> bool:
        """Whether both are of one upload, whose URL may have changed in a retry."""
        return (self.generation, self.mark) == (other.generation, other.mark)


@dataclass(frozen=True)
class TaskIdentity:
    """
    One task instance, the same in each of its attempts.

    :ivar map_index: -1 for a task that is not mapped.
    :ivar iteration: the iteration of the loop (Airflow 3.4); ``None`` outside of loops.
    :ivar mark: the mark of this start of the DAG run and, in a loop, of this pass through it.
    :ivar run_cleared: whether tasks of the run may have been cleared; ``None`` if that is not known.
    """

    dag_id: str
    task_id: str
    run_id: str
    map_index: int
    iteration: int | None
    mark: str
    run_cleared: bool | None

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> TaskIdentity:
        """
        Read it from the context of a running task.

        :param context: Airflow's.
        """
        ti, run, loop = context["ti"], context.get("dag_run"), context.get("loop")
        started = getattr(run, "start_date", None)
        cleared = getattr(run, "clear_number", None)
        if cleared == 0 and ti.max_tries != context["task"].retries:
            cleared = None  # a clear changes max_tries, and before Airflow 3.3 not every one is counted
        region = [str(ti.region_id), ti.region_index] if loop is not None else []
        return cls(
            ti.dag_id,
            ti.task_id,
            ti.run_id,
            -1 if ti.map_index is None else ti.map_index,
            None if loop is None else loop.index,
            digest(int(started.timestamp()) if started else None, *region)[:DIGEST_LENGTH],
            None if cleared is None else cleared > 0,
        )

    def hash(self, part: str, map_index: int | None = None) -> str:
        """
        The hash that identifies an upload in its file's name.

        :param part: the part of the task instance's uploads.
        :param map_index: that of a sibling, instead of this instance's.
        """
        index = self.map_index if map_index is None else map_index
        loop = [] if self.iteration is None else [self.iteration]
        return digest(self.dag_id, self.task_id, self.run_id, index, part, *loop)

    def name(self, part: str, generation: int, path: str, file: str) -> str:
        """
        The name to send.

        :param part: the part of the task instance's uploads.
        :param generation: the generation of this upload.
        :param path: URL or path of the file, whose suffix the name keeps.
        :param file: a digest of what is uploaded.
        """
        suffix = PurePosixPath(urlsplit(path).path).suffix
        if not re.fullmatch(r"\.[A-Za-z0-9]{1,8}", suffix):
            suffix = ""
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", f"{self.dag_id}.{self.task_id}")
        name = f"{self.hash(part)}-g{generation}-{self.mark}-{file}-{readable}"
        return name[: LONGEST_NAME - len(suffix)] + suffix


def parse(expected: str, name: str) -> GivenName | None:
    """
    Recognise a name of an upload, even if the service has rewritten it.

    :param expected: :meth:`TaskIdentity.hash` of the upload.
    :param name: as a list shows it.
    :return: ``None`` if it belongs to another upload.
    """
    shown = name.lower()
    if expected not in shown:
        cut = len(shown) >= SHORTEST_CUT and expected.startswith(shown)
        return GivenName(-1, "") if cut else None
    match = OURS.match(shown, shown.index(expected))
    if match is None:
        return GivenName(-1, "")
    file = FILE.match(shown, match.end())
    return GivenName(int(match[1]), match[2], file[1] if file else "")


def is_ours(name: str) -> bool:
    """Whether a name is of the form that the provider gives, for whatever upload."""
    return OURS.search(name.lower()) is not None


def digest(*parts: object) -> str:
    """A short hash of JSON values."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:HASH_LENGTH]
