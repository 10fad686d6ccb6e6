"""In which other form than JSON a list comes, and whether its words say that it is empty. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider.contract import MIB
from wes_provider.doctor.replies.probes import Form, Kind, Probe
from wes_provider.doctor.replies.words import quoted
from wes_provider.texts import shown

__all__ = [
    "form_by_name",
    "is_in_other_form",
    "most_read",
    "says_empty",
    "why_in_other_form",
]

MOST_QUOTED: Final = 120  # characters of a text that is no JSON
LONGEST_SENTENCE: Final = 200  # characters of a text that says that there is nothing
# Forms by the subtype of their media type.
FORMS: Final = {
    "csv": "CSV",
    "tab-separated-values": "tab-separated values",
    "protobuf": "Protocol Buffers",
    "x-protobuf": "Protocol Buffers",
    "vnd.google.protobuf": "Protocol Buffers",
    "msgpack": "MessagePack",
    "x-msgpack": "MessagePack",
    "vnd.msgpack": "MessagePack",
    "cbor": "CBOR",
    "yaml": "YAML",
    "x-yaml": "YAML",
    "vnd.ms-excel": "an Excel file",
    "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel file",
}
# Sentences about a list in which there is nothing.
NO_FILES: Final = re.compile(
    r"\b(?:no|zero|0|keine|aucune?)\s(?:[\w-]+\s){0,2}"
    r"(?:files?|records?|results?|entries|items|rows|data|uploads?|coupons?|dateien|fichiers?)\b|"
    r"\bnothing\b|\b(?:is|list|was)\sempty\b",
    re.IGNORECASE,
)


def is_in_other_form(probe: Probe) -> bool:
    """Tell whether a success has no JSON that the provider reads, and is no web page."""
    if not probe.has_2xx or probe.form is Form.PAGE:
        return False
    return probe.kind is Kind.NOT_SERVICE


def form_by_name(probe: Probe) -> str:
    """
    Return the form of a body, as its media type names it or XML shows it; empty if it has no name.
    """
    if probe.form is Form.XML:
        return "XML"
    if probe.form not in (Form.TEXT, Form.BINARY):
        return ""
    return FORMS.get(probe.media_type.rpartition("/")[2], "")


def says_empty(probe: Probe) -> bool:
    """Tell whether a text says in a short sentence that there is nothing in a list."""
    text = _sentence_in(probe)
    if form_by_name(probe) or len(text) > LONGEST_SENTENCE:
        return False
    return NO_FILES.search(text) is not None


def _sentence_in(probe: Probe) -> str:
    """Return a text, or a string in JSON; empty for any other form."""
    if probe.form is Form.TEXT:
        return str(probe.text)
    if isinstance(probe.content, str):
        return probe.content
    return ""


def most_read(probe: Probe) -> str:
    """Return how much of a reply the provider reads, such as ``32 MB``."""
    return f"{probe.request.operation.largest_response // MIB} MB"


def why_in_other_form(probe: Probe) -> str:
    """Tell in which form a list comes, and whom to ask, without the end of the last sentence."""
    came = f"{probe.status} with {_media_of(probe)}"
    if says_empty(probe):
        return (
            f"{came} came, and its words say that the list is empty: {_quote(probe)}. The provider "
            "reads arrays in JSON only: name a list with files in --coupon-list, to see whether "
            "that comes so, and ask the service's support for an empty array if a list has no file"
        )
    wanted = "JSON"
    if probe.form is Form.JSON:
        wanted = "an array of files"
    return (
        f"The list comes as {_form_of(probe)} ({came}{_begins(probe)}), which the provider cannot "
        f"read, and no setting changes that: ask the service's support for {wanted}"
    )


def _media_of(probe: Probe) -> str:
    if probe.media_type:
        return shown(probe.media_type, quoted=False)
    return "no Content-Type"


def _form_of(probe: Probe) -> str:
    """Return the form of a body as the end of "it comes as"."""
    by_name = form_by_name(probe)
    if by_name:
        return by_name
    if probe.form is Form.JSON:
        return "JSON that is neither an array nor an object"
    if probe.form is Form.BINARY:
        return "what is no text"
    return str(probe.form.value)


def _begins(probe: Probe) -> str:
    """Quote what a body begins with, as the end of a parenthesis."""
    if probe.binary is not None:
        return f"; {probe.binary.begins}"
    return f": {_quote(probe)}"


def _quote(probe: Probe) -> str:
    # In one line, since a file of lines may have other ends of lines than a terminal.
    text = " ".join(probe.text.split())
    return quoted(probe.clean(text), MOST_QUOTED)
