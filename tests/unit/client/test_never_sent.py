"""
What an error of the network says of a request. It was never sent if no connection came about, to
the service or to the proxy, or if the URL cannot be used; after any other error it may have
arrived, which is permanent for an upload and not for a read.
"""

from __future__ import annotations

import ssl

import pytest
import requests
import urllib3

from support.exchanges import READ, UPLOAD
from wes_provider.client import failures
from wes_provider.client.connecting import NotEstablishedError

NEVER_SENT = {
    "no connection": requests.ConnectionError(NotEstablishedError()),
    "no connection to the proxy": requests.exceptions.ProxyError(
        urllib3.exceptions.ProxyError("x", NotEstablishedError())
    ),
    "no URL": requests.exceptions.InvalidURL(),
    "no driver for the proxy": requests.exceptions.InvalidSchema(
        "Missing dependencies for SOCKS support."
    ),
    "no host": urllib3.exceptions.LocationParseError("a label that is too long"),
}
PERHAPS_SENT = {
    "a broken TLS record": requests.exceptions.SSLError(ssl.SSLError("a broken record")),
    "TLS broken off": requests.exceptions.SSLError(ssl.SSLEOFError("broken off")),
    "a reset": requests.ConnectionError(
        urllib3.exceptions.ProtocolError("reset", ConnectionResetError())
    ),
    "a broken tunnel": requests.exceptions.ProxyError(
        urllib3.exceptions.ProxyError("tunnel", OSError())
    ),
    "no response in time": requests.ReadTimeout(),
    "half a response": requests.exceptions.ChunkedEncodingError(),
    "a timeout of any kind": TimeoutError(),
}


@pytest.mark.parametrize("error", NEVER_SENT.values(), ids=NEVER_SENT)
def test_what_definitely_reached_nobody_was_never_sent(error: Exception):
    assert failures.was_never_sent(error)


@pytest.mark.parametrize("error", PERHAPS_SENT.values(), ids=PERHAPS_SENT)
def test_what_may_have_reached_somebody_was_perhaps_sent(error: Exception):
    assert not failures.was_never_sent(error)


def test_the_error_of_what_was_never_sent_says_so():
    assert "Nothing was sent" in str(failures.not_sent(UPLOAD, requests.ReadTimeout()))


def test_the_error_without_a_response_leaves_open_whether_the_request_took_effect():
    error = failures.no_response(UPLOAD, requests.ReadTimeout())
    assert "Whether it took effect is not known" in str(error)


def test_the_error_of_an_upload_without_a_response_is_permanent():
    assert failures.no_response(UPLOAD, requests.ReadTimeout()).permanent


def test_the_error_of_a_read_without_a_response_is_not_permanent():
    assert not failures.no_response(READ, requests.ReadTimeout()).permanent
