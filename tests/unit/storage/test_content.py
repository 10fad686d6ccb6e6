"""
The check of a file's content, as ``docs/storage-reference.md`` (*Checks*) promises it: which files
pass, with how many codes (the emulator counts as many), and for which reason, with lines and what
to do, the others are refused. No reason shows a code. By default a code has 1 to 100 bytes, a file
1 to 100,000,000 codes, no duplicate, and none unlike the others. Refused, too, are line ends that
are neither of Windows nor of Unix, remains of spreadsheets and databases, messages, markup, titles,
other formats and encodings, archives that are damaged or misnamed, ambiguous quotes, lines with
another number of columns, and tables whose column of codes is not certain.

The first line is a header if it lacks a kind of characters that all codes have and has one that
none has, unless it and all codes have digits, or one code alone (once or repeated) is below it. A
word for codes needs one difference; of the same kinds, it is a header above ten codes or more of
one length, which is not its own. It is a code if it has their kinds, and their length or digits as
all of them. What may be either is refused until ``header`` says it. A header below a title is found
in the first ten lines that are not blank.
Lines unlike the others are no codes if they are fewer than half, and two at most or a twentieth.

Counting takes one thread and 192 MB, and spills beside the file; if there is no room, that is a
problem in the list. All files here share one database (``one_database`` in conftest.py).
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_records import RefusedError
from wes_provider.emulator.counting import CouponCounter
from wes_provider.storage import Preflight
from wes_provider.storage.content import Content, check_content
from wes_provider.storage.counting import CodeTable, Counts, open_database
from wes_provider.storage.likeness import is_rare, reads_like_last_word

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")

pytestmark = pytest.mark.long

CODES = b"".join(b"WINTER-%05d\n" % number for number in range(300))
FILE = b"code\n" + CODES
BOM = b"\xef\xbb\xbf"
SALE = b"Buy one get one\n"
BY_DEFAULT: dict[str, Any] = {}
# Each has more lines than the beginning (64 KiB) that decides how to read a file, and is read in
# several blocks of 1 MiB; the table also in several batches of 100,000 lines.
MANY = b"".join(b"X%07d\n" % number for number in range(120_000))
WINDOWS = b"".join(b"X%07d\r\n" % number for number in range(110_000))
MANY_ROWS = b"code;amount\n" + b"".join(b"X%07d;5,00\n" % number for number in range(105_000))


def zipped() -> bytes:
    with zipfile.ZipFile(buffer := BytesIO(), "w") as archive:
        archive.writestr("codes.csv", FILE)
    return buffer.getvalue()


def each_code_twice(separator: str, *, quoted: bool) -> bytes:
    """A table with a header and twenty rows: ten codes, each in two rows, one below the other."""
    table = [["code", "id"], *([f"SUMMER{number // 2}", str(number)] for number in range(20))]
    lines = []
    for cells in table:
        if quoted:
            cells = [f'"{cell}"' for cell in cells]
        lines.append(separator.join(cells))
    return "\r\n".join(lines).encode()


def check(tmp_path: Path, content: bytes, arguments: dict[str, Any], *, gzipped: bool) -> Content:
    """Check a file with the arguments of ``Preflight``; ``gzipped`` says what its name says."""
    path = tmp_path / "codes"
    path.write_bytes(content)
    return check_content(path, Preflight(**arguments).rules(), gzipped=gzipped)


# -- files that pass -------------------------------------------------------------------------------


class Good(NamedTuple):
    """
    A file that passes, and how many codes it has.

    :ivar arguments: of ``Preflight``, without which some of the files would be refused.
    """

    name: str
    content: bytes
    codes: int
    arguments: dict[str, Any] = BY_DEFAULT
    gzipped: bool = False
    blank_lines: int = 0


GOOD_CODES = (
    Good("codes without a header", CODES, 300),
    Good("codes below a header", FILE, 300),
    Good("one code", b"A1", 1),
    Good("a word as the only code, with header=False", b"WELCOME", 1, {"header": False}),
    Good("code that looks like a header", b"CODE\n", 1, {"header": False}),
    Good("one code in capitals below a header", b"code\nWELCOME\n", 1),
    Good("one code below a header", b"code\nspring10\n", 1),
    Good("a word below a header, with max_unlike=1", b"code\nWelcome\n", 1, {"max_unlike": 1}),
    Good("a word in capitals at the end", FILE + b"WELCOME\n", 301),
    Good("a word at the end, with max_unlike=1", FILE + b"Welcome\n", 301, {"max_unlike": 1}),
    Good("spaces before quotes within quotes", b'code,what\nA1,"x, ""y"""\nA2,"z"\n', 2),
    Good("codes of digits", b"123456\n223456\n323456\n", 3),
    Good("codes of letters of other alphabets", "code\nÄ1\nß2\nкод3\n".encode(), 3),
    Good("punctuation in codes", b"code\nA-1\nA:2\nA#3\nA'4\nA\\5\nA 6\n", 6),
    Good("an apostrophe", b"code\nA'1\nA'2\n", 2),
    Good("accepted duplicates", b"A1\nA1\nA2\n", 3, {"max_duplicates": 1}),
    Good("half of the codes like no value", b"code\nnone\nA1\nnan\nA2\n", 4),
)
GOOD_LINES = (
    Good("windows line ends", FILE.replace(b"\n", b"\r\n"), 300),
    Good("mixed line ends", b"code\nA1\r\nA2\nA3", 3),
    # Of 7 bytes and then 10 each, so that the first 1,048,576 end between \r and \n.
    Good("line end that is read in two pieces", b"codes\r\n" + WINDOWS, 110_000),
    Good("empty last line", FILE + b"\n", 300, blank_lines=1),
    Good("blank lines before the header", b"\n\ncode\nA1\nA2\n", 2),
    Good("blank lines before the codes", b"\n \nA1\nA2\n", 2, blank_lines=2),
    Good("vertical tab before the codes", b"\x0b\nA1\nA2\n", 2, blank_lines=1),
    Good("form feed before the codes", b"\x0c\nA1\nA2\n", 2, blank_lines=1),
    Good("form feed between codes", b"A1\n\x0c\nA2\n", 2, blank_lines=1),
    Good("tab between codes", b"A1\n\t\nA2\n", 2, blank_lines=1),
    Good("no-break space before the codes", "\u00a0\nA1\nA2\n".encode(), 2, blank_lines=1),
    Good("next line before the codes", "\u0085\nA1\nA2\n".encode(), 2, blank_lines=1),
    Good("line separator before the codes", "\u2028\nA1\nA2\n".encode(), 2, blank_lines=1),
    Good("a row of empty cells", b"code;a;b\nA1;1;2\n;;\nA2;3;4\n", 2, blank_lines=1),
    Good("blank lines of a table", b"code;d\nA1;1\n\nA2;1\n \n;1\n", 2, blank_lines=3),
)
GOOD_ARCHIVES = (
    Good("byte order mark before a header", BOM + FILE, 300),
    Good("gzip archive", gzip.compress(FILE), 300, gzipped=True),
    Good("gzip of two parts", gzip.compress(FILE) + gzip.compress(b"A1\n"), 301, gzipped=True),
)
GOOD_QUOTES = (
    Good("another separator between quotes", b'code,"n;o"\nX1,"a;b"\nX2,"c;d"\n', 2),
    Good("a space before a cell beside quotes", b'code,note,x\nA1, b,"c, ""d"\nA2, e,"f"\n', 2),
    Good("a quote in a cell beside a space", b'code,note\nA1,"""q"", ""r"\nA2,"x"\n', 2),
    Good("quoted codes", b'"A1"\n"A2"\n', 2),
    Good("quoted header", b'"Code"\n"A1"\n"A2"\n', 2),
    Good("some quoted codes", b'code\nA1\n"A2"\nA3\n', 3),
    Good("quoted codes with commas", b'code\n"A,1"\n"A,2"\n"A,3"\n', 3),
    Good("one quoted code with a separator", b'code\nA1\n"A;2"\nA3\n', 3),
    Good("quoted codes with commas, and a column", b'code,value\n"A,1",2\n"A,2",3\n', 2),
    Good("quoted quote", b'code\n"A""1"\n"A""2"\n', 2),
    Good("line break in another column", b'"a code","a text"\n"A1","one\ntwo"\n"A2","three"\n', 2),
    Good("windows line breaks in another column", b'code,text\r\nA1,"x\r\n\r\ny"\r\nA2,z\r\n', 2),
    Good("header with a line break", b'"promo\ncode";"id"\n"A1";"1"\n"A2";"2"\n', 2),
    Good(
        "header with a line break that is not called as codes are",
        b'"Wert\nfeld";"x"\n"A1B2";"5"\n"C3D4";"6"\n',
        2,
        {"column": 1},
    ),
    Good("separators in another column", b'"code";"text"\n"A1";"x;y,z|"\n"A2";"a\tb"\n', 2),
)
GOOD_LOOKS = (
    Good("letters before an exponent", b"code\nA1E10\nE1E+10\n12345E67\n1E500000\n", 4),
    Good("hash signs before codes", b"code\n#A1\n#B2\n#sale!\n", 3),
    Good("equals signs in codes", b"code\nA=1\nQUI=\nQg==\n", 3),
    Good("parentheses in codes", b"code\n(A1)\n(2)\n(2)x\n", 3),
    Good("one code of another kind", b"code\n" + CODES + b"Summer sale\n", 301, {"max_unlike": 1}),
    Good(
        "a code that may stand for no value, with max_unlike=1",
        b"A1\nNone\nB2\n",
        3,
        {"max_unlike": 1},
    ),
    Good("as many lines of another kind as codes", b"A1\nBuy 2 get 1\nB2\nBuy 3 get 1\n", 4),
    Good(
        "more than a twentieth of another kind",
        b"code\n" + CODES[:1300] + SALE * 6,
        106,
        {"max_duplicates": 5},
    ),
    Good(
        "last word that is a code, with max_unlike=1",
        b"Code,x\nA1,0\nB2,1\nTotal,1\n",
        3,
        {"max_unlike": 1},
    ),
    Good("signs of names in some codes", b"code\nA1\nO'NEILL\nROCK&ROLL\nB2\n", 4),
    Good("words among codes", b"code\nA1\nWELCOME\nSummer\nX-MAS\nB2\nC3\n", 6),
    Good("a word for codes as a code", b"SUMMER2026\nWINTERCODE\nAUTUMN2026\n", 3),
    Good("a space in one code", b"code\nA1\nA 2\nA3\nA4\n", 4),
    Good("several words in all codes", b"BUY 1 GET 1\nBUY 1 GET 2\nBUY 2 GET 3\n", 3),
    Good("markup far from a code", b"code\nA<B\nA>1\nA<1>\n", 3),
    Good("ideographic space in a code", "code\n夏　1\n夏　2\n".encode(), 2),
    Good("symbols as codes", "code\n★★\n€€€\nÄÄ\n".encode(), 3),
    Good("spaces in codes", b"code\nSUMMER 1\n404 A\n500 B\n", 3),
    Good("one code with a space, with header=False", b"SUMMER 2026", 1, {"header": False}),
    Good("one code with a status", b"404A", 1),
    Good("a first code like a status", b"404-ABCD\n404-ABCE\n500-ABCD\n", 3),
    Good("a first code like a status with a space", b"503 A\n404 B\n500 C\n", 3),
)
GOOD_COLUMNS = (
    Good("semicolons", b"code;value\nA1;5,00\nA2;6,00\n", 2),
    Good("tabs", b"code\tname\nA1\tx\nA2\ty\n", 2),
    Good("pipes", b"code|date\nA1|2027-01-01\nA2|2027-01-02\n", 2),
    Good("empty cells", b"code,name\nA1,\nA2,\n", 2),
    Good("numbered column without a header", b"1;A1\n2;A2\n2;A3\n", 3, {"column": 2}),
    Good("numbered column below a header", b"id;code\n1;A1\n2;A2\n", 2, {"column": 2}),
    Good("numbered column, whose name decides", b"1;code\n2;A1\n3;A2\n", 2, {"column": 2}),
    Good(
        "numbered column, header by the digits below another name",
        b"id;A1\n1;A2\n2;A3\n",
        3,
        {"column": 2},
    ),
    Good("numbered column, whose words decide", b"n1;name\nn2;AB12\nn3;AB13\n", 2, {"column": 2}),
    Good("numbered column, header=False", b"x1;A1\nx2;A2\n", 2, {"column": 2, "header": False}),
    Good("numbered column, header=True", b"x1;A1\nx2;A2\n", 1, {"column": 2, "header": True}),
    Good("named column", b"id;code\n1;A1\n2;A2\n", 2, {"column": "Code"}),
    Good("given delimiter", b"code:value\nA1:1\nA2:2\n", 2, {"delimiter": ":"}),
    Good(
        "given delimiter of two possible ones",
        b"A1;5,00\nA2;6,00\n",
        2,
        {"delimiter": ";", "column": 1},
    ),
    Good("delimiter that no line has", b"code\nA1\nA;2\nA3\n", 3, {"delimiter": "|"}),
)
GOOD = (*GOOD_CODES, *GOOD_LINES, *GOOD_ARCHIVES, *GOOD_QUOTES, *GOOD_LOOKS, *GOOD_COLUMNS)


