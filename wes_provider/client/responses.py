"""
What a response means: a coupon file, a catalog's identifier, a list, an error. Pure.

The contract shows the response to an upload and the errors of an upload (sections 4.1 and 7).
Everything else is read where ``docs/promises.md`` says, and quoted if it is anything else. What a
success has to hold is a column of the table of operations; :func:`read_result` reads it.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider import contract
from wes_provider.arguments import LONGEST_IDENTIFIER, is_identifier
from wes_provider.client.announcements import (
    find_announcement,
    has_further_range,
    has_link_to_other_page,
    headers_about_pages,
    plain_name,
)
from wes_provider.client.failed_successes import (
    change_says_it_failed,
    list_says_it_failed,
    record_says_it_failed,
    says_it_failed,
    upload_says_it_failed,
)
from wes_provider.client.failures import NOT_KNOWN
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.requests import Request
from wes_provider.contract import Key, Result
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesBadRequestError,
    WesConflictError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
    WesPayloadTooLargeError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.hiding import hide_in, may_show, take_out, take_out_altered, take_out_of_bytes
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import redact_url, shown

SHOWN_BODY: Final = 200  # characters of a response that an error message quotes
LONGEST_TEXT: Final = 20_000  # characters of a success that is no JSON
DEEPEST: Final = 100  # levels of lists and objects in JSON that is read
BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
CHARSET: Final = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
# Words that services respond with instead of an identifier.
STATUS_WORDS: Final = frozenset(
    """
    ok success successful succeeded created accepted done completed complete pending processing
    queued inprogress true false yes no null none undefined error failed failure unknown
    """.split()
)
# Words that services use for a name that is taken; also "not unique" and "must be unique".
TAKEN_WORDS: Final = frozenset(
    "exist exists existed existing duplicate duplicated duplicates taken conflict conflicts".split()
)
DENIALS: Final = frozenset({"not", "no", "non", "never", "without"})
CODES: Final = ("code", "errorcode", "errcode", "type")
MESSAGES: Final = tuple(
    """
    message errormessage msg errormsg errmsg statusmessage detail description errordescription
    reason title
    """.split()
)

ERRORS: Final[Mapping[int, type[WesResponseError]]] = {
    400: WesBadRequestError,
    401: WesAuthenticationError,
    403: WesForbiddenError,
    404: WesNotFoundError,
    409: WesConflictError,
    413: WesPayloadTooLargeError,
}

# What to do about a status. Others than the service may send it, too.
ADVICE: Final = {
    400: "Correct what the response names in the task's arguments, then clear the task.",
    403: "The account may have no access to this feature: ask the service's support for it.",
    404: "Check the identifier, the connection's Address, and whether it belongs to the "
    "connection's workspace.",
    407: "The proxy requires a username and password: give them in the environment, in its "
    "address.",
    409: "Choose another name, or see what the service has under this one.",
    422: "Correct what the response names in the task's arguments, then clear the task.",
    413: "Make the task's arguments smaller.",
}
# Of a 403 without a code, as the service's errors have one.
FORBIDDEN_BY_SOMEBODY: Final = (
    "The response has no code of the service: a gateway, a firewall or a proxy in between may have "
    "refused the request. Ask who runs them to let this machine through; if nobody did, ask the "
    "service's support whether the account has access to this feature."
)
# What a 2xx that is a page of HTML means.
A_PAGE: Final = (
    "The page may be a login or a notice of a gateway or proxy: check the connection's Address, "
    "and the proxies of the environment."
)
LIKELY_AGE: Final = re.compile(r"[0-9]{1,9}")
OTHER_ADVICE: Final = "Check the connection's Address, and what stands between you and the service."


class Response(NamedTuple):
    """
    One response as it came over the wire, without the connection's keys.

    :ivar headers: names in lower case.
    :ivar body: as many bytes as the operation's largest response has at most, and one more.
    :ivar is_whole: whether the body came to its end; one of an error may break off.
    """

    status_code: int
    headers: Mapping[str, str]
    body: bytes
    is_whole: bool = True

    @classmethod
    def of(
        cls, settings: WesSettings, status_code: int, headers: Mapping[str, str], body: bytes
    ) -> Response:
        """
        Make a response without the connection's keys: a service or a proxy may quote them, and it
        ends in messages and XComs. Of an error, also without keys in another case, and in part.

        :param headers: names in any case.
        """
        secrets = settings.secrets
        shown_headers = {}
        for name, text in headers.items():
            shown_headers[name.lower()] = take_out_altered(take_out(text, secrets), secrets)
        shown_body = take_out_of_bytes(body, secrets)
        if status_code >= 300:
            # Each byte is one character, and comes back as it was.
            text = take_out_altered(shown_body.decode("latin-1"), secrets)
            shown_body = text.encode("latin-1")
        return cls(status_code, shown_headers, shown_body)

    @property
    def is_success(self) -> bool:
        """Whether the status is a 2xx."""
        return 200 <= self.status_code < 300

    @property
    def content_type(self) -> str:
        """What the response says its body is, which may name a charset; empty if it does not."""
        return self.headers.get("content-type", "")


class Listing(NamedTuple):
    """
    The files of a list.

    :ivar records: as the service shows them.
    :ivar incomplete: why there may be more; empty if these are all.
    :ivar beside: what the body has beside them.
    :ivar age: seconds for which a cache has kept the response, by its header ``Age``; 0 without it.
    """

    records: list[dict[str, Any]]
    incomplete: str = ""
    age: int = 0
    beside: Mapping[str, Any] = MappingProxyType({})


class CreatedCatalog(NamedTuple):
    """
    A catalog that was created.

    :ivar catalog_id: its identifier.
    :ivar response: the JSON of the response, or its text.
    """

    catalog_id: str
    response: Any


# -- errors ----------------------------------------------------------------------------------------


class _Described(NamedTuple):
    """
    What a response says of an error.

    :ivar reason: status, code and message in one line.
    :ivar last_line: of a message: the service's number of the request; empty if it has none.
    """

    code: str
    message: str
    reason: str
    request_id: str
    last_line: str


def error_of(request: Request, response: Response) -> WesResponseError | WesUnknownOutcomeError:
    """Return the error that a response means which is no 2xx (contract section 7)."""
    described = _describe(request, response)
    if response.status_code == 429:
        return _limit_error(request, response, described)
    advice = advice_for(request, response, described.code)
    about = request.about(described.reason)
    error = error_class(response.status_code)(
        join_lines(about, advice, described.last_line),
        reason=described.reason,
        status_code=response.status_code,
        code=described.code,
        message=described.message,
        request_id=described.request_id,
    )
    if error.may_have_effect and not request.operation.repeatable:
        return WesUnknownOutcomeError(
            join_lines(about, NOT_KNOWN, advice, described.last_line),
            reason=described.reason,
            status_code=response.status_code,
        )
    return error


def _describe(request: Request, response: Response) -> _Described:
    code, message = code_and_message(response.body, request.without_own, response.content_type)
    reason = f"{response.status_code} {code}".rstrip()
    if message:
        reason = f"{reason}: {message}"
    request_id = shown(response.headers.get("x-request-id", ""), quoted=False)
    last_line = ""
    if request_id:
        last_line = f"Request {request_id}"
    return _Described(code, message, reason, request_id, last_line)


def _limit_error(request: Request, response: Response, described: _Described) -> WesRateLimitError:
    """Make the error of a 429, which says when the limit allows more."""
    limit = rate_limit(response.headers, time.time())
    advice = ""
    if limit.reset_at:
        advice = f"The window resets at {limit.reset_at:%H:%M:%S} UTC."
    return WesRateLimitError(
        join_lines(request.about(described.reason), advice, described.last_line),
        limit=limit.limit,
        remaining=limit.remaining,
        reset_at=limit.reset_at,
        reason=described.reason,
        code=described.code,
        message=described.message,
        request_id=described.request_id,
    )


def error_class(status_code: int) -> type[WesResponseError]:
    """Return the class of error for a status code."""
    if status_code >= 500:
        return WesServerError
    return ERRORS.get(status_code, WesResponseError)


def join_lines(*lines: str) -> str:
    """Return the lines of a message that are not empty."""
    return "\n".join(line for line in lines if line)


def advice_for(request: Request, response: Response, code: str) -> str:
    """
    Return what to do about an error, as far as its status shows.

    :param code: of the service; empty if the response has none.
    """
    status = response.status_code
    if 300 <= status < 400:
        target = shown(redact_url(response.headers.get("location", "")))
        return (
            "Check the connection's Address: redirects are not followed, and this one leads "
            f"to {target}."
        )
    if status >= 500:
        return (
            "The service or a gateway in front of it is failing. If the task fails, clear it "
            "when both work again."
        )
    if status == 401:
        key = "Data API key" if request.operation.key is Key.DATA else "Campaign API key"
        return (
            f"Check Workspace identifier, its header and {key} of the connection; press Test, "
            "or run wes-doctor."
        )
    if status == 409 and request.coupon_list_id:
        return (
            "Look at the list in the service's console: it may have the file already, or take no "
            "more."
        )
    if status == 403 and not code:
        return FORBIDDEN_BY_SOMEBODY
    if status == 404 and request.operation.path_extra:
        return (
            "The file, or the list, may be gone from the service. If it is there, the path may be "
            "wrong: set the connection's extra paths; run wes-doctor."
        )
    return ADVICE.get(status, OTHER_ADVICE)


def code_and_message(
    body: bytes,
    hide: Callable[[str], str] = str,
    content_type: str = "",
    length: int = SHOWN_BODY,
) -> tuple[str, str]:
    """
    Read the code and the message of an error's body: at the top, under ``error``, or in the first
    of ``errors``.

    Names are compared without case, hyphens and underscores. Anything else is quoted, redacted and
    cut.

    :param hide: takes out of a text what the request has of secrets.
    :param content_type: see :func:`decode_text`.
    :param length: characters of a message at most.
    """
    content = read_json(body, content_type)
    top = with_plain_names(content)
    errors = top.get("errors")
    inner = top.get("error")
    if not inner and isinstance(errors, list) and errors:
        inner = errors[0]
    for place in (with_plain_names(inner), top):
        code, message = _code_in(place), _message_in(place)
        if code or message:
            return in_one_line(hide(code)), in_one_line(hide(message), length)
    text = inner
    if not isinstance(text, str):
        text = decode_text(body, content_type)
    return "", in_one_line(hide(text), length)


def _code_in(place: Mapping[str, Any]) -> str:
    for name in CODES:
        if isinstance(place.get(name), (str, int)):
            return str(place[name])
    return ""


def _message_in(place: Mapping[str, Any]) -> str:
    for name in MESSAGES:
        message = place.get(name)
        if isinstance(message, str) and message:
            return message
        if message:
            return msgspec.json.encode(message).decode()
    return ""


def with_plain_names(content: Any) -> dict[str, Any]:
    """Return an object with the plain forms of its names; an empty one if it is no object."""
    if not isinstance(content, dict):
        return {}
    return {plain_name(name): value for name, value in content.items()}


# -- bodies ----------------------------------------------------------------------------------------


class NotJson(NamedTuple):
    """What is read of a body that is no JSON, or is nested too deeply to be used."""

    text: str


def read_json(body: bytes, content_type: str = "") -> Any:
    """
    Return the JSON of a body, whatever it is encoded in; ``NotJson`` if it is none, or is nested
    deeper than anything that means something.
    """
    text = decode_text(body, content_type)
    try:
        content = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return NotJson(text)
    # Brackets are counted first, since nearly all responses have a few.
    brackets = text.count("[") + text.count("{")
    if brackets > DEEPEST and _is_deeper(content, DEEPEST):
        return NotJson(text)
    return content


def _is_deeper(content: Any, levels: int) -> bool:
    """Return whether lists and objects are nested in more levels, without recursion."""
    level = [content]
    for _ in range(levels):
        level = [inner for item in level for inner in _lists_and_objects_in(item)]
        if not level:
            return False
    return True


def _lists_and_objects_in(item: Any) -> list[Any]:
    values: Iterable[Any] = ()
    if isinstance(item, dict):
        values = item.values()
    elif isinstance(item, list):
        values = item
    return [value for value in values if isinstance(value, (dict, list))]


def decode_text(body: bytes, content_type: str = "") -> str:
    """
    Return a body as a string, whatever it is encoded in: a byte order mark tells, then UTF-8 if it
    is that, then the charset that its type names. JSON has to be UTF-8, and not all of it is.

    :param content_type: such as ``application/json; charset=iso-8859-1``.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    try:
        text = body.decode()
        if "\0" not in text:
            return text
    except UnicodeDecodeError:
        pass
    named = CHARSET.search(content_type)
    if named is None:
        return body.decode("utf-8", "replace")
    try:
        return body.decode(named[1], "replace")
    except LookupError:
        # Python does not know the charset.
        return body.decode("utf-8", "replace")


