// SPDX-License-Identifier: BSD-2-Clause
/* cli.c - see cli.h. */
#include "tools/cmd/cli.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/version.h"
#include "lib/words/near.h"
#include "lib/words/option_words.h"
#include "tools/cmd/commands.h"
#include "tools/doctor/version_text.h"
#include "tools/help/completion.h"
#include "tools/help/tool_help.h"
#include "tools/help/manual.h"
#include "tools/help/paragraph.h"
#include "tools/machine/standing.h"
#include "tools/util/child.h"
#include "tools/help/reference.h"
#include "tools/bench/nanobench.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/options/tool_options.h"
#include "tools/util/image_names.h"
#include "tools/util/standard.h"
#include "tools/util/signals.h"
#include "tools/util/status.h"

struct tool_command {
	const char *name;
	enum option_taker taker;
	int (*run)(const struct options *options, const char **words);
	const char *usage; /* follows the name */
	const char *summary;
	const char *help; /* text beside the options' own help */
};

static const struct tool_command commands[] = {
	{"run", TAKER_RUN, cmd_run, "[OPTIONS] -- COMMAND [ARGS] [';' COMMAND ...]",
	 "boot the image and let it run commands",
	 "COMMAND is one of the image's: `perf0 run -- help` lists them. A lone ';' separates "
	 "commands; '\\;' is a word of a command."},
	{"stat", TAKER_STAT, cmd_stat, "[OPTIONS] [-r N] -e LIST -- WORKLOAD [ARGS]",
	 "count events of a workload",
	 "`perf0 help events` tells what LIST may have, `perf0 help workloads` lists the built-in "
	 "workloads."},
	{"record", TAKER_RECORD, cmd_record, "[OPTIONS] -e EVENT -c PERIOD -- WORKLOAD [ARGS]",
	 "sample a workload into a perf.data for perf report",
	 "PERIOD is in events. EVENT may be a name that libpfm4 or --event-file knows, as for stat."},
	{"top", TAKER_TOP, cmd_top, "[OPTIONS] -e EVENT -c PERIOD -- WORKLOAD [ARGS] | -i INPUT",
	 "watch the functions of a recording while it comes",
	 "EVENT and PERIOD are those of record. Keys: e the next event, s sort, Enter into a "
	 "function, Esc back, h help, q quit."},
	{"latency", TAKER_LATENCY, cmd_latency, "[OPTIONS] [INSTRUCTION...]",
	 "tell latency, throughput and ports of instructions",
	 "An INSTRUCTION has kinds for operands, as on uops.info: 'imul r64, r64', 'ADD (R64, M64)', "
	 "'shl r64, 3'. A mnemonic alone is all forms of a small table that the assembler takes. "
	 "Without an INSTRUCTION, some common ones. Lat is from the least to the most of all latencies "
	 "between operands, <= where other instructions are in the chain. TP is the cycles of one "
	 "where none waits for another."},
	{"bench", TAKER_BENCH, cmd_bench,
	 "[OPTIONS] --asm CODE | -f FILE | --code FILE | --c FILE | PROGRAM | merge FILE...",
	 "measure a few instructions, each by itself",
	 "Each figure is the difference between many copies of the code and fewer, for one copy. So "
	 "no code counts nothing. R14, RDI, RSI, RBP and RSP point into the middle of 1 MiB each. "
	 "nanoBench's options may be typed as there: -asm_init, -unroll_count."},
	{"profile", TAKER_PROFILE, cmd_profile, "[OPTIONS] -- PROGRAM [ARGS]",
	 "count by function, line and call, exactly",
	 "Nothing is sampled: each instruction, each call is counted. So two runs give the same figures, "
	 "and their sum is what stat counts. A function's own costs are told beside those of all that it "
	 "calls. FILEs are for other programs: KCachegrind, pprof, flamegraph.pl, speedscope, a browser. "
	 "It needs vpmu; on silicon `perf0 record` samples."},
	{"as-callgrind", TAKER_AS_CALLGRIND, NULL,
	 "--tool=callgrind|cachegrind|none [OPTIONS] PROGRAM [ARGS]",
	 "count a program with Valgrind's options and files",
	 "It takes the place of Valgrind: a script `valgrind` first in PATH with the line `exec perf0 "
	 "as-callgrind \"$@\"`. Of files it takes --callgrind-out-file, --cachegrind-out-file, --log-file. Of "
	 "what is collected: --toggle-collect, --collect-atstart, --instr-atstart. Of the form: --dump-instr, "
	 "--dump-line, --compress-strings, --combine-dumps. --separate-threads: all threads are in the first "
	 "one's file. --cache-sim adds loads and stores, and no misses. --fair-sched, "
	 "--vgdb, --trace-children, --error-exitcode, --I1, --D1, --LL, --compress-pos, --collect-systime, "
	 "--obj-skip and -v change nothing: children are always followed. Values follow an =. Client "
	 "requests of the program are honoured; docs/CALLGRIND.md has the limits."},
	{"explain", TAKER_EXPLAIN, cmd_explain, "[OPTIONS] -- PROGRAM [ARGS]",
	 "tell what limits the hottest loops and blocks",
	 "Executions are counted. Cycles are those of a model of the core (docs/MODEL.md): when the program "
	 "ran, and if all accesses hit L1 and all branches are predicted. A bound by a part of the core is the "
	 "cycles that it needs if all other parts are ideal. A bound by caches, stores or mispredictions is "
	 "the cycles that were lost by them. The largest one binds. In front of an instruction stands how "
	 "often it was executed; * marks the longest chain of dependencies, - what is not in the model."},
	{"pgo", TAKER_PGO, cmd_pgo, "[OPTIONS] -- PROGRAM [ARGS]",
	 "write profiles for optimizers: BOLT, clang",
	 "Every branch is counted, so a profile has the exact number of executions of each edge. No PMU "
	 "is needed, and two runs give the same profile. docs/PGO.md has recipes."},
	{"caps", TAKER_CAPS, cmd_image, "[OPTIONS]", "show the PMU that the image finds", ""},
	{"doctor", TAKER_DOCTOR, cmd_doctor,
	 "[OPTIONS] | --compare A B | --host | --report | --kvm [--root DIR]",
	 "test the PMU itself, or whether KVM can lend this host's",
	 "Each feature of the PMU is right, wrong, or not there. A stick tests its machine by the same "
	 "command, `doctor`; here vpmu plays the PMU. A and B are files of `doctor -j`. With --kvm "
	 "nothing is booted: a line for each check of this host, and below it the command that mends "
	 "what is wrong (docs/KVM.md). Status 1: something is wrong, or differs."},
	{"list", TAKER_LIST, cmd_image, "[OPTIONS] [PART]",
	 "list the events that are known by name",
	 "These are the events that the machine counts, or those with PART in their name. With --json "
	 "or --no-boot nothing is booted: all names that libpfm4 or an event file knows, with the "
	 "counters that can count them. `list uarchs` tells what --uarch may be."},
	{"plan", TAKER_PLAN, NULL, "--uarch U [OPTIONS] -e LIST",
	 "tell what events would get, without running anything",
	 "For each event it tells the share of time that perf stat would show. Then come the "
	 "configurations: the counter of each event, and what the others wait for."},
	{"decode", TAKER_DECODE, cmd_decode, "[OPTIONS] STREAM",
	 "make a perf.data, or another form, out of a stored stream",
	 "STREAM is a file of bytes of the serial line, as `perf0 run -o DIR` stores it."},
	{"attach", TAKER_ATTACH, cmd_attach, "[OPTIONS] DEVICE [COMMAND [ARGS] [';' COMMAND ...]]",
	 "listen to a machine that runs, and type at it",
	 "DEVICE is a serial line, a pseudo-terminal, a UNIX socket, or - for standard input. The image "
	 "runs COMMAND, and attach ends with it. Without COMMAND, typed lines go to the machine. "
	 "Then attach ends with the stream, with ^D, or with ^C when nothing runs there. At its end "
	 "it writes the last recording."},
	{"shell", TAKER_SHELL, cmd_shell, "[OPTIONS] [FILE]",
	 "run many commands on one machine, as they are typed or from a file",
	 "A line is what stands behind `perf0` on a command line: `stat -e cycles -- loop`, `record "
	 "...`, `plan ...`, `help`. Or it is a command of the image: `sysctl`, `cpus`. Quotes and # "
	 "are a shell's, ; separates commands, a backslash at its end continues a line. On a terminal "
	 "lines can be edited, Tab completes words, and the prompt shows the status of a failure. ^C "
	 "ends the command that runs, `exit` or ^D the shell. Lines from FILE, or from standard input "
	 "that is no terminal, all run; the status is that of the first failure. The machine stays, "
	 "with what sysctl set, until a command or time limit ends it: then there is another one. It "
	 "is handed the programs that a line names. A command has a machine of its own where it asks "
	 "for another one, or where its programs find no room in this one."},
	{"gate", TAKER_GATE, cmd_gate, "[OPTIONS] [-- PROGRAM ARGS...] | merge [OPTIONS] FILE...",
	 "fail where a benchmark has become worse than its baseline",
	 "Each benchmark of perf0.toml, or PROGRAM alone, is counted on one machine and compared with "
	 "the committed baseline. Status 1: a count is worse by more than the tolerance. Status 2: "
	 "the gate cannot tell. Then a file is wrong, or a benchmark fails, is gone, or is not "
	 "deterministic. Its second run has clocks that begin a day later; random numbers come from "
	 "--seed. Programs of Google Benchmark, of Rust's libtest and criterion, and of "
	 "PERF0_BENCH() tell their benchmarks themselves. merge makes one file (-o) of the files of "
	 "all shards, and compares it with the baseline."},
	{"diff", TAKER_DIFF, cmd_diff, "A B", "tell what differs between two counts or recordings",
	 "Each is a baseline or results of gate, the output of `stat -j`, a perf.data, or a stream. "
	 "Counts are told by event, samples by function and line. Status 0: nothing differs; 1: "
	 "something does; 2: a file is wrong."},
	{"report", TAKER_REPORT, cmd_report, "[OPTIONS] DIR",
	 "tell the history of benchmarks from a folder of results",
	 "DIR has files that perf0 has written: results of gate (--save, -o), JSON of gate (--json), "
	 "stat, bench or latency (-j). A file's name begins with its version, a commit or any other "
	 "word: COMMIT.json, COMMIT-NAME.json, COMMIT/NAME.json, 2026-11-29.json. Commits come in "
	 "the order of git's history of the current folder, behind versions that git does not know. "
	 "Each benchmark has a line, with the version that moved it most. (`perf report` is a command "
	 "of perf.)"},
	{"boot", TAKER_BOOT, cmd_boot, "[OPTIONS] FILE.efi [ARGS]",
	 "boot a program of UEFI under vpmu",
	 "Its text on the firmware's console, and on the first serial line, goes to standard output; "
	 "typed text goes there, too. When it returns the machine goes off, and its EFI_STATUS is the "
	 "exit status. 0 to 63 stay as they are, an error of UEFI's is 64 more (EFI_NOT_FOUND, 14, is "
	 "78), any other is 123. A program that ends by QEMU's isa-debug-exit (port 0xf4) has the "
	 "status that it wrote; one that switches the machine off has 0."},
	{"linux", TAKER_LINUX, cmd_linux, "[OPTIONS] KERNEL [-- COMMAND [ARGS]]",
	 "boot a Linux kernel under vpmu, and run a command in it",
	 "KERNEL is a bzImage with EFI stub, as distributions have it (/boot/vmlinuz-VERSION). "
	 "COMMAND, the programs that it names and perf are packed with their libraries. So they are "
	 "there in the guest, beside busybox. Its standard output and standard error come back, and "
	 "its exit status is perf0's. Without a COMMAND there is a console, which ^] leaves."},
	{"qemu-args", TAKER_QEMU_ARGS, cmd_qemu_args, "[OPTIONS] [PATH [ARGS]]",
	 "print the QEMU command line for a machine of one's own with vpmu",
	 "QEMU starts vpmu, which starts PATH of any of the machine's disks, with ARGS. Without PATH it "
	 "is \\EFI\\BOOT\\BOOTX64.EFI. Add the disks, as `-drive if=virtio,file=disk.qcow2`."},
	{"usb", TAKER_USB, NULL, "-o FILE | --write DEVICE [OPTIONS]",
	 "make a stick that machines boot perf0 from",
	 "It makes an image with a partition table and one file system, FAT32: perf0 itself, "
	 "perf0.cfg, programs, and room for results. docs/REAL-MACHINES.md tells how machines are "
	 "booted from it. It needs mtools, and sbsigntool for a signature."},
	{"there-and-back", TAKER_THERE, cmd_there, "[OPTIONS] -- COMMAND [ARGS] [';' COMMAND ...]",
	 "leave this Linux for perf0, measure, and come home to it",
	 "For a machine that runs Linux, as root: no stick, no firmware, no person in front of it. Linux "
	 "shuts down as for a reboot, and starts perf0 by kexec(8). That runs the commands with the "
	 "machine for itself, and starts the same Linux again, with the same kernel, initial ram disk and "
	 "command line. `perf0 results` then shows the results, which are in /var/lib/perf0. Commands are "
	 "those of `perf0 run`. What cannot work is refused before anything happens. A command that hangs, "
	 "or a fault in perf0, brings the machine home, too. docs/SERVERS.md tells what to expect."},
	{"results", TAKER_RESULTS, cmd_results, "[OPTIONS] [DIR]",
	 "show what machines wrote on a stick or brought home, and make perf.data of it",
	 "DIR is the stick where it is mounted, its folder perf0/results, or one folder in there. "
	 "Without DIR it is what this machine has brought home by `perf0 there-and-back`: it is saved in "
	 "/var/lib/perf0, with a perf.data of each recording beside it. "
	 "A file that is not whole is named, and its content shown: status 125. `perf0 decode` takes a "
	 "single file."},
	{"cache", TAKER_CACHE, cmd_cache, "list | clean | warm | key [OPTIONS]",
	 "show, remove or make the saved machines that runs start from",
	 "The first run of a machine boots it and saves it; later ones start from that. Machines that "
	 "differ in options of vpmu or of the image alone share a saved firmware. list shows "
	 "the saved machines and firmwares, clean removes them, warm saves the machine that OPTIONS say. key prints a "
	 "key for it in a cache of CI: another one where another machine would be saved. The files are "
	 "in $XDG_CACHE_HOME/perf0 (~/.cache/perf0 without), and take up to 1 GiB. PERF0_CACHE_SIZE "
	 "sets another limit (512M, 2G; 0: nothing is saved). Those that were not used for the longest "
	 "time go first."},
};

