"""The codes of a file, counted by DuckDB within bounded memory. No message shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from wes_provider.coupon_headers import NO_VALUES
from wes_provider.coupon_records import RefusedError
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.codes import CONTINUED
from wes_provider.storage.layout import Layout
from wes_provider.storage.likeness import describe_unlike_codes, is_rare
from wes_provider.storage.lines import EXAMPLES, describe_lines
from wes_provider.storage.rules import Rules
from wes_provider.texts import counted, shown

__all__ = ["CodeTable", "Counts", "open_database"]

MEMORY: Final = "192MB"
# A space at the beginning or the end of a line.
SPACE_AROUND_CODE: Final = re.compile("(?:^|\n) | (?:\n|$)")
BLANK: Final = r"regexp_full_match(code, '[\p{Z}\x09-\x0d\x1c-\x1f\x{85}]*')"
# As most codes are, so that one expression settles what else would take seven.
PLAIN: Final = "regexp_full_match(code, '[A-Za-z0-9][A-Za-z0-9_-]*')"
DAMAGED: Final = "that an export damaged: 1.2E+15, control or invisible characters"
LOST: Final = "with U+FFFD in place of a character that was lost"
OF_SPREADSHEET: Final = "like a formula or an error of a spreadsheet: =..., #REF!, #N/A"
WRITTEN: Final = (
    "as a program, a spreadsheet or a list writes values: '...', `...`, [...], '123, - ..., {{...}}"
)
PUNCTUATION: Final = "of nothing but punctuation"
OF_DATABASE: Final = "like the last line of a database's output: (2 rows)"
MARKUP: Final = "with a tag of HTML or XML, as in the page of an error"
NO_VALUE: Final = "that may stand for no value: NULL, nan, None (if they are codes, set max_unlike)"
UNLIKE: Final = (
    "unlike the others, such as a message or a value that is none (if they are codes, set "
    "max_unlike)"
)
# Characters that no reader sees, though Unicode calls them letters, marks or symbols: fillers,
# variation selectors (which phones append), an empty Braille pattern; and what is no character.
UNSEEN: Final = (
    r"\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{2800}\x{3164}\x{fdd0}-\x{fdef}"
    r"\x{fe00}-\x{fe0f}\x{ffa0}\x{fffc}\x{fffe}\x{ffff}\x{e0100}-\x{e01ef}"
)
# What people cannot see, or tell from a space; and an ideographic space around a code.
INVISIBLE: Final = (
    rf"[{UNSEEN}\p{{C}}\p{{Zl}}\p{{Zp}}\x{{a0}}\x{{1680}}\x{{2000}}-\x{{200a}}\x{{202f}}\x{{205f}}]"
    r"|^\x{3000}|\x{3000}$"
)
EXPONENT: Final = r"^\d([.,]\d+)?[Ee]\+\d+$"
# In whatever language the spreadsheet is; Err:504 is of LibreOffice.
SPREADSHEET_ERROR: Final = (
    r"^=|^#[\p{Lu}\d¡/_ ]+[!?]$|^#\p{L}{1,2}/\p{L}{1,2}$|^#NV$|^#[A-Z]+_DATA$|^Err:\d{3}$"
)
DATABASE_FOOTER: Final = (
    r"^\(\d+ [\p{L} ]+\)$|^(?i:\d+ (rows?|row\(s\)|records?)\b.*)$"
    r"|^(COPY|SELECT|FETCH|INSERT 0|UPDATE|DELETE|MOVE) \d+$"
)
# Lists and strings of programs, in whatever quotes; bullets of a list; templates, not rendered.
WRITTEN_VALUE: Final = (
    r"^\[.*\]$|^[ub]?\x27.*\x27,?$|^`.*`$|^[“”„‚‘’«‹].*[“”’‘»›]$|^\x27[\d.]+$"
    r"|^[-*•+] |^\{\{.*\}\}$"
)
TAG: Final = r"(?i:^<(!|\?|/|html|head|body|br|b>|p>|h\d|hr|div|pre|center)|</\w+>)"


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
    :ivar only_if_rare: whether many codes may have it, and few may not.
    :ivar most: how many codes may have it, however many there are.
    """

    text: str
    condition: str
    may_be_plain: bool = False
    only_if_rare: bool = False
    most: int = 0


