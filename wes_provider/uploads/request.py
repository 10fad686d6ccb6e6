"""One upload as a task asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from wes_provider import arguments, models, texts
from wes_provider.texts import redact_url

__all__ = ["UploadRequest", "canonical_url"]


@dataclass(frozen=True)
class UploadRequest:
    """
    One upload of a task, with its arguments checked.

    :ivar coupon_list_id: the target list.
    :ivar key: what the file is, the same in each attempt: the user's ``name``, else the URL without
        query, or the place in storage.
    :ivar shown_url: the URL without query, or the place in storage, for messages.
    :ivar body: the request's body; without ``file_url`` if there is :attr:`sign`. It holds secrets.
    :ivar sign: makes the URL just before the request, for example by signing it.
    :ivar before_send: called after :attr:`sign` and before each request; a ledger claims the file.
    :ivar on_accepted: called with the coupon file's identifier as soon as the upload is known to be
        accepted, also if it was adopted.
    :ivar on_no_effect: called if the request definitely had no effect.
    :ivar content_hash: the SHA-256 of the file's content; empty if the file was not fetched before.
    """

    coupon_list_id: str
    key: str
    shown_url: str
    body: Mapping[str, Any] = field(repr=False)
    sign: Callable[[], str] | None = field(default=None, repr=False)
    before_send: Callable[[], None] = field(default=lambda: None, repr=False)
    on_accepted: Callable[[str], None] = field(default=lambda _: None, repr=False)
    on_no_effect: Callable[[], None] = field(default=lambda: None, repr=False)
    content_hash: str = ""

    @classmethod
    def of(cls, coupon_list_id: Any, fields: Mapping[str, Any]) -> UploadRequest:
        """
        Check an upload's arguments.

        :param fields: arguments of :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`, without
            those not given.
        :raises WesConfigurationError: naming the argument that cannot be sent.
        """
        body = models.coupon_file_body(**fields)
        list_id = arguments.identifier("coupon_list_id", coupon_list_id)
        return cls(list_id, key_of(body), redact_url(body["file_url"]), body)

    @property
    def title(self) -> str:
        """What people know the file by."""
        return texts.file_title(self.shown_url)


def key_of(fields: Mapping[str, Any]) -> str:
    """What a file at a URL is, in every attempt, however its URL is signed."""
    return str(fields.get("name") or canonical_url(fields["file_url"]))


def canonical_url(url: str) -> str:
    """
    A URL without its query, in the form that it shares with its equivalents (RFC 3986, section
    6.2.2).
    """
    parts = urlsplit(redact_url(url))
    default = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in (None, default) else f":{parts.port}"
    path = "/".join(quote(unquote(segment), safe="") for segment in (parts.path or "/").split("/"))
    return f"{parts.scheme}://{parts.hostname or ''}{port}{path}"
