"""
Lists, files, catalogs, segments, snapshots, keys and workspaces may have any name: with spaces,
slashes, letters of any language, and what has a meaning in URLs, HTML, JSON or SQL. Names that
differ are names of different things, however alike they are written in a URL. Which files stand
below ``hosted_url``, only the beginning of their URL says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
import requests

from support.servers import Reply, replying
from support.wire import Session
from unit.emulator.conftest import CATALOG, UPLOAD, Caller, content, failure, right_headers
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.page_state import newest_requests

ODD = {
    "a space": "a b",
    "white space alone": " ",
    "a question mark": "a?b=c",
    "a number sign": "a#b",
    "a slash": "a/b",
    "a slash at its end": "a/",
    "a slash that is escaped": "a%2Fb",
    "a percent sign": "100%",
    "a plus": "a+b",
    "an ampersand": "a&list_id=b",
    "a semicolon": "a;b",
    "a colon": "a:b",
    "dots": "a..b",
    "a backslash": "a\\b",
    "quotes": "a\"b'c",
    "markup": "<b>a</b>",
    "braces": "{coupon_list_id}",
    "wildcards": "a%_*",
    "a letter with an accent": "caf\u00e9",
    "a letter, and its accent": "cafe\u0301",
    "letters that are not Latin": "\u590f\u306e\u30bb\u30fc\u30eb",
    "an emoji": "\U0001f331",
}


# Nobody listens there.
NO_FILE = {"file_url": "http://127.0.0.1:9/coupons.csv"}


def quoted(name: str) -> str:
    """A name as it stands in a path."""
    return quote(name, safe="")


class Way(NamedTuple):
    """
    A way to a list that has one file, called ``coupons.csv``.

    :ivar read: returns what is found of the list.
    :ivar found: what that is.
    """

    read: Callable[[EmulatorControl, Session, str], Any]
    found: Any


def read_listing(controls: EmulatorControl, session: Session, name: str) -> Any:
    return [file["name"] for file in session.get(path_of_files(name)).json()]


def read_file(controls: EmulatorControl, session: Session, name: str) -> Any:
    (file,) = session.get(path_of_files(name)).json()
    return session.get(f"{path_of_files(name)}/{file['_id']}").json()["coupons_list_id"] == name


def fail_reads(controls: EmulatorControl, session: Session, name: str) -> Any:
    """The statuses of two reads; one of them fails on purpose."""
    controls.fail("list_coupon_files", faults.error(503), list_id=name)
    return [session.get(path_of_files(name)).status_code for _ in range(2)]


def read_status_of_script(controls: EmulatorControl, session: Session, name: str) -> Any:
    controls.script(list_id=name, statuses=[("QUEUED", None)])
    return [file["status"] for file in controls.files(name)]


def read_by_link(controls: EmulatorControl, session: Session, name: str) -> Any:
    files = session.get("/_emulator/files", params={"list_id": name}).json()
    return [file["name"] for file in files]


def restore_and_read(controls: EmulatorControl, session: Session, name: str) -> Any:
    controls.snapshot("s")
    controls.restore("s")
    return [file["name"] for file in controls.files(name)]


def path_of_files(name: str) -> str:
    return f"/v1/coupon-list/{quoted(name)}/files"


WAYS = {
    "its listing": Way(read_listing, ["coupons.csv"]),
    "its file": Way(read_file, True),
    "a control": Way(
        lambda controls, session, name: [file["name"] for file in controls.files(name)],
        ["coupons.csv"],
    ),
    "a link": Way(read_by_link, ["coupons.csv"]),
    "a fault": Way(fail_reads, [503, 200]),
    "a script": Way(read_status_of_script, ["QUEUED"]),
    "an assertion": Way(lambda controls, session, name: controls.assert_uploaded_once(name), None),
    "a restored snapshot": Way(restore_and_read, ["coupons.csv"]),
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.wes(processing_time=100)
def test_each_way_to_a_list_takes_any_name(
    controls: EmulatorControl, session: Session, way: Way, name: str
) -> None:
    session.post(path_of_files(name), json=NO_FILE)
    assert way.read(controls, session, name) == way.found


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_a_list_of_a_seed_has_any_name(wes_emulator: Emulator, session: Session, name: str) -> None:
    wes_emulator.reset({"version": 1, "lists": {name: {"coupons": 7, "files": 2}}})
    assert len(session.get(path_of_files(name)).json()) == 2
    assert wes_emulator.issue_coupons(name, 3)["stock"] == 4


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_the_page_says_to_which_list_a_file_was_uploaded(name: str) -> None:
    caller = Caller()
    caller.upload(quoted(name))
    (request,) = newest_requests(caller.service, 0)
    assert request["about"] == f"coupons.csv to {name}"


class Alike(NamedTuple):
    """Two names that are alike."""

    one: str
    other: str


ALIKE = {
    "escaped or not": Alike("a/b", "a%2Fb"),
    "a plus or a space": Alike("a+b", "a b"),
    "a slash more": Alike("a", "a/"),
    "a space more": Alike("a", "a "),
    "capitals": Alike("a", "A"),
    "a letter with an accent, in one character or two": Alike("\u00e9", "e\u0301"),
    "what would be a query": Alike("a", "a?b"),
    "what would be a fragment": Alike("a", "a#b"),
}


@pytest.mark.parametrize("row", ALIKE.values(), ids=ALIKE)
def test_lists_whose_names_are_alike_have_files_of_their_own(row: Alike) -> None:
    caller = Caller()
    caller.upload(quoted(row.one))
    assert [len(caller.service.files(name)) for name in row] == [1, 0]


@pytest.mark.parametrize("row", ALIKE.values(), ids=ALIKE)
def test_lists_whose_names_are_alike_share_no_limits(row: Alike) -> None:
    caller = Caller(limits={"upload_coupon_file": [[1, 60]]})
    statuses = [caller.upload(quoted(name)).status for name in (row.one, row.one, row.other)]
    assert statuses == [201, 429, 201]


@pytest.mark.parametrize("row", ALIKE.values(), ids=ALIKE)
def test_catalogs_whose_names_are_alike_are_no_conflict(row: Alike) -> None:
    caller = Caller()
    statuses = [caller.create_catalog(name=name).status for name in (row.one, row.one, row.other)]
    assert statuses == [201, 409, 201]


@pytest.mark.parametrize("row", ALIKE.values(), ids=ALIKE)
def test_segments_whose_identifiers_are_alike_are_two(row: Alike) -> None:
    caller = Caller()
    for name in row:
        caller.update_segment(quoted(name), {"name": f"of {name}"})
    assert [
        segment.fields["name"]
        for segment in caller.service.state.world.account_or_empty("").segments.values()
    ] == [f"of {name}" for name in row]


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_a_segment_has_any_identifier(name: str) -> None:
    assert content(Caller().update_segment(quoted(name)))["id"] == name


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_a_file_has_the_name_of_its_upload(name: str) -> None:
    caller = Caller()
    caller.service.script(name=name, statuses=[["QUEUED", None]])
    record = content(caller.get(caller.uploaded(name=name)))
    assert (record["name"], record["status"]) == (name, "QUEUED")


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_what_is_called_so_outlives_a_restart(tmp_path: Path, name: str) -> None:
    emulator = Emulator(state=tmp_path / "state.db", processing_time=100)
    with emulator, Session(emulator) as session:
        session.post("/v1/catalog", json={**CATALOG, "name": f"_{name}"})
        session.post(path_of_files(name), json={**NO_FILE, "name": name})
        emulator.snapshot(name)
    with emulator:
        assert [file["name"] for file in emulator.files(name)] == [name]
        assert [catalog["name"] for catalog in emulator.catalogs.values()] == [f"_{name}"]
        assert emulator.snapshots == [name]


# -- snapshots -------------------------------------------------------------------------------------


LIKE_THINGS = {
    **ODD,
    "the beginning of a snapshot's key": "snapshot/",
    "the key of the clock": 'clock/["",""]',
    "the word for a list": "list",
}


@pytest.mark.parametrize("name", LIKE_THINGS.values(), ids=LIKE_THINGS)
def test_a_snapshot_of_any_name_is_restored_after_a_reset_and_a_restart(
    tmp_path: Path, name: str
) -> None:
    emulator = Emulator(state=tmp_path / "state.db")
    with emulator, Session(emulator) as session:
        session.upload(list_id="spring")
        emulator.snapshot(name)
        emulator.reset()
    with emulator:
        emulator.restore(name)
        assert len(emulator.files("spring")) == 1


@pytest.mark.parametrize("name", LIKE_THINGS.values(), ids=LIKE_THINGS)
def test_a_snapshot_of_any_name_that_is_forgotten_is_gone_after_a_restart(
    tmp_path: Path, name: str
) -> None:
    emulator = Emulator(state=tmp_path / "state.db")
    with emulator:
        emulator.snapshot(name)
        emulator.forget_snapshots()
    with emulator:
        assert emulator.snapshots == []


# -- keys and workspaces ---------------------------------------------------------------------------


KEYS = {name: key for name, key in ODD.items() if key.isprintable()}
# A colon divides a workspace from its key, and a header has only characters of Latin-1.
WORKSPACES = {name: key for name, key in KEYS.items() if ":" not in key and key.isascii()}
WORKSPACES.pop("white space alone")


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_is_taken_as_it_is(key: str) -> None:
    caller = Caller(api_key=key)
    sent = right_headers(key)
    other = right_headers(f"{key}.")
    statuses = [
        caller.send("GET", path_of_files("a"), headers=headers).status for headers in (sent, other)
    ]
    assert statuses == [200, 401]


@pytest.mark.parametrize("workspace", WORKSPACES.values(), ids=WORKSPACES)
def test_a_workspace_of_any_name_has_files_of_its_own(workspace: str) -> None:
    caller = Caller(workspaces={workspace: {"api_key": "k2"}})
    headers = right_headers("k2", workspace)
    assert caller.send("POST", path_of_files("a"), UPLOAD, headers=headers).status == 201
    assert [len(caller.service.files("a", name)) for name in ("", workspace)] == [0, 1]


@pytest.fixture
def called_alike() -> Iterator[Emulator]:
    """An emulator with a further workspace that is called like the first, with another key."""
    with Emulator(workspaces={"emulated-workspace": {"api_key": "k2"}}) as emulator:
        yield emulator


def test_a_further_workspace_that_is_called_like_the_first_is_the_first(
    called_alike: Emulator,
) -> None:
    assert called_alike.connection("emulated-workspace")["password"] == called_alike.api_key
    with Session(called_alike) as session:
        assert session.get(path_of_files("a")).status_code == 200


def test_the_first_workspaces_key_is_secret_if_a_further_one_is_called_alike(
    called_alike: Emulator,
) -> None:
    assert len(failure(called_alike.assert_no_secret_in, called_alike.api_key)) == 2


# -- hosted files ----------------------------------------------------------------------------------


class Below(NamedTuple):
    """A URL, as what follows a host's address, and whether it is below ``{host}/coupons``."""

    url: str
    is_below: bool


