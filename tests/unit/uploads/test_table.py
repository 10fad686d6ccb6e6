"""
At most once: every disaster in every environment, tested here and printed into ``docs/at-most-once-table.md``.

Cells in which any values of three axes occur together run always; of two, if one is the route.
``WES_TEST_WHOLE_TABLE=1`` adds the product of all axes but the order and the other files.
``pytest tests/unit/uploads/test_table.py --rewrite-docs`` prints the table anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support.upload_table import AXES, Cell, Environment, Life, axes_together, covering_cells, product_cells
from wes_provider.retry_policy import RETRY_POLICIES

PAGE = Path(__file__).parents[3] / "docs" / "at-most-once-table.md"
START, END = "<!-- table: start -->\n", "<!-- table: end -->\n"
WHOLE = bool(os.environ.get("WES_TEST_WHOLE_TABLE"))
PLAIN = Cell(*(values[0] for values in AXES.values()))
WORDS = {"uploaded": "one file", "error": "error", "duplicate": "`WesDuplicateError`"}
RECORDS = {"kept": "record", "never had": "no record"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    with Environment.running(tmp_path_factory.mktemp("certificate")) as environment:
        yield environment


CELLS = list(dict.fromkeys([*(product_cells() if WHOLE else ()), *covering_cells(3)]))


def test_any_values_of_three_axes_occur_together():
    for axes in axes_together(3):
        expected = 1
        for axis in axes:
            expected *= len(list(AXES.values())[axis])
        assert len({tuple(cell[axis] for axis in axes) for cell in CELLS}) == expected


@pytest.mark.timeout(0 if WHOLE else 300)
@pytest.mark.parametrize("disaster", AXES["disaster"])
def test_each_upload_is_made_once_or_ends_with_an_error_that_helps(environment: Environment, disaster: str):
    """Nothing is uploaded twice, no error leaves the user alone, and no success is without its own file."""
    problems = []
    for cell in CELLS:
        if cell.disaster == disaster:
            problems += [f"{cell}: {problem}" for problem in Life(environment, cell).run().problems]
    assert problems == []


# -- the table of the docs -------------------------------------------------------------------------


def outcomes(environment: Environment, cell: Cell) -> tuple[str, str]:
    """How the task ends before it is cleared, and after."""
    life = Life(environment, cell).run()
    assert life.problems == []
    uploads = len(life.uploads)
    after = str(life.results[-1])
    return str(life.before_clear), "a new file" if after == "uploaded" and uploads == 2 else WORDS[after]


def rows_of_retries(environment: Environment) -> Iterator[Sequence[str]]:
    yield ["disaster", *(f"{name}, {record}" for name in AXES["name"] for record in RECORDS.values())]
    for disaster in AXES["disaster"][1:]:
        row = [disaster]
        for name in AXES["name"]:
            for record in RECORDS:
                cell = PLAIN._replace(disaster=disaster, name=name, record=record)
                shown, hidden = (
                    WORDS[outcomes(environment, cell._replace(names=names))[0]] for names in ("kept", "not shown")
                )
                row.append(shown if shown == hidden else f"{shown}; names not shown: {hidden}")
        yield row


def rows_of_clears(environment: Environment) -> Iterator[Sequence[str]]:
    yield ["record", "`on_duplicate`", *AXES["name"]]
    for record in AXES["record"]:
        for on_duplicate in AXES["on_duplicate"]:
            cell = PLAIN._replace(record=record, on_duplicate=on_duplicate)
            ends = [outcomes(environment, cell._replace(name=name))[1] for name in AXES["name"]]
            yield [record, f"`{on_duplicate}`", *ends]


def markdown(rows: Iterator[Sequence[str]]) -> str:
    header, *body = rows
    lines = [header, ["---"] * len(header), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


@pytest.mark.skipif(not RETRY_POLICIES, reason="before Airflow 3.3 some errors reach the task under another class")
def test_the_docs_show_the_table(environment: Environment, request: pytest.FixtureRequest):
    table = (
        "After Airflow's retry:\n\n"
        + markdown(rows_of_retries(environment))
        + "\nAfter a clear of a task that had succeeded:\n\n"
        + markdown(rows_of_clears(environment))
    )
    before, _, rest = PAGE.read_text().partition(START)
    shown, _, after = rest.partition(END)
    if request.config.getoption("--rewrite-docs"):
        PAGE.write_text(before + START + table + END + after)
        shown = table
    assert shown == table
