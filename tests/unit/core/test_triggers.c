// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_triggers.c - operations that schedule, and operations that do not. When a counter becomes
 * free, an event that waits for it goes on waiting until an operation schedules.
 */
#include "lib/bits.h"
#include "pmu/state/state.h"
#include "pmu/own/watchdog.h"
#include "tests/shim/rig.h"

#include <linux/hw_breakpoint.h>
#include <string.h>

#include "tests/unit/test.h"

#define SLICE    (PMU_MUX_INTERVAL_US * 1000ull)
#define CLOCK    rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define COUNTERS 4 /* as skx has with hyper-threading on */
#define PERIOD   1000
#define ADDRESS  0x400000001000
#define SET      5

/* Pinned events of the task hold all counters; a group of the CPU waits. */
struct scene {
	struct pmu_event holds[COUNTERS], clock; /* the first one leads a group with a clock */
	struct pmu_event waits, waits_too;       /* branches and a clock */
	struct pmu_event off;                    /* disabled, enabled on exec */
	struct pmu_event watch;                  /* a breakpoint */
	struct pmu_event more;                   /* triggers open it */
	struct pmu_task away;
};

static struct perf_event_attr branches(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, 0xc4);

	attr.exclude_kernel = 1;
	return attr;
}

static struct perf_event_attr breakpoint(uint64_t address)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_len = 8;
	attr.bp_addr = address;
	return attr;
}

static void open_trigger(struct pmu_event *e, struct perf_event_attr attr, int task,
			 struct pmu_event *leader)
{
	int got = pmu_event_open(e, &attr, task, task == -1 ? 0 : -1, leader, 0, &rig.why);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void open_holders(struct scene *s)
{
	struct perf_event_attr attr = branches();

	attr.pinned = 1;
	attr.sample_period = PERIOD;
	for (unsigned i = 0; i < COUNTERS; i++)
		open_trigger(&s->holds[i], attr, RIG_TID, NULL);
	open_trigger(&s->clock, CLOCK, RIG_TID, &s->holds[0]);
	assert_int_equal(pmu_event_refresh(&s->holds[0], 1), 0);
}

static void set_scene(struct scene *s)
{
	struct perf_event_attr off = CLOCK;

	rig_boot("skx", true);
	memset(s, 0, sizeof(*s));
	pmu_task_init(&s->away, 20, 20, NULL);
	open_holders(s);
	off.disabled = 1;
	off.enable_on_exec = 1;
	off.sample_period = 1000000;
	open_trigger(&s->off, off, RIG_TID, NULL);
	open_trigger(&s->watch, breakpoint(ADDRESS), RIG_TID, NULL);
	pmu_task_sched_in(&rig.task);
	open_trigger(&s->waits, branches(), -1, NULL);
	open_trigger(&s->waits_too, CLOCK, -1, &s->waits);
	rig_go(1000);
	assert_int_equal(bits_count(pmu.counters.used), COUNTERS);
	assert_int_equal(rig_value(&s->waits_too), 0);
}

static void clear_scene(struct scene *s)
{
	struct pmu_event *const all[] = {&s->clock, &s->waits_too, &s->waits,
					 &s->off,   &s->watch,     &s->more};

	pmu_task_sched_out();
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		pmu_event_close(all[i]);
	for (unsigned i = 0; i < COUNTERS; i++)
		pmu_event_close(&s->holds[i]);
	assert_int_equal(rig_nevents(), 0);
}

/* --- Operations that free a counter --- */

static void disable(struct scene *s)
{
	pmu_event_disable(&s->holds[0]);
}

static void disable_group(struct scene *s)
{
	pmu_group_disable(&s->clock);
}

static void disable_all(struct scene *s)
{
	(void)s;
	pmu_task_disable_all(&rig.task);
}

static void close_sibling_and_leader(struct scene *s)
{
	pmu_event_close(&s->clock);
	pmu_event_close(&s->holds[0]);
}

static void close_leader(struct scene *s)
{
	pmu_event_close(&s->holds[0]);
}

static void reach_limit(struct scene *s)
{
	rig_go(PERIOD * 5 - 1000);
	assert_int_equal(s->holds[0].books.overflows, 1);
}

static const struct {
	const char *name;
	void (*fn)(struct scene *s);
	bool gone; /* nothing can enable it again */
} frees[] = {
	{"disable", disable, false},          {"disable group", disable_group, false},
	{"disable all", disable_all, false},  {"close", close_sibling_and_leader, true},
	{"close leader", close_leader, true}, {"limit", reach_limit, false},
};
#define FREES (sizeof(frees) / sizeof(frees[0]))

/* Nothing was scheduled, and no event has the free counter. */
static void check_waits(const struct scene *s, uint64_t schedules, const char *what)
{
	if (pmu_stats()->schedules != schedules || s->waits.state != PMU_STATE_INACTIVE ||
	    s->waits.times.running || s->waits_too.times.running ||
	    bits_count(pmu.counters.used) >= COUNTERS)
		fail_msg("%s: schedules", what);
}

static void free_counter(struct scene *s, size_t i)
{
	uint64_t schedules = pmu_stats()->schedules;

	frees[i].fn(s);
	check_waits(s, schedules, frees[i].name);
	rig_go(1000);
	check_waits(s, schedules, frees[i].name);
}

/* --- Operations that schedule --- */

static void context_switch(struct scene *s)
{
	(void)s;
	pmu_task_sched_out();
	pmu_task_sched_in(&rig.task);
}

static void switch_to_another(struct scene *s)
{
	pmu_task_sched_out();
	pmu_task_sched_in(&s->away);
}

static void enable(struct scene *s)
{
	pmu_event_enable(&s->off);
}

static void enable_group(struct scene *s)
{
	pmu_group_enable(&s->off);
}

static void enable_all(struct scene *s)
{
	(void)s;
	pmu_task_enable_all(&rig.task);
}

static void refresh(struct scene *s)
{
	assert_int_equal(pmu_event_refresh(&s->off, 1), 0);
}

static void exec(struct scene *s)
{
	(void)s;
	pmu_task_exec(&rig.task);
}

static void modify(struct scene *s)
{
	const struct perf_event_attr attr = breakpoint(ADDRESS + 8);

	assert_int_equal(pmu_event_modify_attributes(&s->watch, &attr, &rig.why), 0);
}

static void open_enabled(struct scene *s)
{
	open_trigger(&s->more, CLOCK, RIG_TID, NULL);
}

static void open_on_cpu(struct scene *s)
{
	open_trigger(&s->more, CLOCK, -1, NULL);
}

static void set_breakpoint(struct scene *s)
{
	open_trigger(&s->more, breakpoint(ADDRESS + 64), RIG_TID, NULL);
}

static void run_mux_timer(struct scene *s)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};

	(void)s;
	pmu_mux_timer(&regs);
}

