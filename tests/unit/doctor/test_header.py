"""The header that the service takes the workspace from, as reads show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import pytest

from support.doctor_findings import (
    FILES,
    ids,
    with_headers,
    with_headers_besides,
    with_made_up_value,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from wes_provider.client import requests
from wes_provider.doctor import header
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.header import HEADERS, Value
from wes_provider.doctor.probes import Probe, Question
from wes_provider.settings import WesSettings

USUAL = tuple(name for name in HEADERS if name != "SVC-APPKEY")


def list_reply(status: int, message: str = "", **headers: str) -> Probe:
    """The read of the list; names of headers of the reply have _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, error("", message) if message else b"", named)


def with_accepted_value(name: str) -> Probe:
    """A read of the list with a made-up value in this header, which gets the list, too."""
    return with_made_up_value(name, 200, FILES)


def segment_reply(status: int, settings: WesSettings = SETTINGS) -> Probe:
    """The read of a segment with the data key."""
    request = requests.read_segment(settings, MADE_UP)
    return reply(status, question=Question.DATA_KEY, request=request)


SAME_KEY_FOR_BOTH = changed(data_api_key=SETTINGS.api_key)
REFUSED_TWICE = [list_reply(401), list_reply(401)]
ASKS_FOR_X_TENANT = list_reply(400, "Header X-Tenant is required")
X_TENANT = ("X-Tenant",)


class Search(NamedTuple):
    """
    Replies, and what follows for the header.

    :ivar refused: the number of the read that another header may help; ``None`` for none.
    :ivar to_try: the headers to send in its place; ``to_add``: besides it.
    :ivar candidate: the one that was accepted alone; ``proved``: twice, and its value matters.
    :ivar demanded: one that is demanded besides; ``missed``: whether that read's error names a
        header as missing, or its words say that one is.
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

    @property
    def settings_found(self) -> WesSettings:
        """The connection's settings, with the header that is proved."""
        if not self.proved:
            return self.settings
        return msgspec.structs.replace(self.settings, workspace_header=self.proved)


