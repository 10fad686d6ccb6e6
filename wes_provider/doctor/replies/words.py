"""What a response says of an error, wherever it says so: in JSON, a web page or a header. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard

from wes_provider.client.announcements import plain_name
from wes_provider.client.responses import CODES, MESSAGES, with_plain_names
from wes_provider.doctor.replies.files import is_record_without_id
from wes_provider.texts import redact_url, shown

__all__ = [
    "FINE",
    "LONGEST",
    "ErrorInBody",
    "abridged",
    "as_it_came",
    "blocked_by",
    "capital",
    "description_in",
    "error_in",
    "fault_in",
    "foreign_error_in",
    "frame_in",
    "hour_in",
    "is_login",
    "is_problem_type",
    "is_sentence",
    "is_xml",
    "other_scheme",
    "problem_of",
    "quoted",
    "reason_in_headers",
    "says_not_found",
    "text_of",
    "title_of",
    "unmarked",
    "word_code_in",
    "xml_error",
]

# Properties that hold the status of an error, in any spelling.
STATUS_NAMES: Final = ("statuscode", "status", "httpstatus", "httpcode", "code", "errorcode")
# What envelopes have as their status; those of ENDS may be a file's own status, too.
VERDICTS: Final = ("status", "result", "outcome")
FAILED: Final = {"error", "fail", "ko", "nok", "maintenance", "unavailable", "unauthorized"}
ENDS: Final = {"failed", "failure"}
# Whether it went well, and whether it did not, as a boolean, in digits or as a word.
SUCCEEDED: Final = ("success", "ok", "succeeded", "issuccess", "successful")
HAS_FAILED: Final = ("iserror", "haserror", "haserrors")
FALSE: Final = {"false", "0", "no"}
# Codes of what went well, besides those that are 2xx.
FINE: Final = re.compile(r"0*|1|2\d\d|ok|success(ful)?|none|null", re.IGNORECASE)
# Parts of the codes of errors that are words.
ERROR_CODES: Final = (
    "err fail invalid denied forbid unauth missing unknown expired not_ not- exception limit"
).split()
# Identifiers that errors have, too.
OF_REQUESTS: Final = ("requestid", "traceid", "correlationid", "errorid")
NOT_FOUND: Final = ("not found", "no such", "does not exist", "no route", "unknown path")
SENTENCE: Final = re.compile(r"\S+\s+\S+\s+\S")
FRAME: Final = re.compile(r"<frame\b[^>]*\bsrc\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
REFRESH: Final = re.compile(
    r"<meta\b[^>]*\bhttp-equiv\s*=\s*[\"']?refresh\b[^>]*\burl\s*=\s*[\"']?([^\"'\s>]+)",
    re.IGNORECASE,
)
TITLE: Final = re.compile(r"<(title|h1)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
OF_TOMCAT: Final = re.compile(r"<b>message</b>(.*?)</p>", re.IGNORECASE | re.DOTALL)
FIREWALL_NAMES_ITSELF: Final = re.compile(
    r"\bmod_?security\b|\bforti(?:web|gate|guard)\b|\bbarracuda\b|\bwordfence\b|\bwaf\b|"
    r"\bweb application firewall\b",
    re.IGNORECASE,
)
LONGEST_SENTENCE: Final = 120  # characters
LEAF: Final = re.compile(r"<([\w:.-]+)[^<>]*>([^<>]+)</\1>")
RECORD_IN_XML: Final = re.compile(r"<_id\b|<coupons?_list_id\b")
XML_MESSAGES: Final = ("faultstring", "error", "text")
XML: Final = re.compile(r"(?:application|text)/(?:[\w.-]+\+)?xml")  # a media type
WEB_PAGE: Final = re.compile(r"<!doctype html|<(?:html|head|body|title|h1|p|div)\b", re.IGNORECASE)
TAG: Final = re.compile(r"<[^>]*>")
# What no reader sees of a page.
UNSEEN: Final = re.compile(r"<(style|script)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
HOUR: Final = re.compile(
    # Not a version, such as nginx/1.24.0.
    r"(?<![\w/.])\d{1,2}(?:[:.h]\d{2}\b(?!\.\d)|\s?(?:Uhr|[ap]\.?m\b|h\b))",
    re.IGNORECASE,
)
# What a page that wants a login has, in its title or in a field.
LOGIN: Final = re.compile(
    r"type=[\"']?password|<(?:title|h1)\b[^>]*>[^<]*(?:log ?in|sign ?in|anmeld|connexi)",
    re.IGNORECASE,
)
DESCRIPTION: Final = re.compile(r"error_description\s*=\s*\"([^\"]+)\"", re.IGNORECASE)
ERROR: Final = re.compile(r"\berror\s*=\s*\"([^\"]+)\"", re.IGNORECASE)
OF_SCOPE: Final = re.compile(r"\berror\s*=\s*\"?insufficient", re.IGNORECASE)
QUOTED: Final = re.compile(r"\"[^\"]*\"")
SCOPE: Final = re.compile(r"\bscope\s*=\s*\"([^\"]+)\"", re.IGNORECASE)
HEADER_OF_KEY: Final = re.compile(r"\bname=\"([\w-]+)\"", re.IGNORECASE)
REASON_HEADERS: Final = ("x-error-message", "x-error")
MARK: Final = "\u204f"  # a semicolon that no header has
LONGEST: Final = 2000  # characters of what a service says
LONGEST_WORD: Final = 40  # characters
LONGEST_PAGE: Final = 10_000  # characters that are searched for a title


class ErrorInBody(NamedTuple):
    """
    An error that a body is, whatever status the response has.

    :ivar status: that the body gives the error; 0 if it gives none.
    :ivar name: what the body has for it, such as ``statusCode 401``.
    """

    status: int = 0
    name: str = "an error"


def is_sentence(value: object) -> TypeGuard[str]:
    """Tell whether a value is a string of three words or more."""
    return isinstance(value, str) and SENTENCE.match(value) is not None


def error_in(content: Any) -> ErrorInBody | None:
    """Read the error that a JSON body is; ``None`` if it is none, or the record of a file."""
    if not isinstance(content, dict) or content.get("_id") or is_record_without_id(content):
        return None
    top = with_plain_names(content)
    places = [content, *filter(None, (top.get("error"), _first(top.get("errors"))))]
    error = next(filter(None, map(_status_in, places)), ErrorInBody())
    if _says_no(top):
        return error
    is_error = any(map(top.get, ("error", "errors", "fault"))) or error.status
    is_named = bool(is_error) or _has_error_code(top)
    if is_named and not content.get("data"):
        return error
    return None


# What some errors have as a code beside a number: PERMISSION_DENIED, access-denied.
WORD_CODE: Final = re.compile(r"[A-Z]{4,}|[A-Za-z]+(?:[_-][A-Za-z]+)+")
NAMES_OF_WORD_CODES: Final = ("status", "reason", "error", "errorcode", "key", "type")


def word_code_in(content: Any) -> str:
    """
    Return the code in words that an error has beside a number, such as the status that it repeats;
    empty without one.
    """
    top = with_plain_names(content)
    for place in (
        with_plain_names(top.get("error")),
        with_plain_names(_first(top.get("errors"))),
        top,
    ):
        for name in NAMES_OF_WORD_CODES:
            if WORD_CODE.fullmatch(str(place.get(name, ""))):
                return str(place[name])
    return ""


def fault_in(content: Any) -> tuple[str, str] | None:
    """
    Read the code and the message of a fault, as gateways send it; ``None`` if a body is none.

    Such as ``{"fault": {"faultstring": "...", "detail": {"errorcode": "..."}}}``.
    """
    fault = with_plain_names(content).get("fault")
    if not isinstance(fault, dict):
        return None
    said = {**with_plain_names(fault.get("detail")), **with_plain_names(fault)}
    texts = [said.get(name) for name in ("faultstring", *MESSAGES)]
    messages = dict.fromkeys(text for text in texts if isinstance(text, str) and text)
    codes = map(said.get, (*CODES, "faultcode"))
    code = next((str(code) for code in codes if isinstance(code, (str, int))), "")
    return code, ": ".join(messages)[:LONGEST]


# Names of errors, of their codes and of their messages in other languages than English.
FOREIGN_ERRORS: Final = ("erro", "errore", "erreur", "fehler")
FOREIGN_CODES: Final = ("codigo", "código", "codice", "fehlercode", "codeerreur")
FOREIGN_MESSAGES: Final = (
    "mensagem mensaje messaggio meldung fehlermeldung nachricht descricao descrição descripcion "
    "descripción descrizione beschreibung detalhe detalle dettaglio"
).split()


def foreign_error_in(content: Any) -> tuple[str, str] | None:
    """
    Read the code and the message of an error whose members have names of another language, such as
    ``{"erro": {"codigo": "...", "mensagem": "..."}}``; ``None`` if a body is none.
    """
    top = with_plain_names(content)
    inner = next((top[name] for name in FOREIGN_ERRORS if isinstance(top.get(name), dict)), top)
    said = with_plain_names(inner)
    messages = [said[name] for name in FOREIGN_MESSAGES if isinstance(said.get(name), str)]
    if not messages:
        return None
    codes = [said[name] for name in (*FOREIGN_CODES, *CODES) if isinstance(said.get(name), str)]
    return "".join(codes[:1]), ": ".join(messages)[:LONGEST]


def _says_no(top: Mapping[str, Any]) -> bool:
    """Tell whether an object says itself that the request has failed."""
    said = {name: str(value).lower() for name, value in top.items()}
    verdicts = {said[name] for name in VERDICTS if name in said}
    has_failed = (
        any(said.get(name) in FALSE for name in SUCCEEDED),
        any(top.get(name) is True for name in HAS_FAILED),
        not verdicts.isdisjoint(FAILED),
        not verdicts.isdisjoint(ENDS) and not _has_identifier(top),
    )
    return any(has_failed)


def _has_identifier(top: Mapping[str, Any]) -> bool:
    """
    Tell whether an object has an identifier, as a file has, besides those that errors have, too.
    """
    return any(name.endswith("id") and name not in OF_REQUESTS for name in top)


def _has_error_code(top: Mapping[str, Any]) -> bool:
    """
    Tell whether an object has the code of an error: of an error by the property's name, or a number
    or a word for an error beside a message.
    """
    codes = {name: _code_of(top.get(name)) for name in CODES}
    if any(code for name, code in codes.items() if name.startswith("err")):
        return True
    code = codes.get("code", "")
    is_error = code.isdecimal() or any(part in code.lower() for part in ERROR_CODES)
    return is_error and _has_message(top)


def _code_of(value: Any) -> str:
    """Return the code of what went wrong that a value is; empty if it is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    code = str(value).strip()
    if FINE.fullmatch(code):
        return ""
    return code


