"""
No content is uploaded to a list twice, whoever races, crashes or retries; and none is refused that
was not.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from msgspec.structs import replace

from support.attempts import Store, TaskInstance
from support.memory_bucket import MemoryBucket
from wes_provider.attempt import Attempt
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError, WesDuplicateError
from wes_provider.storage import Ledger
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError, WesStorageError
from wes_provider.storage.ledger import (
    ClaimedBy,
    FileClaim,
    Free,
    ListLedger,
    Ours,
    Standing,
    Uploaded,
    describe_task,
    standing,
)
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.stores import AssetStore, BucketStore, Entry

LIST = "list/1"
FILE = PlannedFile(path="s3://promo/a.csv", etag="etag", codes=2, sha256="0" * 64)
OTHER = PlannedFile(path="s3://promo/b.csv", etag="etag", codes=2, sha256="1" * 64)
PLACE = "s3://s3_promo@promo/ledger"


class AssetStates(Store):
    """The asset state stores of a task's context."""

    def __getitem__(self, asset: Any) -> Store:
        if asset.uri != "wes://coupon-list/list%2F1":
            raise KeyError(asset)
        return self


def context(run: str, states: Any = None, **extra: Any) -> Attempt:
    ti = TaskInstance(dag_id="summer", run_id=run, task_id="upload", assets=states)
    return Attempt.of(ti.context(**extra))


def in_bucket(run: str = "run-1", on_known_content: str = "fail", place: str = PLACE) -> ListLedger:
    return Ledger(place, on_known_content).open(LIST, context(run), lambda coupon_file_id: False)


@pytest.fixture
def memory(service: Emulator, mocker: Any) -> MemoryBucket:
    """The bucket ``promo`` in memory, of whatever connection."""
    bucket = MemoryBucket(service)
    mocker.patch("wes_provider.storage.stores.filesystem", return_value=bucket.filesystem)
    return bucket


def ignore_conditions(bucket: MemoryBucket, mocker: Any) -> None:
    """Have a bucket overwrite objects whatever its client asks for, as some servers do."""
    write = bucket.filesystem.pipe_file
    mocker.patch.object(
        bucket.filesystem, "pipe_file", lambda path, value, mode="overwrite": write(path, value)
    )


STORES = ["bucket", "unconditional-bucket", "memory", "unconditional-memory", "asset"]


@pytest.fixture(params=STORES)
def opened(request: pytest.FixtureRequest, mocker: Any) -> Any:
    """
    Opens the ledger of a list for a task of a run: ``opened("run-1", "skip", failed=["f1"])``.
    """
    if "memory" in request.param:
        bucket = request.getfixturevalue("memory")
        if request.param == "unconditional-memory":
            ignore_conditions(bucket, mocker)
        location, states = f"{PLACE}/", None
    elif "bucket" in request.param:
        request.getfixturevalue("s3").conditional = request.param == "bucket"
        location, states = f"{PLACE}/", None
    else:
        location, states = None, AssetStates()
    mocker.patch("wes_provider.storage.stores.WRITES_END", 2 if "bucket" in request.param else 0.2)
    alone = SimpleNamespace(time=time.time, monotonic=time.monotonic, sleep=lambda seconds: None)
    mocker.patch("wes_provider.storage.stores.time", alone)  # nobody else writes meanwhile

    def open_(run: str, on_known_content: str = "fail", failed: Any = ()) -> ListLedger:
        return Ledger(location, on_known_content).open(
            LIST, context(run, states), failed.__contains__
        )

    return open_


def upload(ledger: ListLedger, file_id: str = "f1") -> None:
    ledger.complete(ledger.claim(FILE).entry, file_id)


class Step(NamedTuple):
    """
    What the task of a run does with the content of ``FILE``, or what it finds of it.

    :ivar failed: the coupon files that have failed processing by then.
    """

    run: int
    act: Callable[[ListLedger, str], None]
    file_id: str = ""
    failed: Sequence[str] = ()


def uploads(ledger: ListLedger, file_id: str) -> None:
    upload(ledger, file_id=file_id)


def claims(ledger: ListLedger, _: str) -> None:
    ledger.claim(FILE)


def releases(ledger: ListLedger, _: str) -> None:
    ledger.release(ledger.claim(FILE).entry)


def finds_nothing(ledger: ListLedger, _: str) -> None:
    assert ledger.find_known([FILE]) == {}


