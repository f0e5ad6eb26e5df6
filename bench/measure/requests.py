"""Whole requests: how long one takes, and how many there are in a second."""

import contextlib
import time

from .contender import take_turns
from .programs import PROGRAMS
from .table import median, ms, quantile, ratio

ROUNDS = 400
SECONDS = 10
CONCURRENCIES = (1, 4, 16)
SLICES = 2
SLICE_SECONDS = 0.7
SECONDS_FOR_SLICES = 6


def measure(ways, report):
    rows = []
    for program in PROGRAMS:
        report(program.name)
        rows += measure_one(ways, program, program.name, program.job)
    node = PROGRAMS[-1]
    report("node with a whole core")
    rows += measure_one(ways, node, "node, cpu_cores 1", {**node.job, "limits": {"cpu_cores": 1}})
    return rows


def measure_one(ways, program, name, job):
    with contextlib.ExitStack() as stack:
        contenders = [stack.enter_context(contender) for contender in ways.all_of(program, job)]
        times = take_turns(contenders, ROUNDS, SECONDS)
        rows = [latency_row(f"{name}, {label}, one at a time", times, pick) for label, pick in
                (("p50", median), ("p99", lambda values: quantile(values, 0.99)))]
        rows[1][-1] = f"{len(times[0])} rounds"
        return rows + [throughput_row(name, contenders, threads) for threads in CONCURRENCIES]


def latency_row(name, times, pick):
    ours, bare, bubblewrap = map(pick, times)
    return [name, ratio(ours / bare), ratio(ours / bubblewrap), ms(ours), ms(bare), ms(bubblewrap), ""]


def throughput_row(name, contenders, threads):
    """A slice for each, then, unless a slow program has used the time up, another one."""
    done = [[0, 0.0] for _ in contenders]
    end = time.monotonic() + SECONDS_FOR_SLICES
    for turn in range(SLICES):
        if turn > 0 and time.monotonic() > end:
            break
        for total, contender in zip(done, contenders):
            rounds, seconds = contender.load(threads, SLICE_SECONDS)
            total[0] += rounds
            total[1] += seconds
    ours, bare, bubblewrap = (rounds / seconds for rounds, seconds in done)
    return [f"{name}, throughput, {threads} at a time", ratio(ours / bare), ratio(ours / bubblewrap),
            f"{ours:.0f}/s", f"{bare:.0f}/s", f"{bubblewrap:.0f}/s", ""]
