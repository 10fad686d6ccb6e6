"""What a question can be settled by: a read, or the reason why none is sent. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.reads import header
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence
from wes_provider.doctor.reads.sending import Ask

__all__ = [
    "KEY_IS_REFUSED",
    "NO_SUCH_PATH",
    "SHUT_OUT",
    "NotAsked",
    "Step",
    "data_read",
    "has_data_key",
]

NO_SUCH_PATH: Final = "/v1/wes-doctor-no-such-path/{coupon_list_id}"
SHUT_OUT: Final = "no response came any more since a made-up key was sent"
KEY_IS_REFUSED: Final = "reads with the Campaign API key are refused"


class NotAsked(NamedTuple):
    """The question cannot be asked, or needs not be."""

    why: str


Step: TypeAlias = "Ask | NotAsked | None"  # None: the question is settled, as far as it can be


def has_data_key(evidence: Evidence) -> bool:
    """Tell whether the connection has a Data API key beside the Campaign API key."""
    return evidence.settings.data_api_key != evidence.settings.api_key


def data_read(evidence: Evidence) -> Request:
    """Return the read with which the Data API key is examined: of a segment that does not exist."""
    return requests.read_segment(header.current_settings(evidence), MADE_UP)
