"""The pages in docs/ are complete, and their Python runs; those of the emulator have tests of their own."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import bench_limits, bench_waiting
from support.pages import DOCS, PAGES, section, snippets
from wes_provider import connection_form, contract, exceptions, links, models, operators, polling, sensors, triggers
from wes_provider.client.settings import WesSettings
from wes_provider.hooks import WesHook


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
        wanted = getattr(WesSettings, name, None) if name != "data_center" else contract.DEFAULT_DATA_CENTER
        if isinstance(wanted, (str, int, float)):
            default = f"{wanted:g}" if isinstance(wanted, float) else str(wanted).lower()
            assert re.search(rf" Default:? {default}\.$", field["description"], re.IGNORECASE), name


def test_every_exception_has_a_cause_and_a_way_out():
    explained = rows(PAGES["errors.md"])
    names = {name for name in exceptions.__all__ if name.endswith("Error")}
    assert names == {name for name in explained if name.endswith("Error")}
    for name in names:
        permanent, cause, way_out, *_ = explained[name].rstrip(" |").split(" | ")
        assert cause
        assert way_out
        if not issubclass(getattr(exceptions, name), (exceptions.WesResponseError, exceptions.WesUnknownOutcomeError)):
            assert permanent == ("yes" if getattr(exceptions, name).permanent else "no"), name


def test_the_statuses_are_those_of_the_contract():
    listed = {
        meaning: set(re.findall(r"`(\w+)`", cells))
        for meaning, cells in re.findall(
            r"^\| (pending|success|failure) \| (.*) \|$", section(PAGES["unknowns.md"], "Statuses"), re.MULTILINE
        )
    }
    assert listed == {
        "pending": contract.PENDING_STATUSES,
        "success": contract.SUCCESS_STATUSES,
        "failure": contract.FAILURE_STATUSES,
    }


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


def test_statuses_are_given_as_the_docs_say():
    (extra,) = snippets(PAGES["unknowns.md"], "json")
    statuses = polling.Statuses.of(json.loads(extra)["coupon_file_statuses"])
    assert statuses.success == {"IMPORTED", "COMPLETED"}
    assert statuses.failure == {"FAILED", "EXPIRED"}
    assert "QUEUED" in statuses.pending


def test_benchmark_tables_are_what_was_measured():
    waiting, limits = measured("waiting"), measured("limits")
    assert bench_waiting.cost_table(waiting["cost"]) in PAGES["benchmarks-waiting.md"]
    assert bench_waiting.delay_table(waiting["delay"]) in PAGES["benchmarks-waiting.md"]
    assert bench_limits.table(limits["rows"]) in PAGES["limits.md"]


def test_plots_show_what_was_measured():
    """Otherwise draw them anew with ``tox run -e plots``."""
    waiting = measured("waiting")
    assert labels("bench-cost.svg") >= Counter(
        figure for row in waiting["cost"] for figure in (f"{row['cpu_ms']:.2f}", f"{row['memory_kib']:.1f}")
    )
    counted = [row for row in waiting["delay"] if row["how"] == "clock counted"]
    assert labels("bench-delay.svg") >= Counter(
        figure
        for row in counted
        for figure in (f"{row['mean']:.1f}", f"{row['requests']:.0f}", f"{row['fixed_mean']:.1f}")
    )
    plain = {"rounding": "ceil", "headers": "all", "window": "tightest", "date": True, "skew": 0, "limit": 5}
    shown = [row for row in measured("limits")["rows"] if plain.items() <= row.items()]
    assert labels("bench-limits.svg") >= Counter(
        [f"{100 * (row['ratio'] - 1):.2f}" for row in shown if row["ratio"]]
        + [f"{row['refused']:.0f}" for row in shown]
    )


def measured(name: str) -> Any:
    return json.loads((DOCS / "figures" / f"{name}.json").read_text())


def labels(image: str) -> Counter[str]:
    return Counter(re.findall(r">([^<>\n]+)</text>", (DOCS / "images" / image).read_text()))


def test_the_picture_of_the_modules_has_all_of_them_and_imports_run_upward():
    picture = (DOCS / "images/layout.svg").read_text()
    boxes = re.findall(r'<text x="(\d+)" y="(\d+)" text-anchor="middle">(\w+)<', picture)
    leaves = {name for x, _, name in boxes if x == "935"}
    layer = {name: int(y) for x, y, name in boxes if x != "935"}
    package = DOCS.parent / "wes_provider"
    small = {"clock", "catalog_records", "redaction"}  # helpers that the picture leaves out
    modules = {path.stem for path in package.glob("[a-z]*") if path.suffix in ("", ".py")}
    assert layer.keys() <= modules - small <= layer.keys() | leaves  # the rest does without the leaves
    for name, height in layer.items():
        for file in [*(package / name).glob("*.py"), *package.glob(f"{name}.py")]:
            source = file.read_text()
            names = " ".join(re.findall(r"^from wes_provider import (.*)$", source, re.MULTILINE))
            used = {*re.findall(r"^from wes_provider\.(\w+)", source, re.MULTILINE), *re.findall(r"\w+", names)}
            assert not used & leaves, file
            assert {other for other in used & layer.keys() if layer[other] > height} == set(), file


IMAGES = re.findall(r"!\[(.*?)\]\((\S+)\)", "\n".join(PAGES.values()), re.DOTALL)


@pytest.mark.parametrize(
    "search",
    [
        "bucket",
        "CI",
        "alert",
        "many lists",
        "HTTP tasks",
        "upgrade",
        "rotate",
        "WesUnknownOutcomeError",
        "durable execution",
    ],
)
def test_one_page_has_the_searched_word_in_its_title(search: str):
    titles = {page: text.splitlines()[0].removeprefix("# ") for page, text in PAGES.items() if page != "index.md"}
    assert len([page for page, title in titles.items() if re.search(rf"\b{search}\b", title, re.IGNORECASE)]) == 1


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
