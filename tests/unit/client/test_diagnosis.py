"""What Airflow's Test button reports: one sentence for each key, resting on evidence."""

from __future__ import annotations

import base64
import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wes_driver import read as read_settings
from wes_provider.client import diagnosis
from wes_provider.client.diagnosis import Evidence, Form, KeyReads, key_check
from wes_provider.emulator import Emulator, faults
from wes_provider.hooks import WesHook


def press_test(monkeypatch: pytest.MonkeyPatch, emulator: Emulator, **fields: Any) -> tuple[bool, str]:
    monkeypatch.setenv("AIRFLOW_CONN_TESTED", json.dumps(emulator.connection(**fields)))
    return WesHook("tested").test_connection()


NOT_TRIED = "Uploads, catalogs and segment updates were not tried: they would change something."


def test_right_keys_are_accepted(monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    good, text = press_test(monkeypatch, wes_emulator)
    assert good
    assert text.splitlines() == ["Campaign API key: accepted.", "Data API key: accepted.", NOT_TRIED]
    assert len(wes_emulator.requests) == 4


def test_the_campaign_key_is_enough(monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    good, text = press_test(monkeypatch, wes_emulator, extra={"data_api_key": ""})
    assert good
    assert text.splitlines() == [
        "Campaign API key: accepted.",
        "Data API key: not checked, the field is empty; segments use the Campaign API key.",
        NOT_TRIED,
    ]
    assert [request.operation for request in wes_emulator.requests] == ["list_coupon_files"] * 2


CAMPAIGN_REFUSED = "Campaign API key: refused, the reply is 401."
DATA_REFUSED = "Data API key: refused, the reply is 401."


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {"password": "wrong"},
            [
                CAMPAIGN_REFUSED,
                "Data API key: accepted.",
                "Paste the Campaign API key again; Workspace identifier and Workspace header are accepted.",
            ],
        ),
        (
            {"extra": {"data_api_key": "wrong"}},
            [
                "Campaign API key: accepted.",
                DATA_REFUSED,
                "Paste the Data API key from the data tile again; Workspace identifier is accepted.",
            ],
        ),
        (
            {"password": "emulated-data-key", "extra": {"data_api_key": "emulated-campaign-key"}},
            [
                CAMPAIGN_REFUSED,
                DATA_REFUSED,
                "The Data API key is accepted in its place: the two keys may be swapped.",
            ],
        ),
        (
            {"password": "emulated-data-key", "extra": {"data_api_key": ""}},
            [CAMPAIGN_REFUSED, "Data API key: not checked", "Check Campaign API key, Workspace identifier and"],
        ),
        (
            {"login": "nobody"},
            [CAMPAIGN_REFUSED, DATA_REFUSED, "Check Campaign API key, Workspace identifier and Workspace header"],
        ),
        (
            {"extra": {"workspace_header": "X-Other"}},
            [CAMPAIGN_REFUSED, DATA_REFUSED, "Check Campaign API key, Workspace identifier and Workspace header"],
        ),
        (
            {"host": "http://127.0.0.1:1"},
            [
                "Campaign API key: not checked, the service was not reached.",
                "Data API key: not checked, the service was not reached.",
                "Address: http://127.0.0.1:1 refuses connections.",
                "Check Address and Port.",
            ],
        ),
        (
            {"host": "http://no.such.invalid", "extra": {"allow_http": True}},
            [
                "Campaign API key: not checked, the service was not reached.",
                "Data API key: not checked, the service was not reached.",
                "Address: the host of http://no.such.invalid is not known here.",
                "Check Address, and Data center if it is a part of the address.",
            ],
        ),
        ({"extra": {"data_center": "x"}}, ["The connection cannot be used: Data center 'x' is not two or three"]),
        ({"login": ""}, ["The connection cannot be used: Workspace identifier is missing"]),
        ({"password": ""}, ["The connection cannot be used: Campaign API key is missing"]),
        ({"host": ""}, ["The connection cannot be used: Address is missing", "An example is https://"]),
        ({"host": "ftp://h"}, ["The connection cannot be used: Address takes https or http, not 'ftp'"]),
        ({"host": "h", "schema": "ftp"}, ["The connection cannot be used: Scheme takes https or http, not 'ftp'"]),
        ({"host": "h", "port": 70000}, ["The connection cannot be used: Port takes 1 to 65535, not 70000"]),
        (
            {"host": "h", "schema": "http"},
            [
                "The connection cannot be used",
                "Address 'h' is plain http, which would show the keys to the network",
                "Write https into Scheme, or set Allow plain http to true",
            ],
        ),
        ({"extra": {"read_timeout": "soon"}}, ["The connection cannot be used: Read timeout takes a number"]),
        ({"extra": {"verify": "x"}}, ["The connection cannot be used", "Verify TLS takes true, false or the path"]),
        (
            {"extra": {"paths": {"coupon_file": "x"}}},
            ["The connection cannot be used", "Undocumented paths: coupon_file takes a path"],
        ),
        (
            {"extra": {"coupon_file_statuses": {"success": "x"}}},
            ["The connection cannot be used", "Statuses of coupon files: success takes a list"],
        ),
    ],
)
def test_a_wrong_field_is_named_as_the_form_has_it(
    fields: dict[str, Any], lines: list[str], monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    good, text = press_test(monkeypatch, wes_emulator, **fields)
    assert not good
    assert len(text.splitlines()) >= len(lines)
    for expected, line in zip(lines, text.splitlines(), strict=False):
        assert line.startswith(expected)
    assert "tested" not in text.replace(wes_emulator.url, ""), "Airflow makes up an id for the test"


def over(scheme: str, emulator: Emulator) -> str:
    """An emulator's address with another scheme."""
    return f"{scheme}://{emulator.url.partition('://')[2]}"


def test_tls_to_a_port_that_speaks_plain_http(monkeypatch: pytest.MonkeyPatch):
    with Emulator() as emulator:
        address = over("https", emulator)
        good, text = press_test(monkeypatch, emulator, host=address)
    assert not good
    assert text.splitlines()[2:] == [
        f"Address: {address} speaks plain http, not TLS.",
        "Check Port, and the https in Address or Scheme.",
    ]


def test_plain_http_to_a_port_that_speaks_tls(monkeypatch: pytest.MonkeyPatch):
    with Emulator(tls=True) as emulator:
        address = over("http", emulator)
        good, text = press_test(monkeypatch, emulator, host=address)
    assert not good
    assert text.splitlines()[2:] == [
        f"Address: {address} hangs up on plain http; it may speak TLS.",
        "Write https into Address or Scheme, or check Port.",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<html><center>The plain HTTP request was sent to HTTPS port</center><hr>nginx</html>",
        "<html><p>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br/></p></html>",
        "Client sent an HTTP request to an HTTPS server.",
    ],
    ids=["nginx", "apache", "go"],
)
def test_a_server_of_tls_that_turns_plain_http_away(page: str, monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    wes_emulator.fail("*", faults.error(400, body=page.encode(), headers={"Content-Type": "text/html"}), times=None)
    _, text = press_test(monkeypatch, wes_emulator)
    assert text.splitlines()[2:] == [
        f"Address: {wes_emulator.url} speaks TLS, not plain http.",
        "Write https into Address or Scheme, or check Port.",
    ]


def test_a_certificate_that_is_not_trusted(monkeypatch: pytest.MonkeyPatch):
    with Emulator(tls=True) as emulator:
        address = emulator.url
        _, text = press_test(monkeypatch, emulator, extra={"verify": True})
    assert text.splitlines()[2:] == [
        f"Address: the certificate of {address} is not trusted.",
        "Check Address, or write the path of a CA bundle into Verify TLS.",
    ]


def test_a_proxy_that_is_not_reached_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    monkeypatch.setenv("https_proxy", "http://user:hunter2@127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")
    good, text = press_test(monkeypatch, wes_emulator, host="https://api.example.com")
    assert not good
    cause, advice = text.splitlines()[2:]
    assert cause.startswith("Address: no reply from https://api.example.com through the proxy 127.0.0.1:1: ")
    assert advice == "Check the proxy in the environment of Airflow's server, Address and Port."
    assert "hunter2" not in text


@pytest.mark.parametrize(
    ("problem", "cause", "advice"),
    [
        (
            "SSLError: record layer failure",  # of OpenSSL 3.2 and later, for the wrong version number
            "Address: https://a.example.com speaks plain http, not TLS.",
            "Check Port, and the https in Address or Scheme.",
        ),
        (
            "SSLCertVerificationError: Hostname mismatch, certificate is not valid for 'a.example.com'.",
            "Address: the certificate of https://a.example.com is another host's.",
            "Check Address.",
        ),
        (
            "ConnectTimeoutError: Connection to a.example.com timed out. (connect timeout=10.0)",
            "Address: no connection to https://a.example.com in time.",
            "Check Address and Port.",
        ),
        ("OSError: none of these", "Address: OSError: none of these", "Check Address, Port and Verify TLS."),
    ],
)
def test_what_cannot_be_provoked_everywhere_is_explained(problem: str, cause: str, advice: str):
    read = Evidence("", "GET", "/", "campaign", problem=problem)
    assert diagnosis.unreached("https://a.example.com", read) == (cause, advice)


def test_a_path_in_the_address_that_nothing_has(monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    good, text = press_test(monkeypatch, wes_emulator, host=f"{wes_emulator.url}/v1")
    assert not good
    assert text.splitlines() == [
        "Campaign API key: not checked, the reply to a made-up key is 404, too.",
        "Data API key: not checked, the reply to a made-up key is 404, too.",
        "Address ends with /v1, which may be wrong: try it without.",
    ]


def test_without_such_a_path_the_undocumented_ones_may_be_wrong(
    monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    path = "/no/such/{coupon_list_id}"
    _, text = press_test(monkeypatch, wes_emulator, extra={"paths": {"coupon_files": path}, "data_api_key": ""})
    assert text.splitlines()[2].endswith("or the path is wrong. See Undocumented paths.")


@pytest.mark.parametrize(
    ("status", "good", "lines"),
    [
        (301, False, ["Campaign API key: not checked, the reply is 301, a redirect.", "Address: {url} redirects"]),
        (
            403,
            False,
            [
                "Campaign API key: accepted, but the account has no access to this feature (403).",
                "Request access to coupon management for the account.",
            ],
        ),
        (
            404,
            True,
            [
                "Campaign API key: accepted.",
                "Reading coupon files: the reply is 404, JSON: there is no such list, or the path is wrong.",
            ],
        ),
        (429, False, ["Campaign API key: not checked, the reply is 429; try again later."]),
        (503, False, ["Campaign API key: not checked, the reply is 503; try again later."]),
    ],
)
def test_other_replies_are_explained(
    status: int, good: bool, lines: list[str], monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    wes_emulator.fail("list_coupon_files", faults.error(status))
    result, text = press_test(monkeypatch, wes_emulator)
    assert result is good
    assert all(line.format(url=wes_emulator.url) in text for line in lines)


@pytest.mark.parametrize("status", [200, 403, 404])
def test_a_page_that_replies_to_any_key_is_not_taken_for_the_service(
    status: int, monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    page = b"<html><title>Log in</title></html>"
    wes_emulator.fail("*", faults.error(status, body=page, headers={"Content-Type": "text/html"}), times=None)
    good, text = press_test(monkeypatch, wes_emulator)
    assert not good
    assert f"Campaign API key: not checked, the reply to a made-up key is {status}, too." in text
    if status != 403:
        assert f"Address: {wes_emulator.url} replied {status}, an HTML page" in text


def test_a_refusal_that_is_no_json_may_be_a_proxys(monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    wes_emulator.fail("*", faults.error(401, body=b"Unauthorized", headers={"Content-Type": "text/plain"}), times=None)
    good, text = press_test(monkeypatch, wes_emulator)
    assert not good
    assert "Campaign API key: refused, the reply is 401 with no JSON, so maybe by a proxy or gateway." in text


@pytest.mark.parametrize("fields", [{}, {"password": "wrong", "extra": {"data_api_key": "bad"}}])
def test_testing_only_reads(fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    press_test(monkeypatch, wes_emulator, **fields)
    assert {request.method for request in wes_emulator.requests} == {"GET"}
    assert {request.body for request in wes_emulator.requests} == {b""}
    assert (wes_emulator.segments, wes_emulator.catalogs) == ({}, {})


statuses = st.one_of(st.none(), st.sampled_from([200, 201, 301, 400, 401, 403, 404, 405, 422, 429, 500, 503]))
evidence = st.builds(
    Evidence,
    question=st.just(""),
    method=st.just("GET"),
    path=st.just("/"),
    key=st.just("campaign"),
    status=statuses,
    form=st.sampled_from(get_args(Form)),
)


@given(evidence, st.none() | evidence)
def test_a_key_counts_as_accepted_only_if_a_made_up_one_is_refused(read: Evidence, made_up: Evidence | None):
    check = key_check("Key", read, made_up)
    if check.verdict == "accepted":
        assert made_up is not None
        assert made_up.status in (401, 403)
        assert read.status not in (None, 401)
    assert check.verdict == "accepted" or check.why


@given(evidence, st.none() | evidence, st.none() | evidence, st.none() | evidence, st.none() | evidence)
def test_any_evidence_gives_a_sentence_for_each_key(
    campaign: Evidence,
    made_up: Evidence | None,
    data: Evidence | None,
    data_made_up: Evidence | None,
    swapped: Evidence | None,
):
    settings = read_settings({"host": "https://api.example.com", "login": "w", "password": "p" * 9, "extra": {}})
    good, text = diagnosis.diagnosis(settings, KeyReads(campaign, made_up, data, data_made_up, swapped))
    first, second, *_ = text.splitlines()
    assert first.startswith("Campaign API key: ")
    assert second.startswith("Data API key: ")
    assert len(first) <= 90
    assert len(second) <= 90
    if good:
        assert campaign.status is not None
        assert "refused" not in first + second


@pytest.mark.parametrize("where", ["text", "json", "url", "basic"])
def test_no_key_is_in_the_message(where: str, monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    """Even if the service repeats the request's credentials in its reply."""
    key = "emulated-campaign-key"
    basic = base64.b64encode(f"emulated-workspace:{key}".encode()).decode()
    body = {
        "text": f"wrong key {key}",
        "json": json.dumps({"error": {"message": f"no {key}"}}),
        "url": f"see https://x.example.com/?key={key}",
        "basic": f"Basic {basic}",
    }[where]
    for status in (200, 302, 401, 403, 404, 500):
        wes_emulator.fail("*", faults.error(status, body=body.encode()), times=None)
        _, text = press_test(monkeypatch, wes_emulator)
        assert key not in text
        assert basic not in text
        wes_emulator.clear_faults()
