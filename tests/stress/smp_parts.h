/* SPDX-License-Identifier: BSD-2-Clause */
/* smp_parts.h - what the parts of stress-smp share: see smp_stress.c; smp_stress_slots.c has the
 * events that are operated on. */
#ifndef TESTS_STRESS_SMP_PARTS_H
#define TESTS_STRESS_SMP_PARTS_H

#include "lib/lock.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "tests/shim/shim_smp.h"

#define TASKS 24 /* that there may be at the same time */

extern unsigned ncpus;

struct worker {
	struct pmu_task task;
	int state;
	int last_cpu;
	bool varied; /* descends from one of those */
};

struct world {
	struct lock lock;
	struct worker tasks[TASKS];
	uint32_t next_tid;
	unsigned alive[2];           /* of those that are not varied, and of those that are */
	uint64_t executed[SMP_CPUS]; /* by tasks, on each CPU; its own */
	uint64_t user[SMP_CPUS];     /* by any task */
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

/* equal() - complains where they are not. */
void equal(const char *what, uint64_t is, uint64_t should);

static inline void add_one(uint64_t *total)
{
	__atomic_fetch_add(total, 1, __ATOMIC_RELAXED);
}

/* instructions() - the event that all count: those of ring 3. */
struct perf_event_attr instructions(void);

/*
 * slots_begin() - the ring of each CPU. slots_operate() - does something with one of the events,
 * from whichever CPU. slots_drain() - reads the ring of `cpu`, from any. slots_check() - all that
 * is left is as it was ordered to be, and the books balance; closes it. Returns how many samples
 * there were.
 */
void slots_begin(void);
void slots_operate(void);
void slots_drain(unsigned cpu);
uint64_t slots_check(void);

#endif
