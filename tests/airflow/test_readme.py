"""The README's DAG runs, and its connection is taken."""

from __future__ import annotations

import shlex

from support.airflow_site import AirflowSite
from support.pages import README, section, snippets
from wes_provider.emulator import Emulator


def test_the_dag_runs(site: AirflowSite, wes_emulator: Emulator):
    (dag,) = snippets(section(README, "A DAG"))
    assert len(list(filter(None, dag.splitlines()))) <= 16
    for name in ("shops.csv", "web.csv"):
        wes_emulator.host(name, b"coupon\n" + name.encode())
    site.write_dag(
        "readme", dag.replace("https://files.example.com/coupons", wes_emulator.files_url)
    )
    run = site.run("summer_sale")
    assert run.states() == {"replenish": "success"}
    assert [file["status"] for file in wes_emulator.files("summer-sale")] == ["SUCCESS", "SUCCESS"]


def test_the_connection_is_taken(site: AirflowSite):
    connection, commands = snippets(section(README, "Use it"))
    for command in commands.splitlines()[1:]:  # after the installation
        program, *arguments = shlex.split(command.partition("&&")[0], comments=True)
        assert program == "airflow"
        file = site.home / "wes.json"
        file.write_text(connection)
        site.airflow(*(str(file) if argument == file.name else argument for argument in arguments))
    run = site.run(
        """
        @task
        def read():
            from wes_provider.hooks import WesHook

            settings = WesHook().settings
            return [settings.base_url, settings.workspace_id, settings.api_key, settings.data_api_key]

        read()
        """
    )
    assert run.xcom("read") == [
        "https://api-01.example.com",
        "WORKSPACE",
        "CAMPAIGN_API_KEY",
        "DATA_API_KEY",
    ]
    audit = " ".join(
        f"{row.event} {row.extra}" for row in site.rows("SELECT event, extra FROM log")
    )
    assert "cli_connections_import" in audit
    assert "API_KEY" not in audit
