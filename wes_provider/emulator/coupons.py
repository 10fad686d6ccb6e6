"""Coupon lists and their files: uploads, reads, processing, stock."""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wes_provider import contract
from wes_provider.emulator.checks import NOT_FOUND, Refusal, Reply, nested
from wes_provider.emulator.limits import Quotas
from wes_provider.emulator.processing import (
    AS_USUAL,
    CouponCounter,
    CouponFile,
    Result,
    Script,
    default_name,
)
from wes_provider.emulator.settings import Count
from wes_provider.emulator.world import CouponList, World

__all__ = ["Coupons", "issue", "stock"]


class Coupons:
    """
    The coupon operations of all workspaces.

    :ivar scripts: the newest first.
    :ivar unfetched: accepted files that are still to be fetched, by id, in order of acceptance.
    :ivar uncalled: accepted files whose callback is still due, by id.
    """

    def __init__(self, world: World, quotas: Quotas) -> None:
        self._world = world
        self._quotas = quotas
        self.scripts: list[Script] = []
        self.unfetched: dict[str, CouponFile] = {}
        self.uncalled: dict[str, CouponFile] = {}

    # -- requests

    def upload(self, workspace: str, list_id: str, given: Mapping[str, str]) -> Reply:
        """Accept a coupon file."""
        self._quotas.check(contract.UPLOAD_COUPON_FILE.name, workspace, list_id)
        file = self.new_file(workspace, list_id, given)
        self._world.add(file)
        self._quotas.count_again(file)
        self.track(file)
        self._world.save(file)
        return Reply.json(
            contract.UPLOAD_COUPON_FILE.success,
            self.contract_fields(file, contract.STATUS_AFTER_UPLOAD),
        )

    def get(self, workspace: str, file_id: str, list_id: str | None) -> Reply:
        """One file; ``list_id`` is ``None`` if the path, which is a setting, does not have it."""
        file = self._world.account(workspace).files.get(file_id)
        shown_until = self._world.clock.now() - self._world.settings.fetch_lag
        if file is None or list_id not in (None, file.list_id) or file.accepted_at > shown_until:
            raise Refusal(404, NOT_FOUND, "There is no such coupon file.")
        return Reply.json(200, self.record(file))

    def list(self, workspace: str, list_id: str, raw_path: str) -> Reply:
        """The files of a list."""
        settings = self._world.settings
        coupon_list = self._world.account(workspace).lists.get(list_id)
        if coupon_list is None and settings.unknown_list == "404":
            raise Refusal(404, NOT_FOUND, "There is no such coupon list.")
        shown_until = self._world.clock.now() - settings.list_lag
        files = coupon_list.files.values() if coupon_list else ()
        return self.listing([file for file in files if file.accepted_at <= shown_until], raw_path)

    # For services with pages
    def listing(self, files: Sequence[CouponFile], raw_path: str) -> Reply:  # noqa: ARG002
        """
        The response to the listing of a list's files, which are oldest first; ``raw_path`` has the
        query.
        """
        shape, shown = self._world.settings.list_shape, [self.record(file) for file in files]
        return Reply.json(200, shown if shape == "array" else nested(shape, shown))

    # -- files

    def new_file(self, workspace: str, list_id: str, given: Mapping[str, str]) -> CouponFile:
        """A file that is in no list yet, from the fields of an upload."""
        settings = self._world.settings
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
        )
        file.script = next((script for script in self.scripts if script.matches(file)), AS_USUAL)
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
                file.script = script
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

    def contract_fields(self, file: CouponFile, status: str) -> dict[str, Any]:
        """What the response to an upload shows, and a read, too."""
        kept = {name: getattr(file, name) for name in ("name", "file_url", "created_by")}
        return {
            "_id": file.id,
            **kept,
            "status": status,
            self._world.settings.list_id_property: file.list_id,
        }

    def record(self, file: CouponFile) -> dict[str, Any]:
        """What a read shows of a file."""
        now, settings = self._world.clock.now(), self._world.settings
        record = self.contract_fields(
            file, file.status(now, settings.success_status, settings.failure_status)
        )
        ended, error = file.ended(now), file.error
        counted = file.result if ended and not error and file.result is not None else Result()
        for path, count in (
            (settings.added_property, counted.added),
            (settings.duplicate_property, counted.duplicate),
        ):
            if path is not None:
                record = nested(path, count, record) if "." in path else {**record, path: count}
        if ended and error:
            record["error"] = error
        return {**record, **(file.script.fields or {})} if ended else record

    # -- processing

    def processed(self, file: CouponFile, counter: CouponCounter, error: str = "") -> None:
        """
        Keep the result of fetching and counting a file; the caller sees to the order of a list's
        files.

        :param error: why it cannot be processed; empty if it was fetched and counted whole.
        """
        wanted = self.unfetched.pop(file.id, None)
        if wanted is not None:  # neither scripted otherwise nor reset meanwhile
            coupon_list = self._world.list_of(wanted.workspace, wanted.list_id)
            wanted.result = _result(coupon_list, counter, error, self._world.settings.list_coupons)
            coupon_list.count(wanted.result)
            wanted.username = wanted.password = ""  # needed no more
            self._world.save(wanted)

    def to_call_back(self) -> Iterator[tuple[CouponFile, dict[str, Any]]]:
        """
        Files that have ended since the last call and have a callback, with their records; each
        comes once.
        """
        ended_by = self._world.clock.now() - self._world.settings.callback_delay
        for file in [file for file in self.uncalled.values() if file.ended(ended_by)]:
            file.called_back = True
            del self.uncalled[file.id]
            self._world.save(file)
            yield file, self.record(file)

    def seconds_to_next_end(self) -> float | None:
        """
        This machine's seconds until a file with a callback is due; ``None`` if none is known to be.
        """
        now = self._world.clock.now() - self._world.settings.callback_delay
        ends = [
            file.due_at - now
            for file in self.uncalled.values()
            if file.due_at is not None and file.due_at > now
        ]
        return self._world.clock.machine_seconds(min(ends)) if ends else None


def _result(coupon_list: CouponList, counter: CouponCounter, error: str, most: int) -> Result:
    new = counter.distinct - coupon_list.known
    added = len(new) + counter.unremembered
    if not error and counter.total == 0:
        error = "The file holds no coupons."
    if not error and coupon_list.coupons + added > most:
        error = f"The list would hold more than {most} coupons."
    return (
        Result(error=error)
        if error
        else Result(added, counter.total - added, "", array("Q", new).tobytes())
    )


def stock(world: World, coupon_list: CouponList | None) -> dict[str, int]:
    """
    How many ``coupons`` a list has of processed files, how many were ``issued``, and ``stock``, the
    difference.
    """
    if coupon_list is None:
        return {"coupons": 0, "issued": 0, "stock": 0}
    now, issued = world.clock.now(), coupon_list.state.issued
    coupon_list.unended = {
        one for one in coupon_list.unended if not coupon_list.files[one].ended(now)
    }
    results = (coupon_list.files[one].result for one in coupon_list.unended)
    processed = coupon_list.coupons - sum(result.added for result in results if result is not None)
    return {"coupons": processed, "issued": issued, "stock": processed - issued}


def issue(world: World, workspace: str, list_id: str, number: Count) -> dict[str, int]:
    """Hand out coupons of a list, as many as it has."""
    coupon_list = world.account(workspace).lists.get(list_id)
    if coupon_list is None:
        raise ValueError(f"there is no coupon list {list_id!r}")
    coupon_list.state.issued += min(number, stock(world, coupon_list)["stock"])
    world.save(coupon_list.state)
    return stock(world, coupon_list)
