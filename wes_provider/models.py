"""
What crosses the wire: checked requests, parsed coupon files, filter builders.

The ``*_body`` functions check an operation's arguments and return the JSON object to send, with exactly
the fields that were given. All of them raise :class:`~wes_provider.exceptions.WesConfigurationError`,
which names the field, the value and the way out, before anything is sent.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError

__all__ = ["CatalogAttribute", "CouponFile", "all_of", "user_attribute"]

MAX_IDENTIFIER = 1024  # characters; identifiers are parts of paths, whose length servers limit
SHOWN = 100  # characters of a value that an error message shows
MAX_OBJECT_TEXT = 10_000  # characters of a text that is parsed to see whether it is an object's
SHORTEST_SECRET = 8  # characters; shorter values of a query are part of too many words
HEADLINE = 90  # characters of a message's first line; Airflow's log shows 95
ERROR_HEADLINE = 70  # of an exception's: Airflow's log puts its class and an indentation before it
MAX_COUNTS = 50  # of a coupon file's record that are kept
DEEPEST_PROPERTY = 2  # properties around a count or a text of a coupon file's record
TITLE = 28  # characters of a file's name behind its folder
REASONS = 5  # texts of a coupon file's record that are kept
REASON_LENGTH = 300  # characters of each
DEEPEST_SENTENCE = 4  # lists and objects in one of them

_FILE_FIELDS = {"_id", "name", "status", "file_url", "callback_url", *contract.LIST_ID_FIELDS}


class LazyPattern:
    """A regular expression that is compiled when it is first used: a DAG file that is parsed needs few of them."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(self._pattern), name)
        setattr(self, name, method)
        return method


_EXPLAINS = LazyPattern(r"(?i)error|message|reason|detail|description|cause|warning|problem")
_BLAMES = LazyPattern(r"(?i)error|reason|cause|problem")
_TAG = LazyPattern(r"<[^<>]{0,500}>")
_NOT_SHOWN = LazyPattern(
    r"(?i:(?:^|[_-])(?:id|name|url|uri|link|href|by|at|on|date|time|type|format)$"
    r"|key|user|auth|secret|token|password|signature|header|hash|checksum|etag|version)"
    r"|[a-z](?:Id|Name|Url|By|At|Date|Time|Type)$"
)
_EXPLAINS_NOTHING = LazyPattern(
    r"\s*((?i:none|null)?|\d{4}-\d\d-\d\d[T ]?[\d:.,+Z-]*|[A-Za-z][A-Za-z0-9+.-]{0,30}://\S*)\s*"
)

_CONTROL = LazyPattern(r"[\x00-\x1f\x7f]")
WEB_SCHEMES = ("http", "https", "ftp", "ftps", "sftp")  # a service fetches these by itself
_URL = LazyPattern(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/]")
_URL_LIST = LazyPattern(r"[,;|]\s*[A-Za-z][A-Za-z0-9+.-]{0,30}://")


# -- values in messages ----------------------------------------------------------------------------


LOCAL_PATHS = ("/", "./", "../", "~")
HOSTING = (  # what to do with a local file
    "Put it into object storage (s3://, gs://, abfs://), or on a web server and pass its https URL; "
    "on a laptop, wes-emulator hosts a folder with --host-folder"
)


def shown(value: Any) -> str:
    """A value as an error message shows it: bounded, and URLs without what may be secret."""
    text = value if isinstance(value, str) else repr(value)
    cut = redact(text[: 20 * SHOWN])[:SHOWN]
    end = f"… ({len(text)} characters)" if len(text) > SHOWN else ""
    return f"{cut!r}{end}" if isinstance(value, str) else cut + end


def printable(text: str) -> str:
    """A text whose control characters, line breaks among them, are replaced."""
    return text if text.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in text)


