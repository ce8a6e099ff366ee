"""A prover of the deal by another hand, and what it forges.

Written from `protocol/deal.md` and RFC 9496 alone, in Python's integers: nothing of
`p2ptruco.mental` is imported, its door to the group included, so that no mistake is shared. What it
proves honestly is accepted, so what it forges is not refused for being badly made.
"""
