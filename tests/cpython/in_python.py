# What runs in the interpreter under test, jailed and bare alike: loads one module of CPython's `test` package as its own
# runner (test.libregrtest) does, and writes what became of each test case to descriptor 1, one line of JSON a case, so
# that what is known survives the end of a jail. It finds its orders in orders.json and removes it.
import fnmatch
import importlib
import json
import os
import re
import socket
import sys
import time
import unittest

# Else test.support makes an IPv6 socket when it is imported, which in a jail is the end of it. Here, because
# multiprocessing's spawned children come by too.
socket.has_ipv6 = False
EXCERPT = 1500


class Teller:
    """Writes events where the other side finds them among all that the tests print."""
    def __init__(self, mark):
        self._mark = mark
        self._pid = os.getpid()  # a child that a test forked and lost must not tell in our place

    def tell(self, **event):
        if os.getpid() == self._pid:
            os.write(1, f"\n{self._mark}{json.dumps(event)}\n".encode())


class Result(unittest.TestResult):
    """Tells the outcome of each case as soon as it is known. One with several problems has failed once."""
    def __init__(self, teller):
        super().__init__()
        self._tell = teller.tell
        self._outcome = self._why = self._started = None

    def startTest(self, test):
        super().startTest(test)
        self._outcome, self._why = None, ""
        self._started = time.monotonic()
        self._tell(start=test.case_name)

    def stopTest(self, test):
        super().stopTest(test)
        self._tell(case=test.case_name, outcome=self._outcome or "fail", why=self._why[-EXCERPT:],
                   seconds=round(time.monotonic() - self._started, 2))

    def _note(self, test, outcome, why=""):
        if not hasattr(test, "case_name"):  # setUpClass and its like: "setUpClass (test.test_os.FileTests)"
            what, _, where = test.id().partition(" (")
            self._tell(fixture=what, of=where.rstrip(")").removeprefix("test."), outcome=outcome, why=why[-EXCERPT:])
        elif self._outcome != "fail":
            self._outcome, self._why = outcome, why

    def addSuccess(self, test):
        self._note(test, "ok")

    def addExpectedFailure(self, test, err):
        self._note(test, "ok")

    def addUnexpectedSuccess(self, test):
        self._note(test, "fail", "succeeded unexpectedly")

    def addSkip(self, test, reason):
        if not isinstance(test, unittest.case._SubTest):  # a subtest that is skipped leaves its test to go on
            self._note(test, "skip", reason)

    def addFailure(self, test, err):
        self._note(test, "fail", self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addFailure(test, err)


def prepare():
    """Sets up unittest as test.libregrtest does, without its optional resources (network, audio, hours of CPU time)."""
    from test.libregrtest.cmdline import _parse_args
    from test.libregrtest.setup import setup_tests
    from test.support import socket_helper
    setup_tests(_parse_args([]))
    try:
        socket.socket(socket.AF_UNIX).close()
    except OSError as error:
        socket_helper._bind_nix_socket_error = error  # it expects that one can be made, and only not be bound
    os.mkdir("scratch")
    os.chdir("scratch")


def flatten(suite):
    for entry in suite:
        if hasattr(entry, "__iter__"):
            yield from flatten(entry)
        else:
            yield entry


def name_all(tests):
    """Names each test by its id; what has the same id as one before it (loaded twice) gets a number."""
    seen = {}
    for test in tests:
        case = test.id().removeprefix("test.")
        seen[case] = seen.get(case, 0) + 1
        test.case_name = case if seen[case] == 1 else f"{case}#{seen[case]}"


def matcher(patterns):
    """A function that says whether one of the patterns (as the shell's) matches."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)").match


def run_suite(suite, orders, teller):
    tests = list(flatten(suite))
    name_all(tests)
    is_wanted, is_left_out, done = matcher(orders["only"]), matcher(orders["without"]), set(orders["done"])
    wanted = [test for test in tests if is_wanted(test.case_name) and test.case_name not in done]
    left_out = [test.case_name for test in wanted if is_left_out(test.case_name)]
    wanted = [test for test in wanted if test.case_name not in left_out]
    teller.tell(plan=[test.case_name for test in wanted], left_out=left_out)
    unittest.TestSuite(wanted).run(Result(teller))


def main():
    with open("orders.json", encoding="utf-8") as file:
        orders = json.load(file)
    os.unlink("orders.json")
    teller = Teller(orders["mark"])
    prepare()
    from test import support
    support._run_suite = lambda suite: run_suite(suite, orders, teller)  # where all ways to run a module meet
    module = importlib.import_module("test." + orders["module"])
    if util := sys.modules.get("multiprocessing.util"):
        # It waits for the end of a process that ends after all others: one that a failed test left would hold it up.
        util._cleanup_tests = lambda: None
    if hasattr(module, "test_main"):
        module.test_main()
    else:
        support.run_unittest(unittest.defaultTestLoader.loadTestsFromModule(module))
    teller.tell(end=True)
    sys.stdout.flush()
    os._exit(0)  # threads and children that a test left behind are not waited for


if __name__ == "__main__":
    main()
