"""Whether the query that the connection's own path has leaves files of the list out. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from wes_provider.doctor.reads import facts, pages
from wes_provider.doctor.reads.applied_filters import may_restrict, names_part
from wes_provider.doctor.reads.evidence import Evidence, Listed, list_at, listed_in
from wes_provider.doctor.reads.header import current_settings
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import redact, shown

__all__ = ["OwnQuery", "QueryShows", "own_query", "path_without_query"]

OF_LIST: Final = "{coupon_list_id}"


class Parameter(NamedTuple):
    """One parameter of a query, as the path has it."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}={self.value}"

    @property
    def size(self) -> int:
        """How many files a page has by it; 0 if it says no number of files."""
        if names_part(self.name) and self.value.isdecimal():
            return int(self.value)
        return 0


class QueryShows(Enum):
    """What reads of a list with the query and without it show of the query."""

    NOTHING_MORE = "nothing is left out, the service needs it, or the list itself says the rest"
    LEAVES_OUT = "without it, the list has the same files and more"
    OTHER_FILES = "without it, the list has other files, and fewer of the same"
    IS_FULL = "the list has as many files as the query asks for, and no read shows that it ends"
    NOT_COMPARED = "the list was not read without it"


class OwnQuery(NamedTuple):
    """
    The query of the connection's path that may leave files out.

    :ivar parameters: those that may, as ``status=COMPLETED``.
    :ivar listed: the list with the query.
    :ivar path: the path without these parameters.
    :ivar reads: that path's answers, in order.
    """

    parameters: Sequence[Parameter]
    listed: Listed
    path: str
    reads: Sequence[Probe]

    @property
    def without(self) -> Listed | None:
        """The list without the parameters; ``None`` if no read shows one of this list alone."""
        for probe in self.reads:
            listed = listed_in(self.path, probe)
            if listed is not None and not listed.unreadable and not listed.other_lists:
                return listed
        return None

    @property
    def left_out(self) -> set[str]:
        """The identifiers of files that the list has without the parameters only."""
        if self.without is None:
            return set()
        return {*self.without.file_ids} - {*self.listed.file_ids}

    @property
    def _has_all_without(self) -> bool:
        """Whether the list has each file without the parameters that it has with them."""
        return self.without is not None and {*self.listed.file_ids} <= {*self.without.file_ids}

    @property
    def says(self) -> str:
        """The parameters, as the path has them."""
        words = "&".join(map(str, self.parameters))
        return shown(redact(self.listed.probe.clean(words)), quoted=False)

    @property
    def shows(self) -> QueryShows:
        """What the reads show of the parameters."""
        number = len(self.listed.files)
        if self.left_out and self._has_all_without:
            return QueryShows.LEAVES_OUT
        if self.left_out:
            return QueryShows.OTHER_FILES
        # A list that says that it is a part has a row of its own.
        if self.listed.incomplete:
            return QueryShows.NOTHING_MORE
        is_whole = pages.total_of(self.listed) == number
        has_the_same = self.without is not None and len(self.without.files) == number
        if is_whole or has_the_same:
            return QueryShows.NOTHING_MORE
        if any(number and parameter.size == number for parameter in self.parameters):
            return QueryShows.IS_FULL
        is_larger_page = all(parameter.size > number for parameter in self.parameters)
        if self.reads or is_larger_page:
            return QueryShows.NOTHING_MORE
        return QueryShows.NOT_COMPARED


def path_without_query(path: str) -> tuple[str, Sequence[Parameter]]:
    """
    Return a list's path without the parameters that may leave files out, and these parameters.

    A path that names the list in its query only is returned as it is: without that, it may have the
    files of all lists.
    """
    before, _, query = path.partition("?")
    if OF_LIST not in before:
        return path, []
    kept, restricting = [], []
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        if "{" not in value and may_restrict(name, value):
            restricting.append(Parameter(name, value))
        else:
            kept.append(part)
    if kept:
        before = f"{before}?{'&'.join(kept)}"
    return before, restricting


def own_query(evidence: Evidence) -> OwnQuery | None:
    """
    Return the query of the connection's own path that may leave files out; ``None`` if it has none,
    or that path does not have the list.
    """
    settings = current_settings(evidence)
    given = settings.coupon_files_path
    path, parameters = path_without_query(given)
    listed = facts.places(evidence).listed
    if not parameters or listed is None or listed.path != given:
        return None
    if listed.unreadable or listed.records.problem:
        return None
    without = list_at(settings, path, evidence.list_id)
    return OwnQuery(
        parameters=parameters,
        listed=listed,
        path=path,
        reads=evidence.answers_to(without),
    )
