"""What the reply to the creation of a catalog says: above all, where its identifier is. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from wes_provider.client import responses
from wes_provider.client.announcements import plain_name
from wes_provider.doctor.findings.finding import Certainty, Row
from wes_provider.doctor.replies.files import has_any
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.probes import Form, Probe
from wes_provider.doctor.replies.words import capital
from wes_provider.doctor.writes.in_effect import GIVEN_BY_PEOPLE, quoted_property, why_not_in_effect
from wes_provider.settings import WesSettings
from wes_provider.texts import redact, shown

__all__ = ["CURRENCY", "OPERATIONS", "rows_of_creation"]

CREATED: Final = 201
# Of the catalog.
CURRENCY: Final = "EUR"
# Ends of the names of properties that have an identifier, and of those that may have one, too.
ID_WORDS: Final = ("id", "identifier")
NAMES_OF_IDS: Final = (*ID_WORDS, "key", "handle", "ref")
# Headers with the identifier of the request, such as X-Request-Id.
OF_REQUEST: Final = re.compile(r"(?:request|correlation|trace|transaction)-?id|cf-ray")
# A link to a request, with its identifier: /v1/catalog/requests/r-7.
LINK_OF_REQUEST: Final = re.compile(r"/(?:request|operation|job|task)s?/([^/?#]+)")
# A link to a catalog, with its identifier: https://api.example.com/v1/catalog/c-7.
LINK_OF_CATALOG: Final = re.compile(
    r"/(?:catalogs?|catalogues?)/([^/?#]+)/?(?:[?#].*)?$", re.IGNORECASE
)
# Parts of the names of properties that say under which number something is worked on.
OPERATIONS: Final = ("operation", "job", "task", "process", "tracking", "ticket", "request")
# What a reply has that is about an operation: a link to it, its kind, or how far it is.
LINKS_TO_OPERATION: Final = frozenset({"statusurl", "operationurl", "statusuri", "monitorurl"})
NAMES_OF_KINDS: Final = ("type", "object", "kind", "resourcetype")
NAMES_OF_STATES: Final = ("state", "status")
ON_ITS_WAY: Final = re.compile(
    r"(?!missing)[a-z_ -]*ing|accepted|submitted|queued|scheduled|in[_ -]?progress", re.IGNORECASE
)
# How a reply says that nothing was created.
EXISTED: Final = (
    ("created", False),
    ("isnew", False),
    ("new", False),
    ("existed", True),
    ("exists", True),
    ("existing", True),
    ("alreadyexists", True),
)
EXISTS: Final = re.compile(
    r"\b(?:already|name) exist|\bexist(?:s|ed|ing)\b.*\b(?:already|returned|unchanged)|"
    r"existiert bereits|ya existe|existe déjà",
    re.IGNORECASE,
)
# What stands for no identifier.
PLACEHOLDER: Final = re.compile(r"[0-]+|null|none|undefined|string|tbd|n/?a", re.IGNORECASE)
# Parts of the plain names of properties whose values may be secret.
SECRETS: Final = ("token", "secret", "password", "apikey", "accesskey", "credential", "signature")
MOST_CANDIDATES: Final = 8  # for a catalog's identifier, that are named
LONGEST_BODY: Final = 120  # characters of a response that has no identifier


class Identifiers(NamedTuple):
    """
    Where the reply to a creation may have the catalog's identifier.

    :ivar read: what the connection's ``catalog_id`` leads to; ``None`` if that is no identifier, or
        may be that of something else.
    :ivar candidates: the dotted properties that may have it.
    :ivar beside_name: those of them that stand in the same object as the catalog's name.
    """

    read: str | None
    candidates: Sequence[str]
    beside_name: Sequence[str]

    @property
    def only_candidate(self) -> str:
        """The only property that may have it; empty if there is none, or several."""
        if len(self.candidates) == 1:
            return self.candidates[0]
        return ""

    @property
    def is_called_so(self) -> bool:
        """Whether the only property that may have it is called an identifier."""
        return _is_called(self.only_candidate, ID_WORDS)

    @property
    def guesses(self) -> dict[str, Any]:
        """The setting to try: the only property beside the name, or the only one at all."""
        guess = self.only_candidate
        if len(self.beside_name) == 1:
            guess = self.beside_name[0]
        if not guess:
            return {}
        return {"paths.catalog_id": guess}


class LinkToCatalog(NamedTuple):
    """
    A link in a body, whose last part is the catalog's identifier.

    :ivar where: the dotted property that has it.
    """

    where: str
    identifier: str


def _content_of(probe: Probe) -> Any:
    """Return the JSON of a reply; its text if it has none."""
    if probe.content is None:
        return probe.text
    return probe.content


def _find_identifiers(given: str | None, probe: Probe, name: str | None) -> Identifiers:
    content = _content_of(probe)
    of_request = _identifiers_of_request(probe)
    candidates = _identifiers_in(content, {name, CURRENCY, *of_request})
    read = responses.catalog_id(content, given)
    if read in of_request or _is_placeholder(read):
        read = None
    if read is not None and _has_identifier_beside_name(content, name, read, candidates):
        read = None
    return Identifiers(read, candidates, _beside_name(content, name, candidates))


def rows_of_creation(settings: WesSettings, probe: Probe, name: str | None) -> list[Row]:
    """
    Tell where the reply to the creation of a catalog has its identifier.

    :param probe: a success.
    :param name: of the catalog.
    """
    given = settings.catalog_id_property
    found = _find_identifiers(given, probe, name)
    only = found.only_candidate
    goes_on = _goes_on(probe)
    not_in_effect = why_not_in_effect(probe)
    of_request = _said_of_request(probe)
    link = _link_to_catalog(probe)
    existed = _existed(probe)
    return [
        Row(
            applies=found.read is not None and bool(existed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}, and {found.read} is an identifier, but by the "
                f"reply ({existed}) nothing was created: {shown(name)} seems to have been there. "
                "A task would take that catalog for the one that it creates. To see a creation, "
                "name a catalog that does not exist."
            ),
            guesses={"paths.catalog_id": given},
        ),
        Row(
            applies=found.read is not None and goes_on,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}, and not done yet: {found.read} may be the "
                f"identifier of the operation, and a task would take it for the catalog's. Look "
                f"for {shown(name)} in the service's dashboard, keep its identifier, and ask the "
                "service's support how a task gets it from a reply."
            ),
        ),
        Row(
            applies=found.read is not None and bool(not_in_effect),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}, and {found.read} is its identifier, but the reply "
                f"says that it is not in effect, or not yet ({not_in_effect}). Look for "
                f"{shown(name)} in the service's dashboard, keep its identifier, and ask the "
                "service's support how tasks create catalogs that take effect."
            ),
            guesses={"paths.catalog_id": given},
        ),
        Row(
            applies=found.read is not None,
            certainty=Certainty.SURE,
            text=f"Created; its identifier is {found.read}.",
            settings={"paths.catalog_id": given},
        ),
        Row(
            applies=link is not None and (not found.candidates or _is_of_operation(only)),
            certainty=Certainty.WRONG,
            text=_created_with_link(probe, link),
        ),
        Row(
            applies=bool(only) and (goes_on or _is_of_operation(only)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}: {only} may be the identifier of the request or of "
                f"an operation, and not the catalog's. Look for {shown(name)} in the service's "
                "dashboard, keep its identifier, and ask the service's support which property of "
                "a reply has it."
            ),
        ),
        Row(
            applies=found.is_called_so,
            certainty=Certainty.WRONG,
            text=f"Created; its identifier is under {only}.{of_request}",
            settings={"paths.catalog_id": only},
        ),
        Row(
            applies=goes_on and bool(found.candidates or _identifiers_of_request(probe)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}, and not done yet, so which property will have the "
                f"catalog's identifier is not shown. Look for {shown(name)} in the service's "
                "dashboard, keep its identifier, and ask the service's support where a reply has "
                "it."
            ),
        ),
        Row(
            applies=probe.form in (Form.PAGE, Form.BROKEN),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{capital(probe.form.value)} came with status {probe.status}, perhaps from a "
                f"gateway, so a task would fail. Look in the service's dashboard whether "
                f"{shown(name)} was created."
            ),
        ),
        Row(
            applies=not found.candidates,
            certainty=Certainty.WRONG,
            text=_created_without_identifier(probe, name),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                "Created, but which property is its identifier? "
                f"{_with_values(_content_of(probe), found)}. Keep these values, and name "
                f"the right property in paths.catalog_id.{of_request}"
            ),
            guesses=found.guesses,
        ),
    ]


def _beside_name(content: Any, name: str | None, candidates: Sequence[str]) -> list[str]:
    """Return the candidates that stand in the same object as the catalog's name."""
    named_in = {_place_of(where) for where, value in inside(content) if value == name}
    return [where for where in candidates if _place_of(where) in named_in]


