"""python-data: numpy, pandas and matplotlib, imported before the job is there. Its image is built here, once."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from api.base import ApiTest, side_by_side
from support.daemon import Daemon
from support.process import REPOSITORY, program

_IMAGES = pathlib.Path(program("outriggerd")).resolve().parents[1] / "python-data" / "images"
_BUILD_SECONDS = 600
_CONFIG = """
# Starting an interpreter with all this takes two seconds of CPU.
[limits]
wall_time_ms = 60000
cpu_cores = 2.0
[ceilings]
wall_time_ms = 60000
cpu_cores = 2.0
"""


def setUpModule():
    """A daemon that knows this runtime and no other, so that others' tests are not slowed by a large template."""
    subprocess.run([program("outrigger"), "runtime", "build", "python-data", "--images-dir", _IMAGES], check=True,
                   timeout=_BUILD_SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    global _directory, _daemon
    _directory = tempfile.TemporaryDirectory()
    os.chmod(_directory.name, 0o755)
    shutil.copy(REPOSITORY / "runtimes" / "python-data.toml", _directory.name)
    _daemon = Daemon(_CONFIG, args=["--runtimes-dir", _directory.name, "--images-dir", str(_IMAGES)])
    ApiTest.daemon = _daemon.__enter__()


def tearDownModule():
    ApiTest.daemon = None
    _daemon.__exit__(None, None, None)
    _directory.cleanup()


class PythonData(ApiTest):
    def run_data(self, code, **fields):
        return self.run_code("python-data", code, **fields)

    def test_what_the_libraries_compute(self):
        code = "import numpy, pandas\nprint(pandas.DataFrame({'a': numpy.arange(9)}).sum())\n" \
               "print(numpy.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0]))"
        self.assert_completed(self.run_data(code), "a    36\ndtype: int64\n[0.8 1.4]\n", "")

    def test_importing_them_costs_a_job_nothing(self):
        """Less than a tenth of what it costs an interpreter that is started for the job."""
        code = "import numpy, pandas, matplotlib.pyplot"
        forked = self.run_data(code)
        started = self.run_data(code, env={"OPENBLAS_VERBOSE": "0"})
        self.assert_completed(forked, "", "")
        self.assert_completed(started)
        self.assertLess(forked["cpu_time_ms"], started["cpu_time_ms"] / 10)
        self.assertLess(forked["peak_memory_bytes"], started["peak_memory_bytes"] / 4)

    def test_a_picture_is_drawn(self):
        code = "import matplotlib.pyplot as plot\nplot.plot([1, 3, 2])\nplot.savefig('a.png')\n" \
               "print(open('a.png', 'rb').read(8), plot.get_backend().lower())"
        self.assert_completed(self.run_data(code), "b'\\x89PNG\\r\\n\\x1a\\n' agg\n")

    def test_no_two_jobs_draw_the_same_numbers(self):
        code = "import numpy\nprint(numpy.random.rand(), numpy.random.default_rng().random(), numpy.random.randint(1 << 60))"
        outputs = [one["stdout"].split() for one in side_by_side(lambda _: self.run_data(code), range(8), 4)]
        for drawn in zip(*outputs):
            self.assertEqual(len(set(drawn)), len(outputs), drawn)
        seeded = [self.run_data("import numpy; numpy.random.seed(7); print(numpy.random.rand())")["stdout"] for _ in range(2)]
        self.assertEqual(seeded[0], seeded[1])

    def test_one_thread_computes(self):
        code = "import numpy, os\na = numpy.ones((300, 300))\nprint((a @ a).sum(), len(os.listdir('/proc/self/task')))"
        self.assert_completed(self.run_data(code), "27000000.0 1\n")

    def test_a_variable_that_a_library_reads_once_is_honoured(self):
        result = self.run_data("import matplotlib; print(matplotlib.get_backend())", env={"MPLBACKEND": "svg"})
        self.assert_completed(result, "svg\n")
