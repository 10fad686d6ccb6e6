"""
If each read gets the same error, whatever its path, the finding quotes it. It is about the Account,
and *wrong* if the error has a code in the form of the contract; *not proved* otherwise, since it
may be a gateway's. Its words decide what to do, the first of these: the workspace identifier has to
have another form, and the identifier or its header is named (put in another one); an error below
401 names the list (name it otherwise); a workspace is unknown, on another shard, or another one's
(check the login); it demands another scheme than Basic (change no key); it is a 403 that says
nothing but "Forbidden", without a code (have this machine let in). If it is about none of these,
its words are to be followed if they ask for something, else support is to be asked. If it names the
header, the text adds that this holds the workspace identifier, unless it says which form that has
to have, or the finding is about the Address. If the address is made of the data center, the advice
about an account names that in place of the Address.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_objections import (
    AGAIN,
    IN_01,
    MADE_OF,
    SET_ADDRESS,
    SUPPORT,
    Row,
    check_advice,
)
from support.doctor_reads import (
    error_body,
    evidence,
    probe,
)
from wes_provider.doctor.conclusions.objections import about_account, conclude_on_objection
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.evidence import MADE_UP

OF_LIST = "It is about the list's identifier: name the list as the service's dashboard does, in "
CHECK_LOGIN = (
    "The Workspace identifier (login) is workspace-1: check it, whether the keys are of it, and "
    f"the Address, {AGAIN}"
)
PROBABLY = (
    "So it is probably of another shard: find out which one has workspace-1, in the service's "
    f"dashboard or from its support, and set the Address to it, {AGAIN} If it is this shard, check "
    "the Workspace identifier (login)."
)
OTHER_SCHEME = (
    "What replied demands Bearer (its WWW-Authenticate says so), and the provider sends Basic "
    "credentials only: a gateway may be before the service, and the keys may be right, so change "
    "none. Ask whoever runs it to take Basic, or for another address."
)
LET_IN = (
    "It does not say why, as a gateway or a firewall that does not let this machine in: first "
    "change no key, but have whoever runs it let in the addresses of your workers and triggerers, "
    "and run this from there."
)
OTHERS = [
    Row("words that tell nothing", "odd", "Teapots only", SUPPORT),
    Row(
        "its words ask for something",
        "odd",
        "Please accept the terms",
        "Do what it says, or ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", OTHERS, ids=ids(OTHERS))
def test_an_error_about_nothing_known_leaves_what_its_words_ask_for_or_the_support(row: Row):
    check_advice(row)


FORMS = [
    Row(
        "another form, with the header",
        "odd",
        "SVC-APPKEY is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row(
        "another form, with the identifier",
        "odd",
        "workspace-1 is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row("another form of something else", "odd", "that is not a valid UUID", SUPPORT),
]


@pytest.mark.parametrize("row", FORMS, ids=ids(FORMS))
def test_another_form_of_the_identifier_is_said_if_header_or_identifier_are_named(row: Row):
    check_advice(row)


LISTS = [
    Row(
        "the list is named, with 400",
        "odd",
        "spring is odd",
        f"{OF_LIST}place of spring, {AGAIN}",
        Topic.LIST_PATH,
    ),
    Row("the list is named, with 403", "odd", "spring is odd", SUPPORT, status=403),
    Row("the list is named, with 410", "odd", "spring is odd", SUPPORT, status=410),
    Row("the list is named, with 401", "odd", "spring is odd", SUPPORT, status=401),
    Row(
        "the list is named, and the identifier has another form",
        "odd",
        "SVC-APPKEY of spring is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row("no list was named", "odd", "wes-doctor is odd", SUPPORT, list_id=MADE_UP),
]


@pytest.mark.parametrize("row", LISTS, ids=ids(LISTS))
def test_the_list_is_to_be_named_otherwise_if_an_error_below_401_names_it(row: Row):
    """The form of the workspace identifier comes first."""
    check_advice(row)


ACCOUNTS = [
    Row("the account", "odd", "Unknown workspace", CHECK_LOGIN),
    Row("the account by its code", "unknown_workspace", "Teapots only", CHECK_LOGIN),
    Row("another shard", "odd", "The workspace is not on this shard", PROBABLY),
    Row("another shard by its code", "workspace-not-on-this-shard", "Teapots only", PROBABLY),
    Row(
        "another account",
        "odd",
        "The key belongs to workspace w-77",
        "The Workspace identifier (login) is workspace-1: put w-77 there, or paste the keys of "
        f"workspace-1, {AGAIN}",
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_login_is_to_be_checked_if_the_error_is_about_its_account(row: Row):
    check_advice(row)


MACHINES = [
    Row("403 and Forbidden alone", "", "Forbidden", LET_IN, status=403),
    Row("400 and Forbidden alone", "", "Forbidden", SUPPORT),
    Row("403 and Forbidden, with a code", "odd", "Forbidden", SUPPORT, status=403),
    Row("403 and Forbidden, with a reason", "", "Forbidden on Sundays", SUPPORT, status=403),
]


@pytest.mark.parametrize("row", MACHINES, ids=ids(MACHINES))
def test_a_403_that_says_nothing_else_may_not_let_this_machine_in(row: Row):
    check_advice(row)


def test_an_error_with_a_code_in_another_form_than_the_contract_may_be_a_gateways():
    objection = probe(400, {"code": "odd", "message": "Teapots only"})
    finding = conclude_on_objection(evidence(objection), objection)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text.startswith("The service or a gateway replies 400 odd to each read")


def test_an_error_that_demands_bearer_may_be_a_gateways():
    """The advice is to change no key, and to ask for Basic."""
    headers = {"www-authenticate": "Bearer"}
    objection = probe(400, error_body("odd", "Teapots only"), headers=headers)
    found = conclude_on_objection(evidence(objection), objection)
    assert (found.topic, found.certainty) == (Topic.ACCOUNT, Certainty.WRONG)
    assert found.text == (
        "The service replies 400 odd to each read, whatever its path: 'Teapots only'. "
        f"{OTHER_SCHEME}"
    )


class NamedHeader(NamedTuple):
    """An error's message, and whether it is said what the header holds."""

    message: str
    text: str


