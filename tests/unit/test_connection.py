"""
However a connection is given, its settings are the same; ``test_settings`` has what each field
means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest
from airflow.models import Connection

from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError, WesResponseError
from wes_provider.hooks import WesHook, fetch_credentials, read_settings

FIELDS: dict[str, Any] = {
    "conn_type": "wes",
    "host": "https://api-{data_center}.example.com:8443/base",
    "login": "workspace 1/a",
    "password": "key/with:every@thing?&=%",
}
EXTRA: dict[str, Any] = {
    "data_api_key": "other%key&",
    "data_center": "02",
    "connect_timeout": 2.5,
    "max_attempts": 3,
    "verify": False,
    "paths": {"coupon_file": "/v2/files/{coupon_file_id}", "catalog_id": "data.id"},
    "coupon_file_statuses": {"success": ["IMPORTED"], "failure": ["BAD"]},
}
TEXTS = {
    name: value if isinstance(value, str) else json.dumps(value) for name, value in EXTRA.items()
}
"""As URIs and older forms hold it."""
APART = {**FIELDS, "host": "api-02.example.com/base", "schema": "https", "port": 8443}

WAYS: dict[str, Callable[[], Connection]] = {
    "JSON with extra as a text": lambda: Connection.from_json(
        json.dumps({**FIELDS, "extra": json.dumps(EXTRA)})
    ),
    "a form of texts, with empty fields": lambda: Connection(
        **FIELDS, schema="", extra=json.dumps(TEXTS)
    ),
    "Airflow's own URI of it": lambda: Connection(
        uri=Connection(**FIELDS, extra=json.dumps(EXTRA)).get_uri()
    ),
    "a URI of texts": lambda: Connection(
        uri=Connection(**FIELDS, extra=json.dumps(TEXTS)).get_uri()
    ),
    "scheme, host and port apart": lambda: Connection(**APART, extra=json.dumps(EXTRA)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_give_a_connection_means_the_same(
    way: Callable[[], Connection], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AIRFLOW_CONN_SHOP", json.dumps({**FIELDS, "extra": EXTRA}))
    settings = WesHook("shop").settings
    assert read_settings(way()) == msgspec.structs.replace(settings, conn_id="wes_default")
    assert settings.base_url == "https://api-02.example.com:8443/base"
    assert (settings.workspace_id, settings.api_key) == (FIELDS["login"], FIELDS["password"])
    assert (settings.data_api_key, settings.verify, settings.connect_timeout) == (
        "other%key&",
        False,
        2.5,
    )
    assert settings.catalog_id_property == "data.id"
    assert (settings.statuses.success, settings.statuses.failure) == ({"IMPORTED"}, {"BAD"})


def test_a_uri_written_by_hand(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(
        "AIRFLOW_CONN_SHOP",
        "wes://ws:key@api-03.example.com:8443/https?data_api_key=d&read_timeout=30",
    )
    settings = WesHook("shop").settings
    assert settings.base_url == "https://api-03.example.com:8443"
    assert (settings.workspace_id, settings.api_key, settings.data_api_key) == ("ws", "key", "d")
    assert settings.read_timeout == 30


class Button(NamedTuple):
    """
    What the button that tests a connection says, and whether it is green.

    :ivar connection: what is wrong in it.
    """

    says: str
    is_green: bool = False
    connection: dict[str, Any] = {}  # noqa: RUF012 - never changed


CONNECTIONS = {
    "nothing wrong": Button("Campaign API key: not refused.*\nData API key: not refused", True),
    "the Campaign API key": Button(
        r"Campaign API key: refused \(401\).*\nData API key: not refused",
        connection={"password": "wrong"},
    ),
    "the Data API key": Button(
        r"Campaign API key: not refused.*\nData API key: refused \(401\)",
        connection={"extra": {"data_api_key": "wrong"}},
    ),
    "the address": Button("the service was not reached", connection={"host": "http://127.0.0.1:9"}),
}


@pytest.mark.parametrize("row", CONNECTIONS.values(), ids=CONNECTIONS)
def test_the_test_button_tries_each_key(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, row: Button
):
    connection = json.dumps(wes_emulator.connection(**row.connection))
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", connection)
    is_green, text = WesHook().test_connection()
    assert is_green is row.is_green
    assert re.search(row.says, text)


class Reply(NamedTuple):
    """A reply to the test of the Campaign API key, what is said of it, and whether it is green."""

    reply: faults.Fault
    says: str
    is_green: bool = False


BUTTON_REPLIES = {
    "403": Reply(
        faults.error(403), r"accepted, but the account has no access to this feature \(403\)"
    ),
    "404": Reply(faults.error(404), r"not refused \(404 for something made up\)", is_green=True),
    "a page with 404": Reply(faults.error(404, body=b"<html>"), "not checked. 404"),
    "a string": Reply(faults.garbage(b"OK"), "not checked. 200"),
    "503": Reply(faults.error(503), "not checked. 503"),
}


@pytest.mark.parametrize("row", BUTTON_REPLIES.values(), ids=BUTTON_REPLIES)
def test_the_test_button_says_what_a_reply_shows_of_the_key(wes_emulator: Emulator, row: Reply):
    wes_emulator.fail("list_coupon_files", row.reply)
    is_green, text = WesHook().test_connection()
    assert is_green is row.is_green
    assert re.search(f"Campaign API key: {row.says}", text)


@pytest.mark.parametrize("lacking", ["login", "password"])
def test_credentials_for_fetching_files_are_whole(monkeypatch: pytest.MonkeyPatch, lacking: str):
    fields = {"conn_type": "http", "login": "u", "password": "p"}
    monkeypatch.setenv("AIRFLOW_CONN_FILES", json.dumps({**fields, lacking: None}))
    with pytest.raises(WesConfigurationError, match="lacks a login or a password"):
        fetch_credentials("files")


PARTS = {
    "a link to a next page": faults.garbage(b'{"data": [{"_id": "f1"}], "links": {"next": "/2"}}'),
    "more by its count": faults.garbage(b'{"data": [{"_id": "f1"}], "total": 2}'),
    "a cursor": faults.garbage(b'{"data": [{"_id": "f1"}], "nextCursor": "x"}'),
    "errors of a part": faults.garbage(b'{"data": [{"_id": "f1"}], "errors": ["shard 2"]}'),
    "206": faults.garbage(b'[{"_id": "f1"}]', status=206),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_list_that_is_not_whole_is_an_error_unless_the_part_is_asked_for(
    wes_emulator: Emulator, part: faults.Fault
):
    wes_emulator.fail("list_coupon_files", part, times=2)
    with pytest.raises(WesResponseError, match="The list is not whole") as raised:
        WesHook().list_coupon_files("summer")
    assert raised.value.permanent
    assert WesHook().list_coupon_files("summer", allow_incomplete=True) == [{"_id": "f1"}]


def test_a_list_that_is_too_long_is_an_error_unless_the_part_is_asked_for(wes_emulator: Emulator):
    wes_emulator.fail("list_coupon_files", faults.garbage(b"[" + b" " * 2**25 + b"]"), times=2)
    with pytest.raises(WesResponseError, match="The list is not whole: the list is too long"):
        WesHook().list_coupon_files("summer")
    assert WesHook().list_coupon_files("summer", allow_incomplete=True) == []