BELOW = {
    "a name": Below("/coupons/a.csv", is_below=True),
    "a name with a query": Below("/coupons/a.csv?sig=/x", is_below=True),
    "a name with a fragment": Below("/coupons/a.csv#b", is_below=True),
    "a name that is escaped": Below("/coupons/%61.csv", is_below=True),
    "a name of a folder": Below("/coupons/deep/a.csv", is_below=True),
    "a name with capitals": Below("/coupons/Spring.CSV", is_below=True),
    "a name with a space": Below("/coupons/b%20c.csv", is_below=True),
    "a name with an accent": Below("/coupons/caf%C3%A9.csv", is_below=True),
    "a name with an accent that is not escaped": Below("/coupons/caf\u00e9.csv", is_below=True),
    "a folder that begins alike": Below("/coupons-2025/a.csv", is_below=False),
    "a name that begins alike": Below("/coupons.csv", is_below=False),
    "the URL itself": Below("/coupons", is_below=False),
    "the URL itself, with a query": Below("/coupons?name=/a.csv", is_below=False),
    "another folder": Below("/a.csv", is_below=False),
    "deeper": Below("/x/coupons/a.csv", is_below=False),
    "in a query": Below("/x?/coupons/a.csv", is_below=False),
    "capitals": Below("/COUPONS/a.csv", is_below=False),
}


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """The address of a host whose files all have two coupons."""
    with replying(lambda method, path, headers: Reply(200, b"A\nB\n")) as url:
        yield url


@pytest.mark.parametrize("row", BELOW.values(), ids=BELOW)
def test_only_a_file_below_hosted_url_is_a_hosted_one(
    wes_emulator: Emulator, session: Session, host: str, row: Below
) -> None:
    wes_emulator.configure(hosted_url=f"{host}/coupons")
    for name in ("a.csv", "deep/a.csv", "Spring.CSV", "b c.csv", "caf\u00e9.csv"):
        wes_emulator.host(name, b"A\nB\nC\n")
    file = session.upload(f"{host}{row.url}")
    wes_emulator.clock.advance(10)
    expected = 2
    if row.is_below:
        expected = 3
    assert session.fetch(file)["coupons_added"] == expected


ON_DISK = {
    name: odd
    for name, odd in ODD.items()
    # A folder, and what a folder cannot have.
    if "/" not in odd
}


@pytest.mark.parametrize("name", ON_DISK.values(), ids=ON_DISK)
def test_a_file_of_any_name_below_the_folder_is_hosted(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"A\n")
    with Emulator(host_folder=tmp_path) as emulator:
        url = f"{emulator.files_url}/{quoted(name)}"
        assert requests.get(f"{url}?sig=1", timeout=30).content == b"A\n"
