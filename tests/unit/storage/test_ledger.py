"""
The ledger, as ``docs/storage-reference.md`` (*Ledger*) promises it: which content a task may upload
to a list after what other tasks have done, what entries look like, and what its errors say.
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
from wes_provider.storage.stores import AssetStore, Entry

LIST = "list/1"
FILE = PlannedFile(path="s3://promo/a.csv", etag="etag", codes=2, sha256="0" * 64)
OTHER = PlannedFile(path="s3://promo/b.csv", etag="etag", codes=2, sha256="1" * 64)
PLACE = "s3://s3_promo@promo/ledger"


class AssetStates(Store):
    """The asset state stores of a task's context, with one for the asset of ``LIST`` alone."""

    def __getitem__(self, asset: Any) -> Store:
        if asset.uri != "wes://coupon-list/list%2F1":
            raise KeyError(asset)
        return self


def attempt_in(run: str, states: Any = None, **context: Any) -> Attempt:
    """The task ``upload`` of the DAG ``summer`` in a run; tasks differ in their runs alone."""
    ti = TaskInstance(dag_id="summer", run_id=run, task_id="upload", assets=states)
    return Attempt.of(ti.context(**context))


def none_failed(coupon_file_id: str) -> bool:
    return False


def in_bucket(run: str = "run-1", on_known_content: str = "fail", place: str = PLACE) -> ListLedger:
    """A run's view of the ledger in the bucket; no coupon file has failed processing."""
    return Ledger(place, on_known_content).open(LIST, attempt_in(run), none_failed)


def in_asset_store(
    states: AssetStates, run: str = "run-1", on_known_content: str = "fail", **context: Any
) -> ListLedger:
    """A run's view of the ledger in an asset state store; no coupon file has failed processing."""
    attempt = attempt_in(run, states, **context)
    return Ledger(None, on_known_content).open(LIST, attempt, none_failed)


@pytest.fixture
def waited(mocker: Any) -> list[float]:
    """The seconds that claims wait for other writers: none of them passes, and writes take none."""
    seconds: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=seconds.append)
    mocker.patch("wes_provider.storage.stores.time", clock)
    return seconds


