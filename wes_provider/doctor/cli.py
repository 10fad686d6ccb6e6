"""The command ``wes-doctor``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from wes_provider.doctor.examination import Options, examine, writes_of
from wes_provider.doctor.findings import Report
from wes_provider.doctor.reading import MOST_READS
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings

__all__ = ["main"]

WORKS, FAULTY, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130  # exit codes


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: 0 if everything needed works, 1 if not, 130 if the user stops it. Wrong usage exits
        with 2.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        return _run(arguments, parser)
    except WesConfigurationError as error:
        parser.error(str(error))
    except BrokenPipeError:  # of `| head`; nothing is left to be printed, not even when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULTY
    except KeyboardInterrupt:
        print("wes-doctor: stopped", file=sys.stderr)
        return INTERRUPTED


def _run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    options = Options(
        **{each.name: getattr(arguments, each.name) for each in fields(Options) if each.init}
    )
    writes = writes_of(options)
    for file in arguments.save_extra:
        if not file.parent.is_dir():
            parser.error(f"there is no folder {file.parent}")
    settings, extra = _connection(arguments.conn_id, parser)
    print(
        f"wes-doctor sends {settings.base_url} at most {MOST_READS} reads, which change nothing: "
        "with the keys of",
        f"{settings.conn_id}, with made-up keys and to a path that does not exist, to compare.",
        *(
            [
                "Then it changes something in the service:",
                *(f"  - {write.text}" for write in writes),
            ]
            if writes
            else []
        ),
        sep="\n",
        file=sys.stderr,
    )
    if writes and not arguments.yes:
        if not sys.stdin.isatty():
            parser.error("this changes something: confirm it on a terminal, or give --yes")
        print("Type yes to go on: ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() != "yes":
            return WRONG_USAGE
    with _progress() as on_step:
        report = examine(settings, extra, options, on_step)
    try:
        for file in arguments.save_extra:
            _save_extra(file, report)
            print(f"wes-doctor: The extra is in {file}", file=sys.stderr)
    finally:  # what is known of a service that was changed is shown in any case
        if arguments.json:
            print(report.to_json(), flush=True)
        else:
            report.print()
    return INTERRUPTED if report.stopped else WORKS if report.works else FAULTY


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-doctor",
        description="Finds the settings of a real account. It only reads, unless --upload, "
        "--catalog or --segment "
        "is given.",
        epilog="Exit code: 0 if everything needed works as the connection is set, 1 if not, 2 for "
        "wrong usage, "
        "130 if you stop it.",
    )
    add, by = parser.add_argument, Options.updated_by
    add("--conn-id", default="wes_default", help="Airflow's connection; default wes_default")
    add(
        "--coupon-list",
        metavar="ID",
        dest="coupon_list_id",
        help="a list that exists; its files are read",
    )
    add(
        "--upload",
        metavar="URL",
        dest="file_url",
        help="upload this file to the list, and follow it to its end",
    )
    add("--catalog", metavar="NAME", help="create a catalog of this name; nothing deletes it")
    add(
        "--segment",
        metavar="ID",
        dest="segment_id",
        help="update this segment; only its updated_by is sent",
    )
    add("--updated-by", metavar="EMAIL", default=by, help=f"what --segment sends; default {by}")
    add("--yes", action="store_true", help="change things without confirmation")
    add("--json", action="store_true", help="print JSON, for machines")
    help_ = (
        "save the connection's extra; into a file for `airflow connections import`, if FILE "
        "is one. Repeatable"
    )
    add("--save-extra", metavar="FILE", type=Path, action="append", default=[], help=help_)
    seconds: dict[str, Any] = {"metavar": "SECONDS", "type": _seconds}
    add(
        "--timeout",
        default=Options.timeout,
        help="follow an upload for so long; default 1800",
        **seconds,
    )
    help_ = "take an unknown status for the last if it lasts so long; default 60"
    add("--final-after", default=Options.final_after, help=help_, **seconds)
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"takes seconds above 0, not {text}")
    return seconds


def _connection(
    conn_id: str, parser: argparse.ArgumentParser
) -> tuple[WesSettings, dict[str, Any]]:
    """
    Airflow's connection, from the environment, a secrets backend or the database, and its extra.
    """
    # Outside of a task, Airflow 3 reads its database only for a server.
    os.environ.setdefault("_AIRFLOW_PROCESS_CONTEXT", "server")
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what Airflow prints when it is imported
            from wes_provider.hooks import get_connection, read_settings

            connection = get_connection(conn_id, "--conn-id")
            return read_settings(connection), dict(connection.extra_dejson)
    except WesConfigurationError:
        raise
    except Exception as error:  # a secrets backend raises what it likes
        parser.error(f"connection {conn_id!r} cannot be read: {type(error).__name__}")


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """
    Shows each step on standard error, apart from the report: in one line of a terminal, else in
    lines.
    """
    console, begun = Console(stderr=True), time.monotonic()
    if console.is_terminal:
        with console.status("") as status:
            yield lambda step: status.update(Text(f"{step} ({time.monotonic() - begun:.0f} s)"))
    else:
        yield lambda step: print(f"wes-doctor: {step}", file=sys.stderr, flush=True)


def _save_extra(file: Path, report: Report) -> None:
    """
    Saves the extra; in a file of connections, in place of the one there, whose data API key stays.
    """
    content: Any = report.extra
    try:
        saved = json.loads(file.read_text()) if file.exists() else {}
        connection = saved.get(report.settings.conn_id)
        if isinstance(connection, dict) and "conn_type" in connection:
            old = connection.get("extra") or {}
            old = json.loads(old) if isinstance(old, str) else old
            connection["extra"] = {
                name: old[name] for name in ("data_api_key",) if name in old
            } | report.extra
            content = saved
        file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    except (OSError, ValueError, AttributeError) as error:
        raise WesConfigurationError(f"{file} cannot be written: {type(error).__name__}") from None
