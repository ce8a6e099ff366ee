"""Links to peers: who is let in, who is dialled again, one link a pair (wire.md §5)."""
