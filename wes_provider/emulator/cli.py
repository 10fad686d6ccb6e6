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

from wes_provider.emulator.addresses import form_fields
from wes_provider.emulator.page import NOT_REPRODUCED
from wes_provider.emulator.remote import EmulatorControl
from wes_provider.emulator.server import Emulator
from wes_provider.emulator.settings import Settings

__all__ = ["main"]

_PORT: Final = 8099
_REMOTE: Final = {
    "snapshot": "keep what it holds under a name",
    "restore": "let it hold what it held when a snapshot was taken",
    "reset": "return it to its start",
    "configure": "change settings",
}
_NOT_FOUND: Final = 127  # exit codes as shells have them
_NOT_EXECUTABLE: Final = 126
_SIGNALLED: Final = 128  # and the signal's number


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: exit code: for ``exec`` the command's, else 0. Wrong arguments exit with 2.
    """
    arguments, dashes, command = _split_at_dashes(list(sys.argv[1:] if argv is None else argv))
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.mode in _REMOTE:
        return _remote(parser, options)
    if options.mode == "exec" and not command:
        parser.error("exec needs a command after two dashes, as in: wes-emulator exec -- pytest tests")
    if options.mode == "serve" and dashes:
        parser.error("serve takes no command; exec does")
    logging.basicConfig(level=logging.INFO if options.mode == "serve" else logging.WARNING)
    try:
        emulator = Emulator(
            port=options.port,
            state=options.state,
            host_folder=options.host_folder,
            profile=options.profile,
            seed_file=options.seed_file,
            tls=options.tls,
            ca_file=options.ca_file,
            **_settings(options),
        ).start()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except ModuleNotFoundError as error:
        parser.error(f"--tls needs {error.name}, which is not installed")
    with_emulator = _exec if options.mode == "exec" else _serve
    try:
        return with_emulator(emulator, command, options.conn_extra)
    finally:
        emulator.stop()


def _split_at_dashes(arguments: list[str]) -> tuple[list[str], bool, list[str]]:
    if "--" not in arguments:
        return arguments, False, []
    at = arguments.index("--")
    return arguments[:at], True, arguments[at + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-emulator", description="The Workforce Engagement Service on this machine, for demos and tests."
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="keep lists, catalogs, segments and the clock in this file, which survives kill -9; default: in memory",
    )
    common.add_argument("--host-folder", type=Path, metavar="DIR", help="serve the coupon files below this folder")
    common.add_argument(
        "--seed-file", type=Path, metavar="FILE", help="what the service holds at its start and after a reset"
    )
    common.add_argument("--tls", action="store_true", help="speak TLS, with a certificate made at the start")
    common.add_argument(
        "--ca-file", type=Path, metavar="FILE", help="where to write the CA's certificate; default: a temporary file"
    )
    common.add_argument(
        "--speed",
        type=float,
        metavar="N",
        help="service seconds for each of this machine's; 60: a minute a second",
    )
    common.add_argument(
        "--processing-time", type=float, metavar="S", help="service seconds for processing a coupon file; default: 2"
    )
    common.add_argument(
        "--fault-rate", type=float, metavar="SHARE", help="let this share of requests fail at random, from 0 to 1"
    )
    common.add_argument("--seed", type=int, metavar="N", help="with the same number, the same requests fail")
    common.add_argument("--no-limits", action="store_true", help="accept any number of requests")
    common.add_argument(
        "--conn-extra",
        type=_extra,
        default={},
        metavar="FILE",
        help="a JSON object to add to the extra of the connection",
    )
    _add_settings(common)
    modes = parser.add_subparsers(dest="mode", required=True)
    serve = modes.add_parser("serve", parents=[common], help="serve until stopped")
    serve.add_argument("--port", type=int, default=_PORT, help="default 8099; 0 for a free one")
    run = modes.add_parser(
        "exec",
        parents=[common],
        usage="wes-emulator exec [options] -- COMMAND ...",
        help="serve while a command runs",
        description="Sets AIRFLOW_CONN_WES_DEFAULT, WES_EMULATOR_URL, WES_EMULATOR_FILES_URL (where hosted files"
        " are) and, with --tls, WES_EMULATOR_CA_FILE; runs the command, stops, and passes on its exit code.",
    )
    run.add_argument("--port", type=int, default=0, help="default: a free one")
    remote = argparse.ArgumentParser(add_help=False)
    remote.add_argument(
        "--url",
        default=os.environ.get("WES_EMULATOR_URL", f"http://127.0.0.1:{_PORT}"),
        help="address of the running emulator; default: WES_EMULATOR_URL, or port 8099 of this machine",
    )
    remote.add_argument("--ca-file", help="CA certificate of one that speaks TLS; default: WES_EMULATOR_CA_FILE")
    for mode, text in _REMOTE.items():
        command = modes.add_parser(mode, parents=[remote], help=text, description=f"In a running emulator: {text}.")
        if mode in ("snapshot", "restore"):
            command.add_argument("name", help="of the snapshot")
        if mode == "configure":
            _add_settings(command)
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", type=Path, metavar="FILE", help="behave as this profile describes")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=JSON", help="any other setting; can be given repeatedly"
    )


def _remote(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    control = EmulatorControl(options.url, options.ca_file)
    try:
        if options.mode == "configure":
            control.configure(options.profile, **_set(options.set))
        elif options.mode == "reset":
            control.reset()
        else:
            getattr(control, options.mode)(options.name)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in ("speed", "processing_time", "fault_rate", "seed")}
    settings = {name: value for name, value in given.items() if value is not None}
    if options.no_limits:
        settings["limits"] = None
    return {**settings, **_set(options.set)}


def _set(items: Sequence[str]) -> dict[str, Any]:
    """The settings of ``--set``."""
    settings: dict[str, Any] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"--set takes NAME=JSON, not {item!r}")
        if name not in Settings.__dataclass_fields__:
            raise ValueError(f"there is no setting {name!r}; there are {', '.join(Settings.__dataclass_fields__)}")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value  # a string without its quotes
    return settings


def _extra(path: str) -> dict[str, Any]:
    """The extra of a real account's connection, without its key: the emulator has keys of its own."""
    try:
        extra = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(extra, dict):
        raise argparse.ArgumentTypeError(f"{path} is no JSON object")
    return {name: value for name, value in extra.items() if name != "data_api_key"}


