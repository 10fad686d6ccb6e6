"""The emulator's pages in the docs: their examples run, and they leave nothing out."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

from support.pages import PAGES, section, snippets
from wes_provider import contract
from wes_provider.contract import OPERATIONS
from wes_provider.emulator import Emulator, EmulatorControl, faults, openapi
from wes_provider.emulator.settings import Settings


def examples() -> Iterator[Any]:
    """The tests that a user would copy, with their markers."""
    for code in snippets(PAGES["emulator.md"], "python"):
        defined: dict[str, Any] = {"__name__": "docs"}
        exec(compile(code, "emulator.md", "exec"), defined)
        found = [function for name, function in defined.items() if name.startswith("test_")]
        assert found, code
        yield from (
            pytest.param(one, id=one.__name__, marks=getattr(one, "pytestmark", ()))
            for one in found
        )


@pytest.mark.parametrize("example", list(examples()))
def test_examples_run(example: Callable[..., None], request: pytest.FixtureRequest) -> None:
    example(*map(request.getfixturevalue, inspect.signature(example).parameters))


def test_every_setting_is_explained() -> None:
    """The reference is made of these comments and docstrings."""
    source = inspect.getsource(Settings)
    for name in (field.name for field in fields(Settings)):
        assert re.search(rf"(#: .*\n    {name}: |    {name}: .*  #: [\w`])", source), name
    assert [
        one
        for one in faults.Fault.__struct_fields__
        if f":ivar {one}:" not in str(faults.Fault.__doc__)
    ] == []


def test_every_action_is_a_method_or_named(wes_emulator: Emulator) -> None:
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
