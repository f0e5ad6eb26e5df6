"""Takes turns among the programs of build/bench/ and makes one table of what they say."""
