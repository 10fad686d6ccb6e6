"""Coupon files fetched and checked before anything is uploaded."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import msgspec

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.storage.content import CheckedFile, Rules, read_content
from wes_provider.storage.errors import WesPreflightError
from wes_provider.storage.files import PIECE, BucketFile, UrlFile
from wes_provider.texts import counted, shown

__all__ = ["Preflight", "check_files", "fetch"]

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Preflight:
    """
    What coupon files are checked for before the first one is uploaded. All arguments are templated.

    :param header: whether the first line names columns: ``True`` or ``False``; by default, if it names one for codes.
    :param column: the column of the codes: its name, or its number from 1 on. By default it is the first, and a file
        of several columns has to name it. It changes what is counted and checked, not what the service reads.
    :param delimiter: the character between columns; by default it is found.
    :param min_codes: the task fails if a file has fewer codes.
    :param max_codes: the task fails if a file has more codes; by default a list's limit, 100 million.
    :param min_length: the shortest code, in bytes.
    :param max_length: the longest code, in bytes.
    :param max_duplicates: how many codes of a file may be duplicates of codes before them.
    :param min_added_ratio: the share of a file's codes, from 0 to 1, that the service has to report as added. With
        fewer, the task fails after the upload. By default, no share is required.
    """

    header: bool | str | None = None
    column: int | str | None = None
    delimiter: str | None = None
    min_codes: int | str = 1
    max_codes: int | str = contract.LIST_COUPONS
    min_length: int | str = 1
    max_length: int | str = 100
    max_duplicates: int | str = 0
    min_added_ratio: float | str | None = None

    template_fields: ClassVar[Sequence[str]] = Rules.__struct_fields__

    def __post_init__(self) -> None:
        if not any(templated(value) for value in vars(self).values()):
            self.rules()

    def rules(self) -> Rules:
        """The arguments as numbers; raises :class:`WesConfigurationError` for one that makes no sense."""
        given = {name: None if value in ("", "None") else value for name, value in vars(self).items()}
        if str(self.column).isdecimal():
            given["column"] = int(str(self.column))
        try:
            return msgspec.convert(given, Rules, strict=False)
        except msgspec.ValidationError as error:
            raise WesConfigurationError(f"Preflight cannot be used: {error}\nIt is {shown(self, 300)}") from None


def check_files(
    files: Sequence[tuple[CheckedFile, BucketFile | UrlFile]], rules: Rules, *, allow_same: bool = False
) -> None:
    """
    Fetch files and check those that are to be checked, one after another; the log says how far it is.

    :param files: what to find out about each, and where it comes from: storage, or a URL that the worker can reach.
    :param allow_same: accept files of the same content.
    :raises WesPreflightError: naming every problem of every file.
    """
    problems, passing, first = list[str](), 0, dict[str, CheckedFile]()
    for number, (file, source) in enumerate(files, 1):
        try:
            found = fetch(file, source, rules if file.checked else None)
        except WesConfigurationError:
            raise
        except WesError as error:
            problems.append(str(error).replace("\n", ". "))
            passing += 1  # a retry may not find it
            continue
        codes = f"{counted(file.codes, 'code')}, {counted(file.duplicates, 'duplicate')}"
        what = f"{codes}, {counted(file.blank_lines, 'blank line')}" if file.checked else "its checksum"
        log.info("Checked %s (file %d of %d): %s", file.path, number, len(files), what)
        before = first.setdefault(file.sha256, file) if file.sha256 else file  # none if it was too large to be fetched
        if before is not file and not allow_same:
            found.append(f"has the same content as {before.path}")
        problems += [f"{file.path} {problem}" for problem in found]
    if problems:
        raise WesPreflightError(
            f"Nothing was sent: {counted(len(problems), 'problem')} in {counted(len(files), 'coupon file')}\n"
            "Fix the files and clear the task; preflight=False uploads them as they are.",
            problems,
            permanent=passing < len(problems),
        )
    total = sum(file.codes for file, _ in files)
    log.info("Checked %s with %s", counted(len(files), "coupon file"), counted(total, "code"))


def fetch(file: CheckedFile, source: BucketFile | UrlFile, rules: Rules | None = None) -> list[str]:
    """
    Fetch a file to this machine, for its size and the SHA-256 of its content; with rules, for its codes, too.

    :return: the reasons not to upload it.
    """
    most = contract.UPLOAD_URL_BYTES
    too_large = f"has more than {most} bytes (100 MB), which the service does not fetch from a URL. Split it"
    if rules is not None and file.size > most:
        return [too_large]
    with TemporaryDirectory(prefix="wes-preflight-") as folder:
        source.download(path := Path(folder, "codes"))
        digest = hashlib.sha256()
        with path.open("rb") as content:
            while piece := content.read(PIECE):
                digest.update(piece)
            file.size, file.sha256 = content.tell(), digest.hexdigest()
        if rules is None:
            return []
        return [too_large] if file.size > most else read_content(path, rules, file)
