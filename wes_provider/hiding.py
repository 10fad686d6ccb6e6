"""
Take secrets out of what somebody else has written: a response may repeat a key, escaped as JSON,
URLs, HTML or Python's ``repr`` escape characters. Pure.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Mapping
from itertools import takewhile
from typing import Any, Final

HIDDEN: Final = "***"
# What tells files apart, and says what they are.
NEVER_HIDDEN: Final = frozenset(
    "_id id status name file_url coupons_list_id coupon_list_id type".split()
)
SHORTEST_PART: Final = 8  # characters of a part of a secret; shorter ones may be any word
SHORTEST: Final = 4  # characters of a secret in a record; shorter ones are parts of many words
# Characters that JSON and Python write as a backslash and a letter.
_NAMED: Final = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
WORDS: Final = re.compile("[A-Za-z0-9]+")


def take_out(text: str, secrets: Collection[str]) -> str:
    """Return a text with stars in the place of each secret, in whichever form it has it."""
    for secret in _longest_first(secrets):
        if _longest_word(secret) in text:
            text = re.sub(pattern_of(secret), HIDDEN, text)
    return text


def take_out_of_bytes(body: bytes, secrets: Collection[str]) -> bytes:
    """Return a body of UTF-8 as :func:`take_out` returns a text."""
    for secret in _longest_first(secrets):
        if _longest_word(secret).encode() in body:
            body = re.sub(pattern_of(secret).encode(), HIDDEN.encode(), body)
    return body


def take_out_altered(text: str, secrets: Collection[str]) -> str:
    """
    Return a text without keys in any case, and without the first and the last half of one, with
    what stands beside it of the rest: an error may repeat a key in small letters, or in part. A
    half that may be words, such as ``campaign-key``, stays. The bytes of a key as hexadecimal
    digits are taken out in the same way.
    """
    # A shorter one may end as a longer one does.
    for secret in _longest_first({*secrets, *map(_in_hexadecimal, secrets)}):
        if len(secret) >= SHORTEST_PART and _may_have_half(text, secret):
            text = re.sub(re.escape(secret), HIDDEN, text, flags=re.IGNORECASE)
            text = _without_halves(text, secret)
    return text


def _in_hexadecimal(secret: str) -> str:
    """Return the bytes of a secret as hexadecimal digits; empty if a short one may be a number."""
    if len(secret) < SHORTEST_PART:
        return ""
    return secret.encode("utf-8", "surrogatepass").hex()


def _may_have_half(text: str, secret: str) -> bool:
    """Tell whether a text has a half of a secret, in any case; this is quick for most texts."""
    lowered = text.lower()
    half = _length_of_half(secret)
    return secret[:half].lower() in lowered or secret[-half:].lower() in lowered


def _length_of_half(secret: str) -> int:
    return max(SHORTEST_PART, (len(secret) + 1) // 2)


def _without_halves(text: str, secret: str) -> str:
    """Return a text without the halves of a secret that cannot be words."""
    half = _length_of_half(secret)
    if _is_random(secret[:half]):
        text = _without_beginning(text, secret, half)
    if _is_random(secret[-half:]):
        text = _without_beginning(text[::-1], secret[::-1], half)[::-1]
    return text


def _is_random(part: str) -> bool:
    """Tell whether a part of a secret is no word that other texts may have, too."""
    has_digit = any(character.isdigit() for character in part)
    return has_digit or part not in (part.lower(), part.upper())


def _without_beginning(text: str, secret: str, fewest: int) -> str:
    """Return a text without the first characters of a secret, if at least so many are there."""
    kept = []
    at = 0
    for found in re.finditer(re.escape(secret[:fewest]), text, re.IGNORECASE):
        kept += [text[at : found.start()], HIDDEN]
        at = found.end() + _number_alike(text[found.end() :], secret[fewest:])
    return "".join([*kept, text[at:]])


def _number_alike(text: str, other: str) -> int:
    """Count the characters at the beginning of two texts that are alike, ignoring case."""
    pairs = zip(text.lower(), other.lower(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def find_secret(text: str, secret: str) -> int | None:
    """Return where a text has a secret first, in whichever form; ``None`` if it has it nowhere."""
    if not secret or _longest_word(secret) not in text:
        return None
    found = re.search(pattern_of(secret), text)
    if found is None:
        return None
    return found.start()


def hide_in(value: Any, secrets: Collection[str]) -> Any:
    """
    Return what describes files with its strings without secrets, but for those by which files are
    told apart: a password may be a part of a name.
    """
    return _hide_in(value, [secret for secret in secrets if len(secret) >= SHORTEST])


def may_show(shown: str, own: str) -> bool:
    """
    Return whether a text of a response may be one that was sent, ignoring case: where a secret was
    taken out of it, anything may have stood. A key may be a word of a list's name.
    """
    shown, own = shown.strip().lower(), own.strip().lower()
    if HIDDEN not in shown:
        return shown == own
    pattern = ".*".join(map(re.escape, shown.split(HIDDEN)))
    return re.fullmatch(pattern, own, re.DOTALL) is not None


def _hide_in(value: Any, secrets: Collection[str]) -> Any:
    if isinstance(value, str):
        return take_out(value, secrets)
    if isinstance(value, Mapping):
        return {
            name: item if name in NEVER_HIDDEN else _hide_in(item, secrets)
            for name, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_hide_in(item, secrets) for item in value]
    return value


def _longest_first(secrets: Collection[str]) -> list[str]:
    """Return secrets that are not empty in an order in which none is a part of a later one."""
    return sorted(filter(None, secrets), key=len, reverse=True)


def _longest_word(secret: str) -> str:
    """
    Return the longest row of letters and digits: no escaping changes it, and looking for it takes
    much less time than for the whole pattern. Empty if there is none.
    """
    return max(WORDS.findall(secret), key=len, default="")


def pattern_of(secret: str) -> str:
    """Return a regular expression for a secret in all forms; letters and digits have one."""
    patterns = []
    for part in re.findall(r"\\+|[^\\]", secret):
        if part.startswith("\\"):
            patterns.append(_pattern_of_backslashes(len(part)))
        else:
            patterns.append(_pattern_of_character(part))
    return "".join(patterns)


def _pattern_of_backslashes(number: int) -> str:
    """
    Return a regular expression for backslashes in a row, each of which may be escaped by up to four
    others. With an expression for each of them, a search would take exponential time.
    """
    escaped = r"\\{1,4}u005c|%(25)?5c|&#0{0,4}92;|&#x0{0,4}5c;"
    return rf"(?i:\\{{{number},{5 * number}}}|(?:{escaped}){{{number}}})"


def _pattern_of_character(character: str) -> str:
    if WORDS.fullmatch(character):
        return character
    # A string of JSON may have half of a pair of surrogates.
    units = character.encode("utf-16-be", "surrogatepass")
    utf_8 = character.encode("utf-8", "surrogatepass")
    in_json = "".join(rf"\\{{1,4}}u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    in_url = "".join(f"%(25)?{byte:02x}" for byte in utf_8)
    forms = [
        # A string of JSON may hold JSON, whose backslashes are escaped once more.
        rf"\\{{0,4}}{re.escape(character)}",
        in_json,
        in_url,
        re.escape(html.escape(character)),
        f"&#0{{0,4}}{ord(character)};",
        f"&#x0{{0,4}}{ord(character):x};",
    ]
    if character == " ":
        forms.append(r"\+")
    if not (character.isascii() and character.isprintable()):
        # As Python writes strings and bytes.
        forms += [
            rf"\\{{1,4}}x{ord(character):02x}",
            "".join(rf"\\{{1,4}}x{byte:02x}" for byte in utf_8),
            rf"\\{{1,4}}U{ord(character):08x}",
        ]
    if character in _NAMED:
        forms.append(rf"\\{{1,4}}{_NAMED[character]}")
    return f"(?i:{'|'.join(forms)})"
