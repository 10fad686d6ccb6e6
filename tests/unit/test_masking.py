"""
Airflow's masker hides a connection's keys, and what templates render: passwords, and queries of
signed URLs.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from airflow.models import Connection
from airflow.providers.common.compat.sdk import DAG

from wes_provider.hooks import read_settings
from wes_provider.masking import hide_secrets
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator, WesUploadCouponFileOperator

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


def test_the_secrets_of_urls_are_told_to_airflows_masker(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets("https://user:p4ssw0rd@h.example.com/a.csv?X-Amz-Signature=s1gned&x=1")
    hide_secrets([{"file_url": "https://h.example.com/a.csv#token=fr4gment"}])
    told = " ".join(str(call.args[0]) for call in mask.call_args_list)
    assert "p4ssw0rd" in told
    assert "s1gned" in told
    assert "token=fr4gment" in told
    mask.reset_mock()
    for harmless in ("https://h.example.com/a.csv", "text", 7, None):
        hide_secrets(harmless)
    assert mask.call_args_list == []


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
def test_the_password_of_an_upload_is_told_when_it_is_rendered(
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


def signed(number: int) -> str:
    shared = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Security-Token=" + "IQoJb3JpZ2luX2Vj" * 60
    signature = hashlib.sha256(str(number).encode()).hexdigest()
    return f"https://h.example.com/{number}.csv?{shared}&X-Amz-Signature={signature}"


MANY: dict[str, Callable[[int], str]] = {
    "S3 with a session's token": signed,
    "GCS": lambda n: f"https://h.example.com/{n}?X-Goog-Date=20261125&X-Goog-Signature={n:0512x}",
    "Azure": lambda n: f"https://h.example.com/{n}?sv=2024-11-04&sig={n:044d}%3D",
    "CloudFront": lambda n: (
        f"https://h.example.com/{n}?Expires=1&Policy={n:0300d}&Signature={n:0344d}"
    ),
    "a name of nobody": lambda n: f"https://h.example.com/{n}?v=2&q={n:032x}",
    "without names": lambda n: f"https://h.example.com/{n}?{n:040x}=",
    "in objects": lambda n: f"https://u:p4ssw0rd{n}@h.example.com/{n}?token={n:032x}",
}


@pytest.mark.parametrize("url", MANY.values(), ids=MANY)
@pytest.mark.parametrize("number", [3, 200])
def test_no_signature_of_many_urls_is_left_whole(
    mocker: MockerFixture, url: Callable[[int], str], number: int
):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    urls = [url(index) for index in range(number)]
    hide_secrets([{"file_url": item} for item in urls])
    told = [str(call.args[0]) for call in mask.call_args_list]
    assert len(told) < 4 * number + 10
    for item in urls:
        query = item.partition("?")[2]
        longest = max(query.split("&"), key=len).rpartition("=")[2] or query
        hidden = item
        for secret in told:
            hidden = hidden.replace(secret, "***")
        assert longest not in hidden
        assert "p4ssw0rd" not in hidden
        assert "***" in hidden


def test_what_many_urls_share_is_told_once_and_in_full(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets([signed(number) for number in range(200)])
    told = [str(call.args[0]) for call in mask.call_args_list]
    assert sum("Security-Token" in secret for secret in told) == 1
    assert sum(map(len, told)) < 200 * 12 + 1100, "the masker's time grows with its square"


def test_values_of_filters_are_no_secrets(mocker: MockerFixture):
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
