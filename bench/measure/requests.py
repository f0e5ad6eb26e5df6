"""Whole requests: how long one takes, how many there are in a second, and how they fare at half of that."""

import contextlib
import time

from .contender import take_turns
from .programs import DATA, PROGRAMS
from .table import goal, median, ms, quantile, ratio

ROUNDS = 400
SECONDS = 10
CONCURRENCIES = (1, 4, 16)
SLICES = 2
SLICE_SECONDS = 0.7
SECONDS_FOR_SLICES = 6
PACE_SECONDS = 4
MOST_SPREAD = 4  # p99 in p50s, at half the saturated load


def measure(ways, report):
    rows = []
    for program in PROGRAMS:
        report(program.name)
        rows += measure_one(ways, program, program.name, program.job)
    node = next(program for program in PROGRAMS if program.name == "node")
    report("node with a whole core")
    rows += measure_one(ways, node, "node, cpu_cores 1", {**node.job, "limits": {"cpu_cores": 1}}, goals=False)
    if ways.has(DATA):
        report(DATA.name)
        rows += latency_rows(ways, DATA)
    return rows


def measure_one(ways, program, name, job, goals=True):
    with contextlib.ExitStack() as stack:
        contenders = [stack.enter_context(contender) for contender in ways.all_of(program, job)]
        wanted = program.goals if goals else {}
        rows = latency(name, take_turns(contenders, ROUNDS, SECONDS), wanted.get("p50"))
        most = 0.0
        for threads in CONCURRENCIES:
            row, most = throughput(name, contenders, threads, wanted.get("throughput") if threads == 16 else None)
            rows.append(row)
        return rows + [half_load(name, contenders[0], most / 2)]


def latency_rows(ways, program):
    with contextlib.ExitStack() as stack:
        contenders = [stack.enter_context(contender) for contender in ways.all_of(program)]
        return latency(program.name, take_turns(contenders, ROUNDS, SECONDS), program.goals.get("p50"))


def latency(name, times, most):
    rows = []
    for label, share in (("p50", 0.5), ("p99", 0.99)):
        ours, bare, bubblewrap = (quantile(values, share) for values in times)
        note = f"{len(times[0])} rounds"
        if label == "p50" and most is not None:
            note = goal(f"at most {most}x bare", ours <= most * bare)
        rows.append([f"{name}, {label}, one at a time", ratio(ours / bare), ratio(ours / bubblewrap), ms(ours), ms(bare),
                     ms(bubblewrap), note])
    return rows


def throughput(name, contenders, threads, least):
    """A slice for each, then, unless a slow program has used the time up, another one; the row, and our own number."""
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
    note = "" if least is None else goal(f"at least {least}x bare", ours >= least * bare)
    row = [f"{name}, throughput, {threads} at a time", ratio(ours / bare), ratio(ours / bubblewrap),
           f"{ours:.0f}/s", f"{bare:.0f}/s", f"{bubblewrap:.0f}/s", note]
    return row, ours


def half_load(name, contender, per_second):
    times = contender.pace(16, per_second, PACE_SECONDS)
    p50, p99 = median(times), quantile(times, 0.99)
    return [f"{name}, at half that load: p99 of p50", ratio(p99 / p50), "", f"{ms(p50)}, {ms(p99)}", "", "",
            goal(f"at most {MOST_SPREAD}x", p99 <= MOST_SPREAD * p50)]
