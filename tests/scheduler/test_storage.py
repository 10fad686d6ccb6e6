"""
Nothing that signs a URL, and no signature, is in what Airflow keeps of tasks that wait for files of
a bucket.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from support.storage_tasks import bucket_server
from wes_provider.emulator import Emulator

pytest.importorskip("wes_provider.storage")

KEY, SECRET, TOKEN = "AKIDPLANTED", "planted-s3-secret", "planted-s3-session-token"
TASKS = """
from wes_provider.assets import coupon_list
from wes_provider.storage import Ledger

bucket = "s3://aws_default@promo"
WesReplenishCouponListOperator(
    task_id="replenish", coupon_list_id="many", files=f"{bucket}/winter/*.csv", ledger=Ledger(f"{bucket}/ledger"),
    deferrable=True, poll_interval=1,
)
WesUploadCouponFileOperator(
    task_id="upload", coupon_list_id="one", file_url=f"{bucket}/winter/0.csv", ledger=Ledger(),
    outlets=[coupon_list("one")], wait_for_completion=True, deferrable=True, poll_interval=1,
) >> WesReplenishCouponListOperator(
    task_id="known", coupon_list_id="one", files=f"{bucket}/winter/0.csv", ledger=Ledger(on_known_content="skip"),
    outlets=[coupon_list("one")],
)
"""


@pytest.fixture
def s3() -> Iterator[Any]:
    with bucket_server() as server:
        server.secrets[KEY], server.tokens[KEY] = SECRET, TOKEN
        yield server


def assert_nothing_shows(site: AirflowSite, s3: Any, run: Run) -> None:
    """
    Not in the database (triggers, XComs, rendered fields, task instances, state stores), a log, or
    the ledger.
    """
    ledger = [(name, s3.get(name)) for name in s3.names("ledger/")]
    assert ledger
    planted = ("X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", SECRET, TOKEN)
    planted += tuple({request.signature for request in s3.signed})
    texts = [*site.texts(), *ledger, ("output", run.output.encode())]
    assert "airflow.db" in dict(texts)
    assert [
        (secret, name) for name, text in texts for secret in planted if secret.encode() in text
    ] == []


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="once is enough, with the asset state store")
def test_no_signature_or_key_is_kept_of_deferred_tasks(
    tmp_path: Path, scheduler_template: Path, s3: Any
) -> None:
    for index in range(7):  # more than a minute takes
        s3.put(
            f"winter/{index}.csv",
            b"code\n" + b"".join(b"%d-%d\n" % (index, code) for code in range(3)),
        )
    with (
        Emulator(processing_time=3600) as emulator,
        AirflowSite(tmp_path, scheduler_template) as site,
    ):
        site.env = {
            **emulator.connection_env(),
            **UNHURRIED,
            "AIRFLOW_CONN_AWS_DEFAULT": s3.connection(KEY, aws_session_token=TOKEN),
        }
        dag_id = site.write_tasks(TASKS, default_args={"retries": 1, "retry_delay": 15})
        site.start()
        run = site.trigger(dag_id)
        for task_id in ("replenish", "upload"):
            run.wait("deferred", task_id=task_id, timeout=240)
            wait_until(lambda task_id=task_id: run.trigger_of(task_id), 60, "its trigger")
            assert run.rendered(task_id)
        wait_until(lambda: s3.signed, 60, "the service to fetch a file")
        assert_nothing_shows(site, s3, run)
        wait_until(lambda: len(emulator.files("many")) == 7, 240, "the last file")
        emulator.clock.advance(7200)
        run.wait(timeout=240)
        assert run.states() == {"replenish": "success", "upload": "success", "known": "success"}
        assert (run.xcom("known"), len(emulator.files("one"))) == ([], 1), (
            "the asset state store has the ledger"
        )
        assert len(run.xcom("replenish", "coupon_files")) == 7
        assert_nothing_shows(site, s3, run)
