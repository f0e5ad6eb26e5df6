# attack: reads the list of mounts for one it may write to, or one that leads to the host
# uses: attack.py
# expect: status=completed refusals=6
import os

from attack import done, expect

SCRATCH = {"/tmp", "/dev/shm"}
writable, points, shared, sources = [], [], [], []
with open("/proc/self/mountinfo", encoding="utf-8") as file:
    for line in file:
        fields = line.split()
        separator = fields.index("-")
        point, options, super_options = fields[4], fields[5].split(","), fields[separator + 3].split(",")
        points.append(point)
        shared += fields[6:separator]
        sources.append(fields[separator + 1])
        covers_device = os.path.exists(point) and not os.path.isdir(point) and os.stat(point).st_rdev
        if "rw" in options and "rw" in super_options and point not in SCRATCH and not covers_device:
            writable.append(line.strip())
        if not {"nosuid", "nodev"} <= set(options) and point in SCRATCH:
            writable.append(line.strip())
expect("nothing but the scratch is writable", not writable, writable)
expect("scratch is there once", sorted(p for p in points if p in SCRATCH) == sorted(SCRATCH), points)
expect("no mount is tied to the host's", not shared, shared)
expect("no /sys", not os.path.exists("/sys") or not os.listdir("/sys"), os.path.exists("/sys") and os.listdir("/sys"))
kinds = {fields for fields in points if not fields.startswith(("/proc", "/dev"))} - {"/", "/tmp"}
expect("no other mounts", not kinds, kinds)
statfs = os.statvfs("/")
expect("the root is read-only", statfs.f_flag & os.ST_RDONLY and statfs.f_flag & os.ST_NOSUID, statfs)
done()
