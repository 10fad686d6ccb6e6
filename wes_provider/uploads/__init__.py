"""Coupon files reach the service at most once, at the pace that its limits allow."""