def _with_values(content: Any, found: Identifiers) -> str:
    """
    Name properties with their values, such as ``id 'evt_7', data.uid 'CAT-4' (beside the name)``;
    those that may be secret by their names, without.
    """
    said = []
    for where in found.candidates[:MOST_CANDIDATES]:
        property_says = shown(where, quoted=False)
        if not has_any(SECRETS, plain_name(where)):
            property_says += f" {shown(redact(str(responses.catalog_id(content, where))))}"
        if where in found.beside_name:
            property_says += " (beside the name)"
        said.append(property_says)
    return ", ".join(said)


def _goes_on(probe: Probe) -> bool:
    """Tell whether a success is about an operation that goes on, and not about what it makes."""
    if probe.is_for_later:
        return True
    members = {plain_name(_name_of(where)): value for where, value in inside(probe.content)}
    if members.get("done") is False or members.keys() & LINKS_TO_OPERATION:
        return True
    kinds = [str(members.get(name, "")) for name in NAMES_OF_KINDS]
    states = [str(members.get(name, "")) for name in NAMES_OF_STATES]
    return any(has_any(OPERATIONS, kind.lower()) for kind in kinds) or any(
        map(ON_ITS_WAY.fullmatch, states)
    )


def _has_identifier_beside_name(
    content: Any, name: str | None, found: str, candidates: Sequence[str]
) -> bool:
    """
    Tell whether a candidate stands in an object with the catalog's name, and the identifier that is
    read stands in another one: that may be of the request, or of the reply.
    """
    found_at = [where for where, value in inside(content) if str(value) == found]
    if _beside_name(content, name, found_at):
        return False
    return bool(_beside_name(content, name, candidates))


