"""Which of a model's functions to call, and how images go into it."""
