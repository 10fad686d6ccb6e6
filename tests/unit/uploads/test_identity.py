"""Which upload it is: the attempt, the file, and the name that says both."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from support.attempts import TaskInstance
from wes_provider.attempt import Attempt
from wes_provider.uploads.identity import FileKey, UploadName, name_upload, parse, suffix_of
from wes_provider.uploads.request import UploadRequest

URL = "https://files.example.com/a.csv"


def name(list_id: str = "l", file: str = URL, query: str = "", **fields: Any) -> UploadName:
    return name_upload(TaskInstance(**fields).attempt(), "w", list_id, FileKey(file, query))


@pytest.mark.parametrize(
    "fields",
    [{"task_id": "other"}, {"map_index": 4}, {"max_tries": 9}, {"try_number": 2}],
    ids=str,
)
def test_the_hash_is_the_same_whichever_task_and_try_uploads_the_file(fields: dict[str, Any]):
    assert name(**fields).hash == name().hash


@pytest.mark.parametrize(
    "fields",
    [{"dag_id": "x"}, {"run_id": "x"}, {"list_id": "x"}, {"file": URL + "x"}],
    ids=str,
)
def test_another_run_list_or_file_has_another_hash(fields: dict[str, Any]):
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


def test_the_origin_is_the_task_instance():
    assert name(task_id="other").origin != name().origin
    assert name(map_index=4).origin != name().origin
    assert name(try_number=2, max_tries=9).origin == name().origin


def test_the_start_is_the_runs():
    later = TaskInstance().start_date.replace(hour=3)
    assert name(start_date=later).start != name().start


def test_a_query_that_counts_has_a_part_of_its_own():
    first, second = name(query="id=1"), name(query="id=2")
    assert first.hash == second.hash == name().hash
    assert len({first.file, second.file, name().file}) == 3


@pytest.mark.parametrize("query", ["", "id=1"])
def test_a_name_is_read_back_whatever_its_case_and_suffix(query: str):
    given = name(query=query, max_tries=12)
    assert parse(str(given)) == given
    assert parse(f" {str(given).upper()}.CSV") == given
    assert len(str(given)) <= (24 if not query else 31)


@pytest.mark.parametrize(
    "shown", ["sale.csv", "", None, 7, "aaaaaaaa-g1-bbbb", "AAAAAAAA-1-bbbb-cccccc"]
)
def test_other_names_are_none_of_ours(shown: Any):
    assert parse(shown) is None


@pytest.mark.parametrize(
    ("clear_number", "max_tries", "expected"),
    [
        pytest.param(0, 3, True, id="no clear, and tries as the task has them"),
        pytest.param(0, 4, False, id="one more try than the task has"),
        pytest.param(1, 3, False, id="one clear of the run"),
        pytest.param(2, 9, False, id="two clears and more tries"),
    ],
)
def test_a_run_was_never_cleared_if_neither_its_clears_nor_its_tries_say_so(
    clear_number: int, max_tries: int, expected: bool
):
    attempt = TaskInstance(clear_number=clear_number, max_tries=max_tries).attempt()
    assert attempt.run_never_cleared is expected


@pytest.mark.parametrize(
    ("path", "suffix"),
    [
        pytest.param("a/b.csv", ".csv", id="one suffix"),
        pytest.param("b.csv.gz", ".gz", id="the last of two"),
        pytest.param("b", "", id="none"),
        pytest.param("b.c v", "", id="with a space, which is none"),
    ],
)
def test_a_name_keeps_the_files_suffix(path: str, suffix: str):
    assert suffix_of(path) == suffix


def test_a_users_name_is_the_file_whatever_its_url():
    request = UploadRequest.of("l", {"file_url": f"{URL}?id=1", "name": "n"})
    assert request.file == FileKey("n")
    assert request.normalised_url == f"{URL}?id=1"
