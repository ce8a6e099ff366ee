"""What a table waits for, one step after the other (table.md §1)."""
