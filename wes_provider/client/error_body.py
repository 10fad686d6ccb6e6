"""
Code and message of an error, in whatever body it comes.

The contract shows ``{"error": {"code", "message"}}`` for uploads (section 7), and nothing for catalogs and segments.
Both are found under the usual names in any spelling, at the top, nested, or in a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from wes_provider.client.body_text import is_page, page_text, xml_values

__all__ = ["code_and_message", "plain", "reports_failure", "states_failure", "with_id_as_text"]

DEEPEST: Final = 8  # levels of a body that are searched
QUOTED: Final = 10_000  # characters of a body at most that the message quotes
ERRORS_SHOWN: Final = 3  # of a list of errors

# In the order of preference.
_CODES: Final = ("code", "key", "slug", "type", "errorname", "reason", "kind", "title", "status")
_MESSAGES: Final = (
    *("message", "msg", "detail", "details", "description", "text", "explanation", "faultstring"),
    *("reason", "title", "summary", "info", "messages"),
)
_ERRORS: Final = (
    *("error", "errors", "err", "fault", "exception", "exceptions", "problem", "problems", "failures"),
    *("validationerrors", "fielderrors", "violations", "fieldviolations"),
)
_WHOLE: Final = ("error", "err", "fault", "exception", "problem")  # whose code is that of the whole
_MORE: Final = ("detail", "details", "description")  # beside a message: what it leaves out
_PLACES: Final = ("field", "loc", "param", "parameter", "pointer", "property", "source")  # what an error is about
_KNOWN: Final = frozenset((*_CODES, *_MESSAGES, *_ERRORS))
_PREFIX: Final = re.compile(
    "(error|err|exception|fault|problem|api|user|developer|status|response|display|default|result|return|ret|service)"
)
_NO_CODES: Final = frozenset(
    ("", "about:blank", "error", "fail", "failed", "failure", "ko", "status", "ok", "true", "false")
)
_FAILED: Final = frozenset(("error", "errors", "fail", "failed", "failure", "ko", "rejected", "nok"))
_YES_OR_NO: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_STANDARDS: Final = re.compile(r"https?://[^/]*(ietf|rfc-editor|w3|mozilla)\.org/", re.IGNORECASE)
_SPOKEN_CODE: Final = re.compile(r"[A-Za-z0-9]+([_-][A-Za-z0-9]+)+")  # a code in place of a message
# Names that hold a code only if it looks like one.
_LIKELY_CODES: Final = {
    "name": re.compile(r"[A-Z]+(_[A-Z]+)+|[A-Z][A-Za-z]*(Error|Exception)"),
    "category": re.compile(r"[A-Z]+(_[A-Z]+)*"),
    "id": re.compile(r"[a-z]+([_-][a-z]+)+"),
}
_PHRASES: Final = frozenset(status.phrase.lower() for status in HTTPStatus)


def plain(name: str) -> str:
    """
    A property's name without what services spell in different ways.

    :param name: in any case, with hyphens or underscores.
    :return: its letters and digits, in lower case.
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


