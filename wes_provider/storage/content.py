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

MEMORY: Final = "160MB"
LONGEST_LINE: Final = 64 * 1024  # bytes; also how much of a file's beginning is looked at
DELIMITERS: Final = (",", ";", "\t", "|")
BOM: Final = "\ufeff"
ARGUMENTS: Final = "If it is right, say how to read it: Preflight(delimiter=..., header=..., column=...)"
NAME: Final = re.compile(  # of a column, without separators between words; in English and widespread languages
    r".*(codes?|kode|kodu?|kody|c[oó]digos?|codice|codici|коды?|coupons?|vouchers?|gutscheine?|kupon|cup[oó]n|cupom)"
    r"(id|no|nr|num(ber|mer|ero)?)?s?",
    re.IGNORECASE,
)
NOT_CODES: Final = {  # what no code begins with, in small letters
    "<": "markup such as HTML or XML",
    "{": "JSON or RTF",
    "[{": "JSON",
    '["': "JSON",
    "%pdf": "a PDF",
    "sep=": "a line for Excel before its header: remove it",
    "# ": "a comment before its header: remove it",
    "version https://git-lfs": "a pointer of Git LFS: fetch the file",
    "-----begin": "an encrypted or signed text",
    "error:": "the message of an error",
    "internal server error": "the message of an error",
    "access denied": "the message of an error",
    "not found": "the message of an error",
}
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
    """
    What was found in a file.

    :ivar problems: why it must not be uploaded, each the rest of a sentence that begins with the file's name.
    :ivar codes: how many lines have a code.
    """

    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    header: str = ""
    problems: list[str] = []
    warnings: list[str] = []


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """Reading on would show nothing more."""


class _Layout(msgspec.Struct):
    """Where the codes are: ``skip`` lines come before them."""

    delimiter: str
    columns: int
    column: int
    skip: int
    header: str
    name: str


def read_content(path: Path, rules: Rules, *, zipped: bool = False) -> Content:
    """
    Check a file on this machine.

    :param zipped: it is to be read with gzip.
    """
    try:
        import duckdb
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs duckdb, which cannot be imported.\n"
            f"Install airflow-provider-wes[storage]; preflight=False uploads files unchecked.\n{shown(str(error))}"
        ) from error
    found = Content()
    options = {"memory_limit": MEMORY, "temp_directory": f"{path}.tmp", "autoinstall_known_extensions": "false"}
    with duckdb.connect(config=options) as connection:
        try:
            text = _beginning(path, zipped=zipped)
            layout = _layout(connection, path, text, rules, found, zipped=zipped)
            _count(connection, _source(path, layout, zipped=zipped), layout, rules, found)
        except _Refused as problem:
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
        raise _Refused("is no gzip archive, as its name says, or a damaged one") from None
    if not data.strip():
        raise _Refused("has no codes, only blank lines" if data else "is empty")
    if data.startswith(b"\x1f\x8b"):
        raise _Refused("is a gzip archive, and its name does not end with .gz")
    if data.startswith(b"PK"):
        raise _Refused("is a ZIP archive or an Excel workbook. Unpack it, or export it as text in UTF-8")
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _Refused("is binary, or text in UTF-16 or UTF-32. Save it as text in UTF-8")
    text = data.decode(errors="replace")
    start = text.lstrip(BOM + " \t\r\n\"'").lower()
    plain = text.lstrip(BOM + " \t\r\n").lower()
    for beginning, what in NOT_CODES.items():
        if start.startswith(beginning) or plain.startswith(beginning):
            raise _Refused(f"starts with {what}" if ":" in what else f"is {what}, not a list of codes")
    return text


