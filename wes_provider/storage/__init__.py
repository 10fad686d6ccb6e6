"""
Coupon files from object storage: listed, checked, signed right before the upload, and never
uploaded twice.
"""

from wes_provider.storage.files import BucketFiles
from wes_provider.storage.ledger import Ledger
from wes_provider.storage.rules import Preflight

__all__ = ["BucketFiles", "Ledger", "Preflight"]
