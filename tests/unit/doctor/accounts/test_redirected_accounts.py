"""
If all reads are redirected, the Address is *Not ready*, and nothing else is reported. One read
tests the target if it is another data center (api-02 for api-01) or another port of the same host:
after a 200, it is to be put into the Address. Keys are not sent to another host: a login page,
another domain, a name of one label, or an IP address. A redirect from http to https of the same
host is named; keys are never sent from https to http.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    redirect,
)
from support.doctor_service import (
    LIST,
    Account,
    Call,
    examined,
)
from support.servers import Reply, replying
from wes_provider.client.responses import Response
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.reads.evidence import Evidence, list_at
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.settings import WesSettings


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Callable[[Account], Any]:
    """A server that replies for all hosts, as a proxy."""

    def serve(account: Account) -> Any:
        context = replying(account)

        class Serving:
            def __enter__(self) -> str:
                url = context.__enter__()
                monkeypatch.setenv("HTTP_PROXY", url)
                return url

            def __exit__(self, *error: Any) -> None:
                context.__exit__(*error)

        return Serving()

    return serve


class Redirect(NamedTuple):
    """A redirect of all reads, what is said of it, and whether it was tested with one read."""

    name: str
    target: str
    says: str
    is_tested: bool


REDIRECTS = [
    Redirect(
        "another data center",
        "http://api-02.example.com",
        "The service names http://api-02.example.com, and a read there gets 200: put it into the "
        "Address, or 02 into Data center",
        is_tested=True,
    ),
    Redirect(
        "another port",
        "http://api-01.example.com:8080",
        "The service names http://api-01.example.com:8080, and a read there gets 200: put it into "
        "the Address, and run",
        is_tested=True,
    ),
    Redirect(
        "another host",
        "http://login.example.com",
        "The Address is behind a browser login",
        is_tested=False,
    ),
    Redirect(
        "another domain",
        "http://api-02.example.org",
        "A redirect to http://api-02",
        is_tested=False,
    ),
    Redirect("a name of one label", "http://api02", "A redirect to http://api02", is_tested=False),
    Redirect("an IP address", "http://10.0.0.2", "A redirect to http://10.0.0.2", is_tested=False),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=ids(REDIRECTS))
def test_a_redirect_to_another_data_center_or_port_is_tested_and_to_another_host_is_not(
    row: Redirect, proxied: Callable[[Account], Any]
):
    def nasty(call: Call) -> Reply | None:
        if call.authority == "api-01.example.com":
            return redirect(f"{row.target}{call.path}", 307)
        return None

    account = Account(nasty)
    with proxied(account):
        report = examined(
            "http://api-01.example.com", coupon_list_id=LIST, extra={"allow_http": True}
        )
    assert report.verdict.startswith(f"Not ready: Address. {row.says}")
    hosts = {call.authority for call in account.calls}
    assert (hosts == {"api-01.example.com"}) is not row.is_tested
    assert [finding.topic for finding in report.findings] == [Topic.ADDRESS]


def test_a_redirect_to_https_is_named(proxied: Callable[[Account], Any]):
    account = Account(lambda call: redirect(f"https://api.example.com{call.path}", 301))
    with proxied(account):
        report = examined("http://api.example.com", coupon_list_id=LIST, extra={"allow_http": True})
    assert report.verdict.startswith(
        "Not ready: Address. The service names https://api.example.com"
    )


def test_keys_are_not_sent_from_https_to_http():
    settings = WesSettings("https://api-01.example.com", "w", "k", "d")
    request = list_at(settings, settings.coupon_files_path, LIST)
    target = request.url.replace("https://api-01", "http://api-02")
    probe = Probe(Question.LIST, request, response=Response(302, {"location": target}, b""))
    assert redirects.other_address(Evidence(settings, LIST, (probe,))) == ""
