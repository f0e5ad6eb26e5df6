# attack: ignores or blocks every signal and goes on past its time
# limits: wall_time_ms=1500
# expect: status=timeout exit_code=137 signal=SIGKILL cause=wall_clock stdout=deaf
import signal
import time

for number in signal.valid_signals():
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
print("deaf", flush=True)
while True:
    time.sleep(1)
