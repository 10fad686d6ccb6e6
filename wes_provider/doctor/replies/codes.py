"""The member by which replies with the status of a success say how it went. Pure."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.words import FINE, LONGEST, ErrorInBody

__all__ = ["CodeMember", "codes_in", "error_by_code", "message_beside"]

CODE: Final = re.compile(r"(?:code|status|error|errno|result|outcome|state)$|^(?:rc|ret)$")
OF_TEXT: Final = re.compile(r"(?:msg|message|text|description|reason|detail|title|info)$")


class CodeMember(NamedTuple):
    """
    A member of replies that tells errors from what went well.

    :ivar name: dotted, such as ``header.resultCode``.
    :ivar fine: its values in replies that had what was asked for.
    """

    name: str
    fine: frozenset[str]


def codes_in(content: Any) -> dict[str, str]:
    """Return the members of a body that may say how it went, as the names of codes end."""
    if not isinstance(content, dict):
        return {}
    codes = {}
    for where, value in inside(content):
        is_word = type(value) in (str, int)
        if is_word and CODE.search(last_name(where)):
            codes[where] = str(value)
    return codes


def error_by_code(content: Any, member: CodeMember | None) -> ErrorInBody | None:
    """Return the error that a body is by the code of the service; ``None`` if it is none."""
    if member is None or not isinstance(content, dict) or content.get("_id"):
        return None
    code = codes_in(content).get(member.name)
    if code is None or code in member.fine or FINE.fullmatch(code):
        return None
    return ErrorInBody(0, f"{member.name} {code}")


def message_beside(content: Any, member: CodeMember) -> str:
    """Return the text that stands beside the code of an error; empty without one."""
    above = member.name.rpartition(".")[0]
    named, sentences = [], []
    for where, value in inside(content):
        is_beside = where.rpartition(".")[0] == above and where != member.name
        if not is_beside or not isinstance(value, str):
            continue
        if OF_TEXT.search(last_name(where)):
            named.append(value)
        elif " " in value.strip():
            sentences.append(value)
    texts = filter(None, (*named, *sentences))
    return next(texts, "")[:LONGEST]
