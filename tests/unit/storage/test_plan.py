"""Plans of uploads: what is left out, and what is counted."""

from __future__ import annotations

from wes_provider.storage.plan import PlannedFile, leave_out_files, read_plan, write_plan
from wes_provider.storage.stores import Entry


def file(name: str, sha256: str, codes: int) -> PlannedFile:
    return PlannedFile(path=f"s3://promo/{name}.csv", sha256=sha256, codes=codes)


KNOWN = Entry(
    sha256="k", number=1, coupon_list_id="l", path="p", etag="", codes=1, by="t", coupon_file_id="f"
)
FILES = (
    file("known", "k", 1),
    file("first", "a", 10),
    file("second", "a", 10),
    file("not-fetched", "", 0),
    file("not-fetched-either", "", 0),
    file("other", "b", 100),
)


def test_plan_counts_the_codes_of_the_files_that_are_uploaded() -> None:
    plan = write_plan("l", leave_out_files(FILES, {0: KNOWN}), now=0)
    assert plan["codes"] == 110
    assert [planned.skipped for planned in read_plan(plan)] == [
        "the list has its content as coupon file f",
        None,
        "s3://promo/first.csv has the same content",
        None,
        None,
        None,
    ]


def test_plan_without_a_file_to_upload_has_no_last_upload() -> None:
    plan = write_plan("l", leave_out_files(FILES[:1], {0: KNOWN}), now=0)
    assert (plan["codes"], plan["last_upload_at"]) == (0, None)
