"""Judge0's API, by a client that was written from its documentation."""

import base64
import http.server
import io
import json
import threading
import zipfile

from api.base import ApiTest, module_daemon
from clients.judge0_client import STATUSES, Judge0, Refused
from support.daemon import Daemon
from support.process import wait_until

PYTHON, NODE, BASH, CPP = 71, 63, 46, 54
TOKEN = "0123456789abcdef0123456789abcdef"


setUpModule, tearDownModule = module_daemon()


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return base64.b64encode(buffer.getvalue()).decode()


class Judge0Test(ApiTest):
    def setUp(self):
        super().setUp()
        self.judge0 = Judge0(self.daemon.request)

    def run_source(self, source, language=PYTHON, encoded=False, fields=None, **more):
        return self.judge0.run({"source_code": source, "language_id": language, **more}, encoded, fields)

    def refusal(self, call, *args, **kwargs):
        with self.assertRaises(Refused) as caught:
            call(*args, **kwargs)
        return caught.exception.status, caught.exception.body


class Verdicts(Judge0Test):
    def verdict(self, *args, **kwargs):
        return self.run_source(*args, **kwargs)["status"]["id"]

    def test_right_and_wrong_answers(self):
        answer = self.run_source("print('hello, ' + input())", stdin="Judge0", expected_output="hello, Judge0")
        self.assertEqual((answer["status"]["id"], answer["stdout"], answer["stderr"]), (3, "hello, Judge0\n", None))
        self.assertGreater(float(answer["time"]), 0)
        self.assertGreater(answer["memory"], 0)
        self.assertEqual(self.verdict("print('a  \\nb \\n\\n')", expected_output="a\nb"), 3)
        self.assertEqual(self.verdict("print('a')", expected_output="b"), 4)
        self.assertEqual(self.verdict("console.log(6 * 7)", NODE), 3)

    def test_runtime_errors(self):
        failed = self.run_source("import sys; print('oops', file=sys.stderr); sys.exit(3)",
                                 fields="status_id,exit_code,exit_signal,stderr,message")
        self.assertEqual(failed, {"status_id": 11, "exit_code": 3, "exit_signal": None, "stderr": "oops\n",
                                  "message": "Exited with error status 3"})
        kill = "import os, signal; signal.signal(signal.{0}, signal.SIG_DFL); os.kill(os.getpid(), signal.{0})"
        for signal, status in (("SIGSEGV", 7), ("SIGXFSZ", 8), ("SIGFPE", 9), ("SIGABRT", 10), ("SIGTERM", 12)):
            self.assertEqual(self.verdict(kill.format(signal)), status, signal)

    def test_limits(self):
        slow = self.run_source("import time; time.sleep(9)", wall_time_limit=1)
        self.assertEqual((slow["status"]["id"], slow["message"]), (5, "Time limit exceeded (wall clock)"))
        busy = self.run_source("while True: pass", cpu_time_limit=0.2)
        self.assertEqual((busy["status"]["id"], busy["message"]), (5, "Time limit exceeded"))
        greedy = self.run_source("x = bytearray(10**8)", memory_limit=32768, fields="status_id,memory,exit_signal")
        self.assertEqual((greedy["status_id"], greedy["exit_signal"]), (12, 9))
        self.assertLessEqual(greedy["memory"], 32768)
        forked = self.run_source("import os\ntry:\n  [os.fork() or os._exit(0) for _ in range(1)]\nexcept OSError as e:\n"
                                 "  print('refused')", max_processes_and_or_threads=1)
        self.assertEqual(forked["stdout"], "refused\n")


