"""Identifiers and names of a list that something on the way has masked or rounded. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from wes_provider.doctor.reads.evidence import Listed
from wes_provider.doctor.replies.files import records_at, records_by_id
from wes_provider.doctor.replies.masks import is_mask
from wes_provider.models import CouponFile

__all__ = ["MaskedIdentifiers", "about_numbers", "are_names_masked", "masked_identifiers"]

LARGEST_EXACT: Final = 2**53  # a float holds each whole number up to that


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


def about_numbers(listed: Listed) -> str:
    """
    Tell that a list has numbers as identifiers, and whether they seem to be rounded, as a sentence
    with a space before it; empty if it has none.
    """
    ids = [record.get("_id") for record in records_at(listed.probe.content)]
    numbers = [number for number in ids if type(number) is int]
    if not numbers:
        return ""
    rounded = ""
    if all(map(_may_be_rounded, numbers)):
        rounded = (
            ", and these seem to be rounded, as programs do with numbers of that size, so they may "
            "be of no file"
        )
    return f" An _id is a number there, and the provider reads a string{rounded}."


def _may_be_rounded(number: int) -> bool:
    """Tell whether a number has more digits than a float holds, and yet is one, or written so."""
    if number <= LARGEST_EXACT:
        return False
    rounded = float(number)
    return number in (int(rounded), int(Decimal(repr(rounded))))
