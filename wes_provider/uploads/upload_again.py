"""Uploads that a person has a cleared task repeat, one by one and once, in an Airflow Variable."""

from __future__ import annotations

import logging
import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wes_provider.uploads.attempt import Attempt
    from wes_provider.uploads.record import UploadRecord
    from wes_provider.uploads.request import UploadRequest

__all__ = ["VARIABLE", "UploadAgain"]

log = logging.getLogger(__name__)

VARIABLE: Final = "wes_upload_again"
"""Keys of uploads, with spaces, commas or line ends between them. A key is that of one clear: the next has another."""


class UploadAgain:
    """
    What an attempt does about files of earlier ones: ``on_duplicate``, unless the Variable asks for an upload.

    :param attempt: the running one.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    def mode(self, request: UploadRequest, record: UploadRecord | None = None) -> str:
        """
        ``adopt``, ``upload`` or ``fail``.

        :param request: the upload.
        :param record: of its last attempt, if there is one.
        """
        attempt = self._attempt
        last_try = attempt.max_tries - int(attempt.context["task"].retries)  # before the clear
        sent_since = record is not None and record.try_number > last_try
        asked = not sent_since and self._key(request, last_try) in self._keys
        return "upload" if asked else attempt.on_duplicate

    def advice(self, request: UploadRequest) -> str:
        """What a person can do so that the next attempt uploads a file, whatever this one did."""
        attempt = self._attempt
        if attempt.on_duplicate == "upload":
            return "clear the task"
        if attempt.identity.iteration is not None:  # whose tries may be counted anew
            return "set on_duplicate='upload' and clear the task"
        return f"put {self._key(request, attempt.try_number)} into the Variable {VARIABLE} and clear the task"

    def _key(self, request: UploadRequest, try_number: int) -> str:
        return f"{self._attempt.identity.hash(request.part)}-try{try_number}"

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
