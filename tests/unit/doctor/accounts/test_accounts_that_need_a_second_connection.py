"""
If segments or lists alone are on another host, as the words of a 404, a redirect of an update or a
member of a 421 say, the verdict names that host, and a second connection for them, with the key
that they need; the Address stays. If the segment was only read, no update is advised.
"""

from __future__ import annotations

import pytest

from support.doctor_effects import (
    Case,
    below,
    check,
)
from support.doctor_service import (
    Account,
    error_reply,
    json_reply,
)
from support.servers import Reply

SEGMENT = {"segment_id": "s"}
MOVED = error_reply(
    404, "moved", "Segments have moved to audience.wes.test, see https://docs.wes.test/x"
)
MISROUTED = json_reply(
    421,
    {
        "error": {"code": "misrouted", "message": "Another edge has them."},
        "endpoint": "https://coupons.us2.wes.test",
    },
)
HOSTS = [
    Case(
        "segments, by the words of a 404",
        below("/v3/", MOVED),
        (
            "Not proved: Data API key. Reads get 404 moved",
            "Segments (/v3) are at https://audience.wes.test",
            "leave this connection for coupons, and make a second one",
            "and the Data API key as its password",
            "run wes-doctor --conn-id ID on it",
        ),
        absent=("--segment",),
    ),
    Case(
        "an update of a segment, by a redirect",
        lambda: Account(
            lambda call: (
                Reply(307, b"", {"Location": f"https://profiles.test{call.path}"})
                if call.path.startswith("/v3/")
                else None
            )
        ),
        ("Not ready: Segment.", "segments (/v3) are at https://profiles.test, by", "second one"),
        absent=("into the Address",),
        options=SEGMENT,
    ),
    Case(
        "lists, by a member of an error",
        below("/v1/", MISROUTED),
        (
            "Not ready: Campaign API key. The service replies 421 misrouted",
            "Coupon lists and files are at https://coupons.us2.wes.test",
            "leave this connection for segments",
            "make a second one",
        ),
    ),
]


@pytest.mark.parametrize("case", HOSTS, ids=[case.name for case in HOSTS])
def test_a_second_connection_is_needed_if_segments_or_lists_alone_are_on_another_host(case: Case):
    check(case)
