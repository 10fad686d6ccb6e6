"""
If every read gets the same 401, whatever its key and path, as a web page, or as text or nothing
with a realm that no service has (traefik, "employees only"), a layer stands before the service.
Then only the Address is reported, *Not proved* (*Not ready* for a login page), after five reads; no
key was judged, and the realm or the scheme that it wants is named.

If such a page comes to a part of the reads (with the campaign key, or for paths of coupons), the
campaign key is wrong, though the page may be before the service; its realm is quoted if it tells
something. If every read gets a 401 that any service may send (JSON, no body, or one word with a
realm that tells nothing), the campaign key is *Not proved*, refused three times. The stock sentence
of a status, such as "401 Authorization Required", asks for nothing, so it is not advised to do what
it says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_service import (
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.remedies import asks_for_something

NGINX = (
    "<html><head><title>401 Authorization Required</title></head>\r\n<body><center><h1>401 "
    "Authorization Required</h1></center><hr><center>nginx/1.24.0</center></body></html>"
)
NO_KEY = "no reply has the service's JSON, so no key was judged: ask for the address of the service"


def refusal(body: str, media: str = "text/html", **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(401, body.encode(), {"Content-Type": media, **named})


def basic(realm: str) -> str:
    return f'Basic realm="{realm}"'


class Layer(NamedTuple):
    """A refusal of each request, and parts of the verdict."""

    name: str
    reply: Reply
    says: tuple[str, ...]


LAYERS = [
    Layer(
        "nginx with a file of passwords",
        refusal(NGINX, WWW_Authenticate=basic("PREVIEW - team access only (htpasswd)")),
        (
            "Not proved: Address. What replied asks for a password of its own (a web page with 401 "
            "to whatever key, and the realm 'PREVIEW - team access only (htpasswd)'); ",
            NO_KEY,
            "or whoever runs it for an exemption; change no key.",
        ),
    ),
    Layer(
        "a realm without quotes",
        refusal(NGINX, WWW_Authenticate="Basic realm=Staging, charset=UTF-8"),
        ("What replied asks for a password of its own", "the realm 'Staging');", NO_KEY),
    ),
    Layer(
        "a login of Windows",
        refusal("<html><h1>401 - Unauthorized</h1></html>", WWW_Authenticate="Negotiate"),
        ("What replied wants a login of its own by Negotiate (a web page", NO_KEY),
    ),
    Layer(
        "a page without a challenge",
        refusal(NGINX, Server="nginx/1.24.0"),
        ("What replied refuses each read (a web page with 401", "'401 Authorization", NO_KEY),
    ),
    Layer(
        "text with a layer's realm",
        refusal("401 Unauthorized\n", "text/plain", WWW_Authenticate=basic("traefik")),
        ("asks for a password of its own (text with 401", "the realm 'traefik'", NO_KEY),
    ),
    Layer(
        "no body with a layer's realm",
        refusal("", "text/plain", WWW_Authenticate=basic("Internal - employees only")),
        ("asks for a password of its own (no body with 401", "'Internal - employees", NO_KEY),
    ),
    Layer(
        "a page that asks for a login",
        refusal("<html><title>Log in</title><input type='password'></html>"),
        (
            "Not ready: Address. The Address is behind a browser login: a login page came",
            "the keys were not judged",
        ),
    ),
]


@pytest.mark.parametrize("layer", LAYERS, ids=[layer.name for layer in LAYERS])
def test_of_what_refuses_whatever_key_and_path_the_address_alone_is_reported(layer: Layer):
    report = examined_account(Account(lambda _: layer.reply))

    for words in layer.says:
        assert words in report.verdict
    assert [finding.topic for finding in report.findings] == [Topic.ADDRESS]
    check_what_holds_of_each_report(report)


@pytest.mark.parametrize("layer", LAYERS, ids=[layer.name for layer in LAYERS])
def test_what_refuses_whatever_key_and_path_is_read_five_times(layer: Layer):
    assert examined_account(Account(lambda _: layer.reply)).reads == 5


def refuses_keys(reply: Reply, *keys: str) -> Callable[[Call], Reply | None]:
    """Each request with one of the keys gets a reply."""
    return lambda call: reply if call.key in keys else None


def refuses_coupons(reply: Reply) -> Callable[[Call], Reply | None]:
    """Each request for lists and files gets a reply, whatever its key."""
    return lambda call: reply if call.path.startswith("/v1/") else None


class RefusedKey(NamedTuple):
    """Replies in place of a healthy service's, and how the row of the campaign key begins."""

    name: str
    replies: Callable[[Call], Reply | None]
    begins: str


