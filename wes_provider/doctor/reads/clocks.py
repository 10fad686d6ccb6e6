"""How far the service's clock is from this machine's, by what replies say. Pure."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Final

from wes_provider.doctor.reads.caches import says_cached
from wes_provider.doctor.reads.sending import duration
from wes_provider.doctor.replies.probes import Probe

__all__ = ["clock_of_service"]

# Seconds by which clocks may differ without a word about it.
USUAL: Final = 300.0


def clock_of_service(probe: Probe) -> str:
    """
    Tell how far the service's clock is from this machine's by the header ``Date``, as a sentence
    with a space before it; empty if they agree, or it has none that can be read, or a cache has
    kept the reply.
    """
    if says_cached(probe):
        return ""
    try:
        said = parsedate_to_datetime(probe.response.headers.get("date", "")).timestamp()
    except (TypeError, ValueError):
        return ""
    ahead = said - probe.sent_at
    if abs(ahead) < USUAL:
        return ""
    differs = "ahead of"
    if ahead < 0:
        differs = "behind"
    return (
        f" By its Date, the service's clock is {duration(abs(ahead))} {differs} this machine's: if "
        "it is the service's that is wrong, put in no other key, but ask its support to set it."
    )
