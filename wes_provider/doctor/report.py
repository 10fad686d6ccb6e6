"""Findings for people, as a table, and for machines, as JSON. No secret in either."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from wes_provider import models
from wes_provider.client.diagnosis import CAMPAIGN_KEY, DATA_KEY
from wes_provider.client.settings import WesSettings
from wes_provider.connection_form import FIELDS
from wes_provider.doctor.findings import (
    CATALOG,
    SETTINGS,
    UPLOAD,
    Certainty,
    Finding,
    current,
    extra,
    number,
    setting_values,
)

__all__ = ["Report", "given_extra", "redacted"]

LONGEST: Final = 500  # characters of a cell; a service may send statuses of any length
NARROWEST: Final = 80  # characters of a table; narrower terminals wrap it
SHOW_A_KEY: Final = (CAMPAIGN_KEY, UPLOAD, CATALOG)  # topics
HARMLESS: Final = {"coupon_file_statuses.pending"}  # settings that tasks do without: an unknown status is waited for
DEFAULT_EXTRAS: Final = {"data_center": "01", "allow_http": False}


@dataclass(frozen=True)
class Report:
    """
    All that ``wes-doctor`` reports.

    :ivar conn_id: the id of the connection.
    :ivar given: the connection's extra, without secrets and defaults.
    :ivar reads: how many requests only read, before anything was written.
    :ivar writes: how many changed something.
    :ivar hidden: further texts that no output may hold.
    :ivar stopped: whether the user stopped it, so that something was not seen or not sent.
    """

    conn_id: str
    settings: WesSettings
    given: Mapping[str, Any]
    findings: Sequence[Finding]
    reads: int
    writes: int = 0
    hidden: tuple[str, ...] = ()
    stopped: bool = False

    @property
    def works(self) -> bool:
        """Whether everything needed works as the connection is set: nothing has to be pasted or shown first."""
        given, values = current(self.settings), self.values
        to_paste = {name for name in set(values) - HARMLESS if values[name][0] != given[name]}
        failing = any(finding.certainty == "wrong" or finding.needed for finding in self.findings)
        return self.accepted and not failing and not to_paste

    @property
    def accepted(self) -> bool:
        """Whether a reply shows that the service accepts the campaign key: without one, nobody knows who replied."""
        one_key = self.settings.data_api_key == self.settings.api_key
        topics = (*SHOW_A_KEY, DATA_KEY) if one_key else SHOW_A_KEY
        return any(finding.certainty == "sure" and finding.topic in topics for finding in self.findings)

    @property
    def values(self) -> dict[str, tuple[Any, Certainty]]:
        """The value of every setting, and how sure it is."""
        return setting_values(self.settings, self.findings)

    @property
    def extra(self) -> dict[str, Any]:
        """The connection's extra to paste."""
        return extra(self.given, self.values)

    def to_json(self) -> str:
        """For machines."""
        content = {
            "connection": self.conn_id,
            "address": self.settings.base_url,
            "works": self.works,
            "stopped": self.stopped,
            "reads": self.reads,
            "writes": self.writes,
            "findings": [
                {name: _cut(getattr(finding, name)) for name in ("topic", "certainty", "text", "tried", "came")}
                for finding in self._clean_findings()
            ],
            "settings": {
                name: {"value": value, "certainty": certainty} for name, (value, certainty) in self.values.items()
            },
            "extra": self.extra,
        }
        return json.dumps(self.clean(content), indent=2, ensure_ascii=False)

    def to_text(self, width: int = 100) -> str:
        """
        For people.

        :param width: the width of the terminal, in characters.
        """
        findings = [
            replace(finding, text=_cut(finding.text), tried=_cut(finding.tried), came=_cut(finding.came))
            for finding in self._clean_findings()
        ]
        wrong = sum(finding.certainty == "wrong" for finding in findings)
        unsure = sum(finding.certainty == "unsure" for finding in findings)
        parts = [
            self.clean(f"{self.conn_id}: {self.settings.base_url}"),
            f"{number(len(findings), 'finding')}: {wrong} wrong, {unsure} unsure. "
            f"Sent {number(self.reads, 'read')}, {number(self.writes, 'write')}.",
            "",
            table(findings, max(width, NARROWEST)),
            "",
            *(["You stopped it; this is what was seen so far.", ""] if self.stopped else []),
            *self._advice(),
        ]
        return "\n".join(parts)

    def _clean_findings(self) -> list[Finding]:
        return [Finding(**self.clean(vars(finding))) for finding in self.findings]

    def _advice(self) -> list[str]:
        extra_text = json.dumps(self.clean(self.extra), indent=2, ensure_ascii=False)
        lines = []
        if not self.accepted:
            lines = ["No reply shows that the service accepts the campaign key, so the settings are not proven.", ""]
        elif not self.extra and self.works:
            lines = ["The defaults fit: the connection needs nothing of this in its extra.", ""]
        elif not self.extra and any(finding.certainty == "wrong" for finding in self.findings):
            lines = ["What is wrong cannot be set right in the connection's extra.", ""]
        elif not self.extra and not self.works:
            lines = ["Not everything that tasks need is shown to work; the findings above name what would.", ""]
        if self.extra:
            lines += ["The connection's extra, ready to paste:", "", extra_text, ""]
            given = current(self.settings)
            doubtful = [name for name, (value, how) in self.values.items() if how == "unsure" and value != given[name]]
            if doubtful:
                lines += [f"A guess, as the findings above explain: {', '.join(doubtful)}.", ""]
        if self.settings.data_api_key != self.settings.api_key:
            lines += ["Keep data_api_key, which is not shown here.", ""]
        return lines[:-1]

    def clean(self, value: Any) -> Any:
        """
        A value as it may be shown: without secrets and without the queries of URLs.

        :param value: texts, and objects and lists of texts.
        """
        if isinstance(value, str):
            return redacted(value, (*self.settings.secrets, *self.hidden))
        if isinstance(value, Mapping):
            return {name: self.clean(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.clean(item) for item in value]
        return value


def redacted(text: str, secrets: Sequence[str]) -> str:
    """
    A text without secrets, not even base64 without its padding, without the queries of URLs, and without control
    characters, which a terminal would obey.

    :param secrets: the secrets of the connection, and of the URL to upload.
    """
    shown = models.redact(text, (*secrets, *(secret.rstrip("=") for secret in secrets)))
    return "".join(character if character.isprintable() or character == "\n" else "\ufffd" for character in shown)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def table(findings: Iterable[Finding], width: int) -> str:
    """
    Findings as a table: how sure, about what, what was tried and what came, and what follows.

    :param width: in characters.
    """
    about, tried = 20, max(26, (width - 28) * 3 // 7)
    widths = (8, about, tried, width - 8 - about - tried)
    lines = [_row(("", "about", "tried, and what came", "what follows"), widths)]
    for finding in findings:
        evidence = " -> ".join(filter(None, (finding.tried, finding.came)))
        lines.append(_row((finding.certainty, finding.topic, evidence, finding.text), widths))
    return "\n".join(lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    wrapped = [_wrapped(cell, width - 1) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, wrapped))
    return "\n".join(
        "".join(
            (cell[i] if i < len(cell) else "").ljust(width) for cell, width in zip(wrapped, widths, strict=True)
        ).rstrip()
        for i in range(height)
    )


def _wrapped(text: str, width: int) -> list[str]:
    """A text in lines that break at spaces and before a path's slashes; a part that is too long is cut."""
    lines = [""]
    for part in re.findall(r"\s+|/?[^\s/]+|/", text):
        if len(lines[-1]) + len(part) > width and lines[-1].strip():
            lines.append("")
        part = part if lines[-1] else part.lstrip()
        while len(part) > width:
            lines[-1] += part[:width]
            part = part[width:]
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def given_extra(raw: Mapping[str, Any], settings: WesSettings) -> dict[str, Any]:
    """
    What a connection's extra sets besides what the doctor finds out, without secrets and without defaults.

    :param raw: the connection's extra.
    :param settings: read from it.
    """
    tops = {name.partition(".")[0] for name in SETTINGS}
    kept = {}
    for name, value in raw.items():
        name = name.removeprefix("extra__wes__")
        if name not in FIELDS or name == "data_api_key" or name in tops or value in (None, ""):
            continue
        default = DEFAULT_EXTRAS.get(name, getattr(WesSettings, name, None))
        if getattr(settings, name, value) != default:
            kept[name] = value
    return kept
