"""What is in a coupon file: read and counted by DuckDB, within bounded memory. No message shows a code."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.files import BucketFile
from wes_provider.texts import counted, shown

__all__ = ["CheckedFile", "Rules", "read_content"]

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
# Most codes have letters and digits, or more letters than NULL: they meet none of the conditions but that of length.
ORDINARY: Final = "regexp_full_match(raw, '[A-Za-z_-]*[0-9][0-9A-Za-z_-]*|[A-Za-z_-]{5,}')"
DOUBTS: Final = {  # what lines may have by accident, and a well-made file on purpose; each a condition in SQL
    "with blanks before or after": "raw <> trim(raw) AND trim(raw) <> ''",
    "with control characters, or ones that cannot be seen": r"regexp_matches(trim(raw), '\p{C}')",
    "such as NULL or #N/A, which stands for none": (
        "regexp_full_match(trim(raw), '(?i)null|none|nan|nil|#?n/a|#ref!')"
    ),
    "such as 1.2E+15, of which a spreadsheet has dropped digits": r"regexp_matches(trim(raw), '^\d([.,]\d+)?E\+\d+$')",
}

Count = Annotated[int, Meta(ge=0)]


class Rules(msgspec.Struct, frozen=True):
    """What a file's content has to be; :class:`~wes_provider.storage.Preflight` describes the fields."""

    header: bool | None = None
    column: Annotated[int, Meta(ge=1)] | str | None = None
    delimiter: Annotated[str, Meta(pattern="^[^\r\n\"']$")] | None = None
    min_codes: Count = 1
    max_codes: Count = contract.LIST_COUPONS
    min_length: Count = 1
    max_length: Count = 100
    max_duplicates: Count = 0
    min_added_ratio: Annotated[float, Meta(ge=0, le=1)] | None = None

    def __post_init__(self) -> None:
        if self.min_codes > self.max_codes or self.min_length > self.max_length:
            raise ValueError("a least number is more than the most")
        if self.header is False and isinstance(self.column, str):
            raise ValueError("header=False leaves no name for its column. Give its number")


class CheckedFile(msgspec.Struct, kw_only=True):
    """
    One file of a task, and what is known about it: in a plan, as flat JSON without secrets.

    :ivar path: in storage, or the URL without its query.
    :ivar sha256: of its content, for the ledger.
    :ivar checked: whether its codes are counted.
    :ivar problems: the reasons not to upload it, each after the file's name.
    :ivar item: the place in the operator's argument that names the file.
    :ivar source: the object; ``None`` for a plain URL.
    :ivar skipped: the coupon file that has its content, so that the file is left out.
    :ivar same_content_as: the path of an earlier file of this plan that has its content: left out, too.
    :ivar upload_at: when it would be uploaded at the earliest, unless it is left out.
    """

    path: str
    size: int = 0
    etag: str = ""
    sha256: str = ""
    checked: bool = True
    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    header: str = ""
    warnings: list[str] = []
    problems: list[str] = []
    item: int = 0
    source: BucketFile | None = None
    skipped: str | None = None
    same_content_as: str | None = None
    upload_at: str | None = None

    @property
    def left_out(self) -> str:
        """Why the file is not uploaded; empty if it is."""
        if self.same_content_as is not None:
            return f"{self.path} has the same content as {self.same_content_as}"
        known = f"{self.path}: the list has its content as coupon file {self.skipped}"
        return "" if self.skipped is None else known


def read_content(path: Path, rules: Rules, found: CheckedFile) -> None:
    """Check a file's content, which is on this machine, and note what is ``found``."""
    try:
        import duckdb
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs duckdb, which cannot be imported.\n"
            f"Install airflow-provider-wes[storage]; preflight=False uploads files unchecked.\n{shown(str(error))}"
        ) from error
    config: Any = {"memory_limit": MEMORY, "threads": 1, "temp_directory": f"{path}.tmp"}
    with duckdb.connect(config={**config, "autoinstall_known_extensions": "false"}) as connection:
        connection.execute("SET enable_progress_bar = false")
        reader = _Reader(connection, path, rules, found)
        try:
            reader.find_codes(reader.beginning())
            reader.count()
        except _RefusedError as problem:
            found.problems.append(str(problem))
        except duckdb.Error as error:
            found.problems.append(_unreadable(str(error)))


