"""What recognises an upload in its list: by its record, or by what it would be without one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.identity import GivenName, parse
from wes_provider.uploads.recognition import OwnName, UsersName
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest

__all__ = ["of_record", "unrecorded", "users_name"]

RUN_IDENTITIES: Final = ("run_id", "ts", "ts_nodash")  # of Airflow's context: no two runs of a DAG share one


def of_record(attempt: Attempt, request: UploadRequest, record: UploadRecord) -> OwnName | UsersName:
    """
    What recognises the file of a request that was sent.

    :param attempt: the running one.
    :param request: the upload.
    :param record: its intent.
    """
    if record.named:
        return UsersName(record.name, record.url, record.generation, record.known)
    identity = attempt.identity
    given = parse(identity.hash(request.part), record.name) or GivenName(record.generation, identity.mark, request.file)
    return OwnName(identity, request.part, record.url, given)


def unrecorded(attempt: Attempt, request: UploadRequest, record: UploadRecord) -> OwnName | UsersName:
    """
    What recognises a file that an earlier attempt may have uploaded without leaving a record.

    :param attempt: the running one.
    :param request: the upload.
    :param record: what the upload would be now.
    """
    if not request.name:
        own = GivenName(record.generation, attempt.identity.mark, request.file)
        return OwnName(attempt.identity, request.part, record.url, own, attempt.again.mode(request) != "upload")
    one_of_many = attempt.identity.map_index >= 0 or attempt.identity.iteration is not None
    values = () if one_of_many else (str(attempt.context.get(key) or "") for key in RUN_IDENTITIES)
    of_this_run = next((value for value in values if value and value in request.name), "")
    cleared = record.generation != int(attempt.context["task"].retries)
    unique = "" if cleared and attempt.again.mode(request) == "upload" else of_this_run
    generation = record.generation - attempt.seems_cleared  # the first attempt after a clear has uploaded nothing
    return replace(users_name(request, generation), unique=unique, cleared=cleared)


def users_name(request: UploadRequest, generation: int = 0) -> UsersName:
    """
    What recognises a file by the name that the user gave it.

    :param request: the upload.
    :param generation: the generation of the upload.
    """
    return UsersName(request.name, "" if request.source is not None else request.label, generation, None)
