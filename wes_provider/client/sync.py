"""The synchronous driver: requests go over a pooled ``requests`` session."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import TypeVar

import requests
from requests.auth import HTTPBasicAuth
from urllib3.exceptions import HTTPError

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response, lost, never_sent
from wes_provider.client.retries import retrying
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.settings import WesSettings

__all__ = ["WesClient", "environment"]

T = TypeVar("T")
CHUNK = 65536


class WesClient:
    """
    Sends requests over one pool of connections.

    :param settings: the settings of the connection.
    :param count: called with an event, which is ``requests``, ``retries``, ``rate_limits`` or
        ``unknown_outcomes``, and the operation.
    """

    def __init__(
        self, settings: WesSettings, count: Callable[[str, str], None] | None = None
    ) -> None:
        self.settings = settings
        self._count = count or (lambda *_: None)
        self._session = requests.Session()
        # The environment is read here once, and not with each request.
        self._session.trust_env = False
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._proxies, self._verify = environment(settings)

    def run(
        self,
        request: Request,
        read: Callable[[Request, Response], T],
        *,
        wait_for_limits: bool = True,
    ) -> T:
        """
        Send a request and read its response, repeated as the policy says.

        :param read: returns the result, or raises a ``WesError``.
        :param wait_for_limits: repeat it after a refusal by the rate limit; else that is raised at
            once.
        :raises WesError: what came of the last attempt.
        """
        unknown = False
        for attempt in retrying(self.settings, wait_for_limits=wait_for_limits):
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    self._count("retries", request.operation)
                try:
                    return read(request, self.send(request))
                except WesError as error:
                    if isinstance(error, WesRateLimitError):
                        self._count("rate_limits", request.operation)
                    elif request.method != "GET" and error.may_have_effect:
                        self._count("unknown_outcomes", request.operation)
                        unknown = True
                    if unknown and not error.may_have_effect:
                        error.after_unknown = True
                        error.add("An earlier attempt of the request may have taken effect.")
                    raise
        raise AssertionError("the last attempt returns or raises")

    def send(self, request: Request) -> Response:
        """
        Send a request once.

        :raises WesConnectionError: if it surely never reached the service.
        :raises WesUnknownOutcomeError: if no whole response came otherwise.
        """
        self._count("requests", request.operation)
        settings = self.settings
        key = settings.data_api_key if request.data_key else settings.api_key
        try:
            response = self._session.request(
                request.method,
                request.url,
                data=request.body,
                headers=dict(request.headers),
                # Or ~/.netrc would replace it.
                auth=HTTPBasicAuth(settings.workspace_id.encode(), key.encode()),
                timeout=(settings.connect_timeout, settings.read_timeout),
                allow_redirects=False,
                proxies=self._proxies,
                verify=self._verify,
                stream=True,
            )
            with response:
                body = _read(response, request.largest, time.monotonic() + settings.read_timeout)
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            raise lost(request, error, sent=not never_sent(error)) from None
        headers = {name.lower(): text for name, text in response.headers.items()}
        return Response(response.status_code, headers, settings.without_keys(body))

    def close(self) -> None:
        """Close the pool's connections; the next request opens new ones."""
        self._session.close()


def _read(response: requests.Response, largest: int, until: float) -> bytes:
    """
    The body up to a bound and one byte more; if it breaks off after an error's status, that error
    counts.
    """
    body = bytearray()
    try:
        while chunk := response.raw.read1(
            CHUNK, decode_content=True
        ):  # what has come, while iter_content waits for all
            body += chunk
            if len(body) > largest:
                break
            if time.monotonic() > until:
                raise requests.ReadTimeout
    except (requests.RequestException, HTTPError):
        if response.status_code < 400:
            raise
    return bytes(body[: largest + 1])


def environment(settings: WesSettings) -> tuple[dict[str, str], bool | str]:
    """
    The proxies for the service and the CA bundle, by the connection and the variables that
    ``requests`` reads.
    """
    merged = requests.Session().merge_environment_settings(
        settings.base_url, {}, None, settings.verify, None
    )
    verify = merged["verify"]
    return dict(merged["proxies"]), settings.verify if verify is None else verify
