"""How many requests a service allows, by its words or headers, and whether tasks can do with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
IN_NAME: Final = re.compile(rf"limit.*[-_]({UNIT})s?$|({UNIT})s?[-_].*limit$")
# Of a header whose number is a moment, a time, or so many requests of the limit.
NO_LIMIT_IN_NAME: Final = re.compile(
    r"(?:^|[-_])(?:used|usage|consumed|current|left|remaining|available|resets?|retry|after|wait"
    r"|delay|window|period|interval|duration)(?:[-_]|$)"
)
# Of thousands. Each kind of space has become the usual one in a message.
SEPARATOR: Final = "[,.'\u2019 ]"
# 12000, 12,000 or 1,20,000, but neither a part of 1.5 nor the 3 of "3 of 20".
NUMBER: Final = (
    rf"(?<!\d)(?<!\d[.,])(\d{{1,3}}(?:{SEPARATOR}\d{{2,3}})*{SEPARATOR}\d{{3}}|\d+)"
    r"(?!\d|[.,]\d|\s*(?:of|/)\s*\d)"
)
IN_WORDS: Final = re.compile(
    rf"{NUMBER}\s*(?:[a-z]+ ){{0,3}}?(?:[a-z]*/|per|an?|each|every)\s*({UNIT})\b", re.IGNORECASE
)
# As Apigee has it: Allowed rate : 12pm.
IN_SHORT: Final = re.compile(r"\brate\s*:?\s*(\d+)p([sm])\b", re.IGNORECASE)
SHORT_WINDOWS: Final = {"s": 1, "m": 60}
WITH_ADVERB: Final = re.compile(
    rf"\b({'|'.join(ADVERBS)})\b[^.;\d]{{0,40}}?\b(?:of|is|:)\s*{NUMBER}", re.IGNORECASE
)
IS_LEFT: Final = r"\b(?:left|remain(?:s|ing)?)\b"
# 3 left, or remaining: 3. But of 3 that are left of 5, the 5 are the limit.
LEFT_WITHIN: Final = re.compile(IS_LEFT, re.IGNORECASE)
LEFT_BEFORE: Final = re.compile(rf"{IS_LEFT}(?:\s*:|\s+(?:is|are))?\s*$", re.IGNORECASE)
LEFT_AFTER: Final = re.compile(rf"\s+(?:[a-z]+\s+){{0,2}}{IS_LEFT}", re.IGNORECASE)
OF_SO_MANY: Final = re.compile(r"\d\s*(?:of|/)\s*$", re.IGNORECASE)


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
    return _smallest(_amounts_of(probe))


def _amounts_of(probe: Probe) -> list[Amount]:
    return [*_in_headers(probe), *_in_words(probe.message)]


def _smallest(amounts: Iterable[Amount]) -> Amount | None:
    """Return the amount with the smallest rate; ``None`` if there is none."""
    return min(amounts, key=lambda amount: amount.number / amount.window, default=None)


def _in_headers(probe: Probe) -> Iterator[Amount]:
    for name, value in probe.response.headers.items():
        if "limit" not in name and "quota" not in name:
            continue
        if NO_LIMIT_IN_NAME.search(name):
            continue
        for number, window in POLICY.findall(value):
            if int(window):
                yield Amount(int(number), int(window))
        named = IN_NAME.search(name)
        if named and value.strip().isdecimal():
            yield Amount(int(value), WINDOWS[named[1] or named[2]])


def _in_words(message: str) -> Iterator[Amount]:
    for stated in IN_WORDS.finditer(message):
        if not _says_what_is_left(stated):
            yield Amount(_without_separators(stated[1]), WINDOWS[stated[2].lower()])
    for number, unit in IN_SHORT.findall(message):
        yield Amount(int(number), SHORT_WINDOWS[unit.lower()])
    for stated in WITH_ADVERB.finditer(message):
        if not _says_what_is_left(stated):
            window = WINDOWS[ADVERBS[stated[1].lower()]]
            yield Amount(_without_separators(stated[2]), window)


def _says_what_is_left(stated: re.Match[str]) -> bool:
    """Return whether the words around a number say that so many requests are left."""
    before, after = stated.string[: stated.start()], stated.string[stated.end() :]
    if OF_SO_MANY.search(before):
        return False
    if LEFT_WITHIN.search(stated[0]):
        return True
    return bool(LEFT_BEFORE.search(before) or LEFT_AFTER.match(after))


def _without_separators(number: str) -> int:
    return int(re.sub(SEPARATOR, "", number))


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
    amount = _smallest(amount for amount in _amounts_of(probe) if amount.is_too_few)
    if amount is None:
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
