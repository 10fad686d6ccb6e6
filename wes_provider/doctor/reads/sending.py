"""
Sends requests: each once, and repeated only if the reply is about the moment.

Everything that bounds the doctor is here: at most :data:`MOST_READS` reads and :data:`LONGEST`
seconds, the service's rate limits, and how often a request without an answer is repeated.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final, NamedTuple

import msgspec

from wes_provider.client.polls import send_poll
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.client.sync import WesClient
from wes_provider.contract import Operation
from wes_provider.doctor.replies.amounts import amount_of
from wes_provider.doctor.replies.codes import CodeMember
from wes_provider.doctor.replies.probes import (
    NO_RESPONSE,
    Driver,
    Keys,
    Probe,
    Question,
    is_certificate,
)
from wes_provider.doctor.replies.proxies import TUNNEL_407, offered_for_tunnel
from wes_provider.doctor.replies.proxy_errors import proxy_error
from wes_provider.doctor.replies.unreached import is_without_end
from wes_provider.doctor.replies.waits_in_words import wait_in_words
from wes_provider.doctor.replies.words import as_it_came
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesUnknownOutcomeError,
)
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = [
    "LEAST_MILLISECONDS",
    "LIBRARIES",
    "MOST_READS",
    "POSTPONED",
    "TOOK_ALL",
    "Ask",
    "Reader",
    "Sender",
    "date_or_clock",
    "duration",
    "is_without_response",
    "limit_lasts",
    "limits_in",
    "no_answer",
    "resets_by_words",
    "resets_in",
    "retry_after",
    "until",
    "without_logs",
]

MOST_READS: Final = 12
LIBRARIES: Final = ("urllib3", "requests", "aiohttp")
LONGEST: Final = 60.0  # seconds that all reads and pauses take together
MOST_LIMITED: Final = 3  # requests, if each is refused by a rate limit
# The same, if it says that it lasts for long: one more, since that may be said of another limit.
MOST_LIMITED_FOR_LONG: Final = 2
MOST_LIMITS_SHOWN: Final = 4  # headers that are about limits
LONGEST_RESET: Final = 400 * 24 * 3600.0  # seconds; a reset that is further away is none
MOST_LOST: Final = 2  # requests, if each gets no answer for another reason
LATER: Final = 60.0  # seconds between two times of one reply that are no rounding
PAUSE: Final = 1.0  # seconds before a repetition, if no header says how long
# Seconds between requests once a rate limit has refused one without saying for how long.
FIRST_SPACE: Final = 2.0
LONGEST_SPACE: Final = 4.0
# The same by a refusal that states how many requests are allowed.
LONGEST_STATED_SPACE: Final = 6.0
SLOW: Final = 2.0  # seconds that an ordinary reply does not take
DAY: Final = 86400.0  # seconds
LEFT_FOR_RESPONSE: Final = 2.0  # seconds without which no request is begun
# How much longer than the slowest reply so far the next one may take.
ROOM: Final = 1.5


TOOK_ALL: Final = f"the other questions took all {MOST_READS} reads"
POSTPONED: Final = "the last reads are left for other questions"


class Ask(NamedTuple):
    """
    One request that a question asks for.

    :ivar tried: the value of a setting that it tries.
    :ivar driver: that sends it; that of polls has the connection's own keys only.
    """

    request: Request
    keys: Keys = Keys.OWN
    tried: str = ""
    driver: Driver = Driver.OF_UPLOADS


class Sender:
    """
    Sends requests over connections of their own, since a pooled one leads to the same node.

    :param clean: takes secrets out of what the service says.
    :ivar probes: all requests so far, and what came of them.
    """

    def __init__(
        self,
        settings: WesSettings,
        clean: Callable[[str], str] = str,
    ) -> None:
        made_up = secrets.token_hex(16)
        own = (settings.api_key, settings.data_api_key)
        self._settings = settings
        self._clean = clean
        self._keys = {
            Keys.OWN: own,
            Keys.SWAPPED: own[::-1],
            Keys.MADE_UP: (made_up, made_up),
        }
        self._codes: CodeMember | None = None
        self.probes: list[Probe] = []

    def read_by(self, codes: CodeMember) -> dict[int, Probe]:
        """
        Read all replies by the codes of errors that the service has.

        :return: the requests so read, by the identity of what they were before.
        """
        self._codes = codes
        before = self.probes
        self.probes = [replace(probe, codes=codes) for probe in before]
        return {id(old): new for old, new in zip(before, self.probes, strict=True)}

    def send(
        self,
        question: Question,
        ask: Ask,
        until: float | None = None,
    ) -> Probe:
        """
        Send a request once, whatever comes of it.

        :param until: epoch seconds at which it has to be over.
        """
        given = self._settings
        api_key, data_api_key = self._keys[ask.keys]
        settings = msgspec.structs.replace(given, api_key=api_key, data_api_key=data_api_key)
        if until is not None:
            # Connecting, waiting for the first byte and reading have a bound each. A slow service
            # takes nearly all of its time for the first byte, so it gets more for that.
            left = until - time.time()
            most = max(0.1, left / 3)
            longest_reply = min(left, _longest_reply(self.probes))
            settings = msgspec.structs.replace(
                settings,
                connect_timeout=min(settings.connect_timeout, most),
                read_timeout=min(settings.read_timeout, max(most, longest_reply)),
            )
        probe = Probe(
            question,
            ask.request,
            ask.keys,
            ask.tried,
            time.time(),
            driver=ask.driver,
            clean=self._clean,
            codes=self._codes,
        )
        try:
            with without_logs(*LIBRARIES):
                probe = replace(probe, response=_send_once(settings, ask))
        except WesError as error:
            probe = replace(
                probe,
                problem=_problem_of(error),
                unsent=_was_not_sent(error),
                ran_out="imeout" in error.reason and settings.read_timeout < given.read_timeout,
            )
        if TUNNEL_407 in probe.problem:
            offered = {"proxy-authenticate": offered_for_tunnel(settings)}
            probe = replace(probe, response=NO_RESPONSE._replace(headers=offered))
        probe = replace(probe, took=time.time() - probe.sent_at)
        self.probes.append(probe)
        return probe

    def sent_elsewhere(self, question: Question, request: Request, response: Response) -> Probe:
        """Return a request that a wait has sent, with its response; it is none of the probes."""
        return Probe(
            question,
            request,
            sent_at=time.time(),
            response=response,
            clean=self._clean,
            codes=self._codes,
        )

    def lost_elsewhere(self, question: Question, request: Request, error: WesError) -> Probe:
        """Return a request that a wait has sent, and that got no whole response."""
        return replace(
            self.sent_elsewhere(question, request, NO_RESPONSE),
            driver=Driver.OF_POLLS,
            problem=_problem_of(error),
            unsent=_was_not_sent(error),
        )


def _problem_of(error: WesError) -> str:
    """Return why a request got no whole response, in one line."""
    return error.reason.partition(" (")[0]


def _was_not_sent(error: WesError) -> bool:
    return isinstance(error, (WesConfigurationError, WesConnectionError))


def is_without_response(error: WesError) -> bool:
    """Tell whether a request got no whole response; a 5xx is one."""
    if isinstance(error, WesUnknownOutcomeError):
        return error.client_repeats
    return isinstance(error, WesConnectionError)


@contextmanager
def without_logs(*names: str) -> Iterator[None]:
    """
    Log nothing: what libraries log of a response may hold secrets, and the report says what comes
    of it.

    :param names: of the loggers.
    """
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _send_once(settings: WesSettings, ask: Ask) -> Response:
    """Send a request with the driver that it asks for."""
    if ask.driver is Driver.OF_POLLS:
        return asyncio.run(send_poll(settings, ask.request))
    with closing(WesClient(settings)) as client:
        return client.send(ask.request)


def _lacks_its_end(probe: Probe) -> bool:
    """Tell whether a response came, and long was waited for its end, which did not come."""
    return bool(probe.status) and not probe.response.is_whole and probe.took >= SLOW


def _longest_reply(probes: Sequence[Probe]) -> float:
    """Seconds that a reply may take, by the slowest one so far; 0 without a reply."""
    took = [probe.took for probe in probes if probe.status]
    return ROOM * max(took, default=0.0)


class Reader:
    """Sends the reads that questions ask for, within the bounds of this module."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._deadline = time.time() + LONGEST
        self._space = 0.0

    def read_by(
        self,
        codes: CodeMember,
        probes: Sequence[Probe],
    ) -> tuple[Probe, ...]:
        """Return requests that were sent, read by the codes of errors that the service has."""
        read = self._sender.read_by(codes)
        return tuple(read[id(probe)] for probe in probes)

    def obstacle(self, ask: Ask, reserve: int = 0) -> str:
        """
        Tell why a request is not sent; empty if nothing keeps it.

        :param reserve: reads that are left for later questions.
        """
        if len(self._sender.probes) >= MOST_READS:
            return TOOK_ALL
        if len(self._sender.probes) + reserve >= MOST_READS:
            return POSTPONED
        resets = self._resets(ask.request.operation)
        if resets + LEFT_FOR_RESPONSE > self._deadline:
            return f"the service's rate limit resets at {date_or_clock(resets, time.time())}"
        lasting = _lasting_limit(self._sender.probes)
        if lasting:
            return lasting
        if time.time() + self._time_for_response > self._deadline:
            return self.out_of_time
        return ""

    @property
    def _time_for_response(self) -> float:
        """Seconds without which no request is begun."""
        return max(LEFT_FOR_RESPONSE, _longest_reply(self._sender.probes))

    @property
    def out_of_time(self) -> str:
        """Why nothing more is sent, if the time is over: how long replies took."""
        took = [probe.took for probe in self._sender.probes if probe.status]
        lost = [probe.took for probe in self._sender.probes if not probe.status]
        without_end = list(filter(_lacks_its_end, self._sender.probes))
        if without_end:
            waited = sum(probe.took for probe in without_end)
            return (
                f"the end of {len(without_end)} of {len(took)} replies "
                f"did not come, for which the doctor waited {waited:.0f} s of its {LONGEST:.0f} s"
            )
        is_slow = bool(took) and max(took) >= SLOW
        if lost and not is_slow:
            number = f"{len(lost)} of {counted(len(self._sender.probes), 'read')}"
            return (
                f"{number} got no reply in the time that they had, up to {max(lost):.0f} s, of "
                f"which the doctor has {LONGEST:.0f} s in all"
            )
        if not is_slow:
            return f"the doctor's {LONGEST:.0f} s ran out"
        replies = f"{len(took)} of them {sum(took):.0f} s"
        if lost:
            replies = f"{replies}; {counted(len(lost), 'read')} got none in {sum(lost):.0f} s"
        return (
            f"replies took up to {max(took):.0f} s ({replies}), so the rest of the doctor's "
            f"{LONGEST:.0f} s is too short for another read"
        )

    def read(
        self,
        question: Question,
        ask: Ask,
        on_wait: Callable[[float], None],
    ) -> list[Probe]:
        """
        Send a request, and repeat it while the reply is about the moment.

        :return: all that was sent, the last one being an answer if there is any.
        """
        probes: list[Probe] = []
        # After a question that got no answer for that reason, one request shows it of the next.
        is_limited = bool(self._sender.probes) and self._sender.probes[-1].is_limit
        while True:
            pause = max(self._resets(ask.request.operation), self._after_space()) - time.time()
            if pause > 0:
                on_wait(pause)
                time.sleep(pause)
            probes.append(self._sender.send(question, ask, self._deadline))
            if not probes[-1].is_lost or probes[-1].ran_out:
                return probes
            self._widen_space(probes[-1])
            wait = pause_before_next(probes, time.time())
            if wait is None or is_limited or self.obstacle(ask):
                return probes
            wait = max(wait, self._space)
            if time.time() + wait + self._time_for_response > self._deadline:
                return probes
            on_wait(wait)
            time.sleep(wait)

    def _after_space(self) -> float:
        """Tell when the next request may be sent by the space that is kept; 0 if none is."""
        if not self._space or not self._sender.probes:
            return 0.0
        last = self._sender.probes[-1]
        return last.sent_at + last.took + self._space

    def _widen_space(self, refused: Probe) -> None:
        """Keep more space between requests after a refusal by a limit that names no time."""
        if not refused.is_limit or retry_after(refused, time.time()) is not None:
            return
        amount = amount_of(refused)
        if amount is not None and amount.space <= LONGEST_STATED_SPACE:
            self._space = max(self._space, amount.space)
        elif refused.status == 429:
            self._space = min(max(FIRST_SPACE, 2 * self._space), LONGEST_SPACE)

    @property
    def _ahead(self) -> float:
        """How far resets are ahead of what a reply permits by ``Retry-After``, in seconds."""
        return max(map(later_reset, self._sender.probes), default=0.0)

    def _resets(self, operation: Operation) -> float:
        """Tell when the operation's limit resets, if no request is left; 0 if one is or may be."""
        for probe in reversed(self._sender.probes):
            if probe.request.operation == operation and probe.status:
                limit = rate_limit(probe.response.headers, probe.sent_at)
                if limit.remaining == 0 and limit.reset is not None:
                    return limit.reset - self._ahead
                return 0.0
        return 0.0


