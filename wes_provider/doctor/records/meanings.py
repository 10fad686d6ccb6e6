"""What a status that the provider does not know means, by what its file has. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import chain
from typing import Any, Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.limited_imports import limit_of_import
from wes_provider.doctor.records.scans import scan_says
from wes_provider.doctor.replies.files import (
    BAD_COUNTS,
    coupons_in,
    has_any,
    properties_of,
    status_of,
    unknown_counts,
)
from wes_provider.models import CouponFile
from wes_provider.texts import counted, redact, shown

__all__ = [
    "NONE_ADDED",
    "NO_MEMBERS",
    "Meaning",
    "Means",
    "doubt_about",
    "ends_badly",
    "is_on_the_way",
    "may_have_been_taken_back",
    "meaning_of",
    "means_in",
    "most_added_of_each",
    "person_says",
    "speaks_of_person",
    "telling_names",
    "what_to_have_done",
]

# Words of statuses.
SUCCESS: Final = set(
    "ADDED COMPLETE COMPLETED DONE FINALIZED FINISHED IMPORTED INGESTED INSERTED LOADED OK "
    "PROCESSED SUCCEEDED SUCCESS SUCCESSFUL SUCCESSFULLY".split()
)
NOUNS: Final = set(
    "ALL COUPON COUPONS FILE FILES FULLY IMPORT JOB LOAD PROCESS PROCESSING UPLOAD".split()
)
# UN and NON turn the meaning of a word round, as in UNBLOCKED; but RUNFAILED is a run that failed.
NOT_TURNED_ROUND: Final = r"(?:(?<!UN)|(?<=RUN))(?<!NON)(?<!_NON_)"
# A file that is CANCELLABLE or REVERSIBLE was not cancelled or reversed; NOT_ABLE is a failure.
HAS_HAPPENED: Final = r"(?:(?<=_)|(?!L?E?[AI]BL[EY]))"


def _any_of(parts: str) -> re.Pattern[str]:
    """
    Return a pattern of any of some words, also as a part of another word, such as IMPORTFAILED.

    :param parts: patterns, with spaces between. A line stands for the beginning or the end of a
        word. What follows ``(?<!`` or ``(?!`` makes another word of it, such as FAILOVER.
    """
    return re.compile(f"{NOT_TURNED_ROUND}(?:{'|'.join(parts.split())}){HAS_HAPPENED}")


# What ends badly: it failed, was refused, undone or taken back, whatever was added before.
ENDS_BADLY: Final = _any_of(
    r"""
    ABANDON ABORT ANNUL BROKE(?!R) CANCEL CORRUPT CRASH DECLIN DELETE DENIED DISCARD
    (?<!AIR)DROPPED ERROR(?!S?_?FREE|LESS) EXPIR FAIL(?!OVER|SAFE|BACK) INCOMPLETE INVALID
    (?<!_S)(?<!_UNS)(?<!_UPS)KILLED NOT_ PARCIAL PARZIAL (?<!_IM)PARTIAL PARTIEL PARTLY
    _PART(?=_|ADDED|COMPLETE|DONE|IMPORT|LOAD|PROCESS|SUCCE) PURG RECALL REFUS REJECT REMOV RESCIND
    RETRACT REVERS REVERT REVOK ROLLBACK ROLLEDBACK STOP(?!GAP|HE|OVER|WATCH|WORD)
    (?<!_DE)(?<!_INDE)TERMINAT TIMEOUT UNSUCC
    (?<![BFHMPRSW]O)(?<!F)UNDO(?!CUMENT|UBT) _VOID WITHDR(?!AWABL)
    _(?:ROLL|ROLLED|ROLLING|SENT|TAKEN)_BACK_ _TIMED_OUT_ _TURNED_DOWN_
    ABGEBROCHEN ABGELAUFEN ABGELEHNT (?<!_BE)(?<!_EMP)FEHL(?!ERFREI|ERLOS|BAR) GELÖSCHT
    STORNI(?!ERBAR) TEILWEISE UNGÜLTIG WIDERRUFEN ZURÜCK
    """
)
# What may be either: a stop that somebody ends, or an end after which the coupons are there or not.
MAY_BE_EITHER: Final = _any_of(
    r"""
    ARCHIVE ARCHIVI BLOCKED DEACTIV DISABLED FREEZE FROZEN INACTIVE (?<!B)(?<!_C)(?<!_F)LOCKED
    OBSOLET ONHOLD_ PAUSE QUARANT REPLACED RETIRED SUPERSEDE SUSPEND _HELD_ _HOLD_ GESPERRT
    """
)
# What a person does with a file, and how messages call what is to be done.
PERSON_ACTS: Final = {
    "APPROV": "approved",
    "REVIEW": "reviewed",
    "SIGN_OFF": "signed off",
    "SIGNOFF": "signed off",
    "FOUR_EYES": "approved",
    "FOUREYES": "approved",
    "CONFIRM": "confirmed",
    "RELEASE": "released",
    "MODERAT": "approved",
    "AUTHORIS": "authorized",
    "AUTHORIZ": "authorized",
    "FREIGABE": "released",
    "MANUAL": "handled",
    "HUMAN": "handled",
}
# Who does it.
PERSONS: Final = (
    "ADMIN ANALYST COMPLIANCE HUMAN MANAGER MODERATOR OFFICER OPERATOR PERSON SOMEBODY SOMEONE "
    "STAFF SUPERVISOR _TEAM"
).split()
# That it has been done, unless words of IS_NEEDED stand beside it.
HAS_ACTED: Final = re.compile(
    r"(?<!UN)(APPROVED|REVIEWED|SIGNED_OFF|CONFIRMED|RELEASED|MODERATED|AUTHORI[SZ]ED)_"
)
IS_NEEDED: Final = (
    "ACTION AWAIT MISSING NEED NOT_ OPEN OUTSTANDING PEND REQUEST REQUIRE TO_BE WAIT"
).split()
# Ends of the names of properties that say themselves that somebody has to act, and who.
NEEDED_FROM: Final = (
    "NEEDED_FROM NEEDED_BY WAITING_FOR WAITING_ON AWAITING REQUIRED_FROM PENDING_WITH "
    "ACTION_REQUIRED NEXT_ACTION"
).split()
NOBODY: Final = {"", "[]", "0", "FALSE", "NO", "NONE", "NULL", "DONE"}
# Words of notes that undo what the file's numbers say.
UNDONE: Final = _any_of(
    r"""
    ANNULLED ARCHIVED CANCELED CANCELLED DECLINED EXPIRED PURGED QUARANTIN RECALLED REJECTED
    RESCINDED RETRACTED REVERSED REVERTED REVOKED ROLLBACK ROLLEDBACK SUPERSEDED UNDONE
    WITHDRAWN _VOIDED _HELD_ _ON_HOLD_ _ROLLED_BACK_ ABGELEHNT STORNIERT WIDERRUFEN ZURÜCKGEZOGEN
    """
)
NOT_SO: Final = re.compile(r"_(?:0|NEVER|NO|NONE|NOT|NOTHING|WITHOUT)_(?:[^\W_]+_){0,2}$")
# Ends of the names of properties that people or the service put notes into.
NOTES: Final = ("note", "notes", "comment", "remark", "info", "detail", "details", "text", "hint")
# Properties that have nothing to do with what becomes of a file.
NO_MEMBERS: Final = {"_id", "name", "file_url", "status", "created_by", "coupons_list_id"}
LONGEST_NOTE: Final = 100  # characters
# Not APPENDED, DEPENDENT, EXPENDED or UNSUSPENDED.
PENDING: Final = r"(?<!_AP)(?<!_DE)(?<!_INDE)(?<!_EX)(?<!SUS)PEND"
ON_THE_WAY: Final = re.compile(
    f"ING_|{PENDING}|QUEUE|RECEIVED|SCHEDULE|STAGED|START|SUBMIT|VALIDATED|WAIT|"
    "BEARBEITUNG|PRÜFUNG|WARTET|WIRD_|EN_COURS|EN_PROCESO"
)


# A file that the service never had.
NOT_FETCHED: Final = re.compile(r"download|fetch|retrieve|retrieval|retrieving", re.IGNORECASE)
NONE_ADDED: Final = "no coupon was added"
MOST_NUMBERS: Final = 4  # that are named


class Means(Enum):
    """What a status can mean; the values are the lists of the extra ``coupon_file_statuses``."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


def means_in(statuses: Statuses, status: str) -> Means | None:
    """Return the list that has a status; ``None`` if no list has it."""
    if statuses.is_pending(status):
        return Means.PENDING
    if statuses.succeeded(status):
        return Means.SUCCESS
    if statuses.failed(status):
        return Means.FAILURE
    return None


class Meaning(NamedTuple):
    """
    What a status means.

    :ivar sure: whether nothing else can have caused what was seen.
    :ivar is_supported: whether anything but the lack of a doubt speaks for it.
    :ivar is_partial: whether coupons were added although something speaks of a failure, so that
        only people know what tasks should do with it.
    :ivar is_unclear: whether a number speaks for coupons added if it counts them, which is open.
    :ivar is_either: whether its name may be that of a success or of a failure.
    """

    means: Means
    sure: bool
    why: str
    is_supported: bool = True
    is_partial: bool = False
    is_unclear: bool = False
    is_either: bool = False

    @property
    def what(self) -> str:
        """What it means, in words."""
        if self.is_either:
            return "success or failure"
        return self.means.value

    @property
    def is_open(self) -> bool:
        """Whether no setting follows from it, though something was seen."""
        return self.is_partial or self.is_unclear or self.is_either


def _bad_count(file: CouponFile, added: int) -> str:
    """Return a count of bad rows, such as ``rejected is 4``; empty without one that matters."""
    speaks_of_failure = bool(file.reason) or ends_badly(file.status)
    for name, count in file.counts.items():
        # A few bad rows among good ones are usual, if nothing else speaks of a failure.
        matters = count >= added or speaks_of_failure
        if count > 0 and matters and has_any(BAD_COUNTS, name.lower()):
            return f"{name} is {count}"
    return ""


def doubt_about(file: CouponFile, names: CountNames) -> str:
    """Say in a few words what speaks against a file's success; empty if nothing does."""
    added, duplicates = coupons_in(file, names)
    bad_count = _bad_count(file, added or 0)
    if bad_count:
        return bad_count
    if file.reason:
        return _reason_says(file)
    note = _undoing_note(file)
    if note:
        return f"the service notes {note}"
    # A file may be fine, and all its coupons may be in the list already.
    if added == 0 and not duplicates:
        return NONE_ADDED
    return _limit_of_end(file)


def _limit_of_end(file: CouponFile) -> str:
    """
    Quote what says that a part of a file only was imported; empty if nothing says so, or the file
    is on its way by the name of its status, when it may be a part for a time.
    """
    if is_on_the_way(status_of(file)):
        return ""
    return limit_of_import(file)


def telling_names(files: Iterable[CouponFile], names: CountNames) -> CountNames:
    """
    Find a count that tells statuses apart, if those that are set do not fit: one that is above 0
    for some statuses, and 0 for the others, may count coupons added, whatever it is called, unless
    its name says that it counts something else.

    :return: the names as they are, if there is no such count, or if two of them contradict, or
        another number is above 0 where it is 0.
    """
    files = list(files)
    if any(coupons_in(file, names).added is not None for file in files):
        return names
    splits = _statuses_apart(files)
    if len(set(splits.values())) != 1:
        return names
    name = next(iter(splits))
    if any(_has_only_others(file, name) for file in files):
        return names
    return CountNames(name, names.duplicates)


def _has_only_others(file: CouponFile, name: str) -> bool:
    """Tell whether a count of a file is 0 while another number speaks for coupons added."""
    others = [number for other, number in unknown_counts(file).items() if other != name]
    return file.counts.get(name) == 0 and max(others, default=0) > 0


def _statuses_apart(files: Sequence[CouponFile]) -> dict[str, frozenset[str]]:
    """Find the counts that some statuses have above 0 and others have at 0, and which have them."""
    splits: dict[str, frozenset[str]] = {}
    for name in dict.fromkeys(chain.from_iterable(map(unknown_counts, files))):
        with_it = [file for file in files if name in file.counts]
        above_0 = [file for file in with_it if file.counts[name] > 0]
        having = frozenset(map(status_of, above_0))
        if having and having < set(map(status_of, with_it)):
            splits[name] = having
    return splits


def meaning_of(
    file: CouponFile,
    names: CountNames,
    others: Iterable[CouponFile] = (),
    before: Iterable[str] = (),
) -> Meaning:
    """
    Judge the status of a file that the provider does not know.

    A status that lasts may be a stage on the way, and a number may count anything. So a status
    definitely means success only if its name states an end, coupons were added, and nothing that
    the file has speaks against it. That no coupon was added speaks for a failure only if another
    file added some.

    :param names: of the counts, such as :func:`telling_names` finds them.
    :param others: further files of the list; those with the same status may have added coupons.
    :param before: the statuses that the file had before, if they were seen.
    """
    others = list(others)
    name = _joined(status_of(file))
    status = shown(status_of(file), quoted=False)
    doubt = doubt_about(file, names)
    added = _most_added([file, *_alike(file, others)], names)
    states_an_end = _states_an_end(name)
    fails = ENDS_BADLY.search(name) is not None
    person = person_says(file)
    failure = _speaks_of_failure(status, doubt, fails) or _bad_rows_of_its_own(file, others, names)
    is_bad = doubt not in ("", NONE_ADDED) or bool(file.reason)
    rules_out_coupons = _rules_out_coupons(file.reason)
    is_partial = _most_added([file], names) > 0 and bool(failure) and not rules_out_coupons
    numbers = _unknown_numbers(file, names)
    scan = scan_says(file, before)
    rows = (
        Judged(
            applies=bool(person),
            meaning=Meaning(
                means=Means.PENDING,
                sure=False,
                why=f"it waits for a person: {person}",
            ),
        ),
        Judged(
            applies=bool(scan) and coupons_in(file, names).added == 0,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{status} after a scan: {scan}, and no coupon was added",
            ),
        ),
        Judged(
            applies=_is_either(name),
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{_either_says(status, doubt)}{_numbers_beside(file)}",
                is_supported=False,
                is_either=True,
            ),
        ),
        Judged(
            applies=bool(failure) and numbers.are_above_0,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{failure}, but {numbers.says}",
                is_supported=False,
                is_unclear=True,
            ),
        ),
        Judged(
            applies=fails and bool(file.reason) and not added,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=True,
                why=f"{_reason_says(file)}{_count_beside(file, names, doubt)}",
            ),
        ),
        Judged(
            applies=rules_out_coupons,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{_reason_says(file)}{_count_beside(file, names, doubt)}",
            ),
        ),
        Judged(
            applies=is_partial,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{_added_says(file, others, names)}, but {failure}",
                is_supported=False,
                is_partial=True,
            ),
        ),
        Judged(
            applies=bool(doubt) and doubt == _limit_of_end(file) and not fails,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=doubt,
                is_supported=False,
                is_partial=True,
            ),
        ),
        Judged(
            applies=fails,
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"the name {status} speaks of a failure{_also(doubt)}",
                is_supported=bool(doubt),
            ),
        ),
        Judged(
            applies=is_on_the_way(status_of(file)),
            meaning=Meaning(
                means=Means.PENDING,
                sure=False,
                why=f"the name {status} speaks of a file on its way",
            ),
        ),
        Judged(
            applies=bool(doubt),
            meaning=Meaning(
                means=Means.FAILURE,
                sure=False,
                why=f"{_zero_says(names, doubt)}{_count_beside(file, names, doubt)}",
                is_supported=is_bad,
            ),
        ),
        Judged(
            applies=bool(numbers.says),
            meaning=Meaning(
                means=Means.SUCCESS,
                sure=False,
                why=numbers.says,
                is_supported=False,
                is_unclear=True,
            ),
        ),
        Judged(
            applies=not added,
            meaning=Meaning(
                means=Means.SUCCESS,
                sure=False,
                why="no count that the provider knows shows that coupons were added",
                is_supported=False,
            ),
        ),
        Judged(
            applies=not states_an_end,
            meaning=Meaning(
                means=Means.SUCCESS,
                sure=False,
                why=(
                    f"{_added_says(file, others, names)}, but {status} may be the name of a stage "
                    "on the way"
                ),
            ),
        ),
        Judged(
            applies=True,
            meaning=Meaning(
                means=Means.SUCCESS,
                sure=True,
                why="coupons were added",
            ),
        ),
    )
    return next(row.meaning for row in rows if row.applies)


