/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_trap.h - SIGTRAP for events with attr.sigtrap, as perf_event_open(2) has it. */
#ifndef LINUX_PERF_PERF_TRAP_H
#define LINUX_PERF_PERF_TRAP_H

#include <linux/perf_event.h>
#include <stdint.h>

/* perf_trap_note() - as struct pmu_host has it: NMI context. perf_trap_send() - sends the signal
 * that was noted on this CPU; IRQ context, VECTOR_WORK. perf_trap_forget() - task `tid`, which runs
 * here, stops for its tracer: drops a noted hit of a debug register, which the tracer finds in DR6.
 * Interrupts off. */
void perf_trap_note(const struct perf_event_attr *attr, uint64_t address);
void perf_trap_send(void);
void perf_trap_forget(uint32_t tid);

#endif
