"""Whoever sits at the table: where the next move of a seat comes from."""
