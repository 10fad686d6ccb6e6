"""
A 2xx whose body says that the request has failed, as some services and gateways send it. Pure.

The contract shows no such response, so these are the names that services use. A name counts as a
whole, without case, hyphens and underscores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from wes_provider.client.announcements import plain_name, says_something

# False if the request has failed.
FLAGS: Final = frozenset("success successful succeeded issuccess issuccessful ok isok".split())
# Empty, or 0, if it has not.
ERRORS: Final = frozenset("error errors errorcode errormessage haserror haserrors".split())
# A word, or the status code that the response should have had.
STATUSES: Final = frozenset("status statuscode httpstatus code result".split())
# What a response has that shows the changed object itself.
OF_AN_OBJECT: Final = frozenset("id name includedfilters updatedby".split())
FAILED_WORDS: Final = frozenset("error errors failed failure fail".split())


def says_it_failed(content: Any) -> bool:
    """
    Return whether the body of a 2xx says that the request has failed.

    :param content: the JSON of the body.
    """
    if not isinstance(content, Mapping):
        return False
    return _has_error(content) or list_says_it_failed(content)


def change_says_it_failed(content: Any) -> bool:
    """
    Return whether the response to a change says that it has failed. If it has what was changed, the
    status and the error may be that of the object.
    """
    if not isinstance(content, Mapping):
        return False
    is_the_object = not OF_AN_OBJECT.isdisjoint(plain_name(name) for name in content)
    if is_the_object:
        return record_says_it_failed(content)
    return says_it_failed(content)


def list_says_it_failed(beside: Mapping[str, Any]) -> bool:
    """
    Return whether what stands beside the files of a list says that the request has failed. An error
    there may be that of a part: the list is then incomplete.
    """
    has_failed_status = any(
        plain_name(name) in STATUSES and _is_failed_status(value) for name, value in beside.items()
    )
    return has_failed_status or record_says_it_failed(beside)


def record_says_it_failed(record: Mapping[str, Any]) -> bool:
    """
    Return whether a response that is the record of an object says that the request has failed: its
    status and its error are those of the object.
    """
    return any(plain_name(name) in FLAGS and _is_false(value) for name, value in record.items())


def upload_says_it_failed(record: Mapping[str, Any]) -> bool:
    """
    Return whether the response to an upload says that it has failed, though it is the record of a
    file: a file that was just accepted has no error yet.
    """
    return _has_error(record) or record_says_it_failed(record)


def _has_error(content: Mapping[str, Any]) -> bool:
    return any(
        plain_name(name) in ERRORS and says_something(value) for name, value in content.items()
    )


def _is_false(value: Any) -> bool:
    return value is False or str(value).strip().lower() == "false"


def _is_failed_status(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    word = str(value).strip().lower()
    if word.isdecimal():
        return 400 <= int(word) < 600
    return word in FAILED_WORDS