def pause_before_next(probes: Sequence[Probe], now: float) -> float | None:
    """
    Seconds before a request that got no answer is repeated; ``None`` if it is not repeated.

    :param probes: what came of the request so far.
    """
    last = probes[-1]
    if is_certificate(last) or is_without_end(last) or last.question is Question.PAGE:
        return None
    if last.status == 429:
        most = MOST_LIMITED
        if _lasts_long(last):
            most = MOST_LIMITED_FOR_LONG
        if len(probes) >= most:
            return None
        named = retry_after(last, now)
        if named is not None:
            return named
        return PAUSE * len(probes)
    if len(probes) >= MOST_LOST:
        return None
    return max(PAUSE, retry_after(last, now) or 0.0)


def _lasting_limit(probes: Sequence[Probe]) -> str:
    """
    Tell why no further request is sent after two different ones that were refused by a limit, if
    both say that it lasts longer than all reads may take; else empty.
    """
    last = probes[-2:]
    if len({probe.identity for probe in last}) < 2 or not all(map(_lasts_long, last)):
        return ""
    return f"a limit of the service lasts{until(last[-1])}"


def _lasts_long(refused: Probe) -> bool:
    """Tell whether a limit says, by any header, that it lasts longer than all reads may take."""
    if not refused.is_limit:
        return False
    left = resets_in(refused)
    return left is not None and LONGEST < left <= LONGEST_RESET


