"""
Every way to wait ends alike, in ``airflow dags test``: a sensor that pokes, reschedules (from
Airflow 3.1 on) or defers, and an upload operator that waits on its worker or defers. Each row of
the table of ``support.waiting`` runs in each way that it has; all tests read one run for each way.

A wait gives the processed file with its counts, also if the first polls get 404 twice, or one each
of 502, a reset, half a reply, garbage and 429. A sensor returns the file; an operator returns its
identifier, and pushes the file as the XCom ``coupon_file``. A wait fails with
WesCouponFileFailedError if the file fails; WesNotFoundError at a 404 once the wait has lasted for the
grace (60 s, and 3 s in the row of a late 404); WesAuthenticationError at a 401 and WesForbiddenError
at a 403, at the first poll if the key was never accepted, and else after five minutes (2 s here); and
WesTimeoutError, of a sensor WesSensorTimeoutError, which is one, if at the timeout the file is
pending, its status is unknown, or all polls got 503. Before Airflow 3.3, an error that is not to be
retried is an AirflowFailException that names it. With ``soft_fail``, a sensor is skipped if the file
fails, and at the timeout. No failed sensor is retried; of an operator, only a timeout is, which is
left out here. An unknown status is warned of at most once in each process.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from support.waiting import CASES, UNKNOWN_STATUS, Case, Played, list_of
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def tested(request: pytest.FixtureRequest, _session_site: AirflowSite) -> Iterator[Played]:
    """The cases of all tests that were selected."""
    _session_site.reset()  # no test of this module has a site of its own, which would do so, too
    selected = [
        item.callspec.params["case"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == request.path
    ]
    with Emulator() as emulator:
        played = Played(_session_site, emulator, [case for case in CASES if case in selected])
        dag_ids = {way: _session_site.write_tasks(tasks) for way, tasks in played.tasks.items()}
        runs = _session_site.run_at_once(*dag_ids.values(), timeout=900)
        played.runs = dict(zip(dag_ids, runs, strict=True))
        yield played


# These two reach all that a wait is made of: a worker that polls, and a triggerer. The other ways
# differ in how a wait begins and ends.
WAYS_OF_EACH_ROW = ("poke", "deferrable operator")
ROWS_OF_EACH_WAY = ("success", "failure", "deadline", "soft_fail and a failure")
SELDOM = pytest.mark.weekly("two other ways have this row, and this way has other rows")


IN_CI = pytest.mark.ci("unit/waits has each row, and four rows here have each way")


def marked(case: Case) -> Any:
    marks = []
    if case.row.name not in ROWS_OF_EACH_WAY:
        marks.append(IN_CI if case.way in WAYS_OF_EACH_ROW else SELDOM)
    return pytest.param(case, id=case.name, marks=marks)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_every_way_to_wait_ends_alike(tested: Played, case: Case):
    tested.check(case.row, case.way)


@pytest.mark.parametrize("case", [marked(case) for case in CASES if case.row is UNKNOWN_STATUS])
def test_an_unknown_status_is_warned_of_once_in_each_process(tested: Played, case: Case):
    """The worker and the triggerer of a deferred wait are two; each poke of a reschedule is one."""
    name = list_of(case.row, case.way)
    warnings = tested.runs[case.way].log(name).count("Status 'CHEWING' is not known")
    reads = [request for request in tested.emulator.requests if f"/{name}/" in request.raw_path]
    most_processes = {
        "poke": 1,
        "operator": 1,
        "deferrable sensor": 2,
        "deferrable operator": 2,
        "reschedule": len(reads),
    }
    assert 1 <= warnings <= most_processes[case.way]