def redact_url(url: str) -> str:
    """A URL without user information, query and fragment: those of a signed URL are its secret."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return re.split(r"[?#]", url)[0].rpartition("@")[2]
    short = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return short if parts.netloc else redact(short)  # it may be encoded as a whole


def canonical_url(url: str) -> str:
    """A URL in the form that it shares with its equivalents (RFC 3986, section 6.2.2), with its query."""
    try:
        parts = urlsplit(url)
        default = {"http": 80, "https": 443}.get(parts.scheme.lower())
        port = "" if parts.port in (None, default) else f":{parts.port}"
        path = "/".join(quote(unquote(segment), safe="") for segment in (parts.path or "/").split("/"))
        host = f"{(parts.hostname or '').lower()}{port}"
        return urlunsplit((parts.scheme.lower(), host, path, parts.query, ""))
    except ValueError:
        return url


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """
    Free text without what may be secret by its place, see :mod:`wes_provider.redaction`.

    :param secrets: known values, taken out wherever they stand.
    """
    from wes_provider.redaction import redacted, without_secrets  # here: parsing a DAG shows no text of the service's

    return redacted(without_secrets(text, secrets))


def without(text: str, secrets: Iterable[str]) -> str:
    """A text with every one of ``secrets`` taken out, however the text spells it."""
    from wes_provider.redaction import without_secrets

    return without_secrets(text, secrets)


def spellings(secret: str) -> tuple[str, ...]:
    """A secret as it is written in a text, in JSON and in a URL."""
    in_json = (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    return tuple(dict.fromkeys((secret, *in_json, quote(secret, safe=""))))


def secrets_of_url(url: str) -> tuple[str, ...]:
    """The parts of a valid URL that may be secret: its password, its query, and what is long enough in the query."""
    parts = urlsplit(url)
    values = [pair.partition("=")[2] for pair in parts.query.split("&")]
    long_ones = [value for value in values if len(value) >= SHORTEST_SECRET]
    return (*filter(None, (parts.password, parts.query)), *long_ones, *map(unquote, long_ones))


def basic_credentials(username: str, password: str) -> str:
    """The base64 part of a Basic ``Authorization`` header (contract section 5)."""
    return base64.b64encode(f"{username}:{password}".encode()).decode()


def secrets_of_upload(body: Mapping[str, Any]) -> tuple[str, ...]:
    """What of an upload's body no message may show: the password for fetching the file, and what signs a URL."""
    urls = [body[field] for field in ("file_url", "callback_url") if isinstance(body.get(field), str)]
    secrets = [secret for url in urls for secret in secrets_of_url(url)]
    if password := body.get("file_url_auth_password"):
        secrets += [password, basic_credentials(body["file_url_auth_username"], password)]
    return tuple(spelling for secret in secrets for spelling in spellings(secret))


# -- coupon files ----------------------------------------------------------------------------------


def identifier(field: str, value: Any) -> str:
    """
    Check an identifier that becomes one segment of a path.

    :raises WesConfigurationError: if it is no text, is empty, has control characters, or is a dot segment,
        which HTTP clients would resolve to another path.
    """
    text = _text(field, value)
    if text in (".", ".."):
        raise WesConfigurationError(f"{field} is {text!r}, which a path cannot carry as an identifier")
    if len(text) > MAX_IDENTIFIER:
        raise WesConfigurationError(
            f"{field} has {len(text)} characters, more than the {MAX_IDENTIFIER} a path can carry\n{shown(text)}"
        )
    return text


def absolute_url(field: str, value: Any) -> str:
    """
    Check that a value is exactly one absolute URL (contract section 4.1, ``file_url``).

    :raises WesConfigurationError: on anything else. The message shows the URL without its query.
    """
    if isinstance(value, (list, tuple, set)):
        raise WesConfigurationError(
            f"{field} takes exactly one URL, not {len(value)} in a {type(value).__name__}\nUpload each file by itself, "
            "or give the list to WesReplenishCouponListOperator"
        )
    text = _text(field, value)
    if re.search(r"\s", text) or _URL_LIST.search(text):
        raise WesConfigurationError(
            f"{field} takes exactly one URL, and this holds white space or a second one\n"
            f"Upload each file by itself; percent-encode white space and commas that belong to the URL.\n{shown(text)}"
        )
    if not _URL.match(text):
        if field == "file_url" and text.startswith(LOCAL_PATHS):
            raise WesConfigurationError(
                f"{field} is a local file, which the service cannot fetch\n{HOSTING}.\n{shown(text)}"
            )
        raise WesConfigurationError(
            f"{field} takes an absolute URL, not this\n{shown(text.partition('?')[0])}\nOne is https://files.example.com/coupons.csv."
        )
    try:
        parts = urlsplit(text)
        valid = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise WesConfigurationError(f"{field} is not a valid URL: {shown(text)}")
    return text


