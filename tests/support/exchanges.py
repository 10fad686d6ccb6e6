"""A request of each kind, and responses to them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.settings import settings
from wes_provider.client.requests import (
    create_catalog,
    get_coupon_file,
    list_coupon_files,
    update_segment,
    upload,
)
from wes_provider.client.responses import Response

SETTINGS = settings(workspace_header="X-App")
UPLOAD = upload(SETTINGS, "summer", {"file_url": "https://files.example.com/a/coupons.csv"})
READ = get_coupon_file(SETTINGS, "summer", "f1")
LIST = list_coupon_files(SETTINGS, "summer")
CATALOG = create_catalog(SETTINGS, {"name": "shoes"})
SEGMENT = update_segment(SETTINGS, "a/b", {"name": "n"})
FILE = {"_id": "f1", "status": "PENDING", "name": "n"}


def response(status: int, body: Any = b"", **headers: str) -> Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(
        status, {name.replace("_", "-"): text for name, text in headers.items()}, content
    )


REQUESTS = {"read": READ, "upload": UPLOAD, "update": SEGMENT}
by_page = pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"<!DOCTYPE html><title>Log in</title>", id="a doctype"),
        pytest.param(
            b"\n <html><body>Accept the terms</body></html>", id="HTML below a blank line"
        ),
        pytest.param(b"<?xml version='1.0'?><login/>", id="XML"),
    ],
)
