"""What is kept of an upload, and read by later versions."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from support.attempts import Store
from wes_provider.models import CouponFile
from wes_provider.uploads.record import RecordStore, UploadRecord

VERSION_1: dict[str, Any] = {
    "version": 1,
    "generation": 3,
    "name": "eca408eaefc51768-g3-8eb5c3-shop.replenish.csv",
    "label": "https://files.example.com/coupons.csv",
    "key": "https://files.example.com/coupons.csv",
    "url": "https://files.example.com/coupons.csv",
    "named": False,
    "known": [],
    "sent_at": 1700000000.5,
    "try_number": 1,
    "max_tries": 3,
    "attempt_generation": 3,
    "clear_number": 0,
    "status_code": 201,
    "refused": False,
    "file": {"id": "5f", "coupon_list_id": "list", "name": "n", "status": "PENDING"},
    "ended": True,
}


def test_a_record_of_version_1_is_read_and_written():
    assert UploadRecord.from_dict(VERSION_1).to_dict() == VERSION_1


def test_unknown_keys_are_ignored_and_later_ones_have_defaults():
    old = {key: value for key, value in VERSION_1.items() if key not in ("ended", "clear_number")}
    record = UploadRecord.from_dict({**old, "version": 7, "of a later version": {"a": 1}})
    assert not record.ended
    assert record.generation == 3


def test_known_files_may_be_unknown():
    assert UploadRecord.from_dict({**VERSION_1, "known": None}).known is None


@given(st.booleans(), st.booleans(), st.none() | st.integers(100, 599))
def test_what_is_outstanding_or_accepted(refused: bool, with_file: bool, status: int | None):
    file = VERSION_1["file"] if with_file else None
    record = UploadRecord.from_dict({**VERSION_1, "refused": refused, "file": file, "status_code": status})
    assert record.outstanding is not (refused or with_file)
    assert record.accepted is (status is not None and 200 <= status < 300)


def test_records_are_kept_for_each_list_and_part():
    store = Store()
    records = RecordStore(store)
    record = UploadRecord.from_dict(VERSION_1)
    records.save("list", "a", record)
    assert records.load("list", "a") == record
    assert records.load("list", "b") is None
    assert records.load("other", "a") is None
    records.mark_ended("list", "b")
    assert len(store.values) == 1
    records.save("list", "a", record.with_file(CouponFile("6a", status="DONE"), ended=False))
    records.mark_ended("list", "a")
    kept = records.load("list", "a")
    assert kept is not None
    assert kept.ended
    assert CouponFile.from_summary(kept.file or {}) == CouponFile("6a", status="DONE")
    json.dumps(store.values)


def test_without_a_store_nothing_is_kept():
    records = RecordStore(None)
    records.save("list", "", UploadRecord.from_dict(VERSION_1))
    assert records.load("list", "") is None
