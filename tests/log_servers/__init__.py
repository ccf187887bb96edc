"""Log servers for tests: they keep entries in memory and answer in the documented shapes of the real ones."""
