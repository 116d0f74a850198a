/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core.h - what the files of the event core share. Everybody else includes pmu.h.
 *
 * Who may touch what: structures change in task context only, between pmu_pause() and pmu_resume(),
 * when nothing counts. An NMI that still comes in there either serves all that overflowed before
 * pmu_pause() looked, or finds nothing. While counting goes on, the NMI handler and readers in
 * task context share an event's `prev`, `count` and `left`, which change by single instructions.
 */
#ifndef PMU_CORE_H
#define PMU_CORE_H

#include "pmu/assign.h"
#include "pmu/pmu.h"
#include "pmu/uarch/uarch.h"
#include "pmu/x86/driver.h"

/* How a kind of event is counted. */
struct pmu_class {
	bool hardware;
	void (*start)(struct pmu_event *e);  /* paused; hardware: `place` is set */
	void (*stop)(struct pmu_event *e);   /* paused; `count` is up to date afterwards */
	void (*update)(struct pmu_event *e); /* any context: brings `count` and `left` up to date */
};

/* Events with one target: the task, or the CPU whatever runs on it. */
struct pmu_context {
	struct pmu_event *leaders; /* in the order of opening */
	bool active;               /* its events may count now, and their time goes on */
};

struct pmu_core {
	const struct pmu_host *host;
	const struct pmu_caps *caps;
	const struct pmu_driver *driver; /* NULL: no hardware events */
	struct pmu_hardware hw;
	const struct uarch *uarch;
	struct pmu_info info;
	uint64_t counter_mask; /* the bits of a counter */
	char problem[PMU_REASON_MAX];

	struct pmu_context cpu, task;
	struct pmu_event *on[PMU_COUNTERS]; /* by counter */
	uint64_t used;                      /* counters with an event that is to count */
	uint64_t in_ring_0;                 /* those of them that count in ring 0 */
	uint64_t now;        /* when counting was paused last: the one time of a change */
	uint64_t live;       /* what NMIs switch on again: `used`, or 0 while paused */
	uint64_t late_until; /* NMIs up to this time may be echoes of served PMIs */
	bool echo;           /* the next NMI may be the echo of the last one */
	uint64_t next_id;
	struct pmu_stats stats;
};

extern struct pmu_core pmu;

static inline uint64_t pmu_now(void)
{
	return pmu.host->clock_ns();
}

/* pmu_for_each(m, leader) - `m` walks over a group, leader first. */
#define pmu_for_each(m, leader) for (struct pmu_event *m = (leader); m; m = m->next_sibling)

/* hardware.c */
extern const struct pmu_class pmu_hardware_class;
int pmu_hardware_init(struct pmu_event *e, struct pmu_reason *why); /* select and counters */
void pmu_hardware_update(struct pmu_event *e);

/*
 * pmu_hardware_reload() - sets the counter to overflow after what is left of the period, or after
 * the longest reload. True: a period is over. Any context, paused.
 */
bool pmu_hardware_reload(struct pmu_event *e);

/* schedule.c: all out, all in again; paused. A group that does not fit stays out. */
void pmu_schedule(void);
void pmu_schedule_out(struct pmu_context *context);
/* pmu_group_fits() - the group of `leader`, with `added` (NULL: none) as one more, on an idle PMU.
 */
bool pmu_group_fits(const struct pmu_event *leader, const struct pmu_event *added);

/* times.c */
void pmu_times_update(struct pmu_event *e, uint64_t now);
void pmu_context_start_time(struct pmu_context *context, uint64_t now);
void pmu_context_update_time(struct pmu_context *context, uint64_t now);

/* overflow.c: the master switch. Task context; pairs, does not nest. */
void pmu_pause(void);
void pmu_resume(void);
/* pmu_overflow() - `e` reached its period: books, limit, sample. NMI, IRQ and paused task context.
 */
void pmu_overflow(struct pmu_event *e, const struct pmu_regs *regs);

/* output.c */
enum pmu_verdict { PMU_WRITTEN, PMU_LOST, PMU_REFUSED };
enum pmu_verdict pmu_output_sample(struct pmu_event *e, const struct pmu_regs *regs);
void pmu_output_init(struct pmu_event *e);

/* attr.c: what in `attr` cannot be given. */
int pmu_check_attr(const struct perf_event_attr *attr, struct pmu_reason *why);

#endif
