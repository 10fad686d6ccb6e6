"""
What reads that change nothing show about a connection's keys: what Airflow's Test button reports.

:class:`Reader` sends one read and returns :class:`Evidence`. :func:`key_check` and :func:`diagnosis` are pure: they
decide from evidence. A key counts as accepted only if a made-up key is refused for the same read, since a proxy, a
gateway or a login page responds to any request.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from wes_provider import models
from wes_provider.client.body_text import is_page, page_text, text_of
from wes_provider.client.environment import proxy_for
from wes_provider.client.error_body import code_and_message, reports_failure
from wes_provider.client.operations import MAX_BODY, Operation, Operations, Request, Response, decoded
from wes_provider.client.settings import WesSettings
from wes_provider.connection_form import LABELS
from wes_provider.exceptions import WesConfigurationError, WesConnectionError, WesError

if TYPE_CHECKING:
    from wes_provider.client.sync_client import WesClient

__all__ = [
    "Evidence",
    "KeyCheck",
    "KeyReads",
    "Reader",
    "data_refusal_advice",
    "diagnosis",
    "evidence_of",
    "forbidden_advice",
    "key_check",
    "read_keys",
    "refusal_advice",
    "send",
]

# The fields as the connection form labels them.
ADDRESS: Final = LABELS["host"]
SCHEME: Final = LABELS["schema"]
PORT: Final = LABELS["port"]
WORKSPACE: Final = LABELS["login"]
WORKSPACE_HEADER: Final = LABELS["workspace_header"]
CAMPAIGN_KEY: Final = LABELS["password"]
DATA_KEY: Final = LABELS["data_api_key"]
DATA_CENTER: Final = LABELS["data_center"]
VERIFY: Final = LABELS["verify"]
PATHS: Final = LABELS["paths"]

MADE_UP: Final = "airflow-connection-test"  # an identifier that no account has: nothing of a user's is read
STOPPED: Final = "stopped before the reply came"
SHOWN_TEXT: Final = 150  # characters of a body that a report quotes

Form = Literal["json", "html", "text", "empty", "none"]
Verdict = Literal["accepted", "refused", "not checked"]


@dataclass(frozen=True)
class Evidence:
    """
    What one request showed.

    :ivar question: what the request was to find out.
    :ivar key: whose key it carried: ``campaign``, ``data`` or ``made-up``.
    :ivar status: the status of the response; ``None`` if none came.
    :ivar problem: why none came; empty if one came. No secret.
    :ivar sent: whether the request was handed to an established connection, so that somebody may have received it.
    :ivar headers: the headers of the response, names in lower case.
    :ivar form: the form of the body; ``none`` if no response came.
    :ivar content: the body's JSON; ``None`` if it has none.
    :ivar quote: the beginning of the body in one line. No secret.
    :ivar error: code and message of an error, likewise; empty if there is none.
    :ivar response: as it came.
    :ivar seconds: from the request to the whole response.
    :ivar at: when the response was complete, UTC.
    """

    question: str
    method: str
    path: str
    key: str
    status: int | None = None
    problem: str = ""
    sent: bool = True
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    form: Form = "none"
    content: Any = field(default=None, repr=False)
    quote: str = ""
    error: str = ""
    response: Response | None = field(default=None, repr=False)
    seconds: float = 0.0
    at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    @property
    def stopped(self) -> bool:
        """Whether the user stopped waiting for the reply."""
        return self.problem == STOPPED

    @property
    def success(self) -> bool:
        """Whether the response is a 2xx."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def inconclusive(self) -> bool:
        """Whether the reply concerns the moment and not the request: none, a redirect, 429 or a 5xx."""
        return self.status is None or 300 <= self.status < 400 or self.status == 429 or self.status >= 500

    @property
    def came(self) -> str:
        """What came, in a few words."""
        if self.status is None:
            return self.problem
        text = {"json": "JSON", "html": "an HTML page", "text": "text", "empty": "no body"}.get(self.form, "")
        return f"{self.status}, {text}"

    @property
    def came_whole(self) -> str:
        """What came, and what it states as an error."""
        if self.form == "html" and self.quote:
            return f"{self.came}: {self.quote}"
        return f"{self.came}: {self.error}" if self.error else self.came