def _rules_out_coupons(reason: str) -> bool:
    """Tell whether a reason of a failure leaves no coupon, whatever a number says."""
    return _is_undone(_joined(reason)) or NOT_FETCHED.search(reason) is not None


def _bad_rows_of_its_own(file: CouponFile, others: Iterable[CouponFile], names: CountNames) -> str:
    """
    Return a count of bad rows that sets a status apart, in whatever language it is: a file of
    another status that added coupons has none. Empty if there is none.
    """
    unlike = [other for other in _unlike(file, others) if _most_added([other], names) > 0]
    for name, count in file.counts.items():
        is_0_elsewhere = any(other.counts.get(name) == 0 for other in unlike)
        if count > 0 and is_0_elsewhere and has_any(BAD_COUNTS, name.lower()):
            return f"{name} is {count}"
    return ""


def _speaks_of_failure(status: str, doubt: str, fails: bool) -> str:
    """Tell what speaks of a failure: what the file has, or else its status; empty if nothing."""
    if doubt:
        return doubt
    if fails:
        return f"the name {status} speaks of a failure"
    return ""


def _joined(text: str) -> str:
    """Return the words of a text in capitals, with a line before, between and behind them."""
    return "_".join(("", *re.findall(r"[^\W_]+", text.upper()), ""))