def _layout(connection: Any, path: Path, text: str, rules: Rules, found: Content, *, zipped: bool) -> _Layout:
    delimiter = f", delim={_quoted(rules.delimiter)}" if rules.delimiter else ""
    delimiter_, newline, columns = connection.execute(
        f"SELECT Delimiter, NewLineDelimiter, len(Columns) FROM sniff_csv({_quoted(str(path))}, all_varchar=true, "  # noqa: S608
        f"compression='{'gzip' if zipped else 'none'}', null_padding=true, strict_mode=false{delimiter})"
    ).fetchone()
    if newline == "\\r":
        raise _Refused("ends its lines with CR alone. Save it with LF, or CR and LF")
    lines = text.removeprefix(BOM).split("\n")
    first = next(index for index, line in enumerate(lines) if line.strip())
    line = lines[first].rstrip("\r")
    if columns == 1 and not rules.delimiter and any(each in line for each in DELIMITERS) and not line.startswith('"'):
        raise _Refused(f"has a delimiter in its first line, and its other lines do not fit to it. {ARGUMENTS}")
    cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter_ if columns > 1 else "\0"))]
    named = [index for index, cell in enumerate(cells) if _is_name(cell)]
    header = bool(named) if rules.header is None else rules.header
    if isinstance(rules.column, str):
        wanted = [index for index, cell in enumerate(cells) if cell.lower() == rules.column.lower()]
        if not wanted:
            raise _Refused(f"has no column {shown(rules.column)} in its first line")
        header, column = True, wanted[0]
    elif rules.column is not None:
        column = rules.column - 1
    else:
        column = _column(cells, named if header else [], columns)
    if column >= columns:
        raise _Refused(f"has {counted(columns, 'column')}, and column={rules.column} of Preflight")
    if rules.header and not named and rules.column is None and columns > 1:
        raise _Refused(f"has a header that names no column of codes. {ARGUMENTS}")
    if text.startswith(BOM):
        if not header:
            raise _Refused("starts with a byte order mark, which would become part of the first code. Remove it")
        found.warnings.append("starts with a byte order mark, for which the service may take the header for a code")
    following = [each for each in lines[first + 1 : first + 6] if each.strip()]
    if not header and following and not _digits(line) and all(map(_digits, following)):
        found.warnings.append("has a first line unlike the others; if that is a header, set Preflight(header=True)")
    found.blank_lines = first
    found.header = line if header else ""
    name = cells[column] if header and column < len(cells) else ""
    return _Layout(delimiter_, columns, column, first + int(header), found.header, name)


def _is_name(cell: str) -> bool:
    words = "".join(character for character in cell if character.isalpha())
    return len(words) + 12 > len(cell) and not _digits(cell) and bool(NAME.fullmatch(words))


def _digits(text: str) -> bool:
    return any(map(str.isdigit, text))


def _column(cells: list[str], named: list[int], columns: int) -> int:
    if columns > 1 and not named:
        raise _Refused(f"has {columns} columns, and none is named as codes are. {ARGUMENTS}")
    if named and named[0] != 0:
        raise _Refused(
            f"has its codes in column {named[0] + 1}, and the service may take the first. If yours takes it, "
            f"set Preflight(column={named[0] + 1})"
        )
    return 0


def _source(path: Path, layout: _Layout, *, zipped: bool) -> str:
    """The table in SQL: ``raw`` and ``code`` without blanks around it."""
    columns = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(layout.columns))
    return (
        f"(SELECT coalesce(c{layout.column}, '') AS raw, trim(raw, ' \t\r') AS code FROM read_csv({_quoted(str(path))}, "  # noqa: S608
        f"auto_detect=false, delim={_quoted(layout.delimiter)}, quote='\"', escape='\"', header=false, "
        f"skip={layout.skip}, columns={{{columns}}}, null_padding=true, strict_mode=false, "
        f"max_line_size={LONGEST_LINE}, compression='{'gzip' if zipped else 'none'}'))"
    )


