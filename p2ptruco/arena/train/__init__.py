"""Learning by self-play. It needs the extra `train` and a C compiler; playing needs neither."""
