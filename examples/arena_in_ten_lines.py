"""Which of two bots is better? An arena in ten lines: `python examples/arena_in_ten_lines.py`."""

from p2ptruco.arena.contest import Plan, compete

standing = compete(Plan(bots=("zap", "random"), pairs=50, seats=2, seed=1), jobs=2)
duel = standing.duels[0]
low, high = duel.interval

print(f"zap won {duel.wins_a} of {2 * duel.pairs} matches against random:")
print(f"its true rate is between {low:.0%} and {high:.0%}, 19 times in 20")
for bot in standing.entrants:
    print(f"{bot.name}: rated {bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}")
