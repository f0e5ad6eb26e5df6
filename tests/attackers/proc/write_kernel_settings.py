# attack: writes the kernel's settings; as global root's uid needs no capability for it, a careless jail lets it
# alone: yes
# uses: attack.py
# expect: status=completed refusals=21 stdout_only=refused
import os

from attack import done, tried

FILES = ("sys/kernel/core_pattern", "sys/kernel/modprobe", "sys/kernel/hostname", "sys/kernel/randomize_va_space",
         "sys/kernel/yama/ptrace_scope", "sys/kernel/unprivileged_bpf_disabled", "sys/kernel/ns_last_pid",
         "sys/kernel/sysrq", "sys/kernel/panic", "sys/vm/drop_caches", "sys/vm/overcommit_memory", "sys/fs/file-max",
         "sys/fs/suid_dumpable", "sys/fs/protected_symlinks", "sys/net/ipv4/ip_forward",
         "sys/net/ipv4/ping_group_range", "sys/user/max_user_namespaces", "sysrq-trigger", "self/oom_score_adj",
         "self/coredump_filter", "self/timerslack_ns")


def write(name):
    fd = os.open(f"/proc/{name}", os.O_WRONLY)
    content = b"|/tmp/work/a" if name.endswith(("core_pattern", "modprobe")) else b"1"
    written = os.write(fd, content)
    # The empty device lies over what is masked; it takes everything and does nothing.
    if os.fstat(fd).st_rdev == os.makedev(1, 3):
        raise PermissionError(1, "masked")
    return written


for file in FILES:
    tried(f"write /proc/{file}", lambda: write(file))
done()
