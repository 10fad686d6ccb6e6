"""Bad coupon files are stopped with their problems named; odd but good ones pass."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta, timezone
from itertools import chain, pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import BucketFiles, Preflight
from wes_provider.storage.content import SLICE_BYTES, ContentRules, FileContent, read_content
from wes_provider.storage.errors import WesPreflightError, WesReconciliationError
from wes_provider.storage.preflight import CheckedFile, UrlFile, send_times, upload_plan
from wes_provider.storage.reconcile import check_added, reconciled

pytest.importorskip("numpy", reason="numpy is not installed: dependency group test")

CODES = b"".join(b"SUMMER-%05d\n" % number for number in range(2000))
MB = 1024 * 1024


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("codes.csv", CODES)
    return buffer.getvalue()


S3_ERROR = b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'

BAD = {  # content, and what the error says of it
    "empty": (b"", "is empty"),
    "html-page": (b"<!DOCTYPE html>\n<html><body>Please log in</body></html>", "is an HTML or XML page"),
    "html-in-capitals": (b"<HTML><BODY>502 Bad Gateway</BODY></HTML>", "is an HTML or XML page"),
    "html-after-blank-lines": (b"\n\n  <html lang='en'>\n<p>Oops</p>", "is an HTML or XML page"),
    "html-after-bom": (b"\xef\xbb\xbf<html></html>", "is an HTML or XML page"),
    "xml-error-of-s3": (S3_ERROR, "is an HTML or XML page"),
    "json-error": (b'{"error": {"code": "unauthorized"}}', "is JSON"),
    "json-array": (b'["A1", "A2"]', "is JSON"),
    "json-lines": (b'{"code": "A1"}\n{"code": "A2"}\n', "is JSON"),
    "gzip-named-csv": (gzip.compress(CODES), "is a gzip archive"),
    "zip-or-xlsx": (zipped(), "is a ZIP archive or an Excel workbook"),
    "bzip2": (b"BZh91AY&SY", "is a bzip2 archive"),
    "xz": (b"\xfd7zXZ\x00\x00", "is an xz archive"),
    "zstandard": (b"\x28\xb5\x2f\xfd\x24", "is a Zstandard archive"),
    "old-excel": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3", "is a PDF"),
    "parquet": (b"PAR1\x15\x04", "is a Parquet file"),
    "utf-16-with-bom": (
        CODES.decode().encode("utf-16"),
        "is text in UTF-16, not text in UTF-8. Save it as text in UTF-8",
    ),
    "utf-16-big-endian-with-bom": (b"\xfe\xff" + CODES.decode().encode("utf-16-be"), "is text in UTF-16"),
    "utf-16-without-bom": (CODES.decode().encode("utf-16-le"), "is text in UTF-16"),
    "utf-16-big-endian-without-bom": (CODES.decode().encode("utf-16-be"), "is text in UTF-16"),
    "utf-32": (CODES.decode().encode("utf-32"), "is text in UTF-32"),
    "latin-1": (b"code\nSOMMER\nFR\xdcHLING\n", "is not text in UTF-8 (line 3)"),
    "cut-in-a-character": (b"code\nFR\xc3", "is not text in UTF-8 (line 2)"),
    "nul-in-the-middle": (CODES + b"SUMMER\0\n", "is binary, not text in UTF-8 (line 2001)"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\0\0", "is binary"),
    "header-only": (b"coupon\n", "has only a header, fewer than min_codes=1"),
    "blank-lines-only": (b"\n\n\n", "has 0 codes, fewer than min_codes=1"),
    "white-space-only": (b"  \r\n\t\r\n", "has 0 codes, fewer than min_codes=1"),
    "bom-before-the-first-code": (b"\xef\xbb\xbfA1\nA2\n", "starts with a byte order mark, which would become part"),
    "duplicate": (b"code\nA1\nA2\nA1\n", "has 1 code that stands in it before"),
    "duplicate-far-apart": (CODES + b"SUMMER-00000\n", "has 1 code that stands in it before"),
    "duplicate-in-quotes": (b'code\nA1\n"A1"\n', "has 1 code that stands in it before"),
    "duplicate-with-white-space": (b"A1\nA1 \n", "has 1 code that stands in it before"),
    "duplicate-in-another-row": (b"code,batch\nA1,1\nA1,2\n", "has 1 code that stands in it before"),
    "code-too-long": (b"code\nA1\n" + b"A" * 101 + b"\n", "more than 100 bytes (line 3)"),
    "all-on-one-line": (b"A1 " * 40_000, "has a line of more than 65536 bytes"),
    "old-mac-line-ends": (CODES.replace(b"\n", b"\r"), "ends its lines with CR alone"),
    "larger-than-the-limit": (CODES * 400, "has more than 5242880 bytes"),
    "heading-without-a-page": (b"<h1>503 Service Unavailable</h1>\n", "is an HTML or XML page"),
    "paragraph": (b"<p>Oops\n", "is an HTML or XML page"),
    "centre-without-a-page": (b"<center>403</center>\n", "is an HTML or XML page"),
    "script": (b"<script>location='/login'", "is an HTML or XML page"),
    "html-after-a-no-break-space": (b"\xc2\xa0<html>", "is an HTML or XML page"),
    "xml-with-a-namespace": (b'<ns0:Error xmlns:ns0="urn:x">\n', "is an HTML or XML page"),
    "unknown-element": (b"<reason>\nexpired\n</reason>\n", "is an HTML or XML page"),
    "piece-of-a-page": (b"<div>\n<div>\n", "is an HTML or XML page"),
    "html-after-a-warning": (b"Notices: 1\n<html>\n", "is an HTML or XML page"),
    "warning-before-codes": (
        b"Warning: Undefined variable $x in /srv/export.php\nA1\nA2\n",
        "has the message of an error",
    ),
    "message-of-a-database": (b'ERROR:  relation "coupons" does not exist\n', "has the message of an error"),
    "traceback": (b"Traceback (most recent call last):\n  File\n", "has the message of an error"),
    "status-without-a-page": (b"Internal Server Error", "has the message of an error"),
    "status-with-its-number": (b"404 Not Found\n", "has the message of an error"),
    "json-text": (b'"error"', "has the message of an error"),
    "pointer-of-git-lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n",
        "is a pointer of Git LFS",
    ),
    "rtf": (b"{\\rtf1\\ansi\nA1\n}", "is a document in RTF"),
    "encrypted": (b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", "is an encrypted or signed text. Decrypt it"),
    "orc": (b"ORC\n\x1d\n\x11\x08\x02\x12", "is an ORC file"),
    "line-for-excel": (b"sep=;\ncode;x\nA1;2\n", "begins with a line 'sep='"),
    "comment-before-the-header": (b"# export of today\n#\ncode\nA1\n", "has a comment before its header"),
    "codes-second": (b"id,code\n1,A1\n2,A2", "has its codes in column 2, 'code', and not in the first"),
    "codes-after-mail-addresses": (b"email;gutschein\na@b;A1\nc@d;A2\n", "has its codes in column 2, 'gutschein'"),
    "codes-after-an-unknown-name": (
        b"kunde\tname\tgutschein\nMaria\tX\tA1\n",
        "has its codes in column 3, 'gutschein'",
    ),
    "codes-after-an-index": (b",code\n0,A1\n1,A2\n", "has its codes in column 2, 'code'"),
    "codes-after-their-ids": (b"coupon_id,coupon_code\n1,A1\n2,A2\n", "has its codes in column 2, 'coupon_code'"),
    "codes-second-header-only": (b"id,code\n", "has its codes in column 2, 'code'"),
    "duplicate-with-a-delimiter": (b'"A,1",x\n"A,2",x\n"A,1",y\n', "has 1 code that stands in it before"),
}

ODD = {  # content, how many codes, and the options that it wants
    "no-header": (b"A1\nA2\n", 2, {}),
    "codes-that-begin-with-sep": (b"sep=A1\nsep=B2\n", 2, {}),
    "header": (b"code\nA1\nA2\n", 2, {}),
    "header-in-capitals": (b"COUPON_CODE\nA1\n", 1, {}),
    "header-in-quotes": (b'"Coupon Code"\n"A1"\n', 1, {}),
    "header-of-several-columns": (b"code,valid_until,campaign\nA1,2027-01-01,summer\nA2,,\n", 2, {}),
    "semicolons": (b"code;valid_until\nA1;2027-01-01\nA2;2027-01-01\n", 2, {}),
    "tabs": (b"code\tvalid_until\nA1\t2027\nA2\t2027\n", 2, {}),
    "bars": (b"code|x\nA1|1\nA2|1\n", 2, {}),
    "no-line-end-at-the-end": (b"A1\nA2", 2, {}),
    "one-code": (b"A1", 1, {}),
    "one-character": (b"1\n2\n3\n", 3, {}),
    "windows-line-ends": (b"code\r\nA1\r\nA2\r\n", 2, {}),
    "windows-line-ends-without-the-last": (b"A1\r\nA2", 2, {}),
    "mixed-line-ends": (b"A1\r\nA2\nA3\r\n", 3, {}),
    "blank-lines": (b"code\n\nA1\n\n\nA2\n\n", 2, {}),
    "white-space-around": (b"code\n  A1  \n\tA2\n", 2, {}),
    "bom-before-a-header": (b"\xef\xbb\xbfcode\nA1\n", 1, {}),
    "other-scripts": ("code\nЛЕТО-1\n夏-2\nصيف-3\n".encode(), 3, {}),
    "emoji": ("🎁-1\n🎁-2\n".encode(), 2, {}),
    "codes-like-markup": (b"<A1>\n<B2>\n", 2, {}),
    "codes-like-json": (b"[A1]\n{A2}\n", 2, {}),
    "codes-like-numbers": (b"0001\n001\n01\n1\n", 4, {}),
    "code-named-code1": (b"code1\ncode2\n", 2, {}),
    "codes-that-differ-in-case": (b"a1\nA1\n", 2, {}),
    "codes-that-start-alike": (b"A\nAA\nAAA\n", 3, {}),
    "control-characters": (b"A\x1b1\nA\x7f2\n", 2, {}),
    "line-separators-of-unicode": ("A1\u2028A2\nB\u00851\n".encode(), 2, {}),
    "percent-and-quotes-inside": (b"A%201\nB\"2\nC'3\n", 3, {}),
    "longest-code": (b"A" * 100 + b"\n" + b"B" * 100, 2, {}),
    "long-other-columns": (b"code,text\nA1," + b"x" * 60_000 + b"\n", 1, {}),
    "duplicates-that-are-allowed": (b"A1\nA1\nA1\n", 3, {"max_duplicates": 2}),
    "codes-that-share-endings": (CODES, 2000, {}),
    "as-large-as-can-be": (b"code\nA1\n" + b"\n" * (MB - 8), 1, {"max_bytes": MB}),
    "codes-that-start-as-orc": (b"ORC1\nORC2\nORC\n", 3, {}),
    "codes-that-start-as-parquet": (b"PAR1\nPAR2\n", 2, {}),
    "codes-that-start-as-bzip2": (b"BZh9\nBZh8\n", 2, {}),
    "codes-that-start-as-a-pdf": (b"%PDF10\n%X\n", 2, {}),
    "codes-that-start-as-orc-in-another-script": ("ORC-\u041b\n".encode() * 400, 400, {"max_duplicates": 399}),
    "delimiters-in-quotes": (b'"A,1"\n"A,2"\n', 2, {}),
    "delimiters-in-quotes-of-several-columns": (b'code,x\n"A,1","a,b"\nA2,"c ""d"", e"\n', 2, {}),
    "quotes-in-other-columns": (b'code,size\nA1,5" x 3"\nA2,3"\n', 2, {}),
    "codes-like-lists-of-json": (b'["A1"]\n["A2"]\n', 2, {}),
    "codes-like-tags": (b"<A>\n<B>\n<P>\n", 3, {}),
    "only-code-is-called-code": (b"CODE\n", 1, {"header": False}),
    "only-code-is-called-code-and-no-line-end": (b"CODE", 1, {"header": False}),
    "blank-lines-before-the-header": (b"\n \ncode\nA1\n", 1, {}),
    "code-named-as-its-kind-is": (b"A1,voucher\nA2,voucher\n", 2, {}),
    "codes-of-letters-and-their-kinds": (b"ABCDE,voucher\nFGHIJ,giftcard\n", 2, {}),
    "code-before-another-code": (b"code,campaign_code,coupon\nA1,X,1\nA2,X,2\n", 2, {}),
    "second-column-by-name": (b"id,Code\n1,A1\n2,A2\n", 2, {"column": "code"}),
    "second-column-by-number": (b'id;code;x\r\n1;A1;2\r\n2;"A;2"\r\n', 2, {"column": 2}),
    "second-column-without-header": (b"1\tA1\n2\tA2", 2, {"column": 2}),
    "last-column-that-some-lines-lack": (b"id,code\n1\n2,A2\r\n3\r\n\n4,", 1, {"column": 2}),
    "first-column-beside-one-that-is-called-code": (b"kunde;gutschein\nMaria;A1\n", 1, {"column": 1}),
    "name-that-is-not-known": (b"bon\nA1\nA2\n", 2, {"column": "Bon"}),
    "name-that-is-not-known-by-number": (b"bon\nA1\nA2\n", 2, {"column": 1, "header": True}),
    **{
        f"column-named-{name}": (f"{name},x\nA1,1\nA2,2\n".encode(), 2, {"header": True})
        for name in (
            "discount_code",
            "coupon-code",
            "Gutscheincode",
            "coupon_id",
            "Kupon kodu",
            "C\u00f3digo",
            "Voucher Number",
            "promoCode",
            "C\u00d3DIGO DE DESCUENTO",
            "\u041f\u0440\u043e\u043c\u043e\u043a\u043e\u0434",
        )
    },
}

DOUBTFUL = {  # content that passes, and what the warning says of it
    "header-unknown": (b"bon\nA1\nA2\n", "has a line 1 unlike those after it"),
    "header-unknown-of-columns": (
        b"kunde;bon\nMaria;A1\nJo;A2\n",
        "has 2 columns and no header that is recognised; each line",
    ),
    "columns-without-header": (b"A1,x,y\nA2,x,y\n", "has 3 columns and no header that is recognised; the first was"),
    "comment": (b"# export of today\nA1\nA2\n", "has a line 1 unlike those after it"),
    "sentence": (b"No coupons were found\n", "has a line 1 unlike those after it"),
    "title-before-the-header": (b"Export\ncode\nA1\n", "has a line 1 unlike those after it"),
    "line-of-another-length": (
        b"1/12\n" + b"".join(b"%06d\n" % n for n in range(5)),
        "has a line 1 unlike those after it",
    ),
    "mail-addresses": (b"a@b.example\nc@d.example\n", "has mail addresses instead of codes"),
    "rounded-number": (
        b"code\n1.23457E+15\nA+2\nAE+15\n",
        "has 1 code such as 1.2E+15, of which a spreadsheet has dropped",
    ),
    "null": (b"code\nNULL\nA1\nNULLA\n", "has 1 code such as NULL or #N/A, which stands for none (line 2)"),
    "nan": (b"A1\nNaN\n", "has 1 code such as NULL or #N/A, which stands for none (line 2)"),
    "missing-values-of-excel": (
        b'A1\n#N/A\n"#REF!"\n#null!,x\n#1\n',
        "has 3 codes such as NULL or #N/A, which stands for none (lines 2, 3, 4)",
    ),
    "end-of-file-of-dos": (
        b"code\nA1\n\x1a",
        "has 1 code with control characters, or ones that cannot be seen (line 3)",
    ),
    "bell-and-escape": (
        b"code\nA\x071\nA2\nA3\x1b\nA\x7f\n",
        "has 3 codes with control characters, or ones that cannot be seen (lines 2, 4, 5)",
    ),
    "return-within-a-line": (
        b"A1\rA2\r\nA3\r\n",
        "has 1 code with control characters, or ones that cannot be seen (line 1)",
    ),
    "byte-order-mark-in-the-middle": (b"code\nA1\n\xef\xbb\xbfA2\nB1\n", "ones that cannot be seen (line 3)"),
    "zero-width-space": ("A1\nA2\u200b\n".encode(), "ones that cannot be seen (line 2)"),
    "no-break-space": ("A1\u00a0\n\u202fA2\nA3\u2060\n".encode(), "ones that cannot be seen (lines 1, 2, 3)"),
    "lost-character": ("A1\nA\ufffd\n".encode(), "ones that cannot be seen (line 2)"),
    "line-break-in-quotes": (b'code\n"A\n1"\nA2\n', "has 1 code in a quote that its line does not close (line 2)"),
    "quote-that-is-not-closed": (
        b'code,x\n"A1,2\n"A2",3\n",\n',
        "has 2 codes in a quote that its line does not close (lines 2, 4)",
    ),
    "header-again": (b"Code,x\r\nA1,1\r\nCode,x\r\nB1,2\r\n", "has 1 line that repeats the header (line 3)"),
    "header-again-in-the-second-column": (
        b"id,discount code\n1,A1\nid,discount code\n2,B1\n",
        "has 1 line that repeats the header (line 3)",
    ),
}

WELL_MADE = {  # content of which no warning is given
    "one-column": (b"code\nA1\nB2\n", {}),
    "one-column-without-header": (b"SUMMER-1\nSUMMER-22\nSUMMER-333\n", {}),
    "words": (b"SUMMER\nWINTER\nSPRING\nEASTER\n", {}),
    "codes-of-several-words": (b"SUMMER 2026 SALE\nWINTER 2026 SALE\n", {}),
    "columns": (b"code,email,text\r\nA1,a@b.example,#N/A\r\nA2,c@d.example,NULL\r\n", {}),
    "no-break-spaces-elsewhere": ("code,text\nA1,10\u00a0EUR\nA2,20\u00a0EUR\n".encode(), {}),
    "dashes-quotes-and-scripts": (
        "A\u20131\n\u201eB\u201c\n\u0645\u06cc\u200c\u0631\n\uff21\u20ac\u00e9\n".encode(),
        {},
    ),
    "tabs": (b"code\tx\nA1\t1\nA2\t2\n", {}),
    "base64": (b"qE+15/x=\nE+1A5/y=\n+E+15/z=\n", {}),
    "quotes": (b'"code","x"\n"A,1","a"\n"B""2","b"\n', {}),
    "column-by-name": (b"id,email,code\n1,a@b.example,A1\n2,c@d.example,A2\n", {"column": "code"}),
    "many": (CODES, {}),
}


def blocks(content: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


def read(content: bytes, size: int, **options: Any) -> FileContent:
    return read_content(blocks(content, size), ContentRules(**options))


def sizes(content: bytes) -> list[int]:
    return [MB] if len(content) > MB else [1, 7, 4096] if len(content) < 10_000 else [4096, MB]


@pytest.mark.parametrize("name", BAD)
def test_bad_file_is_stopped_however_it_arrives(name: str) -> None:
    content, text = BAD[name]
    for size in sizes(content):
        problems = read(content, size, max_bytes=5 * MB).problems
        assert problems, size
        assert any(text in problem for problem in problems), (size, problems)


@pytest.mark.parametrize("name", ODD)
def test_odd_but_good_file_passes_however_it_arrives(name: str) -> None:
    content, codes, options = ODD[name]
    for size in sizes(content):
        found = read(content, size, **options)
        assert found.problems == [], size
        assert found.codes == codes, size
        assert found.sha256 == hashlib.sha256(content).hexdigest()
        assert found.size == len(content)


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubtful_file_passes_with_a_warning_however_it_arrives(name: str) -> None:
    content, text = DOUBTFUL[name]
    for size in sizes(content):
        found = read(content, size, max_duplicates=1, column=2 if "second-column" in name else None)
        assert found.problems == [], size
        assert any(text in warning for warning in found.warnings), (size, found.warnings)
        assert not any(code in warning for warning in found.warnings for code in ("A1", "A2", "B1"))


@pytest.mark.parametrize("name", WELL_MADE)
def test_well_made_file_has_no_warning(name: str) -> None:
    content, options = WELL_MADE[name]
    found = read(content, 7, **options)
    assert (found.problems, found.warnings) == ([], [])


def test_doubts_far_into_a_file_are_found_with_their_line() -> None:
    codes = b"code\n" + b"".join(b"SUMMER-%09d\n" % number for number in range(100_000))
    found = read(codes + b'null\nA\x07\n1E+9\n"B\ncode\n', MB)
    assert found.problems == []
    assert [warning.rpartition(" (")[2] for warning in found.warnings] == [
        f"line {100_002 + n})" for n in (1, 0, 2, 3, 4)
    ]


@pytest.mark.parametrize(("over", "warns"), [(0, False), (1, True)])
def test_file_that_is_too_large_in_powers_of_ten_has_a_warning(over: int, warns: bool) -> None:
    line = b"%07d," + b"x" * 49_991 + b"\n"
    lines = (line % number for number in range(2000))
    found = read_content(chain(lines, [b"\n" * over]), ContentRules(), size=100_000_000 + over)
    assert (found.problems, found.size, found.codes) == ([], 100_000_000 + over, 2000)
    assert any("more than 100000000: too many if" in warning for warning in found.warnings) is warns


def test_there_are_thirty_files_of_each_kind() -> None:
    assert len(BAD) >= 30
    assert len(ODD) >= 30


def test_file_known_to_be_too_large_is_not_read() -> None:
    def never() -> Iterator[bytes]:
        raise AssertionError("it was read")
        yield b""

    assert "has 105906176 bytes" in read_content(never(), ContentRules(), size=101 * MB).problems[0]


def test_file_of_101_mb_is_stopped_while_it_is_read() -> None:
    line = b"A1," + b"x" * 60_000 + b"\n"
    block = line * (MB // len(line) + 1)
    read_blocks = []

    def endless() -> Iterator[bytes]:
        yield b"code,text\n"
        while True:
            read_blocks.append(1)
            yield block

    problems = read_content(endless(), ContentRules()).problems
    assert problems == [
        "has more than 104857600 bytes; the service fetches at most 104857600 bytes (100 MB) from a URL. Split it"
    ]
    assert len(read_blocks) * len(block) < 103 * MB


@given(
    codes=st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=3), max_size=60),
    ends=st.sampled_from([b"\n", b"\r\n"]),
    size=st.integers(1, 50),
)
def test_codes_and_duplicates_are_counted_however_the_file_is_cut(codes: list[str], ends: bytes, size: int) -> None:
    content = b"coupon" + ends + b"".join(code.encode() + ends for code in codes)
    found = read(content, size, max_duplicates=1000, min_codes=0)
    assert found.problems == []
    assert found.codes == len(codes)
    assert found.duplicates == len(codes) - len(set(codes))


def plain_cell(line: bytes, delimiter: bytes) -> bytes:
    """A line's first cell; a delimiter between quotes is part of it if the line begins with one, and they are even."""
    quoted = line.startswith(b'"') and line.count(b'"') % 2 == 0
    ends = [at for at, byte in enumerate(line) if byte == delimiter[0] and not (quoted and line.count(b'"', 0, at) % 2)]
    return line[: ends[0]] if ends else line


