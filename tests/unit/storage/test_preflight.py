"""
The checks before an upload. Arguments of ``Preflight`` that make no sense are refused at once, or
once they are rendered; strings of templates are read as what they mean; at a limit they pass.

WesPreflightError says that nothing was sent, and names all problems of all files, twenty of them in
its text: bad content, the same content twice (unless a ledger allows it; a URL that is given twice
is named with both places), a file that cannot be read, an archive by name alone that is none, and
more than 104,857,600 bytes (of a bucket's object only if it is checked). It advises only what
helps. It is permanent, unless all that is wrong is that files cannot be read now.

A checked file has its counts, size and SHA-256, and one that is not checked no counts. A file whose
name ends in ``.gz`` is unpacked to be counted. The log has each file with its counts; nothing of a
file stays on the machine. Without duckdb, the error says what to install.
"""

from __future__ import annotations

import gzip
import re
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from support.pages import PAGES, section
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import Preflight, content
from wes_provider.storage.counting import open_database
from wes_provider.storage.errors import TooLargeError, WesPreflightError, WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.preflight import CheckedFile, Download, check_files
from wes_provider.storage.rules import A_COUNT, TAKES, Rules

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


class Senseless(NamedTuple):
    """Arguments that make no sense, and the beginning of the error."""

    arguments: dict[str, Any]
    problem: str
    advice: str


A_CHARACTER = "It takes one character, which is no quotation mark and ends no line."
A_COLUMN = "It takes a column's name, or its number from 1 up."
SENSELESS = {
    "header": Senseless({"header": "code"}, "header is 'code'", "It takes True or False."),
    "a column before the first": Senseless({"column": 0}, "column is 0", A_COLUMN),
    "a comma and a line break": Senseless({"delimiter": ",\n"}, "delimiter is ', '", A_CHARACTER),
    "several characters": Senseless({"delimiter": ";;"}, "delimiter is ';;'", A_CHARACTER),
    "an apostrophe": Senseless({"delimiter": "'"}, 'delimiter is "\'"', A_CHARACTER),
    "a quotation mark": Senseless({"delimiter": '"'}, "delimiter is '\"'", A_CHARACTER),
    "a carriage return": Senseless({"delimiter": "\r"}, "delimiter is ' '", A_CHARACTER),
    "a line break": Senseless({"delimiter": "\n"}, "delimiter is ' '", A_CHARACTER),
    "lengths": Senseless(
        {"min_length": 5, "max_length": 4},
        "a least number is more than the most",
        "It is Preflight(header=None, column=None, delimiter=None, ",
    ),
    "numbers of codes": Senseless(
        {"min_codes": 3, "max_codes": 2},
        "a least number is more than the most",
        "It is Preflight(header=None, column=None, delimiter=None, ",
    ),
    "a name without a header": Senseless(
        {"header": False, "column": "code"},
        "header=False leaves no name for its column. Give its number",
        "It is Preflight(header=False, column='code', delimiter=None, ",
    ),
}


@pytest.mark.parametrize("row", SENSELESS.values(), ids=SENSELESS)
def test_arguments_that_make_no_sense_are_refused_at_once(row: Senseless) -> None:
    with pytest.raises(WesConfigurationError) as error:
        Preflight(**row.arguments)
    message = str(error.value)
    assert message.startswith(f"Preflight cannot be used: {row.problem}\n{row.advice}")


@pytest.mark.parametrize("value", [-1, 0.5, "many", True, None], ids=str)
@pytest.mark.parametrize("argument", [name for name in TAKES if TAKES[name] == A_COUNT])
def test_argument_that_counts_takes_no_other_value(argument: str, value: object) -> None:
    with pytest.raises(WesConfigurationError) as error:
        Preflight(**{argument: value})  # type: ignore[arg-type]
    assert str(error.value) == (
        f"Preflight cannot be used: {argument} is {value!r}\nIt takes a whole number from 0 up."
    )


def test_every_argument_is_explained_and_says_what_it_takes() -> None:
    explained = re.findall(r"^ *:param (\w+):", Preflight.__doc__ or "", re.MULTILINE)
    assert explained == list(TAKES) == list(Rules.__struct_fields__)


def test_every_argument_stands_in_the_table_of_checks() -> None:
    checks = section(PAGES["storage-reference.md"], "Checks")
    assert [name for name in Rules.__struct_fields__ if f"`{name}`" not in checks] == []


def test_template_is_not_refused_before_it_is_rendered() -> None:
    Preflight(header="code", max_codes="{{ params.codes }}")


class Rendered(NamedTuple):
    """Arguments as templates render, and what they mean."""

    arguments: dict[str, Any]
    rules: Rules


