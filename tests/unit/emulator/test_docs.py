"""The emulator's pages in the docs: their examples run, and they leave nothing out."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, NamedTuple

import pytest

from support.pages import PAGES, section, snippets
from wes_provider import contract
from wes_provider.contract import OPERATIONS
from wes_provider.emulator import Emulator, EmulatorControl, faults, openapi
from wes_provider.emulator.settings import Settings


class Example(NamedTuple):
    """
    A test that a user would copy.

    :ivar code: the lines of its block.
    :ivar run: the test.
    """

    code: str
    run: Callable[..., None]


def examples() -> Iterator[Example]:
    for code in snippets(PAGES["emulator.md"], "python"):
        defined: dict[str, Any] = {"__name__": "docs"}
        exec(compile(code, "emulator.md", "exec"), defined)
        found = [function for name, function in defined.items() if name.startswith("test_")]
        assert found, code
        yield from (Example(code, function) for function in found)


EXAMPLES = list(examples())
MARKED = [
    pytest.param(example, id=example.run.__name__, marks=getattr(example.run, "pytestmark", ()))
    for example in EXAMPLES
]
NAMES = [example.run.__name__ for example in EXAMPLES]


@pytest.mark.parametrize("example", MARKED)
def test_example_passes(example: Example, request: pytest.FixtureRequest) -> None:
    parameters = inspect.signature(example.run).parameters
    example.run(*map(request.getfixturevalue, parameters))


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_example_asserts_something(example: Example) -> None:
    (function,) = [
        node
        for node in ast.walk(ast.parse(example.code))
        if isinstance(node, ast.FunctionDef) and node.name == example.run.__name__
    ]
    assert any(isinstance(node, ast.Assert) for node in ast.walk(function))


FEWEST_WORDS = 4  # of an explanation


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_comment_above_a_setting_explains_it(name: str) -> None:
    """The reference is made of these comments."""
    source = inspect.getsource(Settings)
    (lines,) = re.findall(rf"((?:^    #: .*\n)+)    {name}: ", source, re.MULTILINE)
    assert len(re.findall(r"\w+", lines)) >= FEWEST_WORDS


@pytest.mark.parametrize("name", faults.Fault.__struct_fields__)
def test_docstring_of_a_fault_explains_its_field(name: str) -> None:
    text = inspect.cleandoc(str(faults.Fault.__doc__))
    (explanation,) = re.findall(rf"^:ivar {name}:(.*(?:\n    .*)*)", text, re.MULTILINE)
    assert len(re.findall(r"\w+", explanation)) >= FEWEST_WORDS


def test_every_action_is_a_method_or_on_the_page(wes_emulator: Emulator) -> None:
    with pytest.raises(ValueError, match="there are ") as refused:
        wes_emulator._control("nonsense")
    actions = str(refused.value).partition("there are ")[2].split(", ")
    assert len(actions) > 10
    others = {action for action in actions if not hasattr(EmulatorControl, action)}
    assert others <= set(
        re.findall(r"`(\w+)`", section(PAGES["emulator-reference.md"], "Control it over HTTP"))
    )


def test_the_openapi_description_has_the_contracts_operations_fields_and_currencies() -> None:
    description = openapi.describe()
    described = {
        (content["operationId"], method.upper(), path)
        for path, methods in description["paths"].items()
        for method, content in methods.items()
        if "operationId" in content
    }
    assert described == {(one.name, one.method, one.path) for one in OPERATIONS.values()}
    schemas = {
        name: one.get("properties", {})
        for name, one in description["components"]["schemas"].items()
    }
    assert set(schemas["Upload"]) == set(contract.UPLOAD_FIELDS)
    assert set(schemas["Catalog"]) == set(contract.CATALOG_FIELDS)
    assert set(schemas["SegmentUpdate"]) == set(contract.SEGMENT_FIELDS)
    assert set(schemas["Catalog"]["price_currency"]["enum"]) == set(contract.CURRENCIES)
