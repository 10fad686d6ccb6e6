"""Seeds: JSON that people write, with what the workspaces hold at the start."""

from __future__ import annotations

import json
import secrets
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from wes_provider import contract
from wes_provider.emulator.checking import Count, Text, checked
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.world import Catalog, ListState, Segment, World

__all__ = ["Seed", "apply_seed", "read_seed"]

_Files = Annotated[int, Meta(ge=0, le=1_000_000)]


class _File(Struct, omit_defaults=True):
    id: Text | None = field(default=None, name="_id")
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


class _List(Struct):
    coupons: Count = 0
    issued: Count = 0
    files: _Files | list[_File] = 0

    def __post_init__(self) -> None:
        files = self.files if isinstance(self.files, list) else []
        most = self.coupons + sum(file.coupons_added for file in files)
        if self.issued > most:
            raise ValueError(f"issued must be at most its {most} coupons")


class _Attribute(Struct):
    name: str
    type: str


class _Catalog(Struct):
    name: Text
    id: Text | None = None
    price_currency: str = "EUR"
    attributes: list[_Attribute] = []

    def __post_init__(self) -> None:
        if self.price_currency not in contract.CURRENCIES:
            raise ValueError("price_currency must be one of the service's currencies")


class _Filters(Struct):
    filters: list[dict[str, Any]]
    filter_operator: str = contract.FILTER_OPERATOR


class _Segment(Struct):
    id: Text
    name: str = ""
    included_filters: _Filters | None = None
    updated_by: str = ""
    updated_at: str = ""


class _Workspace(Struct):
    lists: dict[Text, _List] = {}
    catalogs: list[_Catalog] = []
    segments: list[_Segment] = []


class Seed(Struct):
    """What the service holds at its start; ``held`` is by workspace, the first of which has an empty name."""

    version: Count
    held: dict[str, _Workspace] = {}
    given: dict[str, Any] = {}


_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("version", "workspaces"),
    "lists": _List.__struct_encode_fields__,
    "files": _File.__struct_encode_fields__,
    "catalogs": _Catalog.__struct_encode_fields__,
    "segments": _Segment.__struct_encode_fields__,
}


def read_seed(source: str | Path | Mapping[str, Any]) -> Seed:
    """
    What an emulator holds at its start and after each reset, from a file or from parsed JSON.

    :param source: path of the file, or what it holds.
    :return: the checked seed; unknown keys are ignored with a warning.
    :raises ValueError: naming what is wrong.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(source, Mapping):
        return _seed(source)
    try:
        return _seed(json.loads(Path(source).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _seed(data: Any) -> Seed:
    if not isinstance(data, Mapping) or "version" not in data:
        raise ValueError('a seed is a JSON object with a "version" (a number), "lists", "catalogs" and "segments"')
    workspaces = checked(data.get("workspaces", {}), dict[Text, dict[str, Any]], "workspaces")
    seed = Seed(checked(data["version"], Count, "version"), given=dict(data))
    unknown = [name for name in data if name not in ("version", "workspaces", *_Workspace.__struct_fields__)]
    places = [("", "", data), *((name, f"workspaces.{name}.", held) for name, held in workspaces.items())]
    for workspace, place, held in places:
        seed.held[workspace] = _workspace(held, place)
        unknown += _unknown(held, place)
    if unknown:
        warnings.warn(f"The seed's {', '.join(unknown)} are unknown and ignored.", stacklevel=4)
    return seed


def _workspace(held: Mapping[str, Any], place: str) -> _Workspace:
    """Check each thing by itself, so that a message names it."""
    lists = checked(held.get("lists", {}), dict[Text, Any], f"{place}lists")
    found = _Workspace({list_id: checked(one, _List, f"{place}lists.{list_id}") for list_id, one in lists.items()})
    found.catalogs = checked(held.get("catalogs", []), list[_Catalog], f"{place}catalogs")
    found.segments = checked(held.get("segments", []), list[_Segment], f"{place}segments")
    files = {
        f"{place}lists.{list_id}.files.{i}._id": file.id
        for list_id, one in found.lists.items()
        for i, file in enumerate(one.files if isinstance(one.files, list) else [])
    }
    names = {f"{place}catalogs.{i}.name": one.name for i, one in enumerate(found.catalogs)}
    ids = {f"{place}segments.{i}.id": one.id for i, one in enumerate(found.segments)}
    titles = {f"{place}segments.{i}.name": one.name for i, one in enumerate(found.segments)}
    for values in (files, names, ids, titles):
        taken: set[str] = set()
        for where, value in values.items():
            if value and value in taken:
                raise ValueError(f"{where} must be unique")
            taken.add(value or "")
    return found


def _unknown(held: Mapping[str, Any], place: str) -> Iterator[str]:
    """The names that no seed has."""
    if place:
        yield from (f"{place}{name}" for name in held if name not in _Workspace.__struct_fields__)
    things = [("lists", f"lists.{list_id}", one) for list_id, one in held.get("lists", {}).items()]
    for _, where, one in list(things):
        files = one.get("files", 0)
        things += [
            ("files", f"{where}.files.{i}", file) for i, file in enumerate(files if isinstance(files, list) else [])
        ]
    for kind in ("catalogs", "segments"):
        things += [(kind, f"{kind}.{i}", one) for i, one in enumerate(held.get(kind, []))]
    for kind, where, one in things:
        yield from (f"{place}{where}.{name}" for name in one if name not in _NAMES[kind])


def apply_seed(seed: Seed, world: World, coupons: Coupons) -> None:
    """Put a seed's lists, files, catalogs and segments into their workspaces."""
    for name, held in seed.held.items():
        workspace = "" if name == world.settings.workspace_id else name
        given = seed.given.get("workspaces", {})[name] if name else seed.given
        for list_id, one in held.lists.items():
            files = given["lists"][list_id].get("files", 0)
            if isinstance(files, int):
                coupons.seed(workspace, list_id, [{"name": f"seeded-{i:06d}.csv"} for i in range(1, files + 1)])
            else:
                coupons.seed(workspace, list_id, files)
            state = ListState(list_id, workspace, one.coupons, float(one.issued))
            world.hold(state)
            world.save(state)
        for catalog in given.get("catalogs", []):
            fields = {"id": secrets.token_hex(12), "price_currency": "EUR", "attributes": [], **catalog}
            _keep(world, Catalog(fields["id"], workspace, fields))
        for segment in given.get("segments", []):
            blank = {"name": "", "included_filters": None, "updated_by": "", "updated_at": ""}
            _keep(world, Segment(segment["id"], workspace, {**blank, **segment}))


def _keep(world: World, one: Catalog | Segment) -> None:
    world.hold(one)
    world.save(one)