def finds(ledger: ListLedger, file_id: str) -> None:
    with pytest.raises(WesKnownContentError, match=rf"{FILE.path}: coupon file {file_id},"):
        ledger.find_known([OTHER, FILE])
    with pytest.raises(WesLedgerBusyError):
        ledger.claim(FILE)


def waits(ledger: ListLedger, _: str) -> None:
    claimed = r"has claimed its content \(s3://promo/a(?s:.*)run-1"
    with pytest.raises(WesLedgerBusyError, match=claimed):
        ledger.find_known([OTHER, FILE])
    with pytest.raises(WesLedgerBusyError):
        ledger.claim(FILE)


LOOKS = (finds_nothing, finds, waits)
STORIES = {
    "another run": [Step(1, uploads, "f1"), Step(2, finds, "f1")],
    "the same run": [Step(1, uploads, "f1"), Step(1, finds_nothing)],
    "its own claim": [
        Step(1, claims),
        Step(1, finds_nothing),
        Step(1, claims),
        Step(1, uploads, "f1"),
        Step(2, finds, "f1"),
    ],
    "a claim of another": [
        Step(1, claims),
        Step(2, waits),
        Step(1, uploads, "f1"),
        Step(2, finds, "f1"),
    ],
    "released": [
        Step(1, releases),
        Step(2, finds_nothing),
        Step(2, uploads, "f1"),
        Step(1, finds, "f1"),
    ],
    "uploaded again": [Step(1, uploads, "f1"), Step(2, uploads, "f2"), Step(3, finds, "f2")],
    "failed": [
        Step(1, uploads, "f1"),
        Step(2, finds_nothing, failed=["f1"]),
        Step(2, uploads, "f2"),
        Step(3, finds, "f2", failed=["f1"]),
    ],
    "failed twice": [
        Step(1, uploads, "f1"),
        Step(2, uploads, "f2"),
        Step(3, finds_nothing, failed=["f1", "f2"]),
        Step(3, finds, "f2", failed=["f1"]),
    ],
    "failed, and claimed by its owner": [
        Step(1, uploads, "f1"),
        Step(1, claims, failed=["f1"]),
        Step(2, waits, failed=["f1"]),
        Step(1, uploads, "f2"),
        Step(2, finds, "f2", failed=["f1"]),
    ],
    "uploaded eleven times": [
        *(Step(run, uploads, f"f{run}") for run in range(1, 12)),
        Step(12, finds, "f11"),
    ],
    "released after an upload": [
        Step(1, uploads, "f1"),
        Step(2, releases),
        Step(3, finds, "f1"),
        Step(1, finds_nothing),
    ],
}


@pytest.mark.parametrize("steps", STORIES.values(), ids=STORIES)
def test_content_is_known_if_another_task_uploaded_it(opened: Any, steps: Sequence[Step]) -> None:
    for step in steps:
        on_known_content = "upload"
        if step.act in LOOKS:
            on_known_content = "fail"
        step.act(opened(f"run-{step.run}", on_known_content, step.failed), step.file_id)


def test_content_that_another_task_uploaded_cannot_be_claimed_to_be_skipped(opened: Any) -> None:
    upload(opened("run-1"))
    with pytest.raises(WesLedgerBusyError):
        opened("run-2", "skip").claim(FILE)


class Stands(NamedTuple):
    """
    Entries of a content, the newest first, as (state, task, path), and what they mean for task
    ``me`` with file ``a``.
    """

    name: str
    entries: list[tuple[str, str, str]]
    standing: type[Standing]
    number: int = 0


STANDINGS = (
    Stands("nothing", [], Free),
    Stands("released", [("released", "other", "a")], Free),
    Stands("released by us", [("released", "me", "a")], Free),
    Stands("our claim", [("claimed", "me", "a")], Ours, 1),
    Stands("our upload", [("uploaded", "me", "a")], Ours, 1),
    Stands("our claim of another file", [("claimed", "me", "b")], ClaimedBy, 1),
    Stands("our upload of another file", [("uploaded", "me", "b")], Uploaded, 1),
    Stands("another's claim of this path", [("claimed", "other", "a")], ClaimedBy, 1),
    Stands("another's upload", [("uploaded", "other", "b")], Uploaded, 1),
    Stands(
        "released after an upload", [("released", "x", "a"), ("uploaded", "y", "a")], Uploaded, 1
    ),
    Stands("ours before another's", [("uploaded", "x", "a"), ("claimed", "me", "a")], Uploaded, 2),
    Stands("ours after another's", [("claimed", "me", "a"), ("uploaded", "x", "a")], Ours, 2),
)