def plainly(content: bytes, delimiter: bytes) -> tuple[int, int, int]:
    """Codes, duplicates, and blank lines, found out line by line."""
    cells = [
        plain_cell(line.removesuffix(b"\r"), delimiter).strip(b" \t").strip(b'"').strip(b" \t")
        for line in content.removesuffix(b"\n").split(b"\n")
    ]
    codes = [cell for cell in cells if cell]
    return len(codes), len(codes) - len(set(codes)), len(cells) - len(codes)


LENGTHS = (
    1,
    2,
    7,
    8,
    9,
    15,
    16,
    17,
    23,
    24,
    25,
    31,
    33,
    64,
    100,
)  # a word's, and beside them
AROUND = (b"", b"", b"", b" ", b'"', b"\t", b'" ', b'""', b" " * 20, b'"  \t"')
AFTER = (b"", b"", b"\r", b"\r\r", b",", b",x", b',"y",z\r', b";1", b"\t2", b" \r", b"," * 30)


def odd_file(generator: random.Random) -> tuple[bytes, bytes]:
    """A file of codes that look much alike, as odd as its seed, and its delimiter."""
    letters = generator.choice(("AB", "A", "01", "\xe4B", "\u590fa", 'A"', "A B"))
    lengths = generator.choices(LENGTHS, k=generator.randint(1, 3))
    around, after = (generator.choices(values, k=generator.randint(1, 3)) for values in (AROUND, AFTER))
    stem, lines = "".join(generator.choices(letters, k=100)), []
    for _ in range(generator.randint(1, 60)):
        changed = generator.randrange(100)  # codes of a file differ in one place, or not at all
        code = (stem[:changed] + generator.choice(letters) + stem[changed + 1 :])[: generator.choice(lengths)]
        cell = code.encode()[:100].decode(errors="ignore").encode()
        lines.append(generator.choice(around) + cell + generator.choice(around) + generator.choice(after))
        lines += [b""] * (generator.random() < 0.05)
    delimiter = generator.choice((b",", b";", b"\t"))
    ends = generator.choice((b"", b"\n"))
    return b"code" + delimiter + b"x\n" + b"\n".join(lines) + ends, delimiter