RENDERED = {
    "True": Rendered({"header": "True"}, Rules(header=True)),
    "False": Rendered({"header": "False"}, Rules(header=False)),
    "None": Rendered({"header": "None", "column": "None", "delimiter": "None"}, Rules()),
    "an empty string": Rendered({"header": "", "column": "", "delimiter": ""}, Rules()),
    "a column's number": Rendered({"column": "2"}, Rules(column=2)),
    "a column's name": Rendered({"column": "code"}, Rules(column="code")),
    "a number": Rendered({"min_codes": "5"}, Rules(min_codes=5)),
    "zero for a header": Rendered({"max_duplicates": 0, "header": "false"}, Rules(header=False)),
    "a name that begins with a number": Rendered({"column": "2nd"}, Rules(column="2nd")),
    "zero": Rendered({"min_codes": "0"}, Rules(min_codes=0)),
}


# Of all other arguments it is None, so that nothing is checked.
NOT_GIVEN = {
    "min_codes": 1,
    "max_codes": 100_000_000,
    "min_length": 1,
    "max_length": 100,
    "max_duplicates": 0,
    "max_unlike": 0,
}


@pytest.mark.parametrize("argument", Rules.__struct_fields__)
def test_argument_that_is_not_given_is_this(argument: str) -> None:
    assert structs.asdict(Preflight())[argument] == NOT_GIVEN.get(argument)


EQUAL = {
    "numbers of codes": {"min_codes": 2, "max_codes": 2},
    "lengths": {"min_length": 5, "max_length": 5},
    "no codes": {"min_codes": 0, "max_codes": 0},
    "a numbered column without a header": {"header": False, "column": 1},
    "a named column with a header that is to be found": {"column": "code"},
    "a tab": {"delimiter": "\t"},
    "a space": {"delimiter": " "},
}


@pytest.mark.parametrize("arguments", EQUAL.values(), ids=EQUAL)
def test_arguments_may_be_at_a_limit(arguments: dict[str, Any]) -> None:
    assert Preflight(**arguments).rules() == Rules(**arguments)


def test_value_that_a_template_renders_to_something_else_is_refused_then() -> None:
    preflight = Preflight(max_codes="{{ params.codes }}")
    preflight.max_codes = "many"  # type: ignore[assignment]
    with pytest.raises(WesConfigurationError) as error:
        preflight.rules()
    assert str(error.value) == (
        "Preflight cannot be used: max_codes is 'many'\nIt takes a whole number from 0 up."
    )


@pytest.mark.parametrize("row", RENDERED.values(), ids=RENDERED)
def test_strings_of_rendered_templates_are_read_as_what_they_mean(row: Rendered) -> None:
    assert Preflight(**row.arguments).rules() == row.rules


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
    assert checked.sha256 == "b7d082ee12e91b756ea22e8513b8594eebcf5d39fab813da3cb55794dc888ad7"


@pytest.mark.parametrize("name", ["codes.csv.gz", "codes.gz", "CODES.CSV.GZ"])
def test_file_whose_name_ends_in_gz_has_to_be_a_gzip_archive(name: str) -> None:
    with pytest.raises(WesPreflightError) as error:
        check({ListedFile(path=f"s3://promo/{name}", conn_id=""): CODES})
    assert error.value.problems == [f"s3://promo/{name} is no gzip archive, as its name says"]


@pytest.mark.parametrize("name", ["codes.gz", "CODES.CSV.GZ"])
def test_archive_is_unpacked_and_its_codes_are_counted(name: str) -> None:
    archive = gzip.compress(CODES, mtime=0)
    (checked,) = check({ListedFile(path=f"s3://promo/{name}", conn_id=""): archive})
    assert checked.counts == (2, 0, 0)
    assert checked.size == len(archive)


@pytest.mark.parametrize("name", ["codes.gz.csv", "codesgz", "gz"])
def test_file_of_another_name_is_no_archive(name: str) -> None:
    (checked,) = check({ListedFile(path=f"s3://promo/{name}", conn_id=""): CODES})
    assert checked.counts == (2, 0, 0)


def test_all_problems_of_all_files_are_named_at_once() -> None:
    with pytest.raises(
        WesPreflightError, match=r"^Nothing was sent: 49 problems in 25 coupon files\n"
    ) as error:
        check(files(*[b"A1\nA1\n"] * 25))
    assert len(error.value.problems) == 49  # 24 have the same content as the first, too
    assert len(str(error.value).splitlines()) == 2 + 20 + 1
    assert str(error.value).endswith("and 29 more")
    assert error.value.permanent