def with_id_as_text(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose ``_id`` is a text, as the contract has it (section 2); a service may send a whole number."""
    return {**record, "_id": str(record["_id"])} if type(record.get("_id")) is int else record


def code_and_message(text: str, status_code: int) -> tuple[str, str]:
    """
    What an error's body gives as its code and its message.

    :param text: the body.
    :param status_code: the status code of the response. As a code it counts only if there is no other.
    :return: the code, empty if there is none, and the message. If nothing fits, the message is the body.
    """
    if is_page(text):
        return "", f"an HTML page: {page_text(text)}"
    try:
        content = _parsed(text)
        code, message = _search(content, str(status_code), DEEPEST)
    except (ValueError, RecursionError):
        code, message, content = "", "", text
    if not code and _SPOKEN_CODE.fullmatch(message):
        code = message
    return code, message or (" ".join(text[:QUOTED].split()) if content else "")


def reports_failure(content: Any) -> bool:
    """
    Whether the JSON of a 2xx reports an error all the same, as some services do.

    :param content: the JSON of the body.
    """
    if not isinstance(content, dict) or (succeeded := _succeeded(content)):
        return False
    named = {plain(name): value for name, value in content.items()}
    return succeeded is False or any(
        named.get(name) for name in ("error", "errors", "fault", "exception", "errormessage")
    )


def states_failure(content: Any) -> bool:
    """
    The same, but of a body that says in so many words that the request failed; errors alone may be warnings.

    :param content: the JSON of the body.
    """
    return isinstance(content, dict) and _succeeded(content) is False


def _succeeded(content: Mapping[str, Any]) -> bool | None:
    """Whether an object says that the request succeeded; ``None`` if it says nothing."""
    named = {plain(name): value for name, value in content.items()}
    for name in ("success", "ok", "succeeded", "successful", "issuccess", "issuccessful", "issucceeded"):
        value = named.get(name)
        if isinstance(value, (bool, int)) or (isinstance(value, str) and value.strip().lower() in _YES_OR_NO):
            return bool(value) if not isinstance(value, str) else _YES_OR_NO[value.strip().lower()]
    for name in ("status", "statuscode", "httpstatus", "httpstatuscode", "code", "result", "outcome", "state"):
        text = _scalar(named.get(name))
        if plain(text) in _FAILED or re.fullmatch(r"[45]\d\d", text):
            return False
    for name in ("status", "meta", "header"):
        inner = named.get(name)
        if isinstance(inner, dict) and _succeeded(inner) is False:
            return False
    return None


def _parsed(text: str) -> Any:
    """
    The JSON of a body, or the values of its XML.

    :raises ValueError: if it is neither.
    """
    stripped = (
        text.strip().removeprefix(")]}'").lstrip(",\n\r ")
    )  # which some put before JSON, against its use as a script
    if stripped[:1] == "<" and (values := xml_values(stripped)):
        return values
    try:
        content = json.loads(stripped)
    except json.JSONDecodeError:
        if stripped[:1] != "{":
            raise
        content, _ = json.JSONDecoder().raw_decode(stripped)  # one JSON text a line: the first has the error
    for inner in (content, *(content.get(name) for name in ("message", "error") if isinstance(content, dict))):
        if isinstance(inner, str) and inner[:1] == "{" and inner[-1:] == "}":  # JSON within JSON
            return json.loads(inner)
    return content


def _search(value: Any, status: str, depth: int) -> tuple[str, str]:
    if isinstance(value, list):
        return _of_list(value, status, depth)
    if not isinstance(value, dict):
        return "", _scalar(value)
    named = _named(value)
    found = _Found(_codes(named), [text for name in _MESSAGES if (text := _scalar(named.get(name)))])
    found.more += [text for name in _MORE if found.messages and (text := _scalar(named.get(name)))]
    for name in _ERRORS:
        inner = named.get(name)
        if isinstance(inner, (dict, list)) and inner and depth:
            code, message = _search(inner, status, depth - 1)
            found.add_error(inner, code, message, whole=name in _WHOLE)
        elif text := _scalar(inner):
            found.add_text(text)
    for name in _MESSAGES:
        inner = named.get(name)
        if isinstance(inner, (dict, list)) and inner and (name in _MORE or not found.complete):
            # Under "message" it is one, whatever is in it; elsewhere it may be an error of its own.
            code, message = ("", "") if name == "message" or not depth else _search(inner, status, depth - 1)
            found.add_error(inner, code, message)
    searched = {id(inner) for name, inner in named.items() if name in _KNOWN}
    for inner in value.values() if depth else ():
        if id(inner) in searched:
            continue
        one = isinstance(inner, dict)
        if not found.complete and (one or (isinstance(inner, list) and inner and isinstance(inner[0], dict))):
            code, message = _search(inner, status, depth - 1)
            found.codes += [code] * bool(code and (one or not found.messages))
            found.messages += [message] * bool(message and not found.messages)
    message = _joined([*found.titles, *found.messages[:1], *found.more])
    others = [code for code in found.codes if code not in (status, message)]
    return (others or [code for code in found.codes if code == status] or [""])[0], message


@dataclass
class _Found:
    """
    What one object of a body holds so far, the best first.

    :ivar titles: precede the message.
    :ivar more: follows it.
    """

    codes: list[str]
    messages: list[str]
    titles: list[str] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to look for."""
        return bool(self.messages and self.codes)

    def add_error(self, inner: Any, code: str, message: str, *, whole: bool = False) -> None:
        """
        Add an error that the object holds.

        :param inner: the error, in which ``code`` and ``message`` were found.
        :param whole: it is all of the error, so its code and message come first.
        """
        if code:
            self.codes.insert(0 if whole else len(self.codes), code)
        text = message or ("" if code and isinstance(inner, dict) else _compact(inner))
        if not text:
            return
        if whole and message:
            self.messages.insert(0, text)
        else:
            (self.more if self.messages else self.messages).append(text)

    def add_text(self, text: str) -> None:
        """Add a text that is there instead of an error."""
        if not self.messages:
            self.messages.append(text)
        elif " " not in text:
            self.codes.append(text)
        elif text.lower() not in _PHRASES:
            self.titles.append(text)


def _of_list(value: list[Any], status: str, depth: int) -> tuple[str, str]:
    """The first code in a list of errors, and the first few messages."""
    value = [item for item in value if item is not None]
    if not value or not isinstance(value[0], (dict, list)) or not depth:
        return "", (_scalar(value[0]) if len(value) == 1 else _compact(value) if value else "")
    found = [(_search(item, status, depth - 1), item) for item in value[:ERRORS_SHOWN]]
    messages = [_with_place(message, item) for (_, message), item in found if message]
    return next((code for (code, _), _ in found if code), ""), "; ".join(dict.fromkeys(messages))


def _codes(named: Mapping[str, Any]) -> list[str]:
    codes = [text for name in _CODES if (text := _scalar(named.get(name))).lower() not in _NO_CODES]
    if _scalar(named.get("status")).isdigit():
        codes = [text for text in codes if text != _scalar(named["status"])]
    codes += [
        text for name, form in _LIKELY_CODES.items() if form.fullmatch(text := _scalar(named.get(f"={name}"))[:100])
    ]
    return [text for text in codes if not re.search(r"\s", text) and not _STANDARDS.match(text)]


def _named(value: Mapping[str, Any]) -> dict[str, Any]:
    """The values under usual names; a name with a prefix such as ``error`` counts if there is none without it."""
    short_names = {name: plain(name.rpartition(":")[2]) for name in value}
    exact = {short: value[name] for name, short in reversed(list(short_names.items())) if short in _KNOWN}
    for name, short in short_names.items():
        unprefixed = _PREFIX.sub("", short, count=1)
        if short not in _KNOWN and _PREFIX.match(short) and unprefixed in _KNOWN:
            exact.setdefault(unprefixed, value[name])
        if short in _LIKELY_CODES:
            exact.setdefault(f"={short}", value[name])
    return exact


def _with_place(message: str, item: Any) -> str:
    """A message with the name of the field that it is about."""
    named = {plain(name): value for name, value in item.items()} if isinstance(item, dict) else {}
    for name in _PLACES:
        place = named.get(name)
        if isinstance(place, dict):
            place = place.get("pointer") or place.get("parameter")
        if isinstance(place, list):
            place = ".".join(map(_scalar, place))
        if (text := _scalar(place)) and text not in message:
            return f"{message} ({text})"
    return message


def _joined(parts: Iterable[str]) -> str:
    """Parts of a message, each once, the first first."""
    message = ""
    for part in parts:
        if part and part not in message:
            message = f"{message.rstrip('.:; ')}: {part}" if message else part
    return message


def _scalar(value: Any) -> str:
    return str(value).strip() if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""
