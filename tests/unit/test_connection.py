"""
However a connection is given, as JSON, by a form, as a URI, or with scheme and port apart, its
settings are the same (``docs/connection.md``; ``test_settings.py`` has what each field means).

The test button tries each of two keys, and a single one once. It is green if no key is refused: 404
and 405 with JSON of the service, a list and an object are no refusal. It is red for 401, for 403
(accepted, but without access), for what shows nothing of the key (an object with 400, a page, a
string, 503), and for an address where nobody listens.

Credentials for fetching files need a login and a password. The hook's ``list_coupon_files`` raises
a permanent WesResponseError for a list that says that it is a part (a next page, a larger total, a
cursor, errors, 206), and an error for one above 32 MiB; with ``allow_incomplete=True`` it returns
the part, and nothing of the long one.
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
    "connect_timeout": 2.5,
    "max_attempts": 3,
    "verify": False,
    "paths": {"coupon_file": "/v2/files/{coupon_file_id}", "catalog_id": "data.id"},
    "coupon_file_statuses": {"success": ["IMPORTED"], "failure": ["BAD"]},
}
TEXTS = {
    name: value if isinstance(value, str) else json.dumps(value) for name, value in EXTRA.items()
}
"""The extra as URIs and older forms have it: each value a string."""
APART = {**FIELDS, "host": "api-02.example.com/base", "schema": "https", "port": 8443}
"""The fields with scheme, host and port apart."""

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


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> WesSettings:
    """The settings of a connection that is JSON in an environment variable, extra an object."""
    monkeypatch.setenv("AIRFLOW_CONN_SHOP", json.dumps({**FIELDS, "extra": EXTRA}))
    return WesHook("shop").settings


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_give_a_connection_means_the_same(
    way: Callable[[], Connection], settings: WesSettings
):
    assert read_settings(way()) == msgspec.structs.replace(settings, conn_id="wes_default")


def test_a_connection_as_json_has_each_of_its_fields(settings: WesSettings):
    assert settings.base_url == "https://api-02.example.com:8443/base"
    assert (settings.workspace_id, settings.api_key) == (FIELDS["login"], FIELDS["password"])


def test_a_connection_as_json_has_each_value_of_its_extra(settings: WesSettings):
    assert (settings.data_api_key, settings.verify, settings.connect_timeout) == (
        "other%key&",
        False,
        2.5,
    )
    assert settings.max_attempts == 3
    assert settings.coupon_file_path == "/v2/files/{coupon_file_id}"
    assert settings.catalog_id_property == "data.id"
    assert (settings.statuses.success, settings.statuses.failure) == ({"IMPORTED"}, {"BAD"})


def test_a_uri_written_by_hand_has_the_scheme_in_its_path_and_the_extra_in_its_query(
    monkeypatch: pytest.MonkeyPatch,
):
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

    :ivar connection: fields that replace those of a connection to the emulator.
    """

    says: str
    is_green: bool = False
    connection: dict[str, Any] = {}  # noqa: RUF012 - never changed


CONNECTIONS = {
    "two keys, and nothing wrong": Button(
        "Campaign API key: not refused.*\nData API key: not refused", is_green=True
    ),
    "a wrong Campaign API key": Button(
        r"Campaign API key: refused \(401\).*\nData API key: not refused",
        connection={"password": "wrong"},
    ),
    "a wrong Data API key": Button(
        r"Campaign API key: not refused.*\nData API key: refused \(401\)",
        connection={"extra": {"data_api_key": "wrong"}},
    ),
}


def press_test(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, **fields: Any
) -> tuple[bool, str]:
    """Whether the button is green, and what it says of a connection with other fields."""
    connection = json.dumps(wes_emulator.connection(**fields))
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", connection)
    return WesHook().test_connection()


@pytest.mark.parametrize("row", CONNECTIONS.values(), ids=CONNECTIONS)
def test_the_test_button_tries_each_of_two_keys(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, row: Button
):
    is_green, text = press_test(wes_emulator, monkeypatch, **row.connection)
    assert is_green is row.is_green
    assert re.search(row.says, text)


ONE_KEY = {
    "no Data API key": {"data_api_key": ""},
    "the Campaign API key as Data API key": {"data_api_key": "emulated-campaign-key"},
}


