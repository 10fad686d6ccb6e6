"""
What is told to Airflow's masker, which hides it in logs and on pages (``docs/security.md``): a
connection's keys, passwords of uploads, and passwords and queries of URLs in arguments.
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
    """An argument with a secret in a URL, and what of it is told."""

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
    InUrl("a URL without either", "https://h.example.com/a.csv", []),
    InUrl("a string that is no URL", "text", []),
    InUrl("a number", 7, []),
    InUrl("None", None, []),
)


@pytest.mark.parametrize("row", IN_URLS, ids=[row.name for row in IN_URLS])
def test_the_passwords_and_queries_of_urls_are_told(mocker: MockerFixture, row: InUrl):
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


def signed(number: int) -> str:
    """The URL of a file, signed for S3: all have one long token, and each a signature."""
    shared = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Security-Token=" + "IQoJb3JpZ2luX2Vj" * 60
    return f"https://h.example.com/{number}.csv?{shared}&X-Amz-Signature={signature(number)}"


MANY: dict[str, Callable[[int], str]] = {
    "S3 with a session's token": signed,
    "GCS": lambda n: (
        f"https://h.example.com/{n}?X-Goog-Date=20261125&X-Goog-Signature={signature(n, 512)}"
    ),
    "Azure": lambda n: f"https://h.example.com/{n}?sv=2024-11-04&sig={signature(n, 44)}%3D",
    "CloudFront": lambda n: (
        f"https://h.example.com/{n}?Expires=1&Policy={signature(n, 300)}"
        f"&Signature={signature(n + 1000, 344)}"
    ),
    "a name that does not say so": lambda n: f"https://h.example.com/{n}?v=2&q={signature(n, 32)}",
    "without names": lambda n: f"https://h.example.com/{n}?{signature(n, 40)}=",
    "a token, and a password before the host": lambda n: (
        f"https://u:p4ssw0rd{n}@h.example.com/{n}?token={signature(n, 32)}"
    ),
}


# Of more than twenty URLs, only beginnings of signatures are told.
NUMBERS = {"three URLs": 3, "two hundred URLs": 200}


@pytest.mark.parametrize("url", MANY.values(), ids=MANY)
@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_no_signature_of_many_urls_is_left_whole(
    mocker: MockerFixture, url: Callable[[int], str], number: int
):
    """Of each URL, the longest value in its query signs it."""
    mask = mocker.patch("wes_provider.masking.mask_secret")
    urls = [url(index) for index in range(number)]
    hide_secrets([{"file_url": item} for item in urls])
    told = [str(call.args[0]) for call in mask.call_args_list]
    for item in urls:
        query = item.partition("?")[2]
        longest = max(query.removesuffix("=").split("&"), key=len).rpartition("=")[2]
        hidden = item
        for secret in told:
            hidden = hidden.replace(secret, "***")
        assert longest not in hidden
        assert "p4ssw0rd" not in hidden


@pytest.mark.parametrize("url", MANY.values(), ids=MANY)
def test_of_many_urls_few_secrets_are_told(mocker: MockerFixture, url: Callable[[int], str]):
    """The masker's time grows with the square of their number."""
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets([{"file_url": url(index)} for index in range(200)])
    assert 200 <= mask.call_count < 4 * 200


def test_a_token_that_many_urls_share_is_told_once(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets([signed(number) for number in range(200)])
    told = [str(call.args[0]) for call in mask.call_args_list]
    assert sum("Security-Token" in secret for secret in told) == 1


def test_of_each_of_many_signatures_twelve_characters_are_told(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets([signed(number) for number in range(200)])
    told = [str(call.args[0]) for call in mask.call_args_list]
    beginnings = [signed(number).rpartition("=")[2][:12] for number in range(200)]
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
