/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_output.h - the records of events: their rings, and the records that the runtime requests.
 * pmu.h has the rules of use.
 */
#ifndef PMU_API_PMU_OUTPUT_H
#define PMU_API_PMU_OUTPUT_H

#include "lib/reason.h"
#include "pmu/api/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_task;
struct rb;

/*
 * pmu_event_set_output() - sends its records to `rb`, which several events of one CPU may share;
 * NULL: nowhere. -EINVAL: a ring too small for one record, or written in another direction than
 * attr.write_backward; attr.inherit without a CPU, where there are several CPUs.
 *
 * pmu_event_redirect() - as PERF_EVENT_IOC_SET_OUTPUT: sends its records to the ring of `to`.
 * -EINVAL, in addition: `to` is closed, is `e` itself, is of another CPU, or, if both have no CPU,
 * is of another task.
 */
int pmu_event_set_output(struct pmu_event *e, struct rb *rb);
int pmu_event_redirect(struct pmu_event *e, const struct pmu_event *to, struct reason *why);

/*
 * pmu_event_set_notify() - calls `fn` after each overflow of `e` and of events inherited from it,
 * always with `e`, in NMI context. `at_limit`: the event stopped there. NULL: no calls. It is an
 * operation on the event: once it returns, the previous function is no longer called.
 */
void pmu_event_set_notify(struct pmu_event *e, void (*fn)(struct pmu_event *opened, bool at_limit));

/*
 * pmu_event_pause_output() - as PERF_EVENT_IOC_PAUSE_OUTPUT: calls rb_pause() on the CPU that
 * writes the ring. -EINVAL: it has no ring.
 */
int pmu_event_pause_output(struct pmu_event *e, bool paused);

/*
 * pmu_output_comm() - writes a COMM record to each ring with an event of the task that has
 * attr.comm. `exec` sets PERF_RECORD_MISC_COMM_EXEC.
 */
void pmu_output_comm(const struct pmu_task *task, const char *comm, bool exec);

#define PMU_MAX_FILENAME 256 /* longer ones are cut */

#define PMU_PROT_READ  1 /* the values of PROT_READ and so on of mmap(2) */
#define PMU_PROT_WRITE 2
#define PMU_PROT_EXEC  4

struct pmu_mmap {
	const struct pmu_task *task;
	uint32_t prot;             /* PMU_PROT_ bits */
	uint64_t addr, len, pgoff; /* bytes */
	const uint8_t *build_id;   /* NULL: the record has device and inode 0 */
	size_t build_id_size;      /* up to 20 */
	const char *filename;
};

/*
 * pmu_output_mmap2() - writes a mapping, as MMAP or MMAP2, to each ring with an event that wants
 * it: attr.mmap or mmap2 for code, attr.mmap_data for all else.
 */
void pmu_output_mmap2(const struct pmu_mmap *map);

/*
 * pmu_output_exit() - the program of `task` has ended: writes a READ record for each of its events
 * with attr.inherit_stat, and an EXIT record to each ring with an event that follows tasks.
 * pmu_task_exit() does this by itself. Task context.
 */
void pmu_output_exit(const struct pmu_task *task);

/*
 * pmu_output_lost() - after a drain: writes a LOST and a LOST_SAMPLES record about the losses of
 * `e`'s ring and of `e` since the last call. False: there was no room; drain and call again.
 */
bool pmu_output_lost(struct pmu_event *e);

/*
 * pmu_output_aux_rest() - after a drain: writes the AUX records for which there was no room before.
 * False: there still is none; drain and call again.
 */
bool pmu_output_aux_rest(struct pmu_event *e);

/*
 * pmu_event_between_aux() - interrupts the writing to the AUX area of `e`'s ring, by `e` or an
 * event inherited from it. Calls `fn` where that event counts, with interrupts off and the PMU
 * paused, and then continues. The last AUX record covers all that `fn` finds in the area. False,
 * without calling `fn`: there is no area, or no room in the ring for that record. It is an
 * operation on the event.
 */
bool pmu_event_between_aux(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/*
 * pmu_event_has_aux() - true where the event writes to the AUX area of its ring, if there is one.
 * pmu_event_drop_aux() - its ring no longer has an AUX area.
 */
bool pmu_event_has_aux(const struct pmu_event *e);
void pmu_event_drop_aux(struct pmu_event *e);

#endif