def coupon_file_body(
    file_url: Any,
    *,
    name: Any = None,
    file_url_auth_username: Any = None,
    file_url_auth_password: Any = None,
    created_by: Any = None,
    callback_url: Any = None,
) -> dict[str, Any]:
    """
    The body of an upload (contract section 4.1).

    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body: dict[str, Any] = {"file_url": absolute_url("file_url", file_url)}
    if name is not None:
        body["name"] = _text("name", name)
    if file_url_auth_password is not None and file_url_auth_username is None:
        raise WesConfigurationError("file_url_auth_password is given without file_url_auth_username\nGive both.")
    if file_url_auth_username is not None:
        body["file_url_auth_username"] = _text("file_url_auth_username", file_url_auth_username)
    if file_url_auth_password is not None:
        body["file_url_auth_password"] = _text("file_url_auth_password", file_url_auth_password, secret=True)
    if created_by is not None:
        body["created_by"] = _text("created_by", created_by)
    if callback_url is not None:
        body["callback_url"] = absolute_url("callback_url", callback_url)
    return body


@dataclass(frozen=True)
class CouponFile:
    """
    What the service reports about a coupon file.

    :ivar id: the file's identifier, ``_id`` on the wire.
    :ivar coupon_list_id: ``coupons_list_id`` or ``coupon_list_id`` on the wire; empty if it has neither.
    :ivar name: the file's name; empty if it has none.
    :ivar status: as the service spells it; empty if there is none.
    :ivar counts: the record's whole numbers by name, whichever they are: the contract shows none. The name of a
        number below a property is dotted, such as ``stats.imported``.
    :ivar file_url: the URL of the file, without user information, query and fragment; empty if it is not known.
    :ivar texts: further texts of the record by name, such as ``error``: they explain why a file failed. Bounded, and
        without secrets.

    Contract: section 2, "Coupon file".
    """

    id: str
    coupon_list_id: str = ""
    name: str = ""
    status: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    file_url: str = ""
    texts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_record(
        cls, record: Mapping[str, Any], *, coupon_list_id: str = "", secrets: Iterable[str] = ()
    ) -> CouponFile:
        """
        Read a record of the service.

        :param coupon_list_id: used if the record names no list.
        :param secrets: taken out of the record's texts.
        :raises ValueError: if the record has no identifier.
        """
        file_id = record.get("_id")
        if not isinstance(file_id, str) or not file_id:
            raise ValueError(f"a coupon file without an _id: it has {', '.join(map(str, list(record)[:20]))}")
        lists = [record[field] for field in contract.LIST_ID_FIELDS if isinstance(record.get(field), str)]
        name, status = record.get("name"), record.get("status")
        file_url = url if isinstance(url := record.get("file_url"), str) else ""
        return cls(
            id=file_id,
            coupon_list_id=lists[0] if lists else coupon_list_id,
            name=name if isinstance(name, str) else "",
            status=status if isinstance(status, str) else "",
            counts=tuple(islice(_counts(record), MAX_COUNTS)),
            file_url=redact_url(file_url),
            texts=_explanations(record, file_url, secrets),
        )

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any]) -> CouponFile:
        """Read back what :meth:`summary` wrote, in this version or an earlier one."""
        own = {field: str(summary.get(field, "")) for field in ("id", "coupon_list_id", "name", "status", "file_url")}
        others = [(key, value) for key, value in summary.items() if key not in own]
        return cls(
            **own,
            counts=tuple((key, value) for key, value in others if type(value) is int),
            texts=tuple((key, value) for key, value in others if isinstance(value, str)),
        )

    def summary(self) -> dict[str, Any]:
        """The file as it goes into XCom: ``id``, ``coupon_list_id``, ``name``, ``status``, URL, counts and texts."""
        return {
            **dict(self.counts),
            **dict(self.texts),
            "id": self.id,
            "coupon_list_id": self.coupon_list_id,
            "name": self.name,
            "status": self.status,
            "file_url": self.file_url,
        }

    @property
    def title(self) -> str:
        """What people know the file by: :func:`file_title` of its URL, or its identifier."""
        return file_title(self.file_url) or self.id

    @property
    def reason(self) -> str:
        """Why the file failed, as far as the record has texts; empty if it has none."""
        texts = [text for key, text in self.texts if _EXPLAINS.search(key)]
        texts = texts or [text for _, text in self.texts if " " in text]  # no code, no language
        return "; ".join(dict.fromkeys(texts))


def _counts(record: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, int]]:
    """The whole numbers of a record, then those of the objects in it, except of errors."""
    for key, value in record.items():
        if isinstance(key, str) and (type(value) is int or (type(value) is float and value.is_integer())):
            yield f"{where}{key}", int(value)
    for key, value in record.items() if where.count(".") < DEEPEST_PROPERTY else ():
        if isinstance(value, dict) and isinstance(key, str) and not _EXPLAINS.search(key):
            yield from _counts(value, f"{where}{key}.")


def _explanations(record: Mapping[str, Any], file_url: str, secrets: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The texts of a record that are neither identifiers, names, times nor URLs; first those that explain most."""
    found = sorted(_texts(record), key=lambda entry: 0 if _BLAMES.search(entry[0]) else 1)
    if not found:  # as in most polls
        return ()
    secrets = (*secrets, *_secrets_of_any(file_url))
    return tuple((key, _readable(text, secrets)) for key, text in found[:REASONS])


