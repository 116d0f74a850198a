/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * freeze.h - stops all counters of this CPU at one moment: when one of them, the clock, reaches a
 * given count. The other counters then hold the counts of that moment.
 *
 * Some CPUs stop them by themselves: SDM vol. 3, "Freezing LBR and Performance Counters on PMI";
 * APM vol. 2, "Debug and Performance Resources", and CPUID 8000_0022 EAX bit 2. On other CPUs the
 * NMI of the overflow reads them. That NMI comes late, and the clock's own count tells how late.
 * Events of ring 0 also count the first instructions of the NMI. Events of ring 3 alone do not.
 *
 * Events stay open and on their counters, and their counts continue as if nothing had happened.
 * Interrupts are off from pmu_freeze_begin() to the start, and at the end.
 */
#ifndef PMU_CORE_FREEZE_H
#define PMU_CORE_FREEZE_H

#include "lib/reason.h"
#include "pmu/api/event.h"

#include <stdbool.h>
#include <stdint.h>

enum pmu_freeze {
	PMU_FREEZE_NMI,     /* the NMI reads the counters */
	PMU_FREEZE_CONTROL, /* the CPU clears the master switch: Intel, versions 2 and 3 */
	PMU_FREEZE_STATUS,  /* the CPU sets a bit of the global status: Intel from version 4, AMD's
			       PerfMonV2 */
};

/*
 * pmu_freeze_kind() - the way in which this CPU stops its counters; tests the register. Task
 * context.
 */
enum pmu_freeze pmu_freeze_kind(void);

/* The master switch: the register that starts and stops all counters with events. */
struct pmu_master {
	uint32_t msr; /* 0: each counter has a switch of its own */
	uint64_t on, off;
};
struct pmu_master pmu_freeze_master(void);

/*
 * pmu_freeze_begin() - stops all counters at 0. Only pmu_freeze_start(), or code of ring 0 by the
 * master switch, starts them. They stop once `clock`, an active core event, has counted `after`; 0:
 * never. `kind` is at most that of pmu_freeze_kind().
 */
void pmu_freeze_begin(const struct pmu_event *clock, uint64_t after, enum pmu_freeze kind);
void pmu_freeze_start(void);

enum pmu_frozen {
	PMU_FROZEN_NOT,   /* the clock has not reached the count */
	PMU_FROZEN,       /* stopped by the CPU */
	PMU_FROZEN_BY_NMI /* read by the NMI */
};

/*
 * pmu_freeze_end() - stops all counters if they still run, and restores them for their events.
 * `value`: the counts of the `n` active core events `events`; that of the clock is `after` plus its
 * delay. -EAGAIN: something else has paused the counters meanwhile, and there are no values.
 */
int pmu_freeze_end(struct pmu_event *const *events, unsigned n, uint64_t *value,
		   enum pmu_frozen *frozen);

/* pmu_freeze_cancel() - ends a freeze without values, with all counters stopped; at any time. */
void pmu_freeze_cancel(void);

/* pmu_freeze_nmi() - serves an NMI during a freeze. False: it is not the clock's. NMI context. */
bool pmu_freeze_nmi(void);

#endif