def _is_of_operation(where: str) -> bool:
    """Tell whether the name of a property says that it is of a request or of an operation."""
    return has_any(OPERATIONS, _name_of(where))


def _name_of(where: str) -> str:
    """Return the last part of a dotted property."""
    return where.rpartition(".")[2]


def _place_of(where: str) -> str:
    """Return the dotted property of the object that has a property; empty for the body itself."""
    return where.rpartition(".")[0]


def _created_without_identifier(probe: Probe, name: str | None) -> str:
    """Tell what to do about a catalog of which no property of the response is the identifier."""
    done = "Created"
    if probe.status != CREATED:
        done = f"Accepted with {probe.status}"
    has = "the reply has no body"
    if probe.form is not Form.NONE:
        has = f"the body of the reply ({_in_short(probe)}) has no identifier that can be read"
    ask = "ask the service's support for it in the body. A task would fail without it."
    if probe.location:
        named = urlsplit(probe.location).path
        return (
            f"{done}; {has}, and its Location names {shown(redact(named), quoted=False)}, which "
            f"the provider does not read, and no setting changes that: keep that identifier, and "
            f"{ask}"
        )
    return (
        f"{done}; {has}, and no setting changes that: look for {shown(name)} in the service's "
        f"dashboard, keep its identifier, and {ask}"
    )


def _link_to_catalog(probe: Probe) -> LinkToCatalog | None:
    """Return the only link to a catalog that a body has; ``None`` without one, or with several."""
    links: dict[str, LinkToCatalog] = {}
    for where, value in inside(probe.content):
        found = LINK_OF_CATALOG.search(value) if _is_link(value) else None
        if found is not None:
            links.setdefault(found[1], LinkToCatalog(where, found[1]))
    if len(links) != 1:
        return None
    return next(iter(links.values()))


