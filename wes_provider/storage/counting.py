"""The codes of a file, counted by DuckDB within bounded memory. No message shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.codes import CONTINUED
from wes_provider.storage.reading import RefusedError
from wes_provider.storage.records import EXAMPLES, describe_lines
from wes_provider.storage.rules import Rules
from wes_provider.texts import counted, shown

__all__ = ["CodeTable", "Counts", "open_database"]

MEMORY: Final = "192MB"
# What may stand around a code; blank lines may also have control characters that are white space.
SPACES: Final = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
# Such a character at the beginning or the end of a line.
SPACE_AROUND_CODE: Final = re.compile(f"(?:^|\n)[{SPACES}]|[{SPACES}](?:\n|$)")
BLANK: Final = r"regexp_full_match(code, '[\p{Z}\x09-\x0d\x1c-\x1f\x{85}]*')"
# As most codes are, so that one expression settles what else would take seven.
PLAIN: Final = "regexp_full_match(code, '[A-Za-z0-9][A-Za-z0-9_-]*')"
DAMAGED: Final = "that an export damaged: 1.2E+15, control or invisible characters"
LOST: Final = "with U+FFFD in place of a character that was lost"
OF_SPREADSHEET: Final = "like a formula or an error of a spreadsheet: =..., #REF!, #N/A"
PUNCTUATION: Final = "of nothing but punctuation"
OF_DATABASE: Final = "like the last line of a database's output: (2 rows)"


class Counts(NamedTuple):
    """How many codes a file has, how many of them occur earlier in it, and its blank lines."""

    codes: int
    duplicates: int
    blank_lines: int


class Problem(NamedTuple):
    """
    What a code may not be.

    :ivar text: what messages say after "has 3 codes".
    :ivar condition: which codes have it, in DuckDB's SQL; ``code`` has no spaces around it.
    :ivar may_be_plain: whether a code that is :data:`PLAIN` may have it.
    """

    text: str
    condition: str
    may_be_plain: bool = False


def problems_of_codes(rules: Rules, header: str) -> list[Problem]:
    """
    List the problems that a code may have by itself; of several, the first is reported.

    :param header: the name of the codes' column; empty if there is none.
    """
    return [
        Problem(
            f"of fewer than {rules.min_length} or more than {rules.max_length} bytes",
            f"strlen(code) NOT BETWEEN {rules.min_length} AND {rules.max_length}",
            may_be_plain=True,
        ),
        Problem(DAMAGED, r"regexp_matches(code, '[\p{C}\p{Zl}\p{Zp}]|^\d([.,]\d+)?[Ee]\+\d+$')"),
        Problem(LOST, r"regexp_matches(code, '\x{FFFD}')"),
        Problem(
            # In whatever language the spreadsheet is.
            OF_SPREADSHEET,
            r"regexp_matches(code, '^=|^#[\p{Lu}\d¡/_ ]+[!?]$|^#\p{L}{1,2}/\p{L}{1,2}$')",
        ),
        Problem(OF_DATABASE, r"regexp_matches(code, '^\(\d+ [\p{L} ]+\)$')"),
        Problem(PUNCTUATION, r"regexp_matches(code, '^[ -/:-@\[-`{-~]+$')"),
        Problem(
            "equal to the header", f"lower(code) = {_quote(header.lower())}", may_be_plain=True
        ),
    ]


# -- the table -------------------------------------------------------------------------------------

# The kinds of lines in the table: NULL is a code without a problem, and the problems follow these.
CONTINUED_LINE: Final = 0
BLANK_LINE: Final = 1
FIRST_PROBLEM: Final = 2

COUNT_KINDS: Final = f"""
    SELECT kind, count(*), min(rowid, {EXAMPLES}) FROM lines GROUP BY kind ORDER BY kind
"""  # noqa: S608 - nothing of a file is in it
COUNT_DUPLICATES: Final = f"""
    SELECT coalesce(sum(more), 0)::BIGINT, min(last, {EXAMPLES})
    FROM (
        SELECT count(*) - 1 AS more, max(rowid) AS last
        FROM lines
        WHERE kind IS NULL OR kind >= {FIRST_PROBLEM}
        GROUP BY hash
        HAVING more > 0
    )