HOLDS = " SVC-APPKEY holds the Workspace identifier: check it."
NAMED_HEADERS = [
    NamedHeader("SVC-APPKEY is odd", f"{HOLDS} {SUPPORT}"),
    NamedHeader("svc-appkey is odd", f"{HOLDS} {SUPPORT}"),
    NamedHeader("SVC-APPKEY is of the host eu-1.example.com", f" {SET_ADDRESS}"),
]


@pytest.mark.parametrize("row", NAMED_HEADERS, ids=[row.message for row in NAMED_HEADERS])
def test_an_error_that_names_the_header_has_the_identifier_checked(row: NamedHeader):
    objection = probe(400, error_body("odd", row.message))
    assert conclude_on_objection(evidence(objection), objection).text == (
        f"The service replies 400 odd to each read, whatever its path: {row.message!r}.{row.text}"
    )


def test_the_advice_about_an_account_names_the_data_center_if_the_address_is_made_of_it():
    asked = evidence(settings=IN_01, host=MADE_OF)
    unknown = probe(404, error_body("unknown", "Unknown workspace"))
    elsewhere = probe(404, error_body("unknown", "The workspace is not on this shard"))
    assert about_account(asked, unknown) == CHECK_LOGIN.replace("Address", "Data center")
    assert about_account(asked, elsewhere) == PROBABLY.replace("Address", "Data center")


CODES = ["workspace_not_on_this_shard", "workspaceNotOnThisShard", "workspace-not-on-this-shard"]


@pytest.mark.parametrize("code", CODES)
def test_a_code_in_any_spelling_says_where_an_account_is_not(code: str):
    assert about_account(evidence(), probe(404, error_body(code, "Wrong place."))) == PROBABLY


def test_an_error_about_something_else_is_not_about_the_account():
    assert about_account(evidence(), probe(404, error_body("not-found", "no such list"))) == ""
