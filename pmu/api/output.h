/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h - the records of events: where they go, and those that the runtime has to ask for. The
 * rules of use are pmu.h's. */
#ifndef PMU_API_OUTPUT_H
#define PMU_API_OUTPUT_H

#include "lib/reason.h"
#include "pmu/api/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_task;
struct rb;

/*
 * pmu_event_set_output() - its records go into `rb`, which several events of one CPU may share;
 * NULL: nowhere. -EINVAL: a ring too small for one record, or written in the other direction than
 * attr.write_backward says; attr.inherit and no CPU, where there are several.
 *
 * pmu_event_redirect() - as PERF_EVENT_IOC_SET_OUTPUT: where those of `to` go. -EINVAL, beside
 * that: `to` is closed, `e` itself, of another CPU or, both being of none, of another task.
 */
int pmu_event_set_output(struct pmu_event *e, struct rb *rb);
int pmu_event_redirect(struct pmu_event *e, const struct pmu_event *to, struct reason *why);

/*
 * pmu_event_set_notify() - `fn` is called behind each overflow of `e` and of what was inherited
 * from it, always with `e`, in NMI context; `at_limit`: it stopped there. NULL: no more. As an
 * operation on the event; when it has returned, what was there before is not called any more.
 */
void pmu_event_set_notify(struct pmu_event *e, void (*fn)(struct pmu_event *opened, bool at_limit));

/* pmu_event_pause_output() - as PERF_EVENT_IOC_PAUSE_OUTPUT: rb_pause(), on the CPU that writes
 * there. -EINVAL: it has no ring. */
int pmu_event_pause_output(struct pmu_event *e, bool paused);

/*
 * pmu_output_comm() - a COMM record into each ring with an event of the task that asks for it
 * (attr.comm). `exec` sets PERF_RECORD_MISC_COMM_EXEC.
 */
void pmu_output_comm(const struct pmu_task *task, const char *comm, bool exec);

#define PMU_MAX_FILENAME 256 /* longer ones are cut */

#define PMU_PROT_READ  1 /* as PROT_READ and so on of mmap(2) */
#define PMU_PROT_WRITE 2
#define PMU_PROT_EXEC  4

struct pmu_mmap {
	const struct pmu_task *task;
	uint32_t prot;             /* PMU_PROT_ bits */
	uint64_t addr, len, pgoff; /* bytes */
	const uint8_t *build_id;   /* NULL: the record has device and inode 0 instead */
	size_t build_id_size;      /* up to 20 */
	const char *filename;
};

/* pmu_output_mmap2() - a mapping, as MMAP or MMAP2 into each ring with an event that asks:
 * attr.mmap or mmap2 for code, attr.mmap_data for all else. */
void pmu_output_mmap2(const struct pmu_mmap *map);

/*
 * pmu_output_exit() - the program that `task` ran has ended: a READ record for each of its events
 * with attr.inherit_stat, and an EXIT record into each ring with an event that follows tasks.
 * pmu_task_exit() does it by itself. Task context.
 */
void pmu_output_exit(const struct pmu_task *task);

/*
 * pmu_output_lost() - after a drain: what `e`'s ring and `e` lost since the last time, as a LOST
 * and a LOST_SAMPLES record. False: there was no room for them, drain and call again.
 */
bool pmu_output_lost(struct pmu_event *e);

/*
 * pmu_output_aux_rest() - after a drain: what AUX records did not tell yet for want of room. False:
 * there is none still, drain and call again.
 */
bool pmu_output_aux_rest(struct pmu_event *e);

/*
 * pmu_event_between_aux() - ends what `e`, or an event that was inherited from it, writes to the
 * AUX area of its ring, calls `fn` where that is written, interrupts off and paused, and lets it go
 * on. The last AUX record tells of all that `fn` finds in the area. False, without calling `fn`:
 * there is no area, or no room in the ring for that record. As an operation on the event.
 */
bool pmu_event_between_aux(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/* pmu_event_has_aux() - it writes into an AUX area, where its ring has one. pmu_event_drop_aux() -
 * its ring has none any more. */
bool pmu_event_has_aux(const struct pmu_event *e);
void pmu_event_drop_aux(struct pmu_event *e);

#endif
