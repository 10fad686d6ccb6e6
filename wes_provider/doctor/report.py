"""
The report of all findings: for people the verdict first, then troubles, then the rest; JSON for
machines. No secret is in either.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from wes_provider import contract
from wes_provider.connection_form import FIELDS
from wes_provider.doctor.findings.finding import ON_TWO_ANSWERS, Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Kind, Probe
from wes_provider.doctor.replies.words import abridged, unmarked
from wes_provider.settings import WesSettings
from wes_provider.texts import counted

__all__ = ["DEFAULTS", "LONGEST_TEXT", "Report", "State"]

WIDTH: Final = 100  # characters of a report that no terminal shows
LONGEST_TEXT: Final = 700  # characters
LONGEST_TRIED: Final = 300  # characters of a request below a finding
MOST_LINES: Final = 30
MOST_LINES_READY: Final = 16
STYLES: Final = {
    Certainty.WRONG: "bold red",
    Certainty.NOT_PROVED: "yellow",
    Certainty.NOT_SHOWN: "dim",
    Certainty.SURE: "green",
}
PASTE: Final = "Put the extra below into the connection, and run this again."
# What an option that was given might do if the same command is run again.
ONCE_MORE: Final = {
    "--catalog": "create another catalog",
    "--upload": "upload the same file once more",
}
READY: Final = "Ready: everything that your tasks need works."
READY_BUT_FOR_NAMES: Final = (
    "Ready: everything that your tasks need works. But by its name in the list, a task may not "
    "find an upload whose response is lost: a person has to decide then."
)
READY_BY_READS: Final = (
    "Ready, as far as reads show: keys, paths and statuses work; uploads were not tried."
)
SEE_ABOVE: Final = "See the first lines."
EXTRA: Final = "extra"
GUESS: Final = " Part of it is a guess, as the rows say."


class Tried(NamedTuple):
    """How many requests stand below the first finding, and below each of the others."""

    below_first: int
    below_others: int


class Rest(Enum):
    """How what is sure and what is not shown is shown."""

    WHOLE = "in as many lines as its text needs"
    ONE_LINE_EACH = "cut to one line for each finding, and to more while there is room"
    TOGETHER = "the topics alone, in one line for each certainty"
    CUT = "as TOGETHER; and each certainty is cut to one line"


LENGTHS: Final = (
    *product(
        (Tried(3, 3), Tried(3, 2), Tried(3, 1), Tried(3, 0), Tried(2, 0)),
        (Rest.WHOLE, Rest.ONE_LINE_EACH),
    ),
    (Tried(3, 0), Rest.TOGETHER),
    (Tried(2, 0), Rest.TOGETHER),
    (Tried(1, 0), Rest.TOGETHER),
    (Tried(1, 0), Rest.CUT),
)
"""
From the longest report to the shortest one. What the verdict rests on is left out last, after what
is sure and what is not shown.
"""


class State(Enum):
    """The verdict in a word; the values are those of the JSON report."""

    READY = "ready"
    NOT_READY = "not-ready"
    NOT_PROVED = "not-proved"
    STOPPED = "stopped"


class Value(NamedTuple):
    """The value of a setting, and whether replies have proved it."""

    value: Any
    is_proved: bool

    @property
    def certainty(self) -> str:
        """As the JSON report has it."""
        if self.is_proved:
            return "sure"
        return "not proved"


def current(settings: WesSettings) -> dict[str, Any]:
    """
    Return the extras of a connection that the doctor can find out; those below another one by their
    dotted name.
    """
    statuses, names = settings.statuses, settings.count_names
    values: dict[str, Any] = {
        "workspace_header": settings.workspace_header,
        "paths.coupon_files": settings.coupon_files_path,
        "paths.coupon_file": settings.coupon_file_path,
        "paths.catalog_id": settings.catalog_id_property,
        "coupon_file_statuses.pending": sorted(statuses.pending),
        "coupon_file_statuses.success": sorted(statuses.success),
        "coupon_file_statuses.failure": sorted(statuses.failure),
        "coupon_file_counts.added": names.added,
        "coupon_file_counts.duplicates": names.duplicates,
        "coupon_files_lag": settings.coupon_files_lag,
    }
    return values


DEFAULTS: Final = current(WesSettings("https://localhost", "w", "k", "k"))


@dataclass(frozen=True)
class Report:
    """
    All that ``wes-doctor`` reports.

    :ivar given: the connection's extra.
    :ivar probes: all requests, and what came of them.
    :ivar reads: how many requests were sent before anything was written; ``writes``: how many
        changed something.
    :ivar stopped: whether the user stopped it, so that something was not seen or not sent.
    :ivar clean: the function of :func:`~wes_provider.doctor.cleaning.cleaner`.
    """

    settings: WesSettings
    given: Mapping[str, Any]
    findings: Sequence[Finding]
    probes: Sequence[Probe]
    reads: int
    writes: int
    stopped: bool
    clean: Callable[[Any], Any]

    # -- settings

    @cached_property
    def values(self) -> dict[str, Value]:
        """The value of every setting that the doctor can find out."""
        values = {name: Value(value, False) for name, value in current(self.settings).items()}
        for finding in self.findings:
            values |= {name: Value(value, False) for name, value in finding.guesses.items()}
            is_certain = finding.certainty in (Certainty.SURE, Certainty.WRONG)
            values |= {name: Value(value, is_certain) for name, value in finding.settings.items()}
        return values

    @cached_property
    def changed(self) -> dict[str, Value]:
        """The settings whose value is not the connection's."""
        given = current(self.settings)
        return {name: value for name, value in self.values.items() if value.value != given[name]}

    @cached_property
    def extra(self) -> dict[str, Any]:
        """
        The connection's extra to paste: what it sets besides, and values that differ from the
        defaults.
        """
        result = self._other_extras()
        for name, (value, _) in self.values.items():
            if value == DEFAULTS[name]:
                continue
            top, _, below = name.partition(".")
            if below:
                result[top] = {**result.get(top, {}), below: value}
            else:
                result[top] = value
        return dict(self.clean(result))

    def _other_extras(self) -> dict[str, Any]:
        """Tell what the connection sets that the doctor cannot find out, but for the key."""
        found_out = {name.partition(".")[0] for name in DEFAULTS}
        others = FIELDS.keys() - {"data_api_key", *found_out}
        defaults = {field.name: field.default for field in msgspec.structs.fields(WesSettings)}
        result = {}
        for name, value in self.given.items():
            read = getattr(self.settings, name, value)
            if name in others and read != defaults.get(name):
                result[name] = value
        return result

    # -- the verdict

    @cached_property
    def troubles(self) -> list[Finding]:
        """What may make tasks fail, the most important first."""
        return sorted(filter(lambda finding: finding.is_trouble, self.findings), key=_rank)

    @property
    def state(self) -> State:
        """The verdict in a word: that of the first trouble."""
        if self.stopped:
            return State.STOPPED
        if not self.troubles:
            return State.READY
        if self.troubles[0].certainty is Certainty.WRONG:
            return State.NOT_READY
        return State.NOT_PROVED

    @property
    def _proves_uploads(self) -> bool:
        """Whether the service accepted an upload: no read shows that it does."""
        uploads = self._about(Topic.UPLOAD)
        return any(finding.certainty is Certainty.SURE for finding in uploads)

    def _about(self, topic: Topic) -> list[Finding]:
        return [finding for finding in self.findings if finding.topic is topic]

    @property
    def works(self) -> bool:
        """Whether all that was asked for is proved to work as the connection is set."""
        return self.state is State.READY

    @cached_property
    def verdict(self) -> str:
        """The first line."""
        if self.stopped:
            return "Stopped: this is what was seen so far."
        if not self.troubles:
            return self._ready
        first = self.troubles[0]
        words = {State.NOT_READY: "Not ready", State.NOT_PROVED: "Not proved"}
        said = f"{words[self.state]}: {first.topic.value}. {self._line(first.text)}"
        said += self._about_extra(first, said)
        options = []
        if self._has_done(contract.CREATE_CATALOG):
            options.append("--catalog")
        if PASTE in said and self._has_done(contract.UPLOAD_COUPON_FILE):
            options.append("--upload")
        return f"{said}{_without(options)}{self._also_wrong(first)}"

    def _about_extra(self, first: Finding, said: str) -> str:
        """
        Tell what to do with the extra, as a sentence with a space before it; empty if there is
        none, or the verdict tells it.

        :param first: the first trouble; ``said``: the verdict so far.
        """
        # The text about a guess says itself what to do before it is put in.
        if self.changed.keys() & first.settings.keys():
            return f" {self._paste}"
        if not self.changed or EXTRA in said:
            return ""
        # What is sure may have a value for the extra, too.
        findings = [*self.troubles, *(each for each in self.findings if not each.is_trouble)]
        proposed = [finding.topic.value for finding in findings if self._changes(finding)]
        return f" The {EXTRA} below is for {', '.join(proposed)}."

    def _has_done(self, change: contract.Operation) -> bool:
        """Whether this run has made a change, which the same command would make once more."""
        return any(probe.request.operation is change and probe.success for probe in self.probes)

    def _also_wrong(self, first: Finding) -> str:
        """
        Name what is wrong besides the first trouble, and what the extra does not settle, as a
        sentence with a space before it; empty without any.
        """
        wrong = [finding for finding in self.troubles if finding.certainty is Certainty.WRONG]
        topics = [
            finding.topic.value
            for finding in wrong
            if finding.topic is not first.topic and not self._changes(finding)
        ]
        if not topics:
            return ""
        return f" Also wrong, as below: {', '.join(topics)}."

    @property
    def _ready(self) -> str:
        """The verdict without a trouble, and what replies announce."""
        ready = READY_BY_READS
        if self._proves_uploads:
            ready = READY
        if self._proves_uploads and any(name.needs_action for name in self._about(Topic.NAMES)):
            ready = READY_BUT_FOR_NAMES
        notices = [self._line(finding.text) for finding in self._about(Topic.NOTICES)]
        return " ".join((ready, *notices))

    @property
    def _paste(self) -> str:
        """What to do with the extra."""
        if all(value.is_proved for value in self.changed.values()):
            return PASTE
        return f"{PASTE}{GUESS}"

    def _changes(self, finding: Finding) -> bool:
        """Tell whether the extra has a value that a finding proposes."""
        return bool(self.changed.keys() & {*finding.settings, *finding.guesses})

    # -- for machines

    def to_json(self) -> str:
        """Return the report as JSON; ``docs/commands.md`` describes it."""
        content = {
            "connection": self.settings.conn_id,
            "address": self.settings.base_url,
            "state": self.state.value,
            "verdict": self.verdict,
            "works": self.works,
            "stopped": self.stopped,
            "reads": self.reads,
            "writes": self.writes,
            "extra": self.extra,
            "findings": [self._finding(finding) for finding in self.findings],
            "probes": [self._probe(probe) for probe in self.probes],
            "settings": {
                name: {"value": value.value, "certainty": value.certainty}
                for name, value in self.values.items()
            },
        }
        return json.dumps(self.clean(content), indent=2, ensure_ascii=False)

    def _finding(self, finding: Finding) -> dict[str, Any]:
        rests_on = [
            number for number, probe in enumerate(self.probes) if _is_among(probe, finding.probes)
        ]
        return {
            "name": finding.topic.stable_name,
            "topic": finding.topic.value,
            "certainty": finding.certainty.value,
            "text": self._line(finding.text),
            "two_answers": finding.has_two_answers,
            "settings": dict(finding.settings),
            "guesses": dict(finding.guesses),
            "probes": rests_on,
        }

    def _probe(self, probe: Probe) -> dict[str, Any]:
        return {
            "question": probe.question.value,
            "method": probe.request.method,
            "path": self._line(probe.path, LONGEST_TRIED),
            "keys": probe.keys.value,
            "sent_at": probe.sent_at,
            "kind": probe.kind.value,
            "status": probe.status or None,
            "code": self._line(probe.code) or None,
            "text": self._line(str(probe), LONGEST_TRIED),
        }

    # -- for people

    def print(self) -> None:
        """For people: the verdict, what is wrong or not proved, the extra, and the rest."""
        console = Console(width=None if sys.stdout.isatty() else WIDTH)
        for line in self.lines(console.width):
            console.print(line, soft_wrap=True)

    def lines(self, width: int = WIDTH) -> list[Text]:
        """
        Return the lines of the report: at most 30, if the extra and texts of a usual length let it.

        :param width: characters of a line.
        """
        most = MOST_LINES
        if self.works:
            most = MOST_LINES_READY
            # What needs action is not cut.
            most += sum(len([*self._row(finding, width)]) - 1 for finding in self._kept)
        for tried, rest in LENGTHS:
            head = self._head(width, tried, rest)
            lines = [*head, *self._rest(width, rest, most - len(head))]
            if len(lines) <= most:
                break
        return lines

    def _head(self, width: int, most_tried: Tried, rest: Rest) -> list[Text]:
        lines = [Text(line, "bold") for line in _wrapped(self.clean(self.verdict), width)]
        sent = f"{counted(self.reads, 'read')}, {counted(self.writes, 'write')}"
        lines.append(
            Text(self.clean(f"{self.settings.conn_id}: {self.settings.base_url} ({sent})"))
        )
        printed: set[str] = set()
        most = most_tried.below_first
        for finding in self.troubles:
            lines += self._row(self._shortened(finding), width)
            lines += self._below_row(finding, width)
            lines += self._requests_below(finding, printed, most, width)
            most = most_tried.below_others
        if self.changed and not self.works:
            lines += self._pasted(rest)
        return lines

    def _shortened(self, finding: Finding) -> Finding:
        """Return a finding without its text, if the verdict above has it."""
        if self._leads(finding):
            return replace(finding, text=SEE_ABOVE)
        return finding

    def _leads(self, finding: Finding) -> bool:
        """Tell whether the verdict has the text of a finding."""
        return finding is self.troubles[0] and not self.stopped

    def _requests_below(
        self, finding: Finding, printed: set[str], most: int, width: int
    ) -> Iterator[Text]:
        """
        Return the requests that a finding rests on, and how many more there are of the first one.

        :param printed: those above, which are not repeated.
        """
        tried = Counter(map(str, finding.probes))
        if finding.text == ON_TWO_ANSWERS:
            return  # they are those of a row above
        new = [line for line in tried if line not in printed]
        shown, further = new[:most], sum(tried[line] for line in new[most:])
        printed.update(shown)
        for line in shown[:-1]:
            yield from self._tried(line, tried[line], width)
        for line in shown[-1:]:
            also = ""
            if further and self._leads(finding):
                also = f" (and {further} more)"
            yield from self._tried(f"{line}{also}", tried[line], width)

    def _tried(self, line: str, times: int, width: int) -> Iterator[Text]:
        """Return a request and what came of it, as a whole; how often, if not once."""
        text = self._line(line, LONGEST_TRIED)
        if times > 1:
            sent, arrow, came = text.partition(" → ")
            text = f"{sent} ({times} times){arrow}{came}"
        first, *further = _wrapped(text, width - WORD - 2) or [""]
        yield _below(first, width)
        for part in further:
            yield _below(f"  {part}", width)

    def _pasted(self, rest: Rest) -> Iterator[Text]:
        yield Text("")
        title = "The connection's extra, ready to paste"
        if self.given.get("data_api_key"):
            title += " (keep data_api_key, not shown here)"
        yield Text(f"{title}:")
        for line in _json_lines(self.extra):
            yield Text(line)
        if rest is not Rest.CUT:
            yield Text("")

    def _below_row(self, finding: Finding, width: int) -> Iterator[Text]:
        """Return the settings that a finding changes."""
        changed = self.changed
        given = current(self.settings)
        for name, value in {**finding.guesses, **finding.settings}.items():
            if name not in changed:
                continue
            if isinstance(value, list):
                # The extra has the whole list.
                new = [entry for entry in value if entry not in given[name]]
                left_out = [entry for entry in given[name] if entry not in value]
                yield from self._list_below("with", name, new, width)
                yield from self._list_below("without", name, left_out, width)
            else:
                setting = f"{name}: {json.dumps(self.clean(value), ensure_ascii=False)}"
                yield _below(setting, width)

    def _list_below(
        self,
        how: str,
        name: str,
        entries: list[str],
        width: int,
    ) -> Iterator[Text]:
        """Tell what becomes of a setting that is a list; nothing without entries."""
        if entries:
            named = json.dumps(self.clean(entries), ensure_ascii=False)[1:-1]
            for line in _wrapped(f"{name}: {how} {named}", width - WORD):
                yield _below(line, width)

    def _row(self, finding: Finding, width: int) -> Iterator[Text]:
        """Return a finding, in as many lines as its text needs."""
        text = self._line(finding.text)
        first, *further = _wrapped(text, width - INDENT) or [""]
        line = Text()
        line.append(f"{finding.certainty.value:{WORD}}", STYLES[finding.certainty])
        line.append(f"{finding.topic.value:{INDENT - WORD}}")
        line.append(first)
        yield line
        for part in further:
            yield Text(f"{'':{INDENT}}{part}")

    def _rest(self, width: int, rest: Rest, room: int) -> list[Text]:
        """
        Tell what is sure, then what is not shown.

        :param room: lines that are left; rows that have to be cut use all of them.
        """
        if rest in (Rest.TOGETHER, Rest.CUT):
            return list(self._rest_together(width, is_cut=rest is Rest.CUT))
        lines: list[Text] = []
        findings = [*self._of(Certainty.SURE), *self._of(Certainty.NOT_SHOWN)]
        has_extra = bool(self.changed) and self.works
        kept = sum(len([*self._row(finding, width)]) - 1 for finding in self._kept)
        spare = max(0, room - len(findings) - kept - has_extra)
        for finding in findings:
            row = list(self._row(finding, width))
            if finding.needs_action:
                lines += row
                continue
            if rest is Rest.ONE_LINE_EACH and len(row) > 1 + spare:
                row = _cut(row, 1 + spare, width)
            spare = max(0, spare - len(row) + 1)
            lines += row
        if self.changed and self.works:
            extra = json.dumps(self.extra, ensure_ascii=False)
            lines.append(Text(f"An extra that spares warnings, but is not needed: {extra}"))
        return lines

    def _rest_together(self, width: int, *, is_cut: bool) -> Iterator[Text]:
        """
        Return the topics of what is sure, and of what is not shown; what needs action as a whole.
        """
        for certainty in (Certainty.SURE, Certainty.NOT_SHOWN):
            findings = self._of(certainty)
            for finding in self._kept:
                if finding in findings:
                    yield from self._row(finding, width)
            topics = ", ".join(
                finding.topic.value for finding in findings if not finding.needs_action
            )
            if not topics:
                continue
            parts = _wrapped(topics, width - WORD)
            if is_cut:
                parts = [_cut_to(topics, width - WORD)]
            line = Text(f"{certainty.value:{WORD}}", STYLES[certainty])
            line.append(parts[0])
            yield line
            for part in parts[1:]:
                yield Text(f"{'':{WORD}}{part}")

    def _of(self, certainty: Certainty) -> list[Finding]:
        return [
            finding
            for finding in self.findings
            if finding.certainty is certainty and not self._is_in_verdict(finding)
        ]

    @property
    def _kept(self) -> list[Finding]:
        """What needs action, and is neither a trouble nor in the verdict."""
        findings = [*self._of(Certainty.SURE), *self._of(Certainty.NOT_SHOWN)]
        return [finding for finding in findings if finding.needs_action]

    def _is_in_verdict(self, finding: Finding) -> bool:
        """Tell whether the verdict on a ready account has all of a finding."""
        return self.works and finding.topic is Topic.NOTICES

    def _line(self, text: str, length: int = LONGEST_TEXT) -> str:
        """Return a text in one line, bounded, without secrets and queries of URLs."""
        # The same texts stand in each of the forms that a report is tried in.
        if (text, length) not in self._printed:
            self._printed[text, length] = unmarked(abridged(self.clean(text), length))
        return self._printed[text, length]

    @cached_property
    def _printed(self) -> dict[tuple[str, int], str]:
        return {}


