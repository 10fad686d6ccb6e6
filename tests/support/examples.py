"""The example DAGs on a site, their connection and their files' address leading to an emulator."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

EXAMPLES = Path(__file__).parents[2] / "example_dags"

COUPONS = b"coupon\n" + b"".join(b"SUMMER-%05d\n" % number for number in range(5000))


def prepare(site: AirflowSite, emulator: Emulator) -> None:
    """Copy the example DAGs to a site, as ``wes-emulator exec --host-folder`` would have it."""
    shutil.copytree(EXAMPLES, site.dags, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    emulator.configure(processing_time=0.5)
    emulator.host("coupons.csv", COUPONS)
    site.env = {**emulator.connection_env(), "WES_EMULATOR_FILES_URL": emulator.files_url}
    site.airflow("dags", "reserialize")  # also makes assets known, without which Airflow 3.0 runs no task with outlets
