// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_breakpoint.c - events on the debug registers: the value of DR7, the count of each hit, the
 * four registers and no fifth, and modifying an open event.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "tests/unit/test.h"

#define ADDRESS   0x400000001000
#define DR6_RESET 0xffff0ff0ull
#define DR6_TF    (1ull << 14)

static struct perf_event_attr breakpoint(uint32_t type, uint64_t address, uint64_t length)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = type;
	attr.bp_addr = address;
	attr.bp_len = length;
	return attr;
}

static struct perf_event_attr on_write(void)
{
	return breakpoint(HW_BREAKPOINT_W, ADDRESS, 8);
}

static void boot(void)
{
	rig_boot("skx", true);
	shim.dr[6] = DR6_RESET;
	shim.dr[7] = DR7_FIXED;
}

static void open_breakpoint(struct pmu_event *e, struct perf_event_attr attr)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void refused(struct perf_event_attr attr, int error, const char *why)
{
	struct pmu_event e;

	assert_int_equal(rig_open(&e, &attr, NULL), -error);
	if (!strstr(rig.why.text, why))
		fail_msg("'%s' is not in '%s'", why, rig.why.text);
}

/* Plays the CPU: sets DR6 to the breakpoints that were hit, and calls the handler. */
static enum pmu_debug raise_debug(uint64_t dr6, bool user)
{
	const struct pmu_regs regs = {.ip = ADDRESS, .user = user};

	shim.dr[6] = DR6_RESET | dr6;
	return pmu_debug(&regs);
}

TEST(test_what_dr7_is_told)
{
	static const struct {
		uint32_t type;
		uint64_t length, field; /* LEN and R/W of register 0 */
	} rows[] = {
		{HW_BREAKPOINT_X, 8, 0x0},  {HW_BREAKPOINT_W, 1, 0x1},  {HW_BREAKPOINT_W, 2, 0x5},
		{HW_BREAKPOINT_W, 4, 0xd},  {HW_BREAKPOINT_W, 8, 0x9},  {HW_BREAKPOINT_RW, 1, 0x3},
		{HW_BREAKPOINT_RW, 2, 0x7}, {HW_BREAKPOINT_RW, 4, 0xf}, {HW_BREAKPOINT_RW, 8, 0xb},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmu_event e;

		boot();
		open_breakpoint(&e, breakpoint(rows[i].type, ADDRESS, rows[i].length));
		assert_int_equal(shim.dr[7], DR7_FIXED);
		pmu_task_sched_in(&rig.task);
		assert_int_equal(shim.dr[0], ADDRESS);
		assert_int_equal(shim.dr[7], DR7_FIXED | 2 | rows[i].field << 16);
		pmu_task_sched_out();
		assert_int_equal(shim.dr[7], DR7_FIXED);
		pmu_event_close(&e);
	}
}

TEST(test_four_registers)
{
	struct pmu_event e[4];

	boot();
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 4; i++)
		open_breakpoint(&e[i], breakpoint(HW_BREAKPOINT_W, ADDRESS + 8 * i, 8));
	assert_int_equal(shim.dr[7], DR7_FIXED | 0xaa | 0x9999ull << 16);
	refused(on_write(), ENOSPC,
		"CPU 0 has 4 debug registers, which are taken: 0 by breakpoints of the CPU, 4 by "
		"those of task 8");
	/* A disabled breakpoint keeps its register. */
	pmu_event_disable(&e[1]);
	assert_int_equal(shim.dr[7], DR7_FIXED | 0xa2 | 0x9909ull << 16);
	refused(on_write(), ENOSPC,
		"CPU 0 has 4 debug registers, which are taken: 0 by breakpoints of the CPU, 4 by "
		"those of task 8");
	pmu_event_close(&e[2]);
	open_breakpoint(&e[2], breakpoint(HW_BREAKPOINT_X, ADDRESS + 64, 8));
	pmu_event_enable(&e[1]);
	assert_int_equal(shim.dr[7] & 0xff, 0xaa);
	for (unsigned i = 0; i < 4; i++)
		pmu_event_close(&e[i]);
	assert_int_equal(shim.dr[7], DR7_FIXED);
	pmu_task_sched_out();
}

/* Tasks do not run at the same time: each may use all registers that the CPU's events leave. */
TEST(test_four_registers_for_each_task)
{
	struct perf_event_attr attr = on_write();
	struct pmu_event cpu[2], first[2], second[2], more;
	struct pmu_task other;

	boot();
	assert_int_equal(pmu_task_init(&other, 20, 21, NULL), 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pmu_event_open(&first[i], &attr, RIG_TID, -1, NULL, 0, NULL), 0);
		assert_int_equal(pmu_event_open(&cpu[i], &attr, -1, 0, NULL, 0, NULL), 0);
		assert_int_equal(pmu_event_open(&second[i], &attr, 21, -1, NULL, 0, NULL), 0);
	}
	assert_int_equal(pmu_event_open(&more, &attr, RIG_TID, -1, NULL, 0, NULL), -ENOSPC);
	assert_int_equal(pmu_event_open(&more, &attr, 21, -1, NULL, 0, NULL), -ENOSPC);
	pmu_event_close(&first[1]);
	assert_int_equal(pmu_event_open(&more, &attr, -1, 0, NULL, 0, NULL), -ENOSPC);
	assert_int_equal(shim.dr[7] & 0xff, 0x0a);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(shim.dr[7] & 0xff, 0x2a);
	pmu_task_sched_out();
	pmu_task_sched_in(&other);
	assert_int_equal(shim.dr[7] & 0xff, 0xaa);
	raise_debug(0xf, true);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&first[0]), 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(rig_value(&second[i]), 1);
		assert_int_equal(rig_value(&cpu[i]), 1);
		pmu_event_close(&second[i]);
		pmu_event_close(&cpu[i]);
	}
	pmu_event_close(&first[0]);
	pmu_task_exit(&other);
}