static void move_between_sets(struct scene *s)
{
	(void)s;
	pmu_task_move(&rig.task, SET);
}

/* It needs a counter, too: another counter has to be free. */
static void let_transactions_run(struct scene *s)
{
	pmu_event_close(&s->holds[1]);
	assert_int_equal(s->waits.state, PMU_STATE_INACTIVE);
	assert_int_equal(pmu_set_tfa(false, &rig.why), 0);
}

static uint64_t watchdog_hz(void)
{
	return 1000000000;
}

static void beat_arm(uint64_t ns)
{
	(void)ns;
}

static void fail_by_lockup(const struct pmu_regs *regs, unsigned seconds)
{
	(void)regs;
	fail_msg("a lockup of %u s", seconds);
}

static const struct pmu_watchdog_host watchdog_host = {watchdog_hz, beat_arm, fail_by_lockup};

static void watchdog_on(struct scene *s)
{
	(void)s;
	assert_int_equal(pmu_watchdog_on(&watchdog_host, 10, &rig.why), 0);
}

static void change_policy(struct scene *s)
{
	(void)s;
	pmu_set_policy(PMU_POLICY_PERF);
}

static const struct {
	const char *name;
	void (*fn)(struct scene *s);
	bool all; /* enables the event that gave its counter up */
} triggers[] = {
	{"context switch", context_switch, false},
	{"switch to another task", switch_to_another, false},
	{"enable", enable, false},
	{"enable group", enable_group, false},
	{"enable all", enable_all, true},
	{"refresh", refresh, false},
	{"enable on exec", exec, false},
	{"modify attributes", modify, false},
	{"open", open_enabled, false},
	{"open on the CPU", open_on_cpu, false},
	{"set a breakpoint", set_breakpoint, false},
	{"end of a slice", run_mux_timer, false},
	{"move between sets", move_between_sets, false},
	{"transactions", let_transactions_run, false},
	{"watchdog", watchdog_on, false},
	{"policy", change_policy, false},
};
#define TRIGGERS (sizeof(triggers) / sizeof(triggers[0]))

