"""The jail itself: against the floor of the kernel, and against bubblewrap."""

from .contender import Contender, take_turns
from .programs import PROGRAMS
from .table import goal, median, ms, ratio

ROUNDS = 800
SECONDS = 20


def measure(root, image, ways):
    bench = root / "build/bench"
    with Contender("floor", [bench / "floor"]) as floor, \
         Contender("jail_true", [bench / "jail_true", root / "build/bin", image]) as jail, \
         ways.bubblewrap(PROGRAMS[0]) as bubblewrap:
        floor_ms, jail_ms, bubblewrap_ms = map(median, take_turns([floor, jail, bubblewrap], ROUNDS, SECONDS))
    reached = jail_ms <= 2 * floor_ms and jail_ms <= bubblewrap_ms
    row = ["jail around /bin/true, cold, without HTTP *", ratio(jail_ms / floor_ms), ratio(jail_ms / bubblewrap_ms),
           ms(jail_ms), ms(floor_ms), ms(bubblewrap_ms), goal("at most 2x bare, 1x bubblewrap", reached)]
    return [row], reached