@dataclass(frozen=True)
class KeyReads:
    """
    Evidence about both keys; of the data key there is none if the connection has no key of its own for it.

    :ivar proxy: host and port of the environment's proxy; empty if there is none.
    """

    campaign: Evidence
    campaign_made_up: Evidence | None = None
    data: Evidence | None = None
    data_made_up: Evidence | None = None
    swapped: Evidence | None = None
    proxy: str = ""


@dataclass(frozen=True)
class KeyCheck:
    """
    Whether the service takes a key.

    :ivar label: the label of the field, as the form has it.
    :ivar why: the reason, for a verdict that needs one.
    :ivar ours: whether JSON came, as it does from the service; a page or plain text may be somebody else's.
    """

    label: str
    verdict: Verdict
    why: str = ""
    ours: bool = True

    def __str__(self) -> str:
        """One sentence."""
        return f"{self.label}: {self.verdict}{f', {self.why}' if self.why else ''}."


def evidence_of(question: Evidence, response: Response, hidden: tuple[str, ...]) -> Evidence:
    """
    Add a response to a question.

    :param question: without a response.
    :param hidden: secrets that the quote must not hold.
    """
    try:
        body = decoded(response)[:MAX_BODY]
    except (ValueError, zlib.error):
        body = b""
    text = text_of(body, response.headers).lstrip("\ufeff").strip()
    form: Form = "text" if text else "empty"
    content: Any = None
    try:
        content = json.loads(text)
        form = "json"
    except (ValueError, RecursionError):
        if len(body) == MAX_BODY and text[:1] in "[{":
            form, content = "json", _beginning(text)
        elif is_page(text):
            form = "html"
    code = message = ""
    if response.status_code >= 400 or reports_failure(content):
        code, message = code_and_message(text, response.status_code)
    return replace(
        question,
        status=response.status_code,
        headers=response.headers,
        response=response,
        form=form,
        content=content,
        quote=_line(page_text(text) if form == "html" else text, hidden),
        error=_line(": ".join(dict.fromkeys(filter(None, (code, message)))), hidden),
    )


def _line(text: str, hidden: tuple[str, ...]) -> str:
    """The beginning of a text of the service's in one line that may be shown."""
    line = models.redact(" ".join(text[: 20 * SHOWN_TEXT].split()), hidden)
    if len(text) > 20 * SHOWN_TEXT and len(line) <= SHOWN_TEXT:
        line = line.rpartition(" ")[0]  # the last word may be half a secret
    return models.printable(line[:SHOWN_TEXT])


def _beginning(text: str) -> Any:
    """The JSON of a listing that is cut, without the record that is cut; ``None`` if it cannot be read."""
    whole = text[: text.rfind("},") + 1]
    for end in ("]", "]}", "]}}", "]}}}"):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(whole + end)
    return None


def send(client: WesClient, question: str, request: Request, key: str = "campaign") -> Evidence:
    """
    Send a request once, whatever comes of it.

    :param client: the client of the connection.
    :param question: what the request is to find out.
    :param key: whose key it carries.
    """
    settings = client.settings
    unanswered = Evidence(question, request.method, request.url.removeprefix(settings.base_url).partition("?")[0], key)
    begun = monotonic()
    try:
        response = client.run_once(Operation(request, lambda response: response))
        evidence = evidence_of(unanswered, response, settings.secrets + request.secrets)
    except WesConfigurationError:
        raise
    except KeyboardInterrupt:
        if request.method == "GET":
            raise
        evidence = replace(unanswered, problem=STOPPED)  # which is worth a report
    except WesError as error:
        problem = ": ".join(str(error).splitlines())
        evidence = replace(unanswered, problem=problem, sent=not isinstance(error, WesConnectionError))
    return replace(evidence, seconds=monotonic() - begun, at=datetime.now(timezone.utc))


