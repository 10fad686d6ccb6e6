"""
The service over real sockets: what HTTP adds to the rules. Each response of the service has the
date of the emulator's clock, a catalog's body may have 5 MiB, and requests are logged as they were
sent. A coupon file is fetched with its credentials when it is due, with redirects, up to its
largest size, and fails without naming its URL if that does not work; one below ``hosted_url`` is
taken from the hosted files. A callback has the record, after the end of processing. Files that were
added, or are below the folder that is hosted, are served, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import requests

from support.servers import Reply, replying
from support.wire import Session, raw_get
from unit.emulator.conftest import CATALOG, FILES
from wes_provider.emulator import Emulator

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


class Host:
    """
    A host of coupon files that is not the emulator's, and a receiver of callbacks.

    ``/moved`` leads to ``/file.csv``, and ``/stalled`` replies when ``released`` is set.

    :ivar url: its address.
    :ivar fetched: the paths that were read, in order.
    :ivar called: the path and the JSON of each callback, in order.
    """

    def __init__(self) -> None:
        self.url = ""
        self.fetched: list[str] = []
        self.called: list[tuple[str, Any]] = []
        self.released = threading.Event()
        self._bodies: list[bytes] = []

    def on_body(self, body: bytes) -> None:
        self._bodies.append(body)

    def reply(self, method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            self.called.append((path, json.loads(self._bodies.pop())))
            if path.startswith("/stalled"):
                self.released.wait(60)
            return Reply(204)
        self.fetched.append(path)
        if path.startswith("/stalled"):
            self.released.wait(60)
        if path.startswith("/moved"):
            return Reply(302, b"", {"Location": "/file.csv"})
        return Reply(200, b"A\nB\n")


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    with replying(host.reply, host.on_body) as host.url:
        yield host
        host.released.set()


def done(emulator: Emulator, session: Session, file: dict[str, Any]) -> Any:
    """The file, after its time."""
    emulator.clock.advance(10)
    return session.fetch(file)


def wait_until(condition: Callable[[], bool]) -> None:
    """Return once that is true; fail if it is not within seconds."""
    latest = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.01)


# -- HTTP ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [FILES, "/nope"], ids=["a list", "no operation"])
def test_each_response_of_the_service_has_the_date_of_the_emulators_clock(
    wes_emulator: Emulator, session: Session, path: str
) -> None:
    wes_emulator.clock.speed = 0
    wes_emulator.clock.advance(86400 * 365)
    (date,) = session.get(path).raw.headers.getlist("Date")
    assert parsedate_to_datetime(date).timestamp() == int(wes_emulator.clock.now())


class Moment(NamedTuple):
    """A time of the service's clock, and the ``Date`` that responses have."""

    offset: float
    settings: Mapping[str, Any]
    date: str


FIRST, LAST = "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 00:00:00 GMT"
MOMENTS = {
    "the first second": Moment(-1e11, {}, FIRST),
    "before the first second": Moment(-1e11, {"date_skew": -60}, FIRST),
    "the second one": Moment(-1e11, {"date_skew": 1}, FIRST.replace("00 GMT", "01 GMT")),
    "the last day": Moment(1e12, {}, LAST),
    "after the last day": Moment(1e12, {"date_skew": 60}, LAST),
    "none": Moment(-1e11, {"date_header": False}, ""),
}


@pytest.mark.parametrize("row", MOMENTS.values(), ids=MOMENTS)
def test_the_date_is_that_of_the_clock_at_the_ends_of_time_too(row: Moment) -> None:
    with Emulator(clock_offset=row.offset, speed=0, **row.settings) as emulator:
        for _ in range(2):
            assert requests.get(f"{emulator.url}/x", timeout=30).headers["Date"] == row.date


CLOCK_CHANGES: dict[str, Callable[[Emulator], Any]] = {
    "a reset": lambda emulator: emulator.reset(),
    "a clock that is behind": lambda emulator: emulator.configure(date_skew=-3600),
    "a clock that is ahead": lambda emulator: emulator.configure(date_skew=3600),
}


