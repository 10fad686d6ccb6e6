"""Secrets in arguments, told to Airflow's own masker as soon as they are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

try:
    from airflow.sdk.log import mask_secret
except ImportError:  # Airflow 2.11
    from airflow.utils.log.secrets_masker import mask_secret  # type: ignore[import-not-found,no-redef]

__all__ = ["hide_secrets", "mask_secret"]

_OF_URLS: Final = re.compile(
    r"://[^\s/:@\"'?]*:(?P<password>[^\s/@\"']+)@|[?;#](?P<query>[^\s\"'<>]*=[^\s\"'<>]*)"
)
SHORTEST: Final = 8  # characters; a shorter query stands in too many other texts


def hide_secrets(value: Any) -> None:
    """
    Have Airflow hide the passwords and queries of a text's URLs, and a file's
    ``file_url_auth_password``.

    :param value: rendered; a list or an object of another task comes as a whole.
    """
    if isinstance(value, Mapping):
        if value.get("file_url_auth_password"):
            mask_secret(str(value["file_url_auth_password"]))
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            hide_secrets(item)
    elif isinstance(value, str):
        if value.lstrip()[:1] in ("[", "{"):  # a template's JSON, or a bracket of something else
            with suppress(msgspec.DecodeError):
                hide_secrets(msgspec.json.decode(value))
        for found in _OF_URLS.finditer(value):
            if secret := found["password"] or (
                found["query"] if len(found["query"]) >= SHORTEST else ""
            ):
                mask_secret(secret)
