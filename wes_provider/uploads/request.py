"""
One upload of a task: what the task asks for (:class:`UploadRequest`), and together with the name by
which its file is recognised, what the loop works on (:class:`Upload`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wes_provider import arguments, models, texts
from wes_provider.texts import about, redact_url
from wes_provider.uploads.identity import FileKey, UploadName, suffix_of
from wes_provider.uploads.urls import identify_url


def _do_nothing(*_: Any) -> None:
    """Stand for a step that an upload without a ledger does not have."""


@dataclass(frozen=True)
class UploadRequest:
    """
    One upload of a task, with its arguments checked.

    :ivar coupon_list_id: the target list.
    :ivar file: what the file is, the same in each attempt.
    :ivar shown_url: the URL without query, or the place in storage, for messages.
    :ivar body: the request's body; without ``file_url`` if there is :attr:`sign`. It holds secrets.
    :ivar normalised_url: scheme, host and path of the URL, and the query as far as it counts; empty
        if the URL is made when it is sent.
    :ivar content_hash: of the file's content, if a check has read it; else empty.
    :ivar sign: makes the URL just before the request, for example by signing it; ``None`` if the
        body has it.
    :ivar before_send: called after :attr:`sign` and before the request: a ledger claims the file.
    :ivar on_accepted: called with the coupon file's identifier as soon as the upload is known to be
        accepted, also if an earlier attempt did it.
    :ivar on_no_effect: called if the request definitely had no effect.
    """

    coupon_list_id: str
    file: FileKey
    shown_url: str
    body: Mapping[str, Any] = field(repr=False)
    normalised_url: str = ""
    content_hash: str = ""
    sign: Callable[[], str] | None = field(default=None, repr=False)
    before_send: Callable[[], None] = field(default=_do_nothing, repr=False)
    on_accepted: Callable[[str], None] = field(default=_do_nothing, repr=False)
    on_no_effect: Callable[[], None] = field(default=_do_nothing, repr=False)

    @classmethod
    def of(cls, coupon_list_id: Any, fields: Mapping[str, Any]) -> UploadRequest:
        """
        Check an upload's arguments.

        :param fields: arguments of :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`, without
            those that are not given.
        :raises WesConfigurationError: naming the argument that cannot be sent.
        """
        body = models.coupon_file_body(fields)
        url = body["file_url"]
        return cls(
            coupon_list_id=arguments.identifier("coupon_list_id", coupon_list_id),
            file=identify_file(body),
            shown_url=redact_url(url),
            body=body,
            normalised_url=str(identify_url(url)),
        )

    @property
    def title(self) -> str:
        """What people know the file by."""
        return texts.file_title(self.shown_url)

    @property
    def given_name(self) -> str:
        """The name that the user gives the file; empty if there is none."""
        return str(self.body.get("name", ""))


class Upload(NamedTuple):
    """
    One upload of a task.

    :ivar request: what the task asks for.
    :ivar name: the name by which its file is recognised, made for this attempt.
    """

    request: UploadRequest
    name: UploadName

    @property
    def sent_name(self) -> str:
        """The file's name in the request: the user's, else ours."""
        return self.request.given_name or f"{self.name}{suffix_of(self.request.shown_url)}"

    def about(self, cause: str) -> str:
        """Make the first line of a message: what happened, and to which file of which list."""
        return about(cause, self.request.coupon_list_id, self.request.title)


def identify_file(fields: Mapping[str, Any]) -> FileKey:
    """
    Tell what a file at a URL is, in every attempt, however its URL is signed.

    :param fields: the upload's ``file_url``, and its ``name`` if the user gives one.
    """
    if fields.get("name"):
        return FileKey(str(fields["name"]))
    url = identify_url(fields["file_url"])
    return FileKey(url.without_query, url.query)
