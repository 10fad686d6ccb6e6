"""
What a task finds in the ledger of a content (``docs/storage-reference.md``, *Ledger*). The newest
entry decides that was not given back: another task's upload refuses the content for good, with
who uploaded it, another's claim refuses it until a retry, and the task's own entry of the same
file lets it go on. An upload whose coupon file has failed processing does not count, nor does an
entry of another list or content. With ``on_known_content="skip"``, known files are left out, and
with ``upload`` they are uploaded again. Without conditional writes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from support.ledgers import (
    BY_FIRST,
    FILE,
    LIST,
    OTHER,
    PLACE,
    attempt_in,
    claim,
    in_bucket,
    look_up,
    none_failed,
    upload,
)
from support.memory_bucket import MemoryBucket
from wes_provider.exceptions import WesDuplicateError
from wes_provider.storage import Ledger
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError
from wes_provider.storage.ledger import (
    Asker,
    ClaimedBy,
    Free,
    ListLedger,
    Ours,
    Standing,
    Uploaded,
    standing,
)
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.stores import Entry


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
    stands = standing(entries, Asker("me"), "a")
    assert type(stands) is row.standing
    assert (None if isinstance(stands, Free) else stands.entry.number) == row.number


class Whose(NamedTuple):
    """
    An upload by a task of our name, and what it means for one of us.

    :ivar workspace: of the entry, and ``ours`` of the asker.
    :ivar started: when the entry's run started; the asker's started at 2.
    :ivar never_cleared: whether the asker's run was definitely never cleared.
    """

    name: str
    standing: type[Standing]
    workspace: str = ""
    ours: str = ""
    started: int | None = None
    never_cleared: bool = True


WHOSE = (
    Whose("of the same account", Ours, "w", "w"),
    Whose("of another account", Free, "w", "v"),
    Whose("of an account that was not noted", Ours, "", "v"),
    Whose("asked without an account, as by a plan", Ours, "w", ""),
    Whose("of the same run", Ours, started=2),
    Whose("of a run that was deleted and created again", Uploaded, started=1),
    Whose("of a run whose start a clear may have moved", Ours, started=1, never_cleared=False),
    Whose("of a run whose start was not noted", Ours, started=None),
)


@pytest.mark.parametrize("row", WHOSE, ids=[row.name for row in WHOSE])
def test_an_upload_is_ours_by_its_account_and_the_start_of_its_run(row: Whose) -> None:
    entry = Entry(
        sha256="0",
        number=1,
        coupon_list_id=LIST,
        path="a",
        etag="",
        codes=1,
        by="me",
        state="uploaded",
        workspace=row.workspace,
        run_started=row.started,
    )
    asker = Asker("me", row.ours, 2, row.never_cleared)
    assert type(standing([entry], asker, "a")) is row.standing


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


def test_entries_of_another_list_do_not_count(memory: MemoryBucket) -> None:
    upload(in_bucket())
    other = Ledger(PLACE).open("list", attempt_in("run-2"), none_failed)
    assert other.find_known([FILE]) == {}


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