class Submissions(Judge0Test):
    def test_goes_through_the_queue_without_wait(self):
        token = self.judge0.create({"source_code": "echo $((6*7))", "language_id": BASH})
        seen = []

        def ended():
            seen.append(self.judge0.get(token))
            return seen[-1]["status"]["id"] > 2

        wait_until(ended, 20, "the submission ends")
        self.assertEqual((seen[-1]["status"]["id"], seen[-1]["stdout"], seen[-1]["token"]), (3, "42\n", token))
        for before in seen[:-1]:
            self.assertIn(before["status"]["id"], (1, 2))
            self.assertIsNone(before["stdout"])

    def test_every_attribute_can_be_asked_for(self):
        sent = {"source_code": "cat; echo \"$1\"", "language_id": BASH, "stdin": "in ", "expected_output": "in a b",
                "command_line_arguments": "'a b'", "cpu_time_limit": 1.5, "memory_limit": 65536, "number_of_runs": 2}
        got = self.judge0.run(sent, fields="*")
        self.assertEqual({name: got[name] for name in sent}, {**sent, "cpu_time_limit": "1.5"})
        self.assertEqual((got["status_id"], got["status"]["id"], got["exit_code"]), (3, 3, 0))
        self.assertEqual(got["language"]["id"], BASH)
        self.assertLess(got["created_at"], got["finished_at"])
        self.assertEqual(len(got), 40)

    def test_any_bytes_pass_as_base64(self):
        answer = self.run_source(b"import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])", encoded=True,
                                 stdin=b"\x00\xff\xfe" * 40)
        self.assertEqual(answer["stdout"], b"\xfe\xff\x00" * 40)
        latin1 = self.run_source("# café\nprint(1)".encode("latin-1"), encoded=True)
        self.assertEqual((latin1["status"]["id"], b"SyntaxError" in latin1["stderr"]), (11, True))

    def test_bytes_that_are_no_text_are_an_error_without_base64(self):
        source = "import sys; sys.stdout.buffer.write(b'\\xff')"
        answer = self.daemon.request("POST", "/submissions?wait=true", {"source_code": source, "language_id": PYTHON})
        self.assertEqual((answer.status, set(answer.json)), (201, {"error", "token"}))
        self.assertIn("use base64_encoded=true", answer.json["error"])
        status, body = self.refusal(self.judge0.get, answer.json["token"])
        self.assertEqual((status, set(body)), (400, {"error"}))
        self.assertEqual(self.judge0.get(answer.json["token"], encoded=True)["stdout"], b"\xff")

    def test_files_lie_beside_the_program(self):
        files = zipped({"lib/helper.py": "x = 42\n", "data.txt": "text", "main.py": "print('not this one')"})
        answer = self.run_source("from lib.helper import x; print(x, open('data.txt').read())", additional_files=files)
        self.assertEqual(answer["stdout"], "42 text\n", answer)

    def test_stderr_goes_to_stdout_where_asked(self):
        for language, source in ((PYTHON, "import os\nfor i in range(3): os.write(1 + i % 2, b'%d\\n' % i)"),
                                 (BASH, "echo 0; echo 1 >&2; echo 2"),
                                 (NODE, "console.log(0); console.error(1); console.log(2)")):
            answer = self.run_source(source, language, redirect_stderr_to_stdout=True)
            self.assertEqual((answer["stdout"], answer["stderr"]), ("0\n1\n2\n", None))

    def test_batches(self):
        answers = self.judge0.create_batch([{"language_id": BASH, "source_code": "echo hello from Bash"},
                                            {"language_id": 123456789, "source_code": "x"},
                                            {"language_id": PYTHON, "source_code": ""}])
        self.assertEqual(answers[1:], [{"language_id": ["language with id 123456789 doesn't exist"]},
                                       {"source_code": ["can't be blank"]}])
        token = answers[0]["token"]
        wait_until(lambda: self.judge0.get(token)["status"]["id"] > 2, 20, "it ends")
        first, none = self.judge0.get_batch([token, "nope"], fields="token,stdout,status_id")
        self.assertEqual((first, none), ({"token": token, "stdout": "hello from Bash\n", "status_id": 3}, None))

    def test_outlives_the_daemon(self):
        with Daemon() as daemon:
            judge0 = Judge0(daemon.request)
            token = judge0.run({"source_code": "print('kept')", "language_id": PYTHON, "expected_output": "kept"})["token"]
            daemon.stop()
            daemon.start()
            again = judge0.get(token, fields="stdout,source_code,expected_output,status_id")
            self.assertEqual(again, {"source_code": "print('kept')", "expected_output": "kept", "stdout": "kept\n",
                                     "status_id": 3})


