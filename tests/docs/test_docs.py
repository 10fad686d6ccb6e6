"""
The pages in docs/ are complete, their links lead somewhere, and their Python runs; the emulator's
run elsewhere.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import bench_waiting
from support.pages import DOCS, PAGES, README, ROOT, section, snippets
from wes_provider import (
    connection_form,
    contract,
    coupon_files,
    exceptions,
    links,
    models,
    operators,
    sensors,
    triggers,
)
from wes_provider.hooks import WesHook

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

LONGEST = 250  # lines of a page
COLUMNS = 76  # of code
FENCED = re.MULTILINE | re.DOTALL
TASKS = [
    getattr(module, name)
    for module in (operators, sensors)
    for name in module.__all__
    if "Error" not in name
]
IMAGES = re.findall(r"!\[(.*?)\]\((\S+)\)", "\n".join([*PAGES.values(), README]), re.DOTALL)
SECTIONS = re.compile(r"(RFC\s+\d+,\s+)?\b[Ss]ections?\s+(\d[\d.]*(?:(?:,|\s+and)\s+\d[\d.]*)*)")
EXAMPLES = sorted((ROOT / "example_dags").glob("*.py"))


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What links to a page's headings end with, as on GitHub."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(text)
    }


def rows(text: str) -> dict[str, str]:
    """Table rows by each of the names in backticks in their first cell."""
    found = {}
    for line in re.findall(r"^\| (.*)$", text, re.MULTILINE):
        cell, _, rest = line.partition(" | ")
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", cell), rest)
    return found


def documented(*objects: Any) -> set[str]:
    """The arguments that docstrings explain."""
    return {
        name for one in objects for name in re.findall(r":param (\w+):", inspect.getdoc(one) or "")
    }


# -- pages, links, images


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        pytest.param(
            '    <span class="n">a</span> <span class="o">=</span> 1\n',
            '<span class="code-line" style="--indent: 4">    <span class="n">a</span> '
            '<span class="code-word"><span class="o">=</span></span> 1\n</span>',
            id="its-indentation-is-kept",
        ),
        pytest.param(
            "pip install tox-uv \\\n",
            '<span class="code-line" style="--indent: 0">pip install '
            '<span class="code-word">tox-uv \\</span>\n</span>',
            id="a-backslash-stays-with-its-word",
        ),
        pytest.param(
            "a.very.long.name.in.a.module.ForAClass &amp;\n",
            '<span class="code-line" style="--indent: 0"><span class="code-word first">'
            + '</span><wbr><span class="code-part">'.join(
                ['<span class="code-part">a.', "very.", "long.", "name.", "in.", "a.", "module."]
            )
            + '</span><wbr><span class="code-part">ForAClass</span></span> '
            '<span class="code-word">&amp;</span>\n</span>',
            id="a-long-word-has-places-to-break",
        ),
        pytest.param(
            "https://files.example.com/a/coupons.csv\n",
            '<span class="code-line" style="--indent: 0"><span class="code-word first">'
            + '</span><wbr><span class="code-part">'.join(
                [
                    '<span class="code-part">https://files.example.com/',
                    "a/",
                    "coupons.csv</span></span>\n</span>",
                ]
            ),
            id="an-address-breaks-behind-a-slash",
        ),
        pytest.param(
            "folder.of.coupons.for.all.shops.coupons.csv\n",
            '<span class="code-line" style="--indent: 0"><span class="code-word first">'
            + '</span><wbr><span class="code-part">'.join(
                ['<span class="code-part">folder.', "of.", "coupons.", "for.", "all.", "shops."]
            )
            + '</span><wbr><span class="code-part">coupons.csv</span></span>\n</span>',
            id="the-end-of-a-files-name-stays-with-it",
        ),
        pytest.param(
            "export AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS=True\n",
            '<span class="code-line" style="--indent: 0">export '
            '<span class="code-word">'
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS=True</span>\n</span>",
            id="an-assignment-stays-whole",
        ),
    ],
)
def test_a_line_of_code_wraps_between_words(
    line: str, marked: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(DOCS / "extensions")
    assert importlib.import_module("code_lines").marked_line(line) == marked


def test_pages_are_short_and_none_repeats_a_heading_or_another_ones_title():
    titles = Counter(headings(text)[0] for text in PAGES.values())
    for page, text in PAGES.items():
        assert len(prose(text).splitlines()) <= LONGEST, page
        repeated = Counter(headings(text)) + Counter(title for title in titles if titles[title] > 1)
        assert [heading for heading, times in repeated.items() if times > 1] == [], page


def test_to_try_it_and_to_test_it_are_one_command_each():
    for heading in ("Try it", "Run the tests"):
        (block,) = snippets(section(README, heading))
        assert len(block.replace("\\\n", "").splitlines()) == 1


def test_links_of_the_readme_lead_somewhere():
    """Those of the pages are checked when the pages are built."""
    for link in re.findall(r"\]\(([^)\s:]+)\)", prose(README)):
        path, _, anchor = link.partition("#")
        target = ROOT / (path or "README.md")
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def test_every_image_is_shown_and_described():
    assert {path.removeprefix("docs/") for _, path in IMAGES} == {
        f"images/{image.name}" for image in (DOCS / "images").iterdir()
    }
    assert all(len(description) > 20 for description, _ in IMAGES)


def test_the_landing_page_shows_the_readmes_dag_picture_and_command():
    for heading in ("A DAG", "Try it"):
        for block in snippets(section(README, heading)):
            assert block in PAGES["index.md"]
    assert "images/landing.png" in PAGES["index.md"] + README


def test_the_pages_load_the_search_as_you_type():
    """The docs build also checks that Sphinx's index has what it reads."""
    conf = (DOCS / "conf.py").read_text()
    assert '("search-as-you-type.js"' in conf
    assert '"typed_search"' in conf
    script = (DOCS / "_static" / "search-as-you-type.js").read_text()
    assert {"combobox", "listbox", "option", "status"} <= set(
        re.findall(r'"role", "(\w+)"', script)
    )
    keys = ("ArrowDown", "ArrowUp", "Enter", "Escape")
    assert [key for key in keys if key not in script] == []
    assert re.findall(r"https?:", script) == []


