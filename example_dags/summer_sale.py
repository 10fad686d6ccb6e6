r"""
Fills the list ``summer-sale`` with two files, as the README shows.

Against the emulator, with a folder that has ``shops.csv`` and
``web.csv``::

    wes-emulator exec --host-folder FOLDER \
      --hosted-url https://files.example.com -- \
      airflow dags test summer_sale
"""

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import (
    WesReplenishCouponListOperator,
)

with DAG("summer_sale", schedule=None):
    WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="summer-sale",
        files=[
            "https://files.example.com/shops.csv",
            "https://files.example.com/web.csv",
        ],
        deferrable=True,
        retries=3,
    )
