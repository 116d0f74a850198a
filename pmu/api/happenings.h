/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * happenings.h - what the runtime tells the event core of: NMIs, timers, traps, steps and hits of
 * tracepoints, as they come. The rules of use are pmu.h's.
 */
#ifndef PMU_API_HAPPENINGS_H
#define PMU_API_HAPPENINGS_H

#include "lib/classify.h"
#include "pmu/api/sample.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_hit;

/*
 * pmu_nmi() - serves every counter that overflowed. NMI context, PMU as the interrupted code left
 * it. False: the NMI is not ours.
 */
bool pmu_nmi(const struct pmu_regs *regs);

/*
 * pmu_debug() - a #DB, with DR6 as it left it: counts the breakpoints that it reports. Its handler,
 * interrupts off, on whatever stack; touches no memory of ring 3, which may be watched.
 */
enum pmu_debug {
	PMU_DEBUG_FOREIGN, /* the #DB has another cause, too: DR6 still tells it */
	PMU_DEBUG_DONE,
	PMU_DEBUG_RESUME, /* go on with RFLAGS.RF set: the instruction has not been executed yet */
};
enum pmu_debug pmu_debug(const struct pmu_regs *regs);

/* What ring 3 did, as told to pmu_step(). */
struct pmu_step {
	/*
	 * True: the instruction at `from` was executed, and the next one is at `to`; for one of
	 * INSN_ENTER that is where ring 0 returned to, 0 as long as it did not. False: ring 3 was
	 * interrupted before the instruction at `from`, and goes on at `to`.
	 */
	bool executed;
	uint64_t from, to;
	struct insn_flow insn; /* executed only */
};

/* pmu_step() - see pmu_host.step. Interrupts off, on whatever stack, not in an NMI. */
void pmu_step(const struct pmu_step *step);

/* pmu_trace_hit() - a tracepoint was hit (struct trace_host of lib/trace.h). Any context. */
void pmu_trace_hit(const struct trace_hit *hit);

/*
 * pmu_software() - one more of the software event `id`, which is no clock: the events of this CPU
 * and of the task that runs here count it, and those with a period sample it. `regs`: where it
 * happened, which is also the ring that modifiers ask for; of a fault also at which `address`. Of a
 * page fault that was mended two are told: page-faults, and minor-faults or major-faults. Of a
 * switch before pmu_task_sched_out(), of a migration behind pmu_task_sched_in(). Any context.
 */
void pmu_software(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address);

/* pmu_timer() - the timer of pmu_host.timer_arm() went off. IRQ context. */
void pmu_timer(const struct pmu_regs *regs);

/* pmu_mux_timer() - the timer of pmu_host.mux_arm() went off: the next slice. IRQ context. */
void pmu_mux_timer(const struct pmu_regs *regs);

/* pmu_rate_timer() - the timer of pmu_host.rate_arm() went off. pmu_irq_work() - what irq_work()
 * asked for. IRQ context, both. */
void pmu_rate_timer(const struct pmu_regs *regs);
void pmu_irq_work(void);

/* pmu_refresh_timer() - the timer of pmu_host.refresh_arm() went off. IRQ context. */
void pmu_refresh_timer(const struct pmu_regs *regs);

#endif
