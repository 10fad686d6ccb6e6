"""Names and URLs of coupon files as a service stores them, which may differ from what was sent. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote_to_bytes, urlsplit, urlunsplit

from wes_provider.emulator.settings import Settings, UrlRewrite

__all__ = ["stored_name", "stored_url"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~()!*'"


def stored_name(name: str, settings: Settings) -> str:
    """
    A file's name as the service keeps it: without its extension, in another case, cut; in this order.

    :param name: as it was sent.
    :return: the name, which is the same with the default settings.
    """
    if settings.name_extension == "drop":
        name = re.sub(r"(?<=.)\.[^./]*$", "", name)
    if settings.name_case != "keep":
        name = name.lower() if settings.name_case == "lower" else name.upper()
    return name[: settings.name_length]


def stored_url(url: str, rewrites: Iterable[UrlRewrite]) -> str:
    """
    A file's URL as the service keeps it.

    :param url: as it was sent; the service fetches the file from there, whatever it shows.
    :param rewrites: are applied in this order.
    """
    for rewrite in rewrites:
        url = _rewritten(url, rewrite)
    return url


def _rewritten(url: str, rewrite: UrlRewrite) -> str:
    parts = urlsplit(url)
    userinfo, at, address = parts.netloc.rpartition("@")
    host, port = re.fullmatch(r"(.*?)(?::(\d*))?", address).groups()  # type: ignore[union-attr]
    default = _DEFAULT_PORTS.get(parts.scheme)
    path, query = parts.path, parts.query
    if rewrite == "lower_host":
        host = host.lower()
    elif rewrite == "upper_host":
        host = host.upper()
    elif rewrite == "add_port" and not port and default:
        port = str(default)
    elif rewrite == "drop_port" and port == str(default):
        port = None
    elif rewrite == "encode":
        path = "/".join(quote(unquote_to_bytes(segment), safe="") for segment in path.split("/"))
    elif rewrite == "decode":
        path = re.sub("%[0-9A-Fa-f]{2}", lambda match: _decoded(match[0]), path)
    elif rewrite == "lower_encoding":
        path = re.sub("%[0-9A-Fa-f]{2}", lambda match: match[0].lower(), path)
    elif rewrite == "drop_query":
        query = ""
    address = host if port is None else f"{host}:{port}"
    return urlunsplit((parts.scheme, f"{userinfo}{at}{address}", path, query, parts.fragment))


def _decoded(escape: str) -> str:
    character = chr(int(escape[1:], 16))
    return character if character in _UNRESERVED else escape
