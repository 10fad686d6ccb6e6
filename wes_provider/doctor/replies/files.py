"""What a body of unknown shape has of coupon files: which there are, and what they count. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider import arguments
from wes_provider.coupon_files import (
    ADDED_NAMES,
    CountNames,
    CouponCounts,
    may_count_coupons,
)
from wes_provider.doctor.replies.members import DEEPEST, inside, objects_in
from wes_provider.doctor.replies.wrappings import is_json
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile
from wes_provider.texts import counted, shown

__all__ = [
    "Records",
    "SeenFile",
    "closed_state",
    "count_names",
    "counts_of_coupons",
    "counts_what_is_left_out",
    "coupons_in",
    "file_of",
    "is_record_without_id",
    "is_total",
    "json_in_string",
    "left_out",
    "may_be_no_duplicates",
    "name_of_added",
    "odd_identifier",
    "odd_status",
    "properties_of",
    "records_at",
    "records_by_id",
    "records_in",
    "rivals_in",
    "shape_of",
    "sounds_like_added",
    "speaks_of_total",
    "status_of",
    "step_of",
    "steps_in",
    "unknown_counts",
]

# Parts of the names of counts.
BAD_COUNTS: Final = (
    "bad error erreur fail fehl inval malform reject rechaz rejet ungült ungult ungueltig échec "
    "echec"
).split()
ADDED: Final = ("add", "import", "insert", "loaded", "created", "new", "accepted", "success")
DUPLICATES: Final = "dup dubl skip exist ignor dopp doubl already repeat vorhanden".split()
# Those of them that may as well be of rows that were left out for another reason.
LEFT_OUT_FOR_SOME_REASON: Final = ("skip", "ignor")
# Parts of the names of whole numbers that count no coupons that were added.
NO_COUNTS: Final = re.compile(
    r"(?:^|[._])(?:id|no|at|ms|year|http|line|row|record|zeile)s?(?:$|[._])|size|byte|length|time|"
    r"dauer|duration|second|version|retr|attempt|priorit|percent|progress|total|pending|remain|"
    r"date|epoch|port|column|status|state|phase|stage|step"
)
# Parts of the names of numbers that may count what a file had, whatever became of it.
TOTALS: Final = ("total", "gesamt", "processed", "received", "parsed", "uploaded")
# Parts of names whose totals are of something else: rows that were read, steps, pages.
OF_SOMETHING_ELSE: Final = re.compile(
    r"(?:^|_)(?:rows?|lines?|zeilen?|records?|stages?|steps?|phases?|pass(?:es)?|parts?|pages?|"
    r"chunks?|batch(?:es)?|files?|tasks?|seiten?|schritte?)(?:_|$)"
)
CAPITAL_INSIDE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Parts of the names of numbers that may count coupons added, besides those that sound alike.
ALSO_ADDED: Final = (
    "activat aktiv valid gültig gueltig usable stored saved written ingest publish approv confirm "
    "release"
).split()
# Such names as a whole.
WHOLE: Final = {"coupons", "codes", "vouchers", "count"}
# Parts of the names of numbers that are moments, sizes or identifiers.
NO_NUMBER: Final = re.compile(
    r"(?:^|[._])(?:id|no|at|on|by|ms)$|time|date|byte|size|percent|version|epoch|second|duration"
)
OF_PROGRESS: Final = re.compile(r"progress|percent|pending|remain|retr|attempt|poll|queue|position")
# Parts of the names of properties that say why a file failed.
REASON_NAMES: Final = (
    "reason error fail fehler grund ursache erreur motif motivo cause causa".split()
)
# Parts of the names of properties beside them that say what is done about failures, or where more
# about them is.
OF_HANDLING: Final = re.compile(r"policy|handling|strategy|mode|on_(?:error|fail)|url|link|href")
# Parts of the names of properties that hold a text for people.
MESSAGE_NAMES: Final = "message msg detail descr reason explanation meldung text title".split()
# What a property that may hold a reason has if there is none.
NO_REASON: Final = {"none", "no", "false", "null", "nil", "ok", "n/a", "no error", "no errors"}
# Ends of the names of properties that may hold a status.
STATUS_NAMES: Final = ("status", "state", "phase", "stage")
MOST_PROPERTIES: Final = 10  # of a record that are named
MOST_VALUES: Final = 4  # of a property like a status
LONGEST_STATUS: Final = 60  # characters


class Records(NamedTuple):
    """
    The array of a body that may hold a list's files.

    :ivar where: its dotted property; empty if the body is the array.
    :ivar number: how many objects it has.
    :ivar files: those that the provider can read.
    :ivar has_odd_ids: whether a record that it cannot read has an ``_id``.
    :ivar odd_statuses: what files have in place of a status that it reads.
    :ivar odd_numbers: the properties of records that it cannot read which are numbers.
    :ivar odd_properties: all properties of such records; of those like a status with their values.
    """

    where: str
    number: int
    files: list[CouponFile]
    has_odd_ids: bool = False
    odd_statuses: Sequence[str] = ()
    odd_numbers: Sequence[str] = ()
    odd_properties: Sequence[str] = ()

    @property
    def problem(self) -> str:
        """Which records cannot be read, such as ``2 objects under data.items without _id``."""
        odd = self.number - len(self.files)
        if not odd:
            return ""
        how_many = counted(odd, "object")
        if self.files:
            how_many = f"{odd} of {counted(self.number, 'object')}"
        usable = ""
        if self.has_odd_ids:
            usable = "a usable "
        return f"{how_many}{_under(self.where)} without {usable}_id"


def _under(where: str) -> str:
    if where:
        return f" under {where}"
    return ""


class SeenFile(CouponFile, frozen=True):
    """
    A file of which the whole record was read.

    :ivar properties: what the record has, by dotted property.
    """

    properties: dict[str, Any] = msgspec.field(default_factory=dict)


def properties_of(file: CouponFile) -> Mapping[str, Any]:
    """Return what the record of a file has, by dotted property; nothing if it was not seen."""
    if isinstance(file, SeenFile):
        return file.properties
    return {}


def file_of(record: Any) -> CouponFile | None:
    """
    Read the file that a record describes; ``None`` without an identifier.

    A ``message`` is left out, since it may be about anything. A reason of a failure may have
    another name than the provider knows.
    """
    if not isinstance(record, dict):
        return None
    try:
        arguments.identifier("_id", record["_id"])
        seen = {name: value for name, value in record.items() if name != "message"}
        file = SeenFile.from_record(seen)
        reason = file.reason or _other_reason(record)
        properties = dict(inside(record))
        counts = {name: n for name, n in file.counts.items() if may_count_coupons(n)}
        return msgspec.structs.replace(
            file,
            reason=reason,
            properties=properties,
            counts=counts,
        )
    except (KeyError, TypeError, ValueError, AttributeError, WesConfigurationError):
        return None


def _other_reason(record: Mapping[str, Any]) -> str:
    """
    Tell why a file failed, with the property that says so, at whatever depth; empty without one.

    A property that is called a message comes before one that is not, such as a code beside it.
    """
    reasons: dict[str, str] = {}
    for where, value in inside(record):
        plain = where.lower()
        if has_any(REASON_NAMES, plain) and not OF_HANDLING.search(plain):
            text = _explanation_in(value)
            if text:
                reasons[where] = text
    if not reasons:
        return ""
    where = min(reasons, key=_is_no_message)
    return shown(f"{where}: {reasons[where]}", quoted=False)


def _explanation_in(value: Any, deepest: int = DEEPEST) -> str:
    """
    Return the first string that explains something: in an array, that of the first entry that has
    one; in an object, a message before what is beside it.
    """
    if isinstance(value, str):
        has_letters = re.search(r"[^\W\d_]", value) is not None
        explains = has_letters and not value.startswith(("http://", "https://", "/"))
        if explains and value.strip(" .").lower() not in NO_REASON:
            return value
        return ""
    entries: list[Any] = []
    if isinstance(value, list):
        entries = value
    elif isinstance(value, dict):
        entries = [value[name] for name in sorted(value, key=_is_no_message)]
    if deepest == 0:
        return ""
    return next(filter(None, (_explanation_in(entry, deepest - 1) for entry in entries)), "")


def _is_no_message(where: str) -> bool:
    """Tell whether a property is not called what services call a text for people."""
    return not has_any(MESSAGE_NAMES, str(where).lower().rpartition(".")[2])


def records_in(content: Any) -> Records | None:
    """
    Find the array of a body that holds a list's files, wherever it is; ``None`` if there is none.

    An array with files comes first, then the one nearest to the top.
    """
    arrays = [_records(where, value) for where, value in _arrays_in(content)]
    return min(arrays, key=_rank, default=None)


def records_at(content: Any) -> list[dict[str, Any]]:
    """Return the records of the array that :func:`records_in` finds, as they are."""
    found = records_in(content)
    arrays = dict(_arrays_in(content))
    if found is None:
        return []
    return arrays[found.where]


def _arrays_in(content: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the arrays of a body that may hold files, by their dotted property."""
    for where, value in inside(content):
        if where == "data" and value is None:
            yield where, []  # some services write an array without entries so
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            continue
        # Elsewhere, an empty array may be of anything.
        if value or where in ("", "data"):
            yield where, value