def in_one_line(text: str, length: int = SHOWN_BODY) -> str:
    """Return a text of the service as messages quote it: in one line, redacted and cut."""
    return shown(" ".join(text[:LONGEST_TEXT].split()), length, quoted=False)


def quoted_body(request: Request, response: Response) -> str:
    """Return a body as messages quote it."""
    return in_one_line(request.without_own(decode_text(response.body, response.content_type)))


# -- what a success holds --------------------------------------------------------------------------


def read_result(request: Request, response: Response) -> Any:
    """
    Read what a success of the request's operation has to hold.

    :raises WesError: of any status but 2xx, and if the response does not hold it.
    """
    return READERS[request.operation.result](request, response)


def success(request: Request, response: Response) -> Any:
    """
    Return the JSON of a 2xx; its text, cut, if it is no JSON; ``None`` if there is no body.

    Nothing is asked of the body: it may be a gateway's page, or a part of a response that is too
    long.

    :raises WesError: for any other status.
    """
    if not response.is_success:
        raise error_of(request, response)
    if not response.body.strip():
        return None
    content = read_json(response.body, response.content_type)
    if isinstance(content, NotJson):
        return content.text[:LONGEST_TEXT]
    return content


def record(request: Request, response: Response) -> dict[str, Any]:
    """
    Return the object that describes a coupon file, without the request's own secrets.

    :raises WesUnknownOutcomeError: of an upload that was accepted, but whose identifier did not
        come.
    :raises WesResponseError: of a read.
    """
    content = success(request, response)
    found = _find_record(content)
    if found is not None and not _has_failed(request, content, found):
        return _without_secrets(request, found)
    reason = _why_no_record(request, response, content, found)
    advice = ""
    if is_page(content):
        advice = A_PAGE
    message = join_lines(request.about(reason), advice)
    if not request.operation.repeatable:
        raise WesUnknownOutcomeError(message, reason=reason, status_code=response.status_code)
    raise WesResponseError(message, reason=reason, status_code=response.status_code)


