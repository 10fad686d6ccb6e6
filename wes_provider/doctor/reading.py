"""
The questions to the service that reads can tell, in the order in which they are sent, and the loop that sends them.

A reply may come from a gateway, a proxy or a cache. So there are reads to compare others with: with a key that nobody
has, and of a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec

from wes_provider import contract
from wes_provider.client import requests, responses
from wes_provider.client.requests import Request
from wes_provider.doctor.files import Listed, files_in
from wes_provider.doctor.replies import Key, Reply, Sender, Verdict, same_reply, verdict
from wes_provider.exceptions import WesError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = [
    *("LIST_PATHS", "MADE_UP", "MOST_READS", "Seen", "ask", "file_among", "file_paths", "knows", "list_among"),
    *("read_service", "unreadable"),
]

MOST_READS: Final = 10
MADE_UP: Final = "wes-doctor"  # an identifier that no account has: nothing of a user's is read
NO_SUCH_PATH: Final = "/v1/wes-doctor-no-such-path/{coupon_list_id}"

HEADERS: Final = (
    *"X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id X-Workspace Workspace-Id X-App-Id X-App-Key".split(),
    *"X-AppKey APPKEY X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id".split(),
    contract.WORKSPACE_HEADER,
)
"""What services of this kind usually call the header of the workspace; their paths likewise."""

LIST_PATHS: Final = (
    contract.COUPON_FILES_PATH,
    *"/v1/coupon-list/{coupon_list_id}/coupon-files /v1/coupon-lists/{coupon_list_id}/files".split(),
    *"/v2/coupon-list/{coupon_list_id}/files /v1/coupon-files/{coupon_list_id}".split(),
    *"/v1/coupon-list/{coupon_list_id} /v1/coupon-list/{coupon_list_id}/uploads".split(),
    *"/v1/coupon-list/{coupon_list_id}/file /v1/coupon-files/list/{coupon_list_id}".split(),
    "/v1/coupons/{coupon_list_id}/files",
)

FILE_PATHS: Final = (
    contract.COUPON_FILE_PATH,
    *"/v1/coupon-files/{coupon_file_id} /v1/coupon-file/{coupon_file_id} /v1/files/{coupon_file_id}".split(),
    *"/v1/coupon-list/{coupon_list_id}/file/{coupon_file_id} /v1/coupon-list/files/{coupon_file_id}".split(),
    "/v2/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}/status",
)


def file_paths(given: str, list_path: str) -> list[str]:
    """Paths of a coupon file, the likeliest first: the connection's, and one below the path of the list's files."""
    return list(dict.fromkeys((given, f"{list_path.partition('?')[0]}/{{coupon_file_id}}", *FILE_PATHS)))


@dataclass
class Seen:
    """
    All that was seen of a service.

    :ivar given: the settings of the connection; ``settings``: the same, with the header that turned out to be right.
    :ivar campaign: the read of the list's files at the connection's path; the other single reads likewise.
    :ivar nowhere: the read of a path that does not exist.
    :ivar headers: reads with other workspace headers.
    :ivar lists: paths of the list's files that were tried, as the extra ``paths`` takes them,
        and what came; ``files``: those of one file.
    :ivar uploaded: the identifier of the file that the doctor uploaded; empty if it did not.
    """

    given: WesSettings
    settings: WesSettings
    list_id: str = MADE_UP
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
    def own_data_key(self) -> bool:
        """Whether the connection has a key of its own for segments."""
        return self.given.data_api_key != self.given.api_key

    @property
    def listed(self) -> tuple[str, Listed] | None:
        """The first path whose response has a list's files, with the uploaded one if there is one; and the files."""
        all_ = ((path, files_in(reply.content)) for path, reply in self.lists.items() if reply.success)
        return next(((path, each) for path, each in all_ if each and (not self.uploaded or self.find(each))), None)

    @property
    def listed_files(self) -> list[CouponFile]:
        """The files that the list shows."""
        return self.listed[1].files if self.listed else []

    @property
    def file_path(self) -> str:
        """The first path that shows a file; empty if none does."""
        return next((path for path, reply in self.files.items() if not unreadable(responses.coupon_file, reply)), "")

    def find(self, listed: Listed | None) -> CouponFile | None:
        """The uploaded file in a list."""
        return next((file for file in (listed.files if listed else ()) if file.id == self.uploaded), None)

    @property
    def list_path(self) -> str:
        """The path that shows the list, else the connection's."""
        return self.listed[0] if self.listed else self.given.coupon_files_path

    def list_at(self, template: str = "", list_id: str = "") -> Request:
        """The read of the list's files at a path, by default :attr:`list_path`."""
        settings = msgspec.structs.replace(self.settings, coupon_files_path=template or self.list_path)
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


