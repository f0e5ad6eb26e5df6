"""Talking with a program over GET /api/v1/interactive."""

from support.websocket import WebSocket


class Live:
    """One conversation. `result` and `error` once they have come."""
    def __init__(self, test, start=None, daemon=None, headers=None, path="/api/v1/interactive"):
        self.test = test
        self.connection = (daemon or test.daemon).connect()
        test.addCleanup(self.connection.close)
        self.socket = WebSocket(self.connection, path, headers)
        self.out = {"stdout": "", "stderr": ""}
        self.job_id = self.result = self.error = None
        if start is not None:
            self.socket.send({"type": "start", **start})

    def say(self, kind, **fields):
        self.socket.send({"type": kind, **fields})

    def type(self, text):
        self.say("stdin", data=text)

    def hear(self):
        """The next message's type; None after the last."""
        message = self.socket.receive()
        if message is None:
            return None
        kind = message.pop("type")
        if kind in self.out:
            self.test.assertEqual(list(message), ["data"])
            self.out[kind] += message["data"]
        elif kind == "started":
            self.job_id = message["job_id"]
        elif kind == "finished":
            self.result = message["result"]
        else:
            self.test.assertEqual((kind, list(message)), ("error", ["error"]))
            self.error = message["error"]
        return kind

    def until(self, text, stream="stdout"):
        """Hears until this has been written."""
        while text not in self.out[stream]:
            self.test.assertIsNotNone(self.hear(), f"no {text!r} in {self.out}, but {self.result} {self.error}")

    def end(self):
        """Hears to the end; the result, which must be there, and a normal close."""
        while self.hear() is not None:
            pass
        self.test.assertIsNone(self.error)
        self.test.assertEqual(self.socket.close_code, 1000)
        self.test.assertIsNotNone(self.result)
        return self.result

    def refused(self, code=1008):
        """Hears to the end, which must be an error that the close repeats; the error."""
        while self.hear() is not None:
            pass
        self.test.assertIsNone(self.result)
        self.test.assertIsNotNone(self.error, self.socket.close_reason)
        self.test.assertEqual(set(self.error), {"code", "message", "field"})
        self.test.assertEqual(self.socket.close_code, code)
        self.test.assertTrue(self.error["message"].startswith(self.socket.close_reason), self.socket.close_reason)
        self.test.assertTrue(self.socket.close_reason)
        return self.error
