# attack: writes files until there is no space, then goes on trying
# expect: status=completed stdout~="refused ENOSPC after 1[4-6] files"
import errno

count = 0
try:
    for count in range(100):
        with open(f"/tmp/work/file{count}", "wb") as file:
            file.write(b"x" * (1 << 20))
    print("ESCAPED 100 MiB written", flush=True)
except OSError as error:
    print("refused", errno.errorcode[error.errno], "after", count, "files", flush=True)
