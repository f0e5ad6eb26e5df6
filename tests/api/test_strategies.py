"""A program can't tell whether its interpreter was started for it or had been waiting: the same output to the byte.

A job with other limits than the default ones finds no primed jail that fits, and is run by an interpreter started for it.
"""

from api.base import ApiTest, module_daemon
from api.programs_that_look import NODE, PYTHON

setUpModule, tearDownModule = module_daemon()

_COLD = {"pids": 31}
_COMPARED = ("status", "exit_code", "signal", "stdout", "stderr")
_SURROUNDINGS = {"stdin": "line\n", "args": ["a", "b c", "\u00e9"], "env": {"MODE": "x"},
                 "files": [{"path": "d/in.txt", "content": "1"}]}


class Strategies(ApiTest):

    def ready(self, language):
        return next(shelf for shelf in self.daemon.health()["pool"]["primed"] if shelf["runtime"] == language)

    def answer(self, language, code, limits):
        response = self.daemon.execute({"tenant_id": "look", "language": language, "code": code, "limits": limits,
                                        **_SURROUNDINGS})
        self.assertEqual(response.status, 200, response.raw)
        return {name: response.json[name] for name in _COMPARED}

    def compare(self, language, programs):
        before = self.ready(language)
        for code in programs:
            with self.subTest(language=language, code=code):
                self.assertEqual(self.answer(language, code, {}), self.answer(language, code, _COLD))
        after = self.ready(language)
        self.assertGreater(after["hits"] - before["hits"], len(programs) // 2, "hardly any ran in a primed jail")
        self.assertLessEqual(after["hits"] + after["misses"] - before["hits"] - before["misses"], len(programs),
                             "a job with limits of its own was given a primed jail")

    def test_python_is_the_same_primed_and_not(self):
        self.compare("python", PYTHON)

    def test_node_is_the_same_primed_and_not(self):
        self.compare("node", NODE)
