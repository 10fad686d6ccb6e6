"""The state of a service as a JSON document, for snapshots."""

from __future__ import annotations

import array
import base64
from collections.abc import Mapping
from typing import Any

from wes_provider.emulator.context import Context, CouponList, Quotas
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import CouponFile

__all__ = ["dump", "load"]


def dump(context: Context, quotas: Quotas) -> dict[str, Any]:
    """
    Everything that workspaces hold, and what counts against their limits.

    :return: JSON, which ``load`` takes.
    """
    accounts = context.accounts.items()
    return {
        "time": context.clock.now(),
        "files": [file.to_json() for file in context.all_files()],
        "lists": [
            {"workspace": workspace, "list_id": list_id, **_list_to_json(coupon_list)}
            for workspace, account in accounts
            for list_id, coupon_list in account.lists.items()
        ],
        "catalogs": [
            {"workspace": workspace, "catalog": dict(catalog)}
            for workspace, account in accounts
            for catalog in account.catalogs.values()
        ],
        "segments": [
            {"workspace": workspace, "segment": dict(segment)}
            for workspace, account in accounts
            for segment in account.segments.values()
        ],
        "accepted": quotas.dump(),
    }


def load(document: Mapping[str, Any], later: float, context: Context, quotas: Quotas, coupons: Coupons) -> None:
    """
    Put a dumped state into a service that holds nothing.

    :param document: what ``dump`` returned.
    :param later: seconds that all of its times are moved by. The clock never goes back: if ages are to be kept, so that
        a file that was half processed is half processed, these are the seconds since the dump.
    """
    for data in document["lists"]:
        coupons.add_list(data["workspace"], data["list_id"], _list_from_json(data, later))
    for data in document["files"]:
        file = CouponFile.from_json({**data, "accepted_at": data["accepted_at"] + later})
        coupons.add(file)
    for data in document["catalogs"]:
        context.account(data["workspace"]).add_catalog(dict(data["catalog"]))
    for data in document["segments"]:
        context.account(data["workspace"]).segments[data["segment"]["id"]] = dict(data["segment"])
    quotas.load(document["accepted"], later)


def _list_to_json(coupon_list: CouponList) -> dict[str, Any]:
    return {
        "coupons": coupon_list.coupons,
        "issued": coupon_list.issued,
        "rate": coupon_list.rate,
        "settled_at": coupon_list.counted_at,
        "known": base64.b64encode(array.array("Q", coupon_list.known).tobytes()).decode(),
    }


def _list_from_json(data: Mapping[str, Any], later: float) -> CouponList:
    known = set(array.array("Q", base64.b64decode(data["known"])))
    return CouponList(
        coupons=data["coupons"],
        issued=data["issued"],
        rate=data["rate"],
        counted_at=data["settled_at"] + later,
        known=known,
    )
