"""
What a refusal is about, by the service's own words, and what follows from that: one table. Pure.

The words count more than the status: a quota that is used up is one in a 403, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from wes_provider.doctor.replies.file_hosts import about_file_url
from wes_provider.doctor.replies.remedies import (
    AWAITED,
    BROWNOUT,
    NOT_YET,
    OWN_ADDRESS,
    RETIRED,
    asks_for_something,
    is_dated,
    lasts_until,
    new_key,
    wait_for_brownout,
    wait_of,
)
from wes_provider.doctor.replies.schemes import WANTS_OTHER_SCHEME
from wes_provider.doctor.replies.whose import OF_PLACE, Sent, Whose, whose

__all__ = [
    "READS",
    "SUBJECTS",
    "Kind",
    "Subject",
    "SubjectRow",
    "about_list_alone",
    "do_without",
    "in_words",
    "not_sent_in",
    "subject_of",
]


class Kind(Enum):
    """What came, by what it can settle: only an answer or a refusal settles a question."""

    ANSWER = "answer"
    REFUSED = "refused"
    NOT_NOW = "not now"
    KEPT_OUT = "kept out"
    ELSEWHERE = "elsewhere"
    NOT_SERVICE = "not the service"


class Subject(Enum):
    """What a refusal is about."""

    FILE = "the file to upload, or the host of its URL"
    LIST = "the list, which takes no coupons"
    PLACE = "the country or the network that this machine is in"
    MACHINE = "the address of this machine"
    CLOCK = "the clock of this machine"
    BROWNOUT = "a version of the service that is away for a time before it ends"
    MAINTENANCE = "a maintenance"
    QUOTA = "a quota or a rate limit"
    PATH = "a part that the path lacks"
    STAGE = "a stage that the address lacks"
    SCHEME = "other credentials than keys"
    KEY = "a key that has ended"
    POLICY = "a policy of the gateway, whatever the key"
    SCOPE = "a permission of the key"
    VERSION = "a version of the service that has ended"
    PLAN = "what the account has bought"
    NEGOTIATION = "what the provider does not send"
    HOURS = "the hours at which the service lets in"
    CLIENT = "the program that sends requests"
    REPETITION = "a request that is the same as an earlier one"


class SubjectRow(NamedTuple):
    """
    A subject.

    :ivar words: that a refusal about it has, in its code or its message.
    :ivar kind: of a reply about it, whatever its status; ``None`` if the status says it.
    :ivar what_to_do: takes the refusal's words, and until when to wait as its headers say; returns
        sentences, or none if the words themselves say it best.
    """

    subject: Subject
    words: re.Pattern[str]
    kind: Kind | None
    what_to_do: Callable[[str, str], str]


def in_words(code: str, message: str) -> str:
    """Return a code and a message as words: ``dailyLimitExceeded`` has three."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", code)
    plain = spaced.replace("_", " ").replace("-", " ")
    # Apart, so that no words go on from one to the other.
    return "; ".join(filter(None, (plain, message)))


READS: Final = "reads"
IN_QUERY: Final = re.compile(r"\bquery\b|\?[\w-]+=", re.IGNORECASE)


def do_without(words: str, refused: str = "requests") -> str:
    """
    Tell what to do about a refusal that wants what the provider does not send, as a sentence.

    :param refused: what was refused, as people call it.
    """
    what = not_sent_in(words)
    if what and refused == READS and IN_QUERY.search(words):
        return (
            f"The provider does not send {what}. The extra paths takes a query for reads of lists "
            "and files, but no setting adds one to uploads, catalogs and segments: ask the "
            "service's support, or whoever runs the gateway, to accept all requests without it."
        )
    if what:
        return (
            f"The provider does not send {what}, and no setting adds it: ask the service's "
            f"support, or whoever runs the gateway, to accept {refused} without it."
        )
    if MEDIA_TYPE.search(words):
        return (
            "The provider sends application/json, and asks for it, and no setting changes that: "
            f"ask the service's support, or whoever runs the gateway, to accept {refused} with "
            "that."
        )
    if CLIENT.search(words):
        return (
            "The provider is a client of its own, and no setting changes that: ask the service's "
            "support to accept it."
        )
    return (
        "The provider has no setting for such a header: ask the service's support, or whoever "
        "runs the gateway, to do without it."
    )


