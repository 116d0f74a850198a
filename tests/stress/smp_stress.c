// SPDX-License-Identifier: BSD-2-Clause
/*
 * smp_stress.c - each CPU is a thread, with tasks that begin, fork, move to other CPUs and exit.
 *Each CPU also operates on events of other CPUs: it opens, enables, disables, resets, reads and
 *closes them, and changes their periods.
 *
 *	stress-smp [SECONDS [CPUS [SEED [SHAKE]]]]
 *
 * An instruction takes 1 ns, and events count instructions of ring 3. So after any operations an
 * event's count must equal its running time in ns. Some events are never operated on, and must have
 * counted all instructions. Status 0: all counts are right, each event is in its last ordered
 *state, and samples and losses add up.
 *
 * SEED determines the operations of each CPU. A CPU gives up the host's CPU at one of SHAKE
 *critical places (tests/shim/shake.h; 0: at none). How the CPUs meet depends on the host. The
 *output has all parameters.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/bits.h"
#include "lib/panic.h"
#include "tests/shim/shake.h"
#include "tests/stress/smp_parts.h"

#define ROOTS  6
#define VARIED 2    /* of these, with events of several kinds; the others have the same one each */
#define LEAST  1000 /* switches, however long they take on a busy host */

unsigned ncpus = 4;
static time_t until;
static uint64_t seed = 1;
static unsigned shaking = 256;

static _Thread_local uint64_t random_state;

struct world world = {.next_tid = 100};

unsigned below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 20) % n;
}

_Noreturn __attribute__((format(printf, 1, 2))) void complain(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "stress-smp: %u CPUs, seed %llu, shaken at 1 of %u: %s\n", ncpus,
		(unsigned long long)seed, shaking, text);
	abort();
}

void equal(const char *what, uint64_t is, uint64_t should)
{
	CHECK(is == should, "%s: %llu instead of %llu", what, (unsigned long long)is,
	      (unsigned long long)should);
}

static void complain_of_panic(const char *reason)
{
	complain("%s", reason);
}

/* --- Tasks: each is free, in the queue, or on a CPU --- */

enum { FREE, QUEUED, RUNNING };

static struct worker *take(int from, int to)
{
	struct worker *found = NULL;
	unsigned first = below(TASKS);

	lock_take(&world.lock);
	for (unsigned i = 0; !found && i < TASKS; i++)
		if (world.tasks[(first + i) % TASKS].state == from)
			found = &world.tasks[(first + i) % TASKS];
	if (found)
		found->state = to;
	lock_release(&world.lock);
	return found;
}

static void set_worker_state(struct worker *w, int state)
{
	lock_take(&world.lock);
	w->state = state;
	lock_release(&world.lock);
}

/* A task may exit if more tasks of its kind are alive than at first. */
static bool may_exit(const struct worker *w)
{
	bool may;

	lock_take(&world.lock);
	may = world.alive[w->varied] > (w->varied ? VARIED : ROOTS - VARIED);
	world.alive[w->varied] -= may;
	lock_release(&world.lock);
	return may;
}

static void fork_from(struct worker *parent)
{
	struct worker *child = take(FREE, RUNNING);
	uint32_t tid;

	if (!child)
		return;
	tid = __atomic_fetch_add(&world.next_tid, 1, __ATOMIC_RELAXED);
	CHECK(!pmu_task_init(&child->task, tid, tid, &parent->task), "fork failed");
	child->last_cpu = -1;
	child->varied = parent->varied;
	lock_take(&world.lock);
	world.alive[child->varied]++;
	child->state = QUEUED;
	lock_release(&world.lock);
	add_one(&world.forks);
}

/* --- Events that no CPU operates on --- */

static struct pmu_event all[ROOTS], bound[ROOTS][SMP_CPUS], moves[ROOTS], wide[SMP_CPUS];

static void must_open_event(struct pmu_event *e, struct perf_event_attr attr, int task, int cpu)
{
	struct reason why = {""};

	CHECK(!pmu_event_open(e, &attr, task, cpu, NULL, 0, &why), "%s", why.text);
}

