"""Waiting for coupon files in the triggerer, where a wait costs no worker."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from airflow.providers.common.compat.connection import get_async_connection
from airflow.triggers.base import BaseTrigger, TriggerEvent

from wes_provider.client.asynchronous import AsyncWesClient
from wes_provider.client.calls import Calls
from wes_provider.exceptions import WesError
from wes_provider.hooks import read_settings
from wes_provider.models import CouponFile
from wes_provider.polling import Failed, Outcome, Statuses, Wait, Watch, dump_outcomes

__all__ = ["WesCouponFileTrigger"]

log = logging.getLogger(__name__)


class WesCouponFileTrigger(BaseTrigger):
    """
    Waits until coupon files of one list are processed. Only observes: it changes nothing at the service.

    Fires once, when the last file is processed, has failed or has run out of time; see
    :func:`~wes_provider.polling.load_outcomes` for its event. Its serialized form holds no secret.

    :param wes_conn_id: the connection, of type ``wes``.
    :param coupon_list_id: of the files.
    :param coupon_files: the files' identifiers, and when each was uploaded, epoch seconds.
    :param deadline: when to give up, epoch seconds.
    :param poll_interval: seconds between looks at a file at most.
    :param statuses: which status means what, as :meth:`~wes_provider.polling.Statuses.to_dict` has it.
    """

    def __init__(
        self,
        *,
        wes_conn_id: str,
        coupon_list_id: str,
        coupon_files: Mapping[str, float],
        deadline: float,
        poll_interval: float,
        statuses: Mapping[str, list[str]],
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.wes_conn_id = wes_conn_id
        self.coupon_list_id = coupon_list_id
        self.coupon_files = dict(coupon_files)
        self.deadline = deadline
        self.poll_interval = poll_interval
        self.statuses = dict(statuses)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Airflow stores this, in clear."""
        return (
            f"{type(self).__module__}.{type(self).__qualname__}",
            {
                "wes_conn_id": self.wes_conn_id,
                "coupon_list_id": self.coupon_list_id,
                "coupon_files": self.coupon_files,
                "deadline": self.deadline,
                "poll_interval": self.poll_interval,
                "statuses": self.statuses,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Look at the files until each wait is over."""
        try:
            async with AsyncWesClient(read_settings(await get_async_connection(self.wes_conn_id))) as client:
                waits = (self._wait(client, file_id, started) for file_id, started in self.coupon_files.items())
                outcomes = dict(zip(self.coupon_files, await asyncio.gather(*waits), strict=True))
        except WesError as error:
            outcomes = dict.fromkeys(self.coupon_files, Failed(error))
        yield TriggerEvent(dump_outcomes(outcomes))  # type: ignore[no-untyped-call]

    async def _wait(self, client: AsyncWesClient, file_id: str, started: float) -> Outcome:
        watch = Watch(
            self.coupon_list_id,
            file_id,
            statuses=Statuses.of(self.statuses),
            started=started,
            deadline=self.deadline,
            poll_interval=self.poll_interval,
        )
        call = Calls(client.settings).get_coupon_file(self.coupon_list_id, file_id)
        while True:
            seen: CouponFile | WesError
            try:
                seen = CouponFile.from_record(await client.once(call), coupon_list_id=self.coupon_list_id)
            except WesError as error:
                seen = error
            decision = watch.look(seen, time.time())
            if not isinstance(decision, Wait):
                return decision
            for level, text in decision.notes:
                log.log(level, "%s", text)
            await asyncio.sleep(decision.seconds)
