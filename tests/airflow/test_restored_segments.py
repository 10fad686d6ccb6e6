"""
``WesRestoreSegmentOperator`` in the DAG of the update, as it has to be before Airflow 3.3. With
``to="previous"``, it sends the bytes of the update before the last one; with the identifier of a
run, those of that run's update. It returns the segment's identifier, and says in the XCom
``restored`` which run's update it was. With ``plan_only``, it sends nothing. If ``to`` is a word
that names no update, it fails and says so. All tests read the runs of one DAG, in which a guard
without a limit keeps the history.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from support.guarded_segments import CITIES, refresh, updating
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.ci("unit/guards restores from both stores")

RESTORE = """
    update >> WesRestoreSegmentOperator(
        task_id="back", segment_id="shoppers", to="{{{{ dag_run.conf.get('to', 'previous') }}}}",
        plan_only={plan_only}, trigger_rule="all_done",
    )
"""


class Restored(NamedTuple):
    """
    Five runs. Each one first updates the segment, and then restores an earlier definition.

    :param bodies: of all requests in their order.
    """

    first: Run
    to_previous: Run
    to_first: Run
    to_unknown: Run
    bodies: list[bytes]


@pytest.fixture(scope="module")
def restored(module_site: AirflowSite, module_emulator: Emulator) -> Restored:
    def write_dag(dag_id: str | None, *, plan_only: bool) -> str:
        return updating(
            module_site,
            guard="max_removed=None",
            arguments="updated_by='me@example.com'",
            dag_id=dag_id,
            more=RESTORE.format(plan_only=plan_only),
        )

    # The first two runs only plan a restore.
    dag_id = write_dag(None, plan_only=True)
    first = refresh(module_site, dag_id, CITIES)
    refresh(module_site, dag_id, ["Lisbon"])

    write_dag(dag_id, plan_only=False)
    to_previous = refresh(module_site, dag_id, ["Lisbon", "Porto"])
    to_first = module_site.run(dag_id, conf={"cities": ["Faro"], "to": first.run_id})
    to_unknown = module_site.run(dag_id, conf={"cities": ["Faro"], "to": "yesterday"})
    bodies = [request.body for request in module_emulator.requests]
    return Restored(first, to_previous, to_first, to_unknown, bodies)


def test_a_plan_of_a_restore_sends_nothing(restored: Restored):
    """The five runs send their updates. The two that restore send one request more each."""
    assert len(restored.bodies) == 5 + 2


def test_a_restore_sends_the_bytes_of_the_update_before_the_last_one(restored: Restored):
    _, lisbon, lisbon_and_porto, restore, *_ = restored.bodies
    assert restored.to_previous.states()["back"] == "success"
    assert b"Porto" in lisbon_and_porto
    assert restore == lisbon


def test_a_restore_to_a_run_sends_the_bytes_of_that_runs_update(restored: Restored):
    restore = restored.bodies[5]
    assert restored.to_first.states()["back"] == "success"
    assert restore == restored.bodies[0]


def test_a_restore_says_which_runs_update_it_sent(restored: Restored):
    assert restored.to_first.xcom("back", "restored")["run_id"] == restored.first.run_id


def test_a_restore_returns_the_segments_identifier(restored: Restored):
    assert restored.to_previous.xcom("back") == "shoppers"


def test_a_word_that_names_no_update_fails_the_restore(restored: Restored):
    assert restored.to_unknown.states()["back"] == "failed"
    assert (
        "is neither 'previous' nor a run or the time of an update"
        in restored.to_unknown.exception("back").message
    )
