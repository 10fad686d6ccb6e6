"""
Which upload this is, and the name that makes its file recognisable. Pure.

A name of ours is ``{hash}-g{generation}-{start}-{origin}{suffix}``, 23 or 24 characters and the
file's suffix. The hash says which file of which DAG run goes into which list of which workspace.
The generation grows with each clear, the start tells a DAG run from one of the same id that was
deleted, and the origin is the task instance.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

__all__ = ["TaskInstance", "UploadName", "parse"]

_OURS: Final = re.compile(r"([a-z2-7]{8})-g([0-9]+)-([a-z2-7]{4})-([a-z2-7]{6})")
_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,8}")


class UploadName(NamedTuple):
    """What a name of ours says; all parts but the suffix."""

    hash: str
    generation: int
    start: str
    origin: str

    def __str__(self) -> str:
        return f"{self.hash}-g{self.generation}-{self.start}-{self.origin}"


class TaskInstance(NamedTuple):
    """
    A running task instance.

    :ivar run: the DAG, the run and, on Airflow 3.4, the iteration of a loop.
    :ivar origin: a hash of the task instance.
    :ivar generation: grows with each clear of the task instance.
    :ivar start: a hash of the time at which the run started.
    :ivar run_cleared: whether tasks of the run were cleared; ``None`` if Airflow does not say.
    :ivar last_try: the last one before the clear; 0 if there was none.
    :ivar run_id: which a user's name may hold.
    """

    run: tuple[Any, ...]
    origin: str
    generation: int
    start: str
    run_cleared: bool | None
    try_number: int
    last_try: int
    run_id: str

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> TaskInstance:
        """Read it from Airflow's context."""
        ti, run, loop = context["ti"], context.get("dag_run"), context.get("loop")
        started = getattr(run, "start_date", None)
        cleared = getattr(run, "clear_number", None)
        if cleared == 0 and ti.max_tries != context["task"].retries:
            # A clear changes max_tries, and before Airflow 3.3 not every one is counted.
            cleared = None
        of_run = (ti.dag_id, ti.run_id, None if loop is None else loop.index)
        map_index = -1 if ti.map_index is None else ti.map_index
        return cls(
            of_run,
            _digest(*of_run, ti.task_id, map_index)[:6],
            ti.max_tries,
            _digest(int(started.timestamp()) if started else None)[:4],
            None if cleared is None else cleared > 0,
            ti.try_number,
            ti.max_tries - int(context["task"].retries),
            ti.run_id,
        )

    @property
    def first_since_clear(self) -> bool:
        """Whether this is the first try since the task instance was cleared, or at all."""
        return self.try_number == self.last_try + 1

    def upload(self, workspace_id: str, coupon_list_id: str, key: str) -> UploadName:
        """
        The name of an upload.

        :param workspace_id: that of the list: a task may serve several.
        :param key: what the file is: its user's name, else its URL without query, or its place in
            storage.
        """
        hash_ = _digest(*self.run, workspace_id, coupon_list_id, key)[:8]
        return UploadName(hash_, self.generation, self.start, self.origin)


def suffix_of(path: str) -> str:
    """The suffix of a file that its name keeps, such as ``.csv``; empty if there is none."""
    suffix = PurePosixPath(path).suffix
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def parse(name: Any) -> UploadName | None:
    """
    Read a name as a list shows it, whatever its case and its end; ``None`` if it is none of ours.
    """
    match = _OURS.match(name.strip().lower()) if isinstance(name, str) else None
    return UploadName(match[1], int(match[2]), match[3], match[4]) if match else None


def _digest(*parts: object) -> str:
    """
    A hash of JSON values, in small letters and digits: a service may change the case of names.
    """
    return base64.b32encode(hashlib.sha256(json.dumps(parts).encode()).digest()).decode().lower()