def _records(where: str, value: list[dict[str, Any]]) -> Records:
    files = []
    no_files = []
    has_odd_ids = False
    statuses = []
    numbers = []
    for record in value:
        file = file_of(record)
        if file is not None:
            files.append(file)
            statuses.append(odd_status(record))
            continue
        no_files.append(record)
        has_odd_ids = has_odd_ids or "_id" in record
        numbers += [name for name, inner in inside(record) if type(inner) is int and name != "_id"]
    odd_statuses = list(dict.fromkeys(filter(None, statuses)))
    odd_numbers = list(dict.fromkeys(numbers))
    properties = _properties_of(no_files)
    return Records(
        where=where,
        number=len(value),
        files=files,
        has_odd_ids=has_odd_ids,
        odd_statuses=odd_statuses,
        odd_numbers=odd_numbers,
        odd_properties=properties,
    )


def _properties_of(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """
    Return the properties of records, those that most have first, and of how many of them if not of
    all; those like a status with their values, as ``state ("LIVE")``, and the first ``_id``.
    """
    values: dict[str, list[str]] = {}
    having: Counter[str] = Counter()
    for record in records:
        having.update({where for where, _ in inside(record)})
        for where, value in inside(record):
            seen = values.setdefault(where, [])
            said = msgspec.json.encode(value).decode()
            is_first_id = where == "_id" and not seen
            is_new_status = _is_like_status(where) and said not in seen
            if is_first_id or is_new_status:
                seen.append(said)
    most_common = sorted(values, key=lambda where: -having[where])[:MOST_PROPERTIES]
    return [
        _property_says(where, values[where], having[where], len(records)) for where in most_common
    ]


def _is_like_status(where: str) -> bool:
    return where.rpartition(".")[2].lower().endswith(STATUS_NAMES)


def _property_says(where: str, values: Sequence[str], having: int, records: int) -> str:
    """
    Name a property, with its values, and with how many records have it if not all do, such as
    ``state ("LIVE", 2 of 3)``.
    """
    beside = []
    if values:
        beside = [", ".join(values[:MOST_VALUES])]
    if having < records:
        beside.append(f"{having} of {records}")
    end = ""
    if beside:
        end = f" ({', '.join(beside)})"
    return shown(f"{where}{end}", quoted=False)


def odd_status(record: Any) -> str:
    """
    Tell what a record has in place of a status that the provider reads, a string under ``status``:
    such as ``status 7`` or ``state "DONE"``; empty if it has such a status, or nothing like one.
    """
    if not isinstance(record, dict):
        return ""
    status = record.get("status")
    if isinstance(status, str) and status.strip():
        return ""
    for where, value in (("status", status), *inside(record)):
        is_named_so = where.rpartition(".")[2].lower().endswith(STATUS_NAMES)
        if is_named_so and value not in (None, ""):
            return _property(where, value)
    return ""


def _property(where: str, value: Any) -> str:
    return shown(f"{where} {msgspec.json.encode(value).decode()}", LONGEST_STATUS, quoted=False)


def _rank(records: Records) -> tuple[bool, int]:
    return not records.files, records.where.count(".")


def _has_numbers_as_names(found: tuple[str, dict[str, Any]]) -> bool:
    """Tell whether an object, which comes with its place, has numbers as names, as an array has."""
    _, value = found
    return bool(value) and all(str(name).isdecimal() for name in value)


def shape_of(content: Any) -> str:
    """Describe JSON in which the provider finds no list, such as ``2 strings under data.items``."""
    kinds: dict[type, str] = {str: "string", dict: "object", list: "array"}
    for where, value in inside(content):
        if isinstance(value, list) and value:
            kind = kinds.get(type(value[0]), "value")
            return f"{counted(len(value), kind)}{_under(where)}"
    arrays = [where for where, value in inside(content) if isinstance(value, list)]
    if arrays:
        return f"an empty array{_under(arrays[0])}"
    numbered = next(filter(_has_numbers_as_names, objects_in(content)), None)
    if numbered is not None:
        where, value = numbered
        numbers = ", ".join(list(map(str, value))[:3])
        return f"an object with numbers as names ({numbers}) in place of an array{_under(where)}"
    if isinstance(content, dict):
        return "an object without an array"
    return "no object and no array"


def json_in_string(content: Any) -> str:
    """Return the dotted property under which a body has JSON as a string; empty if it has none."""
    for where, value in inside(content):
        if where and isinstance(value, str) and is_json(value):
            return where
    return ""


def odd_identifier(content: Any) -> str:
    """
    Tell where or as what a body has an identifier that the provider does not read, such as ``it is
    under result``; empty if it has none.
    """
    for where, value in inside(content):
        place, _, name = where.rpartition(".")
        if name == "_id" and place in ("", "data"):
            if isinstance(value, str) and value.strip():
                return ""
            return f"it is {shown(value)}, which is no string"
        if name == "_id":
            return f"it is under {place}"
        if isinstance(value, list) and any(map(file_of, value)):
            return f"it is in an array{_under(where)}"
    return ""


# Words for a list that takes no files.
TAKES_NONE: Final = re.compile(
    r"(?<!un)(?:archive|closed|disabled|inactive|locked|freeze|paused?|suspend|expire|deleted?)|"
    r"frozen|\bended|deaktiv|gesperrt",
    re.IGNORECASE,
)
OF_LIST: Final = re.compile(r"list", re.IGNORECASE)


def closed_state(content: Any) -> str:
    """
    Return the state of a list that may take no files, as its reply has it beside the files, such as
    ``list_status: ARCHIVED``; empty if it says nothing of the kind.
    """
    for where, value in inside(content):
        above, _, name = where.lower().rpartition(".")
        is_of_list = above in ("", "data") or "list" in above
        is_status = is_of_list and name.endswith(STATUS_NAMES)
        if is_status and isinstance(value, str) and TAKES_NONE.search(value):
            return shown(f"{where}: {value}", LONGEST_STATUS, quoted=False)
    return ""


def is_closed_by_words(words: str) -> bool:
    """Tell whether words say of a list that it is archived, closed or the like."""
    return OF_LIST.search(words) is not None and TAKES_NONE.search(words) is not None


# Members that records of files have, and errors have not.
OF_FILES: Final = {
    "file_url",
    "coupons_list_id",
    "coupon_list_id",
    "coupons_added",
    "coupons_duplicate",
    "created_by",
}
FEWEST_OF_FILES: Final = 2  # an error may repeat one that was sent


def is_record_without_id(content: Any) -> bool:
    """Tell whether JSON has what records of files have, at the top or under data, and no _id."""
    if not isinstance(content, Mapping):
        return False
    record = content
    if isinstance(content.get("data"), Mapping):
        record = content["data"]
    return "_id" not in record and len(OF_FILES & record.keys()) >= FEWEST_OF_FILES


def records_by_id(files: Iterable[CouponFile]) -> list[list[CouponFile]]:
    """Return the records of each identifier, in the order in which these come first."""
    by_id: dict[str, list[CouponFile]] = {}
    for file in files:
        by_id.setdefault(file.id, []).append(file)
    return [*by_id.values()]


def status_of(file: CouponFile) -> str:
    """Return the status of a file in capitals."""
    return file.status.strip().upper()[:100]


# Properties that say how far a file is, in percent or as a share.
PROGRESS: Final = {"progress", "percent", "percentage", "percentcomplete", "completion", "pct"}
# Such as 1/3, or step 1 of 3.
ONE_OF: Final = re.compile(r"^\D*(\d+)\s*(?:/|of|von|de)\s*(\d+)\D*$", re.IGNORECASE)
# The number of a step, beside how many there are: stage_no and stages, step and total_steps,
# stages_done and stages_total, completed_steps and total_steps.
STEP: Final = r"(?:stage|step|phase|pass|part)"
NUMBER_OF_STEP: Final = re.compile(
    rf"(?:current_?)?(?P<what>{STEP})(?:_?(?:no|number|index)|s?_?(?:done|completed|finished))?|"
    rf"(?:done|completed|finished)_?(?P<done>{STEP})s?",
    re.IGNORECASE,
)


def step_of(file: CouponFile) -> str:
    """
    Tell with which property a file says that it is on its way, whatever its status is, such as
    ``progress is 40`` or ``stage_no is 1, and stages is 3``; empty if it says nothing of the kind.
    """
    properties = properties_of(file)
    for where, value in properties.items():
        says = f"{where} is {value}"
        if _is_part(where, value):
            return shown(says, quoted=False)
        total = _number_of_steps(properties, where)
        if total and type(value) is int and value < int(properties[total]):
            return shown(f"{says}, and {total} is {properties[total]}", quoted=False)
    return ""


def steps_in(file: CouponFile) -> dict[str, str | float]:
    """Return the properties of a file that name its step, or count those that are done."""
    return {
        where: value
        for where, value in properties_of(file).items()
        if type(value) in (str, int, float) and _is_of_step(where)
    }


def _is_of_step(where: str) -> bool:
    is_step = NUMBER_OF_STEP.fullmatch(where.rpartition(".")[2]) is not None
    return is_step or _is_progress(where)


def _is_part(where: str, value: Any) -> bool:
    """Tell whether a property says that a part of something is done, and not all of it."""
    if isinstance(value, str):
        return _is_part_in_words(where, value)
    if type(value) not in (int, float) or not _is_progress(where):
        return False
    if isinstance(value, float) and value <= 1:
        return 0 <= value < 1
    # 1 may be all of it, as a share.
    return bool(value == 0 or 1 < value < 100)


def _is_part_in_words(where: str, value: str) -> bool:
    """Tell whether a string says so, such as ``2 of 5`` of a step."""
    named = ONE_OF.match(value)
    if named is None or int(named[1]) >= int(named[2]):
        return False
    return NUMBER_OF_STEP.search(where) is not None or _is_progress(where)


def _is_progress(where: str) -> bool:
    return where.rpartition(".")[2].lower().replace("_", "") in PROGRESS


def _number_of_steps(properties: Mapping[str, Any], where: str) -> str:
    """Return the property that says how many steps there are, beside one with the number of one."""
    place, dot, name = where.rpartition(".")
    named = NUMBER_OF_STEP.fullmatch(name)
    if named is None:
        return ""
    what = (named["what"] or named["done"]).lower()
    candidates = (f"{what}s", f"total_{what}s", f"{what}_count", f"{what}s_total", f"{what}_total")
    for candidate in candidates:
        total = f"{place}{dot}{candidate}"
        if type(properties.get(total)) is int:
            return total
    return ""


def has_any(words: Iterable[str], text: str) -> bool:
    """Tell whether any of the words is part of a text."""
    return any(word in text for word in words)


def count_names(file: CouponFile, names: CountNames) -> CountNames:
    """
    Find the names of a file's counts: the only one that sounds alike, if those that are set do not
    fit.
    """
    added, duplicates = names.read([file])
    name_of_added = names.added
    if added is None:
        alike = _only_alike(file.counts, ADDED, (*BAD_COUNTS, *DUPLICATES))
        name_of_added = alike or names.added
    name_of_duplicates = names.duplicates
    if duplicates is None:
        alike = _only_alike(file.counts, DUPLICATES, BAD_COUNTS)
        name_of_duplicates = alike or names.duplicates
    return CountNames(name_of_added, name_of_duplicates)


def coupons_in(file: CouponFile, names: CountNames) -> CouponCounts:
    """
    Count the coupons of a file.

    Two numbers that may both count coupons added settle nothing if one of them is 0 and the other
    is not: then nobody knows how many were added, unless the connection names one.
    """
    counts = count_names(file, names).read([file])
    if not names.added and _is_contradicted(file, name_of_added(file, names)):
        return counts._replace(added=None)
    return counts


def name_of_added(file: CouponFile, names: CountNames) -> str:
    """Return the name of the number that counts coupons added; empty if none is known."""
    named = count_names(file, names).added
    if named:
        return named
    return next((name for name in ADDED_NAMES if name in file.counts), "")


def _is_contradicted(file: CouponFile, added: str) -> bool:
    """Tell whether a number is 0 and another one that may count the same is not, or vice versa."""
    number = file.counts.get(added)
    if number is None:
        return False
    others = [
        other
        for name, other in rivals_in(file).items()
        if not is_total(name) and other - number != left_out(file)
    ]
    return any((number > 0) != (other > 0) for other in others)


def rivals_in(file: CouponFile) -> dict[str, int]:
    """Return the numbers of a file that may count coupons added, by their names."""
    return {name: number for name, number in file.counts.items() if _may_count_added(name)}


def _may_count_added(name: str) -> bool:
    plain = name.lower()
    last = plain.rpartition(".")[2]
    if NO_NUMBER.search(plain) or has_any((*BAD_COUNTS, *DUPLICATES), last):
        return False
    if _is_total_of_something_else(name):
        return False
    return last in WHOLE or has_any((*ADDED, *ALSO_ADDED, *TOTALS), last)


def _is_total_of_something_else(name: str) -> bool:
    """Tell whether a number is a total of rows, steps or pages, such as ``rows_total``."""
    words = CAPITAL_INSIDE.sub("_", name.rpartition(".")[2]).lower()
    return is_total(words) and OF_SOMETHING_ELSE.search(words) is not None


def is_total(name: str) -> bool:
    """Tell whether a number may count all that a file had, whatever became of it."""
    last = name.rpartition(".")[2].lower()
    return last in WHOLE or has_any(TOTALS, last)


def counts_what_is_left_out(name: str) -> bool:
    """Tell whether a number is of coupons that were not added, by its name: bad, or duplicates."""
    last = name.rpartition(".")[2].lower()
    return has_any((*BAD_COUNTS, *DUPLICATES), last)


def sounds_like_added(name: str) -> bool:
    """Tell whether a number is of coupons added, by its name."""
    last = name.rpartition(".")[2].lower()
    return has_any(ADDED, last) and not counts_what_is_left_out(name)


def speaks_of_total(name: str) -> bool:
    """Tell whether the name of a number says that it counts all that a file had."""
    last = CAPITAL_INSIDE.sub("_", name.rpartition(".")[2]).lower()
    return has_any(TOTALS, last) or OF_SOMETHING_ELSE.search(last) is not None


def may_be_no_duplicates(name: str) -> bool:
    """Tell whether a number that may count duplicates may as well count what was left out."""
    return has_any(LEFT_OUT_FOR_SOME_REASON, name.rpartition(".")[2].lower())


def left_out(file: CouponFile) -> int:
    """Tell how many coupons of a file its own numbers call bad, or duplicates."""
    return sum(
        number
        for name, number in file.counts.items()
        if has_any((*BAD_COUNTS, *DUPLICATES), name.lower())
    )


def counts_of_coupons(file: CouponFile) -> dict[str, int]:
    """Return the whole numbers of a file but for moments, sizes, identifiers and what is left."""
    return {
        name: number
        for name, number in file.counts.items()
        if not NO_NUMBER.search(name.lower()) and not OF_PROGRESS.search(name.lower())
    }


def unknown_counts(file: CouponFile) -> dict[str, int]:
    """
    Return the whole numbers of a file that may count coupons added, and that nobody has said so of:
    all but those whose names say that they count something else.
    """
    unknown = {}
    for name, number in file.counts.items():
        plain = name.lower()
        if not has_any((*BAD_COUNTS, *DUPLICATES), plain) and not NO_COUNTS.search(plain):
            unknown[name] = number
    return unknown


def _only_alike(
    counts: Mapping[str, int],
    words: Iterable[str],
    others: Iterable[str],
) -> str:
    """
    Return the only count whose name has some of the words, and none of the others; else empty.
    """
    alike = []
    for name in counts:
        last = name.rpartition(".")[2].lower()
        if has_any(words, last) and not has_any(others, last):
            alike.append(name)
    if len(alike) == 1:
        return alike[0]
    return ""