def ends_badly(status: str) -> bool:
    """Tell whether a status has a word of what failed, was refused, undone or taken back."""
    return ENDS_BADLY.search(_joined(status)) is not None


def may_have_been_taken_back(status: str) -> bool:
    """Tell whether a status has a word of what was undone, or of what may count no more."""
    return ends_badly(status) or _is_either(_joined(status))


def is_on_the_way(status: str) -> bool:
    """Tell whether a status has a word of a file on its way, and does not state an end."""
    name = _joined(status)
    return ON_THE_WAY.search(name) is not None and not _states_an_end(name)


def _is_either(name: str) -> bool:
    """Tell whether a name may be that of a stop or of an end, and does not speak of a failure."""
    return bool(MAY_BE_EITHER.search(name)) and not ENDS_BADLY.search(name)


def _either_says(status: str, doubt: str) -> str:
    """Tell that a name may be that of a stop or of an end, and what its file has beside it."""
    if doubt not in ("", NONE_ADDED):
        return f"{doubt}, and {status} may be the name of a stop or of an end"
    return f"{status} may be the name of a stop or of an end"


def _numbers_beside(file: CouponFile) -> str:
    """Return a file's numbers, as the end of a sentence; empty without any."""
    numbers = [f"{shown(name, quoted=False)} is {n}" for name, n in unknown_counts(file).items()]
    if numbers:
        return f", whatever its numbers are ({', '.join(numbers[:MOST_NUMBERS])})"
    return ""