def test_no_code_is_wider_than_a_pages_column():
    """The docs build also counts what it includes and generates."""
    wide = [
        (page, line)
        for page, text in {**PAGES, "README.md": README}.items()
        for language, block in re.findall(r"^ *```(.*?)\n(.*?)^ *```$", text, FENCED)
        for line in textwrap.dedent(block).splitlines()
        if not language.startswith("{") and len(line) > COLUMNS
    ]
    assert wide == []


def test_the_page_of_the_contract_has_its_sections_and_limits():
    page = PAGES["contract.md"]
    numbers = [number for heading in headings(page) for number in re.findall(r"^[\d.]*\d", heading)]
    assert [number for number in numbers if "." not in number] == list("123456789")
    limits = section(page, "8. Limits")
    minute, day = contract.OPERATIONS["upload_coupon_file"].limits
    assert f"{minute.requests} files a minute and {day.requests} files a day" in limits


def test_each_section_of_the_contract_that_the_code_names_is_on_its_page():
    named = {
        (number, path.name)
        for path in (ROOT / "wes_provider").rglob("*.py")
        for rfc, listed in SECTIONS.findall(path.read_text())
        for number in re.findall(r"\d+(?:\.\d+)*", listed)
        if not rfc
    }
    numbers = {heading.split(" ")[0].rstrip(".") for heading in headings(PAGES["contract.md"])}
    assert sorted((number, name) for number, name in named if number not in numbers) == []
    assert len({number for number, _ in named}) > 8


# -- what a user may write


@pytest.mark.parametrize("cls", TASKS, ids=lambda cls: cls.__name__)
def test_every_argument_of_an_operator_is_explained_beside_its_example(cls: type):
    assert re.search(
        rf"autoclass:: .*\.{cls.__name__}$",
        section(PAGES["operators.md"], cls.__name__),
        re.MULTILINE,
    )
    bases = [
        base
        for base in cls.__mro__
        if base.__module__.startswith("wes_provider.") and "__init__" in vars(base)
    ]
    parameters = [p for base in bases for p in inspect.signature(base.__init__).parameters.values()]
    assert {p.name for p in parameters if p.kind is p.KEYWORD_ONLY} <= documented(
        *bases, *cls.__mro__
    )


def test_every_public_class_and_function_is_in_the_reference_and_explains_its_arguments():
    for one in (links.WesConsoleLink, coupon_files.Statuses):
        assert one.__name__ in PAGES["api.md"] + PAGES["operators.md"]
    for one in (
        triggers.WesCouponFileTrigger,
        triggers.WesCouponListTrigger,
        WesHook,
        models.CatalogAttribute,
        models.all_of,
        models.user_attribute,
    ):
        assert re.search(
            rf"\b({one.__name__}|{one.__module__})\b", PAGES["api.md"] + PAGES["operators.md"]
        ), one
        parameters = inspect.signature(one).parameters.values()
        assert {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} <= documented(
            *inspect.getmro(one) if isinstance(one, type) else [one]
        )


def test_every_method_of_the_hook_is_in_the_reference():
    page = section(PAGES["api.md"], "Hook")
    assert ".. autoclass:: wes_provider.hooks.WesHook" in page
    left_out = re.findall(r"\w+", re.findall(r":exclude-members: (.*)", page)[0])
    methods = {
        name
        for name, method in vars(WesHook).items()
        if inspect.isfunction(method) and name[0] != "_"
    }
    for method in (getattr(WesHook, name) for name in methods.difference(left_out)):
        assert {*inspect.signature(method).parameters} - {"self"} == documented(method), method