class Reader:
    """
    Sends reads, each once, and keeps what they show.

    :param client: the connection's.
    :param most: how many reads it may send.
    :param on_read: called with the question before each read.
    :ivar evidence: the evidence of all reads so far.
    """

    def __init__(self, client: WesClient, *, most: int = 10, on_read: Callable[[str], None] = lambda _: None) -> None:
        self.client = client
        self.settings = client.settings
        self.evidence: list[Evidence] = []
        self._most = most
        self._on_read = on_read

    @property
    def left(self) -> int:
        """How many reads may still be sent."""
        return self._most - len(self.evidence)

    def read(self, question: str, request: Request, key: str = "campaign") -> Evidence:
        """
        Send one read.

        :param question: what it is to find out.
        :param request: one that :class:`~wes_provider.client.operations.Operations` makes.
        :param key: whose key the request carries: ``campaign``, ``data`` or ``made-up``.
        :raises RuntimeError: if no read is left, or the request is no read.
        """
        if request.method != "GET" or self.left <= 0:
            raise RuntimeError(f"{request.method} after {len(self.evidence)} reads is not allowed here")
        self._on_read(question)
        evidence = send(self.client, question, request, key)
        self.evidence.append(evidence)
        return evidence

    def list_files(self, question: str, coupon_list_id: str, *, key: str = "campaign", **changes: Any) -> Evidence:
        """
        Read the files of a list.

        :param key: ``campaign``, ``data`` or ``made-up``: which key to send.
        :param changes: settings to change, such as ``coupon_files_path``.
        """
        api_key = {"data": self.settings.data_api_key, "made-up": secrets.token_hex(16)}.get(key, self.settings.api_key)
        settings = replace(self.settings, **{"api_key": api_key, **changes})
        return self.read(question, Operations(settings).probe_campaign_key(coupon_list_id).request, key)

    def segment(self, question: str, *, key: str = "data", **changes: Any) -> Evidence:
        """
        Read a segment that nobody has: the contract shows only its update, but credentials come first.

        :param key: ``data`` or ``made-up``: which key to send.
        :param changes: settings to change, such as ``workspace_header``.
        """
        api_key = secrets.token_hex(16) if key == "made-up" else self.settings.data_api_key
        settings = replace(self.settings, **{"data_api_key": api_key, **changes})
        return self.read(question, Operations(settings).probe_data_key(MADE_UP).request, key)


def read_keys(reader: Reader, coupon_list_id: str = MADE_UP) -> KeyReads:
    """
    Read with each key, and with a made-up key to see whether keys are checked at all: two to four reads.

    :param coupon_list_id: whose files are read.
    """
    settings = reader.settings
    campaign = reader.list_files(f"Is the {CAMPAIGN_KEY} accepted?", coupon_list_id)
    if campaign.status is None:
        proxy = urlsplit(proxy_for(settings.base_url) or "").netloc.rpartition("@")[2]  # without its password
        return KeyReads(campaign, proxy=proxy)
    made_up = swapped = data = data_made_up = None
    own_data_key = settings.data_api_key != settings.api_key
    if _refused(campaign):
        if own_data_key:
            swapped = reader.list_files("Are the two keys swapped?", coupon_list_id, key="data")
    elif not campaign.inconclusive:
        made_up = reader.list_files("Is a made-up campaign key refused?", coupon_list_id, key="made-up")
    if own_data_key:
        data = reader.segment(f"Is the {DATA_KEY} accepted?")
        if not data.inconclusive and not _refused(data):
            data_made_up = reader.segment("Is a made-up data key refused?", key="made-up")
    return KeyReads(campaign, made_up, data, data_made_up, swapped)


def _refused(evidence: Evidence) -> bool:
    return evidence.status == 401


