# attack: never reads its input and closes all three streams, so that whoever feeds it meets a broken pipe
# stdin: zeros:4000000
# expect: status=completed stdout=""
import os

for fd in (0, 1, 2):
    os.close(fd)
