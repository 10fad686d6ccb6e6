"""
Which file of the list is that of a task. A file is known by its URL without the signature, in
whatever order the files of the task are; a task whose only file has another path in each attempt
is known by that, and one with several files needs names if their paths change between attempts.
In a run that was cleared, a file of any task of the run with that name is taken; in one that was
not, only the task's own. Files whose URLs differ in their query or in the parameters of their
path are two; if that is all that sets an upload apart from a file of the run, a person is asked.
"""

from __future__ import annotations

import itertools
import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest

from support.attempts import Store, TaskInstance
from unit.uploads.conftest import HOST, UPLOAD, is_for_good, raises, replenish, upload, urls
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesBadRequestError,
    WesConfigurationError,
    WesUnknownOutcomeError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def test_paths_that_change_with_each_rendering_go_on_after_a_deferral(
    wes_emulator: Emulator, ti: TaskInstance
):
    token = itertools.count()
    ids = ti.run(replenish(lambda: [f"{HOST}/{next(token)}/{number}.csv" for number in range(7)]))
    assert len(wes_emulator.files("summer")) == len(set(ids)) == 7
    assert len(ti.deferrals) == 1


@pytest.mark.parametrize("count", [1, 2], ids=["1 file", "2 files"])
def test_paths_that_change_with_each_retry_ask_for_names(
    wes_emulator: Emulator, ti: TaskInstance, count: int
):
    token = itertools.count()
    files = lambda: [f"{HOST}/{next(token)}/{number}.csv" for number in range(count)]  # noqa: E731
    ti.run(replenish(files))
    with raises(WesUnknownOutcomeError, match="from other URLs: give each file a name"):
        ti.retry(replenish(files))
    assert len(wes_emulator.files("summer")) == count


def test_a_single_file_may_have_another_path_in_each_attempt(
    wes_emulator: Emulator, ti: TaskInstance
):
    token = itertools.count()
    make = upload(lambda: f"{HOST}/{next(token)}/a.csv")
    file_id = ti.run(make)
    ti.store = Store()
    assert ti.retry(make) == file_id
    assert len(wes_emulator.files("summer")) == 1


