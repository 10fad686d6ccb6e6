"""Tests that drive a real Airflow, and what they drive it with."""
