"""
Operators as teams subclass and template them, with arguments rendered as native objects.

A subclass may give an argument a templated default, which an argument of the task replaces, add a
templated field, and have a ``pre_execute`` without ``super()``: all is rendered. A number that a
task returns as a string stays a string. If an argument renders to None, comes from a task that
returns nothing or a number, or is templated and the subclass renders nothing, the task fails with
an error that names the argument, is not retried though it has two retries, and sends nothing. All
tests read one run.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

HOUSE = """
class Regional(WesUploadCouponFileOperator):
    \"\"\"A templated default, a field of its own that is templated, and a ``pre_execute`` without ``super()``.\"\"\"

    template_fields = (*WesUploadCouponFileOperator.template_fields, "owner_note")

    def __init__(self, *, coupon_list_id="rep-{{ params.region }}", owner_note="of {{ dag.dag_id }}", **kwargs):
        super().__init__(coupon_list_id=coupon_list_id, **kwargs)
        self.owner_note = owner_note

    def pre_execute(self, context):
        pass

    def execute(self, context):
        file_id = super().execute(context)
        context["ti"].xcom_push(key="note", value=self.owner_note)
        return file_id

class Forgetful(WesUpdateSegmentOperator):
    \"\"\"Renders none of its fields.\"\"\"

    template_fields = ()

URL = "https://files.example.com/a.csv"
ATTRIBUTES = [{"name": "id", "type": "string"}]
Regional(task_id="default", file_url=URL)
Regional(task_id="given", file_url=URL, coupon_list_id="given")
Regional.partial(task_id="mapped", coupon_list_id="mapped").expand(file_url=[URL, URL + ".gz"])
Regional(task_id="none", file_url=URL, coupon_list_id="{{ none }}")
nothing = task(task_id="nothing")(lambda: None)()
Regional(task_id="no_output", file_url=URL, coupon_list_id="given", name=nothing)
number = task(task_id="number")(lambda: "17")()
whole = task(task_id="whole")(lambda: 18)()  # Which identifier that was, nobody knows.
WesUpdateSegmentOperator(task_id="whole_number", segment_id=whole, name="n", updated_by=None)
WesUpdateSegmentOperator(task_id="number_of_a_task", segment_id=number, name="n", updated_by=None)
Forgetful(task_id="forgetful", segment_id="rep-{{ params.region }}", name="x")
WesCreateCatalogOperator.partial(task_id="new", price_currency="EUR", attributes=ATTRIBUTES).expand(name=["a"])
"""


class Failed(NamedTuple):
    """A task that fails, and what its error says."""

    task_id: str
    says: str


FAILED = {
    "a template renders to None": Failed("none", "coupon_list_id rendered to None"),
    "a task returns nothing": Failed("no_output", "name rendered to None"),
    "a task returns a number": Failed("whole_number", "segment_id takes a string, not int 18"),
    "the subclass renders nothing": Failed(
        "forgetful", "segment_id is 'rep-{{ params.region }}', which is no identifier"
    ),
}


pytestmark = pytest.mark.ci("the unit tier renders subclasses")


class Housed(NamedTuple):
    """The run, and the service after it."""

    run: Run
    emulator: Emulator


@pytest.fixture(scope="module")
def housed(module_site: AirflowSite, module_emulator: Emulator) -> Housed:
    run = module_site.run(
        HOUSE,
        params={"region": "nord"},
        render_template_as_native_obj=True,
        default_args={"retries": 2},
    )
    return Housed(run, module_emulator)


@pytest.mark.parametrize("row", FAILED.values(), ids=FAILED)
def test_a_task_whose_argument_renders_to_no_string_fails_and_is_not_retried(
    housed: Housed, row: Failed
):
    """The error names the argument."""
    (failure,) = housed.run.failures(row.task_id)
    assert row.says in failure.message


def test_all_other_tasks_succeed(housed: Housed):
    failed = {task_id for task_id, state in housed.run.states().items() if state != "success"}
    assert failed == {row.task_id for row in FAILED.values()}


def test_a_templated_field_that_a_subclass_adds_is_rendered(housed: Housed):
    assert housed.run.xcom("default", "note") == f"of {housed.run.dag_id}"


class Filled(NamedTuple):
    """A list, and how many files it has."""

    list_id: str
    files: int


FILLED = {
    "its templated default": Filled("rep-nord", 1),
    "a list that is given": Filled("given", 1),
    "a list that is given, of a mapped task with two URLs": Filled("mapped", 2),
}


@pytest.mark.parametrize("row", FILLED.values(), ids=FILLED)
def test_a_subclass_with_a_templated_default_uploads_to_its_list_or_the_one_that_is_given(
    housed: Housed, row: Filled
):
    assert len(housed.emulator.files(row.list_id)) == row.files


def test_a_number_that_a_task_returns_as_a_string_stays_one_with_native_rendering(housed: Housed):
    """It is the identifier of the only segment that is updated."""
    segments = housed.emulator.segments
    assert {key: segment["name"] for key, segment in segments.items()} == {"17": "n"}


def test_nothing_is_sent_to_an_address_that_was_not_rendered(housed: Housed):
    requests = housed.emulator.requests
    sent = {request.raw_path for request in requests if request.method != "GET"}
    assert not [path for path in sent if "None" in path or "%7B" in path]
