"""
The page "First day on a real account" leads to a green run: its commands, one after the other.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.doctor_service import OLD_LIST, VARIANTS, service
from support.pages import PAGES, snippets

PAGE = PAGES["first-day.md"]


@pytest.mark.one_airflow("what a page tells a user to type")
@pytest.mark.timeout(900)
def test_the_pages_commands_lead_to_a_green_run(tmp_path: Path, shell: Callable[..., Any]):
    with service(VARIANTS["other-paths"], processing_time=0) as emulator:
        url = f"{emulator.files_url}/good.csv?signature=SECRET-SIGNATURE"
        values = {
            "https://api-{data_center}.example.com": emulator.url,
            "WORKSPACE": emulator.workspace_id,
            "--coupon-list LIST": f"--coupon-list {OLD_LIST}",
            "URL": shlex.quote(url),
            "--catalog NAME": "--catalog first-day",
            "--segment ID": "--segment first-day",
            "EMAIL": "me@example.com",
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

        _rehearse, prepare, keys, connect, read, upload, paste, run_dag, copy, bad_day = snippets(
            PAGE, "bash"
        )
        exports = ""
        run(prepare)
        exports, *_ = prepare.splitlines()
        run(keys, typed=f"{emulator.api_key}\n{emulator.data_api_key}\n")
        assert {
            (tmp_path / name).stat().st_mode & 0o777 for name in ("campaign.key", "data.key")
        } == {0o600}
        run(connect)
        read_report = run(read, code=1)
        assert {"sure", "unsure", "wrong"} <= set(read_report.split())
        assert emulator.files(OLD_LIST)[3:] == []
        uploaded = run(upload, code=1)
        assert len(emulator.files(OLD_LIST)) == 4
        assert [catalog["name"] for catalog in emulator.catalogs.values()] == ["first-day"]
        assert emulator.segments["first-day"]["updated_by"] == "me@example.com"

        _, shown = snippets(PAGE, "text")
        printed = uploaded[uploaded.index("The connection's extra") :]
        assert shown.strip() in printed
        extra = json.loads(re.findall(r"^\{\n.*?^\}", printed, re.MULTILINE | re.DOTALL)[0])
        assert json.loads((tmp_path / "extra.json").read_text()) == extra
        connection = json.loads((tmp_path / "wes.json").read_text())["wes_default"]
        assert connection["extra"] == {"data_api_key": emulator.data_api_key, **extra}
        assert uploaded.splitlines()[-1].startswith(
            "Not ready: put the extra above into the connection"
        )
        assert run(paste).splitlines()[-1].startswith("Ready: ")

        (dag,) = snippets(PAGE, "python")
        (name,) = re.findall(
            r"^Save this into the folder of your DAGs as `(.*)`,", PAGE, re.MULTILINE
        )
        (tmp_path / "airflow/dags" / name).write_text(
            dag.replace('"LIST"', repr(OLD_LIST)).replace(
                '"https://files.example.com/coupons.csv"', repr(url)
            )
        )
        run(run_dag)
        assert len(emulator.files(OLD_LIST)) == 5

        run(copy)
        assert len(emulator.files(OLD_LIST)) == 5
        written = json.loads((tmp_path / "service.json").read_text())
        assert written == {name: VARIANTS["other-paths"][name] for name in written}
        assert json.loads(run(bad_day))["works"] is True
