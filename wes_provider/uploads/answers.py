"""
What a person has decided about an upload: with the Airflow Variable that an error named, or on a
form.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesAuthenticationError, WesError
from wes_provider.hiding import may_show
from wes_provider.models import CouponFile
from wes_provider.texts import shown
from wes_provider.uploads import errors
from wes_provider.uploads.decision import (
    Answer,
    CalledAbsent,
    CalledAbsentOnForm,
    CannotLookUp,
    NamedFile,
    NamedWrongFile,
    NobodyDecided,
)
from wes_provider.uploads.identity import parse
from wes_provider.uploads.record import AskedAbout
from wes_provider.uploads.request import Upload

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

log = logging.getLogger(__name__)


class RuledOut(NamedTuple):
    """
    Coupon files that it cannot be, whoever names them: their identifiers.

    :ivar other_files: other files of this task.
    :ivar older_files: what was there before a request since the clear, and was not taken then.
    """

    other_files: Collection[str]
    older_files: Collection[str]


def read_answer(upload: Upload, attempt: Attempt, hook: WesHook, ruled_out: RuledOut) -> Answer:
    """Read what a person has decided."""
    decision = attempt.read_decision(upload.name.subject)
    if not decision.value:
        return NobodyDecided()
    if decision.is_absent:
        log.info("Variable %s says that the file is absent", decision.variable)
        return CalledAbsent()
    if decision.value in ruled_out.older_files:
        # It was set before that request, so it says nothing of it.
        log.warning(
            "Variable %s names coupon file %s, which was there before the last request: that is "
            "not what it made",
            decision.variable,
            decision.value,
        )
        return NobodyDecided()
    log.info("Variable %s names coupon file %s", decision.variable, decision.value)
    named = f"the Variable names coupon file {shown(decision.value)}"
    return _check_named_file(decision.value, named, upload, hook, ruled_out)


def read_response(
    asked_about: AskedAbout, upload: Upload, hook: WesHook, ruled_out: RuledOut
) -> Answer:
    """Read what a person has responded on a form that this attempt has shown."""
    if asked_about.called_absent:
        return CalledAbsentOnForm()
    named = f"the form names coupon file {shown(asked_about.named)}"
    return _check_named_file(asked_about.named, named, upload, hook, ruled_out)


def _check_named_file(
    file_id: str, named: str, upload: Upload, hook: WesHook, ruled_out: RuledOut
) -> Answer:
    """
    Check that the service knows a file that a person names, and that it may be this upload's.

    :param named: who names it, for messages.
    """
    if file_id in ruled_out.other_files:
        return NamedWrongFile(f"{named}, which is another file of this task")
    if file_id in ruled_out.older_files:
        return NamedWrongFile(f"{named}, which was there before the last request")
    list_id = upload.request.coupon_list_id
    try:
        record = hook.get_coupon_file(list_id, file_id)
    except WesError as error:
        is_key_refused = isinstance(error, WesAuthenticationError)
        if not error.reading_again_helps and not is_key_refused:
            return NamedWrongFile(f"{named}, and the service replies {error.reason}")
        what = f"Coupon file {file_id}, which a person names,"
        return CannotLookUp(errors.worth_a_retry(upload, what, error))
    file = CouponFile.from_record(record, list_id)
    if file.id != file_id:
        return NamedWrongFile(f"{named}, and the service replies with coupon file {file.id}")
    if not may_show(file.coupon_list_id, list_id):
        return NamedWrongFile(f"{named}, which is in the list {file.coupon_list_id}")
    if _is_named_for_another_file(file, upload):
        return NamedWrongFile(f"{named}, which was uploaded as another file, as its name says")
    return NamedFile(file)


def _is_named_for_another_file(file: CouponFile, upload: Upload) -> bool:
    name = parse(file.name)
    if name is None or name.file == upload.name.file:
        return False
    # The URL of this task instance's file may have been another one.
    return name.origin != upload.name.origin