def check_good(file: Good, tmp_path: Path) -> None:
    """The file passes, and has so many codes and blank lines."""
    checked = check(tmp_path, file.content, file.arguments, gzipped=file.gzipped)
    assert checked.problems == []
    assert (checked.counts.codes, checked.counts.blank_lines) == (file.codes, file.blank_lines)


@pytest.mark.parametrize("file", GOOD_CODES, ids=[file.name for file in GOOD_CODES])
def test_codes_of_all_kinds_pass_below_a_header_or_without_one(file: Good, tmp_path: Path) -> None:
    check_good(file, tmp_path)


@pytest.mark.parametrize("file", GOOD_LINES, ids=[file.name for file in GOOD_LINES])
def test_blank_lines_and_line_ends_of_windows_and_unix_pass(file: Good, tmp_path: Path) -> None:
    check_good(file, tmp_path)


@pytest.mark.parametrize("file", GOOD_ARCHIVES, ids=[file.name for file in GOOD_ARCHIVES])
def test_a_mark_before_a_header_and_archives_whose_name_says_so_pass(
    file: Good, tmp_path: Path
) -> None:
    check_good(file, tmp_path)


@pytest.mark.parametrize("file", GOOD_QUOTES, ids=[file.name for file in GOOD_QUOTES])
def test_quotes_around_cells_pass_and_hold_separators_and_line_breaks(
    file: Good, tmp_path: Path
) -> None:
    check_good(file, tmp_path)


@pytest.mark.parametrize("file", GOOD_LOOKS, ids=[file.name for file in GOOD_LOOKS])
def test_codes_that_only_look_damaged_pass(file: Good, tmp_path: Path) -> None:
    check_good(file, tmp_path)


@pytest.mark.parametrize("file", GOOD_COLUMNS, ids=[file.name for file in GOOD_COLUMNS])
def test_the_column_of_codes_passes_that_the_header_or_an_argument_names(
    file: Good, tmp_path: Path
) -> None:
    check_good(file, tmp_path)


def count_as_emulator(content: bytes) -> int:
    counter = CouponCounter(room=1_000_000)
    counter.feed(content)
    counter.finish()
    return counter.total


COUNTED_BY_EMULATOR = [file for file in GOOD if not file.arguments]


@pytest.mark.parametrize("file", COUNTED_BY_EMULATOR, ids=lambda file: file.name)
def test_emulator_counts_as_many_codes_as_the_check(file: Good) -> None:
    assert count_as_emulator(file.content) == file.codes


@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "|"])
def test_duplicates_are_found_whatever_divides_the_columns(
    separator: str, quoted: bool, tmp_path: Path
) -> None:
    checked = check(tmp_path, each_code_twice(separator, quoted=quoted), {}, gzipped=False)
    assert (checked.counts.codes, checked.counts.duplicates) == (20, 10)
    assert checked.problems == [
        "has 10 codes found earlier in the file (lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21)"
    ]


# -- headers ---------------------------------------------------------------------------------------


class FirstCell(NamedTuple):
    """A first line, and the codes below it."""

    name: str
    first: str
    others: Sequence[str]

    @property
    def content(self) -> bytes:
        return "\n".join([self.first, *self.others]).encode()


