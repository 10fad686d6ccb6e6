"""Seeds: JSON that people write, with what the workspaces hold at the start."""

from __future__ import annotations

import json
import secrets
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from wes_provider import contract
from wes_provider.emulator.arguments import MOST, is_text
from wes_provider.emulator.context import Context, CouponList
from wes_provider.emulator.coupons import Coupons

__all__ = ["SEED_VERSION", "apply_seed", "read_seed"]

SEED_VERSION: Final = 1
_MOST_FILES: Final = 1_000_000  # of a list


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
        return _checked_seed(json.loads(Path(source).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _checked_seed(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not _is_count(data.get("version"), MOST):
        raise ValueError('a seed is a JSON object with a "version" (a number), "lists", "catalogs" and "segments"')
    unknown = _Check().account(
        "", {name: value for name, value in data.items() if name not in ("version", "workspaces")}
    )
    workspaces = data.get("workspaces", {})
    _require(isinstance(workspaces, Mapping), "workspaces", workspaces, "an object by workspace")
    for workspace, held in workspaces.items():
        _require(
            isinstance(held, Mapping), f"workspaces.{workspace}", held, "an object with lists, catalogs and segments"
        )
        unknown += _Check().account(f"workspaces.{workspace}.", held)
    if unknown:
        warnings.warn(f"The seed's {', '.join(unknown)} are unknown and ignored.", stacklevel=4)
    return data


class _Check:
    """What one workspace is to hold; file identifiers, names of catalogs and segments are unique in it."""

    def __init__(self) -> None:
        self._unknown: list[str] = []
        self._taken: set[tuple[str, str]] = set()

    def account(self, path: str, data: Mapping[str, Any]) -> list[str]:
        """Check it, and return the names that are unknown."""
        self._known(path, data, "lists", "catalogs", "segments")
        lists = data.get("lists", {})
        _require(isinstance(lists, Mapping), f"{path}lists", lists, "an object by list id")
        for list_id, one in lists.items():
            _require(list_id != "" and is_text(list_id), f"{path}lists", list_id, "an object by list id")
            self._list(f"{path}lists.{list_id}", one)
        for name, check in (("catalogs", self._catalog), ("segments", self._segment)):
            items = data.get(name, [])
            _require(isinstance(items, list), f"{path}{name}", items, "a list of objects")
            for index, item in enumerate(items):
                _require(isinstance(item, Mapping), f"{path}{name}.{index}", item, "an object")
                check(f"{path}{name}.{index}", item)
        return self._unknown

    def _known(self, path: str, data: Mapping[str, Any], *names: str) -> None:
        self._unknown += [f"{path}{name}" for name in data if name not in names]

    def _unique(self, kind: str, path: str, value: str) -> None:
        _require((kind, value) not in self._taken, path, value, "unique")
        self._taken.add((kind, value))

    def _list(self, path: str, data: Any) -> None:
        _require(isinstance(data, Mapping), path, data, "an object with coupons, issued and files")
        self._known(f"{path}.", data, "coupons", "issued", "files")
        for name in ("coupons", "issued"):
            _count(f"{path}.{name}", data.get(name, 0), MOST)
        files = data.get("files", [])
        if not isinstance(files, list):
            _require(_is_count(files, _MOST_FILES), f"{path}.files", files, "a number, or a list of objects")
            files = []
        coupons = data.get("coupons", 0)
        for index, file in enumerate(files):
            _require(isinstance(file, Mapping), f"{path}.files.{index}", file, "an object with a name or a file_url")
            self._file(f"{path}.files.{index}", file)
            coupons += file.get("coupons_added", 0)
        _require(
            data.get("issued", 0) <= coupons, f"{path}.issued", data.get("issued"), f"at most its {coupons} coupons"
        )

    def _file(self, path: str, file: Mapping[str, Any]) -> None:
        texts, counts = ("_id", "name", "file_url", "created_by", "error"), ("coupons_added", "coupons_duplicate")
        self._known(f"{path}.", file, *texts, *counts)
        _texts(path, file, *texts)
        for name in counts:
            _count(f"{path}.{name}", file.get(name, 0), MOST)
        _require(file.get("name") or file.get("file_url"), path, file, "an object with a name or a file_url")
        if file.get("error"):
            _require(
                not file.get("coupons_added"), f"{path}.coupons_added", file["coupons_added"], "0 for a failed file"
            )
        if "_id" in file:
            _require(file["_id"], f"{path}._id", file["_id"], "a string that is not empty")
            self._unique("file", f"{path}._id", file["_id"])

    def _catalog(self, path: str, catalog: Mapping[str, Any]) -> None:
        self._known(f"{path}.", catalog, "id", *contract.CATALOG_FIELDS)
        _texts(path, catalog, "id", "name", "price_currency")
        _require(catalog.get("name"), f"{path}.name", catalog.get("name"), "a string that is not empty")
        self._unique("catalog", f"{path}.name", catalog["name"])
        currency = catalog.get("price_currency", "EUR")
        _require(currency in contract.CURRENCIES, f"{path}.price_currency", currency, "one of the service's currencies")
        attributes = catalog.get("attributes", [])
        good = isinstance(attributes, list) and all(
            isinstance(one, Mapping) and is_text(one.get("name")) and is_text(one.get("type")) for one in attributes
        )
        _require(good, f"{path}.attributes", attributes, "a list of objects with name and type")

    def _segment(self, path: str, segment: Mapping[str, Any]) -> None:
        self._known(f"{path}.", segment, "id", "updated_at", *contract.SEGMENT_FIELDS)
        _texts(path, segment, "id", "name", "updated_by", "updated_at")
        _require(segment.get("id"), f"{path}.id", segment.get("id"), "a string that is not empty")
        self._unique("segment", f"{path}.id", segment["id"])
        if segment.get("name"):
            self._unique("segment name", f"{path}.name", segment["name"])
        filters = segment.get("included_filters")
        good = filters is None or (isinstance(filters, Mapping) and isinstance(filters.get("filters"), list))
        _require(good, f"{path}.included_filters", filters, "an object with a list of filters")


def _texts(path: str, data: Mapping[str, Any], *names: str) -> None:
    for name in names:
        _require(is_text(data.get(name, "")), f"{path}.{name}", data.get(name), "a string")


def _count(path: str, value: Any, most: float) -> None:
    _require(_is_count(value, most), path, value, "a whole number of at least 0")


def _is_count(value: Any, most: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _require(good: Any, name: str, value: Any, wanted: str) -> None:
    if not good:
        _refuse(name, value, wanted)


def _refuse(name: str, value: Any, wanted: str) -> NoReturn:
    shown = ascii(value)
    raise ValueError(f"{name} must be {wanted}, not {shown if len(shown) <= 80 else f'{shown[:80]}...'}")


def apply_seed(seed: Mapping[str, Any], context: Context, coupons: Coupons) -> None:
    """
    Put a seed's lists, files, catalogs and segments into their workspaces.

    :param seed: what ``read_seed`` returned.
    """
    for workspace, held in {"": seed, **seed.get("workspaces", {})}.items():
        _apply("" if workspace == context.settings.workspace_id else workspace, held, context, coupons)


def _apply(workspace: str, held: Mapping[str, Any], context: Context, coupons: Coupons) -> None:
    account = context.account(workspace)
    for list_id, one in held.get("lists", {}).items():
        files = one.get("files", [])
        if isinstance(files, int):
            coupons.seed(workspace, list_id, files, "seeded-{:06d}.csv", "https://files.example.com/{}")
        else:
            for file in files:
                coupons.seed_file(workspace, list_id, file)
        coupon_list = account.lists.setdefault(list_id, CouponList())
        coupon_list.coupons += one.get("coupons", 0)
        coupon_list.issued += one.get("issued", 0)
    for given in held.get("catalogs", []):
        account.add_catalog({"id": secrets.token_hex(12), "price_currency": "EUR", "attributes": [], **given})
    for given in held.get("segments", []):
        segment = {"name": "", "included_filters": None, "updated_by": "", "updated_at": "", **given}
        account.segments[segment["id"]] = segment
