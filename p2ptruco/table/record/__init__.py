"""A match as a file: written, read and verified (record.md)."""
