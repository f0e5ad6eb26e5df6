# attack: kills its whole process group, itself included, in the hope that its keeper is in it
# expect: status=signaled exit_code=137 signal=SIGKILL cause=signal
# why: whether a guest's own kill is told apart from another's is not guessed
# expect-or: status=signaled exit_code=137 signal=SIGKILL cause=self
kill -9 0
echo ESCAPED
