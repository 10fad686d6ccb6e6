"""What must hold before a segment is changed: limits on how much an update changes, approval, and the way back."""

from __future__ import annotations

from wes_provider.guards.plan import Plan, WesGuardError
from wes_provider.guards.segment_guard import SegmentGuard, can_approve

__all__ = ["Plan", "SegmentGuard", "WesGuardError", "can_approve"]
