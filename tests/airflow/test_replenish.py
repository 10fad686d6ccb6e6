"""
Lists replenished in real task runs, from whatever gives their files; the pace is tested in
``unit/uploads``.
"""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

FILES = [f"https://files.example.com/{index}.csv?sig=other" for index in range(4)]


def test_files_come_from_another_task_or_a_json_file_and_no_secret_is_left(
    site: AirflowSite, wes_emulator: Emulator
):
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
            (id_, "SUCCESS") for id_ in run.xcom(name)
        ]
        rendered = json.dumps(run.rendered(name))
        assert "https://files.example.com/" in rendered or name == "file"
        for secret in ("sig=other", "hunter2"):
            assert secret not in rendered + json.dumps(run.xcoms(name)) + run.log(name)
