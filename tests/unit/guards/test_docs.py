"""The page about guards is complete."""

from __future__ import annotations

import re
from dataclasses import fields

from support.pages import PAGES, section
from wes_provider.guards import SegmentGuard


def test_every_option_of_a_guard_is_explained_and_templated():
    assert ".. autoclass:: wes_provider.guards.SegmentGuard\n" in section(PAGES["guards.md"], "Options")
    explained = re.findall(r"^ *:param (\w+):", SegmentGuard.__doc__ or "", re.MULTILINE)
    assert explained == [field.name for field in fields(SegmentGuard)] == list(SegmentGuard.template_fields)