static unsigned two_cpus(void)
{
	return 2;
}

/* An event of a task on any CPU needs a register on every CPU; one that is bound to a CPU needs
 * a register there. */
TEST(test_four_registers_on_each_cpu)
{
	const struct perf_event_attr attr = on_write();
	struct pmu_event here, there[4];

	boot();
	rig.host.ncpus = two_cpus;
	assert_int_equal(pmu_event_open(&here, &attr, RIG_TID, -1, NULL, 0, NULL), 0);
	/* Four events of the other CPU, as if that CPU had opened them. */
	for (unsigned i = 0; i < 4; i++) {
		there[i] = (struct pmu_event){.class = here.class, .cpu = 1};
		there[i].next_leader = i ? &there[i - 1] : NULL;
	}
	pmu_event_close(&here);
	pmu_contexts[1].leaders = &there[3];
	refused(on_write(), ENOSPC,
		"CPU 1 has 4 debug registers, which are taken: 4 by breakpoints of the CPU, 0 by "
		"those of task 8");
	assert_int_equal(pmu_event_open(&here, &attr, RIG_TID, 0, NULL, 0, NULL), 0);
	pmu_event_close(&here);
	pmu_contexts[1].leaders = NULL;
}

TEST(test_hits_are_counted)
{
	struct pmu_event write, code;

	boot();
	open_breakpoint(&write, on_write());
	open_breakpoint(&code, breakpoint(HW_BREAKPOINT_X, ADDRESS + 64, 8));
	pmu_task_sched_in(&rig.task);
	assert_int_equal(raise_debug(1, true), PMU_DEBUG_DONE);
	assert_int_equal(shim.dr[6], DR6_RESET);
	assert_int_equal(raise_debug(1, false), PMU_DEBUG_DONE);
	assert_int_equal(raise_debug(2, true), PMU_DEBUG_RESUME);
	assert_int_equal(raise_debug(3, true), PMU_DEBUG_RESUME);
	assert_int_equal(rig_value(&write), 3);
	assert_int_equal(rig_value(&code), 2);
	/* DR6 with registers that are not enabled, and with no bit. */
	assert_int_equal(raise_debug(0xc, true), PMU_DEBUG_FOREIGN);
	assert_int_equal(raise_debug(0, true), PMU_DEBUG_FOREIGN);
	/* With the workload's own TF the exception is the workload's, too, and DR6 still says so.
	 */
	assert_int_equal(raise_debug(1 | DR6_TF, true), PMU_DEBUG_FOREIGN);
	assert_int_equal(shim.dr[6], DR6_RESET | DR6_TF);
	assert_int_equal(rig_value(&write), 4);
	pmu_task_sched_out();
	assert_int_equal(raise_debug(1, true), PMU_DEBUG_FOREIGN);
	assert_int_equal(rig_value(&write), 4);
	pmu_event_close(&write);
	pmu_event_close(&code);
}

TEST(test_rings)
{
	struct perf_event_attr attr = on_write();
	struct pmu_event user, kernel;

	boot();
	attr.exclude_kernel = 1;
	open_breakpoint(&user, attr);
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	open_breakpoint(&kernel, attr);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(raise_debug(3, i < 3), PMU_DEBUG_DONE);
	assert_int_equal(rig_value(&user), 3);
	assert_int_equal(rig_value(&kernel), 2);
	pmu_task_sched_out();
	pmu_event_close(&user);
	pmu_event_close(&kernel);
}

TEST(test_samples)
{
	struct perf_event_attr attr = on_write();
	struct pmu_event e;

	boot();
	attr.sample_period = 3;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	open_breakpoint(&e, attr);
	assert_int_equal(pmu_event_set_output(&e, rig_ring(4)), 0);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 10; i++)
		raise_debug(1, true);
	assert_int_equal(e.books.written, 3);
	/* Two more, and it stops at once. */
	assert_int_equal(pmu_event_refresh(&e, 2), 0);
	for (unsigned i = 0; i < 20; i++)
		raise_debug(1, true);
	assert_int_equal(e.books.written, 5);
	assert_int_equal(rig_value(&e), 15);
	pmu_task_sched_out();
	assert_int_equal(e.state, PMU_STATE_OFF);
	pmu_event_close(&e);
}

