"""Ledgers of the list ``list/1``, as tasks of the DAG ``summer`` open them in their runs."""

from __future__ import annotations

from typing import Any

from support.attempts import Store, TaskInstance
from support.memory_bucket import MemoryBucket
from wes_provider.attempt import Attempt
from wes_provider.storage import Ledger
from wes_provider.storage.ledger import ListLedger
from wes_provider.storage.plan import PlannedFile

LIST = "list/1"
FILE = PlannedFile(path="s3://promo/a.csv", etag="etag", codes=2, sha256="0" * 64)
OTHER = PlannedFile(path="s3://promo/b.csv", etag="etag", codes=2, sha256="1" * 64)
PLACE = "s3://s3_promo@promo/ledger"


class AssetStates(Store):
    """The asset state stores of a task's context, with one for the asset of ``LIST`` alone."""

    def __getitem__(self, asset: Any) -> Store:
        if asset.uri != "wes://coupon-list/list%2F1":
            raise KeyError(asset)
        return self


def attempt_in(run: str, states: Any = None, **context: Any) -> Attempt:
    """The task ``upload`` of the DAG ``summer`` in a run; tasks differ in their runs alone."""
    ti = TaskInstance(dag_id="summer", run_id=run, task_id="upload", assets=states)
    return Attempt.of(ti.context(**context))


def none_failed(coupon_file_id: str) -> bool:
    return False


def in_bucket(
    run: str = "run-1", on_known_content: str = "fail", place: str = PLACE, workspace: str = ""
) -> ListLedger:
    """A run's view of the ledger in the bucket; no coupon file has failed processing."""
    return Ledger(place, on_known_content).open(LIST, attempt_in(run), none_failed, workspace)


def in_asset_store(
    states: AssetStates, run: str = "run-1", on_known_content: str = "fail", **context: Any
) -> ListLedger:
    """A run's view of the ledger in an asset state store; no coupon file has failed processing."""
    attempt = attempt_in(run, states, **context)
    return Ledger(None, on_known_content).open(LIST, attempt, none_failed)


def ignore_conditions(bucket: MemoryBucket, mocker: Any) -> None:
    """Have a bucket overwrite objects whatever its client asks for, as some servers do."""
    write = bucket.filesystem.pipe_file
    mocker.patch.object(
        bucket.filesystem, "pipe_file", lambda path, value, mode="overwrite": write(path, value)
    )


def upload(ledger: ListLedger, file_id: str = "f1") -> None:
    """Claim the content of ``FILE``, and write down that the upload made a coupon file."""
    ledger.complete(ledger.claim(FILE).entry, file_id)


def look_up(ledger: ListLedger) -> None:
    """Look up the content of ``FILE``, the second of two files."""
    ledger.find_known([OTHER, FILE])


def claim(ledger: ListLedger, _: str = "") -> None:
    ledger.claim(FILE)


CLAIM_NAME = f"ledger/list%2F1/{FILE.sha256}-1.json"
RESULT_NAME = f"ledger/list%2F1/{FILE.sha256}-1-result.json"
BY_FIRST = "task upload of DAG summer in run run-1"
