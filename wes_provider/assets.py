"""
Coupon lists, catalogs and segments as assets (datasets, on Airflow 2.11).

A task with such an outlet puts into the asset's event which file, catalog or segment it was, with
the service's counts. A DAG that is scheduled on the asset finds them in its triggering events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from airflow.providers.common.compat.sdk import Asset

__all__ = ["catalog", "coupon_list", "segment"]

SCHEME: Final = "wes"


def coupon_list(coupon_list_id: str) -> Asset:
    """
    Return the asset ``wes://coupon-list/{id}``.

    :param coupon_list_id: identifier of the list.
    """
    return _asset("coupon-list", coupon_list_id)


def catalog(name: str) -> Asset:
    """
    Return the asset ``wes://catalog/{name}``. A catalog's identifier is not known before it is
    created.

    :param name: name of the catalog.
    """
    return _asset("catalog", name)


def segment(segment_id: str) -> Asset:
    """
    Return the asset ``wes://segment/{id}``.

    :param segment_id: identifier of the segment.
    """
    return _asset("segment", segment_id)


def _asset(kind: str, identifier: str) -> Asset:
    return Asset(f"{SCHEME}://{kind}/{quote(identifier, safe='')}")


def outlets(task: Any, kind: str = "") -> Iterator[Any]:
    """Return those outlets of a task that are assets of the service, of one kind or all of them."""
    prefix = f"{SCHEME}://{kind}/" if kind else f"{SCHEME}://"
    for outlet in task.outlets:
        if str(getattr(outlet, "uri", "")).startswith(prefix):
            yield outlet


def describe_events(task: Any, context: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
    """
    Have the events of a task's outlets say what it did; they are emitted when it ends with success.
    """
    for asset in outlets(task):
        context["outlet_events"][asset].extra.update(extra)
