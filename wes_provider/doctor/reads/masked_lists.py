"""Identifiers and names of a list that something on the way has masked. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wes_provider.doctor.reads.evidence import Listed
from wes_provider.doctor.replies.files import records_by_id
from wes_provider.doctor.replies.masks import is_mask
from wes_provider.models import CouponFile

__all__ = ["MaskedIdentifiers", "are_names_masked", "masked_identifiers"]


class MaskedIdentifiers(NamedTuple):
    """
    Identifiers of a list that are none of its files.

    :ivar value: such an identifier.
    :ivar files: that have it, or one like it.
    :ivar is_shared: whether files of several names and URLs have the same one.
    """

    value: str
    files: Sequence[CouponFile]
    is_shared: bool


def masked_identifiers(listed: Listed) -> MaskedIdentifiers | None:
    """Return the identifiers that tell no file from another; ``None`` if there are none."""
    for files in filter(_are_different_files, records_by_id(listed.files)):
        return MaskedIdentifiers(files[0].id, files, is_shared=True)
    masked = [file for file in listed.files if is_mask(file.id)]
    if not masked:
        return None
    return MaskedIdentifiers(masked[0].id, masked, is_shared=False)


def _are_different_files(files: Sequence[CouponFile]) -> bool:
    """Tell whether records differ in the name and the URL, which no two records of a file do."""
    names = {file.name for file in files}
    urls = {file.file_url for file in files}
    return len(names) > 1 and len(urls) > 1


def are_names_masked(listed: Listed) -> bool:
    """Tell whether all names that a list has of files are masked."""
    names = [file.name for file in listed.files if file.name]
    return bool(names) and all(map(is_mask, names))
