/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * happenings.h - entry points by which the runtime reports to the event core: NMIs, timers, traps,
 * single steps and hits of tracepoints. pmu.h has the rules of use.
 */
#ifndef PMU_API_HAPPENINGS_H
#define PMU_API_HAPPENINGS_H

#include "lib/classify.h"
#include "lib/percpu.h"
#include "pmu/api/sample.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_hit;

/*
 * pmu_nmi() - serves every counter that overflowed. NMI context; the PMU is in the state of the
 * interrupted code. False: the NMI has another source.
 */
bool pmu_nmi(const struct pmu_regs *regs);

/*
 * pmu_debug() - serves a #DB: counts the breakpoints that DR6 reports. Called by its handler with
 * interrupts off, on any stack. Accesses no memory of ring 3, which may be watched.
 */
enum pmu_debug {
	PMU_DEBUG_FOREIGN, /* the #DB has another cause, too, which DR6 still reports */
	PMU_DEBUG_DONE,
	PMU_DEBUG_RESUME, /* continue with RFLAGS.RF set: the instruction has not executed yet */
};
enum pmu_debug pmu_debug(const struct pmu_regs *regs);

/* The argument of pmu_step(): one step of ring 3. */
struct pmu_step {
	/*
	 * True: the instruction at `from` was executed, and the next one is at `to`. For an
	 * INSN_ENTER, `to` is the address at which ring 0 returned, 0 until it does. False: ring 3
	 * was interrupted before the instruction at `from`, and continues at `to`.
	 */
	bool executed;
	uint64_t from, to;
	struct insn_flow insn; /* valid if executed */
};

/* pmu_step() - reports a step; see pmu_host.step. Interrupts off, on any stack, not in an NMI. */
void pmu_step(const struct pmu_step *step);

/*
 * pmu_trace_hit() - reports a hit of a tracepoint (struct trace_host of lib/trace.h). Any context.
 */
void pmu_trace_hit(const struct trace_hit *hit);

/*
 * pmu_software() - counts one occurrence of the software event `id`, which is not a clock. The
 * events of this CPU and of the running task count it; those with a period sample it. `regs` is the
 * place, whose ring the modifiers filter by; `address` is that of a fault, else 0. A page fault
 * that was resolved is reported twice: as page-faults, and as minor-faults or major-faults. A
 * switch is reported before pmu_task_sched_out(), a migration after pmu_task_sched_in(). Any
 * context.
 * pmu_software_counts() - whether some event counts it; if not, this test is the whole cost.
 */
extern PERCPU struct pmu_event *pmu_occurring[PERF_COUNT_SW_MAX]; /* lists by `id` */
void pmu_software_tell(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address);
static inline bool pmu_software_counts(enum perf_sw_ids id)
{
	return __builtin_expect(pmu_occurring[id] != NULL, 0);
}
static inline void pmu_software(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address)
{
	if (pmu_software_counts(id))
		pmu_software_tell(id, regs, address);
}

/* pmu_timer() - the timer of pmu_host.timer_arm() expired. IRQ context. */
void pmu_timer(const struct pmu_regs *regs);

/* pmu_mux_timer() - the timer of pmu_host.mux_arm() expired: the next slice begins. IRQ context. */
void pmu_mux_timer(const struct pmu_regs *regs);

/*
 * pmu_rate_timer() - the timer of pmu_host.rate_arm() expired. IRQ context.
 * pmu_irq_work() - does the work for which irq_work() asked. IRQ context.
 */
void pmu_rate_timer(const struct pmu_regs *regs);
void pmu_irq_work(void);

/* pmu_refresh_timer() - the timer of pmu_host.refresh_arm() expired. IRQ context. */
void pmu_refresh_timer(const struct pmu_regs *regs);

#endif
