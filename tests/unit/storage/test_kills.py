"""
Each object is uploaded once, whenever the task's process is killed: with SIGKILL, at moments that
nobody chose.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.killable import attempt, fork_server
from wes_provider.emulator import Emulator

CONTEXT = fork_server()
# Seconds. The emulator shows each file at once. A retry reads the list until the killed request
# cannot arrive any more, which is read_timeout after it was sent: by default, a minute.
EXTRA = {"coupon_files_lag": 0, "read_timeout": 5}
BUCKET = "s3://s3_promo@promo"
pytestmark = pytest.mark.timeout(1200)  # at most 56 processes of twenty runs


class Dag:
    """
    A DAG whose attempts can be killed. Each attempt has credentials of its own, so that its
    signatures show it.

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
        self._process.join(120)
        if self._process.exitcode == 0:
            self.took = time.monotonic() - self._began
        return self._process.exitcode == 0


def uploads(service: Emulator, coupon_list_id: str) -> list[str]:
    return sorted(urlsplit(file["file_url"]).path for file in service.files(coupon_list_id))


def assert_no_signature_is_kept(folder: Path, s3: Any) -> None:
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    kept |= {name: s3.get(name) for name in s3.names("ledger/")}
    assert kept
    assert [
        name for name, content in kept.items() if b"X-Amz" in content or b"Signature=" in content
    ] == []


def put(s3: Any, run: int, files: int) -> list[str]:
    names = [f"run-{run}/{index}.csv" for index in range(files)]
    for name in names:
        s3.put(name, f"code\n{name}-A\n{name}-B\n".encode())
    return [f"/promo/{name}" for name in names]


@pytest.mark.parametrize(
    "runs", [8, pytest.param(20, marks=pytest.mark.weekly("the same with fewer runs is above"))]
)
def test_each_killed_run_uploads_each_object_once_with_a_url_of_the_attempt_that_sent_it(
    s3: Any, service: Emulator, tmp_path: Path, runs: int
) -> None:
    """Each run is killed twice at most, and neither states nor ledger keep a signature."""
    generator, kills = random.Random(15), 0
    usual = 0.0
    for run in range(runs):
        expected = put(s3, run, 3)
        arguments = {
            "list": f"list-{run}",
            "url": f"{BUCKET}/run-{run}/*",
            "on_known_content": "fail",
        }
        dag = Dag(tmp_path, s3, service, f"dag-{run}", **arguments)
        dag.start()
        # The first runs load what all need, and show how long one takes.
        for _ in range(2 if run > 1 else 0):
            if dag.kill(generator.uniform(0, usual)):
                break
            dag.start()
        assert dag.succeeded(), (tmp_path / f"dag-{run}.log").read_text()
        if run <= 1:
            usual = dag.took
        kills += dag.kills
        assert uploads(service, f"list-{run}") == expected
        for file in service.files(f"list-{run}"):
            assert f"X-Amz-Credential={file['created_by']}%2F" in file["file_url"]
    assert kills >= runs / 2
    assert_no_signature_is_kept(tmp_path, s3)


def test_three_killed_dags_with_overlapping_files_upload_each_content_once(
    s3: Any, service: Emulator, tmp_path: Path
) -> None:
    """
    Attempts are killed in up to five rounds, and neither states nor ledger keep a signature.
    """
    expected = put(s3, 0, 5)
    generator = random.Random(7)
    usual = 1.0
    patterns = {"all": "*", "first": "[0-2]*", "last": "[2-4]*"}
    waiting = dags = [
        Dag(
            tmp_path,
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
        left = []
        for dag in waiting:
            if round_ < 5:
                has_succeeded = dag.kill(generator.uniform(0, longest))
            else:
                has_succeeded = dag.succeeded()
            if not has_succeeded:
                left.append(dag)
        waiting = left
        if not waiting:
            break
    assert not waiting
    assert uploads(service, "list") == expected
    assert sum(dag.kills for dag in dags) >= 3
    assert_no_signature_is_kept(tmp_path, s3)
