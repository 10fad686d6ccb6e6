"""
Services that differ from the documented one in more than the emulator's settings: stored names and
URLs, listings in pages, errors of another shape. What this provider has to bear; nobody else needs
to make it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from wes_provider.emulator import server
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import CONFLICT, Refusal, Reply
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Settings

PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class VariantSettings(Settings):
    # : Names are lower-case, without extension, cut to 40 characters; URLs have their port.
    short_names: bool = False
    # : Listings come newest first, in pages below ``items`` that name the next one.
    page_size: int | None = None
    errors: Literal["documented", "text", "renamed"] = "documented"


class VariantCoupons(Coupons):
    def contract_fields(self, file: CouponFile, status: str) -> dict[str, Any]:
        fields = super().contract_fields(file, status)
        if self._world.settings.short_names:  # type: ignore[attr-defined]
            url = urlsplit(file.file_url)
            netloc = f"{url.hostname}:{url.port or PORTS[url.scheme]}"
            fields["name"] = re.sub(r"(?<=.)\.[^./]*$", "", file.name).lower()[:40]
            fields["file_url"] = url._replace(netloc=netloc).geturl()
        return fields

    def listing(self, files: Sequence[CouponFile], raw_path: str) -> Reply:
        size = self._world.settings.page_size  # type: ignore[attr-defined]
        if size is None:
            return super().listing(files, raw_path)
        path, _, query = raw_path.partition("?")
        given = dict(parse_qsl(query))
        page = int(given.get("page", 1))
        more = page * size < len(files)
        following = f"{path}?{urlencode({**given, 'page': page + 1})}" if more else None
        items = [self.record(file) for file in files[::-1][(page - 1) * size : page * size]]
        return Reply.json(
            200, {"items": items, "total": len(files), "next": following, "has_more": more}
        )


class VariantService(Service):
    coupons_type = VariantCoupons

    def refused(self, refusal: Refusal) -> Reply:
        errors = self.settings.errors  # type: ignore[attr-defined]
        if errors == "documented" or not refusal.code:
            return refusal.reply()
        if errors == "text":
            return Reply.text(refusal.status, refusal.message).with_headers(refusal.headers)
        if refusal.code == CONFLICT:
            refusal.status, refusal.code = 422, "NameAlreadyTaken"
        error = {"reason": refusal.code, "detail": {"text": refusal.message, "details": []}}
        return Reply(refusal.status, json.dumps({"errors": [error]}).encode()).with_headers(
            refusal.headers
        )


class Emulator(server.Emulator):
    """An emulator with these settings, too."""

    settings_type = VariantSettings
    service_type = VariantService