def _let_in(words: str, _until: str) -> str:
    address = OWN_ADDRESS.search(words)
    which = "address"
    if address:
        which = f"address {address[1]}"
    return (
        f"This machine's {which} may not use it: change no key, but have the addresses of your "
        "workers and triggerers put on the allow-list, and run this from there."
    )


# Who may let requests in from elsewhere, if a refusal says so.
WHO_DECIDES: Final = re.compile(r"\b(?:administrator|admin|owner)\b", re.IGNORECASE)


def _let_in_from_place(words: str, _until: str) -> str:
    who = "the service's support"
    decides = WHO_DECIDES.search(words)
    if decides:
        who = f"the workspace's {decides[0].lower()}"
    return (
        "It refuses the place that requests come from, so nothing is shown of the keys and the "
        f"Address: change none, but ask {who} to let in this machine, your workers and "
        "triggerers, or run all of them where requests may come from."
    )


def about_list_alone(words: str) -> str:
    """Tell what to do about a list that is refused, while others may be taken, as a sentence."""
    first = ""
    if lasts_until(words):
        first = "wait until then, or "
    elif asks_for_something(words):
        first = "do what it says, or "
    return (
        f"It is about this list, and no setting: {first}name another one in --coupon-list, and in "
        "your tasks."
    )


def _wait(words: str, until: str) -> str:
    if is_dated(words) or not until:
        until = f" {wait_of(words)}"
    return f"Wait{until}, and run this again."


def _wait_for_quota(words: str, until: str) -> str:
    if is_dated(words):
        until = " until then"
    return f"Wait{until}, or ask the service's support for more: it is about no key."


MACHINE: Final = re.compile(
    r"allow.?list|white.?list|(?<![\w.])ip\b(?![ -]?phone)|"
    r"(?:source|client|remote|network) address|"
    r"address (?:is )?not (?:allowed|permitted|authori)|resource(?:-based)? policy|firewall|"
    r"\bwaf\b|network (?:policy|zone)|\bvpce?\b",
    re.IGNORECASE,
)
CLOCK: Final = re.compile(
    r"clock|\bskew|time ?stamp.{0,20}(?:too|expired|invalid|outside|in the (?:past|future))|"
    r"request (?:time|date)\b.{0,20}(?:too|expired|outside|differ)",
    re.IGNORECASE,
)
# What clients negotiate, which services may want in a form of their own.
NEGOTIATED: Final = (
    r"\baccept\b ?[:=]|\baccept header|not[ _-]acceptable|user[ -]agent|media[ -]type"
)
WANTED: Final = (
    r"(?:required|missing|must|needed|needs|expected|mandatory|lacks|without|send|set|add)"
)


def _wanted(what: str) -> str:
    """Return a pattern for something near a word for what a request has to have."""
    return rf"{what}\b[^.;]{{0,40}}?\b{WANTED}\b|\b{WANTED}\b[^.;]{{0,40}}?{what}"


