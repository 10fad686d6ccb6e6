"""
A file failed since the service could not fetch it if its reason speaks of fetching, a download,
"GET", "HTTP", a host, DNS, a connection, a certificate or a timeout ("no header" is another
reason). An error leaves open whether a thing is lacking or access to it if "or" stands before
access, permission, "allowed", "visible" and the like, or between access or permission and "exist"
or "found", such as "not there or no access". "No access" alone and "not found or gone" leave
nothing open.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

IS_OF_FETCHING = [
    Tells(
        True,
        [
            "could not fetch",
            "download failed",
            "retrieve",
            "retrieving",
            "file_url",
            "GET x",
            "HTTP 404",
            "unknown host",
            "DNS",
            "connection",
            "certificate",
            "timeout",
            "timed out",
            "time out",
            "unreachable",
            "nicht abgerufen",
            "nicht herunterladbar",
        ],
    ),
    Tells(False, ["", "no header", "targets", "hosts"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_OF_FETCHING))
def test_reasons_of_a_file_that_was_not_fetched_are_known(text: str, expected: Any):
    assert remedies.is_of_fetching(text) == expected


MAY_LACK_ACCESS = [
    Tells(
        True,
        [
            "not there or no access",
            "or you lack permission",
            "or not permitted",
            "or not allowed",
            "or not authorized",
            "or not authorised",
            "or not visible",
            "or not shared",
            "or does not belong",
            "no access or does not exist",
            "no permission or not found",
            "no Access, or it does not exist",
        ],
    ),
    Tells(
        False,
        ["", "no access", "or else", "not found or gone", "for access"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(MAY_LACK_ACCESS))
def test_words_that_leave_open_whether_access_or_a_thing_is_lacking_are_known(
    text: str, expected: Any
):
    assert remedies.may_lack_access(text) == expected
