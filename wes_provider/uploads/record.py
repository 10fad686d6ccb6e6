"""
What a task remembers of an upload, in Airflow's task state store (3.3 and later).

A record is one of four things, each in place of the one before:

- an intent, written before each request: ``sent_at`` is set, and there is no file;
- an acceptance (:attr:`UploadRecord.is_accepted`), after a 2xx that does not say which file it is;
- the file, once it is known;
- nothing sent: ``sent_at`` is 0, after requests that definitely had no effect.

If a request definitely had no effect, and one before it may have had one, the record is again what
it was before.

It bears the generation, which grows with each clear (unless ``retries`` are lowered before it), so
that a record from before a clear is known as such. An acceptance stays open until something shows
what became of it: the file is known, or a person has called it absent. Until then, later intents
have it, too, with its own generation.

A missing record proves nothing: clears, settings and retention remove records, and Airflow before
3.3 has none.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import Any, Final

import msgspec

from wes_provider.attempt import Attempt
from wes_provider.models import CouponFile
from wes_provider.uploads.decision import (
    Accepted,
    AcceptedBeforeClear,
    Earlier,
    MaybeSent,
    MaybeSentBeforeClear,
    NeverSent,
    NoEffect,
    Stored,
    StoredBeforeClear,
)
from wes_provider.uploads.identity import UploadName, parse

RETENTION: Final = timedelta(days=3650)
"""Records end with their DAG run."""


class UploadRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    One upload.

    :ivar generation: that of the attempt that wrote this.
    :ivar sent_at: when the request was sent, epoch seconds; 0 if none had an effect.
    :ivar open_acceptance: the generation of a request, this one or an earlier one, that the service
        accepted without saying as which file, if nothing has shown that since; else ``None``.
    :ivar file: the file, once it is known.
    :ivar from_before_clear: whether the file was uploaded before the clear.
    :ivar content_hash: of the file, or of what was sent; empty if it is not known.
    :ivar older_files: the files that were known before the last request, and are not what it has
        made, though they may have the same name: their identifiers, and the content hash of each;
        empty if that is not known.
    """

    generation: int
    sent_at: float = 0.0
    open_acceptance: int | None = msgspec.field(default=None, name="accepted_in")
    file: CouponFile | None = None
    from_before_clear: bool = msgspec.field(default=False, name="adopted")
    content_hash: str = ""
    older_files: dict[str, str] = {}
    version: int = 1

    @property
    def is_accepted(self) -> bool:
        """Whether the last request, of this generation, was accepted."""
        return self.open_acceptance == self.generation


class LastRequest(Enum):
    """
    What a form's state says of the last request of the upload; of a request before the clear, and
    of none, it says nothing: the record does.
    """

    SAYS_NOTHING = "none since the clear"
    MAYBE_SENT = "maybe sent"
    ACCEPTED = "accepted"


class AskedAbout(msgspec.Struct, omit_defaults=True):
    """
    The upload that this attempt has asked a person about.

    :ivar place: of the upload among those of the task, from 0 on.
    :ivar last_request: what became of the last request before the form, or after it.
    :ivar sent_at: when it was sent, epoch seconds; 0 if that is not known.
    :ivar named: the identifier that the response names; empty before the response, if it names
        none, and when it was used.
    :ivar called_absent: whether the response says that the file is not there, and was not used.
    """

    place: int
    last_request: LastRequest = LastRequest.SAYS_NOTHING
    sent_at: float = 0.0
    named: str = ""
    called_absent: bool = False

    def forget_response(self) -> None:
        """Note that the response was used: it counts for one request."""
        self.named = ""
        self.called_absent = False


class RecordStore:
    """The records of one task instance, in Airflow's task state store, which came with 3.3."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def load(self, name: UploadName) -> UploadRecord | None:
        """Return the record of an upload; ``None`` if there is none (any more)."""
        if self._store is None:
            return None
        stored = self._store.get(_key(name))
        # Unknown keys, of a newer version, are ignored.
        return msgspec.convert(stored, UploadRecord) if stored else None

    def save(self, name: UploadName, record: UploadRecord) -> None:
        """Keep a record in place of the previous one."""
        if self._store is not None:
            self._store.set(_key(name), msgspec.to_builtins(record), retention=RETENTION)

    def note_processed(self, file: CouponFile) -> None:
        """
        Remember that an upload's file was processed: the service may not show that for good. A file
        that the service shows under another name than was sent is left as it is.
        """
        name = parse(file.name)
        record = self.load(name) if name is not None else None
        if name is None or record is None or record.file is None:
            return
        if record.file.id == file.id:
            self.save(name, msgspec.structs.replace(record, file=file))


def _key(name: UploadName) -> str:
    return f"wes_upload_{name.file}"


def read_earlier(
    record: UploadRecord | None,
    attempt: Attempt,
    handled_before: bool,
    asked_about: AskedAbout | None = None,
) -> Earlier:
    """
    Tell what became of earlier requests for an upload. What says most comes first: a file of this
    generation, then what a person was asked about, then the rest of the record. Without a record,
    Airflow's count of tries tells whether a request was perhaps sent.

    :param record: what the task instance remembers; ``None`` proves nothing.
    :param handled_before: whether this process has handled the upload before, since a task may call
        several operators in its code; or whether this attempt, before a deferral, has sent a
        request whose outcome is unknown.
    :param asked_about: what this attempt has asked a person about this upload; ``None`` for
        nothing.
    """
    is_since_clear = record is not None and record.generation == attempt.generation
    if record is not None and record.file is not None and is_since_clear:
        return Stored(record.file, record.from_before_clear)
    if asked_about is not None and asked_about.last_request in WHAT_A_FORM_KNOWS:
        # Before the record's absence counts: without a record, nothing else knows of the request
        # before the form.
        return WHAT_A_FORM_KNOWS[asked_about.last_request]
    if record is None:
        return _read_without_record(attempt, handled_before)
    if record.file is not None:
        return StoredBeforeClear(record.file)
    if is_since_clear:
        return _read_since_clear(record)
    if handled_before and record.open_acceptance is None:
        # It was handled since, and has perhaps come further than its record says: it may have
        # adopted a file that was uploaded from another URL.
        return MaybeSent()
    return _read_from_before_clear(record)


def _read_since_clear(record: UploadRecord) -> Earlier:
    """Read the record of this generation that has no file."""
    if not record.sent_at:
        return NoEffect()
    if record.is_accepted:
        return Accepted()
    return MaybeSent()


def _read_from_before_clear(record: UploadRecord) -> Earlier:
    """Read the record of an earlier generation that has no file."""
    # Also if none had an effect: other tasks of the run may have uploaded the file.
    if record.open_acceptance is not None:
        return AcceptedBeforeClear()
    return MaybeSentBeforeClear()


WHAT_A_FORM_KNOWS: Final[dict[LastRequest, Earlier]] = {
    LastRequest.MAYBE_SENT: MaybeSent(),
    LastRequest.ACCEPTED: Accepted(),
}
"""What became of earlier requests, by what a form's state says of the last one."""


def _read_without_record(attempt: Attempt, handled_before: bool) -> Earlier:
    if handled_before or not attempt.is_first_since_clear:
        return MaybeSent()
    if attempt.run_never_cleared and attempt.try_number == 1:
        return NeverSent()
    return MaybeSentBeforeClear()
