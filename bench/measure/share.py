"""The daemon's own share of a request: HTTP, JSON, pool, without the jail.

No clock inside the daemon can tell: it starts when the request has been read and stops before the answer is sent. So the
same job is done in two ways, in turns: as a request over one connection, and in one process from the jailer's client down,
without pool, JSON and HTTP (jail_true --direct). The difference of two neighbours is the share; it has the client's
own sending, receiving and waking in it, and the job's two record files, so the truth is somewhat less. Each is several
times larger than their difference, so it takes many pairs, and their median.

Beside it, directly: what a request costs that is read, checked and answered like any other, but refused by the pool at
the last moment, since dispatch is paused. That lacks the record files and the larger answer.
"""

from .contender import Contender, take_turns
from .programs import PROGRAMS
from .table import goal, median, ms

PAIRS = 800
SECONDS = 20
REFUSALS = 2000
LIMIT_MS = 0.3


def measure(root, image, ways, daemon):
    direct_command = [root / "build/bench/jail_true", "--direct", root / "build/bin", image]
    # A limit of its own, so that its jail is built for it, as the other side's is.
    job = {**PROGRAMS[0].job, "limits": {"pids": 31}}
    with ways.rest("share", job) as rest, Contender("jail_true --direct", direct_command) as direct:
        rest_ms, direct_ms = take_turns([rest, direct], PAIRS, SECONDS)
    share = median([with_http - without for with_http, without in zip(rest_ms, direct_ms)])
    refusal = refused(ways, daemon)
    reached = share < LIMIT_MS
    return [
        ["daemon's own share of a request", "", "", ms(share), "", "", goal(f"under {LIMIT_MS} ms", reached)],
        ["  a request refused by a paused pool", "", "", ms(refusal), "", "", ""],
    ], reached


def refused(ways, daemon):
    daemon.request("PUT", "/api/v1/dispatch", {"paused": True, "reason": "measuring"})
    try:
        with ways.rest("refused", PROGRAMS[0].job, 503, "dispatch_paused") as contender:
            contender.rounds(100)
            return median(contender.rounds(REFUSALS))
    finally:
        daemon.request("PUT", "/api/v1/dispatch", {"paused": False})
