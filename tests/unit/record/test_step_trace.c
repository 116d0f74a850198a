// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_step_trace.c - the PMU step_trace: counts, packets for each kind of step, and refusals.
 */
#include "tests/unit/record/step_traced.h"

#include "tests/unit/test.h"

#define AT_0 0x71, 0x00, 0x10, 0x00, 0x00, 0x00, 0x40 /* TIP.PGE to START */

/* --- Kinds of steps --- */

TEST(test_branches)
{
	open_event(wanted(), false, 0);
	in_task(a_few_branches);
	/* Interrupted in the end. */
	TRACED(BEGIN, AT_0, 0x0c, 0x2d, 0x00, 0x11, 0x2d, 0x00, 0x12, 0x3d, 0x00, 0x12, PGD);
	next_start();
	next_aux(0, 20 + 7 + 1 + 3 + 3 + 3 + 1, 0);
	assert_true(rig_value(&event) == 5);
	pmu_event_close(&event);
}

static void a_system_call(void)
{
	executed(INSN_ENTER, 2, START, START + 2);
	executed(INSN_JCC, 2, START + 2, START + 4);
}

TEST(test_system_calls)
{
	static const struct pmu_step last = {
		.executed = true, .from = START + 4, .insn = {.kind = INSN_ENTER, .length = 2}};

	open_event(wanted(), false, 0);
	at_end = &last;
	in_task(a_system_call);
	TRACED(BEGIN, AT_0, PGD, 0x31, 0x02, 0x10, 0x04, PGD);
	assert_true(rig_value(&event) == 3);
	pmu_event_close(&event);
}

static void an_interrupt(void)
{
	executed(INSN_JCC, 2, START, START + 2);
	pmu_step(&(struct pmu_step){.from = START + 2, .to = START + 2});
	pmu_step(&(struct pmu_step){.from = START + 2, .to = START + 0x40}); /* a mended fault */
	executed(INSN_JCC, 2, START + 0x40, START + 0x44);
}

TEST(test_interrupts)
{
	static const struct pmu_step last = {
		.executed = true, .from = START + 0x44, .insn = {.kind = INSN_ENTER, .length = 2}};

	open_event(wanted(), false, 0);
	at_end = &last;
	in_task(an_interrupt);
	TRACED(BEGIN, AT_0, 0x04, 0x3d, 0x02, 0x10, PGD, 0x31, 0x02, 0x10, 0x3d, 0x02, 0x10, PGD,
	       0x31, 0x40, 0x10, 0x06, PGD);
	assert_true(rig_value(&event) == 3);
	pmu_event_close(&event);
}

TEST(test_time)
{
	struct perf_event_attr attr = wanted();
	uint8_t got[64];
	uint64_t offset, tsc = 0;

	attr.config |= 1 << STEP_TRACE_TSC_BIT;
	open_event(attr, false, 0);
	in_task(a_system_call);
	rb_aux_read(&aux, got, sizeof(got), &offset);
	assert_int_equal(got[16], 0x19);
	memcpy(&tsc, got + 17, 7);
	assert_true(tsc && tsc <= rdtsc());
	assert_int_equal(got[16 + 8 + 2 + 2 + 8 + 7], PGD);
	assert_int_equal(got[16 + 8 + 2 + 2 + 8 + 7 + 1], 0x19); /* back from the system call */
	pmu_event_close(&event);
}

/* --- Without an area, and refusals --- */

TEST(test_counts_alone)
{
	struct perf_event_attr attr = wanted();

	boot_stepping();
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	in_task(many_branches);
	assert_true(rig_value(&event) == BRANCHES);
	pmu_event_close(&event);
}

static void refuses_trace(struct perf_event_attr attr, int error, const char *why)
{
	struct pmu_event e;

	assert_int_equal(rig_open(&e, &attr, NULL), -error);
	if (!strstr(rig.why.text, why))
		fail_msg("'%s' is not in '%s'", why, rig.why.text);
}

TEST(test_refusals)
{
	struct perf_event_attr attr = wanted();

	boot_stepping();
	attr.config |= 1 << 1;
	refuses_trace(attr, EINVAL, "config has bits");
	attr = wanted();
	attr.config &= ~(1ull << STEP_TRACE_NORETCOMP_BIT);
	refuses_trace(attr, EINVAL, "noretcomp");
	attr = wanted();
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	refuses_trace(attr, EOPNOTSUPP, "ring 3 only");
	attr = wanted();
	attr.sample_period = 1;
	refuses_trace(attr, EINVAL, "no period");
	attr = wanted();
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	refuses_trace(attr, EBUSY, "another event");
	pmu_event_close(&event);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_close(&event);
	rig.host.step = NULL;
	refuses_trace(attr, ENOENT, "single-steps");
}

/* --- Its name --- */

static void parsed(const char *text, uint64_t config)
{
	struct pmu_event_spec spec;
	struct pmu_parse_error error;

	if (pmu_parse_events(text, &spec, 1, &error) != 1)
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(spec.attr.type, PMU_TYPE_STEP_TRACE);
	assert_true(spec.attr.config == config);
	assert_string_equal(spec.name, text);
}

static void not_parsed(const char *text, size_t column, const char *why)
{
	struct pmu_event_spec spec;
	struct pmu_parse_error error;

	assert_int_equal(pmu_parse_events(text, &spec, 1, &error), -EINVAL);
	if (error.column != column || !strstr(error.text, why))
		fail_msg("%s: column %zu: %s", text, error.column, error.text);
}

TEST(test_names)
{
	parsed("step_trace//", 0x2c01);
	parsed("step_trace//u", 0x2c01);
	parsed("step_trace/tsc=0/u", 0x2801);
	parsed("step_trace/tsc,psb_period=3/u", 0x3002c01);
	parsed("step_trace/config=0x2801/u", 0x2801);
	not_parsed("step_trace/cyc/u", 12, "no term 'cyc'");
	not_parsed("step_trace/psb_period/", 22, "'=' is missing");
	not_parsed("step_trace/psb_period=16/", 23, "psb_period");
	not_parsed("step_trace/tsc", 15, "missing");
	not_parsed("step_trace/tsc,/", 16, "a term is missing");
	not_parsed("step_trace", 1, "step_trace");
}
