// SPDX-License-Identifier: BSD-2-Clause
/* onfault.c - see rt/task/onfault.h. */
#include "rt/task/onfault.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"

#include <linux/errno.h>

int onfault_set(struct onfault *o, uint64_t handler, uint64_t stack)
{
	if (handler && (!user_range(handler, 1) || !user_range(stack, 1)))
		return -EFAULT;
	*o = (struct onfault){handler, stack};
	return 0;
}

/* Flags are as at a program's start: where ring 3 is stepped, step_mended() sets TF again. */
bool onfault_take(struct onfault *o, struct trap_frame *frame)
{
	const uint64_t rip = frame->rip;

	if (!o->handler)
		return false;
	frame->rdi = frame->vector;
	frame->rsi = frame->error;
	frame->rdx = frame->vector == VEC_PF ? trap_fault_address() : 0;
	frame->rcx = rip;
	frame->rip = o->handler;
	frame->rsp = o->stack;
	frame->rflags = RFLAGS_IF | RFLAGS_RESERVED;
	o->handler = 0;
	return true;
}
