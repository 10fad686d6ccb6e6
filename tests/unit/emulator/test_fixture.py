"""
The fixture ``wes_emulator``, which users' tests have as soon as the provider is installed, with and
without TLS.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
import requests

from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.hooks import WesHook


class TestItServesEachTest:
    """Users find it by its name: the examples of the docs do."""

    urls: ClassVar[set[str]] = set()

    @pytest.mark.parametrize("number", range(2))
    def test_as_new_and_as_the_default_connection(
        self, wes_emulator: Emulator, number: int
    ) -> None:
        assert json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"]) == wes_emulator.connection()
        assert (wes_emulator.settings["list_lag"], wes_emulator.counts) == (0, {})
        self.urls.add(wes_emulator.url)
        assert len(self.urls) == 1
        wes_emulator.configure(list_lag=7)
        wes_emulator.clock.advance(1_000_000)

    def test_and_goes_with_it(self) -> None:
        assert "AIRFLOW_CONN_WES_DEFAULT" not in os.environ


class Leftover(NamedTuple):
    """
    What a test leaves behind.

    :ivar read: returns what is there.
    :ivar at_first: what is there before.
    """

    leave: Callable[[Emulator], Any]
    read: Callable[[Emulator], Any]
    at_first: Any


def get_hosted(emulator: Emulator) -> int:
    url = f"{emulator.files_url}/a.csv"
    return requests.get(url, timeout=30, verify=emulator.ca_file or True).status_code


def get_list(emulator: Emulator) -> list[str]:
    """The status of a file that is uploaded, or of the response."""
    with Session(emulator) as session:
        reply = session.post("/v1/coupon-list/l/files", json={"file_url": "http://127.0.0.1:9/"})
    return [str(reply.status_code), *[file["status"] for file in emulator.files("l")]]


LEFTOVERS = {
    "a snapshot": Leftover(
        lambda emulator: emulator.snapshot("s"), lambda emulator: emulator.snapshots, []
    ),
    "a hosted file": Leftover(lambda emulator: emulator.host("a.csv", b"A"), get_hosted, 404),
    "a fault": Leftover(
        lambda emulator: emulator.fail("*", faults.error(500), times=None),
        get_list,
        ["201", "PENDING"],
    ),
    "a script": Leftover(
        lambda emulator: emulator.script(statuses=[("QUEUED", None)]), get_list, ["201", "PENDING"]
    ),
    "another seed": Leftover(
        lambda emulator: emulator.reset({"version": 1, "lists": {"spring": {"files": 1}}}),
        lambda emulator: emulator.files("spring"),
        [],
    ),
    "the speed of the clock": Leftover(
        lambda emulator: setattr(emulator.clock, "speed", 60),
        lambda emulator: emulator.clock.speed,
        1,
    ),
    "the time of the clock, in hours": Leftover(
        lambda emulator: emulator.clock.advance(7200),
        lambda emulator: round((emulator.clock.now() - time.time()) / 3600),
        0,
    ),
    "another key": Leftover(
        lambda emulator: emulator.configure(api_key="k"),
        lambda emulator: json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"])["password"],
        "emulated-campaign-key",
    ),
    "another workspace": Leftover(
        lambda emulator: emulator.configure(workspace_id="w"),
        lambda emulator: emulator.workspace_id,
        "emulated-workspace",
    ),
}


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("row", LEFTOVERS.values(), ids=LEFTOVERS)
def test_what_a_test_leaves_is_gone_in_the_next(
    wes_emulator: Emulator, row: Leftover, number: int
) -> None:
    assert row.read(wes_emulator) == row.at_first
    row.leave(wes_emulator)


@pytest.mark.wes(list_lag=1, fetch_lag=1, seed={"version": 1, "lists": {"class": {}}})
class TestMarkers:
    @pytest.mark.wes(list_lag=2, limits=None)
    @pytest.mark.wes(speed=0)
    def test_markers_add_up_and_the_nearest_one_counts(self, wes_emulator: Emulator) -> None:
        assert wes_emulator.settings["fetch_lag"] == 1
        assert wes_emulator.settings["list_lag"] == 2
        assert wes_emulator.settings["limits"] is None
        assert wes_emulator.settings["speed"] == 0

    @pytest.mark.wes(seed={"version": 1, "lists": {"test": {"files": 1}}})
    def test_the_nearest_seed_counts_alone(self, wes_emulator: Emulator) -> None:
        assert len(wes_emulator.files("test")) == 1
        assert wes_emulator.files("class") == []


def loaded_by(module: str) -> set[str]:
    """What importing a module into a process with pytest loads."""
    script = f"""if True:
        import json, sys, pytest
        before = set(sys.modules)
        import {module}
        print(json.dumps(sorted(set(sys.modules) - before)))
    """
    output = subprocess.check_output([sys.executable, "-c", script], text=True, timeout=120)
    return set(json.loads(output))


def test_the_plugin_loads_nothing_besides_itself() -> None:
    assert loaded_by("wes_provider.emulator.pytest_plugin") == {
        "wes_provider",
        "wes_provider.emulator",
        "wes_provider.emulator.pytest_plugin",
    }


def test_the_emulator_loads_neither_airflow_nor_the_client() -> None:
    loaded = loaded_by("wes_provider.emulator.cli")
    others = {name for name in loaded if name.startswith(("airflow", "wes_provider.", "requests"))}
    # Pure: what the service says, what files are like, and how texts and secrets are written.
    facts = ("contract", "coupon_headers", "coupon_records", "hiding", "texts")
    may_load = ("wes_provider.emulator", *(f"wes_provider.{name}" for name in facts))
    assert {name for name in others if not name.startswith(may_load)} == set()


# -- TLS; ``WES_EMULATOR_TLS=1`` has every test of the fixture run over it -------------------------


@pytest.mark.wes(tls=True)
def test_the_file_of_the_authority_has_no_private_key(wes_emulator: Emulator) -> None:
    assert "PRIVATE" not in Path(wes_emulator.ca_file or "").read_text()


@pytest.mark.wes(tls=True)
def test_over_tls_controls_work_by_the_name_localhost(wes_emulator: Emulator) -> None:
    url = wes_emulator.url.replace("127.0.0.1", "localhost")
    assert EmulatorControl(url, wes_emulator.ca_file).counts == {}


@pytest.mark.wes(tls=True, processing_time=0)
def test_over_tls_the_connection_is_enough_for_a_hook(wes_emulator: Emulator) -> None:
    # The file is fetched over TLS, too.
    file = WesHook().upload_coupon_file("list-1", wes_emulator.host("c.csv", b"A\nB\n"))
    assert WesHook().get_coupon_file("list-1", file["_id"])["coupons_added"] == 2


class Tls(NamedTuple):
    """The marker's ``tls``, the variable, and whether the emulator speaks TLS."""

    marker: dict[str, bool]
    variable: str
    speaks: bool


