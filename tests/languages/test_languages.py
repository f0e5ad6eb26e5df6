"""Each language at the default limits: a hello, stdin and arguments, a text that is wrong, a program that fails."""

from api.base import ApiTest, side_by_side
from languages.base import languages_daemon
from languages.images import LANGUAGES, definition
from languages.programs import FAILS, HELLO, READS, WRONG

setUpModule, tearDownModule = languages_daemon()

COMPILED = tuple(language for language in LANGUAGES if "compile" in definition(language))


class Languages(ApiTest):
    def test_all_of_them_are_there(self):
        names = {language["name"] for language in self.daemon.request("GET", "/api/v1/languages").json["languages"]}
        self.assertEqual(names, set(LANGUAGES))
        self.assertEqual(set(COMPILED), {"c", "cpp", "go", "rust", "java"})
        self.assertEqual(self.daemon.health()["status"], "ok")

    def each(self, check):
        side_by_side(check, LANGUAGES, 2)

    def test_hello(self):
        def check(language):
            result = self.run_code(language, HELLO[language])
            self.assert_completed(result, "hello\n", "")
            if language in COMPILED:
                self.assertEqual((result["compile"]["status"], result["compile"]["cached"]), ("completed", False))
            else:
                self.assertIsNone(result["compile"], language)

        self.each(check)

    def test_stdin_and_arguments(self):
        def check(language):
            result = self.run_code(language, READS[language], stdin="abc\nxyz\n", args=["an argument"])
            self.assert_completed(result, "cba\nzyx\nan argument\n", "")

        self.each(check)

    def test_a_text_that_is_wrong(self):
        def check(language):
            code, word = WRONG[language]
            result = self.run_code(language, code)
            self.assertEqual(result["status"], "failed", result["cause"])
            self.assertGreater(result["exit_code"], 0)
            self.assertEqual(result["stdout"], "", language)
            if language in COMPILED:
                self.assertEqual(result["cause"]["code"], "compile", language)
                self.assertEqual(result["stderr"], "", language)
                self.assertIn(word, result["compile"]["stderr"], language)
                self.assertEqual(result["compile"]["exit_code"], result["exit_code"])
                self.assertEqual(result["compile"]["cause"]["code"], "exited")
            else:
                self.assertEqual(result["cause"]["code"], "exited", language)
                self.assertIn(word, result["stderr"], language)

        self.each(check)

    def test_a_program_that_fails(self):
        def check(language):
            code, status, word = FAILS[language]
            result = self.run_code(language, code)
            if status is None:
                self.assert_ended(result, "signaled", 134, "SIGABRT")
            else:
                self.assert_ended(result, "failed", status)
            self.assertIn(word, result["stderr"], language)
            if language in COMPILED:
                self.assertEqual(result["compile"]["status"], "completed")

        self.each(check)


class Particulars(ApiTest):
    def test_java_looks_for_networks_and_files_and_is_only_refused(self):
        code = ("import java.nio.file.*;\npublic class Main { static class Inner { int x = 7; }\n"
                "public static void main(String[] a) throws Exception { Files.writeString(Path.of(\"f\"), \"text\");\n"
                "System.out.println(Files.readString(Path.of(\"f\")) + new Inner().x);\n"
                "try { new java.net.Socket(\"127.0.0.1\", 80); System.out.println(\"connected\"); }\n"
                "catch (java.io.IOException e) { System.out.println(\"refused\"); } } }\n")
        self.assert_completed(self.run_code("java", code), "text7\nrefused\n", "")

    def test_java_s_threads_fit(self):
        code = ("public class Main { public static void main(String[] a) throws Exception { Thread[] t = new Thread[8];\n"
                "for (int i = 0; i < 8; i++) { t[i] = new Thread(() -> { }); t[i].start(); }\n"
                "for (Thread one : t) one.join(); System.out.println(\"joined\"); } }\n")
        self.assert_completed(self.run_code("java", code), "joined\n", "")

    def test_java_s_heap_ends_before_the_jail_s(self):
        code = ("import java.util.*;\npublic class Main { public static void main(String[] a) { List<byte[]> all = new ArrayList<>();\n"
                "try { while (true) all.add(new byte[1 << 20]); } catch (OutOfMemoryError e) { int n = all.size(); all = null;\n"
                "System.out.println(n > 30); } } }\n")
        self.assert_completed(self.run_code("java", code), "true\n", "")

    def test_go_s_goroutines_and_its_collector(self):
        code = ("package main\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n)\n\nfunc main() {\n\tvar group sync.WaitGroup\n"
                "\tfor i := 0; i < 1000; i++ {\n\t\tgroup.Add(1)\n\t\tgo func() {\n\t\t\t_ = make([]byte, 1<<16)\n"
                "\t\t\tgroup.Done()\n\t\t}()\n\t}\n\tgroup.Wait()\n\tfmt.Println(\"done\")\n}\n")
        self.assert_completed(self.run_code("go", code), "done\n", "")

    def test_go_s_package_is_the_directory(self):
        files = [{"path": "other.go", "content": "package main\n\nfunc word() string { return \"other\" }\n"}]
        code = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(word()) }\n"
        self.assert_completed(self.run_code("go", code, files=files), "other\n", "")

    def test_rust_s_threads_and_modules(self):
        files = [{"path": "helper.rs", "content": "pub fn word() -> &'static str { \"helped\" }\n"}]
        code = "mod helper;\nfn main() { let t = std::thread::spawn(|| helper::word()); println!(\"{}\", t.join().unwrap()); }\n"
        self.assert_completed(self.run_code("rust", code, files=files), "helped\n", "")

    def test_headers_and_mathematics(self):
        files = [{"path": "lib/word.h", "content": "#define WORD \"included\"\n"}]
        code = '#include <math.h>\n#include <stdio.h>\n#include "lib/word.h"\nint main(int c, char **v) { printf("%s %.0f\\n", WORD, sqrt(16.0 * c)); }\n'
        for language in ("c", "cpp"):
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, files=files), "included 4\n", "")

    def test_what_scripts_find_beside_them(self):
        cases = (("ruby", "require_relative 'helper'\nrequire 'json'\nputs JSON.generate(word: word)", "helper.rb",
                  "def word = 'ruby'", '{"word":"ruby"}\n'),
                 ("perl", "use lib '.'; use Helper; use List::Util 'sum'; print Helper::word(), sum(1, 2), \"\\n\";", "Helper.pm",
                  "package Helper; sub word { 'perl' } 1;", "perl3\n"),
                 ("lua", "print(require('helper').word)", "helper.lua", "return {word = 'lua'}", "lua\n"),
                 ("php", "<?php require 'helper.php'; echo json_encode([word()]), \"\\n\";", "helper.php",
                  "<?php function word() { return 'php'; }", '["php"]\n'))
        for language, code, path, content, expected in cases:
            with self.subTest(language):
                files = [{"path": path, "content": content}]
                self.assert_completed(self.run_code(language, code, files=files), expected, "")


