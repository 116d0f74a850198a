// SPDX-License-Identifier: BSD-2-Clause
/* doctor_machine.c - see doctor_machine.h. */
#include "apps/doctor_machine.h"

#include "arch/x86/dev/fadt.h"
#include "arch/x86/dev/hpet.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/base/machine.h"
#include "rt/clock/hrtimer.h"
#include "rt/console/hang_notes.h"
#include "rt/portable/knobs.h"
#include "rt/print/print.h"

#include <linux/errno.h>

/* --- Kernels --- */

uint64_t doctor_loop(uint64_t turns, uint64_t memory);
uint64_t doctor_loads(uint64_t turns, uint64_t memory);
uint64_t doctor_stores(uint64_t turns, uint64_t memory);
uint64_t doctor_calls(uint64_t turns, uint64_t memory);
uint64_t doctor_chase(uint64_t turns, uint64_t memory);
uint64_t doctor_pattern(uint64_t turns, uint64_t state);
uint64_t doctor_pairs(uint64_t turns, uint64_t memory);
uint64_t doctor_slide(uint64_t index);
extern const uint8_t doctor_loop_turn[], doctor_loop_end[], doctor_slide_turn[];

#define LINE       64
#define LINES      4096 /* of the chain: more than L1 has */
#define CHAIN_STEP 1229 /* with an odd addend, a cycle through all lines */
#define PAGES      (LINES * LINE / PAGE_SIZE)
#define PAIR_LINES (1u << 17) /* of pairs of loads: more than L2 has, see doctor_code.S */
#define PAIR_PAGES (PAIR_LINES * LINE / PAGE_SIZE + 1)
#define SEED       88172645463325252ull

static struct {
	uint64_t memory; /* of LINES lines, each with the address of the next one */
	uint64_t at;     /* the line of the chain that comes next */
	uint64_t pairs;  /* memory for pairs of loads */
	uint64_t random; /* state of the random branches */
	void *trace[2];
	const char *hang;
} machine;

static void run_kernel(enum doctor_kernel kernel, uint64_t turns)
{
	static uint64_t (*const kernels[])(uint64_t turns, uint64_t memory) = {
		[DOCTOR_LOOP] = doctor_loop,     [DOCTOR_LOADS] = doctor_loads,
		[DOCTOR_STORES] = doctor_stores, [DOCTOR_CALLS] = doctor_calls,
		[DOCTOR_CHASE] = doctor_chase,   [DOCTOR_PATTERN] = doctor_pattern,
		[DOCTOR_PAIRS] = doctor_pairs,
	};
	static uint64_t written[LINE / sizeof(uint64_t)] __attribute__((aligned(LINE)));
	uint64_t *const arguments[] = {
		[DOCTOR_LOOP] = &machine.memory, [DOCTOR_LOADS] = &machine.memory,
		[DOCTOR_STORES] = NULL,          [DOCTOR_CALLS] = &machine.memory,
		[DOCTOR_CHASE] = &machine.at,    [DOCTOR_PATTERN] = &machine.random,
		[DOCTOR_PAIRS] = &machine.pairs,
	};
	uint64_t *const argument = arguments[kernel];
	const uint64_t result =
		kernels[kernel](turns, argument ? *argument : (uint64_t)(uintptr_t)written);

	if (kernel == DOCTOR_CHASE || kernel == DOCTOR_PATTERN)
		*argument = result;
}

static uint64_t run_slide(uint32_t index, uint64_t *first)
{
	*first = (uintptr_t)doctor_slide_turn;
	return doctor_slide(index);
}

static void loop_code(enum doctor_kernel kernel, uint64_t *first, uint64_t *end)
{
	(void)kernel;
	*first = (uintptr_t)doctor_loop_turn;
	*end = (uintptr_t)doctor_loop_end;
}

static void link_chain(uint8_t *memory)
{
	for (uint64_t i = 0; i < LINES; i++) {
		const uint64_t next = (i * CHAIN_STEP + 1) % LINES;
		const uint64_t address = (uintptr_t)memory + next * LINE;

		memcpy(memory + i * LINE, &address, sizeof(address));
	}
}

static void *trace_page(unsigned n, uint64_t *physical)
{
	*physical = (uintptr_t)machine.trace[n] - DIRECT_MAP;
	return machine.trace[n];
}

/* --- Clocks --- */

#define SPAN_MS       10
#define SPAN_MOST_MS  100 /* a reference that stands still is given up after this */
#define FS_PER_NS     1000000ull
#define PM_TIMER_HZ   3579545ull
#define PM_TIMER_MASK 0xffffffu

struct reference {
	uint32_t (*read)(void);
	uint32_t mask;
};

/* Waits for the next tick; false: it stands still. `*time` is its TSC. */
static bool await_tick(const struct reference *r, uint32_t *count, uint64_t *time)
{
	const uint64_t end = rdtsc() + (uint64_t)tsc_khz() * SPAN_MOST_MS;
	const uint32_t before = r->read();

	do {
		*count = r->read() & r->mask;
		*time = rdtsc();
	} while (*count == (before & r->mask) && *time < end);
	return *count != (before & r->mask);
}

