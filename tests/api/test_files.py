"""Files of a request lie in the working directory when the program starts, and nowhere else."""

import base64
import json

from api.base import LANGUAGES, ApiTest, job, module_daemon

setUpModule, tearDownModule = module_daemon()

_CAT = {
    "python": "import sys\nsys.stdout.write(open(sys.argv[1]).read())",
    "node": "process.stdout.write(require('fs').readFileSync(process.argv[2]))", "bash": "cat -- \"$1\""
}


class Laid(ApiTest):
    def test_in_each_language(self):
        for language in LANGUAGES:
            with self.subTest(language):
                files = [{"path": "data/in.csv", "content": "1,2\né😀\n"}]
                self.assert_completed(self.run_code(language, _CAT[language], files=files, args=["data/in.csv"]),
                                      "1,2\né😀\n")

    def test_base64_brings_any_bytes(self):
        data = bytes(range(256)) * 100
        files = [{"path": "a.bin", "content": base64.b64encode(data).decode(), "encoding": "base64"},
                 {"path": "empty", "content": "", "encoding": "base64"}]
        code = "import os\nprint(open('a.bin', 'rb').read() == bytes(range(256)) * 100, os.path.getsize('empty'))"
        self.assert_completed(self.run_code("python", code, files=files), "True 0\n")

    def test_names_of_all_kinds(self):
        paths = [
            "-rf", "with space", "é😀.txt", "a.b.c", "..hidden", "...", "deep/er/and/deeper/file", "n" * 255, "'\"$x`"
        ]
        code = "import json, sys\nprint(all(open(p).read() == p for p in json.load(sys.stdin)))"
        files = [{"path": path, "content": path} for path in paths]
        self.assert_completed(self.run_code("python", code, files=files, stdin=json.dumps(paths)), "True\n")

    def test_a_module_beside_the_program_can_be_imported(self):
        cases = {
            "python": ("import helper; print(helper.word)", "helper.py", "word = 'imported'"),
            "node": ("console.log(require('./helper.js').word)", "helper.js", "exports.word = 'imported'"),
            "bash": (". ./helper.sh; echo $word", "helper.sh", "word=imported")
        }
        for language, (code, path, content) in cases.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, files=[{"path": path, "content": content}]),
                                      "imported\n")

    def test_they_belong_to_the_program(self):
        files = [{"path": "d/f", "content": "old"}]
        code = "echo new > d/f && echo more > d/g && mkdir d/h && rm d/g && chmod +x d/f && cat d/f && mv d e"
        self.assert_completed(self.run_code("bash", code, files=files), "new\n", "")

    def test_an_uploaded_script_can_be_run(self):
        files = [{"path": "tool", "content": "#!/bin/bash\necho tool $1\n"}]
        self.assert_completed(self.run_code("bash", "chmod +x tool && ./tool x", files=files), "tool x\n")

    def test_modes(self):
        files = [{"path": "tool", "content": "#!/bin/bash\necho ran\n", "mode": "0755"},
                 {"path": "mine", "content": "x", "mode": "600"}, {"path": "usual", "content": "x"},
                 {"path": "null", "content": "x", "mode": None}, {"path": "shut", "content": "x", "mode": "000"}]
        for language, code in (("bash", "./tool; stat -c '%a %n' mine usual null shut"),
                               ("python", "import os, subprocess\nsubprocess.run('./tool; stat -c \"%a %n\" mine usual null shut',"
                                " shell=True)"),
                               ("node", "require('child_process').execSync('./tool; stat -c \"%a %n\" mine usual null shut',"
                                " {stdio: 'inherit'})")):
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, files=files),
                                      "ran\n600 mine\n644 usual\n644 null\n0 shut\n", "")

    def test_a_thousand_files_and_megabytes(self):
        files = [{"path": f"d{n % 10}/f{n}", "content": "x" * 5000} for n in range(1000)]
        self.assert_completed(
            self.run_code("bash", "find . -name 'f*' -type f | wc -l; cat d*/f* | wc -c", files=files),
            "1000\n5000000\n")

    def test_nothing_stays_for_the_next_job(self):
        for _ in range(20):
            result = self.run_code(
                "bash", "ls -A . .. /tmp /dev/shm | sort -u; echo x > left; echo x > /tmp/left; "
                "echo x > /dev/shm/left; mkdir /tmp/leftdir")
            self.assert_completed(result)
            self.assertNotIn("left", result["stdout"])


