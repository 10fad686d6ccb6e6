"""
What is in a coupon file: read and counted by DuckDB, within bounded memory. No message shows a
code.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.files import PlannedFile
from wes_provider.texts import counted, shown

__all__ = ["Rules", "read_content"]

MEMORY: Final = "192MB"
EXAMPLES: Final = 10
BEGINNING: Final = 64 * 1024  # bytes that are looked at to recognise a file; also the longest line
BOM: Final = "\ufeff"
ARGUMENTS: Final = (
    "If it is right, say how to read it: Preflight(delimiter=..., header=..., column=...)"
)
# Of a column, without separators between words; in English and widespread languages.
NAME: Final = re.compile(
    r".*(codes?|kode|kodu?|kody|c[oó]digos?|codice|codici|коды?|coupons?|vouchers?|gutscheine?|kupon|cup[oó]n|cupom)"
    r"(id|no|nr|num(ber|mer|ero)?)?s?",
    re.IGNORECASE,
)
NOT_CODES: Final = {  # what no list of codes begins with, in small letters
    ("<",): "is markup such as HTML or XML, not a list of codes",
    ("{", "[{", '["'): "is JSON or RTF, not a list of codes",
    ("%pdf",): "is a PDF, not a list of codes",
    ("sep=", "# "): "starts with a comment, or a line for Excel, before its header. Remove it",
    ("version https://git-lfs",): "is a pointer of Git LFS. Fetch the file",
    ("-----begin",): "is an encrypted or signed text. Decrypt it",
    ("error:", "internal server error", "access denied", "not found"): "is the message of an error",
    (
        "pk\x03",
        "pk\x05",
    ): "is a ZIP archive or an Excel workbook. Unpack it, or export it as text in UTF-8",
    ("\x1f",): "is a gzip archive, and its name does not end with .gz",
}
DAMAGED: Final = (
    "that an export damaged: 1.2E+15, control or invisible characters, or a quote "
    "that is not closed"
)

Count = Annotated[int, Meta(ge=0)]


class Rules(msgspec.Struct, kw_only=True):
    """
    What a file's content has to be; :class:`~wes_provider.storage.Preflight` describes the fields.
    """

    header: bool | None = None
    column: Annotated[int, Meta(ge=1)] | str | None = None
    delimiter: Annotated[str, Meta(pattern="^[^\r\n\"']$")] | None = None
    min_codes: Count = 1
    max_codes: Count = contract.LIST_COUPONS
    min_length: Count = 1
    max_length: Count = 100
    max_duplicates: Count = 0

    def __post_init__(self) -> None:
        if self.min_codes > self.max_codes or self.min_length > self.max_length:
            raise ValueError("a least number is more than the most")
        if self.header is False and isinstance(self.column, str):
            raise ValueError("header=False leaves no name for its column. Give its number")


def read_content(path: Path, rules: Rules, found: PlannedFile) -> list[str]:
    """
    Check a file's content, which is on this machine, and note what is ``found``.

    :return: the reasons not to upload it, each to be read after the file's name.
    """
    try:
        import duckdb
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs duckdb, which cannot be imported.\n"
            "Install airflow-provider-wes[storage]; preflight=False uploads files "
            f"unchecked.\n{shown(str(error))}"
        ) from error
    config: Any = {"memory_limit": MEMORY, "threads": 1, "temp_directory": f"{path}.tmp"}
    zipped = found.path.lower().endswith(".gz")
    with duckdb.connect(config={**config, "autoinstall_known_extensions": "false"}) as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            return _count(connection, *_find_codes(connection, path, zipped, rules), rules, found)
        except _RefusedError as problem:
            return [str(problem)]
        except duckdb.Error as error:
            return [_unreadable(str(error))]


class _RefusedError(Exception):
    """Reading on would show nothing more."""


def _beginning(path: Path, zipped: bool) -> str:
    """The beginning of a file, as text; refused if it is surely no list of codes."""
    try:
        with gzip.open(path) if zipped else path.open("rb") as file:
            data = file.read(BEGINNING)
    except (OSError, EOFError):
        raise _RefusedError("is no gzip archive, as its name says, or a damaged one") from None
    text = data.decode(errors="replace")
    start = text.lstrip(BOM + " \t\r\n\"'").lower()
    if not start:
        raise _RefusedError("has only blank lines" if data else "is empty")
    for beginnings, problem in NOT_CODES.items():
        if start.startswith(beginnings):
            raise _RefusedError(problem)
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _RefusedError("is binary, or text in UTF-16 or UTF-32. Save it as text in UTF-8")
    return text


def _find_codes(connection: Any, path: Path, zipped: bool, rules: Rules) -> tuple[str, int, str]:
    """
    Find delimiter, header and column.

    :return: a query of the codes, how many lines are before the first, and the header's name for
        them.
    """
    text, given = _beginning(path, zipped), rules.delimiter
    options = (
        f"{_sql(str(path))}, null_padding=true, strict_mode=false, "
        f"compression='{'gzip' if zipped else 'none'}'"
    )
    sniffed = options + (f", delim={_sql(given)}" if given else "")
    query = f"SELECT Delimiter, len(Columns) FROM sniff_csv({sniffed}, all_varchar=true)"  # noqa: S608
    delimiter, columns = connection.execute(query).fetchone()
    lines = text.removeprefix(BOM).splitlines()
    first = next(index for index, line in enumerate(lines) if line.strip())
    line = lines[first]
    if (
        columns == 1
        and not given
        and any(each in line for each in ",;\t|")
        and not line.startswith('"')
    ):
        raise _RefusedError(
            f"has a delimiter in its first line, and its other lines do not fit to it. {ARGUMENTS}"
        )
    cells = [
        cell.strip()
        for cell in next(csv.reader([line], delimiter=delimiter if columns > 1 else "\x1f"))
    ]
    column, header = _column(cells, columns, rules)
    if text.startswith(BOM) and not header:
        raise _RefusedError(
            "starts with a byte order mark, which would become part of the first code. Remove it"
        )
    types = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(columns))
    query = (
        f"SELECT trim(coalesce(c{column}, '')) AS code FROM read_csv({options}, "  # noqa: S608
        "auto_detect=false, header=false, "
        f"skip={first + header}, columns={{{types}}}, delim={_sql(delimiter)}, quote='\"', "
        "escape='\"', "
        f"max_line_size={BEGINNING})"
    )
    return query, first + header, cells[column] if header and column < len(cells) else ""


def _column(cells: Sequence[str], columns: int, rules: Rules) -> tuple[int, bool]:
    """The column of the codes, from 0 on, and whether the first line is a header."""
    words = ["".join(filter(str.isalpha, cell)) for cell in cells]
    named = [
        bool(NAME.fullmatch(word)) and not any(map(str.isdigit, cell))
        for word, cell in zip(words, cells, strict=True)
    ]
    header = any(named) if rules.header is None else rules.header
    if isinstance(rules.column, str):
        names = [cell.lower() for cell in cells]
        if rules.column.lower() not in names:
            raise _RefusedError(f"has no column {shown(rules.column)} in its first line")
        return names.index(rules.column.lower()), True
    if rules.column is not None:
        if rules.column > columns:
            raise _RefusedError(
                f"has {counted(columns, 'column')}, and column={rules.column} of Preflight"
            )
        return rules.column - 1, header
    if columns > 1 and not (header and named[0]):
        raise _RefusedError(
            f"has {columns} columns, and the first is not named as codes are. {ARGUMENTS}"
        )
    return 0, header


def _count(
    connection: Any, query: str, skipped: int, name: str, rules: Rules, found: PlannedFile
) -> list[str]:
    """
    Read all codes into a table: the hash of each, of 64 bits, and which problem it has; then count.
    """
    kinds = {
        "blank": "code = ''",
        f"of fewer than {rules.min_length} or more than {rules.max_length} bytes": (
            f"strlen(code) NOT BETWEEN {rules.min_length} AND {rules.max_length}"
        ),
        DAMAGED: r"regexp_matches(code, '\p{C}|^\d([.,]\d+)?E\+\d+$')",
        "equal to the header": f"lower(code) = {_sql(name.lower())}",
    }
    cases = " ".join(
        f"WHEN {condition} THEN {kind}" for kind, condition in enumerate(kinds.values())
    )
    columns = f"CASE WHEN code <> '' THEN hash(code) END AS h, CASE {cases} END::UTINYINT AS kind"
    connection.execute(f"CREATE TABLE codes AS SELECT {columns} FROM ({query})")  # noqa: S608
    query = f"SELECT kind, count(*), min(rowid, {EXAMPLES}) FROM codes GROUP BY kind"  # noqa: S608
    counts = {kind: (number, rows) for kind, number, rows in connection.execute(query).fetchall()}
    found.blank_lines, _ = counts.pop(0, (0, []))
    found.codes = sum(number for number, _ in counts.values())
    query = (
        "SELECT count(*) - 1 AS more, max(rowid) AS last FROM codes WHERE h IS NOT NULL GROUP "
        "BY h HAVING more > 0"
    )
    query = f"SELECT coalesce(sum(more), 0)::BIGINT, min(last, {EXAMPLES}) FROM ({query})"  # noqa: S608
    found.duplicates, rows = connection.execute(query).fetchone()
    problems = [(text, *counts[kind]) for kind, text in enumerate(kinds) if kind in counts]
    if found.duplicates > rules.max_duplicates:
        problems.append(("found earlier in the file", found.duplicates, rows))
    texts = [_problem(*problem, skipped) for problem in problems]
    if not rules.min_codes <= found.codes <= rules.max_codes:
        header = (
            " after its header (if that is a code, set Preflight(header=False))" if name else ""
        )
        limits = f"min_codes={rules.min_codes} to max_codes={rules.max_codes}"
        texts.append(f"has {counted(found.codes, 'code')}{header}, not {limits}")
    return texts


def _problem(text: str, number: int, rows: Sequence[int], skipped: int) -> str:
    """How many codes have a problem, and in which lines the first ones are."""
    lines = ", ".join(str(row + skipped + 1) for row in sorted(rows)) + (
        ", ..." if number > len(rows) else ""
    )
    return f"has {counted(number, 'code')} {text} ({'line' if number == 1 else 'lines'} {lines})"


def _unreadable(text: str) -> str:
    """What an error of DuckDB means, without its text, which quotes lines of the file."""
    line = text.partition("Line: ")[2].partition("\n")[0].strip()
    where = f" (line {line})" if line.isdecimal() else ""
    if "unicode" in text.lower() or "utf-8" in text.lower():
        return f"is not text in UTF-8{where}. Save it as UTF-8"
    if "Out of Memory" in text:
        return f"cannot be checked within {MEMORY} of memory. Split it"
    if "Maximum line size" in text:
        return f"has a line of more than {BEGINNING} bytes{where}"
    return f"cannot be read as a table{where}. {ARGUMENTS}"


def _sql(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