def retry_after(probe: Probe, now: float) -> float | None:
    """Seconds until a request may be repeated by a reply's headers; ``None`` if none says so."""
    headers = probe.response.headers
    limit = rate_limit(headers, now)
    named = named_in_retry_after(headers, now)
    if limit.reset is not None and named is not None:
        # One of the two may be of a clock in another time zone.
        return min(named, max(0.0, limit.reset - now))
    if limit.reset is not None:
        return max(0.0, limit.reset - now)
    stated = resets_in(probe)
    if stated is not None and stated <= LONGEST and "retry-after" not in headers:
        return stated
    return named


def later_reset(probe: Probe) -> float:
    """
    How much later the documented reset of a reply is than its ``Retry-After``, in seconds; 0
    without both, or if they are about the same.
    """
    reset = rate_limit(probe.response.headers, probe.sent_at).reset
    named = named_in_retry_after(probe.response.headers, probe.sent_at)
    if reset is None or named is None:
        return 0.0
    later = reset - probe.sent_at - named
    if later <= LATER:
        return 0.0
    return later


def named_in_retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds until the header ``Retry-After`` permits a request; ``None`` without it."""
    named = headers.get("retry-after", "").strip()
    if named.isascii() and named.isdecimal():
        return float(named)
    return _seconds_until(named, headers, now)


RESETS: Final = re.compile(r"reset|retry-after")
LIMITS: Final = re.compile(r"quota|limit")
LONGEST_LIMIT: Final = 100  # characters of a header about limits
LEAST_EPOCH: Final = 1e9  # seconds; smaller numbers are no time
LEAST_MILLISECONDS: Final = 1e11


class StatedReset(NamedTuple):
    """
    What a reply says of when a limit resets.

    :ivar header: its name and all that it has, for people.
    :ivar value: the part of it that is a moment, or a time from now.
    :ivar is_seconds: whether that is seconds from now, by the draft of the header ``RateLimit``.
    """

    header: str
    value: str
    is_seconds: bool = False


def stated_reset(probe: Probe) -> StatedReset | None:
    """
    Return the header of a reply that says when a limit resets; ``None`` without one. The draft of
    the header ``RateLimit`` has a parameter for it.
    """
    headers = probe.response.headers
    for name, value in headers.items():
        if RESETS.search(name) and value.strip():
            return StatedReset(
                header=f"{name}: {shown(value.strip(), quoted=False)}",
                value=value.strip(),
            )
    for name, value in headers.items():
        parameter = re.search(r"\b(?:reset|t)=(\d+)", value)
        if parameter and LIMITS.search(name):
            return StatedReset(
                header=f"{name}: {parameter[0]}",
                value=parameter[1],
                is_seconds=True,
            )
    return None


def resets_in(probe: Probe) -> float | None:
    """
    Seconds until a limit resets by any header: a number of seconds, a time since 1970, also in
    milliseconds, or a date; ``None`` if none can be read.
    """
    stated = stated_reset(probe)
    if stated is None:
        return None
    headers = probe.response.headers
    try:
        number = float(stated.value)
    except ValueError:
        left = _seconds_until(_as_http_date(stated.value), headers, probe.sent_at)
        return left or None
    if not 0 < number < math.inf:
        return None
    if number < LEAST_EPOCH:
        return number
    if number > LEAST_MILLISECONDS:
        number /= 1000
    left = number - probe.sent_at
    if left > 0:
        return left
    return None


def _as_http_date(text: str) -> str:
    """Return a date as ISO 8601 has it, in the form of HTTP; any other text as it is."""
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return text
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return format_datetime(moment.astimezone(timezone.utc), usegmt=True)


def resets_by_words(probe: Probe) -> str:
    """
    Tell when a limit resets by a header that is not read as the contract has it, as the end of a
    sentence; empty if none says so. Nothing is done by it: it may mean something else.
    """
    stated = stated_reset(probe)
    left = resets_in(probe)
    if stated is None or left is None or left > LONGEST_RESET:
        return ""
    named = stated.header
    if stated.is_seconds:
        return f" for about {duration(left)}, as {named} says"
    if stated.value.replace(".", "").isdecimal() and float(stated.value) < LEAST_EPOCH:
        return f" for about {duration(left)}, if {named} means seconds"
    moment = datetime.fromtimestamp(probe.sent_at + left, timezone.utc)
    days = ""
    if left >= DAY:
        days = f", in {counted(round(left / DAY), 'day')}"
    return f" until {moment:%Y-%m-%d %H:%M} UTC{days}, as {named} says"


def until(probe: Probe) -> str:
    """Until when to wait, as a reply's headers or its words say; empty if they do not."""
    wait = retry_after(probe, probe.sent_at)
    if wait:
        return f" until {date_or_clock(probe.sent_at + wait, probe.sent_at)}, as its headers say"
    return resets_by_words(probe) or _until_by_words(probe)


