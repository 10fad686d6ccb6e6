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


def list_reply(status: int = 401, message: str = "", **headers: str) -> Probe:
    """The read of the list; names of headers of the reply have _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, error("", message) if message else b"", named)


def with_headers_instead(
    *names: str, status: int = 200, message: str = "", question: Question = Question.HEADER
) -> Probe:
    """A read of the list with the identifier in these headers in place of the usual one."""
    request = request_for(Question.LIST, changed(workspace_header=names[0]))
    content = error("", message) if message else FILES
    return reply(status, content, question=question, request=request, tried=" ".join(names))


def with_headers_besides(*names: str, status: int = 200, message: str = "") -> Probe:
    """A read of the list with the identifier in these headers besides the usual one."""
    return with_headers_instead(
        *names, status=status, message=message, question=Question.HEADER_BESIDES
    )


def with_made_up_value(name: str, status: int = 401) -> Probe:
    """A read of the list with a made-up identifier in this header."""
    return with_headers_instead(name, status=status, message="No.", question=Question.HEADER_VALUE)


def segment_reply(status: int = 401, settings: WesSettings = SETTINGS) -> Probe:
    """The read of a segment with the data key."""
    request = requests.read_segment(settings, MADE_UP)
    return reply(status, question=Question.DATA_KEY, request=request)


SAME_KEY_FOR_BOTH = changed(data_api_key=SETTINGS.api_key)
REFUSED_TWICE = [list_reply(), list_reply()]
ASKS_FOR_X_TENANT = list_reply(400, "Header X-Tenant is required")
X_TENANT = ("X-Tenant",)


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
    Search("files", [list_reply(200)]),
    Search("one refusal", REFUSED_TWICE[:1]),
    Search("two refusals", REFUSED_TWICE, 0, USUAL),
    Search("a refusal and files", [list_reply(), list_reply(200)]),
    Search("a refusal about something else", 2 * [list_reply(401, "The key expired.")]),
    Search(
        "a refusal about something else that names a header",
        [list_reply(403, "The scope is missing: header X-Tenant")],
        0,
        X_TENANT,
        X_TENANT,
    ),
    Search(
        "a refusal that names one",
        [list_reply(401, "Header X-Tenant is required")],
        0,
        X_TENANT,
        X_TENANT,
        missed=True,
    ),
    Search("an error that names one", [ASKS_FOR_X_TENANT], 0, X_TENANT, X_TENANT, missed=True),
    Search(
        "an error that names one otherwise",
        [list_reply(400, "Bad X-Tenant")],
        0,
        X_TENANT,
        X_TENANT,
    ),
    Search("a success that names one", [reply(200, {"message": "Header X-Tenant", "data": FILES})]),
    Search(
        "a message that says that a tenant is missing",
        [list_reply(400, "Tenant is missing")],
        0,
        USUAL,
        missed=True,
    ),
    Search(
        "a code that says that a tenant is missing",
        [reply(400, error("tenant-missing", "No."))],
        0,
        USUAL,
        missed=True,
    ),
    *(
        Search(words, [list_reply(400, words)], 0, USUAL, missed=True)
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
        Search(words, [list_reply(400, words)])
        for words in (
            *("missing Authorization header", "the header has no API key: missing"),
            *("missing credential header", "tenant", "a header", "missing", "not tenant"),
        )
    ),
    Search(
        "a refused data key", [list_reply(400, "No."), segment_reply(), segment_reply()], 1, USUAL
    ),
    Search(
        "a refused data key that is the same",
        [
            list_reply(400, "No."),
            segment_reply(401, SAME_KEY_FOR_BOTH),
            segment_reply(401, SAME_KEY_FOR_BOTH),
        ],
        settings=SAME_KEY_FOR_BOTH,
    ),
    Search("a refused data key, but files", [list_reply(200), segment_reply(), segment_reply()]),
    Search("a data key that is refused once", [list_reply(400, "No."), segment_reply()]),
    Search(
        "a data key that is refused, then not",
        [list_reply(400, "No."), segment_reply(), segment_reply(404)],
    ),
    # Hints.
    Search("a hint", [list_reply(401, vary="X-Org"), list_reply()], 0, ("X-Org",), ()),
    Search(
        "a hint that was tried",
        [list_reply(401, vary="X-Org"), list_reply(), with_headers_instead("X-Org", status=401)],
        0,
        USUAL,
    ),
    Search(
        "a name that was tried, then a hint, then the usual ones",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers_instead("X-Tenant", status=401),
        ],
        0,
        ("X-Org",),
        X_TENANT,
        missed=True,
    ),
    Search(
        "a name and a hint that were tried",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers_instead("X-Tenant", status=401),
            with_headers_instead("X-Org", status=401),
        ],
        0,
        USUAL,
        X_TENANT,
        missed=True,
    ),
    Search(
        "a name that was tried, of an error that is no refusal",
        [
            list_reply(400, "Bad X-Tenant"),
            with_headers_instead("X-Tenant", status=400, message="Bad X-Tenant"),
        ],
        0,
        (),
        X_TENANT,
    ),
    Search(
        "the header that was sent, in the words",
        [
            list_reply(401, "Header Svc-Appkey is wrong"),
            list_reply(401, "Header Svc-Appkey is wrong"),
        ],
        0,
        ("Svc-Appkey",),
        (),
        missed=True,
    ),
    Search(
        "a missing tenant, and a hint",
        [list_reply(400, "Tenant is missing", vary="X-Org")],
        0,
        ("X-Org",),
        ("X-Org",),
        missed=True,
    ),
    Search(
        "a refused data key with 400 of the list, and a hint",
        [list_reply(400, "No.", vary="X-Org"), segment_reply(), segment_reply()],
        1,
        ("X-Org",),
    ),
    # The search.
    Search("all help", [*REFUSED_TWICE, with_headers_instead(*USUAL)], 0, HALF),
    Search(
        "half of an odd number",
        [*REFUSED_TWICE, with_headers_instead("A", "B", "C")],
        0,
        ("A", "B"),
    ),
    Search(
        "the first half does not help",
        [
            *REFUSED_TWICE,
            with_headers_instead("A", "B", "C"),
            with_headers_instead("A", "B", status=401),
        ],
        0,
        ("C",),
    ),
    Search(
        "the first half helps",
        [*REFUSED_TWICE, with_headers_instead("A", "B", "C"), with_headers_instead("A", "B")],
        0,
        ("A",),
    ),
    Search("all do not help", [*REFUSED_TWICE, with_headers_instead(*USUAL, status=401)], 0),
    Search(
        "a lost read",
        [*REFUSED_TWICE, with_headers_instead("A", "B"), with_headers_instead("A", status=503)],
        0,
        ("A",),
    ),
    Search(
        "a redirect",
        [*REFUSED_TWICE, with_headers_instead("A", "B"), with_headers_instead("A", status=302)],
        0,
    ),
    Search(
        "the same complaint",
        [
            ASKS_FOR_X_TENANT,
            with_headers_instead("X-Tenant", status=400, message="Header X-Tenant is required"),
        ],
        0,
        USUAL,
        X_TENANT,
        missed=True,
    ),
    Search(
        "another complaint with 400",
        [ASKS_FOR_X_TENANT, with_headers_instead("X-Tenant", status=400, message="No.")],
        0,
        USUAL,
        X_TENANT,
        missed=True,
    ),
    Search(
        "another complaint about a header",
        [
            ASKS_FOR_X_TENANT,
            with_headers_instead("X-Tenant", status=422, message="Header X-B is bad"),
        ],
        0,
        USUAL,
        X_TENANT,
        missed=True,
    ),
    Search(
        "another answer",
        [ASKS_FOR_X_TENANT, with_headers_instead("X-Tenant", status=404, message="No.")],
        0,
        candidate="X-Tenant",
        missed=True,
    ),
    Search("one helps", [*REFUSED_TWICE, with_headers_instead("A")], 0, candidate="A"),
    Search(
        "one helps, and does not later",
        [*REFUSED_TWICE, with_headers_instead("A"), with_headers_instead("A", status=401)],
        0,
    ),
    Search(
        "one helps twice",
        [*REFUSED_TWICE, with_headers_instead("A"), with_headers_instead("A")],
        0,
        candidate="A",
    ),
    Search(
        "one helps twice, its value matters",
        [
            *REFUSED_TWICE,
            with_headers_instead("A"),
            with_headers_instead("A"),
            with_made_up_value("A"),
        ],
        0,
        candidate="A",
        proved="A",
    ),
    Search(
        "one helps once, its value matters",
        [*REFUSED_TWICE, with_headers_instead("A"), with_made_up_value("A")],
        0,
        candidate="A",
    ),
    Search(
        "its value does not matter",
        [
            *REFUSED_TWICE,
            with_headers_instead("A"),
            with_headers_instead("A"),
            with_headers_instead("A", question=Question.HEADER_VALUE),
        ],
        0,
        candidate="A",
        demanded="A",
    ),
    Search(
        "the value of another one matters",
        [
            *REFUSED_TWICE,
            with_headers_instead("A"),
            with_headers_instead("A"),
            with_made_up_value("B"),
        ],
        0,
        candidate="A",
    ),
    Search(
        "found after its words",
        [
            ASKS_FOR_X_TENANT,
            with_headers_instead("X-Tenant"),
            with_headers_instead("X-Tenant"),
            with_made_up_value("X-Tenant"),
        ],
        0,
        candidate="X-Tenant",
        proved="X-Tenant",
    ),
    # Besides the connection's.
    Search(
        "besides helps",
        [
            ASKS_FOR_X_TENANT,
            with_headers_instead("X-Tenant", status=400),
            with_headers_besides("X-Tenant"),
        ],
        0,
        USUAL,
        (),
        demanded="X-Tenant",
        missed=True,
    ),
    Search(
        "two besides help",
        [ASKS_FOR_X_TENANT, with_headers_besides("A", "B")],
        0,
        X_TENANT,
        (),
        demanded="A, B",
        missed=True,
    ),
    Search(
        "besides does not help",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", status=401)],
        0,
        X_TENANT,
        (),
        missed=True,
    ),
    Search(
        "besides gets 400",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", status=400, message="No.")],
        0,
        X_TENANT,
        (),
        missed=True,
    ),
    Search(
        "besides gets a complaint",
        [
            ASKS_FOR_X_TENANT,
            with_headers_besides("X-Tenant", status=422, message="Header X-B is bad"),
        ],
        0,
        X_TENANT,
        (),
        missed=True,
    ),
    Search(
        "besides helps the second time",
        [ASKS_FOR_X_TENANT, with_headers_besides("A", status=401), with_headers_besides("B")],
        0,
        X_TENANT,
        (),
        demanded="B",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", SEARCHES, ids=[row.name for row in SEARCHES])
def test_what_reads_so_far_say_of_the_header(row: Search):
    """Which read was refused, which headers to send next, and which one is found or demanded."""
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
    """
    Replies to the list.

    :ivar names: the headers that they name.
    :ivar where: the reply's header that names the last of them.
    """

    name: str
    probes: Sequence[Probe]
    names: tuple[str, ...]
    where: str = ""


MANY = ", ".join(f"X-{number}" for number in range(9))
HINTS = [
    Hint("no header", REFUSED_TWICE, ()),
    Hint(
        "access-control-allow-headers",
        [list_reply(access_control_allow_headers="Accept, X-Org")],
        ("X-Org",),
        "Access-Control-Allow-Headers",
    ),
    Hint("vary", [list_reply(vary="Origin, X-Org")], ("X-Org",), "Vary"),
    Hint(
        "a challenge",
        [list_reply(www_authenticate='Basic realm="X-Org"')],
        ("X-Org",),
        "WWW-Authenticate",
    ),
    Hint("a header that names none", [list_reply(x_names="X-Org")], ()),
    Hint("the second reply", [list_reply(), list_reply(vary="X-Org")], ("X-Org",), "Vary"),
    Hint(
        "two headers, of which the first counts",
        [list_reply(vary="X-Org", access_control_allow_headers="x-org")],
        ("x-org",),
        "Access-Control-Allow-Headers",
    ),
    Hint("the one that was sent", [list_reply(vary="svc-appkey, X-Org")], ("X-Org",), "Vary"),
    Hint(
        "standard headers only",
        [
            list_reply(
                vary="Accept-Encoding, Sec-Fetch, X-Forwarded-For, X-Amz-Date, Access-Control-X, X-Request-ID, Idempotency-Key, If-Match"
            )
        ],
        (),
    ),
    Hint(
        "nine, of which eight count",
        [list_reply(vary=MANY)],
        tuple(f"X-{number}" for number in range(8)),
        "Vary",
    ),
    Hint("a word without a dash", [list_reply(vary="Tenant")], ()),
    Hint(
        "a reply to another question",
        [reply(401, headers={"vary": "X-Org"}, question=Question.AGAIN)],
        (),
    ),
]


@pytest.mark.parametrize("row", HINTS, ids=[row.name for row in HINTS])
def test_a_reply_hints_at_headers_that_its_own_headers_name(row: Hint):
    """Eight at most, none that is standard or the connection's, and where each one is named."""
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


