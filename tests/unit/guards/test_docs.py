"""The page about guards is complete."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from support.pages import PAGES, section
from wes_provider.guards import SegmentGuard

EXPLAINED = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section(PAGES["guards.md"], "Options"), re.MULTILINE))


@pytest.mark.parametrize("field", fields(SegmentGuard), ids=lambda field: field.name)
def test_every_option_of_a_guard_is_explained_with_its_default(field: Any):
    shown = "none" if field.default is None else str(field.default)
    assert EXPLAINED[field.name].strip("`") == shown
    assert re.search(rf":param {field.name}:", SegmentGuard.__doc__ or "")


def test_no_other_options_are_explained():
    assert set(EXPLAINED) == {field.name for field in fields(SegmentGuard)}
    assert set(SegmentGuard.template_fields) == set(EXPLAINED)
