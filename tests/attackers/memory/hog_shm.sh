# attack: fills /dev/shm, which is memory of the machine
# expect: status=completed stdout~="refused, ([0-9]|1[0-9]|[2-5][0-9]|6[0-4]) MiB written"
head -c 100M /dev/zero > /dev/shm/hog 2> /tmp/home/error && echo "ESCAPED 100 MiB in /dev/shm"
grep -q 'No space left' /tmp/home/error && echo "refused, $(( ($(stat -c %s /dev/shm/hog) + 524288) / 1048576 )) MiB written"
