// SPDX-License-Identifier: BSD-2-Clause
/*
 * costs.c - measures the costs of the runtime's own work, in instructions of ring 0.
 *
 * Ring 3 reads a counter of ring 0's instructions (pmu/own/self.h). Each move is the cost of one
 * interrupt, system call or fault, from its first instruction to IRET or SYSRET. A row causes the
 * interrupts; its value is the cost of the dearest. Two rows measure ring 3 instead: a read of its
 * own event, without a system call and with one.
 */
#include "apps/exit_costs.h"
#include "apps/measure/quiet_mode.h"
#include "apps/measure/ask_shares.h"
#include "apps/workloads/call_costs.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/api/pmu.h"
#include "pmu/own/self.h"
#include "rb/rb.h"
#include "rt/console/command.h"
#include "rt/clock/hrtimer.h"
#include "rt/print/print.h"
#include "rt/base/tracepoints.h"
#include "linux/task/task.h"

#define FIRST    16 /* moves that are left out, while events get their counters */
#define MOVES    (FIRST + 64)
#define TURNS    (1u << 24) /* limit of the loop that waits for the moves: seconds */
#define STRAYS   2          /* interrupts before the first turn and after the last move */
#define SLICE_US 1000
#define SLICE_NS (SLICE_US * 1000ull)

struct row {
	const char *name;
	unsigned general; /* the CPU must have exactly so many general counters; 0: any number */
	/* Starts the source of interrupts, which runs until end(). False: the reason was told. */
	bool (*begin)(const struct row *row);
	void (*end)(void);
	/*
	 * Fields of samples: PERF_SAMPLE_ bits; of switches and rotations the number of events; of
	 * vpmu's rows enum exit_access.
	 */
	uint64_t what;
	const struct workload *watch; /* counts the moves; NULL: `measure` does, in ring 0 */
	bool (*measure)(const struct row *row, uint64_t moves[]);
};

/* --- Sources of interrupts --- */

static void rearm_ticker(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	hrtimer_start_irqs_off(timer, SLICE_NS);
}

static struct hrtimer ticker = {.fn = rearm_ticker};

/* The first interrupt comes once the task runs: before that its memory is cleared, which takes a
 * while. */
static bool begin_timer(const struct row *row)
{
	(void)row;
	hrtimer_start(&ticker, 100 * SLICE_NS);
	return true;
}

static void end_timer(void)
{
	hrtimer_cancel(&ticker);
}

static struct {
	struct pmu_event *event;
	unsigned n;
} events;

#define EVENT_PAGES ((PMU_MAX_EVENTS * sizeof(struct pmu_event) + PAGE_SIZE - 1) / PAGE_SIZE)

static bool open_event_on(const struct row *row, const struct perf_event_attr *attr, int task,
			  int cpu, struct pmu_event *leader)
{
	struct reason why;

	if (pmu_event_open(&events.event[events.n], attr, task, cpu, leader, 0, &why)) {
		err("costs: %s: event %u: %s\n", row->name, events.n, why.text);
		return false;
	}
	events.n++;
	return true;
}

static bool open_event_for(const struct row *row, const struct perf_event_attr *attr, int task,
			   struct pmu_event *leader)
{
	return open_event_on(row, attr, task, -1, leader);
}

static bool open_cpu_event(const struct row *row, const struct perf_event_attr *attr)
{
	return open_event_on(row, attr, -1, 0, NULL);
}

static bool open_task_event(const struct row *row, const struct perf_event_attr *attr,
			    struct pmu_event *leader)
{
	return open_event_for(row, attr, TASK_PID, leader);
}

static struct perf_event_attr costs_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr), .type = type, .config = config};
}

static void close_events(void)
{
	while (events.n)
		pmu_event_close(&events.event[--events.n]);
	pmu_set_policy(PMU_POLICY_PERF);
	pmu_set_mux_interval_us(PMU_MUX_INTERVAL_US);
}

static bool begin_rotation(const struct row *row)
{
	const struct perf_event_attr attr =
		costs_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	bool ok = true;

	pmu_set_mux_interval_us(SLICE_US);
	for (unsigned i = 0; ok && i < row->what; i++)
		ok = open_task_event(row, &attr, NULL);
	return ok;
}

