/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugin_page.h - the counts of QEMU's plugin, in a page that vpmu and the plugin share
 * (include/perf0/events_page.h). The guest may write that page, or unmap it for a moment.
 */
#ifndef VPMU_SVM_COUNT_PLUGIN_PAGE_H
#define VPMU_SVM_COUNT_PLUGIN_PAGE_H

#include "include/perf0/events_page.h"

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_events_init() - called once the CPU has its model. `page`: NULL if there is none. */
void vpmu_events_init(struct vpmu_cpu *cpu, struct events_page *page);

/* vpmu_events_place() - restores the page's PCI base address after a reset of the devices. */
void vpmu_events_place(void);

/*
 * vpmu_events_want() - tells the plugin what to count. Called before the timer is set, because it
 * may take long.
 * vpmu_events_expect() - reads the counts right before the run.
 * vpmu_events_take() - reads the counts after the run, and returns the run's counts. Only the
 * counts that the model uses are valid. NULL: the counts are not known.
 */
void vpmu_events_want(struct vpmu_cpu *cpu);
void vpmu_events_expect(struct vpmu_cpu *cpu);
const uint64_t *vpmu_events_take(struct vpmu_cpu *cpu);

/* vpmu_events_compare() - after vpmu_events_take(). `moves`: other evidence shows that the guest
 * has executed something. Counts that stand still again and again are lost. */
void vpmu_events_compare(struct vpmu_cpu *cpu, bool moves);

/*
 * vpmu_events_follow() - asks the plugin to report the next single instruction.
 * vpmu_events_unfollow() - withdraws that request.
 * vpmu_events_last() - returns the report, after the instruction; NULL: there is none.
 */
void vpmu_events_follow(struct vpmu_cpu *cpu);
void vpmu_events_unfollow(struct vpmu_cpu *cpu);
const struct events_last *vpmu_events_last(struct vpmu_cpu *cpu);

/* vpmu_events_begin() - called when a measurement begins: the plugin empties its modelled caches.
 */
void vpmu_events_begin(struct vpmu_cpu *cpu);

/* vpmu_events_lose() - gives up the counts of all CPUs, because they are wrong. */
void vpmu_events_lose(struct vpmu_cpu *cpu);

/* vpmu_events_ring() - rings the plugin's bell: the plugin reads vpmu's values in the page. */
void vpmu_events_ring(struct vpmu_cpu *cpu);

/* vpmu_events_are_there() - whether the page is mapped at this moment. */
bool vpmu_events_are_there(const struct vpmu_cpu *cpu);

/* vpmu_events_used() - whether a counter, or vpmu itself, needs the counts. */
bool vpmu_events_used(const struct vpmu_cpu *cpu);

/* vpmu_events_take_instructions() - from now on the instructions are read, too. Called if
 * vpmu_is_counted(). */
void vpmu_events_take_instructions(struct vpmu_cpu *cpu);

#endif
