/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h - the event core: perf_event_open(2) without a kernel around it.
 *
 * Rules of use: pmu_init() first. Storage of events and rings is the caller's; nothing is
 * allocated. Everything but pmu_nmi(), pmu_debug(), pmu_timer() and pmu_mux_timer() is for task
 * context, and may be interrupted by the first at any instruction, by the others where interrupts
 * are on. Errors are negative errno values with the meaning they have in perf_event_open(2); a
 * refusal also fills in `why` (which may be NULL) with one sentence.
 *
 * Events of the task count between pmu_task_sched_in() and pmu_task_sched_out() only; the core
 * starts them with the last instruction of the one, and stops them with the first MSR write of the
 * other. Events of the CPU count whenever they are enabled.
 *
 * All of it, by subject.
 */
#ifndef PMU_API_PMU_H
#define PMU_API_PMU_H

#include "pmu/api/event.h"
#include "pmu/api/happenings.h"
#include "pmu/api/host.h"
#include "pmu/api/operations.h"
#include "pmu/api/output.h"
#include "pmu/api/read.h"
#include "pmu/api/sample.h"
#include "pmu/api/settings.h"
#include "pmu/api/stats.h"
#include "pmu/api/task.h"

#endif