class Refused(ApiTest):
    def test_paths_that_leave_or_mean_nothing(self):
        for path in ("", "/etc/passwd", "/tmp/work/x", "..", "../x", "a/../../x", "a/../x", "a/..", "x/", ".", "a\0b",
                     "n" * 256, "d/" * 3000 + "f"):
            with self.subTest(path=path[:40]):
                self.assert_refused(job("bash", "true", files=[{"path": path, "content": ""}]), 400, "files[0].path")

    def test_the_faulty_one_is_named(self):
        good = {"path": "a", "content": "x"}
        for bad, field in (({"path": "b"}, "files[1].content"), ({"content": "x"}, "files[1].path"), (7, "files[1]"),
                           ({"path": 5, "content": "x"}, "files[1].path"), ({"path": "b",
                                                                             "content": []}, "files[1].content"),
                           ({"path": "b", "content": "x", "encoding": "hex"}, "files[1].encoding"),
                           ({"path": "b", "content": "x",
                             "encoding": 1}, "files[1].encoding"), ({"path": "b", "contents": "x",
                                                                     "content": "x"}, "files[1].contents")):
            with self.subTest(field=field, bad=bad):
                self.assert_refused(job("bash", "true", files=[good, bad]), 400, field)

    def test_content_that_is_no_base64(self):
        for content in ("a", "ab=c", "a===", "äöü=", "YQ", "Y Q=", "YQ==YQ==", "_-_-"):
            with self.subTest(content):
                files = [{"path": "a", "content": content, "encoding": "base64"}]
                self.assert_refused(job("bash", "true", files=files), 400, "files[0].content")

    def test_two_files_in_one_place(self):
        for first, second in (("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a/b/c", "a/b")):
            with self.subTest(first=first, second=second):
                files = [{"path": first, "content": "1"}, {"path": second, "content": "2"}]
                self.assert_refused(job("bash", "true", files=files), 400, "files[1].path")

    def test_a_file_in_the_programs_own_place(self):
        for language, path in (("python", "main.py"), ("node", "main.js"), ("bash", "main.sh"), ("bash", "main.sh/x")):
            with self.subTest(language):
                files = [{"path": path, "content": "exit 3"}]
                self.assert_refused(job(language, "0", files=files), 400, "files[0].path")

    def test_more_than_the_scratch_space_holds(self):
        """The caller's mistake, found before anything runs or told as such: never Outrigger's failure."""
        files = [{"path": "big", "content": "x" * 300000}]
        response = self.daemon.execute(job("bash", "true", files=files, limits={"tmpfs_bytes": 131072}))
        self.assert_error(response, (400, 413))
        response = self.daemon.execute(job("bash", "#" + "x" * 300000, limits={"tmpfs_bytes": 131072}))
        self.assert_error(response, (400, 413))

    def test_more_files_than_inodes(self):
        files = [{"path": f"f{n}", "content": ""} for n in range(50000)]
        self.assert_error(self.daemon.execute(job("bash", "true", files=files)), (400, 413))

    def test_modes_that_are_none(self):
        for mode in ("", "4755", "1000", "rwx", "8", "-1", " 7", "00755", 493, [], True):
            with self.subTest(mode=mode):
                files = [{"path": "a", "content": "", "mode": mode}]
                self.assert_refused(job("bash", "true", files=files), 400, "files[0].mode")
