"""The async edge: the only place that touches sockets."""
