"""
The name of an upload, which says its file and its attempt. It is read back also in capitals, with
spaces around and whatever stands behind it; if anything stands before it, it is none of ours. It
has 23 characters, one more for each further digit of the generation, and 7 more if the URL has a
query.

Its hash depends on workspace, DAG, run, list and file, and on the iteration of a loop; not on task,
map index, try, clears and the URL's query, which it has apart. Its origin depends on the task
instance, and is the same in each try and after clears. Its generation is the same in each try, and
greater after a clear, unless the task's retries were lowered before it. Its start is that of the
run.

A run was never cleared if it has no clear and as many tries as its task has; else it perhaps was. A
file keeps its last suffix, of up to 8 letters and digits. A name that the user gives is the file,
whatever its URL.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from support.attempts import RETRIES, TaskInstance
from wes_provider.attempt import Attempt
from wes_provider.uploads.identity import FileKey, UploadName, name_upload, parse, suffix_of
from wes_provider.uploads.request import UploadRequest

URL = "https://files.example.com/a.csv"


def name(list_id: str = "l", file: str = URL, query: str = "", **fields: Any) -> UploadName:
    return name_upload(TaskInstance(**fields).attempt(), "w", list_id, FileKey(file, query))


SAME_HASH: dict[str, dict[str, Any]] = {
    "another task": {"task_id": "other"},
    "another mapped instance": {"map_index": 4},
    "after clears": {
        "max_tries": 9,
        "clear_number": 2,
        "start_date": TaskInstance().start_date.replace(hour=3),
    },
    "another try": {"try_number": 2},
}
OTHER_HASH: dict[str, dict[str, Any]] = {
    "another DAG": {"dag_id": "x"},
    "another run": {"run_id": "x"},
    "another list": {"list_id": "x"},
    "another file": {"file": URL + "x"},
}


@pytest.mark.parametrize("fields", SAME_HASH.values(), ids=SAME_HASH)
def test_the_hash_is_the_same_whichever_task_and_try_uploads_the_file(fields: dict[str, Any]):
    assert name(**fields).hash == name().hash


@pytest.mark.parametrize("fields", OTHER_HASH.values(), ids=OTHER_HASH)
def test_another_dag_run_list_or_file_has_another_hash(fields: dict[str, Any]):
    assert name(**fields).hash != name().hash


def test_another_workspace_has_another_hash():
    attempt = TaskInstance().attempt()
    other = name_upload(attempt, "another workspace", "l", FileKey(URL))
    assert other.hash != name().hash


def test_an_iteration_of_a_loop_has_a_hash_of_its_own():
    """On Airflow 3.4."""
    context = TaskInstance().context(loop=SimpleNamespace(index=1))
    looped = name_upload(Attempt.of(context), "w", "l", FileKey(URL))
    assert looped.hash != name().hash


@pytest.mark.parametrize(
    "fields",
    [{"task_id": "other"}, {"map_index": 4}, {"map_index": 0}, {"run_id": "x"}, {"dag_id": "x"}],
    ids=str,
)
def test_another_task_instance_has_another_origin(fields: dict[str, Any]):
    assert name(**fields).origin != name().origin


def name_after_a_clear() -> UploadName:
    cleared = TaskInstance()
    cleared.clear()
    return name_upload(cleared.attempt(), "w", "l", FileKey(URL))


def test_each_try_of_a_task_instance_has_its_origin():
    assert name(try_number=2).origin == name().origin


def test_a_task_instance_has_its_origin_also_after_a_clear():
    assert name_after_a_clear().origin == name().origin


def test_each_try_since_a_clear_has_its_generation():
    assert name(try_number=2).generation == name().generation


def test_the_generation_is_greater_after_a_clear():
    assert name_after_a_clear().generation > name().generation


def test_a_run_that_started_at_another_time_has_another_start():
    later = TaskInstance().start_date.replace(hour=3)
    assert name(start_date=later).start != name().start


def test_all_task_instances_and_tries_of_a_run_have_one_start():
    other = name(task_id="other", map_index=4, try_number=2, max_tries=9)
    assert other.start == name().start


def test_files_whose_queries_differ_have_one_hash():
    assert name(query="id=1").hash == name(query="id=2").hash == name().hash


def test_files_whose_queries_differ_are_different_files():
    assert len({each.file for each in (name(query="id=1"), name(query="id=2"), name())}) == 3


QUERIES = pytest.mark.parametrize("query", ["", "id=1"], ids=["no query", "a query"])


@QUERIES
def test_a_name_is_read_back(query: str):
    given = name(query=query)
    assert parse(str(given)) == given


@QUERIES
def test_a_name_is_read_back_in_capitals_with_spaces_and_a_suffix(query: str):
    given = name(query=query)
    assert parse(f" {str(given).upper()}.CSV ") == given


BEHIND = {
    "a suffix": ".csv",
    "a letter": "d",
    "a word and a number": "-sale (2).csv",
    "one letter more than a query has": "-ddddddd",
}


@pytest.mark.parametrize("behind", BEHIND.values(), ids=BEHIND)
def test_what_stands_behind_a_name_of_ours_is_not_read(behind: str):
    """A service may number the files of one name."""
    text = "aaaaaaaa-g1-bbbb-cccccc"
    assert parse(f"{text}{behind}") == UploadName("aaaaaaaa", 1, "bbbb", "cccccc")


class Length(NamedTuple):
    """The length of a name without its suffix."""

    name: str
    given: UploadName
    characters: int


LENGTHS = [
    Length("a generation of one digit", name(max_tries=9), 23),
    Length("a generation of two digits", name(max_tries=10), 24),
    Length("a generation of two digits, and a query", name(max_tries=10, query="id=1"), 31),
    Length("a generation of three digits", name(max_tries=100), 25),
]


@pytest.mark.parametrize("row", LENGTHS, ids=lambda row: row.name)
def test_a_name_has_23_characters_or_more_and_7_more_with_a_query(row: Length):
    assert len(str(row.given)) == row.characters


NOT_OURS = {
    "a word": "sale.csv",
    "empty": "",
    "none": None,
    "a number": 7,
    "ours without its origin": "aaaaaaaa-g1-bbbb",
    "ours without the letter of the generation": "aaaaaaaa-1-bbbb-cccccc",
    "behind a word": "sale-aaaaaaaa-g1-bbbb-cccccc",
}


@pytest.mark.parametrize("shown", NOT_OURS.values(), ids=NOT_OURS)
def test_other_names_are_none_of_ours(shown: Any):
    assert parse(shown) is None


def test_a_run_without_clears_and_with_as_many_tries_as_the_task_has_was_never_cleared():
    attempt = TaskInstance(clear_number=0, max_tries=RETRIES).attempt()
    assert attempt.run_never_cleared


class Cleared(NamedTuple):
    """A run that perhaps was cleared, of a task with 3 retries."""

    name: str
    clear_number: int
    max_tries: int


CLEARED = [
    Cleared("one more try than the task has", 0, RETRIES + 1),
    Cleared("one try less than the task has", 0, RETRIES - 1),
    Cleared("one clear of the run", 1, RETRIES),
    Cleared("two clears and more tries", 2, 9),
]


@pytest.mark.parametrize("row", CLEARED, ids=lambda row: row.name)
def test_a_run_with_a_clear_or_another_number_of_tries_was_perhaps_cleared(row: Cleared):
    attempt = TaskInstance(clear_number=row.clear_number, max_tries=row.max_tries).attempt()
    assert not attempt.run_never_cleared


def test_a_run_whose_clears_airflow_does_not_count_was_perhaps_cleared():
    """On Airflow 2."""
    context = TaskInstance().context()
    del context["dag_run"].clear_number
    assert not Attempt.of(context).run_never_cleared


class Suffix(NamedTuple):
    """The path of a file, and the suffix that its name keeps."""

    name: str
    path: str
    suffix: str


SUFFIXES = [
    Suffix("one suffix", "a/b.csv", ".csv"),
    Suffix("the last of two", "b.csv.gz", ".gz"),
    Suffix("none", "b", ""),
    Suffix("with a space, which is none", "b.c v", ""),
    Suffix("with a hyphen, which is none", "b.c-v", ""),
    Suffix("with a letter that is not of ASCII, which is none", "b.cäv", ""),
    Suffix("of 8 characters", "b.abcdefgh", ".abcdefgh"),
    Suffix("of 9 characters, which is none", "b.abcdefghi", ""),
]


@pytest.mark.parametrize("row", SUFFIXES, ids=lambda row: row.name)
def test_a_name_keeps_the_files_suffix(row: Suffix):
    assert suffix_of(row.path) == row.suffix


NAMED = UploadRequest.of("l", {"file_url": f"{URL}?id=1", "name": "n"})


def test_a_file_to_which_the_user_gives_a_name_is_that_name_whatever_its_url():
    assert NAMED.file == FileKey("n")


def test_the_url_of_a_file_with_a_users_name_is_known_with_its_query():
    assert NAMED.normalised_url == f"{URL}?id=1"
