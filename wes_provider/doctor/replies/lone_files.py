"""Which files a body has without an array, so that the provider reads no list in it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.replies.members import objects_in
from wes_provider.models import CouponFile

__all__ = ["LoneFiles", "files_without_array"]


class LoneFiles(NamedTuple):
    """
    Files that stand in a body without an array.

    :ivar where: the dotted property of their object; empty if that is the body.
    :ivar are_keyed: whether the object has them under their identifiers; else it is one file.
    """

    where: str
    files: Sequence[CouponFile]
    are_keyed: bool

    def __str__(self) -> str:
        under = ""
        if self.where:
            under = f" under {self.where}"
        if not self.are_keyed:
            return f"one file alone{under}"
        if len(self.files) == 1:
            return f"1 file keyed by its identifier{under}"
        return f"{len(self.files)} files keyed by their identifiers{under}"


def files_without_array(content: Any, list_id: str) -> LoneFiles | None:
    """
    Find one file alone in a body, or files under their identifiers; ``None`` without any.

    :param list_id: the list that was read: its own record is no file of it.
    """
    for where, value in objects_in(content):
        keyed = _files_by_identifier(value)
        if keyed:
            return LoneFiles(where, keyed, are_keyed=True)
        file = _file_in(value)
        if file is not None and file.id != list_id:
            return LoneFiles(where, [file], are_keyed=False)
        if "_id" in value:
            return None  # what is within a record of something else is no list
    return None


def _files_by_identifier(value: Mapping[str, Any]) -> list[CouponFile]:
    """Return the files of an object that has nothing but files, under their identifiers."""
    files = []
    for name, record in value.items():
        file = _file_in(record)
        if file is None or file.id != name:
            return []
        files.append(file)
    return files


def _file_in(record: Any) -> CouponFile | None:
    """Return the file of a record with a status, and with what only files have beside it."""
    file = file_of(record)
    if file is None or not file.status:
        return None
    if file.coupon_list_id or file.file_url or file.counts:
        return file
    return None
