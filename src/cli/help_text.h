#pragma once

// What --help says beside the list of options: a line for the list of verbs, and what follows the options.
namespace outrigger::cli {

inline constexpr char kAbout[] =
    "Outrigger runs untrusted code in the kernel's custody: namespaces, control groups, a system call filter.";
inline constexpr char kFooter[] =
    "Examples:\n"
    "  outrigger doctor                          can this machine make jails? what is missing?\n"
    "  outrigger runtime build                   make the root file system (once, as root)\n"
    "  echo 'print(6 * 7)' | outrigger run --local -l python -\n"
    "  outrigger run hello.py                    the same through a daemon on 127.0.0.1:8080\n"
    "\n"
    "`outrigger VERB --help` tells more of each verb.";

inline constexpr char kRunUsage[] = "outrigger run [OPTIONS] FILE|- [ARGUMENT...]";
inline constexpr char kRunAbout[] = "Run one program in a jail of its own";
inline constexpr char kRunFooter[] =
    "FILE is the program, - takes it from stdin; what follows it are the program's own arguments. The program's stdin "
    "is\n"
    "this command's stdin (unless that is a terminal), its output goes to stdout and stderr, byte for byte: on a\n"
    "terminal as it is written, else when it has ended. Ctrl-C ends the job.\n"
    "\n"
    "Exit status: the program's own; 128+n after signal n (137 for a timeout or too much memory, 152 for too much "
    "CPU,\n"
    "159 for a forbidden system call); 125 where Outrigger itself failed. One line on stderr says why a program was "
    "ended.\n"
    "\n"
    "Environment: OUTRIGGER_SERVER stands for --server, OUTRIGGER_TOKEN is sent as bearer token.\n"
    "\n"
    "Examples:\n"
    "  outrigger run hello.py                          python by the name's ending, on the daemon\n"
    "  outrigger run --local hello.py a b              without a daemon (as root), with two arguments\n"
    "  outrigger run -l bash - < script.sh             the program from stdin\n"
    "  sort data.csv | outrigger run report.js         data on stdin\n"
    "  outrigger run --memory-bytes 64M --wall-time-ms 2000 --file in.csv=data/big.csv count.py\n"
    "  outrigger run --collect 'out/*.png' plot.py     the files it leaves in out, into out here\n"
    "  outrigger run --json hello.py | jq .cause       the whole result as one JSON document";

inline constexpr char kSubmitUsage[] = "outrigger submit [OPTIONS] FILE|- [ARGUMENT...]";
inline constexpr char kSubmitAbout[] = "Queue one program on a daemon, and print its job's id";
inline constexpr char kSubmitFooter[] =
    "FILE, arguments and stdin as with `outrigger run`. The job is promised when the id is printed: it is run, at most "
    "three\n"
    "times, whatever dies meanwhile.\n"
    "\n"
    "Examples:\n"
    "  outrigger submit report.py 2025\n"
    "  outrigger status --wait $(outrigger submit hello.py)\n"
    "  outrigger submit --idempotency-key order-17 bill.py        twice, and it is one job";
inline constexpr char kStatusAbout[] = "Say how a queued job stands, and what came of it";
inline constexpr char kStatusFooter[] =
    "Examples:\n"
    "  outrigger status 0190f4c2a7b1...\n"
    "  outrigger status --wait --json 0190f4c2a7b1... | jq -r .result.stdout";
inline constexpr char kCancelAbout[] = "End a job that waits or runs";
inline constexpr char kCancelFooter[] =
    "A queued job wherever it is; a running one of the daemon that is asked.\n"
    "\n"
    "Example:\n"
    "  outrigger cancel 0190f4c2a7b1...";
inline constexpr char kRunsAbout[] = "List what has been run, newest first";
inline constexpr char kRunsFooter[] =
    "From the daemon's audit trail.\n"
    "\n"
    "Examples:\n"
    "  outrigger runs --tenant acme --status timeout\n"
    "  outrigger runs --json --limit 1000 | jq '[.runs[].wall_time_ms] | add'\n"
    "  outrigger runs 0190f4c2a7b1... --json";

inline constexpr char kDoctorAbout[] = "Try out whether this machine can make jails, and say what it lacks";
inline constexpr char kDoctorFooter[] =
    "Each thing is tried by doing it, in a process that then ends. One line each: ok, or FAIL with the remedy. Exit "
    "status\n"
    "0 where all is well, 1 otherwise.\n"
    "\n"
    "Examples:\n"
    "  sudo outrigger doctor\n"
    "  outrigger doctor --json | jq '.probes[] | select(.ok | not)'";

inline constexpr char kRuntimeAbout[] = "List the languages, and make the root file systems they run in";
inline constexpr char kRuntimeFooter[] =
    "Examples:\n"
    "  outrigger runtime list\n"
    "  outrigger runtime build";

inline constexpr char kListAbout[] = "List the languages at hand, and whether their image has been built";
inline constexpr char kListFooter[] =
    "Examples:\n"
    "  outrigger runtime list\n"
    "  outrigger runtime list --json | jq -r '.runtimes[].name'";
inline constexpr char kBuildAbout[] = "Make the images (root file systems) that the runtimes need";
inline constexpr char kBuildFooter[] =
    "Images are made from Debian's packages, as this machine's apt reaches them. NAME is a runtime or an image. An "
    "image\n"
    "that is up to date is left alone. Needs root and mmdebstrap. Restart a running daemon to have it see the new "
    "image.\n"
    "\n"
    "Examples:\n"
    "  outrigger runtime build\n"
    "  outrigger runtime build python --force    again, for instance after security updates";

inline constexpr char kMcpAbout[] = "Serve a daemon to an agent: Model Context Protocol on stdin and stdout";
inline constexpr char kMcpFooter[] =
    "An agent starts this program and speaks with it; programs that it runs are run by the daemon. Tools: run_code,\n"
    "list_languages, get_run. Nothing but the protocol goes to stdout.\n"
    "\n"
    "Environment: OUTRIGGER_SERVER stands for --server, OUTRIGGER_TOKEN is sent as bearer token.\n"
    "\n"
    "Examples:\n"
    "  claude mcp add sandbox -- outrigger mcp\n"
    "  outrigger mcp --server http://10.0.0.5:8080 --tenant agents";

inline constexpr char kTokenAbout[] = "Say who may use a daemon, and how much";
inline constexpr char kTokenFooter[] =
    "Tokens lie in the daemon's tokens file as digests; a running daemon takes changes within a second. Works without "
    "a\n"
    "daemon, as root.\n"
    "\n"
    "Examples:\n"
    "  outrigger token create --tenant acme --concurrent 4 --per-minute 600\n"
    "  outrigger token list";
inline constexpr char kTokenCreateAbout[] = "Make a token, and print it this once";
inline constexpr char kTokenCreateFooter[] =
    "Whoever has it may run jobs of this tenant, and see them. Quotas are the tenant's, with however many tokens: "
    "those "
    "given\n"
    "here replace what it has, others stay. With --tenant '*' it is an operator's: for any tenant, without quotas of "
    "its "
    "own.\n"
    "\n"
    "Examples:\n"
    "  export OUTRIGGER_TOKEN=$(outrigger token create --tenant acme)\n"
    "  outrigger token create --tenant acme --expires 30d --note 'CI of the web team' --limit wall_time_ms=2000\n"
    "  outrigger token create --tenant '*' --note auditor";
inline constexpr char kTokenListAbout[] = "List tokens and quotas; no token is shown";
inline constexpr char kTokenListFooter[] =
    "Examples:\n"
    "  outrigger token list\n"
    "  outrigger token list --json | jq -r '.tokens[] | select(.state == \"expired\") | .id'";
inline constexpr char kTokenRevokeAbout[] = "Make a token good for nothing";
inline constexpr char kTokenRevokeFooter[] =
    "Its line stays in the file, marked as revoked.\n"
    "\n"
    "Example:\n"
    "  outrigger token revoke 3f6c0c1b";
inline constexpr char kTokenQuotaAbout[] = "Show or change what a tenant may use";
inline constexpr char kTokenQuotaFooter[] =
    "Only what is given changes; \"none\" lifts a quota.\n"
    "\n"
    "Examples:\n"
    "  outrigger token quota acme\n"
    "  outrigger token quota acme --per-minute 60 --concurrent none --limit memory_bytes=64M";

inline constexpr char kVersionAbout[] = "Print the version";
inline constexpr char kVersionFooter[] =
    "Examples:\n"
    "  outrigger version\n"
    "  outrigger version --json";

}  // namespace outrigger::cli
