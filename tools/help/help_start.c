// SPDX-License-Identifier: BSD-2-Clause
/* help_start.c - see help_start.h. */
#include "tools/help/help_start.h"

#include <stddef.h>
#include <string.h>

#include "lib/words/option_words.h"

#define IDS(...)                                         \
	.common = (const enum option_id[]){__VA_ARGS__}, \
	.ncommon = sizeof((const enum option_id[]){__VA_ARGS__}) / sizeof(enum option_id)

static const struct help_start starts[] = {
	{HELP_OF_ALL,
	 {"perf0 stat ./prog 1000", "perf0 profile ./prog", "perf0 gate --update -- ./prog"},
	 IDS(OPT_EVENT, OPT_REPEAT, OPT_SEPARATOR, OPT_STAT_JSON, OPT_REPORT, OPT_GUEST, OPT_SMP,
	     OPT_PROGRAM_FILE, OPT_PROGRAM_ENV, OPT_TOOL_VERBOSE)},
	{"run",
	 {"perf0 run -- caps", "perf0 run -o out -- stat loop 1000000 ';' record hotcold",
	  "perf0 run --uarch zen4 -- ./prog 1000"},
	 IDS(OPT_RUN_DIR, OPT_GUEST, OPT_SMP, OPT_MEMORY, OPT_RUN_TIMEOUT, OPT_PROGRAM_FILE,
	     OPT_PROGRAM_ENV, OPT_PROGRAM_BRING, OPT_KEEP_GOING, OPT_TOOL_VERBOSE)},
	{"stat",
	 {"perf0 stat -- ./prog 1000", "perf0 stat -r 5 -e instructions:u,cache-misses:u -- ./prog",
	  "perf0 stat -M IPC,branch_mpki -x , -o counts.csv -- ./prog"},
	 IDS(OPT_EVENT, OPT_METRICS, OPT_REPEAT, OPT_INTERVAL, OPT_PASSES, OPT_SEPARATOR,
	     OPT_STAT_JSON, OPT_REPORT, OPT_GUEST, OPT_SMP)},
	{"record",
	 {"perf0 record -e instructions:u -c 10007 -- ./prog",
	  "perf0 record -g -e cache-misses:u -c 1009 -- ./prog",
	  "perf0 record --folded -g -e cycles:u -c 100003 -o stacks -- ./prog"},
	 IDS(OPT_EVENT, OPT_COUNT, OPT_FREQ, OPT_CALL_CHAINS, OPT_CALL_GRAPH, OPT_BRANCH_ANY,
	     OPT_FILE, OPT_FOLDED, OPT_TEXT, OPT_GUEST)},
	{"top",
	 {"perf0 top -e instructions:u -c 100007 -- ./prog",
	  "perf0 top -g -e cache-misses:u -c 1009 -- ./prog", "perf0 top -i run.perf0"},
	 IDS(OPT_EVENT, OPT_COUNT, OPT_FREQ, OPT_CALL_CHAINS, OPT_INPUT, OPT_DELAY, OPT_GUEST,
	     OPT_SMP, OPT_PROGRAM_FILE, OPT_PROGRAM_ENV)},
	{"latency",
	 {"perf0 latency", "perf0 latency 'imul r64, r64' 'div r64'", "perf0 latency --set memory"},
	 IDS(OPT_LATENCY_LIST, OPT_LATENCY_SET, OPT_BENCH_PAIRS, OPT_BENCH_FILE, OPT_SEPARATOR,
	     OPT_STAT_JSON, OPT_BENCH_MEASUREMENTS, OPT_GUEST)},
	{"bench",
	 {"perf0 bench --asm 'imul rax, rbx' -e instructions,cycles",
	  "perf0 bench --asm 'mov rax, [rax]' --asm-init 'mov rax, r14; mov [rax], rax'",
	  "perf0 bench --c sum.c --html sum.html"},
	 IDS(OPT_BENCH_ASM, OPT_BENCH_ASM_INIT, OPT_BENCH_C, OPT_EVENT, OPT_METRICS,
	     OPT_BENCH_COPIES, OPT_BENCH_MEASUREMENTS, OPT_BENCH_TRACE, OPT_BENCH_KERNEL,
	     OPT_GUEST)},
	{"caps",
	 {"perf0 caps", "perf0 caps --uarch zen4 -j", "perf0 caps --no-vpmu"},
	 IDS(OPT_CAPS_JSON, OPT_GUEST, OPT_HT, OPT_NO_VPMU, OPT_COUNTERS)},
	{"doctor",
	 {"perf0 doctor --uarch zen4 --each",
	  "perf0 doctor --compare zen4.json stick/perf0/results/0001-X/001-report-doctor.json",
	  "perf0 doctor --host"},
	 IDS(OPT_DOCTOR_EACH, OPT_DOCTOR_JSON, OPT_DOCTOR_COMPARE, OPT_DOCTOR_HOST,
	     OPT_DOCTOR_REPORT, OPT_DOCTOR_KVM, OPT_GUEST, OPT_FAULT)},
	{"list",
	 {"perf0 list cache", "perf0 list --uarch zen4 --no-boot",
	  "perf0 list metrics --uarch icl"},
	 IDS(OPT_GUEST, OPT_HT, OPT_NO_VPMU)},
	{"plan",
	 {"perf0 plan --uarch hsw -e cycles,r0208,r0249,r0285,r0e08,r0e49",
	  "perf0 plan --uarch skl --policy fair --svg plan.svg -e r0148,r01d1,r02d1,r04d1,r08d1",
	  "perf0 plan --uarch snb --kernel 3.2 -e r01d1,r02d1"},
	 IDS(OPT_PLAN_UARCH, OPT_EVENT, OPT_NO_HT, OPT_PLAN_POLICY, OPT_KERNEL, OPT_PLAN_WATCHDOG,
	     OPT_SIBLING, OPT_PLAN_JSON, OPT_SVG, OPT_HTML)},
	{"decode",
	 {"perf0 decode out/stream.perf0", "perf0 decode --text out/stream.perf0",
	  "perf0 decode --command 2 -o second.data out/stream.perf0"},
	 IDS(OPT_FILE, OPT_COMMAND, OPT_TEXT, OPT_FOLDED, OPT_SPEEDSCOPE, OPT_CSV,
	     OPT_DECODE_JSON)},
	{"attach",
	 {"perf0 attach /dev/ttyUSB0", "perf0 attach /dev/ttyUSB0 stat -- ./prog",
	  "perf0 attach --flow xonxoff --stream run.perf0 /dev/ttyUSB0"},
	 IDS(OPT_STREAM, OPT_FLOW, OPT_BAUD, OPT_DETACH, OPT_FILE, OPT_PROGRAM_FILE,
	     OPT_PROGRAM_ENV)},
	{"shell",
	 {"perf0 shell", "perf0 shell --uarch icl commands.txt",
	  "perf0 shell -e --timeout 60 commands.txt"},
	 IDS(OPT_ERREXIT, OPT_SHELL_TIMEOUT, OPT_GUEST, OPT_SMP, OPT_MEMORY)},
	{"profile",
	 {"perf0 profile -- ./prog", "perf0 profile --html page.html --pprof prog.pb.gz -- ./prog",
	  "perf0 profile -e instructions:u,loads:u --function 'parse_*' -- ./prog"},
	 IDS(OPT_PROFILE_OWN_EVENT, OPT_PROFILE_MOST, OPT_PROFILE_FUNCTION, OPT_PROFILE_LINE,
	     OPT_PROFILE_CALLS, OPT_PROFILE_CALLGRIND, OPT_PROFILE_PPROF, OPT_PROFILE_FOLDED,
	     OPT_PROFILE_HTML, OPT_GUEST)},
	{"explain",
	 {"perf0 explain -- ./prog", "perf0 explain --uarch icl --function 'parse_*' -- ./prog",
	  "perf0 explain --html page.html -n 20 -- ./prog"},
	 IDS(OPT_EXPLAIN_FUNCTION, OPT_EXPLAIN_BLOCKS, OPT_EXPLAIN_JSON, OPT_EXPLAIN_HTML,
	     OPT_GUEST)},
	{"as-callgrind",
	 {"perf0 as-callgrind --tool=callgrind ./prog",
	  "perf0 as-callgrind --tool=callgrind --callgrind-out-file=out ./prog",
	  "perf0 as-callgrind --tool=callgrind --toggle-collect=parse ./prog"},
	 .common = NULL},
	{"pgo",
	 {"perf0 pgo -o prog -- ./prog", "perf0 pgo --bolt prog.fdata -- ./prog",
	  "perf0 pgo --run-bolt prog.bolt -- ./prog"},
	 IDS(OPT_PGO_PREFIX, OPT_PGO_BOLT, OPT_PGO_CLANG, OPT_PGO_PROFGEN, OPT_PGO_OBJECT,
	     OPT_PGO_RUN_BOLT)},
	{"gate",
	 {"perf0 gate --update", "perf0 gate --junit gate.xml",
	  "perf0 gate --tolerance instructions:u=0.5% -- ./prog 1000"},
	 IDS(OPT_GATE_UPDATE, OPT_GATE_CONFIG, OPT_GATE_BASELINE, OPT_GATE_AGAINST, OPT_GATE_EVENT,
	     OPT_GATE_TOLERANCE, OPT_GATE_SHARD, OPT_GATE_RESULTS, OPT_GATE_JUNIT, OPT_HTML)},
	{"diff",
	 {"perf0 diff perf0.baseline new", "perf0 diff before.json after.json",
	  "perf0 diff perf.data.old perf.data"},
	 .common = NULL},
	{"boot",
	 {"perf0 boot hello.efi", "perf0 boot --uarch zen4 hello.efi one two",
	  "perf0 boot --smp 4 --timeout 60 test.efi"},
	 IDS(OPT_GUEST, OPT_SMP, OPT_GUEST_MEMORY, OPT_EVENTS, OPT_RUN_TIMEOUT, OPT_COLD)},
	{"linux",
	 {"perf0 linux vmlinuz -- perf stat -e instructions:u ./prog",
	  "perf0 linux --uarch icl --share . vmlinuz -- perf record ./prog",
	  "perf0 linux --smp 4 vmlinuz"},
	 IDS(OPT_GUEST, OPT_SMP, OPT_GUEST_MEMORY, OPT_LINUX_SHARE, OPT_LINUX_APPEND,
	     OPT_LINUX_MODULES, OPT_PROGRAM_FILE, OPT_PROGRAM_ENV, OPT_RUN_TIMEOUT,
	     OPT_TOOL_VERBOSE)},
	{"qemu-args",
	 {"perf0 qemu-args --uarch icl", "perf0 qemu-args --page /dev/shm/events",
	  "perf0 qemu-args --smp 4 '\\EFI\\debian\\grubx64.efi'"},
	 IDS(OPT_GUEST, OPT_HT, OPT_SMP, OPT_GUEST_MEMORY, OPT_GUEST_PAGE, OPT_HYPERVISOR_BIT)},
	{"usb",
	 {"perf0 usb -o stick.img", "perf0 usb --write /dev/sdX --add ./prog",
	  "perf0 usb -o stick.img --config my.cfg --add ./prog"},
	 IDS(OPT_STICK_FILE, OPT_STICK_WRITE, OPT_STICK_CONFIG, OPT_STICK_ADD, OPT_STICK_SIZE,
	     OPT_STICK_SIGN)},
	{"report",
	 {"perf0 report .perf0/results", "perf0 report .perf0/results --html history.html",
	  "perf0 report artifacts --html history.html --commit-url https://example.org/commit/"},
	 IDS(OPT_HTML, OPT_GATE_COMMIT_URL)},
	{"there-and-back",
	 {"perf0 there-and-back -- stat -e cycles,instructions -- ./prog",
	  "perf0 there-and-back --fast -- record ./prog ';' caps",
	  "perf0 there-and-back --timeout 600 -- stat -r 100 ./prog"},
	 IDS(OPT_THERE_FAST, OPT_THERE_TIMEOUT, OPT_THERE_KERNEL, OPT_THERE_INITRD,
	     OPT_THERE_APPEND, OPT_THERE_KEEP, OPT_THERE_SIGN, OPT_PROGRAM_FILE, OPT_PROGRAM_ENV)},
	{"results",
	 {"perf0 results /media/me/PERF0", "perf0 results -o measured /media/me/PERF0",
	  "perf0 results"},
	 IDS(OPT_RESULTS_DIR)},
	{"cache",
	 {"perf0 cache list", "perf0 cache warm --uarch zen4", "perf0 cache clean"},
	 IDS(OPT_GUEST, OPT_SMP, OPT_MEMORY)},
};

const struct help_start *help_start(const char *name)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!strcmp(starts[i].name, name))
			return &starts[i];
	return NULL;
}

static bool is_of_machine(const struct option_row *row)
{
	return row->group == GROUP_MACHINE && row->takers & TAKER_RUN;
}

bool help_hidden(const struct help_start *start, uint64_t takers, bool hidden[OPTIONS])
{
	bool any = false;

	for (unsigned id = 0; id < OPTIONS; id++) {
		hidden[id] = is_of_machine(option_row((enum option_id)id));
		any |= hidden[id] && option_row((enum option_id)id)->takers & takers;
	}
	for (unsigned i = 0; i < start->ncommon; i++)
		hidden[start->common[i]] = true;
	return any;
}
