"""Learning environments: thin adapters for PettingZoo, Gymnasium and OpenSpiel."""