AB = ["AB12", "AB13", "AB14"]
# All have digits, and some have none of the letters.
RANDOM = [f"{number * 0x9E3779B1 % 16**8:08x}" for number in range(99)]
SEASONS = ["SUMMER10", "WINTER20", "AUTUMN30"]
# Small letters, as in ``code``, and all of one length.
TEN_WORDS = ["code" + letter * 4 for letter in "abcdefghij"]
BY_CHARACTERS = (
    FirstCell("german", "Rabattcode", AB),
    FirstCell("swedish", "Värdekod", AB),
    FirstCell("japanese", "クーポン", AB),
    FirstCell("hebrew", "קופון", AB),
    FirstCell("arabic", "رمز", AB),
    FirstCell("greek", "κωδικός", AB),
    FirstCell("two words", "mã giảm giá", ["ab12", "ab13", "ab14"]),
    FirstCell("underscore", "kod_kuponu", ["ab12", "ab13", "ab14"]),
    FirstCell("as long as codes of digits", "voucher", ["1234567", "2234567", "3234567"]),
    FirstCell("as long as codes of letters", "coupon", ["QWERTZ", "ASDFGH", "YXCVBN"]),
)
BY_WORD = (
    FirstCell("without the digits that all codes have", "code", ["ab12", "ab13", "ab14"]),
    FirstCell("without the digits that all random codes have", "code", RANDOM),
    FirstCell("in capitals", "ПРОМОКОД", AB),
    FirstCell("with small letters that no code has", "Voucher", ["QWERTZ", "ASDFGH", "YXCVBN"]),
    FirstCell("of the same kinds, above ten codes of another length", "code", TEN_WORDS),
    FirstCell("above one code", "Voucher", ["AB12"]),
    # Below each are codes that have all of its characters, and digits.
    *(
        FirstCell(word, word, [f"{word}{number}" for number in (1, 2, 3)])
        for word in (
            "voucher_code",
            "voucher",
            "VOUCHER",
            "promo_code",
            "promotion_code",
            "Discount Code",
            "Gutscheincode",
            "Código",
            "Gift card code",
            "Gift card number",
            "Code promo",
            "Kod rabatowy",
            "优惠码",
        )
    ),
)
CODES_AT_ONCE = (
    FirstCell("letters and digits, of one length", "A0", ["A1", "A2", "A3"]),
    FirstCell("letters and digits, of several lengths", "A1", ["A22", "B333"]),
    FirstCell("words of one length", "SUMMER", ["WINTER", "SPRING"]),
    FirstCell("random codes of one length", "c0ffee00", RANDOM),
    FirstCell(
        "without digits, as another code of its length",
        "ABCDEFGH",
        ["A1B2C3D4", "XYZXYZXY", "Z9Y8X7W6"],
    ),
)
UNCLEAR = (
    # A word for codes.
    FirstCell("a word for codes of the same kinds and length", "code", ["ab1c", "zzzz", "ab2d"]),
    FirstCell("a word for codes above nine codes of another length", "code", TEN_WORDS[:9]),
    # Anything else, which only lacks or only has a kind of characters.
    FirstCell("no digits, as all others have", "ABCDEFGH", ["A1B2C3D4", "Z9Y8X7W6"]),
    FirstCell("no digits, and shorter", "WELCOME", SEASONS),
    FirstCell("no digits, and three letters", "VIP", ["AB12CD34", "EF56GH78"]),
    FirstCell("no digits, and a hyphen", "WELCOME-BACK", SEASONS),
    FirstCell("no digits, in small letters", "rabatt", ["summer10", "winter20"]),
    FirstCell("a digit, and small letters that no code has", "Code 1", AB),
    # Anything else, which has the same kinds.
    FirstCell("a word above words of another length", "SUMMER", ["SALE", "WINTER"]),
    FirstCell("a code above 99 codes of another length, all with digits", "c0de", RANDOM),
    FirstCell("both differences, and a digit as all codes have", "rabatt2", AB),
    FirstCell(
        "a word for codes of the same kinds, above ten codes of two other lengths",
        "code",
        [*TEN_WORDS, "codeaa"],
    ),
    # With less below it than could decide.
    FirstCell("any word above one code", "Rabatt", ["AB12"]),
    FirstCell("any word alone", "WELCOME", []),
)


@pytest.mark.parametrize("file", BY_CHARACTERS, ids=[file.name for file in BY_CHARACTERS])
def test_first_line_is_a_header_if_it_lacks_a_kind_of_all_codes_and_has_one_of_none(
    file: FirstCell, tmp_path: Path
) -> None:
    checked = check(tmp_path, file.content, {}, gzipped=False)
    assert (checked.problems, checked.has_header) == ([], True)
    assert checked.counts.codes == len(file.others)


@pytest.mark.parametrize("file", BY_WORD, ids=[file.name for file in BY_WORD])
def test_word_for_codes_is_a_header_if_it_differs_from_the_codes_in_one_way(
    file: FirstCell, tmp_path: Path
) -> None:
    checked = check(tmp_path, file.content, {}, gzipped=False)
    assert (checked.problems, checked.has_header) == ([], True)
    assert checked.counts.codes == len(file.others)


@pytest.mark.parametrize("file", CODES_AT_ONCE, ids=[file.name for file in CODES_AT_ONCE])
def test_first_line_is_a_code_if_it_has_the_kinds_of_characters_of_the_codes(
    file: FirstCell, tmp_path: Path
) -> None:
    checked = check(tmp_path, file.content, {}, gzipped=False)
    assert (checked.problems, checked.has_header) == ([], False)
    assert checked.counts.codes == len(file.others) + 1


DECIDED = (*BY_CHARACTERS, *BY_WORD, *CODES_AT_ONCE)


@pytest.mark.parametrize("file", DECIDED, ids=[file.name for file in DECIDED])
def test_emulator_takes_the_same_first_lines_for_headers(file: FirstCell) -> None:
    is_code = file in CODES_AT_ONCE
    assert count_as_emulator(file.content) == len(file.others) + is_code


@pytest.mark.parametrize("file", UNCLEAR, ids=[file.name for file in UNCLEAR])
def test_first_line_that_may_be_either_is_refused_until_the_dag_says_what_it_is(
    file: FirstCell, tmp_path: Path
) -> None:
    checked = check(tmp_path, file.content, {}, gzipped=False)
    (problem,) = checked.problems
    assert "may be a header" in problem
    assert "Preflight(header=False)" in problem


class Declared(NamedTuple):
    """``header``, and how many codes a file of four words has, the first of which may be either."""

    name: str
    header: Any
    codes: int


DECLARED = (
    Declared("a header", True, 3),
    Declared("no header", False, 4),
    Declared("a header, as a template renders it", "True", 3),
    Declared("no header, as a template renders it", "False", 4),
)


@pytest.mark.parametrize("row", DECLARED, ids=[row.name for row in DECLARED])
def test_header_that_is_declared_counts(row: Declared, tmp_path: Path) -> None:
    content = b"A\nSALE\nWINTER\nXMAS\n"
    checked = check(tmp_path, content, {"header": row.header}, gzipped=False)
    assert checked.problems == []
    assert checked.counts.codes == row.codes


@pytest.mark.parametrize("header", [None, "None", ""], ids=repr)
def test_argument_header_without_a_value_leaves_it_to_the_check(
    header: Any, tmp_path: Path
) -> None:
    checked = check(tmp_path, b"code\nA1\nA2\n", {"header": header}, gzipped=False)
    assert (checked.counts.codes, checked.has_header) == (2, True)


# -- files that are refused ------------------------------------------------------------------------


class Bad(NamedTuple):
    """
    A file that is refused.

    :ivar problem: what is said of it; in ``BAD`` a part of that, in ``WHOLE`` all of it.
    """

    name: str
    content: bytes
    problem: str
    arguments: dict[str, Any] = BY_DEFAULT
    gzipped: bool = False


