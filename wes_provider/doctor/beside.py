"""What an error says besides its code and its message, in headers and in its body. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.files import inside
from wes_provider.doctor.words import description_in

__all__ = ["said_beside"]

# Headers about what a key may do: X-OAuth-Scopes, X-Required-Permissions.
OF_SCOPES: Final = re.compile(r"scope|permission(?!s-policy)|privilege|entitlement")
NEEDED: Final = re.compile(r"accept|require|need|expect|missing")
SCOPE: Final = re.compile(r"[^\s,;\"]+")
# Members that say where an account is: home_region, dataCenter, dc_id; names are plain.
PLACE: Final = re.compile(
    r"\w*(?:region|datacent(?:er|re)|cluster)(?:id|code|name|number)?|"
    r"(?:home|correct|right|target|expected|actual|workspace|account|tenant|your)?"
    r"dc(?:id|code|name|number)?"
)
MOST_PLACES: Final = 3


def said_beside(
    status: int, headers: Mapping[str, str], content: Any, message: str
) -> Iterator[str]:
    """
    Yield what an error says besides its message: why a challenge refuses, the permissions that the
    key lacks, and where the account is.

    :param headers: names in lower case.
    """
    described = description_in(headers)
    # Gateways put the code before the message there.
    is_repeated = described.lower().rstrip(".").endswith(message.lower().rstrip("."))
    if described and not is_repeated:
        yield described
    yield from _lacked(status, headers)
    if status != 401:
        yield from _places_in(content)


def _lacked(status: int, headers: Mapping[str, str]) -> Iterator[str]:
    """
    Yield the headers that name what is needed and what the key has, if it has none of that.

    Without what the key has, a 404 says nothing: replies may always name what is needed.
    """
    about = {name: value for name, value in headers.items() if OF_SCOPES.search(name)}
    needed = {name: value for name, value in about.items() if NEEDED.search(name) and value.strip()}
    given = {name: value for name, value in about.items() if name not in needed}
    wanted = SCOPE.findall(" ".join(needed.values()))
    has = SCOPE.findall(" ".join(given.values()))
    is_known = bool(given) or status in (401, 403)
    if (
        not wanted
        or not is_known
        or any(fnmatchcase(name, scope) for scope in has for name in wanted)
    ):
        return
    for name, value in {**needed, **given}.items():
        yield f"{_as_people_write(name)}: {value.strip() or 'none'}"


def _as_people_write(header: str) -> str:
    return header.title().replace("Oauth", "OAuth")


def _places_in(content: Any) -> list[str]:
    """Return the members of an error that say where the account is, such as ``region: eu-03``."""
    places = []
    for where, value in inside(content):
        name = where.rpartition(".")[2]
        is_word = type(value) in (str, int) and re.search(r"\d", str(value)) is not None
        if is_word and PLACE.fullmatch(plain_name(name)):
            places.append(f"{name}: {value}")
    return places[:MOST_PLACES]
