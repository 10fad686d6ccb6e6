"""The synchronous driver: calls run over a pooled ``requests`` session."""

from __future__ import annotations

import http.client
import math
import re
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import requests
import tenacity
import urllib3.exceptions
from requests.structures import CaseInsensitiveDict

from wes_provider.client.bounded import BoundedAdapter, begin_request, request_was_sent, status_received
from wes_provider.client.environment import ca_bundle, proxy_for, tls_context
from wes_provider.client.events import report
from wes_provider.client.operations import MAX_BODY, Operation, Request, Response
from wes_provider.client.retry import Attempts, repeats, response_lost, retrying_arguments, transport_error
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import WesError

__all__ = ["WesClient"]

T = TypeVar("T")

STREAMED_FOR: Final = 10  # read timeouts, in which a listing has to end: it may be long
_CHUNK = 65536


class WesClient:
    """
    Runs calls over one pool of connections; threads may share it.

    :param settings: the settings of the connection.
    :param sleep: how to wait between attempts.
    """

    def __init__(self, settings: WesSettings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.settings = settings
        self._adapter = BoundedAdapter(pool_maxsize=32)
        # requests reads the environment for every request; once is enough.
        proxy = proxy_for(settings.base_url)
        self._proxies = {"http": proxy, "https": proxy} if proxy else {}
        self._verify = ca_bundle(settings.verify)
        if isinstance(self._verify, str):
            tls_context(self._verify)  # so that an unusable bundle is an error here
        self._retrying = tenacity.Retrying(sleep=sleep, **retrying_arguments(settings))

    def run(self, operation: Operation[T], *, wait_for_limits: bool = True) -> T:
        """
        Run a call, repeated as the policy says.

        :param wait_for_limits: repeat it after a refusal by the rate limit; else that is raised at once.
        :raises WesError: what came of the last attempt.
        """
        attempts = Attempts(operation.request)
        retrying = self._retrying if wait_for_limits else self._retrying.copy(retry=repeats(None))
        for attempt in retrying:
            with attempt, attempts:
                result = self.run_once(operation)
        return result

    def run_once(self, operation: Operation[T], *, within: float = math.inf) -> T:
        """
        Run a call with a single attempt.

        :param within: seconds that it may take, if that is less than the connection's timeouts.
        """
        request = operation.request
        report("requests", request.operation)
        prepared = requests.PreparedRequest()
        # Set as they are: preparing would quote the URL again and resolve dots in it.
        prepared.method, prepared.url, prepared.body = request.method, request.url, request.body
        prepared.headers = CaseInsensitiveDict(request.headers)
        timeout = (min(self.settings.connect_timeout, within), min(self.settings.read_timeout, within))
        begin_request(min(self.settings.read_timeout * (STREAMED_FOR if request.streamed else 1), within))
        try:
            response = self._adapter.send(
                prepared, stream=True, timeout=timeout, verify=self._verify, proxies=self._proxies
            )
        except requests.exceptions.RequestException as error:
            if (status := status_received()) is not None:
                raise response_lost(request, f"the headers broke off ({type(error).__name__})", status) from None
            raise transport_error(request, _reason(error), sent=request_was_sent()) from None
        with response:  # its connection stays in use as long as it is read
            return operation.read(_received(request, response))

    def close(self) -> None:
        """Close the pool's connections; the next call opens new ones."""
        self._adapter.close()


def _received(request: Request, response: requests.Response) -> Response:
    """What an operation reads: a listing as it comes, any other body as a whole."""
    status = response.status_code
    if status < 200:
        raise response_lost(request, f"responded {status}, and no more", status)
    headers = {name.lower(): value for name, value in response.headers.items()}
    chunks = _chunks(request, response)
    if request.streamed and 200 <= status < 300:
        return Response(status, headers, b"", chunks)
    try:
        body = _bounded(chunks)
    except WesError:
        if status < 400:
            raise
        body = b""  # the status says enough
    return Response(status, headers, body)


def _chunks(request: Request, response: requests.Response) -> Iterator[bytes]:
    """
    The body as it is on the wire.

    :raises WesError: if it breaks off.
    """
    try:
        while chunk := response.raw.read1(_CHUNK, decode_content=False):
            yield chunk
        if expected := response.raw.length_remaining:  # what of Content-Length is to come
            raise urllib3.exceptions.IncompleteRead(0, expected)
    except (urllib3.exceptions.HTTPError, OSError, TimeoutError) as error:
        why = f"the response broke off ({type(error).__name__})"
        raise response_lost(request, why, response.status_code) from None


def _bounded(chunks: Iterator[bytes]) -> bytes:
    """The body up to the bound; the rest stays unread."""
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_BODY:
            break
    return bytes(body[: MAX_BODY + 1])


def _reason(error: BaseException) -> str:
    """The error at the bottom: outer ones quote URLs and objects. No text of the server's."""
    inner: BaseException | None = error
    while inner is not None:
        error = inner
        inner = getattr(error, "reason", None) or next((a for a in error.args if isinstance(a, BaseException)), None)
        if not isinstance(inner, BaseException):
            inner = None
    if isinstance(error, http.client.HTTPException):
        return type(error).__name__
    text = re.sub(r"\[SSL[^\]]*\] | \(_ssl\.c:\d+\)", "", str(error))
    return f"{type(error).__name__}: {text.rpartition(': ')[2]}"
