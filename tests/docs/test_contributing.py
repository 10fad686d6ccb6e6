"""The changes that the contributors' guide shows as examples apply to the code as it is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.pages import ROOT

GUIDE = (ROOT / ".github" / "CONTRIBUTING.md").read_text()
EXAMPLES = sorted((ROOT / ".github" / "examples").glob("*.patch"))

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="a source distribution has no repository"
)


def copy_of_the_tree(folder: Path) -> Path:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def apply(example: Path, tree: Path) -> None:
    """Apply a patch; lines nearby may have changed: one line around a change has to match."""
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    subprocess.run(["git", "apply", "-C1", str(example)], cwd=tree, check=True)


def test_the_guide_shows_each_example():
    assert len(EXAMPLES) == 4
    for example in EXAMPLES:
        assert f"](examples/{example.name})" in GUIDE


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_an_example_applies_to_the_tree_as_it_is(example: Path, tmp_path: Path):
    tree = copy_of_the_tree(tmp_path)
    apply(example, tree)


@pytest.mark.weekly("that the examples apply is tested for each change")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_the_tests_that_an_example_brings_pass(example: Path, tmp_path: Path):
    tree = copy_of_the_tree(tmp_path)
    apply(example, tree)
    change = example.read_text()
    files = re.findall(r"^\+\+\+ b/(tests/unit/\S+\.py)$", change, re.MULTILINE)
    assert files, "it brings a test, or a row of one"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *files],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
    )
