"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import HealthCheck, settings

# Not what the home folder has, perhaps of another version; and nothing is written there.
os.environ |= {
    "AIRFLOW_CONFIG": os.devnull,
    "AIRFLOW_HOME": f"{gettempdir()}/airflow-of-wes-tests-{os.getuid()}",
}

from support import messages
from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.statsd_server import StatsD
from wes_provider.emulator import Emulator

if AIRFLOW_VERSION == (2, 11):
    from airflow.models import DagModel  # noqa: F401 - without it, this Airflow makes no connection

HERE = Path(__file__).parent

# Local times differ from UTC by five and a half hours, so that nobody takes one for the other.
os.environ["TZ"] = "IST-5:30"
time.tzset()

# In the background of a shell; child processes inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Child processes, too, import what is installed and not the source in this folder.
os.environ["PYTHONSAFEPATH"] = "1"

ON_ANY_MACHINE = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# Others in each run, so they add up.
settings.register_profile("suite", max_examples=25, **ON_ANY_MACHINE)
# Pytest --hypothesis-profile=thorough.
settings.register_profile("thorough", max_examples=10_000, **ON_ANY_MACHINE)
settings.load_profile("suite")


LEAVES = {
    "doctor": [
        "unit/doctor",
        "airflow/test_doctor.py",
        "docs/test_first_day.py",
        "scheduler/test_first_day.py",
    ],
    "guards": [
        "unit/guards",
        "unit/test_bad_input.py",
        "airflow/test_guarded_segments.py",
        "airflow/test_guarded_updates.py",
        "airflow/test_restored_segments.py",
        "scheduler/test_guards.py",
        "production/test_production.py",
    ],
    "storage": [
        "unit/storage",
        "unit/test_bad_input.py",
        "airflow/test_database.py",
        "airflow/test_storage.py",
    ],
}
"""
The tests of packages that the rest does without; whoever deletes one of those packages needs to
change nothing.
"""

collect_ignore = [
    path
    for leaf, tests in LEAVES.items()
    if find_spec(f"wes_provider.{leaf}") is None
    for path in tests
]

BUCKETS = {"bucket", "s3", "_s3"}
"""The fixtures that start a bucket's server."""

TIERS: dict[str, tuple[set[str], int]] = {
    "production": ({"production_machine"}, 1800),
    "scheduler": ({"running_site", "scheduler_template", "airflow_command"}, 900),
    "airflow": ({"site", "airflow_template"}, 600),
    "unit": (set(), 0),
}
"""
The fixtures that put a test into a tier, the most expensive tier first; tests without any of them
are unit tests. And seconds for tests that have no timeout of their own: the first of a module pays
for what all of them share.
"""


def pytest_configure(config: pytest.Config) -> None:
    # Which does not note that the other side has closed a TLS connection.
    if sys.version_info < (3, 11):
        config.addinivalue_line(
            "filterwarnings", "ignore:unclosed transport <asyncio.sslproto:ResourceWarning"
        )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """
    Have each of xdist's workers start at another place: they share the rewriting of asserts in a
    fresh clone.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and "PYTEST_XDIST_WORKER" in os.environ:
        number, count = (
            int(os.environ["PYTEST_XDIST_WORKER"][2:]),
            int(os.environ["PYTEST_XDIST_WORKER_COUNT"]),
        )
        start = number * len(report.result) // count
        report.result = report.result[start:] + report.result[:start]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """
    Collect without garbage collection: what is loaded stays, and to go through it again and again,
    then and afterwards, takes a fifth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Mark each test with its tier, which its fixtures tell, and refuse tests in the folder of another
    tier.

    Among several processes, modules that take long come first, so that none is alone with one at
    the end: those marked so, then those with real task runs.
    """
    misplaced = []
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        tier = next(
            (tier for tier, (fixtures, _) in TIERS.items() if fixtures & set(item.fixturenames)),
            "unit",
        )
        item.add_marker(tier)
        if BUCKETS & set(item.fixturenames):
            item.add_marker("bucket")
        if (seconds := TIERS[tier][1]) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(seconds))
        if item.path.relative_to(HERE).parts[0].replace("docs", "unit") != tier:
            misplaced.append(f"{item.nodeid} is of the {tier} tier, as its fixtures tell")
    if misplaced:
        raise pytest.UsageError("\n".join(misplaced))
    if "PYTEST_XDIST_WORKER" in os.environ:  # otherwise in the order that was asked for
        marked = pytest.Item.get_closest_marker
        items.sort(
            key=lambda item: (
                marked(item, "long") is None,
                marked(item, "unit") is not None,
                item.path.parts,
            )
        )


@pytest.fixture(scope="session")
def airflow_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the migrated database of this session is: one for all of xdist's workers."""
    folder = tmp_path_factory.getbasetemp()
    return (
        (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)
        / "airflow"
        / "template.db"
    )


@pytest.fixture(scope="session")
def scheduler_template(airflow_template: Path) -> Path:
    """The same, for sites whose processes a test starts."""
    return airflow_template


@pytest.fixture
def airflow_command() -> None:
    """
    For tests that run the ``airflow`` command by themselves, which starts and loads anew each time.
    """


@pytest.fixture(scope="session")
def _statsd() -> Iterator[StatsD]:
    server = StatsD()
    yield server
    server.close()


@pytest.fixture
def statsd(_statsd: StatsD) -> StatsD:
    """
    Where :func:`site` sends its metrics, which Airflow decides when it is imported: for all tests
    alike.
    """
    _statsd.packets()
    return _statsd


@pytest.fixture(scope="session")
def _session_site(
    tmp_path_factory: pytest.TempPathFactory, airflow_template: Path, _statsd: StatsD
) -> Iterator[AirflowSite]:
    with AirflowSite(tmp_path_factory.mktemp("site"), airflow_template, _statsd.env) as site:
        yield site


@pytest.fixture
def site(_session_site: AirflowSite) -> AirflowSite:
    """An Airflow with no DAG, run or connection, to run DAGs with :meth:`AirflowSite.run`."""
    _session_site.reset()
    return _session_site


@pytest.fixture(scope="module")
def running_site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    airflow_template: Path,
    _running_wes_emulator: Emulator,
) -> Iterator[AirflowSite]:
    """
    The whole of Airflow, running for the tests of a module; ``wes_default`` leads to the emulator.

    The module may have ``SITE_ENV``, further environment variables, and ``SITE_EXTRA``, of the
    connection.
    """
    with AirflowSite(tmp_path_factory.mktemp("running"), airflow_template) as site:
        connection = _running_wes_emulator.connection_env(
            extra=getattr(request.module, "SITE_EXTRA", {})
        )
        site.env = {**connection, **getattr(request.module, "SITE_ENV", {})}
        site.start()
        yield site


@pytest.fixture(scope="session", autouse=True)
def _all_messages() -> None:
    messages.install()


@pytest.fixture(autouse=True)
def _no_secrets_in_messages(request: pytest.FixtureRequest) -> Iterator[None]:
    """No error message and no log line holds a secret."""
    before = set(messages.FOUND)
    yield
    # Whose values are as odd as can be.
    if not getattr(request.function, "is_hypothesis_test", False):
        assert messages.FOUND - before == set()
