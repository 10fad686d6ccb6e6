"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from wes_provider.exceptions import WesDuplicateError, WesError

if TYPE_CHECKING:
    from wes_provider.storage.ledger import Entry

__all__ = [
    "WesFileChangedError",
    "WesFileNotFoundError",
    "WesKnownContentError",
    "WesLedgerBusyError",
    "WesLedgerError",
    "WesPreflightError",
    "WesReconciliationError",
    "WesSigningError",
    "WesStorageError",
]

SHOWN_PROBLEMS: Final = 20


class WesStorageError(WesError):
    """The storage cannot be listed or read: its library's error, without its text, which may quote anything."""

    def __init__(self, label: str, done: str, error: Exception) -> None:
        super().__init__(
            f"{label} cannot be {done} ({type(error).__name__}).\nCheck the connection's address and credentials"
        )


class WesFileNotFoundError(WesError):
    """No object matches, or an object is gone. A retry lists the bucket again."""


class WesFileChangedError(WesError):
    """An object was overwritten after the task listed it. A retry lists it, and checks it, as another file."""


class WesSigningError(WesError):
    """The storage cannot sign a URL that lives long enough."""

    permanent = True


class WesPreflightError(WesError):
    """
    Coupon files must not be uploaded; nothing was sent.

    :ivar problems: of all files, each a sentence.
    :ivar permanent: false if a retry may find none of them.
    """

    def __init__(self, problems: Sequence[str], files: int, *, permanent: bool = True) -> None:
        shown = list(problems[:SHOWN_PROBLEMS])
        if len(problems) > len(shown):
            shown.append(f"and {len(problems) - len(shown)} more problems")
        super().__init__(
            f"The preflight found {len(problems)} problems in {files} coupon files; nothing was sent.\n"
            "Fix the files and clear the task; preflight=False uploads them as they are.\n" + "\n".join(shown)
        )
        self.problems = list(problems)
        self.permanent = permanent


class WesReconciliationError(WesError):
    """
    The service added fewer codes than the files have. They are uploaded; uploading them again adds none.

    :ivar problems: of all files, each a sentence.
    """

    permanent = True

    def __init__(self, coupon_list_id: str, min_added_ratio: float, problems: Sequence[str], files: int) -> None:
        super().__init__(
            f"List {coupon_list_id}: {len(problems)} of {files} files fall below min_added_ratio={min_added_ratio}.\n"
            "The files are uploaded: check whether the list had their codes before. Do not upload them again.\n"
            + "\n".join(problems[:SHOWN_PROBLEMS])
        )
        self.problems = list(problems)


class WesKnownContentError(WesDuplicateError):
    """Another task uploaded the same content to the list, and ``on_known_content`` is ``fail``."""

    def __init__(self, coupon_list_id: str, known: Sequence[tuple[str, Entry]]) -> None:
        lines = [f"{path}: coupon file {entry.coupon_file_id}, by {entry.by()}" for path, entry in known]
        if len(lines) > SHOWN_PROBLEMS:
            lines[SHOWN_PROBLEMS:] = [f"and {len(lines) - SHOWN_PROBLEMS} more"]
        super().__init__(
            f"List {coupon_list_id}: the content of {len(known)} files was uploaded before.\n"
            "Ledger(on_known_content='skip') leaves such files out; 'upload' gives their codes to the list again.\n"
            + "\n".join(lines)
        )


class WesLedgerBusyError(WesError):
    """Another task is uploading the same content to the list right now. A retry finds out what became of it."""


class WesLedgerError(WesError):
    """The ledger cannot be read or written. Without it, nothing is uploaded."""
