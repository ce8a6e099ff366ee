"""The sans-IO table: entries go in, needs come out, and every peer holds the same one."""
