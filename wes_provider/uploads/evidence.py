"""
What the list of a coupon list's files, or a person, tells about an upload whose outcome is not
known.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from wes_provider.exceptions import WesError, WesNotFoundError, WesUnknownOutcomeError
from wes_provider.polling import Statuses
from wes_provider.texts import PAGES, about, shown
from wes_provider.uploads.identity import TaskInstance, UploadName, suffix_of
from wes_provider.uploads.recognition import (
    BeforeClear,
    Own,
    Recognition,
    Sought,
    Undecided,
    recognise,
)
from wes_provider.uploads.request import UploadRequest, canonical_url

if TYPE_CHECKING:
    from wes_provider.client.responses import Listing
    from wes_provider.hooks import WesHook

__all__ = ["Evidence"]

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 1.0  # seconds between two readings of the list, doubled with each


class Evidence:
    """
    Finds the files of a task's uploads.

    :param hook: of the task's connection.
    :param context: Airflow's.
    :param names: of all uploads of the task.
    :param on_duplicate: as for :class:`~wes_provider.uploads.uploads.Uploads`; so are ``statuses``
        and ``single``.
    """

    def __init__(
        self,
        hook: WesHook,
        context: Any,
        names: Sequence[UploadName],
        *,
        on_duplicate: str,
        statuses: Statuses,
        single: bool,
    ) -> None:
        self._hook = hook
        self._context = context
        self._instance = TaskInstance.of(context)
        self._hashes = {name.hash for name in names}
        self._mode = on_duplicate
        self._statuses = statuses
        self._single = single
        self._read_at = 0.0
        self._listing: Listing | None = None

    def find(
        self,
        request: UploadRequest,
        name: UploadName,
        listed_by: float,
        *,
        maybe_sent: bool,
        accepted: bool,
        cause: WesUnknownOutcomeError | None = None,
    ) -> Own | BeforeClear | None:
        """
        Read the list until it shows an upload's file, or has to show it.

        :param listed_by: when the list shows it at the latest, epoch seconds.
        :param maybe_sent: this task instance may have sent it since its last clear; ``accepted``:
            so the service said.
        :param cause: why the outcome of a request of this attempt is unknown.
        :raises WesUnknownOutcomeError: if the list cannot be read, or does not tell, and nobody has
            decided.
        """
        sought, pause = self._sought(request, name, maybe_sent=maybe_sent), FIRST_PAUSE
        while True:
            found = self._recognise(request, sought, listed_by)
            late = isinstance(found, WesError) or self._read_at >= listed_by
            if isinstance(found, Own):
                return found
            if (
                isinstance(found, BeforeClear)
                and not (maybe_sent and accepted)
                and (late or self._is_final(found))
            ):
                return found
            if late:
                break
            time.sleep(max(0.0, min(pause, listed_by - time.time())))
            pause *= 2
        why = found.why if isinstance(found, Undecided) else ""
        if isinstance(found, WesError):
            if not found.permanent:
                reason = f"Perhaps uploaded, and the list cannot be read now: {found.reason}"
                text = (
                    f"{about(reason, request.coupon_list_id, request.title)}\nA retry reads it "
                    "again, or a clear."
                )
                raise WesUnknownOutcomeError(text, permanent=False, reason=reason) from None
            why = f"the list cannot be read: {found.reason}"
        elif accepted:
            why = why or "the service accepted it, but the list does not show it"
        return self._decided(request, name, why, cause, maybe_sent=maybe_sent)

    def _recognise(
        self, request: UploadRequest, sought: Sought, listed_by: float
    ) -> Recognition | WesError:
        """What the list shows; a reading that is late enough serves all uploads."""
        if self._listing is None or self._read_at < listed_by:
            read_at = time.time()
            try:
                self._listing = self._hook.read_list(request.coupon_list_id)
            except WesError as error:
                return error
            self._read_at = read_at
        found = recognise(self._listing.records, self._listing.incomplete, sought)
        file_id = found.shown.get("_id") if isinstance(found, (Own, BeforeClear)) else "none"
        return (
            found
            if file_id and isinstance(file_id, str)
            else Undecided("the list shows it without an _id")
        )

    def _sought(self, request: UploadRequest, name: UploadName, *, maybe_sent: bool) -> Sought:
        return Sought(
            name,
            given_name=str(request.body.get("name", "")),
            url=canonical_url(request.shown_url) if request.sign is None else "",
            siblings=self._hashes | self._context.get("wes_uploads", set()),
            single=self._single,
            maybe_sent=maybe_sent,
            adopts=self._mode == "adopt",
            run_cleared=self._instance.run_cleared,
            run_id=self._instance.run_id,
        )

    def _is_final(self, found: BeforeClear) -> bool:
        """
        Whether a file of before a clear is taken now: a failed one may have a replacement that is
        not listed yet.
        """
        return self._mode != "upload" and self._statuses.succeeded(
            str(found.shown.get("status") or "")
        )

    def _decided(
        self,
        request: UploadRequest,
        name: UploadName,
        why: str,
        cause: WesError | None,
        *,
        maybe_sent: bool,
    ) -> Own | None:
        """
        What a person decided about an upload that the list does not show; ``None`` if it is to be
        sent.

        The Variable is that of the last try before the clear. Its identifier counts; that nothing
        is there, only until something is sent. If nobody decided, ``upload`` asks for another file.
        No ``why``: the list shows none.

        :raises WesUnknownOutcomeError: if nobody did.
        """
        instance = self._instance
        variable = f"wes_decision_{name.hash}_{name.origin}_try"
        decision = str(
            self._context["var"]["value"].get(f"{variable}{instance.last_try}", "")
        ).strip()
        if decision == "absent" and not maybe_sent:
            log.info(
                "Variable %s%d says that the file is absent: uploading it",
                variable,
                instance.last_try,
            )
            return None
        if decision and decision != "absent":
            log.info("Variable %s%d names coupon file %s", variable, instance.last_try, decision)
            try:
                return Own(
                    {
                        **self._hook.get_coupon_file(request.coupon_list_id, decision),
                        "_id": decision,
                    }
                )
            except WesNotFoundError as error:  # mistyped, perhaps: what is adopted is remembered
                why = (
                    f"the Variable names coupon file {shown(decision)}, and the service replies "
                    f"{error.reason}"
                )
        if not why:
            return None
        if not maybe_sent and self._mode == "upload" and instance.run_cleared is not False:
            log.info("The task was cleared, and on_duplicate is 'upload': uploading it")
            return None
        raise self._question(
            request, name, why, cause, f"{variable}{instance.try_number}"
        ) from None

    def _question(
        self,
        request: UploadRequest,
        name: UploadName,
        why: str,
        cause: WesError | None,
        variable: str,
    ) -> WesUnknownOutcomeError:
        reason = f"Perhaps uploaded: {why}"
        given, suffix = request.body.get("name"), suffix_of(request.shown_url)
        named = f"named {given or f'{name}{suffix}'}"
        if not given and cause is None:  # by whichever task and try of the run
            # Whatever its URL was.
            single = f" or ends with -{name.origin}{suffix}" if self._single else ""
            named = f"whose name begins with {name.hash}-{single}"
        return WesUnknownOutcomeError(
            f"{about(reason, request.coupon_list_id, request.title)}\n"
            f"Look in the service's console for a file of the list {named}\n"
            f"Set the Airflow Variable {variable}\n"
            "to the file's identifier, or to absent if there is none, and clear the task: nothing "
            "is uploaded twice.\n"
            + (f"The upload: {cause.reason}\n" if cause else "")
            + f"{PAGES}red-task.html#a-person-decides",
            reason=reason,
        )