/* Text behind the figures of a row: what was measured. */
static const char *row_note = "";

/*
 * 64 groups of one to four events with mixed constraints: any counter, the low four, a fixed one.
 * As in `stat`, the host tool finds the shares first. Without one the slices search for them.
 */
static bool begin_fair(const struct row *row)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} kinds[] = {
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS}, {PERF_TYPE_RAW, 0x01d1},
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},          {PERF_TYPE_RAW, 0x0e08},
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},      {PERF_TYPE_RAW, 0x02d1},
	};
	const unsigned ngroups = 64, nkinds = sizeof(kinds) / sizeof(kinds[0]);
	bool ok = true;

	pmu_set_mux_interval_us(SLICE_US);
	for (unsigned g = 0; g < ngroups; g++) {
		struct pmu_event *leader = NULL;

		for (unsigned i = 0; ok && i <= g % 4; i++) {
			const struct perf_event_attr attr = costs_attr(
				kinds[(g + i) % nkinds].type, kinds[(g + i) % nkinds].config);

			ok = open_task_event(row, &attr, leader);
			leader = leader ? leader : &events.event[events.n - 1];
		}
	}
	pmu_set_policy(PMU_POLICY_FAIR);
	row_note = ok && shares_ask() ? "; shares found before, by the host"
				      : "; the slices search for the shares";
	return ok;
}

#define RING_PAGES 16
#define RING_BYTES ((1 + RING_PAGES) * PAGE_SIZE)

static struct rb ring;

static bool begin_sampling(const struct row *row)
{
	static uint8_t storage[RING_BYTES] __attribute__((aligned(PAGE_SIZE)));
	struct perf_event_attr attr = costs_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = 2003;
	attr.sample_type = row->what;
	rb_init(&ring, storage, RING_PAGES);
	return open_task_event(row, &attr, NULL) && !pmu_event_set_output(&events.event[0], &ring);
}

#define DEPTH 8 /* of workload_watch_deep */
#define CHAIN_WORDS                                                                  \
	6 /* in front of the number of addresses: header, IP, TID, TIME, CPU, PERIOD \
	   */

/* Checks that the call chain of the last sample is as long as the row says. */
static void end_chains(void)
{
	static uint64_t copy[RING_PAGES * PAGE_SIZE / sizeof(uint64_t)];
	struct perf_event_header header = {0};
	uint64_t chain = 0;
	size_t n = rb_read(&ring, copy, sizeof(copy));

	for (size_t at = 0; at < n; at += header.size) {
		memcpy(&header, (uint8_t *)copy + at, sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE)
			chain = copy[at / sizeof(uint64_t) + CHAIN_WORDS];
	}
	if (chain != DEPTH + 1)
		err("costs: chains of %llu entries, not of %d and a marker\n",
		    (unsigned long long)chain, DEPTH);
	close_events();
}

/* The event counts ring 3's instructions, and ring 3 reads it by its control page. */
static bool begin_reading(const struct row *row)
{
	struct perf_event_attr attr = costs_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	if (!open_task_event(row, &attr, NULL))
		return false;
	if (!task_share_event(0, &events.event[0]))
		return true;
	err("costs: %s: the event cannot be shared\n", row->name);
	return false;
}

static void end_reading(void)
{
	task_unshare_events();
	close_events();
}

/* For programs that open their event themselves; it is closed when they end. */
static bool begin_nothing(const struct row *row)
{
	(void)row;
	return true;
}

static void end_nothing(void)
{
}

/* Two tasks in turn, each with the first events of `perf stat`. They execute nothing. */
static struct pmu_task pair[2];

#define PAIR_TID 1000

static bool open_row_event(const struct row *row, const struct pmu_task *task)
{
	static const uint64_t counted[] = {
		PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_INSTRUCTIONS,
		PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		PERF_COUNT_HW_BRANCH_MISSES,
	};
	bool ok = true;

	for (unsigned i = 0; ok && i < row->what; i++) {
		const struct perf_event_attr attr = costs_attr(PERF_TYPE_HARDWARE, counted[i]);

		ok = open_event_for(row, &attr, (int)task->tid, NULL);
	}
	return ok;
}

