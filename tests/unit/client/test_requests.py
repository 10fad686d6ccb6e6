"""
What requests hold: an upload is a POST of JSON with the workspace in the header that the
connection names, and an update of a segment a PATCH whose identifier is percent-encoded. Each
request tells caches to keep out of the way (``Cache-Control: no-cache``). No request has
credentials, which the drivers add.
"""

from __future__ import annotations

import json

from support.exchanges import READ, SEGMENT, UPLOAD


def test_an_upload_is_a_post_of_json_to_the_list():
    """The header that the connection names, X-App, has the workspace."""
    assert (UPLOAD.method, UPLOAD.url) == ("POST", "http://127.0.0.1:9/v1/coupon-list/summer/files")
    assert json.loads(UPLOAD.body or b"") == {"file_url": "https://files.example.com/a/coupons.csv"}
    assert UPLOAD.headers["X-App"] == "workspace-1"
    assert UPLOAD.headers["Content-Type"] == "application/json"


def test_a_read_asks_caches_for_nothing():
    assert READ.headers["Cache-Control"] == "no-cache"


def test_a_segments_update_is_a_patch_whose_identifier_is_percent_encoded():
    """The segment is ``a/b``."""
    assert SEGMENT.method == "PATCH"
    assert SEGMENT.url.endswith("/a%2Fb")


def test_requests_are_built_without_credentials():
    """The drivers add them."""
    assert "Authorization" not in {**UPLOAD.headers, **SEGMENT.headers}
