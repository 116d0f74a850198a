// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_counters.c - checks of the counters themselves: each against each other, their width,
 * their wrap, their status bits. SDM vol. 3, "Architectural Performance Monitoring"; APM vol. 2,
 * "Performance Monitoring Counters".
 */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/state/state.h"

#define TURNS 1000

/* --- Each against each other --- */

/* Opens `attr` on each counter of `counters`; returns those that it could not open. */
static uint64_t open_on_each(const struct perf_event_attr *attr, uint64_t counters,
			     struct pmu_event **events, unsigned *n, struct reason *why)
{
	uint64_t missing = 0;

	*n = 0;
	for (; counters && *n < DOCTOR_EVENTS; counters &= counters - 1) {
		events[*n] = &doctor_events[*n];
		if (doctor_open(events[*n], attr, bits_first(counters), false, why))
			missing |= counters & -counters;
		else
			++*n;
	}
	return missing;
}

static void close_opened(struct pmu_event *const *events, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pmu_event_close(events[i]);
}

/* Counts `attr` on all `counters` at the same time: each counter has to count `expected`. */
static void compare_counters(const struct doctor *d, struct doctor_verdict *v,
			     const struct perf_event_attr *attr, uint64_t counters,
			     uint64_t expected)
{
	struct pmu_event *events[DOCTOR_EVENTS];
	uint64_t value[DOCTOR_EVENTS], bad = 0;
	char text[DOCTOR_NAMES];
	struct reason why = {""};
	unsigned n, worst = 0;
	const uint64_t missing = open_on_each(attr, counters, events, &n, &why);

	if (!n) {
		doctor_absent(v, "%s", counters ? why.text : "there are no such counters");
		return;
	}
	doctor_slope(d, events, n, DOCTOR_LOOP, TURNS, value);
	for (unsigned i = 0; i < n; i++)
		if (value[i] != expected) {
			worst = bad ? worst : i;
			bad |= 1ull << events[i]->place->index;
		}
	doctor_compare(v, doctor_name_counters(bad ? bad : counters & ~missing, text), value[worst],
		       expected);
	v->counters = bad;
	close_opened(events, n);
}

static uint64_t loop_instructions(void)
{
	return TURNS * doctor_counts_of(DOCTOR_LOOP).instructions;
}

static void check_general(const struct doctor *d, struct doctor_verdict *v)
{
	const struct perf_event_attr attr =
		doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	compare_counters(d, v, &attr, pmu.hw.counters & PMU_GENERAL_MASK, loop_instructions());
}

/* Fixed counter 0 counts instructions. */
static void check_fixed(const struct doctor *d, struct doctor_verdict *v)
{
	const struct perf_event_attr attr =
		doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	compare_counters(d, v, &attr, pmu.hw.counters & UARCH_FIXED(0), loop_instructions());
}

/* Counters that count nothing were found when the machine started, and have no events. */
static void check_still(const struct doctor *d, struct doctor_verdict *v)
{
	char text[DOCTOR_NAMES];

	(void)d;
	if (pmu.hw.still)
		doctor_wrong(v, "%s count nothing", doctor_name_counters(pmu.hw.still, text));
	else
		doctor_right(v, "all of 0x%llx count", (unsigned long long)pmu.hw.counters);
}

/* A counter that counts in ring 3 alone counts nothing in ring 0. */
static void check_rings(const struct doctor *d, struct doctor_verdict *v)
{
	struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_user = 0;
	attr.exclude_kernel = 1;
	compare_counters(d, v, &attr, pmu.hw.counters & PMU_GENERAL_MASK, 0);
}

/* The cycles of one loop by a general counter and by fixed counter 1, at the same time. */
#define CYCLES_PART 50

static void check_cycles(const struct doctor *d, struct doctor_verdict *v)
{
	const struct perf_event_attr attr =
		doctor_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct pmu_event *events[2] = {&doctor_events[0], &doctor_events[1]};
	const uint64_t general = pmu.hw.counters & PMU_GENERAL_MASK;
	uint64_t value[2], apart;
	struct reason why;

	if (!(pmu.hw.counters & UARCH_FIXED(1)) || !general) {
		doctor_absent(v, "no fixed counter counts cycles");
		return;
	}
	if (doctor_open(events[0], &attr, bits_first(general), false, &why)) {
		doctor_absent(v, "%s", why.text);
		return;
	}
	if (doctor_open(events[1], &attr, GLOBAL_FIXED_SHIFT + 1, false, &why)) {
		pmu_event_close(events[0]);
		doctor_absent(v, "%s", why.text);
		return;
	}
	doctor_slope(d, events, 2, DOCTOR_LOOP, TURNS, value);
	close_opened(events, 2);
	apart = value[0] > value[1] ? value[0] - value[1] : value[1] - value[0];
	doctor_compare(v, "cycles of a fixed counter, and of a general one", value[1], value[0]);
	if (apart && apart <= value[0] / CYCLES_PART)
		doctor_right(v, "cycles: %llu, and %llu by a fixed counter",
			     (unsigned long long)value[0], (unsigned long long)value[1]);
	else if (v->state == DOCTOR_WRONG)
		v->counters = UARCH_FIXED(1);
}

