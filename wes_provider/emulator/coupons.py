"""Coupon lists and their files: uploads, reads, processing, stock."""

from __future__ import annotations

import array
import base64
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from wes_provider import contract
from wes_provider.emulator.context import Context, CouponList, Quotas
from wes_provider.emulator.listing import listing
from wes_provider.emulator.processing import CouponCounter, CouponFile, Result, Script, default_name
from wes_provider.emulator.replies import NOT_FOUND, Reply, nested, refuse
from wes_provider.emulator.rewriting import stored_name, stored_url

__all__ = ["Coupons"]

REMEMBERED_COUPONS: Final = 2_000_000  # over all lists, some 70 bytes each; duplicates beyond are not recognised
_NUMBER: Final = re.compile(r"\{(?::(\d*d?))?\}")  # {} or {:06d}
_SEEDED_AGE: Final = contract.DAY  # seconds; how long ago seeded files were uploaded


class Coupons:
    """
    The coupon operations of all workspaces.

    :ivar unfetched: accepted files that are still to be fetched, by id, in order of acceptance.
    :ivar uncalled: accepted files whose callback is still due, by id.
    """

    def __init__(self, context: Context, quotas: Quotas) -> None:
        self._context = context
        self._quotas = quotas
        self.scripts: list[Script] = []  # the newest first
        self._remembered = 0
        self.unfetched: dict[str, CouponFile] = {}
        self.uncalled: dict[str, CouponFile] = {}

    # -- requests

    def upload(self, workspace: str, list_id: str, given: dict[str, str]) -> Reply:
        """Accept a coupon file."""
        self._quotas.check("upload_coupon_file", workspace, list_id)
        file = self._new_file(workspace, list_id, given)
        self.accept(file)
        self._save(file)
        settings = self._context.settings
        body = self._contract_fields(file, contract.STATUS_AFTER_UPLOAD)
        if settings.upload_shows == "sent":
            body |= {"name": file.name, "file_url": file.file_url}
        return Reply.json(contract.UPLOAD_STATUS_CODE, body)

    def get(self, workspace: str, file_id: str, list_id: str | None) -> Reply:
        """
        One file.

        :param list_id: ``None`` if the path, which is a setting, does not have it.
        """
        lists = self._context.account(workspace).lists
        if list_id is None:
            file = self.find(file_id, workspace)
        else:
            file = lists[list_id].files.get(file_id) if list_id in lists else None
        if file is None or self._context.clock.now() < file.accepted_at + self._context.settings.fetch_lag:
            refuse(404, NOT_FOUND, "There is no such coupon file.")
        return Reply.json(200, self.record(file))

    def list(self, workspace: str, list_id: str, raw_path: str) -> Reply:
        """The files of a list."""
        settings = self._context.settings
        coupon_list = self._context.account(workspace).lists.get(list_id)
        if coupon_list is None and settings.unknown_list == "404":
            refuse(404, NOT_FOUND, "There is no such coupon list.")
        shown_until = self._context.clock.now() - settings.list_lag
        files = coupon_list.files.values() if coupon_list else ()
        return listing([file for file in files if file.accepted_at <= shown_until], self.record, raw_path, settings)

    # -- files

    def find(self, file_id: str, workspace: str = "") -> CouponFile | None:
        """A file by its identifier alone."""
        lists = self._context.account(workspace).lists.values()
        return next((file for one in lists if (file := one.files.get(file_id))), None)

    def _new_file(self, workspace: str, list_id: str, given: dict[str, str]) -> CouponFile:
        settings = self._context.settings
        name = given.get("name") or default_name(given["file_url"])
        file = CouponFile(
            id=secrets.token_hex(12),
            list_id=list_id,
            name=name,
            file_url=given["file_url"],
            stored_name=stored_name(name, settings),
            stored_url=stored_url(given["file_url"], settings.url_rewrites),
            created_by=given.get("created_by", ""),
            callback_url=given.get("callback_url", ""),
            username=given.get("file_url_auth_username", ""),
            password=given.get("file_url_auth_password", ""),
            accepted_at=self._context.clock.now(),
            processing_time=settings.processing_time,
            statuses=tuple(settings.statuses),
            script=Script(),
            workspace=workspace,
        )
        file.script = next((script for script in self.scripts if script.matches(file)), file.script)
        return file

    def accept(self, file: CouponFile) -> None:
        """Add an uploaded file to its list and count it against the limits, without keeping it in the state file."""
        new = file.id not in self._list_of(file).files
        self.add(file)
        if new:
            self._quotas.count("upload_coupon_file", file.workspace, file.list_id, at=file.accepted_at)

    def add(self, file: CouponFile) -> None:
        """Add a file to its list."""
        coupon_list = self._list_of(file)
        coupon_list.files[file.id] = file
        if not file.ended(self._context.clock.now()):
            coupon_list.unended.add(file.id)
        self._track(file)

    def seed(self, workspace: str, list_id: str, count: int, name: str, file_url: str) -> None:
        """
        Put many processed files without coupons into a list at once, as if they were uploaded a day ago.

        :param count: how many.
        :param name: the name of each file; ``{}`` or ``{:06d}`` in it is its number, from 1.
        :param file_url: the URL of each file; ``{}`` in it is its name.
        :raises ValueError: for a count below 0.
        """
        if count < 0:
            raise ValueError(f"the count of files must be at least 0, not {count!r}")
        names = [_NUMBER.sub(lambda match, n=number: format(n, match[1] or ""), name) for number in range(1, count + 1)]  # type: ignore[misc]
        self._seed(workspace, list_id, [{"name": one, "file_url": file_url.replace("{}", one)} for one in names])

    def seed_file(self, workspace: str, list_id: str, fields: Mapping[str, Any]) -> None:
        """
        Put a processed file into a list, as if it was uploaded a day ago.

        :param fields: ``name`` or ``file_url``, and perhaps ``_id``, ``created_by``, ``coupons_added``,
            ``coupons_duplicate`` and ``error``.
        """
        url = fields.get("file_url") or f"https://files.example.com/{fields['name']}"
        self._seed(workspace, list_id, [{**fields, "file_url": url}])

    def _seed(self, workspace: str, list_id: str, given: Sequence[Mapping[str, Any]]) -> None:
        coupon_list = self._context.account(workspace).lists.setdefault(list_id, CouponList())
        settings, seeded = self._context.settings, []
        for fields in given:
            file = self._new_file(workspace, list_id, {name: fields.get(name, "") for name in ("name", "file_url")})
            file.accepted_at -= _SEEDED_AGE + settings.list_lag + settings.fetch_lag
            file.processing_time, file.script = 0.0, Script()
            added, duplicate = fields.get("coupons_added", 0), fields.get("coupons_duplicate", 0)
            file.result = Result(added, duplicate, fields.get("error", ""))
            file.id, file.created_by = fields.get("_id", file.id), fields.get("created_by", "")
            coupon_list.coupons += added
            coupon_list.files[file.id] = file
            seeded.append(file)
        if self._context.store is not None:
            self._context.store.save_all("file", ((file.id, file.to_json()) for file in seeded))

    def script(self, script: Script) -> None:
        """Decide what happens to matching files, future ones and those that have not ended. The newest script wins."""
        self.scripts.insert(0, script)
        now = self._context.clock.now()
        for file in self._context.all_files():
            if script.matches(file) and not file.ended(now):
                file.script = script
                self._track(file)
                self._save(file)

    def _list_of(self, file: CouponFile) -> CouponList:
        lists = self._context.account(file.workspace).lists
        return lists.get(file.list_id) or lists.setdefault(file.list_id, CouponList())

    def _track(self, file: CouponFile) -> None:
        if file.needs_fetching:
            self.unfetched[file.id] = file
        else:
            self.unfetched.pop(file.id, None)
        if file.callback_url and not file.called_back:
            self.uncalled[file.id] = file

    def _save(self, file: CouponFile) -> None:
        if self._context.store is not None:
            self._context.store.save("file", file.id, file.to_json())

    def _contract_fields(self, file: CouponFile, status: str) -> dict[str, Any]:
        return {
            "_id": file.id,
            "name": file.stored_name,
            "file_url": file.stored_url,
            "created_by": file.created_by,
            "status": status,
            self._context.settings.list_id_property: file.list_id,
        }

    def record(self, file: CouponFile) -> dict[str, Any]:
        """What a read shows of a file."""
        now, settings = self._context.clock.now(), self._context.settings
        record = self._contract_fields(file, file.status(now, settings.success_status, settings.failure_status))
        ended, error = file.ended(now), file.error
        counted = file.result if ended and not error and file.result is not None else Result()
        for path, count in ((settings.added_property, counted.added), (settings.duplicate_property, counted.duplicate)):
            if path is not None:
                record = nested(path, count, record) if "." in path else {**record, path: count}
        if ended and error:
            record["error"] = error
        return {**record, **file.script.fields} if ended else record

    # -- processing: what the server around the rules fetches and calls

    def counter(self) -> CouponCounter:
        """A counter for the coupons of one file."""
        return CouponCounter(max(0, REMEMBERED_COUPONS - self._remembered))

    def processed(self, file: CouponFile, counter: CouponCounter, error: str) -> bool:
        """
        Keep the result of fetching and counting a file; the caller sees to the order of a list's files.

        :param error: why it cannot be processed; empty if it was fetched and counted whole.
        :return: whether the result was still wanted.
        """
        wanted = self.unfetched.pop(file.id, None)
        if wanted is None:
            return False  # scripted otherwise, or reset, in the meantime
        file = wanted  # another object after a snapshot was restored
        coupon_list = self._list_of(file)
        new = counter.distinct - coupon_list.known
        added = len(new) + counter.unremembered
        most = self._context.settings.list_coupons
        if not error and counter.total == 0:
            error = "The file holds no coupons."
        if not error and coupon_list.coupons + added > most:
            error = f"The list would hold more than {most} coupons."
        if error:
            file.result = Result(error=error)
        else:
            file.result = Result(added, counter.total - added)
            self._add_coupons(coupon_list, added, new)
            packed = base64.b64encode(array.array("Q", new).tobytes()).decode()
            document = {"list_id": file.list_id, "added": added, "known": packed, "workspace": file.workspace}
            self._context.save("coupons", file.id, document)
        file.username = file.password = ""  # needed no more
        self._save(file)
        return True

    def add_list(self, workspace: str, list_id: str, coupon_list: CouponList) -> None:
        """Add a list that a snapshot holds."""
        self._context.account(workspace).lists[list_id] = coupon_list
        self._remembered += len(coupon_list.known)

    def restore_coupons(self, document: dict[str, Any]) -> None:
        """Add the coupons of one file again, from the state file."""
        coupon_list = self._context.account(document.get("workspace", "")).lists[document["list_id"]]
        known = set(array.array("Q", base64.b64decode(document["known"])))
        self._add_coupons(coupon_list, document["added"], known)

    # -- stock

    def stock(self, coupon_list: CouponList) -> dict[str, int]:
        """
        How many coupons a list has.

        :return: ``coupons`` (all of processed files), ``issued``, and ``stock``, the difference.
        """
        now = self._context.clock.now()
        for file in [coupon_list.files[file_id] for file_id in coupon_list.unended]:
            if file.ended(now):
                coupon_list.unended.discard(file.id)
        unended = (coupon_list.files[file_id].result for file_id in coupon_list.unended)
        processed = coupon_list.coupons - sum(result.added for result in unended if result is not None)
        by_rate = coupon_list.rate * (now - coupon_list.counted_at)
        coupon_list.issued = min(coupon_list.issued + by_rate, max(processed, coupon_list.issued))
        coupon_list.counted_at = now
        issued = int(coupon_list.issued + 1e-6)  # a rate times seconds is hardly ever whole
        return {"coupons": processed, "issued": issued, "stock": processed - issued}

    def issue(self, workspace: str, list_id: str, number: int, rate: float | None) -> dict[str, int]:
        """
        Hand out coupons of a list, as many as it has.

        :param number: how many coupons to hand out now.
        :param rate: coupons in each of the service's seconds from now on; ``None`` leaves the rate as it is.
        :raises ValueError: if there is no such list, or for a negative number.
        """
        account = self._context.accounts.get(workspace)
        coupon_list = account.lists.get(list_id) if account is not None else None
        if coupon_list is None:
            raise ValueError(f"there is no coupon list {list_id!r}")
        if number < 0 or (rate is not None and rate < 0):
            raise ValueError(f"the number and the rate of coupons must be at least 0, not {number!r} and {rate!r}")
        coupon_list.issued += min(number, self.stock(coupon_list)["stock"])
        if rate is not None:
            coupon_list.rate = rate
        stock = self.stock(coupon_list)
        document = {"issued": coupon_list.issued, "rate": coupon_list.rate, "settled_at": coupon_list.counted_at}
        self._context.save("issued", json.dumps([workspace, list_id]), document)
        return stock

    def restore_issued(self, identifier: str, document: dict[str, Any]) -> None:
        """How many coupons of a list were handed out, from the state file."""
        workspace, list_id = json.loads(identifier)
        coupon_list = self._context.account(workspace).lists.setdefault(list_id, CouponList())
        coupon_list.issued, coupon_list.rate = document["issued"], document["rate"]
        coupon_list.counted_at = document["settled_at"]

    def _add_coupons(self, coupon_list: CouponList, added: int, known: set[int]) -> None:
        coupon_list.coupons += added
        self._remembered += len(known - coupon_list.known)
        coupon_list.known |= known

    def ended_files_to_call_back(self) -> Iterator[tuple[CouponFile, dict[str, Any]]]:
        """Files that have ended since the last call and have a callback, with their records; each comes once."""
        ended_by = self._context.clock.now() - self._context.settings.callback_delay
        for file in [file for file in self.uncalled.values() if file.ended(ended_by)]:
            file.called_back = True
            del self.uncalled[file.id]
            self._save(file)
            yield file, self.record(file)

    def seconds_to_next_end(self) -> float | None:
        """This machine's seconds until a file with a callback is due; ``None`` if none is known to be."""
        now = self._context.clock.now() - self._context.settings.callback_delay
        ends = [file.due_at - now for file in self.uncalled.values() if file.due_at is not None and file.due_at > now]
        return self._context.clock.machine_seconds(min(ends)) if ends else None
