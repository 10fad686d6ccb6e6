"""What is in a coupon file: read and counted by DuckDB, within bounded memory. No message shows a code."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path
from typing import Any, Final

import msgspec

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import counted, shown

__all__ = ["Content", "Rules", "read_content"]

MEMORY: Final = "192MB"
PART: Final = 1_000_000  # codes that are compared at a time
EXAMPLES: Final = 10
LONGEST_LINE: Final = 64 * 1024  # bytes; also how much of a file's beginning is looked at
BOM: Final = "\ufeff"
ARGUMENTS: Final = "If it is right, say how to read it: Preflight(delimiter=..., header=..., column=...)"
NAME: Final = re.compile(  # of a column, without separators between words; in English and widespread languages
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
    ("pk\x03", "pk\x05"): "is a ZIP archive or an Excel workbook. Unpack it, or export it as text in UTF-8",
}
PROBLEMS: Final = 2  # of the conditions that codes meet, the first are no warnings
DOUBTS: Final = {  # what lines may have by accident, and a well-made file on purpose; each a condition in SQL
    "with blanks before or after": "raw <> code AND code <> ''",
    "with control characters, or ones that cannot be seen": r"regexp_matches(code, '\p{C}')",
    "such as NULL or #N/A, which stands for none": "upper(code) IN ('NULL','NONE','NAN','NIL','N/A','#N/A','#REF!')",
    "such as 1.2E+15, of which a spreadsheet has dropped digits": r"regexp_matches(code, '^\d([.,]\d+)?E\+\d+$')",
}


class Rules(msgspec.Struct, frozen=True):
    """What a file's content has to be; :class:`~wes_provider.storage.Preflight` describes the fields."""

    header: bool | None = None
    column: int | str | None = None
    delimiter: str | None = None
    min_codes: int = 1
    max_codes: int = contract.LIST_COUPONS
    min_length: int = 1
    max_length: int = 100
    max_duplicates: int = 0
    max_bytes: int = contract.UPLOAD_URL_BYTES


class Content(msgspec.Struct):
    """What was found in a file; ``problems`` are the reasons not to upload it, each after the file's name."""

    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    header: str = ""
    problems: list[str] = []
    warnings: list[str] = []


class _RefusedError(Exception):
    """Reading on would show nothing more."""


class _Layout(msgspec.Struct):
    """Where the codes are: ``skip`` lines come before them, and ``name`` is their column's."""

    delimiter: str
    columns: int
    column: int = 0
    skip: int = 0
    name: str = ""


def read_content(path: Path, rules: Rules, *, zipped: bool = False) -> Content:
    """Check a file on this machine, with gzip if it is ``zipped``."""
    try:
        import duckdb
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs duckdb, which cannot be imported.\n"
            f"Install airflow-provider-wes[storage]; preflight=False uploads files unchecked.\n{shown(str(error))}"
        ) from error
    found, read = Content(), f"{_sql(str(path))}, compression='{'gzip' if zipped else 'none'}', null_padding=true"
    with duckdb.connect(
        config={
            "memory_limit": MEMORY,
            "threads": 1,
            "temp_directory": f"{path}.tmp",
            "autoinstall_known_extensions": "false",
        }
    ) as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            text = _beginning(path, zipped=zipped)
            layout = _layout(connection, read, text, rules, found)
            columns = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(layout.columns))
            source = (
                f"(SELECT coalesce(c{layout.column}, '') AS raw, trim(raw) AS code FROM read_csv({read}, "  # noqa: S608
                f"auto_detect=false, header=false, skip={layout.skip}, columns={{{columns}}}, strict_mode=false, "
                f"delim={_sql(layout.delimiter)}, quote='\"', escape='\"', max_line_size={LONGEST_LINE}))"
            )
            _count(connection, source, layout, rules, found)
        except _RefusedError as problem:
            found.problems.append(str(problem))
        except duckdb.Error as error:
            found.problems.append(_unreadable(str(error)))
    return found


