"""Seeds: JSON that people write, with what the workspaces hold at the start."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, field, to_builtins

from wes_provider import contract
from wes_provider.emulator.checks import Attribute, Filters
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import AS_USUAL, Result
from wes_provider.emulator.settings import Count, Text, checked
from wes_provider.emulator.world import Catalog, Holding, ListState, Segment, World

__all__ = ["Seed", "apply_seed", "read_seed"]

Seed = str | Path | Mapping[str, Any]  # a JSON file's path, or what it holds


class _File(Struct, omit_defaults=True, forbid_unknown_fields=True):
    id: Text = field(default_factory=lambda: secrets.token_hex(12), name="_id")
    name: str = ""
    file_url: str = ""
    created_by: str = ""
    error: str = ""
    coupons_added: Count = 0
    coupons_duplicate: Count = 0

    def __post_init__(self) -> None:
        if not (self.name or self.file_url):
            raise ValueError("it needs a name or a file_url")
        if self.error and self.coupons_added:
            raise ValueError("coupons_added must be 0 for a failed file")


class _List(Struct, forbid_unknown_fields=True):
    coupons: Count = 0
    issued: Count = 0
    files: Annotated[int, Meta(ge=0, le=1_000_000)] | list[_File] = 0

    def __post_init__(self) -> None:
        most = self.coupons + sum(file.coupons_added for file in self.given)
        if self.issued > most:
            raise ValueError(f"issued must be at most its {most} coupons")

    @property
    def given(self) -> list[_File]:
        return self.files if isinstance(self.files, list) else []


class _Catalog(Struct, forbid_unknown_fields=True):
    name: Text
    id: Text = field(default_factory=lambda: secrets.token_hex(12))
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
    What an emulator holds at its start and after each reset, checked.

    :param source: path of a file, or what it holds.
    :raises ValueError: naming what is wrong; an unknown name is wrong, too.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(source, Mapping):
        _checked(source)
        return dict(source)
    try:
        return read_seed(
            checked(json.loads(Path(source).read_text(encoding="utf-8")), dict[str, Any])
        )
    except (ValueError, RecursionError) as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _checked(given: Mapping[str, Any]) -> _Seed:
    seed = checked(given, _Seed)
    for list_id, one in seed.lists.items():  # each by itself, so that a message names it
        seed.lists[list_id] = checked(one, _List, f"lists.{list_id}")
    files = [
        (f"lists.{name}.files.{i}._id", f.id)
        for name, one in seed.lists.items()
        for i, f in enumerate(one.given)
    ]
    names = [(f"catalogs.{i}.name", one.name) for i, one in enumerate(seed.catalogs)]
    ids = [(f"segments.{i}.id", one.id) for i, one in enumerate(seed.segments)]
    titles = [(f"segments.{i}.name", one.name) for i, one in enumerate(seed.segments) if one.name]
    for things in (files, names, ids, titles):
        taken: set[str] = set()
        for place, value in things:
            if value in taken:
                raise ValueError(f"{place} must be unique")
            taken.add(value)
    return seed


def apply_seed(given: Mapping[str, Any], world: World, coupons: Coupons) -> None:
    """Put a seed's lists, files, catalogs and segments into the first workspace."""
    seed = _checked(given)
    things: list[Holding] = []
    for list_id, one in seed.lists.items():
        numbers = range(1, one.files + 1) if isinstance(one.files, int) else ()
        files = one.given or [_File(name=f"seeded-{number:06d}.csv") for number in numbers]
        _plant_files(world, coupons, list_id, files)
        things.append(ListState(list_id, "", one.coupons, one.issued))
    things += [Catalog(one.id, "", to_builtins(one)) for one in seed.catalogs]
    things += [Segment(one.id, "", to_builtins(one)) for one in seed.segments]
    for thing in things:
        world.add(thing)
    world.save(*things)


def _plant_files(world: World, coupons: Coupons, list_id: str, files: list[_File]) -> None:
    """Put processed files into a list, as if they were uploaded a day ago."""
    age = contract.DAY + world.settings.list_lag + world.settings.fetch_lag
    planted = []
    for one in files:
        url = one.file_url or f"https://files.example.com/{one.name}"
        file = coupons.new_file(
            "", list_id, {"name": one.name, "file_url": url, "created_by": one.created_by}
        )
        file.id, file.accepted_at = one.id, file.accepted_at - age
        file.processing_time, file.script, file.seeded = 0.0, AS_USUAL, True
        file.result = Result(one.coupons_added, one.coupons_duplicate, one.error)
        world.add(file)
        planted.append(file)
    world.save(*planted)