DAMAGED = "that an export damaged"
LOST = "with U+FFFD in place of a character that was lost"
OF_SPREADSHEET = "like a formula or an error of a spreadsheet: =..., #REF!, #N/A"
OF_DATABASE = "like the last line of a database's output: (2 rows)"
NO_VALUE = "that may stand for no value: NULL, nan, None"
MARKUP = "with a tag of HTML or XML"
UNLIKE = "unlike the others, such as a message or a value that is none"
PUNCTUATION = "of nothing but punctuation"
ALONE = "has a single line"
NOT_A_HEADER = "If it is a code, set Preflight(header=False)"
DISAGREES = "with a comma, semicolon, tab or |"
BAD_EMPTY = (
    Bad("empty", b"", "is empty"),
    Bad("blank", b"\n \n", "has only blank lines"),
    Bad("form feed", b"\x0c\n", "has only blank lines"),
    Bad("no-break space", "\u00a0".encode(), "has only blank lines"),
    Bad("ideographic space", "\u3000\n".encode(), "has only blank lines"),
    Bad("vertical tabs", b"\x0b\n\x0b", "has only blank lines"),
    Bad("file separators", b"\x1c\n\x1d\n\x1e", "has only blank lines"),
    Bad("next line", "\u0085".encode(), "has only blank lines"),
    Bad("byte order mark alone", BOM, "has only blank lines"),
    Bad("empty quotes", b'""\n""\n', "has only blank lines"),
    Bad("empty quotes and a delimiter", b'""\n""\n', "has only blank lines", {"delimiter": ";"}),
)
BAD_NUMBERS = (
    Bad("only a header", b"code\n", "has a single line, which may be a header"),
    Bad(
        "only what is declared a header",
        b"code\n",
        "has 0 codes after its header (if that is a code, set Preflight(header=False)), not",
        {"header": True},
    ),
    Bad(
        "too few",
        FILE,
        "has 300 codes after its header (if that is a code, set Preflight(header=False)), not "
        "min_codes=301 to max_codes=100000000",
        {"min_codes": 301},
    ),
    Bad("too many", CODES, "has 300 codes, not min_codes=1 to max_codes=299", {"max_codes": 299}),
)
BAD_CODES = (
    Bad(
        "a code that is too long",
        b"code\nA1\n" + b"A" * 101,
        "has 1 code of fewer than 1 or more than 100 bytes (line 3)",
    ),
    Bad(
        "codes that are too short",
        b"A12\nA2\nA1\n",
        "has 2 codes of fewer than 3 or more than 100 bytes (lines 2, 3)",
        {"min_length": 3},
    ),
    Bad("long line", FILE + b"A" * 70_000, "or more than 100 bytes (line 302)"),
    Bad(
        "duplicates",
        b"code\nA1\nA2\nA1\nA2\n",
        "has 2 codes found earlier in the file (lines 4, 5)",
    ),
    Bad(
        "one code many times",
        b"SAME\n" * 20,
        "has 19 codes found earlier in the file (lines 20, ...)",
    ),
    Bad(
        "the file and all of it again",
        FILE + FILE,
        "has 300 codes found earlier in the file (lines 303, 304, 305, ",
    ),
    Bad(
        "header twice over other codes",
        b"Code\nA1\ncode\nA2\n",
        "has 1 code equal to the header (line 3)",
    ),
    Bad(
        "a duplicate with blanks behind it",
        b"code\nA1\nA1  \nA2 \n",
        "found earlier in the file (line 3)",
    ),
    Bad(
        "no-break space behind",
        "code\nA1\nA1\u00a0\nA2\n".encode(),
        f"has 1 code {DAMAGED}: 1.2E+15, control or invisible characters (line 3)",
    ),
    Bad("no-break space before", "code\n\u00a0A1\nA2\n".encode(), f"has 1 code {DAMAGED}"),
    Bad("no-break space within", "code\nA\u00a01\nA2\n".encode(), f"has 1 code {DAMAGED}"),
    Bad("narrow spaces", "code\nA\u202f1\nA\u20092\n".encode(), f"has 2 codes {DAMAGED}"),
    Bad("ideographic space behind", "code\nA1\u3000\nA2\n".encode(), f"has 1 code {DAMAGED}"),
    Bad("exponents", b"code\n1.2E+15\n1.3E+15\n", f"has 2 codes {DAMAGED}: 1.2E+15"),
    Bad("one exponent", b"code\nA1\n1.23457E+12\nA3\n", f"has 1 code {DAMAGED}"),
    Bad("small exponent", b"code\nA1\n1.23457e+12\nA3\n", f"has 1 code {DAMAGED}"),
    Bad("exponent with a comma in quotes", b'code\nA1\n"1,2E+15"\nA3\n', f"has 1 code {DAMAGED}"),
    Bad("invisible character", "code\nA\u200b1\nA2\n".encode(), f"has 1 code {DAMAGED}"),
    *(
        Bad(name, f"code\nA1{character}\nA2\n".encode(), f"has 1 code {DAMAGED}")
        for name, character in {
            "variation selector": "\ufe0f",
            "variation selector of ideographs": "\U000e0100",
            "Hangul filler": "\u3164",
            "Braille blank": "\u2800",
            "joiner of graphemes": "\u034f",
            "noncharacter": "\ufffe",
        }.items()
    ),
    Bad("control character", b"code\nA1\x0b\nA2\n", f"has 1 code {DAMAGED}"),
    Bad("byte order mark in the middle", b"A1\nA2\n" + BOM + b"A3\n", f"has 1 code {DAMAGED}"),
    Bad("line break in a code", b'code,x\n"A\n1",1\nA2,2\n', "invisible characters (line 2)"),
    Bad(
        "lines behind a line break",
        b'code,text\nA1,"x\n\ny"\n\nA2,z\nA1,z\n',
        "found earlier in the file (line 7)",
    ),
)
BAD_LINE_ENDS = (
    Bad("carriage returns", FILE.replace(b"\n", b"\r"), "return without a line feed (line 1)"),
    Bad("one carriage return", b"code\nA\rB\nC\n", "return without a line feed (line 2)"),
    Bad("two carriage returns", b"code\r\nA1\r\r\nA2\r\n", "return without a line feed (line 2)"),
    Bad("return at the end", b"code\nA1\nA2\r", "return without a line feed (line 3)"),
    Bad("many returns", MANY.replace(b"\n", b"\r"), "return without a line feed (line 1)"),
    Bad("return far below", WINDOWS + b"A\rB\n", "return without a line feed (line 110001)"),
    Bad(
        "return in an archive",
        gzip.compress(b"code\nA\rB\n"),
        "return without a line feed (line 2)",
        gzipped=True,
    ),
    Bad("line separator", "code\nA\u2028B\nC\n".encode(), f"has 1 code {DAMAGED}"),
    Bad("paragraph separator", "code\nA\u2029B\nC\n".encode(), f"has 1 code {DAMAGED}"),
    Bad("form feed in a code", b"code\nA\x0cB\nC\n", f"has 1 code {DAMAGED}"),
    Bad("next line in a code", "code\nA\x85B\nC\n".encode(), f"has 1 code {DAMAGED}"),
)
BAD_LEFT = (
    Bad("lost character", "code\nA\ufffdB\nC1\n".encode(), f"has 1 code {LOST} (line 2)"),
    Bad(
        "errors of a spreadsheet",
        b"code\n#NAME?\n#REF!\nA1\n",
        f"has 2 codes {OF_SPREADSHEET} (lines 2, 3)",
    ),
    Bad(
        "more errors of a spreadsheet",
        b"code\n#DIV/0!\n#N/A\nA1\n",
        f"has 2 codes {OF_SPREADSHEET}",
    ),
    Bad("errors, russian", "code\n#ИМЯ?\n#Н/Д\nA1\n".encode(), f"has 2 codes {OF_SPREADSHEET}"),
    Bad("errors, spanish", "code\n#¡REF!\nA1\n".encode(), f"has 1 code {OF_SPREADSHEET}"),
    Bad("formulas", b'code\n="00123"\n="00124"\n', f"has 2 codes {OF_SPREADSHEET}"),
    Bad("quoted formulas", b'code\n"=""00123"""\nA1\n', f"has 1 code {OF_SPREADSHEET}"),
    Bad("formula in a table", b'code;x\n="00123";1\nA1;2\n', f"has 1 code {OF_SPREADSHEET}"),
    Bad("narrow column", b"code\n########\nA1\n", f"has 1 code {PUNCTUATION} (line 2)"),
    Bad("question marks", b"code\n????\nA1\n", f"has 1 code {PUNCTUATION}"),
    Bad("line of a table", b"code\n------\nA1\n", f"has 1 code {PUNCTUATION}"),
    Bad("end of a copy", b"A1\nA2\n\\.\n", f"has 1 code {PUNCTUATION}"),
    Bad("footer of a database", b"code\nA1\nA2\n(2 rows)\n", f"has 1 code {OF_DATABASE} (line 4)"),
    Bad("footer of a database, german", b"code\nA1\n(1 Zeile)\n", f"has 1 code {OF_DATABASE}"),
    Bad("footer of another client", b"code\nA1\n(1 rows affected)\n", f"has 1 code {OF_DATABASE}"),
    *(
        Bad(
            f"as a program writes values: {code}",
            FILE + f"{code}\n".encode(),
            "as a program, a spreadsheet or a list writes values",
        )
        for code in (
            *("'00456", "b'AB12'", "['AB12']", "[AB12]", "u'AB12'", "'AB12'", "'AB-12'", "`AB12`"),
            *("“AB12”", "„AB12“", "«AB12»", "- AB12", "* AB12", "{{ AB12 }}"),
        )
    ),
    Bad(
        "all codes as SQL writes them",
        "".join(f"'AB{number}',\n" for number in range(10)).encode(),
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad("all codes in single quotes", b"code\n'A1'\n'A2'\n", "has 2 codes as a program"),
    Bad("all codes as a list has them", b"code\n- A1\n- A2\n", "has 2 codes as a program"),
)
BAD_MESSAGES = (
    *(
        Bad(
            f"the only code: {message}",
            f"code\n{message}\n".encode(),
            "is all that is below the header",
        )
        for message in ("Not Found", "Unauthorized", "No data available", "No records.", "Keine")
    ),
    *(
        Bad(f"the last code: {word}", FILE + f"{word}\n\n".encode(), "(line 302) that reads like")
        for word in ("Killed", "Terminated", "Total", "Summe", "TOTAL", "EOF", "ERROR")
    ),
    *(
        Bad(line, f"code\nWINTER-1\nWINTER-2\n{line}\n".encode(), f"has 1 code {problem}")
        for line, problem in (
            ("#NV", OF_SPREADSHEET),
            ("#GETTING_DATA", OF_SPREADSHEET),
            ("Err:504", OF_SPREADSHEET),
            ("2 rows", OF_DATABASE),
            ("1 row selected.", OF_DATABASE),
            ("COPY 2", OF_DATABASE),
            ("SELECT 2", OF_DATABASE),
            ("INSERT 0 2", OF_DATABASE),
            ("2 rows in set (0.00 sec)", OF_DATABASE),
            ("2 Row(s) produced. Time Elapsed: 0.123s", OF_DATABASE),
            ("<b>Fatal error</b>: no memory", MARKUP),
            ("<html><body>502 Bad Gateway</body></html>", MARKUP),
            *((word, NO_VALUE) for word in ("NULL", "nan", "None", "n/a")),
            ("Loading...", UNLIKE),
            ("#ERROR", UNLIKE),
            ("\\N", UNLIKE),
            ("Query 20261126_1234 finished", UNLIKE),
            ("ORA-01555: snapshot too old", UNLIKE),
            ("Fatal error: no memory in /var/www/x.php", UNLIKE),
            ("Total records: 2", UNLIKE),
        )
    ),
    Bad(
        "markup far below",
        MANY + b"<!DOCTYPE html>\n<html>\n",
        "of an error (lines 120001, 120002)",
    ),
    Bad("a message far below", MANY + b"snapshot is too old\n", f"has 1 code {UNLIKE}"),
    Bad(
        "two messages",
        b"code\n" + CODES[:130] + b"No more rows\nEnd of file\n",
        f"has 2 codes {UNLIKE}",
    ),
    Bad("a twentieth of messages", b"code\n" + CODES[:1235] + SALE * 5, f"has 5 codes {UNLIKE}"),
    Bad(
        "duplicates among codes that stand for no value",
        b"A1\nNone\nB2\nNone\n",
        "has 1 code found earlier in the file (line 4)",
        {"max_unlike": 2},
    ),
    Bad(
        "less than half of the codes like no value",
        b"code\nnone\nA1\nnan\nA2\nA3\n",
        "has 2 codes that may stand for no value: NULL, nan, None (if they are codes, set "
        "max_unlike) (lines 2, 4)",
    ),
    Bad("footers of many files", (CODES + b"Query 1 finished\n") * 9, f"has 9 codes {UNLIKE}"),
    Bad("a sum", b"Code,Used\nX1,0\nX2,1\nTotal,1\n", "has a last line (line 4) that reads like"),
    Bad(
        "a last word below quoted codes",
        b'A1\n"A2"\nKilled\n\n',
        "has a last line (line 3) that reads like",
        {"header": False},
    ),
    Bad(
        "a last word above lines of spaces",
        b"A1\nA2\nKilled\n   \n",
        "has a last line (line 3) that reads like",
        {"header": False},
    ),
    Bad(
        "a last word above many blank lines",
        FILE + b"Killed\n" + b"\n" * 1_100_000,
        "has a last line (line 302) that reads like",
    ),
    Bad(
        "a sum above a row without a code",
        b"Code;x\nX1;1\nX2;2\nTotal;3\n;4\n",
        "has a last line (line 4) that reads like",
    ),
    Bad(
        "a sum below a code in quotes, above a blank line",
        b'code\nA1\n"A2"\nTotal\n\n',
        "has a last line (line 4) that reads like",
    ),
    Bad(
        "a sum beside a cell of two lines",
        b'Code,x\nX1,1\nX2,"2\n2"\nTotal,"3\n3"\n',
        "has a last line (line 5) that reads like",
    ),
    Bad(
        "a sum below a cell of two lines",
        b'Code,x\nX1,1\nX2,"2\n2"\nTotal,3\n',
        "has a last line (line 5) that reads like",
    ),
    Bad("a sum beside a space", b"Code,Used\nX1,0\nX2,1\nTotal ,1\n", "has a last line (line 4)"),
    Bad("a sum below an empty cell", b"code;x\nX1;1\n;2\nX2;3\nTotal;4\n", "a last line (line 5)"),
    Bad(
        "a sum in quotes", b'Code,Used\nX1,0\nX2,1\n"Summe",1\n\n', "has a last line (line 4) that"
    ),
    *(
        Bad(f"{message}{how}", message.encode(), "is the message of an error", arguments)
        for message in (
            "404: Not Found",
            "404 page not found",
            "403 Forbidden\n",
            "503 - Dienst nicht verfügbar",
            "HTTP/1.1 502 Bad Gateway",
        )
        for how, arguments in (("", BY_DEFAULT), (", with header=False", {"header": False}))
    ),
    Bad(
        "one line of words",
        b"Please sign in 2 times",
        "a single line of several words, which may be a me",
    ),
)
BAD_FORMATS = (
    Bad("error page", b"<!DOCTYPE html>\n<html>Log in</html>", "is markup such as HTML or XML"),
    Bad("error page below blank lines", b"\n \n\t<html>Log in</html>\n", "is markup such as HTML"),
    Bad("json", b'[{"code": "A1"}]', "is JSON or RTF"),
    Bad("json below a blank line", b'\n{"codes": ["A1"]}\n', "is JSON or RTF"),
    Bad("an error below a blank line", b"\n404: Not Found\n", "is the message of an error"),
    Bad("pdf", b"%PDF-1.7\n", "is a PDF"),
    Bad("zip named csv", zipped(), "is a ZIP archive or an Excel workbook"),
    Bad(
        "a pointer of Git LFS",
        b"version https://git-lfs.github.com/spec/v1\n",
        "is a pointer of Git LFS",
    ),
    Bad("encrypted", b"-----BEGIN PGP MESSAGE-----\n", "is an encrypted or signed text"),
    Bad("an error's words alone", b"Internal Server Error", "is the message of an error"),
)
BAD_TITLES = (
    *(
        Bad(
            title,
            f"{title}\ncode\nX1\nX2\n".encode(),
            "and above it a line that is none (line 1)",
        )
        for title in (
            "Summer sale 2026",
            "Summer sale 2026\n",
            "Exported by shop",
            "Warning: Undefined variable $x in /var/www/export.php on line 12",
            "mysql: [Warning] Using a password on the command line can be insecure.",
            "  % Total    % Received % Xferd  Average Speed",
            "VIP",
        )
    ),
    Bad(
        "title above a declared header",
        b"Summer sale 2026\ncode\nX1\nX2\n",
        "and above it a line that is none (line 1)",
        {"header": True},
    ),
    Bad(
        "title above a header of two words",
        b"Vouchers 2026\n\nGift card code\nX1\nX2\n",
        "has a header in line 3, and above it a line that is none (line 1), such as a title or a w",
    ),
    Bad("title above codes", b"Summer sale 2026\nX1\nX2\n", "(line 1) that reads like a title or"),
    Bad(
        "title above a blank line",
        b"Summer\n\nX1\nX2\n",
        "has a first line (line 1) that has a blank line below it, as a title has. Remove it; or",
    ),
    Bad(
        "warning above codes",
        b"Warning: no such variable on line 12\nX1\nX2\n",
        "(line 1) that reads like a title or a message",
    ),
    Bad("two byte order marks", BOM + BOM + FILE, "starts with two byte order marks"),
    Bad("line for Excel", b"sep=;\ncode;value\nA1;1\n", "starts with a comment, or a line for Ex"),
)
BAD_ARCHIVES = (
    Bad("gzip named csv", gzip.compress(FILE), "is a gzip archive, and its name does not end with"),
    Bad(
        "archive of an archive",
        gzip.compress(gzip.compress(FILE)),
        "is a gzip archive with another one in it",
        gzipped=True,
    ),
    Bad("csv named gz", FILE, "is no gzip archive, as its name says", gzipped=True),
    Bad("nothing named gz", b"", "is empty", gzipped=True),
    Bad("archive of nothing", gzip.compress(b""), "is empty", gzipped=True),
    Bad("half an archive", gzip.compress(FILE)[:-400], "is an incomplete gzip", gzipped=True),
    Bad("archive without its sum", gzip.compress(FILE)[:-8], "is an incomplete gz", gzipped=True),
    Bad(
        "half of a large archive",
        gzip.compress(MANY)[:-1000],
        "is an incomplete gzip archive: its end is missing",
        gzipped=True,
    ),
    Bad(
        "archive with a wrong sum",
        gzip.compress(FILE)[:-8] + b"12345678",
        "is a damaged gzip archive",
        gzipped=True,
    ),
    Bad(
        "archive with bytes behind it",
        gzip.compress(FILE) + b"not an archive",
        "is a damaged gzip archive",
        gzipped=True,
    ),
)
BAD_ENCODINGS = (
    Bad("utf-16", FILE.decode().encode("utf-16"), "is binary, or text in UTF-16"),
    Bad("utf-16 without a mark", FILE.decode().encode("utf-16-le"), "is binary, or text in UTF-16"),
    Bad("latin-1", b"code\nA\xe9\nB\n", "is not text in UTF-8 (line 2)"),
    Bad("latin-1 far below", MANY + b"A\xe9\n", "is not text in UTF-8 (line 120001)"),
    Bad("NUL far below", MANY + b"A\0B\n", "is binary: it has a NUL byte (line 120001)"),
    Bad("line without end", b"A1\n" + b"A" * 3_000_000, "has a line of more than 1048576 bytes"),
    Bad("byte order mark before a code", BOM + CODES, "would become part of the first code"),
)
BAD_QUOTES = (
    Bad("open quote", b'code\n"A1\nA2\nA3\n', "a quote that is not closed in its line (line 2)"),
    Bad(
        "line break in quotes of a single column",
        b'code\n"A\n1"\nA2\n',
        "has a quote that is not closed in its line (line 2); a code is in one line",
    ),
    Bad("open quote in a table", b'code;x\n"A1;1\nA2;2\n', "a quote that is not closed (line 2)"),
    Bad(
        "open quote far below",
        MANY_ROWS + b'"A1;1\nA2;2\n',
        "has a quote that is not closed (line 105002)",
    ),
    Bad(
        "open quote before many lines",
        b'code;amount\nA0;1\n"A1;1\n' + MANY_ROWS,
        "has a cell of more than 131072 characters, or a quote that is not closed (line 3)",
    ),
    Bad(
        "long cell",
        b"code;text\nA1;" + b"x" * 140_000 + b"\nA2;y\nA3;y\n",
        "has a cell of more than 131072 characters, or a quote that is not closed (line 2)",
    ),
    Bad(
        "open quote among codes far below", MANY + b'"A1\n', "not closed in its line (line 120001)"
    ),
    Bad("text behind a quote", b'"A1"x\n"A2"\n', "has text after a closing quote (line 1)"),
    Bad(
        "a quote after a backslash",
        b'code\n"A\\"1"\n"A2"\n',
        "has text after a closing quote (line 2)",
    ),
    Bad(
        "text behind a quote in a table",
        b'code;x\nA1;"1"\nA2;"2" \n',
        "has text after a closing quote (line 3)",
    ),
    Bad(
        "a quote within a code",
        b'code\nA1\nA"2\n',
        "has a quote within a cell that is not in quotes (line 3), which not every reader takes "
        "for a character",
    ),
    Bad("a quote at the end of a code", b'code\nA1\nA2"\n', "a quote within a cell"),
    Bad(
        "a quote within a code of a table",
        b'code;x\nA1;1\nA"2;1\n',
        "has a quote within a cell that is not in quotes (line 3)",
    ),
    Bad(
        "a quote of inches, and another column in quotes",
        b'coupon,size,note\nA1,5" TV,"big, flat"\nA2,y,x\n',
        "has a quote within a cell that is not in quotes (line 2)",
    ),
    Bad(
        "a quote within a cell, below cells with line breaks and doubled quotes",
        b'code,note\nA1,"one\ntwo ""three"""\nA2,"4"\nA3,five" six\n',
        "has a quote within a cell that is not in quotes (line 5)",
    ),
    Bad(
        "a quote within a cell far below",
        b"code,x\n" + b"".join(b"A%06d,1\n" % i for i in range(120_000)) + b'B1,2"\n',
        "has a quote within a cell that is not in quotes (line 120002)",
    ),
    Bad(
        "a space before a quote in another column",
        b'code, what\nA1, "line 1\nA2, y"\nA3, "z"\n',
        "has a space before a quote (line 2)",
    ),
    Bad(
        "a space before a quote in the column of codes",
        b'code,x\n "X1",1\nX1,1\n',
        "has a space before a quote (line 2), so not every reader takes the quotes off",
    ),
)
BAD_DISAGREEING = (
    Bad("a line with a separator", b"code\nA1\nA2;x\nA3\n", f"has 1 line {DISAGREES} (line 3)"),
    Bad("a number with a comma", b"A1\nA2\n1,23E+15\nA3\n", f"has 1 line {DISAGREES} (line 3)"),
    Bad("a line with a tab", b"A1\nA2\tx\nA3\n", f"has 1 line {DISAGREES} (line 2)"),
    Bad("a line with a pipe", b"A1\nA2\nA3|x\n", f"has 1 line {DISAGREES} (line 3)"),
    Bad("a line with two cells", b'A1\n"A2","x"\nA3\n', f"has 1 line {DISAGREES} (line 2)"),
    Bad(
        "lines with a separator far below",
        MANY + b"A1,x\nA2\nA3,x\n",
        f"has 2 lines {DISAGREES} (lines 120001, 120003)",
    ),
    Bad("one line far below", MANY + b"A1,x\n", f"has 1 line {DISAGREES} (line 120001)"),
    Bad(
        "a line without its second column",
        b"code,value\nA1,1\nA2\nA3,3\n",
        "has 1 line with more or fewer columns than 2, which most have (line 3), divided by ','",
    ),
    Bad(
        "a decimal comma in a table of commas",
        b"code,value\nA1,1\nA2,5,00\nA3,3\n",
        "has 1 line with more or fewer columns than 2, which most have (line 3), divided by ','",
    ),
    Bad(
        "separators behind the codes",
        b"code\nA1,\nA2,\n",
        "has 1 line with more or fewer columns than 2, which most have (line 1), divided by ','",
    ),
    Bad(
        "a table that disagrees far below",
        MANY_ROWS + b"A1;1;1\n" * 12,
        "has 12 lines with more or fewer columns than 2, which most have (lines 105002, 105003, "
        "105004, 105005, 105006, 105007, 105008, 105009, 105010, 105011, ...), divided by ';'",
    ),
    Bad(
        "a row of too few empty cells",
        b"code;a;b\nA1;1;2\n;\nA2;3;4\n",
        "has 1 line with more or fewer columns than 3, which most have (line 3), divided by ';'",
    ),
    Bad(
        "two separators, and quotes with both",
        b'co"de,x;y\nX"1,a;b\nX"2,c;d\n',
        "may have its columns between ',' or ';'",
    ),
    Bad("a header in the last line", b"Title;x\ncode;y\n", "has a header in line 2, and above it"),
    Bad("two separators", b"A1;5,00\nA2;6,00\n", "may have its columns between ',' or ';'"),
)
BAD_COLUMNS = (
    Bad(
        "mail addresses in quotes",
        b'"mail";"code"\n"a1@example.com";"A1"\n"b2@example.com";"A2"\n',
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad(
        "mail addresses without a header",
        b'"a1@example.com";"A1"\n"b2@example.com";"A2"\n',
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad(
        "codes of something else first",
        b"zip code,coupon\n75001,A1\n75002,A2\n",
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad(
        "product codes first",
        b"product_code;name\nP1;A1\nP2;A2\n",
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad(
        "two columns of codes",
        b"campaign code,coupon code\nSUMMER1,A1\nSUMMER2,A2\n",
        "has 2 columns, and the first is not named as codes are",
    ),
    Bad(
        "codes in the second column",
        b"id,code\n1,A1\n2,A2\n",
        "If it is right, say how to read it: Preflight(delimiter=..., header=..., column=...)",
    ),
    Bad(
        "no such column",
        b"id,code\n1,A1\n2,A2\n",
        "has no column 'voucher' in its first line",
        {"column": "voucher"},
    ),
    Bad(
        "two columns of one name",
        b"code,x,Code\nX1,1,Y1\nX2,2,Y2\n",
        "has several columns 'code' (1 and 3). Give the number",
        {"column": "code"},
    ),
    Bad(
        "too few columns",
        b"id,code\n1,A1\n2,A2\n",
        "has 2 columns, and column=3 of Preflight",
        {"column": 3},
    ),
)
BAD = (
    *BAD_EMPTY,
    *BAD_NUMBERS,
    *BAD_CODES,
    *BAD_LINE_ENDS,
    *BAD_LEFT,
    *BAD_MESSAGES,
    *BAD_FORMATS,
    *BAD_TITLES,
    *BAD_ARCHIVES,
    *BAD_ENCODINGS,
    *BAD_QUOTES,
    *BAD_DISAGREEING,
    *BAD_COLUMNS,
)


class Refused(NamedTuple):
    """The problem of a file that is refused, and all that its check says."""

    problem: str
    said: str


CHECKED: dict[str, Refused] = {}
"""What the check says of each file, by its name: each is checked once."""


@pytest.fixture
def refused(request: pytest.FixtureRequest, tmp_path: Path) -> Refused:
    """One of the files, checked."""
    file: Bad = request.param
    if file.name not in CHECKED:
        checked = check(tmp_path, file.content, file.arguments, gzipped=file.gzipped)
        CHECKED[file.name] = Refused(file.problem, "; ".join(checked.problems))
    return CHECKED[file.name]


def test_no_two_files_that_are_refused_have_the_same_name() -> None:
    assert len({file.name for file in BAD}) == len(BAD)


def of_files(files: Sequence[Bad]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "refused", files, ids=[file.name for file in files], indirect=True
    )


@of_files(BAD_EMPTY)
def test_a_file_of_nothing_but_white_space_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_NUMBERS)
def test_a_file_with_too_few_or_too_many_codes_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_CODES)
def test_codes_of_a_wrong_length_duplicates_and_damaged_codes_are_refused_with_their_lines(
    refused: Refused,
) -> None:
    assert refused.problem in refused.said


@of_files(BAD_LINE_ENDS)
def test_line_ends_that_not_every_reader_takes_for_one_are_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_LEFT)
def test_what_spreadsheets_databases_and_programs_leave_in_place_of_codes_is_refused(
    refused: Refused,
) -> None:
    assert refused.problem in refused.said


@of_files(BAD_MESSAGES)
def test_messages_sums_and_markup_in_place_of_codes_are_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_FORMATS)
def test_another_format_than_a_text_of_codes_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_TITLES)
def test_a_title_or_a_message_above_the_codes_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_ARCHIVES)
def test_archives_that_are_damaged_or_whose_name_says_something_else_are_refused(
    refused: Refused,
) -> None:
    assert refused.problem in refused.said


