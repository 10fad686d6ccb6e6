"""The state of a service as a JSON document: for snapshots, and for seeds that people write."""

from __future__ import annotations

import array
import base64
import json
import secrets
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from wes_provider.emulator.context import Context, CouponList, Quotas
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import CouponFile

__all__ = ["SEED_VERSION", "apply_seed", "dump", "load", "read_seed"]

SEED_VERSION: Final = 1

_SEED_KEYS: Final = ("version", "lists", "catalogs", "segments")
_LIST_KEYS: Final = ("coupons", "issued", "files")


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
        context.account(data["workspace"]).lists[data["list_id"]] = _list_from_json(data, later)
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
        "settled_at": coupon_list.settled_at,
        "known": base64.b64encode(array.array("Q", coupon_list.known).tobytes()).decode(),
    }


def _list_from_json(data: Mapping[str, Any], later: float) -> CouponList:
    known = set(array.array("Q", base64.b64decode(data["known"])))
    return CouponList(
        coupons=data["coupons"],
        issued=data["issued"],
        rate=data["rate"],
        settled_at=data["settled_at"] + later,
        known=known,
    )


# -- seeds -------------------------------------------------------------------------------------------


def read_seed(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """
    What an emulator holds at its start and after each reset, from a file or from parsed JSON.

    :param source: path of the file, or what it holds.
    :return: the checked seed; unknown keys are ignored with a warning.
    :raises ValueError: naming what is wrong.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(source, Mapping):
        return _checked_seed(source)
    try:
        return _checked_seed(json.loads(Path(source).read_text()))
    except ValueError as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _checked_seed(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not isinstance(data.get("version"), int):
        raise ValueError('a seed is a JSON object with a "version" (a number), "lists", "catalogs" and "segments"')
    lists, catalogs, segments = data.get("lists", {}), data.get("catalogs", []), data.get("segments", [])
    _require(isinstance(lists, Mapping), "lists", lists, "an object by list id")
    unknown = [name for name in data if name not in _SEED_KEYS]
    for list_id, one in lists.items():
        path = f"lists.{list_id}"
        _require(isinstance(one, Mapping), path, one, f"an object with {', '.join(_LIST_KEYS)}")
        unknown += [f"{path}.{name}" for name in one if name not in _LIST_KEYS]
        for name in ("coupons", "issued"):
            value = one.get(name, 0)
            _require(isinstance(value, int) and value >= 0, f"{path}.{name}", value, "a whole number")
        _require(one.get("issued", 0) <= one.get("coupons", 0), f"{path}.issued", one.get("issued"), "at most coupons")
        files = one.get("files", [])
        good = isinstance(files, int) or (isinstance(files, list) and all(_is_file(file) for file in files))
        _require(good, f"{path}.files", files, "a number, or a list of objects with name and file_url")
    for name, wanted, items in (("catalogs", "name", catalogs), ("segments", "id", segments)):
        good = isinstance(items, list) and all(isinstance(one, Mapping) and one.get(wanted) for one in items)
        _require(good, name, items, f"a list of objects with {wanted}")
    if unknown:
        warnings.warn(f"The seed's {', '.join(unknown)} are unknown and ignored.", stacklevel=3)
    return data


def _is_file(file: Any) -> bool:
    return isinstance(file, Mapping) and bool(file.get("name") or file.get("file_url"))


def _require(good: Any, name: str, value: Any, wanted: str) -> None:
    if not good:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")


def apply_seed(seed: Mapping[str, Any], context: Context, coupons: Coupons) -> None:
    """
    Put a seed's lists, files, catalogs and segments into the first workspace.

    :param seed: what ``read_seed`` returned.
    """
    account = context.account("")
    for list_id, one in seed.get("lists", {}).items():
        files = one.get("files", [])
        if isinstance(files, int):
            coupons.seed("", list_id, files, "seeded-{:06d}.csv", "https://files.example.com/{}")
        else:
            for file in files:
                name = str(file.get("name") or "")
                url = str(file.get("file_url") or f"https://files.example.com/{name}")
                coupons.seed("", list_id, 1, name or url.rpartition("/")[2], url, fields=file)
        coupon_list = account.lists.setdefault(list_id, CouponList())
        coupon_list.coupons += one.get("coupons", 0)
        coupon_list.issued += one.get("issued", 0)
    for given in seed.get("catalogs", []):
        account.add_catalog({"id": secrets.token_hex(12), "price_currency": "EUR", "attributes": [], **given})
    for given in seed.get("segments", []):
        segment = {"name": "", "included_filters": None, "updated_by": "", "updated_at": "", **given}
        account.segments[segment["id"]] = segment
