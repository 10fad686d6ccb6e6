"""How long it takes until something is possible again, by the words of a refusal. Pure."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["wait_in_words", "without_wait"]

DAY: Final = 86400.0  # seconds
# Words for units, by how they begin; the first one counts.
UNITS: Final = (
    (re.compile(r"ms|milli", re.IGNORECASE), 0.001),
    (re.compile(r"h|st", re.IGNORECASE), 3600.0),
    (re.compile(r"s", re.IGNORECASE), 1.0),
    (re.compile(r"m", re.IGNORECASE), 60.0),
    (re.compile(r"d|tag", re.IGNORECASE), DAY),
)
UNIT: Final = (
    r"(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|"
    r"sekunden?|minuten?|stunden?|tage?n?)(?![a-z])"
)
PART: Final = rf"\d+(?:\.\d+)?\s*{UNIT}"
PARTS: Final = rf"{PART}(?:(?:\s*,)?(?:\s+and|\s+und)?\s*{PART}){{0,3}}"
# Hours, minutes and seconds, with days before them if need be, as .NET writes it.
CLOCK: Final = r"(?:\d{1,3}\.)?\d{1,3}:[0-5]\d:[0-5]\d(?:\.\d+)?\b"
ISO: Final = r"P(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?\b"
LENGTH: Final = rf"(?:{CLOCK}|{PARTS}|{ISO})"
ABOUT: Final = r"(?:(?:about|approximately|approx\.?|around|another|at least|ca\.?|etwa|~)\s*)?"
# Words that say that something is possible again, with the length of time after them. What is said
# of a rate, such as 5 calls in 60 seconds, has no such words.
AGAIN: Final = (
    r"(?:replenish|reset|renew|refill|refresh|restor|lift|unblock|unlock|try\b|retry|again\b|"
    r"(?:be|is|become) (?:back|over|available)|erneut|wieder)"
)
WAIT: Final = re.compile(
    rf"\b{AGAIN}\w*[^.;\d]{{0,40}}?\b(?:in|after)[\s:=]+{ABOUT}({LENGTH})|"
    rf"\bretry[- ]?after[\s:=]+{ABOUT}({LENGTH})|"
    rf"\bwait[\s:]+(?:for\s+)?{ABOUT}({LENGTH})(?!\s*between)|"
    rf"\b(?:in|after)\s+{ABOUT}({LENGTH})\s+(?:again|erneut|wieder)\b",
    re.IGNORECASE,
)


def wait_in_words(text: str) -> float | None:
    """
    Return the seconds after which words say that something is possible again, such as ``replenished
    in 03:12:45`` or ``try again in 26 seconds``; ``None`` if they name no such length of time.
    """
    named = WAIT.search(text)
    if named is None:
        return None
    length = next(group for group in named.groups() if group)
    return _seconds_of(length) or None


def without_wait(text: str) -> str:
    """Return words without such a length of time, which looks like an hour of the day."""
    return WAIT.sub("", text)


def _seconds_of(length: str) -> float:
    if re.fullmatch(CLOCK, length):
        return _seconds_of_clock(length)
    if length.upper().startswith("P"):
        return _seconds_of_iso(length)
    parts = re.findall(rf"(\d+(?:\.\d+)?)\s*({UNIT})", length, re.IGNORECASE)
    return sum(float(number) * _unit(word) for number, word in parts)


def _seconds_of_clock(length: str) -> float:
    hours, minutes, seconds = length.split(":")
    days, _, hours = hours.rpartition(".")
    return int(days or 0) * DAY + int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _seconds_of_iso(length: str) -> float:
    date, _, time = length.upper().partition("T")
    seconds = 0.0
    for number, letter in re.findall(r"(\d+(?:\.\d+)?)([DHMS])", date + time):
        seconds += float(number) * _unit(letter)
    return seconds


def _unit(word: str) -> float:
    return next(seconds for begins, seconds in UNITS if begins.match(word))