HALF = USUAL[: (len(USUAL) + 1) // 2]


def check(row: Search) -> None:
    """
    What is known of the header, and to be read next, is what the row says: what it leaves out is
    empty.
    """
    evidence = evidence_of(*row.probes, settings=row.settings)
    refused = header.refused_read(evidence)
    assert refused is (None if row.refused is None else row.probes[row.refused])
    assert header.headers_to_try(evidence) == row.to_try
    assert header.headers_to_add(evidence) == row.to_add
    assert header.header_candidate(evidence) == row.candidate
    assert header.proved_header(evidence) == row.proved
    assert header.demanded_header(evidence) == row.demanded
    assert header.missed_header(evidence) is (refused if row.missed else None)
    assert header.current_settings(evidence) == row.settings_found


REFUSED = [
    Search("nothing", []),
    Search("files", [list_reply(200)]),
    Search("one refusal", REFUSED_TWICE[:1]),
    Search("two refusals", REFUSED_TWICE, refused=0, to_try=USUAL),
    Search("a refusal, then files", [list_reply(401), list_reply(200)]),
    Search("two refusals about the key", 2 * [list_reply(401, "The key expired.")]),
]


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_another_header_may_help_after_two_refusals_of_the_list_that_are_not_about_its_key(
    row: Search,
):
    check(row)


DATA_KEY_REFUSED = [
    Search(
        "a data key that is refused twice",
        [list_reply(400, "No."), segment_reply(401), segment_reply(401)],
        refused=1,
        to_try=USUAL,
    ),
    Search(
        "a data key that is refused twice, and is the campaign key",
        [
            list_reply(400, "No."),
            segment_reply(401, SAME_KEY_FOR_BOTH),
            segment_reply(401, SAME_KEY_FOR_BOTH),
        ],
        settings=SAME_KEY_FOR_BOTH,
    ),
    Search(
        "a data key that is refused twice, and files",
        [list_reply(200), segment_reply(401), segment_reply(401)],
    ),
    Search("a data key that is refused once", [list_reply(400, "No."), segment_reply(401)]),
    Search(
        "a data key that is refused, then gets 404",
        [list_reply(400, "No."), segment_reply(401), segment_reply(404)],
    ),
]


@pytest.mark.parametrize("row", DATA_KEY_REFUSED, ids=[row.name for row in DATA_KEY_REFUSED])
def test_another_header_may_help_if_another_data_key_is_refused_twice_and_no_read_gets_files(
    row: Search,
):
    check(row)


NAMED = [
    Search(
        "a 401 that names one",
        [list_reply(401, "Header X-Tenant is required")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a 401 that names the connection's",
        [
            list_reply(401, "Header Svc-Appkey is wrong"),
            list_reply(401, "Header Svc-Appkey is wrong"),
        ],
        refused=0,
        to_try=("Svc-Appkey",),
        to_add=(),
        missed=True,
    ),
    Search(
        "a 403 about a scope that names one",
        [list_reply(403, "The scope is missing: header X-Tenant")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
    ),
    Search(
        "a 400 that asks for one",
        [ASKS_FOR_X_TENANT],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a 400 with the name of one",
        [list_reply(400, "Bad X-Tenant")],
        refused=0,
        to_try=X_TENANT,
        to_add=X_TENANT,
    ),
    Search(
        "a success with the name of one",
        [reply(200, {"message": "Header X-Tenant", "data": FILES})],
    ),
    Search(
        "a name of a 422, whose header gets the same",
        [
            list_reply(422, "Use X-Tenant"),
            with_headers("X-Tenant", 422, error("", "Use X-Tenant")),
        ],
        refused=0,
        to_try=(),
        to_add=X_TENANT,
    ),
    Search(
        "the name of the header that was sent, as it was sent",
        [list_reply(401, "Header SVC-APPKEY is not known")] * 2,
        refused=0,
        to_try=(),
    ),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_headers_that_the_words_of_an_error_name_are_tried_before_usual_ones(row: Search):
    """They are missed if the error is about them, and is no 403 about a scope."""
    check(row)


MISSED = [
    Search(
        "a message that says that a tenant is missing",
        [list_reply(400, "Tenant is missing")],
        refused=0,
        to_try=USUAL,
        missed=True,
    ),
    Search(
        "a code that says that a tenant is missing",
        [reply(400, error("tenant-missing", "No."))],
        refused=0,
        to_try=USUAL,
        missed=True,
    ),
    *(
        Search(words, [list_reply(400, words)], refused=0, to_try=USUAL, missed=True)
        for words in (
            "missing header",
            "requires a tenant",
            "absent workspace",
            "needs account",
            "need an app",
            "fehlender header",
            "manque header",
            "falta header",
            "not sent: client",
            "not given: organization",
            "not provided: organisation",
            "not present: project",
            "not set: application",
            "missing api version",
            "header missing",
            "tenant required",
            "workspace absent",
            "client fehlt",
            "app manque",
            "header falta",
            "account not sent",
            "project not given",
            "application not provided",
            "header not present",
            "tenant not set",
            "no tenant",
            "unknown workspace",
            "unbekannter account",
            "without client",
        )
    ),
]


@pytest.mark.parametrize("row", MISSED, ids=[row.name for row in MISSED])
def test_a_header_is_missed_if_words_or_a_code_say_that_one_or_an_account_is_missing(row: Search):
    check(row)


NOT_MISSED = [
    *(
        Search(words, [list_reply(400, words)])
        for words in (
            "missing Authorization header",
            "the header has no API key: missing",
            "missing credential header",
            "tenant",
            "a header",
            "missing",
            "not tenant",
        )
    ),
]


@pytest.mark.parametrize("row", NOT_MISSED, ids=[row.name for row in NOT_MISSED])
def test_no_header_is_missed_by_words_about_credentials_or_without_a_word_for_missing(row: Search):
    check(row)


HINTED = [
    Search(
        "a hint",
        [list_reply(401, vary="X-Org"), list_reply(401)],
        refused=0,
        to_try=("X-Org",),
        to_add=(),
    ),
    Search(
        "a hint that was tried",
        [list_reply(401, vary="X-Org"), list_reply(401), with_headers("X-Org", 401)],
        refused=0,
        to_try=USUAL,
    ),
    Search(
        "a name that was tried, and a hint",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers("X-Tenant", 401),
        ],
        refused=0,
        to_try=("X-Org",),
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a name and a hint that were tried",
        [
            list_reply(401, "Header X-Tenant is required", vary="X-Org"),
            with_headers("X-Tenant", 401),
            with_headers("X-Org", 401),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "a name that was tried, of a 400",
        [
            list_reply(400, "Bad X-Tenant"),
            with_headers("X-Tenant", 400, error("", "Bad X-Tenant")),
        ],
        refused=0,
        to_try=(),
        to_add=X_TENANT,
    ),
    Search(
        "a missing tenant, and a hint",
        [list_reply(400, "Tenant is missing", vary="X-Org")],
        refused=0,
        to_try=("X-Org",),
        to_add=("X-Org",),
        missed=True,
    ),
    Search(
        "a data key that is refused twice, and a hint of the list's 400",
        [list_reply(400, "No.", vary="X-Org"), segment_reply(401), segment_reply(401)],
        refused=1,
        to_try=("X-Org",),
    ),
]


@pytest.mark.parametrize("row", HINTED, ids=[row.name for row in HINTED])
def test_headers_that_headers_of_a_reply_name_are_tried_after_those_of_its_words(row: Search):
    check(row)


HALVES = [
    Search("all help", [*REFUSED_TWICE, with_headers(" ".join(USUAL))], refused=0, to_try=HALF),
    Search(
        "three help",
        [*REFUSED_TWICE, with_headers("A B C")],
        refused=0,
        to_try=("A", "B"),
    ),
    Search(
        "three help, and the first two do not",
        [
            *REFUSED_TWICE,
            with_headers("A B C"),
            with_headers("A B", 401),
        ],
        refused=0,
        to_try=("C",),
    ),
    Search(
        "two of three help",
        [*REFUSED_TWICE, with_headers("A B C"), with_headers("A B")],
        refused=0,
        to_try=("A",),
    ),
    Search("all do not help", [*REFUSED_TWICE, with_headers(" ".join(USUAL), 401)], refused=0),
    Search(
        "two help, and the first is lost",
        [*REFUSED_TWICE, with_headers("A B"), with_headers("A", 503)],
        refused=0,
        to_try=("A",),
    ),
    Search(
        "two help, and the first is redirected",
        [*REFUSED_TWICE, with_headers("A B"), with_headers("A", 302)],
        refused=0,
    ),
]


@pytest.mark.parametrize("row", HALVES, ids=ids(HALVES))
def test_several_headers_are_tried_at_once_then_the_half_that_helps(row: Search):
    check(row)


HELPS = [
    Search("one helps", [*REFUSED_TWICE, with_headers("A")], refused=0, candidate="A"),
    Search(
        "one helps, then it does not",
        [*REFUSED_TWICE, with_headers("A"), with_headers("A", 401)],
        refused=0,
    ),
    Search(
        "one helps twice",
        [*REFUSED_TWICE, with_headers("A"), with_headers("A")],
        refused=0,
        candidate="A",
    ),
]


@pytest.mark.parametrize("row", HELPS, ids=[row.name for row in HELPS])
def test_a_header_is_a_candidate_if_each_read_with_it_alone_gets_files(row: Search):
    check(row)


NAMED_GETS_ERROR = [
    Search(
        "the named one gets the same complaint",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 400, error("", "Header X-Tenant is required")),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets another 400",
        [ASKS_FOR_X_TENANT, with_headers("X-Tenant", 400, error("", "No."))],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets a complaint about another header",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 422, error("", "Header X-B is bad")),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets a 404",
        [ASKS_FOR_X_TENANT, with_headers("X-Tenant", 404, error("", "No."))],
        refused=0,
        candidate="X-Tenant",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", NAMED_GETS_ERROR, ids=[row.name for row in NAMED_GETS_ERROR])
def test_a_header_that_the_service_named_is_a_candidate_if_it_gets_a_404_and_no_other_complaint(
    row: Search,
):
    check(row)


VALUES = [
    Search(
        "one helps twice, and a made-up value does not",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_made_up_value("A"),
        ],
        refused=0,
        candidate="A",
        proved="A",
    ),
    Search(
        "one helps once, and a made-up value does not",
        [*REFUSED_TWICE, with_headers("A"), with_made_up_value("A")],
        refused=0,
        candidate="A",
    ),
    Search(
        "one helps twice, and so does a made-up value",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_accepted_value("A"),
        ],
        refused=0,
        candidate="A",
        demanded="A",
    ),
    Search(
        "one helps twice, and a made-up value in another one does not",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_made_up_value("B"),
        ],
        refused=0,
        candidate="A",
    ),
    Search(
        "the named one helps twice, and a made-up value does not",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant"),
            with_headers("X-Tenant"),
            with_made_up_value("X-Tenant"),
        ],
        refused=0,
        candidate="X-Tenant",
        proved="X-Tenant",
    ),
]


@pytest.mark.parametrize("row", VALUES, ids=[row.name for row in VALUES])
def test_a_header_is_proved_if_it_helps_twice_and_a_made_up_value_in_it_does_not(row: Search):
    """If a made-up value helps, too, the header is demanded whatever its value."""
    check(row)


BESIDE = [
    Search(
        "the named one helps besides",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 400),
            with_headers_besides("X-Tenant"),
        ],
        refused=0,
        to_try=USUAL,
        to_add=(),
        demanded="X-Tenant",
        missed=True,
    ),
    Search(
        "two help besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("A B")],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        demanded="A, B",
        missed=True,
    ),
    Search(
        "the named one is refused besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", 401)],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the named one gets 400 besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", 400, error("", "No."))],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the named one gets a complaint about another header besides",
        [
            ASKS_FOR_X_TENANT,
            with_headers_besides("X-Tenant", 422, error("", "Header X-B is bad")),
        ],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the first is refused besides, and the second helps",
        [ASKS_FOR_X_TENANT, with_headers_besides("A", 401), with_headers_besides("B")],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        demanded="B",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", BESIDE, ids=ids(BESIDE))
