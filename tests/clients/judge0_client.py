"""A client of Judge0 as one writes it from Judge0's documentation alone: its routes, its attributes, its forms.

It knows nothing of who answers. What comes in another form than the documentation's fails here.
"""

import base64
import re
import urllib.parse

STATUSES = {1: "In Queue", 2: "Processing", 3: "Accepted", 4: "Wrong Answer", 5: "Time Limit Exceeded",
            6: "Compilation Error", 7: "Runtime Error (SIGSEGV)", 8: "Runtime Error (SIGXFSZ)",
            9: "Runtime Error (SIGFPE)", 10: "Runtime Error (SIGABRT)", 11: "Runtime Error (NZEC)",
            12: "Runtime Error (Other)", 13: "Internal Error", 14: "Exec Format Error"}
DEFAULT_FIELDS = {"stdout", "time", "memory", "stderr", "token", "compile_output", "message", "status"}
_UUID = re.compile(r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_SECONDS = re.compile(r"\A\d+\.\d+\Z")
TEXTS = ("source_code", "stdin", "expected_output", "stdout", "stderr", "compile_output", "message")


class Refused(Exception):
    def __init__(self, response):
        super().__init__(f"{response.status} {response.raw[:300]!r}")
        self.status = response.status
        self.body = response.json if response.raw else None


class Judge0:
    """`request(method, path, body, headers)` asks; `token` is the X-Auth-Token."""

    def __init__(self, request, token=None):
        self._request = request
        self._headers = {"X-Auth-Token": token} if token else {}

    def _ask(self, method, path, body=None, status=200, headers=None, **query):
        query = {name: value for name, value in query.items() if value is not None}
        target = path + ("?" + urllib.parse.urlencode(query) if query else "")
        response = self._request(method, target, body, {**self._headers, **(headers or {})})
        if response.status != status:
            raise Refused(response)
        return response.json

    # -- submissions -------------------------------------------------------------------------------------------------

    def create(self, submission, encoded=False):
        answer = self._ask("POST", "/submissions", self._sent(submission, encoded), 201, **self._form(encoded))
        assert set(answer) == {"token"}, answer
        return self._token(answer["token"])

    def run(self, submission, encoded=False, fields=None):
        answer = self._ask("POST", "/submissions", self._sent(submission, encoded), 201, wait="true", fields=fields,
                           **self._form(encoded))
        return self._received(answer, encoded, fields)

    def get(self, token, encoded=False, fields=None):
        answer = self._ask("GET", f"/submissions/{token}", fields=fields, **self._form(encoded))
        return self._received(answer, encoded, fields)

    def create_batch(self, submissions):
        return self._ask("POST", "/submissions/batch", {"submissions": submissions}, 201)

    def get_batch(self, tokens, fields=None):
        answer = self._ask("GET", "/submissions/batch", tokens=",".join(tokens), fields=fields)
        assert set(answer) == {"submissions"}, answer
        return [each and self._received(each, False, fields) for each in answer["submissions"]]

    # -- the rest ----------------------------------------------------------------------------------------------------

    def languages(self, which=""):
        return self._ask("GET", "/languages" + which)

    def statuses(self):
        return {status["id"]: status["description"] for status in self._ask("GET", "/statuses")}

    def about(self):
        return self._ask("GET", "/about")

    def config(self):
        return self._ask("GET", "/config_info")

    def workers(self):
        return self._ask("GET", "/workers")

    # -- forms -------------------------------------------------------------------------------------------------------

    @staticmethod
    def _form(encoded):
        return {"base64_encoded": "true"} if encoded else {}

    @staticmethod
    def _sent(submission, encoded):
        if not encoded:
            return submission
        return {name: base64.encodebytes(value).decode() if isinstance(value, bytes) else value
                for name, value in submission.items()}

    @staticmethod
    def _token(token):
        assert _UUID.match(token), token
        return token

    def _received(self, submission, encoded, fields):
        if fields is None:
            assert set(submission) == DEFAULT_FIELDS, submission
            self._token(submission["token"])
            assert STATUSES[submission["status"]["id"]] == submission["status"]["description"], submission
        for name in ("time", "wall_time"):
            value = submission.get(name)
            assert value is None or _SECONDS.match(value), (name, value)
        assert submission.get("memory") is None or isinstance(submission["memory"], int), submission
        if encoded:
            for name in TEXTS:
                if submission.get(name) is not None:
                    submission[name] = base64.b64decode(submission[name])
        return submission