def _is_link(value: Any) -> bool:
    return isinstance(value, str) and ("://" in value or value.startswith("/"))


def _created_with_link(probe: Probe, link: LinkToCatalog | None) -> str:
    """Tell what to do about a catalog whose identifier is only a part of a link."""
    if link is None:
        return ""
    done = "Created"
    if probe.status != CREATED:
        done = f"Accepted with {probe.status}"
    identifier = shown(redact(link.identifier), quoted=False)
    return (
        f"{done}; no property is the identifier, but {shown(link.where, quoted=False)} is a link "
        f"that ends with {identifier}. The provider does not read links, and no setting changes "
        "that: keep that identifier, and ask the service's support for it in a property of its "
        "own. A task would fail without it."
    )


def _in_short(probe: Probe) -> str:
    """Return the beginning of a body that is text; else what it is."""
    if probe.form is Form.BINARY:
        return "binary"
    return shown(probe.clean(probe.text), LONGEST_BODY, quoted=False)


def _identifiers_of_request(probe: Probe) -> set[str]:
    """
    Return the identifiers that a reply gives to the request: in headers, for its support, and in
    links to it, such as ``/v1/requests/r-7``.
    """
    in_headers = {
        value.strip()
        for name, value in probe.response.headers.items()
        if OF_REQUEST.search(name) and value.strip()
    }
    links = [value for _, value in inside(probe.content) if isinstance(value, str)]
    return in_headers | {link[1] for link in map(LINK_OF_REQUEST.search, links) if link}


def _existed(probe: Probe) -> str:
    """Quote what says that nothing was created, since it was there; empty if nothing does."""
    for where, value in inside(probe.content):
        name = plain_name(_name_of(where))
        is_flag = isinstance(value, bool) and (name, value) in EXISTED
        is_sentence = isinstance(value, str) and EXISTS.search(value) is not None
        if is_flag or (is_sentence and name not in GIVEN_BY_PEOPLE):
            return quoted_property(probe, where, value)
    return ""


def _said_of_request(probe: Probe) -> str:
    """Tell which property has the identifier of the request, as a sentence; empty for none."""
    of_request = _identifiers_of_request(probe)
    for where, value in inside(probe.content):
        if str(value) in of_request:
            named = shown(where, quoted=False)
            return f" {named[:1].upper()}{named[1:]} {shown(str(value))} is that of the request."
    return ""


def _is_placeholder(identifier: str | None) -> bool:
    """Tell whether a value stands for none, such as a UUID of zeros."""
    return identifier is not None and PLACEHOLDER.fullmatch(identifier) is not None


def _identifiers_in(content: Any, others: Container[Any]) -> list[str]:
    """
    Return the dotted properties of a response that may be the catalog's identifier: those that are
    called as identifiers are; with others in their objects if none is called an identifier; all
    that look like one if none is called so.

    :param others: values that are something else.
    """
    words = [
        where for where, value in inside(content) if _may_be_one(content, where, value, others)
    ]
    named = [where for where in words if _is_called(where, NAMES_OF_IDS)]
    if not named:
        return words
    if any(_is_called(where, ID_WORDS) for where in named):
        return named
    places = {_place_of(where) for where in named} - {""}
    return [where for where in words if where in named or _place_of(where) in places]


def _may_be_one(content: Any, where: str, value: Any, others: Container[Any]) -> bool:
    """Tell whether a value looks like an identifier, and is found under its dotted property."""
    is_word = type(value) in (str, int) and len(str(value).split()) == 1
    if not is_word or value in others:
        return False
    if _is_link(value) or _is_placeholder(str(value)):
        return False
    if plain_name(_name_of(where)) in (*NAMES_OF_KINDS, *NAMES_OF_STATES):
        return False
    return where != "" and responses.catalog_id(content, where) == str(value)


def _is_called(where: str, ends: tuple[str, ...]) -> bool:
    """Tell whether the last part of a dotted property ends so."""
    return _name_of(where).lower().endswith(ends)