def _serve(emulator: Emulator, _command: list[str], extra: dict[str, Any]) -> int:
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    print("What this emulator does not reproduce:")
    for line in NOT_REPRODUCED:
        print(f"  - {line}")
    _print_connection(emulator, extra)
    print(f"Page: {emulator.url}/_emulator/")
    print(f"Serving on {emulator.url}, until Ctrl+C.", flush=True)
    stopped.wait()
    return 0


def _print_connection(emulator: Emulator, extra: dict[str, Any]) -> None:
    print("What a DAG needs, as environment variables of Airflow:")
    for name, value in {**emulator.connection_env(extra=extra), **_addresses(emulator)}.items():
        print(f"  export {name}={shlex.quote(value)}")
    print("or as a connection in Airflow's form (Admin, Connections):")
    fields = form_fields(emulator.connection(extra=extra))
    for name, value in {"Connection Id": "wes_default", **fields}.items():
        print(f"  {name + ':':<22}{value}")
    print(f"Coupon files: {emulator.files_url}/NAME  (--host-folder DIR serves those of a folder)")


def _addresses(emulator: Emulator) -> dict[str, str]:
    addresses = {"WES_EMULATOR_URL": emulator.url, "WES_EMULATOR_FILES_URL": emulator.files_url}
    return addresses if emulator.ca_file is None else {**addresses, "WES_EMULATOR_CA_FILE": emulator.ca_file}


def _exec(emulator: Emulator, command: list[str], extra: dict[str, Any]) -> int:
    environment = {
        **os.environ,
        **emulator.connection_env(extra=extra),
        **_addresses(emulator),
    }
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
        return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_EXECUTABLE
    for missed in early:
        child.send_signal(missed)
    code = child.wait()
    return code if code >= 0 else _SIGNALLED - code


def _in_foreground() -> bool:
    """Whether Ctrl+C in the terminal has reached the command already, which is of the same process group."""
    try:
        with open("/dev/tty") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