def _has_message(top: Mapping[str, Any]) -> bool:
    """Tell whether an object has a message that does not say that all went well."""
    messages = (str(top[name]) for name in MESSAGES if top.get(name))
    first = next(messages, "ok")
    return not FINE.fullmatch(first.strip(" .!"))


def _first(errors: Any) -> Any:
    if isinstance(errors, list) and errors:
        return errors[0]
    return None


def _status_in(place: Any) -> ErrorInBody | None:
    """Return the status of an error that an object has, as a number or in digits."""
    if not isinstance(place, dict):
        return None
    for name, value in place.items():
        is_status = "".join(filter(str.isalnum, str(name).lower())) in STATUS_NAMES
        if is_status and re.fullmatch(r"[45]\d\d", str(value)):
            return ErrorInBody(int(value), f"{name} {value}")
    return None


def says_not_found(message: str) -> bool:
    """Tell whether a message is that of something that does not exist."""
    plain = re.sub(r"[\W_]+", " ", message.lower())
    return any(words in plain for words in NOT_FOUND)


def xml_error(text: str) -> tuple[str, str] | None:
    """
    Read the code and the message of an error in XML; ``None`` if a text is none, such as a web page
    or the records of files.
    """
    beginning = text[:LONGEST_PAGE]
    if not beginning.startswith("<") or WEB_PAGE.search(beginning):
        return None
    if RECORD_IN_XML.search(beginning):
        return None  # an error within it is that of a file
    found: dict[str, str] = {}
    for tag, inner in LEAF.findall(beginning):
        said = " ".join(html.unescape(inner).split())
        if said:
            found.setdefault(plain_name(tag.rpartition(":")[2]), said)
    code = next((found[name] for name in CODES if name in found), "")
    message = next((found[name] for name in (*MESSAGES, *XML_MESSAGES) if name in found), "")
    if code or message:
        return (code, message[:LONGEST])
    return None


