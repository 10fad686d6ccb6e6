"""However a connection is given, its settings are the same; and what the Test button says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from airflow.models import Connection

from wes_provider.client.settings import WesSettings
from wes_provider.emulator import Emulator, faults
from wes_provider.hooks import WesHook, read_settings

FIELDS: dict[str, Any] = {
    "conn_type": "wes",
    "host": "https://api-{data_center}.example.com:8443/base",
    "login": "workspace 1/a",
    "password": "key/with:every@thing?&=%",
}
EXTRA: dict[str, Any] = {
    "data_api_key": "other%key&",
    "data_center": "02",
    "workspace_header": "X-App",
    "console_url": "https://console.example.com/{kind}/{id}",
    "connect_timeout": 2.5,
    "read_timeout": 30,
    "max_attempts": 3,
    "max_rate_limit_wait": 0,
    "verify": False,
    "allow_http": False,
    "coupon_files_lag": 5,
    "upload_windows": "rolling",
    "paths": {"coupon_file": "/v2/files/{coupon_file_id}", "catalog_id": "data.id"},
    "coupon_file_statuses": {"success": ["IMPORTED"], "failure": ["BAD"]},
}


def as_text(value: Any) -> str:
    """As URIs and older forms hold it."""
    return value if isinstance(value, str) else json.dumps(value)


WAYS: dict[str, Callable[[], Connection]] = {
    "typed JSON": lambda: Connection.from_json(json.dumps({**FIELDS, "extra": EXTRA})),
    "JSON with extra as a text": lambda: Connection.from_json(json.dumps({**FIELDS, "extra": json.dumps(EXTRA)})),
    "a form of texts, with empty fields": lambda: Connection(
        **FIELDS, schema="", extra=json.dumps({name: as_text(value) for name, value in EXTRA.items()})
    ),
    "a form with prefixed extras": lambda: Connection(
        **FIELDS, extra=json.dumps({f"extra__wes__{name}": value for name, value in EXTRA.items()})
    ),
    "Airflow's own URI of it": lambda: Connection(uri=Connection(**FIELDS, extra=json.dumps(EXTRA)).get_uri()),
    "a URI of texts": lambda: Connection(
        uri=Connection(**FIELDS, extra=json.dumps({name: as_text(value) for name, value in EXTRA.items()})).get_uri()
    ),
    "scheme, host and port apart": lambda: Connection(
        **{**FIELDS, "host": "api-02.example.com/base"}, schema="https", port=8443, extra=json.dumps(EXTRA)
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_give_a_connection_means_the_same(way: Callable[[], Connection]):
    settings = read_settings(way())
    assert settings == WesSettings(
        base_url="https://api-02.example.com:8443/base",
        workspace_id=FIELDS["login"],
        api_key=FIELDS["password"],
        data_api_key="other%key&",
        workspace_header="X-App",
        connect_timeout=2.5,
        read_timeout=30.0,
        max_attempts=3,
        max_rate_limit_wait=0.0,
        verify=False,
        coupon_file_path="/v2/files/{coupon_file_id}",
        catalog_id_property="data.id",
        coupon_files_lag=5.0,
        upload_windows="rolling",
        statuses=settings.statuses,
        console_url="https://console.example.com/{kind}/{id}",
    )
    assert (settings.statuses.success, settings.statuses.failure) == ({"IMPORTED"}, {"BAD"})


def test_a_port_of_zero_is_none():
    """Airflow's pages send it for an empty field."""
    connection = Connection(conn_type="wes", host="api.example.com", login="w", password="p", port=0)
    assert read_settings(connection).base_url == "https://api.example.com"


@pytest.mark.parametrize("written", ["json", "uri"])
def test_a_connection_comes_from_the_environment(written: str, monkeypatch: pytest.MonkeyPatch):
    connection = Connection(**FIELDS, extra=json.dumps(EXTRA))
    value = json.dumps({**FIELDS, "extra": EXTRA}) if written == "json" else connection.get_uri()
    monkeypatch.setenv("AIRFLOW_CONN_SHOP", value)
    assert WesHook("shop").settings == read_settings(connection)


