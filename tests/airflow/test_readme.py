"""
The README's DAG is the example ``summer_sale``, has at most 17 lines that are not blank, and
uploads both of its files: of 5,000 and 3,000 codes, all are added, and its log has the line that
the README quotes, ``8000 coupons added, 0 duplicates``.

The README's commands import the README's connection: a task gets its workspace, both of its keys,
and its address with the data center filled in. Airflow's audit log has the import without the keys.
"""

from __future__ import annotations

import shlex

from support.airflow_site import AirflowSite
from support.pages import README, ROOT, section, snippets
from wes_provider.emulator import Emulator


def test_the_readmes_dag_is_an_example_and_adds_the_8000_coupons_of_two_files(
    site: AirflowSite, wes_emulator: Emulator
):
    (dag,) = snippets(section(README, "A DAG"))
    assert len(list(filter(None, dag.splitlines()))) <= 17
    assert (ROOT / "example_dags" / "summer_sale.py").read_text().endswith(f'"""\n\n{dag}')
    for name, count in (("shops", 5000), ("web", 3000)):
        codes = "".join(f"{name}-{number}\n" for number in range(count))
        wes_emulator.host(f"{name}.csv", f"coupon\n{codes}".encode())
    wes_emulator.configure(hosted_url="https://files.example.com")
    site.write_dag("readme", dag)
    run = site.run("summer_sale")
    assert run.states() == {"replenish": "success"}
    assert [file["status"] for file in wes_emulator.files("summer-sale")] == ["SUCCESS", "SUCCESS"]
    added = "8000 coupons added, 0 duplicates"
    assert added in run.log("replenish")
    assert added in README


def import_connection(site: AirflowSite) -> None:
    """Do what the README says, after the installation."""
    connection, commands = snippets(section(README, "Use it"))
    file = site.home / "wes.json"
    file.write_text(connection)
    for command in commands.splitlines()[1:]:
        program, *arguments = shlex.split(command.partition("&&")[0], comments=True)
        assert program == "airflow"
        site.airflow(*(str(file) if argument == file.name else argument for argument in arguments))


READ_CONNECTION = """
    @task
    def read():
        from wes_provider.hooks import WesHook

        settings = WesHook().settings
        return [settings.base_url, settings.workspace_id, settings.api_key, settings.data_api_key]

    read()
"""


def test_a_task_has_the_connection_that_was_imported(site: AirflowSite):
    import_connection(site)
    assert site.run(READ_CONNECTION).xcom("read") == [
        "https://api-01.example.com",
        "WORKSPACE",
        "CAMPAIGN_API_KEY",
        "DATA_API_KEY",
    ]


def test_airflows_audit_log_has_the_import_without_the_keys(site: AirflowSite):
    import_connection(site)
    audit = " ".join(
        f"{row.event} {row.extra}" for row in site.rows("SELECT event, extra FROM log")
    )
    assert "cli_connections_import" in audit
    assert "API_KEY" not in audit
