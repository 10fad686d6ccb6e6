"""A history in XComs, which Airflow returns in no useful order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from wes_provider import assets
from wes_provider.guards.stores import XComStore
from wes_provider.guards.update import identity
from wes_provider.operators.segments import asset_store


class TaskInstance(SimpleNamespace):
    """Airflow's, as far as XComs go: ``found`` is what a pull returns, by task."""

    def xcom_pull(self, *, task_ids: str, key: str, include_prior_dates: bool) -> Any:
        assert include_prior_dates
        return self.found.get((task_ids, key))

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed[key] = value


def store(found: dict[tuple[str, str], Any], **more: Any) -> XComStore:
    context = {"ti": TaskInstance(found=found, pushed={}), **more}
    return XComStore(context, ["one", "other"])


DOCUMENTS = [{"at": "2026-01-01", "n": 1}, {"at": "2026-03-01", "n": 3}, {"at": "2026-02-01", "n": 2}]

FOUND = {
    "nothing": ({}, None),
    "a task that is not mapped": ({("one", "k"): DOCUMENTS[0]}, DOCUMENTS[0]),
    "a mapped task, or several runs": ({("one", "k"): DOCUMENTS}, DOCUMENTS[1]),
    "with gaps": ({("one", "k"): [None, DOCUMENTS[0], None], ("other", "k"): [None]}, DOCUMENTS[0]),
    "two tasks": ({("one", "k"): [DOCUMENTS[0]], ("other", "k"): DOCUMENTS[2]}, DOCUMENTS[2]),
    "a definition": ({("one", "k"): "text"}, "text"),
    "the same definition of several runs": ({("one", "k"): ["text", "text"]}, "text"),
}


@pytest.mark.parametrize(("found", "value"), FOUND.values(), ids=FOUND)
def test_the_latest_document_is_taken_whatever_its_place(found: dict[tuple[str, str], Any], value: Any):
    assert store(found).get("k") == value


def test_what_the_task_has_written_itself_is_the_latest():
    xcoms = store({("one", "k"): DOCUMENTS})
    xcoms.set("k", {"at": "2026-04-01"})
    assert xcoms.get("k") == {"at": "2026-04-01"}


def test_in_a_loop_nothing_of_earlier_runs_is_read():
    """Airflow 3.4 fails a task that tries to."""
    xcoms = store({("one", "k"): DOCUMENTS}, loop=SimpleNamespace(index=1))
    assert xcoms.get("k") is None
    xcoms.set("k", 1)
    assert xcoms.get("k") == 1


def test_iterations_of_a_loop_have_different_identities():
    ti = SimpleNamespace(dag_id="d", task_id="t", run_id="r", map_index=None)
    assert identity({"ti": ti})["map_index"] == -1
    one, other = (identity({"ti": ti, "loop": SimpleNamespace(index=index)}) for index in (1, 2))
    assert one != other


def test_an_asset_that_airflow_does_not_know_is_no_store():
    """A mapped task's own inlets are not those that Airflow has seen."""
    asset = assets.segment("s")
    assert asset_store({"asset_state_store": {}}, "s", [asset]) is None
    assert asset_store({}, "s", [asset]) is None
    assert asset_store({"asset_state_store": {asset: "its store"}}, "s", [asset]) == "its store"
