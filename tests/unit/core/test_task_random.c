// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_random.c - thousands of random operations on events of several tasks, sets and the CPU.
 * The test checks the invariants after each operation. Every event occurs once a ns of ring 3, so
 * its count is its running time.
 */
#include "lib/bits.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/state/event_times.h"

#include <string.h>

#include "tests/unit/test.h"

#define OPERATIONS 8000
#define EVENTS     32
#define TASKS      3
#define SETS       3
#define SLICE_US   100
#define TID(i)     (100 + (int)(i))

/* An event, and its expected state after the last operation. */
struct slot {
	struct pmu_event e;
	bool open;
	uint64_t since; /* its running time when it was last reset */
};

static struct {
	uint64_t seed;
	struct slot slots[EVENTS];
	struct pmu_task tasks[TASKS];
	bool alive[TASKS];
	int running; /* -1: none */
	uint64_t closed_overflows;
	uint64_t rare; /* instructions by an event that few counters can count */
	unsigned opened, errors, rotated, hung; /* cases that the test reached */
} world;

static uint64_t random_choice(uint64_t n)
{
	world.seed = world.seed * 6364136223846793005ull + 1442695040888963407ull;
	return (world.seed >> 33) % n;
}

static bool happens_one_in(unsigned n)
{
	return random_choice(n) == 0;
}

/* `m` walks over all events of the core, opened and inherited. */
#define for_each_member(m)                                                   \
	for (struct slot *s_ = world.slots; s_ < world.slots + EVENTS; s_++) \
		if (s_->open)                                                \
			for (struct pmu_event *m = &s_->e; m;                \
			     m = m == &s_->e ? m->family.children : m->family.next_child)

static struct slot *pick(void)
{
	unsigned first = (unsigned)random_choice(EVENTS);

	for (unsigned i = 0; i < EVENTS; i++)
		if (world.slots[(first + i) % EVENTS].open)
			return &world.slots[(first + i) % EVENTS];
	return NULL;
}

static struct pmu_task *pick_task(void)
{
	unsigned first = (unsigned)random_choice(TASKS);

	for (unsigned i = 0; i < TASKS; i++)
		if (world.alive[(first + i) % TASKS])
			return &world.tasks[(first + i) % TASKS];
	return NULL;
}

static struct pmu_value member_value(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v;
}

/* --- Invariants --- */

/* Does time go on for events with its target? */
static bool target_runs(const struct pmu_event *e)
{
	const struct pmu_task *running = world.running < 0 ? NULL : &world.tasks[world.running];

	if (e->context == &pmu_shared.gone)
		return false;
	if (e->context->task)
		return e->context->task == running;
	return !e->set || (running && running->set == e->set);
}

static bool wants(const struct pmu_event *e)
{
	return target_runs(e) && e->state >= PMU_STATE_INACTIVE &&
	       e->leader->state >= PMU_STATE_INACTIVE;
}

static void check_member(const struct pmu_event *e)
{
	assert_true(e->times.enabled >= e->times.running);
	assert_true(e->context == e->leader->context);
	if (e->leader->state == PMU_STATE_ACTIVE)
		assert_true(e->state != PMU_STATE_INACTIVE);
	if (e->state != PMU_STATE_ACTIVE)
		return;
	assert_true(wants(e));
	assert_int_equal(e->leader->state, PMU_STATE_ACTIVE);
	if (e->class->hardware && !pmu_limit_hit(e))
		assert_ptr_equal(pmu.counters.on[e->place->index], e);
}

/* After a scheduling decision no group of software events waits, and each pinned group counts or is
 * in the error state. */
static void check_decision(void)
{
	for_each_member(m)
	{
		if (m->leader != m || !wants(m) || m->state == PMU_STATE_ACTIVE)
			continue;
		assert_true(m->group.nhardware > 0);
		assert_false(m->attr.pinned);
	}
}