@pytest.mark.parametrize("seed", range(5))
def test_odd_files_have_the_codes_and_duplicates_that_a_plain_set_finds(seed: int, mocker: Any) -> None:
    """A run and a batch of few codes take the way of large files."""
    mocker.patch("wes_provider.storage.codes.RUN", 7)
    mocker.patch("wes_provider.storage.codes.BATCH", 3)
    mocker.patch("wes_provider.storage.codes.IN_MEMORY", 300)
    for number in range(100):
        content, delimiter = odd_file(random.Random(f"{seed}-{number}"))
        found = read(content, 37, max_duplicates=1000, min_codes=0, max_length=10_000)
        assert found.problems == [], (seed, number)
        codes, duplicates, blank = plainly(content.partition(b"\n")[2], delimiter)
        assert (found.codes, found.duplicates, found.blank_lines) == (codes, duplicates, blank), (seed, number)


@pytest.mark.parametrize("seed", range(3))
def test_any_column_has_the_codes_that_the_csv_module_finds(seed: int) -> None:
    for number in range(40):
        generator = random.Random(f"{seed}-{number}")
        cells = ("", "A", "BB", "A,1", 'B"2', "C C", "0123456789", "\u590f,1")
        rows = [generator.choices(cells, k=generator.randint(1, 4)) for _ in range(generator.randint(1, 30))]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator=generator.choice(("\n", "\r\n")))
        writer.writerow(["a", "b", "c", "d"])
        writer.writerows(rows)
        for column in (1, 2, 3, 4):
            found = read(text.getvalue().encode(), 37, column=column, header=True, max_duplicates=100, min_codes=0)
            codes = [row[column - 1] for row in rows if len(row) >= column and row[column - 1]]
            assert found.problems == [], (seed, number, column)
            assert (found.codes, found.duplicates) == (len(codes), len(codes) - len(set(codes))), (seed, number, column)
            assert found.blank_lines == len(rows) - len(codes)


