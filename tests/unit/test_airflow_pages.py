"""What Airflow's pages show: links to the console, labels of mapped tasks, and assets."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from airflow.models import TaskInstance

from wes_provider.assets import catalog, coupon_list, segment
from wes_provider.links import console_url
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesRestoreSegmentOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor

# -- links -----------------------------------------------------------------------------------------


class Link(NamedTuple):
    """What a task worked on, and its address in the console."""

    kind: str
    identifier: str
    url: str


LINKS = {
    "a list": Link(
        "coupon-list",
        "summer-sale",
        "https://c.example/coupon-list/summer-sale?from=coupon-list",
    ),
    "a segment": Link("segment", "7", "https://c.example/segment/7?from=segment"),
    "a slash": Link("catalog", "a/b ?", "https://c.example/catalog/a%2Fb%20%3F?from=catalog"),
    "UTF-8": Link("catalog", "Möbel", "https://c.example/catalog/M%C3%B6bel?from=catalog"),
    "a placeholder": Link("segment", "{kind}", "https://c.example/segment/%7Bkind%7D?from=segment"),
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_url_in_the_console_has_the_kind_and_the_quoted_identifier(link: Link):
    template = "https://c.example/{kind}/{id}?from={kind}"
    assert console_url(template, link.kind, link.identifier) == link.url


# -- labels of mapped tasks ------------------------------------------------------------------------

OURS = "{{ task.map_label }}"
URL = "https://f.example.com/s/a.csv?sig=x"


def upload(coupon_list_id: str = "list-00", file_url: str = URL) -> WesUploadCouponFileOperator:
    return WesUploadCouponFileOperator(
        task_id="t", coupon_list_id=coupon_list_id, file_url=file_url
    )


def replenish(coupon_list_id: str = "list-00") -> WesReplenishCouponListOperator:
    return WesReplenishCouponListOperator(
        task_id="t", coupon_list_id=coupon_list_id, files=[URL, "https://f.example.com/b.csv"]
    )


class Label(NamedTuple):
    """A task, and its label in a mapped task."""

    task: Any
    label: str


LABELS = {
    "upload": Label(upload(), "list-00 a.csv"),
    "replenish": Label(replenish(), "list-00"),
    "catalog": Label(
        WesCreateCatalogOperator(
            task_id="t",
            name="products",
            price_currency="EUR",
            attributes=[{"name": "id", "type": "string"}],
        ),
        "products",
    ),
    "segment": Label(WesUpdateSegmentOperator(task_id="t", segment_id="7", name="Lisbon"), "7"),
    "restored segment": Label(WesRestoreSegmentOperator(task_id="t", segment_id="7"), "7"),
    "sensor": Label(
        WesCouponFileSensor(task_id="t", coupon_list_id="list-00", coupon_file_id="65f"),
        "list-00 65f",
    ),
}


@pytest.mark.parametrize("row", LABELS.values(), ids=LABELS)
def test_label_has_what_tells_the_instances_of_a_mapped_task_apart(row: Label):
    assert row.task.map_label == row.label


def test_label_of_200_characters_without_a_status_is_whole():
    assert replenish("l" * 200).map_label == "l" * 200


def test_longer_label_without_a_status_is_cut_after_200_characters():
    assert replenish("l" * 500).map_label == "l" * 200


def test_label_that_is_longer_than_200_characters_with_its_status_loses_the_end_of_the_status():
    operator = replenish("l" * 195)
    operator.label_status = "5 of 7, a person decides"
    assert operator.map_label == "l" * 195 + ": 5 o"


def test_airflows_database_has_room_for_a_label_of_200_characters():
    assert TaskInstance.__table__.columns["rendered_map_index"].type.length >= 200


class Running(NamedTuple):
    """
    A mapped task instance that runs.

    :ivar operator: what Airflow executes, a copy of the task in the context.
    """

    operator: WesReplenishCouponListOperator
    task: WesReplenishCouponListOperator
    ti: Any
    context: dict[str, Any]


def run_mapped(label: str | None, template: str | None = OURS) -> Running:
    task = replenish()
    ti = SimpleNamespace(rendered_map_index=label)
    context = {"ti": ti, "task": task, "map_index_template": template}
    return Running(copy(task), task, ti, context)


def test_label_of_the_task_instance_says_how_far_it_is():
    running = run_mapped("list-00")
    running.operator.set_label_status(running.context, "5 of 7, next 18:35")
    assert running.ti.rendered_map_index == "list-00: 5 of 7, next 18:35"


def test_label_that_airflow_renders_at_the_end_says_how_far_it_was():
    running = run_mapped("list-00")
    running.operator.set_label_status(running.context, "5 of 7")
    assert running.task.map_label == "list-00: 5 of 7"


def test_label_that_the_user_gives_stays():
    running = run_mapped("mine", template="{{ params.mine }}")
    running.operator.set_label_status(running.context, "5 of 7")
    assert running.ti.rendered_map_index == "mine"


def test_task_that_is_not_mapped_gets_no_label():
    running = run_mapped(None)
    running.operator.set_label_status(running.context, "5 of 7")
    assert running.ti.rendered_map_index is None


def test_task_instance_of_an_airflow_without_labels_gets_none():
    task = replenish()
    ti = SimpleNamespace()
    context = {"ti": ti, "task": task, "map_index_template": OURS}
    copy(task).set_label_status(context, "5 of 7")
    assert vars(ti) == {}


def test_mapped_task_has_our_label_by_default():
    partial = WesReplenishCouponListOperator.partial(task_id="t", coupon_list_id="list-00")
    assert partial.expand(files=[[URL]]).map_index_template == OURS


def test_mapped_task_has_the_label_that_the_user_gives():
    partial = WesReplenishCouponListOperator.partial(
        task_id="t", coupon_list_id="list-00", map_index_template="{{ params.mine }}"
    )
    assert partial.expand(files=[[URL]]).map_index_template == "{{ params.mine }}"


# -- assets ----------------------------------------------------------------------------------------


class Uri(NamedTuple):
    """An asset and its URI."""

    asset: Any
    uri: str


URIS = {
    "a list": Uri(coupon_list("summer-sale"), "wes://coupon-list/summer-sale"),
    "a list with special characters": Uri(
        coupon_list("a/b ?#%"),
        "wes://coupon-list/a%2Fb%20%3F%23%25",
    ),
    "a catalog": Uri(catalog("Möbel"), "wes://catalog/M%C3%B6bel"),
    "a segment": Uri(segment("7"), "wes://segment/7"),
}


@pytest.mark.parametrize("row", URIS.values(), ids=URIS)
def test_uri_of_an_asset_has_the_quoted_identifier_or_name_of_a_catalog(row: Uri):
    assert row.asset.uri == row.uri
