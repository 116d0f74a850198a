/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu_states.h - the state of the CPUs that the firmware lists, in words. Task context. */
#ifndef RT_RUN_CPU_STATES_H
#define RT_RUN_CPU_STATES_H

#include "arch/x86/smp/smp.h"

/* cpus_say_problems() - prints a line to err() for each CPU that should be used and is not, and one
 * if TSCs differ. After smp_start(). */
void cpus_say_problems(void);

/* cpus_state() - the name of `state`: "online". Never NULL. */
const char *cpus_state(enum smp_state state);

#endif