def test_a_uri_written_by_hand(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AIRFLOW_CONN_SHOP", "wes://ws:key@api-03.example.com:8443/https?data_api_key=d&read_timeout=30")
    settings = WesHook("shop").settings
    assert settings.base_url == "https://api-03.example.com:8443"
    assert (settings.workspace_id, settings.api_key, settings.data_api_key) == ("ws", "key", "d")
    assert settings.read_timeout == 30


# -- the Test button -----------------------------------------------------------------------------------


def press_test(monkeypatch: pytest.MonkeyPatch, emulator: Emulator, **fields: Any) -> tuple[bool, str]:
    monkeypatch.setenv("AIRFLOW_CONN_TESTED", json.dumps(emulator.connection(**fields)))
    return WesHook("tested").test_connection()


def test_right_fields_pass_and_the_rest_is_said_to_be_unchecked(
    monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    good, text = press_test(monkeypatch, wes_emulator)
    assert good
    assert text.startswith(f"{wes_emulator.url} accepts the workspace and its keys. Not checked: ")
    assert "the data key: a read of a segment answered 405, which did not refuse it" in text
    assert "uploads, catalogs and segment updates" in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"password": "wrong"}, "401: password is no campaign API key; {url} accepts login and data_api_key"),
        (
            {"extra": {"data_api_key": "wrong"}},
            "401: extra data_api_key is wrong: it is no data API key; {url} accepts",
        ),
        ({"extra": {"data_api_key": ""}}, "401: extra data_api_key is missing: password is no data API key; {url}"),
        (
            {"password": "emulated-data-key", "extra": {"data_api_key": ""}},
            "401: password is no campaign API key; {url}",
        ),
        ({"login": "nobody"}, "401: login (the workspace identifier), extra workspace_header or both password and"),
        (
            {"password": "wrong", "extra": {"data_api_key": ""}},
            "401: login (the workspace identifier), extra workspace_header or password (the API key): one of them",
        ),
        (
            {"extra": {"workspace_header": "X-Other"}},
            "401: login (the workspace identifier), extra workspace_header or",
        ),
        ({"host": "http://127.0.0.1:1"}, "the service was not reached at http://127.0.0.1:1: "),
        ({"host": "http://127.0.0.1:{data_center}", "extra": {"data_center": "1"}}, "look at host, at data_center"),
        ({"extra": {"data_center": "x"}}, "data_center 'x' is not two or three digits"),
        ({"login": ""}, "login is missing"),
        ({"host": "http://api.example.com"}, "host 'http://api.example.com' is plain http"),
    ],
)
def test_a_wrong_field_is_named(
    fields: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    good, text = press_test(monkeypatch, wes_emulator, **fields)
    assert not good
    assert message.format(url=wes_emulator.url) in text


@pytest.mark.parametrize(
    ("status", "good", "message"),
    [
        (301, False, "host: {url} answered 301, a redirect"),
        (403, False, "403: login and password are accepted, but the account has no access to coupon management"),
        (404, True, "Not checked: whether the path of the coupon files is right"),
        (418, True, "Not checked: the path of the coupon files, which answered 418"),
        (429, False, "{url} was reached, but answered 429: the keys could not be checked"),
        (503, False, "{url} was reached, but answered 503: the keys could not be checked"),
    ],
)
def test_other_answers_are_explained(
    status: int, good: bool, message: str, monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator
):
    wes_emulator.fail("list_coupon_files", faults.error(status))
    result, text = press_test(monkeypatch, wes_emulator)
    assert result is good
    assert message.format(url=wes_emulator.url) in text


def test_testing_changes_nothing(monkeypatch: pytest.MonkeyPatch, wes_emulator: Emulator):
    press_test(monkeypatch, wes_emulator)
    assert {request.method for request in wes_emulator.requests} == {"GET"}
    assert (wes_emulator.segments, wes_emulator.catalogs) == ({}, {})
