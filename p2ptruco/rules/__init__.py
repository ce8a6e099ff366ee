"""The rules of truco as the whole table sees them: pure, and blind to every hidden card."""