@pytest.mark.parametrize("length", [8, 9, 16, 17, 40])
def test_codes_that_differ_in_one_bit_are_no_duplicates(length: int) -> None:
    same = b"A" * length
    codes = {same[:at] + bytes([65 ^ bit]) + same[at + 1 :] for at in range(length) for bit in (0, 1, 2, 4)}
    found = read(b"\n".join(codes), MB)
    assert (found.problems, found.codes) == ([], 3 * length + 1)


def test_fingerprints_that_are_half_the_same_are_no_duplicates() -> None:
    """Codes that have such are as rare as they are hard to find."""
    import numpy as np

    from wes_provider.storage.codes import Distinct

    half = (np.zeros(1000, np.uint64), np.arange(1000, dtype=np.uint64) % 400)
    with ExitStack() as stack:
        distinct = Distinct(stack)
        distinct.add(SimpleNamespace(fingerprints=lambda longest: (half[0][:0], half)), 100)
        assert distinct.duplicates() == 600


@pytest.mark.parametrize(("distance", "width"), [(None, 12), (1, 7), (70_000, 12), (599_999, 20)])
def test_one_duplicate_among_many_codes_is_found(distance: int | None, width: int) -> None:
    codes = [b"%0*d" % (width, number) for number in range(600_000)]  # more than stay in memory
    if distance is not None:
        codes.insert(distance, codes[0])
    found = read(b"\n".join(codes), SLICE_BYTES + 1, max_duplicates=1)
    assert (found.duplicates, found.codes) == (len(codes) - 600_000, len(codes))


