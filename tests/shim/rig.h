/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rig.h - the event core on the shim's machine, ready for tests: personality, CPUID, host upcalls,
 * rings, and the task of ring 3 as the runtime would run it.
 */
#ifndef TESTS_SHIM_RIG_H
#define TESTS_SHIM_RIG_H

#include "pmu/api/pmu.h"
#include "tests/shim/shim_machine.h"

#define RIG_PID 7
#define RIG_TID 8

#define RIG_PAGE       0x400000003000
#define RIG_PAGE_BYTES 4096
#define RIG_PHYSICAL   0x12345000 /* of that page */

struct rig {
	struct pmu_task task; /* RIG_PID, RIG_TID */
	struct pmu_caps caps;
	struct pmu_host host;
	struct pmu_current current; /* RIG_PID and RIG_TID on CPU 0 */
	uint64_t user_ip;           /* what host.user_ip() says */
	uint64_t rate_end;          /* when host.rate_arm() is to go off; 0: never */
	bool work;                  /* host.irq_work() was called, and pmu_irq_work() was not yet */
	uint64_t wakeups;           /* of any ring, by host.wakeup() */
	uint64_t refresh_ns;        /* what was last given to host.refresh_arm() */
	uint64_t slice_end;         /* when host.mux_arm() is to go off; 0: never */
	uint64_t timer_ns;          /* what was last given to host.timer_arm() */
	struct reason why;          /* of the last refusal of rig_open() */
	/* The chains that host.chain_user() and host.chain_kernel() find, where not NULL, and
	 * the frame pointer that the first was given and the second finds. Only one page of ring
	 * 3 is mapped, at RIG_PAGE; its bytes are at `memory`. */
	const uint64_t *user_chain, *kernel_chain;
	unsigned user_depth, kernel_depth;
	uint64_t user_fp, left_fp;
	uint8_t memory[RIG_PAGE_BYTES];
	unsigned reads_watched; /* reads of ring 3's memory while breakpoints were armed */
	unsigned allocated;     /* events that host.event_alloc() gave, and did not get back */
	unsigned alloc_most;    /* as many it gives at most */
	/* host.call() and host.relax(); NULL: there is one CPU. */
	int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg);
	void (*relax)(void);
};
extern _Thread_local struct rig rig;

/* rig_boot() - a machine after reset, detected and initialised; returns what pmu_init() did. */
int rig_boot(const char *uarch, bool ht_on);

/* rig_boot_cpu() - the same for one of several CPUs; see shim_smp.h. Only CPU 0 has a task. */
int rig_boot_cpu(const char *uarch, bool ht_on, unsigned cpu,
		 int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg), void (*relax)(void));

/* rig_init() - the second half of rig_boot(), after the test changed `shim` or `rig.caps`. */
int rig_init(void);

struct perf_event_attr rig_attr(uint32_t type, uint64_t config);

/* rig_open() - on the task, in the group of `leader` (NULL: alone). */
int rig_open(struct pmu_event *e, const struct perf_event_attr *attr, struct pmu_event *leader);

/* rig_task() - the task runs `user` instructions in ring 3, between sched_in and sched_out. */
void rig_task(uint64_t user);

/* rig_slices() - the same for `ns` instructions of 1 ns, with pmu_mux_timer() when it is due. */
void rig_slices(uint64_t ns);

/* rig_run() - the same for any task; NULL: none, the CPU's events see ring 3 all the same. */
void rig_run(struct pmu_task *task, uint64_t ns);

/* rig_go() - time goes on for the task that runs, if any; timers and work of NMIs are served when
 * they are due, the latter within 10 us. */
void rig_go(uint64_t ns);

/* rig_nevents() - how many are open, of all contexts. */
unsigned rig_nevents(void);

/* rig_value() - the count alone. */
uint64_t rig_value(struct pmu_event *e);

/* rig_ring() - an empty ring of `data_pages`, up to 64; there is one. */
struct rb *rig_ring(size_t data_pages);

#endif
