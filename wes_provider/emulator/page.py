"""The page that an emulator shows in a browser."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wes_provider.emulator.service import Service

__all__ = ["NOT_REPRODUCED", "page"]

NOT_REPRODUCED: Final = (
    "It is written from the service's contract, not from the service: what the contract does not show is guessed, and"
    " most guesses can be set otherwise.",
    "Statuses after PENDING, the reads of coupon files and their fields, the callback's method and body, and every"
    " error of catalogs and segments are such guesses.",
    "Which users a segment's filters select is not computed; filters are stored as they come.",
    "Lists cannot be created, activated or archived: a list exists once a file was uploaded to it.",
    "Coupons are counted, not handed out.",
    "Catalogs take no items.",
    "There is no TLS, and one workspace.",
    "It tells nothing about the speed of the service.",
)

_PAGE: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>WES emulator</title></head>
<body>
<h1>WES emulator</h1>
<h2>What it does not reproduce</h2>
<ul>
{not_reproduced}
</ul>
<h2>Now</h2>
<p>Service time {now:.3f}, speed {speed:g}. Requests: {requests}.</p>
<h2>Controls</h2>
<p>Reading: {reading}.</p>
<p>Others take a <code>POST</code> of a JSON object: <code>fail</code>, <code>clear_faults</code>, <code>script</code>,
<code>clock</code>, <code>configure</code>, <code>host</code>, <code>host_folder</code>, <code>reset</code>.</p>
</body>
</html>
"""


def page(service: Service) -> str:
    """HTML; what the emulator does not reproduce comes first."""
    reading = "requests counts files?list_id= catalogs segments callbacks clock settings openapi".split()
    return _PAGE.format(
        not_reproduced="\n".join(f"<li>{escape(line)}</li>" for line in NOT_REPRODUCED),
        now=service.clock.now(),
        speed=service.clock.speed,
        requests=sum(service.counts.values()),
        reading=", ".join(f'<a href="{name}">{name}</a>' for name in reading),
    )