NUMBER: Final = r"\b(?:x[ -])?(?:request|correlation|trace|transaction)[ _-]?id"
# In which form a request or a reply is.
MEDIA_TYPE: Final = re.compile(
    r"\b(?:application|multipart|text)/[\w.+-]+|\bcontent[ -]type\b|\bmedia[ -]types?\b|"
    r"\baccept(?: header)?\b|\bnot[ _-]acceptable\b",
    re.IGNORECASE,
)
# Which clients are let in.
CLIENT: Final = re.compile(
    r"\b(?:sdk|client|app) version\b|\b(?:upgrade|update|use) (?:your|the|our|an?) (?:\w+ )?"
    r"(?:sdk|client|app)\b",
    re.IGNORECASE,
)
# What the provider does not send, and no setting adds, by the words for it; the first one counts.
NOT_SENT: Final = (
    ("If-Unmodified-Since", r"\bif[ -]unmodified[ -]since"),
    ("If-None-Match", r"\bif[ -]none[ -]match"),
    ("If-Match", r"\bif[ -]match|\betags?\b|precondition (?:header )?(?:is )?required"),
    ("Idempotency-Key", r"\bidempoten(?:cy|t)[ -](?:key|token)"),
    (
        "a client certificate",
        r"\bclient[ -](?:ssl[ -]|tls[ -])?cert|\bmutual[ -](?:tls|ssl)|\bmtls\b|"
        + _wanted("(?:ssl|tls) certificate"),
    ),
    (
        "a signature of requests",
        r"\bhmac\b|\bsig(?:nature)?[ _-]?v4\b|\b(?:unsigned|signed) requests?\b|"
        r"\bsign (?:the |your |each |all )?requests?\b|"
        + _wanted(r"\b(?:request |x[ -]?)?signature"),
    ),
    ("a digest of the body", _wanted(r"\b(?:content[ -])?(?:digest|md5|checksum)")),
    (
        "a number of the request",
        # Not one that support looks a refusal up by.
        rf"{NUMBER}\b['\"`]?(?: header)? (?:is |must be )?(?:required|missing|sent|given)|"
        r"\b(?:missing|required|needs|lacks|without|send|add)(?: \w+)?(?: header)?:? ['\"`]?"
        rf"{NUMBER}\b(?! to\b|\s*[:=#(]?\s*\S*\d)",
    ),
    ("a traceparent", _wanted(r"\btrace ?parent")),
    ("a version of the API", _wanted(r"\b(?:x-api[ -]version|api-version)")),
    ("a CSRF token", r"\b(?:csrf|xsrf)\b"),
    ("a nonce", _wanted(r"\bnonce")),
    ("a time of the request", _wanted(r"\b(?:x[ -])?(?:request[ -])?time ?stamp header")),
    ("a one-time password", r"\b(?:otp|totp|mfa|2fa|one-time (?:password|code)|two-factor)\b"),
)
NEGOTIATION: Final = re.compile(
    "|".join((NEGOTIATED, CLIENT.pattern, *(words for _, words in NOT_SENT))), re.IGNORECASE
)
HEADER: Final = re.compile(r"\b[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+\b")


def not_sent_in(words: str) -> str:
    """
    Return what a refusal asks for that the provider does not send: the header that it names, or
    else a word for it; empty if it names nothing of that kind.
    """
    for what, pattern in NOT_SENT:
        named = re.search(pattern, words, re.IGNORECASE)
        if named is not None:
            header = HEADER.search(named[0])
            if header is not None:
                return header[0]
            return what
    return ""


MAINTENANCE: Final = re.compile(
    r"maintenance|wartung|mantenimiento|manutenzione|manuten[cç]|downtime|"
    r"read.?only (?:mode|until|window|during)|s[oó]lo lectura.{0,20}hasta|"
    r"(?:service|system|api|platform|database|site) (?:is |are )?(?:now |currently )?read.?only|"
    r"temporarily (?:unavailable|disabled|closed|offline)|"
    r"migration (?:is )?(?:in progress|running)|being migrated",
    re.IGNORECASE,
)
QUOTA: Final = re.compile(
    r"quota.{0,60}\b(?:exceed|exhaust|used|reach|consum|spent|resets?\b|verbraucht|erschöpft)|"
    r"(?:exceed|exhaust|over|out of|reached|used up).{0,30}quota|"
    r"(?:rate|daily|hourly|monthly|weekly|usage|request|call|volume|throughput|transaction)s?"
    r"[ _-]?limits?\b(?! (?:must|has|should|may|is not))|"
    r"limit.{0,30}per (?:second|minute|hour|day|month)|"
    r"too many (?:request|call)s|throttl|spike ?arrest|rate exceeded|exceed.{0,20} rate\b|"
    r"allowed rate|kontingent|cuota|slow down",
    re.IGNORECASE,
)
PATH: Final = re.compile(
    r"\bin (?:the|your) (?:path|url|uri)\b|\b(?:path|url|uri) (?:must|has to|should|lacks|needs)\b|"
    r"\bno (?:tenant|workspace|account) in\b|/\{\w+\}/",
    re.IGNORECASE,
)
# Of a gateway of AWS: without credentials, and with those that are no signature of its own.
STAGE: Final = re.compile(
    r"missing authentication token|incomplete ?signature|"
    r"authorization header requires '?credential|"
    r"key=value pair.{0,40}authorization header",
    re.IGNORECASE,
)
KEY: Final = re.compile(
    rf"(?:key|token|credential)s?\b.{{0,60}}?(?:{AWAITED.pattern}|{NOT_YET.pattern})|"
    r"(?:key|token|credential|schlüssel|clé|clave)s?\b.{0,30}(?:expir|revoke|retired|rotated|rotation|"
    r"replaced|superseded|obsolete|outdated|ersetzt|disabled|abgelaufen|gesperrt|widerrufen|caducad)",
    re.IGNORECASE,
)
# Of a gateway of AWS: it has not looked at any key.
POLICY: Final = re.compile(r"user: ?anonymous\b.{0,60}not authori[sz]ed", re.IGNORECASE)
SCOPE: Final = re.compile(
    r"\bscopes?\b|permission|explicit deny|not authori[sz]ed to (?:access|perform|read|use)|"
    r"privilege|entitlement|\brole\b|read.?only|berechtigung|autoris|permiso",
    re.IGNORECASE,
)
PLAN: Final = re.compile(
    r"\bplan\b|licen[cs]e|\btier\b|quota|subscription does|upgrade to|not (?:enabled|activated|"
    r"included) for|feature (?:is )?(?:not|disabled)",
    re.IGNORECASE,
)
REPETITION: Final = re.compile(
    r"\b(?:identical|duplicated?|repeated) (?:\w+ )?requests?\b|"
    r"\brequest (?:was |has been |is )?(?:already|previously) (?:received|processed|seen|handled)|"
    r"\breplay(?:s|ed|ing)?\b",
    re.IGNORECASE,
)

