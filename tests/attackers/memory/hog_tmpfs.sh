# attack: fills its scratch directory, which is memory of the machine
# expect: status=completed stdout~="refused, 1[4-6] MiB written"
head -c 64M /dev/zero > /tmp/work/hog 2> /tmp/home/error && echo "ESCAPED 64 MiB in /tmp"
grep -q 'No space left' /tmp/home/error && echo "refused, $(( ($(stat -c %s /tmp/work/hog) + 524288) / 1048576 )) MiB written"