def _also(doubt: str) -> str:
    if doubt:
        return f", and {doubt}"
    return ""


class Judged(NamedTuple):
    """A row of the table of meanings: it holds if it applies, and no row above it does."""

    applies: bool
    meaning: Meaning


# -- what a file says in words ---------------------------------------------------------------------


def _undoing_note(file: CouponFile) -> str:
    """Return a note of a file that undoes what its numbers say, with its name; empty without."""
    for name, value in _notes_of(file):
        if _is_undone(_joined(value)):
            return shown(redact(f"{name}: {value}"), LONGEST_NOTE)
    return ""


def _notes_of(file: CouponFile) -> list[tuple[str, str]]:
    return [
        (where, value)
        for where, value in properties_of(file).items()
        if isinstance(value, str) and where.lower().endswith(NOTES)
    ]


def _is_undone(words: str) -> bool:
    """Tell whether words undo something, and do not say that it was not done."""
    for undone in UNDONE.finditer(words):
        before = words[: undone.start()]
        if not NOT_SO.search(f"{before.rstrip('_')}_"):
            return True
    return False


def person_says(file: CouponFile) -> str:
    """
    Quote what says that a person has to act before a file goes on: its status, and the properties
    that name who; empty if nothing says so.
    """
    name = _joined(status_of(file))
    if _states_an_end(name) or ENDS_BADLY.search(name):
        return ""
    quoted = []
    if _waits_by_words(name):
        quoted.append(f"the name {shown(status_of(file), quoted=False)} says so")
    members = properties_of(file)
    has_acted = any(HAS_ACTED.search(_joined(where)) and members[where] for where in members)
    if not has_acted:
        is_stop = _is_either(name)
        quoted += [
            f"{shown(where, quoted=False)} is {shown(redact(str(value)), LONGEST_NOTE)}"
            for where, value in members.items()
            if _names_person(where, value) or (is_stop and _leaves_to_person(value))
        ]
    return " and ".join(quoted[:MOST_NUMBERS])


