r"""
Texts that people may read: without passwords and keys, and without the queries of URLs. Pure, in linear time.

A body may be cut, hold JSON within JSON, or be no JSON at all, so its text is searched instead of being parsed. Two
things are secret wherever they stand: the value of a property with a telling name, and what follows the path of a URL,
whether the URL is whole, relative, percent-encoded, or has escaped slashes (``https:\/\/``).
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

__all__ = ["is_secret_name", "redacted", "without_secrets"]

MASK: Final = "***"
_RUN: Final = re.compile("[a-z0-9]+")
_URL_SAFE: Final = str.maketrans("+/", "-_")


def redacted(text: str) -> str:
    """Free text without the values of properties with telling names, and without the queries of URLs."""
    text = _without_queries(_without_values(_without_spoken(text)))
    return _QUERY_WITHOUT_NAME.sub(_end_of_query_after_path, text)


# -- known secrets ---------------------------------------------------------------------------------

SHORTEST_SPELLED: Final = 6  # characters of a secret that is looked for in other spellings than its own


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """
    A text with known secrets masked, also if it breaks them, changes their case, or encodes them.

    :param secrets: as they are, or encoded once.
    """
    known = sorted(set(filter(None, secrets)), key=len, reverse=True)  # one may be part of another
    for secret in known:
        text = text.replace(secret, MASK)
    squeezed = "".join(text.lower().split())
    for secret in known:
        for form, run in _forms(secret) if len(secret) >= SHORTEST_SPELLED else ():
            if run in squeezed:
                text = _in_any_spelling(form, form != secret).sub(MASK, text)
    return text


@lru_cache(maxsize=1024)
def _forms(secret: str) -> list[tuple[str, str]]:
    """A secret as it is, in hexadecimal digits and in base64; each with a part that every spelling of it has."""
    content = secret.encode("utf-8", "surrogatepass")
    forms = [secret, content.hex()]
    for before in range(3):  # bytes that are encoded together with the secret, and share a character with it
        encoded = base64.b64encode(bytes(before) + content).decode()
        core = encoded[(0, 2, 3)[before] : (before + len(content)) * 8 // 6]
        forms += [core, core.translate(_URL_SAFE)]
    return [(form, max(_RUN.findall(form.lower()), key=len, default="")) for form in dict.fromkeys(forms)]


@lru_cache(maxsize=256)
def _in_any_spelling(secret: str, encoded: bool) -> re.Pattern[str]:
    gap = "" if any(map(str.isspace, secret)) else r"\s{0,9}"
    spelled = gap.join(map(_spellings, secret))
    return re.compile(rf"[\w+/-]{{0,2}}{spelled}[\w+/-]{{0,2}}={{0,2}}" if encoded else spelled, re.IGNORECASE)


def _spellings(character: str) -> str:
    """A character as it is, percent-encoded, escaped as in JSON, or as HTML has it."""
    if character.isascii() and character.isalnum():
        return character
    code = ord(character)
    in_url = "".join(f"%(?:25){{0,3}}{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
    ways = [rf"\\{{0,8}}{re.escape(character)}", in_url, rf"\\{{1,8}}u{code:04x}"]
    ways += [rf"&(?:amp;)?#(?:0*{code}|x0*{code:x});", re.escape(html.escape(character))]
    return f"(?:{'|'.join(ways)}{'|[+]' if character == ' ' else ''})"


# -- properties ------------------------------------------------------------------------------------

_WORD_ENDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_SECRET: Final = re.compile(
    r"password|passwort|passwd|passphrase|kennwort|contrase[nñ]a|wachtwoord|senha|passcode|pwd|secret|token|credential|authorization|signature|bearer|cookie|jwt"
    r"|(api|access|auth|private|signing|encryption|account|shared|license)keys?"
)
_SECRET_WORDS: Final = frozenset(("auth", "pass", "passe", "sig", "pin", "otp"))
# What stands under a name that ends so only describes a secret.
_HARMLESS_ENDS: Final = frozenset(
    """
    count counts limit length size type kind status state name username user algorithm version policy expiry expires
    expiration expired at in on by date time ttl required valid error message hint
    """.split()
)

_SCHEME: Final = r"(?:Basic|Bearer|Digest|Negotiate|Token|ApiKey|AWS4-HMAC-SHA256)[ +]+"
# Each run of backslashes and of a name's characters is entered at its beginning only, and what is bounded stays so:
# the search takes linear time.
_PROPERTY: Final = re.compile(
    r"""
    (?<!\\)(?P<quote>\\*["'])(?P<quoted>[^"'\\<>{}\[\]:,=]{1,80})(?P=quote)\s{0,9}(?::|=>?)\s{0,9}
    |(?<![\w.-])(?P<plain>[\w.-]{1,80})(?P<sign>[ ]?=[ ]?|:[ ]?)
    |<(?:[\w.-]{1,50}:)?(?P<tag>[\w.-]{1,80})(?:\s[^<>]{0,300})?>(?:<!\[CDATA\[)?
    """,
    re.VERBOSE,
)
_OPENING: Final = re.compile(r"""(?<!\\)\\*["']""")
_BRACKET_OR_QUOTE: Final = re.compile(r"""[\[\]{}]|(?<!\\)\\*["']""")
_NO_SECRET: Final = re.compile(r"(?:null|none|true|false|-?\d[\d.eE+-]*)(?![^\s,;}\])<&\"'\\])", re.IGNORECASE)
_WORD: Final = re.compile(rf"(?:{_SCHEME})?[^\s,;&<>\"'\\}}\])]+", re.IGNORECASE)
_LIKELY: Final = re.compile(rf"{_SCHEME}\S|(?=[^\s\d]{{0,200}}\d)[^\s,;]{{6}}", re.IGNORECASE)
_TO_TAG: Final = re.compile(r"[^<]*")


def is_secret_name(name: str) -> bool:
    """
    Whether the value of a property is secret, as far as its name shows.

    :param name: in any case; with hyphens, underscores, spaces or capitals between its words, or nothing.
    """
    words = _WORD_ENDS.sub(" ", name).lower().split()
    if not words or words[-1] in _HARMLESS_ENDS:
        return False
    return words[-1] in _SECRET_WORDS or _SECRET.search("".join(words)) is not None


def _without_values(text: str) -> str:
    """A text with the values of its secret properties masked; a number or a boolean is no secret."""
    parts, at, kept = [], 0, 0
    while found := _PROPERTY.search(text, at):
        at = found.end()
        if not is_secret_name(found["quoted"] or found["plain"] or found["tag"]):
            at = found.start("tag") if found["tag"] else at  # an attribute of the element may be secret
            continue
        start, end = _value_at(text, found)
        if start < end:
            parts += [text[kept:start], MASK]
            kept = end
        at = max(at, end)
    return "".join([*parts, text[kept:]])


def _value_at(text: str, found: re.Match[str]) -> tuple[int, int]:
    """Where the secret value behind a property's name begins and ends; the same place twice if there is none."""
    start = found.end()
    if found["tag"]:
        return start, _TO_TAG.match(text, start).end()  # type: ignore[union-attr]  # matches anything
    if opening := _OPENING.match(text, start):
        return opening.end(), _end_of_text(text, opening)[0]
    if text[start : start + 1] in ("[", "{"):
        return start, _end_of_brackets(text, start)
    if _NO_SECRET.match(text, start) and not ("=" in (found["sign"] or "") and _LIKELY.match(text, start)):
        return start, start
    if (found["sign"] or "").startswith(":") and not _LIKELY.match(text, start):
        return start, start  # such as "token: expired", which is a sentence
    word = _WORD.match(text, start)
    return start, word.end() if word else start


def _end_of_text(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """
    Where a quoted text ends, without and with what closes it; at the end of all if that is cut off.

    In JSON within JSON, each level doubles the backslashes before a quote and adds one.
    """
    marks = len(opening[0]) - 1
    for closing in _OPENING.finditer(text, opening.end()):
        if closing[0][-1] == opening[0][-1] and (len(closing[0]) - 1) % (2 * marks + 2) == marks:
            return closing.end() - marks - 1, closing.end()
    return len(text), len(text)


def _end_of_brackets(text: str, start: int) -> int:
    """Where a list or an object ends; at the end of all if that is cut off."""
    depth, at = 0, start
    while found := _BRACKET_OR_QUOTE.search(text, at):
        at = found.end()
        if found[0] in ("[", "{"):
            depth += 1
        elif found[0] in ("]", "}"):
            depth -= 1
            if not depth:
                return at
        else:
            at = _end_of_text(text, found)[1]
    return len(text)


# -- secrets in sentences ----------------------------------------------------------------------------

# What follows has a digit and six characters at least: "token expired" holds no secret.
_SPOKEN: Final = re.compile(
    r"""
    (?:\b|_)(?:bearer|token|signature|password|passwort|passwd|pwd|secret|api[ _-]?key)[ ](?:(?:is|was)[ ])?['"]?
    (?P<value>(?=[^\s\d,;'"]{0,80}\d)(?=[^\s,;'"]{6})[^\s,;'"?]{0,2000}(?:\?\S{0,2000})?)
    |(?<![\w/:@.])[\w.+-]{1,64}:(?P<password>[^\s:@/,;'"]{1,100})@(?=[\w-]{1,63}\.\w)
    |\b(?P<access_key>(?:AKIA|ASIA)[A-Z0-9]{16})\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def _without_spoken(text: str) -> str:
    """A text without secrets that follow a word such as "token", and without logins before a host's name."""

    def masked(found: re.Match[str]) -> str:
        start, end = found.span(found.lastgroup or 0)
        return found.string[found.start() : start] + MASK + found.string[end : found.end()]

    return _SPOKEN.sub(masked, text)


# -- URLs ------------------------------------------------------------------------------------------


def _spelled(character: str) -> str:
    """A character as it is, percent-encoded once or more, or escaped as in JSON."""
    code = f"{ord(character):02x}"
    return rf"(?:{re.escape(character)}|%(?:25){{0,3}}{code}|\\{{1,8}}u00{code})"


_COLON, _EQUALS, _AND, _AT = map(_spelled, ":=&@")
_SLASH: Final = rf"(?:\\{{1,8}}/|{_spelled('/')})"
_MARK: Final = rf"(?:{_spelled('?')}|{_spelled('#')})"
_PARAMETER: Final = rf"[\w.~$*\[\]:-]{{1,64}}{_EQUALS}"
_REST: Final = r"[^\s\"'<>]*"
_END: Final = ".,;:!)]}\\"  # of a sentence, or of what surrounds a URL

# A bounded scheme keeps the search linear in texts of any length.
_URL_OR_QUERY: Final = re.compile(
    rf"(?P<base>[a-z][a-z0-9+.-]{{0,30}}{_COLON}{_SLASH}{{2}})(?P<url>[^\s\"'<>]+)"
    rf"|(?P<query>{_MARK}(?={_PARAMETER}){_REST})"
    r"|(?<=//)[^\s/\\\"'<>@]{1,300}@",
    re.IGNORECASE,
)
_USER: Final = re.compile(rf"(?:(?!{_SLASH}).)*{_AT}", re.IGNORECASE)
_QUERY: Final = re.compile(rf"[?#]|{_MARK}(?={_PARAMETER})", re.IGNORECASE)
_MORE_OF_QUERY: Final = re.compile(rf"(?:&amp;|{_AND})(?={_PARAMETER}){_REST}", re.IGNORECASE)
_ONLY_NUMBERS: Final = re.compile(r"\?[\w-]{1,64}=\d{1,6}(?:&[\w-]{1,64}=\d{1,6})*")  # such as ?limit=1000
_QUERY_WITHOUT_NAME: Final = re.compile(r"\?[^\s\"'<>?#]{8,}")
_PIECE: Final = re.compile(r"[\s\"'<>]")
LONGEST_PATH: Final = 256  # characters before a question mark


def _without_queries(text: str) -> str:
    """A text in which each URL is reduced to scheme, host and path, and a relative one to its path."""
    short = _URL_OR_QUERY.sub(_shortened, text)
    # Behind white space or a quote, a query may go on.
    return short if short == text else _MORE_OF_QUERY.sub(lambda found: _end(found[0]), short)


def _shortened(found: re.Match[str]) -> str:
    if found["query"] is not None:
        query = found["query"]
        return query if _ONLY_NUMBERS.fullmatch(query.rstrip(_END)) else _end(query)
    if found["base"] is None:
        return ""  # user information
    url, end = found["url"], ""
    if query := _QUERY.search(url):
        url, end = url[: query.start()], _end(url[query.start() :])
    user = _USER.match(url)
    return found["base"] + url[user.end() if user else 0 :] + end


def _end(query: str) -> str:
    """What follows a query without white space, but is not part of it."""
    return query[len(query.rstrip(_END)) :]


def _end_of_query_after_path(found: re.Match[str]) -> str:
    """The end of a query without names, which may be just a key; otherwise, a question mark ends a sentence."""
    before = _PIECE.split(found.string[max(0, found.start() - LONGEST_PATH) : found.start()])[-1]
    is_key = "/" in before and (len(found[0]) > 16 or any(map(str.isdigit, found[0])))
    return _end(found[0]) if is_key and not _ONLY_NUMBERS.fullmatch(found[0].rstrip(_END)) else found[0]
