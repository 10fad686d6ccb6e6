"""Bad coupon files are stopped with their problems named; odd but good ones pass."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import BucketFiles, Preflight
from wes_provider.storage.content import IN_MEMORY, ContentRules, FileContent, read_content
from wes_provider.storage.errors import WesPreflightError, WesReconciliationError
from wes_provider.storage.preflight import CheckedFile, UrlFile, send_times, upload_plan
from wes_provider.storage.reconcile import check_added, reconciled

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
    "utf-16-with-bom": (CODES.decode().encode("utf-16"), "is text in UTF-16"),
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
    "duplicate": (b"code\nA1\nA2\nA1\n", "has 1 codes that stand in it before"),
    "duplicate-far-apart": (CODES + b"SUMMER-00000\n", "has 1 codes that stand in it before"),
    "duplicate-in-quotes": (b'code\nA1\n"A1"\n', "has 1 codes that stand in it before"),
    "duplicate-with-white-space": (b"A1\nA1 \n", "has 1 codes that stand in it before"),
    "duplicate-in-another-row": (b"code,batch\nA1,1\nA1,2\n", "has 1 codes that stand in it before"),
    "code-too-long": (b"code\nA1\n" + b"A" * 101 + b"\n", "more than 100 bytes (lines 3)"),
    "all-on-one-line": (b"A1 " * 40_000, "has a line of more than 65536 bytes"),
    "old-mac-line-ends": (CODES.replace(b"\n", b"\r"), "ends its lines with CR alone"),
    "larger-than-the-limit": (CODES * 400, "has more than 5242880 bytes"),
}

ODD = {  # content, how many codes, and the options that it wants
    "no-header": (b"A1\nA2\n", 2, {}),
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


@pytest.mark.parametrize("distance", [None, 1, IN_MEMORY - 10, IN_MEMORY + 10, 2 * IN_MEMORY])
def test_one_duplicate_among_many_codes_is_found(distance: int | None) -> None:
    codes = [b"%d" % number for number in range(3 * IN_MEMORY)]
    if distance is not None:
        codes.insert(distance, b"0")
    found = read(b"\n".join(codes), MB, max_duplicates=1)
    assert (found.duplicates, found.codes) == (len(codes) - 3 * IN_MEMORY, len(codes))


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

    def test_templates_give_numbers(self) -> None:
        rules = Preflight(min_codes="10", max_length="20", header="True", min_added_ratio="0.9").rules()
        assert (rules.min_codes, rules.max_length, rules.header) == (10, 20, True)
        assert Preflight(header="None", min_added_ratio="None").added_ratio() is None

    @pytest.mark.parametrize(
        "options",
        [
            {"min_codes": -1},
            {"min_codes": True},
            {"max_codes": 1.5},
            {"min_codes": 5, "max_codes": 4},
            {"min_length": 200},
            {"header": 5},
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
    def test_good_files_give_what_the_ledger_and_the_plan_need(self, s3: Any) -> None:
        s3.put("summer/a.csv", CODES)
        s3.put("summer/b.csv", b"code\n\nB1\n")
        files = BucketFiles("s3://s3_promo@promo/summer/*.csv").expand()
        first, second = Preflight().check(files)
        assert (first.path, first.etag, first.size) == (files[0].path, files[0].etag, len(CODES))
        assert (first.codes, first.sha256) == (2000, hashlib.sha256(CODES).hexdigest())
        assert second.warnings == ("has 1 blank lines",)
        assert CheckedFile.from_dict({**json.loads(json.dumps(second.to_dict())), "later": 1}) == second

    def test_problems_of_all_files_are_one_error(self, s3: Any) -> None:
        s3.put("summer/a.csv", b"")
        s3.put("summer/b.csv", b"<html>")
        s3.put("summer/c.csv", CODES)
        with pytest.raises(WesPreflightError) as error:
            Preflight(max_length=5).check(BucketFiles("s3://s3_promo@promo/summer/*.csv").expand())
        assert len(error.value.problems) == 3
        lines = str(error.value).splitlines()
        assert lines[0] == "The preflight found 3 problems in 3 coupon files; nothing was sent."
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
        assert str(error.value).startswith("List list-1: 2 of 3 files fall below min_added_ratio=0.9.\n")
        assert "b.csv: 89 of 100 codes were added (89.0%)" in str(error.value)
        assert "c.csv: the service does not report how many of its 100 codes were added" in str(error.value)
        check_added(files, None, "list-1")
        check_added(files[:1], 1, "list-1")
        check_added([("s3://promo/a.csv", 100, 90)], 0.9, "list-1")
