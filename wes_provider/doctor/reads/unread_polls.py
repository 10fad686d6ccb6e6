"""Whether a read as waits poll gets no response, though the same read got one otherwise. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Driver, Probe

__all__ = ["UnreadPolls", "break_of_http", "unread_polls", "unread_polls_of_upload"]

FEWEST: Final = 2  # polls without a response, so that it is no matter of the moment
# Exceptions of aiohttp's parser.
BROKEN: Final = ("BadHttpMessage", "BadStatusLine", "InvalidHeader", "LineTooLong")
NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)  # what HTTP permits for a header


class UnreadPolls(NamedTuple):
    """
    Reads of one request that got no whole response as waits send them.

    :ivar polls: those without a response, in order.
    :ivar answered: the last answer to the same request, by the other driver.
    """

    polls: Sequence[Probe]
    answered: Probe

    @property
    def is_proved(self) -> bool:
        """
        Whether it is no matter of the moment: it came twice, and between two answers, or since a
        whole head broke HTTP.
        """
        if len(self.polls) < FEWEST:
            return False
        return self.is_between_answers or all(map(_is_broken, self.polls))

    @property
    def is_between_answers(self) -> bool:
        """Whether the other driver got an answer after these polls as well."""
        return self.answered.sent_at >= self.polls[-1].sent_at


def _is_broken(poll: Probe) -> bool:
    """Tell whether a response came that broke HTTP, for this driver."""
    return any(name in poll.problem for name in BROKEN)


def unread_polls(evidence: Evidence) -> UnreadPolls | None:
    """Return the reads that waits could not read; ``None`` without any, or if no driver could."""
    polls = evidence.unread_polls
    if not polls:
        return None
    request = polls[-1].request
    lost = evidence.lost_reads(request)
    if any(probe.sent_at > polls[-1].sent_at for probe in lost):
        # The other driver got nothing either, after that.
        return None
    return _compare(polls, evidence.answers_to(request))


def unread_polls_of_upload(polls: Sequence[Probe], alone: Sequence[Probe]) -> UnreadPolls | None:
    """
    Return the polls of an upload's wait that it could not read; ``None`` if it read any.

    :param polls: those that got no whole response, if no other ones did.
    :param alone: the replies of the file's own path that have it, in order.
    """
    if not polls:
        return None
    return _compare(polls, alone)


def _compare(polls: Sequence[Probe], answers: Sequence[Probe]) -> UnreadPolls | None:
    by_other = [probe for probe in answers if probe.driver is Driver.OF_UPLOADS]
    if not by_other:
        return None
    return UnreadPolls(polls, by_other[-1])


def break_of_http(headers: Mapping[str, str]) -> str:
    """
    Tell how the head of a response breaks HTTP, as the driver that bears that has it; empty if it
    does not, by what that driver keeps of it.
    """
    length = headers.get("content-length", "")
    lengths = [part.strip() for part in length.split(",")]
    if len(lengths) > 1:
        return f"its reply has Content-Length {len(lengths)} times"
    if "content-length" in headers and "transfer-encoding" in headers:
        return "its reply has both Content-Length and Transfer-Encoding"
    if "content-length" in headers and not (length.isascii() and length.isdecimal()):
        return "its reply has a Content-Length that is no number"
    if any("\0" in value for value in headers.values()):
        return "its reply has a header with a NUL"
    odd = [name for name in headers if not NAME.fullmatch(name)]
    if odd:
        return "its reply has a header whose name has a character that no name may have"
    return ""
