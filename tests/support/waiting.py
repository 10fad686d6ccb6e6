"""
What a wait does about whatever may happen: one table, the same in every way to wait.

Each row is a task in five ways, each a DAG: the sensor poking, rescheduling and deferring, and the
operator waiting on its worker and deferring. They go through ``airflow dags test`` on every
Airflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault
from wes_provider.texts import redact_url

Trouble: TypeAlias = tuple[tuple[Fault, int | None], ...]

WAYS = ("poke", "reschedule", "deferrable sensor", "operator", "deferrable operator")
SENSORS = WAYS[:3]
READ = (faults.slow(0.01), 1)  # a poll that reads the file


@dataclass(frozen=True)
class Row:
    """
    :ivar script: what becomes of the file, of the emulator's ``script``.
    :ivar trouble: faults of the first polls, and of how many each; ``None`` for all.
    :ivar error: name of the exception that ends the task; empty if it succeeds.
    :ivar says: what its message holds.
    :ivar retried: Airflow may repeat the task.
    :ivar arguments: of the sensor; without any, the row is the operator's, too.
    :ivar polls: how many a sensor has at most. An operator has used its key before, so that a
        refused one gets its grace.
    """

    name: str
    script: Mapping[str, Any] = field(default_factory=lambda: {"processing_time": 1.0})
    trouble: Trouble = ()
    error: str = ""
    says: str = ""
    retried: bool = False
    state: str = ""
    timeout: float = 900.0
    arguments: Mapping[str, Any] = field(default_factory=dict)
    polls: int | None = None


PATIENT: Any = {"retried": True, "timeout": 4.0, "error": "WesTimeoutError"}
LENIENT: Any = {"arguments": {"soft_fail": True}, "state": "skipped", "timeout": 3.0}
NEVER = {"outcome": "never"}


def always(status: int) -> Trouble:
    return ((faults.error(status), None),)


UNKNOWN_STATUS = Row(
    "unknown status", {"statuses": [["CHEWING", None]]}, says="last status CHEWING", **PATIENT
)

TABLE = [
    Row("success"),
    Row("failure", {"outcome": "failure"}, error="WesCouponFileFailedError", says="FAILED"),
    UNKNOWN_STATUS,
    Row("deadline", NEVER, says="last status P", **PATIENT),
    Row("401", trouble=always(401), error="WesAuthenticationError", says="press Test", polls=1),
    Row(
        "403 after reading",
        NEVER,
        trouble=(READ, *always(403)),
        error="WesForbiddenError",
        says="access",
    ),
    Row("early 404", trouble=((faults.error(404), 2),)),
    Row(
        "late 404",
        trouble=always(404),
        error="WesNotFoundError",
        says="set the connection's extra paths",
    ),
    Row("5xx throughout", trouble=always(503), says="last status none seen", **PATIENT),
    Row(
        "trouble for a while",
        trouble=tuple(
            (fault, 1)
            for fault in (
                faults.error(502),
                faults.reset(),
                faults.truncated(),
                faults.garbage(),
                faults.rate_limited(),
            )
        ),
    ),
    Row("soft_fail and a failure", {"outcome": "failure"}, **LENIENT),
    Row("soft_fail and the deadline", NEVER, **LENIENT),
]
# ``dags test`` of 2.11 starts the clock of a task that it reschedules anew, and that of 3.0 fails
# in Airflow's own part of sensors. Their schedulers do not: scheduler/test_clearing.py has a sensor
# that is rescheduled.


class Case(NamedTuple):
    """A row of the table, in one way to wait."""

    row: Row
    way: str

    @property
    def name(self) -> str:
        return f"{self.row.name}-{self.way}"


CASES = [
    Case(row, way)
    for row in TABLE
    for way in (SENSORS if row.arguments else WAYS)
    if way != "reschedule" or AIRFLOW_VERSION >= (3, 1)
]

TASKS = """
from wes_provider.waits import decision
from wes_provider.hooks import WesHook

def set_grace(task_id):
    decision.NOT_FOUND_GRACE = 3.0 if task_id.startswith("late") else 900.0  # minutes would be too long for tests
    decision.REFUSED_GRACE = 2.0

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
    common = dict(task_id=row["list"], coupon_list_id=row["list"],
                  timeout=row["timeout"], retries=row["retries"], retry_delay=timedelta(seconds=15))
    if "operator" in row["way"]:
        Operator(
            **common, file_url={url!r}, name="coupons", wait_for_completion=True, poll_interval=1,
            deferrable="deferrable" in row["way"],
        )
    else:
        Sensor(
            **common, coupon_file_id="later", poke_interval=0.5,
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

    :ivar tasks: that play the table, by way.
    """

    def __init__(self, site: AirflowSite, emulator: Emulator, cases: Iterable[Case]) -> None:
        self.emulator = emulator
        self.runs: dict[str, Run] = {}
        site.env = emulator.connection_env()
        url = emulator.host("coupons.csv", b"CODE-1\nCODE-2\n")
        rows: dict[str, list[dict[str, Any]]] = {}
        for row, way in cases:
            name = list_of(row, way)
            emulator.script(list_id=name, **row.script)
            for fault, times in row.trouble:
                emulator.fail("get_coupon_file", fault, times=times, list_id=name)
            task = {"list": name, "way": way, "arguments": row.arguments, "timeout": row.timeout}
            rows.setdefault(way, []).append(
                {**task, "retries": 0 if row.retried and "operator" in way else 1}
            )
        self.tasks = {way: TASKS.format(url=url, rows=of_way) for way, of_way in rows.items()}

    def check(self, row: Row, way: str) -> None:
        run, name = self.runs[way], list_of(row, way)
        state = row.state or ("failed" if row.error else "success")
        assert run.ti(name).state == state, run.log(name)
        (file,) = self.emulator.files(name)
        if state == "success":
            shown = {
                "id": file["_id"],
                "coupon_list_id": name,
                "name": "coupons",
                "status": "SUCCESS",
            }
            shown |= {
                "file_url": redact_url(file["file_url"]),
                "coupons_added": 2,
                "coupons_duplicate": 0,
            }
            if way in SENSORS:
                assert run.xcom(name, "return_value") == shown
            else:
                assert run.xcom(name, "coupon_file") == {**shown, "adopted": False}
        if way not in SENSORS:
            assert run.xcom(name) == file["_id"]
        if row.error:
            self._check_exception(row, way)
        polls = [
            r for r in self.emulator.requests_for("get_coupon_file") if f"/{name}/" in r.raw_path
        ]
        assert len(polls) >= max(
            1, sum(times or 1 for _, times in row.trouble) + (state == "success")
        )
        if row.polls is not None and way in SENSORS:
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
            assert failure.type.endswith(
                ".WesSensorTimeoutError" if way in SENSORS else ".WesTimeoutError"
            )
