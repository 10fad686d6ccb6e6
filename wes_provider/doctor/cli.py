"""The command ``wes-doctor``."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from wes_provider.doctor.examination import examine
from wes_provider.doctor.options import Options
from wes_provider.doctor.reads.sending import MOST_READS
from wes_provider.doctor.report import State
from wes_provider.doctor.saving import check_file, save_extra
from wes_provider.doctor.writes.write import Write, writes_of
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings
from wes_provider.texts import shown

__all__ = ["main"]

# Exit codes.
READY: Final = 0
NOT_READY: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130

# By the fields of requests that they are sent as.
OPTIONS_OF_FIELDS: Final = {
    "coupon_list_id": "--coupon-list",
    "file_url": "--upload",
    "segment_id": "--segment",
    "updated_by": "--updated-by",
}


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: 0 if everything needed is proved to work, 1 if not, 130 if the user stops it. Wrong
        usage exits with 2.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        return _run(arguments, parser)
    except WesConfigurationError as error:
        parser.error(_name_options(str(error)))
    except BrokenPipeError:  # of `| head`; nothing is left to be printed, not even when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_READY
    except KeyboardInterrupt:
        print("wes-doctor: stopped", file=sys.stderr)
        return INTERRUPTED


def _name_options(message: str) -> str:
    """Name the options of the command line in an error that names fields of requests."""
    for field_name, option in OPTIONS_OF_FIELDS.items():
        message = re.sub(rf"\b{field_name}\b", option, message)
    return message


def _run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    given = {
        option.name: getattr(arguments, option.name) for option in fields(Options) if option.init
    }
    options = Options(**given)
    writes = writes_of(options)
    for file in arguments.save_extra:
        check_file(file, arguments.conn_id)
    settings, extra, host = _connection(arguments.conn_id, parser)
    if writes and not _is_confirmed(writes, settings, arguments, parser):
        return WRONG_USAGE
    with _progress() as on_step:
        report = examine(settings, extra, options, on_step, host=host)
    try:
        for file in arguments.save_extra:
            save_extra(file, arguments.conn_id, report.extra)
            print(f"wes-doctor: The extra is in {file}", file=sys.stderr)
    finally:  # what is known of a service that was changed is shown in any case
        if arguments.json:
            print(report.to_json(), flush=True)
        else:
            report.print()
    codes = {State.READY: READY, State.STOPPED: INTERRUPTED}
    return codes.get(report.state, NOT_READY)


def _is_confirmed(
    writes: Sequence[Write],
    settings: WesSettings,
    arguments: argparse.Namespace,
    parser: argparse.ArgumentParser,
) -> bool:
    """Say what is to be changed, and ask whether to do so, unless ``--yes`` is given."""
    print(
        f"wes-doctor sends {settings.base_url} at most {MOST_READS} reads. "
        "Then it changes something in the service:",
        *(f"  - {write.text}" for write in writes),
        sep="\n",
        file=sys.stderr,
    )
    if arguments.file_url:
        print(
            "It follows the upload with at most 100 reads in a minute, then with one in 10 s.",
            file=sys.stderr,
        )
    if arguments.yes:
        return True
    if not sys.stdin.isatty():
        parser.error("this changes something: confirm it on a terminal, or give --yes")
    print("Type yes to go on: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-doctor",
        description=(
            "Finds the settings of a real account. It only reads, unless --upload, --catalog or "
            "--segment is given."
        ),
        epilog=(
            "Exit code: 0 if everything needed is proved to work as the connection is set, 1 if "
            "not, 2 for wrong usage, 130 if you stop it."
        ),
    )
    parser.add_argument(
        "--conn-id", default="wes_default", help="Airflow's connection; default wes_default"
    )
    parser.add_argument(
        "--coupon-list",
        metavar="ID",
        dest="coupon_list_id",
        help="a list that exists; its files are read",
    )
    parser.add_argument(
        "--upload",
        metavar="URL",
        dest="file_url",
        help="upload this file to the list, and follow it to its end",
    )
    parser.add_argument(
        "--catalog", metavar="NAME", help="create a catalog of this name; nothing deletes it"
    )
    parser.add_argument(
        "--segment",
        metavar="ID",
        dest="segment_id",
        help="update this segment; only its updated_by is sent",
    )
    parser.add_argument(
        "--updated-by",
        metavar="EMAIL",
        default=Options.updated_by,
        help=f"what --segment sends; default {Options.updated_by}",
    )
    parser.add_argument("--yes", action="store_true", help="change things without confirmation")
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")
    parser.add_argument(
        "--save-extra",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help=(
            "save the connection's extra; into a file for `airflow connections import`, if FILE is "
            "one. Repeatable"
        ),
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        default=Options.timeout,
        help="follow an upload for so long; default 1800",
    )
    parser.add_argument(
        "--final-after",
        metavar="SECONDS",
        type=_seconds,
        default=Options.final_after,
        help="take an unknown status for the last if it lasts so long; default 60",
    )
    return parser


def _seconds(text: str) -> float:
    problem = argparse.ArgumentTypeError(f"takes seconds above 0, not {shown(text, quoted=False)}")
    try:
        seconds = float(text)
    except ValueError:
        raise problem from None
    if not 0 < seconds < float("inf"):
        raise problem
    return seconds


def _connection(
    conn_id: str, parser: argparse.ArgumentParser
) -> tuple[WesSettings, dict[str, Any], str]:
    """
    Airflow's connection, from the environment, a secrets backend or the database; its extra and its
    host.
    """
    # Outside of a task, Airflow 3 reads its database only for a server.
    os.environ.setdefault("_AIRFLOW_PROCESS_CONTEXT", "server")
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what Airflow prints when it is imported
            from wes_provider.hooks import get_connection, read_settings

            connection = get_connection(conn_id, "--conn-id")
            host = str(connection.host or "").strip()
            return read_settings(connection), dict(connection.extra_dejson), host
    except WesConfigurationError:
        raise
    except Exception as error:  # a secrets backend raises what it likes
        parser.error(f"connection {conn_id!r} cannot be read: {type(error).__name__}")


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Show each step in one line of a terminal that changes; nowhere else."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    progress = _Progress()
    with console.status(progress):
        yield progress.begin


class _Progress:
    """The step that goes on, with the seconds so far, which are counted each time it is drawn."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._step = ""

    def begin(self, step: str) -> None:
        self._step = step

    def __rich__(self) -> Text:
        return Text(f"{self._step} ({time.monotonic() - self._begun:.0f} s)")
