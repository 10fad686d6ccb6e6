"""How waits ended, as the event that crosses from the triggerer to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from wes_provider.coupon_files import FIX_THE_FILE, CountNames, failure
from wes_provider.exceptions import WesCouponFileFailedError, WesError, dump_error, load_error
from wes_provider.models import CouponFile
from wes_provider.texts import shown
from wes_provider.waits.decision import Done, Failed, Outcome

__all__ = ["load_outcomes"]


class _Ended(msgspec.Struct, omit_defaults=True):
    """
    How one wait ended.

    :ivar file: the file with its last status, if it is processed or has failed.
    :ivar failed: whether that status is a failure.
    :ivar error: of a wait that ended in another way, from ``dump_error``.
    """

    file: CouponFile | None = None
    error: dict[str, Any] | None = None
    failed: bool = False


class _Event(msgspec.Struct):
    """
    The event of a trigger.

    :ivar count_names: the connection's, so that the end of the task reads no connection again.
    """

    files: dict[str, _Ended]
    count_names: CountNames | None = None
    version: int = 1


def dump_outcomes(
    outcomes: Mapping[str, Outcome], count_names: CountNames | None = None
) -> dict[str, Any]:
    """
    Make a trigger's event of how waits ended; :func:`load_outcomes` reads it back.

    :param outcomes: by the file's identifier.
    :param count_names: what the connection calls the counts of a file.
    """
    ended = {file_id: _dump(outcome) for file_id, outcome in outcomes.items()}
    event = _Event(ended, count_names)
    return dict(msgspec.to_builtins(event))


def _dump(outcome: Outcome) -> _Ended:
    if isinstance(outcome, Done):
        return _Ended(file=outcome.file)
    if isinstance(outcome.error, WesCouponFileFailedError):
        return _Ended(file=CouponFile.from_summary(outcome.error.coupon_file), failed=True)
    return _Ended(error=dump_error(outcome.error))


def load_outcomes(event: Any, advice: str = FIX_THE_FILE) -> dict[str, Outcome]:
    """
    Read how waits ended, by file identifier, from the event of a trigger.

    Unknown keys, of an event of another version, are ignored.

    :param advice: what to do about a file that has failed.
    :raises WesError: if the event is missing or is not of this kind.
    """
    return {file_id: _load(ended, advice) for file_id, ended in _read(event).files.items()}


def load_count_names(event: Any) -> CountNames | None:
    """
    Read what the connection calls the counts of a file; ``None`` if the event does not have it.

    :raises WesError: if the event is missing or is not of this kind.
    """
    return _read(event).count_names


def _read(event: Any) -> _Event:
    try:
        return msgspec.convert(event, _Event)
    except msgspec.ValidationError:
        raise WesError(f"The trigger's event cannot be read: {shown(event)}") from None


def _load(ended: _Ended, advice: str) -> Outcome:
    if ended.file is None:
        return Failed(load_error(ended.error or {}))
    if ended.failed:
        return Failed(failure(ended.file, advice))
    return Done(ended.file)