@pytest.mark.parametrize("row", STANDINGS, ids=[row.name for row in STANDINGS])
def test_newest_entry_that_was_not_given_back_decides(row: Stands) -> None:
    total = len(row.entries)
    entries = [
        Entry(
            sha256="0",
            number=total - index,
            coupon_list_id=LIST,
            path=path,
            etag="",
            codes=1,
            by=task,
            state=state,  # type: ignore[arg-type]
        )
        for index, (state, task, path) in enumerate(row.entries)
    ]
    stands = standing(entries, "me", "a")
    assert type(stands) is row.standing
    assert (0 if isinstance(stands, Free) else stands.entry.number) == row.number


def test_asset_store_offers_no_list_of_all_entries() -> None:
    assert not hasattr(AssetStore(LIST, context("run-1", AssetStates())), "all_entries")


def test_content_of_another_run_is_refused_for_good(opened: Any) -> None:
    upload(opened("run-1"))
    with pytest.raises(WesKnownContentError) as error:
        opened("run-2").find_known([OTHER, FILE])
    assert isinstance(error.value, WesDuplicateError)
    assert error.value.permanent


def test_content_of_another_run_is_refused_with_who_uploaded_it(opened: Any) -> None:
    upload(opened("run-1"))
    who = r"s3://promo/a\.csv: coupon file f1, by task upload of DAG summer in run run-1"
    with pytest.raises(WesKnownContentError, match=who):
        opened("run-2").find_known([OTHER, FILE])


def test_content_at_another_path_is_refused_with_that_path(opened: Any) -> None:
    upload(opened("run-1"))
    copy = replace(FILE, path="s3://promo/copy.csv")
    with pytest.raises(WesKnownContentError, match=r"(?m)^s3://promo/copy\.csv: coupon file f1,"):
        opened("run-1").find_known([copy])


def test_other_content_is_claimed_beside_that_of_another_run(opened: Any) -> None:
    upload(opened("run-1"))
    assert opened("run-2").claim(OTHER)


@pytest.fixture
def outcomes(opened: Any, mocker: Any) -> list[str]:
    """What six writers that race for the same content get."""
    mocker.patch("wes_provider.storage.stores.time", time)
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
    assert outcomes[:5] == ["busy"] * 5


def test_slow_claim_is_not_trusted(mocker: Any) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()
    write = states.set
    mocker.patch.object(states, "set", lambda key, value: (time.sleep(0.15), write(key, value)))
    with pytest.raises(WesLedgerBusyError, match="was too slow to claim"):
        Ledger().open(LIST, context("run-1", states), bool).claim(FILE)


STORED = {
    "version": 1, "sha256": FILE.sha256, "number": 1, "coupon_list_id": LIST, "path": "s3://promo/a.csv",
    "etag": "etag", "codes": 2, "at": "2026-11-22T06:03:11+00:00", "by": "task upload[3] of DAG "
        "winter in run run-0",
    "state": "uploaded", "coupon_file_id": "f0", "of a later version": True,
}  # fmt: skip


def test_entry_of_version_1_stays_readable(objects: Any) -> None:
    name = f"ledger/list%2F1/{FILE.sha256}-1"
    objects.put(f"{name}.json", json.dumps({**STORED, "state": "claimed"}).encode())
    objects.put(f"{name}-result.json", json.dumps(STORED).encode())
    with pytest.raises(
        WesKnownContentError,
        match=r"coupon file f0, by task upload\[3\] of DAG winter in run run-0",
    ):
        in_bucket().find_known([FILE])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        *({**STORED, **change} for change in ({"at": 5}, {"coupon_file_id": None})),
    ],
    ids=["empty", "cut", "array", "binary", "time", "no-id"],
)
def test_entry_that_someone_changed_is_an_error_and_not_taken_for_none(
    objects: Any, content: Any
) -> None:
    name = f"ledger/list%2F1/{FILE.sha256}-1.json"
    objects.put(name, content if isinstance(content, bytes) else json.dumps(content).encode())
    for attempt in (lambda: in_bucket().find_known([FILE]), lambda: in_bucket().claim(FILE)):
        with pytest.raises(
            WesStorageError, match=f"{PLACE}/list%2F1/{FILE.sha256}-1\nSomeone has changed it"
        ):
            attempt()
    objects.delete(name)
    assert in_bucket().find_known([FILE]) == {}


