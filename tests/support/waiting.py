"""
What a wait does about whatever may happen: one table, the same in every way to wait.

Each row is a task in five ways, each a DAG: the sensor poking, rescheduling and deferring, and the operator waiting on
its worker and deferring. They go through ``airflow dags test`` on every Airflow, and through a real scheduler and
triggerer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest

from support import fault_table
from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run
from support.fault_table import POLLS_AGAIN, READ_TIMEOUT
from support.fault_table import TABLE as FAULTS
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault
from wes_provider.models import redact_url

Trouble: TypeAlias = tuple[tuple[Fault, int | None], ...]

WAYS = ("poke", "reschedule", "deferrable sensor", "operator", "deferrable operator")
SENSORS = WAYS[:3]
GRACE = {"late": 3.0, "early": 900.0}  # seconds, in which a 404 is early: a minute would be too long for tests


@dataclass(frozen=True)
class Row:
    """
    :ivar script: what becomes of the file, of the emulator's ``script``.
    :ivar trouble: faults of the first polls, and of how many each; ``None`` for all.
    :ivar error: name of the exception that ends the task; empty if it succeeds.
    :ivar says: what its message holds.
    :ivar retried: Airflow may repeat the task.
    :ivar arguments: of the sensor; without any, the row is the operator's, too.
    :ivar polls: how many there are at most.
    :ivar responses: the faults are responses to go by, so one poll may be enough.
    :ivar scheduled: played under a scheduler, too. Other rows differ in what one response means, which is decided in
        one place: they are played in one way on a worker and one in the triggerer.
    :ivar airflows: its end is an Airflow's: XComs, a failure without retries, a skipped task. Each Airflow plays it.
    """

    name: str
    script: Mapping[str, Any] = field(default_factory=lambda: {"processing_time": 1.0})
    trouble: Trouble = ()
    error: str = ""
    says: str = ""
    retried: bool = False
    state: str = ""
    timeout: float = 900.0
    poll_interval: float = 0.5
    arguments: Mapping[str, Any] = field(default_factory=dict)
    wes_conn_id: str = "wes_default"
    polls: int | None = None
    responses: bool = False
    scheduled: bool = True
    airflows: bool = False

    @property
    def ways(self) -> tuple[str, ...]:
        ways = (SENSORS if self.arguments else WAYS) if self.scheduled else ("poke", "deferrable operator")
        # ``dags test`` of 3.0 passes the first start of a task that it reschedules as a text, on which Airflow's own
        # part of sensors fails. Its scheduler does not.
        if AIRFLOW_VERSION == (3, 0):
            return tuple(way for way in ways if way != "reschedule")
        return ways

    def marks(self, way: str) -> list[pytest.MarkDecorator]:
        """Of a case of the airflow tier."""
        if self.airflows:
            return []
        if way in ("poke", "deferrable sensor" if self.arguments else "deferrable operator"):
            return [pytest.mark.one_airflow("what a response means to a wait is decided apart from Airflow")]
        return [pytest.mark.weekly("the scheduler tier plays this row in each way")]


PATIENT = {"retried": True, "timeout": 4.0, "error": "WesTimeoutError"}


def always(fault: Fault) -> Trouble:
    return ((fault, None),)


def twice(fault: Fault) -> Trouble:
    return ((fault, 2),)


def fault_that_ends(name: str, fault: fault_table.Row) -> Row:
    says = {"401": "press Test", "403": "access"}.get(name, name.partition(",")[0] if name[0].isdigit() else "302")
    return Row(
        name,
        trouble=always(fault.fault),
        error=fault.wait,
        says=says,
        polls=1,
        scheduled=name in ("401", "403"),
        airflows=name == "401",
    )


def faults_that_pass(name: str, error: str) -> Row:
    """One after another, all those that end a single read with ``error``."""
    passing = [row for row in FAULTS.values() if row.wait == POLLS_AGAIN and row.read.always.result == error]
    lost = error == "WesUnknownOutcomeError"
    return Row(
        name,
        {"processing_time": 0.0},
        trouble=tuple((row.fault, 1) for row in passing),
        poll_interval=0.1,
        wes_conn_id="wes_hasty" if lost else "wes_default",
        polls=None if lost else len(passing) + 1,  # a busy machine may not have a good answer in time, either
    )


LENIENT = {"state": "skipped", "timeout": 2.0}
SILENT = {"arguments": {"silent_fail": True}}

UNKNOWN_STATUS = Row(
    "unknown status until the deadline",
    {"statuses": [["CHEWING", None]]},
    says="last status: CHEWING",
    airflows=True,
    **PATIENT,
)

TABLE = [
    Row("known success", airflows=True),
    Row(
        "known failure",
        {"processing_time": 1.0, "outcome": "failure"},
        error="WesCouponFileFailedError",
        says="FAILED",
        airflows=True,
    ),
    Row("unknown status, then success", {"statuses": [["CHEWING", 2.0]]}),
    UNKNOWN_STATUS,
    Row("pending until the deadline", {"outcome": "never"}, says="last status: P", **PATIENT),
    Row("no answer until the deadline", trouble=always(faults.error(503)), says="last status: none seen", **PATIENT),
    Row(
        "no reads until the deadline",
        trouble=always(faults.rate_limited(reset_in=600)),
        says="last status: none seen",
        polls=4,  # one of each process, and the last one before the deadline
        wes_conn_id="wes_limited",  # of its own: the triggerer keeps all reads of a connection back
        **PATIENT,
    ),
    *(fault_that_ends(name, row) for name, row in FAULTS.items() if row.wait.endswith("Error")),
    Row("early 404", trouble=twice(faults.error(404))),
    Row(
        "late 404",
        trouble=always(faults.error(404)),
        error="WesNotFoundError",
        says="set Undocumented",
        scheduled=False,
    ),
    faults_that_pass("429s of every kind", "WesRateLimitError"),
    faults_that_pass("5xx of every kind", "WesServerError"),
    faults_that_pass("lost answers of every kind", "WesUnknownOutcomeError"),
    faults_that_pass("useless answers of every kind", "WesResponseError"),
    *(
        Row(name, trouble=((row.fault, 1),), responses=True, scheduled=False)
        for name, row in FAULTS.items()
        if row.wait == "value"
    ),
    Row("soft_fail, failure", {"outcome": "failure"}, arguments={"soft_fail": True}, airflows=True, **LENIENT),
    Row("soft_fail, deadline", {"outcome": "never"}, arguments={"soft_fail": True}, **LENIENT),
    Row("never_fail, deadline", {"outcome": "never"}, arguments={"never_fail": True}, airflows=True, **LENIENT),
    Row("never_fail, 401", trouble=always(faults.error(401)), arguments={"never_fail": True}, **LENIENT),
    Row("never_fail, no connection", wes_conn_id="wes_missing", polls=0, arguments={"never_fail": True}, **LENIENT),
    Row("silent_fail, failure", {"outcome": "failure"}, error="WesCouponFileFailedError", says="FAILED", **SILENT),
    Row("silent_fail, 401 for a while", trouble=twice(faults.error(401)), **SILENT),
    Row("silent_fail, 403", trouble=always(faults.error(403)), says="last status: none seen", **SILENT, **PATIENT),
]
CASES = [(row, way) for row in TABLE for way in row.ways]

TASKS = """
from wes_provider import polling
from wes_provider.hooks import WesHook

