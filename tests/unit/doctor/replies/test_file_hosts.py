"""
What to do about a file's URL follows from the words of the refusal: a certificate or TLS is for
whoever runs the file's host, a host that is not found is to be checked, one that wants a login needs
the two members that tasks send or another URL, one that is not allowed is to be allowed or replaced,
and one that does not let the service in has to. If words only want another URL, do what they say;
what the host has replied, such as 404, says only that the URL cannot be read.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.file_hosts import about_file_url


class Trouble(NamedTuple):
    """Words about a file's URL, and a part of the advice."""

    words: str
    advice: str


CERTIFICATE = "give that a certificate that is valid"
TLS = "set up TLS there as the service takes it"
NOT_FOUND = "check the host that it names"
LOGIN = "Give file_url_auth_username and file_url_auth_password in your tasks"
ALLOW = "allow its host as a source of files"
HOLDS = "put the file on a host of which that holds"
INSIDE = "put the file on a host that the service can reach"
LET_IN = "see whether its host lets the service in"
SEE = "see whether it can be read without a login from where the service asks"
TROUBLES = [
    Trouble("The certificate of files.example.com expired", CERTIFICATE),
    Trouble("TLS handshake failed: self-signed", CERTIFICATE),
    Trouble("file_url: TLS 1.1 is no longer supported", TLS),
    Trouble("SSL handshake failure", TLS),
    Trouble("The address files.example.com cannot be resolved", NOT_FOUND),
    Trouble("DNS lookup failed", NOT_FOUND),
    Trouble("unknown host", NOT_FOUND),
    Trouble("HTTP 401 from files.example.com", LOGIN),
    Trouble("authentication required to fetch the file", LOGIN),
    Trouble("The host is not on the allow-list of file sources", ALLOW),
    Trouble("The host is not an approved source", ALLOW),
    Trouble("Untrusted host", ALLOW),
    Trouble("This source is blocked", ALLOW),
    Trouble("file_url must point to a host in the region eu", HOLDS),
    Trouble("Only hosts of this workspace are taken", HOLDS),
    Trouble("file_url is a private address", INSIDE),
    Trouble("connection refused", LET_IN),
    Trouble("timed out", LET_IN),
    Trouble("file_url must end with .csv", "do what it says, and run this again with such a URL"),
    Trouble("files.example.com returned 404", SEE),
    Trouble("files.example.com returned 403 access denied", SEE),
    Trouble("HEAD returned 401", f"{SEE}, and run this again with one that can. A URL that is"),
    Trouble("file_url is wrong", SEE),
]


@pytest.mark.parametrize("row", TROUBLES, ids=[row.words for row in TROUBLES])
def test_what_to_do_about_a_files_url_follows_from_the_words(row: Trouble):
    advice = about_file_url(row.words)
    assert advice.startswith("It is about the file's URL, and no setting: ")
    assert row.advice in advice