@pytest.mark.parametrize("change", CLOCK_CHANGES.values(), ids=CLOCK_CHANGES)
def test_the_date_follows_the_clock_forwards_and_back(
    wes_emulator: Emulator, session: Session, change: Callable[[Emulator], Any]
) -> None:
    wes_emulator.clock.advance(86400)
    session.get(FILES)
    change(wes_emulator)
    wes_emulator.clock.speed = 0
    (date,) = session.get(FILES).raw.headers.getlist("Date")
    skew = wes_emulator.settings["date_skew"]
    assert parsedate_to_datetime(date).timestamp() == int(wes_emulator.clock.now() + skew)


# The request is written by hand, without TLS.
@pytest.mark.wes(tls=False)
def test_a_path_is_logged_as_it_was_sent(wes_emulator: Emulator) -> None:
    path = "/v1/coupon-list/a%2Fb%00/../files?x=%2e"
    raw_get(wes_emulator.url, path)
    assert wes_emulator.requests[0].raw_path == path


MIB = 1024 * 1024


class Sized(NamedTuple):
    """The bytes of a body, and the status of the response."""

    name: str
    size: int
    status: int


SIZES = [Sized("5 MiB", 5 * MIB, 201), Sized("a byte more", 5 * MIB + 1, 413)]


@pytest.mark.parametrize("row", SIZES, ids=[row.name for row in SIZES])
def test_the_body_of_a_catalog_may_have_5_mib(session: Session, row: Sized) -> None:
    body = json.dumps(CATALOG).encode().ljust(row.size)
    headers = {"Content-Type": "application/json"}
    assert session.post("/v1/catalog", data=body, headers=headers).status_code == row.status


def test_the_body_of_an_upload_may_have_more_than_5_mib(session: Session) -> None:
    body = b'{"file_url": "http://a.example/x"}'.ljust(6 * MIB)
    headers = {"Content-Type": "application/json"}
    assert session.post(FILES, data=body, headers=headers).status_code == 201


def test_a_body_is_logged_as_it_was_sent(wes_emulator: Emulator, session: Session) -> None:
    body = json.dumps(CATALOG).encode().ljust(9000)
    session.post("/v1/catalog", data=body, headers={"Content-Type": "application/json"})
    assert wes_emulator.requests[-1].body == body


def test_an_emulator_starts_again_on_its_port_without_what_it_had() -> None:
    with Emulator() as first:
        address = first.url
    again = Emulator(port=int(address.rpartition(":")[2]))
    with again, Session(again) as session:
        session.upload()
    with again:
        assert again.url == address
        assert again.files("list-1") == []


def test_a_port_that_is_taken_is_named_with_the_way_out(wes_emulator: Emulator) -> None:
    taken = Emulator(port=int(wes_emulator.url.rpartition(":")[2]))
    message = r"port \d+ of 127\.0\.0\.1 cannot be used: .*in use\nGive another one with --p"
    with pytest.raises(OSError, match=message):
        taken.start()


def test_an_emulator_that_does_not_run_has_no_address() -> None:
    with pytest.raises(RuntimeError, match="not running"):
        _ = Emulator().url


