/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rig.h - the event core on the shim's machine, for tests: personality, CPUID, upcalls to the host,
 * rings, and a task of ring 3, which runs as in the runtime.
 */
#ifndef TESTS_SHIM_RIG_H
#define TESTS_SHIM_RIG_H

#include "pmu/api/pmu.h"
#include "tests/shim/shim_machine.h"

#define RIG_PID 7
#define RIG_TID 8

#define RIG_PAGE       0x400000003000
#define RIG_PAGE_BYTES 4096
#define RIG_PHYSICAL   0x12345000 /* the page's physical address */

struct rig {
	struct pmu_task task; /* its ids are RIG_PID and RIG_TID */
	struct pmu_caps caps;
	struct pmu_host host;
	struct pmu_current current; /* on CPU 0: RIG_PID and RIG_TID */
	uint64_t user_ip;           /* the result of host.user_ip() */
	uint64_t rate_end;          /* when the timer of host.rate_arm() goes off; 0: never */
	bool work;                  /* host.irq_work() was called, but pmu_irq_work() not yet */
	uint64_t wakeups;           /* calls of host.wakeup(), for any ring */
	uint64_t refresh_ns;        /* the last argument of host.refresh_arm() */
	uint64_t slice_end;         /* when the timer of host.mux_arm() goes off; 0: never */
	uint64_t timer_ns;          /* the last argument of host.timer_arm() */
	struct reason why;          /* the reason of rig_open()'s last refusal */
	/* The chains that host.chain_user() and host.chain_kernel() return; NULL: none. user_fp is
	 * the frame pointer that the former gets, left_fp the one that the latter returns. Ring 3
	 * has one mapped page, at RIG_PAGE, with the bytes in `memory`. */
	const uint64_t *user_chain, *kernel_chain;
	unsigned user_depth, kernel_depth;
	uint64_t user_fp, left_fp;
	uint8_t memory[RIG_PAGE_BYTES];
	unsigned reads_watched; /* reads of ring 3's memory while breakpoints were armed */
	unsigned allocated;     /* events of host.event_alloc() that are not freed */
	unsigned alloc_most;    /* the largest number of them */
	/* host.call() and host.relax(); NULL: there is one CPU. */
	int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg);
	void (*relax)(void);
};
extern _Thread_local struct rig rig;

/* rig_boot() - boots a machine with this personality: reset, detection, pmu_init(), whose result it
 * returns. */
int rig_boot(const char *uarch, bool ht_on);

/* rig_boot_cpu() - the same on one of several CPUs; see shim_smp.h. Only CPU 0 has a task. */
int rig_boot_cpu(const char *uarch, bool ht_on, unsigned cpu,
		 int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg), void (*relax)(void));

/* rig_init() - the second half of rig_boot(), after the test changed `shim` or `rig.caps`. */
int rig_init(void);

struct perf_event_attr rig_attr(uint32_t type, uint64_t config);

/* rig_open() - opens an event on the task, in the group of `leader` (NULL: alone). */
int rig_open(struct pmu_event *e, const struct perf_event_attr *attr, struct pmu_event *leader);

/* rig_task() - runs the task for `user` instructions in ring 3, between sched_in and sched_out. */
void rig_task(uint64_t user);

/* rig_slices() - the same for `ns` instructions of 1 ns. Calls pmu_mux_timer() when it is due. */
void rig_slices(uint64_t ns);

/* rig_run() - the same for any task. NULL: no task; the CPU's events count ring 3 nevertheless. */
void rig_run(struct pmu_task *task, uint64_t ns);

/* rig_go() - lets time go on for the running task, if any. Timers are served when they are due,
 * work of NMIs within 10 us. */
void rig_go(uint64_t ns);

/* rig_nevents() - returns the number of open events, in all contexts. */
unsigned rig_nevents(void);

/* rig_value() - returns the event's count. */
uint64_t rig_value(struct pmu_event *e);

/* rig_ring() - empties the only ring, sets its size to `data_pages`, at most 64, and returns it. */
struct rb *rig_ring(size_t data_pages);

#endif
