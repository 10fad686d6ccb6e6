"""Many uploads to one list in one attempt, and how far they are."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from wes_provider.exceptions import WesError
from wes_provider.models import shorten
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.rate_limiter import seconds_for
from wes_provider.uploads.uploader import Uploader

if TYPE_CHECKING:
    from wes_provider.models import CouponFile
    from wes_provider.uploads.request import UploadRequest

__all__ = ["ManyUploads"]

log = logging.getLogger(__name__)


class ManyUploads(Attempt):
    """
    An attempt of a task that uploads many files.

    What is uploaded goes to the XCom ``coupon_files`` before each wait, and is read from there after a deferral.

    :param requests: all uploads, in their order.
    """

    def __init__(
        self, task: Any, context: Any, requests: Sequence[UploadRequest], state: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(task, context, state)
        self._requests = requests
        self._uploaded: dict[str, dict[str, Any]] = {}
        if state is not None:
            self._resume()

    @property
    def summaries(self) -> list[dict[str, Any]]:
        """The files uploaded so far, in their order."""
        return [self._uploaded[request.part] for request in self._requests if request.part in self._uploaded]

    @property
    def sent_at(self) -> list[float]:
        """When they were sent, epoch seconds."""
        return [file["sent_at"] for file in self.summaries]

    def upload(self) -> None:
        """Upload what is not uploaded yet."""
        uploader = Uploader(self, self._requests)
        try:
            for request in self._requests:
                if request.part not in self._uploaded:
                    with self._placing(request):
                        uploader.upload(request)
        finally:
            self.pausing()

    @contextmanager
    def _placing(self, request: UploadRequest) -> Iterator[None]:
        """Have an error say which of the files it is about."""
        try:
            yield
        except WesError as error:
            place, total = self._requests.index(request) + 1, len(self._requests)
            before = len(self._uploaded) - (request.part in self._uploaded)
            error.add(f"File {place} of {total}: {before} uploaded before it, {total - before - 1} not tried")
            raise

    def known(self, request: UploadRequest, file: CouponFile, sent_at: float) -> None:
        """Keep a file, to be pushed with the others."""
        self._uploaded[request.part] = {**file.summary(), "file_url": request.label, "sent_at": sent_at}

    def pausing(self) -> None:
        """Push the files so far and log the progress."""
        files = self.summaries
        self.context["ti"].xcom_push(key="coupon_files", value=files)
        left = len(self._requests) - len(files)
        seconds = seconds_for(left, self.limiter, self.clock.time()) if left else 0.0
        more = f"; the rest takes about {timedelta(seconds=round(seconds))}" if seconds >= 1 else ""
        name = shorten(self.task.coupon_list_id, 30)
        log.info("List %s: %d of %d uploaded%s", name, len(files), len(self._requests), more)

    def _resume(self) -> None:
        ti = self.context["ti"]
        pushed = ti.xcom_pull(task_ids=ti.task_id, key="coupon_files", map_indexes=ti.map_index)
        files = list(pushed) if isinstance(pushed, (list, tuple)) else []
        for request in self._requests:
            file = next((file for file in files if file["file_url"] == request.label), None)
            if file is not None:
                files.remove(file)
                self._uploaded[request.part] = file
