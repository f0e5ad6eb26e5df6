"""What is run, and the three ways to run it: through the daemon, bare, and in bubblewrap."""

from .contender import Contender


class Program:
    def __init__(self, name, language, code, bare, output, **goals):
        self.name = name
        self.goals = goals  # p50: at most so many times bare; throughput: at 16 at a time at least so many times bare
        self.job = {"language": language, "code": code}
        self.bare = bare  # the same as a command line
        self.output = output


PROGRAMS = [
    Program("true", "true", "-", ["/bin/true"], ""),
    Program("bash", "bash", "echo hello", ["/bin/bash", "-c", "echo hello"], "hello", p50=1.5),
    Program("python", "python", "print('hello')", ["/usr/bin/python3", "-c", "print('hello')"], "hello", p50=0.12,
            throughput=3.0),
    Program("node", "node", "console.log('hello')", ["/usr/bin/node", "-e", "console.log('hello')"], "hello", p50=0.15,
            throughput=0.9),
]
_FRAME = "import numpy, pandas; print(pandas.DataFrame({'a': numpy.arange(9)}).sum())"
# Only where its image has been built.
DATA = Program("python-data", "python-data", _FRAME, ["/usr/bin/python3", "-c", _FRAME], "a    36\ndtype: int64", p50=0.05)


class Ways:
    """Makes contenders. `bench` is build/bench, `image` the tree that all of them run the program from."""

    def __init__(self, bench, image, daemon):
        self._bench = bench
        self._image = image
        self._daemon = daemon

    def has(self, program):
        return self._tree(program).exists()

    def _tree(self, program):
        """python-data lives in an image of its own."""
        return self._image.parent / program.name if program is DATA else self._image

    def rest(self, name, job, status=200, text=None):
        expected = text or '"status":"completed"'
        return Contender(
            f"{name} over HTTP",
            [self._bench / "http_load", self._daemon.port, "POST", "/api/v1/execute",
             self._daemon.body_file(name, job), status, expected],
        )

    def bare(self, program):
        """From the same tree, by chroot made once: the same files, no isolation."""
        return Contender(
            f"{program.name}, bare",
            [self._bench / "spawn", "--root", self._tree(program), *self._expect(program), "--", *program.bare],
        )

    def bubblewrap(self, program):
        return Contender(
            f"{program.name} in bubblewrap",
            [self._bench / "spawn", *self._expect(program), "--", *self._bwrap(program), *program.bare],
        )

    def all_of(self, program, job=None):
        return [self.rest(program.name, job or program.job), self.bare(program), self.bubblewrap(program)]

    def _expect(self, program):
        return ["--expect", program.output] if program.output else []

    def _bwrap(self, program):
        return ["/usr/bin/bwrap", "--unshare-all", "--ro-bind", self._tree(program), "/", "--proc", "/proc", "--dev", "/dev",
                "--tmpfs", "/tmp"]