# The name by which the provider calls itself.
OWN_NAME: Final = re.compile(r"\bairflow-provider-wes\b", re.IGNORECASE)
HOURS_OF_DAY: Final = (
    r"\d{1,2}[:.h]\d\d ?(?:[ap]m)? ?(?:-|\u2013|to|and|until|bis) ?\d{1,2}[:.h]\d\d"
)
HOURS: Final = re.compile(
    r"\boutside\b.{0,40}\b(?:hours|times?|window|schedule)\b|"
    r"\b(?:business|office|working|opening) hours\b|"
    rf"\b(?:only|allowed|permitted|used|valid)\b.{{0,60}}{HOURS_OF_DAY}|"
    rf"{HOURS_OF_DAY}.{{0,40}}\b(?:only|allowed|permitted)\b",
    re.IGNORECASE,
)

# Whose the words are has been told, whatever they are.
ANY_WORDS: Final = re.compile("")
OF_FILE: Final = SubjectRow(
    subject=Subject.FILE,
    words=ANY_WORDS,
    kind=Kind.ANSWER,
    what_to_do=lambda words, _: about_file_url(words),
)
OF_LIST: Final = SubjectRow(
    subject=Subject.LIST,
    words=ANY_WORDS,
    kind=Kind.ANSWER,
    what_to_do=lambda words, _: about_list_alone(words),
)
SUBJECTS: Final = (
    SubjectRow(
        subject=Subject.CLIENT,
        words=OWN_NAME,
        kind=None,
        what_to_do=lambda *_: (
            "It names the User-Agent by which the provider calls itself, which no setting changes: "
            "change no key, and ask whoever runs what replied to let airflow-provider-wes pass."
        ),
    ),
    SubjectRow(
        subject=Subject.PLACE,
        words=OF_PLACE,
        kind=Kind.KEPT_OUT,
        what_to_do=_let_in_from_place,
    ),
    SubjectRow(
        subject=Subject.MACHINE,
        words=MACHINE,
        kind=Kind.KEPT_OUT,
        what_to_do=_let_in,
    ),
    SubjectRow(
        subject=Subject.CLOCK,
        words=CLOCK,
        kind=Kind.KEPT_OUT,
        what_to_do=lambda *_: (
            "Set the clock of this machine, and those of your workers and triggerers, by NTP: no "
            "key was judged."
        ),
    ),
    SubjectRow(
        # Before maintenances and versions that have ended: the words name the version's end, too.
        subject=Subject.BROWNOUT,
        words=BROWNOUT,
        kind=Kind.NOT_NOW,
        what_to_do=wait_for_brownout,
    ),
    SubjectRow(
        subject=Subject.MAINTENANCE,
        words=MAINTENANCE,
        kind=Kind.NOT_NOW,
        what_to_do=_wait,
    ),
    SubjectRow(
        subject=Subject.QUOTA,
        words=QUOTA,
        kind=Kind.NOT_NOW,
        what_to_do=_wait_for_quota,
    ),
    SubjectRow(
        subject=Subject.PATH,
        words=PATH,
        kind=None,
        what_to_do=lambda *_: "",
    ),
    SubjectRow(
        subject=Subject.STAGE,
        words=STAGE,
        kind=None,
        what_to_do=lambda *_: (
            "A gateway of AWS says so of a path that it does not have, or if it wants signatures "
            "of its own, whatever the key is: the Address may lack its stage, such as /prod."
        ),
    ),
    SubjectRow(
        # Before keys that have ended: these have, whosever they are.
        subject=Subject.SCHEME,
        words=WANTS_OTHER_SCHEME,
        kind=None,
        what_to_do=lambda *_: (
            "It wants other credentials than keys, and the provider sends keys only (Basic): no "
            "key helps, so change none, but ask the service's support to take keys there."
        ),
    ),
    SubjectRow(
        subject=Subject.KEY,
        words=KEY,
        kind=Kind.REFUSED,
        what_to_do=lambda words, _: new_key(words).capitalize(),
    ),
    SubjectRow(
        subject=Subject.HOURS,
        words=HOURS,
        kind=Kind.NOT_NOW,
        what_to_do=lambda *_: (
            "Change no key: run this again within these hours, and let your tasks run then, or ask "
            "the service's support for other hours."
        ),
    ),
    SubjectRow(
        # Before versions of the service, which are called alike.
        subject=Subject.NEGOTIATION,
        words=CLIENT,
        kind=None,
        what_to_do=lambda words, _: do_without(words),
    ),
    SubjectRow(
        subject=Subject.VERSION,
        words=RETIRED,
        kind=None,
        what_to_do=lambda *_: (
            "The provider sends to paths of that version, which no setting changes: ask the "
            "service's support for how long it stays, or for a newer provider."
        ),
    ),
    SubjectRow(
        subject=Subject.POLICY,
        words=POLICY,
        kind=None,
        what_to_do=lambda *_: (
            "A policy of the gateway refuses this machine, whatever key it sends: change no key, "
            "but ask whoever runs the gateway to let your workers through."
        ),
    ),
    SubjectRow(
        subject=Subject.SCOPE,
        words=SCOPE,
        kind=None,
        what_to_do=lambda *_: "Ask an administrator of the account for a key with what it lacks.",
    ),
    SubjectRow(
        subject=Subject.PLAN,
        words=PLAN,
        kind=None,
        what_to_do=lambda *_: "Ask the service's support for a plan that has it.",
    ),
    SubjectRow(
        subject=Subject.NEGOTIATION,
        words=NEGOTIATION,
        kind=None,
        what_to_do=lambda words, _: do_without(words),
    ),
    SubjectRow(
        subject=Subject.REPETITION,
        words=REPETITION,
        kind=None,
        what_to_do=lambda *_: (
            "It is no fault of a key or a path: a request is refused that is the same as one "
            "before it. Tasks repeat reads, so ask the service's support, or whoever runs the "
            "gateway, to take reads out of that."
        ),
    ),
)
"""The first one whose words are there counts."""