def _why_no_record(
    request: Request, response: Response, content: Any, found: Mapping[str, Any] | None
) -> str:
    """
    Return why a success does not describe a coupon file.

    :param found: the record that it has, if it says that the request has failed.
    """
    if is_page(content):
        return _describe_page(request, response)
    body = quoted_body(request, response)
    status = response.status_code
    if found is not None:
        return f"{status} that says the request has failed: {body}"
    return f"{status} without a coupon file's _id: {body}".rstrip(": ")


def _find_record(content: Any) -> dict[str, Any] | None:
    """
    Find the record of a coupon file: an object with an ``_id`` by which the file can be read, at
    the top or under ``data``.
    """
    for place in (content, property_of(content, "data")):
        if isinstance(place, dict) and is_identifier(place.get("_id")):
            return dict(place)
    return None


def property_of(content: Any, name: str) -> Any:
    """Return a property of an object; ``None`` if it has none, or is no object."""
    if isinstance(content, dict):
        return content.get(name)
    return None


def _has_failed(request: Request, content: Any, found: Mapping[str, Any]) -> bool:
    """Return whether a response says that the request has failed, though it has a record."""
    if content != found and says_it_failed(content):
        return True
    if request.operation.reads:
        return record_says_it_failed(found)
    return upload_says_it_failed(found)


