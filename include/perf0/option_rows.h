/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_rows.h - the options; options.h describes a row. A file that includes this one defines
 * OPTION(id, takers, letter, name, kind, operand, group, help, more members) first.
 *
 * Where a command has two rows with the same name or letter, the first one applies. The host tool's
 * rows come before those of the image, which gets the remaining options. A row of both the tool's
 * command and the image's is set in the tool and passed on to the image.
 *
 * perf_option_rows.h has the options of perf that are missing here.
 */
#ifndef OPTION
#define OPTION(...)
#endif
// clang-format off

/* --- Host tool only --- */

OPTION(RUN_DIR, TAKER_RUN, 'o', "output", OPTION_TEXT, "DIR", GROUP_OUTPUT,
	"store stream.perf0, console.txt and perf.data in DIR (default: nothing is stored)",
	.what = "a directory")
OPTION(FILE, TAKERS_FORMS, 'o', "output", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write FILE (default perf.data; an old one becomes FILE.old); -: for `perf ... -i -`",
	.what = "a file name")
OPTION(REPORT, TAKER_STAT, 'o', "output", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"print to FILE", .what = "a file name")
OPTION(APPEND, TAKER_STAT, 0, "append", OPTION_FLAG, 0, GROUP_OUTPUT, "add to the FILE of -o")
OPTION(FOLDED, TAKERS_FORMS, 0, "folded", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print stacks for flamegraph.pl instead (this and what follows: or into -o FILE)")
OPTION(SPEEDSCOPE, TAKERS_FORMS, 0, "speedscope", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print speedscope's JSON instead")
OPTION(TEXT, TAKERS_FORMS, 0, "text", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print each sample instead, as perf script does")
OPTION(CSV, TAKER_DECODE, 0, "csv", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print the counts of a stat or record instead, as `perf stat -x ,` does")
OPTION(DECODE_JSON, TAKER_DECODE, 0, "json", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print the counts instead, as `perf stat -j` does")
OPTION(MAX_SIZE, TAKERS_RECORDS, 0, "max-size", OPTION_SIZE, "SIZE", GROUP_OUTPUT,
	"leave out records beyond so many bytes, unpacked: status 125", .fallback = "256M")
OPTION(COMMAND, TAKER_DECODE, 0, "command", OPTION_NUMBER, "N", GROUP_OUTPUT,
	"take what command N of the stream sent (default: the last that has such)",
	.max = OPTION_COMMAND_MOST)
OPTION(ATTACHED, TAKER_DECODE, 0, "attached", OPTION_FLAG, 0, GROUP_OUTPUT,
	"the stream was stored by attach: it may begin and end in the middle of a run")
OPTION(STREAM, TAKER_ATTACH, 0, "stream", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"store what comes in FILE; what is there of the same run is continued",
	.what = "a file name")
OPTION(DETACH, TAKER_ATTACH, 0, "timeout", OPTION_NUMBER, "S", GROUP_MACHINE,
	"detach after S seconds: status 124", .min = 1, .max = OPTION_SECONDS_MOST)
OPTION(INPUT, TAKER_TOP, 'i', "input", OPTION_TEXT, "INPUT", GROUP_OUTPUT,
	"watch this stream: a serial line, a socket, a file, or - for standard input",
	.what = "a device, a socket or a file")
OPTION(DELAY, TAKER_TOP, 'd', "delay", OPTION_NUMBER, "S", GROUP_OUTPUT, "draw every S seconds",
	.min = 1, .max = OPTION_DELAY_MOST, .fallback = "1")

OPTION(RESULTS_DIR, TAKER_RESULTS, 'o', "output", OPTION_TEXT, "DIR", GROUP_OUTPUT,
	"make a perf.data of each recording, in folders in DIR (default: none)",
	.what = "a directory")
OPTION(STICK_FILE, TAKER_USB, 'o', "output", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"make FILE: an image of a whole disk, for dd and for QEMU", .what = "a file name")
OPTION(STICK_WRITE, TAKER_USB, 0, "write", OPTION_TEXT, "DEVICE", GROUP_OUTPUT,
	"write it to this disk, which is asked for first, and read it back; a disk that is not "
	"removable, or that is mounted, is refused", .what = "a device")
OPTION(STICK_YES, TAKER_USB, 0, "yes", OPTION_FLAG, 0, GROUP_OUTPUT, "write without asking")
OPTION(STICK_SIZE, TAKER_USB, 0, "size", OPTION_SIZE, "SIZE", GROUP_OUTPUT,
	"of the image, or of what is used of the disk: 64M to 128G", .fallback = "256M")
OPTION(STICK_CONFIG, TAKER_USB, 0, "config", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"its perf0.cfg, what machines run by themselves; it is checked (default: comments alone)",
	.what = "a file name")
OPTION(STICK_ADD, TAKER_USB, 0, "add", OPTION_LIST, "PROGRAM", GROUP_OUTPUT,
	"put a program for Linux, linked statically, on it as /perf0/bin/NAME; may be given again",
	.what = "a file name")
OPTION(STICK_SIGN, TAKER_USB, 0, "sign", OPTION_TEXT, "KEY CERT", GROUP_OUTPUT,
	"sign the program for Secure Boot with KEY and CERT, both PEM files, by sbsign",
	.what = "the file of a key")

OPTION(THERE_FAST, TAKER_THERE, 0, "fast", OPTION_FLAG, 0, GROUP_MACHINE,
	"stop no services: write what is in memory to the disks, make them read-only, and go")
OPTION(THERE_TIMEOUT, TAKER_THERE, 0, "timeout", OPTION_NUMBER, "S", GROUP_MACHINE,
	"come home after S seconds, beyond the --timeout of the commands", .min = 1,
	.max = OPTION_SECONDS_MOST, .fallback = "60")
OPTION(THERE_QUIET_DMA, TAKER_THERE, 0, "quiet-dma", OPTION_FLAG, 0, GROUP_MACHINE,
	"devices that Linux has left may not write to memory while commands run")
OPTION(THERE_KERNEL, TAKER_THERE, 0, "kernel", OPTION_TEXT, "FILE", GROUP_MACHINE,
	"the kernel to come home to, a bzImage (default: the one that runs)", .what = "a file name")
OPTION(THERE_INITRD, TAKER_THERE, 0, "initrd", OPTION_TEXT, "FILE", GROUP_MACHINE,
	"its initial ram disk, or none (default: that of the kernel that runs)",
	.what = "a file name")
OPTION(THERE_APPEND, TAKER_THERE, 0, "append", OPTION_TEXT, "TEXT", GROUP_MACHINE,
	"its command line (default: that of the kernel that runs)")
OPTION(THERE_SIGN, TAKER_THERE, 0, "sign", OPTION_TEXT, "KEY CERT", GROUP_MACHINE,
	"sign perf0.bz with KEY and CERT, both PEM files, by sbsign: a kernel that is locked down "
	"starts no other",
	.what = "the file of a key")
OPTION(THERE_KEEP, TAKER_THERE, 0, "keep", OPTION_NUMBER, "N", GROUP_OUTPUT,
	"leave N folders of results in /var/lib/perf0, the new one among them", .min = 1,
	.max = 9999, .fallback = "10")

OPTION(PROFILE_FUNCTIONS, TAKER_STAT, 0, "functions", OPTION_MOST, "N", GROUP_MEASURE,
	"count by function, too: exactly, the N (20) with the most of their own", .min = 1,
	.max = OPTION_ROWS_MOST)
OPTION(PROFILE_FUNCTION, TAKERS_PROFILE, 0, "function", OPTION_TEXT, "PATTERNS", GROUP_MEASURE,
	"count inside of these functions, too: exactly, with all that they call; as parse_*,main",
	.what = "a list of functions")
OPTION(PROFILE_LINE, TAKERS_PROFILE, 0, "line", OPTION_TEXT, "FILE:LINE", GROUP_MEASURE,
	"count a line of the source, too, exactly", .what = "a file and a line")
OPTION(PROFILE_CALLS, TAKERS_PROFILE, 0, "calls", OPTION_MOST, "N", GROUP_MEASURE,
	"count calls, too: exactly, the N (20) that cost the most", .min = 1,
	.max = OPTION_ROWS_MOST)
OPTION(PROFILE_VALGRIND, TAKERS_PROFILE, 0, "running-on-valgrind", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"programs that ask are told that Valgrind runs them: RUNNING_ON_VALGRIND is 1")
OPTION(PROFILE_EVENT, TAKER_STAT, 0, "profile-event", OPTION_TEXT, "LIST", GROUP_MEASURE,
	"what to count by function, line and call (default instructions:u,instructions:k; with "
	"--self instructions:u)", .what = "a list of events")
OPTION(PROFILE_SELF, TAKER_STAT, 0, "self", OPTION_FLAG, 0, GROUP_MEASURE,
	"by function, count what each one executes itself: without calls, which takes less time")
OPTION(PROFILE_OWN_EVENT, TAKER_PROFILE, 'e', "event", OPTION_TEXT, "LIST", GROUP_MEASURE,
	"what to count (default instructions:u,instructions:k)", .what = "a list of events")
OPTION(PROFILE_MOST, TAKER_PROFILE, 'n', "functions", OPTION_NUMBER, "N", GROUP_OUTPUT,
	"print so many functions", .min = 1, .max = OPTION_ROWS_MOST, .fallback = "20")
OPTION(PROFILE_CALLGRIND, TAKER_PROFILE, 'o', "callgrind", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for KCachegrind and callgrind_annotate (default callgrind.out, if no other form "
	"is asked for)", .what = "a file name")
OPTION(PROFILE_DUMP_INSTR, TAKER_PROFILE, 0, "dump-instr", OPTION_FLAG, 0, GROUP_OUTPUT,
	"with the address of each instruction there")
OPTION(PROFILE_PPROF, TAKER_PROFILE, 0, "pprof", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for pprof", .what = "a file name")
OPTION(PROFILE_FOLDED, TAKER_PROFILE, 0, "folded", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write stacks for flamegraph.pl", .what = "a file name")
OPTION(PROFILE_SPEEDSCOPE, TAKER_PROFILE, 0, "speedscope", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for speedscope", .what = "a file name")
OPTION(PROFILE_HTML, TAKER_PROFILE, 0, "html", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write a page with a flame graph, functions, and annotated sources", .what = "a file name")
OPTION(EXPLAIN_FUNCTION, TAKER_EXPLAIN, 0, "function", OPTION_TEXT, "PATTERNS", GROUP_MEASURE,
	"explain code of these functions only; as parse_*,main", .what = "a list of functions")
OPTION(EXPLAIN_BLOCKS, TAKER_EXPLAIN, 'n', "blocks", OPTION_NUMBER, "N", GROUP_OUTPUT,
	"explain so many loops and blocks", .min = 1, .max = OPTION_ROWS_MOST, .fallback = "5")
OPTION(EXPLAIN_JSON, TAKER_EXPLAIN, 0, "json", OPTION_FLAG, 0, GROUP_OUTPUT, "print JSON instead")
OPTION(EXPLAIN_HTML, TAKER_EXPLAIN, 0, "html", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write a page with bounds, assembly, sources, and a timeline, too", .what = "a file name")
OPTION(BENCH_EXPLAIN, TAKER_BENCH, 0, "explain", OPTION_FLAG, 0, GROUP_BENCH,
	"tell what limits the code of --asm or --code in a model of the core, instead of running it; "
	"--html adds a timeline, cycle by cycle and micro-operation by micro-operation")
OPTION(PGO_PREFIX, TAKER_PGO, 'o', "output", OPTION_TEXT, "PREFIX", GROUP_OUTPUT,
	"write PREFIX.fdata, .prof, .profgen and .autofdo (perf0, if no other file is asked for)",
	.what = "the beginning of file names")
OPTION(PGO_BOLT, TAKER_PGO, 0, "bolt", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for llvm-bolt -data=FILE", .what = "a file name")
OPTION(PGO_CLANG, TAKER_PGO, 0, "clang", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for clang -fprofile-sample-use=FILE", .what = "a file name")
OPTION(PGO_PROFGEN, TAKER_PGO, 0, "profgen", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for llvm-profgen --unsymbolized-profile=FILE", .what = "a file name")
OPTION(PGO_AUTOFDO, TAKER_PGO, 0, "autofdo", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write it for AutoFDO's create_gcov --profiler=text --profile=FILE", .what = "a file name")
OPTION(PGO_OBJECT, TAKER_PGO, 0, "object", OPTION_TEXT, "FILE", GROUP_MEASURE,
	"the library whose code is wanted (the program)", .what = "a file name")
OPTION(PGO_RUN_BOLT, TAKER_PGO, 0, "run-bolt", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"make FILE by llvm-bolt, and count before and after", .what = "a file name")
OPTION(HTML, TAKER_PLAN | TAKER_STAT | TAKER_RECORD | TAKER_BENCH | TAKER_LATENCY | TAKER_DOCTOR | TAKERS_GATE |
	TAKER_REPORT | TAKER_DECODE, 0, "html", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write one page with tables and pictures of the result, too; it needs no network and no script",
	.what = "a file name")
OPTION(PLOT, TAKER_STAT | TAKER_BENCH, 0, "plot", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"draw FILE, a .svg or (by rsvg-convert) a .png, too: how often each value was measured (bench), or "
	"the counts of intervals over time (stat -I)", .what = "the name of an .svg or a .png")
OPTION(SVG, TAKER_PLAN, 0, "svg", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"draw the schedule, too: counters as rows, slices as columns", .what = "a file name")

OPTION(BENCH_FILE, TAKER_BENCH | TAKER_LATENCY, 'o', "output", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"make the program FILE, for a stick or for later, and run nothing", .what = "a file name")
OPTION(BENCH_ASM, TAKER_BENCH, 0, "asm", OPTION_TEXT, "CODE", GROUP_BENCH,
	"the code: statements in Intel's syntax, separated by ; (|N: a NOP of N bytes, 1 to 15)")
OPTION(BENCH_ASM_INIT, TAKER_BENCH, 0, "asm-init", OPTION_TEXT, "CODE", GROUP_BENCH,
	"runs before the counters are read, in each run")
OPTION(BENCH_ASM_LATE, TAKER_BENCH, 0, "asm-late-init", OPTION_TEXT, "CODE", GROUP_BENCH,
	"runs right before the code, when the counters were read")
OPTION(BENCH_ASM_ONCE, TAKER_BENCH, 0, "asm-one-time-init", OPTION_TEXT, "CODE", GROUP_BENCH,
	"runs once, before anything else")
OPTION(BENCH_SIBLING, TAKER_BENCH, 0, "sibling", OPTION_TEXT, "CODE", GROUP_BENCH,
	"runs in an endless loop, in ring 3, on the other thread of the same core (--smp 2,threads=2)")
OPTION(BENCH_ATT, TAKER_BENCH, 0, "att", OPTION_FLAG, 0, GROUP_BENCH,
	"all that is in AT&T's syntax")
OPTION(BENCH_CODE, TAKER_BENCH, 0, "code", OPTION_TEXT, "FILE", GROUP_BENCH,
	"machine code, as it is in FILE, in place of --asm", .what = "a file name")
OPTION(BENCH_CODE_INIT, TAKER_BENCH, 0, "code-init", OPTION_TEXT, "FILE", GROUP_BENCH,
	"likewise of --asm-init", .what = "a file name")
OPTION(BENCH_CODE_LATE, TAKER_BENCH, 0, "code-late-init", OPTION_TEXT, "FILE", GROUP_BENCH,
	"likewise of --asm-late-init", .what = "a file name")
OPTION(BENCH_CODE_ONCE, TAKER_BENCH, 0, "code-one-time-init", OPTION_TEXT, "FILE", GROUP_BENCH,
	"likewise of --asm-one-time-init", .what = "a file name")
OPTION(BENCH_CONFIG, TAKER_BENCH, 0, "config", OPTION_TEXT, "FILE", GROUP_BENCH,
	"events of a file of nanoBench's: EvtSel.UMASK[.CMSK=N][.AnyT][.EDG][.INV][.MSR_RSP0=N] NAME",
	.what = "a file name")
OPTION(BENCH_FIXED, TAKER_BENCH, 0, "fixed-counters", OPTION_FLAG, 0, GROUP_BENCH,
	"instructions, cycles and ref-cycles, too; as without -e and --config")

OPTION(BENCH_C, TAKER_BENCH, 'c', "c", OPTION_TEXT, "FILE", GROUP_BENCH,
	"in place of --asm, a source in C with functions that PERF0_BENCH() marks, by gcc", .what = "a file name")
OPTION(BENCH_CXX, TAKER_BENCH, 0, "cxx", OPTION_TEXT, "FILE", GROUP_BENCH,
	"likewise in C++, by g++", .what = "a file name")
OPTION(BENCH_CFLAGS, TAKER_BENCH, 0, "cflags", OPTION_TEXT, "WORDS", GROUP_BENCH,
	"options of the compiler, behind -O2 -g -static")
OPTION(BENCH_LIST, TAKER_BENCH, 0, "list", OPTION_TEXT, "FILE", GROUP_BENCH,
	"pieces of code from FILE, a line each: a name, a colon, what --asm takes; # begins a comment. A table of "
	"medians, or -j, or -x: with the number of each piece",
	.what = "a file name")
OPTION(BENCH_SHARD, TAKER_BENCH, 0, "shard", OPTION_TEXT, "I/N", GROUP_BENCH,
	"the I-th of N parts of the pieces alone; `perf0 bench merge FILE...` puts what they print together",
	.what = "I/N, with I from 1 to N")
OPTION(LATENCY_LIST, TAKER_LATENCY, 'f', "list", OPTION_TEXT, "FILE", GROUP_BENCH,
	"instructions from FILE, a line each; # begins a comment; may be given again", .what = "a file name")
OPTION(LATENCY_SET, TAKER_LATENCY, 0, "set", OPTION_WORD, "common|memory", GROUP_BENCH,
	"what is shipped: some common instructions, as by default; or what memory takes, by level and by size")

OPTION(GATE_CONFIG, TAKERS_GATE, 0, "config", OPTION_TEXT, "FILE", GROUP_GATE,
	"the benchmarks, and how they are judged (default: perf0.toml, where no PROGRAM is named)",
	.what = "a file name")
OPTION(GATE_BASELINE, TAKERS_GATE, 0, "baseline", OPTION_TEXT, "FILE", GROUP_GATE,
	"the numbers to compare with (default: what the configuration names, or perf0.baseline)",
	.what = "a file name")
OPTION(GATE_AGAINST, TAKERS_GATE, 0, "against", OPTION_TEXT, "FILE|DIR|REF", GROUP_GATE,
	"compare with results that --save or -o kept, and with no committed file. FILE: with these; REF: "
	"with that commit, or the nearest one before it that has results; DIR: with HEAD^, from there",
	.what = "a file, a folder or a commit")
OPTION(GATE_SAVE, TAKERS_GATE, 0, "save", OPTION_FLAG, 0, GROUP_GATE,
	"keep what is measured as the results of the commit HEAD; if there is nothing to compare with, "
	"it is said, and fails nothing")
OPTION(GATE_FOLDER, TAKERS_GATE, 0, "results", OPTION_TEXT, "DIR", GROUP_GATE,
	"the folder of the results of commits (default: .perf0/results)", .what = "a folder")
OPTION(GATE_PIN_LIBS, TAKER_GATE, 0, "pin-libs", OPTION_TEXT, "DIR", GROUP_GATE,
	"programs use the system's libraries and the loader that DIR has, on each host; --update and "
	"--save copy those that it lacks", .what = "a folder")
OPTION(GATE_UPDATE, TAKERS_GATE, 0, "update", OPTION_FLAG, 0, GROUP_GATE,
	"what is measured becomes the baseline; changes are told, and fail nothing")
OPTION(GATE_EVENT, TAKER_GATE, 'e', "event", OPTION_LIST, "LIST", GROUP_GATE,
	"what is counted: loads, stores and syscalls, which each microarchitecture has, and events as "
	"for stat (default: instructions:u,branches:u,loads:u,stores:u,syscalls,page-faults)",
	.what = "a list of events")
OPTION(GATE_TOLERANCE, TAKERS_GATE, 0, "tolerance", OPTION_TEXT, "[EVENT=]N|PCT%,...", GROUP_GATE,
	"a count may be worse by so many events, or by so many percent (default: 0); with EVENT= the "
	"count of one event, as instructions:u=0,cycles:u=1%",
	.what = "a number of events, or of percent as 0.5%")
OPTION(GATE_STRICT, TAKER_GATE, 0, "strict", OPTION_FLAG, 0, GROUP_GATE,
	"a benchmark whose counts depend on random numbers is not deterministic either")
OPTION(GATE_SHARD, TAKER_GATE, 0, "shard", OPTION_TEXT, "I/N", GROUP_GATE,
	"the I-th of N parts of the benchmarks alone; -o FILE is what `gate merge` puts together",
	.what = "I/N, with I from 1 to N")
OPTION(GATE_RESULTS, TAKERS_GATE, 'o', "output", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write all that was measured to FILE, as a baseline is", .what = "a file name")
OPTION(GATE_JUNIT, TAKERS_GATE, 0, "junit", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write JUnit's XML: a test case for each benchmark", .what = "a file name")
OPTION(GATE_GITHUB, TAKERS_GATE, 0, "github", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print GitHub's annotations, and add to the step's summary ($GITHUB_STEP_SUMMARY), as by "
	"default where GITHUB_ACTIONS is set")
OPTION(GATE_JSON, TAKERS_GATE, 0, "json", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write all changes and their functions as JSON, see GATE.md", .what = "a file name")
OPTION(GATE_SARIF, TAKERS_GATE, 0, "sarif", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write SARIF 2.1.0, for code scanning", .what = "a file name")
OPTION(GATE_MARKDOWN, TAKERS_GATE, 0, "markdown", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write a table in Markdown, for a comment on a pull request", .what = "a file name")
OPTION(GATE_COMMIT_URL, TAKERS_GATE | TAKER_REPORT, 0, "commit-url", OPTION_TEXT, "URL", GROUP_OUTPUT,
	"the page of --html has links to commits: URL and the hash (default: by the variables of "
	"GitHub and GitLab)", .what = "https://..., or http://...")
OPTION(GATE_GITLAB, TAKERS_GATE, 0, "gitlab", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"write GitLab's code quality, as JSON", .what = "a file name")

OPTION(PROGRAM_FILE, TAKERS_PROGRAMS | TAKER_LINUX, 0, "file", OPTION_TEXT, "HOST[:GUEST]", GROUP_PROGRAMS,
	"programs find HOST, a file or a folder, as GUEST (default: where HOST is); a program or a "
	"library brings its libraries; may be given again", .what = "a file")
OPTION(PROGRAM_ROOT, TAKERS_PROGRAMS | TAKER_LINUX, 0, "root", OPTION_TEXT, "DIR", GROUP_PROGRAMS,
	"programs find DIR as their /; what is mounted in it is left out", .what = "a folder")
OPTION(PROGRAM_ENV, TAKERS_PROGRAMS | TAKER_LINUX, 0, "env", OPTION_TEXT, "NAME=VALUE", GROUP_PROGRAMS,
	"a variable of their environment, which is PATH=/usr/bin:/bin HOME=/ LANG=C TERM=dumb; may be "
	"given again", .what = "NAME=VALUE")
OPTION(PROGRAM_KEEP_ENV, TAKERS_PROGRAMS | TAKER_LINUX, 0, "keep-env", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"they have perf0's environment instead of that")
OPTION(PROGRAM_CWD, TAKERS_PROGRAMS | TAKER_LINUX, 0, "cwd", OPTION_TEXT, "DIR", GROUP_PROGRAMS,
	"they start in DIR (default: where perf0 is)", .what = "a folder")
OPTION(PROGRAM_STDIN, TAKERS_PROGRAMS, 0, "stdin", OPTION_TEXT, "FILE", GROUP_PROGRAMS,
	"they read FILE (default: perf0's standard input, as they read it)",
	.what = "a file")
OPTION(PROGRAM_BRING, TAKERS_PROGRAMS & ~TAKER_THERE, 0, "bring", OPTION_TEXT, "GUEST[:HOST]", GROUP_PROGRAMS,
	"behind the command, their file GUEST is written to HOST (default: its name, here); may be "
	"given again", .what = "a file")
OPTION(PROGRAM_PREFAULT, TAKERS_PROGRAMS, 0, "prefault", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"pages of programs and libraries are there from the start, as by default of static ones")
OPTION(PROGRAM_NO_PREFAULT, TAKERS_PROGRAMS, 0, "no-prefault", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"they come with the first access, as by default of dynamic ones")
OPTION(PROGRAM_ALLOW_WX, TAKERS_PROGRAMS, 0, "allow-wx", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"they may have memory that is both writable and executable, as compilers at run time want it")
OPTION(PROGRAM_SEED, TAKERS_PROGRAMS, 0, "seed", OPTION_NUMBER, "N", GROUP_PROGRAMS,
	"what is random for them comes from N", .max = UINT64_MAX)
OPTION(PROGRAM_STATIC_ONLY, TAKERS_PROGRAMS, 0, "static-only", OPTION_FLAG, 0, GROUP_PROGRAMS,
	"refuse programs that are linked dynamically")

OPTION(GUEST_PAGE, TAKER_QEMU_ARGS, 0, "page", OPTION_TEXT, "FILE", GROUP_OUTPUT,
	"have QEMU's plugin count what is executed, in FILE, which is made: 2 MiB that QEMU shares "
	"with vpmu, for one machine at a time. Default: events are ratios of instructions and cycles",
	.what = "a file name")
OPTION(LINUX_INITRD, TAKER_LINUX, 0, "initrd", OPTION_TEXT, "FILE", GROUP_PROGRAMS,
	"the kernel's initial ram disk (default: one that is made of COMMAND, perf and busybox)",
	.what = "a file name")
OPTION(LINUX_APPEND, TAKER_LINUX, 0, "append", OPTION_TEXT, "TEXT", GROUP_PROGRAMS,
	"add to the kernel's command line, which has nmi_watchdog=0, so that all counters are free: "
	"nmi_watchdog=1 turns it on")
OPTION(LINUX_SHARE, TAKER_LINUX, 0, "share", OPTION_TEXT, "DIR", GROUP_PROGRAMS,
	"COMMAND finds DIR under the path that it has here, starts in it, and writes there. It goes "
	"by 9p, so the kernel has that, or modules of it", .what = "a folder")
OPTION(LINUX_MODULES, TAKER_LINUX, 0, "modules", OPTION_TEXT, "DIR", GROUP_PROGRAMS,
	"the folder of the kernel's modules. Default: found by its version beside the kernel, as "
	"packages have them, or on this host. Those of perf's PMUs and of --share are loaded", .what = "a folder")

OPTION(DOCTOR_HOST, TAKER_DOCTOR, 0, "host", OPTION_FLAG, 0, GROUP_TARGET,
	"examine this host: each thing that perf0 uses, its version, and what is slower or less exact without it")
OPTION(DOCTOR_REPORT, TAKER_DOCTOR, 0, "report", OPTION_FLAG, 0, GROUP_TARGET,
	"the same with versions, distribution and CPU, as a bug report needs it; nothing of it names a person, this "
	"host or a folder of the user")
OPTION(DOCTOR_KVM, TAKER_DOCTOR, 0, "kvm", OPTION_FLAG, 0, GROUP_TARGET,
	"examine this host: whether guests of KVM can count (--kvm of other commands), what holds "
	"counters, and what mends it")
OPTION(DOCTOR_ROOT, TAKER_DOCTOR, 0, "root", OPTION_TEXT, "DIR", GROUP_TARGET,
	"examine the host whose /proc, /sys and /dev are copied below DIR", .what = "a folder")

OPTION(ERREXIT, TAKER_SHELL, 'e', "errexit", OPTION_FLAG, 0, GROUP_OUTPUT,
	"end a script at its first command that fails")

OPTION(GUEST, TAKERS_VPMU, 0, "uarch", OPTION_WORD, "U", GROUP_MACHINE,
	"the PMU that vpmu shows, of those that `list uarchs` lists", .fallback = VPMU_DEFAULT, .words = VPMU_NAMES_BAR,
	.what = VPMU_NAMES_WHERE)
OPTION(HT, TAKERS_VPMU, 0, "ht", OPTION_WORD, "on|off", GROUP_MACHINE,
	"vpmu's hyper-threading; off gives Intel's cores from snb to clx 8 counters", .fallback = "on")
OPTION(VPMU, TAKERS_MACHINE, 0, "vpmu", OPTION_FLAG, 0, GROUP_MACHINE,
	"emulate a PMU by vpmu (default with tcg)")
OPTION(NO_VPMU, TAKERS_MACHINE, 0, "no-vpmu", OPTION_FLAG, 0, GROUP_MACHINE,
	"take the machine's PMU as it is (default with kvm)")
OPTION(EVENTS, TAKERS_VPMU & ~TAKER_QEMU_ARGS, 0, "events", OPTION_WORD, "model|counts|ratios", GROUP_MACHINE,
	"what vpmu's events count: what QEMU executes, and a model of caches and branch predictor "
	"(model); that without the model (counts); fixed ratios of instructions and cycles (ratios)",
	.fallback = "model")
OPTION(PREFETCH, TAKERS_VPMU & ~TAKER_QEMU_ARGS, 0, "prefetch", OPTION_WORD, "on|off", GROUP_MACHINE,
	"the model's prefetchers, as their register leaves them; off: walks of page tables "
	"read no caches either",
	.fallback = "on")
OPTION(TIMING, TAKERS_VPMU, 0, "timing", OPTION_WORD, "model|ipc1", GROUP_MACHINE,
	"cycles that vpmu counts: of its model of a core (model); one an instruction (ipc1)",
	.fallback = "model")
OPTION(HYPERVISOR_BIT, TAKERS_VPMU, 0, "hypervisor-bit", OPTION_WORD, "on|off", GROUP_MACHINE,
	"whether CPUID tells that there is a hypervisor. off: the guest takes the machine for a real "
	"one, and uses what it else leaves alone, as Linux does the uncore",
	.fallback = "on")
OPTION(CPU_FEATURES, TAKERS_VPMU, 0, "cpu-features", OPTION_WORD, "LEVEL", GROUP_MACHINE,
	"the CPU that programs find in CPUID: machine, with what --uarch and --cpu make of it (default), or one that "
	"has just the features of a level: x86-64, x86-64-v2, x86-64-v3. Libraries then choose the same code, and "
	"counts are the same, whatever --uarch and --events say",
	.fallback = "machine", .words = "machine|x86-64|x86-64-v2|x86-64-v3|x86-64-v4",
	.what = "machine, x86-64, x86-64-v2 or x86-64-v3")
OPTION(COUNTERS, TAKERS_VPMU, 0, "counters", OPTION_TEXT, "LIST", GROUP_MACHINE,
	"vpmu's PMU has other counters than its CPU: gp:N general ones, fixed:N fixed ones, all "
	"width:N bits wide, of architectural version version:N (default: the CPU's). AMD's have gp:4 "
	"or gp:6, from Zen 4 on gp:1 to gp:6",
	.what = "a list of gp:N (1 to 10), fixed:N (0 to 4), width:N (32 to 48) and version:N (1 to 5)")
OPTION(FAULT, TAKERS_VPMU, 0, "fault", OPTION_TEXT, "LIST", GROUP_MACHINE,
	"vpmu's machine has faults that disturb measurements: smi:N (an SMI every N instructions), "
	"gp:MSR (that MSR raises #GP), locked (C-states), thermal, turbo, stuck (frequencies). "
	"inuse:MASK (counters that the firmware has on), steal:N (it takes one once N instructions "
	"were counted), crystal (CPUID does not tell it). skid:N (instructions from an overflow to "
	"its PMI), latenmi:N, extranmi (further NMIs, N instructions behind a PMI's or at once). "
	"vmrun (VMRUN fails behind a write of CR0 or CR4), still:MASK (counters that stand still). "
	"cpu:N (counters of that CPU alone have these faults). "
	"Errata of PMUs: ibs-fetch-restart, ibs-clear-maximum, ibs-fetch-at-zero, ibs-false-l2, "
	"ibs-slow-l3-only, lbr-erroneous, counters-reset, c1e-stops-apic, counts-anywhere (events "
	"count on counters that the manual forbids)",
	.what = "a list of faults")
OPTION(CLOCK, TAKERS_VPMU, 0, "clock", OPTION_WORD, "instructions|host|model", GROUP_MACHINE,
	"the machine's time goes by what it executes, so that each run takes the same (default with "
	"one CPU). Or by the host's clock, which is faster, and counts are exact all the same. Or "
	"TSC, APERF and MPERF go by the modelled cycles (model)")
OPTION(NMI_WATCHDOG, TAKERS_MACHINE, 0, "watchdog", OPTION_FLAG, 0, GROUP_MACHINE,
	"the image's NMI watchdog is on, and takes a counter for cycles")
OPTION(COLD, TAKERS_MACHINE | TAKER_BOOT | TAKER_LINUX, 0, "cold", OPTION_FLAG, 0, GROUP_MACHINE,
	"boot by the firmware: neither use a saved machine nor save this one")
OPTION(MODEL, TAKERS_VPMU, 0, "cpu", OPTION_TEXT, "MODEL", GROUP_MACHINE,
	"QEMU's CPU model (default EPYC, with kvm host,pmu=on)", .what = "a CPU model")
OPTION(SMP, TAKERS_VPMU, 0, "smp", OPTION_TEXT, "N[,threads=T]", GROUP_MACHINE,
	"CPUs, 1 to 64, T of each core (1 or 2); more than one: times are the host's",
	.fallback = "1", .what = "a number of CPUs, 1 to 64, of which threads=T (1 or 2) in a core")
OPTION(GUEST_MEMORY, TAKERS_GUEST, 0, "memory", OPTION_SIZE, "SIZE", GROUP_MACHINE,
	"memory of the machine, 128M or more (default 512M, and more where a large initrd needs it)",
	.what = "whole MiB, 128M or more")
OPTION(MEMORY, TAKERS_MACHINE, 0, "memory", OPTION_SIZE, "SIZE", GROUP_MACHINE,
	"memory of the machine, 128M or more (default 256M, and more where programs need it)",
	.what = "whole MiB, 128M or more")
OPTION(ACCEL, TAKERS_MACHINE, 0, "accel", OPTION_WORD, "tcg|kvm", GROUP_MACHINE,
	"QEMU's accelerator; tcg has exact instruction counts", .fallback = "tcg")
OPTION(KVM, TAKERS_MACHINE & ~TAKER_DOCTOR, 0, "kvm", OPTION_FLAG, 0, GROUP_MACHINE,
	"run on this host's CPU, and count by its counters, as KVM lends them to a guest: the same as "
	"--accel kvm. Counts are marked [kvm]; `perf0 doctor --kvm` tells what disturbs them")
OPTION(FIRMWARE, TAKERS_MACHINE, 0, "firmware", OPTION_WORD, "ovmf|seabios", GROUP_MACHINE,
	"what starts the image in QEMU: UEFI (ovmf), or QEMU's own BIOS, which starts it as a Linux kernel in a fifth of "
	"the time (seabios). What is counted is the same; what is modelled depends on where memory is",
	.fallback = "ovmf")
OPTION(PIN, TAKERS_MACHINE, 0, "pin", OPTION_CPUS, "CPUS", GROUP_MACHINE,
	"with --kvm, the host's CPUs that those of the machine stay on, one each (default: the last "
	"ones that this process may use)", .what = "a list of CPUs, as 2,4-7")
OPTION(SERIAL, TAKERS_MACHINE, 0, "serial", OPTION_FLAG, 0, GROUP_MACHINE,
	"take what the image sends from the serial line, as on a real machine, and not from memory "
	"that QEMU shares; --baud and --flow imply it")
OPTION(BAUD, TAKERS_MACHINE | TAKER_ATTACH, 0, "baud", OPTION_TEXT, "N", GROUP_MACHINE,
	"speed of the serial line (default 115200; attach: as the line is set)",
	.what = "a divisor of 115200")
OPTION(FLOW, TAKERS_MACHINE | TAKER_ATTACH, 0, "flow", OPTION_WORD, "none|xonxoff|rtscts",
	GROUP_MACHINE, "how the receiver of the serial line stops the sender", .fallback = "none")
OPTION(RUN_TIMEOUT, TAKER_RUN | TAKER_BOOT | TAKER_LINUX, 0, "timeout", OPTION_NUMBER, "S", GROUP_MACHINE,
	"the same as --machine-timeout", .min = 1, .max = OPTION_SECONDS_MOST)
OPTION(SHELL_TIMEOUT, TAKER_SHELL, 0, "timeout", OPTION_NUMBER, "S", GROUP_MACHINE,
	"end each command after S seconds, if need be with its machine: status 124 (default: none)",
	.min = 1, .max = OPTION_SECONDS_MOST)
OPTION(MACHINE_TIMEOUT, (TAKERS_MACHINE & ~TAKER_SHELL) | TAKER_BOOT | TAKER_LINUX, 0, "machine-timeout", OPTION_NUMBER, "S", GROUP_MACHINE,
	"end the machine after S seconds: status 124 (default: only one that does not start)",
	.min = 1, .max = OPTION_SECONDS_MOST)
OPTION(QEMU, TAKERS_VPMU, 0, "qemu", OPTION_TEXT, "PATH", GROUP_MACHINE, "the QEMU to start",
	.fallback = "qemu-system-x86_64", .what = "a program")
OPTION(KEEP_GOING, TAKER_RUN, 'k', "keep-going", OPTION_FLAG, 0, GROUP_MACHINE,
	"boot although commands are wrong: the image refuses these, and runs the others")
OPTION(TOOL_VERBOSE, TAKERS_MACHINE | TAKER_BOOT | TAKER_LINUX | TAKER_DECODE | TAKER_ATTACH, 'v', 0, OPTION_FLAG, 0,
	GROUP_MACHINE, "say more: what counts depend on, QEMU's command line, the firmware's text, what was "
	"received")

OPTION(EVENT_FILE, TAKERS_EVENT_FILE, 0, "event-file", OPTION_LIST, "[PMU=]FILE", GROUP_MEASURE,
	"names of events from one of Intel's event files (JSON), before those of libpfm4. A hybrid "
	"has a file for each kind of cores: where the file does not tell which, PMU is cpu_core or "
	"cpu_atom",
	.what = "a file")

/* --- stat, record and trace in the image --- */

OPTION(EVENT, IMAGE_MEASURES | IMAGE_BENCH | TAKERS_PLAN, 'e', "event", OPTION_LIST, "LIST", GROUP_MEASURE,
	"events, separated by commas, {grouped}, with modifiers :u :k; may be given again "
	"(`help events`)")
OPTION(METRICS, IMAGE_STAT | IMAGE_BENCH, 'M', "metrics", OPTION_LIST, "LIST", GROUP_MEASURE,
	"metrics, or groups of them, by name (`list metrics`), separated by commas. Their events are "
	"counted, those of each as a weak group, and the values printed. A path names a file of your "
	"own; {TEXT} is the text of such a file, with ; for the ends of lines. May be given again", .what = "names of metrics")
OPTION(TOPDOWN, IMAGE_STAT, 0, "topdown", OPTION_FLAG, 0, GROUP_MEASURE,
	"the same as -M TopdownL1: what became of the pipeline's slots")
OPTION(TD_LEVEL, IMAGE_STAT, 0, "td-level", OPTION_NUMBER, "N", GROUP_MEASURE,
	"with --topdown, -M TopdownLN", .min = 1, .max = 2, .fallback = "1")
OPTION(METRIC_NO_GROUP, IMAGE_STAT, 0, "metric-no-group", OPTION_FLAG, 0, GROUP_MEASURE,
	"events of metrics are not grouped")
OPTION(FILTER, IMAGE_MEASURES, 0, "filter", OPTION_LIST, "EXPR", GROUP_MEASURE,
	"of the tracepoint before it, only hits for which EXPR holds: field == != < <= > >= & "
	"number, field == != ~ text, && || ! and brackets; CPU and COMM are fields of each")
OPTION(CGROUP, IMAGE_STAT | IMAGE_RECORD, 'G', "cgroup", OPTION_LIST, "GROUPS", GROUP_TARGET,
	"the events before it count only tasks of these cgroups: the first event in the first of "
	"them, and so on. a,,b: the second in any; a single one is for all of them. The groups are "
	"there when the workload begins", .what = "a list of groups")
OPTION(FOR_EACH_CGROUP, IMAGE_STAT, 0, "for-each-cgroup", OPTION_TEXT, "GROUPS", GROUP_TARGET,
	"all events once for each of these cgroups", .what = "a list of groups")
OPTION(REPEAT, IMAGE_STAT, 'r', "repeat", OPTION_NUMBER, "N", GROUP_MEASURE,
	"runs the workload N times and prints mean and spread", .min = 1, .max = OPTION_RUNS_MOST,
	.fallback = "1")
OPTION(COUNT, IMAGE_RECORD, 'c', "count", OPTION_NUMBER, "PERIOD", GROUP_MEASURE,
	"a sample every PERIOD events (default 100003; of tracepoints, each)", .min = 1,
	.max = OPTION_PERIOD_MOST)
OPTION(FREQ, IMAGE_RECORD, 'F', "freq", OPTION_RATE, "N|max", GROUP_MEASURE,
	"N samples a second instead, by a period that adjusts itself", .min = 1, .max = UINT64_MAX)
OPTION(TIMEOUT, IMAGE_MEASURES | IMAGE_BENCH, 0, "timeout", OPTION_NUMBER, "MS", GROUP_MEASURE,
	"ends the workload after MS milliseconds", .min = 1, .max = OPTION_TIMEOUT_MOST_MS)
OPTION(BEGIN_DELAY, IMAGE_STAT | IMAGE_RECORD, 'D', "delay", OPTION_NUMBER, "MS", GROUP_MEASURE,
	"events count from MS milliseconds after the workload's start on", .min = 1,
	.max = OPTION_TIMEOUT_MOST_MS)
OPTION(DETAILED, IMAGE_STAT, 'd', "detailed", OPTION_TIMES, 0, GROUP_MEASURE,
	"more events, of caches; -dd: of instruction caches and TLBs, too; -ddd: of prefetches, too")
OPTION(NULL_RUN, IMAGE_STAT, 'n', "null", OPTION_FLAG, 0, GROUP_MEASURE,
	"counts nothing, and tells the time")
OPTION(INTERVAL, IMAGE_STAT, 'I', "interval-print", OPTION_NUMBER, "MS", GROUP_MEASURE,
	"every MS milliseconds prints what was counted since the last time, while the workload runs",
	.min = OPTION_INTERVAL_LEAST, .max = OPTION_TIMEOUT_MOST_MS)
OPTION(INTERVAL_COUNT, IMAGE_STAT, 0, "interval-count", OPTION_NUMBER, "N", GROUP_MEASURE,
	"prints N intervals of -I and no more", .min = 1, .max = OPTION_PERIOD_MOST)
OPTION(STAT_POLICY, IMAGE_STAT, 0, "policy", OPTION_WORD, "perf|fair", GROUP_MEASURE,
	"which events count when there are more of them than counters: perf (as Linux does; default) "
	"or fair")
OPTION(ESTIMATE, IMAGE_STAT, 0, "estimate", OPTION_WORD, "interpolated|ratio", GROUP_MEASURE,
	"how counts of events that took turns are scaled to the whole time. interpolated (default): "
	"from the time slices before and behind each wait. ratio: by the share of the time, as perf "
	"does")
OPTION(MUX_INTERVAL, IMAGE_STAT, 0, "mux-interval-us", OPTION_NUMBER, "N", GROUP_MEASURE,
	"how long until others take their turn (default 4000)", .min = OPTION_MUX_LEAST_US,
	.max = OPTION_MUX_MOST_US)
OPTION(NO_MUX, IMAGE_STAT, 0, "no-mux", OPTION_FLAG, 0, GROUP_MEASURE,
	"refuses to start when not all events fit at once")
OPTION(PASSES, IMAGE_STAT, 0, "passes", OPTION_FLAG, 0, GROUP_MEASURE,
	"runs the workload several times instead, as few as can be, so that each event counts all "
	"the time in one pass. Groups stay whole; pinned (:D) and software events count in each pass")
OPTION(WARM_MODEL, IMAGE_STAT | IMAGE_RECORD | IMAGE_BENCH, 0, "warm-model", OPTION_FLAG, 0, GROUP_MEASURE,
	"under vpmu, caches and predictors are as the measurement before left them, and not empty")
OPTION(MEMBIND, IMAGE_STAT | IMAGE_RECORD, 0, "membind", OPTION_NODES, "NODES", GROUP_MEASURE,
	"memory of programs comes from these nodes of memory, as 0,2-3, as long as they have some. "
	"Default: from the node of the CPU that a task runs on; `machine` tells which there are")
OPTION(QUIET_MACHINE, IMAGE_QUIETS, 0, "quiet-machine", OPTION_FLAG, 0, GROUP_MEASURE,
	"the machine is made quiet for the measurement, as by default on silicon: the frequency "
	"pinned, no turbo, no deep C-states. Then all is put back; `machine` tells what can be done")
OPTION(NO_QUIET, IMAGE_QUIETS, 0, "no-quiet", OPTION_FLAG, 0, GROUP_MEASURE,
	"the machine stays as it is, as by default under a hypervisor")
OPTION(PREFETCHERS, IMAGE_QUIETS | IMAGE_MACHINE, 0, "prefetchers", OPTION_TEXT, "on|off|MASK", GROUP_MEASURE,
	"hardware prefetchers are on, off, or those off that MASK has, by the bits of their register",
	.what = "on, off or a mask")
OPTION(CERTIFICATE, IMAGE_QUIETS, 0, "certificate", OPTION_FLAG, 0, GROUP_OUTPUT,
	"tells what disturbed the measurement, as by default where the machine was made quiet: SMIs, "
	"interrupts, the frequency, heat")
OPTION(REQUIRE_QUIET, IMAGE_QUIETS, 0, "require-quiet", OPTION_FLAG, 0, GROUP_OUTPUT,
	"fails where something did")
OPTION(MMAP_PAGES, IMAGE_RECORD, 'm', "mmap-pages", OPTION_PAGES, "N[,M]", GROUP_MEASURE,
	"ring of N pages of 4 KiB, or of N bytes with B, K, M or G, rounded up to a power of two "
	"(default 8M, less with many CPUs). By default and with -a and -C each CPU has one. M: the "
	"AUX area of events that trace (default 4M)", .max = OPTION_PAGES_MOST)
OPTION(TRACE_PAGES, IMAGE_TRACE, 'm', "mmap-pages", OPTION_NUMBER, "N", GROUP_MEASURE,
	"ring of each CPU of N pages of 4 KiB, rounded up to a power of two", .min = 1,
	.max = OPTION_PAGES_MOST, .fallback = "1024")
OPTION(SNAPSHOT, IMAGE_RECORD, 'S', "snapshot", OPTION_FLAG, 0, GROUP_MEASURE,
	"of a trace, keep the newest bytes instead of the first, and take a snapshot of them in the "
	"end. ^T takes one more, whenever it is typed (the host tool does at SIGUSR2)")
OPTION(OVERWRITE, IMAGE_RECORD, 0, "overwrite", OPTION_FLAG, 0, GROUP_MEASURE,
	"the oldest records give way to the newest; none is lost")
OPTION(LIVE, IMAGE_RECORD, 0, "live", OPTION_FLAG, 0, GROUP_MEASURE,
	"sends samples while the workload runs, not behind it")
OPTION(LIMIT, IMAGE_RECORD, 0, "limit", OPTION_NUMBER, "N", GROUP_MEASURE,
	"each event stops behind N samples, on each CPU; implies -i", .min = 1,
	.max = OPTION_PERIOD_MOST)

OPTION(ALL_CPUS, IMAGE_MEASURES, 'a', "all-cpus", OPTION_FLAG, 0, GROUP_TARGET,
	"whatever runs on any CPU while the workload does")
OPTION(CPUS, IMAGE_MEASURES, 'C', "cpu", OPTION_CPUS, "LIST", GROUP_TARGET,
	"whatever runs on these CPUs meanwhile, as 0-2,4")
OPTION(ALL_USER, IMAGE_STAT | IMAGE_RECORD, 0, "all-user", OPTION_FLAG, 0, GROUP_TARGET,
	"all events are of ring 3, whatever their modifiers say")
OPTION(ALL_KERNEL, IMAGE_STAT | IMAGE_RECORD, 0, "all-kernel", OPTION_FLAG, 0, GROUP_TARGET,
	"all events are of ring 0, likewise")
OPTION(PER_THREAD, IMAGE_STAT | IMAGE_RECORD, 0, "per-thread", OPTION_FLAG, 0, GROUP_TARGET,
	"the workload's task alone, on whatever CPU, which its samples do not tell; stat with -C: on "
	"these only")
OPTION(NO_INHERIT, IMAGE_STAT | IMAGE_RECORD, 'i', "no-inherit", OPTION_FLAG, 0, GROUP_TARGET,
	"the workload's task alone, not those that it starts")
OPTION(ALLOW_SYSTEM, IMAGE_STAT | IMAGE_RECORD, 0, "allow-system", OPTION_FLAG, 0, GROUP_TARGET,
	"the workload's own events may be of anything: other tasks, CPUs, ring 0; else only of "
	"itself")
OPTION(NO_AGGR, IMAGE_STAT, 'A', "no-aggr", OPTION_FLAG, 0, GROUP_TARGET,
	"a line for each CPU instead of their sum")
OPTION(PER_CORE, IMAGE_STAT, 0, "per-core", OPTION_FLAG, 0, GROUP_TARGET,
	"a line for each core, with the number of its CPUs")
OPTION(PER_SOCKET, IMAGE_STAT, 0, "per-socket", OPTION_FLAG, 0, GROUP_TARGET,
	"a line for each package, likewise")

OPTION(SEPARATOR, IMAGE_STAT | IMAGE_BENCH | TAKER_DECODE, 'x', "field-separator", OPTION_TEXT, "SEP",
	GROUP_OUTPUT,
	"for programs: a row for each event, columns separated by SEP: value, unit, event. Then its "
	"group with -G, spread in % with -r, ns counted, % of the time, derived figure, its unit",
	.what = "what is to separate columns")
OPTION(STAT_JSON, IMAGE_STAT | IMAGE_BENCH, 'j', "json-output", OPTION_FLAG, 0, GROUP_OUTPUT,
	"the same as an object of JSON for each event")
OPTION(BIG_NUM, IMAGE_STAT, 'B', "big-num", OPTION_FLAG, 0, GROUP_OUTPUT,
	"numbers of the table have commas between thousands, as by default")
OPTION(NO_BIG_NUM, IMAGE_STAT, 0, "no-big-num", OPTION_FLAG, 0, GROUP_OUTPUT,
	"they have none")
OPTION(NO_SCALE, IMAGE_STAT, 0, "no-scale", OPTION_FLAG, 0, GROUP_OUTPUT,
	"counts of events that took turns are as counted, not scaled to the whole time")
OPTION(SUMMARY, IMAGE_STAT, 0, "summary", OPTION_FLAG, 0, GROUP_OUTPUT,
	"behind the intervals of -I, the counts of the whole run")
OPTION(TABLE, IMAGE_STAT, 0, "table", OPTION_FLAG, 0, GROUP_OUTPUT,
	"with -r, the time of each run")
OPTION(STAT_MARKER, IMAGE_STAT, 'm', "marker", OPTION_FLAG, 0, GROUP_OUTPUT,
	"prints the counts of regions that the workload marks, and not those of all of it; there has to "
	"be one")
OPTION(STAT_QUIET, IMAGE_STAT, 0, "quiet", OPTION_FLAG, 0, GROUP_OUTPUT,
	"prints no counts, which are sent to the host all the same")
OPTION(ALSO_JSON, IMAGE_STAT | IMAGE_BENCH | IMAGE_DOCTOR, 0, "also-json", OPTION_FLAG, 0, GROUP_OUTPUT,
	"sends the host what -j prints, too, whatever else is printed: --html and --plot are made of it")
OPTION(QUIET, TAKER_RECORD | IMAGE_RECORD, 'q', "quiet", OPTION_FLAG, 0, GROUP_OUTPUT,
	"says nothing but what failed")
OPTION(STAT_VERBOSE, IMAGE_STAT, 'v', "verbose", OPTION_FLAG, 0, GROUP_OUTPUT,
	"then prints for each event what was counted, unscaled, and for how many ns it was enabled "
	"and counted, in all runs together, and how many time slices ended")
OPTION(RECORD_NO_CACHE, IMAGE_RECORD, 'N', "no-buildid-cache", OPTION_FLAG, 0, GROUP_OUTPUT,
	"as always here: build ids stand in the recording, and no cache of them is updated")
OPTION(RECORD_VERBOSE, IMAGE_RECORD, 'v', "verbose", OPTION_FLAG, 0, GROUP_OUTPUT,
	"says, too, what came of each CPU, and what interrupts there were")

OPTION(CALL_CHAINS, IMAGE_RECORD, 'g', "call-chains", OPTION_FLAG, 0, GROUP_FIELDS,
	"samples have their chain of callers, by frame pointers")
OPTION(CALL_GRAPH, IMAGE_RECORD, 0, "call-graph", OPTION_UNWIND, "HOW", GROUP_FIELDS,
	"fp: the same; dwarf[,BYTES]: ring 3's registers and BYTES (8192) of its stack, for "
	"unwinders; lbr: ring 3's last calls, as the CPU records them; none")
OPTION(MAX_STACK, IMAGE_RECORD, 0, "max-stack", OPTION_NUMBER, "N", GROUP_FIELDS,
	"chains of at most N frames (default 127)", .min = 1, .max = OPTION_FRAMES_MOST)
OPTION(BRANCH_ANY, IMAGE_RECORD, 'b', "branch-any", OPTION_FLAG, 0, GROUP_FIELDS,
	"the last branches that were taken before the sample, as the CPU records them (LBR, LbrExtV2)")
OPTION(BRANCH_FILTER, IMAGE_RECORD, 'j', "branch-filter", OPTION_BRANCHES, "LIST", GROUP_FIELDS,
	"the same, of these kinds: any, any_call, any_ret, ind_call, ind_jmp, call, cond, abort_tx, "
	"in_tx, no_tx; in the rings u, k (default: the event's). save_type, priv, hw_index, "
	"no_flags, no_cycles choose what is told; stack: calls that have not returned")
OPTION(DATA, IMAGE_RECORD, 'd', "data", OPTION_FLAG, 0, GROUP_FIELDS,
	"the address of data and where it came from, of events that know them, and records of "
	"memory that is no code")
OPTION(PHYS_DATA, IMAGE_RECORD, 0, "phys-data", OPTION_FLAG, 0, GROUP_FIELDS,
	"the physical address of data")
OPTION(DATA_PAGE_SIZE, IMAGE_RECORD, 0, "data-page-size", OPTION_FLAG, 0, GROUP_FIELDS,
	"the size of its page")
OPTION(CODE_PAGE_SIZE, IMAGE_RECORD, 0, "code-page-size", OPTION_FLAG, 0, GROUP_FIELDS,
	"the size of the code's page")
OPTION(WEIGHT, IMAGE_RECORD, 'W', "weight", OPTION_FLAG, 0, GROUP_FIELDS,
	"the weight (latency) that precise events know")
OPTION(RAW_SAMPLES, IMAGE_RECORD, 'R', "raw-samples", OPTION_FLAG, 0, GROUP_FIELDS,
	"the raw data of events that have some, as IBS does")
OPTION(INTR_REGS, IMAGE_RECORD, 'I', "intr-regs", OPTION_REGISTERS, "LIST", GROUP_FIELDS,
	"the interrupted registers: AX,BX,... (default all)")
OPTION(USER_REGS, IMAGE_RECORD, 0, "user-regs", OPTION_REGISTERS, "LIST", GROUP_FIELDS,
	"the registers of ring 3")
OPTION(CLOCKID, IMAGE_RECORD, 'k', "clockid", OPTION_CLOCK, "CLOCK", GROUP_FIELDS,
	"times are those that programs read from this clock: monotonic (mono), monotonic_raw (raw); "
	"and, of software events, realtime (real), boottime (boot), tai")
OPTION(TIMESTAMP, IMAGE_RECORD, 'T', "timestamp", OPTION_FLAG, 0, GROUP_FIELDS,
	"the time, also where it would be left out")
OPTION(PERIOD, IMAGE_RECORD, 'P', "period", OPTION_FLAG, 0, GROUP_FIELDS,
	"the period, also where it would be left out")
OPTION(SAMPLE_CPU, IMAGE_RECORD, 0, "sample-cpu", OPTION_FLAG, 0, GROUP_FIELDS,
	"the CPU, also where it would be left out")
OPTION(SWITCH_EVENTS, IMAGE_RECORD, 0, "switch-events", OPTION_FLAG, 0, GROUP_FIELDS,
	"records of when the workload is and is not on the CPU")
OPTION(READ_STAT, IMAGE_RECORD, 's', "stat", OPTION_FLAG, 0, GROUP_FIELDS,
	"each task's counts at its end, for perf report -T")

/* --- bench in the image: names and defaults are nanoBench's where that has them --- */

OPTION(BENCH_KERNEL, IMAGE_BENCH, 'k', "kernel", OPTION_FLAG, 0, GROUP_BENCH,
	"runs the code in ring 0, with interrupts off, and counts what ring 0 does; privileged "
	"instructions are its own affair, exceptions end it")
OPTION(BENCH_MEASUREMENTS, IMAGE_BENCH, 'n', "n-measurements", OPTION_NUMBER, "N", GROUP_BENCH,
	"measures N times", .min = 1, .max = BENCH_MEASUREMENTS_MOST, .fallback = "10")
OPTION(BENCH_COPIES, IMAGE_BENCH, 'u', "unroll-count", OPTION_NUMBER, "N", GROUP_BENCH,
	"copies of the code, one behind the other", .min = 1, .max = BENCH_COPIES_MOST,
	.fallback = "1000")
OPTION(BENCH_TURNS, IMAGE_BENCH, 'l', "loop-count", OPTION_NUMBER, "N", GROUP_BENCH,
	"a loop of N turns around the copies, counted by R15, which the code leaves alone; 0: none",
	.max = BENCH_TURNS_MOST, .fallback = "0")
OPTION(BENCH_WARM_UPS, IMAGE_BENCH, 'w', "warm-up-count", OPTION_NUMBER, "N", GROUP_BENCH,
	"runs before the first one of each kind that is measured", .max = BENCH_MEASUREMENTS_MOST,
	.fallback = "5")
OPTION(BENCH_FIRST_WARM_UPS, IMAGE_BENCH, 'i', "initial-warm-up-count", OPTION_NUMBER, "N",
	GROUP_BENCH, "runs before anything else", .max = BENCH_MEASUREMENTS_MOST, .fallback = "0")
OPTION(BENCH_OFFSET, IMAGE_BENCH, 0, "alignment-offset", OPTION_NUMBER, "N", GROUP_BENCH,
	"the copies begin N bytes behind a multiple of 64", .max = BENCH_OFFSET_MOST, .fallback = "0")
OPTION(BENCH_BASIC, IMAGE_BENCH, 0, "basic-mode", OPTION_FLAG, 0, GROUP_BENCH,
	"takes what N copies count beyond none (default: what 2 N copies count beyond N)")
OPTION(BENCH_NO_MEM, IMAGE_BENCH, 0, "no-mem", OPTION_FLAG, 0, GROUP_BENCH,
	"keeps counters in R8 to R13, one each, and not in memory; reading them changes RAX, RCX, RDX")
OPTION(BENCH_NO_NORM, IMAGE_BENCH, 0, "no-normalization", OPTION_FLAG, 0, GROUP_BENCH,
	"prints what all copies and turns count together, not what one does")
OPTION(BENCH_DRAIN, IMAGE_BENCH, 0, "df", OPTION_FLAG, 0, GROUP_BENCH,
	"drains the front end before the code, by 128 NOPs of 15 bytes")
OPTION(BENCH_TRACE, IMAGE_BENCH, 0, "trace", OPTION_RANGE, "FROM-TO", GROUP_BENCH,
	"cycle by cycle: what was counted when all counters were stopped at each cycle of the code "
	"(default: from its first to its last); -u is 1 then. --html adds when each micro-operation "
	"executes in the model", .min = 1, .max = BENCH_CYCLE_LAST)
OPTION(BENCH_CYCLE_BY_CYCLE, IMAGE_BENCH, 0, "cycle-by-cycle", OPTION_FLAG, 0, GROUP_BENCH,
	"the same as --trace")
OPTION(BENCH_WHOLE, IMAGE_BENCH, 0, "end-to-end", OPTION_FLAG, 0, GROUP_BENCH,
	"a trace from the start of counting to its end, with what surrounds the code")
OPTION(BENCH_NO_FREEZE, IMAGE_BENCH, 0, "no-freeze", OPTION_FLAG, 0, GROUP_BENCH,
	"the counters of a trace are read by the overflow's NMI, also where the CPU can stop them")
OPTION(BENCH_MIN, IMAGE_BENCH, 0, "min", OPTION_FLAG, 0, GROUP_OUTPUT,
	"prints the least of the measurements alone, a line for each event: NAME: VALUE")
OPTION(BENCH_MEDIAN, IMAGE_BENCH, 0, "median", OPTION_FLAG, 0, GROUP_OUTPUT,
	"likewise the median")
OPTION(BENCH_AVG, IMAGE_BENCH, 0, "avg", OPTION_FLAG, 0, GROUP_OUTPUT,
	"likewise the mean; of all measurements, as none is left out")
OPTION(BENCH_MAX, IMAGE_BENCH, 0, "max", OPTION_FLAG, 0, GROUP_OUTPUT, "likewise the most")
OPTION(BENCH_HISTOGRAM, IMAGE_BENCH, 0, "histogram", OPTION_FLAG, 0, GROUP_OUTPUT,
	"prints how often each value was measured, too, in the table")

OPTION(BENCH_PERCENTILES, IMAGE_BENCH, 0, "percentiles", OPTION_TEXT, "LIST", GROUP_OUTPUT,
	"tells these percentiles of the measurements, too, by the nearest rank, as 5,95,99.9",
	.what = "numbers from 0 to 100")

OPTION(BENCH_VERBOSE, IMAGE_BENCH, 0, "verbose", OPTION_FLAG, 0, GROUP_OUTPUT,
	"the same, under nanoBench's name")
OPTION(BENCH_RANGE, IMAGE_BENCH, 0, "range", OPTION_FLAG, 0, GROUP_OUTPUT,
	"with --min, --median, --avg or --max, the least and the most, too: NAME: VALUE [LEAST;MOST]")
OPTION(BENCH_NO_EMPTY, IMAGE_BENCH, 0, "remove-empty-events", OPTION_FLAG, 0, GROUP_OUTPUT,
	"leaves out events that did not occur")
OPTION(BENCH_USR, IMAGE_BENCH, 0, "usr", OPTION_WORD, "0|1", GROUP_BENCH,
	"events count what ring 3 does, or not (default: 1, and 0 with --kernel)")
OPTION(BENCH_OS, IMAGE_BENCH, 0, "os", OPTION_WORD, "0|1", GROUP_BENCH,
	"likewise ring 0 (default: 0, and 1 with --kernel)")
OPTION(BENCH_CPU, IMAGE_BENCH, 0, "on-cpu", OPTION_NUMBER, "N", GROUP_BENCH,
	"runs the code on CPU N (with --smp), as does --cpu N where N is a number", .max = OPTION_CPU_LAST,
	.fallback = "0")
OPTION(BENCH_TABLE, IMAGE_BENCH, 0, "table", OPTION_FLAG, 0, GROUP_OUTPUT,
	"prints a row for each instruction of a program that `perf0 latency` has made: latency, "
	"throughput, micro-operations, ports")
OPTION(BENCH_PAIRS, IMAGE_BENCH, 0, "pairs", OPTION_FLAG, 0, GROUP_OUTPUT,
	"with that, the latency from each operand to each other, too")

/* --- Other commands --- */

OPTION(MACHINE_JSON, IMAGE_MACHINE, 'j', "json", OPTION_FLAG, 0, GROUP_OUTPUT, "as one JSON object")
OPTION(CAPS_JSON, IMAGE_CAPS, 'j', "json", OPTION_FLAG, 0, GROUP_OUTPUT, "as one JSON object")
OPTION(SELFTEST_REPORT, IMAGE_SELFTEST, 0, "report", OPTION_FLAG, 0, GROUP_OUTPUT,
	"print a row on this machine for the table of docs/REAL-MACHINES.md, too")
OPTION(DOCTOR_COMPARE, TAKER_DOCTOR, 0, "compare", OPTION_FLAG, 0, GROUP_OUTPUT,
	"boots nothing, and tells what differs between two files of `doctor -j`")
OPTION(DOCTOR_JSON, IMAGE_DOCTOR, 'j', "json", OPTION_FLAG, 0, GROUP_OUTPUT,
	"as one JSON object, with CPUID leaves and registers; nothing of it names a person or a single machine")
OPTION(DOCTOR_EACH, IMAGE_DOCTOR, 0, "each", OPTION_FLAG, 0, GROUP_OUTPUT,
	"a line for each check, with its figures")
OPTION(DOCTOR_ONLY, IMAGE_DOCTOR, 0, "only", OPTION_WORD, "CHECK", GROUP_MEASURE, "runs that check alone",
	.words = DOCTOR_CHECKS_BAR, .what = DOCTOR_CHECKS_WHAT)
OPTION(DOCTOR_HANG, IMAGE_DOCTOR, 0, "hang", OPTION_WORD, "CHECK", GROUP_MEASURE,
	"never ends that check, to try what follows at the next start",
	.words = DOCTOR_CHECKS_BAR, .what = DOCTOR_CHECKS_WHAT)
OPTION(DOCTOR_WATCHDOG, IMAGE_DOCTOR, 0, "watchdog", OPTION_NUMBER, "S", GROUP_MEASURE,
	"a check that takes longer than S seconds ends in a reset, by the chipset's timer; 0 for none", .min = 0,
	.max = 600, .fallback = "60")
OPTION(THRESHOLD, IMAGE_WATCHDOG, 't', "threshold", OPTION_NUMBER, "S", GROUP_MEASURE,
	"a hard lockup is S seconds long; also watchdog_thresh=S at boot", .min = 1,
	.max = OPTION_LOCKUP_MOST, .fallback = "10")

OPTION(PLAN_UARCH, TAKERS_PLAN, 0, "uarch", OPTION_TEXT, "U", GROUP_PLAN,
	"the microarchitecture: hsw, skylake, zen4, ...; needed")
OPTION(NAMES_UARCH, TAKER_NAMES, 0, "uarch", OPTION_TEXT, "U", GROUP_PLAN,
	"the microarchitecture: hsw, skylake, zen4, ...", .fallback = VPMU_DEFAULT)
OPTION(NO_HT, TAKERS_PLAN | TAKER_NAMES, 0, "no-ht", OPTION_FLAG, 0, GROUP_PLAN,
	"with hyper-threading off")
OPTION(SIBLING, TAKERS_PLAN, 0, "sibling", OPTION_TEXT, "LIST", GROUP_PLAN,
	"events that count on the other hyper-thread")
OPTION(SIBLING_COUNTER, TAKERS_PLAN, 0, "sibling-counter", OPTION_TEXT, "C", GROUP_PLAN,
	"those are on that counter: PMC2, ...")
OPTION(NODE, TAKERS_PLAN, 0, "node", OPTION_TEXT, "LIST", GROUP_PLAN,
	"events that count on another core of the node (AMD K8, family 10h)")
OPTION(TFA, TAKERS_PLAN, 0, "tfa", OPTION_FLAG, 0, GROUP_PLAN,
	"transactions take a counter (TSX_FORCE_ABORT bit 0 is 0)")
OPTION(PLAN_WATCHDOG, TAKERS_PLAN, 0, "watchdog", OPTION_FLAG, 0, GROUP_PLAN,
	"the NMI watchdog is on")
OPTION(WATCHDOG_COUNTER, TAKERS_PLAN, 0, "watchdog-counter", OPTION_TEXT, "C", GROUP_PLAN,
	"it is on, and on that counter: PMC2, FIXED1, ...")
OPTION(PLAN_POLICY, TAKERS_PLAN, 0, "policy", OPTION_TEXT, "perf|fair", GROUP_PLAN,
	"which events get the counters (default perf)")
OPTION(KERNEL, TAKERS_PLAN, 0, "kernel", OPTION_TEXT, "VERSION", GROUP_PLAN,
	"as that Linux did it: 3.2, 4.1-rc7, ... (default: nothing of what was wrong)")
OPTION(TICKS, TAKERS_PLAN, 0, "ticks", OPTION_NUMBER, "N", GROUP_PLAN,
	"slices of 4 ms to look at (default 2520)", .min = 1, .max = OPTION_TICKS_MOST)
OPTION(SLEEP_AFTER, TAKERS_PLAN, 0, "sleep-after", OPTION_NUMBER, "MS", GROUP_PLAN,
	"the task goes to sleep after MS ms, for good; 0: never", .max = OPTION_SLEEP_MOST_MS)
OPTION(PLAN_JSON, TAKERS_PLAN | TAKER_NAMES, 0, "json", OPTION_FLAG, 0, GROUP_OUTPUT,
	"for programs")
OPTION(NO_BOOT, TAKER_NAMES, 0, "no-boot", OPTION_FLAG, 0, GROUP_OUTPUT,
	"the same for people, a line each")

// clang-format on
#undef OPTION
