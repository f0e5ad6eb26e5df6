"""What the host keeps of jails, read before and after: after an answer nothing of a job may be left.

    before = snapshot(daemon)
    ... jobs ...
    assert_nothing_left(before, snapshot(daemon))

Nothing here waits for the host to come clean: an answer promises that it is. The one exception is the daemon's own end
of a connection that this side has just closed.
"""

import collections
import os
import pathlib
import time

_SETTINGS = ("kernel/core_pattern", "kernel/modprobe", "kernel/hostname", "kernel/domainname",
             "kernel/randomize_va_space", "kernel/sysrq", "kernel/panic", "kernel/unprivileged_bpf_disabled",
             "fs/suid_dumpable", "fs/protected_hardlinks", "fs/protected_symlinks", "vm/overcommit_memory",
             "net/ipv4/ip_forward", "user/max_user_namespaces")
_OPEN_TO_ALL = ("/tmp", "/var/tmp", "/dev/shm")
# Where a machine that is only for tests has a core_pattern of ours: the file its helper makes when it is started.
_CRASH_WITNESS = os.environ.get("OUTRIGGER_CORE_WITNESS", "")
# A stepping of the clock by an attacker is an hour; what a time server slews meanwhile is far below this.
_CLOCK_TOLERANCE = 30.0
_SAME_READINGS = 20


def jail_uids(base=1900000000, slots=16):
    """The host ids of a daemon's jails: two a slot."""
    return range(base, base + 2 * slots)


class LeftBehind(AssertionError):
    """Something of a job outlived its answer, or the host is not as it was."""


def _read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:  # ended meanwhile, or not a thing this kernel has
        return ""


def _pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _status(pid):
    return dict(line.split(":\t", 1) for line in _read(f"/proc/{pid}/status").splitlines() if ":\t" in line)


def group_of(pid):
    """The group of ours that a process is in, by its name: a job's id, or a template's; None for one that is in none."""
    for line in _read(f"/proc/{pid}/cgroup").splitlines():
        parent, _, name = line.rpartition("/")
        if parent.endswith("/outrigger"):
            return name
    return None


def _is_of_a_jail_to_be(pid, status, jobs):
    """In a group that is no answered job's; or just cloned and on its way into one."""
    job = group_of(pid)
    if job is None:
        return status["Name"] in ("outrigger-jaile", "sandbox_init")
    return job not in jobs


def _processes(jailer_pid, uids, jobs, primed):
    """Those with an id of the jails, and whatever the jailer has below it. A jail that stands primed is no job's yet:
    where there are such, a process counts if it is in the group of a job that was answered, or in none."""
    found = {}
    statuses = {pid: status for pid in _pids() if (status := _status(pid))}
    for pid, status in statuses.items():
        has_jail_id = any(int(uid) in uids for uid in status.get("Uid", "").split())
        if primed and _is_of_a_jail_to_be(pid, status, jobs):
            continue
        if has_jail_id or _is_below(pid, jailer_pid, statuses):
            found[f"{pid} {status['Name']}"] = f"uid {status['Uid'].split()[0]}, {status['State']}"
    return found


def _is_below(pid, ancestor, statuses):
    seen = set()
    while pid in statuses and pid not in seen:
        seen.add(pid)
        pid = int(statuses[pid]["PPid"])
        if pid == ancestor:
            return True
    return False


def _mounts(pid):
    lines = []
    for line in _read(f"/proc/{pid}/mountinfo").splitlines():
        fields = line.split()
        separator = fields.index("-")
        lines.append(f"{fields[4]} ({fields[separator + 1]}, root {fields[3]})")
    return collections.Counter(lines)


def _cgroup_roots(jailer_pid):
    """The `outrigger` groups that the jailer holds open: one on v2, one a hierarchy on v1."""
    return {target for target in _open_files(jailer_pid) if os.path.basename(target) == "outrigger"}


