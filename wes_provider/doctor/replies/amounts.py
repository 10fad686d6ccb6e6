"""How many requests a service allows, by its words or headers, and whether tasks can do with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import counted

__all__ = ["Amount", "Left", "amount_of", "left_of", "too_few"]

WINDOWS: Final = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 7 * 86400,
    "month": 30 * 86400,
}
ARTICLES: Final = {"hour": "an"}
HOUR: Final = WINDOWS["hour"]
OF_DOCTOR: Final = 12  # reads
# Reads of a file that takes a quarter of an hour: each pause is 13 % of the time so far, at most a
# minute (docs/waiting.md).
OF_WAIT: Final = 40
ADVERBS: Final = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
UNIT: Final = "|".join(WINDOWS)
# "trial";q=5;w=86400, or as an older draft has it 5;w=86400.
POLICY: Final = re.compile(r"(?:\bq=|(?:^|[\s,]))(\d+)\s*;[^,]*?\bw=(\d+)")
# "day";r=8;t=30000, or as an older draft has it limit=100, remaining=8, reset=30000.
REMAINING: Final = re.compile(r"\b(?:r|remaining)=(\d+)")
RESET: Final = re.compile(r"\b(?:t|reset)=(\d+)")
# The headers of the drafts: one with both, or one for each.
RATE_LIMIT: Final = "ratelimit"
RATE_LIMIT_REMAINING: Final = "ratelimit-remaining"
RATE_LIMIT_RESET: Final = "ratelimit-reset"
IN_NAME: Final = re.compile(rf"limit.*[-_]({UNIT})s?$|({UNIT})s?[-_].*limit")
IN_WORDS: Final = re.compile(
    rf"(\d[\d,]*)\s*(?:[a-z]+ ){{0,3}}?(?:[a-z]*/|per|an?|each|every)\s*({UNIT})\b", re.IGNORECASE
)
# As Apigee has it: Allowed rate : 12pm.
IN_SHORT: Final = re.compile(r"\brate\s*:?\s*(\d+)p([sm])\b", re.IGNORECASE)
SHORT_WINDOWS: Final = {"s": 1, "m": 60}
WITH_ADVERB: Final = re.compile(
    rf"\b({'|'.join(ADVERBS)})\b[^.;\d]{{0,40}}?\b(?:of|is|:)\s*(\d[\d,]*)", re.IGNORECASE
)


class Amount(NamedTuple):
    """So many requests in so many seconds."""

    number: int
    window: int

    def __str__(self) -> str:
        requests = counted(self.number, "request")
        for unit, length in WINDOWS.items():
            if length == self.window:
                article = ARTICLES.get(unit, "a")
                return f"{requests} {article} {unit}"
        return f"{requests} in {self.window} s"

    @property
    def space(self) -> float:
        """Seconds between two requests if they are spread evenly."""
        return self.window / max(self.number, 1)

    @property
    def is_too_few(self) -> bool:
        """Whether a wait for one file takes more."""
        return self.window >= HOUR and self.number < OF_WAIT


class Left(NamedTuple):
    """So many requests are left for so many seconds."""

    number: int
    seconds: int

    @property
    def is_too_few(self) -> bool:
        """Whether a wait for one file takes more."""
        return self.seconds >= HOUR and self.number < OF_WAIT


def amount_of(probe: Probe) -> Amount | None:
    """Return the smallest amount that a reply states; ``None`` if it states none."""
    amounts = [*_in_headers(probe), *_in_words(probe.message)]
    return min(amounts, key=lambda amount: amount.number / amount.window, default=None)


def _in_headers(probe: Probe) -> Iterator[Amount]:
    for name, value in probe.response.headers.items():
        if "limit" not in name and "quota" not in name:
            continue
        for number, window in POLICY.findall(value):
            if int(window):
                yield Amount(int(number), int(window))
        named = IN_NAME.search(name)
        if named and value.strip().isdecimal() and "remaining" not in name:
            yield Amount(int(value), WINDOWS[named[1] or named[2]])


def _in_words(message: str) -> Iterator[Amount]:
    for number, unit in IN_WORDS.findall(message):
        yield Amount(int(number.replace(",", "")), WINDOWS[unit.lower()])
    for number, unit in IN_SHORT.findall(message):
        yield Amount(int(number), SHORT_WINDOWS[unit.lower()])
    for adverb, number in WITH_ADVERB.findall(message):
        yield Amount(int(number.replace(",", "")), WINDOWS[ADVERBS[adverb.lower()]])


def left_of(probe: Probe) -> Left | None:
    """
    Return the fewest requests that a reply says are left, by the drafts of the header
    ``RateLimit``; ``None`` if it says none.
    """
    headers = probe.response.headers
    number = headers.get(RATE_LIMIT_REMAINING, "").strip()
    seconds = headers.get(RATE_LIMIT_RESET, "").strip()
    if number.isdecimal() and seconds.isdecimal():
        return Left(int(number), int(seconds))
    all_left = []
    for limit in _limits_with_both(headers.get(RATE_LIMIT, "")):
        remaining, reset = REMAINING.search(limit), RESET.search(limit)
        if remaining and reset:
            all_left.append(Left(int(remaining[1]), int(reset[1])))
    return min(all_left, key=lambda left: (not left.is_too_few, left.number), default=None)


def _limits_with_both(header: str) -> list[str]:
    """Return each limit of a header; the older draft has one, whose parts have commas between."""
    if "remaining=" in header:
        return [header]
    return header.split(",")


def too_few(probe: Probe) -> str:
    """Tell what to do about a limit that tasks cannot do with, as sentences; empty if they can."""
    amount = amount_of(probe)
    if amount is None or not amount.is_too_few:
        return ""
    also = ""
    if amount.number < OF_DOCTOR:
        also = f", and for this command, which sends about {OF_DOCTOR - 2} reads"
    verb = "are"
    if amount.number == 1:
        verb = "is"
    return (
        f"{amount} {verb} too few for a wait, which reads each file dozens of times an hour{also}: "
        "to wait does not help. Ask the service's support for more."
    )