def is_page(content: Any) -> bool:
    """Return whether the body of a success is markup such as HTML, which is not the service's."""
    return isinstance(content, str) and content.lstrip().startswith("<")


def _without_secrets(request: Request, place: dict[str, Any]) -> dict[str, Any]:
    """Take the request's secrets out of a record."""
    if not request.secrets:
        return place
    return dict(hide_in(place, request.secrets))


def coupon_file(request: Request, response: Response) -> CouponFile:
    """
    Return the coupon file that was requested, with its status.

    :raises WesError: as :func:`record`, and if it is another file or has no status.
    """
    file = CouponFile.from_record(record(request, response), request.coupon_list_id)
    if file.id == request.subject and file.status:
        return file
    raise _not_the_file(request, response, file)


def file_of_list(request: Request, response: Response) -> CouponFile:
    """
    Return the coupon file that was requested, with its status, if it is of the request's list: two
    lists may have files of one identifier.

    :raises WesError: as :func:`coupon_file`, and if it is of another list.
    """
    file = coupon_file(request, response)
    if may_show(file.coupon_list_id, request.coupon_list_id):
        return file
    raise _not_the_file(request, response, file, f", of the list {shown(file.coupon_list_id)}")


def _not_the_file(
    request: Request, response: Response, file: CouponFile, of_list: str = ""
) -> WesResponseError:
    """
    Make the error of a read that got something else.

    :param of_list: what is said of the file's list, if it is another one.
    """
    status = response.status_code
    reason = f"{status} with coupon file {shown(file.id)}, status {shown(file.status)}{of_list}"
    advice = "The path of a coupon file may be wrong: run wes-doctor."
    return WesResponseError(
        join_lines(request.about(reason), advice), reason=reason, status_code=status
    )


