"""
At most one upload, whatever crashes.

The service has no idempotency key (contract section 4.1), so an upload is made recognisable instead: it gets a
name that no other task instance gives, an intent is stored before it and its identifier after it, and what
cannot be known from these is read from the list's files. ``docs/reliability.md`` says what this keeps, and what not.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from wes_provider.exceptions import (
    WesConnectionError,
    WesCouponFileFailedError,
    WesDuplicateError,
    WesError,
    WesNotFoundError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile, redact_url
from wes_provider.polling import Statuses

__all__ = ["ON_DUPLICATE", "Upload", "UploadOnce", "Uploaded"]

log = logging.getLogger(__name__)

T = TypeVar("T")

ON_DUPLICATE: Final = ("adopt", "upload", "fail")
NAME_PREFIX: Final = 80  # characters of DAG, task and run in a name; the hash behind it makes it unique
POLL_LIST_AGAIN: Final = 1.0  # seconds between looks at a list that may lag, growing with the time waited
KEPT: Final = timedelta(days=3650)  # records end with their DAG run; cleaned up earlier, a clear would upload again
RUN_IDENTITIES: Final = ("run_id", "ts", "ts_nodash")  # of Airflow's context: no two runs of a DAG share one


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

    @property
    def url(self) -> str:
        """The file's URL, without what is secret or signed anew for each request."""
        return redact_url(self.fields["file_url"])

    @property
    def named(self) -> bool:
        """Whether the user names the file."""
        return "name" in self.fields


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
    """
    What is stored of an upload; JSON. Without ``file`` it is an intent: the request may have been sent.

    :ivar named: the user named the file.
    :ivar known: files that already had the user's name and URL; ``None`` where they could not be read.
    """

    generation: int
    coupon_list_id: str
    name: str
    url: str
    named: bool
    known: list[str] | None
    asked_at: float
    file: dict[str, Any] | None = None


class _Found(NamedTuple):
    """A file of an earlier attempt: of which generation, and of which URL (empty where that is not known)."""

    file: CouponFile
    generation: int
    url: str
    at: float


