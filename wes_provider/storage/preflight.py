"""Coupon files fetched and checked before anything is uploaded."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import msgspec

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.content import Rules, read_content
from wes_provider.storage.errors import WesPreflightError, WesStorageError
from wes_provider.storage.files import PIECE, PlannedFile
from wes_provider.texts import counted, shown

__all__ = ["Preflight", "check_files"]

log = logging.getLogger(__name__)


class Preflight(Rules, kw_only=True):
    """
    What coupon files are checked for before the first one is uploaded. All arguments are templated.

    :param header: whether the first line names columns: ``True`` or ``False``; by default, if it
        names one for codes.
    :param column: the column of the codes: its name, or its number from 1 on. By default it is the
        first, and a file of several columns has to name it. It changes what is counted and checked,
        not what the service reads.
    :param delimiter: the character between columns; by default it is found.
    :param min_codes: the task fails if a file has fewer codes.
    :param max_codes: the task fails if a file has more codes; by default a list's limit, 100
        million.
    :param min_length: the shortest code, in bytes.
    :param max_length: the longest code, in bytes.
    :param max_duplicates: how many codes of a file may be duplicates of codes before them.
    """

    template_fields: ClassVar[Sequence[str]] = Rules.__struct_fields__

    def __post_init__(self) -> None:
        if not any(map(templated, msgspec.structs.astuple(self))):
            self.rules()

    def rules(self) -> Rules:
        """
        The arguments, of which templates make texts; raises :class:`WesConfigurationError` if they
        make no sense.
        """
        values = msgspec.structs.asdict(self)
        given = {name: None if value in ("", "None") else value for name, value in values.items()}
        if str(self.column).isdecimal():
            given["column"] = int(str(self.column))
        try:
            return msgspec.convert(given, Rules, strict=False)
        except msgspec.ValidationError as error:
            raise WesConfigurationError(
                f"Preflight cannot be used: {error}\nIt is {shown(self, 300)}"
            ) from None


def check_files(
    files: Sequence[PlannedFile],
    rules: Rules,
    download: Callable[[PlannedFile, Path], None],
    *,
    allow_same: bool,
) -> None:
    """
    Fetch files and check those that are to be checked, one after another; the log says how far it
    is.

    :param files: what is found out is noted in them.
    :param download: fetches a file to a place on this machine.
    :param allow_same: accept files of the same content.
    :raises WesPreflightError: naming every problem of every file.
    """
    problems, passing, first = list[str](), 0, dict[str, PlannedFile]()
    for number, file in enumerate(files, 1):
        try:
            found = _check(file, rules, download)
        except WesStorageError as error:
            problems.append(str(error).replace("\n", ". "))
            passing += 1  # a retry may not find it
            continue
        codes = f"{counted(file.codes, 'code')}, {counted(file.duplicates, 'duplicate')}"
        what = (
            f"{codes}, {counted(file.blank_lines, 'blank line')}"
            if file.checked
            else "its checksum"
        )
        log.info("Checked %s (file %d of %d): %s", file.path, number, len(files), what)
        # None if it was too large to be fetched.
        before = first.setdefault(file.sha256, file) if file.sha256 else file
        if before is not file and not allow_same:
            found.append(f"has the same content as {before.path}")
        problems += [f"{file.path} {problem}" for problem in found]
    if problems:
        raise WesPreflightError(
            f"Nothing was sent: {counted(len(problems), 'problem')} in "
            f"{counted(len(files), 'coupon file')}\n"
            "Fix the files and clear the task; preflight=False uploads them as they are.",
            problems,
            permanent=passing < len(problems),
        )


def _check(
    file: PlannedFile, rules: Rules, download: Callable[[PlannedFile, Path], None]
) -> list[str]:
    """
    Fetch a file for its size, its SHA-256 and, if it is to be checked, its codes; the reasons not
    to upload it.
    """
    most = contract.UPLOAD_URL_BYTES
    too_large = (
        f"has more than {most} bytes (100 MB), which the service does not fetch from a "
        "URL. Split it"
    )
    if file.checked and file.size > most:
        return [too_large]
    with TemporaryDirectory(prefix="wes-preflight-") as folder:
        download(file, path := Path(folder, "codes"))
        digest = hashlib.sha256()
        with path.open("rb") as content:
            while piece := content.read(PIECE):
                digest.update(piece)
            file.size, file.sha256 = content.tell(), digest.hexdigest()
        if not file.checked:
            return []
        return [too_large] if file.size > most else read_content(path, rules, file)
