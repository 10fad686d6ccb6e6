"""URIs of coupon lists, catalogs and segments as assets."""

from __future__ import annotations

from typing import Any

import pytest

from wes_provider.assets import catalog, coupon_list, segment


@pytest.mark.parametrize(
    ("asset", "uri"),
    [
        (coupon_list("summer-sale"), "wes://coupon-list/summer-sale"),
        (coupon_list("a/b ?#%"), "wes://coupon-list/a%2Fb%20%3F%23%25"),
        (catalog("Möbel"), "wes://catalog/M%C3%B6bel"),
        (segment("7"), "wes://segment/7"),
    ],
)
def test_a_uri_holds_the_identifier_quoted(asset: Any, uri: str):
    assert asset.uri == uri