@pytest.mark.parametrize(
    "deleted", [["1"], ["1", "1-result"], ["1", "1-result", "2"], ["2", "2-result"]], ids="+".join
)
def test_content_stays_known_whatever_else_is_deleted(objects: Any, deleted: list[str]) -> None:
    for run, file_id in (("run-1", "f1"), ("run-2", "f2")):
        upload(in_bucket(run, "upload"), file_id=file_id)
    for name in deleted:
        objects.delete(f"ledger/list%2F1/{FILE.sha256}-{name}.json")
    with pytest.raises(WesKnownContentError, match="coupon file f"):
        in_bucket("run-3").find_known([FILE])
    assert in_bucket("run-3", "upload").claim(FILE)


@pytest.mark.parametrize("deleted", [["1"], ["1-result"], ["2", "2-result"]], ids="+".join)
def test_content_in_the_assets_store_stays_known_whatever_else_is_deleted(
    mocker: Any, deleted: list[str]
) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()

    def in_store(run: str, on_known_content: str = "fail") -> ListLedger:
        opened = Ledger(None, on_known_content)
        return opened.open(LIST, context(run, states), lambda coupon_file_id: False)

    for run, file_id in (("run-1", "f1"), ("run-2", "f2")):
        upload(in_store(run, "upload"), file_id=file_id)
    for name in deleted:
        (key,) = [key for key in states.values if key.endswith(f"{FILE.sha256}-{name}")]
        states.delete(key)
    with pytest.raises(WesKnownContentError, match="coupon file f"):
        in_store("run-3").find_known([FILE])


def test_ledger_that_cannot_be_read_or_written_is_an_error_without_secrets(s3: Any) -> None:
    ledger, gone = in_bucket(), in_bucket(place="s3://s3_promo@nowhere/ledger")
    with pytest.raises(
        WesStorageError,
        match=r"bucket of the ledger does not exist: s3://s3_promo@nowhere/ledger/list%2F1/",
    ):
        gone.claim(FILE)
    s3.read_only = True
    with pytest.raises(
        WesStorageError, match=rf"{PLACE}/list%2F1/ cannot be written \(PermissionError\)\n"
    ):
        ledger.claim(FILE)
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesStorageError, match="cannot be listed") as error:
        ledger.find_known([FILE])
    assert "s3-secret" not in str(error.value)


BY_FIRST = "task upload of DAG summer in run run-1"
BUSY_FIRST = (
    "Another task has claimed its content (s3://promo/a.csv of list list/1)\n"
    f"If {BY_FIRST} is running, a retry finds out what became of its upload. If not, clear it; "
    "or, if the list does not have its file s3://promo/a.csv, delete "
    f"{FILE.sha256}-1 from the ledger"
)


@pytest.fixture
def first(objects: Any) -> ListLedger:
    """A ledger of the first run, in a bucket."""
    return in_bucket("run-1")


@pytest.fixture
def second(objects: Any) -> ListLedger:
    """The same ledger, of the second run."""
    return in_bucket("run-2")


def look(ledger: ListLedger) -> None:
    ledger.find_known([OTHER, FILE])


def claim(ledger: ListLedger) -> None:
    ledger.claim(FILE)


@pytest.mark.parametrize("act", [look, claim], ids=["look", "claim"])
def test_the_error_about_a_claim_says_whose_it_is_and_what_to_do(
    first: ListLedger, second: ListLedger, act: Callable[[ListLedger], None]
) -> None:
    first.claim(FILE)
    with pytest.raises(WesLedgerBusyError) as busy:
        act(second)
    assert str(busy.value) == BUSY_FIRST


def test_the_error_about_known_content_says_whose_it_is_and_what_to_do(
    first: ListLedger, second: ListLedger
) -> None:
    upload(first)
    with pytest.raises(WesKnownContentError) as known:
        look(second)
    assert str(known.value) == (
        "The content of 1 file was uploaded before (list list/1)\n"
        "Ledger(on_known_content='skip') leaves such files out; 'upload' gives the list their "
        f"codes again.\ns3://promo/a.csv: coupon file f1, by {BY_FIRST}"
    )


