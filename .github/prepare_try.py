"""Make what ``tox run -e try`` needs: two coupon files in a folder, and a database for Airflow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COUPONS = {"shops": 5000, "web": 3000}
"""The names of the files, without their endings, and how many codes each has."""


def prepare(folder: Path) -> None:
    """Write the coupon files into a new folder, and make the database of ``AIRFLOW_HOME``."""
    folder.mkdir()
    for name, count in COUPONS.items():
        codes = [f"{name}-{number}" for number in range(count)]
        (folder / f"{name}.csv").write_text("\n".join(["coupon", *codes, ""]))
    print("Making a database for Airflow: about 20 seconds", flush=True)
    quiet = {**os.environ, "AIRFLOW__LOGGING__LOGGING_LEVEL": "ERROR"}
    migrate = [sys.executable, "-m", "airflow", "db", "migrate"]
    subprocess.run(migrate, env=quiet, check=True)  # noqa: S603 - nothing of it is given
    print("Starting the emulator, and a run of example_dags/summer_sale.py: about half a minute,")
    print("the beginning without a line", flush=True)


prepare(Path(sys.argv[1]))
