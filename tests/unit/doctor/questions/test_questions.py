"""
The questions are asked in this order. Whether the service is elsewhere or something stands before
it: the list, another address, another path, the page of redirects, a cookie, and segments beside;
these are asked even if nothing more can be found out. The data key, any key, the header of the
workspace in four steps, swapped keys, and the data key with that header. A path that does not
exist, a moved and a named address, a made-up data key. Another list, the list's path, a larger
page, a made-up list, one file, a made-up key, a guessed file. All reads once more, the path of
uploads, and what a list points at. A question leaves up to five of the reads to those below it.
"""

from __future__ import annotations

from typing import NamedTuple

from wes_provider.doctor.questions.table import QUESTIONS
from wes_provider.doctor.replies.probes import Question


class Asked(NamedTuple):
    """
    A question.

    :ivar reserve: how many reads are left for the questions below.
    :ivar is_asked_anyway: whether it is asked even if nothing more can be found out.
    """

    question: Question
    reserve: int = 0
    is_asked_anyway: bool = False


ORDER = [
    Asked(Question.LIST, is_asked_anyway=True),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.NO_SUCH_PATH, is_asked_anyway=True),
    Asked(Question.PAGE, is_asked_anyway=True),
    Asked(Question.COOKIE, is_asked_anyway=True),
    Asked(Question.DATA_KEY, is_asked_anyway=True),
    Asked(Question.DATA_KEY),
    Asked(Question.MADE_UP_KEY),
    Asked(Question.HEADER),
    Asked(Question.HEADER),
    Asked(Question.HEADER_VALUE),
    Asked(Question.HEADER_BESIDES),
    Asked(Question.SWAPPED_KEYS),
    Asked(Question.DATA_KEY, reserve=5),
    Asked(Question.NO_SUCH_PATH, reserve=1),
    Asked(Question.OTHER_ADDRESS),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.MADE_UP_DATA_KEY, reserve=2),
    Asked(Question.OTHER_LIST, reserve=4),
    Asked(Question.LIST_PATH, reserve=4),
    Asked(Question.WHOLE_LIST, reserve=4),
    Asked(Question.MADE_UP_LIST, reserve=3),
    Asked(Question.WITHOUT_QUERY, reserve=4),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.MADE_UP_KEY, reserve=1),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.AGAIN),
    Asked(Question.UPLOAD_PATH),
    Asked(Question.NEXT_PAGE),
]


def test_questions_are_asked_in_this_order():
    asked = [Asked(row.question, row.reserve, row.is_asked_anyway) for row in QUESTIONS]
    assert asked == ORDER
