# attack: opens its own streams anew, by name; this is no attack, and must work: many programs do it
# stdin: in
# expect: status=completed stdout~="out\nin\nagain"
echo out > /dev/stdout
cat /dev/stdin
echo
echo err > /dev/stderr
echo again > /proc/self/fd/1
