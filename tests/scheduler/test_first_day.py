"""
The page "First day on a real account" leads to a green run: its rehearsal, word for word.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.pages import PAGES, snippets
from wes_provider.emulator import Emulator

PAGE = PAGES["first-day.md"]


@pytest.mark.one_airflow("what a page tells a user to type")
@pytest.mark.timeout(900)
def test_the_pages_commands_lead_to_a_green_run(tmp_path: Path, shell: Callable[..., Any]):
    write_file, rehearse, prepare, keys, _, connect, *steps = snippets(PAGE, "bash")
    read, save, again, _, upload, paste, delete_keys, run_dag, copy = steps
    settings = dict(re.findall(r"--set (\w+)=(\S+)", rehearse))
    assert len(settings) == 2
    with Emulator(**settings) as emulator:
        shell(write_file)
        emulator.host("coupons.csv", (tmp_path / "coupons/coupons.csv").read_bytes())
        url = f"{emulator.files_url}/coupons.csv?signature=SECRET-SIGNATURE"
        values = {
            "http://127.0.0.1:8099": emulator.url,
            "$HOSTED/coupons.csv": shlex.quote(url),
        }

        def run(command: str, code: int = 0, typed: str = "") -> str:
            for placeholder, value in values.items():
                command = command.replace(placeholder, value)
            if "--upload" in command or "--catalog" in command:
                command = command.replace("wes-doctor", "wes-doctor --yes").replace(
                    "--yes --yes", "--yes"
                )
            printed: str = shell(f"{exports}\n{command}", code, typed).stdout
            for secret in (emulator.api_key, emulator.data_api_key, "SECRET-SIGNATURE"):
                assert secret not in printed.replace(str(tmp_path), "")
            return printed

        exports = ""
        run(prepare)
        exports, *_ = prepare.partition("mkdir")
        run(keys, typed=f"{emulator.api_key}\n{emulator.data_api_key}\n")
        assert {
            (tmp_path / name).stat().st_mode & 0o777 for name in ("campaign.key", "data.key")
        } == {0o600}
        run(connect)
        shown_report, shown_extra = snippets(PAGE, "text")
        report = run(read, code=1).replace(emulator.url, "https://api-01.example.com")
        assert " ".join(report.split()).startswith(" ".join(shown_report.split())), report
        run(save, code=1)
        (verdict,) = re.findall(r"The last command checks the keys. It says `([^`]+)`", PAGE)
        assert f"\n{verdict}" in run(again, code=1)
        assert emulator.files("LIST") == []
        uploaded = run(upload, code=1)
        assert len(emulator.files("LIST")) == 1
        assert [catalog["name"] for catalog in emulator.catalogs.values()] == ["first-day"]
        assert emulator.segments["first-day"]["updated_by"] == "me@example.com"

        said, shown = shown_extra.split("\n", 1)
        assert said in uploaded
        extra = json.loads(re.findall(r"^\{\n.*?^\}", uploaded, re.MULTILINE | re.DOTALL)[0])
        assert json.loads(shown) == extra
        assert json.loads((tmp_path / "extra.json").read_text()) == extra
        connection = json.loads((tmp_path / "wes.json").read_text())["wes_default"]
        assert connection["extra"] == {"data_api_key": emulator.data_api_key, **extra}
        assert uploaded.startswith("Not ready: ")
        assert re.search("^Ready, as far as reads show: ", run(paste), re.MULTILINE)
        run(delete_keys)
        left = [
            name for name in ("campaign.key", "data.key", "wes.json") if (tmp_path / name).exists()
        ]
        assert left == []

        (dag,) = snippets(PAGE, "python")
        (name,) = re.findall(
            r"^Save this into the folder of your DAGs as `(.*)`,", PAGE, re.MULTILINE
        )
        (tmp_path / "airflow/dags" / name).write_text(
            dag.replace('"https://files.example.com/coupons.csv"', repr(url))
        )
        run(run_dag)
        assert len(emulator.files("LIST")) == 2

        ran = run(copy)
        assert len(emulator.files("LIST")) == 2
        assert json.loads((tmp_path / "service.json").read_text()) == settings
        assert re.search(r"\b3 coupons added, 0 duplicates", ran), ran
