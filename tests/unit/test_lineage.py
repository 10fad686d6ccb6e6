"""What the operators tell OpenLineage, whose provider is optional."""

from __future__ import annotations

import pytest

from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator

pytestmark = pytest.mark.lineage

pytest.importorskip("airflow.providers.openlineage.extractors", reason="no OpenLineage provider here")


def test_a_coupon_file_goes_into_its_list():
    upload = WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id="a/b", file_url="https://u:p@f.example.com/x/a%20b.csv?signature=SECRET"
    )
    lineage = upload.get_openlineage_facets_on_start()
    assert [(item.namespace, item.name) for item in lineage.inputs] == [("https://f.example.com", "x/a b.csv")]
    assert [(item.namespace, item.name) for item in lineage.outputs] == [("wes://coupon-list", "a/b")]


def test_many_coupon_files_go_into_their_list():
    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="list-1",
        files=["https://f.example.com/a.csv", {"file_url": "s3://bucket/key/b.csv", "name": "b"}],
    )
    lineage = replenish.get_openlineage_facets_on_start()
    assert [(item.namespace, item.name) for item in lineage.inputs] == [
        ("https://f.example.com", "a.csv"),
        ("s3://bucket", "key/b.csv"),
    ]
    assert [(item.namespace, item.name) for item in lineage.outputs] == [("wes://coupon-list", "list-1")]