/* --- Registers, by the driver: no event is open --- */

/* Calls `fn` for each counter until one is wrong. The firmware's are left alone: they count. */
static void each_place(struct doctor_verdict *v, uint64_t counters,
		       bool (*fn)(const struct pmu_place *place, struct doctor_verdict *v))
{
	for (counters &= ~pmu_firmware().borrowed; counters; counters &= counters - 1) {
		struct pmu_place place;

		pmu_place_init(&pmu.hw, bits_first(counters), &place);
		if (!fn(&place, v)) {
			v->counters = 1ull << place.index;
			return;
		}
	}
}

/* Intel's counters without "Full-Width Writes" take 32 bits, and extend bit 31. */
static unsigned written_bits(void)
{
	if (pmu.caps->vendor == CPU_VENDOR_INTEL && !pmu.hw.full_width_writes)
		return 32;
	return pmu.hw.width;
}

static bool is_width_right(const struct pmu_place *place, struct doctor_verdict *v)
{
	uint64_t value = 0;

	wrmsr(place->counter, bits_low(written_bits()));
	rdpmc_safe(place->rdpmc, &value);
	wrmsr(place->counter, 0);
	v->has_figures = true;
	v->measured = bits_first(~value);
	v->expected = pmu.hw.width;
	if (value == bits_low(pmu.hw.width))
		return true;
	doctor_wrong(v, "counter %u has %u bits, and CPUID tells %u", place->index,
		     bits_first(~value), pmu.hw.width);
	return false;
}

static void check_width(const struct doctor *d, struct doctor_verdict *v)
{
	(void)d;
	doctor_right(v, "%u bits", pmu.hw.width);
	each_place(v, pmu.hw.counters & PMU_GENERAL_MASK, is_width_right);
}

#define BEFORE_WRAP 100

static const struct doctor *wrapping;
static uint64_t taken;

uint64_t doctor_taken(void)
{
	return taken;
}

/* A counter that overflows while a loop runs: the value behind it, and its bit in the status. */
static bool is_wrap_right(const struct pmu_place *place, struct doctor_verdict *v)
{
	const struct pmu_driver *driver = pmu.driver;
	const uint64_t select = uarch_generic(pmu.uarch, PERF_COUNT_HW_INSTRUCTIONS);
	uint64_t value = 0, status;
	bool is_taken;

	driver->program(place, select | EVTSEL_OS | EVTSEL_USR);
	wrmsr(place->counter, bits_low(pmu.hw.width) & -(uint64_t)BEFORE_WRAP);
	driver->start(1ull << place->index);
	wrapping->host->run(DOCTOR_LOOP, TURNS);
	driver->stop();
	rdpmc_safe(place->rdpmc, &value);
	status = driver->overflowed();
	if (driver->has_switch)
		driver->ack(status);
	is_taken = !driver->holds(place, select | EVTSEL_OS | EVTSEL_USR | place->enable);
	driver->clear(place);
	wrmsr(place->counter, 0);
	if (is_taken)
		taken |= 1ull << place->index;
	else if (value < loop_instructions() - BEFORE_WRAP || value > 2 * loop_instructions())
		doctor_wrong(v, "counter %u is 0x%llx behind its wrap", place->index,
			     (unsigned long long)value);
	else if (driver->has_switch && !(status >> place->index & 1))
		doctor_wrong(v, "the status of counter %u's overflow is missing", place->index);
	return v->state != DOCTOR_WRONG;
}

static void check_wrap(const struct doctor *d, struct doctor_verdict *v)
{
	wrapping = d;
	taken = 0;
	doctor_right(v, "each begins at 0 again%s",
		     pmu.driver->has_switch ? ", and its status bit is set" : "");
	each_place(v, pmu.hw.counters & (PMU_GENERAL_MASK | UARCH_FIXED(0)), is_wrap_right);
}

const struct doctor_check doctor_counter_checks[] = {
	{"still", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "counters that count nothing", check_still, true},
	{"general", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "instructions of a loop on each general counter", check_general, true},
	{"fixed", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "instructions of a loop on fixed counter 0", check_fixed, true},
	{"cycles", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "cycles of a loop, by a general and a fixed counter", check_cycles, false},
	{"rings", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "instructions of ring 3 while ring 0 runs", check_rings, false},
	{"width", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "bits of each general counter", check_width, true},
	{"wrap", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_COUNTERS,
	 "value and status behind an overflow", check_wrap, false},
};
const size_t doctor_ncounter_checks =
	sizeof(doctor_counter_checks) / sizeof(doctor_counter_checks[0]);
