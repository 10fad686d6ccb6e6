"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.exceptions import WesDuplicateError, WesError

__all__ = ["WesKnownContentError", "WesLedgerBusyError", "WesPreflightError", "WesStorageError"]

SHOWN_PROBLEMS: Final = 20


class WesStorageError(WesError):
    """
    An object cannot be listed, read or signed, is gone, or was overwritten after the task listed
    it; or the ledger cannot be read or written, and nothing is uploaded without it.

    A retry lists the bucket again, unless no URL can be signed. The storage library's text is left
    out, since it may quote anything.
    """


class TooLargeError(WesStorageError):
    """
    A file is larger than the service takes, by what its host says; it was not fetched.

    :ivar size: bytes.
    """

    def __init__(self, path: str, size: int) -> None:
        super().__init__(f"{path} is too large: {size} bytes")
        self.size = size


class WesPreflightError(WesError):
    """
    The checks found problems in coupon files; nothing was sent. Permanent, unless a retry may find
    none of them.

    :ivar problems: of all files, each a sentence; the message has the first ones.
    """

    def __init__(
        self, message: str, problems: Sequence[str] = (), *, permanent: bool = True
    ) -> None:
        more = len(problems) - SHOWN_PROBLEMS
        lines = [message, *problems[:SHOWN_PROBLEMS], *([f"and {more} more"] if more > 0 else [])]
        super().__init__("\n".join(lines), permanent=permanent)
        self.problems = list(problems)


class WesKnownContentError(WesPreflightError, WesDuplicateError):
    """Another task uploaded the same content to the list, and ``on_known_content`` is ``fail``."""


class WesLedgerBusyError(WesError):
    """
    Another task is uploading the same content to the list right now. A retry finds out what became
    of it.
    """
