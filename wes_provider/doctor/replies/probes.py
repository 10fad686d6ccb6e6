"""One request and what came of it, as data. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from enum import Enum
from functools import cached_property
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

import msgspec

from wes_provider import contract
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response, code_and_message, decode_text
from wes_provider.doctor.replies.beside import said_beside
from wes_provider.doctor.replies.binaries import Binary, binary_in
from wes_provider.doctor.replies.codes import CodeMember, codes_in, error_by_code, message_beside
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.remedies import is_about_wrong_keys, names_reason
from wes_provider.doctor.replies.schemes import is_scheme
from wes_provider.doctor.replies.subjects import Kind, Subject, SubjectRow, subject_of
from wes_provider.doctor.replies.whose import Sent
from wes_provider.doctor.replies.words import (
    LONGEST,
    ErrorInBody,
    error_in,
    fault_in,
    foreign_error_in,
    is_problem_type,
    is_xml,
    problem_of,
    reason_in_headers,
    says_not_found,
    title_of,
    word_code_in,
    xml_error,
)
from wes_provider.doctor.replies.wrappings import wrapping_of
from wes_provider.texts import redact, redact_url, shown

__all__ = [
    "NO_RESPONSE",
    "Answer",
    "Driver",
    "Form",
    "Keys",
    "Kind",
    "Probe",
    "Question",
    "identity_of",
    "is_certificate",
    "named_headers",
    "names_header",
    "names_in_words",
    "same_reply",
    "same_request",
    "with_query",
]

# Forms of JSON that standards name, by the end of their media type.
STANDARDS: Final = {
    "vnd.api": "JSON:API",
    "hal": "HAL",
    "ld": "JSON-LD",
    "problem": "problem details",
    "vnd.siren": "Siren",
    "vnd.collection": "Collection+JSON",
    "vnd.hal": "HAL",
}
NULL: Final = "null"  # JSON that is decoded to what stands for no JSON
NO_RESPONSE: Final = Response(0, {}, b"")
COMPARED: Final = 2000  # characters of two bodies
LONGEST_NAMES: Final = 50  # characters of names of headers
# Statuses that are about the moment, besides 5xx: timeouts, too early, too many requests.
NOT_NOW: Final = {0, 408, 425, 429, 499}
# Words of an error's code that is about the credentials, in any spelling.
CREDENTIALS: Final = (
    "unauthenticated",
    "unauthorized",
    "unauthorised",
    "notauthorized",
    "notauthorised",
    "credential",
    "authenticationfailed",
    "apikey",
    "notauthenticated",
    "invalidauth",
    "loginrequired",
    "notloggedin",
)


class Question(Enum):
    """What a request is sent for; the values are the names in the JSON report."""

    LIST = "list"
    DATA_KEY = "data-key"
    SWAPPED_KEYS = "swapped-keys"
    HEADER = "workspace-header"
    HEADER_VALUE = "header-value"
    HEADER_BESIDES = "header-besides"
    NO_SUCH_PATH = "no-such-path"
    MADE_UP_DATA_KEY = "made-up-data-key"
    OTHER_LIST = "other-list"
    LIST_PATH = "list-path"
    WHOLE_LIST = "whole-list"
    NEXT_PAGE = "next-page"
    WITHOUT_QUERY = "without-query"
    MADE_UP_LIST = "made-up-list"
    MADE_UP_KEY = "made-up-key"
    FILE_PATH = "file-path"
    AGAIN = "again"
    OTHER_ADDRESS = "other-address"
    PAGE = "page"
    COOKIE = "cookie"
    UPLOAD_PATH = "upload-path"
    WRITE = "write"
    FOLLOW = "follow"


# What sets requests with other headers apart from the same one with the connection's.
APART: Final = {
    Question.HEADER: "with {}",
    Question.HEADER_VALUE: "with a made-up value in {}",
    Question.HEADER_BESIDES: "with {}, too",
    Question.COOKIE: "with the cookie {}",
    Question.NEXT_PAGE: "with {}",
}


class Keys(Enum):
    """Which keys a request bears."""

    OWN = "own"
    MADE_UP = "made-up"
    SWAPPED = "swapped"


class Driver(Enum):
    """Which of the provider's two drivers sends a request."""

    OF_UPLOADS = "the driver of uploads, reads and pokes"
    OF_POLLS = "the driver that waits poll with"


