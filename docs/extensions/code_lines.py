"""
Lets lines of code wrap on a narrow screen as a person would wrap them.

Each line knows its indentation, so that ``pages.css`` can indent what is
wrapped further than the line. Words that fit into a line stay whole. So do
assignments in a shell. An address breaks behind a slash, a call behind a
dot or a bracket, and a name that is too long behind an underscore. Who
copies it gets no line's end there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

BLOCK: Final = re.compile(
    r'(<div class="highlight"><pre[^>]*>)(.*?)(</pre>)', re.DOTALL
)
PIECE: Final = re.compile(
    r'<span class="(?P<kind>[^"]*)">(?P<token>[^<]*)</span>'
    r"|(?P<plain>[^<]+)"
)
PLACES: Final = re.compile(
    r"(?<=[,/(\[{=&?|])(?=[\w{\"'])|(?<=\.)(?!\w{1,4}\W*$)(?=[\w{\"'])"
)
"""
Where a word may break that is longer than a line: not before the last
letters of a file's name, such as ``csv``.
"""

LONGEST_WORD: Final = 32
"""Letters of a word that fits into a line of any telephone."""

ASSIGNMENT: Final = re.compile(r"[A-Z_]+=[\w$/]+")
LONGEST_ASSIGNMENT: Final = 50
"""Letters of an assignment that fits into a line of its own."""

FURTHER_NUMBERS: Final = re.compile(r"\.\d")
"""Behind a number: that of an address, or of a version."""

INDENTED_WORD: Final = re.compile(
    r'(?: |<span class="w"> *</span>)*<span class="code-word">'
)
"""The beginning of a line, behind an indentation as each lexer has it."""

ADDRESS: Final = re.compile(r"\w+://")
AFTER_SLASH: Final = re.compile(r"(?<=[\w}]/)(?=[\w{$])|(?<=@)(?=\w)")
"""Where an address may break."""

AFTER_UNDERSCORE: Final = re.compile(r"(?<=_)(?=[^\W_])")
"""Where a name may break that has no other place."""


class Piece(NamedTuple):
    """A part of a token, with Pygments' class for it."""

    kind: str
    text: str

    def html(self) -> str:
        """Write it as Pygments does."""
        text = escape(self.text, quote=False)
        if not self.kind:
            return text
        return f'<span class="{self.kind}">{text}</span>'


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", mark_lines)


def mark_lines(app: Any, exception: Exception | None) -> None:
    """Mark lines and words in the code of each page."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.outdir)
    for page in root.rglob("*.html"):
        if page.relative_to(root).parts[0] == "_modules":
            continue
        text = page.read_text(encoding="utf-8")
        page.write_text(BLOCK.sub(_with_lines, text), encoding="utf-8")


def _with_lines(block: re.Match[str]) -> str:
    start, code, end = block.groups()
    lines = code.replace("<span></span>", "", 1).splitlines(keepends=True)
    return start + "".join(map(marked_line, lines)) + end


def marked_line(line: str) -> str:
    """Return the HTML of a line with its indentation and its words."""
    found = list(PIECE.finditer(line))
    if "".join(match[0] for match in found) != line:
        return line  # has links, for example
    pieces = [
        Piece(
            match["kind"] or "",
            unescape(match["token"] or match["plain"] or ""),
        )
        for match in found
    ]
    pieces = _with_whole_numbers(pieces)
    text = "".join(piece.text for piece in pieces)
    indent = len(text) - len(text.lstrip(" "))
    kind = "code-line"
    if text.lstrip().startswith("#"):
        kind = "code-line comment"
    found_words = _with_backslash(list(words_of(pieces)))
    words = "".join(map(_word_html, found_words))
    if INDENTED_WORD.match(words):
        words = words.replace("code-word", "code-word first", 1)
    return f'<span class="{kind}" style="--indent: {indent}">{words}</span>'


def _with_whole_numbers(pieces: list[Piece]) -> list[Piece]:
    """Give 127.0.0.1 or 3.3.2 one colour: it is no number."""
    whole: list[Piece] = []
    for piece in pieces:
        is_plain = not piece.kind and FURTHER_NUMBERS.match(piece.text)
        if is_plain and whole and whole[-1].kind == "m":
            whole[-1] = Piece("", whole[-1].text + piece.text)
        else:
            whole.append(piece)
    return whole


def words_of(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """Split at white space, which is a word of its own."""
    word: list[Piece] = []
    for kind, token in pieces:
        for text in filter(None, re.split(r"(\s+)", token)):
            if text.isspace():
                if word:
                    yield word
                yield [Piece(kind, text)]
                word = []
            else:
                word.append(Piece(kind, text))
    if word:
        yield word


def _with_backslash(words: list[list[Piece]]) -> list[list[Piece]]:
    """Make one word of a line's backslash and the word before it."""
    # The last four: a word, a space, the backslash, the end of the line.
    if len(words) < 4:
        return words
    last, space, backslash, end = words[-4:]
    if "".join(piece.text for piece in backslash) != "\\":
        return words
    return [*words[:-4], last + space + backslash, end]


def _word_html(word: list[Piece]) -> str:
    text = "".join(piece.text for piece in word)
    html = "".join(piece.html() for piece in word)
    if text.isspace() or text.isalnum():
        return html
    if len(text) <= LONGEST_WORD:
        return f'<span class="code-word">{html}</span>'
    if len(text) <= LONGEST_ASSIGNMENT and ASSIGNMENT.fullmatch(text):
        return f'<span class="code-word">{html}</span>'
    places = _places_in(text)
    html, position = '<span class="code-part">', 0
    for piece in word:
        cuts = [
            place - position
            for place in sorted(places)
            if position <= place < position + len(piece.text)
        ]
        starts = sorted({0, *cuts})
        ends = [*starts[1:], len(piece.text)]
        for start, end in zip(starts, ends, strict=True):
            if start in cuts:
                html += '</span><wbr><span class="code-part">'
            if end > start:
                html += Piece(piece.kind, piece.text[start:end]).html()
        position += len(piece.text)
    return f'<span class="code-word">{html}</span></span>'


def _places_in(text: str) -> set[int]:
    """Return where a long word may break: in its address, and before."""
    places = {place.start() for place in PLACES.finditer(text)}
    address = ADDRESS.search(text)
    if address:
        before = {place for place in places if place <= address.start()}
        places = before | {
            place.start() for place in AFTER_SLASH.finditer(text)
        }
    for start, end in pairwise(sorted({0, *places, len(text)})):
        part = text[start:end]
        if len(part) > LONGEST_WORD and not ADDRESS.search(part):
            places |= {
                start + place.start()
                for place in AFTER_UNDERSCORE.finditer(part)
            }
    return places
