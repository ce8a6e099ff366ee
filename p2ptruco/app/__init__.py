"""What a person does with a match, for any face: events and questions out, commands in."""
