"""
The Address is *wrong*, behind a browser login, if the last reply to the list is a page with a sign
of one in its first 10,000 characters, whatever its status: a field for a password, a title such as
"Log in", a field called SAMLRequest, or a form that leads to a URL of a login. It is, too, if the
list is redirected to a URL of a login, or if the list and another path are redirected to one page
that has such a sign. The words of that page are quoted, and the finding rests on the redirects and
the page. JSON, other fields, forms and redirects show none, and neither does a login in an earlier
reply. The proxy of the environment is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import NOWHERE_READ, error_body, evidence, probe
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.in_front.logins import conclude_on_login
from wes_provider.doctor.replies.probes import Probe, Question

pytestmark = pytest.mark.usefixtures("without_proxy")


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


class Login(NamedTuple):
    """Reads, what came in place of the service, and the reads that show it."""

    name: str
    probes: Sequence[Probe]
    came: str
    rests_on: Sequence[int] = (0,)


LOGINS = [
    Login("a field for a password", [page(PASSWORD)], A_PAGE),
    Login("a title", [page("<title>Log in.</title>")], f"{A_PAGE}: 'Log in'"),
    Login(
        "a field for a password, with another status",
        [page(PASSWORD, status=403)],
        "a login page came with status 403",
    ),
    Login("a field of SAML", [page('<input name="SAMLRequest">')], A_PAGE),
    Login(
        "a field of SAML without quotes, in small letters",
        [page("<input name=samlrequest>")],
        A_PAGE,
    ),
    Login("a form that leads to a login", [page(f"{FORM}'https://login.test/'>")], A_PAGE),
    Login("a form without quotes", [page(f"{FORM}https://login.test/>")], A_PAGE),
    Login("a form in capitals", [page('<FORM ACTION="https://login.test/">')], A_PAGE),
    Login("the second form", [page(f"{FORM}/x>{FORM}https://login.test/>")], A_PAGE),
    Login(
        "a field in the first 10,000 characters",
        [page(f"{' ' * 9_974}<input type=password>")],
        A_PAGE,
    ),
    Login(
        "a field for a password in the last of two pages",
        [page("Hello"), page(PASSWORD)],
        A_PAGE,
        [0, 1],
    ),
    Login("a redirect to a login", [to("https://login.test/x?state=1")], TO_LOGIN),
    Login(
        "two redirects to a login",
        [to("https://login.test/x"), to("https://login.test/x", nowhere=True)],
        f"{TO_LOGIN}, whatever the path",
        [0, 1],
    ),
    Login(
        "two redirects to a page with a login",
        [to(HOME), to(HOME, nowhere=True), page(PASSWORD, Question.PAGE)],
        TO_HOME,
        [0, 1, 2],
    ),
    Login(
        "two redirects to a page with the title of a login",
        [to(HOME), to(HOME, nowhere=True), page("<title>Sign in</title>", Question.PAGE)],
        f"{TO_HOME}: 'Sign in'",
        [0, 1, 2],
    ),
    Login(
        "two redirects to what is called a login, whose page has another title",
        [
            to("https://login.test/x"),
            to("https://login.test/x", nowhere=True),
            page("<title>Welcome</title>", Question.PAGE),
        ],
        f"{TO_LOGIN}, whatever the path: 'Welcome'",
        [0, 1, 2],
    ),
]


@pytest.mark.parametrize("row", LOGINS, ids=[row.name for row in LOGINS])
def test_a_login_is_concluded_from_a_page_with_a_sign_of_one_or_a_redirect_to_one(row: Login):
    assert conclude_on_login(evidence(*row.probes)) == Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.WRONG,
        text=f"The Address is behind a browser login: {row.came}. {WHAT_TO_DO}",
        probes=tuple(row.probes[number] for number in row.rests_on),
    )


class NoLogin(NamedTuple):
    """Reads that show no login."""

    name: str
    probes: Sequence[Probe]


NO_LOGINS = [
    NoLogin("nothing", []),
    NoLogin("a list", [probe(200, [])]),
    NoLogin("a login in JSON", [probe(404, error_body("x", PASSWORD))]),
    NoLogin("a page", [page("Hello")]),
    NoLogin("a field whose name goes on", [page('<input name="SAMLRequests">')]),
    NoLogin("a form that leads elsewhere", [page(f"{FORM}'https://home.test/'>")]),
    NoLogin(
        "a field that ends after 10,000 characters",
        [page(f"{' ' * 9_975}<input type=password>")],
    ),
    NoLogin("a field for a password in the first of two pages", [page(PASSWORD), page("Hello")]),
    NoLogin("a redirect elsewhere", [to(HOME)]),
    NoLogin("two redirects elsewhere", [to(HOME), to(HOME, nowhere=True)]),
    NoLogin(
        "two redirects to a page without one",
        [to(HOME), to(HOME, nowhere=True), page("Hello", Question.PAGE)],
    ),
]


@pytest.mark.parametrize("row", NO_LOGINS, ids=[row.name for row in NO_LOGINS])
def test_no_login_is_concluded_without_a_sign_of_one(row: NoLogin):
    assert conclude_on_login(evidence(*row.probes)) is None


def test_the_proxy_of_the_environment_is_named_behind_a_login(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", "http://proxy.test")
    found = conclude_on_login(evidence(page(PASSWORD)))
    assert found is not None
    assert found.text == (
        f"The Address is behind a browser login: {A_PAGE}. {WHAT_TO_DO} Requests go through the "
        "proxy proxy.test (by the variable https_proxy)."
    )
