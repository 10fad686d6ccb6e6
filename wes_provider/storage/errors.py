"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.exceptions import WesDuplicateError, WesError
from wes_provider.texts import about, counted

__all__ = [
    "WesFileChangedError",
    "WesFileNotFoundError",
    "WesFileOverwrittenError",
    "WesKnownContentError",
    "WesLedgerBusyError",
    "WesLedgerError",
    "WesPreflightError",
    "WesReconciliationError",
    "WesSigningError",
    "WesStorageError",
]

SHOWN_PROBLEMS: Final = 20


def _listed(problems: Sequence[str]) -> str:
    more = len(problems) - SHOWN_PROBLEMS
    return "\n".join([*problems[:SHOWN_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])


class WesStorageError(WesError):
    """The storage cannot be listed or read. Its message leaves out the library's text, which may quote anything."""

    def __init__(self, path: str, done: str, error: Exception) -> None:
        super().__init__(
            f"{path} cannot be {done} ({type(error).__name__})\nCheck the connection's address and credentials"
        )


class WesFileNotFoundError(WesError):
    """No object matches, or an object is gone. A retry lists the bucket again."""


class WesFileChangedError(WesError):
    """An object was overwritten after the task listed it. A retry lists and checks it again."""


class WesFileOverwrittenError(WesFileChangedError):
    """
    An object was overwritten after its upload, before the service had processed it. A retry cannot change that.

    :ivar problems: the problems of all such files, each a sentence.
    """

    permanent = True

    def __init__(self, coupon_list_id: str, problems: Sequence[str]) -> None:
        were = "file was" if len(problems) == 1 else "files were"
        super().__init__(
            f"{about(f'{len(problems)} {were} overwritten while being processed', coupon_list_id)}\n"
            "Which content the list has cannot be known from here: look at its codes before you upload either again.\n"
            + _listed(problems)
        )
        self.problems = list(problems)


class WesSigningError(WesError):
    """The storage cannot sign a URL that is valid long enough."""

    permanent = True


class WesPreflightError(WesError):
    """
    The checks found problems in coupon files; nothing was sent.

    :ivar problems: the problems of all files, each a sentence.
    :ivar permanent: false if a retry may find none of them.
    """

    def __init__(self, problems: Sequence[str], files: int, *, permanent: bool = True) -> None:
        super().__init__(
            f"Nothing was sent: {counted(len(problems), 'problem')} in {counted(files, 'coupon file')}\n"
            f"Fix the files and clear the task; preflight=False uploads them as they are.\n{_listed(problems)}",
            permanent=permanent,
        )
        self.problems = list(problems)


class WesReconciliationError(WesError):
    """
    The service added fewer codes than the files have. They are uploaded; uploading them again adds none.

    :ivar problems: the problems of all files, each a sentence.
    """

    permanent = True

    def __init__(self, coupon_list_id: str, min_added_ratio: float, problems: Sequence[str], files: int) -> None:
        cause = f"{len(problems)} of {counted(files, 'file')} below min_added_ratio={min_added_ratio}"
        super().__init__(
            f"{about(cause, coupon_list_id)}\n"
            "The files are uploaded: check whether the list had their codes before. Do not upload them again.\n"
            + _listed(problems)
        )
        self.problems = list(problems)


class WesKnownContentError(WesDuplicateError):
    """
    Another task uploaded the same content to the list, and ``on_known_content`` is ``fail``.

    Or it cannot be known whether that task did: the object was overwritten in the meantime, or the task crashed, and
    the list's file of that name may be an earlier one.

    :param known: a sentence about each file.
    """

    def __init__(self, coupon_list_id: str, known: Sequence[str]) -> None:
        cause = f"The content of {counted(len(known), 'file')} was uploaded before"
        super().__init__(
            f"{about(cause, coupon_list_id)}\n"
            "Ledger(on_known_content='skip') leaves such files out; 'upload' gives their codes to the list again.\n"
            + _listed(known)
        )


class WesLedgerBusyError(WesError):
    """Another task is uploading the same content to the list right now. A retry finds out what became of it."""


class WesLedgerError(WesError):
    """The ledger cannot be read or written. Without it, nothing is uploaded."""
