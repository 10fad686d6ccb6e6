"""One reading of a list: what is kept of it, and when it counts as incomplete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from wes_provider.client.listing import CouponFileListing
from wes_provider.uploads.list_reader import MOST_DOUBTFUL, ListReader
from wes_provider.uploads.recognition import Listing
from wes_provider.uploads.request import UploadRequest

REQUEST = UploadRequest.of("list", {"file_url": "https://files.example.com/a.csv"})
OURS = "eca408eaefc51768-g3-8eb5c3-1d7b0e-shop.replenish.csv"


def reader(names: list[str | None], incomplete: str = "") -> ListReader:
    """Of a list whose files have these names."""

    def search(coupon_list_id: str, keep: Callable[[Mapping[str, Any]], bool]) -> CouponFileListing:
        assert coupon_list_id == "list"
        files = [record for name in names if keep(record := {"name": name})]
        return CouponFileListing(files, len(names), not incomplete, incomplete)

    return ListReader(SimpleNamespace(hook=SimpleNamespace(search_coupon_files=search)), [REQUEST])


def named(text: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda record: text in str(record["name"])


def test_of_files_that_may_be_it_ten_thousand_are_kept():
    for files in (MOST_DOUBTFUL, MOST_DOUBTFUL + 1):
        listing = reader(["it", *["doubtful"] * files, "other", "it"]).read(REQUEST, named("it"), named("doubtful"))
        assert len(listing.records) == MOST_DOUBTFUL + 2
        assert listing.incomplete == ("too many files may be it" if files > MOST_DOUBTFUL else "")


@pytest.mark.parametrize(
    ("names", "shown", "kept"),
    [([], True, False), ([None, ""], False, False), ([None, "a.csv"], True, False), ([OURS, None], True, True)],
    ids=["empty", "no names", "a name", "a name of ours"],
)
def test_a_list_shows_whether_it_shows_names_and_keeps_ours(names: list[str | None], shown: bool, kept: bool):
    of = reader(names, "cut")
    assert of.read(REQUEST, lambda record: False) == Listing([], "cut", shown, kept)
    assert of.count == len(names)
