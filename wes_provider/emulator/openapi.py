"""
The OpenAPI description of the service's operations, as the default settings make them.

Most of it is written by hand, in ``openapi.json``. The fields of an upload come from their table.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import msgspec

from wes_provider import contract
from wes_provider.contract import FieldKind
from wes_provider.emulator.bodies import UPLOAD_FIELDS
from wes_provider.emulator.replies import JsonObject

__all__ = ["describe"]


@lru_cache(maxsize=1)
def _text() -> str:
    return Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")


def describe() -> JsonObject:
    """Return the description."""
    description: JsonObject = json.loads(_text())
    schemas = description["components"]["schemas"]
    for name, field in UPLOAD_FIELDS.items():
        schema = msgspec.json.schema(field.type)
        if contract.UPLOAD_FIELDS[name] is FieldKind.URL:
            schema["format"] = "uri"
        schemas["Upload"]["properties"][name] = schema
        if field.shown:
            schemas["CouponFile"]["properties"][name] = schema
            schemas["NewCouponFile"]["properties"][name] = schema
    return description
