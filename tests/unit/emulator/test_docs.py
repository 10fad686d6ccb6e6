"""The emulator's pages in the docs: their examples run, and they leave nothing out."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from wes_provider import contract
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.page import OPENAPI
from wes_provider.emulator.settings import OPERATIONS, Settings

PAGE = Path(__file__).parents[3] / "docs" / "emulator.md"
DATA = PAGE.with_name("emulator-data.md")
REFERENCE = PAGE.with_name("emulator-reference.md")


def test_examples_run(tmp_path: Path) -> None:
    text = PAGE.read_text() + DATA.read_text()
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
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
def test_every_setting_is_explained(name: str) -> None:
    """The reference is made of these comments."""
    assert re.search(rf"(#: .*\n    {name}: |    {name}: .*  #: [\w`])", inspect.getsource(Settings))


def test_every_fault_and_every_field_of_one_is_explained() -> None:
    for name in set(faults.__all__) - {"Fault"}:
        function = getattr(faults, name)
        doc = str(function.__doc__)
        arguments = set(inspect.signature(function).parameters) - {"effect", "status"}  # which the module explains
        missing = {one for one in arguments if f"``{one}" not in doc and f":param {one}:" not in doc}
        assert missing - PLAIN == set(), name
    assert {one for one in faults.Fault.__struct_fields__ if f":ivar {one}:" not in str(faults.Fault.__doc__)} == set()


PLAIN = {
    *("self", "list_id", "name", "url", "workspace", "operation", "seconds", "conn_id", "overrides"),
    *("content", "password", "body", "content_type"),
}
"""Arguments whose names say enough, or that the text explains."""


def test_every_argument_of_a_method_is_explained() -> None:
    for name, method in inspect.getmembers(EmulatorControl, inspect.isfunction):
        if not name.startswith("_"):
            arguments = set(inspect.signature(method).parameters) - PLAIN
            assert {one for one in arguments if f":param {one}:" not in method.__doc__} == set(), name


def test_every_action_is_a_method_or_named(wes_emulator: Emulator) -> None:
    with pytest.raises(ValueError, match="there are ") as refused:
        wes_emulator._control("nonsense")
    actions = str(refused.value).partition("there are ")[2].split(", ")
    assert len(actions) > 10
    others = {action for action in actions if not hasattr(EmulatorControl, action)}
    assert others <= set(re.findall(r"`(\w+)`", REFERENCE.read_text().partition("## Control it over HTTP")[2]))


def test_the_openapi_description_has_the_contracts_operations_fields_and_currencies() -> None:
    description = json.loads(OPENAPI.read_text())
    operations = [one for path in description["paths"].values() for one in path.values() if "operationId" in one]
    assert {one["operationId"] for one in operations} == set(OPERATIONS)
    schemas = description["components"]["schemas"]
    assert set(schemas["Upload"]["properties"]) == set(contract.UPLOAD_FIELDS)
    assert set(schemas["Catalog"]["properties"]) == set(contract.CATALOG_FIELDS)
    assert set(schemas["SegmentUpdate"]["properties"]) == set(contract.SEGMENT_FIELDS)
    assert set(schemas["Catalog"]["properties"]["price_currency"]["enum"]) == set(contract.CURRENCIES)


def test_what_is_not_reproduced_comes_first() -> None:
    assert re.findall(r"^## (.*)$", REFERENCE.read_text(), re.MULTILINE)[0] == "What it does not reproduce"
    assert "emulator-reference.md#what-it-does-not-reproduce" in PAGE.read_text().partition("\n## ")[0]