static void open_steady(void)
{
	struct perf_event_attr attr = instructions(),
			       migrations =
				       rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);

	attr.inherit = migrations.inherit = 1;
	for (unsigned i = 0; i < ROOTS; i++) {
		must_open_event(&all[i], attr, (int)(100 + i), -1);
		if (i >= VARIED)
			continue;
		must_open_event(&moves[i], migrations, (int)(100 + i), -1);
		for (unsigned cpu = 0; cpu < ncpus; cpu++)
			must_open_event(&bound[i][cpu], attr, (int)(100 + i), (int)cpu);
	}
	attr.inherit = 0;
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		must_open_event(&wide[cpu], attr, -1, (int)cpu);
}

static uint64_t sum_of(struct pmu_event *e, unsigned n, bool enabled)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++) {
		struct pmu_value v;

		pmu_event_read(&e[i], &v);
		sum += enabled ? v.time_enabled : v.value;
	}
	return sum;
}

/* --- A CPU --- */

/* Checks that each counting event has a counter of its own, which is on. Returns their number. */
static unsigned count_placed(const struct pmu_context *context)
{
	unsigned n = 0;

	for (const struct pmu_event *l = context->leaders; l; l = l->next_leader)
		for (const struct pmu_event *e = l; e; e = e->next_sibling) {
			if (e->state != PMU_STATE_ACTIVE || !e->class->hardware)
				continue;
			CHECK(e->tick.counter < PMU_COUNTERS &&
				      pmu.counters.on[e->tick.counter] == e &&
				      pmu.counters.used >> e->tick.counter & 1,
			      "an event counts on CPU %u, but not on counter %u", pmu.number,
			      e->tick.counter);
			n++;
		}
	return n;
}

/* Checks that every used counter belongs to an event of this CPU or of the task that runs here. */
static void check_counters(void)
{
	unsigned n = count_placed(pmu.cpu) + (pmu.task ? count_placed(&pmu.task->context) : 0);

	CHECK(n == bits_count(pmu.counters.used), "%u events count on CPU %u, on %u counters", n,
	      pmu.number, bits_count(pmu.counters.used));
}

static void run_worker(struct worker *w)
{
	const uint64_t ns = 1 + below(300);

	rig_go(ns);
	world.user[pmu.number] += ns;
	if (w)
		world.executed[pmu.number] += ns;
	smp_serve();
	check_counters();
}

static void live(struct worker *w)
{
	for (unsigned turns = 1 + below(4); turns; turns--) {
		run_worker(w);
		if (!below(3))
			slots_operate();
		if (!below(20))
			slots_drain(below(ncpus));
		if (w && !below(12))
			fork_from(w);
	}
}

static void note_move(struct worker *w)
{
	const int cpu = (int)pmu.number;

	world.migrations[cpu] += w->varied && w->last_cpu >= 0 && w->last_cpu != cpu;
	w->last_cpu = cpu;
}

static void come(struct worker *w)
{
	note_move(w);
	pmu_task_switch(&w->task, below(2));
	add_one(&world.switches);
}

static void requeue_or_exit(struct worker *w)
{
	if (below(10) || !may_exit(w)) {
		set_worker_state(w, QUEUED);
		return;
	}
	pmu_task_exit(&w->task);
	add_one(&world.exits);
	set_worker_state(w, FREE);
}

/* Runs some tasks one after the other, and then none. */
static void take_turn(void)
{
	struct worker *w = take(QUEUED, RUNNING), *next;

	if (!w) {
		live(NULL);
		return;
	}
	come(w);
	for (live(w); below(4) && (next = take(QUEUED, RUNNING)); live(w)) {
		come(next);
		requeue_or_exit(w);
		w = next;
	}
	pmu_task_sched_out();
	requeue_or_exit(w);
}

