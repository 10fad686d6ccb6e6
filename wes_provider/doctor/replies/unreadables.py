"""Why a success that should be JSON cannot be read, and what to do about it. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider.client.responses import decode_text
from wes_provider.doctor.replies.binaries import Binary
from wes_provider.doctor.replies.other_forms import is_in_other_form, why_in_other_form
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.words import quoted, text_of
from wes_provider.doctor.replies.wrappings import MARK, OTHER_TEXT, text_around, wrapping_of
from wes_provider.texts import shown

__all__ = [
    "encoding_of",
    "has_mark_too_many",
    "is_unreadable",
    "is_wrapped",
    "why_unreadable",
]

MOST_QUOTED: Final = 120  # characters of a text that is no JSON
# Encodings that the client undoes.
UNDONE: Final = ("", "identity", "gzip", "x-gzip", "deflate")
NO_SETTING: Final = "No setting helps: ask whoever runs what is between, or the service's support"


def encoding_of(probe: Probe) -> str:
    """Return the encoding of a body that the client cannot undo; empty if it can."""
    encoding = _content_encoding(probe)
    if encoding in UNDONE:
        return ""
    return shown(encoding, quoted=False)


def _content_encoding(probe: Probe) -> str:
    return probe.response.headers.get("content-encoding", "").strip().lower()


def is_unreadable(probe: Probe) -> bool:
    """Tell whether a 2xx should be JSON, and is none that the provider reads: or it is wrapped."""
    return probe.is_unreadable_json or is_wrapped(probe)


def is_wrapped(probe: Probe) -> bool:
    """Tell whether a 2xx has JSON that is wrapped in something."""
    return probe.has_2xx and bool(_wrapping_of(probe))


def has_mark_too_many(probe: Probe) -> bool:
    """Tell whether JSON stands after more than one mark of the order of bytes."""
    text = decode_text(probe.response.body, probe.response.content_type)
    return text.startswith(MARK) and isinstance(probe.content, (dict, list))


def _wrapping_of(probe: Probe) -> str:
    if probe.is_too_long or isinstance(probe.content, (dict, list)):
        return ""
    return wrapping_of(probe.text)


def why_unreadable(probe: Probe) -> str:
    """Tell what came in place of JSON, and whom to ask, without the end of the last sentence."""
    encoding = encoding_of(probe)
    if encoding:
        return (
            f"The reply is encoded as {encoding} (its Content-Encoding), which the provider does "
            "not ask for and cannot read. Ask whoever runs the gateway not to compress replies so"
        )
    wrapping = _wrapping_of(probe)
    if wrapping:
        return _why_wrapped(probe, wrapping)
    if is_in_other_form(probe) and not probe.is_unreadable_json:
        return why_in_other_form(probe)
    media = "no Content-Type"
    if probe.media_type:
        media = shown(probe.media_type, quoted=False)
    came = f"{probe.status} with {media} came, but its body is"
    if probe.binary is not None:
        return f"{came} {probe.binary}{_cause_of(probe, probe.binary)}. {NO_SETTING}"
    said = quoted(probe.clean(probe.text), MOST_QUOTED)
    return f"{came} text that is no JSON: {said}. {NO_SETTING}"


def _why_wrapped(probe: Probe, wrapping: str) -> str:
    """Tell that JSON is wrapped in something, and whom to ask, without the end of the sentence."""
    ask = "ask its support for plain JSON"
    other = ""
    if wrapping.endswith(OTHER_TEXT):
        around = text_of(text_around(probe.text)) or text_around(probe.text)
        # Tags leave a space before a colon.
        line = re.sub(r"\s+(?=[:,.;](?:\s|$))", "", around)
        other = f" ({quoted(probe.clean(line), MOST_QUOTED)})"
        ask = "send that line to its support"
    return (
        f"The service replies with JSON {wrapping}{other}, which the provider cannot read, and no "
        f"setting changes that: {ask}"
    )


def _cause_of(probe: Probe, binary: Binary) -> str:
    """Tell what may have made a body binary, as the end of a sentence."""
    if not binary.is_compressed:
        return ": something between may have changed it"
    undone = _content_encoding(probe)
    if undone not in ("", "identity"):
        encoding = shown(undone, quoted=False)
        return f", though its Content-Encoding ({encoding}) was undone: it may be compressed twice"
    return " without Content-Encoding: a proxy may have dropped that header"