static void pull(size_t freed, size_t trigger)
{
	struct scene s;
	uint64_t schedules;

	set_scene(&s);
	free_counter(&s, freed);
	schedules = pmu_stats()->schedules;
	triggers[trigger].fn(&s);
	if (pmu_stats()->schedules != schedules + 1 || s.waits.state != PMU_STATE_ACTIVE)
		fail_msg("%s, %s: %u decisions, state %d", frees[freed].name,
			 triggers[trigger].name, (unsigned)(pmu_stats()->schedules - schedules),
			 s.waits.state);
	rig_go(1000);
	assert_int_equal(rig_value(&s.waits), 200);
	assert_int_equal(rig_value(&s.waits_too), 1000);
	pmu_watchdog_off();
	clear_scene(&s);
}

TEST(test_triggers)
{
	for (size_t freed = 0; freed < FREES; freed++)
		for (size_t trigger = 0; trigger < TRIGGERS; trigger++)
			if (frees[freed].gone || !triggers[trigger].all)
				pull(freed, trigger);
}

/* --- Operations that do not schedule --- */

static void reset(struct scene *s)
{
	pmu_event_reset(&s->holds[1]);
	pmu_group_reset(&s->waits);
}

static void set_period(struct scene *s)
{
	assert_int_equal(pmu_event_set_period(&s->holds[1], 2 * PERIOD), 0);
}

static void set_output(struct scene *s)
{
	assert_int_equal(pmu_event_set_output(&s->holds[1], rig_ring(1)), 0);
}

static void set_name(struct scene *s)
{
	pmu_event_set_name(&s->waits, "waits");
}

static void set_interval(struct scene *s)
{
	(void)s;
	assert_int_equal(pmu_set_mux_interval_us(2 * PMU_MUX_INTERVAL_US), 0);
}

static void read_values(struct scene *s)
{
	uint64_t word;

	rig_value(&s->holds[1]);
	pmu_event_read_format(&s->waits, &word, sizeof(word));
}

static void ask_whether_all_fit(struct scene *s)
{
	(void)s;
	pmu_task_fits(&rig.task, NULL);
}

static void open_disabled(struct scene *s)
{
	struct perf_event_attr attr = branches();

	attr.disabled = 1;
	open_trigger(&s->more, attr, RIG_TID, NULL);
}

static void open_for_a_task_that_is_away(struct scene *s)
{
	open_trigger(&s->more, branches(), (int)s->away.tid, NULL);
}

static void open_what_is_refused(struct scene *s)
{
	struct perf_event_attr attr = branches();

	attr.pinned = 1;
	assert_true(pmu_event_open(&s->more, &attr, RIG_TID, -1, &s->holds[1], 0, &rig.why) < 0);
}

static void modify_and_disable(struct scene *s)
{
	struct perf_event_attr attr = breakpoint(ADDRESS + 8);

	attr.disabled = 1;
	assert_int_equal(pmu_event_modify_attributes(&s->watch, &attr, &rig.why), 0);
}

static void exec_with_nothing_to_enable(struct scene *s)
{
	pmu_event_close(&s->off);
	pmu_task_exec(&rig.task);
}

static void move_a_task_that_is_away(struct scene *s)
{
	pmu_task_move(&s->away, SET);
}

static void tasks_come_and_go(struct scene *s)
{
	struct pmu_task child;

	pmu_task_init(&child, 21, 21, &rig.task);
	pmu_task_exit(&child);
	pmu_task_exit(&s->away);
}

static void disable_another(struct scene *s)
{
	pmu_event_disable(&s->holds[1]);
}

static const struct {
	const char *name;
	void (*fn)(struct scene *s);
} others[] = {
	{"reset", reset},
	{"set period", set_period},
	{"set output", set_output},
	{"set name", set_name},
	{"set interval", set_interval},
	{"read", read_values},
	{"fits", ask_whether_all_fit},
	{"open disabled", open_disabled},
	{"open for a task that is away", open_for_a_task_that_is_away},
	{"open what is refused", open_what_is_refused},
	{"modify and disable", modify_and_disable},
	{"exec with nothing to enable", exec_with_nothing_to_enable},
	{"move a task that is away", move_a_task_that_is_away},
	{"tasks come and go", tasks_come_and_go},
	{"disable another", disable_another},
};

TEST(test_no_triggers)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct scene s;
		uint64_t schedules;

		set_scene(&s);
		free_counter(&s, 0);
		schedules = pmu_stats()->schedules;
		others[i].fn(&s);
		check_waits(&s, schedules, others[i].name);
		rig_go(1000);
		check_waits(&s, schedules, others[i].name);
		clear_scene(&s);
	}
}
