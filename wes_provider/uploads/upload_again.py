"""Uploads that a person has a cleared task repeat, one by one and once, in an Airflow Variable."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from wes_provider.uploads.identity import TaskIdentity

if TYPE_CHECKING:
    from wes_provider.uploads.attempt import Attempt
    from wes_provider.uploads.record import UploadRecord
    from wes_provider.uploads.request import UploadRequest

__all__ = ["VARIABLE", "UploadAgain", "advice"]

log = logging.getLogger(__name__)

MOST_KEYS: Final = 10  # that a message names

VARIABLE: Final = "wes_upload_again"
"""Keys of uploads, with spaces, commas or line ends between them. A key is that of one clear: the next has another."""


class UploadAgain:
    """
    What an attempt does about files of earlier ones: ``on_duplicate``, unless the Variable asks for an upload.

    :param attempt: the running one.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    def requested(self, request: UploadRequest, record: UploadRecord | None = None) -> bool:
        """
        Whether the Variable asks for an upload.

        :param request: the upload.
        :param record: the record of its last attempt, if there is one.
        """
        attempt = self._attempt
        last_try = attempt.max_tries - int(attempt.context["task"].retries)  # before the clear
        sent_since = record is not None and record.try_number > last_try
        return not sent_since and _key(attempt.identity, request.part, last_try) in self._keys

    def mode(self, request: UploadRequest, record: UploadRecord | None = None) -> str:
        """
        ``adopt``, ``upload`` or ``fail``.

        :param request: the upload.
        :param record: the record of its last attempt, if there is one.
        """
        return "upload" if self.requested(request, record) else self._attempt.on_duplicate

    def advice(self, request: UploadRequest) -> str:
        """What a person can do so that the next attempt uploads a file, whatever this one did."""
        return advice(self._attempt.context, self._attempt.on_duplicate, [request.part])

    @cached_property
    def _keys(self) -> frozenset[str]:
        """What the Variable holds; nothing if it cannot be read."""
        variables = self._attempt.context.get("var")
        if variables is None or not self._attempt.may_follow_another:
            return frozenset()
        try:
            return frozenset(re.split(r"[\s,;]+", str(variables["value"].get(VARIABLE, ""))))
        except Exception as error:
            log.warning("Variable %s cannot be read: %s", VARIABLE, type(error).__name__)
            return frozenset()


def advice(context: Any, on_duplicate: str, parts: Sequence[str]) -> str:
    """
    What a person can do so that the next attempt of a task uploads files again that were uploaded before.

    :param context: Airflow's, of the running attempt.
    :param on_duplicate: the task's argument.
    :param parts: the parts of the task's uploads, see :attr:`~wes_provider.uploads.request.UploadRequest.part`.
    """
    identity, try_number = TaskIdentity.of(context), context["ti"].try_number
    if on_duplicate == "upload":
        return "clear the task"
    if identity.iteration is not None:  # whose tries may be counted from 1 again
        return "set on_duplicate='upload' and clear the task"
    keys = ",".join(_key(identity, part, try_number) for part in parts[:MOST_KEYS])
    return f"put {keys} into the Variable {VARIABLE} and clear the task"


def _key(identity: TaskIdentity, part: str, try_number: int) -> str:
    return f"{identity.hash(part)}-try{try_number}"
