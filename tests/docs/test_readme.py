"""The README's commands stand alone, and its links lead somewhere."""

from __future__ import annotations

import re

import pytest

from support.pages import README, ROOT, section, snippets


@pytest.mark.parametrize("heading", ["Try it", "Run the tests"])
def test_the_section_is_one_command(heading: str):
    (block,) = snippets(section(README, heading))
    assert len(block.splitlines()) == 1


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_the_link_leads_somewhere(target: str):
    assert (ROOT / target).exists()
