"""What is run, and the three ways to run it: through the daemon, bare, and in bubblewrap."""

from .contender import Contender


class Program:
    def __init__(self, name, language, code, bare, output):
        self.name = name
        self.job = {"language": language, "code": code}
        self.bare = bare  # the same as a command line
        self.output = output


PROGRAMS = [
    Program("true", "true", "-", ["/bin/true"], ""),
    Program("bash", "bash", "echo hello", ["/bin/bash", "-c", "echo hello"], "hello"),
    Program("python", "python", "print('hello')", ["/usr/bin/python3", "-c", "print('hello')"], "hello"),
    Program("node", "node", "console.log('hello')", ["/usr/bin/node", "-e", "console.log('hello')"], "hello"),
]


class Ways:
    """Makes contenders. `bench` is build/bench, `image` the tree that all of them run the program from."""

    def __init__(self, bench, image, daemon):
        self._bench = bench
        self._image = image
        self._daemon = daemon

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
            [self._bench / "spawn", "--root", self._image, *self._expect(program), "--", *program.bare],
        )

    def bubblewrap(self, program):
        return Contender(
            f"{program.name} in bubblewrap",
            [self._bench / "spawn", *self._expect(program), "--", *self._bwrap(), *program.bare],
        )

    def all_of(self, program, job=None):
        return [self.rest(program.name, job or program.job), self.bare(program), self.bubblewrap(program)]

    def _expect(self, program):
        return ["--expect", program.output] if program.output else []

    def _bwrap(self):
        return ["/usr/bin/bwrap", "--unshare-all", "--ro-bind", self._image, "/", "--proc", "/proc", "--dev", "/dev",
                "--tmpfs", "/tmp"]