def _until_by_words(probe: Probe) -> str:
    """
    Return the time after the wait that an error's words name, as the end of a sentence; empty if
    they name none.
    """
    wait = wait_in_words(probe.message)
    if wait is None or wait > LONGEST_RESET:
        return ""
    return f" until {date_or_clock(probe.sent_at + wait, probe.sent_at)}, as it says"


def limits_in(probe: Probe) -> list[str]:
    """Return the headers of a reply that are about limits and quotas, as they are."""
    return [
        f"{name}: {shown(as_it_came(value), LONGEST_LIMIT, quoted=False)}"
        for name, value in probe.response.headers.items()
        if LIMITS.search(name) and not name.startswith("x-ratelimit")
    ][:MOST_LIMITS_SHOWN]


def duration(seconds: float) -> str:
    """Return a length of time in the largest unit that it has two of, such as ``11 hours``."""
    for length, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * length:
            return counted(round(seconds / length), unit)
    return counted(round(seconds), "second")


def _seconds_until(
    named: str,
    headers: Mapping[str, str],
    now: float,
) -> float | None:
    """Seconds until an HTTP date, by the service's own clock if the reply has it."""
    try:
        service = now
        if "date" in headers:
            service = parsedate_to_datetime(headers["date"]).timestamp()
        return max(0.0, parsedate_to_datetime(named).timestamp() - service)
    except (TypeError, ValueError, OverflowError):
        return None


