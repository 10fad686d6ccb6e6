"""What follows if a list has several records of a file. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.replies.files import records_by_id, status_of
from wes_provider.doctor.replies.nodes import in_words
from wes_provider.models import CouponFile
from wes_provider.texts import counted, shown

__all__ = ["RepeatedFile", "count_files", "repeated_files", "say_repeated", "with_several_urls"]

FIRST_END: Final = " A watch reports the first of its ends in the list."


class RepeatedFile(NamedTuple):
    """
    A file of which a list has several records.

    :ivar records: in the order of the list.
    """

    records: Sequence[CouponFile]

    @property
    def stands_there(self) -> str:
        """How the list has the file: with which statuses, or else how often."""
        file_id = shown(self.records[0].id, quoted=False)
        statuses = list(dict.fromkeys(filter(None, map(status_of, self.records))))
        if len(statuses) > 1:
            return f"{file_id} as {in_words(statuses)}"
        return f"{file_id} {len(self.records)} times"

    @property
    def has_several_urls(self) -> bool:
        """Whether records of one name have several URLs: tasks compare both."""
        places = {(file.name, file.file_url) for file in self.records}
        return len(places) > len({file.name for file in self.records})

    def has_several_ends(self, statuses: Statuses) -> bool:
        """Tell whether the file succeeded by one record, and failed by another."""
        succeeded = any(statuses.succeeded(file.status) for file in self.records)
        failed = any(statuses.failed(file.status) for file in self.records)
        return succeeded and failed


def repeated_files(files: Sequence[CouponFile]) -> list[RepeatedFile]:
    """Return the files of which there are several records."""
    return [RepeatedFile(records) for records in records_by_id(files) if len(records) > 1]


def count_files(files: Sequence[CouponFile]) -> str:
    """Tell how many files there are, and how many records of them if those are more."""
    number = counted(len({file.id for file in files}), "file")
    if not repeated_files(files):
        return number
    return f"{counted(len(files), 'record')} of {number}"


def say_repeated(files: Sequence[CouponFile], statuses: Statuses) -> str:
    """
    Tell how the first file stands in a list that has several records of it, and what tasks make of
    that, as sentences with a space before each; empty if the list has one record of each file.
    """
    repeated = repeated_files(files)
    if not repeated:
        return ""
    first_end = ""
    if any(file.has_several_ends(statuses) for file in repeated):
        first_end = FIRST_END
    return f" It has {repeated[0].stands_there}; tasks take those for one file.{first_end}"


def with_several_urls(files: Sequence[CouponFile]) -> str:
    """Tell which file has records of one name with several URLs; empty if none has."""
    for file in repeated_files(files):
        if file.has_several_urls:
            return (
                f"Records of file {shown(file.records[0].id, quoted=False)} have one name, and "
                "several URLs. So a task that gives its file a name, or that was cleared, takes "
                "them for several files if it looks for an upload whose response is lost, and asks "
                "a person. Ask the service's support for one record of each file."
            )
    return ""
