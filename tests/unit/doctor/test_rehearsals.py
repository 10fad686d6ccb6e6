"""Records that say that their files are only checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import file_of
from wes_provider.doctor.rehearsals import rehearsal_in


class Row(NamedTuple):
    """Members of a record, and the one that says so; empty if none does."""

    name: str
    members: dict[str, Any]
    says: str = ""


ROWS = [
    Row("nothing", {"mode": "full"}),
    Row("a value", {"mode": "validate_only"}, "mode is 'validate_only'"),
    Row("a value in other words", {"run": "Dry run"}, "run is 'Dry run'"),
    Row("a member that is true", {"dry_run": True}, "dry_run is 'True'"),
    Row("a member in camel case", {"dryRun": True}, "dryRun is 'True'"),
    Row("below another member", {"job": {"simulation": "on"}}, "job.simulation is 'on'"),
    Row("a member that is false", {"dry_run": False}),
    Row("a member that is none", {"simulated": None}),
    Row("a member that says no", {"dry_run": "no"}),
    Row("the name of the file", {"name": "dry-run.csv"}),
    Row("no coupons added", {"dry_run": True, "added": 0}, "dry_run is 'True'"),
    Row("coupons added", {"dry_run": True, "added": 3}),
    Row("the first of two", {"preview_only": 1, "dry_run": 1}, "preview_only is '1'"),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_record_says_that_its_file_is_only_checked(row: Row) -> None:
    file = file_of({"_id": "f1", "status": "DONE", **row.members})
    assert file is not None
    assert rehearsal_in(file, CountNames()) == row.says
