"""Coupon lists and their files: uploads, reads, processing."""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wes_provider import contract
from wes_provider.emulator.bodies import UPLOAD_FIELDS
from wes_provider.emulator.counting import CouponCounter
from wes_provider.emulator.processing import (
    CouponFile,
    Phase,
    Result,
    Script,
    default_name,
)
from wes_provider.emulator.replies import NOT_FOUND, JsonObject, Refusal, Reply, nested
from wes_provider.emulator.world import CouponList, World

__all__ = ["Coupons"]


class Coupons:
    """
    The coupon operations of all workspaces.

    :param on_new_file: called when a file was accepted that is to be fetched or called back.
    :ivar scripts: the newest first.
    :ivar unfetched: accepted files that are still to be fetched, by id, in order of acceptance.
    :ivar uncalled: accepted files whose callback is still due, by id.
    """

    def __init__(self, world: World, on_new_file: Callable[[], None]) -> None:
        self._world = world
        self._on_new_file = on_new_file
        self.scripts: list[Script] = []
        self.unfetched: dict[str, CouponFile] = {}
        self.uncalled: dict[str, CouponFile] = {}

    # -- requests

    def upload(
        self,
        workspace: str,
        list_id: str,
        given: Mapping[str, Any],
    ) -> Reply:
        """
        Accept a coupon file. What refuses an upload stands here; seeds call :meth:`new_file`.
        """
        file = self.new_file(workspace, list_id, given)
        self._world.add(file)
        self.track(file)
        self._world.save(file)
        if self.unfetched or self.uncalled:
            self._on_new_file()
        fields = self.contract_fields(file, contract.STATUS_AFTER_UPLOAD)
        return Reply.json(contract.UPLOAD_COUPON_FILE.success, fields)

    def get(self, workspace: str, file_id: str, list_id: str | None) -> Reply:
        """
        Return one file.

        :param list_id: ``None`` if the path, which is a setting, does not have it.
        :raises Refusal: 404.
        """
        file = self._world.account_or_empty(workspace).files.get(file_id)
        shown_until = self._world.clock.now() - self._world.settings.fetch_lag
        if file is None or file.accepted_at > shown_until or list_id not in (None, file.list_id):
            raise Refusal(404, NOT_FOUND, "There is no such coupon file.")
        return Reply.json(200, self.record(file))

    def list(self, workspace: str, list_id: str, raw_path: str) -> Reply:
        """
        Return the files of a list.

        :raises Refusal: 404, if the settings say so.
        """
        settings = self._world.settings
        coupon_list = self._world.account_or_empty(workspace).lists.get(list_id)
        if coupon_list is None:
            if settings.unknown_list == "404":
                raise Refusal(404, NOT_FOUND, "There is no such coupon list.")
            return self.listing([], raw_path)
        shown_until = self._world.clock.now() - settings.list_lag
        files = [file for file in coupon_list.files.values() if file.accepted_at <= shown_until]
        return self.listing(files, raw_path)

    # For services with pages
    def listing(self, files: Sequence[CouponFile], raw_path: str) -> Reply:  # noqa: ARG002
        """
        Return the response to the listing of a list's files.

        :param files: the oldest first.
        :param raw_path: has the query.
        """
        shape = self._world.settings.list_shape
        records = [self.record(file) for file in files]
        if shape == "array":
            return Reply.json(200, records)
        return Reply.json(200, nested(shape, records))

    # -- files

    def new_file(
        self,
        workspace: str,
        list_id: str,
        given: Mapping[str, Any],
    ) -> CouponFile:
        """Return a file that is in no list yet, from the fields of an upload."""
        settings = self._world.settings
        others = {
            name: given[name]
            for name, field in UPLOAD_FIELDS.items()
            if field.shown and name in given
        }
        file = CouponFile(
            id=secrets.token_hex(12),
            list_id=list_id,
            name=given.get("name") or default_name(given["file_url"]),
            file_url=given["file_url"],
            accepted_at=self._world.clock.now(),
            processing_time=settings.processing_time,
            statuses=settings.statuses,
            created_by=given.get("created_by", ""),
            callback_url=given.get("callback_url", ""),
            username=given.get("file_url_auth_username", ""),
            password=given.get("file_url_auth_password", ""),
            workspace=workspace,
            others=others,
        )
        for script in self.scripts:
            if script.matches(file):
                file.script = script
                break
        return file

    def script(self, script: Script) -> None:
        """
        Decide what happens to matching files, future ones and those that have not ended. The newest
        script wins.
        """
        self.scripts.insert(0, script)
        now = self._world.clock.now()
        for file in self._world.files():
            if script.matches(file) and not file.ended(now):
                before = file.counted
                file.script = script
                coupon_list = self._world.list_or_new(file.workspace, file.list_id)
                coupon_list.count_anew(before, file.counted)
                self.track(file)
                self._world.save(file)

    def track(self, file: CouponFile) -> None:
        """Note whether a file is to be fetched, and its callback to be made."""
        if file.needs_fetching:
            self.unfetched[file.id] = file
        else:
            self.unfetched.pop(file.id, None)
        if file.callback_url and not file.called_back:
            self.uncalled[file.id] = file

    def contract_fields(self, file: CouponFile, status: str) -> JsonObject:
        """Return what the response to an upload shows, and a read, too."""
        return {
            "_id": file.id,
            "name": file.name,
            "file_url": file.file_url,
            "created_by": file.created_by,
            "status": status,
            self._world.settings.list_id_property: file.list_id,
            **file.others,
        }

    def record(self, file: CouponFile) -> JsonObject:
        """Return what a read shows of a file."""
        settings = self._world.settings
        now = self._world.clock.now()
        phase = file.phase(now)
        status = file.status(now, settings.success_status, settings.failure_status)
        record = self.contract_fields(file, status)
        counted = Result()
        if phase is Phase.DONE and file.result is not None:
            counted = file.result
        if settings.added_property is not None:
            record = nested(settings.added_property, counted.added, record)
        if settings.duplicate_property is not None:
            record = nested(settings.duplicate_property, counted.duplicate, record)
        if phase is Phase.FAILED and file.error:
            record["error"] = file.error
        if phase is not Phase.WAITING:
            record |= file.script.fields or {}
        return record

    # -- processing

    def processed(self, file: CouponFile, counter: CouponCounter, error: str = "") -> None:
        """
        Keep the result of fetching and counting a file; the caller sees to the order of a list's
        files.

        :param error: why it cannot be processed; empty if it was fetched and counted whole.
        """
        wanted = self.unfetched.pop(file.id, None)
        if wanted is None:  # scripted otherwise meanwhile
            return
        coupon_list = self._world.list_or_new(wanted.workspace, wanted.list_id)
        wanted.result = _result(coupon_list, counter, error, self._world.settings.list_coupons)
        coupon_list.count(wanted.result)
        # Needed no more.
        wanted.username = ""
        wanted.password = ""
        self._world.save(wanted)

    def to_call_back(self) -> Iterator[tuple[CouponFile, JsonObject]]:
        """
        Return files that have ended since the last call and have a callback, with their records;
        each comes once.
        """
        ended_by = self._world.clock.now() - self._world.settings.callback_delay
        ended = [file for file in self.uncalled.values() if file.ended(ended_by)]
        for file in ended:
            file.called_back = True
            del self.uncalled[file.id]
            self._world.save(file)
            yield file, self.record(file)

    def seconds_to_next_end(self) -> float | None:
        """
        Return this machine's seconds until a file with a callback is due; ``None`` if none is known
        to be.
        """
        clock = self._world.clock
        now = clock.now() - self._world.settings.callback_delay
        due = [file.due_at for file in self.uncalled.values() if file.due_at is not None]
        seconds = [at - now for at in due if at > now]
        if not seconds:
            return None
        return clock.machine_seconds(min(seconds))


def _result(
    coupon_list: CouponList, counter: CouponCounter, error: str, most_coupons: int
) -> Result:
    if error:
        return Result(error=error)
    if counter.total == 0:
        return Result(error="The file holds no coupons.")
    new = counter.distinct - coupon_list.known
    added = len(new) + counter.unremembered
    if coupon_list.coupons + added > most_coupons:
        return Result(error=f"The list would hold more than {most_coupons} coupons.")
    return Result(added, counter.total - added, "", array("Q", new).tobytes())
