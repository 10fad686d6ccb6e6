"""
The service's operations without I/O: requests are built and responses judged here.

A :class:`Operation` is one operation with its arguments: what to send, and how to read what comes back. Both
drivers, synchronous and asynchronous, run the same calls.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from itertools import chain
from typing import Any, Final, Generic, TypeVar, cast
from urllib.parse import quote

from wes_provider import __version__, contract, models
from wes_provider.client.body_text import is_page, page_text, text_of
from wes_provider.client.error_body import code_and_message, reports_failure
from wes_provider.client.events import report
from wes_provider.client.listing import MAX_LISTING, CouponFileListing, NotAListingError, TooLongError, read_listing
from wes_provider.client.rate_limit_headers import header_count, reset_after
from wes_provider.client.settings import WesSettings
from wes_provider.client.success_body import created_at, find_catalog_id, record_of
from wes_provider.exceptions import (
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
    response_error_class,
)

__all__ = ["MAX_BODY", "Operation", "Operations", "Request", "Response"]

T_co = TypeVar("T_co", covariant=True)

MAX_BODY: Final = 10 * contract.MIB  # of a response but a listing, as sent and as decoded; the rest is not read
SHOWN_BODY: Final = 200  # characters of a response that an error message quotes
DECODED_CHUNK: Final = 65536  # bytes
KEPT_BODY: Final = 20_000  # characters of a response that is no JSON but may hold a catalog's identifier
GZIP: Final = b"\x1f\x8b"  # begins a body that a gateway compressed without a word; no JSON or text does
NOT_KNOWN: Final = "Whether it took effect is not known."
USER_AGENT: Final = f"airflow-provider-wes/{__version__}"


@dataclass(frozen=True)
class Request:
    """
    One request as it goes over the wire.

    :ivar repeatable: whether sending it twice does no harm, so that an unknown outcome may be tried again.
    :ivar after_success: what is known once the status of a 2xx has come, and what to do if the rest is lost. It is not
        sent again then, even if it is repeatable. Empty if a lost success is like any lost response.
    :ivar secrets: what no message about it may hold, besides the connection's keys.
    :ivar streamed: the body of a 2xx is read piece by piece, and may exceed :data:`MAX_BODY`.
    :ivar coupon_list_id: the coupon list of the operation; empty if it has none.
    :ivar file: the coupon file of the operation, as messages call it; empty if it has none.
    :ivar subject: what it is about if that is no coupon list, such as ``segment 5f2b``; empty if the operation says so.
    """

    operation: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    repeatable: bool = True
    secrets: tuple[str, ...] = ()
    streamed: bool = False
    coupon_list_id: str = ""
    file: str = ""
    subject: str = ""
    after_success: str = ""

    def message(self, cause: str, *more: str) -> str:
        """
        A message about the request: the cause in a line that Airflow's log shows whole, then lines of their own.

        :param cause: what happened. A long one is repeated at the end, in full.
        :param more: advice and details; empty ones are left out.
        """
        if self.coupon_list_id and self.operation != "test_connection":
            first = models.headline(cause, self.coupon_list_id, title=self.file, longest=models.ERROR_HEADLINE)
        else:
            subject = f" ({self.subject})" if self.subject else ""
            first = models.shorten(cause, models.ERROR_HEADLINE - len(subject), end=True) + subject
        whole = "" if first.startswith(cause.removesuffix(".")) else cause
        operation = "" if self.operation == "test_connection" else f"Operation: {self.operation}"
        return "\n".join(filter(None, [first, *more, whole, operation]))


@dataclass(frozen=True)
class Response:
    """
    One response as it came over the wire.

    :ivar headers: names in lower case; of a repeated one, the values joined with commas.
    :ivar body: at most :data:`MAX_BODY` bytes and one more, still encoded as ``content-encoding`` says.
    :ivar rest: the rest of a streamed response, the chunks that follow ``body``. Reading them may raise a ``WesError``.
    """

    status_code: int
    headers: Mapping[str, str]
    body: bytes
    rest: Iterator[bytes] = field(default_factory=lambda: iter(()))


@dataclass(frozen=True)
class Operation(Generic[T_co]):
    """What to send, and how to read the response: ``read`` returns the result or raises a ``WesError``."""

    request: Request
    read: Callable[[Response], T_co]


class Operations:
    """
    The operations of one connection.

    Each method raises :class:`~wes_provider.exceptions.WesConfigurationError` for arguments that cannot be sent.

    :ivar campaign_headers: the headers of all requests except those for segments.
    """

    def __init__(self, settings: WesSettings) -> None:
        self.settings = settings
        self.campaign_headers = self._headers(settings.api_key)
        self._data = self._headers(settings.data_api_key)

    def _headers(self, key: str) -> dict[str, str]:
        return {
            "Accept": contract.CONTENT_TYPE,
            # Responses are small, and a body that is not compressed cannot be a bomb.
            "Accept-Encoding": "identity",
            "Authorization": f"Basic {models.basic_credentials(self.settings.workspace_id, key)}",
            "Cache-Control": "no-cache",  # a gateway may keep responses
            "User-Agent": USER_AGENT,
            self.settings.workspace_header: self.settings.workspace_id,
        }

    def _request(
        self,
        operation: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        data_key: bool = False,
        repeatable: bool = True,
        streamed: bool = False,
        **identifiers: str,
    ) -> Request:
        quoted = {field: quote(models.identifier(field, value), safe="") for field, value in identifiers.items()}
        headers = self._data if data_key else self.campaign_headers
        content = None
        if body is not None:
            content = models.json_bytes(body)
            headers = {**headers, "Content-Type": contract.CONTENT_TYPE, "Content-Length": str(len(content))}
        return Request(
            operation,
            method,
            self.settings.base_url + path.format(**quoted),
            headers,
            content,
            repeatable,
            models.secrets_of_upload(body) if body else (),
            streamed,
            identifiers.get("coupon_list_id", ""),
            identifiers.get("coupon_file_id", ""),
            f"segment {models.shorten(identifiers['segment_id'], 24)}" if operation == "update_segment" else "",
        )

    # -- coupon files --

    def upload_coupon_file(
        self, coupon_list_id: str, file_url: str, *, title: str = "", **fields: Any
    ) -> Operation[dict[str, Any]]:
        """
        Contract section 4.1.

        :param title: what messages call the file; by default the end of its URL.
        :param fields: as :func:`~wes_provider.models.coupon_file_body` takes them.
        """
        request = self._request(
            "upload_coupon_file",
            "POST",
            contract.UPLOAD_PATH,
            models.coupon_file_body(file_url, **fields),
            repeatable=False,
            coupon_list_id=coupon_list_id,
        )
        request = replace(request, file=title or models.file_title(models.redact_url(file_url)))

        def read(response: Response) -> dict[str, Any]:
            content = self._content(request, response)
            record = record_of(content)
            if record is None or not isinstance(record.get("_id"), str) or not record["_id"]:
                outcome = (
                    "It reports an error, so whether the file is uploaded is not known."
                    if reports_failure(content)
                    else "The file is probably uploaded, but its identifier is not known."
                )
                raise WesUnknownOutcomeError(
                    request.message(
                        f"{response.status_code} {_lacks(record)}", outcome, self._quoted(request, content)
                    ),
                    status_code=response.status_code,
                )
            return record

        return Operation(request, read)

    def get_coupon_file(self, coupon_list_id: str, coupon_file_id: str) -> Operation[dict[str, Any]]:
        """Read a coupon file. The contract does not show this operation, so the path is a setting."""
        request = self._coupon_file_request(coupon_list_id, coupon_file_id)
        return Operation(
            request, lambda response: self._coupon_file(request, response, coupon_list_id, coupon_file_id)[0]
        )

    def poll_coupon_file(
        self, coupon_list_id: str, coupon_file_id: str, secrets: tuple[str, ...] = ()
    ) -> Operation[models.CouponFile]:
        """
        The same, parsed, and with what else the record holds left unchecked: polls are many.

        A response that equals the previous one is not parsed again: it brings the same object.

        :param secrets: the secrets of the file, which no message may hold.
        """
        request = self._coupon_file_request(coupon_list_id, coupon_file_id)
        if secrets:
            request = replace(request, secrets=secrets)
        previous, file = b"", cast("models.CouponFile | None", None)

        def read(response: Response) -> models.CouponFile:
            nonlocal previous, file
            if file is None or response.body != previous or response.status_code != 200:
                _, file = self._coupon_file(request, response, coupon_list_id, coupon_file_id, storable=False)
                previous = response.body
            return file

        return Operation(request, read)

    def _coupon_file_request(self, coupon_list_id: str, coupon_file_id: str) -> Request:
        return self._request(
            "get_coupon_file",
            "GET",
            self.settings.coupon_file_path,
            coupon_list_id=coupon_list_id,
            coupon_file_id=coupon_file_id,
        )

    def _coupon_file(
        self, request: Request, response: Response, coupon_list_id: str, coupon_file_id: str, *, storable: bool = True
    ) -> tuple[dict[str, Any], models.CouponFile]:
        content = self._content(request, response, storable=storable)
        record = record_of(content)
        if record is None:
            raise self._unexpected(request, response, self._quoted(request, content))
        try:
            file = models.CouponFile.from_record(record, coupon_list_id=coupon_list_id, secrets=self._secrets(request))
        except ValueError:
            what = f"a coupon file {_lacks(record)}: {self._quoted(request, content)}"
            raise self._unexpected(request, response, what) from None
        if not file.status:
            what = f"a coupon file without a status: {self._quoted(request, content)}"
            raise self._unexpected(request, response, what)
        if file.id != coupon_file_id:
            raise self._unexpected(request, response, f"coupon file {models.shown(file.id)}, which was not requested")
        return record, file

    def search_coupon_files(
        self, coupon_list_id: str, keep: Callable[[Mapping[str, Any]], bool]
    ) -> Operation[CouponFileListing]:
        """
        Read the list's files as a stream and keep some of them.

        Not shown by the contract; the path is a setting. The synchronous client reads up to
        :data:`~wes_provider.client.listing.MAX_LISTING` bytes in constant memory, the asynchronous one up to
        :data:`MAX_BODY` bytes.

        :param keep: whether a record is part of the result.
        """
        request = self._request(
            "list_coupon_files", "GET", self.settings.coupon_files_path, streamed=True, coupon_list_id=coupon_list_id
        )
        return Operation(request, lambda response: self._listing(request, response, keep))

    def list_coupon_files(self, coupon_list_id: str) -> Operation[list[dict[str, Any]]]:
        """All files that the list shows, which are not necessarily all files of the list."""
        search = self.search_coupon_files(coupon_list_id, keep=lambda _: True)

        def read(response: Response) -> list[dict[str, Any]]:
            listing = search.read(response)
            if listing.incomplete_because == "too long":
                raise self._unexpected(search.request, response, "a list that is too long")
            return listing.files

        return Operation(search.request, read)

    def _listing(
        self, request: Request, response: Response, keep: Callable[[Mapping[str, Any]], bool]
    ) -> CouponFileListing:
        if not 200 <= response.status_code < 300:
            raise self.error(request, response)
        head = bytearray()
        try:
            chunks = _decoded_chunks(response, head)
            return read_listing(
                chunks, keep, status_code=response.status_code, headers=response.headers, url=request.url
            )
        except NotAListingError as error:
            raise self._unexpected(
                request, response, f"{error.problem}: {self._quoted(request, error.content)}"
            ) from None
        except (ValueError, RecursionError, zlib.error) as error:
            raise self._no_json(request, replace(response, body=bytes(head)), error) from None

    # -- catalogs --

    def create_catalog(self, name: str, price_currency: str, attributes: Any) -> Operation[tuple[str, Any]]:
        """Contract section 4.2. The result is the identifier, and the whole response."""
        # Repeatable, since names are unique: of two creations the service takes one.
        request = self._request(
            "create_catalog", "POST", contract.CATALOG_PATH, models.catalog_body(name, price_currency, attributes)
        )
        request = replace(request, subject=f"catalog {models.shorten(name, 24)}", after_success=_ONLY_RESPONSE)

        def read(response: Response) -> tuple[str, Any]:
            content = self._json_or_text(request, response)
            catalog_id = find_catalog_id(content, self.settings.catalog_id_property) or created_at(
                response.status_code, response.headers, response.body
            )
            if catalog_id is None:
                raise WesUnknownOutcomeError(
                    request.message(*self._no_identifier(request, response, content)),
                    response=self._kept(request, content),
                    status_code=response.status_code,
                )
            return catalog_id, self._kept(request, content)

        return Operation(request, read)

    def _no_identifier(self, request: Request, response: Response, content: Any) -> tuple[str, ...]:
        """Why a catalog's creation brought no identifier: cause, advice, details."""
        status, not_known = response.status_code, "Whether the catalog is created is not known."
        if isinstance(content, str) and is_page(content):
            return f"{status} with an HTML page", not_known, _PAGE, self._redacted(request, page_text(content))
        quoted = self._quoted(request, content) if content not in (None, "") else "no body"
        if reports_failure(content):
            return f"{status} with an error", not_known, quoted
        where = self.settings.catalog_id_property or ", ".join(contract.CATALOG_ID_FIELDS)
        return (
            f"created, but response {status} holds no identifier",
            "Set extra paths.catalog_id to where the identifier is.",
            f"There is none under {where}: {quoted}",
        )

    # -- segments --

    def update_segment(self, segment_id: str, *, allow_empty: bool = False, **fields: Any) -> Operation[dict[str, Any]]:
        """Contract section 4.3; ``fields`` are those of :func:`~wes_provider.models.segment_body`."""
        request = self._request(
            "update_segment",
            "PATCH",
            contract.SEGMENT_PATH,
            models.segment_body(allow_empty=allow_empty, **fields),
            data_key=True,
            segment_id=segment_id,
        )

        def read(response: Response) -> dict[str, Any]:
            # The contract does not show what it holds; any success is one.
            kept = self._kept(request, self._json_or_text(request, response))
            return kept if isinstance(kept, dict) else {"response": kept}

        return Operation(request, read)

    # -- test_connection --

    def probe_campaign_key(self, coupon_list_id: str) -> Operation[int]:
        """A read with the campaign key; the result is the status code, whichever it is."""
        request = self._request(
            "test_connection", "GET", self.settings.coupon_files_path, coupon_list_id=coupon_list_id
        )
        return Operation(request, lambda response: response.status_code)

    def probe_data_key(self, segment_id: str) -> Operation[int]:
        """A read with the data key; the result is the status code, whichever it is."""
        request = self._request("test_connection", "GET", contract.SEGMENT_PATH, data_key=True, segment_id=segment_id)
        return Operation(request, lambda response: response.status_code)

    # -- responses --

    def _content(self, request: Request, response: Response, *, storable: bool = True) -> Any:
        """
        The JSON of a 2xx.

        :param storable: all of it may go into XCom.
        :raises WesResponseError: for any other status, and for a 2xx that is no JSON.
        :raises WesUnknownOutcomeError: the same of a request that must not be repeated.
        """
        if not 200 <= response.status_code < 300:
            raise self.error(request, response)
        try:
            body = decoded(response)
            if len(body) > MAX_BODY:
                raise ValueError(f"more than {MAX_BODY} bytes")
            if not body.strip():
                return None
            content = json.loads(body)
            # What Python reads, but JSON has not: NaN, infinity, half of a surrogate pair. XCom refuses it, later.
            if storable or b"\\" in body:
                json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
            return content
        except (ValueError, RecursionError, zlib.error) as error:
            raise self._no_json(request, response, error) from None

    def _no_json(
        self, request: Request, response: Response, error: Exception
    ) -> WesResponseError | WesUnknownOutcomeError:
        # A JSON decoder's message holds a position; a codec's may hold bytes of the body.
        why = str(error) if isinstance(error, json.JSONDecodeError) else type(error).__name__
        if is_page(whole := _body_text(response)):
            return self._unexpected(request, response, f"{_PAGE}: {page_text(whole)}")
        body = f": {text}" if (text := self._text(request, response, SHOWN_BODY)) else ""
        return self._unexpected(request, response, f"a body that cannot be read as JSON ({why}){body}")

    def _json_or_text(self, request: Request, response: Response) -> Any:
        """Whatever a 2xx holds, redacted and cut if it is not JSON."""
        try:
            return self._content(request, response)
        except (WesResponseError, WesUnknownOutcomeError) as error:
            if not 200 <= (error.status_code or 0) < 300:
                raise
            return self._text(request, response, KEPT_BODY)

    def _text(self, request: Request, response: Response, length: int) -> str:
        """The body as a text that may be shown; an encoded one is not worth it."""
        encoded = response.headers.get("content-encoding", "identity").strip().lower() not in ("identity", "")
        return "" if encoded else self._redacted(request, text_of(response.body, response.headers), length)

    def _unexpected(self, request: Request, response: Response, what: str) -> WesResponseError | WesUnknownOutcomeError:
        """The error of a 2xx that is not what it should be."""
        text = request.message(f"{response.status_code} with {self._redacted(request, what)}")
        if not request.repeatable:
            return WesUnknownOutcomeError(text, status_code=response.status_code)
        return WesResponseError(
            text,
            status_code=response.status_code,
            request_id=self._request_id(request, response),
        )

    def error(self, request: Request, response: Response) -> WesResponseError | WesUnknownOutcomeError:
        """What a response that is no 2xx means (contract section 7)."""
        body = _body_text(response)
        code, message = code_and_message(body, response.status_code)
        code, message = self._redacted(request, code), self._redacted(request, message)
        request_id = self._request_id(request, response)
        cause = f"{response.status_code} {code}".rstrip()
        cause += f": {message}" if message and message != code else ""
        more = [
            self._hint(request, response.status_code, code, is_page(body)),
            self._redirect(request, response),
            f"Request {request_id}" if request_id else "",
        ]
        error_class = response_error_class(response.status_code)
        given: dict[str, Any] = {
            "status_code": response.status_code,
            "code": code,
            "message": message,
            "request_id": request_id,
        }
        if error_class is WesRateLimitError:
            now = datetime.now(timezone.utc)
            left = reset_after(response.headers, now)
            report("rate_limits", request.operation)
            resets = f"The window resets in {left.total_seconds():.0f} s." if left else ""
            return WesRateLimitError(
                request.message(cause, resets, *more),
                limit=header_count(response.headers, contract.RATE_LIMIT_LIMIT),
                remaining=header_count(response.headers, contract.RATE_LIMIT_REMAINING),
                reset_at=now + left if left else None,
                **given,
            )
        error = error_class(request.message(cause, *more), **given)
        if not request.repeatable and not _refused(response.status_code):
            unknown = WesUnknownOutcomeError(request.message(cause, NOT_KNOWN, *more), status_code=response.status_code)
            unknown.__cause__ = error
            return unknown
        return error

    def _redirect(self, request: Request, response: Response) -> str:
        """Where a response redirects to, which is not followed."""
        target = response.headers.get("location", "") if 300 <= response.status_code < 400 else ""
        return f"It redirects to {self._redacted(request, models.redact_url(target))}" if target else ""

    def _hint(self, request: Request, status_code: int, code: str, page: bool) -> str:
        """What to do about an error, as far as its status shows: others than the service may send it, too."""
        if page and status_code in (401, 403, 404):
            return "A page like this comes from a gateway, proxy or firewall: check the address and the network."
        if status_code == 401:
            key = "Data API key" if request.operation == "update_segment" else "Campaign API key"
            return (
                f"Check Workspace identifier and {key} of connection {self.settings.conn_id!r}; press Test there.\n"
                "wes-doctor names what is wrong, too."
            )
        if status_code == 403:
            has = "has" if code == contract.REQUEST_FORBIDDEN else "may have"
            return f"The account {has} no access to this feature: ask the service's support for it."
        conn_id = f"connection {self.settings.conn_id!r}"
        if status_code == 404 and request.operation == "create_catalog":
            return f"The address may be wrong: check Address of {conn_id}."
        if status_code == 404 and request.operation in ("upload_coupon_file", "update_segment"):
            kind = "segment" if request.subject else "list"
            return f"Check the {kind}'s identifier, and whether {conn_id} belongs to its workspace."
        if status_code == 404:
            return f"If the list and the file exist, the path may be wrong: set Undocumented paths of {conn_id}."
        if status_code == 407:
            return "The proxy requires a username and password: give them in the environment, in its address."
        if 300 <= status_code < 400:
            return f"Check Address of {conn_id}: redirects are not followed."
        if status_code >= 500:
            return (
                "The service or a gateway in front of it is failing. If the task fails, clear it when both work again."
            )
        return _ADVICE.get(status_code, _NO_ADVICE)

    def _secrets(self, request: Request) -> tuple[str, ...]:
        return self.settings.secrets + request.secrets

    def _redacted(self, request: Request, text: str, length: int = SHOWN_BODY) -> str:
        """A text of the service's as one line that may be shown."""
        # Cut first, generously, so that a huge text costs no time and no secret that shows is cut in two.
        cut = " ".join(text[: 10 * length].split())
        line = models.redact(models.printable(cut), self._secrets(request))
        if len(text) > 10 * length and len(line) <= length:
            line = line.rpartition(" ")[0]  # the last word may be half a secret
        return line if len(line) <= length else line[: length - 1] + "…"

    def _quoted(self, request: Request, content: Any) -> str:
        return self._redacted(request, json.dumps(content, ensure_ascii=False))

    def _kept(self, request: Request, content: Any) -> Any:
        """A response that goes into XCom as it is, without the keys."""
        text = json.dumps(content, ensure_ascii=False)
        kept = models.without(text, self._secrets(request))
        try:
            return json.loads(kept) if kept != text else content
        except ValueError:
            return kept

    def _request_id(self, request: Request, response: Response) -> str:
        value = response.headers.get("x-request-id", "")
        return models.without(value, self._secrets(request))[:100] if value.isprintable() else ""