SAME = with_headers_instead("A", question=Question.HEADER_VALUE)
MATTERS = [
    Matters("none", [], Value.NOT_SHOWN),
    Matters("another header", [with_made_up_value("B")], Value.NOT_SHOWN),
    Matters("another reply", [with_made_up_value("A")], Value.MATTERS),
    Matters("the same reply", [SAME], Value.DOES_NOT_MATTER),
    Matters("the first of two", [with_made_up_value("A"), SAME], Value.MATTERS),
]


@pytest.mark.parametrize("row", MATTERS, ids=[row.name for row in MATTERS])
def test_the_value_of_a_header_matters_if_a_made_up_one_gets_another_reply(row: Matters):
    assert header.value_in(evidence_of(*row.probes), "A", with_headers_instead("A")) is row.matters


def test_a_header_is_chosen_if_it_is_not_svc_appkey_in_any_case():
    assert not header.is_chosen(evidence_of())
    assert not header.is_chosen(evidence_of(settings=changed(workspace_header="svc-appkey")))
    assert header.is_chosen(evidence_of(settings=changed(workspace_header="X-Org")))


def test_the_headers_that_are_tried_leave_out_the_one_of_the_connection():
    """The connection has x-app-id, and X-App-Id is not tried again."""
    settings = changed(workspace_header="x-app-id")
    request = request_for(Question.LIST, settings)
    evidence = evidence_of(*2 * [reply(401, request=request)], settings=settings)
    assert header.headers_to_try(evidence) == tuple(name for name in HEADERS if name != "X-App-Id")


@pytest.mark.parametrize(
    "name", ["accept", "accept-x", "sec-x", "x-amz-x", "x-forwarded-x", "baggage"]
)
def test_a_header_of_http_browsers_proxies_and_tracing_is_standard(name: str):
    assert header.is_standard(name)


@pytest.mark.parametrize("name", ["x-accept-x", "accepts", "secx", "x-tenant", "x-ratelimit"])
def test_a_header_that_only_looks_alike_is_not_standard(name: str):
    assert not header.is_standard(name)
