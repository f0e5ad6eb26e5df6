# attack: lays part of its memory into /tmp, so that neither part alone is too much
# expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill
with open("/tmp/work/hog", "wb") as file:
    for _ in range(15):
        file.write(b"x" * (1 << 20))
heap = []
for _ in range(120):
    heap.append(bytearray(b"x" * (1 << 20)))
print("ESCAPED 135 MiB of memory")