@of_files(BAD_ENCODINGS)
def test_other_text_than_utf_8_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_QUOTES)
def test_quotes_that_readers_understand_differently_are_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_DISAGREEING)
def test_lines_with_another_number_of_columns_than_most_are_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD_COLUMNS)
def test_a_table_whose_column_of_codes_is_not_certain_is_refused(refused: Refused) -> None:
    assert refused.problem in refused.said


@of_files(BAD)
def test_no_reason_shows_a_code(refused: Refused) -> None:
    """Most of the files have these codes, or addresses with an @ in the place of codes."""
    assert re.findall(r"WINTER|A\d|B\d|AB|X\d|SAME|SUMMER|@", refused.said) == []


TO_READ = "say how to read it: Preflight(delimiter=..., header=..., column=...)"
TO_SAY = (
    "Remove it; or, if it is the header or a code, set Preflight(header=True) or "
    "Preflight(header=False)"
)
UNIX = "which not every reader takes for a line end. Save it with the line ends of Windows or Unix"
WHOLE = (
    Bad("only a header", b"code\n", f"{ALONE}, which may be a header. {NOT_A_HEADER}"),
    Bad(
        "a line of several words",
        b"Sign in",
        f"{ALONE} of several words, which may be a message. {NOT_A_HEADER}",
    ),
    Bad(
        "a first line that may be either",
        b"SUMMER\nSALE\nWINTER\n",
        "has a first line that may be a header or a code. Set Preflight(header=True) or "
        "Preflight(header=False)",
    ),
    Bad(
        "a word as the only code below a header",
        b"code\nKilled\n",
        "has a last line (line 2) that may be a message, and is all that is below the header. "
        "Remove it; or, if it is a code, set Preflight(max_unlike=1)",
    ),
    Bad(
        "last word below codes",
        b"code\nA1\nA2\nTotal\n",
        "has a last line (line 4) that reads like a sum of the others, or a message. Remove it; "
        "or, if it is a code, set Preflight(max_unlike=1)",
    ),
    Bad(
        "carriage return",
        b"A1\rA2\n",
        f"has a carriage return without a line feed (line 1), {UNIX}",
    ),
    Bad(
        "title above a header",
        b"\nSale 2026\n\ncode\nA1\n",
        "has a header in line 4, and above it a line that is none (line 2), such as a title or a "
        "warning. Remove what is above the header",
    ),
    Bad(
        "title",
        b"\nSummer sale 2026\nA1\nA2\n",
        f"has a first line (line 2) that reads like a title or a message. {TO_SAY}",
    ),
    Bad(
        "title of five words",
        b"All of our big sale\nA1\nA2\n",
        f"has a first line (line 1) that reads like a title or a message. {TO_SAY}",
    ),
    Bad(
        "title above a blank line",
        b"Summer\n\nA1\nA2\n",
        f"has a first line (line 1) that has a blank line below it, as a title has. {TO_SAY}",
    ),
    Bad(
        "space before a quote",
        b'code,x\nA1,1\nA2, "2"\n',
        "has a space before a quote (line 3), so not every reader takes the quotes off. Remove "
        "the space",
    ),
    Bad(
        "separator in a line",
        b"A1\nA2,x\nA3\n",
        "has 1 line with a comma, semicolon, tab or | (line 2), and most have none. If it belongs "
        "to the code, set Preflight(delimiter=...) to another one",
    ),
    Bad(
        "cells that are missing",
        b"code;x\nA1\nA2;2\nA3\nA4;4\nA5;5\n",
        "has 2 lines with more or fewer columns than 2, which most have (lines 2, 4), divided by "
        "';'. Fix the lines, or set Preflight(delimiter=...)",
    ),
    Bad(
        "separators",
        b"A1;5,0\nA2;6,0\n",
        f"may have its columns between ',' or ';'. If it is right, {TO_READ}",
    ),
    Bad(
        "columns without a name for codes",
        b"id,code\n1,A1\n2,A2\n",
        f"has 2 columns, and the first is not named as codes are. If it is right, {TO_READ}",
    ),
    Bad(
        "column that is not there",
        b"code\nA1\n",
        "has 1 column, and column=2 of Preflight",
        {"column": 2},
    ),
    Bad(
        "names of two columns",
        b"x,code,CODE\n1,A1,B1\n",
        "has several columns 'Code' (2 and 3). Give the number of the one with the codes, such as "
        "Preflight(header=True, column=1)",
        {"column": "Code"},
    ),
    Bad(
        "line that is too long",
        b"A1\n" + b"A" * 2_200_000,
        "has a line of more than 1048576 bytes (line 2)",
    ),
    Bad(
        "line that is too long, three pieces of the file further",
        b"A12345678\n" * 320_000 + b"A" * 2_200_000,
        "has a line of more than 1048576 bytes (line 320001)",
    ),
)


