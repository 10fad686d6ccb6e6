"""Seeds: JSON that people write, with what the workspaces hold at the start."""

from __future__ import annotations

import json
import secrets
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field, to_builtins

from wes_provider import contract
from wes_provider.emulator.checking import Count, Text, checked
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.world import Catalog, Holding, ListState, Segment, World

__all__ = ["apply_seed", "read_seed"]


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
    files: Annotated[int, Meta(ge=0, le=1_000_000)] | list[_File] = 0

    def __post_init__(self) -> None:
        most = self.coupons + sum(file.coupons_added for file in self.given)
        if self.issued > most:
            raise ValueError(f"issued must be at most its {most} coupons")

    @property
    def given(self) -> list[_File]:
        return self.files if isinstance(self.files, list) else []


class _Attribute(Struct):
    name: str
    type: str


class _Catalog(Struct):
    name: Text
    id: Text = field(default_factory=lambda: secrets.token_hex(12))
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
    lists: dict[str, _List] = {}
    catalogs: list[_Catalog] = []
    segments: list[_Segment] = []


_NAMES: Final = {
    "files": _File.__struct_encode_fields__,
    "lists": _List.__struct_encode_fields__,
    "catalogs": _Catalog.__struct_encode_fields__,
    "segments": _Segment.__struct_encode_fields__,
}


def read_seed(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """
    What an emulator holds at its start and after each reset, from a file or from parsed JSON.

    :param source: path of the file, or what it holds.
    :return: the checked seed; unknown keys are ignored with a warning.
    :raises ValueError: naming what is wrong.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(source, Mapping):
        return _checked(source)
    try:
        return _checked(json.loads(Path(source).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"seed file {source} cannot be used: {error}") from error


def _checked(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or "version" not in data:
        raise ValueError('a seed is a JSON object with a "version" (a number), "lists", "catalogs" and "segments"')
    checked(data["version"], Count, "version")
    unknown = [name for name in data if name not in ("version", "workspaces", *_Workspace.__struct_fields__)]
    for _, place, held in _workspaces(data):
        _workspace(held, place)
        unknown += _unknown(held, place)
    if unknown:
        warnings.warn(f"The seed's {', '.join(unknown)} are unknown and ignored.", stacklevel=4)
    return data


def _workspaces(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The workspaces, the first of which has an empty name, with the places of what they hold."""
    yield "", "", data
    for name, held in checked(data.get("workspaces", {}), dict[Text, dict[str, Any]], "workspaces").items():
        yield name, f"workspaces.{name}.", held


def _workspace(held: Mapping[str, Any], place: str) -> _Workspace:
    """Check each thing by itself, so that a message names it."""
    lists = checked(held.get("lists", {}), dict[Text, Any], f"{place}lists")
    found = _Workspace({list_id: checked(one, _List, f"{place}lists.{list_id}") for list_id, one in lists.items()})
    found.catalogs = checked(held.get("catalogs", []), list[_Catalog], f"{place}catalogs")
    found.segments = checked(held.get("segments", []), list[_Segment], f"{place}segments")
    files = [
        (f"lists.{name}.files.{i}._id", f.id) for name, one in found.lists.items() for i, f in enumerate(one.given)
    ]
    names = [(f"catalogs.{i}.name", one.name) for i, one in enumerate(found.catalogs)]
    ids = [(f"segments.{i}.id", one.id) for i, one in enumerate(found.segments)]
    titles = [(f"segments.{i}.name", one.name) for i, one in enumerate(found.segments)]
    for things in (files, names, ids, titles):
        taken: set[str] = set()
        for where, value in things:
            if value and value in taken:
                raise ValueError(f"{place}{where} must be unique")
            taken.add(value or "")
    return found


def _unknown(held: Mapping[str, Any], place: str) -> list[str]:
    """The names that no seed has."""
    found = [f"{place}{name}" for name in held if place and name not in _Workspace.__struct_fields__]
    things = [("lists", f"lists.{list_id}", one) for list_id, one in held.get("lists", {}).items()]
    for _, where, one in list(things):
        files = one.get("files") if isinstance(one.get("files"), list) else []
        things += [("files", f"{where}.files.{i}", file) for i, file in enumerate(files)]
    for kind in ("catalogs", "segments"):
        things += [(kind, f"{kind}.{i}", one) for i, one in enumerate(held.get(kind, []))]
    return [
        *found,
        *(f"{place}{where}.{name}" for kind, where, one in things for name in one if name not in _NAMES[kind]),
    ]


def apply_seed(seed: Mapping[str, Any], world: World, coupons: Coupons) -> None:
    """
    Put a seed's lists, files, catalogs and segments into their workspaces.

    :param seed: what ``read_seed`` returned.
    """
    things: list[Holding] = []
    for name, place, given in _workspaces(seed):
        workspace, held = "" if name == world.settings.workspace_id else name, _workspace(given, place)
        for list_id, one in held.lists.items():
            numbered = (
                [{"name": f"seeded-{i:06d}.csv"} for i in range(1, one.files + 1)] if isinstance(one.files, int) else []
            )
            coupons.seed(workspace, list_id, [*numbered, *(to_builtins(file) for file in one.given)])
            things.append(ListState(list_id, workspace, one.coupons, float(one.issued)))
        things += [Catalog(one.id, workspace, to_builtins(one)) for one in held.catalogs]
        things += [Segment(one.id, workspace, to_builtins(one)) for one in held.segments]
    for thing in things:
        world.add(thing)
    world.save(*things)