def _texts(record: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, str]]:
    """Texts by property; of an object in the record those that explain something, by dotted names."""
    for key, value in record.items():
        if not isinstance(key, str) or not value or (key in _FILE_FIELDS and not where):
            continue
        explains = _EXPLAINS.search(key)
        if isinstance(value, (dict, list)) and explains:
            yield f"{where}{key}", _sentence(value)
        elif isinstance(value, dict) and where.count(".") < DEEPEST_PROPERTY:
            yield from _texts(value, f"{where}{key}.")
        elif isinstance(value, str) and (explains or not where) and not _NOT_SHOWN.search(key):
            yield from [] if _EXPLAINS_NOTHING.fullmatch(value) else [(f"{where}{key}", value)]


def _sentence(value: Any, depth: int = 0) -> str:
    """What a service says as JSON, as people read it: ``login failed, code 12``."""
    from wes_provider.redaction import MASK, is_secret_name

    if isinstance(value, list) and depth < DEEPEST_SENTENCE:
        return "; ".join(_sentence(item, depth + 1) for item in value[:REASONS])
    if not isinstance(value, dict) or depth == DEEPEST_SENTENCE:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    parts = []
    for key, item in value.items():
        text = MASK if is_secret_name(str(key)) else _sentence(item, depth + 1)
        plain = isinstance(item, str) and text != MASK and (" " in item or _EXPLAINS.search(key) or key == "text")
        parts.append(text if plain else f"{key} {text}")
    return ", ".join(parts)


def _readable(text: str, secrets: Iterable[str]) -> str:
    """A text of the service in one line, bounded, without markup and secrets."""
    # Cut before it is redacted, so that a huge text costs no time, and after, so that no secret is cut in two.
    text = redact(" ".join(text[: 10 * REASON_LENGTH].split()), secrets)
    if text.startswith("<"):
        text = " ".join(_TAG.sub(" ", text).split()) or text
    text = printable(text)
    return text if len(text) <= REASON_LENGTH else text[: REASON_LENGTH - 1] + "…"


def _secrets_of_any(url: str) -> tuple[str, ...]:
    try:
        return secrets_of_url(url)
    except ValueError:
        return ()


def file_title(url: str) -> str:
    """
    What people know a file by: the last part of its path, behind its folder if both are short; or its host.

    :param url: without its query; empty for none.
    """
    host, *path = _path(url)
    title = "/".join(path[-2:])
    return (title if len(title) <= TITLE else path[-1]) if path else host


def file_titles(urls: Sequence[str]) -> list[str]:
    """
    As many of the last parts of each path as tell a task's files apart.

    :param urls: without their queries.
    """
    paths = [_path(url) for url in urls]
    ends = Counter(end for path in paths for end in _ends(path))
    return ["/".join(next((end for end in _ends(path) if ends[end] == 1), path)) for path in paths]