@pytest.mark.parametrize("file", WHOLE, ids=[file.name for file in WHOLE])
def test_whole_reason_says_what_is_wrong_where_and_what_to_do(file: Bad, tmp_path: Path) -> None:
    checked = check(tmp_path, file.content, file.arguments, gzipped=file.gzipped)
    assert checked.problems == [file.problem]


def test_reasons_stand_in_the_order_of_the_checks_of_codes_then_duplicates_then_number(
    tmp_path: Path,
) -> None:
    content = b"code,x\nA1,1\nA2,2\nA3,3\n=4,4\nA1,5\n" + b"A" * 101 + b",6\n"
    checked = check(tmp_path, content, {"min_codes": 9}, gzipped=False)
    assert checked.problems == [
        "has 1 code of fewer than 1 or more than 100 bytes (line 7)",
        "has 1 code like a formula or an error of a spreadsheet: =..., #REF!, #N/A (line 5)",
        "has 1 code found earlier in the file (line 6)",
        "has 6 codes after its header (if that is a code, set Preflight(header=False)), not "
        "min_codes=9 to max_codes=100000000",
    ]


class Repeated(NamedTuple):
    """Codes of which two of one kind are equal, and what is said of the kind."""

    name: str
    code: bytes
    arguments: dict[str, Any]
    kind: str


