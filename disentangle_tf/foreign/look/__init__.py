"""What a model's files say, read as data before anything of it runs."""