static void be_a_cpu(void *arg)
{
	(void)arg;
	random_state = seed * 0x9e3779b97f4a7c15 + pmu.number + 1;
	for (unsigned i = 0; i < 20; i++)
		below(2);
	shake_begin(random_state, shaking);
	while (time(NULL) < until || __atomic_load_n(&world.switches, __ATOMIC_RELAXED) < LEAST)
		take_turn();
}

/* --- All of it --- */

static void boot_world(void)
{
	smp_boot(ncpus, "skx", false);
	for (unsigned i = 0; i < ROOTS; i++) {
		struct worker *w = &world.tasks[i];

		pmu_task_init(&w->task, world.next_tid, world.next_tid, NULL);
		world.next_tid++;
		w->state = QUEUED;
		w->last_cpu = -1;
		w->varied = i < VARIED;
		world.alive[w->varied]++;
	}
	slots_begin();
	open_steady();
}

static uint64_t total(const uint64_t *of_cpus)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		sum += of_cpus[cpu];
	return sum;
}

/* Checks that the event counted an instruction for each ns of its running time. */
static void check_count(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	equal("count of an event that was left alone", v.value, v.time_running);
}

static void check_steady(void)
{
	uint64_t on_cpus = 0;

	for (unsigned i = 0; i < VARIED; i++)
		on_cpus += sum_of(bound[i], ncpus, true);
	equal("time of tasks", sum_of(all, ROOTS, true), total(world.executed));
	equal("time of tasks on each CPU", on_cpus, sum_of(all, VARIED, true));
	equal("migrations", sum_of(moves, VARIED, false), total(world.migrations));
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		equal("time of a CPU", sum_of(&wide[cpu], 1, true), world.user[cpu]);
	for (unsigned i = 0; i < ROOTS; i++)
		check_count(&all[i]);
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		check_count(&wide[cpu]);
}

static void close_world(void)
{
	for (unsigned i = 0; i < ROOTS; i++) {
		pmu_event_close(&all[i]);
		if (i >= VARIED)
			continue;
		pmu_event_close(&moves[i]);
		for (unsigned cpu = 0; cpu < ncpus; cpu++)
			pmu_event_close(&bound[i][cpu]);
	}
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		pmu_event_close(&wide[cpu]);
	for (unsigned i = 0; i < TASKS; i++)
		if (world.tasks[i].state != FREE)
			pmu_task_exit(&world.tasks[i].task);
	equal("events left", rig_nevents(), 0);
	smp_stop();
}

int main(int argc, char **argv)
{
	uint64_t samples;
	const unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 10;

	ncpus = argc > 2 ? (unsigned)atoi(argv[2]) : ncpus;
	seed = argc > 3 ? strtoull(argv[3], NULL, 0) : seed;
	shaking = argc > 4 ? (unsigned)atoi(argv[4]) : shaking;
	if (!seconds || !ncpus || ncpus > SMP_CPUS || !seed) {
		fprintf(stderr,
			"usage: stress-smp [SECONDS [CPUS [SEED [SHAKE]]]], up to %d CPUs\n",
			SMP_CPUS);
		return 2;
	}
	panic_set_handler(complain_of_panic);
	boot_world();
	until = time(NULL) + seconds;
	for (unsigned cpu = 1; cpu < ncpus; cpu++)
		smp_start(cpu, be_a_cpu, NULL);
	be_a_cpu(NULL);
	smp_wait();
	check_steady();
	samples = slots_check();
	printf("%u CPUs, seed %llu, shaken at 1 of %u: %llu switches, %llu of them exchanges, %llu "
	       "migrations, %llu forks, %llu exits, "
	       "%llu operations, %llu samples\n",
	       ncpus, (unsigned long long)seed, shaking, (unsigned long long)world.switches,
	       (unsigned long long)pmu_stats()->exchanges,
	       (unsigned long long)total(world.migrations), (unsigned long long)world.forks,
	       (unsigned long long)world.exits, (unsigned long long)world.operations,
	       (unsigned long long)samples);
	close_world();
	return 0;
}