_ADVICE: Final = {
    400: "Correct what the response names in the task's arguments, then clear the task.",
    408: "Clear the task to try again.",
    409: "Choose another name, or see what the service has under this one.",
    413: "Make the task's arguments smaller.",
    429: "",
    499: "Clear the task to try again.",
}
_NO_ADVICE: Final = "If the response does not tell why, ask the service's support, or whoever runs the proxy before it."


def _refused(status_code: int) -> bool:
    """
    Whether a status shows that a request had no effect.

    408, 444, 460 and 499 are a gateway's that waited for the service, or its caller, in vain; a redirect may come from
    one, too.
    """
    return 400 <= status_code < 500 and status_code not in (408, 444, 460, 499)


_ONLY_RESPONSE: Final = (
    "The catalog is probably created, and its identifier came with that response only.\n"
    "Look for the catalog in the service's console, or create it under another name."
)
_PAGE: Final = "an HTML page, which a gateway, proxy or login page sends and the service does not"


def _lacks(record: Mapping[str, Any] | None) -> str:
    """What is wrong with the identifier of a coupon file's record."""
    value = (record or {}).get("_id")
    return (
        "without an _id"
        if value in (None, "")
        else f"with an _id that is no text: {models.shorten(models.shown(value), 24)}"
    )


def name_exists(error: WesResponseError) -> bool:
    """
    Whether a refusal reports that a name is taken; the contract does not show how.

    :param error: the error that a creation got.
    :return: whether code or words report it, whatever the status; a 409 that says nothing else does, too. If in doubt,
        false: the refusal is shown then, and no other catalog is taken for this one.
    """
    code, message = _in_words(error.code), _in_words(error.message)
    if _OF_SOMETHING_ELSE.search(f"{code} {message}"):
        return False
    if _CODE_TAKEN.fullmatch(code):
        return True
    reported = _WORDS_TAKEN.search(message) is not None
    wordless = set(f"{code} {message}".split()) <= _NO_WORDS
    return 400 <= error.status_code < 500 and (reported or (wordless and (error.status_code == 409 or code != "")))


