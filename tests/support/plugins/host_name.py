"""The name of the machine that a process of a production site is told to run on."""

from __future__ import annotations

import os


def read() -> str:
    """For Airflow's ``hostname_callable``."""
    return os.environ.get("WES_TEST_HOST", "elsewhere")