def created_catalog(request: Request, response: Response) -> CreatedCatalog:
    """
    Return the catalog that was created.

    :raises WesUnknownOutcomeError: if the response to a success holds no identifier.
    """
    content = success(request, response)
    identifier = catalog_id(content, request.id_property or None)
    status = response.status_code
    if says_it_failed(content):
        reason = f"response {status} holds an error: {shown(content, SHOWN_BODY)}"
        advice = "Whether the catalog was created is not known."
    elif identifier is not None:
        return CreatedCatalog(identifier, content)
    elif is_page(content):
        page = in_one_line(request.without_own(content))
        reason = f"response {status} is a page that is not from the service: {page}"
        advice = f"Whether the catalog was created is not known. {A_PAGE}"
    else:
        reason = f"created, but response {status} holds no identifier"
        body = shown(content, SHOWN_BODY)
        advice = f"Set extra paths.catalog_id to where the identifier is: {body}"
    raise WesUnknownOutcomeError(
        join_lines(request.about(reason), advice),
        reason=reason,
        response=content,
        status_code=status,
    )


def catalog_id(content: Any, prop: str | None) -> str | None:
    """
    Find a catalog's identifier in the response to its creation; its property is not shown (contract
    section 4.2).

    :param content: the JSON of the body, or its text.
    :param prop: a dotted property to look under; without it, the usual ones are tried at the top,
        then under ``data``.
    :return: ``None`` if there is none.
    """
    if isinstance(content, str):
        return _as_identifier(content)
    if prop is not None:
        return _identifier_at(content, prop)
    inner = property_of(content, "data")
    for place in (content, inner):
        for name in contract.CATALOG_ID_FIELDS:
            identifier = _identifier_at(place, name)
            if identifier is not None:
                return identifier
    if isinstance(inner, str):
        return _as_identifier(inner)
    return None


def _identifier_at(content: Any, path: str) -> str | None:
    for name in path.split("."):
        content = property_of(content, name)
    return _as_identifier(content)


def _as_identifier(value: Any) -> str | None:
    """Return an identifier; ``None`` for a message, a boolean, a page or a word of a status."""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not value:
        return None
    words = str(value).split()
    if len(words) != 1:
        return None
    word = words[0]
    is_markup = word[0] in "<{["
    if is_markup or len(word) > LONGEST_IDENTIFIER:
        return None
    if word.strip(".!").lower().replace("_", "") in STATUS_WORDS:
        return None
    return word


def name_is_taken(error: WesError) -> bool:
    """
    Return whether a refusal reports that a name is taken: a 409, or another 4xx whose code or
    message says so in one of the words that services use; the contract shows none.
    """
    if not isinstance(error, WesResponseError) or not 400 <= error.status_code < 500:
        return False
    if error.status_code == 409:
        return True
    return any(_says_taken(text) for text in (error.code, error.message))