def _in_words(text: str) -> str:
    """A text in small letters, its words apart, without names in single quotes and without the place of a name."""
    text = re.sub(r"(?<!\w)'[^']{1,200}'(?!\w)", " ", text[:SHOWN_BODY])
    text = re.sub(r"[\W_]+|(?<=[a-z])(?=[A-Z])", " ", text).lower().strip()
    return re.sub(r" (?:in|within|of|for|on) (?:the|this|your|that|its) (?:workspace|account|project)\b", "", text)


_OF_SOMETHING_ELSE: Final = re.compile(
    r"\b(?:attributes?|features?|workspaces?|currency|currencies|schema|types?|columns?|items?|accounts?|plans?|quota"
    r"|limit|too many|locked|expired|idempotency|request with|requests|permission|not exists?|t exist|not found)\b"
)
_CODE_TAKEN: Final = re.compile(
    r"(?:(?:error|err|e|catalogs?|name|resource|entity|object|record|key|value) )*"
    r"(?:(?:already )?(?:exists?|taken|in use)|duplicate[ds]?|not (?:unique|available))"
    r"(?: (?:name|catalog|key|entry|record|error|exception))*"
)
_WORDS_TAKEN: Final = re.compile(
    r"\b(?:catalogs?|names?)\b(?: \w+){0,6}? (?:exists|existed|taken|already (?:used|in use)|duplicated?|unique)\b"
    r"|\bnames?\b(?: \w+){0,3}? (?:in use|not available|unavailable)\b"
    r"|\b(?:duplicated?|another|same|already an?|different|(?:be|not) unique)(?: \w+){0,2} (?:catalog|name)\b"
    r"|\bhas (?:this|that|such a) name\b|^(?:it |this |resource |object |entity |record )?already exists$"
)
_NO_WORDS: Final = frozenset("code error errors message status title http 409 conflict".split())  # beside a 409


