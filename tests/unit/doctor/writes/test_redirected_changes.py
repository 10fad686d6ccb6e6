"""
A change that is redirected is *wrong*; the redirect is not followed, and nothing shows that it was
done. Where it leads to decides. From HTTPS to HTTP, no key may go, whatever the host. An upload to
the same path of another host, port or prefix: the address there may be put in only once reads work
there; if paths of the connection begin with that prefix, it is to be put into the Address and taken
out of paths. A query of the redirect is not sent, which is said. To another path, on this host or
another one, no setting changes it. An update to the same path of another host needs a second
connection. Words of a version that has ended are said first. After each redirect of an upload, its
file is to be looked for before anything is uploaded again.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Topic

SEARCH = (
    "Look for Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
    "again before that."
)
REDIRECTS = [
    Case(
        "the same path of another host",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://other.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: reads work at this Address, and nothing shows whether "
        "they do there. Ask the service's support where uploads go without a redirect, and whether "
        "lists and files can be read there; only then put https://other.example.com into the "
        "Address. Look for Wes-Doctor-1.csv among the list's files in the service's console; "
        "upload nothing again before that.",
    ),
    Case(
        "the same path of another host, with a query",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/v1/coupon-list/spring/files?sig=1"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://other.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: reads work at this Address, and nothing shows whether "
        "they do there. Ask the service's support where uploads go without a redirect, and whether "
        "lists and files can be read there; only then put https://other.example.com into the "
        "Address. The redirect has a query, which the provider does not send. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing again "
        "before that.",
    ),
    Case(
        "below a prefix that paths of the connection begin with",
        Topic.UPLOAD,
        reply(307, location="https://api.example.com/gw/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://api.example.com/gw/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: put https://api.example.com/gw into the Address, and take "
        f"it out of paths. {SEARCH}",
        connection={"coupon_files_path": "/gw/v1/coupon-list/{coupon_list_id}/files"},
    ),
    Case(
        "below a prefix that a longer word in paths begins with",
        Topic.UPLOAD,
        reply(307, location="https://api.example.com/gw/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://api.example.com/gw/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: reads work at this Address, and nothing shows whether "
        "they do there. Ask the service's support where uploads go without a redirect, and whether "
        "lists and files can be read there; only then put https://api.example.com/gw into the "
        f"Address. {SEARCH}",
        connection={"coupon_files_path": "/gwx/v1/coupon-list/{coupon_list_id}/files"},
    ),
    Case(
        "another path of this host",
        Topic.UPLOAD,
        reply(307, b"", location="https://api.example.com/v2/up"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to https://api.example.com/v2/up "
        "(307), which is not followed. Nothing shows that it was done: no setting changes "
        "the path, so ask the service's support to take uploads there, or for a newer "
        "provider. Look for Wes-Doctor-1.csv among the list's files in the service's "
        "console; upload nothing again before that.",
    ),
    Case(
        "http of this host",
        Topic.UPLOAD,
        reply(307, b"", location="http://api.example.com/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "http://api.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: it leads from HTTPS to HTTP, where no key may go. "
        "Ask whoever runs the gateway, or the service's support, to keep HTTPS. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "http of another host",
        Topic.UPLOAD,
        reply(307, b"", location="http://other.example.org/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "http://other.example.org/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: it leads from HTTPS to HTTP, where no key may go. "
        "Ask whoever runs the gateway, or the service's support, to keep HTTPS. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "another path of another host",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/up"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to https://other.example.com/up "
        "(307), which is not followed. Nothing shows that it was done: ask the service's "
        "support: no setting changes the path there. Look for Wes-Doctor-1.csv among the "
        "list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "the same path in another data center",
        Topic.UPLOAD,
        reply(307, b"", location="https://api.example.com:8443/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://api.example.com:8443/v1/coupon-list/spring/files (307), which is not "
        "followed. Nothing shows that it was done: reads work at this Address, and nothing shows "
        "whether they do there. Ask the service's support where uploads go without a redirect, and "
        "whether lists and files can be read there; only then put https://api.example.com:8443 "
        "into the Address. Look for Wes-Doctor-1.csv among the list's files in the service's "
        "console; upload nothing again before that.",
    ),
    Case(
        "an update, to the same path of another host",
        Topic.SEGMENT,
        reply(307, b"", location="https://data.example.com/v3/custom-segments/vip"),
        Certainty.WRONG,
        "PATCH /v3/custom-segments/vip is redirected to "
        "https://data.example.com/v3/custom-segments/vip (307), which is not followed. "
        "Nothing shows that it was done: segments (/v3) are at https://data.example.com, by "
        "the service's words: leave this connection for coupons, and make a second one with "
        "that Address and the Data API key as its password. Name it in the tasks that update "
        "segments, and run wes-doctor --conn-id ID on it.",
    ),
    Case(
        "words of a version that has ended",
        Topic.UPLOAD,
        reply(308, {"message": "Version v1 is retired."}, location="https://api.example.com/v2/up"),
        Certainty.WRONG,
        "The version that uploads go to has ended. POST /v1/coupon-list/spring/files is "
        "redirected to https://api.example.com/v2/up (308: 'Version v1 is retired'), which "
        "is not followed. Nothing shows that it was done: no setting changes the path, so "
        "ask the service's support to take uploads there, or for a newer provider. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=ids(REDIRECTS))
def test_where_a_change_is_redirected_to_decides_what_to_do(row: Case):
    check_reply(row)