class Form(Enum):
    """The form of a body, as messages call it."""

    JSON = "JSON"
    BROKEN = "JSON that cannot be read"
    PAGE = "a web page"
    XML = "XML"
    TEXT = "text"
    BINARY = "binary"
    NONE = "no body"


class Answer(NamedTuple):
    """What tells two answers to the same request apart."""

    kind: Kind
    status: int
    code: str

    def __str__(self) -> str:
        if self.kind is Kind.NOT_SERVICE:
            return f"{self.status} that is not the service's"
        return f"{self.status} {self.code}".strip()


@dataclass(frozen=True)
class Probe:
    """
    One request, sent once.

    :ivar tried: the value of a setting that the request tries: a path with its parameters, or an
        address; empty if it tries none.
    :ivar sent_at: epoch seconds.
    :ivar response: with status 0 if no whole response came; ``problem`` is then the reason, in one
        line.
    :ivar unsent: the request did not reach the service.
    :ivar took: seconds until the response, or until it was given up.
    :ivar clean: takes secrets out of what the service says, before any of it is left out.
    :ivar ran_out: it got no response in less time than the connection gives one, since the doctor's
        own time was over; so it shows nothing.
    :ivar driver: that sent it.
    :ivar codes: by which the service says in a 2xx that it refused; ``None`` if none is known.
    :ivar kept: what was read of the response, since each question reads it anew.
    """

    question: Question
    request: Request
    keys: Keys = Keys.OWN
    tried: str = ""
    sent_at: float = 0.0
    response: Response = field(default=NO_RESPONSE, repr=False)
    problem: str = ""
    unsent: bool = False
    took: float = 0.0
    ran_out: bool = False
    driver: Driver = Driver.OF_UPLOADS
    clean: Callable[[str], str] = field(
        default=str,
        repr=False,
        compare=False,
    )
    codes: CodeMember | None = field(default=None, repr=False, compare=False)
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def status(self) -> int:
        """The status code; 0 if no whole response came."""
        return self.response.status_code

    @property
    def success(self) -> bool:
        """Whether the status is 2xx, and the body is no error."""
        return self.has_2xx and not self.has_error

    @property
    def has_2xx(self) -> bool:
        """Whether the status is 2xx, whatever the body is."""
        return 200 <= self.status < 300

    @property
    def is_interim(self) -> bool:
        """Whether the status says that the response itself follows, such as 103 Early Hints."""
        return 100 <= self.status < 200

    @property
    def is_for_later(self) -> bool:
        """Whether the status says that it may be done later, or not at all."""
        return self.status == 202

    @property
    def nothing(self) -> str:
        """How a success has nothing, as services reply for no files; empty if it has something."""
        if not self.has_2xx:
            return ""
        if self.text == NULL:
            return "with null"
        if self.response.body.strip():
            return ""
        return "without a body"

    @property
    def path(self) -> str:
        """The path of the request, without its query."""
        return redact(urlsplit(self.request.url).path)

    @property
    def time(self) -> str:
        """When it was sent, UTC."""
        return f"{datetime.fromtimestamp(self.sent_at, timezone.utc):%H:%M:%S}"

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """What two sendings of the same request share: keys, method, URL and headers."""
        return identity_of(self.request, self.keys)

    @cached_property
    def text(self) -> str:
        """The body, decoded as the provider decodes it; empty if it is no text."""
        if self.binary is not None:
            return ""
        text = decode_text(self.response.body, self.response.content_type)
        return text.lstrip("\ufeff").strip()

    @cached_property
    def binary(self) -> Binary | None:
        """What the body is if it is no text, so that no message has it; ``None`` if it is text."""
        return binary_in(self.response.body, self.response.content_type)

    @property
    def media_type(self) -> str:
        """The media type that the response says its body is, such as ``application/json``."""
        return self.response.content_type.partition(";")[0].strip().lower()

    @property
    def is_unreadable_json(self) -> bool:
        """Whether a 2xx says that it is JSON, and is no JSON and no page; or is compressed."""
        if not self.has_2xx or self.form not in (Form.BINARY, Form.TEXT):
            return False
        is_compressed = self.binary is not None and self.binary.is_compressed
        return is_compressed or re.search(r"\bjson\b", self.media_type) is not None

    @property
    def is_too_long(self) -> bool:
        """Whether a success is longer than the provider reads, so that its end is missing."""
        return self.has_2xx and len(self.response.body) > self.request.operation.largest_response

    @cached_property
    def content(self) -> Any:
        """The JSON of the body; ``None`` if it has none."""
        try:
            return msgspec.json.decode(self.text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return None

    @property
    def named_values(self) -> Iterator[tuple[str, Any]]:
        """What the reply names: its headers, then what its body has, by the dotted property."""
        yield from self.response.headers.items()
        yield from inside(self.content)

    @cached_property
    def form(self) -> Form:
        """The form of the body."""
        if self.binary is not None:
            return Form.BINARY
        if self.content is not None or self.text == NULL:
            return Form.JSON
        if self._error_in_xml is not None or is_xml(self.text, self.media_type):
            return Form.XML
        if self.text.startswith("<"):
            return Form.PAGE
        if self.text.startswith(("{", "[")):
            return Form.BROKEN
        if self.text:
            return Form.TEXT
        return Form.NONE

    @property
    def standard(self) -> str:
        """The standard that the media type of JSON names, such as ``JSON:API``; empty for none."""
        media = self.media_type
        named = re.fullmatch(r"application/([\w.-]+)\+json", media)
        if named is None or self.form is not Form.JSON:
            return ""
        return f"{STANDARDS.get(named[1], '')} ({media})".strip()

    @cached_property
    def _error(self) -> tuple[str, str]:
        """Code and message of an error, without secrets; both are empty if it is none."""
        code, message = self._said
        return self.clean(code), self.clean(message)

    @property
    def _said(self) -> tuple[str, str]:
        if self.form is Form.PAGE:
            return "", title_of(self.text)
        if self._error_in_xml is not None:
            return self._error_in_xml
        if self.success:
            return "", ""
        code, message = self._said_in_body
        headers = self.response.headers
        message = message or reason_in_headers(headers)
        for text in said_beside(self.status, headers, self.content, message):
            message = f"{message.rstrip('.')}; {text}" if message else text
        return code, message

    @property
    def _said_in_body(self) -> tuple[str, str]:
        if self.content in ({}, []) or self.binary is not None:
            return "", ""
        if self.codes is not None and self._error_by_code is not None:
            code = codes_in(self.content)[self.codes.name]
            return code, message_beside(self.content, self.codes)
        fault = fault_in(self.content)
        if fault is not None:
            return fault
        foreign = foreign_error_in(self.content)
        if foreign is not None:
            return foreign
        code, message = code_and_message(self.text.encode(), self.clean, length=LONGEST)
        if is_problem_type(code):
            return "", problem_of(self.content) or message
        return self._without_status(code), message

    def _without_status(self, code: str) -> str:
        """Return a code of an error, in its words if the number is only that of its status."""
        in_body = self._error_in_body
        statuses = {self.status, 0 if in_body is None else in_body.status}
        if code not in map(str, statuses):
            return code
        return word_code_in(self.content)

    @cached_property
    def _error_in_xml(self) -> tuple[str, str] | None:
        return xml_error(self.text)

    @cached_property
    def _error_in_body(self) -> ErrorInBody | None:
        if self._error_in_xml is not None:
            return ErrorInBody()
        return self._error_by_code or error_in(self.content)

    @property
    def _error_by_code(self) -> ErrorInBody | None:
        if self.has_2xx:
            return error_by_code(self.content, self.codes)
        return None

    @property
    def error_name(self) -> str:
        """What the body has for an error, such as ``returnCode 4011``; empty if it is none."""
        if self._error_in_body is None:
            return ""
        return self._error_in_body.name

    @property
    def has_error(self) -> bool:
        """Whether the body is JSON or XML that is an error; it may come with a success."""
        return self._error_in_body is not None

    @cached_property
    def error_status(self) -> int:
        """The status of an error: the response's, or that in the body of a 2xx; 0 if unknown."""
        if not self.has_2xx or self._error_in_body is None:
            if self.status >= 400:
                return self.status
            return 0
        if not self._error_in_body.status and says_not_found(self.message):
            return 404
        return self._error_in_body.status

    @property
    def has_succeeded(self) -> bool:
        """Whether it is the service's success, with JSON that is no error."""
        return self.kind is Kind.ANSWER and self.success

    @property
    def is_error_as_success(self) -> bool:
        """Whether it has an error in its body, with the status of a success."""
        return self.has_2xx and self.has_error

    @property
    def is_not_found(self) -> bool:
        """Whether the service has answered that what was asked for is not there."""
        return self.kind is Kind.ANSWER and self.error_status == 404

    @property
    def is_kept_out(self) -> bool:
        """Whether its key was refused, or may not read what was asked for."""
        return self.kind is Kind.REFUSED or self.error_status == 403

    @property
    def is_gone(self) -> bool:
        """Whether what was asked for was there once, and is no longer."""
        return self.error_status == 410

    @property
    def code(self) -> str:
        """The code of an error; empty if there is none."""
        return self._error[0]

    @property
    def message(self) -> str:
        """The message of an error; empty if there is none."""
        return self._error[1]

    @cached_property
    def kind(self) -> Kind:
        """What can be settled by it: the first row that holds."""
        by_words = self._kind_by_words
        if by_words is not None:
            return by_words
        is_redirect = 300 <= self.status < 400
        is_json = isinstance(self.content, (dict, list))
        rows = (
            (self.is_after_wrong_keys, Kind.REFUSED),
            (self._is_not_now_by_status, Kind.NOT_NOW),
            (is_redirect and bool(self.location), Kind.ELSEWHERE),
            (self.status == 401, Kind.REFUSED),
            (is_redirect, Kind.NOT_SERVICE),
            (self.status == 407 or self.is_interim, Kind.NOT_SERVICE),
            (self.form is Form.PAGE, Kind.NOT_SERVICE),
            (self.form is Form.XML and not self.has_error, Kind.NOT_SERVICE),
            (self._names_the_credentials(), Kind.REFUSED),
            (bool(self.nothing), Kind.ANSWER),
            (self.has_2xx and not is_json and not self.has_error, Kind.NOT_SERVICE),
            (True, Kind.ANSWER),
        )
        return next(kind for holds, kind in rows if holds)

    @property
    def is_after_wrong_keys(self) -> bool:
        """
        Whether a made-up key is refused since too many wrong ones came: so it was judged, while the
        same words for an own key say that it is locked for a time.
        """
        words = f"{self.code} {self.message}"
        return self.keys is Keys.MADE_UP and is_about_wrong_keys(words)

    @property
    def _is_not_now_by_status(self) -> bool:
        return self.status in NOT_NOW or self.status >= 500

    @cached_property
    def subject(self) -> SubjectRow | None:
        """What an error is about by its own words; ``None`` if it is none, or they do not say."""
        is_error = self.status >= 400 or self.has_error
        if is_error:
            return subject_of(self.code, self.message, self._refused)
        return None

    @property
    def _refused(self) -> Sent:
        """What the request was about; a web page may be of what stands before the service."""
        file_url = ""
        is_upload = self.request.operation is contract.UPLOAD_COUPON_FILE
        if is_upload and self.form is not Form.PAGE:
            file_url = msgspec.json.decode(self.request.body or b"{}").get("file_url", "")
        return Sent(address=self.request.url, file_url=file_url)

    def is_about(self, *subjects: Subject) -> bool:
        """Tell whether its own words say that an error is about one of several subjects."""
        return self.subject is not None and self.subject.subject in subjects

    @property
    def _kind_by_words(self) -> Kind | None:
        """The kind of an error whose words count more than its status; ``None`` of any other."""
        is_by_status = self._is_not_now_by_status or self.status == 407
        if is_by_status or self.form is Form.PAGE or self.subject is None:
            return None
        return self.subject.kind

    @property
    def is_lost(self) -> bool:
        """Whether it settles nothing of what was asked: about the moment, or this machine."""
        return self.kind in (Kind.NOT_NOW, Kind.KEPT_OUT)

    @property
    def is_lost_by_words(self) -> bool:
        """Whether the service's own words say why it settles nothing."""
        return self.is_lost and self._kind_by_words is not None

    @property
    def is_limit(self) -> bool:
        """
        Whether a rate limit or a quota refused it, by its status or its words: gateways reply so
        with 500 or 503, too.
        """
        if self.is_after_wrong_keys:
            return False
        is_named = self.is_about(Subject.QUOTA)
        return self.status == 429 or (is_named and self.is_lost and self.form is not Form.PAGE)

    def _names_the_credentials(self) -> bool:
        if self.status not in (200, 400, 403):
            return False
        if self.error_status == 401:
            return True
        named = self.code
        if self.has_2xx and not self.error_status:
            # Nothing but its words says what it is.
            named = f"{self.code} {self.message}"
        plain = re.sub(r"[\W_]", "", named.lower())
        return any(word in plain for word in CREDENTIALS)

    @cached_property
    def answer(self) -> Answer:
        """What tells it from another answer to the same request."""
        return Answer(self.kind, self.status, (self.code or self._with_error)[:60])

    @property
    def _with_error(self) -> str:
        """What the body of a 2xx has for an error, as the end of a sentence; empty without one."""
        if not self.has_2xx or self._error_in_body is None:
            return ""
        return f"with {self._error_in_body.name}"

    @property
    def location(self) -> str:
        """The URL that a redirect names, as an absolute one; empty if there is none."""
        named = self.response.headers.get("location", "")
        if not named:
            return ""
        return urljoin(self.request.url, named)

    @property
    def added_parameters(self) -> list[str]:
        """
        The names of parameters that a redirect adds to the query of its request, if that is all it
        changes; none if it changes more, or adds none.
        """
        sent, named = urlsplit(self.request.url), urlsplit(self.location)
        if sent[:3] != named[:3]:
            return []
        known = parse_qsl(sent.query, keep_blank_values=True)
        pairs = parse_qsl(named.query, keep_blank_values=True)
        return [name for name, value in pairs if (name, value) not in known]

    @property
    def names_a_reason(self) -> bool:
        """Whether a refusal says what became of the key, such as that it has expired."""
        if self.is_about(Subject.SCHEME):
            return False  # it became so of each key
        return self.kind is Kind.REFUSED and names_reason(f"{self.code} {self.message}")

    @property
    def is_documented_error(self) -> bool:
        """Whether it is an error in the form that the contract shows (section 7)."""
        error = None
        if isinstance(self.content, dict):
            error = self.content.get("error")
        if self.status < 400 or not isinstance(error, dict):
            return False
        return isinstance(error.get("code"), str) and isinstance(error.get("message"), str)

    @property
    def sent(self) -> str:
        """What was sent, with what sets it apart from other requests."""
        query = urlsplit(self.tried).query
        sent = with_query(f"{self.request.method} {self.path}", query)
        if self.keys is not Keys.OWN:
            return f"{sent} ({self.keys.value} key)"
        names = self.tried.replace(" ", ", ")
        if len(names) > LONGEST_NAMES:
            names = f"{len(self.tried.split())} usual headers"
        if self.question in APART and names:
            return f"{sent} ({APART[self.question].format(names)})"
        return sent

    @property
    def _form_in_words(self) -> str:
        if self.is_too_long:
            return f"{self.form.value}, since it is too long"
        if self.has_2xx and not isinstance(self.content, (dict, list)):
            wrapping = wrapping_of(self.text)
            if wrapping:
                return f"JSON {wrapping}"
        return self.form.value

    def __str__(self) -> str:
        sent = self.sent
        if not self.status and self.driver is Driver.OF_POLLS:
            return f"{sent} (as a wait polls) → {self.problem}"
        if not self.status:
            return f"{sent} → {self.problem}"
        came = str(self.status)
        if self.kind is Kind.ELSEWHERE and self.added_parameters:
            came += f" to the same path with {names_in_words(self.added_parameters)} in its query"
        elif self.kind is Kind.ELSEWHERE:
            came += f" to {redact_url(self.location)}"
        elif self.location:
            came += f", Location {redact_url(self.location)}"
        body = f"{self.standard or self._form_in_words} {self._with_error}".rstrip()
        code = ""
        if not body.endswith(f" {self.code}"):
            code = self.code
        said = ": ".join(filter(None, (f"{came}, {body}", code, self.message)))
        return f"{sent} → {said}"


def names_in_words(names: Iterable[str]) -> str:
    """Return names of parameters that something else has given, for a text."""
    return " and ".join(shown(name, quoted=False) for name in names)


def with_query(path: str, query: str) -> str:
    """
    Return a path with its query in words, since texts have no queries of URLs: they may be secret.
    """
    if query:
        return f"{path} (with {query})"
    return path


def same_request(first: Probe, second: Probe) -> bool:
    """Tell whether two requests are the same: method, URL, headers and keys."""
    return first.identity == second.identity


def identity_of(request: Request, keys: Keys) -> tuple[Any, ...]:
    """Tell what sets a request apart from others, whatever it is sent for."""
    return keys, request.method, request.url, frozenset(request.headers.items())


def same_reply(first: Probe, second: Probe) -> bool:
    """Tell whether two replies are the same but for what they repeat of their requests."""
    if (first.status, first.form) != (second.status, second.form):
        return False
    paths = (first.path, second.path)
    return _compared(first, paths) == _compared(second, paths)


def _compared(probe: Probe, paths: Iterable[str]) -> str:
    """
    Return the body without the requests' paths, and without words that have digits: times, and
    identifiers of requests.

    A gateway may repeat a path in another form than it was sent: without its first slash or its
    first part, below another path, or unescaped. So the parts go one by one, and all slashes.

    :param paths: of both requests, since a gateway may repeat a part that both have.
    """
    text = probe.text[:COMPARED]
    if probe.binary is not None:
        return repr(probe.response.body)
    sent = {part for path in paths for part in (path, *path.split("/"))}
    parts = sent | {unquote(part) for part in sent}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) > 3:
            text = text.replace(part, "")
        elif part:
            text = text.replace(f"/{part}", "/")
    return re.sub(r"[\w-]*\d[\w-]*|/", "", text)


