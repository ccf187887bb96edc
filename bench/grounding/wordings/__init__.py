"""Further wordings of the development half, each by another writer who saw neither the rules nor the others."""