REPEATED = (
    Repeated("too long", b"A" * 101, {}, "of fewer than 1 or more than 100 bytes"),
    Repeated("an error of a spreadsheet", b"#REF!", {}, OF_SPREADSHEET),
    Repeated("equal to the header", b"CODE", {}, "equal to the header"),
    Repeated("no value, as the first of its kind", b"NULL", {}, NO_VALUE),
)


@pytest.mark.parametrize("row", REPEATED, ids=[row.name for row in REPEATED])
def test_codes_with_a_problem_are_duplicates_of_each_other_too(
    row: Repeated, tmp_path: Path
) -> None:
    content = b"code\n" + row.code + b"\n" + CODES + row.code + b"\n"
    checked = check(tmp_path, content, row.arguments, gzipped=False)
    of_kind, of_duplicates = checked.problems
    assert of_kind.startswith(f"has 2 codes {row.kind}")
    assert of_duplicates == "has 1 code found earlier in the file (line 303)"


class AtTheLimit(NamedTuple):
    """
    Codes and a limit that they just keep, and codes that just exceed it.

    :ivar arguments: of ``Preflight``, besides ``header=False``.
    """

    name: str
    arguments: dict[str, Any]
    kept: bytes
    exceeded: bytes
    problem: str


AT_THE_LIMIT = (
    AtTheLimit(
        "longest by default",
        {},
        b"A1\n" + b"B" * 100 + b"\n",
        b"A1\n" + b"B" * 101 + b"\n",
        "has 1 code of fewer than 1 or more than 100 bytes (line 2)",
    ),
    AtTheLimit(
        "longest in bytes",
        {"max_length": 4},
        "A1\nÄÄ\n".encode(),
        "A1\nÄÄÄ\n".encode(),
        "has 1 code of fewer than 1 or more than 4 bytes (line 2)",
    ),
    AtTheLimit(
        "shortest in bytes",
        {"min_length": 2},
        "A1\nÄ\n".encode(),
        b"A1\nA\n",
        "has 1 code of fewer than 2 or more than 100 bytes (line 2)",
    ),
    AtTheLimit(
        "fewest",
        {"min_codes": 2},
        b"A1\nA2\n",
        b"A1\n",
        "has 1 code, not min_codes=2 to max_codes=100000000",
    ),
    AtTheLimit(
        "most",
        {"max_codes": 2},
        b"A1\nA2\n",
        b"A1\nA2\nA3\n",
        "has 3 codes, not min_codes=1 to max_codes=2",
    ),
    AtTheLimit(
        "most duplicates",
        {"max_duplicates": 2},
        b"A1\nA1\nA1\nA2\n",
        b"A1\nA1\nA1\nA2\nA2\n",
        "has 3 codes found earlier in the file (lines 3, 5, ...)",
    ),
    AtTheLimit(
        # Two of more than four, since two of fewer would not be unlike the others.
        "most that are unlike the others",
        {"max_unlike": 1},
        b"A1\nA2\nA3\nSummer sale\n",
        b"A1\nA2\nA3\nA4\nA5\nSummer sale\nWinter sale\n",
        f"has 2 codes {UNLIKE} (if they are codes, set max_unlike) (lines 6, 7)",
    ),
    AtTheLimit(
        "most that stand for no value",
        {"max_unlike": 1},
        b"A1\nA2\nA3\nnull\n",
        b"A1\nA2\nA3\nA4\nA5\nnull\nNaN\n",
        f"has 2 codes {NO_VALUE} (if they are codes, set max_unlike) (lines 6, 7)",
    ),
)


