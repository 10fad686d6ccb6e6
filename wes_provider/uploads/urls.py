"""
What of a URL says which file it is, and what is only a signature. Pure.

A signed URL is another one each time that it is made, and still the same file. Everything else in
a URL counts: two URLs that differ in it are two files.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode, urlsplit

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

SIGNATURE_PREFIXES: Final = (
    "x-amz-",  # Amazon S3, version 4
    "x-goog-",  # Google Cloud Storage, version 4
    "x-oss-",  # Alibaba Cloud OSS, version 4
    "x-obs-",  # Huawei Cloud OBS
    "x-cos-",  # Tencent Cloud COS
    "q-sign-",  # Tencent Cloud COS
)
SIGNATURE_NAMES: Final = frozenset(
    {
        "awsaccesskeyid",  # Amazon S3, version 2
        "googleaccessid",  # Google Cloud Storage, version 2
        "ossaccesskeyid",  # Alibaba Cloud OSS, version 1
        "keypairid",  # CloudFront
        "hdnea",  # Akamai
        "hdntl",  # Akamai
        "hdnts",  # Akamai
        "gda",  # Akamai
        # Names that mean a signature, its end or a login, wherever they stand.
        "sig",
        "sign",
        "signature",
        "hmac",
        "token",
        "accesstoken",
        "authtoken",
        "securitytoken",
        "sessiontoken",
        "jwt",
        "auth",
        "authkey",
        "authorization",
        "apikey",
        "sessionid",
        "jsessionid",
        "phpsessid",
        "exp",
        "expire",
        "expires",
        "expiresin",
        "expiration",
        "expiry",
    }
)
"""In lower case, without hyphens and underscores: ``Key-Pair-Id`` and ``__token__`` are found.

A name that may as well say which file it is, such as ``key``, ``hash`` or ``id``, is none of them:
if it is a signature after all, a person is asked, while the other mistake takes one file for
another.
"""

BESIDE_A_SIGNATURE: Final = {
    "sig": frozenset(
        "sv ss srt sr sp st se sip spr si skoid sktid skt ske sks skv saoid suoid scid".split()
    ),  # Azure's shared access signatures
    "keypairid": frozenset({"policy"}),  # CloudFront
}
"""Short words, which are a part of a signature only beside another name."""


class FileUrl(NamedTuple):
    """
    A URL as the identity of a file.

    :ivar without_query: scheme, host, port and path with its parameters, in the form that it shares
        with its equivalents (RFC 3986, section 6.2.2).
    :ivar query: the query's parameters that are no signature, sorted by name; empty if none.
    """

    without_query: str
    query: str

    def __str__(self) -> str:
        return f"{self.without_query}?{self.query}" if self.query else self.without_query


def identify_url(url: str) -> FileUrl:
    """
    Read what counts of a URL: user information, signatures and fragment do not.

    :raises ValueError: if it is no URL.
    """
    parts = urlsplit(url)
    port = ""
    if parts.port is not None and parts.port != DEFAULT_PORTS.get(parts.scheme):
        port = f":{parts.port}"
    segments = [_normalise_segment(segment) for segment in (parts.path or "/").split("/")]
    without_query = f"{parts.scheme}://{parts.hostname or ''}{port}{'/'.join(segments)}"
    return FileUrl(without_query, _normalise_query(parts.query))


def _normalise_segment(segment: str) -> str:
    """Quote a segment of a path in one way, and drop parameters that are signatures."""
    name, *parameters = segment.split(";")
    kept = [name]
    for parameter in parameters:
        if not _is_signature_name(parameter.partition("=")[0]):
            kept.append(parameter)
    # By bytes: an escape need not be of UTF-8, and two that are not are still two.
    return ";".join(quote(unquote_to_bytes(part), safe="=") for part in kept)


def _normalise_query(query: str) -> str:
    # Bytes that are not of UTF-8 are kept, too.
    parameters = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
    names = {_simplify(name) for name, _ in parameters}
    ignored: set[str] = set()
    for name, words_beside in BESIDE_A_SIGNATURE.items():
        if name in names:
            ignored.update(words_beside)
    kept = [
        (name, value)
        for name, value in parameters
        if not _is_signature_name(name) and _simplify(name) not in ignored
    ]
    # Sorted by name alone, since the order of equal names may matter.
    in_order = sorted(kept, key=lambda parameter: parameter[0])
    return urlencode(in_order, errors="surrogateescape")


def _is_signature_name(name: str) -> bool:
    return name.strip().lower().startswith(SIGNATURE_PREFIXES) or _simplify(name) in SIGNATURE_NAMES


def _simplify(name: str) -> str:
    return re.sub("[-_]", "", name.strip().lower())