@pytest.mark.parametrize("code", [b"A", b"A" * 20], ids=["short", "long"])
def test_one_code_again_and_again_is_counted(code: bytes) -> None:
    found = read((code + b"\n") * 700_000 + b"B", MB, max_duplicates=1_000_000, max_bytes=20 * MB)
    assert (found.problems, found.codes, found.duplicates) == ([], 700_001, 699_999)


def test_line_ends_and_white_space_alone_are_counted_as_blank_lines() -> None:
    found = read(b"\n \n\r\n" * 50_000 + b"A", MB)
    assert (found.codes, found.blank_lines) == (1, 150_000)


def test_missing_numpy_is_one_clear_error() -> None:
    """Not a problem of each file; and a file that is not read needs none."""
    code = """
import sys
sys.modules["numpy"] = None
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import Preflight
from wes_provider.storage.content import ContentRules, read_content
from wes_provider.storage.files import BucketFile
class File(BucketFile):
    def blocks(self, size=0):
        yield b"A1\\n" * 100
assert read_content([], ContentRules()).problems == ["is empty"]
try:
    Preflight().check([File("s3://promo/a.csv", "etag", 300)])
except WesConfigurationError as error:
    print(error)
"""
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    lines = output.splitlines()
    assert lines[0] == "Checking coupon files needs numpy, which cannot be imported."
    assert "Install airflow-provider-wes[storage]" in lines[1]


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ({"min_codes": 2001}, "has 2000 codes, fewer than min_codes=2001"),
            ({"max_codes": 1999}, "has 2000 codes, more than max_codes=1999"),
            ({"min_length": 13}, "has 2000 codes of fewer than 13 or more than 100 bytes (lines 1, 2, 3, ...)"),
            ({"header": True}, "has no header"),
        ],
        ids=["min_codes", "max_codes", "min_length", "header"],
    )
    def test_limit_is_kept(self, options: dict[str, Any], text: str) -> None:
        assert any(text in problem for problem in read(CODES, MB, **options).problems)

    def test_header_can_be_refused(self) -> None:
        assert read(b"code\nA1", MB, header=False).problems == ["has a header, and Preflight(header=False) wants none"]

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ({"column": "coupon"}, "has no column named 'coupon' in line 1"),
            ({"column": 3}, "has no column 3 in line 1"),
            ({"column": 2, "header": False}, "has a header, and Preflight(header=False) wants none"),
            ({"column": 2, "min_length": 3}, "has 1 code of fewer than 3 or more than 100 bytes (line 2)"),
        ],
        ids=str,
    )
    def test_column_is_checked(self, options: dict[str, Any], text: str) -> None:
        assert read(b"id,code\n1,A1\n2,A22\n", MB, **options).problems == [text]

    def test_only_line_that_reads_like_a_header_names_the_way_out(self) -> None:
        (problem,) = read(b"CODE\n", MB).problems
        assert problem == "has only a header, fewer than min_codes=1; if that is a code, set Preflight(header=False)"

    def test_templates_give_numbers(self) -> None:
        rules = Preflight(min_codes="10", max_length="20", header="True", min_added_ratio="0.9").rules()
        assert (rules.min_codes, rules.max_length, rules.header) == (10, 20, True)
        assert Preflight(header="None", min_added_ratio="None").added_ratio() is None

    @pytest.mark.parametrize(
        ("column", "wanted"),
        [("2", 2), (2, 2), (" Code ", "Code"), ("None", None), ("", None), (None, None)],
        ids=str,
    )
    def test_column_is_a_name_or_a_number(self, column: Any, wanted: Any) -> None:
        assert Preflight(column=column).rules().column == wanted

    @pytest.mark.parametrize(
        "options",
        [
            {"min_codes": -1},
            {"min_codes": True},
            {"max_codes": 1.5},
            {"min_codes": 5, "max_codes": 4},
            {"min_length": 200},
            {"header": 5},
            {"header": "code"},
            {"min_codes": "many"},
            {"column": 0},
            {"column": "0"},
            {"column": "-1"},
            {"column": True},
            {"column": 1.5},
            {"column": "code", "header": False},
            {"min_added_ratio": 1.1},
            {"min_added_ratio": float("nan")},
        ],
        ids=str,
    )
    def test_option_that_makes_no_sense_is_refused_at_once(self, options: dict[str, Any]) -> None:
        with pytest.raises(WesConfigurationError, match="of Preflight"):
            Preflight(**options)

    def test_option_from_a_template_is_refused_when_it_is_used(self) -> None:
        with pytest.raises(WesConfigurationError, match="min_codes of Preflight takes a number from 0 on, not 'many'"):
            Preflight(min_codes="many").check([])


