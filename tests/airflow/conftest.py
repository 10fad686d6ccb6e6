"""
What modules share whose tests all read one run: starting a run takes much longer than one more task.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator


@pytest.fixture(scope="module")
def module_site(_session_site: AirflowSite) -> AirflowSite:
    """An Airflow for all tests of a module, none of which has the fixture ``site``."""
    _session_site.reset()
    return _session_site


@pytest.fixture(scope="module")
def module_emulator(module_site: AirflowSite) -> Iterator[Emulator]:
    """The service for all tests of a module; ``wes_default`` leads to it."""
    with Emulator() as emulator:
        module_site.env = emulator.connection_env()
        yield emulator