def test_a_claim_of_content_that_was_uploaded_meanwhile_asks_for_a_retry(
    first: ListLedger, second: ListLedger
) -> None:
    upload(first)
    with pytest.raises(WesLedgerBusyError) as just_now:
        claim(second)
    assert str(just_now.value) == (
        "Another task uploaded or claimed its content just now (s3://promo/a.csv of list list/1)\n"
        "A retry finds out what became of it."
    )


def stored(objects: Any) -> dict[str, Any]:
    """What the bucket has of the ledger, without the times."""
    entries = {}
    for name in objects.names("ledger/"):
        entry = json.loads(objects.get(name))
        assert datetime.fromisoformat(entry.pop("at")).tzinfo == timezone.utc
        entries[name] = entry
    return entries


@pytest.mark.parametrize("is_killed", [False, True], ids=["one attempt", "killed between"])
def test_an_upload_is_stored_as_a_claim_and_a_result(objects: Any, is_killed: bool) -> None:
    upload = FileClaim(in_bucket(), FILE)
    upload.claim()
    claim = {
        "sha256": FILE.sha256,
        "number": 1,
        "coupon_list_id": LIST,
        "path": "s3://promo/a.csv",
        "etag": "etag",
        "codes": 2,
        "by": BY_FIRST,
        "state": "claimed",
        "coupon_file_id": "",
        "version": 1,
    }
    name = f"ledger/list%2F1/{FILE.sha256}-1"
    assert stored(objects) == {f"{name}.json": claim}
    if is_killed:
        upload = FileClaim(in_bucket(), FILE)
    upload.complete("f1")
    result = {**claim, "state": "uploaded", "coupon_file_id": "f1"}
    assert stored(objects) == {f"{name}.json": claim, f"{name}-result.json": result}


def test_a_claim_that_was_given_back_is_not_ours(objects: Any) -> None:
    ledger = in_bucket(on_known_content="upload")
    ledger.release(ledger.claim(FILE).entry)
    assert [entry["state"] for entry in stored(objects).values()] == ["released", "claimed"]
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


def test_a_claim_after_an_upload_is_a_new_one(objects: Any) -> None:
    ledger = in_bucket(on_known_content="upload")
    upload(ledger)
    again = ledger.claim(FILE)
    assert again.entry.number == 2
    assert not again.is_kept


def test_a_claim_of_a_request_that_was_refused_is_given_back(mocker: Any) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()
    refused = FileClaim(Ledger().open(LIST, context("run-1", states), bool), FILE)
    refused.claim()
    refused.release()
    assert Ledger().open(LIST, context("run-2", states), bool).find_known([FILE]) == {}


def test_a_claim_of_an_earlier_attempt_is_kept_by_one_that_is_refused(mocker: Any) -> None:
    """Something may have come of the request of an attempt that was killed."""
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()
    ledger = Ledger().open(LIST, context("run-1", states), bool)
    FileClaim(ledger, FILE).claim()
    refused = FileClaim(ledger, FILE)
    refused.claim()
    refused.release()
    with pytest.raises(WesLedgerBusyError, match="in run run-1"):
        Ledger().open(LIST, context("run-2", states), bool).find_known([FILE])


def test_iterations_of_a_loop_are_different_tasks(mocker: Any) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()
    first, second = [
        Ledger().open(LIST, context("run-1", states, loop=SimpleNamespace(index=index)), bool)
        for index in (1, 2)
    ]
    first.claim(FILE)
    with pytest.raises(WesLedgerBusyError, match="in run run-1 and iteration 1"):
        second.find_known([FILE])


@pytest.mark.parametrize(
    ("list_id", "states", "advice"),
    [
        (LIST, None, r"Ledger\('s3://aws_default@bucket/ledger'\)"),
        (
            "list-2",
            AssetStates(),
            r"Airflow 3.3, and wes_provider.assets.coupon_list\('list-2'\) in the outlets",
        ),
    ],
    ids=["no-store", "no-outlet"],
)
def test_ledger_without_a_place_says_what_to_do(list_id: str, states: Any, advice: str) -> None:
    with pytest.raises(WesConfigurationError, match=advice):
        Ledger().open(list_id, context("run-1", states), bool)


# -- buckets ---------------------------------------------------------------------------------------


def claim_twice(bucket: MemoryBucket, mocker: Any) -> list[float]:
    """Return the seconds that a task waits to claim one content after the other."""
    waited: list[float] = []
    mocker.patch(
        "wes_provider.storage.stores.time",
        SimpleNamespace(monotonic=lambda: 0.0, sleep=waited.append),
    )
    ledger = in_bucket()
    assert (ledger.claim(FILE).is_kept, ledger.claim(OTHER).is_kept) == (False, False)
    return waited


