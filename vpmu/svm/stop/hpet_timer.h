/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hpet_timer.h - an NMI after a number of guest instructions, by a comparator of the HPET for each
 * CPU. IA-PC HPET specification 1.0a, "Register Definitions".
 */
#ifndef VPMU_SVM_STOP_HPET_TIMER_H
#define VPMU_SVM_STOP_HPET_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_timer_probe() - whether this machine has a usable comparator. Any context. */
bool vpmu_timer_probe(void);

/* vpmu_timer_init() - finds the CPU's comparator, and measures the HPET's frequency by the TSC. */
void vpmu_timer_init(struct vpmu_cpu *cpu);

/* vpmu_timer_tsc_hz() - the TSC's frequency as measured; 0: the CPU has no comparator. */
uint64_t vpmu_timer_tsc_hz(const struct vpmu_cpu *cpu);

/*
 * vpmu_timer_arm() - stops the next run after that number of instructions. It is the last call
 * before the run, because it relies on a constant path from here to VMRUN.
 * vpmu_timer_disarm() - the next run is not stopped.
 */
void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions);
void vpmu_timer_disarm(struct vpmu_cpu *cpu);

/* vpmu_timer_early() - the timer stops the guest fewer instructions than this before the wanted
 * one, and never behind it; UINT64_MAX: not known yet. */
uint64_t vpmu_timer_early(const struct vpmu_cpu *cpu);

/* vpmu_timer_rest() - switches the comparator off while the CPU sleeps. */
void vpmu_timer_rest(struct vpmu_cpu *cpu);

/* vpmu_timer_anew() - switches the comparator off, and resets the corrections from earlier runs. */
void vpmu_timer_anew(struct vpmu_cpu *cpu);

/* vpmu_timer_silence() - switches off another CPU's comparator, before that CPU is reset. */
void vpmu_timer_silence(unsigned number);

/* vpmu_timer_expired() - whether the NMI that was just taken is the timer's. */
bool vpmu_timer_expired(struct vpmu_cpu *cpu);

#endif