def test_a_header_is_demanded_that_helps_besides_the_connections(row: Search):
    check(row)


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


STANDARD = (
    "Accept-Encoding, Sec-Fetch, X-Forwarded-For, X-Amz-Date, Access-Control-X, X-Request-ID, "
    "Idempotency-Key, If-Match"
)
MANY = ", ".join(f"X-{number}" for number in range(9))
HINTS = [
    Hint("no header", REFUSED_TWICE, names=()),
    Hint(
        "access-control-allow-headers",
        [list_reply(401, access_control_allow_headers="Accept, X-Org")],
        names=("X-Org",),
        where="Access-Control-Allow-Headers",
    ),
    Hint("vary", [list_reply(401, vary="Origin, X-Org")], names=("X-Org",), where="Vary"),
    Hint(
        "a challenge",
        [list_reply(401, www_authenticate='Basic realm="X-Org"')],
        names=("X-Org",),
        where="WWW-Authenticate",
    ),
    Hint("a header that is not read", [list_reply(401, x_names="X-Org")], names=()),
    Hint(
        "the second reply",
        [list_reply(401), list_reply(401, vary="X-Org")],
        names=("X-Org",),
        where="Vary",
    ),
    Hint(
        "the same one in two headers",
        [list_reply(401, vary="X-Org", access_control_allow_headers="x-org")],
        names=("x-org",),
        where="Access-Control-Allow-Headers",
    ),
    Hint(
        "the one that was sent",
        [list_reply(401, vary="svc-appkey, X-Org")],
        names=("X-Org",),
        where="Vary",
    ),
    Hint(
        "standard headers only",
        [
            list_reply(
                401,
                vary=STANDARD,
            )
        ],
        names=(),
    ),
    Hint(
        "nine headers",
        [list_reply(401, vary=MANY)],
        names=tuple(f"X-{number}" for number in range(8)),
        where="Vary",
    ),
    Hint("a word without a dash", [list_reply(401, vary="Tenant")], names=()),
    Hint(
        "a reply to another question",
        [reply(401, headers={"vary": "X-Org"}, question=Question.AGAIN)],
        names=(),
    ),
]


