"""
One reading for all watches of a list, by a feature that Airflow has since 3.3: a shared stream,
which tells when the events of a reading are in Airflow's database.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from airflow.triggers.shared_stream import AdvanceItem, SharedStreamProducer

from wes_provider.watches.loop import Reading


class SharedReadings(SharedStreamProducer):
    """
    The readings of a list, for all triggers that watch it.

    :param readings: from :func:`~wes_provider.watches.loop.read_for_ever`.
    """

    def __init__(self, readings: AsyncIterator[Reading]) -> None:
        self._readings = readings

    async def open_stream(self) -> AsyncIterator[tuple[Any, Any]]:
        """Yield each reading twice: for the triggers, and for :meth:`advance`."""
        async for reading in self._readings:
            yield reading, reading

    async def advance(self, batch: Sequence[AdvanceItem]) -> None:
        """
        Have the watches record what they have seen: Airflow has stored their events of it.

        A reading of which it has not stored all is left out. The trigger whose event is missing
        starts again from its record, and the others' records catch up after the next reading.
        """
        for item in batch:
            if item.outcome.is_clean:
                for record in item.broker_payload.when_stored:
                    await record()
