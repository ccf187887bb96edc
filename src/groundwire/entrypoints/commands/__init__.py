"""The commands, a file for each family; each is imported when it is invoked."""
