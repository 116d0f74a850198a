/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugin_page.h - the counts of QEMU's plugin, in a page that both map
 * (include/perf0/events_page.h). The guest may write that page, or unmap it for a moment.
 */
#ifndef VPMU_SVM_COUNT_PLUGIN_PAGE_H
#define VPMU_SVM_COUNT_PLUGIN_PAGE_H

#include "include/perf0/events_page.h"

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_events_init() - once the CPU has its model. `page`: NULL if there is none. */
void vpmu_events_init(struct vpmu_cpu *cpu, struct events_page *page);

/* vpmu_events_place() - restores the page's PCI base address after a reset of the devices. */
void vpmu_events_place(void);

/*
 * Around a run. vpmu_events_want(): tells the plugin what to count; before the timer is set, as it
 * may take long. vpmu_events_expect(): reads the counts right before the run. vpmu_events_take():
 * reads them behind it, and returns the run's counts, of which those are valid that the model uses;
 * NULL: they are not known.
 */
void vpmu_events_want(struct vpmu_cpu *cpu);
void vpmu_events_expect(struct vpmu_cpu *cpu);
const uint64_t *vpmu_events_take(struct vpmu_cpu *cpu);

/* vpmu_events_compare() - after vpmu_events_take(). `moves`: other evidence shows that the guest
 * has executed something. Counts that stand still again and again are lost. */
void vpmu_events_compare(struct vpmu_cpu *cpu, bool moves);

/*
 * The single instruction to come. vpmu_events_follow(): the plugin is to report it.
 * vpmu_events_unfollow(): it is not. vpmu_events_last(): behind it, the report; NULL: there is
 * none.
 */
void vpmu_events_follow(struct vpmu_cpu *cpu);
void vpmu_events_unfollow(struct vpmu_cpu *cpu);
const struct events_last *vpmu_events_last(struct vpmu_cpu *cpu);

/* vpmu_events_begin() - a measurement begins: the plugin empties its modelled caches. */
void vpmu_events_begin(struct vpmu_cpu *cpu);

/* vpmu_events_lose() - gives up the counts of all CPUs, as they are not what was executed. */
void vpmu_events_lose(struct vpmu_cpu *cpu);

/* vpmu_events_ring() - rings the plugin's bell: it reads what the page says now. */
void vpmu_events_ring(struct vpmu_cpu *cpu);

/* vpmu_events_are_there() - whether the page is mapped at this moment. */
bool vpmu_events_are_there(const struct vpmu_cpu *cpu);

/* vpmu_events_used() - whether a counter, or vpmu itself, needs the counts. */
bool vpmu_events_used(const struct vpmu_cpu *cpu);

/* vpmu_events_take_instructions() - where vpmu_is_counted(): from now on instructions are among the
 * counts that are read. */
void vpmu_events_take_instructions(struct vpmu_cpu *cpu);

#endif
