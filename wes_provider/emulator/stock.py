"""How many coupons a list has, and campaigns that hand them out."""

from __future__ import annotations

from wes_provider.emulator.checking import Count, Seconds
from wes_provider.emulator.world import CouponList, World

__all__ = ["issue", "stock"]


def stock(world: World, coupon_list: CouponList | None) -> dict[str, int]:
    """
    How many coupons a list has.

    :return: ``coupons`` (all of processed files), ``issued``, and ``stock``, the difference.
    """
    if coupon_list is None:
        return {"coupons": 0, "issued": 0, "stock": 0}
    now, state = world.clock.now(), coupon_list.state
    files = [coupon_list.files[file_id] for file_id in coupon_list.unended]
    coupon_list.unended = {file.id for file in files if not file.ended(now)}
    results = (coupon_list.files[file_id].result for file_id in coupon_list.unended)
    processed = coupon_list.coupons - sum(result.added for result in results if result is not None)
    by_rate = state.rate * (now - state.counted_at)
    state.issued = min(state.issued + by_rate, max(processed, state.issued))
    state.counted_at = now
    issued = int(state.issued + 1e-6)  # a rate times seconds is hardly ever whole
    return {"coupons": processed, "issued": issued, "stock": processed - issued}


def issue(world: World, workspace: str, list_id: str, number: Count, rate: Seconds | None) -> dict[str, int]:
    """
    Hand out coupons of a list, as many as it has.

    :param number: how many coupons to hand out now.
    :param rate: coupons in each of the service's seconds from now on; ``None`` leaves the rate as it is.
    :raises ValueError: if there is no such list.
    """
    coupon_list = world.account(workspace).lists.get(list_id)
    if coupon_list is None:
        raise ValueError(f"there is no coupon list {list_id!r}")
    coupon_list.state.issued += min(number, stock(world, coupon_list)["stock"])
    if rate is not None:
        coupon_list.state.rate = rate
    world.save(coupon_list.state)
    return stock(world, coupon_list)
