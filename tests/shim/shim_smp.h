/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_smp.h - several machines of shim_machine.h as the CPUs of one: a thread is a CPU, with a
 * clock, a PMU and a `rig` of its own. Thread 0 is the one that calls smp_boot(). Calls from one to
 * another arrive where the called one waits or serves: interrupts are off everywhere else.
 */
#ifndef TESTS_SHIM_SHIM_SMP_H
#define TESTS_SHIM_SHIM_SMP_H

#include <stdbool.h>

#define SMP_CPUS 8 /* at most */

/*
 * smp_boot() - `n` CPUs with personality `uarch`, each through pmu_init(); the others wait for
 * jobs. smp_boot_hybrid(): CPU `odd` has personality `other`. smp_stop() - the others end.
 */
void smp_boot(unsigned n, const char *uarch, bool ht_on);
void smp_boot_hybrid(unsigned n, const char *uarch, const char *other, unsigned odd);
void smp_stop(void);

/* smp_on() - `fn(arg)` as task context of that CPU; returns when it has. smp_start(): returns at
 * once; smp_wait(): when all that were started have. By CPU 0. */
void smp_on(unsigned cpu, void (*fn)(void *arg), void *arg);
void smp_start(unsigned cpu, void (*fn)(void *arg), void *arg);
void smp_wait(void);

unsigned smp_number(void);

/* smp_serve() - runs what others have called this CPU for. smp_is_called(): they have, and it was
 * not served yet. */
void smp_serve(void);
bool smp_is_called(void);

#endif
