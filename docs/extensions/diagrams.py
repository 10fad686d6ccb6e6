"""
Diagrams made of text in the pages: ``flow``, ``sequence`` and ``timeline``.

Each becomes an SVG within the page. It has the text's colour, so it suits a
light and a dark page, and it is as wide as a telephone's screen.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final, NamedTuple

from docutils import nodes
from docutils.parsers.rst import Directive

WIDTH: Final = 356
LINE: Final = 15  # height of a line of text
LETTER: Final = 6.1  # average width of a letter
PAD: Final = 9
GAP: Final = 12  # between boxes of a row
ARROW: Final = 30  # between rows, for an arrow without a label


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_directive("flow", Flow)
    app.add_directive("sequence", Sequence)
    app.add_directive("timeline", Timeline)


class Diagram(Directive):
    """A figure, whose caption is the directive's argument."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        caption = " ".join(self.arguments[0].split())
        parts, height = self.draw(list(filter(None, self.content)))
        html = (
            '<figure class="diagram">'
            f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
            f'aria-label="{escape(caption)}">'
            # A space between texts, for whoever reads them without lines.
            f"{' '.join(parts)}</svg>"
            # A line's end, for the search, which joins texts.
            f"<figcaption>{escape(caption)}</figcaption></figure>\n"
        )
        return [nodes.raw("", html, format="html")]

    def draw(self, lines: list[str]) -> tuple[list[str], float]:
        """Return the SVG's elements, and its height."""
        raise NotImplementedError


# -- parts


def wrapped(text: str, width: float) -> list[str]:
    """The text in lines that fit into the width."""
    return textwrap.wrap(text, max(6, int(width / LETTER))) or [""]


def words(
    text: str, x: float, top: float, width: float, kind: str = ""
) -> str:
    """Text in lines around ``x``, from ``top`` on."""
    spans = []
    for number, line in enumerate(wrapped(text, width)):
        y = top + LINE * (number + 0.8)
        if kind == "label":  # hides the arrow that it stands on
            half = len(line) * LETTER / 2
            spans.append(
                f'<rect x="{x - half:.1f}" y="{y - LINE * 0.8:.1f}" '
                f'width="{2 * half:.1f}" height="{LINE}" class="behind"/>'
            )
        spans.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">'
            f"{escape(line)}</text>"
        )
    return " ".join(spans)


def arrow(
    *points: tuple[float, float], kind: str = "", both: bool = False
) -> str:
    """A line through the points, with a tip at its end, or at both."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    tips = _tip(points[-2], points[-1])
    if both:
        tips += _tip(points[1], points[0])
    return f'<polyline points="{path}" class="{kind}"/>{tips}'


def _tip(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x0, y0), (x, y) = start, end
    dx, dy = _sign(x - x0), _sign(y - y0)
    corners = [
        (x, y),
        (x - 6 * dx - 3.5 * dy, y - 6 * dy - 3.5 * dx),
        (x - 6 * dx + 3.5 * dy, y - 6 * dy + 3.5 * dx),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polygon points="{points}"/>'


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


# -- a flow

RADIUS: Final = {"[": 4, "(": 14}
"""Of a box's corners, by its kind."""


@dataclass
class Box:
    """
    A box of a flow.

    :param kind: ``[`` for a thing, ``(`` for what decides.
    """

    kind: str
    text: str
    row: int
    left: float = 0
    width: float = 0
    top: float = 0
    height: float = 0

    @property
    def corner(self) -> float:
        """How far an arrow keeps away from its left and right edge."""
        return RADIUS[self.kind] + 4

    @property
    def middle(self) -> float:
        """The x of its centre."""
        return self.left + self.width / 2

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return self.top + self.height


class Edge(NamedTuple):
    """An arrow between boxes."""

    start: str
    end: str
    label: str
    both: bool


def _room(edge: Edge, boxes: dict[str, Box]) -> float:
    """Width of an arrow's label: that of its narrower box."""
    return min(boxes[edge.start].width, boxes[edge.end].width)


