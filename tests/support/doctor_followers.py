"""An uploaded file that is followed, at a service whose list and file change with time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from support.doctor_reads import settings_of
from support.doctor_replies import reply
from support.doctor_service import LIST, json_reply, not_found, record
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.client import requests
from wes_provider.doctor.reads.evidence import Places
from wes_provider.doctor.reads.sending import Sender
from wes_provider.doctor.replies.probes import Question
from wes_provider.doctor.writes.upload import Followed, Follower

NAME = "wes-doctor-of-this-test-1234567890.csv"
URL = "https://files.example.com/a.csv"
LIST_PATH = f"/v1/coupon-list/{LIST}/files"
FILE_PATH = f"{LIST_PATH}/f1"
COUNTED = {"coupons_added": 5, "coupons_duplicate": 0}
Records = list[dict[str, Any]]


def uploaded_record(status: str = "SUCCESS", **more: Any) -> dict[str, Any]:
    """The record of the uploaded file, f1: it has 5 coupons added."""
    return record("f1", status, **{"name": NAME, "file_url": URL, **more})


def without_counts(file: Mapping[str, Any]) -> dict[str, Any]:
    """The same record without the numbers of coupons."""
    return {name: file[name] for name in file if name not in COUNTED}


class Service:
    """
    A service with the list and the uploaded file.

    :param listed: the body of the list, by the seconds since the upload.
    :param alone: the reply of the file's own path, by them; a record comes with 200.
    """

    def __init__(self, listed: Callable[[float], Any], alone: Callable[[float], Any]) -> None:
        self._listed = listed
        self._alone = alone
        self._begun = CLOCK.time()

    def __call__(self, method: str, path: str, headers: Mapping[str, str]) -> Reply:
        seconds = CLOCK.time() - self._begun
        came: Any = not_found(path)
        if path == LIST_PATH:
            came = self._listed(seconds)
        if path == FILE_PATH:
            came = self._alone(seconds)
        if isinstance(came, Reply):
            return came
        return json_reply(200, came)


def follow(
    listed: Callable[[float], Any],
    alone: Callable[[float], Any],
    *,
    accepted: Any = None,
    lost: str = "",
    known: Sequence[Mapping[str, Any]] = (),
    timeout: float = 100.0,
    final_after: float = 15.0,
    lag: float = 60.0,
) -> tuple[Follower, Sender]:
    """
    Follow the file f1.

    :param accepted: the body of the response to the upload; by default, the file as PENDING.
    :param lost: why the upload got no response: ``sent`` or ``unsent``; empty if it got one.
    :param known: the files that the list had before; none by default.
    """
    service = Service(listed, alone)
    with replying(service) as url:
        settings = settings_of(url, coupon_files_lag=lag)
        before = reply(200, [*known])
        sender = Sender(settings)
        follower = Follower(
            sender,
            settings,
            LIST,
            Places({settings.coupon_files_path: before}, {}),
            timeout=timeout,
            final_after=final_after,
            on_step=lambda _: None,
        )
        request = requests.upload(settings, LIST, {"file_url": URL, "name": NAME})
        if accepted is None:
            accepted = uploaded_record("PENDING")
        if lost:
            accepted = b""
        uploaded = reply(
            0 if lost else 201,
            accepted,
            question=Question.WRITE,
            request=request,
            sent_at=CLOCK.time(),
            unsent=lost == "unsent",
            problem="ReadTimeout" if lost else "",
        )
        follower.follow(uploaded)
    return follower, sender


def followed_file(*args: Any, **more: Any) -> Followed:
    """What was noted of the file."""
    follower, _ = follow(*args, **more)
    assert follower.followed is not None
    return follower.followed


FINAL_AFTER = 15.0
PENDING = uploaded_record("PENDING")
SUCCESSOR = {**uploaded_record(), "_id": "f9"}


__all__ = [
    "COUNTED",
    "FILE_PATH",
    "FINAL_AFTER",
    "LIST_PATH",
    "NAME",
    "PENDING",
    "SUCCESSOR",
    "URL",
    "Records",
    "Service",
    "follow",
    "followed_file",
    "uploaded_record",
    "without_counts",
]
