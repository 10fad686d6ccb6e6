"""
If a list may be a part, larger pages are tried: with the first parameter of a page's size that the
reply names (its next page before its body, as it is spelt), and then with limit, each 1000; beside
parameters of the path. None is tried if the path has a size. If an error of such a page allows
less, that size is tried first, the last error's before others; not if it is below the number of
files that the list says it has. If an error does not know the parameter and names another one, that
is tried with the size that the error allows, or else with 1000. Errors at other paths do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_pages import PATH, TOO_LARGE, files, larger, listed, page_of
from support.doctor_reads import error_body, evidence, probe
from wes_provider.doctor.reads.pages import (
    larger_pages,
)
from wes_provider.doctor.replies.probes import Probe


class Larger(NamedTuple):
    """A list, reads of larger pages, and the paths that are tried."""

    name: str
    reply: Probe
    paths: list[str]
    path: str = PATH
    reads: Sequence[Probe] = ()


LIMIT, PER_PAGE = f"{PATH}?limit=1000", f"{PATH}?per_page=1000"
LARGER = [
    Larger("nothing is named", probe(200, page_of(2)), [LIMIT]),
    Larger("in the body", probe(200, page_of(2, per_page=2)), [PER_PAGE, LIMIT]),
    Larger("below an object", probe(200, page_of(2, m={"per_page": 2})), [PER_PAGE, LIMIT]),
    Larger("as it is spelt", probe(200, page_of(2, pageSize=2)), [f"{PATH}?pageSize=1000", LIMIT]),
    Larger(
        "rows beside a total",
        probe(200, page_of(2, meta={"rows": 2, "numFound": 9})),
        [f"{PATH}?rows=1000", LIMIT],
    ),
    Larger("the usual one", probe(200, page_of(2, limit=2)), [LIMIT]),
    Larger("two", probe(200, page_of(2, per_page=2, size=2)), [PER_PAGE, LIMIT]),
    Larger(
        "in the next page, before the body",
        probe(200, page_of(2, size=2, next="/x?page=2&per_page=2")),
        [PER_PAGE, LIMIT],
    ),
    Larger(
        "in the header",
        probe(200, page_of(2), headers={"link": '</x?per_page=2>; rel="next"'}),
        [PER_PAGE, LIMIT],
    ),
    Larger(
        "in JSON of a header",
        probe(200, files(2), headers={"x-pagination": '{"PageSize": 2}'}),
        [f"{PATH}?PageSize=1000", LIMIT],
    ),
    Larger("beside a parameter", probe(200, []), [f"{PATH}?a=b&limit=1000"], f"{PATH}?a=b"),
    Larger("the path has a size", probe(200, []), [], f"{PATH}?size=5"),
    Larger(
        "an error allows less",
        probe(200, page_of(2)),
        [f"{PATH}?limit=500", LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "two errors, of which the last counts first",
        probe(200, page_of(2, per_page=2)),
        [f"{PATH}?limit=50", f"{PATH}?per_page=500", PER_PAGE, LIMIT],
        reads=[
            larger(TOO_LARGE, PER_PAGE, 400),
            larger(error_body("x", "at most 50"), LIMIT, 400),
        ],
    ),
    Larger(
        "an error beside a parameter",
        probe(200, page_of(2)),
        [f"{PATH}?a=b&limit=500", f"{PATH}?a=b&limit=1000"],
        f"{PATH}?a=b",
        [larger(TOO_LARGE, f"{PATH}?a=b&limit=1000", 400)],
    ),
    Larger(
        "an error at another path",
        probe(200, page_of(2)),
        [LIMIT],
        reads=[larger(TOO_LARGE, "/other?limit=1000", 400)],
    ),
    Larger("an error without a size", probe(200, []), [LIMIT], reads=[larger({}, status=400)]),
    Larger(
        "as many as the list has",
        probe(200, page_of(2, total=500)),
        [f"{PATH}?limit=500", LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "fewer than the list has",
        probe(200, page_of(2, total=501)),
        [LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "at most 1",
        probe(200, page_of(2)),
        [f"{PATH}?limit=1", LIMIT],
        reads=[larger(error_body("x", "at most 1"), status=400)],
    ),
    Larger(
        "an error does not know the parameter, and names another one with its most",
        probe(200, page_of(2)),
        [f"{PATH}?page_size=30", LIMIT],
        reads=[
            larger(error_body("x", "Unknown parameter: limit. Known: page_size (1-30)"), status=400)
        ],
    ),
    Larger(
        "an error does not know the parameter, and names another one alone",
        probe(200, page_of(2)),
        [f"{PATH}?per_page=1000", LIMIT],
        reads=[larger(error_body("x", "limit is not supported: use per_page"), status=400)],
    ),
    Larger(
        "an error of that allows less",
        probe(200, page_of(2)),
        [f"{PATH}?per_page=50", f"{PATH}?per_page=1000", LIMIT],
        reads=[
            larger(error_body("x", "limit is not supported: use per_page"), status=400),
            larger(error_body("x", "per_page is at most 50"), PER_PAGE, 400),
        ],
    ),
    Larger(
        "an error knows the parameter, and speaks of the size",
        probe(200, page_of(2)),
        [f"{PATH}?limit=100", LIMIT],
        reads=[larger(error_body("x", "limit: the size of a page is at most 100"), status=400)],
    ),
    Larger(
        "an error does not know the parameter, and names none",
        probe(200, page_of(2)),
        [LIMIT],
        reads=[larger(error_body("x", "Unknown parameter: limit"), status=400)],
    ),
]


@pytest.mark.parametrize("row", LARGER, ids=[row.name for row in LARGER])
def test_the_likeliest_larger_page_comes_first(row: Larger):
    assert larger_pages(evidence(*row.reads), listed(row.reply, row.path)) == row.paths
