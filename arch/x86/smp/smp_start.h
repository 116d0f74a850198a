/* SPDX-License-Identifier: BSD-2-Clause */
/* smp_start.h - shared by smp.c and smp_start.c alone. */
#ifndef ARCH_X86_SMP_SMP_START_H
#define ARCH_X86_SMP_SMP_START_H

#include <stdbool.h>
#include <stdint.h>

/* smp_find() - stores the CPUs that the firmware names, and marks this one as online. Once. */
void smp_find(void);

/* smp_make_tables() - allocates the tables of lib/by_cpu.h for `ncpus` CPUs. Once; panics without
 * memory. */
void smp_make_tables(unsigned ncpus);

/* smp_call_begin() - smp_call() to another CPU, but returns at once; smp_call_end() waits for its
 * end. `call` must stay until then. */
struct smp_call {
	struct smp_call *next;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};
void smp_call_begin(unsigned cpu, struct smp_call *call);
void smp_call_end(struct smp_call *call);

/* smp_add_online() - gives the CPU whose APIC has this id the next number. Boot CPU. */
void smp_add_online(uint32_t id);

#endif
