# attack: starts threads until it cannot, and says how many it could
# expect: status=completed event=pids_limit stdout~="refused RuntimeError after ([1-9]|[12][0-9]|3[0-1]) threads"
import os
import threading
import time

count = 0
for _ in range(200):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError:
        print(f"refused RuntimeError after {count} threads", flush=True)
        break
    count += 1
else:
    print("ESCAPED", count, "threads", flush=True)
os._exit(0)
