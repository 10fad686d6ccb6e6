"""What Airflow's Test button reports: one sentence for each key, resting on evidence."""

from __future__ import annotations

import base64
import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wes_driver import read as read_settings
from wes_provider import connection_form
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
                "Address: the service was not reached at http://127.0.0.1:1: ",
                "Check Address, Data center if the address has it, and Verify TLS.",
            ],
        ),
        ({"extra": {"data_center": "x"}}, ["connection 'tested' cannot be used: data_center 'x' is not"]),
        ({"login": ""}, ["connection 'tested' cannot be used: login is missing"]),
    ],
)
def test_a_wrong_field_is_named_as_the_form_has_it(
    fields: dict[str, Any], lines: list[str], monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    good, text = press_test(monkeypatch, wes_emulator, **fields)
    assert not good
    for expected, line in zip(lines, text.splitlines(), strict=False):
        assert line.startswith(expected)
    assert len(text.splitlines()) >= len(lines)


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
                "Reading coupon files: the reply is 404, JSON: there is no such list, or the path is another one.",
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


def test_fields_are_named_as_the_form_has_them():
    relabelled, fields = connection_form.BEHAVIOUR["relabeling"], connection_form.FIELDS
    assert diagnosis.ADDRESS == relabelled["host"]
    assert diagnosis.WORKSPACE == relabelled["login"]
    assert diagnosis.CAMPAIGN_KEY == relabelled["password"]
    assert diagnosis.DATA_KEY == fields["data_api_key"]["label"]
    assert diagnosis.WORKSPACE_HEADER == fields["workspace_header"]["label"]
    assert diagnosis.VERIFY == fields["verify"]["label"]


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
