"""
The codes of a coupon file as numpy's arrays: where they are in its text, and how many of them are duplicates.

Millions of codes are worked on without a Python object for each. This module loads numpy; it is imported when a task
checks a file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Lock
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["PADDING", "Cells", "Distinct"]

Numbers: TypeAlias = NDArray[np.uint64]
Places: TypeAlias = NDArray[np.int64]

WORD: Final = 8  # bytes
PADDING: Final = bytes(WORD)  # follows a text, so that a word can be read from each of its bytes on
ROUNDS: Final = 8  # in which one character is stripped of many cells at once; more are rare
RUN: Final = 128 * 1024  # codes that are sorted into parts at a time
PARTS: Final = 64  # 100 MB have at most 180,000 different codes for each
BATCH: Final = 192 * 1024  # codes of a part that are compared at a time
THREADS: Final = 2  # compare parts; numpy lets several run
IN_MEMORY: Final = 1024 * 1024  # bytes; more go to a temporary file

_LF, _CR, _SPACE, _DELETE = 10, 13, 32, 127
_QUOTE, _PLUS, _E = b'"+E'
PLACEHOLDERS: Final = (  # what programs write if there is no code; at most eight bytes
    "null", "(null)", "nan", "none", "nil", "n/a", "error", "#n/a", "#ref!", "#name?", "#value!", "#div/0!", "#num!",
    "#null!",
)  # fmt: skip
LONGEST_PLACEHOLDER: Final = max(map(len, PLACEHOLDERS))
_PLACEHOLDERS: Final = [np.uint64(int.from_bytes(word.ljust(WORD).encode(), "little")) for word in PLACEHOLDERS]
_LOWER_CASE: Final = np.uint64(int.from_bytes(b" " * WORD, "little"))  # the bit that makes letters small
_ROUNDED: Final = re.compile(rb"\d(?:[.,]\d+)?E\+\d+")  # what spreadsheets make of long numbers
# Bytes that are no part of a code, or begin a character that may be none.
_ODD: Final = np.zeros(256, np.bool_)
_ODD[[*range(9), *range(11, 32), _DELETE, 0xC2, 0xE2, 0xEF]] = True
_MASKS: Final = np.array([(1 << 8 * count) - 1 for count in range(WORD + 1)], np.uint64)  # of a word's first bytes
_HALF: Final = np.uint64(32)  # bits
_PART: Final = np.uint64(64 - 6)  # the part of a code is in its fingerprint's first six bits
_FACTORS: Final = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F)))


class Cells:
    """
    One cell of each line, without quotes and white space around it.

    A delimiter between quotes is part of a cell if the line has an even number of quotes.

    :param data: whole lines, perhaps more, and :data:`PADDING`.
    :param end: the end of the last whole line.
    :param delimiter: between cells, one byte.
    :param column: the number of the column, from 0 on; a line that has fewer columns has an empty cell there.
    :ivar blank: how many are empty.
    :ivar unclosed: which begin with a quote and do not end with one.
    """

    def __init__(self, data: bytes, end: int, delimiter: bytes, column: int = 0) -> None:
        self._data = data
        self._bytes = np.frombuffer(data, np.uint8, end)
        is_end = self._bytes == _LF
        if delimiter in data:
            ends = np.flatnonzero(is_end | (self._bytes == ord(delimiter)))
            if b'"' in data:
                ends = self._outside_quotes(ends, is_end, first=not column)
            last = is_end[ends]
            if column:
                lasts = np.flatnonzero(last)
                wanted = np.concatenate(([0], lasts[:-1] + 1)) + column
                missing = wanted > lasts
                wanted[missing] = lasts[missing]
                self._ends = ends[wanted]
                starts = np.where(missing, self._ends, ends[wanted - 1] + 1)
            else:
                self._ends = ends[np.concatenate(([True], last[:-1]))]
            ends = ends[last]
        else:
            width = data.index(b"\n") + 1  # of each line, perhaps, which is quick to see
            if np.count_nonzero(is_end) * width == end and np.all(is_end[width - 1 :: width]):
                ends = np.arange(width - 1, end, width)
            else:
                ends = np.flatnonzero(is_end)
            self._ends = ends.copy()
        if column:
            self._starts = starts if delimiter in data else ends.copy()
        else:
            self._starts = np.concatenate(([0], ends[:-1] + 1))
        if b"\r" in data:
            self._ends -= is_end[self._ends] & (self._bytes[self._ends - 1] == _CR)
            if column:
                self._ends = np.maximum(self._ends, self._starts)
        self.unclosed: list[int] = []
        for characters in (b" \t", b'"', b" \t"):
            if any(character in data for character in characters):
                if characters == b'"':
                    self.unclosed = self._unclosed()
                self._strip(characters)
        self._lengths: Places = self._ends - self._starts
        self.blank = 0 if self._lengths.min() else int(np.count_nonzero(self._lengths == 0))

    def __len__(self) -> int:
        return len(self._lengths)

    def outside(self, shortest: int, longest: int) -> list[int]:
        """Which cells are too short or too long for a code, and not blank; from 0 on."""
        lengths = self._lengths
        if lengths.max() <= longest and (lengths.min() >= shortest or shortest <= 1):
            return []
        return list(map(int, np.flatnonzero((lengths > 0) & ((lengths < shortest) | (lengths > longest)))))

    def odd(self) -> list[int]:
        """Which cells have a control character, or one that cannot be seen, or the mark of a lost one; from 0 on."""
        data, text = self._data, self._bytes
        is_ascii = data.isascii()
        if is_ascii and b"\x7f" not in data:
            expected = len(self)
            if b"\t" in data:
                expected += np.count_nonzero(text == ord("\t"))
            if b"\r" in data:
                expected += np.count_nonzero((text[1:] == _LF) & (text[:-1] == _CR))
            if np.count_nonzero(text < _SPACE) == expected:
                return []
        places = np.flatnonzero(_ODD[text])
        if not is_ascii:
            first, second, third = (np.frombuffer(data, np.uint8)[places + step] for step in range(3))
            seen = (first == 0xC2) & (second > 0xA0) & (second != 0xAD)  # other than no-break space, soft hyphen
            seen |= (first == 0xE2) & (
                ((second != 0x80) & (second != 0x81))
                | ((second == 0x80) & (third >= 0x90) & (third < 0xA8))  # dashes and quotation marks
                | ((second == 0x80) & ((third == 0x8C) | (third == 0x8D)))  # joiners, which some scripts need
                | ((second == 0x80) & (third > 0xAF))
                | ((second == 0x81) & (third < 0xA0))
            )
            last = (third == 0xBF) & (second == 0xBB), (third == 0xBD) & (second == 0xBF)  # U+FEFF and U+FFFD
            seen |= (first == 0xEF) & ~last[0] & ~last[1]
            places = places[~seen]
        return self._rows(places)

    def placeholders(self) -> list[int]:
        """Which cells have a word such as ``NULL`` or ``#N/A`` instead of a code; from 0 on."""
        if self._lengths.min() > LONGEST_PLACEHOLDER:
            return []
        rows = np.flatnonzero((self._lengths > 0) & (self._lengths <= LONGEST_PLACEHOLDER))
        if not len(rows):
            return []
        words = self._words(self._starts[rows], self._lengths[rows]) | _LOWER_CASE
        found = np.zeros(len(rows), np.bool_)
        for word in _PLACEHOLDERS:
            found |= words == word
        return list(map(int, rows[found]))

    def equal_to(self, cell: bytes) -> list[int]:
        """Which cells are the same as another one, which is not empty; from 0 on."""
        rows = np.flatnonzero(self._lengths == len(cell))
        if not len(rows):
            return []
        words = self._words(self._starts[rows], self._lengths[rows])
        word = np.uint64(int.from_bytes(cell[:WORD], "little"))
        return [row for row in map(int, rows[words == word]) if self._cell(row) == cell]

    def rounded(self) -> list[int]:
        """Which cells have a number such as ``1.2E+15``, of which digits are lost; from 0 on."""
        if b"+" not in self._data:
            return []
        rows = self._rows(np.flatnonzero((self._bytes[1:] == _PLUS) & (self._bytes[:-1] == _E)))
        return [row for row in rows if _ROUNDED.fullmatch(self._cell(row))]

    def _cell(self, row: int) -> bytes:
        return self._data[self._starts[row] : self._ends[row]]

    def _rows(self, places: Places) -> list[int]:
        """Which cells have the bytes at some places."""
        rows = np.searchsorted(self._starts, places, "right") - 1
        rows = rows[(rows >= 0) & (places < self._ends[rows])]
        return list(map(int, np.unique(rows)))

    def _unclosed(self) -> list[int]:
        begin = np.flatnonzero((self._bytes[self._starts] == _QUOTE) & (self._ends > self._starts))
        starts, ends = self._starts[begin], self._ends[begin]
        return list(map(int, begin[(ends - starts == 1) | (self._bytes[ends - 1] != _QUOTE)]))

    def _outside_quotes(self, ends: Places, is_end: NDArray[np.bool_], *, first: bool) -> Places:
        """
        The ends of cells without delimiters between quotes.

        :param first: only the first cell is wanted, so that only a quote at the beginning of the line matters.
        """
        is_quote = self._bytes == _QUOTE
        delimiters = ends[~is_end[ends]]
        if np.all(is_quote[delimiters - 1] & is_quote[delimiters + 1]) and not np.any(is_quote[1:] & is_quote[:-1]):
            return ends  # all cells are in quotes, which is quick to see
        parity = np.cumsum(is_quote, dtype=np.uint8)[ends] & 1
        if not parity.any():
            return ends
        last = np.flatnonzero(is_end[ends])
        counts = np.diff(last, prepend=-1)
        before = np.concatenate(([0], parity[last[:-1]])).astype(np.uint8)
        quoted = before == parity[last]
        if first:
            starts = np.concatenate(([0], ends[last[:-1]] + 1))
            quoted &= self._bytes[starts] == _QUOTE
        inside: NDArray[np.bool_] = (parity != np.repeat(before, counts)) & np.repeat(quoted, counts)
        return ends[~inside]

    def _strip(self, characters: bytes) -> None:
        strips = np.zeros(256, np.bool_)
        strips[list(characters)] = True
        for edges, outermost, inwards in ((self._starts, 0, 1), (self._ends, -1, -1)):
            rows = np.flatnonzero(strips[self._bytes[edges + outermost]])
            for _ in range(ROUNDS):
                rows = rows[self._starts[rows] < self._ends[rows]]
                edges[rows] += inwards
                rows = rows[strips[self._bytes[edges[rows] + outermost]]]
                if not len(rows):
                    break
            for row in rows:
                cell = self._data[self._starts[row] : self._ends[row]]
                stripped = cell.lstrip(characters) if inwards > 0 else cell.rstrip(characters)
                edges[row] += inwards * (len(cell) - len(stripped))

    def fingerprints(self, longest: int) -> tuple[Numbers, tuple[Numbers, Numbers]]:
        """
        Numbers that are the same if codes are: one for each code of up to eight bytes, two for each longer one.

        Those of codes of up to sixteen bytes are their bytes, in a mixture that can be undone, so that different codes
        have different ones. For longer codes they are a checksum of 128 bits: as unlikely as it is with any checksum of
        that size, some two of ten million codes have the same by accident in one of 10^24 files.

        :param longest: code of which it is wanted; there are none of blank cells.
        """
        starts, lengths = self._starts, self._lengths
        if self.blank or lengths.max() > longest:
            rows = (lengths > 0) & (lengths <= longest)
            starts, lengths = starts[rows], lengths[rows]
        first = self._words(starts, lengths)
        is_long = lengths > WORD
        if not is_long.any():
            return _mixed(first), (_NONE, _NONE)
        short = _NONE
        if not is_long.all():
            short = _mixed(first[~is_long])
            first, starts, lengths = first[is_long], starts[is_long], lengths[is_long]
        second = self._words(starts + WORD, lengths - WORD)
        done, more = 2 * WORD, np.flatnonzero(lengths > 2 * WORD)
        while len(more):
            word = self._words(starts[more] + done, lengths[more] - done)
            first[more] = _mixed(first[more]) ^ word
            second[more] = _mixed(second[more], 1) ^ word
            done += WORD
            more = more[lengths[more] > done]
        return short, (_mixed(first ^ _mixed(second, 1)), second)

    def _words(self, starts: Places, lengths: Places) -> Numbers:
        """The first eight bytes from each start on, as a number; zeros beyond the length."""
        from_each_byte: Numbers = np.ndarray((len(self._bytes),), "<u8", self._data, 0, (1,))
        steps = starts[1:] - starts[:-1]
        if len(steps) and np.all(steps == steps[0]):  # lines of one length, which is quicker
            words: Numbers = from_each_byte[starts[0] : starts[-1] + 1 : steps[0]].copy()
        else:
            words = from_each_byte[starts]
        shortest = int(lengths.min(initial=WORD))
        if shortest < WORD:
            words &= _MASKS[shortest if lengths.max() == shortest else np.minimum(lengths, WORD)]
        return words


