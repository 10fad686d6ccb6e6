r"""
Fills the list ``summer-sale`` with two files, as the README shows.

Against the emulator, with a folder that has ``shops.csv`` and
``web.csv``::

    wes-emulator exec --host-folder FOLDER -- \
      airflow dags test summer_sale
"""

import os

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import (
    WesReplenishCouponListOperator,
)

URL = os.environ.get(
    "WES_EMULATOR_FILES_URL",
    "https://f.example.com",
)

with DAG("summer_sale", schedule=None):
    WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="summer-sale",
        files=[f"{URL}/shops.csv", f"{URL}/web.csv"],
        deferrable=True,
        retries=3,
    )
