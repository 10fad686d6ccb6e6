"""Airflow's masker hides what templates render: passwords, and the queries of signed URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wes_provider.masking import hide_secrets

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


def test_the_secrets_of_urls_are_told_to_airflows_masker(mocker: MockerFixture):
    mask = mocker.patch("wes_provider.masking.mask_secret")
    hide_secrets("https://user:p4ssw0rd@h.example.com/a.csv?X-Amz-Signature=s1gned&x=1")
    told = " ".join(str(call.args[0]) for call in mask.call_args_list)
    assert "p4ssw0rd" in told
    assert "s1gned" in told
    mask.reset_mock()
    for harmless in ("https://h.example.com/a.csv", "text", 7, None):
        hide_secrets(harmless)
    assert mask.call_args_list == []
