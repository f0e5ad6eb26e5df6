"""The stores against real servers."""
