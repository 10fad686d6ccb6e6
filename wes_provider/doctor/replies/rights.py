"""What a reply with files says of what its key may do: whether uploads are among that. Pure."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from wes_provider import contract
from wes_provider.doctor.replies.beside import as_people_write, rights_in
from wes_provider.doctor.replies.members import inside, plain_names
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import redact, shown

__all__ = ["speaks_against_uploads"]

WORD: Final = re.compile(r"[^\s,;\"]+")
READS: Final = re.compile(
    r"(?:^|[._:/-])(?:read|readonly|view|viewer|list|get|fetch|ro)(?:$|[._:/-])"
)
# What may well be an upload: a word of writing, or of everything.
WRITES: Final = re.compile(
    r"write|upload|create|creat|manage|admin|edit|full|modif|post|put|import|add|insert|owner|"
    r"\*|(?:^|[._:/-])(?:all|rw|any|coupons?|files?)$"
)
OF_COUPONS: Final = re.compile(r"coupon|code|voucher|file|list")
# Parts of a body that say what the key may do, and the rights among them.
OF_RIGHTS: Final = re.compile(
    r"permission|scope|rights?$|capabilit|access|privilege|allowedactions|allowedoperations"
)
UPLOADS: Final = re.compile(r"(?:can|may|is|allow)?(?:upload|write|create|add|import|post)\w*")
LONGEST: Final = 60  # characters that are quoted


def speaks_against_uploads(probe: Probe) -> str:
    """
    Quote what says, in the headers or the body of a list's reply, that its key may only read, such
    as ``X-Key-Scopes: coupons:read``; empty if nothing does.
    """
    if probe.request.operation is not contract.LIST_COUPON_FILES or not probe.has_succeeded:
        return ""
    for name, value in rights_in(probe.response.headers).items():
        if _may_only_read(WORD.findall(value.lower())):
            return _quoted(probe, f"{as_people_write(name)}: {value}")
    for where, value in inside(probe.content):
        if _denies_uploads(where, value):
            return _quoted(probe, f"{where}: {json.dumps(value)}")
    return ""


def _may_only_read(words: list[str]) -> bool:
    """
    Tell whether the words of rights are of reads only: those of coupons, if some are of these.

    Words that say neither prove nothing.
    """
    considered = [word for word in words if OF_COUPONS.search(word)] or words
    if any(WRITES.search(word) for word in considered):
        return False
    return any(READS.search(word) for word in considered)


def _denies_uploads(where: str, value: Any) -> bool:
    """Tell whether a property of rights denies uploads, or has rights to read only."""
    *above, name = plain_names(where)
    is_of_rights = any(OF_RIGHTS.search(part) for part in above)
    if value is False:
        is_named_alone = re.fullmatch(r"(?:can|may)(?:upload|write|import)\w*", name) is not None
        return is_named_alone or (is_of_rights and UPLOADS.fullmatch(name) is not None)
    if OF_RIGHTS.search(name) is None:
        return False
    if isinstance(value, str):
        return _may_only_read(WORD.findall(value.lower()))
    is_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return is_texts and _may_only_read([each.lower() for each in value])


def _quoted(probe: Probe, text: str) -> str:
    return shown(redact(probe.clean(text)), LONGEST, quoted=False)
