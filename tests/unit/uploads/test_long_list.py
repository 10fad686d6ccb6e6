"""A list of 100,000 files: what became of an upload is found out, in memory that does not grow with the list."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

from support import long_list
from support.serving import serving
from wes_provider.emulator import faults

FILES = 100_000

pytestmark = pytest.mark.long


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("name", "effect"),
    [(None, True), ("coupons.csv", False)],
    ids=["own_name_with_effect", "users_name_without_effect"],
)
def test_an_unknown_outcome_is_resolved_in_a_list_of_100_000_files(name: str | None, effect: bool):
    with serving("--set", "limits=null") as (_, emulator):
        emulator.seed_files("list", FILES, name="seeded-{:06d}.csv", file_url="https://files.example.com/{}.csv")
        emulator.script(statuses=[("SUCCESS", None)])
        emulator.fail("upload_coupon_file", faults.reply_lost(effect=effect), list_id="list")
        connection = emulator.connection(extra={"coupon_files_lag": 1, "read_timeout": 60})
        with multiprocessing.get_context("spawn").Pool(1) as process:
            measured = process.apply(long_list.upload, (connection, "list", name))
        print(measured)
        assert emulator.counts["upload_coupon_file"] == (2 if effect else 3)  # with the one that warms up
        assert emulator.files("list")[-1]["_id"] == measured.file_id
        assert len(emulator.files("list")) == FILES + 1
        assert measured.megabytes < 64
