"""The pages in docs/ are complete, and their Python runs; those of the emulator have tests of their own."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.pages import DOCS, PAGES, section, snippets
from wes_provider import connection_form, contract, exceptions, links, models, operators, polling, sensors, triggers
from wes_provider.hooks import WesHook
from wes_provider.settings import WesSettings


def rows(text: str) -> dict[str, str]:
    """Table rows by each of the names in backticks in their first cell."""
    found = {}
    for line in re.findall(r"^\| (.*)$", text, re.MULTILINE):
        cell, _, rest = line.partition(" | ")
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", cell), rest)
    return found


def documented(*objects: Any) -> set[str]:
    """The arguments that docstrings explain."""
    return {name for one in objects for name in re.findall(r":param (\w+):", inspect.getdoc(one) or "")}


TASKS = [getattr(module, name) for module in (operators, sensors) for name in module.__all__ if "Error" not in name]


@pytest.mark.parametrize("cls", TASKS, ids=lambda cls: cls.__name__)
def test_every_argument_of_an_operator_is_explained_beside_its_example(cls: type):
    assert re.search(rf"autoclass:: .*\.{cls.__name__}$", section(PAGES["operators.md"], cls.__name__), re.MULTILINE)
    bases = [base for base in cls.__mro__ if base.__module__.startswith("wes_provider.") and "__init__" in vars(base)]
    parameters = [p for base in bases for p in inspect.signature(base.__init__).parameters.values()]
    assert {p.name for p in parameters if p.kind is p.KEYWORD_ONLY} <= documented(*bases)


@pytest.mark.parametrize(
    "cls",
    [*TASKS, triggers.WesCouponFileTrigger, WesHook, models.CatalogAttribute, links.WesConsoleLink, polling.Statuses],
    ids=lambda cls: cls.__name__,
)
def test_every_public_class_is_in_the_reference_and_explains_its_arguments(cls: type):
    assert re.search(rf"\b{cls.__name__}\b", PAGES["api.md"] + PAGES["operators.md"])
    if cls not in (links.WesConsoleLink, polling.Statuses):
        _self, *parameters = inspect.signature(cls.__init__).parameters.values()
        assert {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} <= documented(*cls.__mro__)


@pytest.mark.parametrize("function", [models.all_of, models.user_attribute, models.CatalogAttribute])
def test_every_option_of_a_model_is_explained(function: Any):
    assert set(inspect.signature(function).parameters) == documented(function)


def test_every_method_of_the_hook_explains_its_arguments_and_its_result():
    assert ".. autoclass:: wes_provider.hooks.WesHook" in section(PAGES["operators.md"], "Without an operator")
    for name, method in vars(WesHook).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            assert {*inspect.signature(method).parameters} - {"self"} == documented(method), name
            assert ":return:" in method.__doc__ or name in ("get_conn", "recording"), name


def test_every_field_of_the_connection_is_explained_with_its_default():
    explained = rows(PAGES["connection.md"])
    for name in connection_form.LABELS.keys() - connection_form.FIELDS - {"extra"}:
        assert connection_form.LABELS[name] in explained[name].split(" | ")[0].split(", "), name
    assert "```{connection-extras}" in PAGES["connection.md"]
    for name, field in connection_form.FIELDS.items():
        wanted = getattr(WesSettings("", "", "", ""), name, None)
        wanted = contract.DEFAULT_DATA_CENTER if name == "data_center" else wanted
        if wanted != "" and isinstance(wanted, (str, int, float)):
            default = f"{wanted:g}" if isinstance(wanted, float) else str(wanted).lower()
            assert re.search(rf" Default:? {default}\.$", field["description"], re.IGNORECASE), name


def test_every_exception_is_on_the_page_of_red_tasks():
    names = {name for name in exceptions.__all__ if name.endswith("Error")} - {"WesError", "WesResponseError"}
    assert {name for name in names if f"`{name}`" not in PAGES["red-task.md"]} == set()


def test_the_statuses_are_those_of_the_contract():
    pages = "\n".join(PAGES.values())
    for statuses in (contract.PENDING_STATUSES, contract.SUCCESS_STATUSES, contract.FAILURE_STATUSES):
        assert {status for status in statuses if status not in pages} == set()


SNIPPETS = [
    pytest.param(code, id=f"{page}-{number}")
    for page in PAGES
    if page != "emulator.md"
    for number, code in enumerate(snippets(PAGES[page], "python"), 1)
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_python_in_the_docs_runs(code: str):
    exec(compile(code, "docs", "exec"), {"__name__": "docs"})


def test_all_ways_to_give_a_connection_mean_the_same(monkeypatch: pytest.MonkeyPatch):
    _command, environment = snippets(PAGES["connection.md"], "bash")
    found = []
    for text in re.findall(r"^export AIRFLOW_CONN_WES_DEFAULT='(.*?)'$", environment, re.MULTILINE | re.DOTALL):
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", text)
        found.append(WesHook().settings)
    json_, uri = found
    assert json_ == uri
    assert (uri.base_url, uri.workspace_id) == ("https://api-02.example.com", "WORKSPACE")
    assert (uri.api_key, uri.data_api_key) == ("CAMPAIGN_API_KEY", "DATA_API_KEY")


def test_the_command_that_adds_a_connection_is_the_readmes():
    """Which has a test of its own."""
    command, _environment = snippets(PAGES["connection.md"], "bash")
    assert words(command) in words((DOCS.parent / "README.md").read_text())


def words(text: str) -> str:
    return " ".join(text.replace("\\\n", " ").split())


IMAGES = re.findall(r"!\[(.*?)\]\((\S+)\)", "\n".join(PAGES.values()), re.DOTALL)


def test_no_page_is_too_long_to_read():
    assert {page: lines for page, text in PAGES.items() if (lines := text.count("\n")) > 310} == {}


def test_every_page_is_listed_once():
    listed = Counter(
        line
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```$", PAGES["index.md"], re.M | re.S)
        for line in block.splitlines()
        if re.fullmatch(r"[\w-]+", line)
    )
    assert listed == Counter(page.removesuffix(".md") for page in PAGES if page != "index.md")


def test_every_image_is_shown_and_described():
    assert {path for _, path in IMAGES} == {f"images/{image.name}" for image in (DOCS / "images").iterdir()}
    assert all(len(description) > 20 for description, _ in IMAGES)


def test_links_to_other_sites_are_well_formed():
    """Whether they lead somewhere cannot be tried without a network; those within the docs Sphinx follows."""
    texts = [*PAGES.values(), (DOCS.parent / "README.md").read_text()]
    links = {link for text in texts for link in re.findall(r"\]\((\w+:[^)]*)\)", text)}
    assert {link for link in links if not re.fullmatch(r"https://[\w.-]+\.[a-z]+/[\w./#%-]*", link)} == set()


def test_included_parts_of_examples_are_there():
    for page, text in PAGES.items():
        for path, start, end in re.findall(
            r'^```\{literalinclude\} (\S+)\n.*?:start-after: "(.*?)"\n:end-before: "(.*?)"',
            text,
            re.MULTILINE | re.DOTALL,
        ):
            source = (DOCS / path).read_text()
            assert source.count(start) == source.count(end) == 1, f"{page}: {path} {start}"


@pytest.mark.parametrize("example", sorted((DOCS.parent / "example_dags").glob("*.py")), ids=lambda path: path.stem)
def test_no_example_takes_a_url_as_a_parameter(example: Path):
    """Airflow shows a run's parameters in clear, and a URL may be signed."""
    source = example.read_text()
    params = "".join(re.findall(r"\bparams=\{.*?\}", source, re.DOTALL) + re.findall(r"\{\{ *params\.\w+", source))
    assert not re.search(r"url|://", params, re.IGNORECASE)
