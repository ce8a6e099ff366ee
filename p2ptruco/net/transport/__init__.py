"""One channel between two ends: tickets, TLS, the handshake, frames (wire.md §2 to §4)."""
