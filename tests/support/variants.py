"""
Services that differ from the documented one in more than the emulator's settings: names and URLs are rewritten,
listings come in pages, errors have another shape. What this provider has to bear; nobody else needs to make it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode, urlsplit, urlunsplit

from wes_provider.emulator import server
from wes_provider.emulator.checks import CONFLICT, Refusal, Reply
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.limits import Quota, Quotas
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Settings

UrlRewrite = Literal["lower_host", "upper_host", "add_port", "drop_port", "encode", "decode", "drop_query"]
DEFAULT_PORTS = {"http": 80, "https": 443}
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~()!*'"


@dataclass(frozen=True)
class VariantSettings(Settings):
    name_length: int | None = None  #: Names are cut to this many characters.
    name_case: Literal["keep", "lower", "upper"] = "keep"
    name_extension: Literal["keep", "drop"] = "keep"
    url_rewrites: tuple[UrlRewrite, ...] = ()  #: in this order
    list_hides: tuple[str, ...] = ()  #: properties that the listing leaves out
    list_order: Literal["oldest", "newest"] = "oldest"
    page_size: int | None = None  #: Files in a page, unless the query has a ``limit``.
    list_announces: tuple[Literal["total", "next", "has_more", "next_cursor", "link"], ...] = ()
    name_taken_status: int = 409
    name_taken_code: str = CONFLICT
    reset_rounding: Literal["ceil", "floor"] = "ceil"  #: ``floor`` is up to a second early.
    rate_limit_window: Literal["tightest", "shortest", "longest"] = "tightest"  #: that headers count
    error_format: Literal["json", "text"] = "json"
    error_code_property: str = "error.code"  #: a number is a place in a list
    error_message_property: str = "error.message"
    error_message_format: Literal["text", "object"] = "text"


def stored_name(name: str, settings: VariantSettings) -> str:
    """A file's name as the service keeps it: without its extension, in another case, cut; in this order."""
    if settings.name_extension == "drop":
        name = re.sub(r"(?<=.)\.[^./]*$", "", name)
    if settings.name_case != "keep":
        name = name.lower() if settings.name_case == "lower" else name.upper()
    return name[: settings.name_length]


def stored_url(url: str, rewrites: Iterable[UrlRewrite]) -> str:
    """A file's URL as the service keeps it; it fetches the file from where it was sent."""
    for rewrite in rewrites:
        url = _rewritten(url, rewrite)
    return url


def _rewritten(url: str, rewrite: UrlRewrite) -> str:
    parts = urlsplit(url)
    userinfo, at, address = parts.netloc.rpartition("@")
    host, port = re.fullmatch(r"(.*?)(?::(\d*))?", address).groups()  # type: ignore[union-attr]
    default = DEFAULT_PORTS.get(parts.scheme)
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
    elif rewrite == "drop_query":
        query = ""
    address = host if port is None else f"{host}:{port}"
    return urlunsplit((parts.scheme, f"{userinfo}{at}{address}", path, query, parts.fragment))


def _decoded(escape: str) -> str:
    character = chr(int(escape[1:], 16))
    return character if character in UNRESERVED else escape


def below(path: str, value: Any, into: Any = None) -> Any:
    """A value below a dotted property, in which a number is the place in a list: ``errors.0.code``."""
    name, dot, rest = path.partition(".")
    if name.isdigit():
        items = into if isinstance(into, list) else [None]
        return [below(rest, value, items[0]) if dot else value]
    known = into if isinstance(into, dict) else {}
    return {**known, name: below(rest, value, known.get(name)) if dot else value}


class VariantCoupons(Coupons):
    @property
    def settings(self) -> VariantSettings:
        settings = self._world.settings
        assert isinstance(settings, VariantSettings)
        return settings

    def contract_fields(self, file: CouponFile, status: str) -> dict[str, Any]:
        name, url = stored_name(file.name, self.settings), stored_url(file.file_url, self.settings.url_rewrites)
        return {**super().contract_fields(file, status), "name": name, "file_url": url}

    def listing(self, files: Sequence[CouponFile], raw_path: str) -> Reply:
        settings = self.settings
        if not (settings.list_hides or settings.page_size or settings.list_order == "newest"):
            return super().listing(files, raw_path)
        path, _, query = raw_path.partition("?")
        given = dict(parse_qsl(query))
        size = int(given.get("limit", 0)) or settings.page_size or len(files) or 1
        page = int(given.get("page") or given.get("cursor", "").removeprefix("page-") or 1)
        ordered = files if settings.list_order == "oldest" else files[::-1]
        records = [self.record(file) for file in ordered[(page - 1) * size : page * size]]
        shown = [{name: value for name, value in one.items() if name not in settings.list_hides} for one in records]
        more = page * size < len(files)
        following = f"{path}?{urlencode({**given, 'page': page + 1})}" if more else None
        cursor = f"page-{page + 1}" if more else None
        said = {"total": len(files), "next": following, "has_more": more, "next_cursor": cursor}
        announced = {name: value for name, value in said.items() if name in settings.list_announces}
        body = shown if settings.list_shape == "array" else below(settings.list_shape, shown, announced)
        link = {"Link": f'<{following}>; rel="next"'} if more and "link" in settings.list_announces else {}
        return Reply.json(200, body).with_headers(link)


class VariantQuotas(Quotas):
    def headers_of(self, windows: list[Quota]) -> dict[str, str]:
        settings = self._world.settings
        assert isinstance(settings, VariantSettings)
        shown = {"shortest": windows[:1], "longest": windows[-1:]}.get(settings.rate_limit_window, windows)
        if settings.reset_rounding == "floor":
            shown = [one._replace(reset=math.floor(one.reset)) for one in shown]
        return super().headers_of(shown)


class VariantService(Service):
    coupons_type = VariantCoupons
    quotas_type = VariantQuotas

    def refused(self, refusal: Refusal) -> Reply:
        settings = self.settings
        assert isinstance(settings, VariantSettings)
        if refusal.code == CONFLICT:
            refusal.status, refusal.code = settings.name_taken_status, settings.name_taken_code
        if not refusal.code:
            return refusal.reply()
        if settings.error_format == "text":
            return Reply.text(refusal.status, refusal.message).with_headers(refusal.headers)
        is_object = settings.error_message_format == "object"
        message = {"text": refusal.message, "details": []} if is_object else refusal.message
        body = below(settings.error_message_property, message, below(settings.error_code_property, refusal.code))
        return Reply(refusal.status, json.dumps(body).encode()).with_headers(refusal.headers)


class Emulator(server.Emulator):
    """An emulator with these settings, too."""

    settings_type = VariantSettings
    service_type = VariantService
