"""Bodies that no client means: deep, broken, half a character. Refused by name, quickly, by a daemon that lives on."""

import json

from api.base import ApiTest, Stopwatch, job, module_daemon

setUpModule, tearDownModule = module_daemon()

DEEP = 100000
_LONE = ("\\ud800", "\\udfff", "\\ud800x", "\\ud800\\ud800", "\\udc00\\ud800", "a\\uDBFF")
_BAD_BYTES = (b"\xc3\x28", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x80", b"\xe2\x82")


def request_with(place, value):
    """A request as bytes, with `value` (raw JSON string content) at `place`, and the field's name."""
    fields = {"tenant_id": b'"t"', "language": b'"bash"', "code": b'"true"'}
    text = b'"' + value + b'"'
    name = place
    if place == "args":
        fields["args"], name = b'["a", ' + text + b"]", "args[1]"
    elif place == "env":
        fields["env"], name = b'{"A": ' + text + b"}", "env.A"
    elif place.startswith("files"):
        key = place.rpartition(".")[2]
        other = b'"content": ""' if key == "path" else b'"path": "a"'
        fields["files"], name = b'[{"' + key.encode() + b'": ' + text + b", " + other + b"}]", f"files[0].{key}"
    else:
        fields[place] = text
    return b"{" + b", ".join(b'"' + key.encode() + b'": ' + content for key, content in fields.items()) + b"}", name


_PLACES = ("tenant_id", "language", "code", "stdin", "args", "env", "files.path", "files.content", "output_encoding")


class Malformed(ApiTest):
    def setUp(self):
        super().setUp()
        pid = self.daemon.pid
        self.addCleanup(lambda: self.assertEqual((self.daemon.pid, self.daemon.process.poll()), (pid, None)))

    def test_r21_a_hundred_thousand_brackets(self):
        """R21: closed, unclosed, in an unknown field, in a known one: refused in well under a second."""
        head = '{"tenant_id": "t", "language": "bash", "code": '
        arrays, objects = "[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP
        bodies = [
            arrays, objects, "[" * DEEP, '{"a":' * DEEP, "]" * DEEP, "[{" * DEEP, head + arrays + "}",
            head + '"true", "unknown": ' + arrays + "}", head + '"true", "unknown": ' + objects + "}",
            head + '"true", "limits": ' + objects + "}", head + '"true", "args": ' + arrays + "}",
            head + '"true", "files": ' + "[" * DEEP, head + '"true", "env": ' + objects + "}"
        ]
        for body in bodies:
            with self.subTest(body[:90]):
                with Stopwatch() as watch:
                    response = self.daemon.execute(body)
                self.assert_error(response, (400, 413))
                self.assertLess(watch.seconds, 1)

    def test_r21_brackets_as_far_as_a_request_may_go(self):
        for body in ("[" * (15 << 20), '{"a":' * (3 << 20), '{"tenant_id": "t", "x": ' + "[" * (15 << 20)):
            with Stopwatch() as watch:
                self.assert_error(self.daemon.execute(body), (400, 413))
            self.assertLess(watch.seconds, 3)

    def test_r22_a_lone_surrogate(self):
        """R22: named in every place where text may stand."""
        for place in _PLACES:
            for escape in _LONE:
                with self.subTest(place=place, escape=escape):
                    body, name = request_with(place, escape.encode())
                    self.assert_refused(body, 400, name)

    def test_r22_bytes_that_are_no_text(self):
        for place in _PLACES:
            for data in _BAD_BYTES:
                with self.subTest(place=place, data=data):
                    body, name = request_with(place, b"x" + data + b"y")
                    self.assert_refused(body, 400, name)

    def test_r22_in_a_name(self):
        for name in (b"\\ud800", b"\xc3\x28", b"\xff"):
            for body in (b'{"' + name + b'": 1}', b'{"env": {"' + name + b'": "x"}}',
                         b'{"limits": {"' + name + b'": 1}}'):
                self.assert_refused(body)

    def test_r22_a_valid_pair_runs(self):
        programs = {
            "python": b"print('\\ud83d\\ude00 \xf0\x9f\x98\x80')",
            "node": b"console.log('\\ud83d\\ude00 \xf0\x9f\x98\x80')", "bash": b"echo '\\ud83d\\ude00 \xf0\x9f\x98\x80'"
        }
        for language, code in programs.items():
            with self.subTest(language):
                body = b'{"tenant_id": "t", "language": "' + language.encode() + b'", "code": "' + code + b'"}'
                self.assert_completed(self.execute(body), "😀 😀\n")
        self.assert_completed(
            self.run_code("bash", "cat; echo $1 $A", stdin="\U0001F600", args=["\U0010FFFF"], env={"A": "\U00010000"}),
            "\U0001F600\U0010FFFF \U00010000\n")

    def test_broken_json(self):
        good = json.dumps(job("bash", "true"))
        broken = [
            "", " ", "{", "}", "nul", good[:-1], good + "x", good + good, good + "\0",
            good.replace(",", ",,", 1),
            good.replace('"', "'"), good[:-1] + ",}", "/* c */" + good, good[:-1] + ", // x\n}",
            good.replace("true", "tr\tue"),
            good.replace("true", "tr\nue"),
            good.replace("true", "\\x41"),
            good.replace("true", "\\u12"),
            good.replace(":", "=", 1), "tenant_id=t&language=bash&code=true"
        ]
        for text in broken:
            with self.subTest(text[:80]):
                self.assert_refused(text)

    def test_the_same_text_in_other_encodings(self):
        good = json.dumps(job("bash", "true"))
        for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            self.assert_refused(good.encode(encoding))

    def test_white_space_and_escapes_are_fine(self):
        text = '\r\n\t {"tenant_id" : "\\u0074", "language":"b\\u0061sh",\n"code":"echo \\/\\"\\\\\\\\\\""}\n\n'
        self.assert_completed(self.execute(text), "/\\\n")

    def test_long_numbers_and_names(self):
        for text in ("9" * 1000000, "1." + "5" * 1000000, "1e" + "9" * 1000):
            self.assert_refused('{"tenant_id": "t", "language": "bash", "code": "true", "limits": {"pids": ' + text +
                                "}}")
        response = self.daemon.execute('{"' + "n" * 1000000 + '": 1}')
        self.assert_error(response, 400)
        self.assertLess(len(response.raw), 5000)
