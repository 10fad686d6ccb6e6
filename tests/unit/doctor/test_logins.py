"""A browser login in place of the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import NOWHERE_READ, error, evidence, probe
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.logins import conclude_on_login
from wes_provider.doctor.probes import Probe, Question


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def to(location: str, *, nowhere: bool = False) -> Probe:
    """A redirect of the list, or of a path that does not exist."""
    headers = {"location": location}
    if nowhere:
        return probe(302, headers=headers, question=Question.NO_SUCH_PATH, request=NOWHERE_READ)
    return probe(302, headers=headers)


def page(text: str, question: Question = Question.LIST, status: int = 200) -> Probe:
    request = NOWHERE_READ
    if question is Question.LIST:
        return probe(status, f"<html>{text}")
    return probe(status, f"<html>{text}", question=question, request=request)


WHAT_TO_DO = (
    "The provider cannot log in there, and the keys were not judged. Ask whoever runs it for the "
    "address of the API, or to let requests with keys through; do not put the address of the login "
    "into the Address."
)
PASSWORD = "<input type=password>"
FORM = "<form method=post action="
HOME = "https://home.test/x"
A_PAGE = "a login page came with status 200"
TO_LOGIN = "a redirect to https://login.test/x came"
TO_HOME = "a redirect to https://home.test/x came, whatever the path"


class Row(NamedTuple):
    """Reads, what came in place of the service (nothing for no login), and what shows it."""

    name: str
    probes: Sequence[Probe]
    came: str = ""
    rests_on: Sequence[int] = (0,)


ROWS = [
    Row("nothing", []),
    Row("a list", [probe(200, [])]),
    Row("a login in JSON", [probe(404, error("x", PASSWORD))]),
    Row("a page", [page("Hello")]),
    Row("a field for a password", [page(PASSWORD)], A_PAGE),
    Row("a title", [page("<title>Log in.</title>")], f"{A_PAGE}: 'Log in'"),
    Row("with another status", [page(PASSWORD, status=403)], "a login page came with status 403"),
    Row("a field of SAML", [page('<input name="SAMLRequest">')], A_PAGE),
    Row("without quotes, in small letters", [page("<input name=samlrequest>")], A_PAGE),
    Row("a field like it", [page('<input name="SAMLRequests">')]),
    Row("a form that leads to a login", [page(f"{FORM}'https://login.test/'>")], A_PAGE),
    Row("without quotes", [page(f"{FORM}https://login.test/>")], A_PAGE),
    Row("in capitals", [page('<FORM ACTION="https://login.test/">')], A_PAGE),
    Row("the second form", [page(f"{FORM}/x>{FORM}https://login.test/>")], A_PAGE),
    Row("a form that leads elsewhere", [page(f"{FORM}'https://home.test/'>")]),
    Row("a form further down", [page(f"{' ' * 9_900}{FORM}https://login.test/>")], A_PAGE),
    Row("a form at the end", [page(f"{' ' * 10_000}{FORM}https://login.test/>")]),
    Row("the first of two", [page(PASSWORD), page("Hello")]),
    Row("the last of two", [page("Hello"), page(PASSWORD)], A_PAGE, [0, 1]),
    Row("a redirect to a login", [to("https://login.test/x?state=1")], TO_LOGIN),
    Row("a redirect elsewhere", [to(HOME)]),
    Row(
        "two redirects to a login",
        [to("https://login.test/x"), to("https://login.test/x", nowhere=True)],
        f"{TO_LOGIN}, whatever the path",
        [0, 1],
    ),
    Row("two redirects elsewhere", [to(HOME), to(HOME, nowhere=True)]),
    Row(
        "two redirects to a page with a login",
        [to(HOME), to(HOME, nowhere=True), page(PASSWORD, Question.PAGE)],
        TO_HOME,
        [0, 1, 2],
    ),
    Row(
        "with a title",
        [to(HOME), to(HOME, nowhere=True), page("<title>Sign in</title>", Question.PAGE)],
        f"{TO_HOME}: 'Sign in'",
        [0, 1, 2],
    ),
    Row(
        "two redirects to a page without one",
        [to(HOME), to(HOME, nowhere=True), page("Hello", Question.PAGE)],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_login_in_place_of_the_service_is_concluded(row: Row):
    found = conclude_on_login(evidence(*row.probes))
    if not row.came:
        assert found is None
        return
    assert found == Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.WRONG,
        text=f"The Address is behind a browser login: {row.came}. {WHAT_TO_DO}",
        probes=tuple(row.probes[number] for number in row.rests_on),
    )


def test_a_proxy_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", "http://proxy.test")
    found = conclude_on_login(evidence(page(PASSWORD)))
    assert found is not None
    assert found.text == (
        f"The Address is behind a browser login: {A_PAGE}. {WHAT_TO_DO} Requests go through the "
        "proxy proxy.test (by the variable https_proxy)."
    )
