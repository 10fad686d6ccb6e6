"""What shape the records of a reply have, and how two replies to one request differ in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.client import responses
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.reads.caches import BEHIND
from wes_provider.doctor.reads.evidence import listed_in, record_in, unreadable
from wes_provider.doctor.replies.files import file_of, records_at, shape_of, status_of
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.nodes import named_nodes
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import counted, shown

__all__ = ["labels_of_shapes", "versions_of", "with_version"]

MOST_NAMES: Final = 3  # properties that are named
ENDS: Final = Statuses().success | Statuses().failure
UNREADABLE: Final = ", which the provider cannot read"
# Headers that say which version of the service replied.
VERSION: Final = re.compile(r"version|release|build|revision|commit|deploy")
# A service may have its statuses in the language of the reply.
LANGUAGE: Final = "content-language"
MOST_VERSIONS: Final = 2
LONGEST_VERSION: Final = 40  # characters

SHAPE: Final = "shape"  # under which a probe keeps it


class Shape(NamedTuple):
    """
    The shape of a success.

    :ivar what: how its records are called, such as ``3 objects``; ``where``: where they stand, as
        ``under data``.
    :ivar is_readable: whether the provider can read all of them.
    :ivar records: the properties of each, by what tells it from the others: of one that can be
        read, its identifier and its status, since a file that goes on may get more properties.
    """

    what: str
    is_readable: bool
    records: Mapping[tuple[Any, ...], Mapping[str, str]]
    where: str = ""

    def differs_from(self, other: Shape) -> bool:
        """Tell whether the same records have other properties, or stand elsewhere."""
        if self.is_readable is not other.is_readable:
            return True
        if self.records and other.records and self.where != other.where:
            return True
        return bool(self._different_in(other))

    def _different_in(self, other: Shape) -> list[tuple[Any, ...]]:
        """Return the records that have other properties in another shape."""
        shared = self.records.keys() & other.records.keys()
        return [key for key in shared if _differ(key, self.records[key], other.records[key])]

    def properties_beside(self, other: Shape) -> dict[str, str]:
        """
        Return the properties of the records that are different in another shape, or else of all,
        with their kinds; those that the provider reads come first.
        """
        keys = self._different_in(other) or [*self.records]
        names = {name: kind for key in keys for name, kind in self.records[key].items()}
        first = [name for name in ("_id", "status") if name in names]
        return {name: names[name] for name in dict.fromkeys((*first, *names))}


def _differ(
    key: tuple[Any, ...],
    own: Mapping[str, str],
    others: Mapping[str, str],
) -> bool:
    """
    Tell whether a record has other properties than before. One on its way may get more; one that
    has ended, or that cannot be read, has what it has.
    """
    only, lacks = _only_in(own, others), _only_in(others, own)
    is_on_its_way = len(key) > 1 and key[1] not in ENDS
    if is_on_its_way:
        return bool(only and lacks)
    return bool(only or lacks)


def _shape(probe: Probe) -> Shape:
    """Return the shape of a success; of a body without records, what it is instead."""
    if SHAPE not in probe.kept:
        probe.kept[SHAPE] = _read_shape(probe)
    shape: Shape = probe.kept[SHAPE]
    return shape


def _read_shape(probe: Probe) -> Shape:
    if probe.nothing:
        return Shape(
            what=probe.nothing,
            is_readable=True,
            records={},
        )
    if probe.request.operation is contract.LIST_COUPON_FILES:
        return _shape_of_list(probe)
    if probe.request.operation is not contract.GET_COUPON_FILE:
        return Shape(
            what=probe.form.value,
            is_readable=True,
            records={},
        )
    record = record_in(probe)
    if record is None and isinstance(probe.content, dict):
        record = probe.content
    is_readable = not unreadable(responses.coupon_file, probe)
    return Shape(
        what="an object",
        is_readable=is_readable,
        records=_by_record([] if record is None else [record]),
    )


def _shape_of_list(probe: Probe) -> Shape:
    listed = listed_in("", probe)
    if listed is None:
        return Shape(
            what=shape_of(probe.content),
            is_readable=False,
            records={},
        )
    records = listed.records
    where = ""
    if records.where:
        where = f" under {records.where}"
    is_unreadable = bool(listed.unreadable) and records.number > 0
    is_odd = bool(is_unreadable or records.problem or records.odd_statuses)
    what = counted(records.number, "object")
    return Shape(
        what=what,
        is_readable=not is_odd,
        records=_by_record(records_at(probe.content)),
        where=where,
    )


def _by_record(records: Iterable[Mapping[str, Any]]) -> dict[tuple[Any, ...], dict[str, str]]:
    properties = {}
    for number, record in enumerate(records):
        file = file_of(record)
        key: tuple[Any, ...] = (number,)
        if file is not None:
            key = (file.id, status_of(file))
        properties[key] = {where: _kind(value) for where, value in inside(record)}
    return properties


def _kind(value: Any) -> str:
    """Tell what a value is as far as it matters to the provider; empty for any other kind."""
    if isinstance(value, str):
        return "a string"
    if type(value) in (int, float):
        return "a number"
    return ""


def _only_in(
    properties: Mapping[str, str],
    other: Mapping[str, str],
) -> list[str]:
    """Tell which properties another record does not have, or has as another kind."""
    only = []
    for name, kind in properties.items():
        if name not in other:
            only.append(name)
        elif kind and other[name] and kind != other[name]:
            only.append(f"{name} as {kind}")
    return only


def labels_of_shapes(answers: Sequence[Probe]) -> list[str]:
    """
    Tell the shapes of answers to one request apart, each in words; none if they are all the same.

    :param answers: with the same status and code.
    """
    if not all(probe.success for probe in answers):
        return _labels_of_forms(answers)
    shapes = [*map(_shape, answers)]
    first = shapes[0]
    others = [shape for shape in shapes if shape.differs_from(first)]
    if not others:
        return []
    labels = []
    for shape in shapes:
        # What is like the first is told from the others, and each other from the first.
        compared = others[0]
        if shape in others:
            compared = first
        labels.append(_label(shape, compared))
    return labels


def _labels_of_forms(answers: Sequence[Probe]) -> list[str]:
    """Tell errors apart by the form of their bodies; none if they are all the same."""
    forms = [f"{probe.answer} as {probe.form.value}" for probe in answers]
    if len(set(forms)) == 1:
        return []
    return forms


def _label(shape: Shape, other: Shape) -> str:
    """Tell what a reply has that another one to the same request does not have."""
    own, others = shape.properties_beside(other), other.properties_beside(shape)
    only = _only_in(own, others)[:MOST_NAMES]
    lacks = _only_in(others, own)[:MOST_NAMES]
    end = UNREADABLE
    if shape.is_readable:
        end = ""
    if not only and not lacks:
        return f"{shape.what}{shape.where}{end}"
    has = f"with {_enumerated(only)}" if only else f"without {_enumerated(lacks)}"
    return shown(f"{shape.what}{shape.where} {has}{end}", quoted=False)


def _enumerated(names: Sequence[str]) -> str:
    """Return names as people enumerate them: ``a, b and c``."""
    before = ", ".join(names[:-1])
    if before:
        return f"{before} and {names[-1]}"
    return names[-1]


def versions_of(
    answers: Sequence[Probe],
    labels: Sequence[str],
) -> dict[str, str]:
    """
    Return the headers that differ with the label of an answer, and say which version replied.

    :return: by label, such as ``X-App-Version: 5.0.0``; empty if no header does.
    """
    said: dict[str, list[str]] = {}
    named = [*map(_named_versions, answers)]
    for name in _names_of_versions(answers, named):
        values = [versions.get(name, "none") for versions in named]
        for label, value in _value_of_each(values, labels).items():
            said.setdefault(label, []).append(f"{name}: {value}")
    return {label: ", ".join(versions[:MOST_VERSIONS]) for label, versions in said.items()}


def with_version(label: str, versions: Mapping[str, str]) -> str:
    """Return the label of an answer, with the headers that differ with it, if any do."""
    if label in versions:
        return f"{label} [{versions[label]}]"
    return label


def _named_versions(probe: Probe) -> dict[str, str]:
    """Return what the headers of a reply say of the version, or of the node, that sent it."""
    of_versions = {
        name.title(): shown(probe.clean(value.strip()), LONGEST_VERSION, quoted=False)
        for name, value in probe.response.headers.items()
        if VERSION.search(name) or BEHIND.search(name) or name == LANGUAGE
    }
    return {**named_nodes(probe), **of_versions}


def _names_of_versions(answers: Sequence[Probe], named: Sequence[Mapping[str, str]]) -> list[str]:
    """
    Return the headers that may say which version replied, or how far it is behind, before those of
    which node did.
    """
    headers = dict.fromkeys(chain.from_iterable(probe.response.headers for probe in answers))
    before = [*filter(VERSION.search, headers), *filter(BEHIND.search, headers)]
    names = dict.fromkeys(name.title() for name in before)
    return list({**names, **dict.fromkeys(chain.from_iterable(named))})


def _value_of_each(values: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """
    Return the one value that a header has with each label; empty if labels share one, or differ.
    """
    pairs = set(zip(labels, values, strict=True))
    is_one_each = len(pairs) == len(set(labels)) == len(set(values))
    if is_one_each:
        return dict(sorted(pairs))
    return {}
