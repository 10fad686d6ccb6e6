"""
Every night there is a catalog for the items of the day.

The first night creates it, and the others use it.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.assets import catalog
from wes_provider.models import CatalogAttribute
from wes_provider.operators import WesCreateCatalogOperator

with DAG(
    "wes_provision_catalog",
    schedule=None,  # runs if you trigger it; for every night: "0 2 * * *"
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    doc_md=__doc__,
    tags=["wes"],
):
    # [START create]
    products = WesCreateCatalogOperator(
        task_id="create_catalog",
        name="products",
        # From the second night on, take
        # the identifier of the first one.
        if_exists="adopt",
        # Airflow 3.3 keeps the identifier
        # there; older versions, in XComs.
        outlets=[catalog("products")],
        price_currency="EUR",
        attributes=[
            CatalogAttribute("id"),
            CatalogAttribute("title"),
            CatalogAttribute("link"),
            CatalogAttribute("image_link"),
            CatalogAttribute("price", "double"),
            CatalogAttribute("in_stock", "bool"),
        ],
    )
    # [END create]

    @task
    def ingest_items(catalog_id):
        """Put items into the catalog; its identifier is shown only once."""
        print(f"Ingesting the day's items into catalog {catalog_id}")

    ingest_items(products.output)
