"""Coupon files fetched and checked before anything is uploaded."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.storage.content import check_content
from wes_provider.storage.counting import Counts
from wes_provider.storage.errors import TooLargeError, WesPreflightError, WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.rules import Rules
from wes_provider.texts import counted

__all__ = ["CheckedFile", "check_files"]

log = logging.getLogger(__name__)

PIECE: Final = 1024 * 1024  # bytes that are hashed at once
TOO_LARGE: Final = (
    f"has more than {contract.UPLOAD_URL_BYTES} bytes (100 MB), which the service does not fetch "
    "from a URL. Split it"
)

Download = Callable[[ListedFile, Path], None]


class FetchedFile(NamedTuple):
    """A file on this machine."""

    listed: ListedFile
    path: Path
    size: int
    sha256: str


class CheckedFile(NamedTuple):
    """
    A file and what is known of its content.

    :ivar size: in bytes, as it was fetched; as it was listed, if it was not fetched.
    :ivar sha256: of its content; empty if it was not fetched.
    :ivar counts: of its codes; ``None`` if they are not checked.
    :ivar has_header: whether its first line is none of the codes.
    """

    listed: ListedFile
    size: int
    sha256: str = ""
    counts: Counts | None = None
    has_header: bool = False


class Problems:
    """What is wrong with files, and what to do about it."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._passing: list[str] = []
        self._advice: dict[str, None] = {}  # in the order in which it came up

    def add(self, file: ListedFile, problems: Sequence[str]) -> None:
        """Add reasons not to upload a file."""
        self._sentences += [f"{file.path} {problem}" for problem in problems]
        if problems and file.checked:
            self._advise("Fix the files and clear the task; preflight=False uploads them as is.")
        elif problems:
            self._advise("Fix the files and clear the task.")

    def add_same_content(self, file: ListedFile, first: ListedFile) -> None:
        """Add a file that has the content of one before it."""
        sentence = f"{file.path} has the same content as {first.path}"
        if file.path == first.path:
            sentence = (
                f"{file.path} is given twice, with the same content: in files[{first.item}] and, "
                f"with another query, in files[{file.item}]"
            )
        self._sentences.append(sentence)
        self._advise(
            "Of files with the same content, leave one; or a Ledger(on_known_content='skip') does."
        )

    def add_unreadable(self, error: WesStorageError) -> None:
        """Add a file that cannot be read, for now or for good."""
        sentence = str(error).replace("\n", ". ")
        self._sentences.append(sentence)
        if error.permanent:
            self._advise("Correct what cannot be read, and clear the task.")
            return
        self._passing.append(sentence)
        self._advise("A retry reads again what cannot be read now.")

    def raise_any(self, number_of_files: int) -> None:
        """
        Raise one error with all problems, if there are any.

        :raises WesPreflightError: permanent, unless a retry may find none of them.
        """
        if not self._sentences:
            return
        problems = counted(len(self._sentences), "problem")
        raise WesPreflightError(
            f"Nothing was sent: {problems} in {counted(number_of_files, 'coupon file')}\n"
            + " ".join(self._advice),
            self._sentences,
            permanent=len(self._passing) < len(self._sentences),
        )

    def _advise(self, advice: str) -> None:
        self._advice[advice] = None


def check_files(
    files: Sequence[ListedFile], rules: Rules, download: Download, *, allow_same_content: bool
) -> list[CheckedFile]:
    """
    Fetch files, one after another, and check those that are to be checked; the log says how far it
    is.

    :param download: fetches a file to a place on this machine.
    :raises WesPreflightError: naming every problem of every file.
    """
    checked_files: list[CheckedFile] = []
    problems = Problems()
    first_of_content: dict[str, ListedFile] = {}
    for number, file in enumerate(files, 1):
        try:
            checked, of_file = _check(file, rules, download)
        except WesStorageError as error:
            problems.add_unreadable(error)
            continue
        log.info(
            "Checked %s (file %d of %d): %s", file.path, number, len(files), _describe(checked)
        )
        checked_files.append(checked)
        problems.add(file, of_file)
        if checked.sha256 and not allow_same_content:
            first = first_of_content.setdefault(checked.sha256, file)
            if first is not file:
                problems.add_same_content(file, first)
    problems.raise_any(len(files))
    return checked_files


def _check(file: ListedFile, rules: Rules, download: Download) -> tuple[CheckedFile, list[str]]:
    """Fetch a file and check it; return the reasons not to upload it, too."""
    if file.checked and file.size > contract.UPLOAD_URL_BYTES:
        return CheckedFile(file, file.size), [TOO_LARGE]
    with TemporaryDirectory(prefix="wes-preflight-") as folder:
        try:
            fetched = _fetch(file, Path(folder, "codes"), download)
        except TooLargeError as error:
            return CheckedFile(file, error.size), [TOO_LARGE]
        # An object that is not checked is fetched as a whole; of a plain URL, the beginning.
        if fetched.size > contract.UPLOAD_URL_BYTES and (file.checked or not file.is_object):
            return CheckedFile(file, fetched.size), [TOO_LARGE]
        if not file.checked:
            return CheckedFile(file, fetched.size, fetched.sha256), []
        gzipped = file.path.lower().endswith(".gz")
        content = check_content(fetched.path, rules, gzipped=gzipped)
    checked = CheckedFile(
        file, fetched.size, fetched.sha256, content.counts, has_header=content.has_header
    )
    return checked, content.problems


def _fetch(file: ListedFile, target: Path, download: Download) -> FetchedFile:
    """Fetch a file, and hash its content."""
    download(file, target)
    digest = hashlib.sha256()
    with target.open("rb") as content:
        while piece := content.read(PIECE):
            digest.update(piece)
        return FetchedFile(file, target, content.tell(), digest.hexdigest())


def _describe(checked: CheckedFile) -> str:
    counts = checked.counts
    if counts is None:
        return "its checksum"
    codes = counted(counts.codes, "code")
    if checked.has_header:
        codes += " below a header"
    return (
        f"{codes}, {counted(counts.duplicates, 'duplicate')}, "
        f"{counted(counts.blank_lines, 'blank line')}"
    )