@pytest.mark.parametrize("row", AT_THE_LIMIT, ids=[row.name for row in AT_THE_LIMIT])
def test_codes_may_be_at_a_limit(row: AtTheLimit, tmp_path: Path) -> None:
    arguments = {"header": False, **row.arguments}
    assert check(tmp_path, row.kept, arguments, gzipped=False).problems == []


@pytest.mark.parametrize("row", AT_THE_LIMIT, ids=[row.name for row in AT_THE_LIMIT])
def test_codes_beyond_a_limit_are_refused(row: AtTheLimit, tmp_path: Path) -> None:
    arguments = {"header": False, **row.arguments}
    assert check(tmp_path, row.exceeded, arguments, gzipped=False).problems == [row.problem]


class Share(NamedTuple):
    """How many of all lines are of another kind, and whether they are few enough to be no codes."""

    why: str
    number: int
    total: int
    is_rare: bool


SHARES = (
    Share("none", 0, 1, is_rare=True),
    Share("half of the lines", 1, 2, is_rare=False),
    Share("fewer than half", 1, 3, is_rare=True),
    Share("two, which are half of the lines", 2, 4, is_rare=False),
    Share("two, which are fewer than half", 2, 5, is_rare=True),
    Share("three, which are more than a twentieth", 3, 59, is_rare=False),
    Share("three, which are a twentieth", 3, 60, is_rare=True),
    Share("five, which are a twentieth", 5, 100, is_rare=True),
    Share("six, which are more than a twentieth", 6, 100, is_rare=False),
)


@pytest.mark.parametrize("row", SHARES, ids=[row.why for row in SHARES])
def test_fewer_than_half_and_two_lines_or_a_twentieth_may_be_no_codes(row: Share) -> None:
    assert is_rare(row.number, row.total) is row.is_rare


class LastLine(NamedTuple):
    """A last line, the codes of the file, and whether it reads like a word below them."""

    why: str
    last: str
    codes: list[str]
    is_word: bool


LAST_LINES = (
    LastLine("a word below two codes", "Total", ["A1", "A2"], is_word=True),
    LastLine("a word below two codes and itself", "Total", ["A1", "A2", "Total"], is_word=True),
    LastLine("a word below one code", "Total", ["A1"], is_word=False),
    LastLine("a word below one code and itself", "Total", ["A1", "Total"], is_word=False),
    LastLine("a word for a sum in capitals", "TOTAL", ["A1", "A2"], is_word=True),
    LastLine("another word in capitals", "SUMMER", ["A1", "A2"], is_word=False),
    LastLine("a word for a sum in capitals with a digit", "TOTAL1", ["A1", "A2"], is_word=False),
    LastLine("a word with a digit", "Total1", ["A1", "A2"], is_word=False),
    LastLine("a word below a code without digits", "Total", ["A1", "AB"], is_word=False),
    LastLine("a word below a code with small letters", "Total", ["A1", "a2"], is_word=False),
    LastLine("a word with a hyphen", "X-mas", ["A1", "A2"], is_word=False),
    LastLine("a word below one code that is there twice", "Total", ["A1", "A1"], is_word=True),
    LastLine("an empty line", "", ["A1", "A2"], is_word=False),
)


@pytest.mark.parametrize("row", LAST_LINES, ids=[row.why for row in LAST_LINES])
def test_last_line_is_a_word_below_two_codes_that_have_digits_and_no_small_letters(
    row: LastLine,
) -> None:
    assert reads_like_last_word(row.last, row.codes) is row.is_word


class Title(NamedTuple):
    """A first line above codes that have no words, and whether it reads like a title."""

    why: str
    line: str
    is_title: bool


TITLES = (
    Title("three words with a number", "Our sale 2026", True),
    Title("two words", "Our sale", False),
    Title("two words with a number", "Sale 2026", False),
    Title("three words with a full stop", "Sale of today.", True),
    Title("three words", "Sale of today", False),
    Title("four words", "Our list of things", False),
    Title("five words", "All of our things here", True),
    Title("three words with a colon", "Our sale: today", True),
    Title("four words with an ampersand", "Big & fine sale", False),
)


@pytest.mark.parametrize("row", TITLES, ids=[row.why for row in TITLES])
def test_title_has_three_words_with_a_number_or_a_sign_or_five_words(
    row: Title, tmp_path: Path
) -> None:
    content = f"{row.line}\nAB-1\nAB-2\n".encode()
    checked = check(tmp_path, content, {}, gzipped=False)
    assert ("reads like a title" in "".join(checked.problems)) is row.is_title


def check_header_below(above: int, tmp_path: Path) -> str:
    """Check a file with so many lines of a title above the header ``code``."""
    lines = [f"LINE{number}" for number in range(above)]
    content = "\n".join([*lines, "code", "AB12", "AB13"]).encode()
    return "; ".join(check(tmp_path, content, {"header": True}, gzipped=False).problems)


@pytest.mark.parametrize("above", [8, 9])
def test_header_below_a_title_is_found_in_the_first_ten_lines(above: int, tmp_path: Path) -> None:
    said = check_header_below(above, tmp_path)
    assert said.startswith(f"has a header in line {above + 1}, ")


def test_header_in_the_eleventh_line_is_not_looked_for(tmp_path: Path) -> None:
    assert check_header_below(10, tmp_path) == ""


def test_blank_lines_are_none_of_the_ten(tmp_path: Path) -> None:
    content = b"".join(b"LINE%d\n" % n for n in range(9)) + b"\n\n\ncode\nAB12\nAB13\n"
    (problem,) = check(tmp_path, content, {"header": True}, gzipped=False).problems
    assert problem.startswith("has a header in line 13, and above it a line that is none (line 1)")


# -- the database ----------------------------------------------------------------------------------


def test_database_is_bounded_and_spills_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "codes"
    with open_database(path) as database:
        (settings,) = database.execute(
            "SELECT current_setting('memory_limit'), current_setting('threads'), "
            "current_setting('temp_directory')"
        ).fetchall()
    # 192 MB
    assert settings == ("183.1 MiB", 1, f"{path}.tmp")


def test_database_is_closed_in_the_end(tmp_path: Path) -> None:
    with open_database(tmp_path / "codes") as database:
        database.execute("SELECT 1")
    with pytest.raises(duckdb.ConnectionException):
        database.execute("SELECT 1")


@pytest.mark.parametrize(
    "error", [duckdb.OutOfMemoryException, duckdb.IOException], ids=["memory", "temporary folder"]
)
def test_file_for_which_a_worker_has_no_room_is_refused_with_advice(
    error: type[Exception], tmp_path: Path
) -> None:
    with (
        pytest.raises(RefusedError, match=r"cannot be counted within .* Split it"),
        open_database(tmp_path / "counts"),
    ):
        raise error("No space left on device")


def test_check_lists_a_file_for_which_there_is_no_room_as_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: CodeTable) -> None:
        raise duckdb.OutOfMemoryException("x")

    # In place of the database that the module's files share.
    monkeypatch.setattr("wes_provider.storage.content.open_database", open_database)
    monkeypatch.setattr(CodeTable, "count", no_room)
    checked = check(tmp_path, b"A1\nA2\n", {}, gzipped=False)
    assert checked == Content(
        Counts(0, 0, 0),
        [
            "cannot be counted within 192MB of memory and the worker's temporary folder "
            "(OutOfMemoryException). Split it"
        ],
    )


@pytest.mark.weekly("takes as long as all other files together")
def test_memory_is_bounded(tmp_path: Path) -> None:
    """Three million codes of 24 characters, in a process of its own: its peak is below 400 MB."""
    code = f"""
from pathlib import Path
from wes_provider.storage.content import check_content
from wes_provider.storage.rules import Rules
path = Path({str(tmp_path / "codes")!r})
with path.open("wb") as file:
    for start in range(0, 3_000_000, 100_000):
        numbers = range(start, start + 100_000)
        file.write(b"".join(b"%024x\\n" % (n * 0x9E3779B97F4A7C15 % 16**24) for n in numbers))
checked = check_content(path, Rules(), gzipped=False)
assert (checked.problems, checked.counts.codes) == ([], 3_000_000), checked
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
    assert int(subprocess.check_output([sys.executable, "-c", code], text=True)) < 400_000
