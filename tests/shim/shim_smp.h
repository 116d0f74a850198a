/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_smp.h - several machines of shim_machine.h as the CPUs of one machine. A CPU is a thread,
 * with its own clock, PMU and `rig`. CPU 0 is the thread that calls smp_boot(). A CPU serves calls
 * of other CPUs while it waits or calls smp_serve(): interrupts are off everywhere else.
 */
#ifndef TESTS_SHIM_SHIM_SMP_H
#define TESTS_SHIM_SHIM_SMP_H

#include <stdbool.h>

#define SMP_CPUS 8 /* at most */

/*
 * smp_boot() - boots `n` CPUs with personality `uarch`; each calls pmu_init(), and all except CPU 0
 * wait for jobs. smp_boot_hybrid() - the same, but CPU `odd` has personality `other`. smp_stop() -
 * ends the other CPUs.
 */
void smp_boot(unsigned n, const char *uarch, bool ht_on);
void smp_boot_hybrid(unsigned n, const char *uarch, const char *other, unsigned odd);
void smp_stop(void);

/* smp_on() - runs `fn(arg)` in task context on that CPU, and waits for its end. smp_start() -
 * returns at once. smp_wait() - waits for all started calls. CPU 0 calls these functions. */
void smp_on(unsigned cpu, void (*fn)(void *arg), void *arg);
void smp_start(unsigned cpu, void (*fn)(void *arg), void *arg);
void smp_wait(void);

unsigned smp_number(void);

/* smp_serve() - runs the calls of other CPUs to this CPU. smp_is_called() - returns whether such a
 * call waits. */
void smp_serve(void);
bool smp_is_called(void);

#endif