class TestFilesInABucket:
    def test_good_files_give_what_the_ledger_and_the_plan_need(self, s3: Any, caplog: pytest.LogCaptureFixture) -> None:
        s3.put("summer/a.csv", CODES)
        s3.put("summer/b.csv", b"code\n\nB1\n")
        files = BucketFiles("s3://s3_promo@promo/summer/*.csv").expand()
        first, second = Preflight().check(files)
        assert (first.path, first.etag, first.size) == (files[0].path, files[0].etag, len(CODES))
        assert (first.codes, first.sha256) == (2000, hashlib.sha256(CODES).hexdigest())
        assert second.warnings == ("has 1 blank line",)
        assert "A coupon file may be malformed\ns3://promo/summer/b.csv has 1 blank line" in caplog.text
        assert CheckedFile.from_dict({**json.loads(json.dumps(second.to_dict())), "later": 1}) == second

    def test_problems_of_all_files_are_one_error(self, s3: Any) -> None:
        s3.put("summer/a.csv", b"")
        s3.put("summer/b.csv", b"<html>")
        s3.put("summer/c.csv", CODES)
        with pytest.raises(WesPreflightError) as error:
            Preflight(max_length=5).check(BucketFiles("s3://s3_promo@promo/summer/*.csv").expand())
        assert len(error.value.problems) == 3
        lines = str(error.value).splitlines()
        assert lines[0] == "Nothing was sent: 3 problems in 3 coupon files"
        assert lines[2] == "s3://promo/summer/a.csv is empty"
        assert "SUMMER-" not in str(error.value)

    def test_file_that_changes_or_goes_away_is_a_problem(self, s3: Any) -> None:
        for name in ("a", "b"):
            s3.put(f"summer/{name}.csv", CODES)
        files = BucketFiles("s3://s3_promo@promo/summer/*.csv").expand()
        s3.clear()
        s3.put("summer/a.csv", CODES.lower())
        with pytest.raises(WesPreflightError) as error:
            Preflight().check(files)
        assert "a.csv was overwritten after the task listed it" in str(error.value)
        assert "b.csv was deleted after the task listed it" in str(error.value)
        assert not error.value.permanent
        s3.put("summer/b.csv", b"")
        with pytest.raises(WesPreflightError) as error:
            Preflight().check([files[0], *BucketFiles("s3://s3_promo@promo/summer/b.csv").expand()])
        assert error.value.permanent

    def test_two_files_of_the_same_content_are_a_problem(self, s3: Any) -> None:
        s3.put("summer/a.csv", CODES)
        s3.put("summer/b.csv", CODES)
        with pytest.raises(WesPreflightError, match=r"b.csv has the same content as s3://promo/summer/a.csv"):
            Preflight().check(BucketFiles("s3://s3_promo@promo/summer/*.csv").expand())


