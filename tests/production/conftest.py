"""The deployment that the tests of this tier examine: made and attacked once."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from support.attack import Deployment, attack
from support.production_site import ProductionSite, what_is_missing


@pytest.fixture(scope="session")
def production_machine() -> None:
    """Skips what needs PostgreSQL, Redis and Celery on a machine without them."""
    missing = what_is_missing()
    if missing:
        pytest.skip(missing)


@pytest.fixture(scope="module")
def deployment(
    tmp_path_factory: pytest.TempPathFactory, production_machine: None
) -> Iterator[Deployment]:
    """What the attack on a deployment has left: Airflow's database, its logs, and the service."""
    with ProductionSite(tmp_path_factory.mktemp("production")) as site:
        deployment = Deployment(site, seed=random.randrange(1 << 32))
        deployment.start()
        attack(deployment)
        yield deployment
