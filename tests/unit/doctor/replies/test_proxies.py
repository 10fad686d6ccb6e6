"""
The proxy of the environment that requests go through is named with its host, its port and the
variable that has it (https_proxy, HTTPS_PROXY or ALL_PROXY), without its login. Nothing is said
without one, of one for another scheme, if no_proxy excepts the service's host, and of one that
cannot be used, such as socks5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import SETTINGS
from wes_provider.doctor.replies.proxies import proxy_sentence

pytestmark = pytest.mark.usefixtures("without_proxy")


class Sentence(NamedTuple):
    """The variables of the environment, and the sentence that names the proxy."""

    name: str
    variables: Mapping[str, str]
    text: str


SENTENCES = [
    Sentence(
        "a proxy",
        {"https_proxy": "http://proxy.test:3128"},
        " Requests go through the proxy proxy.test:3128 (by the variable https_proxy).",
    ),
    Sentence(
        "with a login",
        {"HTTPS_PROXY": "http://me:p@ss@proxy.test"},
        " Requests go through the proxy proxy.test (by the variable HTTPS_PROXY).",
    ),
    Sentence(
        "for all",
        {"ALL_PROXY": "proxy.test:80"},
        " Requests go through the proxy proxy.test:80 (by the variable ALL_PROXY).",
    ),
]


@pytest.mark.parametrize("row", SENTENCES, ids=[row.name for row in SENTENCES])
def test_the_proxy_of_the_environment_is_named(row: Sentence, monkeypatch: pytest.MonkeyPatch):
    for name, value in row.variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_sentence(SETTINGS) == row.text


class NoProxy(NamedTuple):
    """The variables of an environment in which requests go through no proxy."""

    name: str
    variables: Mapping[str, str]


NO_PROXIES = [
    NoProxy("none", {}),
    NoProxy("of another scheme", {"http_proxy": "http://proxy.test:3128"}),
    NoProxy("an exception", {"https_proxy": "http://a.test:1", "no_proxy": "example.com"}),
    NoProxy("one that cannot be used", {"https_proxy": "socks5://proxy.test:1"}),
]


@pytest.mark.parametrize("row", NO_PROXIES, ids=[row.name for row in NO_PROXIES])
def test_without_a_proxy_nothing_is_said(row: NoProxy, monkeypatch: pytest.MonkeyPatch):
    for name, value in row.variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_sentence(SETTINGS) == ""
