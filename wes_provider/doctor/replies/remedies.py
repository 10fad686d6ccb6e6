"""What to do about a refusal, as its words say: in the service's language or a usual one. Pure."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from wes_provider.doctor.replies.waits_in_words import without_wait

__all__ = [
    "AFTER_LIMIT",
    "AGAIN",
    "LET_IN",
    "LET_THROUGH",
    "LET_WRITES",
    "OWN_ADDRESS",
    "PLACE",
    "WHOM",
    "WRITE_HTTPS",
    "asks_for_something",
    "data_centers_in",
    "is_about_time",
    "is_about_wrong_keys",
    "is_account",
    "is_awaited",
    "is_bare_refusal",
    "is_bare_refusal_of_key",
    "is_dated",
    "is_firewall",
    "is_maintenance",
    "is_of_coupons",
    "is_of_fetching",
    "is_of_file_url",
    "is_of_missing_list",
    "is_of_other_mode",
    "is_retired",
    "is_stock_sentence",
    "is_too_big",
    "lasts_until",
    "may_lack_access",
    "misses_credentials",
    "missing_member",
    "names_account",
    "names_list",
    "names_reason",
    "new_key",
    "other_account",
    "other_method",
    "other_place",
    "references_in",
    "says_https_only",
    "says_when_writes_return",
    "sentences_of_end",
    "takes_no_writes",
    "wait_for_brownout",
    "wait_for_moment",
    "wait_of",
    "wanted_form",
]

# Parts of words that say what became of a key; others that only say that it is not accepted.
REASONS: Final = (
    "expir revoke disabled deactivat inactive suspend retired rotated rotation deleted locked "
    "abgelaufen gesperrt widerruf deaktiv caducad vencid replaced superseded obsolete outdated "
    "rolled ersetzt reemplazad remplac"
).split()
# Words that say that a key has a successor.
SUCCEEDED: Final = re.compile(
    r"replaced|superseded|rotated|rotation|rolled (?:over|to)|obsolete|outdated|newer|ersetzt|"
    r"reemplazad|remplac|(?:current|new|latest|active) (?:one|key|token|secret|version)",
    re.IGNORECASE,
)
# That a key is of a later time.
NOT_YET: Final = re.compile(
    r"not[ _-]yet[ _-](?:valid|usable|in[ _-]effect)|cannot be used (?:yet|before|until)|"
    r"becomes (?:active|valid)|not (?:valid|active|usable|enabled) (?:before|until)|"
    r"(?:only )?(?:valid|active|usable) (?:only )?from\b|used before its\b|"
    r"noch nicht gültig|gültig (?:ab|erst)",
    re.IGNORECASE,
)
# That a person has to let a key in first.
AWAITED: Final = re.compile(
    r"(?:await\w*|pending|requires?|needs?|waiting for) (?:\w+ ){0,3}"
    r"(?:approv|activat|confirm|review|verif)\w*|"
    r"(?:approval|activation|confirmation|verification) (?:is )?"
    r"(?:pending|required|needed|outstanding)|"
    r"not (?:yet )?(?:been )?(?:approved|activated|confirmed|verified|active\b)|"
    r"noch nicht (?:freigegeben|freigeschaltet|aktiv)|freigabe",
    re.IGNORECASE,
)
EXPIRED: Final = re.compile(r"expir|abgelaufen|caducad|vencid|lapsed", re.IGNORECASE)
# What has ended, of a service: a version of it, and not a key. A dot in a number ends no sentence.
RETIRED: Final = re.compile(
    r"(?:\bversion|\bv\d+\b|\bapi\b(?![ _-]?key)|endpoint|release)"
    r"(?:[^.;]|(?<=\d)\.(?=\d)){0,60}?\b(?:retired|sunset\w*|"
    r"deprecated|discontinued|decommissioned|removed|turned off|shut ?down|no longer|"
    r"end.of.life|gone|abgeschaltet|eingestellt|retirad[ao]|unsupported|not supported)|"
    r"(?:retired|sunset|deprecated|discontinued|decommissioned|unsupported|no longer supported)"
    r"(?:[^.;]|(?<=\d)\.(?=\d)){0,30}(?:\bversion|\bv\d+\b)",
    re.IGNORECASE,
)
# That a version which ends is away for a time before that, so that people notice.
OUTAGE: Final = (
    r"\b(?:outage|unavailable|offline|disabled|(?:turned|switched|shut) off|down|suspended|paused|"
    r"interrupted|blocked|closed|abgeschaltet|nicht verfügbar)\b"
)
HOUR: Final = r"(?:\d{1,2}[:.h]\d\d(?::\d\d)?|\d{1,2}(?= ?(?:[ap]m|uhr|utc|gmt)\b))"
ZONE: Final = r"(?: ?(?:[ap]m|uhr|utc|gmt|z|cet|cest)\b)"
HOUR_OR_DATE: Final = rf"(?:\d{{4}}-\d\d-\d\d(?:(?:T| |, )(?:at )?{HOUR})?|\b{HOUR}){ZONE}{{0,2}}"
# Not that of the version itself, which is available until its end.
LAST_MOMENT: Final = (
    rf"(?:(?<!\bavailable )(?<!\bsupported )(?<!\bworks )(?<!\bstays )(?<!\bvalid )"
    rf"\b(?:until|till|bis|hasta)\b[^.;\d]{{0,30}}?|\d{ZONE}?(?: to | and | ?[-\u2013] ?))"
    rf"({HOUR_OR_DATE})"
)
BROWNOUT: Final = re.compile(
    r"\b(?:brown|black)[ -]?outs?\b|"
    rf"^(?=.*(?:{RETIRED.pattern}))(?=.*{OUTAGE}[^.;]{{0,40}}?{LAST_MOMENT})",
    re.IGNORECASE | re.DOTALL,
)
# That changes are not taken at the moment.
NO_WRITES: Final = re.compile(
    r"read[ _-]?only|(?:writes?|changes|updates|uploads?|modifications|imports?)\b[^.;]{0,30}"
    r"(?:disabled|blocked|suspended|paused|frozen|turned off|switched off|closed|not (?:accepted|"
    r"allowed|possible|available))|(?:schreib|nur lesen|nur.lese)\w*|s[oó]lo lectura",
    re.IGNORECASE,
)
# The form that a value has to have: UUID, a number, 24 hexadecimal digits.
FORM: Final = re.compile(
    r"(?:not|invalid|malformed|must|should|expect\w*|needs?|wants?|has to|valid|kein\w*|"
    r"gültig\w*)\b[^.;]{0,30}?\b(uuid|guid|ulid|integer|numeric|number|ganzzahl|"
    r"\d+[- ](?:\w+ )?(?:digits|characters|hex\w*)|hex\w*|slug|urn)\b",
    re.IGNORECASE,
)
# The identifier of a list, as a service may call it.
OF_LIST: Final = re.compile(
    r"\blists?[ _-]?id|\bcoupons?[ _-]?lists?[ _-]?(?:id\b|identifier)|list(?:e|a)?[ _-]identifi",
    re.IGNORECASE,
)
# What support looks a refusal up by.
REFERENCE: Final = re.compile(
    r"\b((?:ray|request|support|incident|event|trace|reference|correlation|error|block|case|"
    r"transaction)[ -]?(?:id|number|no\.?|#)|reference|incident)[:# ]+(?:is:? )?"
    r"([\w.#-]*\d[\w.#-]*\w)",
    re.IGNORECASE,
)
GENERAL: Final = ("missing", "invalid or", "or invalid")
# What a service may say of whom it lets in, in any spelling.
IP_ADDRESS: Final = re.compile(
    r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\b", re.IGNORECASE
)
# An address that a refusal calls this machine's; the others may be those that are let in.
OWN_ADDRESS: Final = re.compile(
    r"\b(?:your|you|client|source|remote|(?:request|access|call|traffic|connection)s? from)\b"
    rf"[^.;,]{{0,30}}?({IP_ADDRESS.pattern})(?!/|\s*-)",
    re.IGNORECASE,
)
OWN_IP: Final = re.compile(
    rf"\b(?:your|client) ip(?: address)?[ :]+({IP_ADDRESS.pattern})", re.IGNORECASE
)
# What the pages of firewalls have, whatever the status is.
FIREWALL: Final = re.compile(
    r"cloudflare|incapsula|imperva|akamai|edgesuite|sucuri|mod_?security|"
    r"\bforti(?:web|gate|guard)\b|\bbarracuda\b|\bwordfence\b|web application firewall|"
    r"request (?:is |was |has been )?(?:blocked|rejected)|"
    r"requested url was rejected|you have been blocked|your support id is|"
    r"error (?:code:? )?10[012]\d\b",
    re.IGNORECASE,
)
# About bytes, and not about the time that a response takes.
PART_OF_REPLY: Final = r"\b(?:payload|response|body|entity|content|message)"
TOO_BIG: Final = re.compile(
    r"too.?big.?body|buffer (?:overflow|limit)|sent too big|"
    rf"{PART_OF_REPLY}\b[^.;]{{0,20}}\btoo (?:large|big)\b|"
    rf"{PART_OF_REPLY} (?:size|length)\b[^.;]{{0,40}}exceed|"
    rf"exceed[^.;]{{0,40}}{PART_OF_REPLY} (?:size|length)\b",
    re.IGNORECASE,
)
# A refusal that says nothing but that it is one.
BARE_REFUSAL: Final = set(
    """
    403 access accessdenied allowed blocked denied error forbidden is not rejected request was
    """.split()
)
# Of a refused key.
BARE_REFUSAL_OF_KEY: Final = set(
    """
    api apikey authentication authorization bad credentials failed incorrect invalid key login
    missing no not or password permitted provided required secret token unauthorised unauthorized
    unknown user username wrong your
    """.split()
)
# That a request came without credentials, though each has them.
NO_CREDENTIALS: Final = re.compile(
    r"\bauthorization\b[^.;]{0,25}\b(?:missing|absent|not (?:present|found|provided|sent|set|"
    r"supplied)|empty|fehlt)|"
    r"\b(?:missing|no|without(?: an?)?|lacks(?: an?)?) (?:http )?authorization(?: header)?\b|"
    r"\bno (?:credentials|authentication) (?:were |was )?(?:provided|given|sent|supplied|found)|"
    r"\bcredentials (?:were )?not (?:provided|sent|supplied)",
    re.IGNORECASE,
)
# That an account has no access to coupons.
OF_COUPONS: Final = re.compile(
    r"\baccess\b[^.;]{0,40}\bcoupons?\b|\bcoupons?\b[^.;]{0,40}\b(?:access|enabled|available)|"
    r"\baccount (?:has|does|is|may|can)\w*\b[^.;]{0,30}\b(?:no|not)\b|\bno access\b",
    re.IGNORECASE,
)
# That wrong credentials came too often.
WRONG_KEYS: Final = re.compile(
    r"\btoo[ -]many\b[^.;]{0,20}"
    r"\b(?:fail(?:ed|ures?)|invalid|bad|wrong|incorrect|unsuccessful|unauthori[sz]ed|"
    r"log[ -]?ins?|sign[ -]?ins?|password|authentications?)\b|"
    r"\b(?:failed|invalid|wrong|incorrect|unsuccessful) (?:log[ -]?in|sign[ -]?in|authentication|"
    r"password|credential|key|token)s?\b[^.;]{0,20}\b(?:limit|attempts?|exceeded|too often)\b",
    re.IGNORECASE,
)
# A key of another mode or environment than what is asked for.
KEY_OF_OTHER_MODE: Final = re.compile(
    r"\b(?:test|live|sandbox|production|staging|demo)\b.{0,20}\bkey\b|"
    r"\bkey\b.{0,40}\b(?:test|live|sandbox|production|staging|demo)\b",
    re.IGNORECASE,
)
# That a plain HTTP request came to what takes HTTPS.
HTTPS_ONLY: Final = re.compile(
    r"http request (?:was sent )?to (?:an )?https|https[ _-](?:is )?(?:required|only)|"
    r"(?:ssl|tls)[ _-](?:is )?required|"
    r"(?:require[sd]?|use|over|via|through) (?:https|ssl|tls)\b(?!:)|"
    r"insecure connection",
    re.IGNORECASE,
)
WRITE_HTTPS: Final = "Write https:// in place of http:// in the Address, and run this again."
# That the service could not get a file from its URL.
OF_FETCHING: Final = re.compile(
    r"fetch|download|retrieve|retrieving|file_url|\bGET\b|\bHTTP\b|\bhost\b|\bDNS\b|connect|certificate|"
    r"time(?:d ?| )?out|"
    r"unreachable|abgerufen|herunter",
    re.IGNORECASE,
)
# What a refused upload says of the URL of its file.
OF_FILE_URL: Final = re.compile(
    r"file[ _-]?ur[li]\b|\b(?:fetch|download|retrie\w*|reach|access|open|read)\w*\b[^.;]{0,30}"
    r"\b(?:file|ur[li])\b|\b(?:file|ur[li])\b[^.;]{0,30}\b(?:fetched|download|retrie\w*|reach|"
    r"access|returned|responded|respond|replied)",
    re.IGNORECASE,
)
# That a list does not exist, as a refused upload says it.
NO_LIST: Final = re.compile(
    r"\blists?\b[^.;]{0,60}\b(?:not exist|not.?found|not be found|unknown|no longer|missing|"
    r"existiert nicht|nicht gefunden)|\b(?:no|unknown|invalid|such)\b[^.;]{0,20}\blist\b",
    re.IGNORECASE,
)
# That something is done at the moment that has to end first.
LATER: Final = re.compile(
    r"\b(?:try|retry|repeat|send|upload)\b[^.;]{0,30}\b(?:again|later|when|once|after)\b|\bretry\b|"
    r"\blater\b|\bwait\b|\bin progress\b|\bbusy\b|\bat a time\b|\block(?:ed)? (?:by|while|until)\b|"
    r"\b(?:is|are|being) (?:currently |still |being )*(?:processed|imported|processing|importing|"
    r"running)\b|\bspäter\b|\berneut\b|\bwarten\b|\bmás tarde\b|\bplus tard\b",
    re.IGNORECASE,
)
# That the same is there already, so that no time helps.
IS_THERE: Final = re.compile(
    r"\bexist|\bduplica|\btaken\b|\bsame (?:name|content|file|url)\b|"
    r"\b(?:another|different|other|unique) (?:file ?)?name\b|\balready (?:uploaded|"
    r"imported|processed|there|been)\b",
    re.IGNORECASE,
)
# That what was asked for is not there, or not for this key.
NO_ACCESS: Final = re.compile(
    r"\bor\b.{0,40}(?:access|permission|permitted|allowed|authori[sz]ed|visible|shared|belong)|"
    r"(?:access|permission).{0,40}\bor\b.{0,40}(?:exist|found)",
    re.IGNORECASE,
)
# What a page says of a service that is away for a time.
AWAY: Final = re.compile(
    r"maintenance|wartung|mantenimiento|manutenzione|manuten[cç]|unavailable|"
    r"temporar|nicht (?:verfügbar|erreichbar)|indisponible|back (?:soon|shortly|at|in)|downtime|"
    r"(?:down|offline|closed|upgrad\w*|until|bis|till) .{0,40}"
    r"\d{1,2}(?:[:.h]\d\d| ?(?:uhr|[ap]m|utc))",
    re.IGNORECASE,
)
LASTS: Final = re.compile(r"\b(?:until|till|bis|hasta|jusqu)\b", re.IGNORECASE)
A_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:[ap]m|uhr|utc)\b", re.IGNORECASE
)
# How a reply asks its reader to do something.
ASKS: Final = re.compile(
    r"\b(?:please|must|should|needs? to|ha(?:s|ve) to|require[sd]?|bitte|muss|müssen|veuillez|"
    r"debe|por favor)\b|"
    r"(?:^|[.;:!,(-]|\bor|\band)\s*(?:accept|activate|add|ask|choose|complete|confirm|contact|"
    r"create|enable|include|pay|provide|renew|retry|see|send|set|sign|specify|supply|try|upgrade|"
    r"use|verify|visit|wait)\b|"
    r"\bcan (?:be )?(?:activat|add|allow|chang|enabl|grant|set|unlock)\w*\b|"
    r"\b(?:under|in) settings\b",
    re.IGNORECASE,
)
# What statuses say by themselves, and the web server that says it.
SERVER: Final = re.compile(
    r"\b(?:nginx|apache|openresty|caddy|microsoft-iis|lighttpd|haproxy|envoy)\b[\w/.()-]*"
)
STOCK: Final = {
    *(re.sub(r"[\W_]+", " ", status.phrase.lower()) for status in HTTPStatus),
    "",
    "access denied",
    "authentication is required",
    "authentication required",
    "authorization required",
    "authorisation required",
    "error",
    "http error",
    "login required",
}
# A member of a body that a request lacks.
MISSING_MEMBER: Final = re.compile(
    r"(?:missing|required|lacks?|needs?|add|include|provide|send)\b[^.;'\"`]{0,30}?"
    r"\b(?:field|property|member|attribute|key)\b[ :]+['\"`]?([a-z]\w*)|"
    r"\b(?:field|property|member|attribute)[ :]+['\"`]?([a-z]\w*)['\"`]?[^.;]{0,20}?"
    r"\b(?:required|missing|must be (?:given|set|present|sent|provided))|"
    r"['\"`]([a-z]\w*)['\"`] (?:field |property )?is (?:a )?(?:required|missing|mandatory)|"
    r"\b([a-z]+_\w+) (?:field |property )?is (?:a )?(?:required|missing|mandatory)|"
    r"[\"']loc[\"']: ?\[[\"']body[\"'], ?[\"']([a-z]\w*)[\"']\][^}]{0,40}(?:required|missing)"
)
METHOD: Final = re.compile(
    r"\b(?:[Uu]se|[Vv]ia|[Ww]ith|[Bb]y|[Ss]end|requires?|Requires?|[Oo]nly|[Aa]llowed:?)\b[^.;]{0,20}?"
    r"\b(GET|PUT|POST|PATCH|DELETE)\b"
)
# What an account is called.
WHOM: Final = (
    r"(?:workspace|tenant|account|organi[sz]ation|project|(?:app|application)[ _-]?(?:id|key)|"
    r"client[ _-]?id)"
)
# What a service says if the keys and the login are not of the same account, or nobody has it.
MISMATCH: Final = re.compile(
    rf"\b{WHOM}\b.{{0,60}}(?:mismatch|match|not (?:found|served|known)|not.?exist|unknown)|"
    rf"(?:another|other|different|wrong|issued for|belongs? to|mismatch\w*|no such|unknown)"
    rf"\b.{{0,30}}\b{WHOM}\b",
    re.IGNORECASE,
)
NAMED_ACCOUNT: Final = re.compile(rf"\b{WHOM}(?: id)?[ :=]+['\"`]?([\w.-]*[\w])", re.IGNORECASE)
NO_NAMES: Final = set(
    """
    a an and but does has id in is mismatch named not of or than that the this to was which with
    """.split()
)
# What services call the part of them that has an account.
PLACE: Final = r"(?:data.?cent(?:er|re)|region|cluster|cell|shard|pod|stack|silo|stamp|dc)"
DATA_CENTER: Final = re.compile(
    r"(?:data.?cent(?:er|re)|region|cluster|zone|\bdc|\bapi)\D{0,20}?(\d{2,3})(?!\d)|"
    # One digit may be part of a name, such as eu-west-1.
    rf"\b{PLACE}(?: (?:no\.?|number|id))?[ :=#'\"(-]{{0,3}}(?:[a-z]{{1,5}}-?)?(\d{{1,3}})\b"
    rf"(?![-:.]\d)|"
    # A member of an error, such as home_region: eu-3.
    rf"\b\w*{PLACE}\w*: [a-z]{{0,4}}-?(\d{{1,3}})\b|"
    # A place with a number: after a word for being there, or with the name of a part of the world.
    r"\b(?:homed?|hosted|located|lives|moved|served|belongs)\b(?: \w+){1,2}? [a-z]{2,12}-?"
    r"(\d{2,3})\b(?![-:.]\d)|"
    r"\b(?:eu|emea|us|na|amer|ap|apac|asia|sa|latam|me|af|uk|de|pod|cell|shard)-?(0\d{1,2})\b"
    r"(?![-:.]\d)",
    re.IGNORECASE,
)
AGAIN: Final = "Run this again later."
AFTER_LIMIT: Final = "Wait until then, or ask the service's support for more, and run this again."
LET_IN: Final = (
    "change no key, but have whoever runs it let in the addresses of your workers and triggerers, "
    "and run this from there."
)
# If nothing shows what about a request keeps it out.
LET_THROUGH: Final = (
    "change no key, but have whoever runs it let your workers and triggerers in, whether it keeps "
    "out their addresses or their User-Agent (airflow-provider-wes), and run this from there."
)
# If reads pass, so that it is about what a write has.
LET_WRITES: Final = (
    "Reads pass, so a rule may be about {method} or about what its body has, such as a URL: change "
    "no key, and have whoever runs it let these requests through."
)


def is_of_other_mode(words: str) -> bool:
    """Tell whether a refusal says that the key is of a test mode, or of another environment."""
    return KEY_OF_OTHER_MODE.search(words) is not None


def is_awaited(words: str) -> bool:
    """Tell whether a refusal says that somebody has to approve or activate something first."""
    return AWAITED.search(words) is not None


def names_reason(words: str) -> bool:
    """
    Tell whether a refusal's words say what became of the key, and not only that it is refused.
    """
    plain = words.lower()
    if any(word in plain for word in GENERAL):
        return False
    if is_awaited(words) or NOT_YET.search(words):
        return True
    return any(word in plain for word in REASONS)


def is_about_wrong_keys(words: str) -> bool:
    """Tell whether words say that wrong credentials came too often."""
    return WRONG_KEYS.search(words.replace("_", " ")) is not None


def is_of_coupons(words: str) -> bool:
    """Tell whether words say no more than that an account has no access, to coupons or at all."""
    return is_stock_sentence(words) or not words or OF_COUPONS.search(words) is not None


def is_about_time(words: str) -> bool:
    """Tell whether words say that a key is not valid yet, or no longer."""
    return NOT_YET.search(words) is not None or EXPIRED.search(words) is not None


def new_key(words: str) -> str:
    """Tell what to do about a key by what became of it, as a service's words say."""
    if NOT_YET.search(words):
        return "wait until it is valid, or put in the one that is valid now."
    if is_awaited(words):
        return "have it approved or activated, as the service says: the key may be right."
    if SUCCEEDED.search(words):
        return "copy the current key from where the service shows it, and put it in."
    if EXPIRED.search(words):
        return "make a new key, or have its time extended, and put it in."
    return "make a new key, or have this one enabled, and put it in."


