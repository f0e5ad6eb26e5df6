"""What it costs that nothing is lost: the audit trail beside a request, rows a second, the queue beside direct requests."""

import json
import math
import os
import re
import subprocess
import sys
import time

from .contender import Contender, take_turns
from .daemon import Daemon
from .programs import PROGRAMS
from .table import goal, median, ms, ratio

OFF = "[audit]\nenabled = false\n"
COUPLES = 4
PAIRS = 600
SECONDS = 8
MOST_AUDIT = 1.02  # a request with the trail on, of one with it off, at the median
JOBS = 1000
LEAST_QUEUE = 0.9
TURNS = 4
AT_ONCE = 16
LEAST_ROWS = {"PostgreSQL": 10_000, "SQLite": 20_000}
BATCH = 200


def measure(root, ways_of):
    sys.path.insert(0, str(root / "tests"))
    from support.postgres import PostgresServer
    from support.redis import RedisServer

    rows = [audit(root, ways_of)]
    with PostgresServer(sync=True) as postgres:
        rows += stores(root, postgres.url)
    with RedisServer() as redis:
        rows.append(queue(root, ways_of, redis))
    return rows


def audit(root, ways_of):
    """Two daemons that differ in nothing else, in turns; then two others, the other one started first, and so on: two
    daemons that are alike differ by some percent, for as long as they live, and the geometric mean does away with that."""
    job = next(program for program in PROGRAMS if program.name == "python").job
    times = {"": [], OFF: []}
    for order in (("", OFF), (OFF, "")) * COUPLES:
        with Daemon(root, more=order[0]) as first, Daemon(root, more=order[1]) as second:
            with ways_of(first).rest("first", job) as one, ways_of(second).rest("second", job) as other:
                for more, taken in zip(order, take_turns([one, other], PAIRS, SECONDS)):
                    times[more].append(median(taken))
    with_trail, without = (math.prod(times[more]) ** (1 / len(times[more])) for more in ("", OFF))
    return ["python, p50, audit on, of audit off", ratio(with_trail / without), "", ms(with_trail), ms(without), "",
            goal(f"at most {MOST_AUDIT}x", with_trail <= MOST_AUDIT * without)]


def stores(root, url):
    told = subprocess.run([root / "build/bench/bench_stores", "2"], env={**os.environ, "OUTRIGGER_TEST_POSTGRES": url},
                          capture_output=True, text=True, check=True).stdout
    rows = []
    for name, least in LEAST_ROWS.items():
        found = re.search(rf"{name} +insert, batches of +{BATCH}: +(\d+) rows/s", told)
        rate = int(found.group(1))
        rows.append([f"rows into {name}, batches of {BATCH}", "", "", f"{rate}/s", "", "",
                     goal(f"at least {least}/s", rate >= least)])
    return rows


def queue(root, ways_of, redis):
    """The same jobs pushed to Redis, from the first push to the last announcement, and asked for directly; in turns."""
    more = f'[queue]\nslots = {AT_ONCE}\nredis.url = "{redis.url}"\n'
    job = {"tenant_id": "bench", **PROGRAMS[0].job}
    queued, direct = 0.0, 0.0
    with Daemon(root, more=more) as daemon, ways_of(daemon).rest("true", PROGRAMS[0].job) as contender:
        with redis.connection() as heard:
            heard.command("SUBSCRIBE", "sandbox:done")
            push_and_hear(redis, heard, job, "warm")
            contender.load(AT_ONCE, 1)
            for turn in range(TURNS):
                queued += push_and_hear(redis, heard, job, turn)
                direct += contender.load(AT_ONCE, 60, JOBS)[1]
    rates = [TURNS * JOBS / seconds for seconds in (queued, direct)]
    return [f"{JOBS} x true through Redis, of direct, {AT_ONCE} at a time", ratio(rates[0] / rates[1]), "",
            f"{rates[0]:.0f}/s", f"{rates[1]:.0f}/s", "",
            goal(f"at least {LEAST_QUEUE}x", rates[0] >= LEAST_QUEUE * rates[1])]


def push_and_hear(redis, heard, job, turn):
    entries = [json.dumps({**job, "job_id": f"bench-{turn}-{i}"}) for i in range(JOBS)]
    with redis.connection() as producer:
        begin = time.monotonic()
        producer.command("LPUSH", "sandbox:jobs", *entries)
        for _ in range(JOBS):
            heard.read()
        return time.monotonic() - begin
