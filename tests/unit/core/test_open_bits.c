// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_open_bits.c - every bit that perf_event_open(2) knows, and every bit that it does not, one
 * by one, for an ordinary event of each kind: the event opens, or is refused with Linux's errno.
 * Where perf0 cannot do what Linux does, the row says so.
 */
#define TRACE_DEFINE
#include "lib/trace.h"

#include "pmu/api/attr_bits.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>
#include <time.h>

#include "tests/unit/test.h"

TRACE_EVENT(bits, hit, TRACE_PROTO(uint32_t a), TRACE_STRUCT(field(uint32_t, a)),
	    TRACE_ASSIGN(entry->a = a;), TRACE_PRINT("a=%u", REC->a))

enum kind { COUNTER, SOFTWARE, CLOCK, TRACEPOINT, BREAKPOINT, KINDS };

static const char *const kinds[] = {"counter", "software", "clock", "tracepoint", "breakpoint"};

static enum trace_context context(void)
{
	return TRACE_TASK;
}

static uint32_t opener_tid(void)
{
	return RIG_TID;
}

static void armed(bool on)
{
	(void)on;
}

static struct perf_event_attr attr_of(enum kind kind)
{
	struct perf_event_attr attr;

	switch (kind) {
	case COUNTER:
		return rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	case SOFTWARE:
		return rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	case CLOCK:
		return rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	case TRACEPOINT:
		return rig_attr(PERF_TYPE_TRACEPOINT, trace_event_hit.state->id);
	default:
		attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);
		attr.bp_type = HW_BREAKPOINT_W;
		attr.bp_addr = RIG_PAGE;
		attr.bp_len = 8;
		return attr;
	}
}

static int open_and_close(const struct perf_event_attr *attr, unsigned long flags)
{
	struct pmu_event e;
	int got;

	memset(&rig.why, 0, sizeof(rig.why));
	got = pmu_event_open(&e, attr, RIG_TID, -1, NULL, flags, &rig.why);
	assert_int_equal(!got, !*rig.why.text);
	if (!got)
		pmu_event_close(&e);
	return got;
}

static void expect_result(enum kind kind, const char *what, unsigned bit, int got, int want)
{
	if (got != want)
		fail_msg("%s, bit %u of %s: %d (%s), not %d", kinds[kind], bit, what, got,
			 rig.why.text, want);
}

/* --- The flags of the attr --- */

struct flag {
	int all;       /* errno of all kinds; 0: opens */
	int of[KINDS]; /* errno of one kind; 0: as `all` has it */
};

/* Flags without a row are accepted. Linux has aux_output for PMUs with such a capability. */
static const struct flag flags[64] = {
	[ATTR_PRECISE_IP] = {0, {[COUNTER] = EINVAL}}, /* without a period */
	[ATTR_PRECISE_IP + 1] = {0, {[COUNTER] = EINVAL}},
	/* CLOCK_REALTIME, which Linux reads in no NMI */
	[ATTR_USE_CLOCKID] = {0,
			      {[COUNTER] = EINVAL, [TRACEPOINT] = EINVAL, [BREAKPOINT] = EINVAL}},
	[ATTR_AUX_OUTPUT] = {EOPNOTSUPP, {0}},
	[ATTR_SIGTRAP] = {EINVAL, {0}}, /* without remove_on_exec */
};

static void set_flag(struct perf_event_attr *attr, unsigned bit)
{
	const uint64_t flags_now = attr_flags(attr) | ATTR_BIT(bit);

	memcpy((char *)attr + ATTR_FLAGS_OFFSET, &flags_now, sizeof(flags_now));
}

FIXTURE(setup)
{
	static const struct trace_host host = {context, opener_tid, pmu_trace_hit, armed, NULL};
	int err = rig_boot("hsw", true);

	trace_init(&host);
	return err;
}

TEST_WITH(test_flags, setup, NULL)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		for (unsigned bit = 0; bit < 64; bit++) {
			struct perf_event_attr attr = attr_of(kind);
			int want = flags[bit].of[kind] ? flags[bit].of[kind] : flags[bit].all;

			set_flag(&attr, bit);
			expect_result(kind, "the flags", bit, open_and_close(&attr, 0),
				      bit >= ATTR_RESERVED ? -EINVAL : -want);
		}
}