/* The TSC's ns and the reference's ticks of a span that both ends of a tick bound. */
static bool measure_span(const struct reference *r, uint64_t *ns, uint64_t *ticks)
{
	uint32_t first, last;
	uint64_t from, to, end;

	if (!await_tick(r, &first, &from))
		return false;
	end = from + (uint64_t)tsc_khz() * SPAN_MS;
	while (rdtsc() < end)
		cpu_pause();
	if (!await_tick(r, &last, &to))
		return false;
	*ns = tsc_to_ns(to - from);
	*ticks = (last - first) & r->mask;
	return true;
}

static bool against_hpet(uint64_t *measured_ns, uint64_t *expected_ns)
{
	const struct reference hpet = {hpet_read, UINT32_MAX};
	uint64_t ticks;

	if (!hpet_period_fs() || !measure_span(&hpet, measured_ns, &ticks))
		return false;
	*expected_ns = ticks * hpet_period_fs() / FS_PER_NS;
	return true;
}

static uint16_t pm_port;

static uint32_t read_pm_timer(void)
{
	return inl(pm_port);
}

static bool against_pm_timer(uint64_t *measured_ns, uint64_t *expected_ns)
{
	const struct reference timer = {read_pm_timer, PM_TIMER_MASK};
	struct fadt fadt;
	uint64_t ticks;

	if (!fadt_find(&fadt))
		return false;
	pm_port = fadt_port(fadt.pm_timer, &fadt.x_pm_timer);
	if (!pm_port || !measure_span(&timer, measured_ns, &ticks))
		return false;
	*expected_ns = ticks * NSEC_PER_SEC / PM_TIMER_HZ;
	return true;
}

static volatile uint64_t fired;

static void note_fired(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	fired = rdtsc();
}

static bool against_apic_timer(uint64_t *measured_ns, uint64_t *expected_ns)
{
	static struct hrtimer timer = {.fn = note_fired};
	uint64_t from, end;

	fired = 0;
	from = rdtsc();
	end = from + (uint64_t)tsc_khz() * SPAN_MOST_MS;
	hrtimer_start(&timer, SPAN_MS * NSEC_PER_MS);
	irq_enable();
	while (!fired && rdtsc() < end)
		cpu_pause();
	irq_disable();
	hrtimer_cancel(&timer);
	*expected_ns = SPAN_MS * NSEC_PER_MS;
	*measured_ns = fired ? tsc_to_ns(fired - from) : 0;
	return fired != 0;
}

/* --- Knobs --- */

static void tell_knobs(char *text, size_t size)
{
	struct knob_value values[KNOBS_MOST];
	const struct knob *knob;
	size_t n = 0;

	knobs_read(machine_caps(), values);
	*text = '\0';
	for (size_t i = 0; (knob = knob_row(i)) && n < size; i++)
		if (values[i].state != KNOB_ABSENT)
			n += (size_t)fmt_print(text + n, size - n, "%s%s 0x%llx%s", n ? ", " : "",
					       knob->key, (unsigned long long)values[i].before,
					       values[i].state == KNOB_LOCKED ? " locked" : "");
}

/* --- Notes --- */

static struct hang_notes notes = {.now = "\\perf0\\doctor.now", .hung = "\\perf0\\doctor.hung"};

/* --- Other CPUs --- */

static void run_on_cpu(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	hw_watchdog_feed();
	smp_call(cpu, fn, arg);
}

static bool begin_check(const char *name)
{
	hw_watchdog_feed();
	if (!hang_notes_begin(&notes, name))
		return false;
	while (machine.hang && !strcmp(machine.hang, name))
		cpu_pause();
	return true;
}

/* Memory is kept for the next doctor. */
static bool take_kernel_memory(void)
{
	void *memory = page_alloc(PAGES), *pairs = page_alloc(PAIR_PAGES);

	if (!memory || !pairs)
		return false;
	link_chain(memory);
	machine.memory = machine.at = (uintptr_t)memory;
	machine.pairs = (uintptr_t)pairs;
	machine.trace[0] = page_alloc(1);
	machine.trace[1] = page_alloc(1);
	return true;
}

/* The timer has no shorter time than its least. */
static void start_watchdog(unsigned seconds)
{
	if (!seconds)
		return;
	hw_watchdog_start(seconds < HW_WATCHDOG_SECONDS_LEAST ? HW_WATCHDOG_SECONDS_LEAST
							      : seconds);
}

int doctor_machine_begin(const char *hang, unsigned watchdog)
{
	if (!machine.memory && !take_kernel_memory())
		return -ENOMEM;
	machine.random = SEED;
	machine.hang = hang;
	hang_notes_read(&notes);
	start_watchdog(watchdog);
	return 0;
}

void doctor_machine_end(void)
{
	hw_watchdog_stop();
	hang_notes_end(&notes);
}

const struct doctor_host *doctor_machine(void)
{
	static const struct doctor_host host = {
		.run = run_kernel,
		.slide = run_slide,
		.code = loop_code,
		.hpet = against_hpet,
		.pm_timer = against_pm_timer,
		.apic_timer = against_apic_timer,
		.trace_page = trace_page,
		.knobs = tell_knobs,
		.ncpus = smp_ncpus,
		.on_cpu = run_on_cpu,
		.begin = begin_check,
	};

	return &host;
}