def _says_taken(text: str) -> bool:
    """Return whether a text has a word for "exists", and it is not denied shortly before."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[a-z]+", spaced.lower().replace("n't", " not"))
    for index, word in enumerate(words):
        before = words[max(0, index - 3) : index]
        is_denied = any(denial in before for denial in DENIALS)
        if word in TAKEN_WORDS and not is_denied:
            return True
        if word == "unique" and (is_denied or "must" in before):
            return True
    return False


# -- lists -----------------------------------------------------------------------------------------


def listing(request: Request, response: Response) -> Listing:
    """
    Return the files of a list: an array, or an object with one under ``data``.

    :raises WesError: of any status but 2xx, and of a body that is neither.
    """
    is_too_long = len(response.body) > request.operation.largest_response
    if is_too_long and response.is_success:
        return Listing([], "the list is too long")
    content = success(request, response)
    records = content
    about_list: dict[str, Any] = {}
    if isinstance(content, dict):
        about_list = dict(content)
        records = about_list.pop("data", None)
    if list_says_it_failed(about_list):
        raise _failed(request, response, content)
    if not _are_records(records):
        raise _no_list(request, response, content)
    shown_records = [_without_secrets(request, item) for item in records]
    incomplete = _why_incomplete(response, about_list, len(records))
    return Listing(shown_records, incomplete, _age_of(response), about_list)


def _age_of(response: Response) -> int:
    """Return how old a cache says that a response is, in seconds; 0 if none says so."""
    age = response.headers.get("age", "").strip()
    return int(age) if LIKELY_AGE.fullmatch(age) else 0


def _are_records(records: Any) -> bool:
    return isinstance(records, list) and all(isinstance(item, dict) for item in records)


def _no_list(request: Request, response: Response, content: Any) -> WesResponseError:
    reason = f"{response.status_code} without a list of coupon files: {in_one_line(str(content))}"
    advice = "The path of the list's files may be wrong: run wes-doctor."
    if is_page(content):
        advice = A_PAGE
    return WesResponseError(
        join_lines(request.about(reason), advice),
        reason=reason,
        status_code=response.status_code,
        # What is no JSON may be a gateway's, and gone in a minute.
        permanent=not isinstance(content, str),
    )


def _why_incomplete(response: Response, about_list: Mapping[str, Any], length: int) -> str:
    """
    Return why there may be more files than a response has; empty if these are all.

    :param about_list: what the body has beside the files.
    """
    of_headers = headers_about_pages(response.headers)
    announced = find_announcement({**of_headers, **about_list}, length)
    if announced:
        return f"the service shows a part of the list only: it has {shown(announced)}"
    if response.status_code != 200:
        return f"the response has status {response.status_code}, not 200"
    if has_link_to_other_page(response.headers.get("link", "")):
        return "the response has a link to another page"
    if has_further_range(response.headers.get("content-range", "")):
        return "its Content-Range says that there are more"
    return ""


def _failed(request: Request, response: Response, content: Any) -> WesResponseError:
    """Make the error of a 2xx that says of itself that the request has failed."""
    body = in_one_line(request.without_own(str(content)))
    reason = f"{response.status_code} that says the request has failed: {body}"
    return WesResponseError(request.about(reason), reason=reason, status_code=response.status_code)


def changed(request: Request, response: Response) -> Any:
    """
    Return what the service says of a change that needs no certain response.

    A page of markup is not the service's: a login or a gateway sent it, which may have kept the
    request to itself.

    :raises WesError: of any status but 2xx, and of one that says that the request has failed.
    :raises WesUnknownOutcomeError: of a page; it is not permanent, since a change can be repeated.
    """
    content = success(request, response)
    if change_says_it_failed(content):
        raise _failed(request, response, content)
    if is_page(content):
        reason = _describe_page(request, response)
        raise WesUnknownOutcomeError(
            join_lines(request.about(reason), NOT_KNOWN, A_PAGE),
            reason=reason,
            status_code=response.status_code,
            permanent=False,
        )
    return content


def _describe_page(request: Request, response: Response) -> str:
    """Return the reason of an error about a 2xx that is a page."""
    page = quoted_body(request, response)
    return f"{response.status_code} with a page that is not from the service: {page}"


READERS: Final[Mapping[Result, Callable[[Request, Response], Any]]] = {
    Result.NOTHING: changed,
    Result.COUPON_FILE: record,
    Result.COUPON_FILES: listing,
    Result.CATALOG_ID: created_catalog,
}