class _RefusedError(Exception):
    """Reading on would show nothing more."""


class _Reader:
    """Reads one file: where its codes are, and then all of them."""

    def __init__(self, connection: Any, path: Path, rules: Rules, found: CheckedFile) -> None:
        self._db, self._path, self._rules, self._found = connection, path, rules, found
        self._zipped = found.path.lower().endswith(".gz")
        self._options = f"{_sql(str(path))}, compression='{'gzip' if self._zipped else 'none'}', null_padding=true"
        self._source = ""  # a query of the codes, as `raw`, each a line
        self._skipped = 0  # lines before the first code
        self._name = ""  # of the codes' column

    def beginning(self) -> str:
        """The beginning of the file, as text; refused if it is surely no list of codes."""
        try:
            with gzip.open(self._path) if self._zipped else self._path.open("rb") as file:
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

    def find_codes(self, text: str) -> None:
        """Find delimiter, header and column; ``text`` is the file's beginning."""
        given = self._rules.delimiter
        sniffed = self._options + (f", delim={_sql(given)}" if given else "")
        query = f"FROM sniff_csv({sniffed}, all_varchar=true, strict_mode=false)"
        delimiter, newline, columns = self._db.execute(
            f"SELECT Delimiter, NewLineDelimiter, len(Columns) {query}"
        ).fetchone()
        if newline == "\\r":
            raise _RefusedError("ends its lines with CR alone. Save it with LF, or CR and LF")
        lines = [line.rstrip("\r") for line in text.removeprefix(BOM).split("\n")]
        first = next(index for index, line in enumerate(lines) if line.strip())
        line = lines[first]
        if columns == 1 and not given and any(each in line for each in ",;\t|") and not line.startswith('"'):
            raise _RefusedError(f"has a delimiter in its first line, and its other lines do not fit to it. {ARGUMENTS}")
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter if columns > 1 else "\x1f"))]
        column, header = _column(cells, columns, self._rules)
        if text.startswith(BOM) and not header:
            raise _RefusedError("starts with a byte order mark, which would become part of the first code. Remove it")
        if text.startswith(BOM):
            warning = "starts with a byte order mark, for which the service may take the header for a code"
            self._found.warnings.append(warning)
        following = [each for each in lines[first + 1 : first + 6] if each.strip()]
        if not header and following and not _digits(line) and all(map(_digits, following)):
            warning = "has a first line unlike the others; if that is a header, set Preflight(header=True)"
            self._found.warnings.append(warning)
        self._found.blank_lines, self._found.header = first, line if header else ""
        self._skipped, self._name = first + header, cells[column] if header and column < len(cells) else ""
        types = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(columns))
        self._source = (
            f"(SELECT coalesce(c{column}, '') AS raw FROM read_csv({self._options}, auto_detect=false, header=false, "  # noqa: S608
            f"skip={self._skipped}, columns={{{types}}}, strict_mode=false, delim={_sql(delimiter)}, quote='\"', "
            f"escape='\"', max_line_size={LONGEST_LINE}))"
        )

    def count(self) -> None:
        """Read all codes into a table: the hash of each, of 64 bits, and a bit for each condition it meets."""
        least, most = self._rules.min_length, self._rules.max_length
        errors = {
            f"of fewer than {least} or more than {most} bytes": (
                f"trim(raw) <> '' AND strlen(trim(raw)) NOT BETWEEN {least} AND {most}"
            ),
            "with binary data, or in a quote that is not closed": "contains(raw, chr(10)) OR contains(raw, chr(0))",
        }
        conditions = {"blank": "trim(raw) = ''", **errors, **DOUBTS}
        ordinary = f"{ORDINARY} AND strlen(raw) BETWEEN {least} AND {most}"
        if self._name:
            repeats = f"lower(trim(raw)) = {_sql(self._name.lower())}"
            conditions["that repeats the header"] = repeats
            ordinary += f" AND NOT (strlen(raw) = {len(self._name.encode())} AND {repeats})"
        bits = " + ".join(f"({condition})::USMALLINT * {1 << bit}" for bit, condition in enumerate(conditions.values()))
        rows = f"(SELECT raw, CASE WHEN {ordinary} THEN 0 ELSE {bits} END::USMALLINT AS bits FROM {self._source})"  # noqa: S608
        hashed = "CASE WHEN bits = 0 THEN hash(raw) WHEN bits & 1 = 0 THEN hash(trim(raw)) END"
        self._db.execute(f"CREATE TABLE codes AS SELECT {hashed} AS h, bits FROM {rows}")  # noqa: S608
        found = self._found
        query = f"SELECT bits, count(*), count(h), min(rowid, {EXAMPLES}) FROM codes GROUP BY bits"  # noqa: S608
        groups = self._db.execute(query).fetchall()
        found.codes = sum(codes for _, _, codes, _ in groups)
        found.blank_lines += sum(rows - codes for _, rows, codes, _ in groups)
        for bit, text in list(enumerate(conditions))[1:]:
            meeting = [(rows, examples) for bits, rows, _, examples in groups if bits & 1 << bit]
            examples = [row for _, rows in meeting for row in rows]
            self._add(found.problems if text in errors else found.warnings, sum(n for n, _ in meeting), text, examples)
        self._find_duplicates()
        self._check_numbers()

    def _add(self, to: list[str], number: int, text: str, rows: list[int]) -> None:
        if number:
            lines = ", ".join(str(row + self._skipped + 1) for row in sorted(rows)[:EXAMPLES])
            more = ", ..." if number > EXAMPLES else ""
            to.append(f"has {counted(number, 'code')} {text} ({'line' if number == 1 else 'lines'} {lines}{more})")

    def _find_duplicates(self) -> None:
        """Count codes that stand in the file before; in parts, to save memory."""
        found, hashes, parts = self._found, list[int](), self._found.codes // PART + 1
        for part in range(parts):
            first, last = part * 2**64 // parts, (part + 1) * 2**64 // parts - 1
            number, examples = self._db.execute(
                f"SELECT sum(n - 1), min(h, {EXAMPLES}) FROM (SELECT h, count(*) AS n FROM codes "  # noqa: S608
                f"WHERE h BETWEEN {first} AND {last} GROUP BY h HAVING n > 1)"
            ).fetchone()
            found.duplicates += int(number or 0)
            hashes += examples or []
        if found.duplicates:
            some = ", ".join(map(str, hashes[:EXAMPLES]))
            (rows,) = self._db.execute(
                f"SELECT min(line, {EXAMPLES}) FROM (SELECT rowid AS line, row_number() OVER (PARTITION BY h "  # noqa: S608
                f"ORDER BY rowid) AS nth FROM codes WHERE h IN ({some})) WHERE nth > 1"
            ).fetchone()
            to = found.problems if found.duplicates > self._rules.max_duplicates else found.warnings
            text = f"that {'stands' if found.duplicates == 1 else 'stand'} in it before"
            self._add(to, found.duplicates, text, rows)

    def _check_numbers(self) -> None:
        rules, found = self._rules, self._found
        if found.codes < rules.min_codes:
            only_header = found.header and not found.codes
            only = "only a header" if only_header else counted(found.codes, "code")
            way_out = ". If that is a code, set Preflight(header=False)" if only_header else ""
            found.problems.append(f"has {only}, fewer than min_codes={rules.min_codes}{way_out}")
        if found.codes > rules.max_codes:
            found.problems.append(f"has {counted(found.codes, 'code')}, more than max_codes={rules.max_codes}")
        if found.blank_lines:
            found.warnings.append(f"has {counted(found.blank_lines, 'line')} without a code")


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
