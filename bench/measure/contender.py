"""One program of build/bench/, ready and waiting for its next command (see bench/rounds.h)."""

import subprocess
import time


class ContenderFailed(Exception):
    pass


class Contender:
    def __init__(self, name, command):
        self.name = name
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()

    def _say(self, command):
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._give_up()

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            self._give_up()
        return line

    def _give_up(self):
        self._process.kill()
        raise ContenderFailed(f"{self.name}: {self._process.stderr.read().strip() or 'ended without a word'}")

    def rounds(self, count=1):
        """Does it `count` times; the milliseconds of each."""
        self._say(f"rounds {count}")
        return [int(self._line()) / 1e6 for _ in range(count)]

    def load(self, threads, seconds, most=10**9):
        """Does it on so many threads at once; how often, and in how many seconds."""
        self._say(f"load {threads} {int(seconds * 1000)} {most}")
        rounds, nanoseconds = self._line().split()
        return int(rounds), int(nanoseconds) / 1e9

    def pace(self, threads, per_second, seconds):
        """So many a second, evenly, whatever becomes of each; the milliseconds from when each was due to its end."""
        self._say(f"pace {threads} {max(1, round(per_second))} {int(seconds * 1000)}")
        return [int(line) / 1e6 for line in iter(self._line, "end\n")]


def take_turns(contenders, rounds, seconds):
    """One round each, again and again, each time another one first; lists of milliseconds, one a contender.

    A change in the machine's load meets all of them alike, and so does what the one before leaves for the kernel to
    tidy up. Ends after so many rounds or seconds, whichever comes first, but never before three rounds.
    """
    times = [[] for _ in contenders]
    end = time.monotonic() + seconds
    for contender in contenders:
        contender.rounds(3)  # what is read from a disk for the first time is nobody's fault
    for turn in range(rounds):
        if turn >= 3 and time.monotonic() > end:
            break
        for i in range(len(contenders)):
            which = (turn + i) % len(contenders)
            times[which] += contenders[which].rounds(1)
    return times
