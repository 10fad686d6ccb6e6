"""
Replies that a mock server makes up from an API description: they are of no account. Pure.

Such a server is found in an address that was copied from a description's example or from a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.files import records_at
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["conclude_on_mock"]

# What API descriptions have as the example of each string.
EXAMPLE: Final = "string"
FEWEST_EXAMPLES: Final = 2  # strings of a file that have to be such
# Names of mock servers, in the types of their errors and in their headers.
NAMES: Final = re.compile(
    r"\b(?:stoplight\.io/prism|wiremock|mockserver|mockoon|microcks|hoverfly|mountebank)\b"
    r"|\bmatched-stub-id\b|\bx-mock-[\w-]+",
    re.IGNORECASE,
)


def conclude_on_mock(evidence: Evidence) -> list[Finding]:
    """Conclude on replies that are examples of a mock server; nothing if none is one."""
    signs = [*_examples_in(evidence), *_names_in(evidence)]
    if not signs:
        return []
    said = "; ".join(dict.fromkeys(text for text, _ in signs))
    probes = {id(probe): probe for _, probe in signs}
    return [
        Finding(
            topic=Topic.ACCOUNT,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"A mock server may reply, with examples in place of data ({said}): nothing of "
                "that is your account's. Put the address of the service itself into the Address, "
                "and upload nothing before that."
            ),
            probes=tuple(probes.values())[:2],
            is_cause=True,
        )
    ]


def _examples_in(evidence: Evidence) -> Iterator[tuple[str, Probe]]:
    """Yield what replies have of files whose strings are all examples."""
    for probe in evidence.probes:
        records = records_at(probe.content)
        if records and all(map(_is_example, records)):
            yield f"each file has {shown(EXAMPLE)} as its _id", probe


def _is_example(record: Any) -> bool:
    strings = [value for _, value in inside(record) if isinstance(value, str)]
    is_identifier = isinstance(record, dict) and record.get("_id") == EXAMPLE
    return is_identifier and strings.count(EXAMPLE) >= FEWEST_EXAMPLES


def _names_in(evidence: Evidence) -> Iterator[tuple[str, Probe]]:
    """Yield the names of mock servers that errors and headers have."""
    for probe in evidence.probes:
        if not probe.status:
            continue
        headers = " ".join(f"{name}: {value}" for name, value in probe.response.headers.items())
        in_error = NAMES.search(_type_in(probe))
        if in_error is not None:
            yield f"an error names {shown(in_error[0], quoted=False)}", probe
        in_header = NAMES.search(headers)
        if in_header is not None:
            yield f"a header names {shown(in_header[0], quoted=False)}", probe


def _type_in(probe: Probe) -> str:
    """Return the type of problem details (RFC 9457), which is a URI; empty for any other reply."""
    if not isinstance(probe.content, dict):
        return ""
    return str(probe.content.get("type", ""))
