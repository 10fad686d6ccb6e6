"""Whether the record of a file that has failed says that the service tries it again. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any, Final

from wes_provider.doctor.replies.files import properties_of
from wes_provider.doctor.replies.members import last_name
from wes_provider.doctor.replies.moments import moment_in
from wes_provider.doctor.replies.probes import Probe
from wes_provider.models import CouponFile
from wes_provider.texts import redact, shown

__all__ = ["retry_of"]

LONGEST_REASON: Final = 100  # characters that are quoted
# Plain names of properties that say when the next attempt is: next_attempt_at, retryAfter.
NEXT_ATTEMPT: Final = re.compile(r"(?:next|re|will)\w*(?:try|tries|attempt|run|start)|^retr")
# Plain names of properties that are true if there is one.
WILL_RETRY: Final = re.compile(
    r"(?:is|will|willbe|auto|automatic)?(?:retrying|retries|retry|retried)(?:scheduled|planned)?"
)
# Plain names of how many attempts there were, are allowed, and are left.
MADE: Final = re.compile(
    r"(?:attempt|retry|retries|try|tries)(?:s|count|number|no|nr|smade)?|numattempts|numretries"
)
ALLOWED: Final = re.compile(
    r"(?:max|maximum|allowed|total)(?:num|number|of)*(?:attempts?|retries|tries)|"
    r"(?:attempts?|retries|tries)(?:max|allowed|total|limit)"
)
LEFT: Final = re.compile(
    r"(?:remaining|left)(?:attempts?|retries|tries)|(?:attempts?|retries|tries)(?:remaining|left)"
)
# What the reason of a failure says.
IN_WORDS: Final = re.compile(
    r"\b(?:will|to) (?:be )?(?:retry|retried|try again|tried again)\b|\bretrying\b|"
    r"\bnext (?:try|attempt|retry)\b",
    re.IGNORECASE,
)
NEVER: Final = re.compile(r"\b(?:not|never|no|without)\b", re.IGNORECASE)


def retry_of(file: CouponFile, probe: Probe) -> str:
    """
    Quote what says that the service tries a file again by itself, such as ``attempt 1, max_attempts
    3``; empty if nothing says so.

    :param probe: the read that showed the file.
    """
    properties = properties_of(file)
    quotes = (
        _time_of_next_attempt(properties, probe),
        _attempts_left(properties),
        _words_of(properties),
        _reason_of(file),
    )
    return next(filter(None, quotes), "")


def _time_of_next_attempt(properties: Mapping[str, Any], probe: Probe) -> str:
    """Quote a time of a next attempt, if it lies ahead."""
    for where, value in properties.items():
        moment = moment_in(value)
        is_ahead = moment is not None and moment > probe.sent_at
        if is_ahead and NEXT_ATTEMPT.search(last_name(where)):
            return _quoted(where, value)
    return ""


def _attempts_left(properties: Mapping[str, Any]) -> str:
    """Quote how many attempts there were of how many, or are left, if one is."""
    numbers = {where: value for where, value in properties.items() if type(value) is int}
    for where, value in numbers.items():
        if LEFT.fullmatch(last_name(where)) and value > 0:
            return _quoted(where, value)
    made = [where for where in numbers if MADE.fullmatch(last_name(where))]
    allowed = [where for where in numbers if ALLOWED.fullmatch(last_name(where))]
    for attempts, most in product(made, allowed):
        if numbers[attempts] < numbers[most]:
            return f"{_quoted(attempts, numbers[attempts])}, {_quoted(most, numbers[most])}"
    return ""


def _words_of(properties: Mapping[str, Any]) -> str:
    """Quote a property that says yes to a further attempt, such as ``will_retry true``."""
    for where, value in properties.items():
        if value is True and WILL_RETRY.fullmatch(last_name(where)):
            return f"{shown(where, quoted=False)} true"
    return ""


def _reason_of(file: CouponFile) -> str:
    """Quote a reason that says that the file is tried again."""
    if IN_WORDS.search(file.reason) and not NEVER.search(file.reason):
        return shown(redact(file.reason), LONGEST_REASON)
    return ""


def _quoted(where: str, value: Any) -> str:
    return f"{shown(where, quoted=False)} {shown(redact(str(value)), quoted=False)}"