def is_retired(words: str) -> bool:
    """
    Tell whether words say that a version of the service has ended, or ends; not if it is only away
    for a time before that.
    """
    return RETIRED.search(words) is not None and BROWNOUT.search(words) is None


def sentences_of_end(words: str) -> list[str]:
    """Return the sentences that say that a version ends, and not that it is away for a time."""
    sentences = re.split(r"(?<=[.!;])\s+", words)
    return [one for one in sentences if RETIRED.search(one) and not BROWNOUT.search(one)]


def wait_for_brownout(words: str, until: str) -> str:
    """
    Tell what to do while a version is away for a time before its end, as sentences.

    :param until: the moment that headers name, such as `` until 17:30 UTC``; empty for none.
    """
    wait = wait_for_moment(words, until)
    return f"{wait[:1].upper()}{wait[1:]}, and run this again: no key and no path is at fault."


def wait_for_moment(words: str, until: str) -> str:
    """
    Tell how long to wait by a moment that words or headers name, such as ``wait until 16:30 UTC``.

    :param until: the moment that headers name, such as `` until 17:30 UTC``; empty for none.
    """
    named = re.search(LAST_MOMENT, words, re.IGNORECASE)
    if named is not None:
        return f"wait until {named[1]}"
    return f"wait{until or ' until it is over'}"


