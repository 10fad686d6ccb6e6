"""
A person decides about an upload that the list does not settle. With ``on_unknown="fail"``, the
default, the task fails for good, and its error names an Airflow Variable and what to look for in
the list. If the list or the named file cannot be read at the moment, Airflow retries the task. A
decision counts only if the list still does not settle the upload.

An identifier in the Variable is looked up, and its file is adopted. A person is asked again if the
service refuses the identifier, if it replies with another file, if the file is in another list, or
if its name says that another task has uploaded another file. The same file may be another task's
upload. ``absent`` sends the file once more, and no longer counts once something is sent. The value
of a Variable for another try decides nothing.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import pytest

from support.attempts import Store, TaskInstance
from unit.uploads.conftest import (
    ACCEPTED,
    ARRIVES,
    AWAY_NOW,
    HOST,
    UPLOAD,
    is_for_good,
    raises,
    replenish,
    upload,
)
from wes_provider.attempt import Attempt
from wes_provider.client.responses import Listing
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError, WesServerError, WesUnknownOutcomeError
from wes_provider.hooks import WesHook


def variable_of(error: object) -> str:
    """The Variable in which an error asks for a decision."""
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(error))
    return str(variable)


def test_a_file_that_a_variable_names_is_not_what_a_later_request_made(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    wes_emulator.clear_faults()
    variable = variable_of(raised.value)
    first = wes_emulator.files("summer")[0]["_id"]
    ti.variables[variable] = first
    read_list = WesHook.read_list

    def is_away_after_the_second_request(hook: WesHook, list_id: str) -> Listing:
        if len(wes_emulator.requests_for(UPLOAD)) == 2:
            raise WesServerError("503", status_code=503)
        return read_list(hook, list_id)

    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with monkeypatch.context() as patch:
        patch.setattr(WesHook, "read_list", is_away_after_the_second_request)
        with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read now"):
            ti.clear(upload(on_duplicate="upload"))
    second = ti.retry(upload(on_duplicate="upload"))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [first, second]


def lose_the_reply_under_a_given_name(wes_emulator: Emulator, ti: TaskInstance) -> str:
    """
    The error of an upload that takes effect, whose reply is lost, and which the list does not show
    to be this task's: its name, ``sale.csv``, is the user's, and other runs may use it.
    """
    wes_emulator.script(name="sale.csv", statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload(name="sale.csv"))
    return str(raised.value)


@pytest.fixture
def undecided(wes_emulator: Emulator, ti: TaskInstance) -> str:
    """The Variable that the error of an upload names whose outcome nobody knows."""
    return variable_of(lose_the_reply_under_a_given_name(wes_emulator, ti))


def test_the_error_of_an_upload_that_only_a_person_can_settle_says_what_to_look_for_and_to_enter(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The name of the Variable has what stands for the task instance."""
    error = lose_the_reply_under_a_given_name(wes_emulator, ti)
    assert "a file of the list named sale.csv" in error
    assert "\nThe upload: no response: RemoteDisconnected\n" in error
    assert "red-task.html#a-person-decides" in error
    assert "\nto the file's identifier, or to absent if there is none, and clear the task." in error
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto the file's identifier", error)
    assert variable.startswith("wes_decision_")
    assert Attempt.of(ti.context()).origin in variable