def _ends(path: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The last part of a path, the last two, and so on."""
    return (tuple(path[-number:]) for number in range(1, len(path) + 1))


def _path(url: str) -> list[str]:
    """The host of a URL and the parts of its path, as they may be shown."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return [shown(url)]
    whole = [parts.netloc, *(unquote(part) for part in parts.path.split("/") if part)]
    whole = [redact(part) if "?" in part else part for part in whole]  # a signed URL may be a part of a path
    return [printable(part) for part in whole]


def with_reason(what: str, reason: str, longest: int = HEADLINE) -> str:
    """What happened and why, in one line if it fits into ``longest`` characters; else the reason follows it."""
    fits = len(what) + 2 + len(reason.partition("\n")[0]) <= longest
    return what + (": " if fits else "\n") + reason


def headline(cause: str, coupon_list_id: str, file_id: str = "", title: str = "", longest: int = HEADLINE) -> str:
    """
    The first line of a message about a coupon file: Airflow's log shows 95 characters of a line.

    Without room for everything, the file's identifier is left out; then a long list's name is cut, then the cause.

    :param cause: what happened, such as ``"FAILED: the host returned 404"``.
    :param file_id: the identifier of the file; empty if it is not known, or the message is about several.
    :param title: the file's :attr:`CouponFile.title`; left out if it is not known.
    :param longest: :data:`HEADLINE`, or :data:`ERROR_HEADLINE` for an exception.
    """
    names = [name for name in dict.fromkeys((title, file_id)) if name]
    whole = f"{cause.removesuffix('.')} ({', '.join(names)} of list {coupon_list_id})"
    if names and len(whole) <= longest:
        return whole
    file = f"{shorten(names[0], longest * 2 // 5)} of " if names else ""
    room = longest - len(file) - len(" (list )")
    cause = shorten(cause.removesuffix("."), room - min(len(coupon_list_id), longest // 5), end=True)
    return f"{cause} ({file}list {shorten(coupon_list_id, room - len(cause))})"


def shorten(text: str, length: int, *, end: bool = False) -> str:
    """A text without what exceeds ``length`` characters in its middle, or at its end."""
    if len(text) <= length:
        return text
    if end:
        return text[: length - 1] + "…"
    return text[: length // 2] + "…" + text[len(text) - (length - length // 2 - 1) :]


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 poll``, ``2 polls``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# -- catalogs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatalogAttribute:
    """
    One attribute of a catalog's items.

    :param name: unique within the catalog; ``id``, ``title``, ``link`` and ``image_link`` have a meaning.
    :param type: ``string``, ``double`` or ``bool``; others pass with a warning, the contract may not list them all.

    Contract: section 2, "Attribute definition".
    """

    name: str
    type: str = "string"


def catalog_body(name: Any, price_currency: Any, attributes: Any) -> dict[str, Any]:
    """
    The body of a catalog's creation (contract section 4.2).

    :param attributes: :class:`CatalogAttribute` objects or mappings with ``name`` and ``type``.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body = {
        "name": _text("name", name),
        "price_currency": currency(price_currency),
        "attributes": catalog_attributes(attributes),
    }
    size = len(json_bytes(body))
    if size > contract.CATALOG_BYTES:
        raise WesConfigurationError(
            f"attributes make a request of {size} bytes, more than the {contract.CATALOG_BYTES} that the service takes"
        )
    return body


def currency(value: Any) -> str:
    """Check a currency against the contract's list (section 4.2)."""
    text = _text("price_currency", value)
    if text not in contract.CURRENCIES:
        hint = "Write it in capitals." if text.upper() in contract.CURRENCIES else "See contract section 4.2."
        raise WesConfigurationError(f"price_currency {shown(text)} is not a currency that the service takes\n{hint}")
    return text


def catalog_attributes(value: Any) -> list[dict[str, Any]]:
    """Check attribute definitions and return them as the service takes them (contract section 2)."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise WesConfigurationError(
            f"attributes takes a list of {{name, type}} objects, not {type(value).__name__} {shown(value)}"
        )
    attributes: list[dict[str, Any]] = []
    polled: set[str] = set()
    for index, item in enumerate(value):
        field = f"attributes[{index}]"
        if isinstance(item, CatalogAttribute):
            item = {"name": item.name, "type": item.type}
        if not isinstance(item, Mapping):
            raise WesConfigurationError(f"{field} takes an object with name and type, not {shown(item)}")
        attribute = dict(item)
        for key in ("name", "type"):
            attribute[key] = _text(f"{field}.{key}", item.get(key))
        if attribute["name"] in polled:
            raise WesConfigurationError(f"{field}.name {shown(attribute['name'])} occurs twice; names are unique")
        polled.add(attribute["name"])
        attributes.append(attribute)
    return attributes


def catalog_warnings(attributes: Sequence[Mapping[str, Any]]) -> list[str]:
    """What passes, but deserves a word: the contract leaves it open (sections 2 and 8)."""
    warnings = []
    if types := sorted({a["type"] for a in attributes} - contract.ATTRIBUTE_TYPES):
        warnings.append(f"unknown attribute types: {', '.join(types)}; known are string, double, bool")
    if fields := sorted({str(key) for a in attributes for key in a} - {"name", "type"}):
        warnings.append(f"unknown attribute fields: {', '.join(fields)}; known are name, type")
    if len(attributes) > contract.ATTRIBUTES_NOTED:
        warnings.append(
            f"{len(attributes)} attributes: the service's documentation has the figure {contract.ATTRIBUTES_NOTED} "
            "beside the attributes, without its meaning"
        )
    warnings += [
        f"attribute {a['name']} has type {a['type']}; the service describes it as a string"
        for a in attributes
        if a["name"] in contract.DESCRIBED_ATTRIBUTES and a["type"] != "string"
    ]
    return warnings


# -- segments --------------------------------------------------------------------------------------


def user_attribute(
    name: str,
    values: Any,
    *,
    data_type: str = "string",
    operator: str = "in",
    negate: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    """
    A filter on an attribute of users.

    :param name: the name of the attribute.
    :param values: the values to compare with: a list, or what renders to one (a template, another task's output).
    :param data_type: the data type of the attribute; the contract shows ``string`` and does not list the others.
    :param operator: how values are compared; the contract shows ``in`` and does not list the others.
    :param negate: select the users for whom the condition does not hold.
    :param case_sensitive: whether capitals and small letters differ when texts are compared.
    :return: a plain filter object, which may be templated and nested.
    :raises WesConfigurationError: if the name is empty, or ``values`` is a single text and the operator is ``in``.

    Contract: section 2, "Filter object".
    """
    if operator == "in" and isinstance(values, str) and not templated(values):
        raise WesConfigurationError(f"values takes a list, not the text {shown(values)}\nWrite [{shown(values)}].")
    if isinstance(values, (set, frozenset, tuple)):
        values = sorted(values) if isinstance(values, (set, frozenset)) else list(values)
    return {
        "filter_type": contract.FILTER_TYPE,
        "name": _text("name", name),
        "data_type": data_type,
        "operator": operator,
        "value": values,
        "negate": negate,
        "case_sensitive": case_sensitive,
    }


def all_of(*filters: Mapping[str, Any]) -> dict[str, Any]:
    """
    ``included_filters`` of users who satisfy every one of ``filters`` (contract section 2).

    :param filters: from :func:`user_attribute`, or plain filter objects.
    """
    return {"filter_operator": contract.FILTER_OPERATOR, "filters": [dict(item) for item in filters]}


def segment_body(
    *,
    name: Any = None,
    included_filters: Any = None,
    updated_by: Any = None,
    allow_empty: bool = False,
    written: Any = None,
) -> dict[str, Any]:
    """
    The body of a segment's update (contract section 4.3).

    :param allow_empty: let an empty filter list or an empty ``value`` pass.
    :param written: see :func:`segment_filters`.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body: dict[str, Any] = {}
    if name is not None:
        body["name"] = _text("name", name)
    if included_filters is not None:
        body["included_filters"] = segment_filters(included_filters, allow_empty=allow_empty, written=written)
    if updated_by is not None:
        body["updated_by"] = _text("updated_by", updated_by)
    if not body:
        raise WesConfigurationError("nothing to update: give at least one of name, included_filters and updated_by")
    json_bytes(body)
    return body


_IF_MEANT = "An empty one may select nobody, or everybody. If that is meant, set allow_empty=True."


class CheckedFilters(dict[str, Any]):
    """What :func:`segment_filters` has checked, and takes as it is when a hook or a guard passes it on."""


def segment_filters(value: Any, *, allow_empty: bool = False, written: Any = None) -> dict[str, Any]:
    """
    Check ``included_filters``, whose kinds, operators and types the contract does not list: those pass as they are.

    A ``value`` may be any JSON; messages show none, since it may be personal data. What is refused would silently
    empty a segment, or fill it: no filters, a filter with an empty value, and what is plainly a template's mistake, at
    any depth.

    :param allow_empty: let what is empty pass, and ``null`` in a list of values.
    :param written: the same before its templates were rendered, as far as it is known: the text ``None`` is
        accepted at places where it was written.
    """
    if isinstance(value, CheckedFilters):
        return value
    if not isinstance(value, Mapping):
        raise WesConfigurationError(
            f"included_filters takes an object with filter_operator and filters, not {type(value).__name__}"
        )
    filters = value.get("filters")
    if not isinstance(filters, (list, tuple)):
        raise WesConfigurationError(
            f"included_filters.filters takes a list of filter objects, not {type(filters).__name__}"
        )
    for index, item in enumerate(filters):
        if not isinstance(item, Mapping):
            raise WesConfigurationError(
                f"included_filters.filters[{index}] takes a filter object, not {type(item).__name__}"
            )
    try:
        _check_filters("included_filters.filters", filters, part_of_argument(written, "filters"), allow_empty)
    except RecursionError:
        raise WesConfigurationError("included_filters is nested too deeply") from None
    return CheckedFilters({**value, "filters": [dict(item) for item in filters]})


def _check_filters(field: str, filters: Sequence[Any], written: Any, allow_empty: bool) -> None:
    """Check the filters of a group, which may be groups themselves."""
    if not filters and not allow_empty:
        raise _filter_error(field, "is empty", _IF_MEANT)
    for index, item in enumerate(filters):
        place, part = f"{field}[{index}]", part_of_argument(written, index)
        if _is_empty(item) and not allow_empty:
            raise _filter_error(place, "is empty", _IF_MEANT)
        if isinstance(item, Mapping):
            if item.get("name", "") is None or (item.get("name") == "None" != part_of_argument(part, "name")):
                raise _filter_error(f"{place}.name", "is None", "The template or the other task has no value.")
            if isinstance(item.get("filters"), (list, tuple)):
                _check_filters(f"{place}.filters", item["filters"], part_of_argument(part, "filters"), allow_empty)
            _check_members(place, item, part, allow_empty)


def _check_members(field: str, item: Mapping[Any, Any], written: Any, allow_empty: bool) -> None:
    """Check the values of a filter, or of an object in it: those of an event's attributes, for example."""
    for key, content in item.items():
        place, part = f"{field}.{key}", part_of_argument(written, key)
        if key == "value":
            _check_value(place, content, part, allow_empty)
        elif key != "filters":
            for index, one in enumerate(content) if isinstance(content, (list, tuple)) else [(key, content)]:
                if isinstance(one, Mapping):
                    inner = part if one is content else part_of_argument(part, index)
                    if isinstance(one.get("filters"), (list, tuple)) and one["filters"]:
                        _check_filters(
                            f"{place}.filters", one["filters"], part_of_argument(inner, "filters"), allow_empty
                        )
                    _check_members(place, one, inner, allow_empty=True)


def _check_value(field: str, value: Any, written: Any, allow_empty: bool) -> None:
    """Check a filter's ``value``."""
    if not _is_empty(value) or (isinstance(value, (list, tuple)) and None in value):
        _check_part_of_value(field, value, written, allow_empty)
    elif not allow_empty:
        raise _filter_error(field, "is empty", _IF_MEANT)


def _check_part_of_value(field: str, value: Any, written: Any, allow_null: bool) -> None:
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            if item is None and not allow_null:
                advice = "The template or the other task has no value. If null is meant, set allow_empty=True."
                raise _filter_error(f"{field}[{index}]", "is null", advice)
            _check_part_of_value(f"{field}[{index}]", item, part_of_argument(written, index), allow_null)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _check_part_of_value(f"{field}.{key}", item, part_of_argument(written, key), allow_null)
    elif isinstance(value, str) and _rendered_object(value) and not (value == written == "None"):
        raise _filter_error(
            field,
            "is the text of a Python or JSON object",
            "If a template gave it, set render_template_as_native_obj=True on the DAG or pass the other task's output.",
        )


def _filter_error(field: str, what: str, advice: str) -> WesConfigurationError:
    """:param field: may be deep, so that only a part of it fits into the first line."""
    short = shorten(field, HEADLINE - len(what) - 1)
    return WesConfigurationError(f"{short} {what}\n{advice}" + ("" if short == field else f"\n{shorten(field, 300)}"))


def _is_empty(value: Any) -> bool:
    """Whether nothing is in a value; a list of nothing but empty values is empty, too."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, (list, tuple, set)):
        return all(map(_is_empty, value))
    return value is None or value == {}


def part_of_argument(value: Any, key: Any) -> Any:
    """A part of what a DAG has as an argument, as far as it can be known before a template is rendered."""
    try:
        return value[key] if isinstance(value, (Mapping, list, tuple)) else None
    except (LookupError, TypeError):
        return None


def _rendered_object(text: str) -> bool:
    """Whether a text is plainly what a template made of an object: of a list, a dictionary or ``None``."""
    text = text.strip()
    if text == "None":
        return True
    if text[:1] + text[-1:] not in ("[]", "{}", "()"):
        return False
    for parse in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError, SystemError):
            return isinstance(parse(text[:MAX_OBJECT_TEXT]), (list, dict, tuple, set))
    return len(text) > MAX_OBJECT_TEXT


# -- shared ----------------------------------------------------------------------------------------


def templated(value: Any) -> bool:
    """Whether a value is filled in when the task runs: by Jinja, or from another task's output."""
    if isinstance(value, str):
        return "{{" in value or "{%" in value or value.endswith(".json")
    if isinstance(value, Mapping):
        return any(templated(item) for item in value.values())
    if isinstance(value, (list, tuple, set)):
        return any(templated(item) for item in value)
    return hasattr(value, "resolve")  # Airflow's XComArg and other references


def in_storage(value: Any) -> bool:
    """Whether a value names coupon files in object storage, instead of a URL that the service can fetch as it is."""
    if isinstance(value, str):
        scheme, separator, _ = value.strip().partition("://")
        return bool(separator) and scheme.lower() not in WEB_SCHEMES and not templated(scheme) and scheme.isalnum()
    return hasattr(value, "url_lifetime") or hasattr(value, "samestore")  # BucketFiles, ObjectStoragePath


def from_json(field: str, value: Any) -> Any:
    """
    The value of a JSON-valued argument, which a template or a ``.json`` file gives as text.

    :raises WesConfigurationError: if a text is no JSON, or is ``null``.
    """
    if not isinstance(value, str):
        return value
    try:
        if (parsed := json.loads(value)) is not None:
            return parsed
    except ValueError as error:
        raise WesConfigurationError(
            f"{field} is a text that is not JSON\n"
            f"Use the tojson filter in a template, or pass the other task's output.\n{error}: {shown(value)}"
        ) from None
    raise WesConfigurationError(f"{field} is the JSON text null")


def json_bytes(body: Mapping[str, Any]) -> bytes:
    """
    A body as it goes over the wire.

    :raises WesConfigurationError: if JSON has no form for a value; the message names its field.
    """
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        for field, value in body.items():
            try:
                json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
            except (TypeError, ValueError, RecursionError) as cause:
                raise WesConfigurationError(f"{field} cannot be sent as JSON\n{cause}") from None
        raise WesConfigurationError(f"the request cannot be sent as JSON\n{error}") from None


def _text(field: str, value: Any, *, secret: bool = False) -> str:
    if not isinstance(value, str):
        raise WesConfigurationError(
            f"{field} takes a text, not {type(value).__name__}" + ("" if secret else f" {shown(value)}")
        )
    if not value.strip():
        raise WesConfigurationError(f"{field} is empty\nIf a template set it, check the rendered value.")
    if _CONTROL.search(value):
        raise WesConfigurationError(f"{field} holds control characters" + ("" if secret else f"\n{shown(value)}"))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise WesConfigurationError(f"{field} holds half of a surrogate pair, which is not a character") from None
    return value