@pytest.mark.parametrize(
    ("number", "last_line"), [(19, "18"), (20, "19"), (21, "and 1 more")], ids=["19", "20", "21"]
)
def test_an_error_has_twenty_problems_and_counts_the_others(number: int, last_line: str) -> None:
    problems = [str(index) for index in range(number)]
    error = WesPreflightError("Nothing was sent", problems)
    assert str(error).splitlines()[0] == "Nothing was sent"
    assert str(error).splitlines()[-1] == last_line
    assert error.problems == problems


def test_a_host_that_calls_a_file_too_large_is_quoted_with_the_size() -> None:
    error = TooLargeError("https://h/a.csv", 5)
    assert (str(error), error.size) == ("https://h/a.csv is too large: 5 bytes", 5)


def test_file_that_cannot_be_read_is_named_in_one_sentence() -> None:
    def fail(file: ListedFile, target: Path) -> None:
        raise WesStorageError(f"{file.path} cannot be read\nCheck the connection")

    with pytest.raises(WesPreflightError) as error:
        check_files(list(files(None)), Rules(), fail, allow_same_content=False)
    assert str(error.value) == (
        "Nothing was sent: 1 problem in 1 coupon file\n"
        "A retry reads again what cannot be read now.\n"
        "s3://promo/0.csv cannot be read. Check the connection"
    )
    assert not error.value.permanent


def test_all_files_count_even_those_that_cannot_be_read() -> None:
    with pytest.raises(WesPreflightError) as error:
        check(files(CODES, None, b"", CODES))
    assert str(error.value) == (
        "Nothing was sent: 3 problems in 4 coupon files\n"
        "A retry reads again what cannot be read now. Fix the files and clear the task; "
        "preflight=False uploads them as is. Of files with the same content, leave one; or a "
        "Ledger(on_known_content='skip') does.\n"
        "s3://promo/1.csv cannot be read\n"
        "s3://promo/2.csv is empty\n"
        "s3://promo/3.csv has the same content as s3://promo/0.csv"
    )


def test_third_file_of_one_content_is_compared_with_the_first() -> None:
    with pytest.raises(WesPreflightError) as error:
        check(files(CODES, CODES, CODES))
    assert error.value.problems == [
        "s3://promo/1.csv has the same content as s3://promo/0.csv",
        "s3://promo/2.csv has the same content as s3://promo/0.csv",
    ]


FOLDER_CASES = {"checked": CODES, "refused": b"", "unreadable": None}


@pytest.mark.parametrize("content", FOLDER_CASES.values(), ids=FOLDER_CASES)
def test_nothing_of_a_file_stays_on_the_machine(content: bytes | None) -> None:
    folders = []

    def download(file: ListedFile, target: Path) -> None:
        folders.append(target.parent)
        assert target.parent.is_dir()
        if content is None:
            raise WesStorageError("gone")
        target.write_bytes(content)

    with suppress(WesPreflightError):
        check_files(list(files(content)), Rules(), download, allow_same_content=False)
    assert [folder.exists() for folder in folders] == [False]


def test_log_says_how_far_the_checks_are(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    given = files(b"code\nA1\n\n\n", b"B1\nB2\n") | {ListedFile(path=PLAIN, checked=False): b"C1\n"}
    check(given)
    assert [record.getMessage() for record in caplog.records] == [
        "Checked s3://promo/0.csv (file 1 of 3): 1 code below a header, 0 duplicates, 2 blank "
        "lines",
        "Checked s3://promo/1.csv (file 2 of 3): 2 codes, 0 duplicates, 0 blank lines",
        "Checked https://h/a.csv (file 3 of 3): its checksum",
    ]


def test_hash_is_that_of_a_content_of_several_pieces() -> None:
    content = b"0123456789abcdef" * 70_000
    (checked,) = check(files(content, checked=False))
    assert checked.sha256 == sha256(content).hexdigest()
    assert checked.size == len(content)


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
    Advice(
        "bad content, and unreadable",
        files(b"", None),
        f"{FIX}; preflight=False uploads them as is. A retry reads again what cannot be read now.",
    ),
    Advice("unreadable", files(None), "A retry reads again what cannot be read now."),
)


@pytest.mark.parametrize("row", ADVICE, ids=[row.name for row in ADVICE])
def test_error_advises_only_what_helps(row: Advice) -> None:
    with pytest.raises(WesPreflightError) as error:
        check(row.files)
    assert str(error.value).splitlines()[1] == row.advice


def test_file_that_no_retry_can_read_is_a_permanent_error() -> None:
    def refuse(file: ListedFile, target: Path) -> None:
        raise WesStorageError(f"{file.path} cannot be fetched", permanent=True)

    with pytest.raises(WesPreflightError) as error:
        check_files(list(files(None)), Preflight().rules(), refuse, allow_same_content=False)
    assert error.value.permanent
    assert "Correct what cannot be read, and clear the task." in str(error.value)


