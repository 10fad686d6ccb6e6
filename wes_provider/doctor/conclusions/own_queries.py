"""What follows if the query of the connection's own path leaves files of the list out. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from wes_provider.doctor.conclusions.path_words import FOR_PATH
from wes_provider.doctor.conclusions.repeated_records import count_files
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, changed, conclude
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.own_queries import OwnQuery, QueryShows, own_query
from wes_provider.doctor.replies.probes import Question
from wes_provider.texts import counted

__all__ = ["conclude_on_own_query", "without_lag_of_part"]

READS_THAT_PROVE: Final = 2


def conclude_on_own_query(evidence: Evidence) -> Finding | None:
    """Conclude on the path of a list whose query leaves files out, or may; ``None`` otherwise."""
    query = own_query(evidence)
    if query is None or query.shows is QueryShows.NOTHING_MORE:
        return None
    setting = {"paths.coupon_files": query.path}
    is_proved = len(query.reads) >= READS_THAT_PROVE
    with_it = len(query.listed.files)
    without_it = 0
    if query.without is not None:
        without_it = len(query.without.files)
    of_path = f"The query of paths.coupon_files ({query.says})"
    return conclude(
        Topic.LIST_PATH,
        [query.listed.probe, *query.reads],
        Row(
            applies=query.shows is QueryShows.LEAVES_OUT,
            certainty=Certainty.WRONG,
            text=(
                f"{of_path} leaves files out: with it, the list has {_files(with_it)}, "
                f"and without it {without_it}, so a task may send a file again that is there. "
                "Take it out."
            ),
            settings=setting if is_proved else {},
            guesses={} if is_proved else setting,
        ),
        Row(
            applies=query.shows is QueryShows.OTHER_FILES,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{of_path} leaves files out: with it, the list has {_files(with_it)}, "
                f"and without it {without_it}, of which {_how_many_others(query)}. So neither has "
                f"all files, and a task may send a file again that is there. {FOR_PATH}"
            ),
        ),
        Row(
            applies=query.shows is QueryShows.IS_FULL,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{of_path} asks for as many files as the list has with it, {with_it}, so there "
                "may be more, and a task may send a file again that is there. Ask for more files "
                "than the list can have, or ask the service's support for a path that has all."
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"It has {count_files(query.listed.files)}, but its query ({query.says}) may leave "
                "files out, and the list was not read without it, because "
                f"{evidence.why_not_asked(Question.WITHOUT_QUERY)}. Run this again, or take the "
                "query out, unless the service needs it."
            ),
            guesses={"paths.coupon_files": query.listed.path},
        ),
    )


def without_lag_of_part(findings: Sequence[Finding], evidence: Evidence) -> list[Finding]:
    """Return findings without the lag of a list that was read with a query that hides files."""
    query = own_query(evidence)
    if query is None or not query.left_out:
        return [*findings]
    return changed(findings, Topic.LAG, _open_lag)


def _open_lag(lag: Finding) -> Finding:
    if not lag.is_trouble:
        return lag
    return replace(
        lag,
        certainty=Certainty.NOT_SHOWN,
        text=(
            "Not shown, since the list was read with a query that leaves files out: settle "
            f"{Topic.LIST_PATH.value} first."
        ),
        settings={},
        guesses={},
    )


def _files(number: int) -> str:
    if number == 0:
        return "no file"
    return counted(number, "file")


def _how_many_others(query: OwnQuery) -> str:
    """Tell how many files are there without the query only."""
    number = len(query.left_out)
    if number == 1:
        return "one is not among these"
    return f"{number} are not among these"
