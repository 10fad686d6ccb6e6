"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from wes_provider.exceptions import WesDuplicateError, WesError
from wes_provider.models import ERROR_HEADLINE, counted, file_title, headline, shorten

if TYPE_CHECKING:
    from wes_provider.storage.ledger import Entry

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


def _headline(cause: str, coupon_list_id: str) -> str:
    return headline(cause, coupon_list_id, longest=ERROR_HEADLINE)


def about(path: str, cause: str) -> str:
    """
    A first line about a file; if its path is too long for that, the line has the file's name, and the path follows.

    :param cause: with braces in place of the path.
    """
    whole = cause.format(path)
    return whole if len(whole) <= ERROR_HEADLINE else f"{cause.format(_name(path))}\n{path}"


def what_of(error: WesError, path: str) -> str:
    """The text of an error without what :func:`about` put before it."""
    return str(error).removeprefix(path).removeprefix(_name(path)).replace(f"\n{path}", "", 1).strip()


def _name(path: str) -> str:
    return shorten(file_title(path), 24)


class WesStorageError(WesError):
    """The storage cannot be listed or read. Its message leaves out the library's text, which may quote anything."""

    def __init__(self, label: str, done: str, error: Exception) -> None:
        super().__init__(
            f"{about(label, f'{{}} cannot be {done} ({shorten(type(error).__name__, 24)})')}\n"
            "Check the connection's address and credentials"
        )


class WesFileNotFoundError(WesError):
    """No object matches, or an object is gone. A retry lists the bucket again."""


class WesFileChangedError(WesError):
    """An object was overwritten after the task listed it. A retry lists it, and checks it, as another file."""


class WesFileOverwrittenError(WesFileChangedError):
    """
    An object was overwritten after its upload, before the service had processed it. A retry cannot change that.

    :ivar problems: the problems of all such files, each a sentence.
    """

    permanent = True

    def __init__(self, coupon_list_id: str, problems: Sequence[str]) -> None:
        was = "was" if len(problems) == 1 else "were"
        cause = f"{counted(len(problems), 'file')} {was} overwritten while being processed"
        super().__init__(
            f"{_headline(cause, coupon_list_id)}\n"
            "Which content the list has cannot be known from here: look at its codes before you upload either again.\n"
            + "\n".join(problems[:SHOWN_PROBLEMS])
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
        shown = list(problems[:SHOWN_PROBLEMS])
        if len(problems) > len(shown):
            shown.append(f"and {counted(len(problems) - len(shown), 'more problem')}")
        super().__init__(
            f"Nothing was sent: {counted(len(problems), 'problem')} in {counted(files, 'coupon file')}\n"
            "Fix the files and clear the task; preflight=False uploads them as they are.\n" + "\n".join(shown)
        )
        self.problems = list(problems)
        self.permanent = permanent


class WesReconciliationError(WesError):
    """
    The service added fewer codes than the files have. They are uploaded; uploading them again adds none.

    :ivar problems: the problems of all files, each a sentence.
    """

    permanent = True

    def __init__(
        self, coupon_list_id: str, min_added_ratio: float, problems: Sequence[str], files: int, missing: int
    ) -> None:
        cause = f"{len(problems)} of {counted(files, 'file')} below min_added_ratio={min_added_ratio}"
        if missing == len(problems):
            cause = f"Added codes of {counted(missing, 'file')} not reported"
        advice = (
            f"min_added_ratio={min_added_ratio} needs the count of added codes: name it in the connection, in Counts "
            "of coupon files, as the files' records do.\n"
            if missing
            else ""
        )
        super().__init__(
            f"{_headline(cause, coupon_list_id)}\n{advice}"
            "The files are uploaded: check whether the list had their codes before. Do not upload them again.\n"
            + "\n".join(problems[:SHOWN_PROBLEMS])
        )
        self.problems = list(problems)


class WesKnownContentError(WesDuplicateError):
    """
    Another task uploaded the same content to the list, and ``on_known_content`` is ``fail``.

    Or it cannot be known whether that task did: the object was overwritten in the meantime, or the task crashed, and
    the list's file of that name may be an earlier one.
    """

    def __init__(
        self, coupon_list_id: str, known: Sequence[tuple[str, Entry]], *, processing_checked: bool = True
    ) -> None:
        lines = [
            f"{path}: coupon file {entry.coupon_file_id}, by {entry.by()}"
            + ("" if entry.state == "uploaded" else "; whether it has this content cannot be known")
            for path, entry in known
        ]
        if len(lines) > SHOWN_PROBLEMS:
            lines[SHOWN_PROBLEMS:] = [f"and {len(lines) - SHOWN_PROBLEMS} more"]
        known_files = counted(len(known), "file")
        super().__init__(
            f"{_headline(f'The content of {known_files} was uploaded before', coupon_list_id)}\n"
            "Ledger(on_known_content='skip') leaves such files out; 'upload' gives their codes to the list again.\n"
            + "\n".join(lines)
            + ("" if processing_checked else "\nWhether these were processed is not checked: a plan sends no request")
        )


class WesLedgerBusyError(WesError):
    """Another task is uploading the same content to the list right now. A retry finds out what became of it."""


class WesLedgerError(WesError):
    """The ledger cannot be read or written. Without it, nothing is uploaded."""
