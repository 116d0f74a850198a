/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.h - interrupts, exceptions and NMIs: GDT, IDT, TSS, and the handlers of vectors.
 *
 * Every entry makes the same frame and calls C with a pointer to it; handlers run with interrupts
 * off. trap.c lists the stack of each vector, and shows why none overwrites another.
 *
 * Rules of use: trap_init() comes first of all in the runtime. Handlers are registered in task
 * context, and setters return the handler that was there before. An IRQ handler ends with
 * apic_eoi() by itself, before it calls user_leave().
 */
#ifndef ARCH_X86_CPU_TRAP_H
#define ARCH_X86_CPU_TRAP_H

#include "arch/x86/cpu/trap_frame.h"
#include "arch/x86/vector.h"
#include "lib/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(offsetof(struct trap_frame, r11) == FRAME_CLOBBERED, "entry.S restores from here");
_Static_assert(offsetof(struct trap_frame, r10) == FRAME_R10, "entry.S");
_Static_assert(offsetof(struct trap_frame, r9) == FRAME_R9, "entry.S");
_Static_assert(offsetof(struct trap_frame, r8) == FRAME_R8, "entry.S");
_Static_assert(offsetof(struct trap_frame, rdx) == FRAME_RDX, "entry.S");
_Static_assert(offsetof(struct trap_frame, rsi) == FRAME_RSI, "entry.S");
_Static_assert(offsetof(struct trap_frame, rdi) == FRAME_RDI, "entry.S");
_Static_assert(offsetof(struct trap_frame, vector) == FRAME_VECTOR, "entry.S");
_Static_assert(offsetof(struct trap_frame, rip) == FRAME_RIP, "entry.S");
_Static_assert(offsetof(struct trap_frame, cs) == FRAME_CS, "entry.S");
_Static_assert(offsetof(struct trap_frame, rflags) == FRAME_RFLAGS, "entry.S");
_Static_assert(offsetof(struct trap_frame, rsp) == FRAME_RSP, "entry.S");
_Static_assert(sizeof(struct trap_frame) == FRAME_SIZE, "entry.S");
_Static_assert(FRAME_SIZE % 16 == 0, "the CPU aligned the stack; it stays aligned for C");

static inline bool trap_from_user(const struct trap_frame *frame)
{
	return frame->cs & SEL_RPL_USER;
}

/* trap_user_frame() - the state in which ring 3 was left for the ring 0 code that is running now:
 * rip, cs, rflags, rsp and ss are valid, nothing else. NULL: ring 3 does not run. Any context. */
struct trap_frame *trap_user_frame(void);

/* trap_init() - sets this CPU's GDT, TSS, IDT, CR0 and CR4, and the panic handler. Interrupts stay
 * off. Task context, once, before everything else that can fault. */
void trap_init(void);

/* trap_init_cpu() - the same on another CPU. It shares the IDT and the handlers with the first CPU,
 * and gets its own stacks. -ENOMEM: no memory for the stacks. Interrupts are off. */
int trap_init_cpu(void);

/*
 * trap_set_irq() - `fn` gets interrupts of `vector` (VEC_FREE..VEC_FREE_LAST); NULL removes the
 * handler. `fn` runs in IRQ context: on the interrupted stack (from ring 3: on the task's),
 * interrupts off. Its changes of registers in the frame that C keeps are lost.
 */
typedef void trap_handler(struct trap_frame *frame);
trap_handler *trap_set_irq(unsigned vector, trap_handler *fn);

/* trap_name_irq() - the name of the interrupts of `vector` in tracepoints; kept, not copied. */
void trap_name_irq(unsigned vector, const char *name);

/* trap_context() - the current context. trap_forget_context() - called when the context's handler
 * will not return. */
enum trace_context trap_context(void);
void trap_forget_context(void);

/*
 * trap_trace() - routes interrupts and NMIs through their tracepoints, and lets trap_context() know
 * of interrupts, or ends both. While no tracepoint is open, their path is not a single instruction
 * longer. Interrupts off.
 */
void trap_trace(bool on);

/*
 * trap_set_nmi() - `fn` gets every NMI, in NMI context: on its own stack, without user_leave() and
 * without anything that sleeps. It may change only rip and rflags in the frame. False: the NMI is
 * not the handler's; it counts as unknown.
 */
typedef bool trap_nmi_handler(struct trap_frame *frame);
trap_nmi_handler *trap_set_nmi(trap_nmi_handler *fn);

/*
 * trap_set_user_fault() - `fn` gets the exceptions of ring 3, on the task's stack, interrupts off.
 * It may change the frame and return to ring 3, or call user_leave(). For VEC_PF,
 * trap_fault_address() is the address. Without one, an exception of ring 3 ends user_run() with
 * -EFAULT.
 */
trap_handler *trap_set_user_fault(trap_handler *fn);

/*
 * trap_set_debug() - `fn` gets every #DB first: from ring 3 on the task's stack, from ring 0 on the
 * #DB's own; interrupts off. It may change rflags, and accesses no memory of ring 3 that is
 * watched. False: it did not expect this #DB, which is then an exception like others (of ring 0: a
 * panic).
 */
typedef bool trap_debug_handler(struct trap_frame *frame);
trap_debug_handler *trap_set_debug(trap_debug_handler *fn);

/* trap_fault_address() - CR2 of the page fault just reported to this handler. */
uint64_t trap_fault_address(void);

/* trap_name() - "#PF", "#GP", "NMI", "IRQ": never NULL. Any context. */
const char *trap_name(unsigned vector);

struct trap_counts {
	uint64_t irqs;       /* all interrupts */
	uint64_t stray_irqs; /* without a handler: acknowledged and forgotten */
	uint64_t nmis;       /* all NMIs */
	uint64_t unknown_nmis;
	uint64_t user_faults;             /* all exceptions of ring 3 */
	uint64_t user_fault[VEC_NEXCEPT]; /* of these, by vector */
	uint64_t user_page_faults_mended; /* after which ring 3 went on */
	uint64_t fixups;                  /* faults of ring 0 that the exception table expected */
};

/* trap_counts() - the counts of this CPU since trap_init(). Any context. */
const struct trap_counts *trap_counts(void);

#endif
