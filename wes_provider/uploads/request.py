"""One upload as it will be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from wes_provider import models
from wes_provider.uploads.identity import DIGEST_LENGTH, digest

__all__ = ["FileSource", "UploadRequest"]


class FileSource(Protocol):
    """A file whose URL is made when it is sent, for example by signing it."""

    @property
    def key(self) -> str:
        """What identifies the content: a path and a checksum, never a URL."""

    @property
    def label(self) -> str:
        """What messages and XComs show."""

    def url(self) -> str:
        """The URL for the service, valid from now on."""

    def uploaded(self, coupon_file_id: str) -> None:
        """The service has accepted the upload, now or in an earlier attempt."""

    def refused(self) -> None:
        """The request with the last URL surely had no effect."""


@dataclass(frozen=True)
class UploadRequest:
    """
    One upload that a task instance makes, with its arguments checked.

    :ivar coupon_list_id: the target list.
    :ivar body: the request's body without ``name``, and without ``file_url`` if there is a ``source``; holds secrets.
    :ivar name: given by the user; empty if the provider chooses one.
    :ivar part: tells the uploads of one task instance apart, the same in every attempt; empty for a single upload.
    :ivar label: the URL without its query, or what the source is called.
    :ivar key: identifies the file.
    :ivar title: what people know the file by, see :func:`~wes_provider.models.file_title`.
    """

    coupon_list_id: str
    body: Mapping[str, Any] = field(repr=False)
    name: str
    part: str
    label: str
    key: str
    source: FileSource | None = field(default=None, repr=False)
    title: str = ""

    @classmethod
    def of(
        cls, coupon_list_id: Any, fields: Mapping[str, Any], *, part: str = "", source: FileSource | None = None
    ) -> UploadRequest:
        """
        Check an upload's arguments.

        :param coupon_list_id: the target list.
        :param fields: arguments of :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`, without those not given.
        :param part: see :attr:`part`.
        :param source: makes the URL, instead of ``file_url``.
        :raises WesConfigurationError: naming the argument that cannot be sent.
        """
        body = dict(fields)
        if source is not None:
            body.pop("file_url", None)
            models.coupon_file_body(file_url="https://signed.invalid/", **body)
        else:
            body = models.coupon_file_body(**body)
        label = source.label if source is not None else models.redact_url(body["file_url"])
        name = body.pop("name", "")
        list_id = models.identifier("coupon_list_id", coupon_list_id)
        key = source.key if source is not None else label
        return cls(list_id, body, name, part, label, key, source, models.file_title(label))

    @property
    def file(self) -> str:
        """A digest of what is uploaded, the same for equivalent URLs and whatever their queries."""
        return digest(self.key if self.source is not None else models.canonical_url(self.key))[:DIGEST_LENGTH]

    @property
    def fingerprint(self) -> str:
        """Differs for uploads that are not the same, even if only in a name or a URL's query."""
        return digest(self.name, self.key if self.source is not None else self.body["file_url"])

    @property
    def secrets(self) -> tuple[str, ...]:
        """What of the upload no text may show."""
        return models.secrets_of_upload(self.body)

    def headline(self, cause: str, file_id: str = "", *, error: bool = False) -> str:
        """
        The first line of a message about the upload, see :func:`~wes_provider.models.headline`.

        :param cause: what happened.
        :param file_id: the identifier of the coupon file, if it is known.
        :param error: of an exception, which has less room.
        """
        longest = models.ERROR_HEADLINE if error else models.HEADLINE
        return models.headline(cause, self.coupon_list_id, file_id, self.title, longest)

    def message(self, cause: str, file_id: str, *more: str, error: bool = False) -> str:
        """
        A message about the upload: its headline, further lines, and names that the headline has no room for.

        :param cause: what happened.
        :param file_id: the identifier of the coupon file.
        :param more: lines.
        :param error: of an exception.
        """
        first = self.headline(cause, file_id, error=error)
        names = {"Coupon file": file_id, "Coupon list": self.coupon_list_id}
        return "\n".join((first, *more, *(f"{key}: {name}" for key, name in names.items() if name not in first)))

    def arguments(self, name: str) -> dict[str, Any]:
        """
        Arguments of :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`; a source makes its URL now.

        :param name: to send.
        """
        url = {} if self.source is None else {"file_url": self.source.url()}
        return {**self.body, **url, "name": name}