@pytest.mark.parametrize("extra", ONE_KEY.values(), ids=ONE_KEY)
def test_the_test_button_tries_a_single_key_once(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, extra: dict[str, str]
):
    is_green, text = press_test(wes_emulator, monkeypatch, extra=extra)
    assert is_green
    assert text.startswith("Campaign API key: not refused")
    assert "Data API key" not in text


def test_the_test_button_is_red_for_an_address_where_nobody_listens(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    is_green, text = press_test(wes_emulator, monkeypatch, host="http://127.0.0.1:9")
    assert not is_green
    assert "the service was not reached" in text


class Reply(NamedTuple):
    """A reply to the test of the Campaign API key, what is said of it, and whether it is green."""

    reply: faults.Fault
    says: str
    is_green: bool = False


BUTTON_REPLIES = {
    "403": Reply(
        faults.error(403), r"accepted, but the account has no access to this feature \(403\)"
    ),
    "404 with the service's JSON": Reply(
        faults.error(404), r"not refused \(404 for something made up\)", is_green=True
    ),
    "405 with the service's JSON": Reply(
        faults.error(405), r"not refused \(405 for something made up\)", is_green=True
    ),
    "200 with a list": Reply(
        faults.garbage(b"[]"), r"not refused \(200 for something made up\)", is_green=True
    ),
    "200 with an object": Reply(
        faults.garbage(b"{}"), r"not refused \(200 for something made up\)", is_green=True
    ),
    "400 with an object": Reply(faults.error(400), "not checked. 400"),
    "404 with a page": Reply(faults.error(404, body=b"<html>"), "not checked. 404"),
    "200 with a string": Reply(faults.garbage(b"OK"), "not checked. 200"),
    "503": Reply(faults.error(503), "not checked. 503"),
}


@pytest.mark.parametrize("row", BUTTON_REPLIES.values(), ids=BUTTON_REPLIES)
def test_the_test_button_says_what_a_reply_shows_of_the_key(wes_emulator: Emulator, row: Reply):
    wes_emulator.fail("list_coupon_files", row.reply)
    is_green, text = WesHook().test_connection()
    assert is_green is row.is_green
    assert re.search(f"Campaign API key: {row.says}", text)


@pytest.mark.parametrize("lacking", ["login", "password"])
def test_a_connection_for_fetching_files_has_a_login_and_a_password(
    monkeypatch: pytest.MonkeyPatch, lacking: str
):
    fields = {"conn_type": "http", "login": "u", "password": "p"}
    monkeypatch.setenv("AIRFLOW_CONN_FILES", json.dumps({**fields, lacking: None}))
    with pytest.raises(WesConfigurationError, match="lacks a login or a password"):
        fetch_credentials("files")


PARTS = {
    "a link to a next page": faults.garbage(b'{"data": [{"_id": "f1"}], "links": {"next": "/2"}}'),
    "a total of more files": faults.garbage(b'{"data": [{"_id": "f1"}], "total": 2}'),
    "a cursor": faults.garbage(b'{"data": [{"_id": "f1"}], "nextCursor": "x"}'),
    "errors of a part": faults.garbage(b'{"data": [{"_id": "f1"}], "errors": ["shard 2"]}'),
    "206": faults.garbage(b'[{"_id": "f1"}]', status=206),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_list_that_says_that_it_is_a_part_is_an_error(wes_emulator: Emulator, part: faults.Fault):
    wes_emulator.fail("list_coupon_files", part)
    with pytest.raises(WesResponseError, match="The list is not whole") as raised:
        WesHook().list_coupon_files("summer")
    assert raised.value.permanent


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_part_of_a_list_is_returned_with_allow_incomplete(
    wes_emulator: Emulator, part: faults.Fault
):
    wes_emulator.fail("list_coupon_files", part)
    assert WesHook().list_coupon_files("summer", allow_incomplete=True) == [{"_id": "f1"}]


# The client reads no more than 32 MiB.
TOO_LONG = faults.garbage(b"[" + b" " * 2**25 + b"]")


def test_a_list_that_is_too_long_is_an_error(wes_emulator: Emulator):
    wes_emulator.fail("list_coupon_files", TOO_LONG)
    with pytest.raises(WesResponseError, match="The list is not whole: the list is too long"):
        WesHook().list_coupon_files("summer")


def test_a_list_that_is_too_long_is_empty_with_allow_incomplete(wes_emulator: Emulator):
    wes_emulator.fail("list_coupon_files", TOO_LONG)
    assert WesHook().list_coupon_files("summer", allow_incomplete=True) == []
