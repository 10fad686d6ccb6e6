"""
The page "First day on a real account" names what the doctor reports; its commands run in
``tests/airflow``.
"""

from __future__ import annotations

import re

from support.pages import PAGES
from wes_provider.doctor import cli
from wes_provider.doctor.findings import Topic

PAGE = PAGES["first-day.md"]


def test_every_row_of_the_table_is_one_of_the_doctors():
    rows = re.findall(r"^\| ([^|]+) \|", PAGE[PAGE.index("| row | usual cause |") :], re.MULTILINE)
    named = {name.strip() for row in rows[1:] for name in row.split(",")}
    topics = {value for name, value in vars(Topic).items() if name.isupper()}
    assert named - {"---"} <= topics
    assert len(named) > 8


def test_every_exit_code_is_on_the_page():
    codes = {cli.WORKS, cli.FAULTY, cli.WRONG_USAGE, cli.INTERRUPTED}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == codes
