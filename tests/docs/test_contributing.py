"""The changes that the contributors' guide shows as examples apply to the code as it is."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support.pages import ROOT, section, snippets

GUIDE = (ROOT / ".github" / "CONTRIBUTING.md").read_text()
CHANGES = snippets(section(GUIDE, "A change, as an example"), "diff")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a source distribution has no repository")
@pytest.mark.parametrize("number", range(1))
def test_an_example_of_a_change_applies_and_touches_few_places(number: int, tmp_path: Path):
    change = CHANGES[number]
    patch = tmp_path / "change.diff"
    patch.write_text(change)
    subprocess.run(["git", "apply", "--check", str(patch)], cwd=ROOT, check=True)
    touched = re.findall(r"^\+\+\+ b/(.*)$", change, re.MULTILINE)
    assert len([path for path in touched if path.startswith("wes_provider/")]) <= 3
    assert len([path for path in touched if path.startswith("tests/")]) == 1