# What a text is about that is no refusal of a request.
NOTHING: Final = Sent()
# Several causes in one sentence, as of a refusal that does not say which of them holds.
LEFT_OPEN: Final = re.compile(
    r"\b(?:missing|invalid)\b[^.;]{0,40}\bor\b|\bor\b[^.;]{0,40}\b(?:missing|invalid)\b",
    re.IGNORECASE,
)


def subject_of(code: str, message: str, sent: Sent = NOTHING) -> SubjectRow | None:
    """
    Tell what a refusal is about by its words; ``None`` if they fit no subject, or name credentials
    that may be missing or invalid, too.

    :param sent: what was refused: a keyword about the file of an upload, or its list, is about none
        of the subjects that it names otherwise.
    """
    words = in_words(code, message)
    concerned = whose(words, sent)
    if concerned is Whose.FILE:
        return OF_FILE
    if concerned is Whose.LIST:
        return OF_LIST
    by_words = _subject_by_words(words, message)
    is_for_now = by_words is not None and by_words.kind is Kind.NOT_NOW
    if concerned is Whose.PERHAPS_FILE and not is_for_now:
        return OF_FILE
    return by_words


def _subject_by_words(words: str, message: str) -> SubjectRow | None:
    """Return the first subject whose words are there."""
    is_open = LEFT_OPEN.search(message) is not None
    for row in SUBJECTS:
        if row.words.search(words) and not (is_open and row.kind is not None):
            return row
    return None