static void switch_in_turns(uint64_t moves[])
{
	const uint64_t rflags = irq_save();

	for (unsigned i = 0; i < MOVES; i++) {
		const uint64_t before = pmu_self_read();

		pmu_task_switch(&pair[i % 2], false);
		moves[i] = pmu_self_read() - before;
	}
	pmu_task_switch(NULL, false);
	irq_restore(rflags);
}

static bool begin_switches(const struct row *row)
{
	(void)row;
	for (unsigned i = 0; i < 2; i++)
		pmu_task_init(&pair[i], PAIR_TID + i, PAIR_TID + i, NULL);
	return true;
}

/* The events' part of the cost of a switch: first measures switches without events. */
static bool measure_switches(const struct row *row, uint64_t moves[])
{
	static uint64_t without[MOVES];

	switch_in_turns(without);
	for (unsigned i = 0; i < 2; i++)
		if (!open_row_event(row, &pair[i]))
			return false;
	switch_in_turns(moves);
	for (unsigned i = 0; i < MOVES; i++)
		moves[i] -= without[i];
	return true;
}

static void end_switches(void)
{
	close_events();
	for (unsigned i = 0; i < 2; i++)
		pmu_task_exit(&pair[i]);
}

/* Opening and closing of an event that counts for no task that runs. */
static bool measure_open_close(const struct row *row, uint64_t moves[])
{
	const struct perf_event_attr attr =
		costs_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	for (unsigned i = 0; i < MOVES; i++) {
		const uint64_t before = pmu_self_read();

		if (!open_cpu_event(row, &attr))
			return false;
		pmu_event_close(&events.event[--events.n]);
		moves[i] = pmu_self_read() - before;
	}
	return true;
}

/* An event of a tracepoint without a filter counts its hits. */
static bool begin_hits(const struct row *row)
{
	static const char name[] = "timer:hrtimer_cancel";
	const struct trace_event *event = trace_find(name, sizeof(name) - 1);
	const struct perf_event_attr attr = costs_attr(PERF_TYPE_TRACEPOINT, event->state->id);

	return open_cpu_event(row, &attr);
}

static bool measure_hits(const struct row *row, uint64_t moves[])
{
	(void)row;
	for (unsigned i = 0; i < MOVES; i++) {
		const uint64_t before = pmu_self_read();

		trace(hrtimer_cancel, &ticker);
		moves[i] = pmu_self_read() - before;
	}
	return true;
}

/* An event samples, so that vpmu has an overflow to wait for; none comes. */
static bool begin_exits(const struct row *row)
{
	struct perf_event_attr attr = costs_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.sample_period = 1ull << 30;
	attr.sample_type = PERF_SAMPLE_IP;
	if (!pmu_event_open(&events.event[0], &attr, -1, 0, NULL, 0, NULL)) {
		events.n = 1;
		return true;
	}
	err("costs: %s: there is no counter to sample by\n", row->name);
	return false;
}

static bool measure_exits(const struct row *row, uint64_t moves[])
{
	exit_costs_measure((enum exit_access)row->what, moves, MOVES);
	return true;
}

#define SAMPLE       (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define CHAIN_SAMPLE (SAMPLE | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN)

void workload_watch(void);
void workload_watch_deep(void);
void workload_selfread_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_sysread_cost(uint64_t counter, uint64_t moves, uint64_t turns);

static const struct workload watch = {.name = "watch", .entry = workload_watch};
static const struct workload watch_deep = {.name = "watch_deep", .entry = workload_watch_deep};
static const struct workload selfread_cost = {.name = "selfread_cost",
					      .entry = (void (*)(void))workload_selfread_cost};
static const struct workload sysread_cost = {.name = "sysread_cost",
					     .entry = (void (*)(void))workload_sysread_cost};

#define COST(what)                                   \
	static const struct workload what##_cost = { \
		.name = #what "_cost", .entry = (void (*)(void))workload_##what##_cost}
COST(getpid);
COST(write);
COST(fault);
COST(futex);
COST(fork);
COST(clone);
#undef COST