def takes_no_writes(words: str) -> bool:
    """Tell whether words say that a service takes no changes at the moment."""
    return NO_WRITES.search(words) is not None


def wanted_form(words: str) -> str:
    """Return the form that a value has to have by words, such as ``UUID``; empty without one."""
    named = FORM.search(words)
    if named is None:
        return ""
    return named[1]


def names_list(words: str) -> bool:
    """Tell whether a refusal names the identifier of a list, such as ``coupon_list_id``."""
    return OF_LIST.search(words) is not None


def misses_credentials(words: str) -> bool:
    """Tell whether a refusal says that no credentials came, and not that they are wrong."""
    return NO_CREDENTIALS.search(words) is not None


def references_in(words: str) -> str:
    """Tell what to hand over to support, as a page says: its identifiers, and the own address."""
    named = [f"{name} {value}" for name, value in REFERENCE.findall(words)]
    own = OWN_ADDRESS.search(words) or OWN_IP.search(words)
    if own:
        named.append(f"IP address {own[1]}")
    return ", ".join(dict.fromkeys(named))


def asks_for_something(words: str) -> bool:
    """Tell whether a refusal asks its reader to do something, and does not only say what is."""
    return ASKS.search(words) is not None and not is_stock_sentence(words)


def is_stock_sentence(words: str) -> bool:
    """Tell whether words say no more than a status does, such as ``401 Authorization Required``."""
    parts = re.split(r"[:;|\u2013]|\s-\s", SERVER.sub("", words.lower()))
    named = {re.sub(r"[\W\d_]+", " ", part).strip() for part in parts}
    return {part.removeprefix("http status").strip() for part in named} <= STOCK