def is_xml(text: str, media_type: str) -> bool:
    """Tell whether a text is XML, as it says itself or by its media type, and no web page."""
    is_called_xml = text.startswith("<") and XML.fullmatch(media_type) is not None
    if not is_called_xml and not text.startswith("<?xml"):
        return False
    return WEB_PAGE.search(text[:LONGEST_PAGE]) is None


def title_of(page: str) -> str:
    """
    Return the title of a web page, its first heading if it is another, the message of Tomcat, a
    sentence in which a firewall names itself, and an hour that it names; empty without any.
    """
    lines: dict[str, str] = {}
    for tag, text in TITLE.findall(page[:LONGEST_PAGE]):
        line = " ".join(html.unescape(TAG.sub(" ", text)).split())
        if line:
            lines.setdefault(tag.lower(), line)
    message = OF_TOMCAT.search(page[:LONGEST_PAGE])
    if message is not None:
        lines["message"] = " ".join(html.unescape(TAG.sub(" ", message[1])).split())
    for sentence in re.split(r"(?<=[.!?])\s+", text_of(page)):
        if FIREWALL_NAMES_ITSELF.search(sentence):
            lines.setdefault("firewall", abridged(sentence, LONGEST_SENTENCE))
    named = [*_each_once(list(lines.values())), hour_in(page)]
    return ": ".join(filter(None, dict.fromkeys(named)))[:LONGEST]


