"""A long list: what became of an upload is found out, in memory that does not grow with the list."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

from support import long_list
from support.serving import serving
from wes_provider.emulator import faults

pytestmark = pytest.mark.long


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize(
    "files", [20_000, pytest.param(100_000, marks=pytest.mark.weekly("a shorter list is as telling"))]
)
@pytest.mark.parametrize(
    ("name", "effect"),
    [(None, True), ("coupons.csv", False)],
    ids=["own_name_with_effect", "users_name_without_effect"],
)
def test_an_unknown_outcome_is_resolved_in_a_long_list(name: str | None, effect: bool, files: int):
    with serving("--set", "limits=null") as (_, emulator):
        emulator.seed_files("list", files, name="seeded-{:06d}.csv", file_url="https://files.example.com/{}.csv")
        emulator.script(statuses=[("SUCCESS", None)])
        emulator.fail("upload_coupon_file", faults.reply_lost(effect=effect), list_id="list")
        connection = emulator.connection(extra={"coupon_files_lag": 1, "read_timeout": 60})
        with multiprocessing.get_context("spawn").Pool(1) as process:
            measured = process.apply(long_list.upload, (connection, "list", name))
        print(measured)
        assert emulator.counts["upload_coupon_file"] == (2 if effect else 3)  # with the one that warms up
        assert emulator.files("list")[-1]["_id"] == measured.file_id
        assert len(emulator.files("list")) == files + 1
        assert measured.megabytes < 8  # the list itself has five, and takes several times as much once it is parsed
