"""How often the doctor sends a read, what bounds its reads, and how long it waits between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, SETTINGS, changed, reply, request_for
from support.doctor_service import Account
from support.servers import Bytes, HostileServer, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.evidence import list_at
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.doctor.sending import LONGEST, Ask, Reader, Sender, pause_before_next
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesUnknownOutcomeError,
)


class Pause(NamedTuple):
    """Replies to a request, and seconds until it is sent again; ``None`` if it is not."""

    name: str
    probes: Sequence[Probe]
    seconds: float | None


PAUSES = [
    Pause("503 to the page of a redirect", [reply(503, question=Question.PAGE)], None),
    Pause("429 to the page of a redirect", [reply(429, question=Question.PAGE)], None),
    Pause("a certificate that is not trusted", [reply(0, problem="CertVerificationError")], None),
    Pause("503", [reply(503)], 1.0),
    Pause("503 that says 0 s", [reply(503, b"", {"retry-after": "0"})], 1.0),
    Pause("503 that says 7 s", [reply(503, b"", {"retry-after": "7"})], 7.0),
    Pause("503 twice", [reply(503), reply(503)], None),
    Pause("429", [reply(429)], 1.0),
    Pause("429 that says 0 s", [reply(429, b"", {"retry-after": "0"})], 0.0),
    Pause("429 twice", [reply(429), reply(429)], 2.0),
    Pause("429 three times", 3 * [reply(429)], None),
    Pause("503, then 429", [reply(503), reply(429)], 2.0),
    Pause("429, then 503", [reply(429), reply(503)], None),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_429_is_sent_again_twice_and_a_503_once_after_what_they_say_or_a_few_seconds(row: Pause):
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
def test_there_are_12_reads_of_which_reserved_ones_are_left_for_other_questions(row: Obstacle):
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
def test_that_time_ran_out_is_said_with_slow_replies_and_lost_reads(row: Time):
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
        "a limit, and one without a time at the read before",
        [reply(429), OK],
        1,
        [],
        [reply(429, question=Question.DATA_KEY)],
    ),
    Repeated(
        "a limit, and one with a time at the read before",
        [reply(429), OK],
        1,
        [],
        [reply(429, b"", {"retry-after": "5"}, question=Question.DATA_KEY)],
    ),
    Repeated(
        "a limit, and a failure at the read before",
        [reply(429), OK],
        2,
        [2.0],
        [reply(503, question=Question.DATA_KEY)],
    ),
    Repeated("a limit of 7 s", [limited(7), OK], 2, [7.0]),
    Repeated("a limit of 59 s, which the doctor has not", [limited(59), OK], 1, []),
    Repeated("a read that the doctor's own time cut off", [reply(0, ran_out=True), OK], 1, []),
    Repeated("a failure at the last read", [reply(503), OK], 1, [], 11 * [OK]),
    Repeated("a failure at the last read but one", [reply(503), OK], 2, [1.0], 10 * [OK]),
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


def test_the_space_begins_when_the_reply_to_a_slow_request_came():
    sender = Prepared([reply(429, took=3.0), OK])
    pauses: list[float] = []
    Reader(sender).read(Question.LIST, ASK, pauses.append)
    # The repetition waits for the space of 2 s, and then for what the request took.
    assert [round(pause) for pause in pauses] == [2, 3]


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


RESETS_LATER = "the service's rate limit resets at "
LEFT = [
    Left("none is left", "0", 10, [10]),
    Left("one is left", "1", 10, []),
    Left("it does not say how many are left", "", 10, []),
    Left("none is left, and it does not say for how long", "0", None, []),
    Left("none of another operation", "0", 10, [], question=Question.DATA_KEY),
    Left("of no response", "0", 10, [], status=0),
    Left("it has reset", "0", -5, []),
    Left("none for nearly all of the doctor's time", "0", 55, [55]),
    Left("none until a response would be too late", "0", 59, [], RESETS_LATER),
    Left("none for longer than the doctor has", "0", 90, [], RESETS_LATER),
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
    Failed(WesConfigurationError("The CA bundle does not exist"), unsent=True),
    Failed(WesConnectionError("refused"), unsent=True),
    Failed(WesUnknownOutcomeError("The response broke off"), unsent=False),
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


class Sent(NamedTuple):
    """With which keys a read is asked for, and which key the list is read with then."""

    keys: Keys
    key: str


SENT = [
    Sent(Keys.OWN, "campaign"),
    Sent(Keys.SWAPPED, "data"),
    Sent(Keys.MADE_UP, "unknown"),
]


@pytest.mark.parametrize("row", SENT, ids=[row.keys.value for row in SENT])
def test_the_list_is_read_with_its_own_the_data_key_or_a_made_up_one(row: Sent):
    account = Account()
    with replying(account) as url:
        settings = changed(base_url=url)
        request = list_at(settings, settings.coupon_files_path, "spring")
        Sender(settings).send(Question.LIST, Ask(request, row.keys))
    assert [call.key for call in account.calls] == [row.key]
