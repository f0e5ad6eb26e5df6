"""A load of real programs: all of tests/conformance, by language, four at a time."""

import concurrent.futures
import sys
import time

AT_ONCE = 4


def measure(root, daemon):
    sys.path.insert(0, str(root / "tests"))
    from conformance.programs import LANGUAGES, request_bodies  # pylint: disable=import-outside-toplevel

    rows = []
    for language in LANGUAGES:
        bodies = list(request_bodies((language, ), ""))
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            statuses = list(pool.map(lambda body: daemon.request("POST", "/api/v1/execute", body)[0], bodies))
        seconds = time.monotonic() - begin
        rows.append([f"{language}, the conformance programs, {AT_ONCE} at a time", "", "",
                     f"{len(bodies) / seconds:.0f}/s", "", "",
                     f"{statuses.count(200)} of {len(bodies)} answered, {seconds:.1f} s"])
    return rows
