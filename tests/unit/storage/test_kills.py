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
BUCKET = "s3://s3_promo@promo"
pytestmark = pytest.mark.timeout(1200)  # some eighty processes of twenty runs


class Dag:
    """
    A DAG whose attempts can be killed. Each attempt has credentials of its own, so that its
    signatures show it.
    """

    usual = 1.0  # seconds that the last successful attempt took

    def __init__(
        self, folder: Path, s3: Any, service: Emulator, dag_id: str, **arguments: Any
    ) -> None:
        self._folder, self._s3, self._dag_id = folder, s3, dag_id
        self._arguments = {**arguments, "ledger": f"{BUCKET}/ledger"}
        self._connection = service.connection_env(extra={"coupon_files_lag": 0})
        self.attempts = self.kills = 0

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
            Dag.usual = time.monotonic() - self._began
        return self._process.exitcode == 0


def uploads(service: Emulator, coupon_list_id: str) -> list[str]:
    return sorted(urlsplit(file["file_url"]).path for file in service.files(coupon_list_id))


def no_signature_is_kept(folder: Path, s3: Any) -> None:
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
def test_each_run_uploads_each_object_once_with_a_url_of_the_attempt_that_sent_it(
    s3: Any, service: Emulator, tmp_path: Path, runs: int
) -> None:
    generator, kills = random.Random(15), 0
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
            if dag.kill(generator.uniform(0, Dag.usual)):
                break
            dag.start()
        assert dag.succeeded(), (tmp_path / f"dag-{run}.log").read_text()
        kills += dag.kills
        assert uploads(service, f"list-{run}") == expected
        for file in service.files(f"list-{run}"):
            assert f"X-Amz-Credential={file['created_by']}%2F" in file["file_url"]
    assert kills >= runs / 2
    no_signature_is_kept(tmp_path, s3)


def test_three_dags_with_overlapping_files_upload_each_content_once(
    s3: Any, service: Emulator, tmp_path: Path
) -> None:
    expected = put(s3, 0, 5)
    generator = random.Random(7)
    patterns = {"all": "*", "first": "[0-2]*", "last": "[2-4]*"}
    dags = [
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
    waiting = list(dags)
    while waiting and dags[0].attempts < 20:
        for dag in waiting:
            dag.start()
        kill = dags[0].attempts <= 5
        waiting = [
            dag
            for dag in waiting
            if not (
                dag.kill(generator.uniform(0, Dag.usual / len(waiting)))
                if kill
                else dag.succeeded()
            )
        ]
    assert not waiting
    assert uploads(service, "list") == expected
    assert sum(dag.kills for dag in dags) >= 3
    no_signature_is_kept(tmp_path, s3)