TLS = [
    Tls({}, "", False),
    Tls({}, "1", True),
    Tls({"tls": False}, "", False),
    Tls({"tls": False}, "1", False),
    Tls({"tls": True}, "", True),
    Tls({"tls": True}, "1", True),
]


@pytest.mark.parametrize("row", TLS, ids=map(str, TLS))
def test_the_marker_decides_on_tls_and_without_it_the_variable(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, row: Tls
) -> None:
    monkeypatch.setenv("WES_EMULATOR_TLS", row.variable)
    request.node.add_marker(pytest.mark.wes(**row.marker))
    emulator = request.getfixturevalue("wes_emulator")
    assert emulator.url.startswith("https://" if row.speaks else "http://")


LOST_REPLIES = {"closed": faults.reply_lost(), "reset": faults.reset(effect=True)}


@pytest.mark.wes(tls=True)
@pytest.mark.parametrize("fault", LOST_REPLIES.values(), ids=LOST_REPLIES)
def test_over_tls_a_reply_can_be_lost_after_the_upload(
    wes_emulator: Emulator, session: Session, fault: faults.Fault
) -> None:
    wes_emulator.fail("upload_coupon_file", fault)
    with pytest.raises(requests.ConnectionError):
        session.upload()
    assert len(wes_emulator.files("list-1")) == 1


def test_an_expired_certificate_is_not_trusted() -> None:
    with Emulator(tls="expired") as emulator, Session(emulator) as session:
        with pytest.raises(requests.exceptions.SSLError, match="expired"):
            session.upload()
        assert emulator.counts == {}


def test_another_kind_of_tls_is_refused() -> None:
    with pytest.raises(ValueError, match="tls must be"):
        Emulator(tls="maybe")  # type: ignore[arg-type]
