"""Reading the status of one file, for as long as its list may lag behind."""

from __future__ import annotations

import logging
from typing import Final

from wes_provider.clock import Clock
from wes_provider.exceptions import WesError, WesNotFoundError, WesResponseError
from wes_provider.models import CouponFile
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.request import UploadRequest

__all__ = ["FIRST_PAUSE", "current", "pause_until"]

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 1.0  # seconds between readings of a list that may lag, growing with the time waited


def current(attempt: Attempt, request: UploadRequest, file: CouponFile, until: float) -> CouponFile:
    """
    Read a file's status.

    :param attempt: the running one.
    :param request: the upload.
    :param file: as it was when it was uploaded; returned if no path of the connection leads to it.
    :param until: when the list shows it at the latest, epoch seconds.
    :raises WesNotFoundError: if it is no longer in the list.
    """
    pause = FIRST_PAUSE
    while True:
        last = attempt.clock.time() >= until
        try:
            if (polled := _poll(attempt, request, file)) is not None:
                return polled
        except WesError as error:
            if last or error.permanent:
                raise
        if last:
            raise WesNotFoundError(
                f"{request.headline('No longer in its list', file.id, error=True)}\n"
                f"To upload it again, {attempt.again.advice(request)}.\n"
                f"An earlier attempt uploaded it as coupon file {file.id}\n"
                f"Coupon list: {request.coupon_list_id}\n"
                f"URL: {request.label}",
                status_code=404,
            )
        pause = pause_until(attempt.clock, request, until, pause, f"Coupon file {file.id} was uploaded there.")


def pause_until(clock: Clock, request: UploadRequest, until: float, pause: float, why: str) -> float:
    """
    Wait before a list that lags behind is read again.

    :param clock: the clock of the attempt.
    :param request: the upload.
    :param until: when the wait ends at the latest, epoch seconds.
    :param pause: seconds.
    :param why: the list is expected to show the file.
    :return: the next pause.
    """
    if pause == FIRST_PAUSE:
        cause = f"Not in the list yet, reading it again for {max(0.0, until - clock.time()):.0f} s"
        log.info("%s\nWhy: %s", request.headline(cause), why)
    clock.sleep(min(pause, max(0.0, until - clock.time())))
    return pause * 1.5


def _poll(attempt: Attempt, request: UploadRequest, file: CouponFile) -> CouponFile | None:
    list_id = request.coupon_list_id
    try:
        record = attempt.hook.get_coupon_file(list_id, file.id)
    except WesResponseError as error:
        if not _lasting(error):
            raise
        refused = error
    else:
        return CouponFile.from_record(record, coupon_list_id=list_id, secrets=request.secrets)
    try:
        found = attempt.hook.search_coupon_files(list_id, lambda record: record.get("_id") == file.id)
    except WesResponseError as error:
        if not _lasting(error):
            raise
        log.warning("%s\n%s", request.headline("The status cannot be read", file.id), refused)
        return file
    if not found.files:
        return None
    return CouponFile.from_record(found.files[0], coupon_list_id=list_id, secrets=request.secrets)


def _lasting(error: WesResponseError) -> bool:
    """Whether the same request would get the same: a refusal, or a response of another shape."""
    return error.permanent or 200 <= error.status_code < 300