def key_check(label: str, read: Evidence, made_up: Evidence | None) -> KeyCheck:
    """
    Whether a key is accepted.

    :param label: the label of the field.
    :param read: with the key.
    :param made_up: the same read with a made-up key; ``None`` if it was not sent.
    """
    ours = read.form in ("json", "empty")
    if read.status is None:
        return KeyCheck(label, "not checked", "the service was not reached", ours=False)
    if _refused(read):
        doubt = "" if ours else " with no JSON, so maybe by a proxy or gateway"
        return KeyCheck(label, "refused", f"the reply is 401{doubt}", ours)
    if 300 <= read.status < 400:
        return KeyCheck(label, "not checked", f"the reply is {read.status}, a redirect", ours=False)
    if read.inconclusive:
        return KeyCheck(label, "not checked", f"the reply is {read.status}; try again later", ours=False)
    if made_up is None or made_up.inconclusive:
        return KeyCheck(label, "not checked", "a made-up key for comparison could not be tried", ours)
    if _refused(made_up) or (made_up.status == 403 and read.status != 403):
        if read.status == 403:
            return KeyCheck(label, "accepted", "but the account has no access to this feature (403)", ours)
        return KeyCheck(label, "accepted", ours=ours)
    return KeyCheck(label, "not checked", f"the reply to a made-up key is {made_up.status}, too", ours)


def diagnosis(settings: WesSettings, reads: KeyReads) -> tuple[bool, str]:
    """
    Whether a connection can be used, as far as reading shows.

    :param reads: the result of :func:`read_keys`.
    :return: the verdict, and one sentence for each key, each on its own line; what to do follows them.
    """
    where = settings.base_url
    campaign = key_check(CAMPAIGN_KEY, reads.campaign, reads.campaign_made_up)
    if reads.data is not None:
        data = key_check(DATA_KEY, reads.data, reads.data_made_up)
    elif settings.data_api_key == settings.api_key:
        data = KeyCheck(DATA_KEY, "not checked", f"the field is empty; segments use the {CAMPAIGN_KEY}")
    else:
        data = KeyCheck(DATA_KEY, "not checked", "the service was not reached")
    lines = [str(campaign), str(data)]
    status = reads.campaign.status
    if status is None:
        lines += unreached(where, reads.campaign, reads.proxy)
    elif 300 <= status < 400:
        lines.append(f"{ADDRESS}: {where} redirects, so the service's address is another one.")
    elif campaign.verdict == "refused":
        lines.append(refusal_advice(reads, data))
    elif data.verdict == "refused":
        lines.append(data_refusal_advice(campaign))
    elif _speaks_tls(reads.campaign):
        lines += [f"{ADDRESS}: {where} speaks TLS, not plain http.", WRITE_HTTPS]
    elif campaign.verdict == "not checked" and not campaign.ours:
        lines.append(f"{ADDRESS}: {where} replied {reads.campaign.came}, which the service would not.")
        lines += _without_path(where)
    elif campaign.verdict == "not checked" and status == 404 and _without_path(where):
        lines += _without_path(where)
    elif status == 403:
        lines.append(forbidden_advice(campaign))
    elif not reads.campaign.success or reads.campaign.form != "json":
        lines.append(_path_advice(reads.campaign))
    forbidden = 403 in (status, reads.data.status if reads.data is not None else None)
    good = campaign.verdict == "accepted" and not forbidden and data.verdict != "refused"
    if good:
        lines.append("Uploads, catalogs and segment updates were not tried: they would change something.")
    return good, "\n".join(lines)


def refusal_advice(reads: KeyReads, data: KeyCheck) -> str:
    """
    What to do if the campaign key is refused.

    :param reads: the result of :func:`read_keys`.
    :param data: whether the data key is accepted.
    """
    if reads.swapped is not None and not reads.swapped.inconclusive and not _refused(reads.swapped):
        return f"The {DATA_KEY} is accepted in its place: the two keys may be swapped."
    if data.verdict == "accepted":
        return f"Paste the {CAMPAIGN_KEY} again; {WORKSPACE} and {WORKSPACE_HEADER} are accepted."
    return f"Check {CAMPAIGN_KEY}, {WORKSPACE} and {WORKSPACE_HEADER}: one of them is wrong."


