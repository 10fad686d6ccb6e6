"""What messages show of values: bounded, and URLs without what may be secret."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import unquote, urlsplit

__all__ = ["PAGES", "about", "counted", "file_title", "redact", "redact_url", "shown"]

SHOWN: Final = 100  # characters of a value
PAGES: Final = "https://airflow-provider-wes.readthedocs.io/en/stable/"

# User:password@host, with a scheme or without.
_USER_INFO = re.compile(r"[^\s/:@\"'<>]*:(?!//)[^\s\"'<>@]*@(?=[\w\[])")
_AFTER_PATH = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>?#;]*)[?#;][^\s\"'<>]*")
_PARAMETERS = re.compile(r"(?<=[\w/])[?#;](?=[^\s\"'<>]*=)[^\s\"'<>]+")  # the same without a scheme


def redact(text: str) -> str:
    """
    A text whose URLs have neither user information nor what follows their paths: a signed URL's is
    secret.
    """
    return _PARAMETERS.sub("", _AFTER_PATH.sub(r"\1", _USER_INFO.sub("", text)))


def redact_url(url: str) -> str:
    """A URL without user information, parameters, query and fragment."""
    for separator in "?#;":
        url = url.partition(separator)[0]
    scheme, slashes, rest = url.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def shown(value: Any, length: int = SHOWN, *, quoted: bool = True) -> str:
    """
    A value as a message shows it: in one line, bounded, URLs without secrets.

    :param length: characters at most.
    :param quoted: whether a text stands in quotes, so that it is told from the message.
    """
    text = value if isinstance(value, str) else repr(value)
    # Cut before, so that a huge text costs no time, and after, so that no URL is cut in two.
    line = redact("".join(each if each.isprintable() else " " for each in text[: 20 * length]))
    line = line if len(line) <= length else line[: length - 1] + "…"
    return repr(line) if isinstance(value, str) and quoted else line


def file_title(url: str) -> str:
    """The last two parts of a URL's path, ``summer/a.csv``; its host, if it has no path."""
    parts = urlsplit(redact_url(url))
    path = [part for part in redact_url(unquote(parts.path)).split("/") if part]
    return shown("/".join(path[-2:]) or parts.netloc, quoted=False)


def about(cause: str, coupon_list_id: str = "", file: str = "") -> str:
    """
    The first line of a message: what happened, whole, and to which file of which list.

    :param file: what people know the file by, or its identifier; empty if the message is about the
        list.
    """
    where = f"{file} of list {coupon_list_id}" if file else f"list {coupon_list_id}"
    return f"{cause} ({where})" if coupon_list_id else cause


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 poll``, ``2 polls``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
