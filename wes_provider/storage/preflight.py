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
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.models import templated
from wes_provider.storage.content import Content, Rules, read_content
from wes_provider.storage.errors import WesPreflightError
from wes_provider.storage.files import BucketFile, UrlFile
from wes_provider.texts import counted, shown

__all__ = ["CheckedFile", "Preflight", "checksum", "same_content", "same_content_problems"]

log = logging.getLogger(__name__)

PIECE: Final = 1024 * 1024  # bytes
PROGRESS: Final = 10.0  # seconds between two lines of the log
DECIMAL_LIMIT: Final = 100 * 10**6  # bytes: the contract's 100 MB if the service counts in powers of ten


class CheckedFile(msgspec.Struct, frozen=True):
    """
    What is known about one file; plain JSON.

    :ivar sha256: identifies its content for the ledger.
    :ivar checked: whether the preflight has read it, and counted its codes.
    """

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
        "header",
        "column",
        "delimiter",
        "min_codes",
        "max_codes",
        "min_length",
        "max_length",
        "max_duplicates",
        "min_added_ratio",
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
        self.header = header
        self.column = column
        self.delimiter = delimiter
        self.min_codes = min_codes
        self.max_codes = max_codes
        self.min_length = min_length
        self.max_length = max_length
        self.max_duplicates = max_duplicates
        self.min_added_ratio = min_added_ratio
        if not any(templated(value) for value in vars(self).values()):
            self.rules()
            self.added_ratio()

    def __repr__(self) -> str:
        return f"Preflight({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def rules(self) -> Rules:
        """
        The arguments as numbers.

        :raises WesConfigurationError: naming the argument that is none, or makes no sense.
        """
        names = ("min_codes", "max_codes", "min_length", "max_length", "max_duplicates")
        numbers = {name: int(_number(name, getattr(self, name), int)) for name in names}
        for thing in ("codes", "length"):
            if numbers[f"min_{thing}"] > numbers[f"max_{thing}"]:
                raise WesConfigurationError(f"min_{thing} of Preflight is more than max_{thing}\n{numbers}")
        header = {"true": True, "false": False, "none": None, "": None}.get(str(self.header).strip().lower(), ...)
        if isinstance(header, type(...)):
            raise WesConfigurationError(f"header of Preflight takes True, False or None, not {shown(self.header)}")
        column = _column(self.column)
        if header is False and isinstance(column, str):
            raise WesConfigurationError("header=False of Preflight leaves no name for its column\nGive its number.")
        delimiter = None if self.delimiter in (None, "", "None") else str(self.delimiter)
        if delimiter is not None and (len(delimiter) != 1 or delimiter in "\r\n\"'"):
            raise WesConfigurationError(f"delimiter of Preflight takes one character, not {shown(delimiter)}")
        return Rules(header=header, column=column, delimiter=delimiter, **numbers)

    def added_ratio(self) -> float | None:
        """``min_added_ratio`` as a number."""
        if self.min_added_ratio is None or str(self.min_added_ratio).strip().lower() in ("", "none"):
            return None
        ratio = _number("min_added_ratio", self.min_added_ratio, float)
        if ratio > 1:
            raise WesConfigurationError(f"min_added_ratio of Preflight takes 0 to 1, not {shown(self.min_added_ratio)}")
        return ratio

    def check(self, files: Sequence[BucketFile | UrlFile], *, allow_same: bool = False) -> list[CheckedFile]:
        """
        Check files, one after another; warnings are logged.

        :param files: in storage, or at URLs that the worker can reach.
        :param allow_same: accept files of the same content.
        :return: what was found out, in the same order.
        :raises WesPreflightError: naming every problem of every file.
        """
        rules, checked, problems = self.rules(), list[CheckedFile](), list[str]()
        passing = 0  # problems that a retry may not find
        for number, file in enumerate(files, 1):
            try:
                one, found = _check(file, rules, f"file {number} of {len(files)}")
            except WesConfigurationError:
                raise
            except WesError as error:
                problems.append(str(error).replace("\n", ". "))
                passing += 1
                continue
            problems += [f"{file.path} {problem}" for problem in found]
            for warning in one.warnings:
                log.warning("%s %s", file.path, warning)
            checked.append(one)
        if not allow_same:
            problems += same_content_problems(checked)
        if problems:
            raise WesPreflightError(problems, len(files), permanent=passing < len(problems))
        codes = sum(result.codes for result in checked)
        log.info("Checked %s with %s", counted(len(checked), "coupon file"), counted(codes, "code"))
        return checked


