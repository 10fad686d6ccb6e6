"""
Whether a list shows the file of an upload. Pure.

Each decision rests on what the list shows. A list that is not whole, hides names, or shows files
that may or may not be the upload is no proof that it took no effect.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from wes_provider.uploads.identity import UploadName, parse
from wes_provider.uploads.request import canonical_url

__all__ = ["Absent", "BeforeClear", "Own", "Recognition", "Sought", "Undecided", "recognise"]


class Own(NamedTuple):
    """The file that this task instance uploaded since it was cleared last, as the list shows it."""

    shown: Mapping[str, Any]


class BeforeClear(NamedTuple):
    """
    A file that a task of the run uploaded before a clear, or before another clear of this task
    instance.
    """

    shown: Mapping[str, Any]


class Absent(NamedTuple):
    """The upload took no effect, or is not listed yet."""


class Undecided(NamedTuple):
    """The list does not tell."""

    why: str


Recognition: TypeAlias = "Own | BeforeClear | Absent | Undecided"


@dataclass(frozen=True)
class Sought:
    """
    The upload that is looked for.

    :ivar name: what its name says, or would say.
    :ivar given_name: the name that the user chose; empty if it is ours.
    :ivar url: the URL that was sent, without query; empty if it is not known.
    :ivar siblings: the hashes of the task's uploads.
    :ivar single: whether the task has a single file, which may have another URL in each attempt.
    :ivar maybe_sent: whether this task instance may have sent the upload since it was cleared last.
    :ivar adopts: whether a file of before a clear serves as well.
    :ivar run_cleared: whether tasks of the run were cleared; ``None`` if Airflow does not say.
    :ivar run_id: the run's.
    """

    name: UploadName
    given_name: str = ""
    url: str = ""
    siblings: Collection[str] = ()
    single: bool = False
    maybe_sent: bool = True
    adopts: bool = True
    run_cleared: bool | None = None
    run_id: str = ""


def recognise(records: Sequence[Mapping[str, Any]], incomplete: str, sought: Sought) -> Recognition:
    """
    Find an upload's file among the files of its list.

    :param records: as the service shows them.
    :param incomplete: why there may be more; empty if these are all.
    """
    if sought.given_name:
        return _by_given_name(records, incomplete, sought)
    named = [
        (name, record) for record in records if (name := parse(record.get("name"))) is not None
    ]
    own = [record for name, record in named if name == sought.name]
    if own:
        return Own(own[0])
    elsewhere = [
        record
        for name, record in named
        if name[1:] == sought.name[1:] and name.hash not in sought.siblings
    ]
    if sought.maybe_sent and sought.single and len(elsewhere) == 1:
        return Own(elsewhere[0])
    if sought.maybe_sent and elsewhere:
        return Undecided(
            f"an earlier attempt uploaded {_ids(elsewhere)} from other URLs: give each file a name"
        )
    if incomplete:
        return Undecided(incomplete)
    earlier = [(name, record) for name, record in named if name.hash == sought.name.hash]
    if earlier and sought.run_cleared is not False:
        newest, record = max(
            earlier, key=lambda each: (each[0].origin == sought.name.origin, each[0].generation)
        )
        same = [
            record
            for name, record in earlier
            if name._replace(start="") == newest._replace(start="")
        ]
        return (
            BeforeClear(record)
            if len(same) == 1
            else Undecided(f"a run of this id was deleted: {_ids(same)}")
        )
    if cut := [record for record in records if _is_cut(_name(record), sought.name)]:
        return Undecided(f"the service cuts names, and this may be its file: {_ids(cut)}")
    doubtful = [] if named else [record for record in records if _may_have_url(record, sought.url)]
    if doubtful:
        return Undecided(
            f"the list shows no names of ours, and these may be its file: {_ids(doubtful)}"
        )
    return Absent()


def _by_given_name(
    records: Sequence[Mapping[str, Any]], incomplete: str, sought: Sought
) -> Recognition:
    """
    By a name that other uploads may have: it settles what a single file has, if it belongs to this
    run.
    """
    same = [record for record in records if _name(record) == sought.given_name.strip().lower()]
    if same or incomplete:
        unique = sought.run_id.lower() in sought.given_name.lower() and sought.run_id != ""
        if (
            len(same) == 1
            and unique
            and sought.url
            and _url(same[0]) == sought.url
            and not incomplete
        ):
            if sought.run_cleared is False or (sought.maybe_sent and sought.adopts):
                return Own(same[0])
            if not sought.maybe_sent:
                return BeforeClear(same[0])
        # Other DAGs may have runs of this id.
        if unique and not incomplete and sought.url not in map(_url, same):
            return Undecided(f"of its name, but not from its URL, the list has {_ids(same)}")
        why = incomplete or f"other uploads may have its name: {_ids(same)}"
        return Undecided(f"{why}; leave name out, or put {{{{ run_id }}}} into it")
    doubtful = [record for record in records if _may_have_url(record, sought.url)]
    return (
        Undecided(f"these may be its file: {_ids(doubtful)}; leave name out")
        if doubtful
        else Absent()
    )


def _name(record: Mapping[str, Any]) -> str:
    name = record.get("name")
    return name.strip().lower() if isinstance(name, str) else ""


def _is_cut(shown: str, name: UploadName) -> bool:
    """
    Whether a name too short to be read may be the upload's, or that of the task's from another URL.
    """
    whole, length = str(name), len(name.hash)
    beginning = (
        shown.startswith(name.hash)
        or whole.startswith(shown)
        or whole[length:].startswith(shown[length:] or " ")
    )
    return len(shown) >= 4 and parse(shown) is None and beginning


def _may_have_url(record: Mapping[str, Any], url: str) -> bool:
    """Whether a file may be from a URL; one that is not shown or not known may be any."""
    return not url or _url(record) in ("", url)


def _url(record: Mapping[str, Any]) -> str:
    """The URL of a file without its query; empty if it is not shown, or is none."""
    try:
        return canonical_url(record["file_url"]) if record.get("file_url") else ""
    except (AttributeError, TypeError, ValueError):
        return ""


def _ids(records: Sequence[Mapping[str, Any]]) -> str:
    ids = [str(record.get("_id")) for record in records]
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
