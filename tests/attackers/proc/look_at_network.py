# attack: looks for a way out over the network that needs no socket of its own making
# uses: attack.py
# expect: status=completed refusals=6
import os

from attack import done, expect


def lines(name):
    try:
        with open(f"/proc/self/net/{name}", encoding="ascii", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


interfaces = [line.split(":")[0].strip() for line in lines("dev")[2:]]
# A kernel may put its inert tunnel templates into every network namespace.
expect("no interface but loopback", set(interfaces) - {"tunl0", "sit0", "ip6tnl0", "gre0", "gretap0", "erspan0",
                                                       "ip_vti0", "ip6_vti0", "ip6gre0"} <= {"lo"}, interfaces)
expect("no route", len(lines("route")) <= 1, lines("route"))
# Loopback that is up has a local route for 127.0.0.1 and the address ::1.
expect("loopback is down (IPv4)", not any("127.0.0" in line for line in lines("fib_trie")), lines("fib_trie"))
expect("loopback is down (IPv6)", not lines("if_inet6"), lines("if_inet6"))
bound = [line for name in ("tcp", "tcp6", "udp", "udp6", "unix", "netlink") for line in lines(name)[1:]]
bound = [line for line in bound if not line.startswith("0000000000000000:")]
kernel_owned = [line for line in bound if len(line.split()) > 2 and line.split()[2] == "0"]
expect("nobody listens", [line for line in bound if line not in kernel_owned] == [], bound)
expect("no traffic was counted", all(set(line.split()[1:9]) == {"0"} for line in lines("dev")[2:]), lines("dev"))
done()