def test_a_bucket_with_conditional_writes_needs_no_wait(memory: MemoryBucket, mocker: Any) -> None:
    assert claim_twice(memory, mocker) == []


def test_each_claim_in_a_bucket_without_conditional_writes_waits_for_others(
    memory: MemoryBucket, mocker: Any
) -> None:
    ignore_conditions(memory, mocker)
    assert claim_twice(memory, mocker) == [3.0, 3.0]


def test_each_claim_in_an_assets_store_waits_for_others(mocker: Any) -> None:
    waited: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=waited.append)
    mocker.patch("wes_provider.storage.stores.time", clock)
    ledger = Ledger().open(LIST, context("run-1", AssetStates()), bool)
    ledger.claim(FILE)
    ledger.claim(OTHER)
    assert waited == [3.0, 3.0]


def claim_within(seconds: float, mocker: Any) -> None:
    """Claim a content in a store that takes so long to write."""
    moments = iter([10.0, 10.0 + seconds])
    clock = SimpleNamespace(monotonic=lambda: next(moments), sleep=lambda seconds: None)
    mocker.patch("wes_provider.storage.stores.time", clock)
    Ledger().open(LIST, context("run-1", AssetStates()), bool).claim(FILE)


def test_claim_that_takes_half_of_the_wait_is_trusted(mocker: Any) -> None:
    claim_within(1.5, mocker)


def test_claim_that_takes_more_than_half_of_the_wait_is_not_trusted(mocker: Any) -> None:
    with pytest.raises(WesLedgerBusyError) as error:
        claim_within(1.6, mocker)
    assert str(error.value) == (
        "The ledger was too slow to claim it (s3://promo/a.csv of list list/1)\n"
        "A retry finds out whether another task claimed it in the meantime"
    )


def test_claim_that_another_task_overwrites_meanwhile_is_lost(
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
def test_claim_that_another_task_wrote_since_the_listing_is_not_overwritten(
    is_conditional: bool, memory: MemoryBucket, mocker: Any
) -> None:
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=lambda seconds: None)
    mocker.patch("wes_provider.storage.stores.time", clock)
    if not is_conditional:
        ignore_conditions(memory, mocker)
    other, late = in_bucket("run-1"), in_bucket("run-2")
    mocker.patch.object(
        late, "find_ours", side_effect=lambda file, entries: other.claim(FILE) and None
    )
    with pytest.raises(WesLedgerBusyError, match=r"^Another task uploaded or claimed its content "):
        late.claim(FILE)
    (claim,) = stored(memory).values()
    assert claim["by"] == BY_FIRST


@pytest.mark.usefixtures("memory")
def test_claim_that_another_task_writes_in_the_same_moment_is_not_overwritten(mocker: Any) -> None:
    other, late = in_bucket("run-1"), in_bucket("run-2")
    create = BucketStore._create

    def create_after_the_other(store: BucketStore, entry: Entry) -> Any:
        if entry.by != BY_FIRST:
            other.claim(FILE)
        return create(store, entry)

    mocker.patch.object(BucketStore, "_create", create_after_the_other)
    with pytest.raises(WesLedgerBusyError):
        late.claim(FILE)
    assert other.find_ours(FILE) is not None


@pytest.mark.usefixtures("memory")
def test_place_is_the_same_with_a_slash_at_its_end() -> None:
    upload(in_bucket("run-1", place=f"{PLACE}/"))
    with pytest.raises(WesKnownContentError):
        in_bucket("run-2", place=PLACE).find_known([FILE])


def test_folder_that_is_not_there_has_no_entries(memory: MemoryBucket, mocker: Any) -> None:
    mocker.patch.object(memory.filesystem, "find", side_effect=FileNotFoundError)
    assert in_bucket().find_known([FILE]) == {}


class Broken(NamedTuple):
    """What a bucket refuses, and how messages call it."""

    name: str
    method: str
    error: Exception
    message: str