def no_answer(probes: Sequence[Probe]) -> str:
    """Tell why a request got no answer, as part of a sentence."""
    last = probes[-1]
    statuses = dict.fromkeys(probe.status for probe in probes)
    if len(statuses) > 1:
        came = ", then ".join(str(status or "nothing whole") for status in statuses)
        return f"{came} came to {len(probes)} requests"
    if not last.status:
        return f"{_none_of(probes)} whole response ({last.problem})"
    came = str(last.status)
    if last.is_lost_by_words:
        came = str(last.answer)
    who = "the service"
    if proxy_error(last) is not None:
        who = "a proxy"
    return f"{who} replied {came} to {_each_of(probes)}{limit_lasts(last)}"


def _none_of(probes: Sequence[Probe]) -> str:
    if len(probes) == 1:
        return "the request got no"
    return f"none of {len(probes)} requests got a"


def _each_of(probes: Sequence[Probe]) -> str:
    if len(probes) == 1:
        return "the request"
    return f"each of {len(probes)} requests"


def limit_lasts(probe: Probe) -> str:
    """Tell until when a limit lasts, in parentheses; empty if it is none, or does not say so."""
    if not probe.is_limit:
        return ""
    wait = retry_after(probe, probe.sent_at)
    if wait:
        return f" (its limit resets at {date_or_clock(probe.sent_at + wait, probe.sent_at)})"
    lasts = resets_by_words(probe)
    if lasts:
        return f" (its limit lasts{lasts})"
    return ""


def date_or_clock(moment: float, now: float) -> str:
    """
    Return a time of day, UTC; of another day than now with its date, and in how many days.
    """
    date = datetime.fromtimestamp(moment, timezone.utc)
    today = datetime.fromtimestamp(now, timezone.utc)
    if date.date() == today.date():
        return f"{clock(moment)} UTC"
    if moment - now < DAY:
        return f"{clock(moment)} UTC on {date:%Y-%m-%d}, tomorrow"
    return f"{date:%Y-%m-%d %H:%M} UTC, in {counted(round((moment - now) / DAY), 'day')}"


def clock(moment: float) -> str:
    """Return a time of day, UTC, of epoch seconds."""
    return f"{datetime.fromtimestamp(moment, timezone.utc):%H:%M:%S}"
