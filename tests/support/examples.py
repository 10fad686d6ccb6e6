"""The example DAGs on a site, their connection and their files' address leading to an emulator."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator

EXAMPLES = Path(__file__).parents[2] / "example_dags"

COUPONS = b"coupon\n" + b"".join(b"SUMMER-%05d\n" % number for number in range(5000))


def prepare(site: AirflowSite, emulator: Emulator, only: Collection[str] | None = None) -> None:
    """
    Copy the example DAGs to a site, as ``wes-emulator exec --host-folder`` would have it.

    :param only: names of files without their suffix: each command of Airflow reads all that are
        there.
    """
    for path in EXAMPLES.glob("*.py"):
        source = path.read_text()
        if "from airflow.sdk import" in source and AIRFLOW_VERSION < (3, 0):
            continue
        imported = re.findall(r"^from (wes_provider\.\w+)", source, re.MULTILINE)
        # Whatever imports a package that is not there does so with one that the rest does without.
        if (only is None or path.stem in only) and all(map(find_spec, imported)):
            shutil.copy(path, site.dags)
    emulator.configure(processing_time=0.5, hosted_url="https://files.example.com")
    emulator.host("coupons.csv", COUPONS)
    site.env = {**emulator.connection_env(), "WES_EMULATOR_FILES_URL": emulator.files_url}
    # Also makes assets known, without which Airflow 3.0 runs no task with outlets.
    site.airflow("dags", "reserialize")
