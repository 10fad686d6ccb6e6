"""What an error says besides its code and its message, in headers and in its body. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from typing import Any, Final, NamedTuple

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.words import blocked_by, description_in

__all__ = ["as_people_write", "rights_in", "said_beside"]

# Headers about what a key may do: X-OAuth-Scopes, X-Required-Permissions.
OF_SCOPES: Final = re.compile(r"scope|permission(?!s-policy)|privilege|entitlement")
NEEDED: Final = re.compile(r"accept|require|need|expect|missing")
# Headers that say where a person logs in for a key: X-GitHub-SSO.
OF_LOGIN: Final = re.compile(r"(?:^|-)sso$|(?:^|-)consent$")
QUERY: Final = re.compile(r"\?\S*")
WORD: Final = re.compile(r"[^\s,;\"]+")
FORBIDDEN: Final = 403
# Members that say where an account is: home_region, dataCenter, dc_id; names are plain.
PLACE: Final = re.compile(
    rf"\w*{remedies.PLACE}(?:id|code|name|number)?|"
    r"(?:home|correct|right|target|expected|actual|workspace|account|tenant|your)?"
    r"dc(?:id|code|name|number)?"
)
MOST_PLACES: Final = 3
# Members that say from when on a key may be used: valid_from, notBefore, activatesAt.
BEGINNING: Final = re.compile(
    r"(?:key|token)?(?:(?:valid|active|enabled|effective|usable|available|activation|start)s?"
    r"(?:from|after|since|at|on|date|time)|notbefore|nbf|activates(?:at|on)|becomes(?:active|valid)(?:at|on)?)"
)


def said_beside(
    status: int, headers: Mapping[str, str], content: Any, message: str
) -> Iterator[str]:
    """
    Yield what an error says besides its message: why a challenge refuses, the permissions that the
    key lacks, who blocks it, from when on a key is valid, names to choose from, and where the
    account is.

    :param headers: names in lower case.
    """
    described = description_in(headers)
    # Gateways put the code before the message there.
    is_repeated = described.lower().rstrip(".").endswith(message.lower().rstrip("."))
    if described and not is_repeated:
        yield described
    yield from _lacked(status, headers)
    blocking = blocked_by(headers)
    if blocking:
        yield f"blocked by {blocking}"
    for name, value in headers.items():
        if OF_LOGIN.search(name):
            # Without the queries of URLs, which may be secret.
            yield f"{as_people_write(name)}: {QUERY.sub('', value)}"
    if remedies.NOT_YET.search(message):
        yield from _beginnings_in(content)
    yield from (text for text in _fields_in(content) if text.partition(": ")[2] not in message)
    yield from (text for text in _candidates_in(content) if text not in message)
    if status != 401:
        yield from _places_in(content)


# Members with names to choose from.
CANDIDATES: Final = re.compile(r"candidates?|alternatives?|suggestions?|choices|matches|didyoumean")
MOST_CANDIDATES: Final = 3


def _candidates_in(content: Any) -> Iterator[str]:
    """Yield the members of an error that have names to choose from, as ``candidates: a, b``."""
    for where, value in inside(content):
        is_named_so = CANDIDATES.fullmatch(last_name(where)) is not None
        if not is_named_so or not isinstance(value, list):
            continue
        names = [name for name in value if isinstance(name, str) and name]
        if names:
            yield f"candidates: {', '.join(names[:MOST_CANDIDATES])}"


# Members with what is wrong with which field: invalid-params, errors, fieldErrors, violations.
OF_FIELDS: Final = re.compile(
    r"(?:invalid|field|validation|param(?:eter)?)?(?:params|parameters|errors|violations|details|"
    r"fields|issues|problems)"
)
FIELD_NAMES: Final = ("name", "field", "property", "param", "parameter", "pointer", "path", "loc")
WHY_NAMES: Final = ("reason", "message", "msg", "detail", "description", "error")
MOST_FIELDS: Final = 2


def _fields_in(content: Any) -> list[str]:
    """
    Return what a refusal says of fields, such as ``name: must be at most 64 characters``: of an
    array of objects, or of an object with an array for each field.
    """
    said = []
    for where, value in inside(content):
        if not isinstance(value, list):
            continue
        parent, _, last = where.rpartition(".")
        if OF_FIELDS.fullmatch(plain_name(last)):
            said += [_field_says(entry) for entry in value if isinstance(entry, dict)]
        elif OF_FIELDS.fullmatch(plain_name(parent.rpartition(".")[2])):
            said += [f"{last}: {text}" for text in value if isinstance(text, str)]
    return [text for text in said if text][:MOST_FIELDS]


def _field_says(entry: Mapping[str, Any]) -> str:
    """Return a field and what is wrong with it; empty if an object does not say both."""
    members = {plain_name(name): value for name, value in entry.items()}
    field = _first_text(members, FIELD_NAMES)
    reason = _first_text(members, WHY_NAMES)
    if not field or not reason:
        return ""
    return f"{field}: {reason}"


def _first_text(members: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the first of some members that is a string, or an array with the parts of a place."""
    for name in names:
        value = members.get(name)
        if isinstance(value, list):
            return ".".join(map(str, value))
        if isinstance(value, str):
            return value
    return ""


