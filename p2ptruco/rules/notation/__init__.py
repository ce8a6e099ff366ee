"""Hands as text: read, written, and refereed (rules.md §8)."""
