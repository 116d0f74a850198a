/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu_states.h - what became of the CPUs that the firmware names, in words. Task context. */
#ifndef RT_RUN_CPU_STATES_H
#define RT_RUN_CPU_STATES_H

#include "arch/x86/smp/smp.h"

/* cpus_say_problems() - a line to err() for each CPU that is not used though it was to be, and one
 * where the TSCs differ. Behind smp_start(). */
void cpus_say_problems(void);

/* cpus_state() - what `state` is called: "online". Never NULL. */
const char *cpus_state(enum smp_state state);

#endif
