"""Which further request the record of a file demands before the file goes on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.replies.files import properties_of
from wes_provider.doctor.replies.members import objects_in
from wes_provider.models import CouponFile
from wes_provider.texts import redact_url, shown

__all__ = ["demanded_request"]

# Plain names of links that finish something. Those to cancel, to delete or to retry do not.
FINISHES: Final = re.compile(
    r"(?:commit|confirm|publish|activate|finali[sz]e|finish|complete|release|apply|submit|start|"
    r"import|process|execute|approve)(?:url|uri|link|href)?"
)
WRITES: Final = ("POST", "PUT", "PATCH")


def demanded_request(file: CouponFile) -> str:
    """
    Quote the link by which a record says that a request has to follow, such as ``POST
    /v1/files/f1/commit``; empty if it has none.
    """
    for where, link in _links(properties_of(file)):
        method = str(link.get("method", "")).upper()
        target = next((str(link[name]) for name in ("href", "url", "uri") if name in link), "")
        if FINISHES.fullmatch(plain_name(where)) and target and method in WRITES:
            return f"{method} {shown(redact_url(target), quoted=False)}"
    return ""


def _links(properties: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects of a record by their last name, from its dotted properties."""
    objects: dict[str, dict[str, Any]] = {}
    for where, value in properties.items():
        above, _, name = where.rpartition(".")
        if above:
            objects.setdefault(above, {})[name.lower()] = value
        if isinstance(value, list):
            yield from _links_in_array(value)
    for where, members in objects.items():
        yield where.rpartition(".")[2], members


def _links_in_array(values: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the links of an array by what their ``rel`` says."""
    for value in values:
        for _, link in objects_in(value):
            yield str(link.get("rel", "")), link