def other_method(words: str, method: str) -> str:
    """Return the method of HTTP in place of one that a refusal asks for; empty without one."""
    named = METHOD.search(words)
    if named is None or named[1] == method:
        return ""
    return named[1]


def missing_member(words: str) -> str:
    """Return the member of a body that a refusal says is missing; empty without one."""
    named = MISSING_MEMBER.search(words)
    if named is None:
        return ""
    return next(filter(None, named.groups()), "")


def is_bare_refusal(words: str) -> bool:
    """Tell whether a refusal says nothing but that it is one, such as ``Forbidden``."""
    return set(re.findall(r"\w+", words.lower())) <= BARE_REFUSAL


def is_bare_refusal_of_key(words: str) -> bool:
    """Tell whether a refusal says nothing but that a key is not accepted."""
    return set(re.findall(r"\w+", words.lower())) <= BARE_REFUSAL | BARE_REFUSAL_OF_KEY


def is_too_big(words: str) -> bool:
    """Tell whether a failure is that of a gateway which takes no reply of so many bytes."""
    return TOO_BIG.search(words) is not None


def is_firewall(page: str) -> bool:
    """Tell whether the words of a page are those of a firewall that keeps somebody out."""
    return FIREWALL.search(page) is not None


# -- another account, another data center ----------------------------------------------------------


