"""What is a coupon file: thirty that are, thirty that are not, and what the checks cost."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import Preflight
from wes_provider.storage.errors import WesPreflightError, WesStorageError
from wes_provider.storage.files import PlannedFile
from wes_provider.storage.preflight import check_files

pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")

CODES = b"".join(b"WINTER-%05d\n" % number for number in range(300))
FILE = b"code\n" + CODES
BOM = b"\xef\xbb\xbf"
# More than is looked at to recognise a file.
MANY = b"".join(b"X%06d\n" % number for number in range(50_000))


def zipped() -> bytes:
    with zipfile.ZipFile(buffer := BytesIO(), "w") as archive:
        archive.writestr("codes.csv", FILE)
    return buffer.getvalue()


def read(content: bytes, name: str = "codes.csv", **arguments: Any) -> tuple[PlannedFile, str]:
    """What is found in a file, and its problems."""
    found = PlannedFile(path=name)
    try:
        check([found], [content], **arguments)
    except WesPreflightError as error:
        return found, "\n".join(error.problems)
    return found, ""


def check(
    files: list[PlannedFile],
    contents: list[bytes | None],
    allow_same: bool = False,
    **arguments: Any,
) -> None:
    """Check files whose contents the test has; ``None`` cannot be read."""

    def download(file: PlannedFile, target: Path) -> None:
        content = next(
            content for each, content in zip(files, contents, strict=True) if each is file
        )
        if content is None:
            raise WesStorageError(f"{file.path} cannot be read")
        target.write_bytes(content)

    check_files(files, Preflight(**arguments).rules(), download, allow_same=allow_same)


def planned(number: int) -> list[PlannedFile]:
    return [PlannedFile(path=f"s3://promo/{index}.csv") for index in range(number)]


GOOD: dict[str, Any] = {  # content, how many codes, arguments
    "codes": (CODES, 300),
    "header": (FILE, 300),
    "cr-alone": (FILE.replace(b"\n", b"\r"), 300),
    "windows-line-ends": (FILE.replace(b"\n", b"\r\n"), 300),
    "one-code": (b"A1", 1),
    "empty-last-line": (FILE + b"\n", 300),
    "blank-lines-before-the-header": (b"\n\ncode\nA1\nA2\n", 2),
    "bom-and-header": (BOM + FILE, 300),
    "quoted-codes": (b'"A1"\n"A2"\n', 2),
    "quoted-header": (b'"Code"\n"A1"\n"A2"\n', 2),
    "quoted-codes-with-commas": (b'code\n"A,1"\n"A,2"\n"A,3"\n', 3),
    "quoted-codes-with-commas-and-a-column": (b'code,value\n"A,1",2\n"A,2",3\n', 2),
    "quoted-quote": (b'code\n"A""1"\n"A""2"\n', 2),
    "semicolons": (b"code;value\nA1;5,00\nA2;6,00\n", 2),
    "tabs": (b"code\tname\nA1\tx\nA2\ty\n", 2),
    "pipes": (b"code|date\nA1|2027-01-01\nA2|2027-01-02\n", 2),
    "short-lines": (b"code,value\nA1,1\nA2\nA3,3\n", 3),
    "spanish-header": ("código;importe\nA1;1\nA2;2\n".encode(), 2),
    "german-header": (b"Gutscheincode\nA1\nA2\n", 2),
    "header-of-two-words": (b"Coupon ID\nA1\nA2\n", 2),
    "header-with-a-separator": (b"voucher_number;valid\nA1;1\nA2;2\n", 2),
    "other-letters": ("code\nÄ1\nß2\nкод3\n".encode(), 3),
    "punctuation": (b"code\nA-1\nA:2\nA#3\nA'4\nA\\5\nA 6\n", 6),
    "digits": (b"123456\n223456\n323456\n", 3),
    "gzip": (gzip.compress(FILE), 300, {"name": "codes.csv.gz"}),
    "named-column": (b"id;code\n1;A1\n2;A2\n", 2, {"column": "Code"}),
    "numbered-column": (b"1;A1\n2;A2\n2;A3\n", 3, {"column": 2}),
    "declared-delimiter": (b"code:value\nA1:1\nA2:2\n", 2, {"delimiter": ":"}),
    "code-that-looks-like-a-header": (b"CODE\n", 1, {"header": False}),
    "accepted-duplicates": (b"A1\nA1\nA2\n", 3, {"max_duplicates": 1}),
}


@pytest.mark.parametrize(
    ("content", "codes", "arguments"), [(*row, {})[:3] for row in GOOD.values()], ids=GOOD
)
def test_coupon_file_passes_and_is_counted(content: bytes, codes: int, arguments: Any) -> None:
    found, problems = read(content, **arguments)
    assert (problems, found.codes) == ("", codes)


BAD: dict[str, Any] = {  # content, what is said of it, arguments
    "empty": (b"", "is empty"),
    "blank": (b"\n \n", "has only blank lines"),
    "only-a-header": (
        b"code\n",
        r"has 0 codes after its header \(if that is a code, set Preflight\(header=False\)\)",
    ),
    "too-few": (
        FILE,
        "has 300 codes after its header .*not min_codes=301 to max_codes=1",
        {"min_codes": 301},
    ),
    "too-many": (CODES, "has 300 codes, not min_codes=1 to max_codes=299", {"max_codes": 299}),
    "too-long": (
        b"code\nA1\n" + b"A" * 101,
        r"has 1 code of fewer than 1 or more than 100 bytes \(line 3\)",
    ),
    "too-short": (
        b"A12\nA2\nA1\n",
        r"has 2 codes of fewer than 3 .* \(lines 2, 3\)",
        {"min_length": 3},
    ),
    "duplicates": (
        b"code\nA1\nA2\nA1\nA2\n",
        r"has 2 codes found earlier in the file \(lines 4, 5\)",
    ),
    "header-twice": (
        FILE + FILE,
        r"has 300 codes found earlier in the file \(lines \d+, .*, \.\.\.\)",
    ),
    "header-twice-over-other-codes": (
        b"Code\nA1\ncode\nA2\n",
        r"has 1 code equal to the header \(line 3\)",
    ),
    "trailing-blanks": (
        b"code\nA1\nA1  \nA2 \n",
        r"has 1 code found earlier in the file \(line 3\)",
    ),
    "exponents": (
        b"code\n1.2E+15\n1.3E+15\n",
        r"has 2 codes that an export damaged: 1.2E\+15, .* \(lines 2, 3\)",
    ),
    "invisible-characters": (
        "code\nA\u200b1\nA2\n".encode(),
        r"has 1 code that an export damaged.* \(line 2\)",
    ),
    "error-page": (
        b"<!DOCTYPE html>\n<html><body>Please log in</body></html>",
        "is markup such as HTML or XML",
    ),
    "json": (b'[{"code": "A1"}]', "is JSON or RTF"),
    "pdf": (b"%PDF-1.7\n", "is a PDF"),
    "zip-named-csv": (zipped(), "is a ZIP archive or an Excel workbook"),
    "gzip-named-csv": (
        gzip.compress(FILE),
        "is a gzip archive, and its name does not end with .gz",
    ),
    "csv-named-gz": (FILE, "is no gzip archive, as its name says", {"name": "codes.csv.gz"}),
    "damaged-gzip": (gzip.compress(FILE)[:-400], "or a damaged one", {"name": "codes.csv.gz"}),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS"),
    "encrypted": (b"-----BEGIN PGP MESSAGE-----\n", "is an encrypted or signed text"),
    "error-message": (b"Internal Server Error", "is the message of an error"),
    "utf-16": (FILE.decode().encode("utf-16"), "is binary, or text in UTF-16"),
    "latin-1": (b"code\nA\xe9\nB\n", r"is not text in UTF-8 \(line 2\)"),
    "latin-1-far-below": (MANY + b"A\xe9\n", r"is not text in UTF-8 \(line 50001\)"),
    "binary-far-below": (MANY + b"A\0B\n", r"has 1 code that an export damaged.* \(line 50001\)"),
    "quote-that-is-not-closed": (
        b'code\n"A1\nA2\nA3\n',
        r"or a quote that is not closed \(line 2\)",
    ),
    "long-line": (
        b"code\n" + b"A" * 70_000 + b"\nB\n",
        r"has a line of more than 65536 bytes \(line 2\)",
    ),
    "bom-before-a-code": (
        BOM + CODES,
        "starts with a byte order mark, which would become part of the first code",
    ),
    "line-for-excel": (b"sep=;\ncode;value\nA1;1\n", "starts with a comment, or a line for Excel"),
    "semicolons-without-header": (
        b"A1;5,00\nA2;6,00\n",
        "has 2 columns, and the first is not named as codes are",
    ),
    "codes-in-the-second-column": (
        b"id,code\n1,A1\n2,A2\n",
        r"the first is not named.* column=\.\.\.",
    ),
    "no-such-column": (
        b"id,code\n1,A1\n2,A2\n",
        "has no column 'voucher' in its first line",
        {"column": "voucher"},
    ),
    "too-few-columns": (
        b"id,code\n1,A1\n2,A2\n",
        "has 2 columns, and column=3 of Preflight",
        {"column": 3},
    ),
}


@pytest.mark.parametrize(
    ("content", "problem", "arguments"), [(*row, {})[:3] for row in BAD.values()], ids=BAD
)
def test_what_is_no_coupon_file_is_refused(content: bytes, problem: str, arguments: Any) -> None:
    _, shown = read(content, **arguments)
    assert re.search(problem, shown)
    assert not any(code in shown for code in ("WINTER-", "A1", "A2", "X0"))


@pytest.mark.parametrize(
    "arguments",
    [
        {"header": "code"},
        {"min_codes": -1},
        {"max_codes": "many"},
        {"min_length": 5, "max_length": 4},
        {"max_duplicates": True},
        {"column": 0},
        {"header": False, "column": "code"},
        {"delimiter": ";;"},
        {"delimiter": "\n"},
    ],
    ids=str,
)
def test_arguments_that_make_no_sense_are_refused_at_once(arguments: Any) -> None:
    with pytest.raises(WesConfigurationError, match="Preflight cannot be used: "):
        Preflight(**arguments)
    # Not before it is rendered.
    assert Preflight(**{**arguments, "max_codes": "{{ params.codes }}"})


def test_templates_render_to_texts() -> None:
    rules = Preflight(header="None", column="2", min_codes="5", max_duplicates="0").rules()
    assert (rules.header, rules.column, rules.min_codes, rules.max_duplicates) == (None, 2, 5, 0)
    assert Preflight(delimiter="None", header="True").rules() == Preflight(header=True).rules()


def test_all_problems_of_all_files_are_named_at_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with pytest.raises(
        WesPreflightError, match=r"^Nothing was sent: 49 problems in 25 coupon files\n"
    ) as error:
        check(planned(25), [b"A1\nA1\n"] * 25)
    assert len(error.value.problems) == 49  # 24 have the same content as the first, too
    assert str(error.value).endswith("and 29 more")
    assert error.value.permanent
    check(files := planned(2), [b"A1\nA1\n\n"] * 2, allow_same=True, max_duplicates=1)
    checked = files[1]
    assert (checked.codes, checked.duplicates, checked.blank_lines, checked.size) == (2, 1, 1, 7)
    assert (
        "Checked s3://promo/1.csv (file 2 of 2): 2 codes, 1 duplicate, 1 blank line" in caplog.text
    )


@pytest.mark.parametrize(
    ("contents", "permanent"), [((None,), False), ((None, b""), True)], ids=["alone", "and-bad"]
)
def test_file_that_cannot_be_read_now_may_be_retried(contents: Any, permanent: bool) -> None:
    with pytest.raises(WesPreflightError, match=r"0\.csv cannot be read") as error:
        check(planned(len(contents)), [*contents])
    assert error.value.permanent is permanent


def test_file_that_is_too_large_is_not_read() -> None:
    large = PlannedFile(path="s3://promo/a.csv", size=104_857_601)
    with pytest.raises(WesPreflightError, match=r"a\.csv has more than 104857600 bytes"):
        check([large], [None])


def test_missing_duckdb_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(
        WesConfigurationError,
        match=r"^Checking coupon files needs duckdb, which cannot be imported.\nIns",
    ):
        check(planned(1), [CODES])


def test_memory_is_bounded(tmp_path: Path) -> None:
    """Three million codes of 24 characters, in a process of its own: its peak is below 400 MB."""
    code = f"""
from pathlib import Path
from wes_provider.storage.content import Rules, read_content
from wes_provider.storage.files import PlannedFile
path = Path({str(tmp_path / "codes")!r})
with path.open("wb") as file:
    for start in range(0, 3_000_000, 100_000):
        file.write(b"".join(b"%024x\\n" % (n * 0x9E3779B97F4A7C15 % 16**24) for n in range(start, start + 100_000)))
problems = read_content(path, Rules(), found := PlannedFile(path='codes'))
assert (problems, found.codes) == ([], 3_000_000), found
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
    assert int(subprocess.check_output([sys.executable, "-c", code], text=True)) < 400_000
