"""Lists replenished in real DAG runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

UPLOAD = "upload_coupon_file"
FILES = [f"https://files.example.com/{index}.csv?sig=topsecret" for index in range(4)]


@pytest.fixture
def connected(site: AirflowSite, wes_emulator: Emulator) -> AirflowSite:
    """A site whose connection leads to the emulator, where all files are processed in a second."""
    site.env = wes_emulator.connection_env()
    wes_emulator.configure(rate_limit_headers="all")
    wes_emulator.script(statuses=[("PENDING", 1), ("SUCCESS", None)])
    return site


def replenish(**arguments: Any) -> str:
    given = {"task_id": "replenish", "coupon_list_id": "list", "files": FILES, "poll_interval": 1, **arguments}
    return f"WesReplenishCouponListOperator({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def check(run: Run, emulator: Emulator, files: list[str] = FILES) -> None:
    """All is well, and the files are uploaded once and in order."""
    assert run.state == "success"
    uploaded = emulator.files("list")
    assert [file["file_url"] for file in uploaded] == files
    assert run.xcom("replenish") == [file["_id"] for file in uploaded]
    coupon_files = run.xcom("replenish", "coupon_files")
    assert [file["id"] for file in coupon_files] == run.xcom("replenish")
    assert {file["status"] for file in coupon_files} == {"SUCCESS"}


@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
def test_a_list_is_replenished(connected: AirflowSite, wes_emulator: Emulator, deferrable: bool):
    run = connected.run(replenish(deferrable=deferrable))
    check(run, wes_emulator)
    assert "File 4 of 4 uploaded" in run.log("replenish")
    assert "Processed: " in run.log("replenish")


# A deferral is worth it from 20 s on.
@pytest.mark.one_airflow("the pace is the provider's; an Airflow defers above as well")
@pytest.mark.parametrize(
    ("deferrable", "window"),
    [
        pytest.param(False, 6, id="worker"),
        pytest.param(True, 24, id="triggerer", marks=pytest.mark.weekly("the scheduler tier defers for a window")),
    ],
)
def test_a_full_window_is_waited_for(connected: AirflowSite, wes_emulator: Emulator, deferrable: bool, window: int):
    wes_emulator.configure(window_policy="rolling", limits={UPLOAD: [[3, window]]})
    run = connected.run(replenish(deferrable=deferrable))
    check(run, wes_emulator)
    times = [request.time for request in wes_emulator.requests_for(UPLOAD)]
    assert len(times) == 4
    assert window <= times[3] - times[0]
    assert "The rate limit allows the next upload at" in run.log("replenish")


def test_files_come_from_another_task_and_no_secret_is_left(connected: AirflowSite, wes_emulator: Emulator):
    run = connected.run(
        f"""
        @task
        def produce():
            return [{{"file_url": url, "file_url_auth_username": "u", "file_url_auth_password": "hunter2"}}
                    for url in {[url.replace("topsecret", "other") for url in FILES]!r}]

        WesReplenishCouponListOperator(
            task_id="replenish", coupon_list_id="list", files=produce(), poll_interval=1, deferrable=True,
        )
        @task
        def one(number):
            return f"https://files.example.com/mapped-{{number}}.csv?sig=other"

        WesReplenishCouponListOperator(
            task_id="mapped", coupon_list_id="mapped", poll_interval=1, files=one.expand(number=[1, 2]),
        )
        WesReplenishCouponListOperator(
            task_id="text", coupon_list_id="other", poll_interval=1,
            files="{{{{ ti.xcom_pull('produce')[:1] | tojson }}}}",
        ) << produce()
        """
    )
    check(run, wes_emulator, [url.replace("topsecret", "other") for url in FILES])
    assert len(wes_emulator.files("other")) == 1
    assert len(wes_emulator.files("mapped")) == 2
    for task_id in ("replenish", "text", "mapped"):
        rendered = json.dumps(run.rendered(task_id))
        assert "https://files.example.com/" in rendered
        for secret in ("sig=other", "hunter2"):
            assert secret not in rendered
            assert secret not in json.dumps(run.xcoms(task_id))
            assert secret not in run.log(task_id)


def test_a_json_file_lists_the_files(connected: AirflowSite, wes_emulator: Emulator):
    (connected.dags / "files.json").write_text(json.dumps([*FILES, "https://files.example.com/{{ run_id }}.csv"]))
    run = connected.run(replenish(files="files.json"))
    check(run, wes_emulator, [*FILES, f"https://files.example.com/{run.run_id}.csv"])