def knows(reply: Reply, nowhere: Reply | None) -> bool:
    """Whether a 404 is another one than that of a path that does not exist, so that it is not about the path."""
    return reply.status == 404 and not same_reply(reply, nowhere)


Asks = Generator[tuple[Request, Key], Reply, None]
"""A question yields the reads that tell, and gets their replies."""


def _campaign_key(seen: Seen) -> Asks:
    seen.campaign = yield seen.list_at(), "own"


def _data_key(seen: Seen) -> Asks:
    if seen.own_data_key:
        seen.data = yield requests.read_segment(seen.settings, MADE_UP), "own"


def _header(seen: Seen) -> Asks:
    """All usual headers at once; if they help, half of them, and so on."""
    refused = next((reply for reply in (seen.campaign, seen.data) if reply and reply.status == 401), None)
    if refused is None or (seen.campaign and seen.campaign.success):
        return
    names = tried = [name for name in HEADERS if name.lower() != seen.given.workspace_header.lower()]
    accepted = None
    while accepted is None or len(names) > 1:
        headers = {**refused.request.headers, **dict.fromkeys(tried, seen.given.workspace_id)}
        reply = yield refused.request._replace(headers=headers), "own"
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


def _swapped_keys(seen: Seen) -> Asks:
    if seen.own_data_key and seen.key == "refused":
        seen.swapped = yield seen.list_at(), "swapped"


def _nowhere(seen: Seen) -> Asks:
    if seen.key != "refused":
        seen.nowhere = yield seen.list_at(NO_SUCH_PATH, MADE_UP), "own"


def _made_up_data_key(seen: Seen) -> Asks:
    if seen.data and seen.data_key != "refused" and not seen.data.passing:
        seen.data_made_up = yield requests.read_segment(seen.settings, MADE_UP), "made-up"


def _list_path(seen: Seen) -> Asks:
    first = seen.campaign
    if first is not None and seen.key != "refused":
        seen.lists[seen.given.coupon_files_path] = first
        if first.status != 403 and not knows(first, seen.nowhere):  # else the service has the path
            yield from list_among(seen, LIST_PATHS)


def list_among(seen: Seen, paths: Iterable[str], again: bool = False) -> Asks:
    """Reads of paths until one shows the list; ``again``, even if they were read before."""
    for path in paths:
        if seen.listed:
            return
        if again or path not in seen.lists:
            seen.lists[path] = yield seen.list_at(path), "own"


def _made_up_key(seen: Seen) -> Asks:
    if seen.key != "refused":
        seen.campaign_made_up = yield seen.list_at(), "made-up"


def _file_path(seen: Seen) -> Asks:
    """The first file of the list; without one, a path whose 404 is about the file."""
    if seen.key != "refused":
        file_id = next((file.id for file in seen.listed_files), MADE_UP)
        yield from file_among(seen, file_paths(seen.given.coupon_file_path, seen.list_path), file_id)


def file_among(seen: Seen, paths: Iterable[str], file_id: str) -> Asks:
    """Reads of paths until one shows the file."""
    for path in paths:
        reply = seen.files[path] = yield seen.file_at(path, file_id), "own"
        if seen.file_path or (file_id == MADE_UP and knows(reply, seen.nowhere)):
            return


QUESTIONS: Final[tuple[tuple[str, Callable[[Seen], Asks], int], ...]] = (
    ("Is the campaign key accepted?", _campaign_key, 1),
    ("Is the data key accepted?", _data_key, 0),
    ("Which header holds the workspace?", _header, 0),
    ("Are the two keys swapped?", _swapped_keys, 0),
    ("How does the service reply to a path that it does not have?", _nowhere, 1),
    ("Is a made-up data key refused?", _made_up_data_key, 0),
    ("Where are the list's files?", _list_path, 0),
    ("Is a made-up campaign key refused?", _made_up_key, 1),
    ("Where is one file?", _file_path, 1),
)
"""What reads may tell, for people who wait; the reads that tell; how many the questions before leave for it."""


def read_service(sender: Sender, seen: Seen, on_step: Callable[[str], None]) -> None:
    """
    Read what a service shows, with at most :data:`MOST_READS` requests.

    :param seen: is filled in.
    :param on_step: called with each question that is asked.
    """
    for number, (text, question, _) in enumerate(QUESTIONS):
        most = MOST_READS - sum(least for _, _, least in QUESTIONS[number + 1 :])
        ask(sender, question(seen), most - len(sender.replies), partial(on_step, text))
        if seen.campaign and seen.campaign.passing:
            break  # nobody responds who could tell more


def ask(sender: Sender, asks: Asks, most: int, on_step: Callable[[], object] = bool) -> None:
    """Send the reads of a question, ``most`` at most."""
    try:
        request = next(asks)
        for _ in range(most):
            on_step()
            request = asks.send(sender.send(*request))
    except StopIteration:
        pass