def names_account(words: str) -> bool:
    """
    Tell whether a refusal is about the account that a request names, or that its keys are not of.
    """
    return MISMATCH.search(re.sub(r"[_-]", " ", words)) is not None


def is_account(word: str) -> bool:
    """Tell whether a word, such as a placeholder of a path, is what an account is called."""
    return re.fullmatch(rf"{WHOM}(?:.?(?:id|name|key))?", word, re.IGNORECASE) is not None


def is_of_fetching(reason: str) -> bool:
    """Tell whether a file failed since the service could not get it from its URL."""
    return OF_FETCHING.search(reason) is not None


def is_of_file_url(words: str) -> bool:
    """Tell whether a refused upload is about the URL of its file."""
    return OF_FILE_URL.search(words) is not None


def is_of_missing_list(words: str) -> bool:
    """Tell whether a refusal says that a list does not exist."""
    return NO_LIST.search(words) is not None


def says_later(words: str) -> bool:
    """
    Tell whether a refusal says that the same may be accepted later, such as while another file is
    processed, and not that it is there already.
    """
    return LATER.search(words) is not None and IS_THERE.search(words) is None


def may_lack_access(words: str) -> bool:
    """Tell whether an error leaves open if something is not there, or not for this key."""
    return NO_ACCESS.search(words) is not None


