"""What the test suites share: the daemon under test and an HTTP client that hides nothing."""
