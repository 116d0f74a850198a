// SPDX-License-Identifier: BSD-2-Clause
/* progress.c - see progress.h. */
#include "rt/run/progress.h"

#include "arch/x86/dev/shared_areas.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "pmu/api/stats.h"

_Static_assert(SMP_MAX_CPUS <= SHARED_SAMPLES_CPUS, "each CPU has its place");

void progress_init(void)
{
	uint32_t bytes;
	struct shared_samples *samples = shared_area(SHARED_SAMPLES, &bytes);
	uint64_t address, page_size;

	if (samples && bytes >= sizeof(*samples) &&
	    paging_translate((uintptr_t)pmu_written(), &address, &page_size))
		samples->address[smp_cpu()] = address;
}

void progress_steps(uint64_t done, uint64_t all)
{
	uint32_t bytes;
	volatile struct shared_steps *steps = shared_area(SHARED_STEPS, &bytes);

	if (!steps || bytes < sizeof(*steps))
		return;
	steps->done = done;
	steps->all = all;
}