class TestPlainUrls:
    def test_file_at_a_url_is_checked_with_its_credentials(self, wes_emulator: Emulator) -> None:
        url = wes_emulator.host("codes.csv", CODES, username="me", password="secret-password")
        (checked,) = Preflight().check([UrlFile(f"{url}?token=secret-token", ("me", "secret-password"))])
        assert (checked.codes, checked.size) == (2000, len(CODES))
        assert "secret" not in repr(checked)

    def test_problem_shows_no_query(self, wes_emulator: Emulator) -> None:
        url = wes_emulator.host("codes.csv", b"")
        files = [UrlFile(f"{url}?token=secret-token"), UrlFile(f"{url}.gone?token=secret-token")]
        files.append(UrlFile("http://127.0.0.1:1/codes.csv?token=secret-token"))
        with pytest.raises(WesPreflightError) as error:
            Preflight().check(files)
        text = str(error.value)
        assert "secret" not in text
        assert "codes.csv is empty" in text
        assert "cannot be fetched: its host responded with 404" in text
        assert "cannot be fetched: ConnectionError" in text


class TestPlan:
    def test_send_times_fill_each_window_and_overflow_none(self) -> None:
        start = datetime(2026, 11, 22, tzinfo=timezone.utc)
        times = send_times(120, start)
        assert times[4] == start
        assert times[5] == start + timedelta(minutes=1)
        assert times[49] == start + timedelta(minutes=9)
        assert times[50] == start + timedelta(days=1)
        assert times[100] == start + timedelta(days=2)
        assert all(later - earlier >= timedelta(minutes=1) for earlier, later in zip(times, times[5:], strict=False))
        assert all(later - earlier >= timedelta(days=1) for earlier, later in zip(times, times[50:], strict=False))
        assert all(earlier <= later for earlier, later in pairwise(times))
        assert send_times(0, start) == []

    def test_plan_says_when_each_file_and_the_last_would_be_uploaded(self) -> None:
        start = datetime(2026, 11, 22, tzinfo=timezone.utc)
        files = [CheckedFile(f"s3://promo/{number}.csv", 10, "etag", 2, "sha") for number in range(6)]
        plan = upload_plan("list-1", files, start)
        assert json.loads(json.dumps(plan)) == plan
        assert [file["path"] for file in plan["files"]] == [file.path for file in files]
        assert plan["files"][5]["upload_at"] == plan["last_upload_at"] == "2026-11-22T00:01:00+00:00"
        assert plan["codes"] == 12
        assert upload_plan("list-1", [], start)["last_upload_at"] is None


class TestReconciliation:
    def test_summary_gets_both_counts(self) -> None:
        summary = {"id": "f1", "coupons_added": 90, "coupons_duplicate": 8}
        assert reconciled(summary, 100, added=90, duplicate=8) == {
            **summary,
            "expected_codes": 100,
            "unaccounted_codes": 2,
        }
        assert reconciled(summary, None, added=90, duplicate=8) == summary
        assert reconciled(summary, 100, added=None, duplicate=8) == {**summary, "expected_codes": 100}

    def test_ratio_names_the_files_below_it(self) -> None:
        files = [("s3://promo/a.csv", 100, 100), ("s3://promo/b.csv", 100, 89), ("s3://promo/c.csv", 100, None)]
        with pytest.raises(WesReconciliationError) as error:
            check_added(files, 0.9, "list-1")
        assert str(error.value).startswith("2 of 3 files below min_added_ratio=0.9 (list list-1)\n")
        assert "b.csv: 89 of 100 codes were added (89.0%)" in str(error.value)
        assert "c.csv: the service does not report how many of its 100 codes were added" in str(error.value)
        check_added(files, None, "list-1")
        check_added(files[:1], 1, "list-1")
        check_added([("s3://promo/a.csv", 100, 90)], 0.9, "list-1")
