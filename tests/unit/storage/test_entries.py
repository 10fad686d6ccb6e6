"""
Entries of the ledger as objects: those of version 1 stay readable, also with fields of later
versions; one that someone changed is an error and not taken for none. A content stays known by
what is left after somebody deletes entries, in a bucket and in the asset's store, and is not
known if none is left. A later claim has the number after what is left.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from support.ledgers import (
    CLAIM_NAME,
    FILE,
    LIST,
    OTHER,
    PLACE,
    RESULT_NAME,
    AssetStates,
    claim,
    in_asset_store,
    in_bucket,
    look_up,
    upload,
)
from support.memory_bucket import MemoryBucket
from wes_provider.storage.errors import WesKnownContentError, WesStorageError
from wes_provider.storage.ledger import ListLedger

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
