"""Names that make an upload's file recognisable, whatever the service does to them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.uploads.identity import GivenName, TaskIdentity, is_ours, parse

STARTED = datetime(2026, 1, 1, tzinfo=timezone.utc)
CSV = "https://files.example.com/a.csv"
FILE = "f11ef1"


def identity(**changes: Any) -> TaskIdentity:
    loop = changes.pop("loop", None)
    run = SimpleNamespace(start_date=changes.pop("started", STARTED), clear_number=changes.pop("clear_number", 0))
    fields = {"dag_id": "shop", "task_id": "replenish", "run_id": "nightly", "map_index": -1, **changes}
    ti = SimpleNamespace(**{"max_tries": 3, **fields})
    context = {"ti": ti, "dag_run": run, "task": SimpleNamespace(retries=3)}
    return TaskIdentity.of(context | ({"loop": loop} if loop else {}))


_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)
_instances = st.fixed_dictionaries(
    {"dag_id": _texts, "task_id": _texts, "run_id": _texts, "map_index": st.integers(-1)}
)


@given(_instances, st.text(max_size=20), st.integers(0, 9999), st.text(max_size=50))
def test_a_name_is_short_of_safe_characters_and_recognised(
    instance: dict[str, Any], part: str, generation: int, path: str
):
    one = identity(**instance)
    name = one.name(part, generation, f"https://files.example.com/{path.encode('utf-8', 'replace')!r}", FILE)
    assert len(name) <= 60
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
    assert parse(one.hash(part), name) == GivenName(generation, one.mark, FILE)
    assert is_ours(name)


@given(_instances, _instances, st.text(max_size=5), st.text(max_size=5))
def test_hashes_are_the_same_only_for_the_same_upload(
    one: dict[str, Any], other: dict[str, Any], part: str, another: str
):
    same = identity(**one).hash(part) == identity(**other).hash(another)
    assert same is ((one, part) == (other, another))


@pytest.mark.parametrize(
    "rewrite",
    [
        str,
        str.lower,
        str.upper,
        lambda name: name[:64],
        lambda name: name[:40],
        lambda name: name.rpartition(".")[0],
        lambda name: name.replace("-", "_"),
        lambda name: f"uploads/2026/{name}",
        lambda name: f" {name} ",
    ],
    ids=["kept", "lower", "upper", "cut to 64", "cut to 40", "no extension", "other separators", "folder", "spaces"],
)
def test_a_rewritten_name_is_recognised(rewrite: Any):
    one = identity()
    assert parse(one.hash(""), rewrite(one.name("", 12, CSV, FILE))) == GivenName(12, one.mark, FILE)


@pytest.mark.parametrize("length", [27, 30, 33])
def test_a_name_cut_within_the_digest_of_its_file_is_recognised_without_it(length: int):
    one = identity()
    assert parse(one.hash(""), one.name("", 12, CSV, FILE)[:length]) == GivenName(12, one.mark)


@pytest.mark.parametrize("length", [8, 16, 17, 18, 19, 21])
def test_a_name_cut_within_its_facts_is_recognised_without_them(length: int):
    one = identity()
    assert parse(one.hash(""), one.name("", 12, CSV, FILE)[:length]) == GivenName(-1, "")


def test_a_name_cut_to_next_to_nothing_or_another_is_none():
    one, other = identity(), identity(run_id="other")
    assert parse(one.hash(""), one.name("", 1, CSV, FILE)[:7]) is None
    assert parse(one.hash(""), other.name("", 1, CSV, FILE)) is None
    assert parse(one.hash(""), "coupons.csv") is None


def test_a_run_that_was_deleted_and_created_again_has_another_mark():
    assert identity().mark == identity().mark
    assert identity().mark != identity(started=STARTED + timedelta(seconds=1)).mark
    assert identity().hash("") == identity(started=STARTED + timedelta(days=1)).hash("")


def test_iterations_of_a_loop_differ_and_a_replaced_one_has_another_mark():
    def iteration(index: int, region: str) -> TaskIdentity:
        return identity(loop=SimpleNamespace(index=index), region_id=region, region_index=index)

    assert iteration(0, "a").hash("") != iteration(1, "a").hash("")
    assert iteration(0, "a").hash("") != identity().hash("")
    assert iteration(1, "a").hash("") == iteration(1, "b").hash("")
    assert iteration(1, "a").mark != iteration(1, "b").mark


@pytest.mark.parametrize(
    ("clear_number", "max_tries", "cleared"), [(0, 3, False), (2, 3, True), (None, 3, None), (0, 5, None)]
)
def test_whether_the_run_was_cleared_is_what_airflow_reports(
    clear_number: int | None, max_tries: int, cleared: bool | None
):
    assert identity(clear_number=clear_number, max_tries=max_tries).run_cleared is cleared


@pytest.mark.parametrize(
    ("path", "suffix"),
    [
        ("a.csv", ".csv"),
        ("a.csv.gz", ".gz"),
        ("a.tar%20x", ""),
        ("a", ""),
        ("a.", ""),
        ("a.csv?x=.zip", ".csv"),
        ("", ""),
    ],
)
def test_a_name_ends_as_its_url_does(path: str, suffix: str):
    name = identity(run_id="run/1").name("", 2, f"https://files.example.com/{path}", FILE)
    assert name.endswith(f"-shop.replenish{suffix}")
    long = identity(dag_id="shop" * 20).name("", 2, f"https://files.example.com/{path}", FILE)
    assert len(long) == 60
    assert long.endswith(suffix)
