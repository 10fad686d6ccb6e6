"""
Lists replenished in real task runs, from whatever gives their files; the pace is tested in
``unit/uploads``.
"""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

FILES = [f"https://files.example.com/{index}.csv?sig=other" for index in range(4)]


NO_SECRETS = ("sig=other", "hunter2")
"""Of the signature in the URLs, and of the password that a task gives for them."""


def test_files_come_from_another_task_or_a_json_file_and_no_secret_is_left(
    site: AirflowSite, wes_emulator: Emulator
):
    """
    One run for four tasks: files are the XCom of a task, mapped from another one, a text with JSON,
    and the name of a file with JSON and a template. None of them leaves a secret in its rendered
    arguments, its XComs and its log.
    """
    wes_emulator.script(statuses=[("PENDING", 1), ("SUCCESS", None)])
    (site.dags / "files.json").write_text(
        json.dumps([*FILES[:1], "https://files.example.com/{{ run_id }}.csv"])
    )
    run = site.run(site.write_dag_file("replenish_from_anywhere", urls=FILES))
    assert run.state == "success"
    expected = {
        "output": FILES,
        "mapped": [f"https://files.example.com/mapped-{number}.csv?sig=other" for number in (1, 2)],
        "text": FILES[:1],
        "file": [FILES[0], f"https://files.example.com/{run.run_id}.csv"],
    }
    for name, urls in expected.items():
        uploaded = wes_emulator.files(name)
        assert [file["file_url"] for file in uploaded] == urls
        assert run.xcom(name) == [file["_id"] for file in uploaded]
        coupon_files = run.xcom(name, "coupon_files")
        assert [(file["id"], file["status"]) for file in coupon_files] == [
            (file["_id"], "SUCCESS") for file in uploaded
        ]
        left = json.dumps(run.rendered(name)) + json.dumps(run.xcoms(name)) + run.log(name)
        assert [secret for secret in NO_SECRETS if secret in left] == []
    for name in ("output", "mapped", "text"):
        assert "https://files.example.com/" in json.dumps(run.rendered(name))
