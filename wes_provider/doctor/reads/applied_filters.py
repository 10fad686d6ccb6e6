"""Whether a list comes filtered, by its reply's own words or the URLs that it gives. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.reads.evidence import PAGE_SIZES, Evidence, Listed
from wes_provider.doctor.replies.members import last_name, plain_names
from wes_provider.texts import redact, shown

__all__ = ["applied_filter", "may_restrict", "names_part"]

# Values of a filter that leaves nothing out.
NO_FILTER: Final = {"", "all", "any", "none", "null", "false", "no", "0", "*"}
# Whose files a list has, if not those of all.
VISIBILITIES: Final = ("visibility", "scope", "owner", "view")
OWN_ONLY: Final = ("own", "mine", "self", "me", "user", "private", "restricted", "limited")
# Beginnings of names that tell which filters there are.
ON_OFFER: Final = ("available", "allowed", "possible", "supported", "filterable")
# Plain names of URLs that a reply gives for itself, or for other pages of the same list.
OF_ITSELF: Final = frozenset(
    """
    canonical currentpage first firstpage last lastpage next nextpage prev previous previouspage
    prevpage requesturi requesturl self selfhref selflink selfurl
    """.split()
)
LINK: Final = re.compile(
    r"<([^>]*)>[^,]*?rel=\"?(?:canonical|first|last|next|prev|previous|self)\b", re.IGNORECASE
)
# Names under which a URL stands in an object that is called so, as in request.url.
ADDRESS: Final = frozenset("href link uri url".split())
OBJECTS: Final = OF_ITSELF | {"request"}
# Plain names of parameters that say which part of a list is asked for, and how large it may be.
PARTS: Final = frozenset(map(plain_name, PAGE_SIZES)) | frozenset(
    """
    after before continuation continuationtoken count cursor marker offset page pageindex pageno
    pagenumber pagetoken scrollid skip skiptoken start startafter startat startindex take token top
    """.split()
)
# Plain names of parameters that leave no file out: orders, forms, versions, and who asks.
NO_FILTERS: Final = frozenset(
    """
    account accountid alt apikey apiversion appid callback couponlist couponlistid couponslistid
    datacenter desc dir direction embed expand expires fields format key lang language list listid
    locale nonce order orderby pretty projection representation requestid select signature sort
    sortby sortdir sortorder tenant tenantid timestamp total totalcount traceid ts v version
    workspace workspaceid
    """.split()
)
# What a list's own URLs may have in their query.
HARMLESS: Final = PARTS | NO_FILTERS
# Beginnings of names of parameters that add something.
ADDS: Final = ("include", "with")
# Parts of the names of parameters that say who asks, and whose values may be secret.
WHO_ASKS: Final = re.compile(
    r"token|secret|signature|sig$|auth$|authori[sz]ation|apikey|credential|session|password"
)


def applied_filter(evidence: Evidence, listed: Listed) -> str:
    """
    Return a filter that a reply says it has applied to the list, with its value, such as
    ``meta.filters.status: SUCCESS``, or one in a URL that it gives for itself; empty if it names
    none but the list itself.
    """
    nothing_left_out = NO_FILTER | {evidence.list_id.lower()}
    for where, value in listed.members.items():
        if last_name(where) in VISIBILITIES and value in OWN_ONLY:
            return f"{shown(where, quoted=False)}: {value}"
    filters = {where: value for where, value in listed.members.items() if _names_filter(where)}
    for where, value in filters.items():
        for word in _words_of_filter(value):
            if word.lower() not in nothing_left_out:
                said = shown(redact(listed.probe.clean(word)), quoted=False)
                return f"{shown(where, quoted=False)}: {said}"
    return _filter_in_urls(evidence, listed)


def _words_of_filter(value: Any) -> list[str]:
    """Return the values of a filter, but for numbers: these are of the files that it leaves."""
    values = [value]
    if isinstance(value, list):
        values = value
    return [str(each) for each in values if isinstance(each, (str, bool))]


def _names_filter(where: str) -> bool:
    """Tell whether a dotted property is that of a filter in use."""
    names = plain_names(where)
    is_on_offer = any(name.startswith(ON_OFFER) for name in names)
    return not is_on_offer and any("filter" in name for name in names)


def _filter_in_urls(evidence: Evidence, listed: Listed) -> str:
    """
    Return a filter in the query of a URL that a reply gives for itself, with its place, such as
    ``links.self: filter[status]=SUCCESS``; empty if it has none that was not sent.
    """
    sent = _parameters(listed.probe.request.url)
    settings = evidence.settings
    nothing_left_out = NO_FILTER | {evidence.list_id.lower(), settings.workspace_id.lower()}
    for where, url in _urls_of_itself(listed):
        for name, value in _parameters(url):
            is_left_out = (name, value) in sent or value.lower() in nothing_left_out
            if not is_left_out and not _is_harmless(name):
                said = shown(redact(listed.probe.clean(f"{name}={value}")), quoted=False)
                return f"{shown(where, quoted=False)}: {said}"
    return ""


def _parameters(url: str) -> list[tuple[str, str]]:
    """Return the names and values in a URL's query; none of a template, such as ``{?page}``."""
    if "{" in url:
        return []
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []


def _is_harmless(name: str) -> bool:
    """Tell whether a parameter leaves no file out, by its name, such as ``page`` in page[size]."""
    plain = _plain_parameter(name)
    return plain in HARMLESS or _is_beside_files(plain)


def names_part(name: str) -> bool:
    """Tell whether a parameter asks for a part of a list by its name, such as ``page[size]``."""
    return _plain_parameter(name) in PARTS


def may_restrict(name: str, value: str) -> bool:
    """Tell whether a parameter may leave out files of a list, as a filter or as one of a part."""
    plain = _plain_parameter(name)
    if value.lower() in NO_FILTER or plain in NO_FILTERS:
        return False
    return plain in PARTS or not _is_beside_files(plain)


def _is_beside_files(plain: str) -> bool:
    """Tell whether a plain name is of what is added to files, or says who asks."""
    return plain.startswith(ADDS) or WHO_ASKS.search(plain) is not None or not plain


def _plain_parameter(name: str) -> str:
    return plain_name(name.partition("[")[0]).lstrip("$_")


def _urls_of_itself(listed: Listed) -> Iterator[tuple[str, str]]:
    """Yield the URLs that a reply gives for itself, with their places."""
    headers = listed.probe.response.headers
    for url in LINK.findall(headers.get("link", "")):
        yield "Link", url
    if "content-location" in headers:
        yield "Content-Location", headers["content-location"]
    for where, value in listed.members.items():
        if isinstance(value, str) and _is_of_itself(where):
            yield where, value
        if isinstance(value, list):
            yield from _urls_in_links(where, value)


def _is_of_itself(where: str) -> bool:
    """Tell whether a property has a URL that a reply gives for itself, by its last names."""
    *_, above, name = ["", *plain_names(where)]
    is_of_object = name in ADDRESS and above in OBJECTS
    is_of_body = name == "href" and not above
    return name in OF_ITSELF or is_of_object or is_of_body


def _urls_in_links(where: str, links: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield the URLs of an array of links, each with what it leads to under ``rel``."""
    for link in links:
        if not isinstance(link, dict):
            continue
        relation, url = str(link.get("rel", "")), link.get("href")
        if plain_name(relation) in OF_ITSELF and isinstance(url, str):
            yield f"{where}.{relation}", url