def probably_created(error: WesResponseError, name: str, earlier: str) -> WesResponseError:
    """The error of a creation that is refused for its name, after another one whose outcome is not known."""
    explained = type(error)(
        f"An earlier attempt probably created catalog {models.shorten(models.shown(name), 24)}\n"
        "Look for its identifier in that attempt's log: it came with that attempt's response only.\n"
        "Or look for the catalog in the service's console, or create it under another name.\n"
        f"{earlier}\n{error}",
        status_code=error.status_code,
        code=error.code,
        message=error.message,
        request_id=error.request_id,
    )
    explained.after_unknown = earlier
    return explained


def decoded(response: Response) -> bytes:
    """
    The body without its content encoding, at most :data:`MAX_BODY` bytes and one more.

    :raises ValueError: for an encoding that was not requested and is not read.
    :raises zlib.error: for a body that is not in the encoding it claims.
    """
    decompressor = _decompressor(response)
    return response.body if decompressor is None else decompressor.decompress(response.body, MAX_BODY + 1)


def _decompressor(response: Response) -> Any:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding in ("identity", "") and not response.body.startswith(GZIP):
        return None
    if encoding not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise ValueError("an encoding that was not requested")
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)


def _decoded_chunks(response: Response, head: bytearray) -> Iterator[bytes]:
    """
    The body without its content encoding, chunk by chunk.

    :param head: takes the beginning of the body as it came, for a message.
    :raises TooLongError: above the bound, which is :data:`MAX_BODY` for a body that is not streamed.
    """
    decompressor, size = _decompressor(response), 0
    for chunk in chain([response.body], response.rest):
        head += chunk[: 10 * SHOWN_BODY - len(head)] if len(head) < 10 * SHOWN_BODY else b""
        while chunk:
            piece, chunk = (chunk, b"") if decompressor is None else _decompressed(decompressor, chunk)
            size += len(piece)
            if size > MAX_LISTING or len(response.body) > MAX_BODY:
                raise TooLongError
            yield piece


def _decompressed(decompressor: Any, chunk: bytes) -> tuple[bytes, bytes]:
    """A bounded part of what a chunk holds, and what of the chunk is left."""
    return decompressor.decompress(chunk, DECODED_CHUNK), decompressor.unconsumed_tail


def _body_text(response: Response) -> str:
    try:
        return text_of(decoded(response)[:MAX_BODY], response.headers)
    except (ValueError, zlib.error):
        return f"a body that cannot be read, in encoding {response.headers.get('content-encoding', 'gzip')}"
