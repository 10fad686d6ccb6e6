"""Fixtures for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.airflow_site import AirflowSite
from wes_provider.emulator import Emulator


@pytest.fixture(scope="session")
def airflow_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the migrated database of this session is: one for all of xdist's workers."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "airflow" / "template.db"


@pytest.fixture(scope="session")
def _session_site(tmp_path_factory: pytest.TempPathFactory, airflow_template: Path) -> Iterator[AirflowSite]:
    with AirflowSite(tmp_path_factory.mktemp("site"), airflow_template) as site:
        yield site


@pytest.fixture
def site(_session_site: AirflowSite) -> AirflowSite:
    """An Airflow with no DAG, run or connection, to run DAGs with :meth:`AirflowSite.run`."""
    _session_site.reset()
    return _session_site


@pytest.fixture(scope="module")
def running_site(
    tmp_path_factory: pytest.TempPathFactory, airflow_template: Path, _running_wes_emulator: Emulator
) -> Iterator[AirflowSite]:
    """The whole of Airflow, running for the tests of a module; ``wes_default`` leads to the emulator."""
    with AirflowSite(tmp_path_factory.mktemp("running"), airflow_template) as site:
        site.env = _running_wes_emulator.connection_env()
        site.start()
        yield site