def _count(connection: Any, source: str, layout: _Layout, rules: Rules, found: Content) -> None:
    """One query for all numbers; examples are looked for if there is something to show."""
    length = f"code <> '' AND strlen(code) NOT BETWEEN {rules.min_length} AND {rules.max_length}"
    conditions = {"length": length, "broken": "contains(code, chr(10)) OR contains(code, chr(0))", **DOUBTS}
    if layout.name:
        conditions["that repeats the header"] = f"lower(code) = {_quoted(layout.name.lower())}"
    counts = ", ".join(f"count(*) FILTER ({condition})" for condition in conditions.values())
    lines, codes, distinct, shortest, longest, *doubts = connection.execute(
        "SELECT count(*), count(*) FILTER (code <> ''), count(DISTINCT code) FILTER (code <> ''), "  # noqa: S608
        f"min(strlen(code)) FILTER (code <> ''), max(strlen(code)), {counts} FROM {source}"
    ).fetchone()
    found.codes, found.duplicates, found.blank_lines = codes, codes - distinct, found.blank_lines + lines - codes
    numbered = f"(SELECT row_number() OVER () + {layout.skip} AS line, raw, code FROM {source})"  # noqa: S608
    for (text, condition), count in zip(conditions.items(), doubts, strict=True):
        if count:
            query = f"SELECT min(line, 10) FROM {numbered} WHERE {condition}"  # noqa: S608
            where = _lines(connection.execute(query).fetchone()[0], count)
            if text == "length":
                found.problems.append(
                    f"has {counted(count, 'code')} of fewer than {rules.min_length} or more than {rules.max_length} "
                    f"bytes; they have {shortest} to {longest} {where}"
                )
            elif text == "broken":
                found.problems.append(f"has binary data, or a quote that is not closed {where}")
            else:
                found.warnings.append(f"has {counted(count, 'code')} {text} {where}")
    if found.duplicates:
        _duplicates(connection, numbered, source, rules, found)
    _check_numbers(rules, found)


def _duplicates(connection: Any, numbered: str, source: str, rules: Rules, found: Content) -> None:
    twice = f"SELECT code FROM {source} WHERE code <> '' GROUP BY code HAVING count(*) > 1 LIMIT 10"  # noqa: S608
    again = (
        f"SELECT line, row_number() OVER (PARTITION BY code ORDER BY line) AS nth FROM {numbered} "  # noqa: S608
        f"WHERE code IN ({twice})"
    )
    lines = connection.execute(f"SELECT min(line, 10) FROM ({again}) WHERE nth > 1").fetchone()[0]  # noqa: S608
    stand = "stands" if found.duplicates == 1 else "stand"
    kind = found.problems if found.duplicates > rules.max_duplicates else found.warnings
    kind.append(f"has {counted(found.duplicates, 'code')} that {stand} in it before {_lines(lines, found.duplicates)}")


def _check_numbers(rules: Rules, found: Content) -> None:
    if found.codes < rules.min_codes:
        only = "only a header" if found.header and not found.codes else counted(found.codes, "code")
        way_out = "; if that is a code, set Preflight(header=False)" if found.header and not found.codes else ""
        found.problems.append(f"has {only}, fewer than min_codes={rules.min_codes}{way_out}")
    if found.codes > rules.max_codes:
        found.problems.append(f"has {counted(found.codes, 'code')}, more than max_codes={rules.max_codes}")
    if found.blank_lines:
        found.warnings.append(f"has {counted(found.blank_lines, 'line')} without a code")


def _lines(lines: list[int], count: int) -> str:
    more = ", ..." if count > len(lines) else ""
    return f"({'line' if count == 1 else 'lines'} {', '.join(map(str, lines))}{more})"


def _unreadable(text: str) -> str:
    """What an error of DuckDB means, without its text, which quotes lines of the file."""
    line = text.partition("Line: ")[2].partition("\n")[0].strip()
    where = f" (line {line})" if line.isdecimal() else ""
    if "unicode" in text.lower() or "utf-8" in text.lower():
        return f"is not text in UTF-8{where}. Save it as UTF-8"
    if "Maximum line size" in text:
        return f"has a line of more than {LONGEST_LINE} bytes{where}"
    if "quote" in text.lower():
        return f"has a quote that is not closed{where}. {ARGUMENTS}"
    if "columns" in text.lower():
        return f"has lines with other columns than its first{where}. {ARGUMENTS}"
    return f"cannot be read as a table{where}. {ARGUMENTS}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