def test_a_defect_of_its_own_is_the_contracts_500(
    session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("wes_provider.emulator.limits.window_at", None)
    response = session.post(FILES, json={"file_url": "http://a.example/x"})
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "unexpected-error"
    assert "defect" in caplog.text


# -- fetching --------------------------------------------------------------------------------------


def test_a_file_is_fetched_with_its_credentials_by_the_time_it_is_due(
    wes_emulator: Emulator, session: Session
) -> None:
    """
    A read waits for the fetch of a file that is due, for up to five seconds: the emulator's clock
    decides what it shows, and not the speed of the machine.
    """
    wes_emulator.clock.speed = 0
    coupons = b"coupon\n" + b"\n".join(b"%d" % i for i in range(50_000)) + b"\n7\n"
    url = wes_emulator.host("nightly café.csv", coupons, username="rédacteur", password="s:ecret")
    credentials = {"file_url_auth_username": "rédacteur", "file_url_auth_password": "s:ecret"}
    file = session.upload(f"{url}?signature=1", **credentials)
    assert session.fetch(file)["status"] == "PENDING"
    wes_emulator.clock.advance(2)
    record = session.fetch(file)
    assert record["status"] == "SUCCESS"
    assert (record["coupons_added"], record["coupons_duplicate"]) == (50_000, 1)


def test_a_file_is_called_as_the_end_of_its_url(wes_emulator: Emulator, session: Session) -> None:
    url = wes_emulator.host("nightly café.csv", b"A\n")
    assert session.upload(f"{url}?signature=1")["name"] == "nightly café.csv"


class Unfetched(NamedTuple):
    """A URL that no file comes from, and what its record says."""

    name: str
    url: str
    error: str
    credentials: Mapping[str, str] = {}


REFUSED = "The file cannot be fetched: host responded 401."
UNFETCHED = [
    Unfetched(
        "another password",
        "protected.csv",
        REFUSED,
        {"file_url_auth_username": "reader", "file_url_auth_password": "other"},
    ),
    Unfetched("no password", "protected.csv", REFUSED),
    Unfetched(
        "nobody listens",
        "http://127.0.0.1:9/c.csv?signature=s3cret",
        "The file cannot be fetched: ClientConnectorError.",
    ),
    Unfetched(
        "another scheme",
        "ftp://user:s3cret@127.0.0.1/c.csv",
        "The file cannot be fetched: NonHttpUrlClientError.",
    ),
    Unfetched("a byte too many", "large.csv", "The file has more than 1000 bytes."),
]


@pytest.mark.wes(limits=None, upload_url_bytes=1000)  # 100 MB by the contract
@pytest.mark.parametrize("row", UNFETCHED, ids=[row.name for row in UNFETCHED])
def test_a_file_that_cannot_be_fetched_fails_and_its_url_is_not_told(
    wes_emulator: Emulator, session: Session, row: Unfetched
) -> None:
    wes_emulator.host("protected.csv", b"A\n", username="reader", password="right")
    wes_emulator.host("large.csv", b"A" * 1001)
    url = row.url
    if "://" not in url:
        url = f"{wes_emulator.files_url}/{url}"
    record = done(wes_emulator, session, session.upload(url, **row.credentials))
    assert (record["status"], record["error"]) == ("FAILED", row.error)


@pytest.mark.wes(upload_url_bytes=1000)
def test_a_file_as_large_as_allowed_is_fetched(wes_emulator: Emulator, session: Session) -> None:
    url = wes_emulator.host("largest.csv", b"A" * 1000)
    assert done(wes_emulator, session, session.upload(url))["status"] == "SUCCESS"


def test_a_redirect_is_followed_and_the_query_is_sent_as_it_is(
    wes_emulator: Emulator, session: Session, host: Host
) -> None:
    file = session.upload(f"{host.url}/moved.csv?signature=a%2Bb%20c")
    assert done(wes_emulator, session, file)["coupons_added"] == 2
    assert host.fetched == ["/moved.csv?signature=a%2Bb%20c", "/file.csv"]


def test_the_files_of_a_list_are_counted_in_their_order_and_no_other_list_waits(
    wes_emulator: Emulator, session: Session, host: Host
) -> None:
    first = session.upload(f"{host.url}/stalled.csv")
    second = session.upload(f"{host.url}/file.csv")
    elsewhere = session.upload(f"{host.url}/file.csv", "list-2")
    assert done(wes_emulator, session, elsewhere)["coupons_added"] == 2
    host.released.set()
    assert done(wes_emulator, session, second)["coupons_duplicate"] == 2
    assert done(wes_emulator, session, first)["coupons_added"] == 2


STOCKS: dict[str, Callable[[Emulator], dict[str, int]]] = {
    "is read": lambda emulator: emulator.stock("list-1"),
    "is issued from": lambda emulator: emulator.issue_coupons("list-1", 0),
}


@pytest.mark.parametrize("read", STOCKS.values(), ids=STOCKS)
def test_a_stock_has_the_coupons_of_a_file_that_is_due_and_still_being_fetched(
    wes_emulator: Emulator, session: Session, host: Host, read: Callable[[Emulator], Any]
) -> None:
    session.upload(f"{host.url}/stalled.csv")
    wes_emulator.clock.advance(10)
    wait_until(lambda: host.fetched == ["/stalled.csv"])
    threading.Timer(0.05, host.released.set).start()
    assert read(wes_emulator) == {"coupons": 2, "issued": 0, "stock": 2}


def test_a_host_that_is_silent_delays_one_read_of_its_list(
    wes_emulator: Emulator, session: Session, host: Host, mocker: MockerFixture
) -> None:
    """By the time that the emulator waits for a host: a further read does not wait at all."""
    wait = mocker.spy(asyncio, "wait")
    mocker.patch("wes_provider.emulator.processor._LONGEST_DELAY", 0.1)
    session.upload(f"{host.url}/stalled.csv")
    wes_emulator.clock.advance(10)
    for _ in range(3):
        assert session.get(FILES).json()[0]["status"] == "PROCESSING"
    waits = [call for call in wait.call_args_list if call.kwargs.get("timeout") == 0.1]
    assert len(waits) == 1


def test_a_reset_ends_a_fetch_that_goes_on(wes_emulator: Emulator, session: Session) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        session.upload(f"http://127.0.0.1:{listening.getsockname()[1]}/never.csv")
        connection, _ = listening.accept()
        with connection:
            connection.settimeout(20)
            assert connection.recv(10_000).startswith(b"GET /never.csv")
            wes_emulator.reset()
            assert connection.recv(10_000) == b"", "the emulator closes the connection"


def test_a_fetch_from_before_a_reset_delays_no_file(
    wes_emulator: Emulator, session: Session, host: Host
) -> None:
    session.upload(f"{host.url}/stalled.csv")
    wait_until(lambda: host.fetched == ["/stalled.csv"])
    wes_emulator.reset()
    file = session.upload(f"{host.url}/file.csv")
    assert done(wes_emulator, session, file)["coupons_added"] == 2


# -- callbacks -------------------------------------------------------------------------------------


class Callbacks(NamedTuple):
    """Settings of callbacks, and what becomes of the callbacks of one file."""

    name: str
    settings: Mapping[str, Any]
    outcomes: Sequence[int | str]
    delay: int = 0


CALLBACKS = [
    Callbacks("at once", {}, [204]),
    Callbacks("late and again", {"callback_repeats": 2}, [204, 204, 204], delay=60),
    Callbacks("lost", {"callback_loss": 1}, ["lost"]),
]


@pytest.mark.parametrize("row", CALLBACKS, ids=[row.name for row in CALLBACKS])
def test_a_callback_has_the_record_and_comes_after_the_end_of_processing(
    wes_emulator: Emulator, session: Session, host: Host, row: Callbacks
) -> None:
    wes_emulator.configure(callback_delay=row.delay, **row.settings)
    wes_emulator.clock.speed = 0
    file = session.upload(f"{host.url}/file.csv", callback_url=f"{host.url}/done?token=t")
    wes_emulator.clock.advance(1 + row.delay)
    wait_until(lambda: host.fetched == ["/file.csv"])
    time.sleep(0.3)  # in which a callback that is made too early would come
    assert host.called == []
    wes_emulator.clock.advance(1)
    wait_until(lambda: len(wes_emulator.callbacks) == len(row.outcomes))
    delivered = list(row.outcomes).count(204)
    assert host.called == [("/done?token=t", session.fetch(file))] * delivered
    about = {"coupon_file_id": file["_id"], "host": "127.0.0.1"}
    assert wes_emulator.callbacks == [{**about, "outcome": outcome} for outcome in row.outcomes]


def test_a_callback_comes_at_once_if_its_delay_is_taken_away(
    wes_emulator: Emulator, session: Session, host: Host
) -> None:
    wes_emulator.configure(callback_delay=3600, speed=0)
    file = session.upload(f"{host.url}/file.csv", callback_url=f"{host.url}/done")
    assert done(wes_emulator, session, file)["status"] == "SUCCESS"
    assert host.called == []
    wes_emulator.configure(callback_delay=0)
    wait_until(lambda: len(wes_emulator.callbacks) == 1)
    assert [path for path, _ in host.called] == ["/done"]


@pytest.mark.wes(callback_repeats=1)
def test_a_callback_from_before_a_reset_is_not_among_those_made_since(
    wes_emulator: Emulator, session: Session, host: Host
) -> None:
    stalled = session.upload(f"{host.url}/file.csv", callback_url=f"{host.url}/stalled")
    done(wes_emulator, session, stalled)
    wait_until(lambda: len(host.called) == 1)
    wes_emulator.reset()
    host.released.set()
    file = session.upload(f"{host.url}/file.csv", callback_url=f"{host.url}/done")
    done(wes_emulator, session, file)
    wait_until(lambda: "/done" in [path for path, _ in host.called])
    wait_until(lambda: len(wes_emulator.callbacks) > 0)
    assert [callback["coupon_file_id"] for callback in wes_emulator.callbacks] == [file["_id"]]
    assert [path for path, _ in host.called] == ["/stalled", "/done"]


# -- hosting ---------------------------------------------------------------------------------------


def test_a_file_that_was_added_is_hosted(wes_emulator: Emulator) -> None:
    url = wes_emulator.host("added.csv", b"A\n")
    assert requests.get(url, timeout=30, verify=wes_emulator.ca_file or True).content == b"A\n"


HOSTED_NAMES = ["a b.csv", "50%.csv", "a?b.csv", "a#b.csv", "a%3Fb.csv", "a+b.csv", "deep/a.csv"]


@pytest.mark.parametrize("query", ["", "?sig=1", "?sig=1?2"])
@pytest.mark.parametrize("name", HOSTED_NAMES)
def test_a_file_of_any_name_is_hosted_at_the_url_that_is_returned(
    wes_emulator: Emulator, name: str, query: str
) -> None:
    """Only what stands behind the first question mark of the URL is its query."""
    url = wes_emulator.host(name, b"A\n")
    got = requests.get(f"{url}{query}", timeout=30, verify=wes_emulator.ca_file or True)
    assert got.content == b"A\n"


class Named(NamedTuple):
    """A URL while ``hosted_url`` is that of files.example.com, and what its record says."""

    name: str
    url: str
    coupons: int
    error: str | None = None


NOT_FOUND = "The file cannot be fetched: host responded 404."
OF_HOSTED = [
    Named("below the URL", "https://files.example.com/coupons/a.csv", 2),
    Named("in a folder, with a query", "https://files.example.com/coupons/deep/b.csv?sig=1", 3),
    Named("that is not hosted", "https://files.example.com/coupons/none.csv", 0, NOT_FOUND),
    Named("of another host", "{host}/file.csv", 2),
]


@pytest.mark.parametrize("row", OF_HOSTED, ids=[row.name for row in OF_HOSTED])
def test_a_file_below_hosted_url_is_taken_from_the_hosted_files_and_any_other_is_fetched(
    wes_emulator: Emulator, session: Session, host: Host, row: Named
) -> None:
    wes_emulator.configure(hosted_url="https://files.example.com/coupons")
    wes_emulator.host("a.csv", b"coupon\nA1\nA2\n")
    wes_emulator.host("deep/b.csv", b"coupon\nB1\nB2\nB3\n")
    file = done(wes_emulator, session, session.upload(row.url.format(host=host.url)))
    assert file["file_url"] == row.url.format(host=host.url)
    assert (file["coupons_added"], file.get("error")) == (row.coupons, row.error)


@pytest.mark.parametrize("url", ["files.example.com", "https://f.example.com/", "s3://f/a", ""])
def test_hosted_url_is_the_beginning_of_urls_without_a_slash_at_its_end(url: str) -> None:
    with pytest.raises(ValueError, match="hosted_url"):
        Emulator(hosted_url=url)


@pytest.fixture
def hosting(tmp_path: Path) -> Iterator[Emulator]:
    """An emulator that hosts a folder, beside a file that is not to be read."""
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a b.csv").write_bytes(b"A\n")
    (tmp_path / "secret.csv").write_bytes(b"S\n")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    with Emulator(host_folder=folder) as emulator:
        yield emulator


def test_a_file_below_the_folder_is_hosted(hosting: Emulator) -> None:
    url = f"{hosting.files_url}/deep/a%20b.csv?signature=1"
    assert requests.get(url, timeout=30).content == b"A\n"


NOT_HOSTED = {
    "no such file": "none.csv",
    "a folder": "deep",
    "a link out of it": "link.csv",
    "above it": "../secret.csv",
    "above it, escaped": "%2e%2e/secret.csv",
    "an absolute path": "/{tmp_path}/secret.csv",
    "a zero byte": "%00",
}


@pytest.mark.parametrize("name", NOT_HOSTED.values(), ids=NOT_HOSTED)
def test_nothing_but_files_of_the_folder_is_hosted(
    hosting: Emulator, tmp_path: Path, name: str
) -> None:
    path = f"/_emulator/hosted/{name.format(tmp_path=tmp_path)}"
    assert raw_get(hosting.url, path) == 404