static void check_world(void)
{
	unsigned members = 0, hardware = 0;
	uint64_t overflows = world.closed_overflows;

	for_each_member(m)
	{
		check_member(m);
		members++;
		hardware += m->state == PMU_STATE_ACTIVE && m->class->hardware && !pmu_limit_hit(m);
	}
	assert_int_equal(rig_nevents(), members);
	assert_int_equal(bits_count(pmu.counters.used), hardware);
	for (struct slot *s = world.slots; s < world.slots + EVENTS; s++) {
		struct pmu_books b;
		struct pmu_value v;

		if (!s->open)
			continue;
		v = member_value(&s->e);
		b = pmu_event_books(&s->e);
		assert_int_equal(v.value, v.time_running - s->since);
		assert_int_equal(b.overflows, b.written + b.lost + b.refused);
		overflows += b.overflows;
		world.errors += s->e.state == PMU_STATE_ERROR;
	}
	assert_int_equal(pmu_stats()->books.overflows, overflows);
	if (pmu_tick_multiplexes(&pmu.scheduler.tick))
		assert_int_not_equal(rig.slice_end, 0);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* --- Operations: those that enable, those that must not schedule, and the others --- */

static struct perf_event_attr random_attr(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	if (happens_one_in(3))
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
	else if (happens_one_in(2))
		attr = rig_attr(PERF_TYPE_RAW, world.rare);
	else if (happens_one_in(4))
		attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	attr.exclude_kernel = 1;
	attr.disabled = happens_one_in(3);
	attr.enable_on_exec = happens_one_in(3);
	attr.inherit = happens_one_in(2);
	attr.read_format = random_choice(PERF_FORMAT_MAX);
	if (attr.type != PERF_TYPE_SOFTWARE && happens_one_in(3)) {
		attr.sample_period = 1000 + random_choice(20000);
		attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_STREAM_ID;
	}
	return attr;
}

static void open_alone(struct slot *s, struct perf_event_attr attr)
{
	unsigned long flags = 0;
	int task = TID(random_choice(TASKS)), cpu = -1;

	attr.pinned = happens_one_in(6);
	attr.exclusive = happens_one_in(12);
	if (happens_one_in(3)) {
		task = -1;
		cpu = 0;
	} else if (happens_one_in(3)) {
		task = 1 + (int)random_choice(SETS - 1);
		cpu = 0;
		flags = PERF_FLAG_PID_CGROUP;
	}
	s->open = !pmu_event_open(&s->e, &attr, task, cpu, NULL, flags, &rig.why);
}

/* Mostly draws the target of the group. */
static void open_sibling(struct slot *s, const struct perf_event_attr *attr, struct pmu_event *to)
{
	int task = to->context->task && to->context != &pmu_shared.gone
			   ? (int)to->context->task->tid
			   : -1;
	unsigned long flags = happens_one_in(8) ? PERF_FLAG_FD_OUTPUT : 0;

	if (to->set) {
		task = (int)to->set;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	s->open = !pmu_event_open(&s->e, attr, task, task < 0 || to->set ? 0 : to->cpu,
				  happens_one_in(10) ? NULL : to->leader, flags, &rig.why);
}

static void do_open(void)
{
	const struct perf_event_attr attr = random_attr();
	struct slot *s = &world.slots[random_choice(EVENTS)], *to = pick();

	if (s->open)
		return;
	rig.why.text[0] = '\0';
	if (to && happens_one_in(2))
		open_sibling(s, &attr, &to->e);
	else
		open_alone(s, attr);
	assert_int_equal(s->open, !*rig.why.text);
	s->since = 0;
	world.opened += s->open;
	if (s->open && attr.sample_period && happens_one_in(2))
		pmu_event_set_output(&s->e, rig_ring(1));
}

static void do_close(void)
{
	struct slot *s = pick();
	const struct pmu_value before = s ? member_value(&s->e) : (struct pmu_value){0};

	if (!s)
		return;
	pmu_event_close(&s->e);
	assert_int_equal(member_value(&s->e).value, before.value);
	assert_int_equal(member_value(&s->e).time_enabled, before.time_enabled);
	world.closed_overflows += pmu_event_books(&s->e).overflows;
	s->open = false;
	memset(&s->e, 0xa5, sizeof(s->e));
}

static void do_enable(void)
{
	struct slot *s = pick();

	if (s)
		(happens_one_in(3) ? pmu_group_enable : pmu_event_enable)(&s->e);
}

static void do_disable(void)
{
	struct slot *s = pick();

	if (s)
		(happens_one_in(3) ? pmu_group_disable : pmu_event_disable)(&s->e);
}

static void do_enable_all(void)
{
	struct pmu_task *task = pick_task();

	if (task)
		pmu_task_enable_all(task);
}

static void do_disable_all(void)
{
	struct pmu_task *task = pick_task();

	if (task)
		pmu_task_disable_all(task);
}

static void do_exec(void)
{
	struct pmu_task *task = pick_task();

	if (task)
		pmu_task_exec(task);
}

static void do_refresh(void)
{
	struct slot *s = pick();

	if (s && !pmu_event_refresh(&s->e, 1 + random_choice(3)))
		world.hung++;
}

static void do_period(void)
{
	struct slot *s = pick();

	if (s)
		pmu_event_set_period(&s->e, 500 + random_choice(5000));
}

static void do_reset(void)
{
	struct slot *s = pick();

	if (!s)
		return;
	pmu_event_reset(&s->e);
	s->since = member_value(&s->e).time_running;
}

static void do_read(void)
{
	struct slot *s = pick();
	uint64_t words[4 + 4 * EVENTS];
	int n;

	if (!s)
		return;
	n = pmu_event_read_format(&s->e, words, sizeof(words));
	assert_int_equal(n == 0, s->e.state == PMU_STATE_ERROR);
	if (n && !(s->e.attr.read_format & PERF_FORMAT_GROUP))
		assert_int_equal(words[0], member_value(&s->e).value);
}

static void do_out(void)
{
	if (world.running >= 0)
		pmu_task_sched_out();
	world.running = -1;
}

/* Switches from one task to another, or to none first. */
static void do_switch(void)
{
	const struct pmu_task *task = pick_task();
	const bool none = !task || happens_one_in(4);

	if (none || happens_one_in(2))
		do_out();
	if (none)
		return;
	world.running = (int)(task - world.tasks);
	pmu_task_sched_in(&world.tasks[world.running]);
}

static void do_move(void)
{
	struct pmu_task *task = pick_task();

	if (task)
		pmu_task_move(task, (uint32_t)random_choice(SETS));
}

/* Sometimes there is no room for all events to inherit. */
static void do_init(void)
{
	unsigned i = (unsigned)random_choice(TASKS);
	struct pmu_task *parent = happens_one_in(4) ? NULL : pick_task();

	if (world.alive[i])
		return;
	rig.alloc_most =
		happens_one_in(3) ? rig.allocated + (unsigned)random_choice(4) : UINT32_MAX;
	pmu_task_init(&world.tasks[i], (uint32_t)TID(i), (uint32_t)TID(i), parent);
	world.alive[i] = true;
}

static void do_exit(void)
{
	unsigned i = (unsigned)random_choice(TASKS);

	if (!world.alive[i] || world.running == (int)i)
		return;
	pmu_task_exit(&world.tasks[i]);
	memset(&world.tasks[i], 0xa5, sizeof(world.tasks[i]));
	world.alive[i] = false;
}

/* Enabled time goes on for the events that want to count while their target runs, and for no
 * others. */
static void do_run(void)
{
	const uint64_t ns = 1 + random_choice(3 * SLICE_US * 1000);
	struct {
		struct pmu_event *e;
		uint64_t enabled;
		bool wants;
	} before[PMU_MAX_EVENTS] = {{NULL, 0, false}};
	unsigned n = 0, rotations = (unsigned)pmu_stats()->rotations;

	for_each_member(m)
	{
		before[n].e = m;
		before[n].enabled = pmu_times_at(m, pmu_time()).enabled;
		before[n++].wants = wants(m);
	}
	rig_go(ns);
	world.rotated += (unsigned)pmu_stats()->rotations - rotations;
	while (n--) {
		struct pmu_event *e = before[n].e;
		uint64_t delta = pmu_times_at(e, pmu_time()).enabled - before[n].enabled;

		if (!before[n].wants)
			assert_int_equal(delta, 0);
		else if (wants(e) && !pmu_limit_hit(e))
			assert_int_equal(delta, ns);
		else
			assert_true(delta <= ns);
	}
}

static const struct {
	void (*fn)(void);
	unsigned weight;
	bool enables;   /* may end errors */
	bool schedules; /* may decide anew */
} operations[] = {
	{do_run, 30, false, true},         {do_open, 24, false, true},
	{do_close, 8, false, false},       {do_enable, 8, true, true},
	{do_disable, 8, false, false},     {do_enable_all, 1, true, true},
	{do_disable_all, 1, false, false}, {do_exec, 3, true, true},
	{do_refresh, 4, true, true},       {do_period, 3, false, false},
	{do_reset, 4, false, false},       {do_read, 4, false, false},
	{do_switch, 16, false, true},      {do_move, 4, false, true},
	{do_init, 4, false, false},        {do_exit, 3, false, false},
};

static void operate(void)
{
	unsigned total = 0, i = 0;
	uint64_t at, schedules = pmu_stats()->schedules;
	struct pmu_event *in_error[PMU_MAX_EVENTS];
	unsigned errors = 0;

	for (size_t k = 0; k < sizeof(operations) / sizeof(operations[0]); k++)
		total += operations[k].weight;
	for (at = random_choice(total); at >= operations[i].weight; i++)
		at -= operations[i].weight;
	if (!operations[i].enables && operations[i].fn != do_close && operations[i].fn != do_exit)
		for_each_member(m) if (m->state == PMU_STATE_ERROR) in_error[errors++] = m;
	operations[i].fn();
	while (errors--)
		assert_int_equal(in_error[errors]->state, PMU_STATE_ERROR);
	if (!operations[i].schedules)
		assert_int_equal(pmu_stats()->schedules, schedules);
	if (pmu_stats()->schedules != schedules)
		check_decision();
	check_world();
}

static void exit_all_tasks(void)
{
	do_out();
	for (unsigned i = 0; i < TASKS; i++)
		if (world.alive[i])
			pmu_task_exit(&world.tasks[i]);
	check_world();
	assert_int_equal(rig.allocated, 0);
	for (struct slot *s = world.slots; s < world.slots + EVENTS; s++)
		if (s->open)
			pmu_event_close(&s->e);
	assert_int_equal(rig_nevents(), 0);
	assert_int_equal(pmu.counters.used, 0);
	assert_null(pmu.cpu->leaders);
	assert_null(pmu_shared.gone.leaders);
	assert_null(pmu.cpu->tick.flexible);
	assert_null(pmu.cpu->tick.pinned);
	assert_int_equal(pmu.cpu->nsoftware + pmu_shared.gone.nsoftware, 0);
}

static void run_world(const char *uarch, uint64_t rare, enum pmu_policy policy, uint64_t seed)
{
	rig_boot(uarch, true);
	memset(&world, 0, sizeof(world));
	world.seed = seed;
	world.rare = rare;
	world.running = -1;
	pmu_set_mux_interval_us(SLICE_US);
	pmu_set_policy(policy);
	for (unsigned i = 0; i < OPERATIONS; i++)
		operate();
	assert_true(world.opened > 400 && world.errors > 100);
	assert_true(world.rotated > 100 && world.hung > 10);
	exit_all_tasks();
}

TEST(test_policy_perf)
{
	run_world("hsw", 0x1c0, PMU_POLICY_PERF, 5);
	run_world("zen4", 0xc0, PMU_POLICY_PERF, 5);
}

TEST(test_policy_fair)
{
	run_world("hsw", 0x1c0, PMU_POLICY_FAIR, 3);
	run_world("zen4", 0xc0, PMU_POLICY_FAIR, 4);
}
