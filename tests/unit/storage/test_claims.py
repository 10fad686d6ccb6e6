"""
The claim of a content, right before its upload. It is kept by a repeated task, completed by the
coupon file that came of it, and given back if the request had no effect, but not if an earlier
attempt has sent one. A claim has the number after the highest one, and is never overwritten: of
many tasks that race for a content one gets it, or none. A store without conditional writes waits
3 s after each claim, and trusts no claim whose write took more than half of that.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from support.attempts import TaskInstance
from support.ledgers import (
    BY_FIRST,
    CLAIM_NAME,
    FILE,
    LIST,
    OTHER,
    RESULT_NAME,
    AssetStates,
    attempt_in,
    ignore_conditions,
    in_asset_store,
    in_bucket,
    upload,
)
from support.memory_bucket import MemoryBucket
from wes_provider.attempt import Attempt
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError
from wes_provider.storage.ledger import FileClaim, ListLedger, describe_task
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.stores import Entry


@pytest.fixture
def outcomes(opened: Any, mocker: Any) -> list[str]:
    """What six writers that race for the same content get, in real time: ``busy`` or ``won``."""
    mocker.patch("wes_provider.storage.stores.time", time)
    # A writer that takes more than half of these seconds gives up.
    mocker.patch("wes_provider.storage.stores.WRITES_END", 1.0)
    barrier = threading.Barrier(6)

    def race(number: int) -> str:
        ledger = opened(f"run-{number}")
        barrier.wait()
        try:
            ledger.claim(FILE)
        except WesLedgerBusyError:
            return "busy"
        return "won"

    with ThreadPoolExecutor(6) as executor:
        return sorted(executor.map(race, range(6)))


@pytest.mark.parametrize("opened", ["bucket", "asset"], indirect=True)
def test_of_many_writers_that_race_one_wins(outcomes: list[str]) -> None:
    assert outcomes == ["busy"] * 5 + ["won"]


@pytest.mark.parametrize("opened", ["unconditional-bucket"], indirect=True)
def test_without_conditional_writes_no_two_writers_win(outcomes: list[str]) -> None:
    """None wins if the one that could is too slow."""
    assert outcomes.count("busy") >= 5


def stored(objects: Any) -> dict[str, Any]:
    """What the bucket has of the ledger, without the times."""
    entries = {}
    for name in objects.names("ledger/"):
        entry = json.loads(objects.get(name))
        assert datetime.fromisoformat(entry.pop("at")).tzinfo == timezone.utc
        entries[name] = entry
    return entries


@pytest.mark.parametrize(
    "is_killed", [False, True], ids=["in one attempt", "completed by the attempt after a kill"]
)
def test_an_upload_is_stored_as_a_claim_and_a_result(objects: Any, is_killed: bool) -> None:
    file_claim = FileClaim(in_bucket(), FILE)
    file_claim.claim()
    claimed = {
        "sha256": FILE.sha256,
        "number": 1,
        "coupon_list_id": LIST,
        "path": "s3://promo/a.csv",
        "etag": "etag",
        "codes": 2,
        "by": BY_FIRST,
        "state": "claimed",
        "coupon_file_id": "",
        "workspace": "",
        "run_started": attempt_in("run-1").run_started,
        "version": 1,
    }
    assert stored(objects) == {CLAIM_NAME: claimed}
    if is_killed:
        file_claim = FileClaim(in_bucket(), FILE)
    file_claim.complete("f1")
    result = {**claimed, "state": "uploaded", "coupon_file_id": "f1"}
    assert stored(objects) == {CLAIM_NAME: claimed, RESULT_NAME: result}


def test_a_claim_that_was_given_back_is_stored_as_a_claim_and_a_result(objects: Any) -> None:
    ledger = in_bucket()
    ledger.release(ledger.claim(FILE).entry)
    states = {name: entry["state"] for name, entry in stored(objects).items()}
    assert states == {CLAIM_NAME: "claimed", RESULT_NAME: "released"}


def test_a_claim_that_was_given_back_is_not_ours(objects: Any) -> None:
    ledger = in_bucket()
    ledger.release(ledger.claim(FILE).entry)
    assert ledger.find_ours(FILE) is None


def test_a_claim_after_one_that_was_given_back_is_the_second(objects: Any) -> None:
    ledger = in_bucket(on_known_content="upload")
    ledger.release(ledger.claim(FILE).entry)
    claimed = ledger.claim(FILE)
    assert claimed.entry.number == 2
    assert not claimed.is_kept


def test_a_claim_of_another_file_with_the_same_content_is_not_ours(objects: Any) -> None:
    ledger = in_bucket(on_known_content="upload")
    ledger.claim(FILE)
    assert ledger.find_ours(replace(FILE, path="s3://promo/copy.csv")) is None


def test_a_repeated_task_keeps_its_claim(objects: Any) -> None:
    claimed = in_bucket(on_known_content="upload").claim(FILE)
    kept = in_bucket(on_known_content="upload").claim(FILE)
    assert kept.entry == claimed.entry
    assert kept.is_kept


class InAccount(NamedTuple):
    """
    The workspaces that a task uploads to, at first and when it is repeated.

    :ivar is_kept: whether the repeated task has the claim of the first attempt.
    """

    first: str
    then: str
    is_kept: bool


IN_ACCOUNTS = {
    "the same account": InAccount("ours", "ours", is_kept=True),
    "another account": InAccount("ours", "theirs", is_kept=False),
    "an account after one that was not noted": InAccount("", "ours", is_kept=True),
    "no account, as that of a plan": InAccount("ours", "", is_kept=True),
}


@pytest.mark.parametrize("row", IN_ACCOUNTS.values(), ids=IN_ACCOUNTS)
def test_a_repeated_task_keeps_its_claim_in_the_account_that_it_is_of(
    objects: Any, row: InAccount
) -> None:
    in_bucket(workspace=row.first).claim(FILE)
    repeated = in_bucket(workspace=row.then)
    assert (repeated.find_ours(FILE) is not None) is row.is_kept
    assert repeated.claim(FILE).is_kept is row.is_kept


def test_an_upload_to_another_account_leaves_the_claim_of_the_first_one(objects: Any) -> None:
    """As after a change of the connection: the other account gets a claim and a result."""
    in_bucket(workspace="ours").claim(FILE)
    upload(in_bucket(workspace="theirs"))
    entries = stored(objects).values()
    assert sorted((entry["workspace"], entry["number"], entry["state"]) for entry in entries) == [
        ("ours", 1, "claimed"),
        ("theirs", 2, "claimed"),
        ("theirs", 2, "uploaded"),
    ]


def test_a_claim_after_an_upload_is_a_new_one(objects: Any) -> None:
    ledger = in_bucket(on_known_content="upload")
    upload(ledger)
    again = ledger.claim(FILE)
    assert again.entry.number == 2
    assert not again.is_kept


@pytest.mark.usefixtures("waited")
def test_a_claim_of_a_request_without_effect_is_given_back() -> None:
    states = AssetStates()
    refused = FileClaim(in_asset_store(states, "run-1"), FILE)
    refused.claim()
    refused.release()
    assert in_asset_store(states, "run-2").find_known([FILE]) == {}


@pytest.mark.usefixtures("waited")
def test_a_claim_of_an_earlier_attempt_is_kept_if_a_later_request_has_no_effect() -> None:
    """Something may have come of the request of an attempt that was killed."""
    states = AssetStates()
    ledger = in_asset_store(states, "run-1")
    FileClaim(ledger, FILE).claim()
    refused = FileClaim(ledger, FILE)
    refused.claim()
    refused.release()
    with pytest.raises(WesLedgerBusyError, match="in run run-1"):
        in_asset_store(states, "run-2").find_known([FILE])


@pytest.mark.usefixtures("waited")
def test_iterations_of_a_loop_are_different_tasks() -> None:
    states = AssetStates()
    first, second = [
        in_asset_store(states, "run-1", loop=SimpleNamespace(index=index)) for index in (1, 2)
    ]
    first.claim(FILE)
    with pytest.raises(WesLedgerBusyError, match="in run run-1 and iteration 1"):
        second.find_known([FILE])


def claim_two_contents(ledger: ListLedger) -> None:
    for file in (FILE, OTHER):
        assert not ledger.claim(file).is_kept


@pytest.mark.usefixtures("memory")
def test_a_bucket_with_conditional_writes_needs_no_wait(waited: list[float]) -> None:
    claim_two_contents(in_bucket())
    assert waited == []


def test_each_claim_in_a_bucket_without_conditional_writes_waits_for_others(
    memory: MemoryBucket, mocker: Any, waited: list[float]
) -> None:
    ignore_conditions(memory, mocker)
    claim_two_contents(in_bucket())
    assert waited == [3.0, 3.0]


def test_each_claim_in_an_assets_store_waits_for_others(waited: list[float]) -> None:
    claim_two_contents(in_asset_store(AssetStates()))
    assert waited == [3.0, 3.0]


def in_slow_store(seconds: float, mocker: Any) -> ListLedger:
    """A ledger in an asset state store whose writes take so long."""
    now = 10.0
    states = AssetStates()
    write = states.set

    def write_slowly(key: str, value: Any) -> None:
        nonlocal now
        now += seconds
        write(key, value)

    mocker.patch.object(states, "set", write_slowly)
    clock = SimpleNamespace(monotonic=lambda: now, sleep=lambda seconds: None)
    mocker.patch("wes_provider.storage.stores.time", clock)
    return in_asset_store(states)


def test_claim_whose_write_takes_half_of_the_wait_is_trusted(mocker: Any) -> None:
    claimed = in_slow_store(1.5, mocker).claim(FILE)
    assert (claimed.entry.number, claimed.is_kept) == (1, False)


def test_claim_whose_write_takes_more_than_half_of_the_wait_is_not_trusted(mocker: Any) -> None:
    with pytest.raises(WesLedgerBusyError) as error:
        in_slow_store(1.6, mocker).claim(FILE)
    assert str(error.value) == (
        "The ledger was too slow to claim it (s3://promo/a.csv of list list/1)\n"
        "A retry finds out whether another task claimed it in the meantime"
    )


def test_claim_that_another_task_overwrites_during_the_wait_is_lost(
    memory: MemoryBucket, mocker: Any
) -> None:
    ignore_conditions(memory, mocker)
    name = f"ledger/list%2F1/{FILE.sha256}-1.json"

    def overwrite(seconds: float) -> None:
        claim = json.loads(memory.get(name))
        memory.put(name, json.dumps({**claim, "by": "another task"}).encode())

    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=overwrite)
    mocker.patch("wes_provider.storage.stores.time", clock)
    with pytest.raises(WesLedgerBusyError, match=r"^Another task uploaded or claimed its content "):
        in_bucket().claim(FILE)


@pytest.mark.parametrize("is_conditional", [True, False], ids=["conditional", "unconditional"])
@pytest.mark.usefixtures("waited")
def test_claim_that_another_task_wrote_since_the_listing_is_not_overwritten(
    is_conditional: bool, memory: MemoryBucket, mocker: Any
) -> None:
    if not is_conditional:
        ignore_conditions(memory, mocker)
    other, late = in_bucket("run-1"), in_bucket("run-2")

    def find_none_while_the_other_claims(file: PlannedFile, entries: Sequence[Entry]) -> None:
        other.claim(file)

    mocker.patch.object(late, "find_ours", find_none_while_the_other_claims)
    with pytest.raises(WesLedgerBusyError, match=r"^Another task uploaded or claimed its content "):
        late.claim(FILE)
    (claimed,) = stored(memory).values()
    assert claimed["by"] == BY_FIRST


def test_claim_that_another_task_writes_right_before_ours_is_not_overwritten(
    memory: MemoryBucket, mocker: Any
) -> None:
    """The bucket refuses the later one, since its writes are conditional."""
    other, late = in_bucket("run-1"), in_bucket("run-2")
    write = memory.filesystem.pipe_file

    def write_after_the_other(path: str, value: bytes, mode: str = "overwrite") -> None:
        mocker.stop(patched)
        other.claim(FILE)
        write(path, value, mode=mode)

    patched = mocker.patch.object(memory.filesystem, "pipe_file", write_after_the_other)
    with pytest.raises(WesLedgerBusyError):
        late.claim(FILE)
    (claimed,) = stored(memory).values()
    assert claimed["by"] == BY_FIRST


def test_next_claim_has_the_number_after_the_highest_though_one_below_is_missing(
    memory: MemoryBucket,
) -> None:
    """As text, 11 comes before 2."""
    for number in range(1, 12):
        upload(in_bucket(f"run-{number}", "upload"), f"f{number}")
    for name in (f"{FILE.sha256}-3.json", f"{FILE.sha256}-3-result.json"):
        memory.delete(f"ledger/list%2F1/{name}")
    assert in_bucket("run-12", "upload").claim(FILE).entry.number == 12


def test_claim_has_its_time_in_utc_and_whole_seconds(memory: MemoryBucket) -> None:
    before = datetime.now(timezone.utc).replace(microsecond=0)
    made = datetime.fromisoformat(in_bucket().claim(FILE).entry.at)
    assert before <= made <= datetime.now(timezone.utc)
    assert (made.tzinfo, made.microsecond) == (timezone.utc, 0)


def test_coupon_file_that_was_written_down_is_not_written_again(
    memory: MemoryBucket, mocker: Any
) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    written = mocker.spy(memory.filesystem, "pipe_file")
    claim.complete("f1")
    assert written.call_count == 0


def test_coupon_file_that_is_adopted_instead_of_another_takes_its_place(
    memory: MemoryBucket,
) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    claim.complete("f2")
    entry = in_bucket().find_ours(FILE)
    assert entry is not None
    assert (entry.state, entry.coupon_file_id) == ("uploaded", "f2")


def test_coupon_file_of_a_content_that_nobody_claimed_is_not_written_down(
    memory: MemoryBucket,
) -> None:
    FileClaim(in_bucket(), FILE).complete("f1")
    assert memory.names("ledger/") == []


def test_claim_that_was_given_back_is_not_given_back_again(
    memory: MemoryBucket, mocker: Any
) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.release()
    written = mocker.spy(memory.filesystem, "pipe_file")
    claim.release()
    assert written.call_count == 0


def test_content_that_was_not_claimed_is_not_given_back(memory: MemoryBucket) -> None:
    FileClaim(in_bucket(), FILE).release()
    assert memory.names("ledger/") == []


def test_claim_that_was_completed_is_not_given_back(memory: MemoryBucket) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    claim.release()
    with pytest.raises(WesKnownContentError):
        in_bucket("run-2").find_known([FILE])


class Described(NamedTuple):
    """A task instance, and how entries call it."""

    name: str
    words: str
    map_index: int = -1
    loop_index: int | None = None

    def attempt(self, try_number: int) -> Attempt:
        extra: dict[str, Any] = {}
        if self.loop_index is not None:
            extra["loop"] = SimpleNamespace(index=self.loop_index)
        ti = TaskInstance(
            dag_id="shop",
            task_id="replenish",
            run_id="nightly",
            map_index=self.map_index,
            try_number=try_number,
        )
        return Attempt.of(ti.context(**extra))


NIGHTLY = "of DAG shop in run nightly"
DESCRIBED = (
    Described("neither mapped nor in a loop", f"task replenish {NIGHTLY}"),
    Described("the first of a mapped task", f"task replenish[0] {NIGHTLY}", map_index=0),
    Described("another of a mapped task", f"task replenish[12] {NIGHTLY}", map_index=12),
    Described(
        "the first iteration of a loop",
        f"task replenish {NIGHTLY} and iteration 0",
        loop_index=0,
    ),
    Described(
        "mapped, in another iteration",
        f"task replenish[1] {NIGHTLY} and iteration 2",
        map_index=1,
        loop_index=2,
    ),
)


@pytest.mark.parametrize("try_number", [1, 2], ids=["first attempt", "second attempt"])
@pytest.mark.parametrize("row", DESCRIBED, ids=[row.name for row in DESCRIBED])
def test_task_instance_is_called_the_same_in_each_attempt(row: Described, try_number: int) -> None:
    assert describe_task(row.attempt(try_number)) == row.words
