"""
The number of all files is the largest whole number that the body or a header in JSON calls a total
or a count, in any spelling and depth, or that Content-Range has, such as items 0-1/7. Strings,
sizes of pages (rows beside a total, too) and ranges of bytes do not count. The unit of a list's
parts is that of Content-Range, or else of Accept-Ranges; bytes and none are no units. The next page
is a link with rel="next", then a text in a member of the body's top whose name has "next".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_pages import files, listed, page_of
from support.doctor_reads import probe
from wes_provider.doctor.reads.pages import (
    next_pages,
    range_unit,
    total_of,
)


class Total(NamedTuple):
    """What a list says beside its files and in its header, and how many it has as a whole."""

    name: str
    total: int | None
    beside: Mapping[str, Any] = {}
    header: str = ""


TOTAL = [
    Total("not said", None),
    Total("total", 9, {"total": 9}),
    Total("nested, by any spelling", 9, {"meta": {"Total-Items": 9}}),
    Total("0", 0, {"total": 0}),
    Total("the largest of several", 12, {"total": 9, "count": 12, "x_total": 2}),
    Total("a string", None, {"total": "9"}),
    Total("a boolean", None, {"total": True}),
    Total("a size", None, {"limit": 9}),
    Total("the header", 7, header="items 0-1/7"),
    Total("the header in capitals", 7, header="ITEMS 0-1/7"),
    Total("the header of an empty part", 7, header="items */7"),
    Total("a header of larger numbers", 70, header="items 10-19/70"),
    Total("the header does not know", None, header="items 0-1/*"),
    Total("bytes", None, header="bytes 0-1/7"),
    Total("bytes in capitals", None, header="Bytes 0-1/7"),
    Total("no unit", None, header="0-1/7"),
    Total("no end", None, header="items 0/7"),
    Total("the header has more", 12, {"total": 9}, "items 0-1/12"),
    Total("rows beside it", 2, {"meta": {"rows": 20, "numFound": 2}}),
    Total("rows alone", 20, {"rows": 20}),
    Total("the body has more", 9, {"total": 9}, "items 0-1/7"),
]


@pytest.mark.parametrize("row", TOTAL, ids=[row.name for row in TOTAL])
def test_the_number_of_all_files_is_read(row: Total):
    headers = {"content-range": row.header} if row.header else {}
    assert total_of(listed(probe(200, page_of(2, **row.beside), headers=headers))) == row.total


def test_the_number_of_all_files_is_read_from_json_of_a_header():
    reply = probe(200, files(2), headers={"x-pagination": '{"TotalCount": 9, "PageSize": 2}'})
    assert total_of(listed(reply)) == 9


class Unit(NamedTuple):
    """Headers of a list, and the unit of its parts."""

    headers: Mapping[str, str]
    unit: str


UNITS = [
    Unit({}, ""),
    Unit({"content-range": "items 0-1/7"}, "items"),
    Unit({"content-range": "coupon-files 0-1/*"}, "coupon-files"),
    Unit({"content-range": "bytes 0-1/7"}, ""),
    Unit({"accept-ranges": " Items "}, "items"),
    Unit({"accept-ranges": "bytes"}, ""),
    Unit({"accept-ranges": "Bytes"}, ""),
    Unit({"accept-ranges": "none"}, ""),
    Unit({"accept-ranges": "x", "content-range": "items 0-1/7"}, "items"),
    Unit({"accept-ranges": "none", "content-range": "items 0-1/7"}, "items"),
]


@pytest.mark.parametrize("row", UNITS, ids=[str(row.headers) for row in UNITS])
def test_the_unit_of_parts_is_read(row: Unit):
    assert range_unit(listed(probe(200, page_of(2), headers=row.headers))) == row.unit


class Next(NamedTuple):
    """A header Link and a body, and the next pages that they name."""

    name: str
    urls: list[str]
    link: str = ""
    body: Any = ()


NEXT = [
    Next("nothing", []),
    Next("a link", ["/x?page=2"], '</x?page=2>; rel="next"'),
    Next("without quotes", ["/x"], "</x>; rel=next"),
    Next("the second link", ["/y"], '</x>; rel="prev", </y>; rel="next"'),
    Next("another link", [], '</x>; rel="prev"'),
    Next("a member", ["/x"], body={"next": "/x"}),
    Next("by any spelling", ["/x"], body={"hasNEXTUrl": "/x"}),
    Next("another member", [], body={"url": "/x"}),
    Next("no string", [], body={"next": 7, "has_next": True}),
    Next("nested", [], body={"links": {"next": "/x"}}),
    Next("both", ["/x", "/y"], "</x>; rel=next", {"next": "/y"}),
    Next("an array", [], body=["next"]),
]


@pytest.mark.parametrize("row", NEXT, ids=[row.name for row in NEXT])
def test_the_next_page_is_named_by_a_link_or_a_member(row: Next):
    headers = {"link": row.link} if row.link else {}
    assert next_pages(probe(200, row.body, headers=headers)) == row.urls
