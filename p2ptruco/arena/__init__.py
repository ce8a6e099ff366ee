"""The arena: many matches between bots by the rules alone, without cryptography."""