def test_every_field_of_the_connection_is_explained():
    explained = rows(PAGES["connection.md"])
    for name in connection_form.LABELS.keys() - connection_form.FIELDS - {"extra"}:
        assert connection_form.LABELS[name] in explained[name].split(" | ")[0].split(", "), name
    assert "```{connection-extras}" in PAGES["connection.md"]


def test_every_exception_is_on_the_page_about_red_tasks():
    names = {name for name in exceptions.__all__ if name.endswith("Error")}
    assert {name for name in names if name not in PAGES["red-task.md"]} == set()


def test_every_metric_is_listed():
    listed = set(re.findall(r"`wes\.(\w+)", PAGES["assets.md"]))
    assert listed == {"requests", "retries", "rate_limits", "unknown_outcomes", "waits", "coupons"}


def test_the_statuses_are_those_of_the_contract():
    table = section(PAGES["promises.md"], "Statuses")
    found = dict(re.findall(r"^\| (pending|success|failure) \| (.*) \|$", table, re.MULTILINE))
    assert {meaning: set(re.findall(r"`(\w+)`", cells)) for meaning, cells in found.items()} == {
        "pending": contract.PENDING_STATUSES,
        "success": contract.SUCCESS_STATUSES,
        "failure": contract.FAILURE_STATUSES,
    }
    (extra,) = snippets(table, "json")
    statuses = coupon_files.Statuses.of(json.loads(extra)["coupon_file_statuses"])
    assert statuses.success == {"IMPORTED", "COMPLETED"}
    assert "QUEUED" in statuses.pending


def test_all_ways_to_give_a_connection_mean_the_same(monkeypatch: pytest.MonkeyPatch):
    _command, *environment = snippets(PAGES["connection.md"], "bash")
    found = []
    whole = "\n".join(environment).replace("'\\\n'", "")  # strings that the shell joins
    for text in re.findall(
        r"^export AIRFLOW_CONN_WES_DEFAULT='(.*?)'$", whole, re.MULTILINE | re.DOTALL
    ):
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", text)
        found.append(WesHook().settings)
    (of_kubernetes,) = snippets(PAGES["kubernetes.md"], "json")
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", of_kubernetes)
    json_, uri = found
    assert json_ == uri == WesHook().settings
    assert (uri.base_url, uri.workspace_id) == ("https://api-01.example.com", "WORKSPACE")
    assert (uri.api_key, uri.data_api_key) == ("CAMPAIGN_API_KEY", "DATA_API_KEY")


def test_the_coupon_files_on_their_page_pass_the_checks(tmp_path: Path):
    pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")
    from wes_provider.storage import Preflight
    from wes_provider.storage.content import check_content

    found = {}
    for block in snippets(PAGES["coupon-file.md"], "text"):
        path = tmp_path / "codes"
        path.write_text(block)
        content = check_content(path, Preflight().rules(), gzipped=False)
        found[content.counts.codes] = content.problems
    assert found == {3: [], 2: []}


# -- code and figures


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, id=f"{page}-{number}")
        for page in PAGES
        if page != "emulator.md"
        for number, code in enumerate(snippets(PAGES[page], "python"), 1)
    ],
)
def test_python_in_the_docs_runs(code: str):
    for leaf in re.findall(r"from (wes_provider\.(?:guards|storage)) import", code):
        pytest.importorskip(leaf)
    exec(compile(code, "docs", "exec"), {"__name__": "docs"})


def test_the_file_of_a_days_codes_has_a_code_in_each_line_and_no_carriage_return(
    mocker: MockerFixture, tmp_path: Path
):
    (dag,) = snippets(
        section(PAGES["from-a-database.md"], "If you may only read the table"), "python"
    )
    bucket = '"s3://aws_default@promo"'
    assert bucket in dag
    defined: dict[str, Any] = {"__name__": "docs"}
    exec(compile(dag.replace(bucket, f'"file://{tmp_path}"'), "docs", "exec"), defined)
    connection = mocker.patch.object(defined["BaseHook"], "get_connection", autospec=True)
    hook = connection.return_value.get_hook.return_value
    hook.placeholder, hook.get_records.return_value = "?", [("A-1",), ("B,2",)]
    (tmp_path / "from-database").mkdir()
    defined["write"].function("2026-11-25")
    file = tmp_path / "from-database" / "2026-11-25.csv"
    assert file.read_bytes() == b'coupon\nA-1\n"B,2"\n'


def test_benchmark_tables_are_what_was_measured():
    measured = json.loads((DOCS / "figures" / "waiting.json").read_text())
    assert bench_waiting.cost_table(measured["cost"]) in PAGES["benchmarks.md"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_no_example_takes_a_url_as_a_parameter(example: Path):
    """Airflow shows a run's parameters in clear, and a URL may be signed."""
    source = example.read_text()
    params = "".join(
        re.findall(r"\bparams=\{.*?\}", source, re.DOTALL)
        + re.findall(r"\{\{ *params\.\w+", source)
    )
    assert not re.search(r"url|://", params, re.IGNORECASE)
