"""
The page that an emulator shows in a browser, and which requests come from a web page of somebody else.

A page at another address says so in ``Origin``. A page whose own name was made to lead to this machine (DNS rebinding)
does not, but it has that name in ``Host``; so the controls take no name that can be somebody's on the internet.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from wes_provider.emulator.replies import Reply

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = [
    *("NOT_REPRODUCED", "OPENAPI", "PAGE_FILES", "SAFE_HEADERS"),
    *("from_another_site", "is_another_name", "page_file"),
]

NOT_REPRODUCED: Final = (
    "What the contract does not show is guessed, and most guesses can be changed by a setting.",
    "Statuses after PENDING, the reads of coupon files and their fields, the callback's method and body, and every"
    " error of catalogs and segments are such guesses.",
    "Which users a segment's filters select is not computed; filters are stored as they come.",
    "Lists cannot be created, activated or archived: a list exists as soon as a file is uploaded to it.",
    "Coupons are counted; which ones are handed out is not known.",
    "Catalogs take no items.",
    "Its speed says nothing about the speed of the service.",
)

OPENAPI: Final = Path(__file__).with_name("openapi.json")
PAGE_FILES: Final = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
# Nothing from elsewhere, nothing inline, and in nobody's frame, which could steal clicks.
_POLICY: Final = "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@lru_cache(maxsize=len(PAGE_FILES))
def page_file(name: str) -> Reply:
    """One of ``PAGE_FILES``; what the emulator does not reproduce stands first in it."""
    items = "\n".join(f"<li>{escape(line)}</li>" for line in NOT_REPRODUCED)
    text = (Path(__file__).parent / (name or "page.html")).read_text(encoding="utf-8")
    headers = {"Content-Type": f"{PAGE_FILES[name]}; charset=utf-8", "Content-Security-Policy": _POLICY}
    text = text.replace("<!-- not reproduced -->", items)
    return Reply(200, text.encode(), {**headers, **SAFE_HEADERS, "Cache-Control": "no-store"})


# For everything under the control path: no other page can embed it, and no browser takes it for something else.
SAFE_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}

# Nobody can register these: RFC 6761, section 6.3, and ICANN's resolution 2024.07.29.06 (host.docker.internal).
_OF_NOBODY: Final = (".localhost", ".internal")


def from_another_site(headers: MultiMapping[str]) -> bool:
    """Whether a browser sends the request for a page that is not the emulator's own; other programs send no such."""
    host = headers.get("Host", "").lower()
    origins = [origin.lower() for origin in headers.getall("Origin", ())]
    return bool(origins) and origins not in ([f"http://{host}"], [f"https://{host}"])


def is_another_name(headers: MultiMapping[str]) -> bool:
    """Whether the request was sent to a name that can be somebody's on the internet."""
    try:
        name = (urlsplit(f"//{headers.get('Host', '')}").hostname or "").rstrip(".")
        if name.endswith(_OF_NOBODY) or ("." not in name and ":" not in name):
            return False
        ipaddress.ip_address(name)
    except ValueError:
        return True
    return False
