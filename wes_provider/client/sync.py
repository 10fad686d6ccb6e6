"""The synchronous driver: requests go over a pooled ``requests`` session."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from http.cookiejar import DefaultCookiePolicy
from typing import Final, NamedTuple, TypeVar

import requests
from requests.auth import HTTPBasicAuth
from requests.utils import select_proxy
from urllib3.exceptions import HTTPError, ReadTimeoutError

from wes_provider.client import failures
from wes_provider.client.connecting import TellingAdapter
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.client.retries import retrying
from wes_provider.contract import Key, Operation
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.settings import WesSettings

T = TypeVar("T")
CHUNK: Final = 65536  # bytes


def count_nothing(event: str, operation: str) -> None:
    """Take the place of the metrics for a client that has none."""


class WesClient:
    """
    Sends requests over one pool of connections.

    :param settings: the settings of the connection.
    :param count: called with an event, which is ``requests``, ``retries``, ``rate_limits`` or
        ``unknown_outcomes``, and the name of the operation.
    """

    def __init__(
        self, settings: WesSettings, count: Callable[[str, str], None] = count_nothing
    ) -> None:
        self.settings = settings
        self._count = count
        self._session = requests.Session()
        # The environment is read here once, and not with each request.
        self._session.trust_env = False
        for prefix in ("http://", "https://"):
            self._session.mount(prefix, TellingAdapter())
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._environment = read_environment(settings)

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
        operation = request.operation
        outcome_unknown = False
        policy = retrying(self.settings, operation, wait_for_limits=wait_for_limits)
        for attempt in policy:
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    self._count("retries", operation.name)
                try:
                    return read(request, self.send(request))
                except WesError as error:
                    if outcome_unknown and not error.may_have_effect:
                        error.note_unknown_attempt()
                    if error.may_have_effect and not operation.reads:
                        outcome_unknown = True
                    self._count_failure(operation, error)
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _count_failure(self, operation: Operation, error: WesError) -> None:
        if isinstance(error, WesRateLimitError):
            self._count("rate_limits", operation.name)
        elif error.may_have_effect and not operation.reads:
            self._count("unknown_outcomes", operation.name)

    def send(self, request: Request) -> Response:
        """
        Send a request once.

        :raises WesConnectionError: if it definitely never reached the service.
        :raises WesUnknownOutcomeError: if no whole response came otherwise.
        """
        self._count("requests", request.operation.name)
        settings = self.settings
        status: int | None = None
        try:
            response = self._session.request(
                request.operation.method,
                request.url,
                data=request.body,
                headers=dict(request.headers),
                # Given with each request, or ~/.netrc would replace it.
                auth=HTTPBasicAuth(
                    settings.workspace_id.encode(), self._key_of(request.operation).encode()
                ),
                timeout=(settings.connect_timeout, settings.read_timeout),
                allow_redirects=False,
                proxies=self._environment.proxies,
                verify=self._environment.verify,
                stream=True,
            )
            status = response.status_code
            with response:
                body, is_whole = _read_body(
                    response,
                    request.operation.largest_response,
                    read_by=time.monotonic() + settings.read_timeout,
                )
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            if failures.was_never_sent(error):
                tunnel = failures.refused_tunnel(error)
                variable = self._environment.proxy_variable
                raise failures.not_sent(request, error, tunnel, variable) from None
            raise failures.no_response(request, error, status) from None
        came = Response.of(settings, response.status_code, response.headers, body)
        return came._replace(is_whole=is_whole)

    def _key_of(self, operation: Operation) -> str:
        if operation.key is Key.DATA:
            return self.settings.data_api_key
        return self.settings.api_key

    def close(self) -> None:
        """Close the pool's connections; the next request opens new ones."""
        self._session.close()


def _read_body(response: requests.Response, largest: int, *, read_by: float) -> tuple[bytes, bool]:
    """
    Read the body up to a bound and one byte more. If it breaks off after an error's status, that
    error counts.

    :param largest: bytes.
    :param read_by: when to give up, monotonic.
    :return: the body, and false if it broke off.
    """
    if response.is_redirect:
        # The library has read it to find the next request.
        return response.content[: largest + 1], True
    body = bytearray()
    try:
        # read1 returns what has come, while iter_content waits for a whole chunk.
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            body += chunk
            if len(body) > largest:
                break
            if time.monotonic() > read_by:
                raise requests.ReadTimeout
    except (requests.RequestException, HTTPError) as error:
        if response.status_code >= 400:
            return bytes(body[: largest + 1]), False
        endless = None
        if isinstance(error, (requests.Timeout, ReadTimeoutError)):
            endless = failures.endless_body(bytes(body), response.headers)
        if endless is not None:
            raise endless from None
        raise
    return bytes(body[: largest + 1]), True


class Environment(NamedTuple):
    """
    How the service is reached from this machine.

    :ivar proxies: by scheme, each with a scheme of its own, as ``requests`` takes them.
    :ivar verify: true, false or the path of a CA bundle.
    :ivar proxy: the proxy for the service; empty if there is none.
    :ivar proxy_variable: the variable that names it.
    """

    proxies: dict[str, str]
    verify: bool | str
    proxy: str
    proxy_variable: str


def read_environment(settings: WesSettings) -> Environment:
    """
    Read the proxies for the service and the CA bundle, by the connection and the variables that
    ``requests`` reads.

    :raises WesConnectionError: if the CA bundle cannot be used.
    :raises WesConfigurationError: if the URL of the service's proxy cannot be used.
    """
    merged = requests.Session().merge_environment_settings(
        settings.base_url, {}, None, settings.verify, None
    )
    verify = merged["verify"]
    if verify is None:
        verify = settings.verify
    if settings.base_url.startswith("https:"):
        _check_bundle(verify)
    proxies = _clean_proxies(merged["proxies"])
    proxy = select_proxy(settings.base_url, proxies)
    if proxy is None:
        return Environment(proxies, verify, "", "")
    variable = _find_variable(settings.base_url.partition(":")[0], proxies)
    problem = failures.find_problem_of_proxy(proxy)
    if problem:
        raise failures.unusable_proxy(variable, problem)
    return Environment(proxies, verify, proxy, variable)


def _check_bundle(verify: bool | str) -> None:
    """Check that the file of CA certificates can be used, if one is given."""
    if isinstance(verify, str):
        problem = failures.find_problem_of_bundle(verify)
        if problem:
            raise failures.unusable_bundle(verify, problem)


def _clean_proxies(given: Mapping[str, str]) -> dict[str, str]:
    """Return the proxies that have an address, by the schemes of URLs."""
    proxies = {}
    for scheme, proxy in given.items():
        if proxy.strip():
            proxies[scheme] = with_scheme(proxy.strip())
    return proxies


def _find_variable(scheme: str, proxies: Mapping[str, str]) -> str:
    """Return the name of the variable that has the proxy for a scheme, in the case it is in."""
    name = "all_proxy"
    if scheme in proxies:
        name = f"{scheme}_proxy"
    if os.environ.get(name):
        return name
    for variable in os.environ:
        if variable.lower() == name:
            return variable
    return "the system's settings"


def with_scheme(proxy: str) -> str:
    """Return a proxy's address with a scheme: without one it is of http, as for ``requests``."""
    if "://" in proxy:
        return proxy
    return f"http://{proxy}"
