# attack: puts a link to the host's own files in the place of the directory that is collected
# collect: passwd shadow */maps
# expect: status=completed stdout=replaced files="*/maps:unreadable,passwd:unreadable,shadow:unreadable"
mv /tmp/work /tmp/elsewhere && ln -s /etc /tmp/work && echo replaced
