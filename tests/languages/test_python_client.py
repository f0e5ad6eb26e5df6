"""What the client of clients/python makes of a compile step."""

import pathlib
import sys

from api.base import ApiTest
from languages.base import languages_daemon

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))
# pylint: disable=wrong-import-position
from outrigger import Client  # noqa: E402

setUpModule, tearDownModule = languages_daemon()


class PythonClient(ApiTest):
    def test_compiling_is_typed(self):
        client = Client(f"http://127.0.0.1:{self.daemon.port}")
        good = client.run("c", '#include <stdio.h>\nint main(void) { return puts("hi") < 0; }')
        self.assertEqual((good.stdout, good.compile.status, good.compile.exit_code), ("hi\n", "completed", 0))
        bad = client.run("c", "int main(void) { return nothing; }")
        self.assertEqual((bad.status, bad.cause.code, bad.compile.status, bad.compile.cached),
                         ("failed", "compile", "failed", False))
        self.assertIn("nothing", bad.compile.stderr)
        self.assertGreater(bad.compile.wall_time_ms, 0)
        self.assertIsNone(client.run("perl", "print 1").compile)
