"""
The questions to the service that reads can tell, in the order in which they are sent, and the loop
that sends them.

A reply may come from a gateway, a proxy or a cache. So there are reads to compare others with: with
a key that nobody has, and of a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec

from wes_provider import contract
from wes_provider.client import requests, responses
from wes_provider.client.requests import Request
from wes_provider.doctor.files import file_of, files_in
from wes_provider.doctor.replies import Key, Reply, Sender, Verdict, same_reply, verdict
from wes_provider.exceptions import WesError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = [
    *(
        "LIST_PATHS",
        "MADE_UP",
        "MOST_READS",
        "Seen",
        "file_among",
        "file_paths",
        "file_read",
        "knows",
    ),
    *("list_among", "read_service", "unreadable"),
]

MOST_READS: Final = 10
MADE_UP: Final = "wes-doctor"  # an identifier that no account has: nothing of a user's is read
NO_SUCH_PATH: Final = "/v1/wes-doctor-no-such-path/{coupon_list_id}"

HEADERS: Final = (
    *"X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id X-Workspace Workspace-Id X-App-Id "
    "X-App-Key".split(),
    *"X-AppKey APPKEY X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id".split(),
    contract.WORKSPACE_HEADER,
)
"""What services of this kind usually call the header of the workspace; their paths likewise."""

LIST_PATHS: Final = (
    contract.COUPON_FILES_PATH,
    *"/v1/coupon-list/{coupon_list_id}/coupon-files "
    "/v1/coupon-lists/{coupon_list_id}/files".split(),
    *"/v2/coupon-list/{coupon_list_id}/files /v1/coupon-files/{coupon_list_id}".split(),
    *"/v1/coupon-list/{coupon_list_id} /v1/coupon-list/{coupon_list_id}/uploads".split(),
    *"/v1/coupon-list/{coupon_list_id}/file /v1/coupon-files/list/{coupon_list_id}".split(),
    "/v1/coupons/{coupon_list_id}/files",
)

FILE_PATHS: Final = (
    contract.COUPON_FILE_PATH,
    *"/v1/coupon-files/{coupon_file_id} /v1/coupon-file/{coupon_file_id} "
    "/v1/files/{coupon_file_id}".split(),
    *"/v1/coupon-list/{coupon_list_id}/file/{coupon_file_id} "
    "/v1/coupon-list/files/{coupon_file_id}".split(),
    "/v2/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}/status",
)


def file_paths(given: str, list_path: str) -> list[str]:
    """
    Paths of a coupon file, the likeliest first: the connection's, and one below the path of the
    list's files.
    """
    return list(
        dict.fromkeys((given, f"{list_path.partition('?')[0]}/{{coupon_file_id}}", *FILE_PATHS))
    )


@dataclass
class Seen:
    """
    All that was seen of a service.

    :ivar given: the settings of the connection; ``settings``: the same, with the header that turned
        out to be right.
    :ivar campaign: the read of the list's files at the connection's path; the other single reads
        likewise.
    :ivar nowhere: the read of a path that does not exist.
    :ivar headers: reads with other workspace headers.
    :ivar lists: paths of the list's files that were tried, as the extra ``paths`` takes them,
        and what came; ``files``: those of one file.
    :ivar replies: all that came.
    :ivar uploaded: the identifier of the file that the doctor uploaded; empty if it did not.
    """

    given: WesSettings
    settings: WesSettings
    list_id: str
    replies: list[Reply]
    campaign: Reply | None = None
    campaign_made_up: Reply | None = None
    swapped: Reply | None = None
    data: Reply | None = None
    data_made_up: Reply | None = None
    nowhere: Reply | None = None
    headers: list[Reply] = field(default_factory=list)
    lists: dict[str, Reply] = field(default_factory=dict)
    files: dict[str, Reply] = field(default_factory=dict)
    uploaded: str = ""

    @property
    def key(self) -> Verdict:
        """Whether the service takes the campaign key."""
        return verdict(self.campaign, self.campaign_made_up)

    @property
    def data_key(self) -> Verdict:
        """Whether the service takes the data key."""
        return verdict(self.data, self.data_made_up)

    @property
    def listed(self) -> tuple[str, str, list[CouponFile]] | None:
        """
        Path, property and files of the first response that lists files, the uploaded one too if
        there is one.
        """
        for path, reply in self.lists.items():
            found = files_in(reply.content) if reply.success else None
            if found and (not self.uploaded or any(file.id == self.uploaded for file in found[1])):
                return path, *found
        return None

    @property
    def listed_files(self) -> list[CouponFile]:
        """The files that the list shows."""
        return self.listed[2] if self.listed else []

    @property
    def file_path(self) -> str:
        """The first path that shows a file; empty if none does."""
        return next(
            (
                path
                for path, reply in self.files.items()
                if not unreadable(responses.coupon_file, reply)
            ),
            "",
        )

    @property
    def list_path(self) -> str:
        """The path that shows the list, else the connection's."""
        return self.listed[0] if self.listed else self.given.coupon_files_path

    def list_at(self, template: str = "", list_id: str = "") -> Request:
        """The read of the list's files at a path, by default :attr:`list_path`."""
        settings = msgspec.structs.replace(
            self.settings, coupon_files_path=template or self.list_path
        )
        return requests.list_coupon_files(settings, list_id or self.list_id)

    def file_at(self, template: str, file_id: str) -> Request:
        """The read of one file at a path."""
        settings = msgspec.structs.replace(self.settings, coupon_file_path=template)
        return requests.get_coupon_file(settings, self.list_id, file_id)


