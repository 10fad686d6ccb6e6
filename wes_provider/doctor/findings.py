"""
What a finding is, and the report of all of them: a table for people, JSON for machines. No secret
is in either.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wes_provider.connection_form import FIELDS, LABELS
from wes_provider.doctor.replies import Reply
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = ["DEFAULTS", "LONGEST", "Finding", "Report", "Topic", "cleaner", "first_of"]

WIDTH: Final = 100  # characters of a report that no terminal shows
LONGEST: Final = 500  # characters of a text
MOST_TRIED: Final = 6  # requests below a finding
# Settings that tasks do without: an unknown status is waited for.
HARMLESS: Final = {"coupon_file_statuses.pending"}

Certainty = Literal["wrong", "needed", "unsure", "sure"]
"""
It does not work as the connection is set; no reply shows it, and tasks need it; no reply shows it;
it works.
"""
STYLES: Final = {"wrong": "bold red", "needed": "yellow", "unsure": "yellow", "sure": "green"}


class Topic:
    """What findings are about; fields of the connection as its form calls them."""

    ADDRESS: Final = LABELS["host"]
    CAMPAIGN_KEY: Final = LABELS["password"]
    DATA_KEY: Final = LABELS["data_api_key"]
    HEADER: Final = LABELS["workspace_header"]
    LIST_PATH: Final = "Path of the list's files"
    FILE_PATH: Final = "Path of one file"
    STATUSES: Final = "Statuses"
    COUNTS: Final = "Counts"
    LAG: Final = "Lag of the list"
    NAMES: Final = "Names in the list"
    LIMITS: Final = "Rate limits"
    UPLOAD: Final = "Upload"
    CATALOG: Final = "Identifier of a catalog"
    SEGMENT: Final = "Segment"


# What shows that the service accepts the campaign key.
KEYS: Final = {Topic.UPLOAD, Topic.CAMPAIGN_KEY}


@dataclass(frozen=True)
class Finding:
    """
    One conclusion.

    :ivar tried: requests, and what came of them.
    :ivar settings: values that replies have shown to be right; ``guesses``: values that they only
        speak for.
    """

    topic: str
    certainty: Certainty
    text: str
    tried: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    guesses: Mapping[str, Any] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """The certainty as people read it."""
        return "unsure" if self.certainty == "needed" else self.certainty


def first_of(
    topic: str,
    replies: Iterable[Reply | None],
    *rows: tuple[object, Certainty, str],
    **values: Mapping[str, Any],
) -> Finding:
    """
    The first row of a table that applies.

    :param replies: that the table was read from.
    :param rows: whether it applies, how certain it is, and what follows.
    :param values: ``settings`` and ``guesses`` of the finding.
    """
    _, certainty, text = next(row for row in rows if row[0])
    return Finding(
        topic,
        certainty,
        text,
        tuple(str(reply) for reply in replies if reply is not None),
        **values,
    )


def current(settings: WesSettings) -> dict[str, Any]:
    """
    The extras of a connection that the doctor can find out; those below another one by their dotted
    name.
    """
    statuses, names = settings.statuses, settings.count_names
    return {
        "workspace_header": settings.workspace_header,
        "paths.coupon_files": settings.coupon_files_path,
        "paths.coupon_file": settings.coupon_file_path,
        "paths.catalog_id": settings.catalog_id_property,
        **{
            f"coupon_file_statuses.{name}": sorted(getattr(statuses, name))
            for name in statuses.__struct_fields__
        },
        **{f"coupon_file_counts.{name}": getattr(names, name) for name in names.__struct_fields__},
        "coupon_files_lag": settings.coupon_files_lag,
    }


DEFAULTS: Final = current(WesSettings("https://localhost", "w", "k", "k"))


@dataclass(frozen=True)
class Report:
    """
    All that ``wes-doctor`` reports.

    :ivar given: the connection's extra.
    :ivar reads: how many requests were sent before anything was written; ``writes``: how many
        changed something.
    :ivar stopped: whether the user stopped it, so that something was not seen or not sent.
    :ivar clean: the function of :func:`cleaner`.
    """

    settings: WesSettings
    given: Mapping[str, Any]
    findings: Sequence[Finding]
    reads: int
    writes: int
    stopped: bool
    clean: Callable[[Any], Any]

    @property
    def values(self) -> dict[str, tuple[Any, str]]:
        """
        The value of every setting that the doctor can find out, and whether it is ``sure`` or
        ``unsure``.
        """
        values = {name: (value, "unsure") for name, value in current(self.settings).items()}
        for finding in self.findings:
            values |= {name: (value, "unsure") for name, value in finding.guesses.items()}
            values |= {name: (value, "sure") for name, value in finding.settings.items()}
        return values

    @property
    def _changed(self) -> dict[str, str]:
        """
        Settings whose value is not the connection's, and whether it is ``sure`` or ``unsure``.
        """
        given = current(self.settings)
        return {name: how for name, (value, how) in self.values.items() if value != given[name]}

    @property
    def extra(self) -> dict[str, Any]:
        """
        The connection's extra to paste: what it sets besides, and values that differ from the
        defaults.
        """
        others = FIELDS.keys() - {"data_api_key", *(name.partition(".")[0] for name in DEFAULTS)}
        defaults = {each.name: each.default for each in msgspec.structs.fields(WesSettings)}
        own = {
            name: getattr(self.settings, name, value)
            for name, value in self.given.items()
            if name in others
        }
        result = {
            name: self.given[name] for name, value in own.items() if value != defaults.get(name)
        }
        for name, (value, _) in self.values.items():
            if value != DEFAULTS[name]:
                top, _, below = name.partition(".")
                result |= {top: {**result.get(top, {}), below: value} if below else value}
        return dict(self.clean(result))

    @property
    def works(self) -> bool:
        """
        Whether everything needed works as the connection is set: nothing has to be pasted or shown
        first.
        """
        return not self._missing()

    @property
    def verdict(self) -> str:
        """The last line."""
        if self.stopped:
            return "Stopped: this is what was seen so far."
        if missing := self._missing():
            return f"Not ready: {self._line(missing)}"
        followed = any(each.topic == Topic.UPLOAD for each in self.findings)
        return (
            "Ready: everything that your tasks need "
            f"works{'' if followed else ', as far as reads show'}."
        )

    def _missing(self) -> str:
        """What is missing first; empty if nothing is."""
        changed = self._changed
        for each in self.findings:
            helps = changed.keys() & {*each.guesses, *each.settings}
            if not helps and each.certainty in ("wrong", "needed"):
                return f"{each.topic}. {each.text}"
        keys = KEYS | (
            {Topic.SEGMENT} if self.settings.data_api_key == self.settings.api_key else set()
        )
        if not any(each.certainty == "sure" and each.topic in keys for each in self.findings):
            return f"no response shows that the service accepts the {Topic.CAMPAIGN_KEY}."
        guess = " Part of it is a guess, as the table says." if "unsure" in changed.values() else ""
        paste = f"put the extra above into the connection, and run this again.{guess}"
        return paste if changed.keys() - HARMLESS else ""

    def to_json(self) -> str:
        """For machines."""
        line = self._line
        findings = [
            {
                "topic": each.topic,
                "certainty": each.word,
                "text": line(each.text),
                "tried": [*map(line, each.tried)],
            }
            for each in self.findings
        ]
        content = {
            "connection": self.settings.conn_id,
            "address": self.settings.base_url,
            **{
                name: getattr(self, name)
                for name in ("works", "verdict", "stopped", "reads", "writes", "extra")
            },
            "findings": findings,
            "settings": {
                name: {"value": value, "certainty": how}
                for name, (value, how) in self.values.items()
            },
        }
        return json.dumps(self.clean(content), indent=2, ensure_ascii=False)

    def print(self) -> None:
        """
        For people: what is wrong or unsure first, then what is fine, the extra, and the verdict.
        """
        console = Console(width=None if sys.stdout.isatty() else WIDTH)

        def say(text: str, style: str = "") -> None:
            console.print(Text(self.clean(text), style), soft_wrap=True)

        say(f"{self.settings.conn_id}: {self.settings.base_url}")
        say(
            f"Sent {counted(self.reads, 'read')} to find the settings, and "
            f"{counted(self.writes, 'write')}.\n"
        )
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for each in sorted(self.findings, key=lambda each: [*STYLES].index(each.certainty)):
            fine = each.certainty == "sure"
            text = Text(self._line(each.text))
            tried = [*each.tried[:MOST_TRIED], *(["…"] if len(each.tried) > MOST_TRIED else [])]
            for line in () if fine else tried:
                text.append(f"\n{self._line(line, 200)}", "dim")
            table.add_row(Text(each.word, STYLES[each.certainty]), each.topic, text)
        console.print(table)
        if self._changed:
            keep = (
                "\n\nKeep data_api_key, not shown here." if self.given.get("data_api_key") else ""
            )
            say(f"\nThe connection's extra, ready to paste:\n\n{_json(self.extra)}{keep}")
        say(f"\n{self.verdict}", "bold")

    def _line(self, text: str, length: int = LONGEST) -> str:
        """A text in one line, bounded, without secrets and queries of URLs."""
        return shown(self.clean(text), length, quoted=False)


def _json(value: Any, indent: str = "") -> str:
    """JSON in which each object's properties stand in lines of their own, and lists in one line."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = f",\n{indent}  ".join(
        f"{json.dumps(key)}: {_json(each, indent + '  ')}" for key, each in value.items()
    )
    return f"{{\n{indent}  {inner}\n{indent}}}"


def cleaner(settings: WesSettings, file_url: str | None = None) -> Callable[[Any], Any]:
    """
    A function that takes secrets and control characters out of texts, and out of objects and lists
    of them.

    :param file_url: of the uploaded file; its query, and the values in it, are secrets.
    """
    query = urlsplit(file_url or "").query
    keys = (settings.api_key, settings.data_api_key)
    basics = [base64.b64encode(f"{settings.workspace_id}:{key}".encode()).decode() for key in keys]
    hidden = {*keys, *basics, *(basic.rstrip("=") for basic in basics)}
    hidden |= {query, *(value for _, value in parse_qsl(query) if len(value) >= 8)} - {""}
    spelled = sorted({*hidden, *(quote(each, safe="") for each in hidden)}, key=len, reverse=True)

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {clean(name): clean(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [*map(clean, value)]
        if not isinstance(value, str):
            return value
        for secret in spelled:
            value = value.replace(secret, "***")
        return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in value)

    return clean
