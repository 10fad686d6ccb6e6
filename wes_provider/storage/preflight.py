"""Coupon files checked before anything is uploaded, and the plan of when they will be."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar, Final

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.models import counted, redact_url, shown, templated
from wes_provider.storage.content import ContentRules, FileContent, read_content
from wes_provider.storage.errors import WesPreflightError, what_of
from wes_provider.storage.files import READ_BYTES, BucketFile

__all__ = [
    "CheckedFile",
    "Preflight",
    "UrlFile",
    "checksum",
    "same_content",
    "same_content_problems",
    "send_times",
    "upload_plan",
]

log = logging.getLogger(__name__)

TIMEOUT: Final = (10, 60)  # seconds to connect, and between two pieces
WINDOWS: Final = (  # contract section 8, for each coupon list
    (contract.UPLOADS_PER_MINUTE, contract.MINUTE),
    (contract.UPLOADS_PER_DAY, contract.DAY),
)


@dataclass(frozen=True)
class UrlFile:
    """
    A coupon file at a plain URL that the worker can reach.

    :ivar auth: username and password for fetching it.
    """

    file_url: str
    auth: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def label(self) -> str:
        """The URL without what may be secret."""
        return redact_url(self.file_url)

    @property
    def key(self) -> str:
        """What identifies the file: its URL without what may differ from attempt to attempt."""
        return self.label

    def url(self) -> str:
        """The URL as it was given."""
        return self.file_url

    def blocks(self) -> Iterator[bytes]:
        """
        Read the file as a stream.

        :raises WesError: if it cannot be fetched; without a query in its text.
        """
        import requests

        try:
            with requests.get(self.file_url, auth=self.auth, stream=True, timeout=TIMEOUT) as response:
                if response.status_code != 200:
                    raise WesError(f"cannot be fetched: its host responded with {response.status_code}")
                yield from response.iter_content(READ_BYTES)
        except requests.RequestException as error:
            raise WesError(f"cannot be fetched: {type(error).__name__}") from None


@dataclass(frozen=True)
class CheckedFile:
    """
    What is known about one file.

    :ivar sha256: identifies its content for the ledger.
    :ivar checked: whether the preflight has read it, and counted its codes.
    """

    path: str
    size: int
    etag: str
    codes: int
    sha256: str
    header: str = ""
    blank_lines: int = 0
    duplicates: int = 0
    warnings: tuple[str, ...] = ()
    checked: bool = True

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; :meth:`from_dict` reads it back."""
        return {**asdict(self), "warnings": list(self.warnings)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CheckedFile:
        """Read back what :meth:`to_dict` wrote; unknown keys are ignored."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{**known, "warnings": tuple(known.get("warnings", ()))})


class Preflight:
    """
    What coupon files are checked for before the first one is uploaded. All arguments are templated.

    :param header: whether the first line has to name columns: ``True`` or ``False``; ``None`` accepts both.
    :param column: the column of the codes: its name, or its number from 1 on. By default it is the first, and a file
        whose header names another one is refused. It changes what is counted and checked, not what the service reads.
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
        min_codes: int | str = 1,
        max_codes: int | str = contract.LIST_COUPONS,
        min_length: int | str = 1,
        max_length: int | str = 100,
        max_duplicates: int | str = 0,
        min_added_ratio: float | str | None = None,
    ) -> None:
        self.header = header
        self.column = column
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

    def rules(self) -> ContentRules:
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
        if header is ...:
            raise WesConfigurationError(f"header of Preflight takes True, False or None, not {shown(self.header)}")
        column = self._column()
        if header is False and isinstance(column, str):
            raise WesConfigurationError("header=False of Preflight leaves no name for its column\nGive its number.")
        return ContentRules(header=header, column=column, **numbers)

    def _column(self) -> int | str | None:
        text = str(self.column).strip()
        if self.column is None or (isinstance(self.column, str) and text.lower() in ("", "none")):
            return None
        if isinstance(self.column, bool) or not isinstance(self.column, (int, str)) or text.strip("0") in ("", "-"):
            raise WesConfigurationError(
                f"column of Preflight takes a name, or a number from 1 on\nIt is {shown(self.column)}."
            )
        number = int(_number("column", text, int)) if text.lstrip("-").isdecimal() else 0
        return number or text

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
        rules = self.rules()
        checked: list[CheckedFile] = []
        problems: list[str] = []
        passing = 0  # problems that may pass
        for file in files:
            try:
                found = read_content(file.blocks(), rules, size=getattr(file, "size", None))
            except WesConfigurationError:
                raise
            except WesError as error:  # it cannot be read now, which a retry may find otherwise
                found = FileContent(problems=[what_of(error, file.label)])
                passing += 1
            problems += [f"{file.label} {problem}" for problem in found.problems]
            for warning in found.warnings:
                log.warning("A coupon file may be malformed\n%s %s", file.label, warning)
            checked.append(
                CheckedFile(
                    path=file.label,
                    size=found.size,
                    etag=getattr(file, "etag", ""),
                    codes=found.codes,
                    sha256=found.sha256,
                    header=found.header,
                    blank_lines=found.blank_lines,
                    duplicates=found.duplicates,
                    warnings=tuple(found.warnings),
                )
            )
        if not allow_same:
            problems += same_content_problems(checked)
        if problems:
            raise WesPreflightError(problems, len(files), permanent=passing < len(problems))
        codes = sum(result.codes for result in checked)
        log.info("Checked %s with %s", counted(len(checked), "coupon file"), counted(codes, "code"))
        return checked