class UploadOnce:
    """
    Makes the uploads of one task instance, each at most once.

    :param context: of the running task instance.
    :param on_duplicate: ``adopt``, ``upload`` or ``fail``, what a cleared or repeated task instance does with the
        file that an earlier attempt uploaded.
    :param statuses: which status of an adopted file means failure.
    :param known: called with a file the moment its identifier is known, before anything else can fail.
    :param turn: called before each request, to wait for as long as the limits want.
    :param send: uploads a file, as :meth:`~wes_provider.hooks.WesHook.upload_coupon_file` does.
    """

    def __init__(
        self,
        hook: WesHook,
        context: Mapping[str, Any],
        *,
        on_duplicate: str,
        statuses: Statuses,
        known: Callable[[CouponFile], None] = lambda _: None,
        turn: Callable[[], None] = lambda: None,
        send: Callable[..., dict[str, Any]] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.hook = hook
        self.on_duplicate = on_duplicate
        self.statuses = statuses
        self._known = known
        self._wait_for_window = turn
        self._send = send
        self._sleep = sleep
        self._context = context
        self._store = context.get("task_state_store")  # Airflow 3.3 and later
        ti = context["ti"]
        self._generation: int = ti.max_tries  # grows when a user clears the task, not when Airflow retries it
        self._try: int = ti.try_number
        self._instance: tuple[str, str, str] = (ti.dag_id, ti.task_id, ti.run_id)
        self._map_index: int = -1 if ti.map_index is None else ti.map_index
        # Earlier attempts are over, so what they sent shows up in the list until then.
        self._shows_until = time.time() + hook.settings.coupon_files_lag

    def upload(self, upload: Upload) -> Uploaded:
        """
        Upload a file, or find the one that an earlier attempt of this task instance uploaded.

        :raises WesUnknownOutcomeError: where it cannot be known whether an upload took effect.
        :raises WesCouponFileFailedError: where the file of an earlier attempt failed processing.
        :raises WesDuplicateError: where there is a file of an earlier attempt, and ``on_duplicate`` is ``fail``; or
            where it is of another URL, and the task was cleared since.
        """
        record = self._load(upload)
        if self._upload_requested_again(upload, record):
            return self._upload(
                upload, "the task was cleared and on_duplicate is 'upload'; 'adopt' takes an earlier attempt's file"
            )
        if record is not None and record.file is not None:
            file = CouponFile.from_summary(record.file)
            return self._adopt(upload, _Found(file, record.generation, record.url, record.asked_at))
        if record is not None:
            found = self._find(upload, record.name, self._shows_until, lambda files: self._sent(record, files))
            if found is None:
                return self._upload(
                    upload, "an earlier attempt ended in the middle of its upload, which took no effect", record
                )
            self._save(upload, record, found.file)
            return self._adopt(upload, found)
        if self._try <= 1:
            return self._upload(upload, "this is the first attempt")
        if self._store is not None and upload.named:
            return self._upload(upload, "no earlier attempt came to upload it")
        # Where Airflow has a store, an attempt that left no record sent nothing, and one look is enough.
        until = self._shows_until if self._store is None else 0.0
        search = self._of_users_name if upload.named else self._of_own_name
        found = self._find(upload, self._name(upload), until, lambda files: search(upload, files))
        if found is None:
            since = " since it was cleared; 'adopt' takes one from before" if self.on_duplicate == "upload" else ""
            return self._upload(upload, f"the list has no file of an earlier attempt of this task{since}")
        self._save(upload, self._record(upload, []), found.file)
        return self._adopt(upload, found)

    def mapped_before(self, upload: Upload) -> int | None:
        """
        How many of the mapped task instances before this one have not made their upload yet, as the list shows it.

        ``None`` where that cannot be known: their names are the user's, or the list cannot be read.
        """
        if upload.named:
            return None
        try:
            files = self.hook.list_coupon_files(upload.coupon_list_id)
        except WesError as error:
            log.info("Whose turn it is to upload to list %s is not known: %s", upload.coupon_list_id, error)
            return None
        there = {str(file.get("name")).rpartition("-g")[0] for file in files}
        return sum(self._stem(upload, index) not in there for index in range(self._map_index))

    def _upload_requested_again(self, upload: Upload, record: _Record | None) -> bool:
        if self.on_duplicate != "upload":
            return False
        if record is not None:
            return record.generation != self._generation
        # A name of our own holds the generation, so looking for it tells better.
        return self._store is None and upload.named and 1 < self._try == self._generation - self._retries + 1

    @property
    def _retries(self) -> int:
        return int(self._context["task"].retries)

    # -- a file of an earlier attempt --

    def _adopt(self, upload: Upload, found: _Found) -> Uploaded:
        file = found.file
        self._known(file)
        whose = f"coupon file {file.id} of list {upload.coupon_list_id}, which an earlier attempt of this task uploaded"
        anew = ("set on_duplicate='upload' and " if self.on_duplicate != "upload" else "") + "clear the task"
        if self.on_duplicate == "fail":
            raise WesDuplicateError(
                f"on_duplicate is 'fail', and there is {whose}; on_duplicate='adopt' takes it; to upload anew, {anew}"
            )
        if found.generation != self._generation and found.url not in ("", upload.url):
            raise WesDuplicateError(
                f"there is {whose}, but from {found.url}, and now it is to be {upload.url}; to upload that, {anew}; "
                "if the earlier one will do, mark the task as success"
            )
        log.info(
            "Adopting %s: on_duplicate is %r, and this is attempt %d; to upload anew, %s",
            whose,
            self.on_duplicate,
            self._try,
            anew,
        )
        file = self._as_it_is_now(upload, file)
        if self.statuses.failed(file.status):
            raise WesCouponFileFailedError(
                f"{whose}, failed processing with status {file.status}; mend the file, then, to upload it anew, {anew}",
                file.summary(),
            )
        return Uploaded(file, found.at, adopted=True)

    def _as_it_is_now(self, upload: Upload, file: CouponFile) -> CouponFile:
        """The file with its status of now; as it was, where the connection's paths show neither it nor its list."""

        def poll() -> CouponFile | None:
            try:
                return self._file(upload, self.hook.get_coupon_file(upload.coupon_list_id, file.id))
            except WesResponseError as error:
                if not _lasting(error):
                    raise
                refused = error
            try:
                records = self.hook.list_coupon_files(upload.coupon_list_id)
            except WesResponseError as error:
                if not _lasting(error):
                    raise
                log.warning("The status of coupon file %s cannot be read: %s", file.id, refused)
                return file
            return next((self._file(upload, record) for record in records if record.get("_id") == file.id), None)

        polled = self._patiently(poll, self._shows_until)
        if polled is None:
            raise WesNotFoundError(
                f"coupon file {file.id}, which an earlier attempt of this task uploaded, is no longer in list "
                f"{upload.coupon_list_id}; to upload it anew, set on_duplicate='upload' and clear the task",
                status_code=404,
            )
        return polled

    # -- a new upload --

    def _upload(self, upload: Upload, why: str, earlier: _Record | None = None) -> Uploaded:
        """
        :param why: there is no file to adopt.
        :param earlier: an intent of which the list shows nothing, so that it took no effect, or will late.
        """
        record = self._record(upload, self._same_before(upload, earlier) if upload.named else [])
        log.info("Uploading %s to list %s, named %s: %s", upload.url, upload.coupon_list_id, record.name, why)
        doubtful = earlier is not None
        for attempt in range(1, self.hook.settings.max_attempts + 1):
            self._wait_for_window()
            record.asked_at = time.time()
            self._save(upload, record)
            try:
                send = self._send or self.hook.upload_coupon_file
                response = send(upload.coupon_list_id, **{**upload.fields, "name": record.name})
            except WesUnknownOutcomeError as error:
                log.warning("%s; looking for the file in the list", error)
                file = self._settled(upload, record, error)
                if file is None:
                    log.warning("Attempt %d to upload the file took no effect", attempt)
                    doubtful = True
                    continue
            except WesError:
                # Refused, or never sent. Where an earlier request left a doubt, the intent stays for the next attempt.
                if not doubtful:
                    self._forget(upload)
                raise
            else:
                file = self._file(upload, response)
            log.info("Uploaded coupon file %s to list %s, named %s", file.id, upload.coupon_list_id, record.name)
            self._save(upload, record, file)
            self._known(file)
            return Uploaded(file, record.asked_at, adopted=False)
        raise WesConnectionError(
            f"{self.hook.settings.max_attempts} attempts to upload the file to list {upload.coupon_list_id} got no "
            "good answer, and took no effect: the list does not have it"
        )

    def _settled(self, upload: Upload, record: _Record, because: WesUnknownOutcomeError) -> CouponFile | None:
        """What came of a request of this attempt; ``None`` where it took no effect."""
        until = time.time() + self.hook.settings.coupon_files_lag
        found = self._find(upload, record.name, until, lambda files: self._sent(record, files), because)
        if found is not None:
            return found.file
        if because.status_code is not None and 200 <= because.status_code < 300:
            why = f"the service answered {because.status_code}, but the list does not have the file"
            raise self._unsettled(upload, record.name, why) from because
        return None

    def _same_before(self, upload: Upload, earlier: _Record | None) -> list[str] | None:
        """Files that already have the user's name and URL, so that a new one can be told from them."""
        if earlier is not None and (earlier.name, earlier.url) == (self._name(upload), upload.url):
            # Not those of now: what the earlier attempt sent may yet turn up, and counts as new then.
            return earlier.known or []
        try:
            records = self.hook.list_coupon_files(upload.coupon_list_id)
        except WesError as error:
            log.warning("The list's files cannot be read, so that a lost answer could not be settled: %s", error)
            return None
        return [str(file.get("_id")) for file in _same(records, self._name(upload), upload.url)]

    # -- recognising a file --

    def _find(
        self,
        upload: Upload,
        name: str,
        until: float,
        search: Callable[[list[dict[str, Any]]], _Found | None],
        because: WesError | None = None,
    ) -> _Found | None:
        """
        Look for an upload in its list, for as long as the list may lag behind.

        :param until: when it shows up at the latest, epoch seconds.
        :param search: picks it from the list's files.
        :return: ``None`` where the upload took no effect.
        :raises WesUnknownOutcomeError: where the list cannot be had, or has several files that may be the one. It is
            not permanent where the list may be had later.
        """

        def poll() -> _Found | None:
            return search(self.hook.list_coupon_files(upload.coupon_list_id))

        try:
            return self._patiently(poll, until)
        except (WesResponseError, WesConnectionError, WesUnknownOutcomeError) as error:
            if isinstance(error, _Ambiguous):
                raise self._unsettled(upload, name, str(error)) from because
            why = f"the list's files cannot be read ({error})"
            raise self._unsettled(upload, name, why, permanent=error.permanent) from (because or error)

    def _patiently(self, poll: Callable[[], T | None], until: float) -> T | None:
        """Look until something is found or the time has come; what may be read later is tried until then."""
        pause = POLL_LIST_AGAIN
        while True:
            last = time.time() >= until  # asked before the look, so that one look is whole after it
            found = None
            try:
                found = poll()
            except WesError as error:
                if last or error.permanent:
                    raise
            if found is not None or last:
                return found
            if pause == POLL_LIST_AGAIN:
                log.info("Not there yet; looking again for %.0f s", until - time.time())
            self._sleep(min(pause, max(0.0, until - time.time())))
            pause *= 1.5

    def _sent(self, record: _Record, files: list[dict[str, Any]]) -> _Found | None:
        """The file of the request that a record is the intent of."""
        same = _same(files, record.name, record.url if record.named else None)
        if record.known is None and same:
            raise _Ambiguous(f"files of its name and URL are there, maybe of other runs ({_ids(same)})")
        new = [file for file in same if file.get("_id") not in (record.known or ())]
        if record.named and len(new) > 1:
            raise _Ambiguous(f"several new files have its name and URL ({_ids(new)})")
        return self._first(new, record.coupon_list_id, record.generation, record.url, record.asked_at)

    def _of_own_name(self, upload: Upload, files: list[dict[str, Any]]) -> _Found | None:
        """The file whose generated name is this task instance's, of the newest generation."""
        name = re.compile(re.escape(self._stem(upload)) + r"-g(\d+)(?!\d)")
        by_generation: dict[int, list[dict[str, Any]]] = {}
        for file in files:
            if match := name.match(str(file.get("name"))):
                by_generation.setdefault(int(match[1]), []).append(file)
        if self.on_duplicate == "upload":
            by_generation = {self._generation: by_generation.get(self._generation, [])}
        newest = max(by_generation, default=self._generation)
        ours = by_generation.get(newest, [])
        url = redact_url(str(ours[0].get("file_url") or "")) if ours else ""
        return self._first(ours, upload.coupon_list_id, newest, url, time.time())

    def _of_users_name(self, upload: Upload, files: list[dict[str, Any]]) -> _Found | None:
        """
        The file of the user's name and URL, without a record of what was there before.

        It can only be taken for this task instance's where its name is this run's, and where it is not for
        ``on_duplicate='upload'`` to say of which generation it is.
        """
        same = _same(files, self._name(upload), upload.url)
        values = (str(self._context.get(key) or "") for key in RUN_IDENTITIES)
        of_this_run = any(value and value in self._name(upload) for value in values)
        generations_differ = self.on_duplicate == "upload" and self._generation != self._retries
        if same and (len(same) > 1 or not of_this_run or generations_differ):
            raise _Ambiguous(
                f"files of its name and URL are there, maybe of other runs or attempts ({_ids(same)}); a name with "
                "{{ run_id }} in it, or none, avoids this"
            )
        return self._first(same, upload.coupon_list_id, self._generation, upload.url, time.time())

    def _first(
        self, files: list[dict[str, Any]], coupon_list_id: str, generation: int, url: str, at: float
    ) -> _Found | None:
        if not files:
            return None
        if len(files) > 1:
            log.warning("The service carried out more than one request of this task: %s", _ids(files))
        try:
            return _Found(CouponFile.from_record(files[0], coupon_list_id=coupon_list_id), generation, url, at)
        except ValueError as error:
            raise _Ambiguous(f"its file is there, as {error}") from None

    def _file(self, upload: Upload, record: Mapping[str, Any]) -> CouponFile:
        return CouponFile.from_record(record, coupon_list_id=upload.coupon_list_id)

    def _unsettled(self, upload: Upload, name: str, why: str, *, permanent: bool = True) -> WesUnknownOutcomeError:
        error = WesUnknownOutcomeError(
            f"whether the upload to list {upload.coupon_list_id} took effect is not known: {why}. "
            f"Look in the list for a file named {name!r} from {upload.url}: if it is there, mark the task as success; "
            "if it is not, set on_duplicate='upload' and clear the task"
        )
        error.permanent = permanent
        return error

    # -- names --

    def _name(self, upload: Upload) -> str:
        """The user's name, or one that is unique to the task instance and its generation."""
        if upload.named:
            return str(upload.fields["name"])
        suffix = PurePosixPath(urlsplit(upload.fields["file_url"]).path).suffix
        if not re.fullmatch(r"\.[A-Za-z0-9]{1,8}", suffix):
            suffix = ""
        return f"{self._stem(upload)}-g{self._generation}{suffix}"

    def _stem(self, upload: Upload, map_index: int | None = None) -> str:
        digest = _digest(*self._instance, self._map_index if map_index is None else map_index, upload.part)
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", ".".join(self._instance))[:NAME_PREFIX]
        return f"{readable}-{digest}"

    # -- the store --

    def _record(self, upload: Upload, known: list[str] | None) -> _Record:
        return _Record(
            generation=self._generation,
            coupon_list_id=upload.coupon_list_id,
            name=self._name(upload),
            url=upload.url,
            named=upload.named,
            known=known,
            asked_at=time.time(),
        )

    def _key(self, upload: Upload) -> str:
        # An upload to another list is another one, whatever this task did before.
        return f"wes_upload_{_digest(upload.coupon_list_id, upload.part)}"

    def _load(self, upload: Upload) -> _Record | None:
        stored = self._store.get(self._key(upload)) if self._store is not None else None
        return _Record(**stored) if stored else None

    def _save(self, upload: Upload, record: _Record, file: CouponFile | None = None) -> None:
        if self._store is not None:
            record.file = file.summary() if file else None
            self._store.set(self._key(upload), asdict(record), retention=KEPT)

    def _forget(self, upload: Upload) -> None:
        if self._store is not None:
            self._store.delete(self._key(upload))


class _Ambiguous(WesUnknownOutcomeError):  # noqa: N818 - never leaves this module
    """Files are there that may be the one that is looked for, or not."""


def _lasting(error: WesResponseError) -> bool:
    """Whether asking again would give the same: a refusal, or an answer of another shape."""
    return error.permanent or 200 <= error.status_code < 300


def _same(files: list[dict[str, Any]], name: str, url: str | None) -> list[dict[str, Any]]:
    """Files of a name and, unless that is ``None``, of a URL; one that shows no URL may be of any."""
    return [
        file
        for file in files
        if file.get("name") == name
        and (url is None or not isinstance(file.get("file_url"), str) or redact_url(file["file_url"]) == url)
    ]


def _ids(files: list[dict[str, Any]]) -> str:
    return ", ".join(str(file.get("_id")) for file in files)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
