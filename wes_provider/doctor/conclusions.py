"""
What follows from what was seen. Pure: replies in, findings out.

A key or a path counts as right only if something that is wrong gets another reply; otherwise the finding is ``unsure``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal
from urllib.parse import urlsplit

from requests.utils import select_proxy

from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.sync import environment
from wes_provider.connection_form import LABELS
from wes_provider.doctor.findings import Finding, Topic, under
from wes_provider.doctor.reading import Seen
from wes_provider.doctor.replies import Reply, same_reply
from wes_provider.texts import redact_url

__all__ = ["access", "headers_of", "verdict"]

WORKSPACE: Final = LABELS["login"]
VERIFY: Final = LABELS["verify"]
WHO: Final = "Check the address, and whether a proxy, a gateway or a login page replied in the service's place."
NO_NAME: Final = f"The name has no address here: check {Topic.ADDRESS} and Data center, or this machine's DNS."
SLOW: Final = "No whole response came in time: check the address, or raise Connect timeout and Read timeout."

UNREACHED: Final = (
    ("expired", "The certificate is out of date, or this machine's clock is wrong."),
    ("not yet valid", "The certificate is not valid yet, or this machine's clock is wrong."),
    ("ismatch", "The certificate is for another host: check the address, or who replies in its place."),
    (
        "CertVerification",
        f"This machine does not trust the certificate. Set {VERIFY} to the bundle that holds its issuer, if that is "
        "your company's proxy; else somebody may be listening.",
    ),
    ("SSL", "No TLS connection came about: check scheme and port of the address."),
    ("gaierror", NO_NAME),
    ("NameResolution", NO_NAME),
    ("imed out", SLOW),
    ("imeout", SLOW),
    ("", f"No response came: check {Topic.ADDRESS}, port and network."),
)
"""What a failure says, and what to do; the first that fits counts."""


def access(seen: Seen) -> list[Finding]:
    """What reads show of the address, the keys and the header."""
    if seen.campaign is None:
        return []
    findings = [_address(seen, seen.campaign)]
    if seen.campaign.status:
        findings += [_campaign_key(seen, seen.campaign), _data_key(seen), _header(seen)]
    return findings


def _address(seen: Seen, first: Reply) -> Finding:
    if not first.status:
        text = next(advice for word, advice in UNREACHED if word in first.problem)
    elif 300 <= first.status < 400:
        to = redact_url(first.response.headers.get("location", ""))
        text = f"The address redirects{f' to {to}' if to else ''}, and requests do not follow. {WHO}"
    elif first.passing:
        text = f"{first.status}: try again later. It may be a gateway that replied, not the service."
    elif first.success and first.form == "a web page":
        text = f"A web page came, which the service does not send. {WHO}"
    elif seen.given.base_url.startswith("https") and seen.given.verify is False:
        return Finding(Topic.ADDRESS, "unsure", f"Certificates are not checked, since {VERIFY} is false.")
    else:
        return Finding(Topic.ADDRESS, "sure", "It responds.")
    return Finding(Topic.ADDRESS, "wrong", text, under(first))


# -- keys and the header ---------------------------------------------------------------------------

Verdict = Literal["accepted", "refused", "not shown"]


def verdict(read: Reply | None, made_up: Reply | None) -> Verdict:
    """
    Whether the service takes a key.

    :param read: with the key.
    :param made_up: the same read with a key that nobody has.
    """
    if read is not None and read.status == 401:
        return "refused"
    if read is None or made_up is None or read.passing or made_up.passing:
        return "not shown"
    refused = made_up.status == 401 or (made_up.status == 403 and read.status != 403)
    return "accepted" if refused else "not shown"


def _verdicts(seen: Seen) -> tuple[Verdict, Verdict]:
    return verdict(seen.campaign, seen.campaign_made_up), verdict(seen.data, seen.data_made_up)


def _campaign_key(seen: Seen, read: Reply) -> Finding:
    campaign, data = _verdicts(seen)
    tried = under(read, seen.campaign_made_up)
    if campaign == "refused":
        tried = under(read, *seen.headers, seen.swapped)
        if seen.swapped is not None and not seen.swapped.passing and seen.swapped.status != 401:
            text = f"Refused. The {Topic.DATA_KEY} is accepted in its place: the two keys may be swapped."
            return Finding(Topic.CAMPAIGN_KEY, "wrong", text, tried)
        if data == "accepted":
            text = f"Refused. Paste the {Topic.CAMPAIGN_KEY} again; {WORKSPACE} and {Topic.HEADER} are accepted."
            return Finding(Topic.CAMPAIGN_KEY, "wrong", text, tried)
        text = f"Refused. {Topic.CAMPAIGN_KEY}, {WORKSPACE} or {Topic.HEADER} is wrong, or a gateway refuses everybody."
        return Finding(Topic.CAMPAIGN_KEY, "unsure", text, tried, needed=True)
    if campaign == "accepted" and read.status != 403:
        return Finding(Topic.CAMPAIGN_KEY, "sure", "Accepted; a made-up key is refused.")
    if campaign == "accepted":
        text = "Accepted, but the account has no access to coupons: request it from the service's support."
        return Finding(Topic.CAMPAIGN_KEY, "wrong", text, tried)
    text = f"No reply shows whether it is accepted, as a made-up key gets the same. {WHO}"
    if read.status == 403:
        text = "A gateway may refuse this machine: try another network, or request access for its address."
    return Finding(Topic.CAMPAIGN_KEY, "unsure", text, tried, needed=True)


def _data_key(seen: Seen) -> Finding:
    campaign, data = _verdicts(seen)
    read, tried = seen.data, under(seen.data, seen.data_made_up)
    if not seen.own_data_key:
        return Finding(Topic.DATA_KEY, "sure", f"None is given: segments use the {Topic.CAMPAIGN_KEY}.")
    if read is None or (read.status == 401 and seen.settings != seen.given):
        text = "Not checked: other questions took all reads. Put the extra in, and run this again."
        return Finding(Topic.DATA_KEY, "unsure", text)
    if data == "refused" and campaign == "accepted":
        text = f"Refused. Paste the {Topic.DATA_KEY} from the data tile again; {WORKSPACE} is accepted."
        return Finding(Topic.DATA_KEY, "wrong", text, tried)
    if data == "refused":
        text = f"Refused. {Topic.DATA_KEY}, {WORKSPACE} or {Topic.HEADER} is wrong."
        return Finding(Topic.DATA_KEY, "unsure", text, tried, needed=True)
    if data == "accepted" and read.status != 403:
        return Finding(Topic.DATA_KEY, "sure", "Accepted; a made-up key is refused.")
    text = "No reply shows whether it is accepted; --segment ID does."
    if data == "accepted":
        text = "Accepted, but a read of segments is forbidden; --segment ID shows whether updates are, too."
    elif read.status == 404 and same_reply(read, seen.nowhere):
        text += " Segments may have another address, and then need a connection of their own."
    return Finding(Topic.DATA_KEY, "unsure", text, tried, needed=data == "accepted")


def _header(seen: Seen) -> Finding:
    header, given = seen.settings.workspace_header, seen.given.workspace_header
    setting = {"workspace_header": header}
    if header != given:
        text = f"The service takes the workspace from {header}, not from {given}."
        return Finding(Topic.HEADER, "wrong", text, under(*seen.headers[-1:]), setting)
    if "accepted" in _verdicts(seen):
        return Finding(Topic.HEADER, "sure", f"{given} is accepted.", settings=setting)
    if seen.headers:
        text = "No usual header helps: a key, the workspace, or the header's name is wrong."
        return Finding(Topic.HEADER, "unsure", text, under(*seen.headers))
    return Finding(Topic.HEADER, "unsure", "No reply shows which header the service takes.")


# -- headers of responses --------------------------------------------------------------------------


def headers_of(seen: Seen, replies: Iterable[Reply]) -> list[Finding]:
    """What the headers of all responses show: who is between, rate limits."""
    replies = [reply for reply in replies if reply.status]
    if not replies:
        return []
    accepted = "accepted" in _verdicts(seen)[:1] or bool(seen.uploaded)
    return [*_between(seen, replies), _limits(replies, accepted=accepted)]


def _between(seen: Seen, replies: Iterable[Reply]) -> list[Finding]:
    proxy = select_proxy(seen.given.base_url, environment(seen.given)[0])
    names = {name: value for reply in replies for name, value in reply.response.headers.items()}
    shown = ", ".join(f"{name}: {names[name][:40]}" for name in ("via", "x-cache", "cf-ray", "age") if name in names)
    if proxy:
        text = f"Requests go through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]}, which may reply itself."
        return [Finding(Topic.PROXY, "unsure", text)]
    return (
        [Finding(Topic.PROXY, "unsure", f"A gateway or cache is between, and may reply itself ({shown}).")]
        if shown
        else []
    )


def _limits(replies: list[Reply], *, accepted: bool) -> Finding:
    having = [
        reply for reply in replies if any("ratelimit" in name.replace("-", "") for name in reply.response.headers)
    ]
    limits = [rate_limit(reply.response.headers, reply.at) for reply in having]
    text = "No response states any: the documented ones apply."
    if any(limit.remaining is not None and limit.reset is not None for limit in limits):
        text = f"{len(having)} of {len(replies)} responses state them; the provider keeps to it."
    elif having:
        text = "Responses have headers about limits that the provider cannot read, so the documented ones apply."
        return Finding(Topic.LIMITS, "unsure", text)
    return Finding(Topic.LIMITS, "sure" if accepted else "unsure", text)