def _check(file: BucketFile | UrlFile, rules: Rules, which: str) -> tuple[CheckedFile, list[str]]:
    """Fetch and check one file; what is known about it, and its problems."""
    size = getattr(file, "size", 0)
    if size > rules.max_bytes:
        return _checked(file, size, "", Content()), [_too_large(size, rules)]
    with TemporaryDirectory(prefix="wes-preflight-") as folder:
        path = Path(folder, "codes")
        sha256 = _fetch(file, path, which)
        size = path.stat().st_size
        if size > rules.max_bytes:
            return _checked(file, size, sha256, Content()), [_too_large(size, rules)]
        found = read_content(path, rules, zipped=file.path.lower().endswith(".gz"))
    if size > DECIMAL_LIMIT:
        found.warnings.append(
            f"has {size} bytes, more than {DECIMAL_LIMIT}: too many if the service's 100 MB are powers of ten"
        )
    log.info("Checked %s (%s): %s", file.path, which, counted(found.codes, "code"))
    return _checked(file, size, sha256, found), found.problems


def _checked(file: BucketFile | UrlFile, size: int, sha256: str, found: Content) -> CheckedFile:
    return CheckedFile(
        file.path,
        size,
        getattr(file, "etag", ""),
        found.codes,
        sha256,
        found.header,
        found.blank_lines,
        found.duplicates,
        found.warnings,
    )


def _too_large(size: int, rules: Rules) -> str:
    return f"has {size} bytes; the service fetches at most {rules.max_bytes} (100 MB) from a URL. Split it"


def _fetch(file: BucketFile | UrlFile, path: Path, which: str) -> str:
    """Fetch a file to this machine; the SHA-256 of its bytes."""
    file.download(path, _progress(file, which))
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while piece := content.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _progress(file: BucketFile | UrlFile, which: str) -> Callable[[int], None]:
    """Logs how far the fetching of a file is, every few seconds."""
    shown_at = time.monotonic()

    def log_progress(done: int) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at >= PROGRESS:
            shown_at = time.monotonic()
            of = f" of {size / 1e6:.0f}" if (size := getattr(file, "size", 0)) else ""
            log.info("Reading %s (%s): %.0f%s MB", file.path, which, done / 1e6, of)

    return log_progress


def checksum(file: BucketFile | UrlFile, *, read: bool) -> CheckedFile:
    """
    A file that is not checked.

    :param read: it for the checksum of its content, which the ledger needs.
    """
    size, sha256 = getattr(file, "size", 0), ""
    if read:
        with TemporaryDirectory(prefix="wes-preflight-") as folder:
            sha256 = _fetch(file, path := Path(folder, "codes"), "its checksum alone")
            size = path.stat().st_size
    return CheckedFile(file.path, size, getattr(file, "etag", ""), sha256=sha256, checked=False)


def same_content(files: Sequence[CheckedFile]) -> dict[int, str]:
    """The files whose content an earlier file has, by index, with the path of that file."""
    first: dict[str, int] = {}
    same = {index: first.setdefault(file.sha256, index) for index, file in enumerate(files) if file.sha256}
    return {index: files[before].path for index, before in same.items() if before != index}


def same_content_problems(files: Sequence[CheckedFile]) -> list[str]:
    """The same as sentences."""
    return [f"{files[index].path} has the same content as {path}" for index, path in same_content(files).items()]


def _column(value: Any) -> int | str | None:
    text = str(value).strip()
    if value is None or (isinstance(value, str) and text.lower() in ("", "none")):
        return None
    number = int(text) if text.lstrip("-").isdecimal() else 0
    if isinstance(value, bool) or not isinstance(value, (int, str)) or number < 0 or not text.strip("0"):
        raise WesConfigurationError(f"column of Preflight takes a name, or a number from 1 on, not {shown(value)}")
    return number or text


def _number(name: str, value: Any, kind: type[int] | type[float]) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        number = kind(value)
        if not 0 <= number < float("inf") or (not isinstance(value, str) and number != value):
            raise ValueError
    except (TypeError, ValueError):
        raise WesConfigurationError(f"{name} of Preflight takes a number from 0 on, not {shown(value)}") from None
    return number
