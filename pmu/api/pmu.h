/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h - the event core: perf_event_open(2) without a kernel around it. This header includes all
 * others of the room.
 *
 * Rules of use: pmu_init() comes first. The caller provides the storage of events and rings;
 * nothing is allocated. All functions but pmu_nmi(), pmu_debug(), pmu_timer() and pmu_mux_timer()
 * are for task context. pmu_nmi() may interrupt them at any instruction, the others where
 * interrupts are on. Errors are negative errno values with their meaning in perf_event_open(2). A
 * refusal also writes one sentence to `why`, which may be NULL.
 *
 * Events of a task count only between pmu_task_sched_in() and pmu_task_sched_out(). The last
 * instruction of the former starts them, and the first MSR write of the latter stops them. Events
 * of a CPU count whenever they are enabled.
 */
#ifndef PMU_API_PMU_H
#define PMU_API_PMU_H

#include "pmu/api/event.h"
#include "pmu/api/happenings.h"
#include "pmu/api/host.h"
#include "pmu/api/operations.h"
#include "pmu/api/pmu_output.h"
#include "pmu/api/pmu_read.h"
#include "pmu/api/sample.h"
#include "pmu/api/settings.h"
#include "pmu/api/stats.h"
#include "pmu/api/pmu_task.h"

#endif
