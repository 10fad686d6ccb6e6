"""The emulator's page in the docs: its examples run, and it leaves nothing out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from wes_provider.emulator import Emulator, faults, service
from wes_provider.emulator.cli import main
from wes_provider.emulator.settings import Settings

PAGE = Path(__file__).parents[3] / "docs" / "emulator.md"


@pytest.fixture(scope="module")
def page() -> str:
    """Its text."""
    return PAGE.read_text()


def test_examples_run(page: str, tmp_path: Path) -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for i, example in enumerate(examples):
        (tmp_path / f"test_example_{i}.py").write_text(example)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "AIRFLOW_CONN"))}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", "-q", "."],
        cwd=tmp_path,
        env={**environment, "AIRFLOW_HOME": str(tmp_path / "airflow")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(examples)} passed" in result.stdout


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_is_named(page: str, name: str) -> None:
    assert f"`{name}`" in page.partition("## Settings")[2]


@pytest.mark.parametrize("name", sorted(set(faults.__all__) - {"Fault"}))
def test_every_fault_is_named(page: str, name: str) -> None:
    assert f"`{name}(" in page


def test_every_field_of_a_fault_is_named(page: str) -> None:
    names = {field.name for field in fields(faults.Fault)}
    assert {name for name in names if f"`{name}`" not in page.partition("A `fault` is an object")[2]} == set()


def test_every_action_is_named(page: str, wes_emulator: Emulator) -> None:
    with pytest.raises(ValueError, match="there are ") as refused:
        wes_emulator._control("nonsense")
    actions = str(refused.value).partition("there are ")[2].split(", ")
    assert len(actions) > 10
    assert {action for action in actions if f"`{action}`" not in page.partition("## Controls over HTTP")[2]} == set()


def test_every_option_is_named(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert "--state" in options
    assert {option for option in options if f"`{option}" not in page} == set()


def test_every_method_is_named(page: str) -> None:
    names = {name for name in dir(Emulator) if not name.startswith("_")}
    mentioned = set(re.findall(r"\w+", page))
    obvious = {"start", "stop", "url", "files_url", "connection", "ca_file"}
    assert names - mentioned - obvious == set()


def test_what_is_not_reproduced_comes_first(page: str) -> None:
    assert re.findall(r"^## (.*)$", page, re.MULTILINE)[0] == "What it does not reproduce"


def test_no_module_is_longer_than_400_lines() -> None:
    files = [*Path(service.__file__).parent.glob("*.*")]
    assert {"page.html", "page.css", "page.js", "service.py"} <= {file.name for file in files}
    assert {file.name: lines for file in files if (lines := len(file.read_text().splitlines())) > 400} == {}
