"""
How a coupon file begins: whether it surely is something else, and which of its columns has the codes.

Pure, and bound to the first block of a file, however large the file is. No message shows a code.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from typing import Final

from wes_provider.models import shown

__all__ = ["BOM", "Columns", "columns", "other_than_codes"]

BOM: Final = b"\xef\xbb\xbf"
SAMPLE: Final = 1000  # bytes
SAMPLE_LINES: Final = 200
MARKUP_BYTES: Final = 64 * 1024  # in which a page may begin after a few lines of something else
COMMENT_LINES: Final = 10  # before a header
LONGEST_NAME: Final = 40  # of a column, in characters
DELIMITERS: Final = (b",", b";", b"\t", b"|")
_UNPACK: Final = "Unpack it"
_EXPORT: Final = "Export it as text in UTF-8"
_RECODE: Final = "Save it as text in UTF-8"

FORMATS: Final = (  # how files start that are no text, what they are, and what to do
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook", "Unpack it, or export it as text in UTF-8"),
    (b"PK\x05\x06", "an empty ZIP archive", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", _EXPORT),
    (b"Obj\x01", "an Avro file", _EXPORT),
    (b"\xff\xfe\x00\x00", "text in UTF-32", _RECODE),
    (b"\x00\x00\xfe\xff", "text in UTF-32", _RECODE),
    (b"\xff\xfe", "text in UTF-16", _RECODE),
    (b"\xfe\xff", "text in UTF-16", _RECODE),
)
BINARY_FORMATS: Final = (  # the same for what text can start with, too; they are it if the rest is no text
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"ORC", "an ORC file", _EXPORT),
    (b"%PDF", "a PDF", _EXPORT),
)
TEXT_FORMATS: Final = (  # texts that are no list of codes, by what no code starts with
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), "a bzip2 archive", _UNPACK),
    (re.compile(rb"%PDF-\d\.\d"), "a PDF", _EXPORT),
    (re.compile(rb"\{\\rtf\d"), "a document in RTF", _EXPORT),
    (re.compile(rb"%!PS-"), "a PostScript document", _EXPORT),
    (re.compile(rb"-----BEGIN [A-Z ]+-----"), "an encrypted or signed text", "Decrypt it"),
    (
        re.compile(rb"version https://git-lfs\.github\.com/"),
        "a pointer of Git LFS, not the file",
        "Fetch it with git lfs",
    ),
)
_TAGS: Final = (
    rb"html|head|body|title|meta|link|style|script|noscript|h[1-6]|center|div|span|table|tbody|thead|tr|td|th|form|"
    rb"input|br|hr|pre|font|img|ul|ol|li|section|article|main|nav|footer|header|iframe|strong|svg|error"
)
_MARKUP: Final = re.compile(rb"</?(?:!doctype|!--|\?xml|(?:" + _TAGS + rb")(?=[\s/>]|\Z))", re.IGNORECASE)
_SHORT_TAG: Final = re.compile(rb"<(?:[abipu]|em)(?:\s[^<>]*)?>")  # in capitals it may be a code
_ELEMENT: Final = re.compile(rb"<([a-z][\w:.-]*)(?:\s[^<>]*)?>[^\0]*?</\1\s*>", re.IGNORECASE)
_NAMESPACE: Final = re.compile(rb"<[\w:.-]+\s[^<>]*xmlns", re.IGNORECASE)
_PAGE: Final = re.compile(
    rb"^[ \t]*<(?:!doctype\s+html|html[\s>]|head>|body[\s>]|\?xml\s)", re.IGNORECASE | re.MULTILINE
)
_SPACE: Final = re.compile(rb"(?:\s|\xc2\xa0|\xef\xbb\xbf|\xe2\x80\x8b)*")
_JSON: Final = re.compile(rb"""\{\s*["}]|\[\s*["\[{\]]""")
_JSON_LINES: Final = re.compile(rb"\[[^\n]*\]\r?\n\s*\[")  # or codes that look so
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_SEPARATOR: Final = re.compile(rb'"?sep=(?:[^\w"]|\\t)?"?', re.IGNORECASE)
_PHRASE: Final = re.compile(
    rb'(?:http/[\d.]+ )?(?:[45]\d\d[ :-]+)?"?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|'
    rb"gateway time-?out|bad request|access denied|permission denied|forbidden|unauthorized|(?:file |page )?not found|"
    rb"no such (?:file|key).*|method not allowed|request time-?out|too many requests|error|null|none|undefined)"
    rb'[.!]?"?\s*',
    re.IGNORECASE,
)
_MESSAGE: Final = re.compile(
    rb"(?:[\w.-]+: )?(?:php )?(?:fatal error|fatal|error|warning|notice|deprecated|exception|"
    rb"traceback \(most recent call last\))\s*:(?:\s|\Z)",
    re.IGNORECASE,
)

# Names of columns with codes, without separators between words; first in English, then in others' words.
_KIND: Final = (
    "discount|coupons?|promo|promotion|promotional|vouchers?|gift|giftcard|card|offer|reward|unique|redemption|redeem|"
    "gutschein|rabatt|aktions?|kupon|indirim|kampanya|hediye|cupon|cupón|cupom|descuento|desconto|promocional|sconto|"
    "buono|kortings?|rabat|réduction|reduction|slevový|slevovy|промо|купона?"
)
_STRONG_END: Final = "codes?|kode|kody|kodu|kodlar|kodları|kod|códigos?|codigos?|codice|codici|коды?|kood|koodi|κωδικός"
_WEAK_END: Final = "ids?|no|nr|num|numbers?|nummer|numero|número|numarası"
_NOUNS: Final = (
    "coupons?|vouchers?|gutscheine?|kupons?|kuponlar|kuponkode|cupon|cupón|cupones|cupom|cupons|купоны?|промокоды?"
)
_OF: Final = "(?:de|del|di|da|du)?"  # as in "código de descuento"
_STRONG: Final = re.compile(
    rf"(?:(?:{_KIND}){{0,3}}(?:{_STRONG_END})|(?:{_STRONG_END}){_OF}(?:{_KIND}){{1,2}}|{_NOUNS})", re.IGNORECASE
)
_WEAK: Final = re.compile(rf"(?:{_KIND}){{1,3}}(?:{_STRONG_END})?(?:{_WEAK_END})", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[\s_.\-]+")
_MAIL: Final = re.compile(rb"[^\s@]+@[^\s@]+")


def other_than_codes(data: bytes, *, whole: bool) -> str | None:
    """
    What a file surely is, if it is no coupon file.

    :param data: its beginning.
    :param whole: this is all of it.
    :return: a problem: the rest of a sentence that begins with the file's name.
    """
    sample = data[:SAMPLE]
    for start, name, advice in FORMATS:
        if data.startswith(start):
            return f"is {name}, not text in UTF-8. {advice}"
    if b"\0" in sample or _CONTROLS.search(sample) or not _is_utf_8(sample):
        for start, name, advice in BINARY_FORMATS:
            if data.startswith(start):
                return f"is {name}, not text in UTF-8. {advice}"
    for pattern, name, advice in TEXT_FORMATS:
        if pattern.match(data):
            return f"is {name}. {advice}"
    if b"\0" in sample.removeprefix(BOM):
        zeros = (sample[::2].count(0), sample[1::2].count(0))
        wide = max(zeros) > 0.9 * (len(sample) // 2) > 0 == min(zeros)
        return f"is {'text in UTF-16' if wide else 'binary'}, not text in UTF-8. {_RECODE}"
    text = data[_space(data) : MARKUP_BYTES]
    if any(tag.match(text) for tag in (_MARKUP, _SHORT_TAG, _ELEMENT, _NAMESPACE)) or _PAGE.search(text):
        return "is an HTML or XML page, not a coupon file; often the error page of whoever wrote it"
    if _JSON.match(text) and not _JSON_LINES.match(text):
        return "is JSON, not a coupon file"
    first = text.partition(b"\n")[0].rstrip()
    if _MESSAGE.match(first) or (whole and _PHRASE.fullmatch(text)):
        return "has the message of an error instead of codes"
    if _SEPARATOR.fullmatch(first):
        return "begins with a line 'sep=' for Excel, which would become a code. Remove it"
    if b"\n" not in data and data.count(b"\r") > 1:
        return "ends its lines with CR alone. End them with LF or CR LF"
    return None


def _space(data: bytes) -> int:
    space = _SPACE.match(data)
    return space.end() if space else 0


def _is_utf_8(sample: bytes) -> bool:
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.end == len(sample) == SAMPLE  # it is the sample that ends within a character
    return True


@dataclass
class Columns:
    """
    Which column of a file has the codes.

    :ivar header: the line that names columns; ``None`` if there is none.
    :ivar name: the name of the column in the header.
    :ivar lines: how many, from the first on, are no codes: blank ones, and the header.
    :ivar offset: where the line after them begins.
    :ivar column: from 0 on.
    """

    header: bytes | None = None
    name: bytes = b""
    lines: int = 0
    offset: int = 0
    delimiter: bytes = b","
    column: int = 0
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def columns(text: bytes, *, header: bool | None, column: int | str | None, whole: bool) -> Columns:
    """
    Find the header, and the column of the codes.

    :param text: the file's beginning, without a byte order mark.
    :param header: whether the first line has to name columns; ``None`` accepts both.
    :param column: that has the codes: its name, or its number from 1 on; ``None`` for the first.
    :param whole: this is all of the file.
    """
    lines = text.split(b"\n", SAMPLE_LINES)
    lines = [line.rstrip(b"\r") for line in (lines if whole and len(lines) <= SAMPLE_LINES else lines[:-1])]
    blank = next((index for index, line in enumerate(lines) if line.strip(b' \t"')), None)
    if blank is None:
        return Columns(problems=[NO_HEADER] if header is True else [])
    first, rest = lines[blank], [line for line in lines[blank + 1 :] if line.strip()]
    found = Columns()
    named = _named(first, column) if isinstance(column, str) else _recognised(first, rest, column)
    if isinstance(column, str) and named is None:
        found.problems.append(f"has no column named {shown(column)} in line {blank + 1}")
        return found
    if named is None and header is True and column is not None:
        named = DELIMITERS[0], int(column) - 1
    if named is not None and header is False and not rest and whole:
        named = None  # the file's only line: the argument says that it is a code
    if named is not None:
        found.delimiter, found.column = named
        found.header, found.lines = first, blank + 1
        found.offset = sum(len(line) + 1 for line in text.split(b"\n", blank + 1)[: blank + 1])
        if header is False:
            found.problems.append("has a header, and Preflight(header=False) wants none")
    elif header is True:
        found.problems.append(NO_HEADER)
    if isinstance(column, int):
        _numbered(found, first, column, blank)
    elif column is None and found.column:
        name = shown(_cells(first, found.delimiter)[found.column])
        found.problems.append(
            f"has its codes in column {found.column + 1}, {name}, and not in the first. Move them; or name the column "
            f"with Preflight(column={name}) if the service takes such a file"
        )
    if found.header is None and first.lstrip().startswith(b"#") and column is None:
        names = [_rank(_cells(line, delimiter)[0]) == 2 for line in rest[:COMMENT_LINES] for delimiter in DELIMITERS]
        if any(names):
            found.problems.append("has a comment before its header, which would become a code. Remove it")
            return found
    if found.header is not None:
        found.name = "".join(_cells(found.header, found.delimiter)[found.column : found.column + 1]).encode()
    else:
        found.warnings += _doubts(first, rest, found, blank + 1, guess=column is None)
    return found


NO_HEADER: Final = "has no header, and Preflight(header=True) wants one; Preflight(column=...) takes any name"


def _numbered(found: Columns, first: bytes, column: int, blank: int) -> None:
    widths = {delimiter: len(_cells(first, delimiter)) for delimiter in (found.delimiter, *DELIMITERS)}
    fitting = [delimiter for delimiter, width in widths.items() if width >= column]
    if fitting:
        found.delimiter, found.column = fitting[0], column - 1
    else:
        found.problems.append(f"has no column {column} in line {blank + 1}")


def _named(first: bytes, name: str) -> tuple[bytes, int] | None:
    """Delimiter and index of the column of that name."""
    for delimiter in DELIMITERS:
        names = [cell.casefold() for cell in _cells(first, delimiter)]
        if name.strip().casefold() in names:
            return delimiter, names.index(name.strip().casefold())
    return None


def _recognised(first: bytes, rest: list[bytes], column: int | None) -> tuple[bytes, int] | None:
    """Delimiter, and index of the column whose name says that it has codes; ``None`` if the line names no columns."""
    ranks = {delimiter: [_rank(cell) for cell in _cells(first, delimiter)] for delimiter in DELIMITERS}
    for delimiter, rank in ranks.items():
        if rank[0] == 2 or (column is not None and column <= len(rank) and rank[column - 1]):
            return delimiter, 0
    for delimiter, rank in ranks.items():
        if (best := max(rank)) and len(rank) > 1:
            index = rank.index(best)
            if index == 0 or not rest or _names_columns(first, rest[0], delimiter, index):
                return delimiter, index
    return (DELIMITERS[0], 0) if ranks[DELIMITERS[0]] == [1] else None


def _names_columns(first: bytes, second: bytes, delimiter: bytes, index: int) -> bool:
    """Whether a line names columns, and does not just have a cell that reads so, as the line after it may, too."""
    cells, below = _cells(first, delimiter), _cells(second, delimiter)
    alike = index < len(below) and (below[index] == cells[index] or _rank(below[index]) > 0)
    return not alike and not any(map(str.isdigit, cells[0])) and (not cells[0] or _shape(cells[0]) != _shape(below[0]))


def _rank(name: str) -> int:
    """2 if a name is one of a column with codes, 1 if it may be one, or else 0."""
    joined = _SEPARATORS.sub("", name[: 2 * LONGEST_NAME])
    if len(joined) > LONGEST_NAME:
        return 0
    return 2 if _STRONG.fullmatch(joined) else 1 if _WEAK.fullmatch(joined) else 0


def _shape(cell: str) -> str:
    return "".join("9" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in cell)


def _cells(line: bytes, delimiter: bytes) -> list[str]:
    """A line's cells without quotes and white space around them; at least one."""
    try:
        cells = next(csv.reader([line.decode(errors="replace")], delimiter=delimiter.decode()), [""])
    except csv.Error:  # it is too long, or holds what the reader does not take
        cells = line.decode(errors="replace").split(delimiter.decode())
    return [cell.strip(" \t").strip('"').strip(" \t") for cell in cells]


def _doubts(first: bytes, rest: list[bytes], found: Columns, number: int, *, guess: bool) -> list[str]:
    """Warnings about a file without a header."""
    doubts = []
    for delimiter in DELIMITERS if guess else ():
        widths = {len(_cells(line, delimiter)) for line in (first, *rest[:20])}
        if len(rest) and len(widths) == 1 and (width := widths.pop()) > 1:
            took = "the first" if delimiter == found.delimiter else "each line as a whole"
            doubts.append(
                f"has {width} columns and no header that is recognised; {took} was checked. "
                "Preflight(column=...) names the one with the codes"
            )
            break
    cells = [_cells(line, found.delimiter)[found.column :][:1] for line in (first, *rest)]
    begin, *others = (cell[0] if cell else "" for cell in cells)
    if begin and _is_unlike(begin, others):
        doubts.append(
            f"has a line {number} unlike those after it: a header, a comment or a message? It was counted as a code. "
            "Preflight(column=...) names the header"
        )
    mails = sum(_MAIL.fullmatch(cell.encode()) is not None for cell in (begin, *others))
    if mails > len(others) / 2 and mails > 1:
        doubts.append("has mail addresses instead of codes, it seems")
    return doubts


def _is_unlike(begin: str, others: list[str]) -> bool:
    """Whether the first cell seems to be something other than those after it."""
    if len(begin.split()) > 2 and not all(len(cell.split()) > 2 for cell in others[:5]):
        return True
    if len(begin.split()) > 2 and not others:
        return True
    if not others:
        return False
    if begin.startswith(("#", "//", "--")) and not any(cell.startswith(begin[0]) for cell in others):
        return True
    if any(_rank(cell) == 2 for cell in others[:3]) and not any(map(str.isdigit, begin)):
        return True
    if len(others) < 2:
        return False
    if not any(map(str.isdigit, begin)) and all(any(map(str.isdigit, cell)) for cell in others):
        return True
    lengths = {len(cell) for cell in others}
    return len(others) >= 5 and len(lengths) == 1 and len(begin) not in lengths
