# attack: fills /dev/shm, which is memory of the machine
# expect: status=completed stdout~="refused, ([0-9]|1[0-9]|[2-5][0-9]|6[0-4]) MiB written"
error=$(head -c 100M /dev/zero 2>&1 > /dev/shm/hog) && echo "ESCAPED 100 MiB in /dev/shm"
[[ $error == *'No space left'* ]] && echo "refused, $(( ($(stat -c %s /dev/shm/hog) + 524288) / 1048576 )) MiB written"
