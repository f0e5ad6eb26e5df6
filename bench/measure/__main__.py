import pathlib
import sys
import time

from . import endurance, jail, keeping, machine, nest, primed, real, requests, share, streaming
from .contender import ContenderFailed
from .daemon import Daemon, DaemonFailed
from .programs import Ways
from .table import render

ROOT = pathlib.Path(__file__).resolve().parents[2]

NOTES = """* here "bare" is the floor: clone3 into six namespaces, execve, wait, and nothing else (bench/floor.cc)
bare: the same program from the same root file system, by chroot made once, without isolation
ratios of times: less is better; of throughput: more is better. Default limits but where a row says otherwise: half a
core, so that a program that needs more than 50 ms of CPU time is throttled. Requests with the default limits find primed
jails, as long as there are any: at 16 at a time they are used up as fast as they are made. At half load requests come
evenly, and a time counts from when its request was due"""


def say(what):
    print(f"measuring: {what}", file=sys.stderr, flush=True)


def run():
    image = (ROOT / "build/images/standard").resolve()
    begin = time.monotonic()
    warning = machine.busy()
    with Daemon(ROOT) as daemon:
        ways = Ways(ROOT / "build/bench", image, daemon)
        say("the jail")
        jail_rows, jail_reached = jail.measure(ROOT, image, ways)
        say("the daemon's own share")
        share_rows, share_reached = share.measure(ROOT, image, ways, daemon)
        request_rows = requests.measure(ways, say)
        say("memory of primed jails, and the conformance programs")
        request_rows += primed.measure(daemon) + real.measure(ROOT, daemon)
        _, health = daemon.request("GET", "/health")
    say("the audit trail and the queue")
    request_rows += keeping.measure(ROOT, lambda daemon: Ways(ROOT / "build/bench", image, daemon))
    say("the auditor")
    with Daemon(ROOT) as daemon:
        request_rows += nest.measure(ROOT, daemon)
    say("streams, and /health while the pool is full")
    stream_rows, streams_reached = streaming.measure(ROOT)
    request_rows += stream_rows
    say("10,000 jobs in a row")
    with Daemon(ROOT, steady=True) as daemon:
        endurance_rows, endurance_reached = endurance.measure(Ways(ROOT / "build/bench", image, daemon), daemon)
    print(f"\n{machine.describe(health)}\n")
    print(render(["", "of bare", "of bubblewrap", "Outrigger", "bare", "bubblewrap", ""],
                 jail_rows + share_rows + request_rows))
    print(f"{NOTES}\n")
    print(render(["10,000 jobs in a row", "after 100", "at the end", "", ""], endurance_rows))
    print(f"\n{warning}\n" if warning else "", end="")
    print(f"measured in {time.monotonic() - begin:.0f} s")
    return 0 if jail_reached and share_reached and streams_reached and endurance_reached else 1


def main():
    lack = machine.missing(ROOT)
    if lack:
        print(lack, file=sys.stderr)
        return 2
    try:
        return run()
    except (ContenderFailed, DaemonFailed) as failure:
        print(failure, file=sys.stderr)
        return 1


sys.exit(main())