def _each_once(lines: Sequence[str]) -> list[str]:
    """Return lines without those that are a part of another one, such as a title's."""
    return [line for line in lines if not any(line != other and line in other for other in lines)]


def is_problem_type(code: str) -> bool:
    """
    Tell whether an error's code is the URI that problem details (RFC 9457) have as their type.
    """
    return code.startswith(("about:", "http://", "https://", "urn:"))


def problem_of(content: Any) -> str:
    """Title and detail of problem details; empty without both."""
    if not isinstance(content, dict):
        return ""
    said = [content.get("title"), content.get("detail")]
    return ": ".join(text.rstrip(".") for text in said if isinstance(text, str) and text)


def frame_in(page: str) -> str:
    """
    Return where a page leads a browser without a redirect: by a frame, or by a refresh; empty if it
    does not.
    """
    for found in (FRAME.search(page), REFRESH.search(page)):
        if found is not None:
            return html.unescape(found[1])
    return ""


def hour_in(page: str) -> str:
    """
    Return the sentence of a web page that names an hour, as of a maintenance; empty without one.
    """
    for part in re.split(r"<[^>]*>", UNSEEN.sub(" ", page[:LONGEST_PAGE])):
        sentence = " ".join(html.unescape(part).split())
        if HOUR.search(sentence):
            return sentence[:LONGEST]
    return ""


def is_login(page: str) -> bool:
    """Tell whether a web page wants a login."""
    return LOGIN.search(page[:LONGEST_PAGE]) is not None


def text_of(page: str) -> str:
    """Tell what readers see of the beginning of a page, in one line."""
    return " ".join(html.unescape(TAG.sub(" ", UNSEEN.sub(" ", page[:LONGEST_PAGE]))).split())


