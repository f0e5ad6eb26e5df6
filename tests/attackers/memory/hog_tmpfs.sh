# attack: fills its scratch directory, which is memory of the machine
# expect: status=completed stdout~="refused, 1[4-6] MiB written"
error=$(head -c 64M /dev/zero 2>&1 > /tmp/work/hog) && echo "ESCAPED 64 MiB in /tmp"
[[ $error == *'No space left'* ]] && echo "refused, $(( ($(stat -c %s /tmp/work/hog) + 524288) / 1048576 )) MiB written"
