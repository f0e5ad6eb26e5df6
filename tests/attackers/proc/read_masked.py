# attack: reads what tells of the machine, its kernel's addresses, its keys and what others do on it
# uses: attack.py
# expect: status=completed refusals=31
import os

from attack import done, expect

FILES = ("kcore", "keys", "key-users", "kallsyms", "config.gz", "cmdline", "timer_list", "timer_stats",
         "sched_debug", "kmsg", "kpagecount", "kpageflags", "modules", "slabinfo", "vmallocinfo", "iomem", "ioports",
         "interrupts", "latency_stats", "swaps", "partitions", "diskstats", "sysrq-trigger", "self/stack")
DIRECTORIES = ("acpi", "bus", "driver", "fs", "irq", "scsi", "tty")


def content_of(path):
    """The first bytes, or nothing where it is refused, missing or masked. Never waits for more."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return os.read(fd, 4096)
    except OSError:
        return b""


def names_in(path):
    try:
        return os.listdir(path)
    except OSError:
        return []


for file in FILES:
    expect(f"/proc/{file} says nothing", not content_of(f"/proc/{file}"), content_of(f"/proc/{file}"))
for directory in DIRECTORIES:
    expect(f"/proc/{directory} is empty", not names_in(f"/proc/{directory}"), names_in(f"/proc/{directory}"))
done()