static const struct row rows[] = {
	/* clang-format off */
	{"image.irq.timer",              0, begin_timer,    end_timer,    0,            &watch,         NULL},
	{"image.pmi.ip_tid_time_period", 0, begin_sampling, close_events, SAMPLE,       &watch,         NULL},
	{"image.pmi.cpu_callchain8",     0, begin_sampling, end_chains,   CHAIN_SAMPLE, &watch_deep,    NULL},
	{"image.read.rdpmc",             0, begin_reading,  end_reading,  0,            &selfread_cost, NULL},
	{"image.read.syscall",           0, begin_nothing,  end_nothing,  0,            &sysread_cost,  NULL},
	{"image.syscall.getpid",         0, begin_nothing,  end_nothing,  0,            &getpid_cost,   NULL},
	{"image.syscall.write_1B",       0, begin_nothing,  end_nothing,  0,            &write_cost,    NULL},
	{"image.fault.minor",            0, begin_nothing,  end_nothing,  0,            &fault_cost,    NULL},
	{"image.futex.wake_wait",        0, begin_nothing,  end_nothing,  0,            &futex_cost,    NULL},
	{"image.clone_exit",             0, begin_nothing,  end_nothing,  0,            &clone_cost,    NULL},
	{"image.fork_exec_wait",         0, begin_nothing,  end_nothing,  0,            &fork_cost,     NULL},
	{"image.switch.2tasks_1event",   0, begin_switches, end_switches, 1,            NULL,           measure_switches},
	{"image.switch.2tasks_2events",  0, begin_switches, end_switches, 2,            NULL,           measure_switches},
	{"image.switch.2tasks_4events",  0, begin_switches, end_switches, 4,            NULL,           measure_switches},
	{"image.rotate.5_on_4",          4, begin_rotation, close_events, 5,            &watch,         NULL},
	{"image.rotate.8_on_4",          4, begin_rotation, close_events, 8,            &watch,         NULL},
	{"image.rotate.16_on_4",         4, begin_rotation, close_events, 16,           &watch,         NULL},
	{"image.open_close",             0, begin_nothing,  end_nothing,  0,            NULL,           measure_open_close},
	{"image.trace.hit",              0, begin_hits,     close_events, 0,            NULL,           measure_hits},
	{"image.fair.rotate_64_groups",  8, begin_fair,     close_events, 0,            &watch,         NULL},
	{"vpmu.exit.rdmsr_counter",      0, begin_exits,    close_events, EXIT_RDMSR_COUNTER, NULL,    measure_exits},
	{"vpmu.exit.wrmsr_counter",      0, begin_exits,    close_events, EXIT_WRMSR_COUNTER, NULL,    measure_exits},
	{"vpmu.exit.rdpmc",              0, begin_exits,    close_events, EXIT_RDPMC, NULL,    measure_exits},
	{"vpmu.exit.cpuid",              0, begin_exits,    close_events, EXIT_CPUID, NULL,    measure_exits},
	/* clang-format on */
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

/* --- Watching the interrupts --- */

static uint64_t count_interrupts(void)
{
	return trap_counts()->irqs + trap_counts()->nmis;
}

static void run_watch(const struct row *row, struct task_outcome *outcome)
{
	const struct workload_call call = {
		.workload = row->watch, .args = {pmu_self_rdpmc(), MOVES, TURNS}, .title = "watch"};

	task_share_rdpmc(true);
	task_run(&call, 0, outcome);
	task_share_rdpmc(false);
}

/* Gathers the cost of each interrupt. False: the reason was told. */
static bool gather_moves(const struct row *row, uint64_t moves[MOVES])
{
	uint64_t before = count_interrupts(), came;
	struct task_outcome outcome;

	run_watch(row, &outcome);
	came = count_interrupts() - before;
	if (outcome.end != TASK_EXITED)
		err("costs: %s: %s\n", row->name, outcome.why);
	else if (outcome.status)
		err("costs: %s: %d of %d moves did not come\n", row->name, outcome.status, MOVES);
	else if (came > MOVES + STRAYS)
		err("costs: %s: %llu interrupts in %d moves\n", row->name, (unsigned long long)came,
		    MOVES);
	else
		return !copy_from_user(moves, WORKLOAD_HEAP, MOVES * sizeof(moves[0]));
	return false;
}

static void print_row(const struct row *row, const uint64_t moves[MOVES])
{
	uint64_t least = UINT64_MAX, most = 0, sum = 0;

	for (unsigned i = FIRST; i < MOVES; i++) {
		least = moves[i] < least ? moves[i] : least;
		most = moves[i] > most ? moves[i] : most;
		sum += moves[i];
	}
	out("%-30s %9llu instructions   least %llu, mean %llu, of %d%s\n", row->name,
	    (unsigned long long)most, (unsigned long long)least,
	    (unsigned long long)(sum / (MOVES - FIRST)), MOVES - FIRST, row_note);
}

static bool measure_row(const struct row *row)
{
	static uint64_t moves[MOVES];
	bool ok;

	row_note = "";
	ok = row->begin(row);

	ok = ok && (row->measure ? row->measure(row, moves) : gather_moves(row, moves));

	row->end();
	if (ok)
		print_row(row, moves);
	return ok;
}

static const struct row *find_costs_row(const char *name)
{
	for (size_t i = 0; i < NROWS; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static bool is_row_wanted(const struct row *row, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (find_costs_row(argv[i]) == row)
			return true;
	return !argc;
}

static bool is_of_vpmu(const struct row *row)
{
	return row->measure == measure_exits;
}

static bool is_suited(const struct row *row, unsigned general)
{
	if (is_of_vpmu(row))
		return exit_costs_can();
	return !row->general || row->general == general;
}

static void tell_unsuited(const struct row *row, unsigned general)
{
	if (is_of_vpmu(row))
		out("%-30s not measured: no clock here shows instructions of vpmu\n", row->name);
	else
		out("%-30s not measured: wants %u general counters, there are %u\n", row->name,
		    row->general, general);
}

/* Rows that do not suit this CPU are no failure, unless they were asked for by name. */
static bool run_rows(int argc, char **argv)
{
	const uint64_t counters = pmu_info()->counters;
	const unsigned general = bits_count(counters & PMU_GENERAL_MASK);
	bool ok = true;

	out("instructions of ring 0, of ring 3 in image.read.*, of vpmu in vpmu.*; %u general and %u fixed "
	    "counters left, one counts these\n",
	    general, bits_count(counters) - general);
	for (const struct row *row = rows; row < rows + NROWS; row++) {
		if (!is_row_wanted(row, argc, argv))
			continue;
		if (is_suited(row, general)) {
			ok &= measure_row(row);
			continue;
		}
		tell_unsuited(row, general);
		ok &= !argc;
	}
	return ok;
}

static int run_costs(int argc, char **argv)
{
	struct hush hush = {0};
	const struct option_target targets[] = {HUSH_TARGETS(hush)};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	const int at = options_read(IMAGE_COSTS, argc, argv, sets, 1);
	struct reason why;
	bool ok;

	if (at < 0 || hush_check(&hush, argv[0]))
		return STATUS_USAGE;
	events.event = page_alloc(EVENT_PAGES);
	if (!events.event) {
		err("costs: no memory for the events\n");
		return STATUS_FAILED;
	}
	ok = !pmu_self_start(&why);
	if (ok) {
		ok = !hush_begin(&hush) && run_rows(argc - at, argv + at);
		hush_end(&hush);
		pmu_self_stop();
	} else {
		err("costs: %s\n", why.text);
	}
	page_free(events.event, EVENT_PAGES);
	return hush_tell(&hush, HUSH_TEXT, ok ? 0 : STATUS_FAILED);
}

static const struct command costs = {
	.name = "costs",
	.usage = "[OPTIONS] [NAME...]",
	.summary = "the costs of perf0's own work, in instructions of ring 0",
	.help = "Prints for each row the most that one interrupt cost, entry and IRET included, once\n"
		"all have been where they will be.\n"
		"image.read.rdpmc is what ring 3 executes to read an event of its own without a system\n"
		"call, image.read.syscall what it takes by one, in both rings. vpmu.* is what vpmu\n"
		"executes for an access to the PMU, while another event is sampled.\n"
		"One counter is set aside for it: the first fixed one where there is one.\n",
	.options = IMAGE_COSTS,
	.operands = {.kind = OPERANDS_NAMES, .names = {rows, rows + NROWS, sizeof(rows[0])}},
	.run = run_costs,
};
COMMAND(costs);
