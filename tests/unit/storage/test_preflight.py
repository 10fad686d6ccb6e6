"""The checks before an upload: their arguments, and what an error says of all files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import Preflight
from wes_provider.storage.errors import WesPreflightError, WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.preflight import CheckedFile, check_files

pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")

CODES = b"A1\nA2\n"
LIMIT = 104_857_600


def files(*contents: bytes | None, checked: bool = True) -> dict[ListedFile, bytes | None]:
    """Files in a bucket and what they hold; ``None`` cannot be read."""
    return {
        ListedFile(path=f"s3://promo/{index}.csv", conn_id="", checked=checked): content
        for index, content in enumerate(contents)
    }


def check(
    contents: dict[ListedFile, bytes | None],
    *,
    allow_same_content: bool = False,
    **arguments: Any,
) -> list[CheckedFile]:
    def download(file: ListedFile, target: Path) -> None:
        content = contents[file]
        if content is None:
            raise WesStorageError(f"{file.path} cannot be read")
        target.write_bytes(content)

    rules = Preflight(**arguments).rules()
    return check_files(list(contents), rules, download, allow_same_content=allow_same_content)


# -- arguments -------------------------------------------------------------------------------------


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


def test_template_is_not_refused_before_it_is_rendered() -> None:
    Preflight(header="code", max_codes="{{ params.codes }}")


def test_templates_render_to_strings() -> None:
    rules = Preflight(header="None", column="2", min_codes="5", max_duplicates="0").rules()
    assert (rules.header, rules.column, rules.min_codes, rules.max_duplicates) == (None, 2, 5, 0)
    assert Preflight(delimiter="None", header="True").rules() == Preflight(header=True).rules()


# -- files -----------------------------------------------------------------------------------------


def test_checked_files_have_counts_and_a_hash(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    given = files(CODES, b"A1\nA1\n\n", b"voucher\nB1\n")
    _, checked, _ = check(given, max_duplicates=1)
    assert checked.counts == (2, 1, 1)
    assert checked.size == 7
    assert checked.sha256 == "0228d603eef67a79529b000ef2309d9def3afa6133634c0ed6aedde24e1c9a78"
    assert (
        "Checked s3://promo/1.csv (file 2 of 3): 2 codes, 1 duplicate, 1 blank line" in caplog.text
    )
    assert "(file 3 of 3): 1 code below a header, 0 duplicates" in caplog.text


def test_file_that_is_not_checked_has_a_hash_and_no_counts() -> None:
    (checked,) = check(files(b"<html>", checked=False))
    assert checked.counts is None
    assert checked.size == 6
    assert checked.sha256


def test_name_of_an_archive_says_that_it_is_one() -> None:
    with pytest.raises(WesPreflightError, match=r"0\.CSV\.GZ is no gzip archive"):
        check({ListedFile(path="s3://promo/0.CSV.GZ", conn_id=""): CODES})


def test_all_problems_of_all_files_are_named_at_once() -> None:
    with pytest.raises(
        WesPreflightError, match=r"^Nothing was sent: 49 problems in 25 coupon files\n"
    ) as error:
        check(files(*[b"A1\nA1\n"] * 25))
    assert len(error.value.problems) == 49  # 24 have the same content as the first, too
    assert str(error.value).endswith("and 29 more")
    assert error.value.permanent


def test_same_content_may_be_allowed() -> None:
    first, second = check(files(CODES, CODES), allow_same_content=True)
    assert first.sha256 == second.sha256


class Advice(NamedTuple):
    """Files, and what the error says to do about them."""

    name: str
    files: dict[ListedFile, bytes | None]
    advice: str


FIX = "Fix the files and clear the task"
SAME = "Of files with the same content, leave one; or a Ledger(on_known_content='skip') does."
PLAIN = "https://h/a.csv"
ADVICE = (
    Advice("bad content", files(b""), f"{FIX}; preflight=False uploads them as is."),
    Advice("same content", files(CODES, CODES), SAME),
    Advice("same content, unchecked", files(CODES, CODES, checked=False), SAME),
    Advice("both", files(b"<", CODES, CODES), f"{FIX}; preflight=False uploads them as is. {SAME}"),
    Advice("unreadable", files(None), "A retry reads again what cannot be read now."),
)


@pytest.mark.parametrize("row", ADVICE, ids=[row.name for row in ADVICE])
def test_error_advises_only_what_helps(row: Advice) -> None:
    with pytest.raises(WesPreflightError) as error:
        check(row.files)
    assert str(error.value).splitlines()[1] == row.advice


def test_url_that_is_given_twice_is_not_compared_with_itself() -> None:
    twice = {ListedFile(path=PLAIN, item=0): CODES, ListedFile(path=PLAIN, item=1): CODES}
    with pytest.raises(WesPreflightError) as error:
        check(twice)
    assert error.value.problems == [
        f"{PLAIN} is given twice, with the same content: in files[0] and, with another query, in "
        "files[1]"
    ]


@pytest.mark.parametrize(
    ("contents", "permanent"), [((None,), False), ((None, b""), True)], ids=["alone", "and-bad"]
)
def test_file_that_cannot_be_read_now_may_be_retried(contents: Any, permanent: bool) -> None:
    with pytest.raises(WesPreflightError, match=r"0\.csv cannot be read") as error:
        check(files(*contents))
    assert error.value.permanent is permanent


def test_object_that_is_too_large_is_not_read() -> None:
    with pytest.raises(WesPreflightError, match=r"a\.csv has more than 104857600 bytes"):
        check({ListedFile(path="s3://promo/a.csv", size=LIMIT + 1): None})


def test_file_at_a_url_that_is_too_large_is_refused_even_if_it_is_not_checked() -> None:
    def download(file: ListedFile, target: Path) -> None:
        with target.open("wb") as content:
            content.truncate(LIMIT + 1)

    large = ListedFile(path=PLAIN, checked=False)
    with pytest.raises(WesPreflightError) as error:
        check_files([large], Preflight().rules(), download, allow_same_content=False)
    assert str(error.value).splitlines()[1:] == [
        "Fix the files and clear the task.",
        f"{PLAIN} has more than 104857600 bytes (100 MB), which the service does not fetch from a "
        "URL. Split it",
    ]


def test_missing_duckdb_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(
        WesConfigurationError,
        match=r"^Checking coupon files needs duckdb, which cannot be imported.\nIns",
    ):
        check(files(CODES))
