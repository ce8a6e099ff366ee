"""A bot in a process of its own: `mind` at the table's end of the pipe, `inside` at the bot's."""
