"""Until when limits last, why there is no answer, and what bounds the doctor's reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, SETTINGS, changed, error, reply, request_for
from support.servers import Bytes, HostileServer
from support.skipping_clock import CLOCK
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.evidence import list_at
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.sending import (
    LONGEST,
    Ask,
    Reader,
    Sender,
    date_or_clock,
    limits_in,
    no_answer,
    pause_before_next,
    resets_by_words,
    resets_in,
    retry_after,
    until,
)
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesUnknownOutcomeError,
)

DAY = 86400


class Moment(NamedTuple):
    """Seconds from 2027-01-15 08:00:00 UTC, and how the moment is called."""

    seconds: float
    says: str


MOMENTS = [
    Moment(0, "08:00:00 UTC"),
    Moment(57599, "23:59:59 UTC"),
    Moment(57600, "00:00:00 UTC on 2027-01-16, tomorrow"),
    Moment(DAY - 1, "07:59:59 UTC on 2027-01-16, tomorrow"),
    Moment(DAY, "2027-01-16 08:00 UTC, in 1 day"),
    Moment(1.4 * DAY, "2027-01-16 17:36 UTC, in 1 day"),
    Moment(1.6 * DAY, "2027-01-16 22:24 UTC, in 2 days"),
    Moment(10 * DAY, "2027-01-25 08:00 UTC, in 10 days"),
]


@pytest.mark.parametrize("row", MOMENTS, ids=[str(row.seconds) for row in MOMENTS])
def test_how_a_moment_is_called(row: Moment):
    assert date_or_clock(MOMENT + row.seconds, MOMENT) == row.says


class Reset(NamedTuple):
    """
    Headers of a 429, and what they say.

    :ivar after: seconds until a repetition; ``resets``: until the limit resets, by any header.
    :ivar words: the end of a sentence; ``until``: the same, or when the repetition may come.
    """

    name: str
    headers: Mapping[str, str]
    after: float | None = None
    resets: float | None = None
    words: str = ""
    until: str = ""


def iso(seconds: int) -> str:
    return f"2027-01-15T08:{seconds // 60:02}:{seconds % 60:02}"


ABOUT = "if x-reset: {} means seconds"
RESETS = [
    Reset("nothing", {}),
    Reset(
        "seconds",
        {"retry-after": " 7 "},
        7.0,
        7.0,
        " for about 7 seconds, if retry-after: 7 means seconds",
        " until 08:00:07 UTC, as its headers say",
    ),
    Reset("no time", {"retry-after": "0"}, 0.0),
    Reset(
        "another script",
        {"retry-after": "٧"},
        None,
        7.0,
        " for about 7 seconds, if retry-after: ٧ means seconds",
        " for about 7 seconds, if retry-after: ٧ means seconds",
    ),
    Reset(
        "a fraction",
        {"retry-after": "7.5"},
        None,
        7.5,
        " for about 8 seconds, if retry-after: 7.5 means seconds",
        " for about 8 seconds, if retry-after: 7.5 means seconds",
    ),
    Reset(
        "60 seconds",
        {"x-reset": "60"},
        60.0,
        60.0,
        " for about 60 seconds, if x-reset: 60 means seconds",
        " until 08:01:00 UTC, as its headers say",
    ),
    Reset(
        "61 seconds",
        {"x-reset": "61"},
        None,
        61.0,
        " for about 61 seconds, if x-reset: 61 means seconds",
        " for about 61 seconds, if x-reset: 61 means seconds",
    ),
    Reset(
        "119 seconds",
        {"x-reset": "119"},
        None,
        119.0,
        *2 * (f" for about 119 seconds, {ABOUT.format(119)}",),
    ),
    Reset(
        "120 seconds",
        {"x-reset": "120"},
        None,
        120.0,
        *2 * (f" for about 2 minutes, {ABOUT.format(120)}",),
    ),
    Reset(
        "7199 seconds",
        {"x-reset": "7199"},
        None,
        7199.0,
        *2 * (f" for about 120 minutes, {ABOUT.format(7199)}",),
    ),
    Reset(
        "2 hours",
        {"x-reset": "7200"},
        None,
        7200.0,
        *2 * (f" for about 2 hours, {ABOUT.format(7200)}",),
    ),
    Reset(
        "2 days",
        {"x-reset": "172800"},
        None,
        172800.0,
        *2 * (f" for about 2 days, {ABOUT.format(172800)}",),
    ),
    Reset(
        "400 days",
        {"x-reset": "34560000"},
        None,
        34560000.0,
        *2 * (f" for about 400 days, {ABOUT.format(34560000)}",),
    ),
    Reset("longer", {"x-reset": "34560001"}, None, 34560001.0),
    Reset("the largest number of seconds", {"x-reset": "999999999"}, None, 999999999.0),
    Reset("the first epoch", {"x-reset": "1000000000"}),
    Reset(
        "an epoch",
        {"x-reset": "1800000100"},
        None,
        100.0,
        *2 * (" until 2027-01-15 08:01 UTC, as x-reset: 1800000100 says",),
    ),
    Reset(
        "milliseconds",
        {"x-reset": "1800000100000"},
        None,
        100.0,
        *2 * (" until 2027-01-15 08:01 UTC, as x-reset: 1800000100000 says",),
    ),
    Reset("an epoch of now", {"x-reset": "1800000000"}),
    Reset(
        "a day",
        {"x-reset": str(int(MOMENT) + DAY)},
        None,
        DAY,
        *2 * (f" until 2027-01-16 08:00 UTC, in 1 day, as x-reset: {int(MOMENT) + DAY} says",),
    ),
    Reset(
        "a date without a zone",
        {"x-reset": iso(100)},
        None,
        100.0,
        *2 * (f" until 2027-01-15 08:01 UTC, as x-reset: {iso(100)} says",),
    ),
    Reset("a date with one", {"x-reset": f"{iso(100)}+01:00"}),
    Reset("a past date", {"x-reset": "2020-01-01"}),
    Reset("no date", {"x-reset": "soon"}),
    Reset("infinity", {"x-reset": "inf"}),
    Reset(
        "the second header",
        {"x-reset": " ", "x-quota-reset": "5"},
        5.0,
        5.0,
        " for about 5 seconds, if x-quota-reset: 5 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "the first of two",
        {"x-reset": "5", "x-quota-reset": "9"},
        5.0,
        5.0,
        " for about 5 seconds, if x-reset: 5 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "retry-after beside another one",
        {"x-reset": "5", "retry-after": "9"},
        9.0,
        5.0,
        " for about 5 seconds, if x-reset: 5 means seconds",
        " until 08:00:09 UTC, as its headers say",
    ),
    Reset(
        "retry-after before the documented reset",
        {
            "retry-after": "9",
            "x-ratelimit-reset": str(int(MOMENT) + 19800),
            "x-ratelimit-remaining": "0",
        },
        9.0,
        9.0,
        " for about 9 seconds, if retry-after: 9 means seconds",
        " until 08:00:09 UTC, as its headers say",
    ),
    Reset(
        "retry-after after the documented reset",
        {"retry-after": "9", "x-ratelimit-reset": str(int(MOMENT) + 4)},
        5.0,
        9.0,
        " for about 9 seconds, if retry-after: 9 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "a parameter",
        {"ratelimit": "limit=1; reset=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as ratelimit: reset=300 says",),
    ),
    Reset(
        "a parameter of a quota",
        {"x-quota": "t=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as x-quota: t=300 says",),
    ),
    Reset("a parameter of another header", {"x-other": "t=300"}),
    Reset(
        "a parameter after a header without one",
        {"x-limit": "5", "x-quota": "t=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as x-quota: t=300 says",),
    ),
    Reset(
        "a date by another clock",
        {
            "retry-after": formatdate(MOMENT + 609, usegmt=True),
            "date": formatdate(MOMENT + 600, usegmt=True),
        },
        9.0,
        9.0,
        f" until 2027-01-15 08:00 UTC, as retry-after: {formatdate(MOMENT + 609, usegmt=True)} says",
        " until 08:00:09 UTC, as its headers say",
    ),
]


@pytest.mark.parametrize("row", RESETS, ids=[row.name for row in RESETS])
def test_until_when_a_limit_lasts(row: Reset):
    probe = reply(429, b"", row.headers)
    assert retry_after(probe, MOMENT) == row.after
    assert resets_in(probe) == row.resets
    assert resets_by_words(probe) == row.words
    assert until(probe) == row.until


class Limits(NamedTuple):
    """Headers, and those of them that are about limits."""

    headers: Mapping[str, str]
    limits: list[str]


LIMITS = [
    Limits({}, []),
    Limits({"x-ratelimit-limit": "5", "date": "now"}, []),
    Limits(
        {"ratelimit-policy": '5;w="60"', "x-quota": "a"},
        ['ratelimit-policy: 5⁏w="60"', "x-quota: a"],
    ),
    Limits({f"x-limit-{n}": "a" for n in range(5)}, [f"x-limit-{n}: a" for n in range(4)]),
    Limits({"x-limit": "a" * 100}, ["x-limit: " + "a" * 100]),
    Limits({"x-limit": "a" * 101}, ["x-limit: " + "a" * 99 + "…"]),
]


@pytest.mark.parametrize("row", LIMITS, ids=[str([*row.headers]) for row in LIMITS])
def test_the_headers_about_limits(row: Limits):
    assert limits_in(reply(429, b"", row.headers)) == row.limits


QUOTA = error("quota", "Quota exceeded.")


class NoAnswer(NamedTuple):
    """Replies that settle nothing, and what is said of them."""

    name: str
    probes: Sequence[Probe]
    says: str


NO_ANSWERS = [
    NoAnswer(
        "one without a response",
        [reply(0, problem="a reset")],
        "the request got no whole response (a reset)",
    ),
    NoAnswer(
        "two without",
        [reply(0, problem="x"), reply(0, problem="a reset")],
        "none of 2 requests got a whole response (a reset)",
    ),
    NoAnswer("one failure", [reply(503)], "the service replied 503 to the request"),
    NoAnswer(
        "two failures", [reply(503), reply(503)], "the service replied 503 to each of 2 requests"
    ),
    NoAnswer(
        "two statuses", [reply(503), reply(503), reply(502)], "503, then 502 came to 3 requests"
    ),
    NoAnswer(
        "a status, then nothing",
        [reply(503), reply(0)],
        "503, then nothing whole came to 2 requests",
    ),
    NoAnswer("words", [reply(403, QUOTA)], "the service replied 403 quota to the request"),
    NoAnswer(
        "a limit",
        [reply(429, b"", {"retry-after": "5"})],
        "the service replied 429 to the request (its limit resets at 08:00:05 UTC)",
    ),
    NoAnswer(
        "a limit by other headers",
        [reply(429, b"", {"x-reset": "300"})],
        "the service replied 429 to the request (its limit lasts for about 5 minutes, if x-reset: 300 means seconds)",
    ),
    NoAnswer(
        "a limit that does not say so", [reply(429)], "the service replied 429 to the request"
    ),
    NoAnswer(
        "a quota by words",
        [reply(403, QUOTA, {"retry-after": "5"})],
        "the service replied 403 quota to the request (its limit resets at 08:00:05 UTC)",
    ),
    NoAnswer(
        "a failure that says when",
        [reply(503, b"", {"retry-after": "5"})],
        "the service replied 503 to the request",
    ),
]


@pytest.mark.parametrize("row", NO_ANSWERS, ids=[row.name for row in NO_ANSWERS])
def test_why_a_request_got_no_answer(row: NoAnswer):
    assert no_answer(row.probes) == row.says


class Pause(NamedTuple):
    """Replies to a request, and seconds until it is sent again; ``None`` if it is not."""

    name: str
    probes: Sequence[Probe]
    seconds: float | None


PAUSES = [
    Pause("a page", [reply(503, question=Question.PAGE)], None),
    Pause("a limit of a page", [reply(429, question=Question.PAGE)], None),
    Pause("a failure that says less than a second", [reply(503, b"", {"retry-after": "0"})], 1.0),
    Pause("a limit that says none", [reply(429, b"", {"retry-after": "0"})], 0.0),
    Pause("a limit after a failure", [reply(503), reply(429)], 2.0),
    Pause("a failure after a limit", [reply(429), reply(503)], None),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_when_a_request_is_sent_again(row: Pause):
    assert pause_before_next(row.probes, MOMENT) == row.seconds


# -- the bounds ------------------------------------------------------------------------------------


def reader_after(*probes: Probe) -> Reader:
    """A reader that has sent some requests."""
    sender = Sender(SETTINGS)
    sender.probes = [*probes]
    return Reader(sender)


ASK = Ask(request_for(Question.LIST))


class Obstacle(NamedTuple):
    """How many reads were sent, how many are left for others, and why no other is sent."""

    sent: int
    reserve: int
    why: str


OBSTACLES = [
    Obstacle(0, 0, ""),
    Obstacle(11, 0, ""),
    Obstacle(12, 0, "the other questions took all 12 reads"),
    Obstacle(13, 0, "the other questions took all 12 reads"),
    Obstacle(12, 1, "the other questions took all 12 reads"),
    Obstacle(11, 1, "the last reads are left for other questions"),
    Obstacle(10, 1, ""),
    Obstacle(10, 3, "the last reads are left for other questions"),
]


@pytest.mark.parametrize("row", OBSTACLES, ids=[f"{row.sent}, {row.reserve}" for row in OBSTACLES])
def test_how_many_reads_there_are(row: Obstacle):
    assert reader_after(*row.sent * [reply()]).obstacle(ASK, row.reserve) == row.why


class Time(NamedTuple):
    """How long replies and lost reads took, and why nothing more is sent."""

    name: str
    replies: Sequence[float]
    lost: Sequence[float]
    why: str


TIMES = [
    Time("nothing", [], [], "the doctor's 60 s ran out"),
    Time("quick replies", [1.9, 0.1], [], "the doctor's 60 s ran out"),
    Time(
        "a slow reply",
        [2.0, 0.1],
        [],
        "replies took up to 2 s, so the doctor's 60 s ran out after 2 of them",
    ),
    Time(
        "lost reads",
        [1.9],
        [20.4, 9],
        "2 of 3 reads got no reply in the time that they had, up to 20 s, of which the doctor has 60 s in all",
    ),
    Time(
        "one lost read",
        [],
        [20.6],
        "1 of 1 read got no reply in the time that they had, up to 21 s, of which the doctor has 60 s in all",
    ),
    Time(
        "a slow reply and a lost read",
        [7.6],
        [30],
        "replies took up to 8 s, so the doctor's 60 s ran out after 1 of them",
    ),
]


@pytest.mark.parametrize("row", TIMES, ids=[row.name for row in TIMES])
def test_why_time_ran_out(row: Time):
    probes = [reply(200, took=took) for took in row.replies]
    probes += [reply(0, took=took) for took in row.lost]
    assert reader_after(*probes).out_of_time == row.why


def test_nothing_is_begun_without_time_for_a_response():
    reader = reader_after()
    CLOCK.sleep(LONGEST - 2.5)
    assert reader.obstacle(ASK) == ""
    CLOCK.sleep(1)
    assert reader.obstacle(ASK) == "the doctor's 60 s ran out"


# -- repetitions -----------------------------------------------------------------------------------


class TimedOut(NamedTuple):
    """
    Seconds that a reply may take by the connection, and that a read has by the doctor's time; and
    which of them cut it off.
    """

    name: str
    read_timeout: float
    left: float
    ran_out: bool


TIMED_OUT = [
    TimedOut("the connection's time", read_timeout=0.1, left=30.0, ran_out=False),
    TimedOut("the doctor's time", read_timeout=60.0, left=0.3, ran_out=True),
]


@pytest.mark.parametrize("row", TIMED_OUT, ids=[row.name for row in TIMED_OUT])
def test_time_ran_out_if_a_read_had_less_than_the_connection_gives_it(row: TimedOut):
    server = HostileServer()
    server.response = Bytes((), "stall")
    with server.serving():
        settings = changed(base_url=server.url, read_timeout=row.read_timeout)
        ask = Ask(list_at(settings, settings.coupon_files_path, "spring"))
        probe = Sender(settings).send(Question.LIST, ask, CLOCK.time() + row.left)
    assert probe.problem == "no response: TimeoutError"
    assert probe.ran_out is row.ran_out


class Prepared(Sender):
    """Sends nothing, and has prepared replies."""

    def __init__(self, replies: Sequence[Probe]) -> None:
        super().__init__(SETTINGS)
        self.replies = [*replies]

    def send(self, question: Question, ask: Ask, until: float | None = None) -> Probe:
        """Return the next reply."""
        probe = replace(self.replies.pop(0), sent_at=CLOCK.time())
        self.probes.append(probe)
        return probe


class Repeated(NamedTuple):
    """
    Replies to a read, how many of them are taken, and the pauses.

    :ivar before: what came of reads before it.
    """

    name: str
    replies: Sequence[Probe]
    sent: int
    pauses: list[float]
    before: Sequence[Probe] = ()


def limited(seconds: int) -> Probe:
    return reply(429, b"", {"retry-after": str(seconds)})


OK = reply(200, [])
REPEATED = [
    Repeated("an answer", [OK, OK], 1, []),
    Repeated("a refusal", [reply(401), OK], 1, []),
    Repeated("a failure, then an answer", [reply(503), OK], 2, [1.0]),
    Repeated("two failures", [reply(503), reply(503), OK], 2, [1.0]),
    Repeated("two limits", [reply(429), reply(429), OK], 3, [2.0, 4.0]),
    Repeated("three limits", [*3 * [reply(429)], OK], 3, [2.0, 4.0]),
    Repeated(
        "a limit after another one",
        [reply(429), OK],
        1,
        [],
        [reply(429, question=Question.DATA_KEY)],
    ),
    Repeated(
        "a limit after a failure",
        [reply(429), OK],
        2,
        [2.0],
        [reply(503, question=Question.DATA_KEY)],
    ),
    Repeated("a time", [limited(7), OK], 2, [7.0]),
    Repeated("a time that is too long", [limited(59), OK], 1, []),
    Repeated("no time was left", [reply(0, ran_out=True), OK], 1, []),
    Repeated("the last read", [reply(503), OK], 1, [], 11 * [OK]),
    Repeated("the last but one", [reply(503), OK], 2, [1.0], 10 * [OK]),
]


@pytest.mark.parametrize("row", REPEATED, ids=[row.name for row in REPEATED])
def test_a_read_is_repeated_while_the_reply_is_about_the_moment(row: Repeated):
    sender = Prepared(row.replies)
    sender.probes = [*row.before]
    pauses: list[float] = []
    probes = Reader(sender).read(Question.LIST, ASK, pauses.append)
    assert len(probes) == row.sent
    assert [probe.status for probe in probes] == [probe.status for probe in row.replies[: row.sent]]
    assert [round(pause) for pause in pauses] == row.pauses


def test_the_space_that_a_limit_without_a_time_needs_is_kept_between_all_reads():
    sender = Prepared([reply(429), reply(429), OK, OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(3):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [2, 4, 4, 4]


class Stated(NamedTuple):
    """The words of a limit that names no time, and the pauses before further reads."""

    name: str
    status: int
    message: str
    pauses: list[int]


STATED_AMOUNTS = [
    Stated("a request in five seconds", 500, "Spike arrest violation. Allowed rate : 12pm", [5, 5]),
    Stated("a request in six seconds, of a 429", 429, "10 requests per minute", [6, 6]),
    Stated("a request in two seconds", 503, "Throttled: 30 requests per minute", [2, 2]),
    Stated("less than six seconds allow", 500, "Throttled: 9 requests per minute", [1]),
    Stated("no amount", 503, "Throttled", [1]),
    Stated("no limit", 500, "12 requests per minute", [1]),
]


@pytest.mark.parametrize("row", STATED_AMOUNTS, ids=[row.name for row in STATED_AMOUNTS])
def test_the_space_is_kept_that_the_words_of_a_limit_state(row: Stated):
    sender = Prepared([reply(row.status, {"message": row.message}), OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == row.pauses


AN_HOUR_AHEAD = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": str(int(MOMENT) + 3609),
    "date": formatdate(MOMENT, usegmt=True),
}


def test_a_reset_that_is_ahead_of_retry_after_is_put_right_in_later_replies():
    sender = Prepared(
        [
            reply(429, b"", {"retry-after": "9", **AN_HOUR_AHEAD}),
            reply(200, [], AN_HOUR_AHEAD),
            OK,
        ]
    )
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [9, 9]


def test_no_space_is_kept_after_a_limit_with_a_time():
    sender = Prepared([limited(7), OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [7]


class Left(NamedTuple):
    """
    A reply before, and seconds until a read may be sent.

    :ivar reset: when its limit resets, in seconds from now; ``None`` if it does not say so.
    """

    name: str
    remaining: str
    reset: int | None
    pauses: list[int]
    why: str = ""
    question: Question = Question.LIST
    status: int = 200


LEFT = [
    Left("none is left", "0", 10, [10]),
    Left("one is left", "1", 10, []),
    Left("it does not say how many are left", "", 10, []),
    Left("none is left, and it does not say for how long", "0", None, []),
    Left("none of another operation", "0", 10, [], question=Question.DATA_KEY),
    Left("of no response", "0", 10, [], status=0),
    Left("it has reset", "0", -5, []),
    Left("none for long", "0", 90, [], "the service's rate limit resets at "),
]


@pytest.mark.parametrize("row", LEFT, ids=[row.name for row in LEFT])
def test_a_read_waits_for_the_limit_of_its_operation(row: Left):
    now = CLOCK.time()
    headers = {"x-ratelimit-remaining": row.remaining}
    if row.reset is not None:
        headers["x-ratelimit-reset"] = str(round(now) + row.reset)
    before = reply(row.status, [], headers, question=row.question, sent_at=now)
    sender = Prepared([OK])
    sender.probes = [before]
    reader = Reader(sender)
    assert reader.obstacle(ASK).startswith(row.why)
    assert bool(reader.obstacle(ASK)) is bool(row.why)
    if not row.why:
        pauses: list[float] = []
        reader.read(Question.LIST, ASK, pauses.append)
        # The contract's window ends a second after the time that the header names.
        assert [pytest.approx(pause, abs=1.6) for pause in row.pauses] == pauses


def test_replies_are_read_again_by_the_codes_of_the_service():
    sender = Sender(SETTINGS)
    sender.probes = [reply(200, {"rc": 7}), reply(200, {"rc": 0})]
    before = (*sender.probes[::-1],)
    codes = CodeMember("rc", frozenset("0"))
    assert Reader(sender).read_by(codes, before) == before
    assert [probe.codes for probe in sender.probes] == [codes, codes]
    assert [probe.has_error for probe in sender.probes] == [True, False]


class Failed(NamedTuple):
    """An error of a request, and whether it did not reach the service."""

    error: WesError
    unsent: bool


FAILED = [
    Failed(WesConfigurationError("The CA bundle does not exist"), True),
    Failed(WesConnectionError("refused"), True),
    Failed(WesUnknownOutcomeError("The response broke off"), False),
]


@pytest.mark.parametrize("row", FAILED, ids=[type(row.error).__name__ for row in FAILED])
def test_a_request_that_did_not_leave_is_not_one_that_may_be_done(
    row: Failed, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise row.error

    monkeypatch.setattr("wes_provider.doctor.sending.WesClient.send", fails)
    sender = Sender(SETTINGS, str)
    assert sender.send(Question.LIST, Ask(request_for(Question.LIST))).unsent is row.unsent
