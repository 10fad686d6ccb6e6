"""Coupon files fetched and checked before anything is uploaded."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

import msgspec

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.storage.content import Content, Rules, read_content
from wes_provider.storage.errors import WesPreflightError
from wes_provider.storage.files import PIECE, BucketFile, UrlFile
from wes_provider.texts import counted, shown

__all__ = ["CheckedFile", "Preflight", "checksum", "refused", "same_content", "same_content_problems"]

log = logging.getLogger(__name__)

PROGRESS: Final = 10.0  # seconds between two lines of the log
DECIMAL_LIMIT: Final = 100 * 10**6  # bytes: the contract's 100 MB if the service counts in powers of ten


class CheckedFile(msgspec.Struct, frozen=True):
    """What is known about one file; ``sha256`` of its content for the ledger, ``checked`` if its codes are counted."""

    path: str
    size: int
    etag: str
    codes: int = 0
    sha256: str = ""
    header: str = ""
    blank_lines: int = 0
    duplicates: int = 0
    warnings: list[str] = []
    checked: bool = True


class Preflight:
    """
    What coupon files are checked for before the first one is uploaded. All arguments are templated.

    :param header: whether the first line has to name columns: ``True`` or ``False``; ``None`` accepts both.
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

    template_fields: ClassVar[Sequence[str]] = (
        "header column delimiter min_codes max_codes min_length max_length max_duplicates min_added_ratio".split()
    )

    def __init__(
        self,
        *,
        header: bool | str | None = None,
        column: int | str | None = None,
        delimiter: str | None = None,
        min_codes: int | str = 1,
        max_codes: int | str = contract.LIST_COUPONS,
        min_length: int | str = 1,
        max_length: int | str = 100,
        max_duplicates: int | str = 0,
        min_added_ratio: float | str | None = None,
    ) -> None:
        self.header, self.column, self.delimiter = header, column, delimiter
        self.min_codes, self.max_codes = min_codes, max_codes
        self.min_length, self.max_length = min_length, max_length
        self.max_duplicates, self.min_added_ratio = max_duplicates, min_added_ratio
        if not any(templated(value) for value in vars(self).values()):
            self.rules()
            self.added_ratio()

    def __repr__(self) -> str:
        return f"Preflight({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def rules(self) -> Rules:
        """The arguments as numbers; raises :class:`WesConfigurationError` for one that makes no sense."""
        names = ("min_codes", "max_codes", "min_length", "max_length", "max_duplicates")
        numbers = {name: int(_number(name, getattr(self, name), int)) for name in names}
        for thing in ("codes", "length"):
            if numbers[f"min_{thing}"] > numbers[f"max_{thing}"]:
                raise WesConfigurationError(f"min_{thing} of Preflight is more than max_{thing}\n{numbers}")
        column = None if _none(self.column) else self.column
        if column is not None and (isinstance(column, int) or column.strip().lstrip("-").isdecimal()):
            column = int(_number("column", column, int, 1))
        header = {"true": True, "false": False}.get(str(self.header).strip().lower())
        if header is None and not _none(self.header):
            raise WesConfigurationError(f"header of Preflight takes True, False or None, not {shown(self.header)}")
        if header is False and isinstance(column, str):
            raise WesConfigurationError("header=False of Preflight leaves no name for its column\nGive its number.")
        delimiter = None if self.delimiter in (None, "", "None") else self.delimiter
        if delimiter is not None and (len(delimiter) != 1 or delimiter in "\r\n\"'"):
            raise WesConfigurationError(f"delimiter of Preflight takes one character, not {shown(delimiter)}")
        return Rules(header=header, column=column, delimiter=delimiter, **numbers)

    def added_ratio(self) -> float | None:
        """``min_added_ratio`` as a number."""
        if _none(self.min_added_ratio):
            return None
        return _number("min_added_ratio", self.min_added_ratio, float, most=1)

    def check(self, files: Sequence[BucketFile | UrlFile], *, allow_same: bool = False) -> list[CheckedFile]:
        """
        Check files in storage, or at URLs that the worker can reach, one after another; warnings are logged.

        :param allow_same: accept files of the same content.
        :raises WesPreflightError: naming every problem of every file.
        """
        checked, problems, passing = list[CheckedFile](), list[str](), 0
        for number, file in enumerate(files, 1):
            try:
                one, found = _check(file, self.rules(), f"file {number} of {len(files)}")
            except WesConfigurationError:
                raise
            except WesError as error:
                problems.append(str(error).replace("\n", ". "))
                passing += 1  # a retry may not find it
                continue
            problems += [f"{file.path} {problem}" for problem in found]
            for warning in one.warnings:
                log.warning("%s %s", file.path, warning)
            log.info("Checked %s (file %d of %d): %s", file.path, number, len(files), counted(one.codes, "code"))
            checked.append(one)
        problems += [] if allow_same else same_content_problems(checked)
        if problems:
            raise refused(problems, len(files), permanent=passing < len(problems))
        codes = sum(one.codes for one in checked)
        log.info("Checked %s with %s", counted(len(checked), "coupon file"), counted(codes, "code"))
        return checked


