"""The header that the service takes the workspace from, as reads show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from support.doctor_service import record
from wes_provider.client import requests
from wes_provider.doctor import header
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.header import HEADERS, Value
from wes_provider.doctor.probes import Probe, Question
from wes_provider.settings import WesSettings

FILES = [record("f1")]
USUAL = tuple(name for name in HEADERS if name != "SVC-APPKEY")


def listed(status: int = 401, message: str = "", **headers: str) -> Probe:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, error("", message) if message else b"", named)


def tried(
    *names: str, status: int = 200, message: str = "", question: Question = Question.HEADER
) -> Probe:
    """A read with other headers."""
    request = request_for(Question.LIST, changed(workspace_header=names[0]))
    content = error("", message) if message else FILES
    return reply(status, content, question=question, request=request, tried=" ".join(names))


def besides(*names: str, status: int = 200, message: str = "") -> Probe:
    return tried(*names, status=status, message=message, question=Question.HEADER_BESIDES)


def value(name: str, status: int = 401) -> Probe:
    return tried(name, status=status, message="No.", question=Question.HEADER_VALUE)


def segment(status: int = 401, settings: WesSettings = SETTINGS) -> Probe:
    request = requests.read_segment(settings, MADE_UP)
    return reply(status, question=Question.DATA_KEY, request=request)


ONE_KEY = changed(data_api_key=SETTINGS.api_key)
TWICE = [listed(), listed()]
NAMES = listed(400, "Header X-Tenant is required")
NAMED = ("X-Tenant",)


class Search(NamedTuple):
    """
    Replies, and what follows for the header.

    :ivar refused: the number of the read that another header may help; ``None`` for none.
    :ivar to_try: the headers to send in its place; ``to_add``: besides it.
    :ivar candidate: the one that was accepted alone; ``proved``: twice, and its value matters.
    :ivar demanded: one that is demanded besides; ``missed``: whether a refusal
        names a header, or words say that one is missing.
    """

    name: str
    probes: Sequence[Probe]
    refused: int | None = None
    to_try: tuple[str, ...] = ()
    to_add: tuple[str, ...] = ()
    candidate: str = ""
    proved: str = ""
    demanded: str = ""
    missed: bool = False
    settings: WesSettings = SETTINGS


HALF = USUAL[: (len(USUAL) + 1) // 2]
SEARCHES = [
    Search("nothing", []),
    Search("files", [listed(200)]),
    Search("one refusal", TWICE[:1]),
    Search("two refusals", TWICE, 0, USUAL),
    Search("a refusal and files", [listed(), listed(200)]),
    Search("a refusal about something else", 2 * [listed(401, "The key expired.")]),
    Search(
        "a refusal about something else that names a header",
        [listed(403, "The scope is missing: header X-Tenant")],
        0,
        NAMED,
        NAMED,
    ),
    Search(
        "a refusal that names one",
        [listed(401, "Header X-Tenant is required")],
        0,
        NAMED,
        NAMED,
        missed=True,
    ),
    Search("an error that names one", [NAMES], 0, NAMED, NAMED, missed=True),
    Search("an error that names one otherwise", [listed(400, "Bad X-Tenant")], 0, NAMED, NAMED),
    Search("a success that names one", [reply(200, {"message": "Header X-Tenant", "data": FILES})]),
    Search("a word for whom it is", [listed(400, "Tenant is missing")], 0, USUAL, missed=True),
    Search(
        "a word for whom it is, in a code",
        [reply(400, error("tenant-missing", "No."))],
        0,
        USUAL,
        missed=True,
    ),
    *(
        Search(words, [listed(400, words)], 0, USUAL, missed=True)
        for words in (
            *("missing header", "requires a tenant", "absent workspace", "needs account"),
            *("need an app", "fehlender header", "manque header", "falta header"),
            *("not sent: client", "not given: organization", "not provided: organisation"),
            *("not present: project", "not set: application", "missing api version"),
            *("header missing", "tenant required", "workspace absent", "client fehlt"),
            *("app manque", "header falta", "account not sent", "project not given"),
            *("application not provided", "header not present", "tenant not set"),
            *("no tenant", "unknown workspace", "unbekannter account", "without client"),
        )
    ),
    *(
        Search(words, [listed(400, words)])
        for words in (
            *("missing Authorization header", "the header has no API key: missing"),
            *("missing credential header", "tenant", "a header", "missing", "not tenant"),
        )
    ),
    Search("a refused data key", [listed(400, "No."), segment(), segment()], 1, USUAL),
    Search(
        "a refused data key that is the same",
        [listed(400, "No."), segment(401, ONE_KEY), segment(401, ONE_KEY)],
        settings=ONE_KEY,
    ),
    Search("a refused data key, but files", [listed(200), segment(), segment()]),
    Search("a data key that is refused once", [listed(400, "No."), segment()]),
    Search("a data key that is refused, then not", [listed(400, "No."), segment(), segment(404)]),
    # Hints.
    Search("a hint", [listed(401, vary="X-Org"), listed()], 0, ("X-Org",), ()),
    Search(
        "a hint that was tried",
        [listed(401, vary="X-Org"), listed(), tried("X-Org", status=401)],
        0,
        USUAL,
    ),
    Search(
        "a name that was tried, then a hint, then the usual ones",
        [listed(401, "Header X-Tenant is required", vary="X-Org"), tried("X-Tenant", status=401)],
        0,
        ("X-Org",),
        NAMED,
        missed=True,
    ),
    Search(
        "a name and a hint that were tried",
        [
            listed(401, "Header X-Tenant is required", vary="X-Org"),
            tried("X-Tenant", status=401),
            tried("X-Org", status=401),
        ],
        0,
        USUAL,
        NAMED,
        missed=True,
    ),
    Search(
        "a name that was tried, of an error that is no refusal",
        [listed(400, "Bad X-Tenant"), tried("X-Tenant", status=400, message="Bad X-Tenant")],
        0,
        (),
        NAMED,
    ),
    Search(
        "the own name in the words",
        [listed(401, "Header Svc-Appkey is wrong"), listed(401, "Header Svc-Appkey is wrong")],
        0,
        ("Svc-Appkey",),
        (),
        missed=True,
    ),
    Search(
        "a missing one, and a hint",
        [listed(400, "Tenant is missing", vary="X-Org")],
        0,
        ("X-Org",),
        ("X-Org",),
        missed=True,
    ),
    Search(
        "a refused data key with 400 of the list, and a hint",
        [listed(400, "No.", vary="X-Org"), segment(), segment()],
        1,
        ("X-Org",),
    ),
    # The search.
    Search("all help", [*TWICE, tried(*USUAL)], 0, HALF),
    Search("half of an odd number", [*TWICE, tried("A", "B", "C")], 0, ("A", "B")),
    Search(
        "the first half does not help",
        [*TWICE, tried("A", "B", "C"), tried("A", "B", status=401)],
        0,
        ("C",),
    ),
    Search("the first half helps", [*TWICE, tried("A", "B", "C"), tried("A", "B")], 0, ("A",)),
    Search("all do not help", [*TWICE, tried(*USUAL, status=401)], 0),
    Search("a lost read", [*TWICE, tried("A", "B"), tried("A", status=503)], 0, ("A",)),
    Search("a page", [*TWICE, tried("A", "B"), tried("A", status=302)], 0),
    Search(
        "the same complaint",
        [NAMES, tried("X-Tenant", status=400, message="Header X-Tenant is required")],
        0,
        USUAL,
        NAMED,
        missed=True,
    ),
    Search(
        "another complaint with 400",
        [NAMES, tried("X-Tenant", status=400, message="No.")],
        0,
        USUAL,
        NAMED,
        missed=True,
    ),
    Search(
        "another complaint about a header",
        [NAMES, tried("X-Tenant", status=422, message="Header X-B is bad")],
        0,
        USUAL,
        NAMED,
        missed=True,
    ),
    Search(
        "another answer",
        [NAMES, tried("X-Tenant", status=404, message="No.")],
        0,
        candidate="X-Tenant",
        missed=True,
    ),
    Search("one helps", [*TWICE, tried("A")], 0, candidate="A"),
    Search("one helps, and does not later", [*TWICE, tried("A"), tried("A", status=401)], 0),
    Search("one helps twice", [*TWICE, tried("A"), tried("A")], 0, candidate="A"),
    Search(
        "one helps twice, its value matters",
        [*TWICE, tried("A"), tried("A"), value("A")],
        0,
        candidate="A",
        proved="A",
    ),
    Search("one helps once, its value matters", [*TWICE, tried("A"), value("A")], 0, candidate="A"),
    Search(
        "its value does not matter",
        [
            *TWICE,
            tried("A"),
            tried("A"),
            tried("A", question=Question.HEADER_VALUE),
        ],
        0,
        candidate="A",
        demanded="A",
    ),
    Search(
        "the value of another one matters",
        [*TWICE, tried("A"), tried("A"), value("B")],
        0,
        candidate="A",
    ),
    Search(
        "found after its words",
        [NAMES, tried("X-Tenant"), tried("X-Tenant"), value("X-Tenant")],
        0,
        candidate="X-Tenant",
        proved="X-Tenant",
    ),
    # Besides the connection's.
    Search(
        "besides helps",
        [NAMES, tried("X-Tenant", status=400), besides("X-Tenant")],
        0,
        USUAL,
        (),
        demanded="X-Tenant",
        missed=True,
    ),
    Search(
        "two besides help", [NAMES, besides("A", "B")], 0, NAMED, (), demanded="A, B", missed=True
    ),
    Search(
        "besides does not help", [NAMES, besides("X-Tenant", status=401)], 0, NAMED, (), missed=True
    ),
    Search(
        "besides gets 400",
        [NAMES, besides("X-Tenant", status=400, message="No.")],
        0,
        NAMED,
        (),
        missed=True,
    ),
    Search(
        "besides gets a complaint",
        [NAMES, besides("X-Tenant", status=422, message="Header X-B is bad")],
        0,
        NAMED,
        (),
        missed=True,
    ),
    Search(
        "besides helps the second time",
        [NAMES, besides("A", status=401), besides("B")],
        0,
        NAMED,
        (),
        demanded="B",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", SEARCHES, ids=[row.name for row in SEARCHES])
def test_the_search_for_the_header(row: Search):
    evidence = evidence_of(*row.probes, settings=row.settings)
    refused = header.refused_read(evidence)
    assert refused is (None if row.refused is None else row.probes[row.refused])
    assert header.headers_to_try(evidence) == row.to_try
    assert header.headers_to_add(evidence) == row.to_add
    assert header.header_candidate(evidence) == row.candidate
    assert header.proved_header(evidence) == row.proved
    assert header.demanded_header(evidence) == row.demanded
    assert header.missed_header(evidence) is (refused if row.missed else None)
    name = row.proved or row.settings.workspace_header
    assert header.current_settings(evidence) == changed(
        workspace_header=name, data_api_key=row.settings.data_api_key
    )


class Hint(NamedTuple):
    """Replies to the list, the headers that they name, and where the last of them stands."""

    name: str
    probes: Sequence[Probe]
    names: tuple[str, ...]
    where: str = ""


MANY = ", ".join(f"X-{number}" for number in range(9))
HINTS = [
    Hint("none", TWICE, ()),
    Hint(
        "allowed",
        [listed(access_control_allow_headers="Accept, X-Org")],
        ("X-Org",),
        "Access-Control-Allow-Headers",
    ),
    Hint("vary", [listed(vary="Origin, X-Org")], ("X-Org",), "Vary"),
    Hint(
        "a challenge",
        [listed(www_authenticate='Basic realm="X-Org"')],
        ("X-Org",),
        "WWW-Authenticate",
    ),
    Hint("another header", [listed(x_names="X-Org")], ()),
    Hint("the second reply", [listed(), listed(vary="X-Org")], ("X-Org",), "Vary"),
    Hint(
        "two places",
        [listed(vary="X-Org", access_control_allow_headers="x-org")],
        ("x-org",),
        "Access-Control-Allow-Headers",
    ),
    Hint("the own one", [listed(vary="svc-appkey, X-Org")], ("X-Org",), "Vary"),
    Hint(
        "standard ones",
        [
            listed(
                vary="Accept-Encoding, Sec-Fetch, X-Forwarded-For, X-Amz-Date, Access-Control-X, X-Request-ID, Idempotency-Key, If-Match"
            )
        ],
        (),
    ),
    Hint("nine", [listed(vary=MANY)], tuple(f"X-{number}" for number in range(8)), "Vary"),
    Hint("one word", [listed(vary="Tenant")], ()),
    Hint(
        "of another question", [reply(401, headers={"vary": "X-Org"}, question=Question.AGAIN)], ()
    ),
]


@pytest.mark.parametrize("row", HINTS, ids=[row.name for row in HINTS])
def test_the_headers_that_replies_name(row: Hint):
    evidence = evidence_of(*row.probes)
    assert header.hinted_headers(evidence) == row.names
    if row.names:
        assert header.where_hinted(evidence, row.names[-1].upper()) == row.where
    assert header.where_hinted(evidence, "X-Unknown") == ""


class Matters(NamedTuple):
    """Reads with a made-up value, and whether the value of the header A matters."""

    name: str
    probes: Sequence[Probe]
    matters: Value


SAME = tried("A", question=Question.HEADER_VALUE)
MATTERS = [
    Matters("none", [], Value.NOT_SHOWN),
    Matters("another header", [value("B")], Value.NOT_SHOWN),
    Matters("another answer", [value("A")], Value.MATTERS),
    Matters("the same answer", [SAME], Value.DOES_NOT_MATTER),
    Matters("the first of two", [value("A"), SAME], Value.MATTERS),
]


@pytest.mark.parametrize("row", MATTERS, ids=[row.name for row in MATTERS])
def test_whether_the_value_of_a_header_matters(row: Matters):
    assert header.value_in(evidence_of(*row.probes), "A", tried("A")) is row.matters


def test_a_header_is_chosen_if_it_is_not_the_contracts():
    assert not header.is_chosen(evidence_of())
    assert not header.is_chosen(evidence_of(settings=changed(workspace_header="svc-appkey")))
    assert header.is_chosen(evidence_of(settings=changed(workspace_header="X-Org")))


def test_the_usual_headers_are_tried_without_the_connections():
    settings = changed(workspace_header="x-app-id")
    request = request_for(Question.LIST, settings)
    evidence = evidence_of(*2 * [reply(401, request=request)], settings=settings)
    assert header.headers_to_try(evidence) == tuple(name for name in HEADERS if name != "X-App-Id")


@pytest.mark.parametrize(
    "name", ["accept", "accept-x", "sec-x", "x-amz-x", "x-forwarded-x", "baggage"]
)
def test_a_standard_header(name: str):
    assert header.is_standard(name)


@pytest.mark.parametrize("name", ["x-accept-x", "accepts", "secx", "x-tenant", "x-ratelimit"])
def test_a_header_that_is_not_standard(name: str):
    assert not header.is_standard(name)
