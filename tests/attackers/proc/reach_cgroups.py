# attack: lifts its own limits, or moves itself to another group, through the files of cgroups
# uses: attack.py
# expect: status=completed refusals=5
import os

from attack import done, expect, tried

tried("list /sys/fs/cgroup", lambda: os.listdir("/sys/fs/cgroup"))
tried("move to the root group", lambda: os.open("/sys/fs/cgroup/cgroup.procs", os.O_WRONLY))
tried("lift the memory limit", lambda: os.open("/sys/fs/cgroup/memory.max", os.O_WRONLY))
with open("/proc/self/cgroup", encoding="ascii") as file:
    groups = [line.rstrip("\n").split(":", 2) for line in file]
# What the jail's own hierarchies show must be the root of a cgroup namespace: neither job ids nor the host's tree.
telling = [group for group in groups if "outrigger" in group[2]]
expect("its own group tells no name", not telling, telling)
found = [line for line in open("/proc/self/mountinfo", encoding="utf-8") if " - cgroup" in line]
expect("no group tree is mounted", not found, found)
done()