def _beginning(path: Path, *, zipped: bool) -> str:
    """The beginning of a file, as text; refused if it is surely no list of codes."""
    try:
        with gzip.open(path) if zipped else path.open("rb") as file:
            data = file.read(LONGEST_LINE)
    except (OSError, EOFError):
        raise _RefusedError("is no gzip archive, as its name says, or a damaged one") from None
    text = data.decode(errors="replace")
    start = text.lstrip(BOM + " \t\r\n").lower()
    if not start:
        raise _RefusedError("has only blank lines" if data else "is empty")
    if data.startswith(b"\x1f\x8b"):
        raise _RefusedError("is a gzip archive, and its name does not end with .gz")
    for beginnings, problem in NOT_CODES.items():
        if start.startswith(beginnings) or start.lstrip("\"'").startswith(beginnings):
            raise _RefusedError(problem)
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _RefusedError("is binary, or text in UTF-16 or UTF-32. Save it as text in UTF-8")
    return text


def _layout(connection: Any, read: str, text: str, rules: Rules, found: Content) -> _Layout:
    delimiter = f", delim={_sql(rules.delimiter)}" if rules.delimiter else ""
    sniff = f"FROM sniff_csv({read}, all_varchar=true, strict_mode=false{delimiter})"
    delimiter, newline, columns = connection.execute(
        f"SELECT Delimiter, NewLineDelimiter, len(Columns) {sniff}"
    ).fetchone()
    if newline == "\\r":
        raise _RefusedError("ends its lines with CR alone. Save it with LF, or CR and LF")
    lines = [line.rstrip("\r") for line in text.removeprefix(BOM).split("\n")]
    first = next(index for index, line in enumerate(lines) if line.strip())
    line = lines[first]
    if columns == 1 and not rules.delimiter and any(each in line for each in ",;\t|") and not line.startswith('"'):
        raise _RefusedError(f"has a delimiter in its first line, and its other lines do not fit to it. {ARGUMENTS}")
    cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter if columns > 1 else "\x1f"))]
    column, header = _column(cells, columns, rules)
    if text.startswith(BOM) and not header:
        raise _RefusedError("starts with a byte order mark, which would become part of the first code. Remove it")
    if text.startswith(BOM):
        found.warnings.append("starts with a byte order mark, for which the service may take the header for a code")
    following = [each for each in lines[first + 1 : first + 6] if each.strip()]
    if not header and following and not _digits(line) and all(map(_digits, following)):
        found.warnings.append("has a first line unlike the others; if that is a header, set Preflight(header=True)")
    found.blank_lines, found.header = first, line if header else ""
    return _Layout(delimiter, columns, column, first + header, cells[column] if header and column < len(cells) else "")


def _column(cells: list[str], columns: int, rules: Rules) -> tuple[int, bool]:
    """The column of the codes, from 0 on, and whether the first line is a header."""
    named = [
        index
        for index, cell in enumerate(cells)
        if not _digits(cell) and NAME.fullmatch("".join(filter(str.isalpha, cell)))
    ]
    header = bool(named) if rules.header is None else rules.header
    if isinstance(rules.column, str):
        named = [index for index, cell in enumerate(cells) if cell.lower() == rules.column.lower()]
        if not named:
            raise _RefusedError(f"has no column {shown(rules.column)} in its first line")
        return named[0], True
    if rules.column is not None:
        if rules.column > columns:
            raise _RefusedError(f"has {counted(columns, 'column')}, and column={rules.column} of Preflight")
        return rules.column - 1, header
    if columns > 1 and not (named and header):
        raise _RefusedError(f"has {columns} columns, and none is named as codes are. {ARGUMENTS}")
    if header and named and named[0]:
        raise _RefusedError(
            f"has its codes in column {named[0] + 1}, and the service may take the first. If yours takes it, set "
            f"Preflight(column={named[0] + 1})"
        )
    return 0, header


