# attack: runs a program that has no file, in case what guards a program is tied to its path
# why: memfd_create and fexecve are allowed: what comes out is jailed as before
# expect: status=security_violation syscall=unshare stdout="jailed 2"
import os

with open("/usr/bin/python3", "rb") as program:
    content = program.read()
fd = os.memfd_create("hidden")
os.write(fd, content) == len(content) or print("short write", flush=True)
script = """
import ctypes
fields = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
print("jailed", fields["Seccomp"], flush=True)
print("ESCAPED", ctypes.CDLL(None).unshare(0x10000000), flush=True)
"""
os.execve(fd, ["hidden", "-c", script], dict(os.environ))
