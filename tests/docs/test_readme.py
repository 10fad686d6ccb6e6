"""The README's commands stand alone."""

from __future__ import annotations

import pytest

from support.pages import README, section, snippets


@pytest.mark.parametrize("heading", ["Try it", "Run the tests"])
def test_the_section_is_one_command(heading: str):
    (block,) = snippets(section(README, heading))
    assert len(block.splitlines()) == 1
