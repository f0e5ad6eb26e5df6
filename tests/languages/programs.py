"""For each language: a hello, one that reads stdin and arguments, one that is wrong as a text, one that fails as it runs.

Of the last two, a word that what is said of them must hold.
"""

HELLO = {
    "c": '#include <stdio.h>\nint main(void) { puts("hello"); }\n',
    "cpp": '#include <iostream>\n#include <vector>\nint main() { std::vector<std::string> w{"hello"}; std::cout << w[0] << "\\n"; }\n',
    "go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n',
    "rust": 'fn main() { println!("hello"); }\n',
    "java": 'public class Main { public static void main(String[] args) { System.out.println("hello"); } }\n',
    "ruby": 'puts "hello"\n',
    "perl": 'use strict; use warnings; print "hello\\n";\n',
    "lua": 'print("hello")\n',
    "php": '<?php echo "hello\\n";\n',
}

# Prints each line of stdin turned about, then the first argument.
READS = {
    "c": r'''#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    for (size_t i = strlen(line); i > 0; --i) putchar(line[i - 1]);
    putchar('\n');
  }
  puts(argc > 1 ? argv[1] : "none");
}
''',
    "cpp": r'''#include <algorithm>
#include <iostream>
#include <string>
int main(int argc, char **argv) {
  for (std::string line; std::getline(std::cin, line);) {
    std::ranges::reverse(line);
    std::cout << line << '\n';
  }
  std::cout << (argc > 1 ? argv[1] : "none") << '\n';
}
''',
    "go": r'''package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		runes := []rune(scanner.Text())
		for i := len(runes) - 1; i >= 0; i-- {
			fmt.Print(string(runes[i]))
		}
		fmt.Println()
	}
	fmt.Println(os.Args[1])
}
''',
    "rust": r'''use std::io::BufRead;
fn main() {
    for line in std::io::stdin().lock().lines() {
        println!("{}", line.unwrap().chars().rev().collect::<String>());
    }
    println!("{}", std::env::args().nth(1).unwrap());
}
''',
    "java": r'''import java.util.Scanner;
public class Main {
  public static void main(String[] args) {
    Scanner scanner = new Scanner(System.in);
    while (scanner.hasNextLine()) System.out.println(new StringBuilder(scanner.nextLine()).reverse());
    System.out.println(args[0]);
  }
}
''',
    "ruby": "STDIN.each_line { |line| puts line.chomp.reverse }\nputs ARGV[0]\n",
    "perl": 'while (my $line = <STDIN>) { chomp $line; print scalar reverse($line), "\\n"; }\nprint "$ARGV[0]\\n";\n',
    "lua": "for line in io.lines() do print(line:reverse()) end\nprint(arg[1])\n",
    "php": '<?php while (($line = fgets(STDIN)) !== false) echo strrev(rtrim($line, "\\n")), "\\n";\necho $argv[1], "\\n";\n',
}

WRONG = {
    "c": ("int main(void) { return nothing_of_this_name; }\n", "nothing_of_this_name"),
    "cpp": ("int main() { return nothing_of_this_name; }\n", "nothing_of_this_name"),
    "go": ("package main\n\nfunc main() { nothing_of_this_name() }\n", "nothing_of_this_name"),
    "rust": ("fn main() { nothing_of_this_name(); }\n", "nothing_of_this_name"),
    "java": ("public class Main { public static void main(String[] args) { nothing_of_this_name(); } }\n",
             "nothing_of_this_name"),
    "ruby": ("puts 'before'\ndef (\n", "syntax error"),
    "perl": ("print 'before';\nmy $x = ;\n", "syntax error"),
    "lua": ("print('before')\nx = = 1\n", "unexpected symbol"),
    "php": ("<?php echo 'before';\n$x = ;\n", "syntax error"),
}

# (code, exit status or None for a signal, a word of stderr)
FAILS = {
    "c": ('#include <stdlib.h>\nint main(void) { abort(); }\n', None, ""),
    "cpp": ('#include <stdexcept>\nint main() { throw std::runtime_error("thrown"); }\n', None, "thrown"),
    "go": ('package main\n\nfunc main() { panic("thrown") }\n', 2, "thrown"),
    "rust": ('fn main() { panic!("thrown"); }\n', 101, "thrown"),
    "java": ('public class Main { public static void main(String[] a) { throw new RuntimeException("thrown"); } }\n', 1,
             "thrown"),
    "ruby": ('raise "thrown"\n', 1, "thrown"),
    "perl": ('die "thrown\\n";\n', 255, "thrown"),
    "lua": ('error("thrown")\n', 1, "thrown"),
    "php": ('<?php throw new Exception("thrown");\n', 255, "thrown"),
}