def data_refusal_advice(campaign: KeyCheck) -> str:
    """
    What to do if the data key is refused, and the campaign key is not.

    :param campaign: whether the campaign key is accepted; only then is the 401 not due to the workspace.
    """
    if campaign.verdict == "accepted":
        return f"Paste the {DATA_KEY} from the data tile again; {WORKSPACE} is accepted."
    return f"Check {DATA_KEY}, {WORKSPACE} and {WORKSPACE_HEADER}: one of them is wrong."


def forbidden_advice(campaign: KeyCheck) -> str:
    """
    What to do about a 403 to the campaign key.

    :param campaign: whether that key is accepted; if not, a gateway may refuse whoever comes.
    """
    if campaign.verdict == "accepted":
        return "Request access to coupon management for the account."
    return "A gateway or firewall may refuse this machine: try another network, or request access for its address."


def _path_advice(read: Evidence) -> str:
    cause = "there is no such list, or the path is wrong" if read.status == 404 else "the path may be wrong"
    return f"Reading coupon files: the reply is {read.came}: {cause}. See {PATHS}."


WRITE_HTTPS: Final = f"Write https into {ADDRESS} or {SCHEME}, or check {PORT}."


def unreached(where: str, read: Evidence, proxy: str = "") -> tuple[str, str]:
    """
    Why no reply came, and which fields to check.

    :param where: the service's address.
    :param read: without a response.
    :param proxy: that the request was sent through, if any.
    """
    for pattern, cause, advice in _TLS if proxy else (*_TLS, *_WITHOUT_PROXY):
        if re.search(pattern, f"{where} {read.problem}", re.IGNORECASE):
            return f"{ADDRESS}: {cause.format(where=where)}", advice
    if proxy:
        cause = f"{ADDRESS}: no reply from {where} through the proxy {proxy}: {read.problem}"
        return cause, f"Check the proxy in the environment of Airflow's server, {ADDRESS} and {PORT}."
    return f"{ADDRESS}: {read.problem}", f"Check {ADDRESS}, {PORT} and {VERIFY}."


_TLS: Final = (
    (
        "wrong version number|record layer failure|packet length too long|unknown protocol",
        "{where} speaks plain http, not TLS.",
        f"Check {PORT}, and the https in {ADDRESS} or {SCHEME}.",
    ),
    ("hostname mismatch|not valid for", "the certificate of {where} is another host's.", f"Check {ADDRESS}."),
    (
        "SSLCertVerificationError",
        "the certificate of {where} is not trusted.",
        f"Check {ADDRESS}, or write the path of a CA bundle into {VERIFY}.",
    ),
)
_WITHOUT_PROXY: Final = (
    (
        "^http://.*(RemoteDisconnected|BadStatusLine|ConnectionResetError)",
        "{where} hangs up on plain http; it may speak TLS.",
        WRITE_HTTPS,
    ),
    (
        "NameResolutionError|getaddrinfo|Name or service not known",
        "the host of {where} is not known here.",
        f"Check {ADDRESS}, and {DATA_CENTER} if it is a part of the address.",
    ),
    ("ConnectTimeout|connect timeout", "no connection to {where} in time.", f"Check {ADDRESS} and {PORT}."),
    ("Connection refused", "{where} refuses connections.", f"Check {ADDRESS} and {PORT}."),
)
"""Patterns of an address and a problem, what happened, and what to do; the first that fits counts."""


def _speaks_tls(read: Evidence) -> bool:
    """Whether a server that expects TLS turned plain http away: nginx, Apache and Go's say so in a page."""
    pattern = "plain HTTP (request was sent to HTTPS|to an SSL)|HTTP request to an HTTPS"
    return read.status == 400 and re.search(pattern, read.quote, re.IGNORECASE) is not None


def _without_path(where: str) -> list[str]:
    path = urlsplit(where).path
    return [f"{ADDRESS} ends with {path}, which may be wrong: try it without."] if path else []
