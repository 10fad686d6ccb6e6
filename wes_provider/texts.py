"""What messages show of values: bounded, and URLs without what may be secret. Pure."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import unquote, urlsplit

SHOWN: Final = 100  # characters of a value
PAGES: Final = "https://airflow-provider-wes.readthedocs.io/en/stable/"

# user:password@host, with a scheme or without. A match begins where a word begins: tried at each
# character, a long word would take quadratic time.
_USER_INFO: Final = re.compile(r"(?<![^\s/:@\"'<>])[^\s/:@\"'<>]*:(?!//)[^\s\"'<>@]*@(?=[\w\[])")
# A user without a password, which may be a token. (Before a bucket, it names a connection.)
_TOKEN: Final = re.compile(r"(\b(?:https?|s?ftps?)://)[^\s\"'<>/?#@]+@(?=[\w\[])", re.IGNORECASE)
# What follows the path of a URL; and the same without a scheme, if it has a parameter.
_AFTER_PATH: Final = re.compile(r"(://[^\s\"'<>?#;]*)[?#;][^\s\"'<>]*")
_PARAMETERS: Final = re.compile(r"(?<=[\w/])[?#;](?=[^\s\"'<>]*=)[^\s\"'<>]+")
# The same of a URL that is percent-encoded, once or several times, as a parameter has it.
_ENCODED_USER_INFO: Final = re.compile(
    r"(%(?:25)*3A(?:/|%(?:25)*2F){2})[^\s\"'<>/?&]*?%(?:25)*40", re.IGNORECASE
)
_AFTER_ENCODED_PATH: Final = re.compile(
    r"(%(?:25)*3A(?:/|%(?:25)*2F){2}[^\s\"'<>?#;&]*?)%(?:25)*(?:3F|23|3B)[^\s\"'<>]*", re.IGNORECASE
)


def redact(text: str) -> str:
    """
    Return a string whose URLs have neither user information nor what follows their paths: a signed
    URL's is secret. The connection of ``s3://aws_default@bucket`` stays.
    """
    without_users = _ENCODED_USER_INFO.sub(r"\1", _USER_INFO.sub("", text))
    without_users = _TOKEN.sub(r"\1", without_users)
    without_queries = _AFTER_PATH.sub(r"\1", without_users)
    without_queries = _AFTER_ENCODED_PATH.sub(r"\1", without_queries)
    return _PARAMETERS.sub("", without_queries)


def redact_url(url: str) -> str:
    """Return a URL without user information, parameters, query and fragment."""
    for separator in "?#;":
        url = url.partition(separator)[0]
    scheme, slashes, rest = url.rpartition("://")
    host, slash, path = rest.partition("/")
    host = host.rpartition("@")[2]
    return f"{scheme}{slashes}{host}{slash}{path}"


def shown(value: Any, length: int = SHOWN, *, quoted: bool = True) -> str:
    """
    Return a value as a message shows it: in one line, bounded, URLs without secrets.

    :param length: characters at most.
    :param quoted: whether a string stands in quotes, so that it is told from the message.
    """
    is_string = isinstance(value, str)
    text = value
    if not is_string:
        text = repr(value)
    # Cut before, so that a huge string costs no time, and after, so that no URL is cut in two.
    text = text[: 20 * length]
    line = redact(_printable(text))
    if len(line) > length:
        line = line[: length - 1] + "…"
    if is_string and quoted:
        return repr(line)
    return line


def _printable(text: str) -> str:
    """Return a text with spaces in the place of what cannot be printed, such as line breaks."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " for character in text)


def file_title(url: str) -> str:
    """Return the last two parts of a URL's path, ``summer/a.csv``; its host, if it has no path."""
    parts = urlsplit(redact_url(url))
    # What is quoted in the path may be a URL itself.
    path = redact_url(unquote(parts.path))
    names = [name for name in path.split("/") if name]
    return shown("/".join(names[-2:]) or parts.netloc, quoted=False)


def about(cause: str, coupon_list_id: str = "", file: str = "") -> str:
    """
    Return the first line of a message: what happened, whole, and to which file of which list.

    :param file: what people know the file by, or its identifier; empty if the message is about the
        list.
    """
    if not coupon_list_id:
        return cause
    if not file:
        return f"{cause} (list {coupon_list_id})"
    return f"{cause} ({file} of list {coupon_list_id})"


def counted(number: int, noun: str) -> str:
    """Return a number of things: ``1 poll``, ``2 polls``."""
    if number == 1:
        return f"{number} {noun}"
    return f"{number} {noun}s"
