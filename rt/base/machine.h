/* SPDX-License-Identifier: BSD-2-Clause */
/* machine.h - facts that main.c found at start-up, for the commands. Read only. Any context. */
#ifndef RT_BASE_MACHINE_H
#define RT_BASE_MACHINE_H

#include "arch/x86/portable/cpuid.h"

/* machine_caps() - the PMU as CPUID describes it. */
const struct pmu_caps *machine_caps(void);

/* machine_pmu_problem() - why there are no hardware events, in one sentence; NULL: there are. */
const char *machine_pmu_problem(void);

/* machine_arguments() - the arguments from the boot loader. */
const char *machine_arguments(void);

#endif