def refused(problems: Sequence[str], files: int, *, permanent: bool = True) -> WesPreflightError:
    """The error for the problems of so many files."""
    message = (
        f"Nothing was sent: {counted(len(problems), 'problem')} in {counted(files, 'coupon file')}\n"
        "Fix the files and clear the task; preflight=False uploads them as they are."
    )
    return WesPreflightError(message, problems, permanent=permanent)


def _check(file: BucketFile | UrlFile, rules: Rules, which: str) -> tuple[CheckedFile, list[str]]:
    """Fetch and check one file; what is known about it, and its problems."""
    size, sha256, found = file.size, "", Content()
    with TemporaryDirectory(prefix="wes-preflight-") as folder:
        if size <= rules.max_bytes:
            size, sha256 = _fetch(file, path := Path(folder, "codes"), which)
        if size > rules.max_bytes:
            text = f"has {size} bytes; the service fetches at most {rules.max_bytes} (100 MB) from a URL. Split it"
            found.problems.append(text)
        else:
            found = read_content(path, rules, zipped=file.path.lower().endswith(".gz"))
    if DECIMAL_LIMIT < size <= rules.max_bytes:
        text = f"has {size} bytes, more than {DECIMAL_LIMIT}: too many if the service's 100 MB are powers of ten"
        found.warnings.append(text)
    details = (found.codes, sha256, found.header, found.blank_lines, found.duplicates, found.warnings)
    return CheckedFile(file.path, size, file.etag, *details), found.problems


def _fetch(file: BucketFile | UrlFile, path: Path, which: str) -> tuple[int, str]:
    """Fetch a file to this machine, and log how far that is; its size, and the SHA-256 of its bytes."""
    file.download(path, _progress(file, which))
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while piece := content.read(PIECE):
            digest.update(piece)
        return content.tell(), digest.hexdigest()


def _progress(file: BucketFile | UrlFile, which: str) -> Callable[[int], None]:
    logged_at = time.monotonic()

    def log_progress(done: int) -> None:
        nonlocal logged_at
        if time.monotonic() - logged_at >= PROGRESS:
            logged_at = time.monotonic()
            of = f" of {file.size / 1e6:.0f}" if file.size else ""
            log.info("Reading %s (%s): %.0f%s MB", file.path, which, done / 1e6, of)

    return log_progress


def checksum(file: BucketFile | UrlFile, *, read: bool) -> CheckedFile:
    """A file that is not checked; it is ``read`` for the checksum of its content, which the ledger needs."""
    size, sha256 = file.size, ""
    if read:
        with TemporaryDirectory(prefix="wes-preflight-") as folder:
            size, sha256 = _fetch(file, Path(folder, "codes"), "its checksum alone")
    return CheckedFile(file.path, size, file.etag, sha256=sha256, checked=False)


def same_content(files: Sequence[CheckedFile]) -> dict[int, str]:
    """The files whose content an earlier file has, by index, with the path of that file."""
    first: dict[str, int] = {}
    same = {index: first.setdefault(file.sha256, index) for index, file in enumerate(files) if file.sha256}
    return {index: files[before].path for index, before in same.items() if before != index}


def same_content_problems(files: Sequence[CheckedFile]) -> list[str]:
    """The same as sentences."""
    return [f"{files[index].path} has the same content as {path}" for index, path in same_content(files).items()]


def _none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in ("", "none"))


def _number(name: str, value: Any, kind: type[int | float], least: float = 0, most: float = float("inf")) -> float:
    try:
        number = float("nan") if isinstance(value, bool) else kind(value)
        if not least <= number <= most or number == float("inf") or (not isinstance(value, str) and number != value):
            raise ValueError
    except (TypeError, ValueError):
        upto = f"to {most:g}" if most < float("inf") else "on"
        raise WesConfigurationError(
            f"{name} of Preflight takes a number from {least:g} {upto}, not {shown(value)}"
        ) from None
    return number
