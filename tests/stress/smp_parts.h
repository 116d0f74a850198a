/* SPDX-License-Identifier: BSD-2-Clause */
/* smp_parts.h - shared by the parts of stress-smp: smp_stress.c has the tasks, smp_stress_slots.c
 * the events that CPUs operate on. */
#ifndef TESTS_STRESS_SMP_PARTS_H
#define TESTS_STRESS_SMP_PARTS_H

#include "lib/lock.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "tests/shim/shim_smp.h"

#define TASKS 24 /* at most so many at the same time */

extern unsigned ncpus;

struct worker {
	struct pmu_task task;
	int state;
	int last_cpu;
	bool varied; /* it descends from a varied task */
};

struct world {
	struct lock lock;
	struct worker tasks[TASKS];
	uint32_t next_tid;
	unsigned alive[2];           /* tasks that are not varied, and tasks that are */
	uint64_t executed[SMP_CPUS]; /* ns that tasks ran on each CPU, which alone writes it */
	uint64_t user[SMP_CPUS];     /* ns that each CPU ran, with a task or without */
	uint64_t migrations[SMP_CPUS];
	uint64_t switches, forks, exits, operations;
};
extern struct world world;

unsigned below(unsigned n);
_Noreturn void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define CHECK(what, ...)                       \
	do {                                   \
		if (!(what))                   \
			complain(__VA_ARGS__); \
	} while (0)

/* equal() - reports values that differ. */
void equal(const char *what, uint64_t is, uint64_t should);

static inline void add_one(uint64_t *total)
{
	__atomic_fetch_add(total, 1, __ATOMIC_RELAXED);
}

/* instructions() - returns the attr of the event that all count: instructions of ring 3. */
struct perf_event_attr instructions(void);

/*
 * slots_begin() - makes the ring of each CPU. slots_operate() - does a random operation on an
 * event, on any CPU. slots_drain() - reads the ring of `cpu`, on any CPU. slots_check() - checks
 * that each remaining event is in its last ordered state and that samples add up, and closes all
 * events. Returns the number of samples.
 */
void slots_begin(void);
void slots_operate(void);
void slots_drain(unsigned cpu);
uint64_t slots_check(void);

#endif
