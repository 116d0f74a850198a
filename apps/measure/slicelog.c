// SPDX-License-Identifier: BSD-2-Clause
/* slicelog.c - the slices in which events counted: see slicelog.h. */
#include "apps/measure/slicelog.h"

#include "arch/x86/mem/paging.h"
#include "pmu/api/pmu.h"
#include "rt/print/print.h"

#include <linux/errno.h>

#define SLICES_MOST 16384 /* of an event: more than a minute of slices of 4 ms */

static struct {
	struct pmu_slice_log *log; /* by evset_index(); the slices follow the logs */
	size_t n;
} logs;

static size_t log_pages(void)
{
	const size_t bytes = logs.n * (sizeof(*logs.log) + SLICES_MOST * sizeof(*logs.log->slot));

	return bytes / PAGE_SIZE + 1; /* there may be no events */
}

int slicelog_begin(const struct evset *set, const char *command)
{
	struct pmu_slice *slot;

	logs.n = (size_t)set->n * set->ntargets;
	logs.log = page_alloc(log_pages());
	if (!logs.log) {
		err("%s: no memory for the slices of %llu events\n", command,
		    (unsigned long long)logs.n);
		return -ENOMEM;
	}
	slot = (void *)(logs.log + logs.n);
	for (size_t i = 0; i < logs.n; i++)
		logs.log[i] = (struct pmu_slice_log){slot + i * SLICES_MOST, SLICES_MOST, 0};
	return 0;
}

void slicelog_follow(const struct evset *set)
{
	for (unsigned i = 0; logs.log && i < set->n; i++)
		for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++) {
			struct pmu_slice_log *log = &logs.log[evset_index(set, i, t)];

			log->n = 0;
			if (evset_is_at(set, i, t))
				pmu_event_log_slices(evset_event(set, i, t), log);
		}
}

void slicelog_finish(const struct evset *set)
{
	for (unsigned i = 0; logs.log && i < set->n; i++)
		for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++)
			if (evset_is_at(set, i, t))
				pmu_event_end_slices(evset_event(set, i, t));
}

static void print_slice(const struct pmu_slice *s, int cpu, const char *before)
{
	out("%s[%llu, %llu, %llu", before, (unsigned long long)s->from, (unsigned long long)s->ns,
	    (unsigned long long)s->count);
	if (cpu >= 0)
		out(", %d", cpu);
	out("]");
}

void slicelog_print(const struct evset *set, const struct stat_groups *groups, unsigned i,
		    unsigned g)
{
	const char *before = "";
	uint64_t lost = 0;

	out(", \"slices\" : [");
	for (unsigned t = 0; t < set->ntargets; t++) {
		const struct pmu_slice_log *log = &logs.log[evset_index(set, i, t)];

		if (groups->of[t] != g)
			continue;
		for (uint32_t k = 0; k < log->n && k < log->size; k++) {
			print_slice(&log->slot[k], set->target[t].cpu, before);
			before = ", ";
		}
		lost += log->n > log->size ? log->n - log->size : 0;
	}
	out("]");
	if (lost)
		out(", \"slices-lost\" : %llu", (unsigned long long)lost);
}

void slicelog_end(void)
{
	if (logs.log)
		page_free(logs.log, log_pages());
	logs.log = NULL;
}
