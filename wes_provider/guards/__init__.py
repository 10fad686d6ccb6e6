"""
Guards for changes of a segment: limits on how much an update changes, approval, and restoring.
"""

from __future__ import annotations

from wes_provider.guards.plan import Plan
from wes_provider.guards.segment_guard import SegmentGuard, WesGuardError, can_approve

__all__ = ["Plan", "SegmentGuard", "WesGuardError", "can_approve"]
