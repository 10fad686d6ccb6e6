"""
What the commands do that the emulator's pages tell a user to type; they run in their order.

A command that ends with an error fails all tests.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.pages import PAGES, snippets
from support.wire import Session, serving
from wes_provider.emulator import Emulator, EmulatorControl

pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="no curl here")

ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
SPRING = "coupon\nSPRING-1\nSPRING-2\n"
FETCH_SPRING = """bash -c 'curl "$WES_EMULATOR_FILES_URL/spring.csv" > fetched.csv'"""
"""Stands for the task of a user's DAG, which has the file fetched."""


def commands() -> list[str]:
    """The commands of the emulator's pages, and the one that serves the emulator for the doctor."""
    pages = "".join(PAGES[page] for page in ("emulator.md", "emulator-reference.md"))
    blocks = "".join(snippets(pages, "console"))
    _, serve_for_the_doctor, *_ = snippets(PAGES["first-day.md"], "bash")
    found = [*blocks.removeprefix("$ ").split("\n$ "), serve_for_the_doctor]
    return [command.replace("\\\n", "").strip() for command in found]


class Typed(NamedTuple):
    """
    What was typed.

    :ivar folder: where.
    :ivar emulators: those that are served, all of them until the end, by their options.
    :ivar output: of the other commands, by what they end with.
    """

    folder: Path
    emulators: dict[str, EmulatorControl]
    output: dict[str, str]


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    folder = tmp_path_factory.mktemp("typed")
    (seed,) = snippets(PAGES["emulator-reference.md"], "json")
    (folder / "seed.json").write_text(seed)
    (folder / "our-account.json").write_text('{"list_lag": 5}')
    typed = Typed(folder, {}, {})
    url = ""
    with ExitStack() as stack:
        for command in commands():
            if command.startswith("wes-emulator serve"):
                options = shlex.split(command)[2:]
                _, emulator = stack.enter_context(serving(*options, cwd=folder))
                typed.emulators[" ".join(options)] = emulator
                url = emulator.url
            else:
                typed.output[command] = run(command, url, folder)
        yield typed


def run(command: str, url: str, folder: Path) -> str:
    """Type a command as the page has it, but for the emulator's port and the user's DAG."""
    command = command.replace("http://127.0.0.1:8099", url)
    command = command.replace("airflow dags test my_dag", FETCH_SPRING)
    command = command.replace("curl ", "curl -fsS ")
    return subprocess.run(
        ["bash", "-euc", command],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def controlled(typed: Typed) -> EmulatorControl:
    """The emulator that the commands with ``curl`` control: it is served when they are typed."""
    return typed.emulators["--profile our-account.json"]


def printed(typed: Typed, ending: str) -> Any:
    """The JSON that a command printed."""
    (output,) = [output for command, output in typed.output.items() if command.endswith(ending)]
    return json.loads(output)


def status_of_list(emulator: EmulatorControl, list_id: str) -> int:
    with Session(emulator) as session:
        return session.get(f"/v1/coupon-list/{list_id}/files").status_code


# -- serve and exec --------------------------------------------------------------------------------


def test_serve_hosts_the_file_of_the_folder(typed: Typed):
    with Session(typed.emulators["--host-folder coupons"]) as session:
        assert session.get("/_emulator/hosted/spring.csv").text == SPRING


def test_exec_gives_its_command_the_url_of_the_folders_files(typed: Typed):
    assert (typed.folder / "fetched.csv").read_text() == SPRING


def test_serve_holds_what_the_pages_seed_says(typed: Typed):
    emulator = typed.emulators["--seed-file seed.json --state state.json --speed 60"]
    assert [file["name"] for file in emulator.files("spring")] == ["night-1.csv"]
    assert emulator.stock("spring") == {"coupons": 5300, "issued": 120, "stock": 5180}
    assert [catalog["name"] for catalog in emulator.catalogs.values()] == ["products"]
    assert [segment["name"] for segment in emulator.segments.values()] == ["Lisbon"]


def test_serve_keeps_its_state_in_the_file(typed: Typed, tmp_path: Path):
    # Copies, since the emulator that is served has the file open.
    for file in typed.folder.glob("state.json*"):
        shutil.copy(file, tmp_path)
    with Emulator(state=tmp_path / "state.json") as restarted:
        assert [file["name"] for file in restarted.files("spring")] == ["night-1.csv"]


def test_serve_has_the_speed_of_the_page(typed: Typed):
    emulator = typed.emulators["--seed-file seed.json --state state.json --speed 60"]
    assert emulator.clock.speed == 60


def test_serve_has_the_settings_of_the_profile(typed: Typed):
    assert typed.emulators["--profile our-account.json"].settings["list_lag"] == 5


def test_serve_for_the_doctor_has_the_settings_of_the_page(typed: Typed):
    options = "--host-folder coupons --set success_status=IMPORTED --set workspace_header=X-App-Id"
    settings = typed.emulators[options].settings
    assert settings["success_status"] == "IMPORTED"
    assert settings["workspace_header"] == "X-App-Id"


# -- control over HTTP -----------------------------------------------------------------------------


def test_curl_prints_the_files_of_a_list_without_any(typed: Typed):
    assert printed(typed, "/_emulator/files?list_id=spring'") == []


def test_curl_advances_the_clock(typed: Typed):
    ahead = controlled(typed).clock.now() - time.time()
    assert ahead == pytest.approx(60, abs=5)


def test_curl_configures(typed: Typed):
    assert controlled(typed).settings["rate_limit_headers"] == "all"


def test_curl_makes_every_read_of_one_list_fail(typed: Typed):
    emulator = controlled(typed)
    assert [status_of_list(emulator, "summer-sale") for _ in range(3)] == [403, 403, 403]
    assert status_of_list(emulator, "spring") == 200