def says_https_only(words: str) -> bool:
    """Tell whether an error says that HTTPS has to be used."""
    return HTTPS_ONLY.search(words) is not None


# What a service takes a name for that it does not know.
MEANT: Final = re.compile(r"\bdid you mean\W{1,3}([\w.@-]*\w)", re.IGNORECASE)


def other_account(words: str, login: str) -> str:
    """
    Return the account that a refusal means in place of the login, or the only one besides it that
    it names; empty if there is none.
    """
    meant = MEANT.search(words)
    if meant is not None and meant[1] != login:
        return meant[1]
    named = {name for name in NAMED_ACCOUNT.findall(words) if name.lower() not in NO_NAMES}
    others: list[str] = [name for name in named if name.lower() != login.lower()]
    if len(others) == 1:
        return others[0]
    return ""


# That an account is not where it was looked for, with the word for the place.
ABOUT_ACCOUNT: Final = re.compile(rf"\b{WHOM}\b", re.IGNORECASE)
NOT_HERE: Final = re.compile(
    rf"\b(?:not|no|nicht|isn't|doesn't|unknown)\b[^.;]{{0,60}}?\b({PLACE})\b|"
    rf"\b(?:another|other|different|wrong|incorrect)\b[^.;]{{0,20}}?\b({PLACE})\b",
    re.IGNORECASE,
)


