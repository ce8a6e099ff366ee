"""A hand as lines of text: 80 columns, no colour needed, nothing redrawn."""