/* --- Fields of samples --- */

/* Every kind of event accepts fields without a row, even fields that it has no value for. */
static const int fields[64] = {
	[__builtin_ctz(PERF_SAMPLE_BRANCH_STACK)] = EOPNOTSUPP, /* no last branch records */
	[__builtin_ctz(PERF_SAMPLE_CGROUP)] = EINVAL,           /* Linux without cgroups */
};

TEST_WITH(test_sample_type, setup, NULL)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		for (unsigned bit = 0; bit < 64; bit++) {
			struct perf_event_attr attr = attr_of(kind);
			bool unknown = 1ull << bit >= PERF_SAMPLE_MAX;

			attr.sample_type = 1ull << bit;
			attr.sample_period = 20000;
			attr.sample_regs_user = attr.sample_regs_intr = 1;
			attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
			expect_result(kind, "sample_type", bit, open_and_close(&attr, 0),
				      unknown ? -EINVAL : -fields[bit]);
			/* An invalid bit is reported before an unsupported one. */
			attr.sample_type |= PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_ADDR;
			expect_result(kind, "sample_type, with others", bit,
				      open_and_close(&attr, 0),
				      unknown || fields[bit] == EINVAL ? -EINVAL : -EOPNOTSUPP);
		}
}

TEST_WITH(test_branch_sample_type, setup, NULL)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		struct perf_event_attr attr = attr_of(COUNTER);
		bool known = 1ull << bit < PERF_SAMPLE_BRANCH_MAX;

		attr.sample_period = 1000;
		attr.branch_sample_type = 1ull << bit;
		expect_result(COUNTER, "branch_sample_type, not asked for", bit,
			      open_and_close(&attr, 0), 0);
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
		/* A filter with a ring alone selects no kind of branch. */
		known &= !(1ull << bit & (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL |
					  PERF_SAMPLE_BRANCH_HV));
		expect_result(COUNTER, "branch_sample_type", bit, open_and_close(&attr, 0),
			      known ? -EOPNOTSUPP : -EINVAL);
	}
}

TEST_WITH(test_registers, setup, NULL)
{
	for (unsigned bit = 0; bit < 64; bit++)
		for (int user = 0; user <= 1; user++) {
			struct perf_event_attr attr = attr_of(COUNTER);
			int want = 0;

			/* DS, ES, FS and GS; unused numbers between R15 and XMM0. */
			if ((bit >= 12 && bit < 16) || (bit >= 24 && bit < 32))
				want = -EINVAL;
			else if (bit >= 32)
				want = -EOPNOTSUPP;
			attr.sample_period = 1000;
			attr.sample_type = user ? PERF_SAMPLE_REGS_USER : PERF_SAMPLE_REGS_INTR;
			attr.sample_regs_user = user ? 1ull << bit : 0;
			attr.sample_regs_intr = user ? 0 : 1ull << bit;
			expect_result(COUNTER, "sample_regs", bit, open_and_close(&attr, 0), want);
		}
}

/* --- read_format, and flags of opening --- */

TEST_WITH(test_read_format, setup, NULL)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		for (unsigned bit = 0; bit < 64; bit++) {
			struct perf_event_attr attr = attr_of(kind);

			attr.read_format = 1ull << bit;
			expect_result(kind, "read_format", bit, open_and_close(&attr, 0),
				      1ull << bit < PERF_FORMAT_MAX ? 0 : -EINVAL);
		}
}

TEST_WITH(test_open_flags, setup, NULL)
{
	const unsigned long known = PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT |
				    PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC;

	for (enum kind kind = 0; kind < KINDS; kind++)
		for (unsigned bit = 0; bit < 64; bit++) {
			const struct perf_event_attr attr = attr_of(kind);
			/* A set of tasks needs a CPU. */
			bool bad = ~known >> bit & 1 || 1ul << bit == PERF_FLAG_PID_CGROUP;

			expect_result(kind, "the flags of opening", bit,
				      open_and_close(&attr, 1ul << bit), bad ? -EINVAL : 0);
		}
}

/* --- Excluded rings, host and guests --- */

struct side {
	bool user, kernel, hv, idle, host, guest;
};

