"""The page that an emulator shows in a browser."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from wes_provider.emulator.replies import Reply

__all__ = ["NOT_REPRODUCED", "PAGE_FILES", "page_file"]

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

PAGE_FILES: Final = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
# Nothing from elsewhere, nothing inline, and in nobody's frame, which could steal clicks.
_POLICY: Final = "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@lru_cache(maxsize=len(PAGE_FILES))
def page_file(name: str) -> Reply:
    """
    One file of the page; what the emulator does not reproduce stands first in it.

    :param name: one of ``PAGE_FILES``.
    """
    items = "\n".join(f"<li>{escape(line)}</li>" for line in NOT_REPRODUCED)
    text = (Path(__file__).parent / (name or "page.html")).read_text(encoding="utf-8")
    headers = {"Content-Type": f"{PAGE_FILES[name]}; charset=utf-8", "Content-Security-Policy": _POLICY}
    text = text.replace("<!-- not reproduced -->", items)
    return Reply(200, text.encode(), {**headers, "Cache-Control": "no-store"})