class Flow(Diagram):
    """
    Boxes in rows, and arrows between them.

    ``[name] text | (name) text`` is a row, ``name -> name: label`` an
    arrow, and ``name <-> name: label`` an arrow with two tips.
    """

    def draw(self, lines: list[str]) -> tuple[list[str], float]:
        """Return the SVG's elements, and its height."""
        rows: list[list[Box]] = []
        boxes: dict[str, Box] = {}
        edges: list[Edge] = []
        for line in lines:
            if found := re.fullmatch(
                r"(\w+) (<?)-> (\w+)(?:: (.*))?", line
            ):
                start, both, end, label = found.groups()
                edges.append(Edge(start, end, label or "", bool(both)))
                continue
            row = []
            for cell in line.split(" | "):
                kind, name, text = re.fullmatch(  # type: ignore
                    r"([\[(])(\w+)[\])] (.*)", cell.strip()
                ).groups()
                boxes[name] = Box(kind, text, len(rows))
                row.append(boxes[name])
            rows.append(row)
        upward = any(boxes[e.end].row < boxes[e.start].row for e in edges)
        right = WIDTH - (14 if upward else 1)
        height = self._place(rows, boxes, edges, right)
        if upward:
            height += 10
        parts = [self._box(box) for box in boxes.values()]
        parts += [self._edge(edge, boxes, right) for edge in edges]
        labels = [self._label(edge, boxes) for edge in edges]
        return parts + labels, height

    @staticmethod
    def _place(
        rows: list[list[Box]],
        boxes: dict[str, Box],
        edges: list[Edge],
        right: float,
    ) -> float:
        top = 1.0
        for number, row in enumerate(rows):
            width = (right - 1 - GAP * (len(row) - 1)) / len(row)
            for place, box in enumerate(row):
                box.left = 1 + place * (width + GAP)
                box.width = width
            labels = [
                len(wrapped(edge.label, _room(edge, boxes)))
                for edge in edges
                if edge.label
                and boxes[edge.end].row == number
                and boxes[edge.start].row < number
            ]
            if number:
                top += ARROW + LINE * max(labels, default=0)
            lines = max(
                len(wrapped(box.text, width - 2 * PAD)) for box in row
            )
            for box in row:
                box.top = top
                box.height = lines * LINE + 2 * PAD - 3
            top += row[0].height
        return top + 1

    @staticmethod
    def _box(box: Box) -> str:
        kind = "decision" if box.kind == "(" else "box"
        lines = wrapped(box.text, box.width - 2 * PAD)
        top = box.top + (box.height - LINE * len(lines)) / 2
        return (
            f'<rect x="{box.left:.1f}" y="{box.top:.1f}" '
            f'width="{box.width:.1f}" height="{box.height:.1f}" '
            f'rx="{RADIUS[box.kind]}" class="{kind}"/>'
            + words(box.text, box.middle, top, box.width - 2 * PAD)
        )

    def _edge(self, edge: Edge, boxes: dict[str, Box], right: float) -> str:
        start, end = boxes[edge.start], boxes[edge.end]
        if end.row == start.row:
            y = start.top + start.height / 2
            if end.left > start.left:
                return arrow((start.left + start.width, y), (end.left, y))
            return arrow((start.left, y), (end.left + end.width, y))
        if end.row < start.row:
            y0, y1 = start.bottom + 8, end.top + end.height / 2
            return arrow(
                (start.middle, start.bottom),
                (start.middle, y0),
                (right + 9, y0),
                (right + 9, y1),
                (end.left + end.width, y1),
                kind="back",
            )
        x = self._straight(start, end)
        if x is not None:
            ends = (x, start.bottom), (x, end.top)
            return arrow(*ends, both=edge.both)
        y = start.bottom + 10
        return arrow(
            (start.middle, start.bottom),
            (start.middle, y),
            (end.middle, y),
            (end.middle, end.top),
            both=edge.both,
        )

    @staticmethod
    def _straight(start: Box, end: Box) -> float | None:
        """The x of an arrow straight down, if one lies over the other."""
        low = max(box.left + box.corner for box in (start, end))
        high = min(
            box.left + box.width - box.corner for box in (start, end)
        )
        if low > high:
            return None
        narrow = min(start, end, key=lambda box: box.width)
        return min(max(narrow.middle, low), high)

    def _label(self, edge: Edge, boxes: dict[str, Box]) -> str:
        start, end = boxes[edge.start], boxes[edge.end]
        if not edge.label or end.row <= start.row:
            return ""
        x = self._straight(start, end) or end.middle
        room = _room(edge, boxes)
        lines = len(wrapped(edge.label, room))
        top = end.top - 12 - LINE * lines
        return words(edge.label, x, top, room, "label")


# -- a sequence


