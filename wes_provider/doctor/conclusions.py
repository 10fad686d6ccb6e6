"""
What reads show of the address, the keys, the header and the way. Pure: replies in, findings out.

A key counts as right only if one that nobody has gets another reply; otherwise the finding is ``unsure``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from requests.utils import select_proxy

from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.sync import environment
from wes_provider.connection_form import LABELS
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.reading import Seen
from wes_provider.doctor.replies import Reply, same_reply

__all__ = ["access", "way"]

KEY, DATA_KEY, HEADER = Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.HEADER
WORKSPACE, VERIFY = LABELS["login"], LABELS["verify"]
WHO: Final = "Check the address, and whether a proxy, a gateway or a login page replied in the service's place."
UNTRUSTED: Final = f"""This machine does not trust the certificate. Set {VERIFY} to the bundle that holds its issuer, \
if that is your company's proxy; check the address and this machine's clock."""


def access(seen: Seen) -> list[Finding]:
    """What reads show of the address, the keys and the header."""
    if seen.campaign is None:
        return []
    address = _address(seen, seen.campaign)
    if not seen.campaign.status:
        return [address]
    return [address, _campaign_key(seen, seen.campaign), _data_key(seen), _header(seen)]


def _address(seen: Seen, first: Reply) -> Finding:
    problem, unchecked = first.problem, seen.given.base_url.startswith("https") and seen.given.verify is False
    return first_of(
        Topic.ADDRESS,
        [first],
        ("CertVerification" in problem, "wrong", UNTRUSTED),
        ("SSL" in problem, "wrong", "No TLS connection came about: check scheme and port of the address."),
        (not first.status, "wrong", "No whole response came: check Address, Data center, network and timeouts."),
        (300 <= first.status < 400, "wrong", f"It redirects, and requests do not follow. {WHO}"),
        (first.passing, "wrong", f"{first.status}: try again later. It may be a gateway that replied."),
        (first.is_page, "wrong", f"A web page came, which the service does not send. {WHO}"),
        (unchecked, "unsure", f"Certificates are not checked, since {VERIFY} is false."),
        (True, "sure", "It responds."),
    )


def _campaign_key(seen: Seen, read: Reply) -> Finding:
    refused, accepted, forbidden = seen.key == "refused", seen.key == "accepted", read.status == 403
    swapped = seen.swapped is not None and not seen.swapped.passing and seen.swapped.status != 401
    return first_of(
        KEY,
        [read, seen.campaign_made_up, *seen.headers, seen.swapped],
        (refused and swapped, "wrong", f"Refused. The {DATA_KEY} is accepted in its place: they may be swapped."),
        (
            refused and seen.data_key == "accepted",
            "wrong",
            f"Refused. Paste the {KEY} again; {WORKSPACE} and {HEADER} are accepted.",
        ),
        (refused, "needed", f"Refused. {KEY}, {WORKSPACE} or {HEADER} is wrong, or a gateway refuses everybody."),
        (accepted and forbidden, "wrong", "Accepted, but the account has no access to coupons: ask the support."),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (forbidden, "needed", "A gateway may refuse this machine: try another network, or ask for access."),
        (True, "needed", f"No reply shows whether it is accepted, as a made-up key gets the same. {WHO}"),
    )


def _data_key(seen: Seen) -> Finding:
    read, refused, accepted = seen.data, seen.data_key == "refused", seen.data_key == "accepted"
    elsewhere = read is not None and read.status == 404 and same_reply(read, seen.nowhere)
    later = read is None or (refused and seen.settings != seen.given)
    return first_of(
        DATA_KEY,
        [read, seen.data_made_up],
        (not seen.own_data_key, "sure", f"None is given: segments use the {KEY}."),
        (later, "unsure", "Other questions took all reads. Put the extra in, and run this again."),
        (
            refused and seen.key == "accepted",
            "wrong",
            f"Refused. Paste the {DATA_KEY} from the data tile again; {WORKSPACE} is accepted.",
        ),
        (refused, "needed", f"Refused. {DATA_KEY}, {WORKSPACE} or {HEADER} is wrong."),
        (
            accepted and read is not None and read.status == 403,
            "needed",
            "Accepted, but reading segments is forbidden; --segment ID shows whether updates are, too.",
        ),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (elsewhere, "unsure", "Segments may have another address, and then need a connection of their own."),
        (True, "unsure", "No reply shows whether it is accepted; --segment ID does."),
    )


def _header(seen: Seen) -> Finding:
    header, given = seen.settings.workspace_header, seen.given.workspace_header
    accepted = "accepted" in (seen.key, seen.data_key)
    return first_of(
        HEADER,
        seen.headers,
        (header != given, "wrong", f"The service takes the workspace from {header}, not from {given}."),
        (accepted, "sure", f"{given} is accepted."),
        (seen.headers, "unsure", "No usual header helps: a key, the workspace, or the header's name is wrong."),
        (True, "unsure", "No reply shows which header the service takes."),
        settings={"workspace_header": header} if accepted or header != given else {},
    )


def way(seen: Seen, replies: Sequence[Reply]) -> list[Finding]:
    """Which proxy is between, and which rate limits responses state."""
    replies = [reply for reply in replies if reply.status]
    findings = []
    if proxy := select_proxy(seen.given.base_url, environment(seen.given)[0]):
        text = f"Requests go through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]}, which may reply itself."
        findings.append(Finding(Topic.PROXY, "unsure", text))
    having = [each for each in replies if any("ratelimit" in name.replace("-", "") for name in each.response.headers)]
    limits = [rate_limit(reply.response.headers, time.time()) for reply in having]
    readable = any(limit.remaining is not None and limit.reset is not None for limit in limits)
    if replies:
        limit = first_of(
            Topic.LIMITS,
            [],
            (having and not readable, "unsure", "Headers about limits cannot be read: the documented limits apply."),
            (having, "sure", f"{len(having)} of {len(replies)} responses state them; the provider keeps to it."),
            (seen.key == "accepted" or seen.uploaded, "sure", "No response states any: the documented ones apply."),
            (True, "unsure", "No response states any: the documented ones apply."),
        )
        findings.append(limit)
    return findings