static bool watchable(uint64_t address, uint64_t bytes)
{
	return address >= ADDRESS && address + bytes <= ADDRESS + 4096;
}

TEST(test_refusals)
{
	struct perf_event_attr attr = on_write();

	boot();
	refused(breakpoint(HW_BREAKPOINT_R, ADDRESS, 8), EINVAL, "do not tell reads alone");
	refused(breakpoint(HW_BREAKPOINT_EMPTY, ADDRESS, 8), EINVAL, "is on writes, on accesses");
	refused(breakpoint(HW_BREAKPOINT_X | HW_BREAKPOINT_W, ADDRESS, 8), EINVAL, "is on writes");
	refused(breakpoint(HW_BREAKPOINT_W, ADDRESS, 3), EINVAL, "1, 2, 4 or 8 bytes");
	refused(breakpoint(HW_BREAKPOINT_W, ADDRESS, 0), EINVAL, "1, 2, 4 or 8 bytes");
	refused(breakpoint(HW_BREAKPOINT_W, ADDRESS, 16), EINVAL, "1, 2, 4 or 8 bytes");
	refused(breakpoint(HW_BREAKPOINT_W, ADDRESS + 4, 8), EINVAL, "a multiple of its length, 8");
	refused(breakpoint(HW_BREAKPOINT_X, ADDRESS, 1), EINVAL, "execution has length 8");
	attr.config = 1;
	refused(attr, EINVAL, "config has no meaning");
	rig.host.watchable = watchable;
	refused(breakpoint(HW_BREAKPOINT_W, 0x1000, 8), EPERM, "which are all that is watched");
	attr = breakpoint(HW_BREAKPOINT_W, 0x1000, 8);
	attr.exclude_kernel = 1;
	refused(attr, EINVAL, "and exclude_kernel is set");
}

TEST(test_modify)
{
	struct perf_event_attr attr = on_write();
	struct reason why;
	struct pmu_event e;

	boot();
	open_breakpoint(&e, attr);
	pmu_task_sched_in(&rig.task);
	raise_debug(1, true);
	attr = breakpoint(HW_BREAKPOINT_RW, ADDRESS + 16, 4);
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), 0);
	assert_int_equal(shim.dr[0], ADDRESS + 16);
	assert_int_equal(shim.dr[7], DR7_FIXED | 2 | 0xfull << 16);
	raise_debug(1, true);
	assert_int_equal(rig_value(&e), 2);
	attr.disabled = 1;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), 0);
	assert_int_equal(shim.dr[7], DR7_FIXED);
	attr.disabled = 0;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), 0);
	assert_int_equal(e.state, PMU_STATE_ACTIVE);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

/* A refused change leaves the event as it was. */
TEST(test_modify_refusals)
{
	struct perf_event_attr attr = on_write();
	struct pmu_event e, hardware;
	struct reason why;

	boot();
	open_breakpoint(&e, attr);
	open_breakpoint(&hardware, rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES));
	pmu_task_sched_in(&rig.task);
	attr.bp_len = 3;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), -EINVAL);
	attr = on_write();
	attr.exclude_kernel = 1;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), -EINVAL);
	assert_non_null(strstr(why.text, "nothing of a breakpoint can be modified but"));
	attr = on_write();
	attr.size = 8;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), -E2BIG);
	attr = hardware.attr;
	assert_int_equal(pmu_event_modify_attributes(&e, &attr, &why), -EINVAL);
	assert_int_equal(pmu_event_modify_attributes(&hardware, &attr, &why), -EOPNOTSUPP);
	assert_int_equal(e.state, PMU_STATE_ACTIVE);
	assert_int_equal(hardware.state, PMU_STATE_ACTIVE);
	assert_int_equal(shim.dr[7], DR7_FIXED | 2 | 0x9ull << 16);
	pmu_task_sched_out();
	pmu_event_close(&e);
	pmu_event_close(&hardware);
}

/* Opening or modifying a breakpoint schedules all events anew. */
TEST(test_setting_and_modifying_schedule)
{
	struct perf_event_attr attr = on_write(), cycles = rig_attr(PERF_TYPE_RAW, 0x00c4);
	struct pmu_event breakpoint_event, first[4], waiting;
	uint64_t schedules;

	boot();
	for (unsigned i = 0; i < 4; i++)
		open_breakpoint(&first[i], cycles);
	open_breakpoint(&waiting, cycles);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(waiting.state, PMU_STATE_INACTIVE);
	pmu_event_disable(&first[0]);
	assert_int_equal(waiting.state, PMU_STATE_INACTIVE);
	open_breakpoint(&breakpoint_event, attr);
	assert_int_equal(waiting.state, PMU_STATE_ACTIVE);
	schedules = pmu_stats()->schedules;
	assert_int_equal(pmu_event_modify_attributes(&breakpoint_event, &attr, NULL), 0);
	assert_true(pmu_stats()->schedules > schedules);
	pmu_task_sched_out();
	pmu_event_close(&breakpoint_event);
	pmu_event_close(&waiting);
	for (unsigned i = 0; i < 4; i++)
		pmu_event_close(&first[i]);
}
