"""
Which requests come from a web page of somebody else: such a page can send requests to the loopback interface, too.

A page at another address says so in ``Origin``. A page whose own name was made to lead to this machine (DNS rebinding)
does not, but it has that name in ``Host``; so the controls take no name that can be somebody's on the internet.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["SAFE_HEADERS", "from_another_site", "is_another_name"]

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
