"""Tasks that upload to the same list: in which order they come back after a refusal, and when they give up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from support.attempts import MIDNIGHT
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.uploads.contention import Contention
from wes_provider.uploads.identity import TaskIdentity
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.request import UploadRequest

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

TASK = TaskIdentity("shop", "replenish", "nightly", 7, None, "aaaaaa", run_cleared=False)
REQUEST = UploadRequest.of("list", {"file_url": "https://files.example.com/a.csv"})
NAMED = UploadRequest.of("list", {"file_url": "https://files.example.com/a.csv", "name": "a.csv"})
RESET = MIDNIGHT + 40  # as the header says
OPEN = RESET + 1  # since it may be rounded down


def name_of(index: int, generation: int = 3, **changes: Any) -> str:
    identity = TaskIdentity(**{**vars(TASK), "map_index": index, **changes})
    return identity.name("", generation, "a.csv", REQUEST.file)


class Tasks:
    """A task that was refused, and what its list shows."""

    def __init__(self, index: int = 7, names: list[str | None] | None = None, max_attempts: int = 5) -> None:
        self.names, self.unreadable = names or [], False
        self.count = len(self.names)
        self.limiter = RateLimiter()
        self.attempt = SimpleNamespace(
            limiter=self.limiter,
            clock=SimpleNamespace(time=lambda: MIDNIGHT),
            identity=TaskIdentity(**{**vars(TASK), "map_index": index}),
            hook=SimpleNamespace(settings=SimpleNamespace(max_attempts=max_attempts)),
            max_tries=3,
            listed=None,
        )
        self.contention = Contention(self.attempt, self)

    def read(self, request: UploadRequest, keep: Callable[[Mapping[str, Any]], bool]) -> None:
        if self.unreadable:
            raise WesError("503")
        assert [name for name in self.names if keep({"name": name})] == []

    def refuse(self, limit: int | None = 5, reset: float | None = RESET) -> WesRateLimitError:
        headers = {} if reset is None else {"x-ratelimit-reset": f"{reset:.0f}"}
        self.limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
        reset_at = None if reset is None else datetime.fromtimestamp(reset, timezone.utc)
        return WesRateLimitError("429", limit=limit, reset_at=reset_at)

    def wait(self, request: UploadRequest = REQUEST, **refusal: Any) -> float:
        """Seconds from the opening of the window to the send time after a refusal."""
        return self.contention.send_time(request, self.refuse(**refusal)) - OPEN


def test_mapped_tasks_come_back_in_their_order_window_by_window():
    assert [Tasks(index).wait() for index in (0, 4, 5, 12)] == [0, 4, 61.25, 2 * 61.25 + 2]


def test_those_that_have_uploaded_are_passed_over():
    others = [
        name_of(8),
        name_of(5, run_id="yesterday"),
        name_of(4, generation=2),
        name_of(3, mark="bbbbbb"),
        "coupons.csv",
        "",
        None,
    ]
    assert Tasks(7, [name_of(0), name_of(1).upper(), name_of(0), *others]).wait() == 61.25  # five are before it
    assert Tasks(7, [name_of(index) for index in range(7)]).wait() == 0


@pytest.mark.parametrize("unreadable", [True, False], ids=["unreadable list", "name of the user's"])
def test_chance_decides_if_the_list_does_not_tell_the_order(
    mocker: MockerFixture, unreadable: bool, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO", logger="wes_provider.uploads.contention")
    tasks = Tasks(7)
    tasks.unreadable = unreadable
    chance = mocker.patch("random.randrange", return_value=3)
    assert tasks.wait(REQUEST if unreadable else NAMED) == 3
    chance.assert_called_once_with(8)
    line = "List list: the order of the mapped tasks is not known\n503"
    assert caplog.messages == ([line] if unreadable else [])


@pytest.mark.parametrize(
    ("index", "refusal"),
    [(-1, {}), (7, {"limit": None}), (7, {"limit": 17}), (7, {"reset": None})],
    ids=["not mapped", "no limit", "another limit", "no reset"],
)
def test_tasks_without_an_order_spread_over_a_second(mocker: MockerFixture, index: int, refusal: dict[str, Any]):
    mocker.patch("random.random", return_value=0.75)
    expected = 0.75 + (4 + MIDNIGHT - OPEN if "reset" in refusal else 0)
    assert Tasks(index).wait(**refusal) == expected


def test_a_refusal_that_own_uploads_explain_spreads_nothing():
    tasks = Tasks()
    assert tasks.contention.send_time(REQUEST, None) == MIDNIGHT
    for _ in range(5):
        tasks.limiter.note_accepted(MIDNIGHT - 1)
    assert tasks.contention.send_time(REQUEST, tasks.refuse()) == OPEN


@pytest.mark.parametrize(("max_attempts", "refusals"), [(5, 5), (3, 3), (1, 2)])
def test_refusals_that_nobody_explains_are_hopeless(max_attempts: int, refusals: int):
    tasks = Tasks(max_attempts=max_attempts)
    hopeless = []
    for _ in range(refusals):
        tasks.refuse()
        hopeless.append(tasks.contention.hopeless(REQUEST))
    assert hopeless == [False] * (refusals - 1) + [True]


def test_a_first_refusal_that_own_uploads_explain_does_not_hide_that_the_list_grows():
    tasks = Tasks()
    for _ in range(5):
        tasks.limiter.note_accepted(MIDNIGHT - 59)
    tasks.refuse()
    assert not tasks.contention.hopeless(REQUEST)
    tasks.limiter.accepted = [MIDNIGHT - 61] * 5
    for _ in range(4):
        tasks.count += 5
        tasks.refuse()
        assert not tasks.contention.hopeless(REQUEST)


def test_refusals_go_on_as_long_as_the_list_grows(caplog: pytest.LogCaptureFixture):
    caplog.set_level("INFO", logger="wes_provider.uploads.contention")
    tasks = Tasks()
    for number in range(30):
        tasks.count += number % 4 == 0
        tasks.refuse()
        assert not tasks.contention.hopeless(REQUEST)
    tasks.unreadable = True
    for _ in range(5):
        tasks.refuse()
        hopeless = tasks.contention.hopeless(REQUEST)
    assert hopeless
    assert set(caplog.messages) == {"List list cannot be read to explain repeated 429s\n503"}
