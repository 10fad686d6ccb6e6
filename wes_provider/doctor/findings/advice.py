"""What an option of the command would show, and what to say once the option was given. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from wes_provider.doctor.findings.finding import Finding
from wes_provider.doctor.options import Options

__all__ = [
    "ADVICE",
    "CATALOG_SHOWS_IT",
    "FALLBACK",
    "LIST_IS_TO_BE_NAMED",
    "UPDATE_IS_TRIED",
    "UPDATE_SHOWS",
    "UPDATE_TRIES_AN_UPDATE",
    "UPDATE_TRIES_ONE",
    "UPLOAD_FOR_FILE",
    "UPLOAD_PROVES",
    "UPLOAD_PROVES_END",
    "UPLOAD_PROVES_IT",
    "UPLOAD_PROVES_RIGHT",
    "UPLOAD_SHOWS",
    "UPLOAD_SHOWS_LAG",
    "UPLOAD_SHOWS_PASSING",
    "UPLOAD_SHOWS_PATH",
    "UPLOAD_SHOWS_STATUS",
    "UPLOAD_SHOWS_STATUSES",
    "UPLOAD_TRIES_MORE",
    "UPLOAD_TRIES_STATUS",
    "Advice",
    "without_given",
    "without_uploads",
    "without_writes",
]


class Advice(NamedTuple):
    """
    Part of a sentence that advises an option.

    :ivar option: the field of the options that it is about.
    :ivar instead: what the sentence has in its place if the option was given.
    :ivar before: what it has while no reply shows that the service is at the address.
    """

    option: str
    text: str
    instead: str
    before: str

    def __str__(self) -> str:
        return self.text


UPLOAD = "file_url"
SEGMENT = "segment_id"
UPLOAD_SHOWS: Final = Advice(
    UPLOAD,
    "--upload URL shows it.",
    "No upload has shown it: ask the service's support.",
    "Settle what the verdict says first.",
)
UPLOAD_PROVES: Final = Advice(
    UPLOAD,
    "Reads cannot show that uploads work; --upload URL proves it.",
    "None was accepted.",
    "Reads cannot show that uploads work.",
)
UPLOAD_PROVES_IT: Final = Advice(
    UPLOAD,
    "ask the service's support whether it takes them there, or let --upload URL prove it.",
    "ask the service's support whether it takes them there.",
    "settle what the verdict says first.",
)
UPLOAD_TRIES_MORE: Final = Advice(
    UPLOAD,
    "--upload URL tries more, or ask the service's support.",
    "ask the service's support.",
    "settle what the verdict says first.",
)
UPLOAD_SHOWS_PATH: Final = Advice(
    UPLOAD,
    "ask its support, or let --upload URL show the path.",
    "ask its support for the path.",
    "settle what the verdict says first.",
)
UPLOAD_FOR_FILE: Final = Advice(
    UPLOAD,
    "name a list with files, or use --upload URL.",
    "name a list with files.",
    "settle what the verdict says first.",
)
UPLOAD_SHOWS_PASSING: Final = Advice(
    UPLOAD,
    ", or let --upload URL show whether uploads pass.",
    ", and run this again.",
    ", and settle what the verdict says first.",
)
UPLOAD_AFTER_CHECK: Final = Advice(
    UPLOAD,
    " before --upload URL sends anything into it, or name a list with files.",
    ", and see Upload.",
    ", or name a list with files.",
)
UPLOAD_SHOWS_STATUSES: Final = Advice(
    UPLOAD, "No file was read; --upload URL shows them.", "No file was read.", "No file was read."
)
UPLOAD_TRIES_STATUS: Final = Advice(
    UPLOAD,
    "; --upload URL tries one.",
    ", and no upload has one. Ask the service's support.",
    "; settle what the verdict says first.",
)
UPLOAD_PROVES_RIGHT: Final = Advice(
    UPLOAD,
    "Ask an administrator of the account for a key that may upload, or let --upload URL prove that "
    "yours may.",
    "Ask an administrator of the account for a key that may upload.",
    "Settle what the verdict says first.",
)
UPLOAD_PROVES_END: Final = Advice(
    UPLOAD, "; --upload URL proves it of the status that its file ends with.", ".", "."
)
UPLOAD_SHOWS_STATUS: Final = Advice(UPLOAD, ", or let --upload URL show it.", ".", ".")
UPLOAD_SHOWS_LAG: Final = Advice(
    UPLOAD,
    "Reads cannot show it; --upload URL does.",
    "Not shown, since no upload was followed.",
    "Reads cannot show it.",
)
UPDATE_SHOWS: Final = Advice(
    SEGMENT,
    "--segment ID shows it.",
    "No update has shown it: see Segment.",
    "Settle what the verdict says first.",
)
UPDATE_TRIES_ONE: Final = Advice(SEGMENT, "; --segment ID tries one.", ".", ".")
UPDATE_TRIES_AN_UPDATE: Final = Advice(SEGMENT, "; --segment ID tries an update.", ".", ".")
UPDATE_IS_TRIED: Final = Advice(
    SEGMENT,
    ", or let --segment ID try an update.",
    ", and run this again.",
    ", and settle what the verdict says first.",
)
CATALOG_SHOWS_IT: Final = Advice(
    "catalog",
    "Reads cannot show it; --catalog NAME does.",
    "Not shown, since none was created.",
    "Reads cannot show it.",
)
FALLBACK: Final = (
    "it may come from a fallback while the service behind is away. Wait, run this again, and "
    "upload nothing."
)
LIST_IS_TO_BE_NAMED: Final = Advice(
    "coupon_list_id",
    "Name a list that exists in --coupon-list",
    "Name a list that exists",
    "Name a list that exists in --coupon-list",
)
ADVICE: Final = tuple(advice for advice in globals().values() if isinstance(advice, Advice))


def without_given(findings: Iterable[Finding], options: Options) -> list[Finding]:
    """Advise no option that was given: it has shown what it can."""
    given = [advice for advice in ADVICE if getattr(options, advice.option) is not None]
    return _reworded(findings, {advice.text: advice.instead for advice in given})


def without_writes(findings: Iterable[Finding]) -> list[Finding]:
    """Advise no option, while no reply shows that the service is at the address."""
    return _reworded(findings, {advice.text: advice.before for advice in ADVICE})


def without_uploads(findings: Iterable[Finding]) -> list[Finding]:
    """Advise no upload, of which reads show that nothing would come."""
    uploads = [advice for advice in ADVICE if advice.option == UPLOAD]
    return _reworded(findings, {advice.text: advice.before for advice in uploads})


def _reworded(
    findings: Iterable[Finding],
    words: Mapping[str, str],
) -> list[Finding]:
    reworded = []
    for finding in findings:
        text = finding.text
        for before, after in words.items():
            text = text.replace(before, after)
        reworded.append(replace(finding, text=text))
    return reworded
