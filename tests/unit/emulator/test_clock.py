"""The service's time."""

from __future__ import annotations

import math

import pytest

from wes_provider.emulator.clock import Clock


def test_it_moves_forward_at_once() -> None:
    clock = Clock(1000.0, speed=0)
    clock.advance(86400.5)
    assert clock.now() == 87400.5


def test_it_can_be_stopped_and_sped_up_without_a_jump() -> None:
    clock = Clock(1000.0, speed=0)
    clock.speed = 1_000_000
    while clock.now() < 2000:
        pass  # a thousandth of a second
    clock.speed = 0
    assert clock.now() == clock.now() >= 2000


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf])
def test_it_goes_neither_back_nor_nowhere(seconds: float) -> None:
    with pytest.raises(ValueError, match="advance"):
        Clock(0).advance(seconds)
