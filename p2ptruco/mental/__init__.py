"""Dealing without a dealer: pure mental poker over ristretto255 (deal.md)."""
