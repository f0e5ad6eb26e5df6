#!/usr/bin/env python3
"""run_attackers.py [--filter REGEX] [--list] [--cold]

Runs every attacker under tests/attackers/ in a jail of a daemon of its own, and holds three things against it: the
answer, that nothing it tried came through, and that the host keeps nothing of it. One line a run; the exit status is 0
only if all are as they must be. The daemon is as it is by default, with primed jails; with --cold it has none, so that on an idle host
there is nothing of jails at all.

  OUTRIGGER_BIN             the programs' directory (default build/bin); the attackers' lie in attackers/ beside it
  OUTRIGGER_TIME_SCALE      a factor for time limits, on a machine that is slow
  OUTRIGGER_ATTACK_REPORT   a file for the same as a table
  OUTRIGGER_EXPECT_DRIVER   fails unless the daemon uses this cgroup driver
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from kernel.attacker import default_binaries, load_all  # noqa: E402
from kernel.expectation import judge  # noqa: E402
from kernel.report import Report, Result  # noqa: E402
from support.daemon import Daemon  # noqa: E402
from support.host_state import assert_clean, differences, forget_crash_helper, jail_uids, snapshot  # noqa: E402
from support.http import Response  # noqa: E402
from support.process import wait_until  # noqa: E402
from support.websocket import WebSocket  # noqa: E402

TIME_SCALE = float(os.environ.get("OUTRIGGER_TIME_SCALE", "1"))
WORKERS = int(os.environ.get("OUTRIGGER_ATTACK_WORKERS", "4"))
BATCH = 12
# Ids that no other daemon on this machine uses, so that its jails are not taken for ours.
UID_BASE = 1930000000
SECRET = "b7e1-marked-secret"
CONFIG = f"""
[jail]
uid_base = {UID_BASE}
[ceilings]
wall_time_ms = {int(30000 * TIME_SCALE)}
cpu_time_ms = {int(30000 * TIME_SCALE)}
cpu_cores = 2.0
"""
COLD = """
[pool]
primed_memory_bytes = 0
"""


def ask(daemon, attack):
    """The answer to an attacker's request, whether it is run to its end or talked with on a terminal."""
    request = attack.request(TIME_SCALE, default_binaries())
    if not attack.terminal:
        return daemon.execute(request, timeout=40)
    with daemon.connect(timeout=40) as connection:
        socket = WebSocket(connection, "/api/v1/interactive")
        socket.send({"type": "start", "request": request, "pty": {"rows": 24, "columns": 80}})
        heard = socket.rest()
    if heard[-1]["type"] != "finished":
        return Response(503, {}, repr(heard[-1]).encode())
    written = "".join(message["data"] for message in heard if message["type"] == "stdout")
    response = Response(200, {}, b"")
    response.json = {**heard[-1]["result"], "stdout": written.replace("\r\n", "\n"), "stderr": ""}
    return response


def run(daemon, attack):
    """One attacker's life; whatever goes wrong with it is a failure of this run, not of the suite."""
    started = time.monotonic()
    answer = None
    try:
        response = ask(daemon, attack)
        if response.status == 200:
            answer = response.json
            failures = judge(attack.expectations, answer, TIME_SCALE)
        else:
            failures = [f"HTTP {response.status}: {response.raw[:300]!r}"]
    except Exception as error:  # noqa: BLE001: shown with the run's name
        failures = [f"{type(error).__name__}: {error}"]
    return Result(attack.name, answer, failures, time.monotonic() - started)


def batches(attacks):
    """Those that want the machine for themselves one by one, the others side by side."""
    together = [attack for attack in attacks if not attack.alone]
    for start in range(0, len(together), BATCH):
        yield together[start:start + BATCH]
    yield from ([attack] for attack in attacks if attack.alone)


def run_all(daemon, attacks, report, primed):
    uids = jail_uids(UID_BASE, slots=512)
    # The first job of a daemon may open what it keeps; what the jobs after it leave is theirs.
    first = daemon.execute({"tenant_id": "attacker", "language": "bash", "code": "true"}).json
    jobs = {first["job_id"]}
    # Its row is written a little later, and the database's files with it.
    wait_until(lambda: daemon.request("GET", f"/api/v1/runs/{first['job_id']}").status == 200, 30, "the job has a row")
    before = snapshot(daemon, uids=uids, jobs=jobs, primed=primed)
    assert_clean(before)
    done = 1
    for batch in batches(attacks):
        with concurrent.futures.ThreadPoolExecutor(min(WORKERS, len(batch))) as pool:
            for result in pool.map(lambda attack: run(daemon, attack), batch):
                report.add(result)
                jobs.add(result.answer["job_id"] if result.answer else "")
        left = differences(before, snapshot(daemon, before, uids, jobs, primed))
        done += len(batch)
        summaries = len(os.listdir(daemon.state_dir / "terminations"))
        if summaries != done:
            left.append(f"{summaries} termination summaries for {done} jobs")
            done = summaries
        if left:
            report.add_leftovers([attack.name for attack in batch], left)
            # What one batch left is not the next one's.
            forget_crash_helper()
            before = snapshot(daemon, before, uids, jobs, primed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", default="", metavar="REGEX", help="only runs whose name it matches")
    parser.add_argument("--list", action="store_true", help="names only")
    parser.add_argument("--cold", action="store_true", help="no primed jails: each is built for its job")
    options = parser.parse_args()
    attacks = load_all(options.filter)
    if not attacks:
        sys.exit(f"run_attackers: no attacker's name matches {options.filter!r}")
    if options.list:
        print(*(attack.name for attack in attacks), sep="\n")
        return
    with Daemon(config=CONFIG + (COLD if options.cold else ""), env={"OUTRIGGER_TEST_SECRET": SECRET}) as daemon:
        driver = daemon.health()["cgroup"]["driver"]
        if driver != os.environ.get("OUTRIGGER_EXPECT_DRIVER", driver):
            sys.exit(f"run_attackers: the daemon uses cgroup driver {driver}")
        report = Report(driver)
        run_all(daemon, attacks, report, primed=not options.cold)
    if table := os.environ.get("OUTRIGGER_ATTACK_REPORT"):
        pathlib.Path(table).write_text(report.as_markdown(), encoding="utf-8")
    print(report.last_line())
    sys.exit(0 if report.passed() else 1)


if __name__ == "__main__":
    main()
