"""
What the record of an uploaded file, and the other files of its list, say of where its coupons are,
if its status does not. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.limited_imports import limits_of_import
from wes_provider.doctor.records.meanings import NO_MEMBERS
from wes_provider.doctor.replies.files import coupons_in, properties_of, status_of
from wes_provider.doctor.writes.upload import Followed
from wes_provider.models import CouponFile
from wes_provider.texts import counted, redact, shown

__all__ = ["has_parts", "has_read_page", "taken_for", "what_else"]

MOST_MEMBERS: Final = 3  # that are quoted
MOST_FILES: Final = 3  # that are named
LONGEST_VALUE: Final = 60  # characters
# How a web page begins.
PAGE: Final = re.compile(r"<!doctype html|<html", re.IGNORECASE)
# Ends of the names of members that say when something was, and not what.
MOMENTS: Final = re.compile(r"(?:_at|_on|At|On|date|time|Date|Time)$")


def what_else(followed: Followed) -> str:
    """
    Quote what the record of an uploaded file has besides, and name the new files of the list that
    are made of it, as sentences with a space before each; empty if there is neither.
    """
    sentences = ""
    members = [*_members(followed.file)][:MOST_MEMBERS]
    if members:
        sentences += f" Its record also has {', '.join(members).rstrip('.')}."
    made_of_it = _files_made_of(followed)
    if made_of_it:
        named = ", ".join(map(_described, made_of_it[:MOST_FILES]))
        number = counted(len(made_of_it), "new file")
        sentences += f" The list has {number} made of it: {named}. No task waits for these."
    return sentences


def has_read_page(followed: Followed) -> bool:
    """Tell whether the record quotes a web page: that is what the service got from the URL."""
    texts = [value for value in properties_of(followed.file).values() if isinstance(value, str)]
    return any(map(PAGE.search, (*texts, followed.file.reason)))


def taken_for(followed: Followed) -> CouponFile | None:
    """
    Return the file that the list had before, and that the record of the uploaded file names, though
    the list does not show the uploaded one: the service may have taken one for the other. ``None``
    without such a file.
    """
    if followed.listed_after is not None:
        return None
    named = _words_in(list(properties_of(followed.file).values()))
    return next((file for file in followed.before if file.id in named), None)


def has_parts(followed: Followed) -> bool:
    """Tell whether the list has new files that are made of the uploaded one."""
    return bool(_files_made_of(followed))


def _members(file: CouponFile) -> Iterator[str]:
    """Yield the members of a record that the provider does not read, with their values."""
    limits = limits_of_import(file)
    for where, value in properties_of(file).items():
        is_read = where in NO_MEMBERS or where in file.counts or MOMENTS.search(where)
        is_reason = value == file.reason or file.reason.startswith(f"{where}: ")
        is_said = is_reason or where in limits
        if is_read or is_said or value in (None, "", [], {}):
            continue
        yield shown(redact(f"{where} {_as_text(value)}"), LONGEST_VALUE, quoted=False)


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_as_text, value))
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _files_made_of(followed: Followed) -> list[CouponFile]:
    """Return the files that the list did not have before, and that name the uploaded one."""
    return [file for file in followed.new_files if _is_made_of(file, followed.file)]


def _is_made_of(other: CouponFile, file: CouponFile) -> bool:
    """Tell whether a file has another one's identifier or name in its record."""
    if other.id == file.id:
        return False
    if file.name and other.name.startswith(file.name):
        return True
    values = _words_in(list(properties_of(other).values()))
    return file.id in values or other.id in _words_in(list(properties_of(file).values()))


def _words_in(values: Sequence[Any]) -> set[str]:
    words: set[str] = set()
    for value in values:
        if isinstance(value, list):
            words |= _words_in(value)
        elif isinstance(value, str):
            words.add(value)
    return words


def _described(file: CouponFile) -> str:
    """Return a file's identifier, with its status, and its coupons if it has a count of them."""
    says = []
    if file.status:
        says.append(status_of(file))
    added = coupons_in(file, CountNames()).added
    if added is not None:
        says.append(f"{counted(added, 'coupon')} added")
    title = shown(file.id, quoted=False)
    if says:
        return f"{title} ({', '.join(says)})"
    return title
