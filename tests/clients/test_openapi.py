"""docs/openapi.json as others read it: without a finding of Spectral's. What it says is held against the daemon in api.test_schema."""

import unittest

from clients.node import HERE, REPO, bin_of, run


class OpenApi(unittest.TestCase):
    def test_is_linted_without_a_finding(self):
        told = run(self, bin_of("spectral"), "lint", "--ruleset", HERE / "spectral.yaml", "--fail-severity=hint",
                   "--fail-on-unmatched-globs", REPO / "docs" / "openapi.json")
        self.assertIn("No results", told)
