"""However a connection is given, its settings are the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from airflow.models import Connection

from wes_provider.hooks import WesHook, read_settings
from wes_provider.settings import WesSettings

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
    assert WesHook("shop").settings == msgspec.structs.replace(read_settings(connection), conn_id="shop")


def test_a_uri_written_by_hand(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AIRFLOW_CONN_SHOP", "wes://ws:key@api-03.example.com:8443/https?data_api_key=d&read_timeout=30")
    settings = WesHook("shop").settings
    assert settings.base_url == "https://api-03.example.com:8443"
    assert (settings.workspace_id, settings.api_key, settings.data_api_key) == ("ws", "key", "d")
    assert settings.read_timeout == 30
