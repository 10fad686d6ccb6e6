"""
What a body of unknown shape shows of coupon files: which there are, their counts, what their status
means. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from wes_provider import arguments
from wes_provider.coupon_files import CountNames
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile

__all__ = ["count_names", "doubt_about", "file_of", "files_in", "inside", "meaning_of", "status_of"]

DEEPEST: Final = 4  # objects within objects that are searched

# Words of statuses, and parts of the names of counts.
SUCCESS: Final = set(
    "ADDED COMPLETE COMPLETED DONE FINALIZED FINISHED IMPORTED INGESTED INSERTED LOADED OK "
    "PROCESSED SUCCEEDED SUCCESS "
    "SUCCESSFUL SUCCESSFULLY".split()
)
NOUNS: Final = set(
    "ALL COUPON COUPONS FILE FILES FULLY IMPORT JOB LOAD PROCESS PROCESSING UPLOAD".split()
)
FAILS: Final = (
    "ABORT BROKE CANCEL DENIED UNSUCC ERROR EXPIRE FAIL INCOMPLETE INVALID NOT_ PART REJECT STOP "
    "TIMEOUT TIMED_OUT"
).split()
ON_THE_WAY: Final = "ING_ PEND QUEUE RECEIVED SCHEDULE STAGED START SUBMIT VALIDATED WAIT".split()
BAD_COUNTS: Final = ["bad", "error", "fail", "invalid", "reject"]
ADDED: Final = ["add", "import", "insert", "loaded", "created", "new", "accepted", "success"]
DUPLICATES: Final = ["dup", "skip", "exist", "ignor"]


def file_of(record: Any) -> CouponFile | None:
    """
    The file that a record describes; ``None`` without an identifier. A ``message`` may be about
    anything.
    """
    try:
        arguments.identifier("_id", record["_id"])
        return CouponFile.from_record(
            {name: value for name, value in record.items() if name != "message"}
        )
    except (KeyError, TypeError, ValueError, AttributeError, WesConfigurationError):
        return None


def files_in(content: Any) -> tuple[str, list[CouponFile]] | None:
    """
    The array of a body that holds a list's files, wherever it is; ``None`` if there is none.

    :return: its dotted property, empty if the body is the array; and the files.
    """
    found = [
        (where, [file for file in map(file_of, value) if file is not None])
        for where, value in inside(content)
        if isinstance(value, list) and all(isinstance(each, dict) for each in value)
        if value or where in ("", "data")  # elsewhere an empty array may be of anything
    ]
    # An array that holds files comes first, then the one nearest to the top.
    return min(found, key=lambda array: (not array[1], array[0].count(".")), default=None)


def inside(content: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """
    What nested objects hold, by its dotted property, which is empty for a body that is no object.
    """
    if not isinstance(content, dict):
        yield where, content
    elif where.count(".") < DEEPEST:
        for name, value in content.items():
            yield from inside(value, f"{where}.{name}" if where else str(name))


def status_of(file: CouponFile) -> str:
    """The status of a file in capitals."""
    return file.status.strip().upper()[:100]


def _any(words: Iterable[str], text: str) -> bool:
    return any(word in text for word in words)


def count_names(file: CouponFile, names: CountNames) -> CountNames:
    """
    The names of a file's counts: the only one that sounds alike, if those that are set do not fit.
    """

    def only(words: Iterable[str], others: Iterable[str]) -> str:
        last = {name: name.rpartition(".")[2].lower() for name in file.counts}
        alike = [name for name, end in last.items() if _any(words, end) and not _any(others, end)]
        return alike[0] if len(alike) == 1 else ""

    added, duplicates = names.read([file])
    return CountNames(
        names.added if added is not None else only(ADDED, BAD_COUNTS + DUPLICATES) or names.added,
        names.duplicates
        if duplicates is not None
        else only(DUPLICATES, BAD_COUNTS) or names.duplicates,
    )


def doubt_about(file: CouponFile, names: CountNames) -> str:
    """What speaks against a file's success, in a few words; empty if nothing does."""
    bad = next(
        (
            name
            for name, count in file.counts.items()
            if count > 0 and _any(BAD_COUNTS, name.lower())
        ),
        "",
    )
    if bad or file.reason:
        return (
            f"{bad} is {file.counts[bad]}"
            if bad
            else f"the file's record says: {file.reason[:100]}"
        )
    added, duplicates = count_names(file, names).read([file])
    # A file may be fine, and all its coupons may be in the list already.
    return "no coupon was added" if added == 0 and not duplicates else ""


class Meaning(NamedTuple):
    """
    ``success``, ``failure`` or ``pending``; whether nothing else can have caused what was seen; and
    why.
    """

    kind: str
    sure: bool
    why: str


def meaning_of(file: CouponFile, names: CountNames, others: Iterable[CouponFile] = ()) -> Meaning:
    """
    What the status of a file means, if the provider does not know it.

    A status that lasts may be a stage on the way, and a number may count anything. So a status
    means success for sure only if its name states an end, coupons were added, and nothing that the
    file shows speaks against it.

    :param others: further files of the list; those with the same status may have added coupons.
    """
    parts = re.findall(r"[^\W_]+", status_of(file))
    words, name, doubt = set(parts), "_".join((*parts, "")), doubt_about(file, names)
    names_an_end = words <= SUCCESS | NOUNS and words & SUCCESS
    alike = (file, *(each for each in others if status_of(each) == status_of(file)))
    added = max(count_names(each, names).read([each])[0] or 0 for each in alike)
    table = (
        (_any(FAILS, name) and file.reason and not added, "failure", True, file.reason[:100]),
        (
            _any(FAILS, name),
            "failure",
            False,
            f"its name speaks of a failure{f', and {doubt}' if doubt else ''}",
        ),
        (
            _any(ON_THE_WAY, name) and not names_an_end,
            "pending",
            False,
            "its name speaks of a file on its way",
        ),
        (doubt, "failure", False, doubt),
        (not added, "success", False, "no count shows that coupons were added"),
        (
            not names_an_end,
            "success",
            False,
            "coupons were added, but its name may be that of a stage on the way",
        ),
        (True, "success", True, "coupons were added"),
    )
    return next(Meaning(kind, sure, why) for applies, kind, sure, why in table if applies)
