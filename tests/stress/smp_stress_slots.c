// SPDX-License-Identifier: BSD-2-Clause
/*
 * smp_stress_slots.c - the events that stress-smp operates on. One CPU at a time opens, enables,
 * disables, resets, reads or closes an event, or changes its period. Events sample into rings that
 * any CPU reads.
 */
#include "tests/stress/smp_parts.h"

#define SLOTS 20
#define GROUP 2

static struct slot {
	bool busy;
	bool open, enabled;
	unsigned first, n; /* those of them that are open, the leader first */
	struct pmu_event e[GROUP];
	uint64_t since[GROUP]; /* it ran so long when its count was last reset */
	bool samples;
} slots[SLOTS];

static struct rb rings[SMP_CPUS];
static uint8_t storage[SMP_CPUS][5 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct lock readers[SMP_CPUS];
static uint64_t samples_read;
static uint64_t overflows_closed;

struct perf_event_attr instructions(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	return attr;
}

/* Draws a target: a task on any CPU, a task on one CPU, or a CPU. */
static void choose_target(int *task, int *cpu)
{
	*cpu = below(2) ? (int)below(ncpus) : -1;
	*task = -1;
	if (*cpu < 0 || below(2))
		*task = (int)__atomic_load_n(&world.next_tid, __ATOMIC_RELAXED) - 1 -
			(int)below(TASKS);
}

static void open_slot(struct slot *s)
{
	struct perf_event_attr attr = instructions();
	int task, cpu;

	choose_target(&task, &cpu);
	attr.disabled = below(2);
	attr.inherit = task >= 0 && below(2);
	s->samples = below(2);
	if (s->samples) {
		attr.sample_period = 50 + below(500);
		attr.freq = !below(4);
		attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	}
	s->enabled = !attr.disabled;
	s->first = 0;
	for (s->n = 0; s->n < GROUP; s->n++) {
		s->since[s->n] = 0;
		if (pmu_event_open(&s->e[s->n], &attr, task, cpu, s->n ? &s->e[0] : NULL, 0, NULL))
			break;
		s->open = true;
		if (s->samples && cpu >= 0)
			CHECK(!pmu_event_set_output(&s->e[s->n], &rings[cpu]), "no output");
		attr.disabled = 0;
		if (below(2)) {
			s->n++;
			break;
		}
	}
}

static struct pmu_event *leader_of(struct slot *s)
{
	return &s->e[s->first];
}

static void close_event(struct pmu_event *e)
{
	pmu_event_close(e);
	__atomic_fetch_add(&overflows_closed, pmu_event_books(e).overflows, __ATOMIC_RELAXED);
}

/* Closes the leader before its sibling, or the sibling first. */
static void close_slot(struct slot *s)
{
	const unsigned n = s->n - s->first;

	for (unsigned i = 0, start = below(2); i < n; i++)
		close_event(&s->e[s->first + (i + start) % n]);
	s->open = false;
}

/* Closes the leader alone. Its enabled sibling goes on by itself. */
static void close_leader(struct slot *s)
{
	if (s->n - s->first < 2)
		return;
	close_event(leader_of(s));
	s->first++;
	s->enabled = true;
}

/* Checks that the event counted an instruction for each ns of its running time. */
static void check_event(const struct slot *s, unsigned i)
{
	struct pmu_value v;

	pmu_event_read((struct pmu_event *)&s->e[i], &v);
	CHECK(v.value == v.time_running - s->since[i],
	      "counted %llu in %llu ns (%llu of them before)", (unsigned long long)v.value,
	      (unsigned long long)v.time_running, (unsigned long long)s->since[i]);
	CHECK(v.time_running <= v.time_enabled, "ran longer than it was enabled");
}

static void check_slot(struct slot *s)
{
	for (unsigned i = s->first; i < s->n; i++)
		check_event(s, i);
}

static void set_enabled(struct slot *s, bool on)
{
	s->enabled = on;
	if (on)
		pmu_event_enable(leader_of(s));
	else
		pmu_event_disable(leader_of(s));
}

/* A disabled event does not count. */
static void reset_slot(struct slot *s)
{
	struct pmu_value v;

	set_enabled(s, false);
	for (unsigned i = s->first; i < s->n; i++) {
		pmu_event_reset(&s->e[i]);
		pmu_event_read(&s->e[i], &v);
		CHECK(v.value <= v.time_running, "reset");
		s->since[i] = v.time_running - v.value;
	}
}

static void read_leader(struct slot *s)
{
	uint64_t words[3];

	CHECK(pmu_event_read_format(leader_of(s), words, sizeof(words)) == 8, "read");
}

static void operate_on(struct slot *s)
{
	if (!s->open) {
		open_slot(s);
		return;
	}
	switch (below(9)) {
	case 0:
		close_slot(s);
		break;
	case 1:
		set_enabled(s, true);
		break;
	case 2:
		set_enabled(s, false);
		break;
	case 3:
		reset_slot(s);
		break;
	case 4:
		if (s->samples)
			pmu_event_set_period(&s->e[s->first + below(s->n - s->first)],
					     50 + below(500));
		break;
	case 5:
		read_leader(s);
		break;
	case 6:
		close_leader(s);
		break;
	default:
		check_slot(s);
	}
}

void slots_operate(void)
{
	struct slot *s = &slots[below(SLOTS)];

	if (__atomic_exchange_n(&s->busy, true, __ATOMIC_ACQUIRE))
		return;
	operate_on(s);
	add_one(&world.operations);
	__atomic_store_n(&s->busy, false, __ATOMIC_RELEASE);
}

/* Any CPU may read any CPU's ring. */
void slots_drain(unsigned cpu)
{
	static _Thread_local uint8_t buffer[4 * RB_PAGE_SIZE];
	size_t n;

	lock_take(&readers[cpu]);
	n = rb_read(&rings[cpu], buffer, sizeof(buffer));
	lock_release(&readers[cpu]);
	for (size_t at = 0; at < n;) {
		const struct perf_event_header *h = (const void *)(buffer + at);

		if (h->type == PERF_RECORD_SAMPLE)
			__atomic_fetch_add(&samples_read, 1, __ATOMIC_RELAXED);
		at += h->size;
	}
}

void slots_begin(void)
{
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		CHECK(!rb_init(&rings[cpu], storage[cpu], 4), "no ring");
}

uint64_t slots_check(void)
{
	uint64_t overflows = overflows_closed, written = 0;

	for (struct slot *s = slots; s < slots + SLOTS; s++) {
		if (!s->open)
			continue;
		check_slot(s);
		CHECK((leader_of(s)->state >= PMU_STATE_INACTIVE) == s->enabled,
		      "an event is not as it was ordered to be");
		for (unsigned i = s->first; i < s->n; i++) {
			struct pmu_books b = pmu_event_books(&s->e[i]);

			equal("books", b.written + b.lost + b.refused, b.overflows);
			overflows += b.overflows;
		}
		close_slot(s);
	}
	equal("overflows", pmu_stats()->books.overflows, overflows);
	written = pmu_stats()->books.written;
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		slots_drain(cpu);
	equal("samples", samples_read, written);
	return samples_read;
}