class Refusals(Judge0Test):
    def create(self, **submission):
        return self.refusal(self.judge0.create, submission)

    def test_what_judge0_rejects_is_rejected_in_its_form(self):
        code = {"source_code": "x", "language_id": PYTHON}
        for submission, body in (
            ({"source_code": "x"}, {"language_id": ["can't be blank"]}),
            ({**code, "language_id": 150000}, {"language_id": ["language with id 150000 doesn't exist"]}),
            ({**code, "wall_time_limit": 100000}, {"wall_time_limit": ["must be less than or equal to 5.0"]}),
            ({**code, "cpu_time_limit": "x"}, {"cpu_time_limit": ["is not a number"]}),
            ({**code, "enable_network": True}, {"enable_network": ["enabling network is not allowed"]}),
            ({**code, "compiler_options": "-O3"}, {"compiler_options": ["setting compiler options is not allowed"]}),
            ({**code, "additional_files": "bm8="}, {"additional_files": ["is not a zip archive"]}),
        ):
            self.assertEqual(self.create(**submission), (422, body))
        status, body = self.create(**code, callback_url="http://127.0.0.1:1/")
        self.assertEqual((status, list(body)), (422, ["callback_url"]))

    def test_archives_that_lead_out_or_are_too_large(self):
        for name in ("../x", "/etc/x", "a/../../x"):
            status, body = self.create(source_code="x", language_id=PYTHON, additional_files=zipped({name: "x"}))
            self.assertEqual((status, list(body)), (422, ["additional_files"]), name)
        bomb = zipped({"zeroes": b"\0" * (11 << 20)})
        self.assertEqual(self.create(source_code="x", language_id=PYTHON, additional_files=bomb),
                         (422, {"additional_files": ["unpacks to more than 10485760 bytes"]}))

    def test_other_errors_have_their_form(self):
        for method, path, body, status in (
            ("POST", "/submissions", b"{", 400), ("GET", "/submissions/nope", None, 404),
            ("GET", "/submissions/nope?fields=verdict", None, 400), ("GET", "/languages/70", None, 404),
            ("POST", "/submissions/batch", {"submissions": []}, 400), ("GET", "/submissions/batch", None, 400),
            ("POST", "/submissions/batch", {"submissions": [{}] * 21}, 400), ("PUT", "/statuses", {}, 405),
            ("POST", "/submissions/batch", {"submissions": [{}]}, 422),
        ):
            headers = {"Content-Type": "application/json"}
            answer = self.daemon.request(method, path, body, headers)
            self.assertEqual(answer.status, status, (method, path, answer))
            if status != 422:
                self.assertIn("error", answer.json)
        for method, path in (("DELETE", "/submissions/nope"), ("GET", "/submissions")):
            answer = self.daemon.request(method, path)
            self.assertEqual((answer.status, answer.raw), (403, b""))

    def test_no_job_of_ours_is_a_submission(self):
        job = {"tenant_id": "default", "language": "bash", "code": "true"}
        job_id = self.daemon.request("POST", "/api/v1/jobs", job).json["job_id"]
        wait_until(lambda: self.daemon.request("GET", f"/api/v1/jobs/{job_id}").json["state"] == "finished", 20, "it ends")
        self.assertEqual(self.refusal(self.judge0.get, job_id)[0], 404)

    def test_wants_the_token_where_there_are_tokens(self):
        with Daemon(f'[server]\ntokens = ["{TOKEN}"]\n') as daemon:
            self.assertEqual(self.refusal(Judge0(daemon.request).languages), (401, None))
            self.assertEqual(self.refusal(Judge0(daemon.request, "wrong").languages), (401, None))
            self.assertTrue(Judge0(daemon.request, TOKEN).languages())
            refused = daemon.request("GET", "/api/v1/languages", headers={"X-Auth-Token": TOKEN})
            self.assertEqual(refused.status, 401)  # that header is Judge0's alone


class Information(Judge0Test):
    def test_statuses_languages_and_configuration(self):
        self.assertEqual(self.judge0.statuses(), STATUSES)
        languages = {language["id"]: language["name"] for language in self.judge0.languages()}
        self.assertRegex(languages[PYTHON], r"\APython \(3\.\d+\.\d+\)\Z")
        self.assertRegex(languages[NODE], r"\AJavaScript \(Node\.js \d+\.\d+\.\d+\)\Z")
        self.assertEqual(set(self.judge0.languages("/all")[0]), {"id", "name", "is_archived"})
        self.assertEqual(set(self.judge0.languages(f"/{PYTHON}")),
                         {"id", "name", "is_archived", "source_file", "compile_cmd", "run_cmd"})
        self.assertEqual(set(self.judge0.about()), {"version", "homepage", "source_code", "maintainer", "server"})
        config = self.judge0.config()
        self.assertEqual((config["wall_time_limit"], config["max_memory_limit"]), (5.0, 131072))
        self.assertEqual(self.judge0.workers()[0]["available"], 16)


class _Receiver(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        self.server.received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Callbacks(Judge0Test):
    def test_are_put_in_judge0s_form(self):
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Receiver)
        receiver.received = []
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        port = receiver.server_address[1]
        config = f'[webhook]\nallow = ["127.0.0.1:{port}"]\npermitted_networks = ["127.0.0.0/8"]\n'
        with Daemon(config) as daemon:
            token = Judge0(daemon.request).create({"source_code": "echo called", "language_id": BASH,
                                                   "callback_url": f"http://127.0.0.1:{port}/done"})
            wait_until(lambda: receiver.received, 20, "the callback comes")
        body = receiver.received[0]
        self.assertEqual((body["token"], body["stdout"], body["status"]["id"]), (token, "Y2FsbGVkCg==\n", 3))
