"""The command ``wes-emulator``: serve until stopped, or for as long as a command runs."""

from __future__ import annotations

import argparse
import json
import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from wes_provider.emulator.page import NOT_REPRODUCED
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.server import Emulator
from wes_provider.emulator.settings import Settings, form_fields

__all__ = ["main"]

_PORT: Final = 8099
# Exit codes, as shells have them; the last one plus the number of the signal.
_NOT_EXECUTABLE: Final = 126
_NOT_FOUND: Final = 127
_BY_SIGNAL: Final = 128


class _Option(NamedTuple):
    """An option with a value that ``serve`` and ``exec`` have."""

    name: str
    type: Callable[[str], Any]
    metavar: str
    help: str


_OPTIONS: Final = (
    _Option(
        "state",
        Path,
        "FILE",
        "keep lists, catalogs, segments and the clock in this file, which survives kill -9; "
        "default: in memory",
    ),
    _Option("host-folder", Path, "DIR", "serve the coupon files below this folder"),
    _Option(
        "hosted-url", str, "URL", "take files below this URL from the hosted ones, by their names"
    ),
    _Option("seed-file", Path, "FILE", "what the service holds at its start and after a reset"),
    _Option(
        "ca-file", Path, "FILE", "where to write the CA's certificate; default: a temporary file"
    ),
    _Option(
        "speed", float, "N", "service seconds for each of this machine's; 60: a minute a second"
    ),
    _Option(
        "processing-time", float, "S", "service seconds for processing a coupon file; default: 2"
    ),
    _Option("fault-rate", float, "SHARE", "let this share of requests fail at random, from 0 to 1"),
    _Option("seed", int, "N", "with the same number, the same requests fail"),
    _Option("conn-extra", Path, "FILE", "a JSON object to add to the extra of the connection"),
)
# Options that are settings.
_SETTINGS: Final = ("speed", "processing_time", "fault_rate", "seed", "hosted_url")
_OF_EMULATOR: Final = ("port", "state", "host_folder", "profile", "seed_file", "tls", "ca_file")


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: exit code: for ``exec`` the command's, else 0. Wrong arguments exit with 2.
    """
    if argv is None:
        argv = sys.argv[1:]
    words, command = _split(list(argv))
    parser = _parser()
    options = parser.parse_args(words)
    if options.mode == "exec":
        if not command:
            parser.error(
                "exec needs a command after two dashes, as in: wes-emulator exec -- pytest tests"
            )
        logging.basicConfig(level=logging.WARNING)
    else:
        if command is not None:
            parser.error("serve takes no command; exec does")
        logging.basicConfig(level=logging.INFO)
    try:
        extra = _extra(options.conn_extra)
        arguments = {name: getattr(options, name) for name in _OF_EMULATOR}
        emulator = Emulator(**arguments, **_settings(options)).start()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except ModuleNotFoundError as error:
        parser.error(f"--tls needs {error.name}, which is not installed")
    try:
        if command:
            return _exec(emulator, command, extra)
        _serve(emulator, extra, options.host_folder)
    finally:
        emulator.stop()
    print(_last_words(options.state), flush=True)
    return 0


def _split(words: list[str]) -> tuple[list[str], list[str] | None]:
    """Return the words before two dashes, and those after them: a command."""
    if "--" not in words:
        return words, None
    dashes = words.index("--")
    return words[:dashes], words[dashes + 1 :]


def _last_words(state: Path | None) -> str:
    if state is None:
        return (
            "Stopped. Lists, catalogs, segments and snapshots were in memory, and are gone.\n"
            "To keep them, give a file: --state FILE"
        )
    return f"Stopped. Lists, catalogs, segments and snapshots are in {state}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-emulator",
        description="The Workforce Engagement Service on this machine, for demos and tests.",
    )
    common = argparse.ArgumentParser(add_help=False)
    for option in _OPTIONS:
        common.add_argument(
            f"--{option.name}", type=option.type, metavar=option.metavar, help=option.help
        )
    common.add_argument(
        "--tls", action="store_true", help="speak TLS, with a certificate made at the start"
    )
    common.add_argument("--no-limits", action="store_true", help="accept any number of requests")
    common.add_argument(
        "--profile", type=Path, metavar="FILE", help="behave as this profile describes"
    )
    common.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=JSON",
        help="any other setting; can be given repeatedly",
    )
    modes = parser.add_subparsers(dest="mode", required=True)
    serve = modes.add_parser("serve", parents=[common], help="serve until stopped")
    serve.add_argument("--port", type=int, default=_PORT, help="default 8099; 0 for a free one")
    run = modes.add_parser(
        "exec",
        parents=[common],
        usage="wes-emulator exec [options] -- COMMAND ...",
        help="serve while a command runs",
        description="Sets AIRFLOW_CONN_WES_DEFAULT, WES_EMULATOR_URL, WES_EMULATOR_FILES_URL "
        "(where hosted files are) and, with --tls, WES_EMULATOR_CA_FILE; runs the command, stops, "
        "and passes on its exit code.",
    )
    run.add_argument("--port", type=int, default=0, help="default: a free one")
    return parser


def _settings(options: argparse.Namespace) -> JsonObject:
    given: JsonObject = {}
    for name in _SETTINGS:
        value = getattr(options, name)
        if value is not None:
            given[name] = value
    if options.no_limits:
        given["limits"] = None
    given |= _read_set(options.set)
    # Checked by itself, since Emulator takes arguments that are no settings.
    Settings.of(given)
    return given


def _read_set(items: Sequence[str]) -> JsonObject:
    """Return the settings of ``--set``; a string may come without its quotes."""
    settings: JsonObject = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"--set takes NAME=JSON, not {item!r}")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _extra(path: Path | None) -> JsonObject:
    """
    Read the extra of a real account's connection, without its key: the emulator has keys of its
    own.
    """
    if path is None:
        return {}
    try:
        extra = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(extra, dict):
        raise ValueError(f"{path} is no JSON object")
    return {name: value for name, value in extra.items() if name != "data_api_key"}


def _serve(emulator: Emulator, extra: JsonObject, host_folder: Path | None) -> None:
    hosted = "--host-folder DIR serves those of a folder"
    if host_folder is not None:
        hosted = f"those of {host_folder}"
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    exports = {**emulator.connection_env(extra=extra), **_addresses(emulator)}
    form = {"Connection Id": "wes_default", **form_fields(emulator.connection(extra=extra))}
    lines = [
        "What a DAG needs, as environment variables of Airflow:",
        *(f"  export {name}={shlex.quote(value)}" for name, value in exports.items()),
        "or as a connection in Airflow's form (Admin, Connections):",
        *(f"  {name + ':':<22}{value}" for name, value in form.items()),
        f"Coupon files: {emulator.files_url}/NAME  ({hosted})",
        f"Page: {emulator.url}/_emulator/",
        f"Serving on {emulator.url}, until Ctrl+C.",
        "What it does not reproduce:",
        *(f"  - {line}" for line in NOT_REPRODUCED),
    ]
    print("\n".join(lines), flush=True)
    stopped.wait()


def _addresses(emulator: Emulator) -> dict[str, str]:
    addresses = {"WES_EMULATOR_URL": emulator.url, "WES_EMULATOR_FILES_URL": emulator.files_url}
    if emulator.ca_file is not None:
        addresses["WES_EMULATOR_CA_FILE"] = emulator.ca_file
    return addresses


def _exec(emulator: Emulator, command: list[str], extra: JsonObject) -> int:
    environment = {**os.environ, **emulator.connection_env(extra=extra), **_addresses(emulator)}
    child: subprocess.Popen[bytes] | None = None
    # Signals that came before there was a child.
    early: list[int] = []

    def pass_on(number: int, _frame: object) -> None:
        if child is None:
            early.append(number)
        elif number != signal.SIGINT or not _in_foreground():
            child.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    try:
        child = subprocess.Popen(command, env=environment)  # noqa: S603 - the user's own command
    except OSError as error:
        print(f"wes-emulator: {command[0]}: {error.strerror}", file=sys.stderr)
        if isinstance(error, FileNotFoundError):
            return _NOT_FOUND
        return _NOT_EXECUTABLE
    for missed in early:
        child.send_signal(missed)
    code = child.wait()
    if code < 0:
        return _BY_SIGNAL - code
    return code


def _in_foreground() -> bool:
    """
    Tell whether Ctrl+C in the terminal has reached the command already, which is of the same
    process group.
    """
    try:
        with open("/dev/tty") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