def is_certificate(probe: Probe) -> bool:
    """Tell whether no response came because this machine does not trust the certificate."""
    return "CertVerification" in probe.problem


# Names with a hyphen that are of no header.
NO_HEADER: Final = re.compile(r"(?:sha|md|utf|iso|rfc|aes|hmac|aws4)-|equal-sign", re.IGNORECASE)


def named_headers(probe: Probe) -> list[str]:
    """
    Return the headers that an error's message names, without those that were sent in this spelling.

    ``Header X-Tenant is required`` names ``X-Tenant``; a message without such a word names none.
    """
    if probe.kind not in (Kind.REFUSED, Kind.ANSWER) or probe.success:
        return []
    if probe.is_about(Subject.STAGE):
        return []  # of another signature, which no header replaces
    sent = {"Authorization", *probe.request.headers}
    # A message may quote a header of its own reply.
    own = set(map(str.lower, probe.response.headers))
    names = [
        name
        for name in _words_like_headers(probe.message)
        if not (name in sent or name.lower() in own or is_scheme(name))
    ]
    return list(dict.fromkeys(names))[:3]


def _words_like_headers(message: str) -> list[str]:
    """Return the words of a message that may be names of headers, in their order."""
    words = re.findall(r"\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b", message)
    words = [word for word in words if not NO_HEADER.match(word)]
    if "header" in message.lower():
        return words + re.findall(r"[Hh]eader[ :]+['\"`]?([A-Z][A-Za-z0-9-]+)", message)
    return [word for word in words if word.lower().startswith("x-")]


def names_header(probe: Probe, header: str) -> bool:
    """Tell whether an error's message names a header."""
    return not probe.success and header.lower() in probe.message.lower()
