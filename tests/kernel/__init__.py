"""Tests against the real kernel: named attackers, what must become of them and of the host."""
