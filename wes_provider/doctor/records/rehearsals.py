"""Records that speak of a rehearsal: files that are checked, and bring no coupons. Pure."""

from __future__ import annotations

import re
from typing import Any, Final

from wes_provider.doctor.replies.files import properties_of
from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.probes import Probe
from wes_provider.models import CouponFile
from wes_provider.texts import redact, shown

__all__ = ["IN_REHEARSAL", "not_in_effect_by", "rehearsal_by", "rehearsal_in"]

WORDS: Final = re.compile(
    r"\b(?:validat\w*|verif\w*|check|parse|test|preview)[ _-]?only\b|\bdry[ _-]?run\b|"
    r"\bsimulat\w+\b|\brehears\w+\b|\bno[ _-]?(?:commit|import)\b",
    re.IGNORECASE,
)
CAPITAL_INSIDE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Plain names of properties that say by a false that a file which has ended is not in effect.
IN_EFFECT: Final = (
    "applied committed effective imported ineffect islive live persisted published saved stored"
).split()
# Properties and headers that have what was sent, which may have any words in it.
GIVEN: Final = ("name", "file_url", "coupons_list_id", "created_by", "callback_url", "location")
NO: Final = ("", "false", "no", "off", "0", "none", "null")
LONGEST: Final = 60  # characters of a property that are quoted
IN_REHEARSAL: Final = (
    "The account may only check files, and add nothing. Ask the service's support to have files "
    "imported, and run this again; put nothing of it into coupon_file_statuses before that."
)


def rehearsal_in(file: CouponFile) -> str:
    """
    Quote the property by which a record says that the file was only checked, such as
    ``mode is 'validate_only'``; empty if none does.
    """
    for where, value in properties_of(file).items():
        if _speaks_of_rehearsal(where, value):
            return _quoted(where, str(value))
    return ""


def not_in_effect_by(file: CouponFile) -> str:
    """
    Quote what says of a file that has ended that it was only checked, or that it is not in effect,
    such as ``published is 'False'``; empty if nothing does.
    """
    for where, value in properties_of(file).items():
        if value is False and last_name(where) in IN_EFFECT:
            return _quoted(where, str(value))
    return rehearsal_in(file)


def rehearsal_by(uploaded: Probe) -> str:
    """
    Quote what the reply to an upload, in its headers or its body, says of a rehearsal, such as
    ``dry_run is 'True'``; empty if nothing does.
    """
    headers = uploaded.response.headers.items()
    for where, value in (*headers, *inside(uploaded.content)):
        if _speaks_of_rehearsal(where, value):
            return _quoted(where, uploaded.clean(str(value)))
    return ""


def _quoted(where: str, value: str) -> str:
    return f"{shown(where, quoted=False)} is {shown(redact(value), LONGEST)}"


def _speaks_of_rehearsal(where: str, value: Any) -> bool:
    if isinstance(value, str) and WORDS.search(value):
        return where.rpartition(".")[2] not in GIVEN
    is_set = value is True or str(value).lower() not in NO
    return is_set and WORDS.search(_as_words(where)) is not None


def _as_words(where: str) -> str:
    """Return the last part of a dotted property with a line between its words."""
    return CAPITAL_INSIDE.sub("_", where.rpartition(".")[2])