@pytest.mark.parametrize("row", HINTS, ids=ids(HINTS))
def test_a_reply_to_the_list_hints_at_headers_that_three_of_its_own_headers_name(row: Hint):
    """Eight at most, and none that is standard or the connection's: see ``where`` for the three."""
    assert header.hinted_headers(evidence_of(*row.probes)) == row.names


@pytest.mark.parametrize("row", HINTS, ids=ids(HINTS))
def test_a_hinted_header_is_said_to_stand_in_the_header_that_names_it(row: Hint):
    name = row.names[-1].upper() if row.names else "X-Org"
    assert header.where_hinted(evidence_of(*row.probes), name) == row.where


def test_a_header_that_no_reply_names_is_said_to_stand_nowhere():
    evidence = evidence_of(list_reply(401, vary="X-Org"))
    assert header.where_hinted(evidence, "X-Unknown") == ""


class Matters(NamedTuple):
    """Reads with a made-up value, and whether the value of the header A matters."""

    name: str
    probes: Sequence[Probe]
    matters: Value


MATTERS = [
    Matters("no read", [], Value.NOT_SHOWN),
    Matters("a read with another header", [with_made_up_value("B")], Value.NOT_SHOWN),
    Matters("another reply", [with_made_up_value("A")], Value.MATTERS),
    Matters("the same reply", [with_accepted_value("A")], Value.DOES_NOT_MATTER),
    Matters(
        "another reply, then the same",
        [with_made_up_value("A"), with_accepted_value("A")],
        Value.MATTERS,
    ),
]


@pytest.mark.parametrize("row", MATTERS, ids=ids(MATTERS))
def test_the_value_of_a_header_matters_if_a_made_up_one_gets_another_reply(row: Matters):
    assert header.value_in(evidence_of(*row.probes), "A", with_headers("A")) is row.matters


class Chosen(NamedTuple):
    """A header that a connection names, and whether that is another one than the contract's."""

    name: str
    is_chosen: bool


CHOSEN = [
    Chosen("SVC-APPKEY", is_chosen=False),
    Chosen("svc-appkey", is_chosen=False),
    Chosen("X-Org", is_chosen=True),
]


@pytest.mark.parametrize("row", CHOSEN, ids=ids(CHOSEN))
def test_a_header_is_chosen_unless_it_is_that_of_the_contract_in_any_case(row: Chosen):
    settings = changed(workspace_header=row.name)
    assert header.is_chosen(evidence_of(settings=settings)) is row.is_chosen


def test_the_usual_headers_that_are_tried_leave_out_the_connections_in_any_case_of_letters():
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
