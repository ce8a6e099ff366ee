"""One command a file: its options, and what it prints."""
