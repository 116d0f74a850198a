// SPDX-License-Identifier: BSD-2-Clause
/* ring0_call.c - see ring0_call.h. */
#include "arch/x86/cpu/ring0_call.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/percpu.h"

/* Flags that change the behaviour of instructions. The lent code may have set them, so they are
 * cleared. */
#define FLAGS_LEFT (RFLAGS_TF | RFLAGS_IF | RFLAGS_DF | RFLAGS_NT | RFLAGS_AC)

/* ring0_jump.S: calls `address` after storing RSP at `rsp`; returns 0, or 1 after a jump to
 * lend_left. */
long lend_jump(uint64_t address, uint64_t *rsp);
extern const uint8_t lend_left[];

static PERCPU struct {
	uint64_t rsp; /* of lend_jump(); 0: nothing is lent */
	struct lend_fault fault;
} lent;

bool lend_ring0(uint64_t address, struct lend_fault *fault)
{
	const uint64_t cr4 = read_cr4();
	long left;

	write_cr4(cr4 & ~(CR4_SMEP | CR4_SMAP));
	left = lend_jump(address, &lent.rsp);
	lent.rsp = 0;
	write_cr4(cr4);
	if (left)
		*fault = lent.fault;
	return !left;
}

bool lend_take_fault(struct trap_frame *frame)
{
	if (!lent.rsp || frame->vector == VEC_MC || trap_context() == TRACE_NMI)
		return false;
	lent.fault = (struct lend_fault){
		.vector = frame->vector,
		.error = frame->error,
		.rip = frame->rip,
		.address = frame->vector == VEC_PF ? trap_fault_address() : 0,
	};
	frame->rip = (uintptr_t)lend_left;
	frame->rsp = lent.rsp;
	frame->rflags &= ~(uint64_t)FLAGS_LEFT;
	return true;
}