def speaks_of_person(words: str) -> bool:
    """Tell whether words, such as the name of a property, speak of what a person does."""
    return has_any(PERSON_ACTS, _joined(words))


def _waits_by_words(words: str) -> bool:
    """Tell whether words speak of something that a person has to do, and has not done yet."""
    if not has_any(PERSON_ACTS, words):
        return False
    return has_any(IS_NEEDED, words) or HAS_ACTED.search(words) is None


def _names_person(where: str, value: Any) -> bool:
    """Tell whether a property says that a person has to act."""
    words = _joined(where)
    said = str(value).strip().upper()
    if said in NOBODY:
        return False
    if words.rstrip("_").endswith(tuple(NEEDED_FROM)):
        return True
    if has_any(PERSON_ACTS, words):
        return _is_needed(words, value) or has_any(IS_NEEDED, _joined(said))
    is_note = isinstance(value, str) and where.lower().endswith(NOTES)
    return is_note and _waits_by_note(_joined(said))


def _leaves_to_person(value: Any) -> bool:
    """Tell whether a value of a file that is stopped names what a person does, and who."""
    words = _joined(str(value))
    if HAS_ACTED.search(words):
        return False
    return has_any(PERSON_ACTS, words) and has_any(PERSONS, words)


def _is_needed(words: str, value: Any) -> bool:
    """
    Tell whether a property's name says that something has to be done; what is required, yes or no,
    may have been done.
    """
    if not isinstance(value, str):
        words = words.replace("REQUIRE", "")
    return has_any(IS_NEEDED, words)


