"""Tests against the real kernel: named attackers, what must become of them, and what the host keeps of them (nothing)."""
