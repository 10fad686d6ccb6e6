"""Coupon files at plain URLs, fetched as the service will fetch them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import requests
from urllib3.exceptions import HTTPError

from wes_provider import contract
from wes_provider.storage.errors import TooLargeError, WesStorageError
from wes_provider.texts import redact_url

__all__ = ["download_url"]

TIMEOUT: Final = (10, 60)  # seconds to connect, and between two pieces
PIECE: Final = 1024 * 1024  # bytes


class Session(requests.Session):
    """A session that takes proxies and certificates from the machine, and no credentials."""

    def rebuild_auth(
        self, prepared_request: requests.PreparedRequest, response: requests.Response
    ) -> None:
        """Leave credentials out of a redirect to another host, and take none from ~/.netrc."""
        before, after = response.request.url or "", prepared_request.url or ""
        if self.should_strip_auth(before, after):  # type: ignore[no-untyped-call]
            prepared_request.headers.pop("Authorization", None)


class Credentials(requests.auth.AuthBase):
    """
    Basic authentication in UTF-8; without a username and a password, none.

    Even then it keeps requests from looking for some in ~/.netrc.
    """

    def __init__(self, username: str, password: str) -> None:
        self._pair = f"{username}:{password}"

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._pair != ":":
            encoded = base64.b64encode(self._pair.encode()).decode()
            request.headers["Authorization"] = f"Basic {encoded}"
        return request


def download_url(url: str, username: str, password: str, target: Path) -> None:
    """
    Fetch a file from a plain URL, with its bytes as they are stored.

    What the service does not take is not fetched: of a host that does not say how large a file is,
    it ends soon after the limit.

    :param username: for the host; empty for that of the URL, if it has one.
    :raises TooLargeError: if its host says that it is too large.
    :raises WesStorageError: if it cannot be fetched.
    """
    path = redact_url(url)
    if not username and not password:
        parts = urlsplit(url)
        username, password = unquote(parts.username or ""), unquote(parts.password or "")
    try:
        with (
            Session() as session,
            session.get(
                url,
                auth=Credentials(username, password),
                headers={"Accept-Encoding": "identity"},
                stream=True,
                timeout=TIMEOUT,
            ) as response,
        ):
            if response.status_code != 200:
                raise WesStorageError(
                    f"{path} cannot be fetched: its host responded with {response.status_code}\n"
                    "Check the URL, and the credentials for fetching the file"
                )
            _check_announced_size(path, response)
            _write(response, target)
    except (requests.RequestException, HTTPError, ValueError) as error:
        # The library's text may quote anything.
        raise WesStorageError(
            f"{path} cannot be fetched{_where_it_led(path, error)} ({type(error).__name__})\n"
            "Check the URL, and whether this machine reaches its host",
            # A URL that is none, or leads to one that is not of the web, as a file's.
            permanent=isinstance(error, ValueError),
        ) from None


def _check_announced_size(path: str, response: requests.Response) -> None:
    announced = response.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced) > contract.UPLOAD_URL_BYTES:
        raise TooLargeError(path, int(announced))


def _write(response: requests.Response, target: Path) -> None:
    with target.open("wb") as file:
        for piece in response.raw.stream(PIECE, decode_content=False):
            file.write(piece)
            if file.tell() > contract.UPLOAD_URL_BYTES:
                break


def _where_it_led(path: str, error: Exception) -> str:
    """Return where redirects led to, if that failed."""
    request = getattr(error, "request", None)
    last = redact_url(getattr(request, "url", None) or path)
    return "" if last == path else f", since it leads to {last}"
