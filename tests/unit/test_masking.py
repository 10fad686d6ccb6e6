"""
What Airflow's masker is told, so that logs and pages show stars (``docs/security.md``): both keys
of a connection, also as they are sent (Base64 of workspace and key); an upload's password, as it is
rendered; and of each string in an argument the passwords of URLs and the queries, also if a
template cannot be rendered. A query is what stands behind ``?``, ``;`` or ``#`` and has a ``=``, up
to the next white space, quote or angle bracket; so a fragment may be one. Queries of fewer than
eight characters are not told. Of values of filters, nothing is told.

Up to twenty different queries of an argument are told whole. Of more, two things are told. The
first is the beginning, twelve characters, of the value of each parameter that no other query has;
if names of a query's own parameters say that they sign it, only of those. The second is each
parameter that two queries or more have, once, the longest last. Values and parameters of fewer than
eight characters are not told. In either case nothing that makes a URL valid is left whole.
Passwords are always told whole, however short they are.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from airflow.models import Connection
from airflow.providers.common.compat.sdk import DAG

from wes_provider.hooks import read_settings
from wes_provider.masking import hide_secrets
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator, WesUploadCouponFileOperator

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


class InUrl(NamedTuple):
    """An argument that may have a secret in a URL, and what of it is told."""

    name: str
    argument: Any
    told: list[str]


IN_URLS = (
    InUrl(
        "a password and a query",
        "https://user:p4ssw0rd@h.example.com/a.csv?X-Amz-Signature=s1gned&x=1",
        ["p4ssw0rd", "X-Amz-Signature=s1gned&x=1"],
    ),
    InUrl(
        "a fragment, in an object of a list",
        [{"file_url": "https://h.example.com/a.csv#token=fr4gment"}],
        ["token=fr4gment"],
    ),
    InUrl("a password of two characters", "https://u:p4@h.example.com/", ["p4"]),
    InUrl("a query and a fragment", "https://h.example.com/?sig=1#frag=2", ["sig=1#frag=2"]),
    InUrl("a query in a tuple", ("https://h.example.com/?sig=12345",), ["sig=12345"]),
    InUrl(
        "a query in JSON, as it is escaped and as it is",
        '{"file_url": "https:\\/\\/h.example.com\\/?sig=1234\\u0035"}',
        ["sig=1234\\u0035", "sig=12345"],
    ),
    InUrl("a query up to a space", "see https://h.example.com/?sig=12345 there", ["sig=12345"]),
    InUrl("a query up to a line break", "https://h.example.com/?sig=12345\nb", ["sig=12345"]),
    InUrl("a query up to a quote", "<a href='https://h.example.com/?sig=12345'>", ["sig=12345"]),
    InUrl("a query in angle brackets", "<https://h.example.com/?sig=12345>", ["sig=12345"]),
    InUrl("a query up to a tag", "https://h.example.com/?sig=12345<br>", ["sig=12345"]),
    InUrl("a query of a string that is no URL", "a#b=12345678", ["b=12345678"]),
    InUrl("a query without =", "https://h.example.com/?0123456789abcdef", []),
    InUrl("a fragment without =", "https://h.example.com/#0123456789abcdef", []),
    InUrl("a URL without a password or a query", "https://h.example.com/a.csv", []),
    InUrl("a string without a query", "text", []),
    InUrl("a number", 7, []),
    InUrl("None", None, []),
)


@pytest.mark.parametrize("row", IN_URLS, ids=[row.name for row in IN_URLS])
def test_the_passwords_and_queries_of_an_argument_are_told(mocker: MockerFixture, row: InUrl):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets(row.argument)
    assert [call.args[0] for call in mask.call_args_list] == row.told


def test_both_keys_are_told_as_they_are_and_as_they_are_sent(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.hooks.mask_secret")
    extra = json.dumps({"data_api_key": "data-k3y"})
    read_settings(
        Connection(
            conn_type="wes", host="h.example.com", login="ws", password="campaign-k3y", extra=extra
        )
    )
    keys = ["campaign-k3y", "data-k3y"]
    sent = [base64.b64encode(f"ws:{key}".encode()).decode() for key in keys]
    assert {call.args[0] for call in mask.call_args_list} == {*keys, *sent}


@pytest.mark.parametrize(
    "password", ["p4ssw0rd", "{{ 'p4ss' + 'w0rd' }}"], ids=["literal", "template"]
)
def test_the_password_of_an_upload_is_told_when_the_task_is_rendered(
    mocker: MockerFixture, password: str
):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    with DAG("d", schedule=None):
        task = WesUploadCouponFileOperator(
            task_id="t",
            coupon_list_id="l",
            file_url="https://h.example.com/a.csv",
            file_url_auth_username="u",
            file_url_auth_password=password,
        )
    task.render_template_fields({})
    assert [call.args[0] for call in mask.call_args_list] == ["p4ssw0rd"]


def signature(number: int, length: int = 64) -> str:
    """Hexadecimal digits that no other number has in the same place."""
    digits = hashlib.shake_256(str(number).encode()).hexdigest(length)
    return digits[:length]


TOKEN = "IQoJb3JpZ2luX2Vj" * 60


def signed(number: int) -> str:
    """The URL of a file, signed for S3: all have one long token, and each a signature."""
    shared = f"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Security-Token={TOKEN}"
    return f"https://h.example.com/{number}.csv?{shared}&X-Amz-Signature={signature(number)}"


class SignedUrl(NamedTuple):
    """
    URLs that are signed alike.

    :ivar url: of the file of a number.
    :ivar secrets: what makes that URL valid: each of them is hidden.
    :ivar own: how many beginnings are told of two hundred such URLs.
    :ivar shared: how many parameters are told that they share.
    """

    name: str
    url: Callable[[int], str]
    secrets: Callable[[int], list[str]]
    own: int
    shared: int


SIGNED = [
    SignedUrl("S3 with a session's token", signed, lambda n: [TOKEN, signature(n)], 200, 2),
    SignedUrl(
        "GCS",
        lambda n: (
            f"https://h.example.com/{n}?X-Goog-Date=20261125&X-Goog-Signature={signature(n, 512)}"
        ),
        lambda n: [signature(n, 512)],
        200,
        1,
    ),
    SignedUrl(
        "Azure",
        lambda n: f"https://h.example.com/{n}?sv=2024-11-04&sig={signature(n, 44)}%3D",
        lambda n: [signature(n, 44)],
        200,
        1,
    ),
    SignedUrl(
        "a long name of the file, which is no secret",
        lambda n: f"https://h.example.com/?file=coupons-{n}.csv&v=2024-11-04&sig={signature(n)}",
        lambda n: [signature(n)],
        200,
        1,
    ),
    SignedUrl(
        "semicolons",
        lambda n: f"https://h.example.com/{n};v=2024-11-04;sig={signature(n)}",
        lambda n: [signature(n)],
        200,
        1,
    ),
    SignedUrl(
        "CloudFront",
        lambda n: (
            f"https://h.example.com/{n}?Expires=1&Policy={signature(n, 300)}"
            f"&Signature={signature(n + 1000, 344)}"
        ),
        lambda n: [signature(n, 300), signature(n + 1000, 344)],
        400,
        1,
    ),
    SignedUrl(
        "three signatures",
        lambda n: (
            f"https://h.example.com/{n}?sig={signature(n)}&token={signature(n + 1000)}"
            f"&key={signature(n + 2000)}"
        ),
        lambda n: [signature(n), signature(n + 1000), signature(n + 2000)],
        600,
        0,
    ),
    SignedUrl(
        "two names that do not say so",
        lambda n: f"https://h.example.com/{n}?p={signature(n)}&q={signature(n + 1000)}",
        lambda n: [signature(n), signature(n + 1000)],
        400,
        0,
    ),
    SignedUrl(
        "a name that does not say so",
        lambda n: f"https://h.example.com/{n}?v=2&q={signature(n, 32)}",
        lambda n: [signature(n, 32)],
        200,
        0,
    ),
    SignedUrl(
        "without names",
        lambda n: f"https://h.example.com/{n}?{signature(n, 40)}=",
        lambda n: [signature(n, 40)],
        200,
        0,
    ),
]


def told_of(mocker: MockerFixture, argument: Any) -> list[str]:
    """What is told of an argument."""
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets(argument)
    return [str(call.args[0]) for call in mask.call_args_list]


# Of more than twenty queries, only beginnings of signatures are told.
NUMBERS = {"three URLs": 3, "two hundred URLs": 200}


@pytest.mark.parametrize("row", SIGNED, ids=[row.name for row in SIGNED])
@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_nothing_that_makes_a_url_valid_is_left_whole(
    mocker: MockerFixture, row: SignedUrl, number: int
):
    urls = [row.url(index) for index in range(number)]
    told = told_of(mocker, [{"file_url": url} for url in urls])
    for index, hidden in enumerate(urls):
        for secret in told:
            hidden = hidden.replace(secret, "***")
        assert [secret for secret in row.secrets(index) if secret in hidden] == []


@pytest.mark.parametrize("row", SIGNED, ids=[row.name for row in SIGNED])
def test_of_many_urls_the_beginning_of_each_own_secret_is_told(
    mocker: MockerFixture, row: SignedUrl
):
    """
    Besides, each long parameter that they share is told once. The masker's time grows with the
    square of what it is told, so each beginning is short.
    """
    told = told_of(mocker, [{"file_url": row.url(index)} for index in range(200)])
    assert len(told) == row.own + row.shared
    assert {len(secret) for secret in told[: row.own]} == {12}


@pytest.mark.parametrize("number", [3, 200])
def test_the_passwords_of_many_urls_are_told_whole(mocker: MockerFixture, number: int):
    urls = [f"https://u:p4ssw0rd{n}@h.example.com/{n}?t={signature(n)}" for n in range(number)]
    assert told_of(mocker, urls)[:number] == [f"p4ssw0rd{n}" for n in range(number)]


def test_twenty_queries_of_an_argument_are_told_whole(mocker: MockerFixture):
    """Twenty different ones, however often each is there."""
    queries = [f"sig={signature(number)}" for number in range(20)]
    assert told_of(mocker, [f"https://h.example.com/?{query}" for query in 2 * queries]) == queries


def test_a_query_that_is_too_short_is_none_of_the_twenty(mocker: MockerFixture):
    """It is not told, so it does not count."""
    queries = [f"sig={signature(number)}" for number in range(20)]
    urls = [f"https://h.example.com/?{query}" for query in ["a=1", *queries]]
    assert told_of(mocker, urls) == queries


def test_of_twenty_one_queries_of_an_argument_beginnings_are_told(mocker: MockerFixture):
    urls = [f"https://h.example.com/?sig={signature(number)}" for number in range(21)]
    assert told_of(mocker, urls) == [signature(number)[:12] for number in range(21)]


def test_a_query_of_eight_characters_is_told(mocker: MockerFixture):
    assert told_of(mocker, "https://h.example.com/?sig=1234") == ["sig=1234"]


def test_a_query_of_seven_characters_is_not_told(mocker: MockerFixture):
    """It stands in too many other texts."""
    assert told_of(mocker, "https://h.example.com/?sig=123") == []


def test_of_many_queries_a_signature_of_seven_characters_is_not_told(mocker: MockerFixture):
    urls = [f"https://h.example.com/?sig={n:07}" for n in range(20)]
    assert told_of(mocker, [*urls, "https://h.example.com/?sig=12345678"]) == ["12345678"]


def test_a_token_that_many_urls_share_is_told_once(mocker: MockerFixture):
    told = told_of(mocker, [signed(number) for number in range(200)])
    assert [secret for secret in told if TOKEN[:12] in secret] == [f"X-Amz-Security-Token={TOKEN}"]


def test_a_parameter_that_two_of_many_urls_share_is_told(mocker: MockerFixture):
    tokens = [f"token={signature(number // 2)}" for number in range(22)]
    told = told_of(mocker, [f"https://h.example.com/{n}?{t}&n={n}" for n, t in enumerate(tokens)])
    assert told == list(dict.fromkeys(tokens))


def test_the_longest_parameter_that_many_urls_share_is_told_last(mocker: MockerFixture):
    """The masker compiles all that came before again with each secret."""
    told = told_of(mocker, [f"{signed(number)}&X-Amz-Expires=3600" for number in range(200)])
    assert told[-3:] == [
        "X-Amz-Expires=3600",
        "X-Amz-Algorithm=AWS4-HMAC-SHA256",
        f"X-Amz-Security-Token={TOKEN}",
    ]


def test_of_many_queries_a_shared_parameter_of_seven_characters_is_not_told(mocker: MockerFixture):
    queries = [f"v=12345&w=123456&sig={signature(number)}" for number in range(21)]
    told = told_of(mocker, [f"https://h.example.com/?{query}" for query in queries])
    assert [secret for secret in told if "=" in secret] == ["w=123456"]


def test_of_each_of_many_signatures_the_first_twelve_characters_are_told(mocker: MockerFixture):
    told = told_of(mocker, [signed(number) for number in range(200)])
    beginnings = [signature(number)[:12] for number in range(200)]
    assert [secret for secret in told if "X-Amz-" not in secret] == beginnings


def test_urls_in_values_of_filters_are_not_told(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    values = [f"https://shop.example/p?id={number}&sort=price" for number in range(100)]
    with DAG("d", schedule=None):
        task = WesUpdateSegmentOperator(
            task_id="t",
            segment_id="s",
            included_filters=all_of(
                user_attribute("page", values), user_attribute("city", "{{ 1 }}")
            ),
        )
    task.render_template_fields({})
    assert mask.call_args_list == []


def test_secrets_of_a_template_that_cannot_be_rendered_are_told(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    with DAG("d", schedule=None):
        task = WesUploadCouponFileOperator(
            task_id="t",
            coupon_list_id="l",
            file_url="https://h.example.com/{{ 1 / 0 }}.csv?sig=s1gnature",
        )
    with pytest.raises(ZeroDivisionError):
        task.render_template_fields({})
    assert [call.args[0] for call in mask.call_args_list] == ["sig=s1gnature"]