PARTNERS = refusal(NGINX, WWW_Authenticate=basic("Coupons of partners"))
PARTLY_REFUSED = [
    RefusedKey(
        "for the campaign key alone",
        refuses_keys(PARTNERS, "campaign", "unknown"),
        "Refused 3 times (401: '401 Authorization Required', of the realm 'Coupons of partners')",
    ),
    RefusedKey(
        "for paths of coupons alone",
        refuses_coupons(PARTNERS),
        "Refused 3 times (401: '401 Authorization Required', of the realm 'Coupons of partners')",
    ),
    RefusedKey(
        "for paths of coupons alone, with a realm that tells nothing",
        refuses_coupons(refusal(NGINX, WWW_Authenticate=basic("Restricted area"))),
        "Refused 3 times (401: '401 Authorization Required'), though",
    ),
]


@pytest.mark.parametrize("row", PARTLY_REFUSED, ids=[row.name for row in PARTLY_REFUSED])
def test_a_key_is_wrong_if_a_page_refuses_a_part_of_the_reads_though_it_may_be_before_the_service(
    row: RefusedKey,
):
    report = examined_account(Account(row.replies))

    finding = about(report, Topic.CAMPAIGN_KEY)
    assert finding.text.startswith(row.begins)
    assert "it may be before it: ask whoever runs it" in finding.text
    assert finding.certainty is Certainty.WRONG
    check_what_holds_of_each_report(report)


REFUSED_LIKE_BY_THE_SERVICE = [
    RefusedKey(
        "JSON",
        lambda _: json_reply(401, {"message": "Who are you?"}, WWW_Authenticate=basic("API")),
        "Refused 3 times (401: 'Who are you?')",
    ),
    RefusedKey(
        "text of one word, with a realm that tells nothing",
        lambda _: refusal("Unauthorized", "text/plain", WWW_Authenticate=basic("Realm")),
        "Refused 3 times (401: 'Unauthorized')",
    ),
    RefusedKey("no body", lambda _: refusal("", "text/plain"), "Refused 3 times (401)"),
]


@pytest.mark.parametrize(
    "row", REFUSED_LIKE_BY_THE_SERVICE, ids=[row.name for row in REFUSED_LIKE_BY_THE_SERVICE]
)
def test_a_key_is_refused_and_not_proved_if_all_reads_get_a_refusal_that_any_service_may_send(
    row: RefusedKey,
):
    """Nothing is accepted, so the workspace and its header may be wrong as well."""
    report = examined_account(Account(row.replies))

    finding = about(report, Topic.CAMPAIGN_KEY)
    assert finding.text.startswith(row.begins)
    assert finding.certainty is Certainty.NOT_PROVED
    check_what_holds_of_each_report(report)


STOCK_SENTENCE = RefusedKey(
    "text of the status, which has a word of what to do",
    lambda _: refusal("Authorization Required", "text/plain", WWW_Authenticate=basic("Realm")),
    "Refused 3 times (401: 'Authorization Required')",
)


@pytest.mark.parametrize(
    "row",
    [*REFUSED_LIKE_BY_THE_SERVICE, STOCK_SENTENCE],
    ids=[row.name for row in [*REFUSED_LIKE_BY_THE_SERVICE, STOCK_SENTENCE]],
)
def test_a_stock_sentence_of_a_refusal_is_not_advised_to_be_followed(row: RefusedKey):
    assert "do what it says" not in examined_account(Account(row.replies)).verdict.lower()


STOCK = [
    "401 Authorization Required",
    "401 Authorization Required: nginx/1.24.0",
    "Authentication required",
    "Forbidden",
    "Unauthorized",
    "HTTP Status 401 – Unauthorized",
    "Error: 402 Payment Required",
    "428 Precondition Required",
]


@pytest.mark.parametrize("words", STOCK)
def test_the_stock_sentence_of_a_status_asks_for_nothing(words: str):
    assert not asks_for_something(words)
