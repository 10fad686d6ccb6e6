"""Names and URLs that the service rewrites, listings in pages, and very long listings."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from support.emulator_calls import Caller, content
from support.wire import Session
from wes_provider.emulator import Emulator
from wes_provider.emulator.replies import nested
from wes_provider.emulator.rewriting import stored_name, stored_url
from wes_provider.emulator.settings import Settings


@pytest.mark.parametrize(
    ("settings", "sent", "stored"),
    [
        ({}, "Nightly.CSV", "Nightly.CSV"),
        ({"name_length": 7}, "0123456789", "0123456"),
        ({"name_case": "lower"}, "Nightly.CSV", "nightly.csv"),
        ({"name_case": "upper"}, "Nightly.csv", "NIGHTLY.CSV"),
        ({"name_extension": "drop"}, "a.b.csv", "a.b"),
        ({"name_extension": "drop"}, ".csv", ".csv"),
        ({"name_extension": "drop", "name_length": 3, "name_case": "upper"}, "abcdef.csv", "ABC"),
    ],
)
def test_names_are_stored_as_the_settings_say(settings: dict[str, Any], sent: str, stored: str) -> None:
    assert stored_name(sent, Settings(**settings)) == stored


@pytest.mark.parametrize(
    ("rewrites", "sent", "stored"),
    [
        ([], "https://Files.example.com/a%20b?q=1", "https://Files.example.com/a%20b?q=1"),
        (["lower_host"], "https://u:P@Files.Example.com:8080/A", "https://u:P@files.example.com:8080/A"),
        (["upper_host"], "https://files.example.com/a", "https://FILES.EXAMPLE.COM/a"),
        (["add_port"], "https://files.example.com/a", "https://files.example.com:443/a"),
        (["add_port"], "http://files.example.com:8080/a", "http://files.example.com:8080/a"),
        (["drop_port"], "http://[::1]:80/a", "http://[::1]/a"),
        (["drop_port"], "http://files.example.com:443/a", "http://files.example.com:443/a"),
        (["encode"], "https://x.example/a(1)%20b/c", "https://x.example/a%281%29%20b/c"),
        (["decode"], "https://x.example/a%281%29%2Fb%7e", "https://x.example/a(1)%2Fb~"),
        (["lower_encoding"], "https://x.example/a%2Fb%C3", "https://x.example/a%2fb%c3"),
        (["drop_query"], "https://x.example/a?signature=s", "https://x.example/a"),
        (["upper_host", "add_port"], "http://x.example", "http://X.EXAMPLE:80"),
    ],
)
def test_urls_are_stored_as_the_settings_say(rewrites: Any, sent: str, stored: str) -> None:
    assert stored_url(sent, rewrites) == stored


@pytest.mark.parametrize(("shows", "name"), [("stored", "night"), ("sent", "Nightly.csv")])
def test_reads_show_what_is_stored_and_the_upload_what_is_set(shows: Any, name: str) -> None:
    caller = Caller(name_length=5, name_case="lower", url_rewrites=["add_port"], upload_shows=shows)
    uploaded = content(caller.upload(name="Nightly.csv"))
    assert uploaded["name"] == name
    assert uploaded["file_url"].startswith("https://files.example.com" + (":443/" if shows == "stored" else "/"))
    for shown in (content(caller.get(uploaded["_id"])), content(caller.list())[0]):
        assert shown["name"] == "night"
        assert shown["file_url"].startswith("https://files.example.com:443/")


def test_listing_hides_properties_that_the_fetch_shows() -> None:
    caller = Caller(list_hides=["name", "file_url"])
    file_id = caller.uploaded(name="n")
    assert {"name", "file_url"} & set(content(caller.list())[0]) == set()
    assert content(caller.get(file_id))["name"] == "n"


def test_rewritten_files_are_fetched_from_where_they_were_sent(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.configure(url_rewrites=["upper_host", "drop_query", "encode"], processing_time=0)
    file = session.upload(wes_emulator.host("a(1).csv", b"A\n") + "?x=1")
    assert session.fetch(file)["coupons_added"] == 1


# -- pages ------------------------------------------------------------------------------------------


def listing_of(number: int, query: str = "", **settings: Any) -> tuple[Any, Any]:
    """A listing of a list with so many files, and its headers."""
    caller = Caller(limits=None, **settings)
    for i in range(number):
        caller.upload(name=f"file-{i}")
    reply = caller.send("GET", f"/v1/coupon-list/list-1/files{query}")
    return content(reply), reply.headers


def names(files: list[dict[str, Any]]) -> list[str]:
    return [file["name"] for file in files]


def test_a_page_that_announces_nothing() -> None:
    files, headers = listing_of(3, page_size=2)
    assert names(files) == ["file-0", "file-1"]
    assert "Link" not in headers


def test_the_newest_files_can_come_first() -> None:
    files, _ = listing_of(3, page_size=2, list_order="newest")
    assert names(files) == ["file-2", "file-1"]


def test_all_announcements() -> None:
    every = ["total", "next", "has_more", "next_cursor", "link"]
    settings = {"page_size": 2, "list_shape": "result.files", "list_announces": every}
    body, headers = listing_of(3, **settings)
    path = "/v1/coupon-list/list-1/files?page=2"
    files = body.pop("result").pop("files")
    assert len(files) == 2
    assert body == {"total": 3, "next": path, "has_more": True, "next_cursor": "page-2"}
    assert headers["Link"] == f'<{path}>; rel="next"'
    for query in ("?page=2", "?cursor=page-2"):
        body, headers = listing_of(3, query, **settings)
        assert names(body["result"]["files"]) == ["file-2"]
        assert (body["next"], body["has_more"], body["next_cursor"], "Link" in headers) == (None, False, None, False)


@pytest.mark.parametrize(("query", "number"), [("?limit=4", 4), ("?limit=1000", 5), ("?limit=0", 2), ("?limit=x", 2)])
def test_a_query_asks_for_longer_pages_up_to_a_bound(query: str, number: int) -> None:
    assert len(listing_of(6, query, page_size=2, page_size_most=5)[0]) == number


def test_an_array_has_room_for_a_link_only() -> None:
    Settings(list_announces=["link"])
    with pytest.raises(ValueError, match="list_shape must be the name of a property"):
        Settings(list_announces=["total"])


@pytest.mark.parametrize(
    ("path", "nested_value"),
    [
        ("a", {"a": 1}),
        ("a.b.c", {"a": {"b": {"c": 1}}}),
        ("errors.0.code", {"errors": [{"code": 1}]}),
        ("0", [1]),
    ],
)
def test_nested(path: str, nested_value: Any) -> None:
    assert nested(path, 1) == nested_value


def test_nested_values_share_their_objects() -> None:
    assert nested("errors.0.title", 2, nested("errors.0.code", 1)) == {"errors": [{"code": 1, "title": 2}]}


# -- long lists ---------------------------------------------------------------------------------------


def test_a_list_of_a_hundred_thousand_files_is_a_stream(wes_emulator: Emulator, session: Session) -> None:
    """Seeding and listing take seconds at most, and other requests are served while the listing is sent."""
    start = time.monotonic()
    wes_emulator.seed_files("long", 100_000, name="night-{:06d}.csv")
    seeded = time.monotonic()
    with session.get("/v1/coupon-list/long/files", stream=True) as response:
        assert "Content-Length" not in response.headers
        pieces = response.iter_content(65536)
        first = next(pieces)
        assert session.get("/v1/coupon-list/other/files").json() == []
        files = json.loads(b"".join((first, *pieces)))
    print(f"seeded in {seeded - start:.1f} s, listed in {time.monotonic() - seeded:.1f} s")
    assert time.monotonic() - start < 60
    assert len(files) == 100_000
    assert len({file["_id"] for file in files}) == 100_000
    assert names(files[:1] + files[-1:]) == ["night-000001.csv", "night-100000.csv"]
    assert {file["status"] for file in files} == {"SUCCESS"}
    assert files[0]["file_url"] == "https://files.example.com/night-000001.csv"


def test_seeded_files_are_stored_as_uploads_are_and_count_against_no_limit() -> None:
    caller = Caller(name_length=4, list_lag=60)
    caller.service.coupons.seed("", "list-1", 60, "night-{}", "https://x.example/{}")
    (name,) = {file["name"] for file in content(caller.list())}
    assert name == "nigh"
    assert caller.upload().status == 201
    assert len(content(caller.list())) == 60


def test_seeded_files_are_in_the_state_file(tmp_path: Path) -> None:
    with Emulator(state=tmp_path / "state.db") as emulator:
        emulator.seed_files("list-1", 2000)
        before = emulator.files("list-1")
    with Emulator(state=tmp_path / "state.db") as emulator:
        assert emulator.files("list-1") == before