class Sequence(Diagram):
    """
    Who sends what to whom, from top to bottom.

    ``name | name`` are the participants, ``name -> name: text`` is a
    message, ``name: text`` a note, ``-- text`` a note of all.
    """

    def draw(self, lines: list[str]) -> tuple[list[str], float]:
        """Return the SVG's elements, and its height."""
        names = [name.strip() for name in lines[0].split("|")]
        lane = WIDTH / len(names)
        middles = {
            name: lane * (place + 0.5) for place, name in enumerate(names)
        }
        top = 40.0
        drawn: list[str] = []
        for line in lines[1:]:
            if found := re.fullmatch(r"(\w+) -> (\w+): (.*)", line):
                start, end, text = found.groups()
                x0, x1 = middles[start], middles[end]
                room = abs(x1 - x0) - 8
                height = LINE * len(wrapped(text, room))
                drawn.append(words(text, (x0 + x1) / 2, top, room, "label"))
                top += height + 5
                drawn.append(arrow((x0, top), (x1, top)))
                top += 11
                continue
            name, _, text = line.partition(": ")
            if line.startswith("-- "):
                x, width, text = WIDTH / 2, WIDTH - 2.0, line[3:]
            else:
                x, width = middles[name], lane - 6
            height = LINE * len(wrapped(text, width - 10)) + 8
            drawn.append(
                f'<rect x="{x - width / 2:.1f}" y="{top:.1f}" '
                f'width="{width:.1f}" height="{height:.1f}" rx="4" '
                'class="note"/>' + words(text, x, top + 4, width - 10)
            )
            top += height + 10
        parts = []
        for name, x in middles.items():
            parts.append(
                f'<line x1="{x:.1f}" y1="26" x2="{x:.1f}" y2="{top:.0f}" '
                'class="lane"/>'
                f'<rect x="{x - lane / 2 + 4:.1f}" y="1" '
                f'width="{lane - 8:.1f}" height="26" rx="4" class="box"/>'
                + words(name, x, 6, lane - 8, "name")
            )
        return parts + drawn, top + 2


# -- a timeline


@dataclass
class Axis:
    """
    Time from left to right.

    :param unit: of the numbers at its ticks.
    """

    end: float
    step: float
    unit: str
    marks: list[float] = field(default_factory=list)
    windows: list[tuple[float, float, str]] = field(default_factory=list)


class Timeline(Diagram):
    """
    What happens when.

    ``axis END STEP UNIT`` begins one, ``marks TIME ...`` are events on it,
    ``window START END text`` is a bracket below it.
    """

    def draw(self, lines: list[str]) -> tuple[list[str], float]:
        """Return the SVG's elements, and its height."""
        axes: list[Axis] = []
        for line in lines:
            kind, *rest = line.split()
            if kind == "axis":
                axes.append(Axis(float(rest[0]), float(rest[1]), rest[2]))
            elif kind == "marks":
                axes[-1].marks += map(float, rest)
            else:
                start, end, *text = rest
                window = (float(start), float(end), " ".join(text))
                axes[-1].windows.append(window)
        parts: list[str] = []
        top = 4.0
        for axis in axes:
            top = self._axis(axis, top, parts)
        return parts, top

    @staticmethod
    def _axis(axis: Axis, top: float, parts: list[str]) -> float:
        left, scale = 12.0, (WIDTH - 30) / axis.end
        base = top + 26
        for mark in axis.marks:
            x = left + mark * scale
            parts.append(
                f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" '
                f'y2="{base:.1f}" class="mark"/>'
            )
        parts.append(arrow((left, base), (WIDTH - 6, base)))
        tick = 0.0
        while tick <= axis.end:
            x = left + tick * scale
            parts.append(
                f'<line x1="{x:.1f}" y1="{base:.1f}" x2="{x:.1f}" '
                f'y2="{base + 4:.1f}"/>'
            )
            text = f"{tick:g} {axis.unit}" if tick else "0"
            parts.append(words(text, x, base + 5, 80, "label"))
            tick += axis.step
        y = base + 28
        for start, end, text in axis.windows:
            x0, x1 = left + start * scale, left + end * scale
            parts.append(
                f'<polyline points="{x0:.1f},{y - 4:.1f} {x0:.1f},{y:.1f} '
                f'{x1:.1f},{y:.1f} {x1:.1f},{y - 4:.1f}" class="window"/>'
                + words(text, (x0 + x1) / 2, y + 3, WIDTH, "label")
            )
            y += 26
        return y + 12
