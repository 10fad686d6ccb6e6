"""Whether files with a known success still have to be approved, by what others have. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.meanings import speaks_of_person
from wes_provider.doctor.replies.files import (
    coupons_in,
    left_out,
    name_of_added,
    properties_of,
    status_of,
)
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["OpenSuccess", "open_success"]

# Parts of the names of properties that say when or by whom a file took effect.
TAKES_EFFECT: Final = re.compile(
    r"approv|(?<!de)(?<!in)activat|publish|release|confirm|review|(?:^|[._])live|effect|import|"
    r"complete|finish|finaliz|load(?!_id)|commit|sign(?:ed)?_?off|freigabe|freigegeben|aktiv"
)
# Of numbers that count what could be added.
VALID: Final = re.compile(r"(?<!in)valid|usable|(?<!un)gültig|(?<!un)gueltig")


class OpenSuccess(NamedTuple):
    """
    A known success whose files have added nothing, unlike those of other statuses.

    :ivar files: with it.
    :ivar why: what says that more is to come, such as ``approved_at is null``.
    :ivar waits_for_person: whether that is something that a person does.
    :ivar others: statuses of files that have added coupons.
    """

    status: str
    files: Sequence[CouponFile]
    why: str
    waits_for_person: bool
    others: Sequence[str]

    @property
    def may_be(self) -> str:
        """What it may be instead of an end, as the end of a sentence."""
        if self.waits_for_person:
            return "it may wait for a person"
        return "it may be a stage on the way"

    def __str__(self) -> str:
        added = f"none of its {len(self.files)} files has added a coupon"
        if len(self.files) == 1:
            added = "its only file has added no coupon"
        return (
            f"{self.status} is a success for tasks, but {added}, unlike those with "
            f"{' or '.join(self.others)}, and {self.why}: {self.may_be}"
        )


def open_success(
    files: Sequence[CouponFile], statuses: Statuses, names: CountNames
) -> OpenSuccess | None:
    """
    Find a known success that files of another status speak against: all of its files have added
    nothing, others have, and something says that more is to come. ``None`` without one.

    Files that have duplicates may have added nothing for that reason.
    """
    with_coupons = [file for file in files if _added(file, names)]
    for status in dict.fromkeys(map(status_of, files)):
        having = [file for file in files if status_of(file) == status]
        others = [file for file in with_coupons if not statuses.failed(file.status)]
        is_known = statuses.succeeded(having[0].status)
        if not is_known or not others or not all(_has_added_nothing(f, names) for f in having):
            continue
        missing = _missing_property(having, others)
        why = missing or _valid_number(having)
        if why:
            return OpenSuccess(
                status=status,
                files=having,
                why=why,
                waits_for_person=bool(missing) and speaks_of_person(missing),
                others=sorted({*map(status_of, others)}),
            )
    return None


def _added(file: CouponFile, names: CountNames) -> int | None:
    """Return the number of coupons added as it stands, even if another number contradicts it."""
    added = coupons_in(file, names).added
    if added is None:
        return file.counts.get(name_of_added(file, names))
    return added


def _has_added_nothing(file: CouponFile, names: CountNames) -> bool:
    """Tell whether a file has added nothing, and neither duplicates nor a reason explain that."""
    is_explained = left_out(file) > 0 or bool(file.reason)
    return _added(file, names) == 0 and not is_explained


def _missing_property(files: Sequence[CouponFile], others: Sequence[CouponFile]) -> str:
    """
    Quote a property that says when or by whom a file took effect, if none of some files has a value
    in it, and all others have; empty without one.
    """
    for where, value in properties_of(files[0]).items():
        if TAKES_EFFECT.search(where.lower()) is None or where in files[0].counts:
            continue
        is_missing = not any(_has(properties_of(file), where) for file in files)
        if is_missing and all(_has(properties_of(file), where) for file in others):
            return f"{shown(where, quoted=False)} is {_as_json(value)}"
    return ""


def _has(properties: Mapping[str, Any], where: str) -> bool:
    """Tell whether a property has a value that is neither empty nor false."""
    return properties.get(where) not in (None, "", False)


def _as_json(value: Any) -> str:
    if value is None:
        return "null"
    if value is False:
        return "false"
    return "empty"


def _valid_number(files: Sequence[CouponFile]) -> str:
    """Quote a number of what could be added, if each of some files has one; empty without one."""
    for name in files[0].counts:
        is_valid = VALID.search(name.lower()) is not None
        if is_valid and all(file.counts.get(name, 0) > 0 for file in files):
            return f"{shown(name, quoted=False)} is {files[0].counts[name]}"
    return ""
