"""What is looked for in a list, and what its records show. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from wes_provider.coupon_files import Statuses
from wes_provider.models import Record
from wes_provider.uploads.decision import Earlier
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.urls import identify_url

MOST_IDS: Final = 5


@dataclass(frozen=True)
class Sought:
    """
    The upload that is looked for.

    :ivar coupon_list_id: its list.
    :ivar name: what its name says, or would say.
    :ivar earlier: what became of earlier requests for it.
    :ivar open_acceptance: the generation of a request that the service accepted, if nothing has
        shown what became of it; else ``None``.
    :ivar older_files: identifiers of files that were known before the last request, so that they
        are not what it has made. For given names: if nothing was sent since the clear, and
        nothing was accepted before it, they are the second choice of what may be adopted.
    :ivar given_name: the name that the user chose; empty if it is ours.
    :ivar normalised_url: the URL that was sent, as far as it counts; empty if it is not known.
    :ivar files_of_task: all files of the task, as :attr:`UploadName.file`.
    :ivar single: whether the task has a single file, which may have another URL in each attempt.
    :ivar takes_older_file: whether a file of before a clear serves as well, unless it has failed.
    :ivar statuses: which status means that it has failed.
    :ivar run_never_cleared: whether Airflow definitely says that no task of the run was ever
        cleared.
    :ivar run_id: the run's.
    :ivar has_to_list: identifiers of files that the list has: those that this attempt has seen in
        it, and those that the task has uploaded to it before.
    :ivar longest_age: how old the list may be to show what the last request has made, in seconds.
    """

    coupon_list_id: str
    name: UploadName
    earlier: Earlier
    open_acceptance: int | None = None
    older_files: Collection[str] = ()
    given_name: str = ""
    normalised_url: str = ""
    files_of_task: Collection[str] = ()
    single: bool = False
    takes_older_file: bool = True
    statuses: Statuses = field(default_factory=Statuses)
    run_never_cleared: bool = False
    run_id: str = ""
    has_to_list: Collection[str] = ()
    longest_age: float = math.inf

    @property
    def sent_name(self) -> str:
        """The name that was sent, in small letters; one of ours without its suffix."""
        return self.given_name.strip().lower() or str(self.name)


def name_of(record: Record) -> str:
    """Return the name of a file in small letters; empty if it is not shown."""
    name = record.get("name")
    return name.strip().lower() if isinstance(name, str) else ""


def status_of(record: Record) -> str:
    """Return the status of a file; empty if it is not shown."""
    status = record.get("status")
    return status if isinstance(status, str) else ""


def may_have_url(record: Record, url: str) -> bool:
    """Tell whether a file may be from a URL; one that is not shown or not known may be any."""
    return not url or url_of(record) in ("", url)


def url_of(record: Record) -> str:
    """Return the URL of a file as far as it counts; empty if it is not shown, or is none."""
    url = record.get("file_url")
    if not isinstance(url, str) or not url:
        return ""
    try:
        return str(identify_url(url))
    except ValueError:
        return ""


def ids_of(records: Sequence[Record]) -> str:
    """Name files by their identifiers: some of them, if they are many."""
    return some_of([str(record.get("_id")) for record in records])


def some_of(ids: Sequence[str]) -> str:
    """Name some identifiers, and how many more there are."""
    listed = ", ".join(ids[:MOST_IDS])
    if len(ids) > MOST_IDS:
        listed += f" and {len(ids) - MOST_IDS} more"
    return listed
