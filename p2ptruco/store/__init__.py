"""The data folder: who we are, whom we met, what was played."""
