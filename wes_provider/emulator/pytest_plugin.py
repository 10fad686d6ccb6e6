"""Fixture placeholder."""
