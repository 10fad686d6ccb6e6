"""Texts that people may read: no password, no key, no query of a URL, in whatever form they come."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wes_provider import models
from wes_provider.models import redact
from wes_provider.redaction import is_secret_name

SECRET = "S3cr-ab12CD34"

SECRET_NAMES = """
password file_url_auth_password fileUrlAuthPassword FILE-URL-AUTH-PASSWORD passwd pwd passphrase secret client_secret
clientSecret token accessToken TOKEN refresh-token apiKey api_key API-Key x-api-key data_api_key APIKeys authorization
Proxy-Authorization credential credentials signature X-Amz-Signature sig privateKey private_key auth db_pass Set-Cookie
"""
HARMLESS_NAMES = """
name id key status message code user file_url_auth_username username token_count tokenCount passwordLength token_type
signature_version secret_name password_changed_at passenger bypass design author authors compass sign keyboard
"""


@pytest.mark.parametrize("name", SECRET_NAMES.split())
def test_a_name_tells_that_its_value_is_secret(name: str):
    assert is_secret_name(name)


@pytest.mark.parametrize("name", HARMLESS_NAMES.split())
def test_other_names_tell_nothing(name: str):
    assert not is_secret_name(name)


def nested(text: str, levels: int) -> str:
    """JSON within JSON."""
    for _ in range(levels):
        text = json.dumps({"message": text})
    return text


values = st.text(max_size=8).map(lambda text: f"{text}{SECRET}") | st.lists(st.just(SECRET), min_size=1)
values |= st.dictionaries(st.text(max_size=5), st.just(SECRET) | st.just([SECRET]), min_size=1)


@given(st.sampled_from(SECRET_NAMES.split()), values, st.integers(0, 3), st.integers(0, 400), st.booleans())
def test_a_secret_value_is_masked_however_deep_it_stands_and_wherever_the_text_is_cut(
    name: str, value: Any, levels: int, cut: int, python: bool
):
    record = [{"id": "a", name: value, "after": "it"}]
    whole = nested(str(record) if python else json.dumps(record), levels)
    for text in (whole, whole[:cut]):
        assert SECRET not in redact(text)
        assert "ab12" not in redact(text)


@given(st.sampled_from(SECRET_NAMES.split()), st.integers(0, 2))
def test_what_follows_a_secret_value_is_shown(name: str, levels: int):
    text = nested(
        json.dumps({name: f'a"b\\{SECRET}', "file": "c.csv", name + "s": [f"]{SECRET}"], "status": "DONE"}), levels
    )
    assert "c.csv" in redact(text)
    assert "DONE" in redact(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"token_count": 5, "token": 7, "password": true, "secret": null}', None),
        ("Invalid token: expired", None),
        ("password: at least 8 characters", None),
        ("error=wrong password", None),
        ('{"code": "invalid_token", "message": "the password"}', None),
        ("login failed: password=hunter", "login failed: password=***"),
        ("user=a&password=hunter&x=1", "user=a&password=***&x=1"),
        ("X-Api-Key: abc123def", "X-Api-Key: ***"),
        ("Authorization: Basic zm9v", "Authorization: ***"),
        ("<a><password>hunter</password></a>", "<a><password>***</password></a>"),
        ("<n:token x='1'><![CDATA[hunter]]></n:token>", "<n:token x='1'><![CDATA[***</n:token>"),
        ('<login password="hunter"/>', '<login password="***"/>'),
        ('password: "hunter"', 'password: "***"'),
        ('{"password"=>"hunter"}', '{"password"=>"***"}'),
    ],
)
def test_properties_are_found_in_any_text(text: str, shown: str | None):
    assert redact(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fetched with Bearer abc123def now", "fetched with Bearer *** now"),
        ("login joe:PW@ftp.example.com failed", "login joe:***@ftp.example.com failed"),
        ("access_token abc123def is wrong", "access_token *** is wrong"),
        ("the password is 'hunter22', no", "the password is '***', no"),
        ("signature a1b2c3d4, which", "signature ***, which"),
        ("Passwort: geheim12", "Passwort: ***"),
        ("mot de passe: secret12", "mot de passe: ***"),
        ("key AKIAIOSFODNN7EXAMPLE expired", "key *** expired"),
        ("token expired 2 days ago", None),
        ("signature does not match", None),
        ("bearer of bad news", None),
        ("at 12:30 in Oslo", None),
        ("the secret of row 12345678", None),
    ],
)
def test_a_secret_in_a_sentence_is_masked(text: str, shown: str | None):
    assert redact(text) == (text if shown is None else shown)


def test_the_value_that_a_message_shows_is_masked_by_its_name():
    assert models.shown({"name": "n", "file_url_auth_password": "hunter"}) == (
        "{'name': 'n', 'file_url_auth_password': '***'}"
    )


PATH = "/dir/a.csv"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r'"file_url":"https:\/\/f.e.com\/a.csv?sig=SECRET","na', r'"file_url":"https:\/\/f.e.com\/a.csv","na'),
        (r"\"https:\\\/\\\/u:SECRET@f.e.com\\\/a.csv?n=SECRET\",", r"\"https:\\\/\\\/f.e.com\\\/a.csv\","),
        ("https%3A%2F%2Ff.com%2Fa.csv%3Fn%3DSECRET%26m%3DSECRET x", "https%3A%2F%2Ff.com%2Fa.csv x"),
        ("https%253a%252f%252fu%253aSECRET%2540f.com%252fa%253fn%253dSECRET", "https%253a%252f%252ff.com%252fa"),
        (f"{PATH}?n=SECRET", PATH),
        (f"{PATH}?n[]=SECRET&m=SECRET", PATH),
        (f"{PATH}#n=SECRET", PATH),
        (f"{PATH}?n\\u003dSECRET\\u0026m\\u003dSECRET", PATH),
        (f"{PATH}?SECRET0123456789", PATH),
        ("//host/a.csv?n=SECRET", "//host/a.csv"),
        ("//user:SECRET@host/a.csv", "//host/a.csv"),
        ("host/a.csv?n=SECRET, then", "host/a.csv, then"),
        ("a.csv?n=SECRET", "a.csv"),
        ("https://h/a b.csv?n=SECRET c", "https://h/a b.csv c"),
        ('https://h/a.csv?x="&n=SECRET c', 'https://h/a.csv" c'),
        ("https://h/a.csv?x=1 2&n=SECRET c", "https://h/a.csv 2 c"),
        ("https://h/a.csv?SECRET", "https://h/a.csv"),
        ("https://u:SECRET@[::1]:80/a.csv?SECRET", "https://[::1]:80/a.csv"),
        ("S3://u:SECRET@h/a.csv#SECRET", "S3://h/a.csv"),
        ("It is https://h/a?n=SECRET; try (https://h/b?n=SECRET).", "It is https://h/a; try (https://h/b)."),
    ],
)
def test_no_query_is_shown_however_the_url_is_spelled(text: str, shown: str):
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Is it so? a=b",
        "Why? Because.",
        "Really?",
        "either/or? Who knows",
        "Is it /v1/catalog?",
        "What is this?!",
        "GET /v1/coupon-list/l/files?limit=1000&page=2 was sent",
        "R&D=7",
        "50%3",
        "issue #5, #6",
        "https://h/what%3Fis.csv",
    ],
)
def test_a_question_mark_that_begins_no_query_stays(text: str):
    assert redact(text) == text


urls = st.sampled_from(["https://h{}", r"https:\/\/h{}", "//h{}", "h{}", "{}", "https%3A%2F%2Fh{}"])
names = st.text("abcXYZ019-_.", min_size=1, max_size=10)


@example("APIKEY", "https://h{}", "0", [";"], "")
@given(st.text(max_size=20), urls, names, st.lists(st.sampled_from("ab=&%\\;/:?"), max_size=6), st.text(max_size=20))
def test_no_text_around_a_url_uncovers_its_query(before: str, url: str, name: str, noise: list[str], after: str):
    whole = f"{before} {url.format('/a.csv')}?{name}={''.join(noise)}{SECRET} {after}"
    assert SECRET not in redact(whole)


HARD = 'Zq7"p\u00e4/ss+w&ord=9<x> y'
ENCODED = {
    "in JSON": json.dumps(HARD),
    "in JSON with its slashes escaped": json.dumps(HARD).replace("/", "\\/"),
    "in JSON within JSON": json.dumps(json.dumps(HARD)),
    "percent-encoded": quote(HARD),
    "percent-encoded as a form": quote_plus(HARD),
    "percent-encoded in lower case": quote(HARD, safe="").lower(),
    "percent-encoded twice": quote(quote(HARD, safe="")),
    "as HTML": escape(HARD),
    "in upper case": HARD.upper(),
    "in base64": b64encode(HARD.encode()).decode(),
    "in base64 of more": b64encode(f"it is {HARD}, it is".encode()).decode(),
    "in base64 for URLs": urlsafe_b64encode(HARD.encode()).decode(),
    "in hexadecimal digits": HARD.encode().hex(),
}


@pytest.mark.parametrize("text", ENCODED.values(), ids=ENCODED)
def test_a_known_secret_is_found_however_it_is_encoded(text: str):
    masked = models.without(f"got {text} here", [HARD])
    assert re.fullmatch(r'got [\\"\w]{0,10}\*\*\*[\\"\w]{0,10}=? here', masked)


def test_a_known_secret_is_found_across_lines():
    assert models.without("the token S3cr-ab\n   12CD34 expired", [SECRET]) == "the token *** expired"


REPEATED = {
    "backslashes": "\\",
    "quotes": '"',
    "escaped quotes": '\\"',
    "question marks": "?",
    "letters": "a",
    "tags": "<a ",
    "namespaces": "<a:",
    "secrets": "token=",
    "lists": '"token":[',
    "texts": '"token":"',
    "queries": "/a?a=",
    "keys": "/aaaaaaaa?bbbbbbbbbbb ",
    "encoded": "%3f",
    "schemes": "https://",
    "slashes": "//",
    "parameters": "&a=",
    "white space": " ",
    "signs": "@",
}


@pytest.mark.parametrize("piece", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("before", ["", "https://", '"token":', "?a=b", '{"token": {"'])
@pytest.mark.timeout(5)
def test_a_long_text_takes_no_long_time(before: str, piece: str):
    redact(before + piece * (50_000 // len(piece)), [SECRET, HARD, "a" * 20, "a a" * 9])
