"""What the records of coupon files say: statuses, counts, and what lies ahead. Pure."""
