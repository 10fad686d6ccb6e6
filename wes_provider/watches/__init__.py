"""One watch of a coupon list: a pure decision, and the loop that reads the list for ever."""