/* Only the host runs: an event that excludes the host runs all the time, and counts nothing. */
TEST_WITH(test_excluded, setup, NULL)
{
	static const char *const machines[] = {"hsw", "icl", "zen4"};

	for (unsigned row = 0; row < 64 * 3; row++) {
		const struct side x = {row & 1, row & 2, row & 4, row & 8, row & 16, row & 32};
		struct perf_event_attr attr = attr_of(COUNTER);
		struct pmu_event e;
		struct pmu_value v;

		rig_boot(machines[row / 64], true);
		attr.exclude_user = x.user;
		attr.exclude_kernel = x.kernel;
		attr.exclude_hv = x.hv;
		attr.exclude_idle = x.idle;
		attr.exclude_host = x.host;
		attr.exclude_guest = x.guest;
		assert_int_equal(rig_open(&e, &attr, NULL), 0);
		rig_slices(100000);
		pmu_event_read(&e, &v);
		/* In ring 0 only the instruction that starts the counter is counted. */
		assert_in_range(v.value, x.user || x.host ? 0 : 100000,
				(x.user || x.host ? 0 : 100000) + (x.kernel || x.host ? 0 : 4));
		assert_int_equal(v.time_enabled, 100000);
		assert_int_equal(v.time_running, 100000);
		pmu_event_close(&e);
	}
}

/* Software events belong to the host, and ignore guests. */
TEST_WITH(test_excluded_host_of_software, setup, NULL)
{
	struct perf_event_attr attr = attr_of(CLOCK);
	struct pmu_event e;

	attr.exclude_host = 1;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	rig_slices(100000);
	assert_int_equal(rig_value(&e), 100000);
	pmu_event_close(&e);
}

/* Clocks that Linux reads in no NMI are for software events alone. */
TEST_WITH(test_clocks, setup, NULL)
{
	static const unsigned all = 1 << CLOCK_MONOTONIC | 1 << CLOCK_MONOTONIC_RAW |
				    1 << CLOCK_REALTIME | 1 << CLOCK_BOOTTIME | 1 << CLOCK_TAI;
	static const unsigned in_nmis = 1 << CLOCK_MONOTONIC | 1 << CLOCK_MONOTONIC_RAW;

	for (int id = -1; id < 16; id++) {
		struct perf_event_attr attr = attr_of(COUNTER);

		attr.use_clockid = 1;
		attr.clockid = id;
		expect_result(COUNTER, "clockid", (unsigned)id, open_and_close(&attr, 0),
			      id >= 0 && in_nmis >> id & 1 ? 0 : -EINVAL);
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		expect_result(COUNTER, "clockid of a software event", (unsigned)id,
			      open_and_close(&attr, 0), id >= 0 && all >> id & 1 ? 0 : -EINVAL);
	}
}

/* A check that does not depend on caller and target refuses arguments that are invalid on every
 * machine. */
TEST_WITH(test_check, setup, NULL)
{
	struct perf_event_attr attr = attr_of(COUNTER), zeros = {.size = PERF_ATTR_SIZE_VER0};
	struct reason why;

	assert_int_equal(pmu_event_check(&attr, RIG_TID, -1, 0, &why), 0);
	assert_int_equal(pmu_event_check(&attr, 12345, 0, 0, &why), 0);
	assert_int_equal(pmu_event_check(&attr, -1, -1, 0, &why), -EINVAL);
	assert_int_equal(pmu_event_check(&attr, -1, 0, 0, &why), 0);
	assert_int_equal(pmu_event_check(&attr, -1, 1, 0, &why), -EINVAL);
	assert_int_equal(pmu_event_check(&attr, -1, -2, 0, &why), -EINVAL);
	assert_int_equal(pmu_event_check(&attr, RIG_TID, -1, 1ul << 4, &why), -EINVAL);
	assert_int_equal(pmu_event_check(&zeros, 0, -1, 0, &why), 0);
	zeros.size--;
	assert_int_equal(pmu_event_check(&zeros, 0, -1, 0, &why), -E2BIG);
	attr.sample_type = PERF_SAMPLE_MAX;
	assert_int_equal(pmu_event_check(&attr, RIG_TID, -1, 0, &why), -EINVAL);
}