def other_place(words: str) -> str:
    """
    Return the word for a part of the service, such as ``shard``, if words say that an account is
    not in this one; empty if they do not.
    """
    named = None
    if ABOUT_ACCOUNT.search(words):
        named = NOT_HERE.search(words)
    if named is None:
        return ""
    return (named[1] or named[2]).lower()


def data_centers_in(words: str) -> list[str]:
    """Return the numbers of data centers that a refusal names, with one to three digits."""
    return list(dict.fromkeys(map("".join, DATA_CENTER.findall(words))))


# -- a service that is away ------------------------------------------------------------------------


def is_maintenance(text: str) -> bool:
    """Tell whether a page's words are those of a service that is away for a time."""
    return AWAY.search(text) is not None


def wait_of(text: str) -> str:
    """Tell how long to wait by words of a maintenance, such as ``until then``."""
    if is_dated(text):
        return "until then"
    return "until it is over"


def lasts_until(text: str) -> bool:
    """Tell whether words say until when something lasts."""
    return LASTS.search(text) is not None and is_dated(text)


# That something is possible again from a time on.
COMES_BACK: Final = re.compile(
    r"\b(?:re-?opens?|resumes?|available again|possible again)\b", re.IGNORECASE
)


def says_when_writes_return(text: str) -> bool:
    """Tell whether words say that changes are not taken now, and from when on they are."""
    says_when = LASTS.search(text) is not None or COMES_BACK.search(text) is not None
    return takes_no_writes(text) and says_when and is_dated(text)


# A time at which something has begun.
BEGUN: Final = re.compile(
    r"\b(?:since|seit|depuis|desde|dal|began|begun|started)\b"
    r"(?:(?!until|till|bis\b|hasta|jusqu)[^.;,]){0,30}",
    re.IGNORECASE,
)


def is_dated(text: str) -> bool:
    """
    Tell whether words name a date or an hour, and not only that of a beginning, or how long it
    takes.
    """
    return A_TIME.search(BEGUN.sub("", without_wait(text))) is not None