_NONE: Final = np.array([], np.uint64)


def _mixed(numbers: Numbers, way: int = 0) -> Numbers:
    """Other numbers, each bit of which depends on many of the old ones; different ones stay different."""
    mixed: Numbers = numbers * _FACTORS[way]
    mixed ^= mixed >> _HALF
    mixed *= _FACTORS[way + 1]
    return mixed


class Distinct:
    """
    Counts codes that were there before, in bounded memory.

    :param stack: closes the temporary files.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._short, self._long = _Fingerprints(stack, 1), _Fingerprints(stack, 2)

    def add(self, cells: Cells, longest: int) -> None:
        """Take the codes of some lines, without those that are longer."""
        short, long = cells.fingerprints(longest)
        self._short.add((short,))
        self._long.add(long)

    def duplicates(self) -> int:
        """How many codes had been there before."""
        return self._short.duplicates() + self._long.duplicates()


class _Fingerprints:
    """
    Fingerprints of one kind, spread over the parts of a file by their first bits, so that equal ones meet in one part.

    The file is in memory while it is small.

    :param lanes: how many numbers make up a fingerprint.
    """

    def __init__(self, stack: ExitStack, lanes: int) -> None:
        self._file: Any = stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 - the stack closes it
        self._lock = Lock()  # for a place to read from
        self._waiting: list[Sequence[Numbers]] = []  # of each lane an array
        self._waiting_count = 0
        self._lanes = lanes
        self._runs: list[tuple[int, Places]] = []  # where each begins in the file, and the ends of its parts

    def add(self, fingerprints: Sequence[Numbers]) -> None:
        if len(fingerprints[0]):
            self._waiting.append(fingerprints)
            self._waiting_count += len(fingerprints[0])
            if self._waiting_count >= RUN:
                self._write()

    def duplicates(self) -> int:
        if self._waiting:
            self._write()
        with ThreadPoolExecutor(THREADS, thread_name_prefix="wes-preflight") as executor:
            return sum(executor.map(self._duplicates, range(PARTS)))

    def _write(self) -> None:
        lanes = [np.concatenate(lane) for lane in zip(*self._waiting, strict=True)]
        self._waiting, self._waiting_count = [], 0
        parts = (lanes[0] >> _PART).astype(np.uint8)
        order = np.argsort(parts, kind="stable")
        self._runs.append((self._file.tell(), np.cumsum(np.bincount(parts, minlength=PARTS))))
        for lane in lanes:
            self._file.write(lane[order].data)

    def _duplicates(self, part: int) -> int:
        count, distinct = 0, [_NONE] * self._lanes
        for batch in self._batches(part):
            count += len(batch[0])
            distinct = _distinct([np.concatenate(lanes) for lanes in zip(distinct, batch, strict=True)])
        return count - len(distinct[0])

    def _batches(self, part: int) -> Iterator[list[Numbers]]:
        pieces: list[list[Numbers]] = []
        count = 0
        for begin, ends in self._runs:
            first, last, lane = ends[part - 1] if part else 0, ends[part], ends[-1]
            places = [begin + WORD * (number * lane + first) for number in range(self._lanes)]
            pieces.append([self._read(place, last - first) for place in places])
            count += last - first
            if count >= BATCH:
                yield [np.concatenate(lane) for lane in zip(*pieces, strict=True)]
                pieces, count = [], 0
        if pieces:
            yield [np.concatenate(lane) for lane in zip(*pieces, strict=True)]

    def _read(self, begin: int, count: int) -> Numbers:
        with self._lock:
            self._file.seek(int(begin))
            return np.frombuffer(self._file.read(int(count) * WORD), np.uint64)


def _distinct(lanes: list[Numbers]) -> list[Numbers]:
    """The same fingerprints, each once; in any order."""
    ordered = np.sort(lanes[0])
    if not np.any(ordered[1:] == ordered[:-1]):
        return lanes  # as most often; then the other lane tells nothing more
    order = np.lexsort(lanes[::-1])
    lanes = [lane[order] for lane in lanes]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([lane[1:] != lane[:-1] for lane in lanes], axis=0)
    return [lane[new] for lane in lanes]