def problems_of_codes(rules: Rules, layout: Layout) -> list[Problem]:
    """
    List the problems that a code may have.

    A code gets the first problem whose condition holds, also if that is not reported then
    (``only_if_rare``, ``most``). So new rows stand before those.
    """
    return [
        Problem(
            f"of fewer than {rules.min_length} or more than {rules.max_length} bytes",
            f"strlen(code) NOT BETWEEN {rules.min_length} AND {rules.max_length}",
            may_be_plain=True,
        ),
        Problem(DAMAGED, f"regexp_matches(code, '{INVISIBLE}|{EXPONENT}')"),
        Problem(LOST, r"regexp_matches(code, '\x{FFFD}')"),
        Problem(OF_SPREADSHEET, f"regexp_matches(code, '{SPREADSHEET_ERROR}')"),
        Problem(OF_DATABASE, f"regexp_matches(code, '{DATABASE_FOOTER}')"),
        Problem(MARKUP, f"regexp_matches(code, '{TAG}')"),
        Problem(WRITTEN, f"regexp_matches(code, '{WRITTEN_VALUE}')"),
        Problem(PUNCTUATION, r"regexp_matches(code, '^[ -/:-@\[-`{-~]+$')"),
        Problem(
            "equal to the header",
            f"lower(code) = {_quote(layout.header.lower())}",
            may_be_plain=True,
        ),
        Problem(
            NO_VALUE,
            f"lower(code) IN ({', '.join(map(_quote, NO_VALUES))})",
            may_be_plain=True,
            only_if_rare=True,
            most=rules.max_unlike,
        ),
        Problem(
            UNLIKE,
            describe_unlike_codes(layout.first_codes),
            only_if_rare=True,
            most=rules.max_unlike,
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


def _case(condition: str, kind: int) -> str:
    """Return the part of an SQL CASE that gives a line its kind."""
    return f"WHEN {condition} THEN {kind}"


class CodeTable:
    """
    A table of a file's lines, each with the hash of its code (64 bits) and the kind of its problem.

    :param connection: to an empty database.
    :param rules: what codes have to be.
    :param layout: of the file; the table begins with its first code.
    """

    def __init__(self, connection: Any, rules: Rules, layout: Layout) -> None:
        self._connection = connection
        self._rules = rules
        self._header = layout.header
        self._lines_before = layout.lines_before
        self._problems = problems_of_codes(rules, layout)
        connection.execute("CREATE TABLE lines (hash UBIGINT, kind UTINYINT)")

    def add(self, codes: str) -> None:
        """Add the codes of some lines, with line feeds between them."""
        of_lines = [
            _case(f"code = chr({ord(CONTINUED)})", CONTINUED_LINE),
            _case(BLANK, BLANK_LINE),
        ]
        of_problems = [
            _case(problem.condition, kind)
            for kind, problem in enumerate(self._problems, FIRST_PROBLEM)
        ]
        cases = [*of_lines, *of_problems]
        plain_cases = [
            case
            for case, problem in zip(of_problems, self._problems, strict=True)
            if problem.may_be_plain
        ]
        parameters = {"codes": codes}
        code = "unnest(string_split($codes, chr(10)))"
        # Most files have no spaces there, and DuckDB takes as long to trim as for all the rest.
        if _has_space_around_code(codes):
            code = f"trim({code}, ' ')"
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
        kinds = self._connection.execute(COUNT_KINDS).fetchall()
        numbers: dict[int | None, int] = {kind: number for kind, number, _ in kinds}
        blank_lines = numbers.pop(BLANK_LINE, 0)
        numbers.pop(CONTINUED_LINE, 0)
        codes = sum(numbers.values())
        problems: list[str] = []
        for kind, number, rows in kinds:
            if kind is None or kind < FIRST_PROBLEM:
                continue
            problem = self._problems[kind - FIRST_PROBLEM]
            is_usual = problem.only_if_rare and not is_rare(number, codes)
            if number > problem.most and not is_usual:
                problems.append(self._describe(problem.text, number, rows))
        duplicates, rows = self._connection.execute(COUNT_DUPLICATES).fetchone()
        if duplicates > self._rules.max_duplicates:
            problems.append(self._describe("found earlier in the file", duplicates, rows))
        problems += self._check_number(codes)
        return Counts(codes, duplicates, blank_lines), problems

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
    # A quick look, which most files need no more than.
    if " " not in codes:
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