WORD: Final = 12  # characters of the column of words
INDENT: Final = WORD + 26  # characters before a text
CUT_MARK: Final = " …"


# From the last word on, which may be a part of one, and from numbers before it.
CUT_AT: Final = re.compile(r"(?:\s\S*\d\S*)*\s\S*$")


def _cut(
    row: list[Text],
    most: int,
    width: int,
) -> list[Text]:
    """
    Return the first lines of a row, the last of them with what follows, as far as it has room. A
    number is not cut from what it counts.
    """
    *kept, last = row[:most]
    rest = " ".join(line.plain.strip() for line in row[most:])
    last.append(f" {rest}")
    last.truncate(width - 2)
    last.right_crop(len(last.plain) - len(CUT_AT.split(last.plain)[0].rstrip()))
    last.append(CUT_MARK)
    return [*kept, last]


def _cut_to(text: str, width: int) -> str:
    """Return the whole words of a text that fit into a line, and a mark if some do not."""
    if cell_len(text) <= width:
        return text
    first, *_ = _wrapped(text, width - len(CUT_MARK))
    return f"{first}{CUT_MARK}"


def _below(text: str, width: int) -> Text:
    """Return a line below a finding, cut after a whole word, unless one is wider than the line."""
    line = Text(f"{'':{WORD}}{_cut_to(text, width - WORD)}", "dim")
    line.truncate(width, overflow="ellipsis")
    return line


