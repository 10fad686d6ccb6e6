"""Whether a task was cleared so that some of its files are uploaded again, whatever ``on_duplicate`` says."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from wes_provider.exceptions import WesError
from wes_provider.models import CouponFile
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.earlier import EarlierUploads
from wes_provider.uploads.file_reader import current
from wes_provider.uploads.request import UploadRequest

__all__ = ["Repair"]

log = logging.getLogger(__name__)


class Repair:
    """
    Looks for files to be uploaded again among all files of a task.

    :param attempt: the running one.
    :param requests: all uploads of the task instance.
    :param earlier: finds the files of earlier attempts.
    :ivar statuses: the statuses of the files that were read, by part.
    """

    def __init__(self, attempt: Attempt, requests: Sequence[UploadRequest], earlier: EarlierUploads) -> None:
        self._attempt = attempt
        self._requests = requests
        self._earlier = earlier
        self.statuses: dict[str, str] = {}

    @property
    def wanted(self) -> bool:
        """Whether there is such a file. It is found out once, also if the attempt defers."""
        if self._attempt.repairs is None:
            self._attempt.repairs = any(map(self._wanted, self._requests))
        return self._attempt.repairs

    def _wanted(self, request: UploadRequest) -> bool:
        """Whether a file failed before the clear, as the service reports it, or the Variable has its key."""
        attempt = self._attempt
        record = attempt.records.load(request.coupon_list_id, request.part)
        if attempt.again.requested(request, record):
            return True
        generation = attempt.generation(record)
        try:
            found, _ = self._earlier.find(request, record, generation)
            if found is None or found.generation == generation:
                return False
            file = current(attempt, request, CouponFile.from_summary(found.file or {}), attempt.listed_by)
        except WesError as error:
            log.warning("%s\n%s", request.headline("Whether it failed is not known"), error)
            return False
        self.statuses[request.part] = file.status
        return attempt.failed(file)