def set_grace(task_id):
    polling.NOT_FOUND_GRACE = {grace}["late" if task_id.startswith("late") else "early"]

class Operator(WesUploadCouponFileOperator):
    def execute(self, context):
        set_grace(self.task_id)
        return super().execute(context)

class Sensor(WesCouponFileSensor):
    def execute(self, context):
        # The file is as new as an operator's. Called again, when it is rescheduled, the sensor finds it.
        set_grace(self.task_id)
        hook = WesHook()
        files = hook.list_coupon_files(self.coupon_list_id)
        file = files[0] if files else hook.upload_coupon_file(self.coupon_list_id, {url!r}, name="coupons")
        self.coupon_file_id = file["_id"]
        return super().execute(context)

for row in {rows!r}:
    # Longer than a heartbeat, after which an attempt ends that Airflow 3.3 has given up (apache/airflow issue 72716).
    common = dict(task_id=row["list"], coupon_list_id=row["list"], wes_conn_id=row["wes_conn_id"],
                  timeout=row["timeout"], retries=row["retries"], retry_delay=timedelta(seconds=15))
    if "operator" in row["way"]:
        Operator(
            **common, file_url={url!r}, name="coupons", wait_for_completion=True, poll_interval=row["poll_interval"],
            deferrable="deferrable" in row["way"],
        )
    else:
        Sensor(
            **common, coupon_file_id="later", poke_interval=row["poll_interval"],
            deferrable="deferrable" in row["way"], mode=row["way"].replace("deferrable sensor", "poke"),
            **row["arguments"],
        )