def other_scheme(headers: Mapping[str, str]) -> str:
    """
    Tell how a reply wants its reader to authenticate, if not by Basic credentials, such as
    ``Bearer``; empty if it does not say so, or names another reason.

    :param headers: names in lower case.
    """
    challenge = headers.get("www-authenticate", "").strip()
    unquoted = QUOTED.sub("", challenge)
    names_another_reason = OF_SCOPE.search(challenge) is not None
    if not challenge or names_another_reason or re.search(r"\bbasic\b", unquoted, re.IGNORECASE):
        return ""
    scheme = re.split(r"[\s,]", challenge)[0]
    named = HEADER_OF_KEY.search(challenge)
    if named:
        return f"{scheme} in the header {named[1]}"
    return scheme


def description_in(headers: Mapping[str, str]) -> str:
    """
    Return what a challenge says of why it refuses, in a sentence of its own; empty without one.

    :param headers: names in lower case.
    """
    challenge = headers.get("www-authenticate", "")
    described = DESCRIPTION.search(challenge)
    if described is None and OF_SCOPE.search(challenge) is None:
        return ""
    return reason_in_headers(headers)


# Whoever demanded that a service keeps something back (RFC 7725).
LINK: Final = re.compile(r"<([^<>]+)>([^<]*)")
BLOCKED_BY: Final = re.compile(r"\brel\s*=\s*\"?blocked-by\b", re.IGNORECASE)


def blocked_by(headers: Mapping[str, str]) -> str:
    """
    Return the URL of whoever blocks what was asked for, without its query, as a header ``Link``
    says; empty if none does.

    :param headers: names in lower case.
    """
    for url, parameters in LINK.findall(headers.get("link", "")):
        if BLOCKED_BY.search(parameters):
            return redact_url(url)
    return ""


def reason_in_headers(headers: Mapping[str, str]) -> str:
    """
    Tell why a request failed, as headers say; empty if none does.

    :param headers: names in lower case.
    """
    challenge = headers.get("www-authenticate", "")
    named = DESCRIPTION.search(challenge) or ERROR.search(challenge)
    if named:
        scope = SCOPE.search(challenge)
        needed = ""
        if scope:
            needed = f", scope {scope[1]}"
        return f"{named[1]}{needed}"[:LONGEST]
    reasons = (headers.get(name, "").strip() for name in REASON_HEADERS)
    return next(filter(None, reasons), "")[:LONGEST]


# -- the service's words in a sentence -------------------------------------------------------------


def capital(text: str) -> str:
    """Return a text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def quoted(text: str, length: int) -> str:
    """Return a service's words in quotes, bounded as :func:`abridged` does."""
    return repr(abridged(text.rstrip("."), length))


def abridged(text: str, length: int) -> str:
    """
    Return a text in one line. If it is longer than a length, the middle of long identifiers is left
    out, and then that of the text: the words that decide may stand at either end.
    """
    line = shown(text, LONGEST, quoted=False)
    if len(line) <= length:
        return line
    line = " ".join(map(_shortened, line.split(" ")))
    if len(line) <= length:
        return line
    end = length // 2
    beginning = length - end - len(" … ")
    # No word is cut, unless it is longer than its part.
    before, after = line[:beginning], line[-end:]
    if line[beginning] != " ":
        before = before.rpartition(" ")[0] or before
    if line[-end - 1] != " ":
        after = after.partition(" ")[2] or after
    return f"{before.rstrip()} … {after.lstrip()}"


def as_it_came(value: str) -> str:
    """
    Return the value of a header with its semicolons marked, so that its parameters are not taken
    for those of a URL, which are secret; :func:`unmarked` returns it as it was.
    """
    return value.replace(";", MARK)


def unmarked(text: str) -> str:
    """Return a text with the semicolons that :func:`as_it_came` marked."""
    return text.replace(MARK, ";")


def _shortened(word: str) -> str:
    """Return a word without its middle, if it is a long identifier."""
    if len(word) <= LONGEST_WORD:
        return word
    return f"{word[: LONGEST_WORD // 2]}…{word[-LONGEST_WORD // 3 :]}"
