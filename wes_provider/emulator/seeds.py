"""Seeds: JSON that people write, with what the workspaces hold at the start."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field, to_builtins

from wes_provider import contract
from wes_provider.emulator.bodies import Attribute, Filters
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import AS_USUAL, Result, default_name
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.settings import Count, Text, checked
from wes_provider.emulator.world import Catalog, Holding, ListState, Segment, World

__all__ = ["Seed", "apply_seed", "check_room", "read_seed"]

Seed = str | Path | Mapping[str, Any]
"""A JSON file's path, or what it holds."""


def _new_id() -> str:
    return secrets.token_hex(12)


# Of the seeds that this module reads.
_VERSION: Final = 1


def _can_be_read(url: str) -> bool:
    try:
        default_name(url)
    except ValueError:
        return False
    return True


class _File(Struct, omit_defaults=True, forbid_unknown_fields=True):
    id: Text = field(default_factory=_new_id, name="_id")
    name: str = ""
    file_url: str = ""
    created_by: str = ""
    error: str = ""
    coupons_added: Count = 0
    coupons_duplicate: Count = 0

    def __post_init__(self) -> None:
        if not (self.name or self.file_url):
            raise ValueError("it needs a name or a file_url")
        if not _can_be_read(self.file_url):
            raise ValueError("file_url is no URL")
        if self.error and self.coupons_added:
            raise ValueError("coupons_added must be 0 for a failed file")


class _List(Struct, forbid_unknown_fields=True):
    coupons: Count = 0
    issued: Count = 0
    files: Annotated[int, Meta(ge=0, le=1_000_000)] | list[_File] = 0

    def __post_init__(self) -> None:
        if self.issued > self.all_coupons:
            raise ValueError(f"issued must be at most its {self.all_coupons} coupons")

    @property
    def all_coupons(self) -> int:
        """How many coupons it has, those of its files included."""
        return self.coupons + sum(file.coupons_added for file in self.described_files())

    def described_files(self) -> list[_File]:
        """Return the files that are described, instead of numbered."""
        if isinstance(self.files, int):
            return []
        return self.files

    def all_files(self) -> list[_File]:
        """Return the files, each described."""
        if isinstance(self.files, int):
            numbers = range(1, self.files + 1)
            return [_File(name=f"seeded-{number:06d}.csv") for number in numbers]
        return self.files


class _Catalog(Struct, forbid_unknown_fields=True):
    name: Text
    id: Text = field(default_factory=_new_id)
    price_currency: str = "EUR"
    attributes: list[Attribute] = []

    def __post_init__(self) -> None:
        if self.price_currency not in contract.CURRENCIES:
            raise ValueError("price_currency must be one of the service's currencies")


class _Segment(Struct, forbid_unknown_fields=True):
    id: Text
    name: str = ""
    included_filters: Filters | None = None
    updated_by: str = ""
    updated_at: str = ""


class _Seed(Struct, forbid_unknown_fields=True):
    version: Count
    lists: dict[Text, Any] = {}
    catalogs: list[_Catalog] = []
    segments: list[_Segment] = []


def read_seed(source: Seed) -> Mapping[str, Any]:
    """
    Read what an emulator holds at its start and after each reset, checked.

    :param source: path of a file, or what it holds.
    :raises ValueError: naming what is wrong; an unknown name is wrong, too.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(source, Mapping):
        _read(source)
        return dict(source)
    try:
        content = json.loads(Path(source).read_text(encoding="utf-8"))
        return read_seed(checked(content, JsonObject))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _read(given: Mapping[str, Any]) -> _Seed:
    seed = checked(given, _Seed)
    if seed.version != _VERSION:
        raise ValueError(f"version must be {_VERSION}, not {seed.version}")
    # Each list by itself, so that a message names it.
    for list_id, content in seed.lists.items():
        seed.lists[list_id] = checked(content, _List, f"lists.{list_id}")
    files = {
        f"lists.{list_id}.files.{index}._id": file.id
        for list_id, coupon_list in seed.lists.items()
        for index, file in enumerate(coupon_list.described_files())
    }
    catalogs = {f"catalogs.{index}.id": catalog.id for index, catalog in enumerate(seed.catalogs)}
    segments = {f"segments.{index}.id": segment.id for index, segment in enumerate(seed.segments)}
    _check_unique(files)
    _check_unique(catalogs)
    _check_unique(_names("catalogs", seed.catalogs))
    _check_unique(segments)
    _check_unique(_names("segments", seed.segments))
    return seed


def check_room(seed: Mapping[str, Any], list_coupons: int) -> None:
    """
    Refuse a seed with a list that has too many coupons.

    :param seed: what ``read_seed`` returned.
    :param list_coupons: the setting: how many a list can have.
    :raises ValueError: that names the list.
    """
    for list_id, coupon_list in _read(seed).lists.items():
        if coupon_list.all_coupons > list_coupons:
            raise ValueError(
                f"lists.{list_id}.coupons, with those of its files, must be at most {list_coupons} "
                f"(the setting list_coupons), not {coupon_list.all_coupons}"
            )


def _names(
    place: str,
    things: Sequence[_Catalog | _Segment],
) -> dict[str, str]:
    """Return the names that are not empty, by their places."""
    return {f"{place}.{index}.name": thing.name for index, thing in enumerate(things) if thing.name}


def _check_unique(values: Mapping[str, str]) -> None:
    taken = set()
    for place, value in values.items():
        if value in taken:
            raise ValueError(f"{place} must be unique")
        taken.add(value)


def apply_seed(given: Mapping[str, Any], world: World, coupons: Coupons) -> None:
    """Put a seed's lists, files, catalogs and segments into the first workspace."""
    seed = _read(given)
    holdings: list[Holding] = []
    for list_id, coupon_list in seed.lists.items():
        _plant_files(world, coupons, list_id, coupon_list.all_files())
        holdings.append(ListState(list_id, "", coupon_list.coupons, coupon_list.issued))
    holdings += [Catalog(catalog.id, "", to_builtins(catalog)) for catalog in seed.catalogs]
    holdings += [Segment(segment.id, "", to_builtins(segment)) for segment in seed.segments]
    for holding in holdings:
        world.add(holding)
    world.save(*holdings)


def _plant_files(
    world: World,
    coupons: Coupons,
    list_id: str,
    files: list[_File],
) -> None:
    """Put processed files into a list, as if they were uploaded a day ago."""
    age = contract.DAY + world.settings.list_lag + world.settings.fetch_lag
    planted = []
    for described in files:
        fields = {
            "name": described.name,
            "file_url": described.file_url or f"https://files.example.com/{described.name}",
            "created_by": described.created_by,
        }
        file = coupons.new_file("", list_id, fields)
        file.id = described.id
        file.accepted_at -= age
        file.processing_time = 0.0
        file.script = AS_USUAL
        file.seeded = True
        file.result = Result(described.coupons_added, described.coupons_duplicate, described.error)
        world.add(file)
        planted.append(file)
    world.save(*planted)
