"""
What a guard does about an update of a segment, if it allows a fifth of the values to be removed.
The first update is sent, and logged as one without history. One that removes 90 of 100 values is
not sent: its task, which has two retries, fails without one, with the limit and a table of what
changes in the error, and its plan counts values and shows none. The same values in another order
are unchanged: nothing is sent, and the task returns its segment. One that removes a tenth and adds
one is sent. A task with ``plan_only`` sends nothing, and logs that. An outlet gets an event with
the plan if the update was sent or unchanged, and none if it was stopped or only planned.

All tests read the same four runs of a DAG. The task ``t`` has no outlet; ``visitors`` has one, with
which Airflow 3.3 keeps the history; and ``planned``, without a guard, only plans.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run
from support.guarded_segments import CITIES, refresh, sent, updating
from wes_provider.emulator import Emulator

OUTLETS = """
    for segment_id in ("visitors", "planned"):
        WesUpdateSegmentOperator(
            task_id=segment_id, segment_id=segment_id, included_filters=all_of(user_attribute("city", cities())),
            guard=None if segment_id == "planned" else SegmentGuard(), outlets=[segment(segment_id)],
            plan_only=segment_id == "planned", retries=2, retry_delay=timedelta(0),
        )
"""


class Runs(NamedTuple):
    """The four runs, and the service after them."""

    first: Run
    broken: Run
    reordered: Run
    replaced: Run
    emulator: Emulator


@pytest.fixture(scope="module")
def runs(module_site: AirflowSite, module_emulator: Emulator) -> Runs:
    dag_id = updating(module_site, arguments="retries=2, retry_delay=timedelta(0)", more=OUTLETS)
    lists = (CITIES, CITIES[:10], CITIES[::-1], [*CITIES[:90], "new"])
    first, broken, reordered, replaced = (refresh(module_site, dag_id, each) for each in lists)
    return Runs(first, broken, reordered, replaced, module_emulator)


class Guarded(NamedTuple):
    """A task with a guard, and the segment that it updates."""

    task_id: str
    segment_id: str


GUARDED = [Guarded("t", "shoppers"), Guarded("visitors", "visitors")]
by_task = pytest.mark.parametrize("row", GUARDED, ids=["without an outlet", "with an outlet"])


@by_task
def test_only_the_first_update_and_the_one_that_removes_a_tenth_reach_the_segment(
    runs: Runs, row: Guarded
):
    assert sent(runs.emulator, row.segment_id) == [CITIES, [*CITIES[:90], "new"]]


@by_task
def test_a_first_update_is_sent_and_logged_as_one_without_history(runs: Runs, row: Guarded):
    assert runs.first.xcom(row.task_id, "plan")["verdict"] == "send"
    assert "No earlier update is known." in runs.first.log(row.task_id)


@by_task
def test_an_update_that_loses_90_of_100_values_fails_its_task_without_a_retry(
    runs: Runs, row: Guarded
):
    assert runs.broken.ti(row.task_id).state == "failed"
    assert runs.broken.ti(row.task_id).try_number == 1


@by_task
def test_the_error_of_a_stopped_update_has_the_limit_and_a_table_of_what_changes(
    runs: Runs, row: Guarded
):
    message = runs.broken.exception(row.task_id).message
    assert (
        f"segment {row.segment_id!r} is not updated: city in: 90 of 100 values removed, allowed "
        "20%\n" in message
    )
    assert "| city in   | 100           | 10    | 90 (90%) | 0     |" in message


@by_task
def test_the_log_of_a_stopped_update_says_what_a_guard_does_not_see(runs: Runs, row: Guarded):
    assert "Edits outside of Airflow are not seen" in runs.broken.log(row.task_id)


@by_task
def test_the_plan_of_a_stopped_update_counts_values_and_shows_none(runs: Runs, row: Guarded):
    plan = runs.broken.xcom(row.task_id, "plan")
    assert (plan["verdict"], plan["conditions"][0]["removed"]) == ("fail", 90)
    assert "city-000" not in json.dumps(plan)


@by_task
def test_an_update_with_the_same_values_in_another_order_is_unchanged_and_not_sent(
    runs: Runs, row: Guarded
):
    assert runs.reordered.xcom(row.task_id, "plan")["verdict"] == "unchanged"
    log = runs.reordered.log(row.task_id)
    assert f"Nothing is sent: {row.segment_id} is unchanged" in log


@by_task
def test_a_task_whose_update_is_unchanged_returns_its_segment(runs: Runs, row: Guarded):
    assert runs.reordered.xcom(row.task_id) == row.segment_id


def test_a_task_that_only_plans_sends_nothing(runs: Runs):
    assert sent(runs.emulator, "planned") == []


def test_a_task_that_only_plans_says_so_in_its_log(runs: Runs):
    assert "Nothing is sent: plan_only" in runs.reordered.log("planned")


@pytest.mark.skipif(AIRFLOW_VERSION == (2, 11), reason="its dags test stores no event")
@pytest.mark.usefixtures("runs")
def test_only_tasks_that_send_or_find_their_segment_unchanged_have_events_with_their_plans(
    module_site: AirflowSite,
):
    rows = module_site.rows("SELECT extra FROM asset_event ORDER BY id")
    extras = [json.loads(row.extra) for row in rows]
    found = [(extra["segment_id"], extra["plan"]["verdict"]) for extra in extras]
    assert found == [("visitors", verdict) for verdict in ("send", "unchanged", "send")]
