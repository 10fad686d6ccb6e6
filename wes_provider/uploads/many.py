"""Many uploads to one list in one attempt, and how far they are."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from airflow.providers.common.compat.sdk import TaskDeferred

from wes_provider.exceptions import WesError
from wes_provider.models import shorten
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.identity import digest
from wes_provider.uploads.rate_limiter import seconds_for
from wes_provider.uploads.uploader import Uploader

if TYPE_CHECKING:
    from wes_provider.models import CouponFile
    from wes_provider.uploads.request import UploadRequest

__all__ = ["ManyUploads"]

log = logging.getLogger(__name__)

XCOM_KEY: Final = "coupon_files"


class ManyUploads(Attempt):
    """
    An attempt of a task that uploads many files.

    Before each wait, the files uploaded since the last one go to an XCom of their own, ``coupon_files_1`` and so on.
    To push or to read all of them for each wait would cost the square of their number. A deferral carries how many
    there are. After the last upload, and after an error, all of them go to ``coupon_files``.

    :param requests: all uploads, in their order.
    """

    def __init__(
        self, task: Any, context: Any, requests: Sequence[UploadRequest], state: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(task, context, state)
        self._requests = requests
        self._uploaded: dict[str, dict[str, Any]] = {}
        self._new: list[dict[str, Any]] = []  # since the last push
        before = (state or {}).get("uploaded", {})
        self._xcoms: int = before.get("xcoms", 0)
        self._unread: int = before.get("files", 0)  # of the first requests; their files are in these XComs alone
        if state is not None and before.get("parts") != digest(*self._parts):  # `files` has changed since the deferral
            self._repeated = not before
            self._read_xcoms()

    @property
    def summaries(self) -> list[dict[str, Any]]:
        """The files uploaded so far, in their order."""
        self._read_xcoms()
        return [self._uploaded[request.part] for request in self._requests if request.part in self._uploaded]

    @property
    def sent_at(self) -> list[float]:
        """When they were sent, epoch seconds."""
        return [file["sent_at"] for file in self.summaries]

    @property
    def state(self) -> dict[str, Any]:
        """What a deferral carries."""
        parts = self._parts
        return {**super().state, "uploaded": {"xcoms": self._xcoms, "files": len(parts), "parts": digest(*parts)}}

    @property
    def _parts(self) -> list[str]:
        """The parts of the requests that are uploaded."""
        return [r.part for index, r in enumerate(self._requests) if index < self._unread or r.part in self._uploaded]

    def upload(self) -> None:
        """Upload what is not uploaded yet."""
        uploader = Uploader(self, self._requests)
        try:
            for request in self._pending():
                with self._placing(request):
                    uploader.upload(request)
        except TaskDeferred:
            raise
        except BaseException:
            self._push_all()
            raise
        self._push_all()

    def _pending(self) -> Iterator[UploadRequest]:
        """The requests that are not uploaded yet; in the end those, too, whose XCom was deleted during a deferral."""
        yield from (request for request in self._requests[self._unread :] if request.part not in self._uploaded)
        self._read_xcoms()
        yield from (request for request in self._requests if request.part not in self._uploaded)

    @contextmanager
    def _placing(self, request: UploadRequest) -> Iterator[None]:
        """Have an error say which of the files it is about."""
        try:
            yield
        except WesError as error:
            place, total = self._requests.index(request) + 1, len(self._requests)
            before = len(self._parts) - (request.part in self._uploaded)
            error.add(f"File {place} of {total}: {before} uploaded before it, {total - before - 1} not tried")
            raise

    def known(self, request: UploadRequest, file: CouponFile, sent_at: float) -> None:
        """Keep a file, to be pushed with the others."""
        self._uploaded[request.part] = {**file.summary(), "file_url": request.label, "sent_at": sent_at}
        self._new.append(self._uploaded[request.part])

    def pausing(self) -> None:
        """Push the files since the last push and log the progress."""
        if self._new:
            self._xcoms += 1
            self.context["ti"].xcom_push(key=f"{XCOM_KEY}_{self._xcoms}", value=self._new)
            self._new = []
        self._log_progress()

    def _push_all(self) -> None:
        self.context["ti"].xcom_push(key=XCOM_KEY, value=self.summaries)
        self._log_progress()

    def _log_progress(self) -> None:
        uploaded = len(self._parts)
        left = len(self._requests) - uploaded
        seconds = seconds_for(left, self.limiter, self.clock.time()) if left else 0.0
        more = f"; the rest takes about {timedelta(seconds=round(seconds))}" if seconds >= 1 else ""
        name = shorten(self.task.coupon_list_id, 30)
        log.info("List %s: %d of %d uploaded%s", name, uploaded, len(self._requests), more)

    def _read_xcoms(self) -> None:
        """Read the files that were uploaded before a deferral, if that has not been done."""
        if not self._unread:
            return
        ti, expected, self._unread = self.context["ti"], self._unread, 0
        files: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for number in range(1, self._xcoms + 1):
            pushed = ti.xcom_pull(task_ids=ti.task_id, key=f"{XCOM_KEY}_{number}", map_indexes=ti.map_index)
            for file in pushed or ():
                files[file["file_url"]].append(file)
        self._repeated |= sum(map(len, files.values())) < expected
        for request in self._requests:
            if files[request.label] and request.part not in self._uploaded:
                self._uploaded[request.part] = files[request.label].pop(0)