@pytest.fixture
def memory(service: Emulator, mocker: Any) -> MemoryBucket:
    """The bucket ``promo`` in memory, of whatever connection; it honours conditional writes."""
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
def opened(request: pytest.FixtureRequest, mocker: Any, waited: list[float]) -> Any:
    """
    Opens the ledger of a list for a task of a run: ``opened("run-1", "skip", failed=["f1"])``.
    Claims do not wait.

    ``unconditional`` stores overwrite a claim that is there; those in memory need no S3 server.
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

    def open_(run: str, on_known_content: str = "fail", failed: Any = ()) -> ListLedger:
        return Ledger(location, on_known_content).open(
            LIST, attempt_in(run, states), failed.__contains__
        )

    return open_


def upload(ledger: ListLedger, file_id: str = "f1") -> None:
    """Claim the content of ``FILE``, and write down that the upload made a coupon file."""
    ledger.complete(ledger.claim(FILE).entry, file_id)


def look_up(ledger: ListLedger) -> None:
    """Look up the content of ``FILE``, the second of two files."""
    ledger.find_known([OTHER, FILE])


def claim(ledger: ListLedger, _: str = "") -> None:
    ledger.claim(FILE)


# -- what a task finds -----------------------------------------------------------------------------


class Step(NamedTuple):
    """
    What the task of a run does with the content of ``FILE``, or what it finds of it.

    :ivar file_id: the coupon file that it uploads or finds.
    :ivar failed: the coupon files that have failed processing by then.
    """

    run: int
    act: Callable[[ListLedger, str], None]
    file_id: str = ""
    failed: Sequence[str] = ()


def claim_and_release(ledger: ListLedger, _: str) -> None:
    ledger.release(ledger.claim(FILE).entry)


def find_nothing(ledger: ListLedger, _: str) -> None:
    assert ledger.find_known([FILE]) == {}


def find_upload(ledger: ListLedger, file_id: str) -> None:
    """The upload is named before the first request, and refuses the claim right before it."""
    with pytest.raises(WesKnownContentError, match=rf"{FILE.path}: coupon file {file_id},"):
        ledger.find_known([OTHER, FILE])
    with pytest.raises(WesLedgerBusyError):
        ledger.claim(FILE)


def find_claim_of_run_1(ledger: ListLedger, _: str) -> None:
    """The claim is named before the first request, and refuses the claim right before it."""
    claimed = r"has claimed its content \(s3://promo/a(?s:.*)run-1"
    with pytest.raises(WesLedgerBusyError, match=claimed):
        ledger.find_known([OTHER, FILE])
    with pytest.raises(WesLedgerBusyError):
        ledger.claim(FILE)


FINDINGS = (find_nothing, find_upload, find_claim_of_run_1)


class Story(NamedTuple):
    """Steps of tasks, one after another; whoever finds has ``on_known_content="fail"``."""

    name: str
    steps: Sequence[Step]


STORIES = (
    Story("an upload is known to another run", [Step(1, upload, "f1"), Step(2, find_upload, "f1")]),
    Story("an upload is not known to its own run", [Step(1, upload, "f1"), Step(1, find_nothing)]),
    Story(
        "a claim does not stop its own run",
        [
            Step(1, claim),
            Step(1, find_nothing),
            Step(1, claim),
            Step(1, upload, "f1"),
            Step(2, find_upload, "f1"),
        ],
    ),
    Story(
        "a claim stops another run until it is completed",
        [
            Step(1, claim),
            Step(2, find_claim_of_run_1),
            Step(1, upload, "f1"),
            Step(2, find_upload, "f1"),
        ],
    ),
    Story(
        "a claim that was given back is nobody's",
        [
            Step(1, claim_and_release),
            Step(2, find_nothing),
            Step(2, upload, "f1"),
            Step(1, find_upload, "f1"),
        ],
    ),
    Story(
        "of two uploads the newer one is named",
        [Step(1, upload, "f1"), Step(2, upload, "f2"), Step(3, find_upload, "f2")],
    ),
    Story(
        "an upload that failed processing is not known",
        [
            Step(1, upload, "f1"),
            Step(2, find_nothing, failed=["f1"]),
            Step(2, upload, "f2"),
            Step(3, find_upload, "f2", failed=["f1"]),
        ],
    ),
    Story(
        "two uploads are not known only if both failed processing",
        [
            Step(1, upload, "f1"),
            Step(2, upload, "f2"),
            Step(3, find_nothing, failed=["f1", "f2"]),
            Step(3, find_upload, "f2", failed=["f1"]),
        ],
    ),
    Story(
        "a claim after an upload that failed processing stops another run",
        [
            Step(1, upload, "f1"),
            Step(1, claim, failed=["f1"]),
            Step(2, find_claim_of_run_1, failed=["f1"]),
            Step(1, upload, "f2"),
            Step(2, find_upload, "f2", failed=["f1"]),
        ],
    ),
    # As text, 10 and 11 come before 2.
    Story(
        "number 11 is newer than number 2",
        [
            *(Step(run, upload, f"f{run}") for run in range(1, 12)),
            Step(12, find_upload, "f11"),
        ],
    ),
    Story(
        "an upload stays known after a later claim that was given back",
        [
            Step(1, upload, "f1"),
            Step(2, claim_and_release),
            Step(3, find_upload, "f1"),
            Step(1, find_nothing),
        ],
    ),
)


@pytest.mark.parametrize("story", STORIES, ids=[story.name for story in STORIES])
def test_a_task_finds_what_other_tasks_have_done_with_a_content(opened: Any, story: Story) -> None:
    for step in story.steps:
        on_known_content = "upload"
        if step.act in FINDINGS:
            on_known_content = "fail"
        step.act(opened(f"run-{step.run}", on_known_content, step.failed), step.file_id)


def test_with_skip_content_that_another_task_has_uploaded_cannot_be_claimed(opened: Any) -> None:
    upload(opened("run-1"))
    with pytest.raises(WesLedgerBusyError):
        opened("run-2", "skip").claim(FILE)


class Stands(NamedTuple):
    """
    Entries of a content, the newest first, as (state, task, path), and what they mean for task
    ``me`` with file ``a``.

    :ivar number: of the entry that decides; the oldest has 1. ``None`` if the content is free.
    """

    name: str
    entries: list[tuple[str, str, str]]
    standing: type[Standing]
    number: int | None


STANDINGS = (
    Stands("no entry", [], Free, None),
    Stands("another's claim, given back", [("released", "other", "a")], Free, None),
    Stands("our claim, given back", [("released", "me", "a")], Free, None),
    Stands("our claim of this file", [("claimed", "me", "a")], Ours, 1),
    Stands("our upload of this file", [("uploaded", "me", "a")], Ours, 1),
    Stands("our claim of another file", [("claimed", "me", "b")], ClaimedBy, 1),
    Stands("our upload of another file", [("uploaded", "me", "b")], Uploaded, 1),
    Stands("another's claim of this file", [("claimed", "other", "a")], ClaimedBy, 1),
    Stands("another's upload of another file", [("uploaded", "other", "b")], Uploaded, 1),
    Stands(
        "a claim given back, newer than another's upload",
        [("released", "x", "a"), ("uploaded", "y", "a")],
        Uploaded,
        1,
    ),
    Stands(
        "another's upload, newer than our claim",
        [("uploaded", "x", "a"), ("claimed", "me", "a")],
        Uploaded,
        2,
    ),
    Stands(
        "our claim, newer than another's upload",
        [("claimed", "me", "a"), ("uploaded", "x", "a")],
        Ours,
        2,
    ),
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
    assert (None if isinstance(stands, Free) else stands.entry.number) == row.number


def test_known_content_is_refused_for_good_as_a_duplicate(opened: Any) -> None:
    upload(opened("run-1"))
    with pytest.raises(WesKnownContentError) as error:
        opened("run-2").find_known([OTHER, FILE])
    assert isinstance(error.value, WesDuplicateError)
    assert error.value.permanent


def test_known_content_is_refused_with_who_uploaded_it(opened: Any) -> None:
    upload(opened("run-1"))
    who = r"s3://promo/a\.csv: coupon file f1, by task upload of DAG summer in run run-1"
    with pytest.raises(WesKnownContentError, match=who):
        opened("run-2").find_known([OTHER, FILE])


def test_content_that_the_task_itself_uploaded_from_another_path_is_refused_with_the_new_path(
    opened: Any,
) -> None:
    upload(opened("run-1"))
    copy = replace(FILE, path="s3://promo/copy.csv")
    with pytest.raises(WesKnownContentError, match=r"(?m)^s3://promo/copy\.csv: coupon file f1,"):
        opened("run-1").find_known([copy])


def test_other_content_is_claimed_beside_that_of_another_run(opened: Any) -> None:
    upload(opened("run-1"))
    claimed = opened("run-2").claim(OTHER)
    assert (claimed.entry.sha256, claimed.entry.number) == (OTHER.sha256, 1)


# -- races -----------------------------------------------------------------------------------------


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


# -- entries ---------------------------------------------------------------------------------------


STORED = {
    "version": 1,
    "sha256": FILE.sha256,
    "number": 1,
    "coupon_list_id": LIST,
    "path": "s3://promo/a.csv",
    "etag": "etag",
    "codes": 2,
    "at": "2026-11-22T06:03:11+00:00",
    "by": "task upload[3] of DAG winter in run run-0",
    "state": "uploaded",
    "coupon_file_id": "f0",
}
CLAIM_NAME = f"ledger/list%2F1/{FILE.sha256}-1.json"
RESULT_NAME = f"ledger/list%2F1/{FILE.sha256}-1-result.json"


@pytest.mark.parametrize(
    "later_fields", [{}, {"colour": "red"}], ids=["as it is", "with a field of a later version"]
)
def test_entry_of_version_1_stays_readable(objects: Any, later_fields: dict[str, str]) -> None:
    stored = {**STORED, **later_fields}
    objects.put(CLAIM_NAME, json.dumps({**stored, "state": "claimed"}).encode())
    objects.put(RESULT_NAME, json.dumps(stored).encode())
    with pytest.raises(
        WesKnownContentError,
        match=r"coupon file f0, by task upload\[3\] of DAG winter in run run-0",
    ):
        in_bucket().find_known([FILE])


class Changed(NamedTuple):
    """What someone has made of the object of a claim."""

    name: str
    content: bytes


CHANGED = (
    Changed("empty", b""),
    Changed("cut", b"{"),
    Changed("an array", b"[]"),
    Changed("not UTF-8", b"\xff"),
    Changed("a time that is a number", json.dumps({**STORED, "at": 5}).encode()),
    Changed("no identifier", json.dumps({**STORED, "coupon_file_id": None}).encode()),
)


@pytest.mark.parametrize("row", CHANGED, ids=[row.name for row in CHANGED])
@pytest.mark.parametrize("act", [look_up, claim], ids=["find_known", "claim"])
def test_entry_that_someone_changed_is_an_error_and_not_taken_for_none(
    objects: Any, row: Changed, act: Callable[[ListLedger], None]
) -> None:
    objects.put(CLAIM_NAME, row.content)
    message = f"{PLACE}/list%2F1/{FILE.sha256}-1\nSomeone has changed it"
    with pytest.raises(WesStorageError, match=message):
        act(in_bucket())


def test_content_whose_only_entry_is_deleted_is_not_known(objects: Any) -> None:
    upload(in_bucket("run-1"))
    for name in (CLAIM_NAME, RESULT_NAME):
        objects.delete(name)
    assert in_bucket("run-2").find_known([FILE]) == {}


class Deleted(NamedTuple):
    """
    Which entries of two uploads someone deletes.

    :ivar known: the coupon file of the newest upload that is left: ``f1`` or ``f2``.
    :ivar next_number: of the next claim in a bucket, which lists what is left.
    """

    names: Sequence[str]
    known: str
    next_number: int


DELETED = (
    Deleted(["1"], "f2", next_number=3),
    Deleted(["1-result"], "f2", next_number=3),
    Deleted(["2", "2-result"], "f1", next_number=2),
)
# In a bucket, numbers may be missing.
DELETED_IN_BUCKET = (
    *DELETED,
    Deleted(["1", "1-result", "2"], "f2", next_number=3),
)


def names_of(row: Deleted) -> str:
    return "+".join(row.names)


@pytest.fixture
def left_in_bucket(objects: Any, request: pytest.FixtureRequest) -> Deleted:
    """Two uploads, of which some entries were deleted."""
    row: Deleted = request.param
    upload(in_bucket("run-1", "upload"), "f1")
    upload(in_bucket("run-2", "upload"), "f2")
    for name in row.names:
        objects.delete(f"ledger/list%2F1/{FILE.sha256}-{name}.json")
    return row


@pytest.mark.parametrize("left_in_bucket", DELETED_IN_BUCKET, ids=names_of, indirect=True)
def test_content_in_a_bucket_stays_known_by_what_is_left(left_in_bucket: Deleted) -> None:
    with pytest.raises(WesKnownContentError, match=f"coupon file {left_in_bucket.known},"):
        in_bucket("run-3").find_known([FILE])


@pytest.mark.parametrize("left_in_bucket", DELETED_IN_BUCKET, ids=names_of, indirect=True)
def test_next_claim_in_a_bucket_has_the_number_after_what_is_left(left_in_bucket: Deleted) -> None:
    claimed = in_bucket("run-3", "upload").claim(FILE)
    assert (claimed.entry.number, claimed.is_kept) == (left_in_bucket.next_number, False)


@pytest.mark.usefixtures("waited")
@pytest.mark.parametrize("row", DELETED, ids=names_of)
def test_content_in_the_assets_store_stays_known_by_what_is_left(row: Deleted) -> None:
    states = AssetStates()
    upload(in_asset_store(states, "run-1", "upload"), "f1")
    upload(in_asset_store(states, "run-2", "upload"), "f2")
    for name in row.names:
        (key,) = [key for key in states.values if key.endswith(f"{FILE.sha256}-{name}")]
        states.delete(key)
    with pytest.raises(WesKnownContentError, match=f"coupon file {row.known},"):
        in_asset_store(states, "run-3").find_known([FILE])


# -- errors ----------------------------------------------------------------------------------------


def test_ledger_whose_bucket_does_not_exist_is_an_error(s3: Any) -> None:
    gone = in_bucket(place="s3://s3_promo@nowhere/ledger")
    with pytest.raises(
        WesStorageError,
        match=r"bucket of the ledger does not exist: s3://s3_promo@nowhere/ledger/list%2F1/",
    ):
        gone.claim(FILE)


def test_ledger_in_a_bucket_that_may_only_be_read_is_an_error(s3: Any) -> None:
    ledger = in_bucket()
    s3.read_only = True
    with pytest.raises(
        WesStorageError, match=rf"{PLACE}/list%2F1/ cannot be written \(PermissionError\)\n"
    ):
        ledger.claim(FILE)


def test_ledger_whose_key_was_changed_is_an_error_without_the_secret(s3: Any) -> None:
    ledger = in_bucket()
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


@pytest.mark.parametrize("act", [look_up, claim], ids=["find_known", "claim"])
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
        look_up(second)
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
        second.claim(FILE)
    assert str(just_now.value) == (
        "Another task uploaded or claimed its content just now (s3://promo/a.csv of list list/1)\n"
        "A retry finds out what became of it."
    )


# -- claims ----------------------------------------------------------------------------------------


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


class NoPlace(NamedTuple):
    """A task for which ``Ledger()`` has no asset state store, and the advice in the error."""

    name: str
    list_id: str
    states: AssetStates | None
    advice: str


NO_PLACES = (
    NoPlace(
        "an Airflow without asset state stores",
        LIST,
        None,
        r"Ledger\('s3://aws_default@bucket/ledger'\)",
    ),
    NoPlace(
        "a list whose asset is not in the outlets",
        "list-2",
        AssetStates(),
        r"Airflow 3.3, and wes_provider.assets.coupon_list\('list-2'\) in the outlets",
    ),
)


@pytest.mark.parametrize("row", NO_PLACES, ids=[row.name for row in NO_PLACES])
def test_ledger_without_a_place_says_what_to_do(row: NoPlace) -> None:
    with pytest.raises(WesConfigurationError, match=row.advice):
        Ledger().open(row.list_id, attempt_in("run-1", row.states), none_failed)


def test_asset_store_cannot_list_the_entries_of_all_contents() -> None:
    """``wes-ledger`` calls ``all_entries``, which stores in buckets have."""
    assert not hasattr(AssetStore(LIST, attempt_in("run-1", AssetStates())), "all_entries")


# -- waiting for other writers ---------------------------------------------------------------------


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


# -- buckets ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("memory")
def test_place_is_the_same_with_a_slash_at_its_end() -> None:
    upload(in_bucket("run-1", place=f"{PLACE}/"))
    with pytest.raises(WesKnownContentError):
        in_bucket("run-2", place=PLACE).find_known([FILE])


def test_folder_that_a_bucket_does_not_have_has_no_entries(
    memory: MemoryBucket, mocker: Any
) -> None:
    mocker.patch.object(memory.filesystem, "find", side_effect=FileNotFoundError)
    assert in_bucket().find_known([FILE]) == {}


class Broken(NamedTuple):
    """
    What a bucket refuses, and the whole message.

    :ivar method: of the file system, which fails with the error.
    """

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
def test_bucket_that_refuses_is_an_error_without_the_buckets_own_text(
    row: Broken, memory: MemoryBucket, mocker: Any
) -> None:
    ledger = in_bucket(place=f"{PLACE}/")
    mocker.patch.object(memory.filesystem, row.method, side_effect=row.error)
    with pytest.raises(WesStorageError) as error:
        ledger.claim(FILE)
    assert str(error.value) == row.message
    assert (error.value.__cause__, error.value.__suppress_context__) == (None, True)


def test_names_and_entries_are_read_past_the_cache_of_the_file_system(
    memory: MemoryBucket, mocker: Any
) -> None:
    ledger = in_bucket()
    ledger.claim(FILE)
    emptied = mocker.spy(MemoryFileSystem, "invalidate_cache")
    ledger.find_known([FILE])
    # Before the names are listed, and before the claim is read.
    assert emptied.call_count == 2


class NotRead(NamedTuple):
    """An object in the list's folder that is no entry of the content of ``FILE``."""

    name: str
    key: str


