"""
Airflow's masker hides a connection's keys, and what templates render: passwords, and queries of
signed URLs.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from airflow.models import Connection
from airflow.providers.common.compat.sdk import DAG

from wes_provider.hooks import read_settings
from wes_provider.masking import hide_secrets
from wes_provider.operators import WesUploadCouponFileOperator

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
