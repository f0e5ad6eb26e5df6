"""Streams and control routes: what streaming adds to the first byte, what a stream costs that waits, and whether /health
waits for anybody when the pool is full."""

import contextlib
import json
import os
import re
import socket
import time

from .daemon import Daemon
from .table import goal, median, ms, quantile

# Jobs may last as long as the measurement does, and requests wait as long for a slot.
CONFIG = "wall_time_ms = 600000\ncpu_time_ms = 600000\n[pool]\nslots = {slots}\nacquire_timeout_ms = 60000\n"
PAIRS = 300
PAIR_SECONDS = 10
MOST_ADDED_MS = 1.0
STREAMS = 256
MOST_STREAM_KB = 64
SPINNING = 16
WAITING = 100
QUESTIONS = 400
PAUSE_SECONDS = 0.01  # between two: the daemon has gone to sleep, and the programs have the processors
MOST_HEALTH_MS = 5.0
TRIVIAL = {"language": "bash", "code": "echo hello"}


def measure(root):
    """Each with a daemon of its own."""
    with Daemon(root) as daemon:
        first_row, first_reached = first_byte(daemon)
    with Daemon(root, more=CONFIG.format(slots=STREAMS)) as daemon:
        memory_row, memory_reached = memory(daemon)
    with Daemon(root, more=CONFIG.format(slots=SPINNING)) as daemon:
        health_rows, health_reached = health(daemon)
    return [first_row, memory_row, *health_rows], first_reached and memory_reached and health_reached


class Asking:
    """One request on a connection of its own, which was there before the clock began."""

    def __init__(self, port, method, path, job=None, accept="application/json"):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = b"" if job is None else json.dumps({"tenant_id": "bench", **job}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nConnection: close\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._request = head.encode() + b"\r\n" + body
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def send(self):
        self._socket.sendall(self._request)

    def until(self, text):
        """Reads on until `text` has come."""
        while text not in self.received:
            data = self._socket.recv(65536)
            if not data:
                raise RuntimeError(f"no {text!r} came, but {self.received[-500:]!r}")
            self.received += data

    def to_end(self):
        while data := self._socket.recv(65536):
            self.received += data


def time_to(port, text, expected, *request):
    """The milliseconds from a request to `text` in its answer, which in the end must hold `expected` too."""
    with Asking(port, *request) as asking:
        begin = time.perf_counter()
        asking.send()
        asking.until(text)
        took = (time.perf_counter() - begin) * 1000
        asking.to_end()
        if expected not in asking.received:
            raise RuntimeError(f"not the answer that was expected: {asking.received[-500:]!r}")
        return took


def first_byte(daemon):
    """The output's first byte on a stream, and the whole answer's first byte, of the same job; in pairs, in turns."""
    ways = [(b"event: stdout", b'"status":"completed"', "POST", "/api/v1/execute", TRIVIAL, "text/event-stream"),
            (b"HTTP/1.1 200", b'"stdout":"hello\\n"', "POST", "/api/v1/execute", TRIVIAL)]
    times = [[], []]
    end = time.monotonic() + PAIR_SECONDS
    for turn in range(PAIRS):
        if turn >= 10 and time.monotonic() > end:
            break
        for which in ((0, 1), (1, 0))[turn % 2]:
            times[which].append(time_to(daemon.port, *ways[which]))
    added = median([streamed - whole for streamed, whole in zip(*times)])
    reached = added < MOST_ADDED_MS
    return ["bash, first byte of its output on a stream, less that of a whole answer", "", "", ms(added),
            ms(median(times[0])), ms(median(times[1])), goal(f"under {MOST_ADDED_MS:.0f} ms", reached)], reached


def memory(daemon):
    """What the daemon holds for streams whose programs sleep."""
    sleeping = {"language": "bash", "code": "echo here; exec sleep 600", "limits": {"wall_time_ms": 600000}}
    with contextlib.ExitStack() as streams:
        open_streams(daemon, sleeping, 8, streams)  # what is made once is made for these
        before = proportional_kb(daemon.process.pid)
        open_streams(daemon, sleeping, STREAMS - 8, streams)
        held = proportional_kb(daemon.process.pid) - before
        _, state = daemon.request("GET", "/health")
        if state["pool"]["running"] != STREAMS:
            raise RuntimeError(f"{STREAMS} streams are open, and {state['pool']['running']} jobs run")
    each = held / (STREAMS - 8)
    reached = each < MOST_STREAM_KB
    return [f"{STREAMS} streams that wait, memory of the daemon for each", "", "", f"{each:.1f} KiB", "", "",
            goal(f"under {MOST_STREAM_KB} KiB", reached)], reached


def open_streams(daemon, job, count, streams):
    asking = []
    for _ in range(count):
        asking.append(streams.enter_context(Asking(daemon.port, "POST", "/api/v1/execute", job, "text/event-stream")))
        asking[-1].send()
    for each in asking:
        each.until(b"here")


def proportional_kb(pid):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return int(re.search(r"^Pss: +(\d+) kB", rollup.read(), re.M)[1])


@contextlib.contextmanager
def first_in_line():
    """Who asks gets a processor at once: with programs that spin on all of them it would wait for one as long as the
    daemon does and longer, and that is no time of the daemon's."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)


def health(daemon):
    """Every slot's program spins, and a hundred requests wait for one."""
    spinning = {"language": "bash", "code": "echo here; while :; do :; done",
                "limits": {"wall_time_ms": 600000, "cpu_time_ms": 600000}}
    with contextlib.ExitStack() as streams:
        open_streams(daemon, spinning, SPINNING, streams)
        for _ in range(WAITING):
            streams.enter_context(Asking(daemon.port, "POST", "/api/v1/execute", TRIVIAL)).send()
        while daemon.request("GET", "/health")[1]["pool"]["waiting"] < WAITING:
            time.sleep(0.01)
        times = []
        with first_in_line():
            for _ in range(QUESTIONS):
                time.sleep(PAUSE_SECONDS)
                times.append(time_to(daemon.port, b"HTTP/1.1 200", b'"waiting":100', "GET", "/health"))
    p99, most = quantile(times, 0.99), max(times)
    reached = p99 < MOST_HEALTH_MS
    name = f"/health, first byte, {SPINNING} programs spin and {WAITING} requests wait"
    return [[f"{name}: p50, p99", "", "", f"{ms(median(times))}, {ms(p99)}", "", "",
             goal(f"p99 under {MOST_HEALTH_MS:.0f} ms", reached)],
            [f"  the slowest of {QUESTIONS}", "", "", ms(most), "", "", ""]], reached
