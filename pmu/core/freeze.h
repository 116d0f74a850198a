/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * freeze.h - all counters of this CPU stop at one moment: when one of them, the clock, has counted
 * so many. What the others hold then is what had happened by then. The CPU stops them by itself
 * where it can: SDM vol. 3, "Freezing LBR and Performance Counters on PMI"; APM vol. 2, "Debug and
 * Performance Resources", and CPUID 8000_0022 EAX bit 2. Elsewhere the NMI of the overflow reads
 * them: of what is counted in ring 3 alone nothing more is counted by then, but the interrupt comes
 * late; of what is counted in ring 0 the NMI's first instructions are part, too. How late that is
 * the clock's own count says.
 *
 * Events stay open, and on their counters; their counts go on as if nothing had been. Interrupts
 * off, from pmu_freeze_begin() to the start and at the end.
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
	PMU_FREEZE_STATUS,  /* it sets a bit of the global status: Intel from 4 on, AMD's PerfMonV2
			     */
};

/* pmu_freeze_kind() - how this CPU stops its counters; tries the register. Task context. */
enum pmu_freeze pmu_freeze_kind(void);

/* The master switch: what starts all counters that have events, and stops them. */
struct pmu_master {
	uint32_t msr; /* 0: each counter has a switch of its own */
	uint64_t on, off;
};
struct pmu_master pmu_freeze_master(void);

/*
 * pmu_freeze_begin() - all counters stand, at 0, and nothing starts them but pmu_freeze_start(), or
 * code of ring 0 by the master switch. They stop once `clock`, an active event of the core, has
 * counted `after`; 0: they do not. `kind` is at most what pmu_freeze_kind() says.
 */
void pmu_freeze_begin(const struct pmu_event *clock, uint64_t after, enum pmu_freeze kind);
void pmu_freeze_start(void);

enum pmu_frozen {
	PMU_FROZEN_NOT,   /* the clock has not counted so many */
	PMU_FROZEN,       /* by the CPU */
	PMU_FROZEN_BY_NMI /* read by it */
};

/*
 * pmu_freeze_end() - all counters stop, if they have not, and go on for their events. `value`: of
 * the `n` active events of the core `events`, what they had counted; of the clock that is `after`
 * and as many as it was late. -EAGAIN: something else paused the counters meanwhile, and there are
 * no values.
 */
int pmu_freeze_end(struct pmu_event *const *events, unsigned n, uint64_t *value,
		   enum pmu_frozen *frozen);

/* pmu_freeze_cancel() - ends it without values, with all counters stopped; any time. */
void pmu_freeze_cancel(void);

/* pmu_freeze_nmi() - an NMI while it lasts. False: it is not the clock's. NMI context. */
bool pmu_freeze_nmi(void);

#endif
