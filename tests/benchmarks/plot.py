"""
Draw the docs' plots from what the benchmarks measured.

``tox run -e plots`` draws ``docs/images/bench-*.svg`` from ``docs/figures/*.json``, which ``bench_waiting.py --json``
and ``bench_limits.py --json`` write. The same figures give the same files, byte for byte.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOCS = Path(__file__).parents[2] / "docs"
OURS, OTHERS, INK, GRID = "#2f6fab", "#b9c2cc", "#1f2933", "#e4e7eb"
STYLE = {
    "svg.hashsalt": "wes",  # or the identifiers in the file are others each time
    "svg.fonttype": "none",  # text stays text: small, sharp, searchable
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "legend.frameon": False,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.12,
}
Groups = dict[str, tuple[str, list[float]]]
"""By label: a colour, and a figure for each group of bars."""


def figures(name: str) -> Any:
    return json.loads((DOCS / "figures" / f"{name}.json").read_text())


def save(figure: Figure, name: str, title: str) -> None:
    path = DOCS / "images" / f"bench-{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None}, facecolor="white")  # to be read on dark pages, too
    path.write_text(path.read_text().replace("<metadata>", f"<title>{title}</title>\n <metadata>", 1))


def columns(axes: Axes, names: list[str], groups: Groups, form: str) -> None:
    """Bars that stand beside each other in groups, each with its figure."""
    axes.grid(visible=False, axis="x")
    for number, (label, (colour, values)) in enumerate(groups.items()):
        places = [place + (number - (len(groups) - 1) / 2) * 0.4 for place in range(len(names))]
        axes.bar_label(axes.bar(places, values, 0.37, label=label, color=colour), fmt=form, padding=2, fontsize=9)
    axes.set_xticks(range(len(names)), names)
    axes.margins(y=0.12)


def cost() -> None:
    rows = figures("waiting")["cost"]
    names = [f"{row['waits']:,} waits" for row in rows if row["who"] == "trigger"]

    def groups(key: str) -> Groups:
        return {
            label: (colour, [row[key] for row in rows if row["who"] == who])
            for who, label, colour in (
                ("trigger", "WesCouponFileTrigger", OURS),
                ("bare session", "a bare aiohttp session", OTHERS),
            )
        }

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.set_title("CPU, milliseconds a poll")
    columns(left, names, groups("cpu_ms"), "%.2f")
    right.set_title("Memory, KiB a wait")
    columns(right, names, groups("memory_kib"), "%.1f")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    save(figure, "cost", "What a wait costs a triggerer: CPU and memory, beside a bare aiohttp session")


def delay() -> None:
    rows = [row for row in figures("waiting")["delay"] if row["how"] == "clock counted"]

    def groups(ours: str, fixed: str) -> Groups:
        return {
            "this provider, poll_interval=60": (OURS, [row[ours] for row in rows]),
            "a poll every 60 seconds": (OTHERS, [row[fixed] for row in rows]),
        }

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    names = [row["processing"] for row in rows]
    left.set_title("Mean delay until the end is noticed, seconds")
    columns(left, names, groups("mean", "fixed_mean"), "%.1f")
    right.set_title("Requests")
    columns(right, names, groups("requests", "fixed_requests"), "%.0f")
    for axes in (left, right):
        axes.set_xlabel("time that the service takes to process the file")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    save(figure, "delay", "How late a wait notices the end, and how many requests it takes, beside a fixed poll")


def limits() -> None:
    plain = {"rounding": "ceil", "headers": "all", "window": "tightest", "date": True, "skew": 0, "limit": 5}
    rows = [row for row in figures("limits")["rows"] if plain.items() <= row.items()]
    names = list(dict.fromkeys(row["who"] for row in rows))
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    left.set_title("Time above the least, percent")
    right.set_title("Refusals (429)")
    for policy, shift, shade in (("fixed", -0.2, 1.0), ("rolling", 0.2, 0.6)):
        for place, name in enumerate(names):
            (row,) = (row for row in rows if (row["who"], row["policy"]) == (name, policy))
            style = {"height": 0.36, "color": OURS if "Wes" in name else OTHERS, "alpha": shade}
            if row["ratio"] is None:
                left.text(0, place + shift, f" only {row['accepted']:g} files uploaded", va="center", fontsize=9)
            else:
                bar = left.barh(place + shift, 100 * (row["ratio"] - 1), **style)
                left.bar_label(bar, fmt="%.2f", padding=3, fontsize=9)
            bar = right.barh(place + shift, row["refused"], label=f"{policy} windows" if place == 0 else None, **style)
            right.bar_label(bar, fmt="%.0f", padding=3, fontsize=9)
    for axes in (left, right):
        axes.grid(visible=False, axis="y")
        axes.margins(x=0.15)
    left.set_yticks(range(len(names)), [name.replace("`", "").replace(" of the ", " of\nthe ") for name in names])
    left.invert_yaxis()
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    save(figure, "limits", "Fifty files for one list that takes five a minute: how long, and how many refusals")


if __name__ == "__main__":
    with mpl.rc_context(STYLE):
        cost()
        delay()
        limits()