def test_a_file_from_another_path_is_that_of_one_upload_only(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Of two operators in the code of one retry, without a record, only the first adopts it."""
    file_id = ti.run(upload(f"{HOST}/1/a.csv"))
    ti.store, ti.try_number = Store(), 2
    context = ti.context()
    assert upload(f"{HOST}/2/a.csv")().execute(context) == file_id
    assert upload(f"{HOST}/2/b.csv")().execute(context) != file_id


@pytest.mark.parametrize("has_record", [True, False], ids=["with its record", "without a record"])
@pytest.mark.parametrize(
    "attempt", [TaskInstance.retry, TaskInstance.clear], ids=["retry", "clear"]
)
def test_files_in_another_order_behind_a_new_one_are_not_uploaded_again(
    wes_emulator: Emulator,
    ti: TaskInstance,
    attempt: Callable[[TaskInstance, Any], Any],
    has_record: bool,
):
    """The list shows the three files of the first attempt; only the new one is uploaded."""
    ti.run(replenish(urls(3)))
    if not has_record:
        ti.store = Store()
    new = f"{HOST}/new.csv"
    attempt(ti, replenish([new, *reversed(urls(3))]))
    assert [file["file_url"] for file in wes_emulator.files("summer")] == [*urls(3), new]


def test_a_file_that_the_service_no_longer_knows_is_uploaded_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    wes_emulator.reset()
    wes_emulator.configure(limits=None)
    second = ti.clear(upload())
    assert second != first
    assert [file["_id"] for file in wes_emulator.files("summer")] == [second]


def test_a_file_that_only_the_list_knows_is_adopted(wes_emulator: Emulator, ti: TaskInstance):
    """A service without the path of a single file."""
    first = ti.run(upload())
    wes_emulator.fail("get_coupon_file", faults.error(404), times=None)
    assert ti.clear(upload()) == first


def test_a_task_that_is_cleared_under_another_name_takes_the_runs_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    """It was renamed, or moved into a group, and has no record under that name."""
    file_id = ti.run(upload())
    renamed = TaskInstance(task_id="group.replenish", sleep=ti.sleep, now=ti.now)
    assert renamed.clear(upload(task_id="group.replenish")) == file_id
    assert len(wes_emulator.files("summer")) == 1


def test_the_first_try_of_a_task_in_a_run_that_was_cleared_takes_the_runs_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    new = TaskInstance(task_id="new", clear_number=1, sleep=ti.sleep, now=ti.now)
    assert new.run(upload(task_id="new")) == file_id
    assert len(wes_emulator.files("summer")) == 1


@pytest.mark.parametrize("records", [False, True], ids=["without records", "with records"])
def test_operators_in_the_code_of_one_task_upload_a_file_once(
    wes_emulator: Emulator, ti: TaskInstance, records: bool
):
    ti.store = ti.store if records else None
    context = ti.context()
    assert upload()().execute(context) == upload()().execute(context)
    assert len(wes_emulator.files("summer")) == 1


def test_a_refused_upload_takes_after_a_clear_what_another_task_uploaded(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.error(400, code="bad"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now).run(upload(task_id="other"))
    assert ti.clear(upload()) == other


def test_another_file_in_the_code_of_a_retry_asks_for_names(
    wes_emulator: Emulator, ti: TaskInstance
):
    coded = TaskInstance(task_id="coded", store=None, sleep=ti.sleep, now=ti.now)
    upload()().execute(coded.context())
    coded.try_number = 2
    with raises(WesUnknownOutcomeError, match="give each file a name"):
        upload(f"{HOST}/b.csv")().execute(coded.context())


def test_in_a_run_never_cleared_another_tasks_upload_is_its_own_business(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now)
    second = other.run(upload(task_id="other"))
    assert second != first
    other.store = None
    assert other.retry(upload(task_id="other")) == second


@pytest.mark.parametrize("later", [urls(8), urls(7)[::-1]], ids=["one more", "in another order"])
def test_files_that_changed_during_a_deferral_fail(
    wes_emulator: Emulator, ti: TaskInstance, later: list[str]
):
    renderings = iter([urls(7), later])
    with raises(WesConfigurationError, match="files changed during a deferral"):
        ti.run(replenish(lambda: next(renderings)))
    assert len(wes_emulator.files("summer")) == 5


def query_differs(wes_emulator: Emulator, ti: TaskInstance) -> tuple[TaskInstance, str]:
    """
    Two mapped instances, whose URLs differ in their query alone: the first one has its file, and
    the second one got 401, and is cleared.

    :return: the second one, and the error of its attempt after the clear.
    """
    first, second = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    first.run(upload(f"{HOST}/download?id=1"))
    wes_emulator.fail(UPLOAD, faults.error(401), times=1)
    with raises(WesAuthenticationError):
        second.run(upload(f"{HOST}/download?id=2"))
    with raises(WesUnknownOutcomeError, match="another query.*give each file a name") as raised:
        second.clear(upload(f"{HOST}/download?id=2"))
    assert is_for_good(raised.value)
    return second, str(raised.value)


def test_a_cleared_mapped_upload_asks_a_person_if_only_the_query_of_a_file_differs(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The file is perhaps another instance's, and nothing is sent."""
    query_differs(wes_emulator, ti)
    urls_of_files = [file["file_url"] for file in wes_emulator.files("summer")]
    assert urls_of_files == [f"{HOST}/download?id=1"]


def test_a_mapped_upload_is_sent_if_a_person_calls_its_file_absent_though_the_query_differs(
    wes_emulator: Emulator, ti: TaskInstance
):
    second, error = query_differs(wes_emulator, ti)
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", error)
    second.variables[variable] = "absent"
    file_id = second.clear(upload(f"{HOST}/download?id=2"))
    _, file = wes_emulator.files("summer")
    assert (file["_id"], file["file_url"]) == (file_id, f"{HOST}/download?id=2")


def test_a_cleared_mapped_upload_adopts_its_own_file(wes_emulator: Emulator, ti: TaskInstance):
    """An instance whose URL differs in its query alone has a file, too."""
    first, second = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    file_id = first.run(upload(f"{HOST}/download?id=1"))
    second.run(upload(f"{HOST}/download?id=2"))
    assert first.clear(upload(f"{HOST}/download?id=1")) == file_id


def test_files_that_differ_in_their_query_are_uploaded_each(
    wes_emulator: Emulator, ti: TaskInstance
):
    files = [f"{HOST}/download?id={number}" for number in range(3)]
    ids = ti.run(replenish(files[:2]))
    ti.store = Store()
    assert ti.retry(replenish(files[:2])) == ids
    assert ti.clear(replenish(files))[:2] == ids, "one more file is no question"
    assert [file["file_url"] for file in wes_emulator.files("summer")] == files


@pytest.mark.parametrize("sign", ["sig", "token", "X-Amz-Signature"])
def test_a_file_that_is_signed_anew_is_the_same(
    wes_emulator: Emulator, ti: TaskInstance, sign: str
):
    number = itertools.count()
    make = upload(lambda: f"{HOST}/download?id=1&{sign}={next(number)}")
    file_id = ti.run(make)
    ti.store = Store()
    assert ti.retry(make) == file_id
    assert ti.clear(make) == file_id


def test_files_whose_paths_have_parameters_are_two(wes_emulator: Emulator, ti: TaskInstance):
    files = [f"{HOST}/codes;1.csv", f"{HOST}/codes;2.csv"]
    ti.run(replenish(files))
    assert [file["file_url"] for file in wes_emulator.files("summer")] == files


def test_an_upload_of_a_deleted_run_of_the_same_id_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    again = TaskInstance(
        start_date=datetime(2026, 3, 1, tzinfo=timezone.utc), sleep=ti.sleep, now=ti.now
    )
    assert again.run(upload()) != first
    assert len(wes_emulator.files("summer")) == 2