def test_url_that_is_given_twice_with_the_same_content_is_named_with_both_places() -> None:
    twice = {ListedFile(path=PLAIN, item=0): CODES, ListedFile(path=PLAIN, item=1): CODES}
    with pytest.raises(WesPreflightError) as error:
        check(twice)
    assert error.value.problems == [
        f"{PLAIN} is given twice, with the same content: in files[0] and, with another query, in "
        "files[1]"
    ]


def test_files_that_cannot_be_read_now_may_be_retried() -> None:
    with pytest.raises(WesPreflightError) as error:
        check(files(None, CODES, None))
    assert error.value.problems == [
        "s3://promo/0.csv cannot be read",
        "s3://promo/2.csv cannot be read",
    ]
    assert not error.value.permanent


def test_file_that_cannot_be_read_now_is_not_retried_beside_a_bad_one() -> None:
    with pytest.raises(WesPreflightError) as error:
        check(files(None, b""))
    assert error.value.problems == ["s3://promo/0.csv cannot be read", "s3://promo/1.csv is empty"]
    assert error.value.permanent


# -- size ------------------------------------------------------------------------------------------


def send_as_much_as_allowed(file: ListedFile, target: Path) -> None:
    with target.open("wb") as content:
        content.truncate(LIMIT)


def send_too_much(file: ListedFile, target: Path) -> None:
    with target.open("wb") as content:
        content.truncate(LIMIT + 1)


def announce_too_much(file: ListedFile, target: Path) -> None:
    raise TooLargeError(file.path, LIMIT + 1)


def is_not_read(file: ListedFile, target: Path) -> None:
    pytest.fail(f"{file.path} was read")


def send_codes(file: ListedFile, target: Path) -> None:
    target.write_bytes(b"code\nA1\nA2\n")


class Large(NamedTuple):
    """A file, and how it is downloaded."""

    file: ListedFile
    download: Download


OBJECT = "s3://promo/a.csv"
TOO_LARGE = {
    "object, by its listing": Large(
        ListedFile(path=OBJECT, conn_id="", size=LIMIT + 1),
        is_not_read,
    ),
    "object, overwritten since": Large(
        ListedFile(path=OBJECT, conn_id="", size=1),
        send_too_much,
    ),
    "URL, by its content": Large(ListedFile(path=PLAIN), send_too_much),
    "URL, by its host": Large(ListedFile(path=PLAIN), announce_too_much),
    "URL, unchecked, by its content": Large(
        ListedFile(path=PLAIN, checked=False),
        send_too_much,
    ),
    "URL, unchecked, by its host": Large(
        ListedFile(path=PLAIN, checked=False),
        announce_too_much,
    ),
}


@pytest.mark.parametrize("large", TOO_LARGE.values(), ids=TOO_LARGE)
def test_file_that_the_service_would_not_fetch_is_refused(large: Large) -> None:
    with pytest.raises(WesPreflightError) as error:
        check_files([large.file], Rules(), large.download, allow_same_content=False)
    assert error.value.problems == [
        f"{large.file.path} has more than 104857600 bytes (100 MB), which the service does not "
        "fetch from a URL. Split it"
    ]
    assert error.value.permanent


NOT_TOO_LARGE = {
    "object, unchecked": Large(
        ListedFile(path=OBJECT, conn_id="", size=LIMIT + 1, checked=False),
        send_too_much,
    ),
    "URL, unchecked, as large as allowed": Large(
        ListedFile(path=PLAIN, checked=False),
        send_as_much_as_allowed,
    ),
    "object, as large as allowed by its listing": Large(
        ListedFile(path=OBJECT, conn_id="", size=LIMIT),
        send_codes,
    ),
}


@pytest.mark.parametrize("large", NOT_TOO_LARGE.values(), ids=NOT_TOO_LARGE)
def test_an_unchecked_object_of_any_size_and_a_file_within_the_limit_pass(large: Large) -> None:
    (checked,) = check_files([large.file], Rules(), large.download, allow_same_content=False)
    assert checked.listed == large.file


def test_advice_on_an_unchecked_file_does_not_name_preflight_false() -> None:
    unchecked = ListedFile(path=PLAIN, checked=False)
    with pytest.raises(WesPreflightError) as error:
        check_files([unchecked], Rules(), announce_too_much, allow_same_content=False)
    assert str(error.value).splitlines()[1] == "Fix the files and clear the task."


# -- duckdb ----------------------------------------------------------------------------------------


def test_missing_duckdb_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "open_database", open_database)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(WesConfigurationError) as error:
        check(files(CODES))
    assert str(error.value).splitlines()[:2] == [
        "Checking coupon files needs duckdb, which cannot be imported.",
        "Install airflow-provider-wes[storage]; preflight=False uploads files unchecked.",
    ]
