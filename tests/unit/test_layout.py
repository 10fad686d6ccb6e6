"""The tests lie where one looks for them: each module has its mirror, and schedulers are started in one folder only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "wes_provider"

ELSEWHERE = {
    "clock.py": "uploads/test_uploader.py",
    "client/async_client.py": "client/test_operations.py",  # where both clients run the same tests
    "client/bounded.py": "client/test_hostile_answers.py",
    "client/events.py": "test_metrics.py",
    "client/read_limit.py": "test_triggers.py",
    "client/sync_client.py": "client/test_operations.py",  # where both clients run the same tests
    "emulator/actions.py": "emulator/test_control.py",
    "emulator/catalogs.py": "emulator/test_rules.py",
    "emulator/checks.py": "emulator/test_rules.py",
    "emulator/context.py": "emulator/test_rules.py",
    "emulator/coupons.py": "emulator/test_rules.py",
    "emulator/fault_queue.py": "emulator/test_faults.py",
    "emulator/hosting.py": "emulator/test_processing.py",
    "emulator/page.py": "emulator/test_control.py",
    "emulator/processor.py": "emulator/test_processing.py",
    "emulator/pytest_plugin.py": "emulator/test_fixture.py",
    "emulator/replies.py": "emulator/test_rules.py",
    "emulator/rewriting.py": "emulator/test_rules.py",
    "emulator/server.py": "emulator/test_http.py",
    "emulator/service.py": "emulator/test_rules.py",
    "emulator/settings.py": "emulator/test_cli.py",
    "emulator/store.py": "emulator/test_state.py",
    "exceptions.py": "client/test_operations.py",
    "hooks.py": "test_connection.py",
    "operators.py": "test_bad_input.py",
    "segments.py": "test_bad_input.py",
    "storage/errors.py": "storage/test_files.py",
    "tasks.py": "test_sensors.py",
    "upload_task.py": "test_bad_input.py",
    "uploads/list_reader.py": "uploads/test_uploader.py",
    "uploads/many.py": "test_replenish.py",
    "uploads/request.py": "uploads/test_uploader.py",
}
"""Modules without a mirror, and the tests that cover them: a list that only ever gets shorter."""


def mirror_of(module: Path) -> Path:
    return module.with_name(f"test_{module.name}")


def modules() -> list[Path]:
    found = (path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))
    return [path for path in found if not path.name.startswith("__")]


@pytest.mark.parametrize("module", modules(), ids=str)
def test_each_module_has_its_mirror(module: Path):
    mirror = TESTS / "unit" / mirror_of(module)
    if str(module) in ELSEWHERE:
        assert not mirror.exists(), "it has a mirror now: take it off ELSEWHERE"
        mirror = TESTS / "unit" / ELSEWHERE[str(module)]
    assert mirror.exists(), f"tests of wes_provider/{module} go into {mirror.relative_to(TESTS)}"


def test_the_list_of_exceptions_names_modules():
    assert set(ELSEWHERE) <= {str(module) for module in modules()}


def test_schedulers_are_started_by_tests_of_their_tier_only():
    starting = re.compile(r"\bsite\.start\(|\brun_load\(")
    for folder in ("unit", "airflow", "docs"):
        assert [path for path in (TESTS / folder).rglob("*.py") if starting.search(path.read_text())] in (
            [],
            [Path(__file__)],
        )