def unreadable(read: Callable[[Request, responses.Response], Any], reply: Reply) -> str:
    """Why the provider cannot use a response; empty if it can."""
    try:
        if reply.status:
            read(reply.request, reply.response)
    except WesError as error:
        return error.reason
    return reply.problem


def file_read(reply: Reply) -> CouponFile | None:
    """The coupon file that a response describes; ``None`` if the provider cannot read it."""
    return (
        None
        if unreadable(responses.record, reply)
        else file_of(responses.record(reply.request, reply.response))
    )


def knows(reply: Reply, nowhere: Reply | None) -> bool:
    """
    Whether a 404 is another one than that of a path that does not exist, so that it is not about
    the path.
    """
    return reply.status == 404 and not same_reply(reply, nowhere)


# Takes a request, and which of the keys to send if not the connection's own.
Send = Callable[..., Reply]


def _campaign_key(seen: Seen, send: Send) -> None:
    seen.campaign = send(seen.list_at())


def _data_key(seen: Seen, send: Send) -> None:
    if seen.given.data_api_key != seen.given.api_key:
        seen.data = send(requests.read_segment(seen.settings, MADE_UP))


def _header(seen: Seen, send: Send) -> None:
    """All usual headers at once; if they help, half of them, and so on."""
    refused = next(
        (reply for reply in (seen.campaign, seen.data) if reply and reply.status == 401), None
    )
    if refused is None or (seen.campaign and seen.campaign.success):
        return
    names = tried = [
        name for name in HEADERS if name.lower() != seen.given.workspace_header.lower()
    ]
    accepted = None
    while accepted is None or len(names) > 1:
        headers = {**refused.request.headers, **dict.fromkeys(tried, seen.given.workspace_id)}
        reply = send(refused.request._replace(headers=headers))
        seen.headers.append(reply)
        if reply.passing or (accepted is None and reply.status == 401):
            return
        if reply.status == 401:
            names = names[len(tried) :]
        else:
            names, accepted = tried, reply
        tried = names[: (len(names) + 1) // 2]
    seen.settings = msgspec.structs.replace(seen.settings, workspace_header=names[0])
    if refused is seen.campaign:
        seen.campaign = accepted
    else:
        seen.data = accepted


def _swapped_keys(seen: Seen, send: Send) -> None:
    if seen.data and seen.key == "refused":
        seen.swapped = send(seen.list_at(), "swapped")


def _nowhere(seen: Seen, send: Send) -> None:
    if seen.key != "refused":
        seen.nowhere = send(seen.list_at(NO_SUCH_PATH, MADE_UP))


def _made_up_data_key(seen: Seen, send: Send) -> None:
    searched = seen.settings != seen.given  # the search for the header has taken the reads
    if seen.data and seen.data_key != "refused" and not seen.data.passing and not searched:
        seen.data_made_up = send(requests.read_segment(seen.settings, MADE_UP), "made-up")


def _list_path(seen: Seen, send: Send) -> None:
    first = seen.campaign
    if first is not None and seen.key != "refused":
        seen.lists[seen.given.coupon_files_path] = first
        if first.status != 403 and not knows(first, seen.nowhere):  # else the service has the path
            others = [path for path in LIST_PATHS if path not in seen.lists]
            left = MOST_READS - len(seen.replies) - 2  # for the two questions that follow
            list_among(seen, send, others[: max(0, left)])


def list_among(seen: Seen, send: Send, paths: Iterable[str]) -> None:
    """Reads of paths until one shows the list."""
    for path in paths:
        if seen.listed:
            return
        seen.lists[path] = send(seen.list_at(path))


def _made_up_key(seen: Seen, send: Send) -> None:
    if seen.key != "refused":
        seen.campaign_made_up = send(seen.list_at(), "made-up")


def _file_path(seen: Seen, send: Send) -> None:
    """The first file of the list; without one, a path whose 404 is about the file."""
    if seen.key != "refused":
        file_id = next((file.id for file in seen.listed_files), MADE_UP)
        paths = file_paths(seen.given.coupon_file_path, seen.list_path)
        file_among(seen, send, paths[: MOST_READS - len(seen.replies)], file_id)


def file_among(seen: Seen, send: Send, paths: Iterable[str], file_id: str) -> None:
    """Reads of paths until one shows the file."""
    for path in paths:
        reply = seen.files[path] = send(seen.file_at(path, file_id))
        if seen.file_path or (file_id == MADE_UP and knows(reply, seen.nowhere)):
            return


QUESTIONS: Final[tuple[tuple[str, Callable[[Seen, Send], None]], ...]] = (
    ("Is the campaign key accepted?", _campaign_key),
    ("Is the data key accepted?", _data_key),
    ("Which header holds the workspace?", _header),
    ("Are the two keys swapped?", _swapped_keys),
    ("How does the service reply to a path that it does not have?", _nowhere),
    ("Is a made-up data key refused?", _made_up_data_key),
    ("Where are the list's files?", _list_path),
    ("Is a made-up campaign key refused?", _made_up_key),
    ("Where is one file?", _file_path),
)
"""What reads may tell, for people who wait, and what sends them."""


def _send(sender: Sender, before: Callable[[], None], request: Request, key: Key = "own") -> Reply:
    before()
    return sender.send(request, key)


def read_service(sender: Sender, seen: Seen, on_step: Callable[[str], None]) -> None:
    """
    Read what a service shows, with at most :data:`MOST_READS` requests.

    :param seen: is filled in.
    :param on_step: called with the question at each read.
    """
    for text, question in QUESTIONS:
        question(seen, partial(_send, sender, partial(on_step, text)))
        if seen.campaign and seen.campaign.passing:
            break  # nobody responds who could tell more
