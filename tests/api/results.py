"""The form of an execution's result, as the contract words it."""

import base64

FIELDS = {
    "job_id", "tenant_id", "language", "status", "exit_code", "signal", "stdout", "stderr", "stdout_bytes",
    "stderr_bytes", "stdout_truncated", "stderr_truncated", "wall_time_ms", "queue_time_ms", "cpu_time_ms",
    "throttled_time_ms", "peak_memory_bytes", "cgroup_oom_triggered", "oom_kills", "cause", "security_events", "limits",
    "files", "compile"
}
COMPILE_FIELDS = {
    "status", "exit_code", "signal", "stdout", "stderr", "stdout_bytes", "stderr_bytes", "stdout_truncated",
    "stderr_truncated", "wall_time_ms", "cpu_time_ms", "peak_memory_bytes", "cause", "cached"
}
LIMITS = {
    "wall_time_ms": 5000, "cpu_time_ms": 5000, "memory_bytes": 134217728, "cpu_cores": 0.5, "pids": 32,
    "output_bytes": 524288, "tmpfs_bytes": 16777216
}
FILE_ERRORS = {
    "not_found", "directory", "symlink", "hard_link", "special_file", "too_large", "too_many", "too_deep",
    "name_not_utf8", "name_too_long", "unreadable", "jail_lost"
}
EVENT_TYPES = {"seccomp_violation", "oom_kill", "pids_limit", "output_truncated", "tmpfs_full", "cpu_throttled"}

# What a status fixes of the other fields; None where the contract leaves it open.
_ENDINGS = {
    "completed": (0, None, "exited"),
    "timeout": (137, "SIGKILL", "wall_clock"),
    "cpu_exceeded": (152, "SIGXCPU", "cpu_time"),
    "memory_exceeded": (137, "SIGKILL", "memory_ceiling"),
    "security_violation": (159, "SIGSYS", "seccomp"),
    "cancelled": (137, "SIGKILL", "cancelled"),
}


def assert_well_formed(test, result):
    """Every field there, of its type, finite, and agreeing with the others."""
    test.assertEqual(set(result), FIELDS, brief(result))
    test.assertRegex(result["job_id"], r"\A[0-9a-z][0-9a-z-]{0,63}\Z")
    test.assertEqual(set(result["limits"]), set(LIMITS), brief(result))
    _assert_files(test, result["files"])
    _assert_compile(test, result)
    _assert_ending(test, brief(result))
    _assert_numbers(test, brief(result))
    _assert_output(test, brief(result))
    _assert_events(test, brief(result))


def _assert_compile(test, result):
    compiled = result["compile"]
    if compiled is None:
        test.assertNotEqual(result["cause"]["code"], "compile", brief(result))
        return
    test.assertEqual(set(compiled), COMPILE_FIELDS, brief(result))
    test.assertIn(compiled["cached"], (True, False))
    test.assertEqual(set(compiled["cause"]), {"code", "text"}, brief(result))
    if compiled["status"] == "completed":
        test.assertEqual((compiled["exit_code"], compiled["signal"]), (0, None), brief(result))
        test.assertNotEqual(result["cause"]["code"], "compile", brief(result))
        return
    test.assertFalse(compiled["cached"], brief(result))
    for name in ("status", "exit_code", "signal"):
        test.assertEqual(result[name], compiled[name], brief(result))
    test.assertEqual((result["stdout"], result["stderr"]), ("", ""), brief(result))
    test.assertTrue(result["cause"]["text"].startswith("compiling: "), result["cause"])


def _assert_ending(test, result):
    status, cause = result["status"], result["cause"]
    if cause["code"] == "compile":  # then it is the compile step's
        cause = {**cause, "code": _ENDINGS.get(status, (None, None, "signal" if status == "signaled" else "exited"))[2]}
    test.assertEqual(set(cause), {"code", "text"}, brief(result))
    test.assertTrue(cause["text"], brief(result))
    ending = (result["exit_code"], result["signal"], cause["code"])
    if status in _ENDINGS:
        test.assertEqual(ending, _ENDINGS[status], brief(result))
    elif status == "failed":
        test.assertIn(result["exit_code"], range(1, 256), brief(result))
        test.assertEqual(ending[1:], (None, "exited"), brief(result))
    elif status == "signaled":
        test.assertIn(result["exit_code"], range(129, 193), brief(result))
        test.assertRegex(result["signal"], r"\ASIG[A-Z0-9+]+\Z")
        test.assertIn(cause["code"], ("signal", "self"), brief(result))
    else:
        test.assertEqual((status, *ending[:2]), ("internal_error", None, None), brief(result))


def _assert_numbers(test, result):
    for name in ("wall_time_ms", "queue_time_ms"):
        test.assertIsInstance(result[name], (int, float), name)
        test.assertGreaterEqual(result[name], 0, name)
    for name in ("cpu_time_ms", "throttled_time_ms", "peak_memory_bytes", "oom_kills"):
        if result[name] is not None:  # null is what the kernel does not offer
            test.assertIsInstance(result[name], (int, float), name)
            test.assertGreaterEqual(result[name], 0, name)
    test.assertIn(result["cgroup_oom_triggered"], (True, False, None))
    if result["oom_kills"]:
        test.assertTrue(result["cgroup_oom_triggered"], brief(result))


def _assert_output(test, result):
    for stream in ("stdout", "stderr"):
        count, cap = result[f"{stream}_bytes"], result["limits"]["output_bytes"]
        test.assertIsInstance(result[stream], str)
        test.assertIsInstance(count, int)
        test.assertEqual(result[f"{stream}_truncated"], count > cap, result["cause"])


def _assert_events(test, result):
    for event in result["security_events"]:
        test.assertIn(event["type"], EVENT_TYPES, event)
        test.assertTrue(event["detail"], event)
        test.assertGreaterEqual(event["count"], 1, event)
        if event["type"] == "seccomp_violation":
            test.assertRegex(event["syscall"], r"\A((i386|x32):)?[a-z0-9_]+\Z")
            for argument in event["args"]:
                test.assertRegex(argument, r"\A0x[0-9a-f]+\Z")
    truncated = result["stdout_truncated"] or result["stderr_truncated"]
    test.assertEqual(events_of(result, "output_truncated") != [], truncated, result["security_events"])


def _assert_files(test, files):
    for file in files:
        test.assertIsInstance(file["path"], str)
        if "error" in file:
            test.assertEqual(set(file), {"path", "bytes", "error"}, file["path"])
            test.assertEqual(set(file["error"]), {"code", "message"}, file["path"])
            test.assertIn(file["error"]["code"], FILE_ERRORS, file["path"])
            test.assertGreater(len(file["error"]["message"]), 5, file["path"])
        else:
            test.assertEqual(set(file), {"path", "bytes", "mode", "encoding", "content"}, file["path"])
            test.assertRegex(file["mode"], r"\A0[0-7]{3}\Z")
            test.assertEqual(len(content_of(file)), file["bytes"], file["path"])


def content_of(file):
    """A collected file's bytes."""
    if file["encoding"] == "base64":
        return base64.b64decode(file["content"], validate=True)
    return file["content"].encode()


def events_of(result, kind):
    return [event for event in result["security_events"] if event["type"] == kind]


def incidents(result):
    """The events that need an occasion; being throttled a moment at the start needs none."""
    return [event for event in result["security_events"] if event["type"] != "cpu_throttled"]


def brief(result):
    """A result for a failure's message: all of it, but of the outputs only their beginnings."""
    return {name: value[:300] if isinstance(value, str) else value for name, value in result.items()}