RIGHTS = "Check the connection's address, credentials and rights"
LEDGER_NAME = f"{PLACE}/list%2F1/"
BROKEN = (
    Broken(
        "list",
        "find",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be listed (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "read",
        "cat_file",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be read (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "write",
        "pipe_file",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be written (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "no bucket",
        "pipe_file",
        FileNotFoundError("hunter2"),
        f"The bucket of the ledger does not exist: {LEDGER_NAME}\nCreate it",
    ),
)


@pytest.mark.parametrize("row", BROKEN, ids=[row.name for row in BROKEN])
def test_bucket_that_refuses_is_an_error_without_its_text(
    row: Broken, memory: MemoryBucket, mocker: Any
) -> None:
    ledger = in_bucket(place=f"{PLACE}/")
    mocker.patch.object(memory.filesystem, row.method, side_effect=row.error)
    with pytest.raises(WesStorageError) as error:
        ledger.claim(FILE)
    assert str(error.value) == row.message
    assert (error.value.__cause__, error.value.__suppress_context__) == (None, True)


def test_bucket_is_listed_and_read_anew_each_time(memory: MemoryBucket, mocker: Any) -> None:
    ledger = in_bucket()
    ledger.claim(FILE)
    asked = mocker.spy(MemoryFileSystem, "invalidate_cache")
    ledger.find_known([FILE])
    assert asked.call_count == 2  # of the names, and of the claim


def test_entry_of_another_content_is_not_read(memory: MemoryBucket) -> None:
    memory.put(f"ledger/list%2F1/{OTHER.sha256}-1.json", b"{")
    memory.put(f"ledger/list%2F1/{FILE.sha256}-1.txt", b"{")
    assert in_bucket().find_known([FILE]) == {}


def test_entries_of_another_list_do_not_count(memory: MemoryBucket) -> None:
    upload(in_bucket())
    other = Ledger(PLACE).open("list", context("run-2"), bool)
    assert other.find_known([FILE]) == {}


def test_content_that_was_uploaded_eleven_times_gets_the_number_after_that(
    memory: MemoryBucket,
) -> None:
    for number in range(11):
        upload(in_bucket(f"run-{number}", "upload"), f"f{number}")
    for name in memory.names("ledger/"):
        if f"{FILE.sha256}-3" in name:
            memory.delete(name)
    assert in_bucket("run-12", "upload").claim(FILE).entry.number == 12


def test_claim_says_in_utc_when_it_was_made(memory: MemoryBucket) -> None:
    before = datetime.now(timezone.utc).replace(microsecond=0)
    made = datetime.fromisoformat(in_bucket().claim(FILE).entry.at)
    assert before <= made <= datetime.now(timezone.utc)
    assert (made.tzinfo, made.microsecond) == (timezone.utc, 0)


# -- steps -----------------------------------------------------------------------------------------


@pytest.fixture
def copies(memory: MemoryBucket) -> list[PlannedFile]:
    """Three files: the first and the last have content that the first run uploaded."""
    first = in_bucket("run-1")
    for file in (FILE, OTHER):
        first.complete(first.claim(file).entry, f"of {file.path}")
    return [
        replace(OTHER, path="s3://promo/2.csv"),
        replace(FILE, path="s3://promo/new.csv", sha256="2" * 64),
        replace(FILE, path="s3://promo/1.csv"),
    ]


def test_content_of_several_files_is_refused_with_each_of_them(
    copies: list[PlannedFile],
) -> None:
    with pytest.raises(WesKnownContentError) as error:
        in_bucket("run-2").find_known(copies)
    lines = [
        f"s3://promo/2.csv: coupon file of s3://promo/b.csv, by {BY_FIRST}",
        f"s3://promo/1.csv: coupon file of s3://promo/a.csv, by {BY_FIRST}",
    ]
    assert error.value.problems == lines
    assert str(error.value) == (
        "The content of 2 files was uploaded before (list list/1)\n"
        "Ledger(on_known_content='skip') leaves such files out; 'upload' gives the list their "
        "codes again.\n" + "\n".join(lines)
    )


def test_content_of_several_files_can_be_skipped(copies: list[PlannedFile]) -> None:
    skipped = in_bucket("run-2", "skip").find_known(copies)
    assert {index: entry.coupon_file_id for index, entry in skipped.items()} == {
        0: "of s3://promo/b.csv",
        2: "of s3://promo/a.csv",
    }


def test_claim_of_another_file_with_the_content_is_named_as_it_was_claimed(
    memory: MemoryBucket,
) -> None:
    in_bucket("run-1").claim(replace(FILE, path="s3://promo/first.csv"))
    with pytest.raises(WesLedgerBusyError) as error:
        in_bucket("run-2", "skip").find_known([FILE])
    assert str(error.value) == (
        "Another task has claimed its content (s3://promo/a.csv of list list/1)\n"
        f"If {BY_FIRST} is running, a retry finds out what became of its upload. If not, clear it; "
        "or, if the list does not have its file s3://promo/first.csv, delete "
        f"{FILE.sha256}-1 from the ledger"
    )


def test_upload_that_is_noted_once_more_is_written_once(memory: MemoryBucket, mocker: Any) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    written = mocker.spy(memory.filesystem, "pipe_file")
    claim.complete("f1")
    assert written.call_count == 0


def test_file_that_is_adopted_instead_of_another_is_noted(memory: MemoryBucket) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    claim.complete("f2")
    entry = in_bucket().find_ours(FILE)
    assert entry is not None
    assert (entry.state, entry.coupon_file_id) == ("uploaded", "f2")


def test_file_that_nobody_claimed_is_not_noted(memory: MemoryBucket) -> None:
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
    FileClaim(in_bucket(), OTHER).release()
    assert written.call_count == 0


def test_upload_that_was_noted_is_not_given_back(memory: MemoryBucket) -> None:
    claim = FileClaim(in_bucket(), FILE)
    claim.claim()
    claim.complete("f1")
    claim.release()
    with pytest.raises(WesKnownContentError):
        in_bucket("run-2").find_known([FILE])


class Place(NamedTuple):
    """A task instance, and its words in entries."""

    name: str
    ti: TaskInstance
    extra: dict[str, Any]
    words: str


NIGHTLY = "of DAG shop in run nightly"
PLACES = (
    Place("not mapped", TaskInstance(), {}, f"task replenish {NIGHTLY}"),
    Place("first", TaskInstance(map_index=0), {}, f"task replenish[0] {NIGHTLY}"),
    Place("another", TaskInstance(map_index=12), {}, f"task replenish[12] {NIGHTLY}"),
    Place(
        "first iteration",
        TaskInstance(),
        {"loop": SimpleNamespace(index=0)},
        f"task replenish {NIGHTLY} and iteration 0",
    ),
    Place(
        "mapped, in another iteration",
        TaskInstance(map_index=1),
        {"loop": SimpleNamespace(index=2)},
        f"task replenish[1] {NIGHTLY} and iteration 2",
    ),
)


@pytest.mark.parametrize("row", PLACES, ids=[row.name for row in PLACES])
def test_task_instance_is_named_the_same_in_each_attempt(row: Place) -> None:
    assert describe_task(Attempt.of(row.ti.context(**row.extra))) == row.words


# -- arguments -------------------------------------------------------------------------------------


TEXTS = {
    "Ledger(None, on_known_content='fail')": Ledger(),
    "Ledger('s3://c@promo/ledger', on_known_content='skip')": Ledger(
        "s3://c@promo/ledger", on_known_content="skip"
    ),
    "Ledger('s3://key@{{ params.bucket }}/ledger', on_known_content='fail')": Ledger(
        "s3://key:very-secret@{{ params.bucket }}/ledger?sig=very-secret"
    ),
}


@pytest.mark.parametrize("text", TEXTS)
def test_text_of_a_ledger_has_its_arguments_and_no_secret(text: str) -> None:
    assert repr(TEXTS[text]) == text


class Refused(NamedTuple):
    """Arguments that make no sense, and what the error says of them."""

    arguments: dict[str, Any]
    problem: str


REFUSED = [
    *(Refused({"location": place}, "is no URL of object storage") for place in ("/ledger", "", 5)),
    Refused({"location": "s3://key:very-secret@promo/ledger"}, "has credentials before the @"),
    Refused(
        {"on_known_content": "ignore"}, "on_known_content takes fail, skip or upload, not 'ignore'"
    ),
]


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: f"{row.arguments}")
def test_arguments_that_make_no_sense_are_refused_at_once_or_when_they_are_rendered(
    row: Refused,
) -> None:
    ledger = Ledger(**dict.fromkeys(row.arguments, "{{ params.x }}"))
    vars(ledger).update(row.arguments)
    for attempt in (
        lambda: Ledger(**row.arguments),
        lambda: ledger.open(LIST, context("run-1", AssetStates()), bool),
    ):
        with pytest.raises(WesConfigurationError, match=row.problem) as error:
            attempt()
        assert "very-secret" not in str(error.value)
