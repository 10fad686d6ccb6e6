"""Errors, and what they say besides their message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wes_provider.doctor.replies.beside import said_beside


class Error(NamedTuple):
    """
    An error's headers, its body and its message, and what it says besides; by default a 403 that
    says no more than no.
    """

    name: str
    headers: Mapping[str, str] = {}
    content: Any = None
    says: Sequence[str] = ()
    status: int = 403
    message: str = "No."


NOT_YET = "The key is not yet valid."


def beside(row: Error) -> list[str]:
    """What an error says besides its message."""
    return [*said_beside(row.status, row.headers, row.content, row.message)]


__all__ = ["NOT_YET", "Error", "beside"]
