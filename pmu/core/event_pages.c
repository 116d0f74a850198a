// SPDX-License-Identifier: BSD-2-Clause
/* event_pages.c - assigns control pages to events. state/control_page.c keeps a page up to date. */
#include "pmu/core/event_pages.h"

#include "pmu/core/control.h"
#include "pmu/state/control_page.h"
#include "pmu/state/remote.h"

#include <linux/errno.h>

struct paging {
	struct pmu_event *e;
	struct perf_event_mmap_page *page;
};

/* Runs where the context is active. */
static void set_page(void *arg)
{
	const struct paging *p = arg;
	struct pmu_event *e = p->e;
	uint64_t irq = pmu_begin_change();

	pmu_page_set(e, p->page);
	pmu_end_change(irq);
}

void pmu_unpage_within(struct pmu_event *e)
{
	struct paging p = {e, NULL};

	if (e->page) /* it changes only within an operation, like this one */
		pmu_in_context(e->context, set_page, &p);
}

int pmu_event_set_page(struct pmu_event *e, struct perf_event_mmap_page *page)
{
	struct paging p = {e, page};

	if (page && e->attr.inherit)
		return -EINVAL;
	pmu_operation_begin();
	if (e->context)
		pmu_in_context(e->context, set_page, &p);
	pmu_operation_end();
	return 0;
}