NOT_READ = (
    NotRead("another content", f"{OTHER.sha256}-1.json"),
    NotRead("another suffix", f"{FILE.sha256}-1.txt"),
)


@pytest.mark.parametrize("row", NOT_READ, ids=[row.name for row in NOT_READ])
def test_object_that_is_no_entry_of_the_content_is_not_read(
    row: NotRead, memory: MemoryBucket
) -> None:
    memory.put(f"ledger/list%2F1/{row.key}", b"what no entry may be")
    assert in_bucket().find_known([FILE]) == {}


def test_entries_of_another_list_do_not_count(memory: MemoryBucket) -> None:
    upload(in_bucket())
    other = Ledger(PLACE).open("list", attempt_in("run-2"), none_failed)
    assert other.find_known([FILE]) == {}


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


# -- several files, and the steps of one ----------------------------------------------------------


@pytest.fixture
def copies(memory: MemoryBucket) -> list[PlannedFile]:
    """
    Three files: the first has the content of ``OTHER``, the last that of ``FILE``, both of which
    the first run has uploaded; the second has a content of its own.
    """
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


def test_error_about_a_claim_of_another_path_names_both_paths(
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


# -- arguments -------------------------------------------------------------------------------------


class Text(NamedTuple):
    """A ledger, and its ``repr``."""

    name: str
    ledger: Ledger
    text: str


TEXTS = (
    Text("no location", Ledger(), "Ledger(None, on_known_content='fail')"),
    Text(
        "a location",
        Ledger("s3://c@promo/ledger", on_known_content="skip"),
        "Ledger('s3://c@promo/ledger', on_known_content='skip')",
    ),
    Text(
        "a location with a password and a query",
        Ledger("s3://key:very-secret@{{ params.bucket }}/ledger?sig=very-secret"),
        "Ledger('s3://key@{{ params.bucket }}/ledger', on_known_content='fail')",
    ),
)


@pytest.mark.parametrize("row", TEXTS, ids=[row.name for row in TEXTS])
def test_text_of_a_ledger_has_its_arguments_and_no_secret(row: Text) -> None:
    assert repr(row.ledger) == row.text


class Refused(NamedTuple):
    """An argument that makes no sense, and what the error says of it."""

    name: str
    arguments: dict[str, Any]
    problem: str


NO_URL = "is no URL of object storage"
REFUSED = (
    Refused("a local path", {"location": "/ledger"}, NO_URL),
    Refused("an empty location", {"location": ""}, NO_URL),
    Refused("a number", {"location": 5}, NO_URL),
    Refused(
        "a password in the location",
        {"location": "s3://key:very-secret@promo/ledger"},
        "has credentials before the @",
    ),
    Refused(
        "an unknown policy",
        {"on_known_content": "ignore"},
        "on_known_content takes fail, skip or upload, not 'ignore'",
    ),
)


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_argument_that_makes_no_sense_is_refused_when_the_dag_is_parsed(row: Refused) -> None:
    with pytest.raises(WesConfigurationError, match=row.problem) as error:
        Ledger(**row.arguments)
    assert "very-secret" not in str(error.value)


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_template_that_renders_to_what_makes_no_sense_is_refused_when_it_is_opened(
    row: Refused,
) -> None:
    ledger = Ledger(**dict.fromkeys(row.arguments, "{{ params.x }}"))
    vars(ledger).update(row.arguments)
    with pytest.raises(WesConfigurationError, match=row.problem) as error:
        ledger.open(LIST, attempt_in("run-1", AssetStates()), none_failed)
    assert "very-secret" not in str(error.value)
