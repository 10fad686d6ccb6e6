"""
A state beside the status that tells files of one status apart: then the status is not how far the
processing is. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.meanings import Means, ends_badly
from wes_provider.doctor.replies.files import coupons_in, properties_of, status_of
from wes_provider.doctor.replies.members import last_name
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["OtherState", "other_state"]

OF_A_STATE: Final = re.compile(r"\w*(?:state|status|stage|phase|result|outcome)")
WORD: Final = re.compile(r"[\w -]{2,40}")
MOST_VALUES: Final = 4  # that are named
OWN: Final = Statuses()


class OtherState(NamedTuple):
    """
    A property that files of one status have with different values, such as ``import.state``.

    :ivar values: in capitals; some mean something else than others.
    :ivar is_success: whether the status means success by the connection.
    """

    status: str
    where: str
    values: Sequence[str]
    is_success: bool = False

    def __str__(self) -> str:
        values = ", ".join(shown(value, quoted=False) for value in self.values[:MOST_VALUES])
        where = shown(self.where, quoted=False)
        if self.is_success:
            return (
                f"Files with {self.status} have {where} {values}, and tasks take {self.status} for "
                f"a success, so a file that failed may be green. No setting has {where} read: give "
                "tasks min_coupons_added=1, so that a file without coupons fails, and ask the "
                "service's support for another status of failures"
            )
        return (
            f"{self.status} is the status of files whose {where} differs ({values}), so it may not "
            f"say how far a file is, and no setting has {where} read. Name {self.status} in no "
            "list of coupon_file_statuses, and ask the service's support for the end of the "
            "processing under status"
        )


def other_state(
    files: Sequence[CouponFile], statuses: Statuses, names: CountNames
) -> OtherState | None:
    """
    Return the first state that tells files of one status apart; ``None`` if there is none. For a
    success that the connection knows, only a failure without coupons added counts; a known stage or
    failure may have any state beside it.

    :param statuses: the connection's.
    """
    by_status: dict[str, list[CouponFile]] = {}
    for file in files:
        by_status.setdefault(status_of(file), []).append(file)
    for status, same in by_status.items():
        if statuses.is_pending(status) or statuses.failed(status):
            continue
        is_success = statuses.succeeded(status)
        for where, means in _states(same).items():
            if len(set(means.values())) < 2:
                continue
            if not is_success or _has_failure_without_coupons(same, means, names):
                values = _different_values(same, where)
                return OtherState(status, where, values, is_success)
    return None


def _has_failure_without_coupons(
    files: Sequence[CouponFile], means: Mapping[int, Means | None], names: CountNames
) -> bool:
    """Tell whether a state means a failure, and no file with such a state has coupons added."""
    failed = [files[number] for number, each in means.items() if each is Means.FAILURE]
    return bool(failed) and not any(coupons_in(file, names).added for file in failed)


def _states(files: Sequence[CouponFile]) -> Mapping[str, Mapping[int, Means | None]]:
    """
    Return what the states beside the status mean, by their dotted property and the file's number.
    """
    states: dict[str, dict[int, Means | None]] = {}
    for number, file in enumerate(files):
        for where, value in _states_of(file):
            states.setdefault(where, {})[number] = _means(value)
    return states


def _states_of(file: CouponFile) -> Iterator[tuple[str, str]]:
    """Yield the properties of a file that have a state beside its status, with their values."""
    for where, value in properties_of(file).items():
        is_state = OF_A_STATE.fullmatch(last_name(where)) is not None
        is_word = isinstance(value, str) and WORD.fullmatch(value) is not None
        if where != "status" and is_state and is_word:
            yield where, value.upper()


def _different_values(files: Sequence[CouponFile], where: str) -> list[str]:
    values = [value for file in files for place, value in _states_of(file) if place == where]
    return list(dict.fromkeys(values))


def _means(value: str) -> Means | None:
    """Tell what a state means by its word; ``None`` if that is not known."""
    if OWN.failed(value) or ends_badly(value):
        return Means.FAILURE
    if OWN.is_pending(value):
        return Means.PENDING
    if OWN.succeeded(value):
        return Means.SUCCESS
    return None