#define HELP_WIDTH 80
#define NCOMMANDS  (sizeof(commands) / sizeof(commands[0]))

/* Commands that need no machine and parse their own options: always, or when `asked` agrees. */
static const struct offline_command {
	const char *name;
	bool (*asked)(const char **words); /* NULL: always */
	int (*run)(const char **words);
} offline_commands[] = {
	{"as-callgrind", NULL, cmd_as_callgrind},
	{"list", list_is_offline, list_offline},
	{"plan", NULL, cmd_plan},
	{"report", report_is_of_perf, command_of_perf},
	{"usb", NULL, cmd_usb},
};

static const struct offline_command *find_offline(const char *name)
{
	for (size_t i = 0; i < sizeof(offline_commands) / sizeof(offline_commands[0]); i++)
		if (!strcmp(offline_commands[i].name, name))
			return &offline_commands[i];
	return NULL;
}

#define STATUSES_OF_IMAGE "the image's (0, 1 failed, 2 usage, 127 no such command, 128+N signal)"
#define STATUSES_OF_TOOL                                                                             \
	"  2 wrong command line   124 timed out   125 the machine failed or the run is incomplete\n" \
	"  1 a file could not be read or written, or the output not   128+N ended by signal N\n"

static const char exit_statuses[] = "Exit status: " STATUSES_OF_IMAGE ", or\n" STATUSES_OF_TOOL;

