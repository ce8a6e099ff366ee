"""Faces that are programs of somebody else's: objects out and in (`protocol/front.md`)."""
