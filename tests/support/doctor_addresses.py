"""What tests of conclusions about the address share: rows, replies, and checks of whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    Said,
    listed,
)
from support.doctor_replies import (
    SETTINGS,
    changed,
    error_body,
    evidence_of,
    reply,
)
from wes_provider.client import requests
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_address,
    conclude_on_unexaminable,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE

HTTP = changed(base_url="http://api.example.com")
UNCHECKED = changed(verify=False)
JSON = {"content-type": "application/json"}
WAITS = {"retry-after": "30"}
STRANGE = error_body("teapot", "Moon phase is unfavourable.")
AWAY = "https://api.example.com/maintenance.html"
HELLO = "https://api.example.com/hello"
PROXY = {
    "https_proxy": "http://proxy.example.com:3128",
    "http_proxy": "http://proxy.example.com:3128",
}
THROUGH_PROXY = (
    " Requests go through the proxy proxy.example.com:3128 (by the variable https_proxy)."
)
CERTIFICATE_WANTED = "<html><title>400 No required SSL certificate was sent</title>"
OTHER_CERTIFICATE_WANTED = "<html><title>A client certificate is needed</title>"
HTTPS_ONLY = "<html><title>400 The plain HTTP request was sent to HTTPS port</title>"
FIREWALL = "<html><title>Blocked</title><p>Request was blocked. Ray ID: 7a9</p>"
LONG = ("Weather is fine. " * 20).strip()


class Case(NamedTuple):
    """
    Replies, and what is said.

    :ivar names_proxy: whether the proxy is named, too, if there is one.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    settings: Any = SETTINGS
    topic: Topic = Topic.ADDRESS
    names_proxy: bool = True
    not_asked: Mapping[Question, str] = {}
    out_of_time: str = ""
    needs_action: bool = False

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            settings=self.settings,
            not_asked=self.not_asked,
            out_of_time=self.out_of_time,
        )


def page_of(status: int = 200, content: Any = PAGE, **more: Any) -> Probe:
    """The read of the page that redirects lead to."""
    request = listed().request._replace(url=HELLO)
    return reply(status, content, question=Question.PAGE, request=request, **more)


def elsewhere(status: int = 200, content: Any = FILES, **more: Any) -> Probe:
    """The read of the list at another address."""
    settings = changed(base_url="https://api-03.example.com/gw")
    request = requests.list_coupon_files(settings, "spring")
    return reply(status, content, question=Question.OTHER_ADDRESS, request=request, **more)


def http(status: int, content: Any, **more: Any) -> Probe:
    request = requests.list_coupon_files(HTTP, "spring")
    return listed(status, content, request=request, **more)


def check_unexaminable(row: Case) -> None:
    """The finding about the first read says what the row says, word for word."""
    finding = conclude_on_unexaminable(row.evidence)
    assert Said.of(finding) == row.said
    assert finding.topic is row.topic
    assert finding.probes


class RestsOn(NamedTuple):
    """Reads, and the numbers of those that the finding rests on, in its order."""

    name: str
    probes: Sequence[Probe]
    numbers: list[int]
    settings: Any = SETTINGS


def below(prefix: str, probe: Probe, status: int = 301, **more: Any) -> Probe:
    """The redirect of a request to the same path below a prefix."""
    url = probe.request.url.replace("example.com", f"example.com{prefix}", 1)
    return reply(
        status,
        headers={"location": url},
        question=probe.question,
        request=probe.request,
        **more,
    )


def check_names_proxy(row: Case, conclude: Callable[[Evidence], Finding]) -> None:
    """The finding also names the proxy of the environment, if that may have replied."""
    with pytest.MonkeyPatch.context() as patch:
        for variable, address in PROXY.items():
            patch.setenv(variable, address)
        text = conclude(row.evidence).text
    named = ""
    if row.names_proxy:
        named = THROUGH_PROXY
        if row.settings.base_url.startswith("http://"):
            named = THROUGH_PROXY.replace("https_proxy", "http_proxy")
    assert text == f"{row.said.text}{named}"


def check_address(row: Case) -> None:
    """The finding about the address says what the row says, word for word."""
    finding = conclude_on_address(row.evidence)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said