def _count(connection: Any, source: str, layout: _Layout, rules: Rules, found: Content) -> None:
    """Read the file into a table that has the hash of each code, of 64 bits, and a bit for each condition it meets."""
    conditions = {
        "blank": "code = ''",
        f"of fewer than {rules.min_length} or more than {rules.max_length} bytes": (
            f"code <> '' AND strlen(code) NOT BETWEEN {rules.min_length} AND {rules.max_length}"
        ),
        "with binary data, or in a quote that is not closed": "contains(code, chr(10)) OR contains(code, chr(0))",
        **DOUBTS,
        **({"that repeats the header": f"lower(code) = {_sql(layout.name.lower())}"} if layout.name else {}),
    }
    bits = " + ".join(f"({condition})::INTEGER * {1 << bit}" for bit, condition in enumerate(conditions.values()))
    query = f"SELECT hash(code) AS h, ({bits})::USMALLINT AS bits FROM {source}"  # noqa: S608
    connection.execute(f"CREATE TABLE codes AS {query}")
    counts = ", ".join(f"count(*) FILTER (bits & {1 << bit} > 0)" for bit in range(len(conditions)))
    lines, blank, *numbers = connection.execute(f"SELECT count(*), {counts} FROM codes").fetchone()  # noqa: S608
    found.codes, found.blank_lines = lines - blank, found.blank_lines + blank

    def add(kind: list[str], number: int, text: str, table: str) -> None:
        (rows,) = connection.execute(f"SELECT min(line, {EXAMPLES}) FROM {table}").fetchone()  # noqa: S608
        shown_lines = ", ".join(str(row + layout.skip + 1) for row in rows) + (", ..." if number > len(rows) else "")
        kind.append(f"has {counted(number, 'code')} {text} ({'line' if number == 1 else 'lines'} {shown_lines})")

    for bit, (text, number) in enumerate(zip(list(conditions)[1:], numbers, strict=True), 1):
        if number:
            table = f"(SELECT rowid AS line FROM codes WHERE bits & {1 << bit} > 0)"  # noqa: S608
            add(found.problems if bit <= PROBLEMS else found.warnings, number, text, table)
    found.duplicates, hashes = _duplicates(connection, found.codes)
    if found.duplicates:
        nth = "SELECT rowid AS line, row_number() OVER (PARTITION BY h ORDER BY rowid) AS nth FROM codes"
        kind = found.problems if found.duplicates > rules.max_duplicates else found.warnings
        text = f"that {'stands' if found.duplicates == 1 else 'stand'} in it before"
        add(kind, found.duplicates, text, f"({nth} WHERE h IN ({hashes})) WHERE nth > 1")
    _check_numbers(rules, found)


def _duplicates(connection: Any, codes: int) -> tuple[int, str]:
    """How many codes are duplicates, and the hashes of some, in SQL; counted in parts, to save memory."""
    distinct, hashes, parts = 0, list[str](), codes // PART + 1
    for part in range(parts):
        of_part = f"FROM codes WHERE bits & 1 = 0 AND h % {parts} = {part}"
        here, unlike = connection.execute(f"SELECT count(*), count(DISTINCT h) {of_part}").fetchone()
        distinct += unlike
        if here > unlike and len(hashes) < EXAMPLES:
            query = f"SELECT h {of_part} GROUP BY h HAVING count(*) > 1 ORDER BY h LIMIT {EXAMPLES}"
            hashes += [str(h) for (h,) in connection.execute(query).fetchall()]
    return codes - distinct, ", ".join(hashes[:EXAMPLES])


def _check_numbers(rules: Rules, found: Content) -> None:
    if found.codes < rules.min_codes:
        only = "only a header" if found.header and not found.codes else counted(found.codes, "code")
        way_out = ". If that is a code, set Preflight(header=False)" if found.header and not found.codes else ""
        found.problems.append(f"has {only}, fewer than min_codes={rules.min_codes}{way_out}")
    if found.codes > rules.max_codes:
        found.problems.append(f"has {counted(found.codes, 'code')}, more than max_codes={rules.max_codes}")
    if found.blank_lines:
        found.warnings.append(f"has {counted(found.blank_lines, 'line')} without a code")


def _unreadable(text: str) -> str:
    """What an error of DuckDB means, without its text, which quotes lines of the file."""
    line = text.partition("Line: ")[2].partition("\n")[0].strip()
    where = f" (line {line})" if line.isdecimal() else ""
    if "unicode" in text.lower() or "utf-8" in text.lower():
        return f"is not text in UTF-8{where}. Save it as UTF-8"
    if "Out of Memory" in text:
        return f"cannot be checked within {MEMORY} of memory. Split it"
    if "Maximum line size" in text:
        return f"has a line of more than {LONGEST_LINE} bytes{where}"
    return f"cannot be read as a table{where}. {ARGUMENTS}"


def _digits(text: str) -> bool:
    return any(map(str.isdigit, text))


def _sql(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
