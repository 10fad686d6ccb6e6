"""
Whose is what a refused upload names: its file's, its list's, or somebody else's, such as a key's.
The same keyword, such as an allow-list or a version, means another thing for each. Pure.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

__all__ = ["OF_PLACE", "Sent", "Whose", "whose"]


class Whose(Enum):
    """Whom the words of a refused upload speak of."""

    FILE = "the file to upload, or the host of its URL"
    PERHAPS_FILE = "the file to upload, unless they ask for patience"
    LIST = "the list that takes no coupons"
    OTHER = "this machine, the service, a key, or something else"


class Sent(NamedTuple):
    """
    What a refused request was about.

    :ivar address: of the service, as a URL.
    :ivar file_url: of an upload; empty for any other request.
    """

    address: str = ""
    file_url: str = ""


# The member of an upload that has the file's URL, and not those with its login.
FILE_URL: Final = re.compile(r"\bfile[ _-]?ur[li]\b", re.IGNORECASE)
# What the service does with a URL, and what it calls the place that it does it at.
FETCHING: Final = re.compile(
    r"\b(?:fetch|download)\w*|\bfile sources?\b|\bsources?\b(?![ _-]?(?:ip\b|address))",
    re.IGNORECASE,
)
# A key may not fetch files, either.
OF_KEY: Final = re.compile(
    r"\b(?:api[ _-]?)?keys?\b|\bscopes?\b|\bpermissions?\b|\broles?\b", re.IGNORECASE
)
OF_PLAN: Final = re.compile(r"\bplans?\b|\blicen[cs]e|\bsubscription\b|\btier\b", re.IGNORECASE)
PLACE: Final = r"(?:country|countries|territory|jurisdiction|location)"
REQUESTS: Final = r"\b(?:requests?|access|traffic|connections?|calls?)"
# That requests are refused for the place that they come from: a country, or a part of a network.
OF_PLACE: Final = re.compile(
    rf"\bfrom (?:your|this|that) (?:[\w-]+ )?{PLACE}\b|\bfrom your (?:[\w-]+ )?region\b|"
    rf"{REQUESTS} from (?:this|that) (?:[\w-]+ )?region\b|{REQUESTS} from outside\b|"
    rf"\byour (?:network |current |geographic(?:al)? )?{PLACE}\b|"
    rf"\b{PLACE} (?:is |was )?(?:not (?:allowed|permitted)|blocked|denied|restricted)|"
    r"\bgeo[ _-]?(?:block|fenc|restrict)\w*|\bexport control|\bsanction(?:s|ed)\b",
    re.IGNORECASE,
)
# Not one of addresses that are let in.
LIST: Final = r"(?<!allow[- ])(?<!white[- ])(?<!block[- ])(?<!deny[- ])\blists?\b"
COUPONS: Final = r"\b(?:coupons?|codes?|vouchers?)\b"
MOST: Final = r"\b(?:maximum|max|most|limit|quota)\b"
# That a list has no room for coupons; not that it takes so many in a time, or in a file.
FULL: Final = re.compile(
    rf"\b(?:is|are) full\b|\bcapacity\b|{MOST}[^.;]{{0,40}}{COUPONS}|{COUPONS}[^.;]{{0,40}}{MOST}",
    re.IGNORECASE,
)
AT_ONCE: Final = re.compile(
    r"\b(?:per|an?|each|every) (?:second|minute|hour|day|week|month)\b|\bdaily\b|\bhourly\b|"
    r"\b(?:per|a|an|each|one|the) (?:uploaded )?file\b",
    re.IGNORECASE,
)
OF_LIST: Final = re.compile(LIST, re.IGNORECASE)
CLOSED: Final = re.compile(
    rf"{LIST} (?:['\"`][^'\"`]+['\"`] )?(?:(?:is|was|has|been|now|already) ){{0,3}}"
    r"(?:archived|closed|frozen|deleted|deactivated|disabled|suspended|expired)\b|"
    r"\blegal[ _-]hold\b|\blitigation\b",
    re.IGNORECASE,
)


def whose(words: str, sent: Sent) -> Whose:
    """Tell whom the words of a refusal speak of; of any request but an upload, of somebody else."""
    if not sent.file_url:
        return Whose.OTHER
    if FILE_URL.search(words) or _names_host(words, sent):
        return Whose.FILE
    if _takes_no_coupons(words):
        return Whose.LIST
    if FETCHING.search(words) and not OF_KEY.search(words):
        return Whose.PERHAPS_FILE
    return Whose.OTHER


def _names_host(words: str, sent: Sent) -> bool:
    """Tell whether words name the host of the file's URL, if that is not the service's."""
    host = urlsplit(sent.file_url).hostname or ""
    if not host or host == urlsplit(sent.address).hostname:
        return False
    return re.search(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", words, re.IGNORECASE) is not None


def _takes_no_coupons(words: str) -> bool:
    """Tell whether words say that a list, and not a key or a plan, is full, closed or the like."""
    if OF_KEY.search(words) or OF_PLAN.search(words):
        return False
    if OF_LIST.search(words) is None:
        return False
    is_full = FULL.search(words) is not None and AT_ONCE.search(words) is None
    return is_full or CLOSED.search(words) is not None
