"""What Airflow's pages show: links to the console, labels of mapped tasks, and assets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from wes_provider.assets import catalog, coupon_list, segment
from wes_provider.links import console_url
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.operators.base import LABEL_LENGTH, MAP_INDEX_TEMPLATE


def test_an_identifier_is_quoted_in_the_consoles_url():
    assert (
        console_url("https://c.example/?{kind}={id}", "segment", "a/b ?")
        == "https://c.example/?segment=a%2Fb%20%3F"
    )


def test_a_label_fits_into_airflows_database():
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="l" * 500, file_url="https://f.example.com/a"
    )
    assert operator.map_label == "l" * LABEL_LENGTH


def test_a_label_says_how_far_a_mapped_task_is():
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="list-00", file_url="https://f.example.com/s/a.csv?sig=x"
    )
    ti = SimpleNamespace(rendered_map_index="list-00 a.csv")
    context = {"ti": ti, "task": operator, "map_index_template": MAP_INDEX_TEMPLATE}
    operator.set_label_status(context, "5 of 7, next 18:35")
    assert ti.rendered_map_index == operator.map_label == "list-00 a.csv: 5 of 7, next 18:35"


def test_a_label_that_the_user_gives_stays():
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="list-00", file_url="https://f.example.com/a.csv"
    )
    ti = SimpleNamespace(rendered_map_index="mine")
    operator.set_label_status({"ti": ti, "task": operator, "map_index_template": "x"}, "5 of 7")
    assert ti.rendered_map_index == "mine"


URIS = [
    (coupon_list("summer-sale"), "wes://coupon-list/summer-sale"),
    (coupon_list("a/b ?#%"), "wes://coupon-list/a%2Fb%20%3F%23%25"),
    (catalog("Möbel"), "wes://catalog/M%C3%B6bel"),
    (segment("7"), "wes://segment/7"),
]


@pytest.mark.parametrize(("asset", "uri"), URIS)
def test_an_assets_uri_holds_the_identifier_quoted(asset: Any, uri: str):
    assert asset.uri == uri
