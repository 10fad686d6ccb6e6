"""A reply by which a forward proxy says that it did not get a request to its host. Pure."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wes_provider.doctor.replies.probes import Form, Probe
from wes_provider.doctor.replies.words import text_of
from wes_provider.texts import shown

__all__ = ["Failure", "ProxyError", "proxy_error"]

PROXY_LOGIN: Final = 407
LONGEST_CODE: Final = 40  # characters


class Failure(Enum):
    """What a proxy could not do; the values say it of the proxy."""

    RESOLVE = "it cannot resolve {host}"
    ALLOW = "it does not allow {host}"
    TLS = "it does not get a TLS connection to {host}"
    CONNECT = "it cannot connect to {host}"
    REPLY = "it got no whole reply of {host}"
    OTHER = "it did not pass the request on to {host}"


class ProxyError(NamedTuple):
    """
    What a proxy says of a request that it replied to itself.

    :ivar said: the words or the header by which it says so, for people.
    :ivar is_of_forward_proxy: whether no other proxy than one of the client's side says so: one
        before the service, such as Squid, may reply with the same header.
    """

    failure: Failure
    said: str
    host: str
    is_of_forward_proxy: bool

    @property
    def what(self) -> str:
        """What the proxy could not do, as a clause."""
        return self.failure.value.format(host=self.host)


# How Squid calls its errors, in the header X-Squid-Error.
SQUID_ERRORS: Final = (
    (re.compile(r"DNS"), Failure.RESOLVE),
    (re.compile(r"DENIED|BLOCK|FORBIDDEN"), Failure.ALLOW),
    (re.compile(r"SECURE_CONNECT|TLS|SSL"), Failure.TLS),
    (re.compile(r"CONNECT_FAIL|CANNOT_FORWARD|SOCKET"), Failure.CONNECT),
    (re.compile(r"READ|WRITE|ZERO_SIZE|LIFETIME|GATEWAY"), Failure.REPLY),
)
# How Symantec's ProxySG, once Blue Coat's, calls its errors, in parentheses.
PROXY_SG: Final = re.compile(
    r"\((dns_[a-z_]+|policy_denied|content_filter_denied|tcp_error|gateway_error|ssl_[a-z_]+)\)"
)
PROXY_SG_ERRORS: Final = (
    (re.compile(r"dns"), Failure.RESOLVE),
    (re.compile(r"denied"), Failure.ALLOW),
    (re.compile(r"ssl"), Failure.TLS),
    (re.compile(r"tcp|gateway"), Failure.CONNECT),
)
# What pages of proxies say. Others say so, too: only the proxy's name, or the host's, shows whose
# words they are.
WORDS: Final = (
    (
        re.compile(
            r"unable to determine ip address from host ?name|domain name does not exist|"
            r"(?:could|can) ?not (?:be )?resolved?|unable to resolve|host not found|"
            r"no such domain|dns (?:lookup )?fail(?:ed|ure)|dns[_ ](?:fail|error)|"
            r"unknown host(?:name)?|name or service not known|server not found",
            re.IGNORECASE,
        ),
        Failure.RESOLVE,
    ),
    (
        re.compile(
            r"access (?:to [^.]{1,60} )?(?:is |was |has been )?(?:denied|blocked|restricted)|"
            r"(?:page|site|website|url|content) (?:is |was |has been )?(?:blocked|restricted)|"
            r"denied access|don.t have permission to (?:visit|access)|not allowed|url category",
            re.IGNORECASE,
        ),
        Failure.ALLOW,
    ),
    (
        re.compile(
            r"(?:tls|ssl) (?:handshake|connection) fail\w*|secure connection", re.IGNORECASE
        ),
        Failure.TLS,
    ),
    (
        re.compile(
            r"(?:unable|failed|could not|cannot|can.t) (?:to )?connect|connect(?:ion)? "
            r"(?:to [^ ]{1,80} )?(?:failed|refused|timed out)|cannot connect",
            re.IGNORECASE,
        ),
        Failure.CONNECT,
    ),
    (
        re.compile(
            r"zero sized reply|read (?:error|timeout)|gateway time-?out|no (?:data|response)",
            re.IGNORECASE,
        ),
        Failure.REPLY,
    ),
)
# Forward proxies that name themselves in Server, or in their pages. In Via, they also stand in what
# they pass on.
FORWARD_PROXY: Final = re.compile(
    r"\b(?:zscaler|blue ?coat|proxysg|mcafee web gateway|skyhigh (?:security )?(?:web|secure)|"
    r"websense|forcepoint|ironport|cisco web security|fortiproxy|fortiguard|tinyproxy|privoxy|"
    r"mitmproxy|netskope|barracuda web)",
    re.IGNORECASE,
)
# What is before services at their own host, and may fail to resolve what is behind it.
BEFORE_SERVICES: Final = re.compile(
    r"cloudflare|cloudfront|fastly|varnish|akamai|imperva|incapsula|front ?door|\belb\b|awselb|"
    r"edgecast|bunny",
    re.IGNORECASE,
)
SQUID: Final = re.compile(r"\bsquid\b", re.IGNORECASE)


def proxy_error(probe: Probe) -> ProxyError | None:
    """
    Read a proxy's own error from a reply; ``None`` for any other reply, also for one that a proxy
    passes on, and for one by which a proxy wants a login.
    """
    if probe.status == PROXY_LOGIN:
        return None
    if probe.has_2xx:
        # Pages of firewalls may have the status of a success.
        if probe.form is Form.PAGE:
            return _by_words(probe)
        return None
    if probe.status < 400:
        return None
    by_header = _of_squid(probe)
    if by_header is not None or probe.form is Form.JSON:
        return by_header
    return _of_proxy_sg(probe) or _by_words(probe)


def _of_squid(probe: Probe) -> ProxyError | None:
    """Read the header by which Squid names its error."""
    value = probe.response.headers.get("x-squid-error", "").strip()
    if not value.startswith("ERR_"):
        return None
    code = value.split()[0]
    return ProxyError(
        failure=_failure(SQUID_ERRORS, code),
        said=f"X-Squid-Error: {shown(probe.clean(code), LONGEST_CODE, quoted=False)}",
        host=_host(probe),
        is_of_forward_proxy=False,
    )


def _of_proxy_sg(probe: Probe) -> ProxyError | None:
    """Read the code by which ProxySG names its error."""
    code = PROXY_SG.search(_words_of(probe))
    if code is None:
        return None
    return ProxyError(
        failure=_failure(PROXY_SG_ERRORS, code[1]),
        said=shown(code[1], LONGEST_CODE, quoted=False),
        host=_host(probe),
        is_of_forward_proxy=True,
    )


def _by_words(probe: Probe) -> ProxyError | None:
    """
    Read a page's words, if it names a proxy, or is an error which says of the very host that it
    cannot be resolved: only what is reached at that host, such as a CDN, says so of what is behind
    it.
    """
    words = _words_of(probe)
    host = _host(probe)
    server = probe.response.headers.get("server", "")
    is_forward_proxy = FORWARD_PROXY.search(f"{server} {words}") is not None
    is_before_service = BEFORE_SERVICES.search(f"{server} {words}") is not None
    names_host = host.lower() in words.lower() and not is_before_service
    is_of_squid = SQUID.search(server) is not None
    for pattern, failure in WORDS:
        said = pattern.search(words)
        if said is None:
            continue
        is_of_host = failure is Failure.RESOLVE and names_host
        is_error_of_proxy = (is_of_squid or is_of_host) and not probe.has_2xx
        if is_forward_proxy or is_error_of_proxy:
            return ProxyError(
                failure=failure,
                said=repr(shown(probe.clean(said[0]), quoted=False)),
                host=host,
                is_of_forward_proxy=is_forward_proxy or is_of_host,
            )
    return None


def _failure(rows: tuple[tuple[re.Pattern[str], Failure], ...], code: str) -> Failure:
    for pattern, failure in rows:
        if pattern.search(code):
            return failure
    return Failure.OTHER


def _words_of(probe: Probe) -> str:
    """Return what readers see of a page: its title and its text."""
    return f"{probe.message} {text_of(probe.text)}"


def _host(probe: Probe) -> str:
    return urlsplit(probe.request.url).hostname or ""
