"""
The package as users install it: what is in the wheel, what Airflow learns of it, what importing it
loads.
"""

from __future__ import annotations

import json
import os
import sysconfig
import zipfile
from importlib.metadata import entry_points, metadata, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import wes_provider

ROOT = Path(__file__).parents[2]


def airflow_schema(name: str) -> dict[str, Any]:
    """A schema that the installed Airflow checks providers with, read without importing Airflow."""
    spec = find_spec("airflow")
    assert spec is not None
    return json.loads(Path(next(iter(spec.submodule_search_locations or ())), name).read_text())


@pytest.fixture
def wheel() -> zipfile.ZipFile:
    """The wheel that tox built and installed here."""
    if "TOX_PACKAGE" not in os.environ:
        pytest.skip("tox builds the wheel")
    return zipfile.ZipFile(os.environ["TOX_PACKAGE"])


def test_the_tests_run_on_the_installed_wheel(wheel: zipfile.ZipFile):
    assert Path(wes_provider.__file__).is_relative_to(sysconfig.get_path("purelib"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile):
    in_wheel = {name for name in wheel.namelist() if ".dist-info/" not in name}
    source = (
        path
        for path in (ROOT / "wes_provider").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    )
    assert in_wheel == {str(path.relative_to(ROOT)) for path in source}
    assert "wes_provider/py.typed" in in_wheel


def test_the_wheel_carries_the_licence(wheel: zipfile.ZipFile):
    dist_info = f"airflow_provider_wes-{wes_provider.__version__}.dist-info"
    assert wheel.read(f"{dist_info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()


def test_the_version_stands_in_one_place():
    assert version("airflow-provider-wes") == wes_provider.__version__
    assert wes_provider.get_provider_info()["versions"] == [wes_provider.__version__]
    assert metadata("airflow-provider-wes")["License-Expression"] == "Apache-2.0"


def test_the_changelog_has_the_version():
    assert f"\n## {wes_provider.__version__}\n" in (ROOT / "docs" / "changelog.md").read_text()


def test_what_airflow_learns_has_the_shape_that_it_demands():
    every = entry_points(group="apache_airflow_provider")
    (ours,) = [entry_point for entry_point in every if entry_point.module == "wes_provider"]
    info = ours.load()()
    assert info == wes_provider.get_provider_info()
    jsonschema.validate(info, airflow_schema("provider_info.schema.json"))


def test_the_connection_type_has_the_shape_that_airflows_own_providers_have():
    schema = airflow_schema("provider.yaml.schema.json")
    connection_types = {
        **schema["properties"]["connection-types"],
        "definitions": schema.get("definitions", {}),
    }
    jsonschema.validate(wes_provider.get_provider_info()["connection-types"], connection_types)
