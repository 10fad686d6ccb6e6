"""Operators as teams subclass and template them, through real task runs."""

from __future__ import annotations

import pytest

from support.airflow_site import AirflowSite
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
FAILED = {
    "none": "coupon_list_id rendered to None",
    "no_output": "name rendered to None",
    "whole_number": "segment_id takes a string, not int 18",
    "forgetful": "segment_id is 'rep-{{ params.region }}', which is no identifier",
}


@pytest.mark.ci("the unit tier renders subclasses")
def test_house_operators_render_run_and_are_checked(site: AirflowSite, wes_emulator: Emulator):
    run = site.run(
        HOUSE,
        params={"region": "nord"},
        render_template_as_native_obj=True,
        default_args={"retries": 2},
    )
    assert {task_id for task_id, state in run.states().items() if state != "success"} == set(FAILED)
    for name, message in FAILED.items():
        (failure,) = run.failures(name)  # a retry cannot help
        assert message in failure.message
    assert run.xcom("default", "note") == f"of {run.dag_id}"
    assert {name: len(wes_emulator.files(name)) for name in ("rep-nord", "given", "mapped")} == {
        "rep-nord": 1, "given": 1, "mapped": 2,
    }  # fmt: skip
    assert {
        segment_id: segment["name"] for segment_id, segment in wes_emulator.segments.items()
    } == {"17": "n"}
    sent = {request.raw_path for request in wes_emulator.requests if request.method != "GET"}
    assert not [path for path in sent if "None" in path or "%7B" in path]
