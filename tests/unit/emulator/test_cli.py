"""``wes-emulator serve`` and ``wes-emulator exec``, as processes."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests

from support.wire import COMMAND, serving
from wes_provider.emulator import Emulator
from wes_provider.emulator.cli import main
from wes_provider.emulator.page import NOT_REPRODUCED


def test_exec_runs_the_command_beside_an_emulator_with_these_settings(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("A\n")
    options = [
        "--no-limits",
        "--processing-time",
        "7.5",
        "--speed",
        "60",
        "--set",
        "list_lag=5",
        "--fault-rate",
        "0",
    ]
    options += [
        "--set",
        "window_policy=rolling",
        "--set",
        "data_api_key=null",
        "--host-folder",
        str(tmp_path),
    ]
    script = """if True:
        import json, os
        from urllib.request import urlopen
        names = ("AIRFLOW_CONN_WES_DEFAULT", "WES_EMULATOR_URL", "WES_EMULATOR_FILES_URL")
        connection, url, files_url = (os.environ[name] for name in names)
        settings = json.load(urlopen(url + "/_emulator/settings"))
        page = urlopen(url + "/_emulator/").status
        file = urlopen(files_url + "/c.csv").read().decode()
        print(json.dumps([json.loads(connection), url, settings, page, file]))
    """
    command = [*COMMAND, "exec", *options, "--", sys.executable, "-c", script]
    connection, url, settings, page, file = json.loads(
        subprocess.check_output(command, timeout=120)
    )
    assert (connection["host"], connection["password"], page, file) == (
        url,
        "emulated-campaign-key",
        200,
        "A\n",
    )
    expected = {"limits": None, "processing_time": 7.5, "speed": 60, "list_lag": 5, "fault_rate": 0}
    expected |= {"window_policy": "rolling", "data_api_key": None}
    assert {name: settings[name] for name in expected} == expected
    with pytest.raises(requests.ConnectionError):
        requests.get(url, timeout=5)


class Command(NamedTuple):
    """A command, and the exit code that a shell would have."""

    name: str
    command: list[str]
    code: int


COMMANDS = [
    Command("exit code 3", ["sh", "-c", "exit 3"], 3),
    Command(
        "two dashes of its own", ["sh", "-c", 'test "$1$2" = --4 && exit 4', "sh", "--", "4"], 4
    ),
    Command("killed by signal 9", ["sh", "-c", "kill -9 $$"], 137),
    Command("not found", ["/no/such/command"], 127),
    Command("a folder", [str(Path(__file__).parent)], 126),
]


@pytest.mark.parametrize("row", COMMANDS, ids=[row.name for row in COMMANDS])
def test_exec_ends_with_the_exit_code_that_a_shell_would_have(row: Command, mocker: Any) -> None:
    mocker.patch("signal.signal")  # those of pytest stay
    assert main(["exec", "--", *row.command]) == row.code


def test_exec_passes_on_signals() -> None:
    """In a session of its own, in which no terminal sends them to the command as well."""
    script = (
        "trap 'echo stop' TERM; trap 'echo end; exit 7' INT; echo ready; while :; do sleep "
        "0.05; done"
    )
    command = [*COMMAND, "exec", "--", "sh", "-c", script]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            for shown, number in (("ready\n", signal.SIGTERM), ("stop\n", signal.SIGINT)):
                assert process.stdout.readline() == shown
                process.send_signal(number)
            assert process.stdout.read() == "end\n"
            assert process.wait() == 7
        finally:
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None


@pytest.mark.parametrize(
    ("number", "tls"),
    [
        pytest.param(signal.SIGTERM, False, id="SIGTERM, HTTP"),
        pytest.param(signal.SIGINT, True, id="SIGINT, HTTPS"),
    ],
)
def test_serve_serves_until_a_signal_stops_it(
    number: signal.Signals, tls: bool, tmp_path: Path
) -> None:
    ca_file = str(tmp_path / "ca.pem")
    with serving(*(["--tls", "--ca-file", ca_file] if tls else [])) as (process, emulator):
        assert emulator.url.startswith("https://" if tls else "http://")
        assert emulator.connection()["extra"].get("verify") == (ca_file if tls else None)
        process.send_signal(number)
        assert process.wait() == 0


def test_serve_prints_first_how_to_connect_and_last_what_it_does_not_reproduce(
    mocker: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    mocker.patch("signal.signal")
    mocker.patch("wes_provider.emulator.cli.threading")  # whose event is set at once
    assert main(["serve", "--port", "0"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("What a DAG needs, as environment variables of Airflow:")
    before_the_end, _, _ = shown.partition("Stopped.")
    last_lines = before_the_end.splitlines()[-len(NOT_REPRODUCED) :]
    assert last_lines == [f"  - {line}" for line in NOT_REPRODUCED]
    (exported,) = re.findall(r"AIRFLOW_CONN_WES_DEFAULT=(.*)", shown)
    connection = json.loads("".join(shlex.split(exported)))
    fields = dict(re.findall(r"^  ([\w ]+): +(\S.*)$", shown, re.MULTILINE))
    assert f"{fields['Address']}:{fields['Port']}" == connection["host"]
    assert fields["Campaign API key"] == connection["password"]
    assert fields["Data API key"] == connection["extra"]["data_api_key"]


class End(NamedTuple):
    """Options of ``serve``, and what it says of its state when it stops; ``{}`` is a folder."""

    options: list[str]
    last_lines: list[str]


LOST = "Stopped. Lists, catalogs, segments and snapshots were in memory, and are gone."
KEPT = "Stopped. Lists, catalogs, segments and snapshots are in {}/"
ENDS = {
    "in memory": End([], [LOST, "To keep them, give a file: --state FILE"]),
    "in memory, from a seed": End(
        ["--seed-file", "{}/seed.json"], [LOST, "To keep them, give a file: --state FILE"]
    ),
    "in a file": End(["--state", "{}/state.db"], [f"{KEPT}state.db"]),
    "in a file, from a seed": End(
        ["--state", "{}/other.db", "--seed-file", "{}/seed.json"], [f"{KEPT}other.db"]
    ),
    "in a file that was there": End(["--state", "{}/before.db"], [f"{KEPT}before.db"]),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_serve_says_at_its_end_where_its_state_is(
    end: End, tmp_path: Path, mocker: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seed.json").write_text('{"version": 1}')
    with Emulator(state=tmp_path / "before.db"):
        pass
    mocker.patch("signal.signal")
    mocker.patch("wes_provider.emulator.cli.threading")  # whose event is set at once
    options = [option.format(tmp_path) for option in end.options]
    assert main(["serve", "--port", "0", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-len(end.last_lines) :] == [line.format(tmp_path) for line in end.last_lines]


def test_exec_says_nothing_of_its_own(mocker: Any, capfd: pytest.CaptureFixture[str]) -> None:
    mocker.patch("signal.signal")
    assert main(["exec", "--", "echo", "hello"]) == 0
    assert capfd.readouterr().out == "hello\n"


class Wrong(NamedTuple):
    """Arguments that cannot be used, and a part of the message."""

    arguments: list[str]
    message: str


WRONG = [
    Wrong([], "required"),
    Wrong(["exec"], "exec needs a command"),
    Wrong(["serve", "--", "true"], "serve takes no command"),
    Wrong(["serve", "--host-folder", "/no/such/folder"], "no such folder"),
    Wrong(["serve", "--set", "colour=red"], "there is no setting colour"),
    Wrong(["serve", "--set", "list_lag"], "NAME=JSON"),
    Wrong(
        ["serve", "--set", "list_lag=soon"],
        "emulator setting list_lag: Expected `float`, got `str`",
    ),
    Wrong(["serve", "--port", "70000"], "port must be"),
    Wrong(["serve", "--ca-file", "ca.pem"], "needs tls"),
    Wrong(
        ["serve", "--port", "0", "--tls"],
        "--tls needs cryptography, which is not installed",
    ),
]


@pytest.mark.parametrize(
    "row", WRONG, ids=[" ".join(row.arguments) or "no command" for row in WRONG]
)
def test_wrong_arguments_exit_with_2_and_a_reason(
    row: Wrong, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.delitem(sys.modules, "wes_provider.emulator.tls", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(row.arguments)
    assert ended.value.code == 2
    assert row.message in capsys.readouterr().err.partition("error: ")[2]
