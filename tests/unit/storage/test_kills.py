"""
Each object is uploaded once, whenever the task's process is killed, with SIGKILL, at any moment.
There are 8 runs (20 once a week), each with a list and three objects; each but the first two is
killed up to twice. Three DAGs with overlapping files, ``on_known_content="skip"`` and one list are
killed in up to five rounds. In both, each list then has each of its objects once; each file has the
URL that the attempt has signed that sent it; and neither states, results, logs nor the ledger keep
a signature.

The runs of a scenario are killed once, and several tests look at what they left.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from support.killable import attempt, fork_server
from wes_provider.emulator import Emulator

CONTEXT = fork_server()
# Seconds. The emulator shows each file at once. A retry reads the list until the killed request
# cannot arrive any more, which is read_timeout after it was sent: by default, a minute.
EXTRA = {"coupon_files_lag": 0, "read_timeout": 5}
BUCKET = "s3://s3_promo@promo"
pytestmark = pytest.mark.timeout(1200)  # at most 56 processes, one after another, of twenty runs


class Dag:
    """
    A DAG whose attempts can be killed. Each attempt has credentials of its own, so that its
    signatures show it.

    :ivar attempts: how many were started; ``kills``: how many were killed before their end.
    :ivar took: the seconds of the attempt that succeeded.
    """

    def __init__(
        self, folder: Path, s3: Any, service: Emulator, dag_id: str, **arguments: Any
    ) -> None:
        self._folder, self._s3, self._dag_id = folder, s3, dag_id
        self._arguments = {**arguments, "ledger": f"{BUCKET}/ledger"}
        self._connection = service.connection_env(extra=EXTRA)
        self.attempts = self.kills = 0
        self.took = 0.0

    def start(self) -> None:
        self.attempts += 1
        key = f"{self._dag_id}-{self.attempts}"
        self._s3.secrets[key] = f"secret-of-{key}"
        env = {**self._connection, "AIRFLOW_CONN_S3_PROMO": self._s3.connection(key)}
        self._began = time.monotonic()
        self._process = CONTEXT.Process(
            target=attempt, args=(self._folder, self._dag_id, self.attempts, self._arguments, env)
        )
        self._process.start()

    def kill(self, after: float) -> bool:
        """Kill the attempt after so many seconds; whether it has succeeded before."""
        self._process.join(after)
        self.kills += self._process.is_alive()
        self._process.kill()
        return self.succeeded()

    def succeeded(self) -> bool:
        """Wait for the end of the attempt; whether it has succeeded."""
        self._process.join(120)
        if self._process.exitcode == 0:
            self.took = time.monotonic() - self._began
        return self._process.exitcode == 0


def uploads(service: Emulator, coupon_list_id: str) -> list[str]:
    """The paths of the files that a list has."""
    return sorted(urlsplit(file["file_url"]).path for file in service.files(coupon_list_id))


def kept_with_signature(folder: Path, s3: Any) -> list[str]:
    """The states, results, logs and entries of the ledger that have a signature."""
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    kept |= {name: s3.get(name) for name in s3.names("ledger/")}
    assert any(name.startswith("ledger/") for name in kept)
    assert any(name.endswith(".json") for name in kept)
    return [
        name for name, content in kept.items() if b"X-Amz" in content or b"Signature=" in content
    ]


def put(s3: Any, run: int, files: int) -> list[str]:
    """Put objects of different contents into a folder of a run; return their paths."""
    names = [f"run-{run}/{index}.csv" for index in range(files)]
    for name in names:
        s3.put(name, f"code\n{name}-A\n{name}-B\n".encode())
    return [f"/promo/{name}" for name in names]


class Left(NamedTuple):
    """
    What killed runs have left.

    :ivar expected: the paths of the objects, by list.
    :ivar uploaded: the paths of the list's files, by list.
    :ivar of_others: the files whose URL has not the signature of the attempt that sent them.
    :ivar with_signature: what is kept of the tasks and has a signature.
    """

    expected: dict[str, list[str]]
    uploaded: dict[str, list[str]]
    of_others: list[str]
    with_signature: list[str]


def left(s3: Any, service: Emulator, folder: Path, expected: dict[str, list[str]]) -> Left:
    return Left(
        expected,
        {coupon_list_id: uploads(service, coupon_list_id) for coupon_list_id in expected},
        [
            file["file_url"]
            for coupon_list_id in expected
            for file in service.files(coupon_list_id)
            if f"X-Amz-Credential={file['created_by']}%2F" not in file["file_url"]
        ],
        kept_with_signature(folder, s3),
    )


def kill_runs(s3: Any, service: Emulator, folder: Path, runs: int) -> Left:
    """Runs one after another, each with three objects and a list; each is killed twice at most."""
    generator, kills = random.Random(15), 0
    usual = 0.0
    expected = {}
    for run in range(runs):
        expected[f"list-{run}"] = put(s3, run, 3)
        arguments = {
            "list": f"list-{run}",
            "url": f"{BUCKET}/run-{run}/*",
            "on_known_content": "fail",
        }
        dag = Dag(folder, s3, service, f"dag-{run}", **arguments)
        dag.start()
        # The first runs load what all need, and show how long one takes.
        for _ in range(2 if run > 1 else 0):
            if dag.kill(generator.uniform(0, usual)):
                break
            dag.start()
        assert dag.succeeded(), (folder / f"dag-{run}.log").read_text()
        if run <= 1:
            usual = dag.took
        kills += dag.kills
    assert kills >= runs / 2, "too few attempts were killed to show anything"
    return left(s3, service, folder, expected)


def kill_dags(s3: Any, service: Emulator, folder: Path) -> Left:
    """Three DAGs at once that fill one list from overlapping files, killed in up to five rounds."""
    expected = put(s3, 0, 5)
    generator = random.Random(7)
    usual = 1.0
    patterns = {"all": "*", "first": "[0-2]*", "last": "[2-4]*"}
    waiting = dags = [
        Dag(
            folder,
            s3,
            service,
            dag_id,
            list="list",
            url=f"{BUCKET}/run-0/{pattern}",
            on_known_content="skip",
        )
        for dag_id, pattern in patterns.items()
    ]
    for round_ in range(20):
        for dag in waiting:
            dag.start()
        longest = usual / len(waiting)
        not_ended = []
        for dag in waiting:
            if round_ < 5:
                has_succeeded = dag.kill(generator.uniform(0, longest))
            else:
                has_succeeded = dag.succeeded()
            if not has_succeeded:
                not_ended.append(dag)
        waiting = not_ended
        if not waiting:
            break
    assert not waiting, "a DAG does not succeed"
    assert sum(dag.kills for dag in dags) >= 3, "too few attempts were killed to show anything"
    return left(s3, service, folder, {"list": expected})


SCENARIOS: dict[str, Callable[[Any, Emulator, Path], Left]] = {
    "8 runs": partial(kill_runs, runs=8),
    "20 runs": partial(kill_runs, runs=20),
    "3 DAGs": kill_dags,
}
LEFT: dict[str, Left] = {}
"""What the scenarios have left that have run so far."""
RUNS = ["8 runs", pytest.param("20 runs", marks=pytest.mark.weekly("the same is tried with 8"))]


def of_scenarios(*names: Any) -> pytest.MarkDecorator:
    """Run a test on what each of these scenarios has left."""
    return pytest.mark.parametrize("killed", names, indirect=True)


@pytest.fixture
def killed(request: pytest.FixtureRequest) -> Left:
    """What a scenario has left."""
    if request.param not in LEFT:
        given = [request.getfixturevalue(name) for name in ("s3", "service", "tmp_path")]
        LEFT[request.param] = SCENARIOS[request.param](*given)
    return LEFT[request.param]


@of_scenarios(*RUNS)
def test_each_killed_run_uploads_each_of_its_objects_once(killed: Left) -> None:
    assert killed.uploaded == killed.expected


@of_scenarios("3 DAGs")
def test_three_killed_dags_with_overlapping_files_upload_each_of_them_once(killed: Left) -> None:
    assert killed.uploaded == killed.expected


@of_scenarios(*RUNS, "3 DAGs")
def test_each_file_has_a_url_that_the_attempt_has_signed_that_sent_it(killed: Left) -> None:
    assert killed.of_others == []


@of_scenarios(*RUNS, "3 DAGs")
def test_neither_states_nor_results_nor_the_ledger_keep_a_signature(killed: Left) -> None:
    assert killed.with_signature == []