def _waits_by_note(words: str) -> bool:
    return has_any(PERSON_ACTS, words) and has_any(IS_NEEDED, words)


def what_to_have_done(file: CouponFile) -> str:
    """Return what a person has to do with a file that waits for one, such as ``approved``."""
    said = _joined(f"{status_of(file)} {person_says(file)}")
    if _is_either(_joined(status_of(file))) and "RELEASE" in said:
        return PERSON_ACTS["RELEASE"]
    return next((done for act, done in PERSON_ACTS.items() if act in said), "handled")


# -- numbers ---------------------------------------------------------------------------------------


def most_added_of_each(files: Iterable[CouponFile], names: CountNames) -> list[CouponFile]:
    """Of each status the file that added the most coupons: all that others are compared with."""
    best: dict[str, tuple[int, CouponFile]] = {}
    for file in files:
        added = _most_added([file], names)
        if status_of(file) not in best or added > best[status_of(file)][0]:
            best[status_of(file)] = (added, file)
    return [file for _, file in best.values()]


def _alike(file: CouponFile, others: Iterable[CouponFile]) -> list[CouponFile]:
    """Return the files with the same status."""
    return [other for other in others if status_of(other) == status_of(file)]


def _unlike(file: CouponFile, others: Iterable[CouponFile]) -> list[CouponFile]:
    """Return the files with another status."""
    return [other for other in others if status_of(other) != status_of(file)]


def _most_added(files: Iterable[CouponFile], names: CountNames) -> int:
    """Tell how many coupons a file added at most."""
    added = (coupons_in(file, names).added or 0 for file in files)
    return max(added, default=0)


class Numbers(NamedTuple):
    """
    The numbers of a file that may count coupons added, while none is known to.

    :ivar says: them, as part of a sentence; empty without any.
    :ivar are_above_0: whether one of them is.
    """

    says: str = ""
    are_above_0: bool = False


def _unknown_numbers(file: CouponFile, names: CountNames) -> Numbers:
    if coupons_in(file, names).added is not None:
        return Numbers()
    unknown = unknown_counts(file)
    says = ", ".join(f"{shown(name, quoted=False)} is {number}" for name, number in unknown.items())
    return Numbers(says, any(number > 0 for number in unknown.values()))


def _reason_says(file: CouponFile) -> str:
    return f"the service names {shown(file.reason, 100)}"


def _zero_says(names: CountNames, doubt: str) -> str:
    if doubt == NONE_ADDED and names.added:
        return f"{names.added} is 0, and more with another status"
    return doubt


def _count_beside(file: CouponFile, names: CountNames, doubt: str) -> str:
    """Return the count of coupons beside a reason, as the end of a sentence; empty without one."""
    added = coupons_in(file, names).added
    if not file.reason or doubt != _reason_says(file) or added is None:
        return ""
    return f", and {names.added or 'the count of coupons added'} is {added}"


def _added_says(file: CouponFile, others: Iterable[CouponFile], names: CountNames) -> str:
    """Tell which coupons were added, by the file itself or by one with the same status."""
    of_file = _most_added([file], names)
    alike = [other for other in _alike(file, others) if _most_added([other], names)]
    where = ""
    if not of_file and alike:
        of_file = _most_added(alike[:1], names)
        where = f" in file {shown(alike[0].id, quoted=False)}"
    if names.added:
        return f"{names.added} is {of_file}{where}"
    return f"{counted(of_file, 'coupon')} added{where}"


def _states_an_end(name: str) -> bool:
    words = set(name.strip("_").split("_"))
    return words <= SUCCESS | NOUNS and bool(words & SUCCESS)