def _cgroup_dirs(jailer_pid, jobs, primed):
    """Groups below the jailer's. On v1 a stranger's daemon may use the same parent in some hierarchies, but hardly the
    same memory group: there each one counts, elsewhere those of `jobs`."""
    found = {}
    for root in _cgroup_roots(jailer_pid):
        is_our_own = not primed and (os.path.exists(f"{root}/memory.max") or os.path.exists(f"{root}/memory.limit_in_bytes"))
        for entry in os.scandir(root):
            if entry.is_dir() and (is_our_own or entry.name in jobs):
                found[entry.path] = "holding " + (_read(f"{entry.path}/cgroup.procs").replace("\n", " ") or "nobody")
    return found


def _open_files(pid):
    targets = []
    for name in _names_in(f"/proc/{pid}/fd"):
        try:
            targets.append(os.readlink(f"/proc/{pid}/fd/{name}"))
        except OSError:
            continue
    return targets


def _names_in(directory):
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _descriptors(pid):
    """What a process holds open, as kinds: numbers of sockets and pipes differ from one moment to the next."""
    return collections.Counter(map(_kind_of, _open_files(pid)))


def _kind_of(target):
    if os.path.basename(os.path.dirname(target)) == "outrigger":
        return "directory of a group"
    return target.split(":[")[0] if ":[" in target else target


def _settled_descriptors(pid, at_most, timeout=5.0):
    """The daemon learns of a connection's end after its client does: that much is waited for, and no more.

    With nothing to compare with, until it holds the same for a while: it may have just begun.
    """
    deadline = time.monotonic() + timeout
    seen, same = None, 0
    while True:
        now = _descriptors(pid)
        same = same + 1 if now == seen else 0
        settled = same >= _SAME_READINGS if at_most is None else not now - at_most
        if settled or time.monotonic() > deadline:
            return now
        seen = now
        time.sleep(0.01)


def _gone_soon(read, earlier, what, timeout=2.0):
    """A caller is answered when all of a jail is dead; its pid 1 is reaped and its groups are removed right after."""
    before = earlier.kept[what] if earlier else ()
    deadline = time.monotonic() + timeout
    while True:
        now = read()
        if all(thing in before for thing in now) or time.monotonic() > deadline:
            return now
        time.sleep(0.01)


def _state_files(state_dir):
    """All but the termination summaries, which are kept for the auditor."""
    files = {}
    for directory, _, names in os.walk(state_dir):
        if pathlib.Path(directory).name == "terminations":
            continue
        files.update((os.path.join(directory, name), "") for name in names)
    return files


def _files_of(uids):
    files = {}
    for directory in _OPEN_TO_ALL:
        for entry in os.scandir(directory):
            try:
                if entry.stat(follow_symlinks=False).st_uid in uids:
                    files[entry.path] = ""
            except FileNotFoundError:
                continue
    return files


def _keys_of(uids):
    """Users of the kernel's key store: `uid: usage keys/instantiated ...`."""
    users = (line.split(":") for line in _read("/proc/key-users").splitlines())
    ours = ((int(uid), rest) for uid, rest in users if int(uid) in uids)
    return {f"uid {uid}": rest for uid, rest in ours if rest.split()[1].split("/")[0] != "0"}


def _settings():
    values = {name: _read(f"/proc/sys/{name}").strip() for name in _SETTINGS}
    values["swaps"] = _read("/proc/swaps")
    values["modules"] = " ".join(sorted(line.split()[0] for line in _read("/proc/modules").splitlines()))
    values["sysv ipc"] = "".join(_read(f"/proc/sysvipc/{kind}") for kind in ("shm", "sem", "msg"))
    values["a crash helper ran as the host's root"] = str(bool(_CRASH_WITNESS) and os.path.exists(_CRASH_WITNESS))
    return values


def forget_crash_helper():
    if _CRASH_WITNESS and os.path.exists(_CRASH_WITNESS):
        os.unlink(_CRASH_WITNESS)


Snapshot = collections.namedtuple("Snapshot", "kept settings clock pids")


