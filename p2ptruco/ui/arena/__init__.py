"""An arena's standing as text and as a page."""
