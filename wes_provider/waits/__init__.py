"""One wait for a coupon file: a pure decision, and the loop that polls until it is over."""