def _primed_jails(daemon, timeout=120):
    """How many stand ready, once there are as many as are wanted."""
    deadline = time.monotonic() + timeout
    while True:
        shelves = daemon.health()["pool"]["primed"]
        if all(shelf["ready"] >= shelf["target"] for shelf in shelves):
            return sum(shelf["ready"] for shelf in shelves)
        if time.monotonic() > deadline:
            raise LeftBehind(f"the primed jails are not made again: {shelves}")
        time.sleep(0.05)


def snapshot(daemon, earlier=None, uids=jail_uids(), jobs=(), primed=False):
    """How the host stands. `jobs` are ids of jobs that were answered. With `earlier`, waits for the daemon to close its
    ends of connections that are gone. `primed`: the daemon keeps jails ready, whose processes and groups are no leftovers
    and whose descriptors are compared only between moments with equally many of them."""
    open_before = earlier.kept["descriptors of the daemon"] if earlier else None
    kept = {
        "processes": _gone_soon(lambda: _processes(daemon.jailer_pid, uids, jobs, primed), earlier, "processes"),
        "cgroups": _gone_soon(lambda: _cgroup_dirs(daemon.jailer_pid, jobs, primed), earlier, "cgroups"),
        "mounts here": _mounts("self"),
        "mounts of the daemon": _mounts(daemon.pid),
        "mounts of the jailer": _mounts(daemon.jailer_pid),
        "files in the state directory": _state_files(daemon.state_dir),
        "files of jail ids": _files_of(uids),
        "keys of jail ids": _keys_of(uids),
    }
    ready = _primed_jails(daemon) if primed else 0
    if earlier and ready != earlier.pids["primed jails"]:
        for what in ("descriptors of the jailer", "descriptors of the daemon"):
            kept[what] = earlier.kept[what]
    else:
        jailers = earlier.kept["descriptors of the jailer"] if earlier else None
        kept["descriptors of the jailer"] = _settled_descriptors(daemon.jailer_pid, jailers)
        kept["descriptors of the daemon"] = _settled_descriptors(daemon.pid, open_before)
    clock = time.clock_gettime(time.CLOCK_REALTIME) - time.clock_gettime(time.CLOCK_BOOTTIME)
    pids = {"daemon": daemon.pid, "jailer": daemon.jailer_pid, "primed jails": earlier.pids["primed jails"] if earlier else ready}
    return Snapshot(kept, _settings(), clock, pids)


def differences(before, after):
    """One line for each thing that is there now and was not before, or is not as it was."""
    lines = []
    for what, now in after.kept.items():
        then = before.kept[what]
        if isinstance(now, collections.Counter):
            lines += [f"{what}: {count} more of {thing}" for thing, count in (now - then).items()]
            lines += [f"{what}: {count} fewer of {thing}" for thing, count in (then - now).items()]
        else:
            lines += [f"{what}: {thing} {now[thing]}".rstrip() for thing in now if thing not in then]
    for name, value in after.settings.items():
        if value != before.settings[name]:
            lines.append(f"setting {name}: was {before.settings[name]!r}, is {value!r}")
    if abs(after.clock - before.clock) > _CLOCK_TOLERANCE:
        lines.append(f"clock: stepped by {after.clock - before.clock:.0f} s")
    for name in ("daemon", "jailer"):
        pid = after.pids[name]
        state = _status(pid).get("State", "dead")
        if pid != before.pids[name] or state[0] in "dZX":
            lines.append(f"{name}: was pid {before.pids[name]}, is {pid}, {state}")
    return lines


def assert_nothing_left(before, after):
    found = differences(before, after)
    if found:
        raise LeftBehind("the host keeps something of the jobs:\n  " + "\n  ".join(found))


def assert_clean(state):
    """For the first snapshot: nothing of an earlier run is there to hide in."""
    found = [f"{what}: {thing}" for what in ("processes", "cgroups", "files of jail ids", "keys of jail ids")
             for thing in state.kept[what]]
    if found:
        raise LeftBehind("the host is not clean to begin with:\n  " + "\n  ".join(found))