"""


def list_of(row: Row, way: str) -> str:
    """Each task has a list of its own, called like the task."""
    return f"{row.name}.{way}".replace(" ", "_").replace(",", "")  # a task's name has no others


class Played:
    """
    Cases of the table, played in one DAG run for each way to wait.

    :param due_again_after: seconds until a task that waits apart from its process may go on. A scheduler fails a task
        that is queued again before it has seen that the first process has ended, and takes seconds to if it is busy.
    """

    def __init__(
        self,
        site: AirflowSite,
        emulator: Emulator,
        cases: Iterable[tuple[Row, str]],
        *,
        due_again_after: float = 0.0,
    ) -> None:
        self.site, self.emulator = site, emulator
        hasty = {"conn_type": "wes", **emulator.connection(extra={"read_timeout": READ_TIMEOUT})}
        site.env = {
            **emulator.connection_env(),
            **emulator.connection_env("wes_limited"),
            "AIRFLOW_CONN_WES_HASTY": json.dumps(hasty),
        }
        url = emulator.host("coupons.csv", b"CODE-1\nCODE-2\n")
        rows: dict[str, list[dict[str, Any]]] = {}
        for row, way in cases:
            name = list_of(row, way)
            emulator.script(list_id=name, **row.script)
            for fault, times in row.trouble:
                emulator.fail("get_coupon_file", fault, times=times, list_id=name)
            retries = 0 if row.retried and "operator" in way else 1
            timeout, poll_interval = row.timeout, row.poll_interval
            if way == "reschedule":
                poll_interval = max(poll_interval, due_again_after)
            elif "deferrable" in way:
                timeout = max(timeout, due_again_after)
            rows.setdefault(way, []).append(
                {
                    "list": name,
                    "way": way,
                    "timeout": timeout,
                    "retries": retries,
                    "wes_conn_id": row.wes_conn_id,
                    "arguments": row.arguments,
                    "poll_interval": poll_interval,
                }
            )
        self.tasks = {way: TASKS.format(grace=GRACE, url=url, rows=of_way) for way, of_way in rows.items()}
        """Of each way, the tasks that play the table."""
        self.runs: dict[str, Run] = {}

    def check(self, row: Row, way: str) -> None:
        run, name = self.runs[way], list_of(row, way)
        state = row.state or ("failed" if row.error else "success")
        assert run.ti(name).state == state, run.log(name)
        (file,) = self.emulator.files(name)
        if state == "success":
            assert run.xcom(name, "return_value" if way in SENSORS else "coupon_file") == {
                "id": file["_id"],
                "coupon_list_id": name,
                "name": "coupons",
                "status": "SUCCESS",
                "file_url": redact_url(file["file_url"]),
                **{key: value for key, value in file.items() if isinstance(value, int)},
            }
        if way not in SENSORS:
            assert run.xcom(name) == file["_id"]
        if row.error:
            self._check_exception(row, way)
        polls = [r for r in self.emulator.requests_for("get_coupon_file") if f"/{name}/" in r.raw_path]
        least = sum(times or 1 for _, times in row.trouble) + (state == "success" and not row.responses)
        assert len(polls) >= (0 if row.polls == 0 else max(1, least))
        if row.polls is not None:
            assert len(polls) <= row.polls

    def _check_exception(self, row: Row, way: str) -> None:
        run, name = self.runs[way], list_of(row, way)
        (failure,) = run.failures(name)  # one attempt, though there is a second one to be had
        assert row.says in failure.message
        if not row.retried and AIRFLOW_VERSION < (3, 3):
            # Before retry policies there is no other exception that stops the retries.
            assert failure.type.endswith(".AirflowFailException")
            assert failure.message.startswith(f"{row.error}: ")
        else:
            assert f"wes_provider.exceptions.{row.error}" in failure.bases
        if row.error == "WesTimeoutError":
            assert failure.type.endswith(".WesSensorTimeoutError" if way in SENSORS else ".WesTimeoutError")