def _rank(finding: Finding) -> tuple[bool, ...]:
    """
    Put first a reason in the service's own words, then two answers to one request, what is
    wrong, what is not proved; of these first what no setting helps against: uploads that are
    redirected, and a quota that is used up.
    """
    is_redirected = any(probe.kind is Kind.ELSEWHERE for probe in finding.probes)
    is_past_help = finding.topic is Topic.UPLOAD and is_redirected
    is_past_help = is_past_help or finding.topic is Topic.LIMITS
    return (
        not finding.is_cause,
        not finding.has_two_answers,
        # Without counts, tasks work.
        finding.topic is Topic.COUNTS,
        finding.certainty is not Certainty.WRONG,
        not is_past_help,
    )


def _is_among(probe: Probe, probes: Iterable[Probe]) -> bool:
    return any(probe is other for other in probes)


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines; words that are wider than a line are cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _json_lines(extra: Mapping[str, Any]) -> list[str]:
    """
    JSON with each property of the extra in a line of its own; if that is too long, each of the
    properties in it.
    """
    if not extra:
        return ["{}"]
    properties = []
    for name, value in extra.items():
        line = f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        if cell_len(line) > WIDTH and isinstance(value, Mapping):
            inner = [_json_property(below, content) for below, content in value.items()]
            line = "\n".join((f"  {json.dumps(name)}: {{", ",\n".join(inner), "  }"))
        properties.append(line)
    return ["{", *",\n".join(properties).split("\n"), "}"]


def _json_property(name: str, value: Any) -> str:
    """Return a property below another one; a list that is too long goes on in further lines."""
    whole = f"    {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
    if cell_len(whole) < WIDTH or not isinstance(value, list):
        return whole
    entries = [json.dumps(entry, ensure_ascii=False) for entry in value]
    lines = [f"    {json.dumps(name)}: ["]
    for number, entry in enumerate(entries, 1):
        part = f"{entry}," if number < len(entries) else f"{entry}]"
        if cell_len(lines[-1]) + 1 + cell_len(part) > WIDTH - 1:
            lines.append(" " * 7)
        lines[-1] += part if lines[-1].endswith("[") else f" {part}"
    return "\n".join(lines)


def _without(options: Sequence[str]) -> str:
    """
    Tell which options the next command is to leave out, and why, as a sentence with a space before
    it; empty for none.
    """
    if not options:
        return ""
    harm = " and ".join(ONCE_MORE[option] for option in options)
    leave = f"leave {' and '.join(options)} out"
    if len(options) > 1:
        return f" If you run this again, {leave}: they might {harm}."
    return f" If you run this again, {leave}: it might {harm}."