"""  # noqa: S608 - nothing of a file is in it


class CodeTable:
    """
    A table of a file's lines, each with the hash of its code (64 bits) and the kind of its problem.

    :param connection: to an empty database.
    :param rules: what codes have to be.
    :param header: the name of the codes' column; empty if there is none.
    :param lines_before: how many lines are before the first one of the table.
    """

    def __init__(self, connection: Any, rules: Rules, header: str, lines_before: int) -> None:
        self._connection = connection
        self._rules = rules
        self._header = header
        self._lines_before = lines_before
        self._problems = problems_of_codes(rules, header)
        connection.execute("CREATE TABLE lines (hash UBIGINT, kind UTINYINT)")

    def add(self, codes: str) -> None:
        """Add the codes of some lines, with line feeds between them."""
        conditions = [f"code = chr({ord(CONTINUED)})", BLANK]
        conditions += [problem.condition for problem in self._problems]
        cases = [f"WHEN {condition} THEN {kind}" for kind, condition in enumerate(conditions)]
        plain_cases = [
            case
            for case, problem in zip(cases[FIRST_PROBLEM:], self._problems, strict=True)
            if problem.may_be_plain
        ]
        parameters = {"codes": codes}
        code = "unnest(string_split($codes, chr(10)))"
        # Most files have no spaces there, and DuckDB takes as long to trim as for all the rest.
        if _has_space_around_code(codes):
            code = f"trim({code}, $spaces)"
            parameters["spaces"] = SPACES
        self._connection.execute(
            f"""
            INSERT INTO lines
            SELECT hash(code), CASE
                WHEN {PLAIN} THEN CASE {" ".join(plain_cases)} END
                {" ".join(cases)}
            END
            FROM (SELECT {code} AS code)
            """,  # noqa: S608 - no text of the file but the header, which is quoted
            parameters,
        )

    def count(self) -> tuple[Counts, list[str]]:
        """Count the codes, and say what is wrong with them."""
        numbers: dict[int | None, int] = {}
        problems: list[str] = []
        for kind, number, rows in self._connection.execute(COUNT_KINDS).fetchall():
            numbers[kind] = number
            if kind is not None and kind >= FIRST_PROBLEM:
                problem = self._problems[kind - FIRST_PROBLEM]
                problems.append(self._describe(problem.text, number, rows))
        duplicates, rows = self._connection.execute(COUNT_DUPLICATES).fetchone()
        if duplicates > self._rules.max_duplicates:
            problems.append(self._describe("found earlier in the file", duplicates, rows))
        blank_lines = numbers.pop(BLANK_LINE, 0)
        numbers.pop(CONTINUED_LINE, 0)
        counts = Counts(sum(numbers.values()), duplicates, blank_lines)
        problems += self._check_number(counts.codes)
        return counts, problems

    def _check_number(self, codes: int) -> list[str]:
        if self._rules.min_codes <= codes <= self._rules.max_codes:
            return []
        after = ""
        if self._header:
            after = " after its header (if that is a code, set Preflight(header=False))"
        limits = f"min_codes={self._rules.min_codes} to max_codes={self._rules.max_codes}"
        return [f"has {counted(codes, 'code')}{after}, not {limits}"]

    def _describe(self, text: str, number: int, rows: Sequence[int]) -> str:
        """Say how many codes have a problem, and in which lines the first of them are."""
        lines = [row + self._lines_before + 1 for row in sorted(rows)]
        return f"has {counted(number, 'code')} {text} {describe_lines(number, lines)}"


def _has_space_around_code(codes: str) -> bool:
    # Two quick looks, which most files need no more than.
    if codes.isascii() and " " not in codes:
        return False
    return SPACE_AROUND_CODE.search(codes) is not None


@contextmanager
def open_database(path: Path) -> Iterator[Any]:
    """
    Open a database in memory, which may spill into a folder beside a file.

    :raises WesConfigurationError: if DuckDB is not installed.
    :raises RefusedError: if memory or disk do not suffice.
    """
    try:
        import duckdb
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs duckdb, which cannot be imported.\n"
            "Install airflow-provider-wes[storage]; preflight=False uploads files "
            f"unchecked.\n{shown(str(error))}"
        ) from error
    config: dict[str, Any] = {
        "memory_limit": MEMORY,
        "threads": 1,
        "temp_directory": f"{path}.tmp",
        "autoinstall_known_extensions": "false",
    }
    with duckdb.connect(config=config) as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            yield connection
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            raise RefusedError(
                f"cannot be counted within {MEMORY} of memory and the worker's temporary folder "
                f"({type(error).__name__}). Split it"
            ) from None


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
