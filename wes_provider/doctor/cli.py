"""The command ``wes-doctor``."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wes_provider import models
from wes_provider.client.settings import WesSettings
from wes_provider.doctor.examination import UPDATED_BY, examine
from wes_provider.doctor.report import given_extra, redacted
from wes_provider.doctor.writing import CATALOG_ATTRIBUTES
from wes_provider.exceptions import WesConfigurationError

__all__ = ["main"]

WORKS, FAULTY, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130  # exit codes


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :return: 0 if everything needed works, 1 if not, 130 if the user stops it. Wrong usage exits with 2.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        return _run(options, parser)
    except WesConfigurationError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("wes-doctor: stopped", file=sys.stderr)
        return INTERRUPTED


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """
    Examine what the options name, and print the report.

    :raises WesConfigurationError: for what cannot be sent, or cannot be reached as the connection and the environment
        are set.
    """
    if options.upload and not options.coupon_list:
        parser.error("--upload needs --coupon-list: the list that the file goes into")
    for name in ("coupon_list", "upload", "catalog", "segment"):
        value = getattr(options, name)
        if value is not None and not value.strip():
            parser.error(f"--{name.replace('_', '-')} is empty")
    if options.save_profile and not options.save_profile.parent.is_dir():
        parser.error(f"--save-profile: there is no folder {options.save_profile.parent}")
    for name in ("coupon_list", "segment"):
        if (value := getattr(options, name)) is not None:
            models.identifier(f"--{name.replace('_', '-')}", value)
    if options.upload:
        models.coupon_file_body(options.upload)
    if options.catalog:
        models.catalog_body(options.catalog, "EUR", CATALOG_ATTRIBUTES)
    if options.segment:
        models.segment_body(updated_by=options.updated_by)
    try:
        settings, raw = _connection(options.conn_id)
    except WesConfigurationError:
        raise
    except Exception as error:  # a secrets backend raises what it likes
        parser.error(_no_connection(options.conn_id, error))
    writes = _writes(options)
    if writes and not options.yes and not _confirmed(writes, parser):
        return WRONG_USAGE
    report = examine(
        settings,
        given_extra(raw, settings),
        conn_id=options.conn_id,
        coupon_list_id=options.coupon_list,
        file_url=options.upload,
        catalog=options.catalog,
        segment_id=options.segment,
        updated_by=options.updated_by,
        profile=options.save_profile,
        timeout=options.timeout,
        final_after=options.final_after,
        on_step=_Progress(settings, options.upload),
    )
    print(report.to_json() if options.json else report.to_text(shutil.get_terminal_size((100, 24)).columns))
    if report.stopped:
        return INTERRUPTED
    return WORKS if report.works else FAULTY


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wes-doctor",
        description="Finds the settings of a real account. It only reads, unless --upload, --catalog or --segment "
        "is given.",
        epilog="Exit code: 0 if everything needed works as the connection is set, 1 if not, 2 for wrong usage, "
        "130 if you stop it.",
    )
    parser.add_argument("--conn-id", default="wes_default", help="Airflow's connection; default wes_default")
    parser.add_argument("--coupon-list", metavar="ID", help="a list that exists; its files are read")
    parser.add_argument("--upload", metavar="URL", help="upload this file to the list, and follow it to its end")
    parser.add_argument("--catalog", metavar="NAME", help="create a catalog of this name; nothing deletes it")
    parser.add_argument("--segment", metavar="ID", help="update this segment; only its updated_by is sent")
    parser.add_argument(
        "--updated-by", metavar="EMAIL", default=UPDATED_BY, help=f"what --segment sends; default {UPDATED_BY}"
    )
    parser.add_argument("--yes", action="store_true", help="change things without confirmation")
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")
    parser.add_argument(
        "--save-profile", metavar="FILE", type=Path, help="save how the service responds, for wes-emulator --profile"
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=1800.0, help="follow an upload for so long; default 1800"
    )
    parser.add_argument(
        "--final-after",
        metavar="SECONDS",
        type=_seconds,
        default=60.0,
        help="take an unknown status for the last if it lasts so long; default 60",
    )
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"takes seconds above 0, not {text}")
    return seconds


def _connection(conn_id: str) -> tuple[WesSettings, dict[str, Any]]:
    """
    Airflow's connection, from the environment, a secrets backend or the database.

    :raises WesConfigurationError: if it cannot be used.
    """
    # Outside of a task, Airflow 3 reads its database only for a server.
    os.environ.setdefault("_AIRFLOW_PROCESS_CONTEXT", "server")
    with contextlib.redirect_stdout(sys.stderr):  # what Airflow prints when it is imported
        from wes_provider.hooks import WesHook

        hook = WesHook(conn_id)
        connection = hook.get_connection(conn_id)
        return hook.settings, dict(connection.extra_dejson)


def _no_connection(conn_id: str, error: Exception) -> str:
    """Why a connection cannot be read, and what to do."""
    if type(error).__name__ != "AirflowNotFoundException":  # importing Airflow takes seconds
        return f"connection {conn_id!r} cannot be read: {type(error).__name__}"
    return (
        f"there is no connection {conn_id!r}; `airflow connections list` shows those that exist\n"
        "If a secrets backend holds it, the backend may have failed, which Airflow reports alike; see its log above."
    )


def _writes(options: argparse.Namespace) -> list[str]:
    writes = []
    if options.upload:
        writes.append(f"upload {models.redact_url(options.upload)} to the list {options.coupon_list}")
    if options.catalog:
        writes.append(f"create the catalog {options.catalog}")
    if options.segment:
        writes.append(f"update the segment {options.segment}: its updated_by becomes {options.updated_by}")
    return writes


def _confirmed(writes: Sequence[str], parser: argparse.ArgumentParser) -> bool:
    if not sys.stdin.isatty():
        parser.error("this changes something: confirm it on a terminal, or give --yes")
    print("This changes something in the service:", file=sys.stderr)
    for write in writes:
        print(f"  - {write}", file=sys.stderr)
    print("Type yes to go on: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


class _Progress:
    """Prints each step on standard error, apart from the report."""

    def __init__(self, settings: WesSettings, file_url: str | None) -> None:
        self._hidden = settings.secrets + (models.secrets_of_url(file_url) if file_url else ())

    def __call__(self, step: str) -> None:
        print(f"wes-doctor: {redacted(step, self._hidden)}", file=sys.stderr, flush=True)
