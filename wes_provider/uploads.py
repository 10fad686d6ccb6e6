"""
At most one upload, whatever crashes.

The service has no idempotency key (contract section 4.1), so an upload is made recognisable instead: it gets a
name that no other task instance gives, an intent is stored before it and its identifier after it, and what
cannot be known from these is read from the list's files.
"""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from wes_provider.exceptions import (
    WesConnectionError,
    WesCouponFileFailedError,
    WesDuplicateError,
    WesError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile, redact_url
from wes_provider.polling import Statuses

__all__ = ["ON_DUPLICATE", "Upload", "UploadOnce", "Uploaded"]

log = logging.getLogger(__name__)

ON_DUPLICATE: Final = ("adopt", "upload", "fail")
NAME_PREFIX: Final = 80  # characters of DAG, task and run in a name; the hash behind it makes it unique
LOOK_AGAIN: Final = 1.0  # seconds between looks at a list that may lag, growing with the time waited


@dataclass(frozen=True)
class Upload:
    """
    One upload that a task instance is to make.

    :ivar fields: of :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`, without those that are not given.
    :ivar part: tells the uploads of one task instance apart, the same in every attempt; empty for an only one.
    """

    coupon_list_id: str
    fields: Mapping[str, Any]
    part: str = ""


@dataclass(frozen=True)
class Uploaded:
    """
    :ivar at: of the upload, or of the attempt to make it, epoch seconds.
    :ivar adopted: whether an earlier attempt had uploaded it.
    """

    file: CouponFile
    at: float
    adopted: bool


@dataclass
class _Record:
    """What is stored of an upload; JSON. Without ``file`` it is an intent."""

    generation: int
    name: str
    asked_at: float
    known: list[str] | None
    file: dict[str, Any] | None = None


class UploadOnce:
    """
    Makes the uploads of one task instance, each at most once.

    :param context: of the running task instance.
    :param on_duplicate: ``adopt``, ``upload`` or ``fail``, what a cleared or repeated task instance does with the
        file that an earlier attempt uploaded.
    :param statuses: which status of an adopted file means failure.
    """

    def __init__(
        self,
        hook: WesHook,
        context: Mapping[str, Any],
        *,
        on_duplicate: str,
        statuses: Statuses,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.hook = hook
        self.on_duplicate = on_duplicate
        self.statuses = statuses
        self._sleep = sleep
        self._store = context.get("task_state_store")  # Airflow 3.3 and later
        ti = context["ti"]
        self._generation: int = ti.max_tries  # grows when a user clears the task, not when Airflow retries it
        self._first_attempt = ti.try_number <= 1
        self._identity = (ti.dag_id, ti.task_id, ti.run_id, str(ti.map_index))

    def upload(self, upload: Upload) -> Uploaded:
        """
        Upload a file, or find the one that an earlier attempt of this task instance uploaded.

        :raises WesUnknownOutcomeError: where it cannot be known whether an upload took effect.
        :raises WesCouponFileFailedError: where the file of an earlier attempt failed processing.
        :raises WesDuplicateError: where there is a file of an earlier attempt, and ``on_duplicate`` is ``fail``.
        """
        earlier = self._earlier(upload)
        if earlier is not None:
            return earlier
        return self._upload(upload)

    # -- what earlier attempts left --

    def _earlier(self, upload: Upload) -> Uploaded | None:
        record = self._load(upload)
        if record is not None and record.generation != self._generation and self.on_duplicate == "upload":
            log.info("on_duplicate is 'upload' and the task was cleared: uploading anew")
            return None
        if record is not None and record.file is not None:
            return self._adopt(upload, CouponFile.from_summary(record.file), record.asked_at)
        if record is not None:
            log.warning("An earlier attempt ended in the middle of its upload; looking for it in the list")
            found = self._settle(upload, record, record.asked_at)
        elif self._first_attempt or (self._store is not None and "name" in upload.fields):
            return None
        else:
            record = _Record(self._generation, self._name(upload), time.time(), known=None)
            # Where Airflow has a store, an attempt that left no intent sent nothing, and one look is enough.
            since = record.asked_at if self._store is None else 0.0
            log.info("This is not the first attempt: looking in the list for a file of an earlier one")
            found = self._settle(upload, record, since)
        if found is None:
            log.info("No earlier attempt uploaded the file")
            return None
        self._save(upload, record, found)
        return self._adopt(upload, found, record.asked_at)

    def _adopt(self, upload: Upload, file: CouponFile, at: float) -> Uploaded:
        way = (
            "on_duplicate='upload' and clearing the task uploads it anew"
            if self.on_duplicate != "upload"
            else "clear the task to upload it anew"
        )
        if self.on_duplicate == "fail":
            raise WesDuplicateError(
                f"on_duplicate is 'fail', and an earlier attempt of this task uploaded coupon file {file.id} to list "
                f"{upload.coupon_list_id}; 'adopt' takes it, and {way}"
            )
        log.info(
            "Adopting coupon file %s of list %s, which an earlier attempt of this task uploaded; %s",
            file.id,
            upload.coupon_list_id,
            way,
        )
        try:
            file = self._file(upload, self.hook.get_coupon_file(upload.coupon_list_id, file.id))
        except WesResponseError as error:
            # That it was accepted is known, whatever the path to read it, which the contract does not show.
            log.warning("Its status cannot be read: %s", error)
        if file.status.strip().upper() in self.statuses.failure:
            raise WesCouponFileFailedError(
                f"coupon file {file.id} of list {upload.coupon_list_id}, which an earlier attempt of this task "
                f"uploaded, failed processing with status {file.status}; mend the file, then {way}",
                file.summary(),
            )
        return Uploaded(file, at, adopted=True)

    # -- a new upload --

    def _upload(self, upload: Upload) -> Uploaded:
        known = self._same_before(upload) if "name" in upload.fields else []
        for attempt in range(1, self.hook.settings.max_attempts + 1):
            record = _Record(self._generation, self._name(upload), time.time(), known)
            self._save(upload, record)
            try:
                answer = self.hook.upload_coupon_file(upload.coupon_list_id, **{**upload.fields, "name": record.name})
            except WesUnknownOutcomeError as error:
                log.warning("%s; looking for the file in the list", error)
                found = self._settle(upload, record, time.time(), because=error)
                if found is None:
                    log.warning("Attempt %d to upload the file took no effect", attempt)
                    continue
            except WesError:
                self._forget(upload)  # refused, or never sent
                raise
            else:
                found = self._file(upload, answer)
            self._save(upload, record, found)
            log.info("Uploaded coupon file %s to list %s, named %s", found.id, upload.coupon_list_id, record.name)
            return Uploaded(found, record.asked_at, adopted=False)
        raise WesConnectionError(
            f"{self.hook.settings.max_attempts} attempts to upload the file to list {upload.coupon_list_id} got no "
            "answer, and took no effect: the list does not have it"
        )

    def _same_before(self, upload: Upload) -> list[str] | None:
        """Files that already have the user's name and URL, so that a new one can be told from them."""
        try:
            return [file.id for file in self._same(upload, self._list(upload))]
        except WesError as error:
            log.warning("The list's files cannot be read, so a lost answer could not be settled: %s", error)
            return None

    # -- recognising a file --

    def _settle(
        self, upload: Upload, record: _Record, since: float, *, because: WesError | None = None
    ) -> CouponFile | None:
        """
        Look for an upload in its list, for as long as the list may lag behind.

        :param since: when the upload was sent at the latest, epoch seconds.
        :return: the file; ``None`` where the upload took no effect.
        :raises WesUnknownOutcomeError: where the list cannot be had, or has several files that may be the one.
        """
        until = since + self.hook.settings.coupon_files_lag
        pause = LOOK_AGAIN
        while True:
            try:
                records = self._list(upload)
            except WesResponseError as error:
                if not error.permanent:
                    raise
                raise WesUnknownOutcomeError(
                    self._unsettled(upload, record, f"the list's files cannot be read ({error})")
                ) from (because or error)
            found = self._recognise(upload, record, records)
            if found is not None or time.time() >= until:
                return found
            self._sleep(min(pause, max(0.0, until - time.time())))
            pause *= 1.5

    def _recognise(self, upload: Upload, record: _Record, records: list[dict[str, Any]]) -> CouponFile | None:
        if "name" not in upload.fields:
            return self._ours(upload, records)
        same = self._same(upload, records)
        if record.known is None and same:
            ids = ", ".join(file.id for file in same)
            raise WesUnknownOutcomeError(
                self._unsettled(
                    upload, record, f"coupon files of this name and URL are there ({ids}), maybe of other runs"
                )
            )
        new = [file for file in same if file.id not in (record.known or ())]
        if len(new) > 1:
            ids = ", ".join(file.id for file in new)
            raise WesUnknownOutcomeError(self._unsettled(upload, record, f"several new files are of its name ({ids})"))
        return new[0] if new else None

    def _ours(self, upload: Upload, records: list[dict[str, Any]]) -> CouponFile | None:
        """The file whose generated name is this task instance's, of the newest generation."""
        stem, _ = self._stem(upload)
        newest: tuple[int, CouponFile] | None = None
        for record in records:
            match = re.match(re.escape(stem) + r"-g(\d+)(?!\d)", str(record.get("name", "")))
            if match is None:
                continue
            generation = int(match[1])
            if self.on_duplicate == "upload" and generation != self._generation:
                continue
            if newest is None or generation > newest[0]:
                newest = (generation, self._file(upload, record))
        return newest[1] if newest else None

    def _same(self, upload: Upload, records: list[dict[str, Any]]) -> list[CouponFile]:
        """Files of the user's name and URL; of the URL, what is not signed anew for each request."""
        name, url = upload.fields["name"], redact_url(upload.fields["file_url"])
        return [
            self._file(upload, record)
            for record in records
            if record.get("name") == name and redact_url(str(record.get("file_url", ""))) == url
        ]

    def _list(self, upload: Upload) -> list[dict[str, Any]]:
        records = self.hook.list_coupon_files(upload.coupon_list_id)
        return [record for record in records if isinstance(record.get("_id"), str)]

    def _file(self, upload: Upload, record: Mapping[str, Any]) -> CouponFile:
        return CouponFile.from_record(record, coupon_list_id=upload.coupon_list_id)

    def _unsettled(self, upload: Upload, record: _Record, why: str) -> str:
        return (
            f"whether the upload to list {upload.coupon_list_id} took effect is not known: {why}. "
            f"Look in the list for a file named {record.name!r}: if it is there, mark the task as success; if it is "
            "not, clear the task with on_duplicate='upload'"
        )

    def _name(self, upload: Upload) -> str:
        """The user's name, or one that is unique to the task instance and its generation."""
        if "name" in upload.fields:
            return str(upload.fields["name"])
        stem, suffix = self._stem(upload)
        return f"{stem}-g{self._generation}{suffix}"

    def _stem(self, upload: Upload) -> tuple[str, str]:
        key = "\0".join((*self._identity, upload.part))
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", ".".join(self._identity[:3]))[:NAME_PREFIX]
        suffix = PurePosixPath(urlsplit(upload.fields["file_url"]).path).suffix
        return f"{readable}-{digest}", suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", suffix) else ""

    # -- the store --

    def _key(self, upload: Upload) -> str:
        return "wes_upload" + (f":{upload.part}" if upload.part else "")

    def _load(self, upload: Upload) -> _Record | None:
        stored = self._store.get(self._key(upload)) if self._store is not None else None
        return _Record(**stored) if stored else None

    def _save(self, upload: Upload, record: _Record, file: CouponFile | None = None) -> None:
        if self._store is not None:
            record.file = file.summary() if file else None
            self._store.set(self._key(upload), vars(record))

    def _forget(self, upload: Upload) -> None:
        if self._store is not None:
            self._store.delete(self._key(upload))