def same_content(files: Sequence[CheckedFile]) -> dict[int, str]:
    """The files whose content an earlier file has, by index, with the path of that file."""
    first: dict[str, int] = {}
    same = {index: first.setdefault(file.sha256, index) for index, file in enumerate(files) if file.sha256}
    return {index: files[before].path for index, before in same.items() if before != index}


def same_content_problems(files: Sequence[CheckedFile]) -> list[str]:
    """The same as sentences."""
    return [f"{files[index].path} has the same content as {path}" for index, path in same_content(files).items()]


def checksum(file: BucketFile | UrlFile, *, read: bool) -> CheckedFile:
    """
    A file that is not checked.

    :param read: it for the checksum of its content, which the ledger needs.
    """
    digest, size = hashlib.sha256(), 0
    for block in file.blocks() if read else ():
        digest.update(block)
        size += len(block)
    return CheckedFile(
        path=file.label,
        size=getattr(file, "size", size),
        etag=getattr(file, "etag", ""),
        codes=0,
        sha256=digest.hexdigest() if read else "",
        checked=False,
    )


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


# -- the plan ---------------------------------------------------------------------------------------


def send_times(count: int, start: datetime) -> list[datetime]:
    """
    When each of so many uploads to one list can be sent at the earliest, by the documented limits (contract section 8).

    :param count: how many files.
    :param start: when the first upload starts; no other upload to the list counts.
    """
    times: list[datetime] = []
    for index in range(count):
        after = [times[index - number] + timedelta(seconds=seconds) for number, seconds in WINDOWS if index >= number]
        times.append(max([start, *after]))
    return times


def upload_plan(coupon_list_id: str, files: Sequence[CheckedFile], start: datetime | None = None) -> dict[str, Any]:
    """
    The plan of a task: which files, what the checks found, and when each would be uploaded.

    :return: JSON: ``files``, each with path, size, ETag, codes, checks and ``upload_at``; ``codes`` in all; and
        ``last_upload_at``, which is ``None`` without files.
    """
    times = send_times(len(files), start or datetime.now(timezone.utc))
    return {
        "coupon_list_id": coupon_list_id,
        "files": [{**file.to_dict(), "upload_at": at.isoformat()} for file, at in zip(files, times, strict=True)],
        "codes": sum(file.codes for file in files),
        "last_upload_at": times[-1].isoformat() if times else None,
    }
