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
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from wes_provider.emulator.page import NOT_REPRODUCED
from wes_provider.emulator.server import Emulator
from wes_provider.emulator.settings import Settings, form_fields

__all__ = ["main"]

_PORT: Final = 8099
_OPTIONS: Final[tuple[tuple[str, Any, str, str], ...]] = (  # name, type, metavar, help
    (
        *("state", Path, "FILE"),
        "keep lists, catalogs, segments and the clock in this file, which survives kill -9; "
        "default: in memory",
    ),
    ("host-folder", Path, "DIR", "serve the coupon files below this folder"),
    ("seed-file", Path, "FILE", "what the service holds at its start and after a reset"),
    ("ca-file", Path, "FILE", "where to write the CA's certificate; default: a temporary file"),
    ("speed", float, "N", "service seconds for each of this machine's; 60: a minute a second"),
    ("processing-time", float, "S", "service seconds for processing a coupon file; default: 2"),
    ("fault-rate", float, "SHARE", "let this share of requests fail at random, from 0 to 1"),
    ("seed", int, "N", "with the same number, the same requests fail"),
    ("conn-extra", Path, "FILE", "a JSON object to add to the extra of the connection"),
)
_SETTINGS: Final = ("speed", "processing_time", "fault_rate", "seed")  # that are options, too
_OF_EMULATOR: Final = ("port", "state", "host_folder", "profile", "seed_file", "tls", "ca_file")


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: exit code: for ``exec`` the command's, else 0. Wrong arguments exit with 2.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    at = words.index("--") if "--" in words else len(words)
    parser = _parser()
    options, command = parser.parse_args(words[:at]), words[at + 1 :]
    if options.mode == "exec" and not command:
        parser.error(
            "exec needs a command after two dashes, as in: wes-emulator exec -- pytest tests"
        )
    if options.mode == "serve" and at < len(words):
        parser.error("serve takes no command; exec does")
    logging.basicConfig(level=logging.INFO if options.mode == "serve" else logging.WARNING)
    try:
        extra = _extra(options.conn_extra)
        emulator = Emulator(
            **{name: getattr(options, name) for name in _OF_EMULATOR}, **_settings(options)
        ).start()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except ModuleNotFoundError as error:
        parser.error(f"--tls needs {error.name}, which is not installed")
    try:
        return (
            _exec(emulator, command, extra) if options.mode == "exec" else _serve(emulator, extra)
        )
    finally:
        emulator.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-emulator",
        description="The Workforce Engagement Service on this machine, for demos and tests.",
    )
    common = argparse.ArgumentParser(add_help=False)
    for name, kind, metavar, text in _OPTIONS:
        common.add_argument(f"--{name}", type=kind, metavar=metavar, help=text)
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
        "(where hosted files"
        " are) and, with --tls, WES_EMULATOR_CA_FILE; runs the command, stops, and passes on its "
        "exit code.",
    )
    run.add_argument("--port", type=int, default=0, help="default: a free one")
    return parser


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    given = {
        name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None
    }
    given |= {**({"limits": None} if options.no_limits else {}), **_set(options.set)}
    Settings.of(given)  # no argument of Emulator is a setting
    return given


def _set(items: Sequence[str]) -> dict[str, Any]:
    """The settings of ``--set``; a string may come without its quotes."""
    settings: dict[str, Any] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"--set takes NAME=JSON, not {item!r}")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _extra(path: Path | None) -> dict[str, Any]:
    """
    The extra of a real account's connection, without its key: the emulator has keys of its own.
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


def _serve(emulator: Emulator, extra: dict[str, Any]) -> int:
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
        f"Coupon files: {emulator.files_url}/NAME  (--host-folder DIR serves those of a folder)",
        f"Page: {emulator.url}/_emulator/",
        f"Serving on {emulator.url}, until Ctrl+C.",
        "What it does not reproduce:",
        *(f"  - {line}" for line in NOT_REPRODUCED),
    ]
    print("\n".join(lines), flush=True)
    stopped.wait()
    return 0


def _addresses(emulator: Emulator) -> dict[str, str]:
    addresses = {"WES_EMULATOR_URL": emulator.url, "WES_EMULATOR_FILES_URL": emulator.files_url}
    return (
        addresses
        if emulator.ca_file is None
        else {**addresses, "WES_EMULATOR_CA_FILE": emulator.ca_file}
    )


def _exec(emulator: Emulator, command: list[str], extra: dict[str, Any]) -> int:
    environment = {**os.environ, **emulator.connection_env(extra=extra), **_addresses(emulator)}
    child: subprocess.Popen[bytes] | None = None
    early: list[int] = []  # signals that came before there was a child

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
        return 127 if isinstance(error, FileNotFoundError) else 126  # as shells do
    for missed in early:
        child.send_signal(missed)
    code = child.wait()
    return code if code >= 0 else 128 - code  # as shells do for a signal


def _in_foreground() -> bool:
    """
    Whether Ctrl+C in the terminal has reached the command already, which is of the same process
    group.
    """
    try:
        with open("/dev/tty") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
