"""What the README says is so: its commands stand alone, its DAG runs, its connection is taken, its links lead on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(heading: str) -> list[str]:
    """Content of the fenced blocks of a section."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("heading", ["Try it", "Run the tests"])
def test_the_section_is_one_command(heading: str):
    (block,) = blocks(heading)
    assert len(block.splitlines()) == 1


def test_the_dag_runs(site: AirflowSite, wes_emulator: Emulator):
    (dag,) = blocks("A DAG")
    assert len(list(filter(None, dag.splitlines()))) <= 15
    for name in ("shops.csv", "web.csv"):
        wes_emulator.host(name, b"coupon\n" + name.encode())
    site.write_dag("readme", dag.replace("https://files.example.com/coupons", wes_emulator.files_url))
    run = site.run("summer_sale")
    assert run.states() == {"replenish": "success", "refresh": "success"}
    assert [file["status"] for file in wes_emulator.files("summer-sale")] == ["SUCCESS", "SUCCESS"]
    assert set(wes_emulator.segments) == {"summer-shoppers"}


def test_the_connection_is_taken(site: AirflowSite):
    (block,) = blocks("Use it")
    _, _, command = block.replace("\\\n", "").partition("airflow ")
    site.airflow(*shlex.split(command))
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
    assert run.xcom("read") == ["https://api-02.example.com", "WORKSPACE", "CAMPAIGN_API_KEY", "DATA_API_KEY"]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_the_link_leads_somewhere(target: str):
    assert (ROOT / target).exists()
