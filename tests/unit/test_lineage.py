"""What the operators tell OpenLineage, whose provider is optional."""

from __future__ import annotations

import pytest

from wes_provider.operators import WesReplenishCouponListOperator

pytestmark = pytest.mark.lineage

pytest.importorskip(
    "airflow.providers.openlineage.extractors", reason="no OpenLineage provider here"
)


def test_coupon_files_go_into_their_list():
    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="a/b",
        files=[
            "https://u:p@f.example.com/x/a%20b.csv?signature=SECRET",
            {"file_url": "s3://bucket/key/b.csv", "name": "b"},
        ],
    )
    lineage = replenish.get_openlineage_facets_on_start()
    assert [(item.namespace, item.name) for item in lineage.inputs] == [
        ("https://f.example.com", "x/a b.csv"),
        ("s3://bucket", "key/b.csv"),
    ]
    assert [(item.namespace, item.name) for item in lineage.outputs] == [
        ("wes://coupon-list", "a/b")
    ]