class Permissions(NamedTuple):
    """
    What headers say of permissions, by their names.

    :ivar needed: what the request needs; one of them is enough.
    :ivar given: what the key has.
    """

    needed: Mapping[str, str]
    given: Mapping[str, str]

    @property
    def are_met(self) -> bool:
        """Whether the key has a permission that is enough, also by a pattern such as ``a.*``."""
        has, wanted = _words_in(self.given), _words_in(self.needed)
        return any(fnmatchcase(one, pattern) for one, pattern in product(wanted, has))


def _permissions_in(headers: Mapping[str, str]) -> Permissions:
    about = {name: text.strip() for name, text in headers.items() if OF_SCOPES.search(name)}
    needed = {name: text for name, text in about.items() if text and NEEDED.search(name)}
    given = {name: text for name, text in about.items() if not NEEDED.search(name)}
    return Permissions(needed, given)


def rights_in(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that say what the key of a request may do, and what they say."""
    return {name: text for name, text in _permissions_in(headers).given.items() if text}


def _words_in(headers: Mapping[str, str]) -> list[str]:
    return WORD.findall(" ".join(headers.values()))


def _lacked(status: int, headers: Mapping[str, str]) -> Iterator[str]:
    """
    Yield the headers that name what is needed and what the key has, if it has none of that.

    Without what the key has, only a 403 says so: replies may always name what is needed.
    """
    permissions = _permissions_in(headers)
    is_told = bool(permissions.given) or status == FORBIDDEN
    if not permissions.needed or not is_told or permissions.are_met:
        return
    for name, text in {**permissions.needed, **permissions.given}.items():
        yield f"{as_people_write(name)}: {text or 'none'}"


def as_people_write(header: str) -> str:
    """Return the name of a header as people write it."""
    return header.title().replace("Oauth", "OAuth")


def _beginnings_in(content: Any) -> Iterator[str]:
    """Yield the members of an error that say from when on a key is valid."""
    for where, value in inside(content):
        name = where.rpartition(".")[2]
        is_time = type(value) in (str, int) and re.search(r"\d", str(value)) is not None
        if is_time and BEGINNING.fullmatch(plain_name(name)):
            yield f"{name}: {value}"


def _places_in(content: Any) -> list[str]:
    """Return the members of an error that say where the account is, such as ``region: eu-03``."""
    places = []
    for where, value in inside(content):
        name = where.rpartition(".")[2]
        is_word = type(value) in (str, int) and re.search(r"\d", str(value)) is not None
        if is_word and PLACE.fullmatch(plain_name(name)):
            places.append(f"{name}: {value}")
    return places[:MOST_PLACES]