/* Exit statuses of commands that boot something else than the image. */
static const struct {
	enum option_taker taker;
	const char *statuses;
} without_image[] = {
	{TAKER_BOOT, "the program's, as told above"},
	{TAKER_LINUX, "COMMAND's, or that of the console's shell"},
	{TAKER_QEMU_ARGS, "0"},
};

static void print_statuses(enum option_taker taker)
{
	const char *statuses = STATUSES_OF_IMAGE;

	for (size_t i = 0; i < sizeof(without_image) / sizeof(without_image[0]); i++)
		if (without_image[i].taker == taker)
			statuses = without_image[i].statuses;
	printf("\nExit status: %s, or\n%s", statuses, STATUSES_OF_TOOL);
}

static const struct tool_command *find_tool_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* perf's commands that read a perf.data. */
static bool is_of_perf(const char *name)
{
	static const char *const names[] = {"annotate", "script", "evlist",       "c2c",
					    "mem",      "data",   "buildid-list", "inject"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int refuse_unknown(const char *name)
{
	const struct registered *r;
	struct reason ignored;

	if (is_of_perf(name))
		return command_of_perf((const char *[]){name, NULL});
	for (size_t i = 0; i < NCOMMANDS; i++) {
		if (!near_word(name, strlen(name), commands[i].name))
			continue;
		message("perf0: unknown command '%s'; did you mean '%s'?", name, commands[i].name);
		return STATUS_USAGE;
	}
	if (!registered_read(&r, &ignored) && registered_command(r, name))
		message("perf0: %s is a command of the image: perf0 run -- %s", name, name);
	else
		message("perf0: unknown command '%s'; `perf0 help commands` lists them", name);
	return STATUS_USAGE;
}

static const char *summary_of(const char *name)
{
	return find_tool_command(name)->summary;
}

static int print_commands(void)
{
	puts("usage: perf0 COMMAND [OPTIONS] ...\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	printf("  %-8s %s\n", "version",
	       "say which perf0 this is; -v: its commit, what it finds here, versions of its formats");
	printf("  %-8s %s\n\n", "help",
	       "explain a command, of the image too, or: commands, workloads, events, machine; "
	       "--man: the manual page; --markdown: docs/REFERENCE.md; --completion SHELL: for bash, "
	       "zsh, fish");
	fputs(exit_statuses, stdout);
	return 0;
}

static int print_help(const struct tool_command *command)
{
	const uint64_t takers = tool_options_takers(command->taker);

	help_begin(command->name, command->summary, takers);
	printf("\nusage: perf0 %s %s\n", command->name, command->usage);
	if (*command->help) {
		putchar('\n');
		paragraph_put(command->help, HELP_WIDTH);
	}
	help_of_image(command->taker);
	help_options(command->name, takers);
	if (command->taker == TAKER_LIST) {
		puts("\nWith --json or --no-boot nothing is booted, and there are these options "
		     "instead:");
		options_help(TAKER_NAMES, NULL, help_put, stdout);
	}
	print_statuses(command->taker);
	return 0;
}

/* Returns bits for every set of options that the command accepts in any of its forms. */
static uint64_t all_takers(const struct tool_command *command)
{
	return tool_options_takers(command->taker) |
	       (command->taker == TAKER_LIST ? TAKER_NAMES : 0);
}

static int print_completion(const char *shell)
{
	if (!completion_begin(shell ? shell : "bash")) {
		message("perf0 help: --completion: bash, zsh or fish, not '%s'", shell);
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		completion_command(commands[i].name, all_takers(&commands[i]));
	completion_end();
	return 0;
}

static int print_manual(void)
{
	manual_begin();
	for (size_t i = 0; i < NCOMMANDS; i++)
		manual_command(commands[i].name, commands[i].usage, commands[i].summary,
			       commands[i].help, all_takers(&commands[i]));
	manual_examples();
	for (size_t i = 0; i < NCOMMANDS; i++)
		manual_example(commands[i].name, commands[i].summary);
	manual_end(exit_statuses);
	return 0;
}

static int print_reference(void)
{
	reference_begin();
	for (size_t i = 0; i < NCOMMANDS; i++)
		reference_command(commands[i].name, commands[i].usage, commands[i].summary,
				  commands[i].help, all_takers(&commands[i]));
	return reference_end(exit_statuses);
}

static int print_tool_help(const char *name, const char *shell)
{
	const struct tool_command *command;
	int status;

	if (!name) {
		help_overview(stdout, summary_of);
		return 0;
	}
	if (!strcmp(name, "commands"))
		return print_commands();
	if (!strcmp(name, "--completion"))
		return print_completion(shell);
	if (!strcmp(name, "--man"))
		return print_manual();
	if (!strcmp(name, "--markdown"))
		return print_reference();
	command = find_tool_command(name);
	if (command)
		return print_help(command);
	status = help_topic(name);
	return status == STATUS_NOT_FOUND ? refuse_unknown(name) : status;
}

static bool is_help(const char *word)
{
	return word && (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h"));
}

/* perf accepts the same words. */
static bool is_version(const char *word)
{
	return !strcmp(word, "version") || !strcmp(word, "--version") || !strcmp(word, "-v");
}

static int print_version(const char **words)
{
	const bool has_word = words[0] && words[1], is_long = has_word && !strcmp(words[1], "-v");

	if (has_word && (!is_long || words[2])) {
		message("perf0 version: -v or nothing, not '%s'", words[is_long ? 2 : 1]);
		return STATUS_USAGE;
	}
	puts("perf0 version " PERF0_VERSION);
	if (is_long)
		version_put(option_row(OPT_QEMU)->fallback, false);
	return 0;
}

/* Returns NULL if the command boots a machine or reads a stream. */
static const struct offline_command *offline_for(const char **words)
{
	const struct offline_command *offline = find_offline(words[0]);

	return offline && (!offline->asked || offline->asked(words)) ? offline : NULL;
}

static const char **copy_words(const char *const *words)
{
	const size_t n = count_words(words) + 1;
	const char **copy = memory_checked(calloc(n, sizeof(*copy)));

	memcpy(copy, words, n * sizeof(*copy));
	return copy;
}

static int read_tool_options(struct options *options, const struct options *base,
			     const struct tool_command *command, const char **words,
			     struct reason *why)
{
	int err = command->taker & (TAKER_BENCH | TAKER_LATENCY)
			  ? habits_options(words, tool_options_takers(command->taker), why)
			  : 0;

	if (err)
		*options = (struct options){0};
	return err ? err : tool_options_parse_beside(options, base, command->taker, words, why);
}

/* Runs a command. `base` holds a shell's options, which serve as defaults; NULL: no shell. */
static int run_tool_command(const struct options *base, const struct tool_command *command,
			    const char **words)
{
	const struct offline_command *offline = offline_for(words);
	const char **typed;
	struct options options;
	struct reason why;
	int status;

	if (offline)
		return offline->run(words);
	typed = copy_words(words);
	/* words[0] is the command's name. It stays in front of the remaining words. */
	if (read_tool_options(&options, base, command, words + 1, &why)) {
		message("perf0 %s: %s", command->name, why.text);
		status = STATUS_USAGE;
	} else {
		options.typed = typed;
		status = command->run(&options, words);
	}
	free(typed);
	tool_options_free(&options);
	return status;
}

static int run_tool_words(const struct options *base, const char **words)
{
	const struct tool_command *command;

	if (is_help(words[0]))
		return print_tool_help(words[1], words[1] ? words[2] : NULL);
	if (is_version(words[0]))
		return print_version(words);
	command = find_tool_command(words[0]);
	if (!command)
		return refuse_unknown(words[0]);
	return is_help(words[1]) && !words[2] ? print_help(command)
					      : run_tool_command(base, command, words);
}

static int run_command_line(int argc, char **argv)
{
	signals_init();
	if (argc < 2) {
		help_overview(stderr, summary_of);
		return STATUS_USAGE;
	}
	return run_tool_words(NULL, (const char **)argv + 1);
}

/* --- Command lines inside of a shell --- */

static const struct command *image_command(const char *name)
{
	const struct registered *r;
	struct reason ignored;

	return registered_read(&r, &ignored) ? NULL : registered_command(r, name);
}

struct host_line {
	const struct options *base;
	const char **words;
};

static int run_host_line(void *ctx)
{
	const struct host_line *line = ctx;

	standing_forget();
	return run_tool_words(line->base, line->words);
}

/* Runs `run -- WORDS`, in which each `;` is an ordinary word of the one command. */
static int run_image_line(const struct options *base, const char **words)
{
	struct tool_command run = *find_tool_command("run");
	const char **all;
	size_t n = 0;
	int status;

	while (words[n])
		n++;
	all = calloc(n + 3, sizeof(*all));
	if (!all)
		errx(STATUS_MACHINE, "out of memory");
	all[0] = "run";
	all[1] = "--";
	memcpy(all + 2, words, n * sizeof(*all));
	run.run = cmd_command;
	status = run_tool_command(base, &run, all);
	free(all);
	return status;
}

/* Returns whether the word is a command of the tool, or resembles one. */
static bool is_of_host(const char *name)
{
	if (is_help(name) || is_version(name) || find_tool_command(name))
		return true;
	if (image_command(name))
		return false;
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (near_word(name, strlen(name), commands[i].name))
			return true;
	return false;
}

static bool is_for_machine(const struct tool_command *command, const char **words)
{
	return command && command->taker & TAKERS_LINE && !offline_for(words) &&
	       !(is_help(words[1]) && !words[2]);
}

int cli_line(const struct options *base, const char **words)
{
	const struct tool_command *command = find_tool_command(words[0]);
	struct host_line line = {base, words};

	if (is_for_machine(command, words))
		return run_tool_command(base, command, words);
	if (command && command->taker == TAKER_SHELL && !is_help(words[1])) {
		message("perf0 shell: this is one");
		return STATUS_USAGE;
	}
	if (!is_of_host(words[0]))
		return run_image_line(base, words);
	return child_run(run_host_line, &line);
}

const char *cli_command_name(size_t index)
{
	return index < NCOMMANDS ? commands[index].name : NULL;
}

uint64_t cli_command_takers(const char *name)
{
	const struct tool_command *command = find_tool_command(name);
	const struct command *of_image = image_command(name);

	if (command)
		return tool_options_takers(command->taker);
	return of_image ? of_image->options : 0;
}

int cli_main(int argc, char **argv)
{
	standard_open();
	return standard_close(run_command_line(argc, argv));
}