def test_an_identifier_goes_on_as_if_the_response_had_come(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, caplog: pytest.LogCaptureFixture
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = f" {file['_id']} "
    assert ti.clear(upload(name="sale.csv")) == file["_id"]
    shown = ti.xcoms["coupon_file"]
    assert (shown["id"], shown["name"], shown["status"]) == (file["_id"], "sale.csv", "SUCCESS"), (
        "as the service has it"
    )
    assert f"Variable {undecided} names coupon file {file['_id']}" in caplog.text
    assert len(wes_emulator.files("summer")) == 1


def test_a_mistyped_identifier_may_be_corrected(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "mistyped"
    with raises(
        WesUnknownOutcomeError, match="names coupon file 'mistyped', and the service replies 404"
    ) as raised:
        ti.clear(upload(name="sale.csv"))
    variable = variable_of(raised.value)
    (file,) = wes_emulator.files("summer")
    ti.variables[variable] = file["_id"]
    assert ti.clear(upload(name="sale.csv")) == file["_id"]


class LookedUp(NamedTuple):
    """
    What the service replies when the file that a person names is looked up.

    :ivar replied: what differs from the record of that file.
    """

    id: str
    replied: dict[str, str]
    message: str


LOOKED_UP = [
    LookedUp("another file", {"_id": "f-2"}, "and the service replies with coupon file f-2"),
    LookedUp("of another list", {"coupons_list_id": "winter"}, "which is in the list winter"),
    LookedUp(
        "of another list, by another property",
        {"coupons_list_id": "", "coupon_list_id": "winter"},
        "which is in the list winter",
    ),
    LookedUp(
        "another task's upload of another file",
        {"name": "k3v7qx2m-g1-p4qz-7hn2dk.csv"},
        "which was uploaded as another file",
    ),
]


@pytest.mark.parametrize("row", LOOKED_UP, ids=lambda row: row.id)
def test_a_person_is_asked_again_if_the_file_that_is_named_cannot_be_it(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, row: LookedUp
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = file["_id"]
    body = json.dumps({**file, **row.replied}).encode()
    wes_emulator.fail("get_coupon_file", faults.Fault(status=200, body=body), times=None)
    with raises(WesUnknownOutcomeError, match=re.escape(row.message)):
        ti.clear(upload(name="sale.csv"))
    assert len(wes_emulator.files("summer")) == 1


@pytest.mark.parametrize("status", [400, 403, 404, 405, 422])
def test_a_person_is_asked_again_if_the_service_refuses_the_identifier(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, status: int
):
    ti.variables[undecided] = "mistyped"
    wes_emulator.fail("get_coupon_file", faults.error(status, code="no"), times=None)
    with raises(WesUnknownOutcomeError, match=f"and the service replies {status} no"):
        ti.clear(upload(name="sale.csv"))


@pytest.mark.parametrize("fault", AWAY_NOW.values(), ids=AWAY_NOW)
def test_an_identifier_that_cannot_be_looked_up_now_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, fault: faults.Fault
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = file["_id"]
    wes_emulator.fail("get_coupon_file", fault, times=None)
    with pytest.raises(WesError) as raised:
        ti.clear(upload(name="sale.csv"))
    assert not raised.value.permanent
    wes_emulator.clear_faults()
    assert ti.retry(upload(name="sale.csv")) == file["_id"]


def test_absent_sends_the_file_again_and_is_logged(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, caplog: pytest.LogCaptureFixture
):
    ti.variables[undecided] = "absent"
    second = ti.clear(upload(name="sale.csv"))
    assert f"Variable {undecided} says that the file is absent" in caplog.text
    assert [file["_id"] for file in wes_emulator.files("summer")][1:] == [second]


def test_the_file_that_absent_has_sent_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    second = ti.clear(upload(name="sale.csv"))
    assert ti.retry(upload(name="sale.csv")) == second
    assert len(wes_emulator.files("summer")) == 2


def test_absent_does_not_send_once_more_though_the_record_is_lost(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    ti.clear(upload(name="sale.csv"))
    ti.store = Store()
    with raises(WesUnknownOutcomeError, match=r"a file of the list named sale\.csv\n"):
        ti.retry(upload(name="sale.csv"))
    assert len(wes_emulator.files("summer")) == 2


@pytest.mark.parametrize("spelling", ["Absent", " ABSENT\n", '"absent"'])
def test_absent_may_be_spelled_as_people_do(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, spelling: str
):
    ti.variables[undecided] = spelling
    assert ti.clear(upload(name="sale.csv")) == wes_emulator.files("summer")[1]["_id"]


@pytest.mark.parametrize("spelling", ['"{}"', "'{}'", "\t{}\r\n"])
def test_quotes_and_spaces_around_an_identifier_do_not_count(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, spelling: str
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = spelling.format(file["_id"])
    assert ti.clear(upload(name="sale.csv")) == file["_id"]


def test_absent_no_longer_counts_once_something_is_sent(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    for attempt in (ti.clear, ti.retry):
        with raises(
            WesUnknownOutcomeError, match="absent was set before the last request"
        ) as raised:
            attempt(upload(name="sale.csv"))
        assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 2


def test_a_person_finds_the_file_of_whichever_task_of_the_run_has_sent_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    """
    The order of a mapped list has changed, and the list cannot be read: the new attempt has sent
    nothing yet.
    """
    wes_emulator.configure(coupon_files_path=None)
    one, other = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    one.run(upload())
    with raises(WesUnknownOutcomeError) as raised:
        other.clear(upload())
    (file,) = wes_emulator.files("summer")
    ((begin, end),) = re.findall(
        r"of the list whose name begins with (\S+) or contains (\S+)\n", str(raised.value)
    )
    assert file["name"].startswith(begin)
    assert end == f"-{Attempt.of(other.context()).origin}", "from another URL"


def test_a_mistyped_identifier_is_asked_for_again_before_anything_is_uploaded_again(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "mistyped"
    with raises(WesUnknownOutcomeError, match="names coupon file 'mistyped'"):
        ti.clear(upload(name="sale.csv", on_duplicate="upload"))
    assert len(wes_emulator.files("summer")) == 1


def test_a_decision_that_names_another_file_of_the_task_is_asked_for_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ARRIVES, times=1)
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="b.csv") as raised:
        ti.run(replenish([f"{HOST}/a.csv", f"{HOST}/b.csv"]))
    variable = variable_of(raised.value)
    (first,) = wes_emulator.files("summer")
    ti.variables[variable] = first["_id"]
    with raises(WesUnknownOutcomeError, match="which is another file of this task"):
        ti.clear(replenish([f"{HOST}/a.csv", f"{HOST}/b.csv"]))


def test_a_decision_that_names_another_tasks_upload_of_another_file_is_asked_for_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    other = TaskInstance(map_index=7, sleep=ti.sleep, now=ti.now)
    others = other.run(upload(f"{HOST}/other.csv"))
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    variable = variable_of(raised.value)
    ti.variables[variable] = others
    with raises(WesUnknownOutcomeError, match="was uploaded as another file, as its name says"):
        ti.clear(upload())


def test_the_file_may_be_another_tasks_upload_of_the_same_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    others = TaskInstance(map_index=7, sleep=ti.sleep, now=ti.now).run(upload())
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    variable = variable_of(raised.value)
    ti.variables[variable] = others
    assert ti.clear(upload()) == others


def test_the_file_may_be_the_tasks_own_from_another_url(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    with raises(WesUnknownOutcomeError):
        ti.run(upload(f"{HOST}/a.csv?id=1"))
    with raises(WesUnknownOutcomeError) as raised:
        ti.clear(upload(f"{HOST}/a.csv?id=2"))
    variable = variable_of(raised.value)
    (file,) = wes_emulator.files("summer")
    ti.variables[variable] = file["_id"]
    assert ti.clear(upload(f"{HOST}/a.csv?id=2")) == file["_id"]


def test_each_file_of_a_task_has_a_variable_of_its_own(wes_emulator: Emulator, ti: TaskInstance):
    """Both are sent by the first try of one task instance."""
    wes_emulator.configure(coupon_files_path=None)
    variables = set()
    for name in ("sale.csv", "other.csv"):
        wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
        with raises(WesUnknownOutcomeError) as raised:
            TaskInstance(sleep=ti.sleep, now=ti.now).run(upload(name=name))
        variables.add(variable_of(raised.value))
    assert len(variables) == 2


@pytest.mark.parametrize("value", ["absent", "another-file"])
def test_a_decision_does_not_count_if_the_list_now_shows_the_file(
    wes_emulator: Emulator, ti: TaskInstance, value: str
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    wes_emulator.clear_faults()
    variable = variable_of(raised.value)
    (file,) = wes_emulator.files("summer")
    ti.variables[variable] = value
    assert ti.clear(upload()) == file["_id"]
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_a_decision_about_another_try_decides_nothing(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.clear()
    ti.variables[undecided] = "absent"
    with raises(WesUnknownOutcomeError, match="files of other runs may have its name") as raised:
        ti.clear(upload(name="sale.csv"))
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


def test_an_identifier_counts_though_the_list_hides_its_file(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = wes_emulator.files("summer")[0]["_id"]
    wes_emulator.configure(list_lag=9000)
    assert ti.clear(upload(name="sale.csv")) == ti.variables[undecided]


NOT_IN_THE_LIST = "the service accepted it, but the list does not show it"


class Undecided(NamedTuple):
    """What goes wrong with an upload, and with each reading of the list, and what is in doubt."""

    name: str
    fault: faults.Fault
    listing: faults.Fault | None
    why: str


UNDECIDED = [
    Undecided(
        "no reply, and no list",
        faults.reply_lost(),
        faults.error(404),
        "the service refuses to show the list: 404",
    ),
    Undecided(
        "no reply and no effect, and a list that is refused",
        faults.reply_lost(effect=False),
        faults.error(403),
        "the service refuses to show the list: 403",
    ),
    Undecided("a 201 without a body", faults.empty(effect=False), None, NOT_IN_THE_LIST),
    Undecided(
        "a 201 whose body is cut",
        faults.Fault(effect=False, status=201, ending="truncated"),
        None,
        NOT_IN_THE_LIST,
    ),
    Undecided("a 202", faults.empty(status=202, effect=False), None, NOT_IN_THE_LIST),
]


def upload_undecided(row: Undecided, wes_emulator: Emulator, ti: TaskInstance) -> BaseException:
    """The error of an upload that only a person can settle."""
    wes_emulator.fail(UPLOAD, row.fault, times=1)
    if row.listing is not None:
        wes_emulator.fail("list_coupon_files", row.listing, times=None)
    with raises(
        WesUnknownOutcomeError, rf"Perhaps uploaded: {row.why}.* \(a.csv of list summer\)\n"
    ) as raised:
        ti.run(upload())
    return raised.value  # type: ignore[no-any-return]


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_what_the_list_does_not_settle_is_left_to_a_person(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    assert is_for_good(upload_undecided(row, wes_emulator, ti))
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_a_person_is_told_the_name_under_which_the_file_was_sent(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    error = upload_undecided(row, wes_emulator, ti)
    (request,) = wes_emulator.requests_for(UPLOAD)
    assert f"a file of the list named {json.loads(request.body)['name']}\n" in str(error)


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_a_file_that_is_not_settled_is_in_no_xcom(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    upload_undecided(row, wes_emulator, ti)
    assert ti.xcoms.keys() == {"wes_console_url"}
