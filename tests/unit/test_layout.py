"""The tests lie where one looks for them: each module has its mirror, and schedulers are started in one folder only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "wes_provider"

ELSEWHERE = {
    "clock.py": "uploads",
    "hooks.py": "test_connection.py",
    "operators.py": "test_bad_input.py",
    "segments.py": "test_bad_input.py",
    "catalog_records.py": "test_catalogs.py",
    "upload_task.py": "test_replenish.py",
}
"""Modules without a mirror, and the tests that cover them: a list that only ever gets shorter."""


def mirror_of(module: Path) -> Path:
    return module.with_name(f"test_{module.name}")


def modules() -> list[Path]:
    return [path.relative_to(PACKAGE) for path in sorted(PACKAGE.glob("*.py")) if not path.name.startswith("__")]


@pytest.mark.parametrize("module", modules(), ids=str)
def test_each_module_has_its_mirror(module: Path):
    mirror = TESTS / "unit" / mirror_of(module)
    if str(module) in ELSEWHERE:
        assert not mirror.exists(), "it has a mirror now: take it off ELSEWHERE"
        mirror = TESTS / "unit" / ELSEWHERE[str(module)]
    assert mirror.exists(), f"tests of wes_provider/{module} go into {mirror.relative_to(TESTS)}"


@pytest.mark.parametrize("package", sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")))
def test_each_package_has_a_folder_of_tests(package: str):
    """Sorted by behaviour, as a package's modules are its own affair."""
    assert list((TESTS / "unit" / package).glob("test_*.py"))


def test_the_list_of_exceptions_names_modules():
    assert set(ELSEWHERE) <= {str(module) for module in modules()}


def test_schedulers_are_started_by_tests_of_their_tier_only():
    starting = re.compile(r"\bsite\.start\(|\brun_load\(")
    for folder in ("unit", "airflow", "docs"):
        assert [path for path in (TESTS / folder).rglob("*.py") if starting.search(path.read_text())] in (
            [],
            [Path(__file__)],
        )
