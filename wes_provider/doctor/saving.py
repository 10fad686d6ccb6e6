"""
Where the command saves an extra: into a new file, over an extra saved before, or into a connection
of a file as ``airflow connections export`` writes it. Any other file stays as it is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import EXTRAS

__all__ = ["check_file", "save_extra"]

AS_JSON: Final = (
    "Write the connection into it as a JSON object with conn_type and extra, or name another file."
)


def check_file(file: Path, conn_id: str) -> None:
    """
    Check, before anything is sent, that an extra can be saved into a file.

    :raises WesConfigurationError: with what is in the way.
    """
    if not file.parent.is_dir():
        raise WesConfigurationError(f"there is no folder {file.parent}")
    if file.is_dir():
        raise WesConfigurationError(f"{file} is a folder: name a file for the extra")
    _with_extra(_read(file), file, conn_id, {})


def save_extra(file: Path, conn_id: str, extra: Mapping[str, Any]) -> None:
    """
    Save an extra; in a file of connections, in place of the one there, whose data API key stays.

    :raises WesConfigurationError: if it cannot be saved; the file stays as it is.
    """
    content = _with_extra(_read(file), file, conn_id, extra)
    text = json.dumps(content, indent=2, ensure_ascii=False)
    try:
        _write(file, f"{text}\n")
    except OSError as error:
        raise _unwritable(file, error) from None


def _write(file: Path, text: str) -> None:
    """Write a file; one that exists is replaced as a whole, so that a full disk loses nothing."""
    if not file.is_file():
        file.write_text(text)
        return
    target = file.resolve()
    beside = target.with_name(f"{target.name}.new")
    # It has keys, so nobody else may read it, unless that was so before.
    beside.touch(mode=0o600)
    beside.write_text(text)
    shutil.copymode(target, beside)
    beside.replace(target)


def _read(file: Path) -> Any:
    """Return the JSON that a file has; an empty object if it is new, or no regular file."""
    if not file.is_file():
        return {}
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise _unwritable(file, error) from None
    except (ValueError, RecursionError):
        raise WesConfigurationError(f"{file} has no JSON, and stays as it is. {AS_JSON}") from None


def _unwritable(file: Path, error: OSError) -> WesConfigurationError:
    return WesConfigurationError(f"{file} cannot be written: {type(error).__name__}")


def _with_extra(saved: Any, file: Path, conn_id: str, extra: Mapping[str, Any]) -> Any:
    """
    Return what a file has to have.

    :param saved: what it has.
    """
    if not isinstance(saved, dict):
        raise WesConfigurationError(
            f"{file} has no connections, and stays as it is: it is JSON without an object. "
            f"{AS_JSON}"
        )
    if saved.keys() <= EXTRAS.keys():
        # It is new, or has an extra that was saved before.
        return extra
    connection = saved.get(conn_id)
    if not isinstance(connection, dict) or "conn_type" not in connection:
        raise WesConfigurationError(
            f"{file} has no connection {conn_id} that is a JSON object, and stays as it is. "
            f"{AS_JSON}"
        )
    with_extra = {**connection, "extra": {**_data_key_of(connection, file), **extra}}
    return {**saved, conn_id: with_extra}


def _data_key_of(connection: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """Return the data API key of a saved connection, as a part of its extra."""
    extra = connection.get("extra") or {}
    if isinstance(extra, str):
        try:
            extra = json.loads(extra) or {}
        except ValueError:
            extra = None
    if not isinstance(extra, dict):
        raise WesConfigurationError(
            f"{file} has an extra that is no JSON object, and stays as it is. {AS_JSON}"
        )
    if "data_api_key" in extra:
        return {"data_api_key": extra["data_api_key"]}
    return {}
