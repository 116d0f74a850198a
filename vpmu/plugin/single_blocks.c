// SPDX-License-Identifier: BSD-2-Clause
/* single_blocks.c - see single_blocks.h. */
#include "vpmu/plugin/single_blocks.h"

#include "vpmu/plugin/qemu_api.h"

static unsigned wanting; /* how many want blocks of one instruction */

bool single_can(void)
{
	return qemu_get_cpu && cpu_loop_exit_restore && (&singlestep || &one_insn_per_tb);
}

bool single_is_on(void)
{
	return __atomic_load_n(&wanting, __ATOMIC_ACQUIRE);
}

void single_make(bool *wants, bool on)
{
	if (*wants == on)
		return;
	*wants = on;
	__atomic_add_fetch(&wanting, on ? 1u : -1u, __ATOMIC_ACQ_REL);
	if (&one_insn_per_tb)
		__atomic_store_n(&one_insn_per_tb, single_is_on(), __ATOMIC_RELAXED);
	else
		__atomic_store_n(&singlestep, single_is_on(), __ATOMIC_RELAXED);
}

void single_leave_block(unsigned vcpu, uintptr_t return_address)
{
	cpu_loop_exit_restore(qemu_get_cpu((int)vcpu), return_address);
	__builtin_unreachable();
}
