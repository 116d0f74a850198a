/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step.h - single steps of ring 3: RFLAGS.TF makes each instruction end in a #DB (SDM vol. 3,
 * "Single-Step Exception Condition").
 *
 * Ring 3 does not notice: PUSHF and SYSCALL show it RFLAGS without TF. Where it sets TF by itself,
 * it gets the same #DB as without stepping. Interrupts of ring 3, and changes of its RIP by
 * handlers of its exceptions, are followed, too.
 */
#ifndef ARCH_X86_CPU_STEP_H
#define ARCH_X86_CPU_STEP_H

#include "lib/classify.h"
#include "lib/percpu.h"

#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

/* One step of ring 3. */
struct step {
	/*
	 * True: the instruction at `from` was executed, and the next one is at `to`. For INSN_ENTER
	 * `to` is where ring 0 returned to, 0 as long as it did not. False: ring 3 was interrupted
	 * before the instruction at `from`, and goes on at `to`.
	 */
	bool executed;
	uint64_t from, to;
	struct insn_flow insn; /* at `from`; executed only */
};

/* Called for each step, on the task's stack, interrupts off. May access memory of ring 3. */
typedef void step_handler(const struct step *step);

/*
 * step_begin() - begins stepping; ring 3 goes on at user_ip(). step_end() - ends it, and calls the
 * handler once more if ring 3 was left by an instruction of INSN_ENTER. Both work whether ring 3
 * runs or not. Task and IRQ context, interrupts off; pairs, does not nest.
 */
void step_begin(step_handler *fn);
void step_end(void);

/*
 * step_trapped() - whether TF is a cause of this #DB by DR6, while ring 3 is stepped: clears that
 * bit of DR6. step_take() - handles the step, after all other causes in DR6; accesses memory of
 * ring 3. False: ring 3 had set TF itself, and is to get its #DB.
 */
bool step_trapped(const struct trap_frame *frame);
bool step_take(struct trap_frame *frame);

/*
 * Events of ring 3, reported by the code that causes them.
 *
 * step_prepared() - ring 3 will be entered at `rip`, which may differ from where this CPU left ring
 * 3 last; the code of that place is still mapped. step_left() - ring 3 was left with the state in
 * `frame`, which is about to be saved. step_was_left() - whether ring 3 is stepped, was left, and
 * has not been prepared since. step_syscall() - a system call begins, while step_on. step_sysret()
 * - the system call is about to return. step_mended() - the handler of an exception at `rip` has
 * returned, and ring 3 continues as `frame` says.
 */
void step_prepared(uint64_t rip);
void step_left(struct trap_frame *frame);
bool step_was_left(void);

/* step_is_prepared() - whether ring 3 is stepped and its flags contain the stepper's TF.
 * step_set_own_tf() - sets ring 3's own TF in that case; returns the former value. */
bool step_is_prepared(void);
bool step_set_own_tf(bool on);
void step_syscall(void);
void step_sysret(void);
void step_mended(struct trap_frame *frame, uint64_t rip);

extern PERCPU bool step_on; /* ring 3 is stepped on this CPU */

#endif
