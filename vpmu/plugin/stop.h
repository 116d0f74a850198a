/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stop.h - stops the guest behind the very instruction with which a sum of counts reaches a target
 * (include/perf0/events_page.h).
 */
#ifndef VPMU_PLUGIN_STOP_H
#define VPMU_PLUGIN_STOP_H

#include "vpmu/plugin/bound.h"
#include "vpmu/plugin/counted.h"

/* stop_begin() - for machines of one vCPU, where QEMU has what it takes. One that is `mute` says
 * that it stops guests, and does not. */
void stop_begin(unsigned vcpus, bool mute);

/* stop_model() - what is modelled is of this geometry from now on; NULL: nothing is. */
void stop_model(const struct geometry *geometry);

/* stop_bell() - vpmu rings: the guest has stopped, or runs next. */
void stop_bell(unsigned vcpu);

/*
 * While a block is translated. stop_block() - it begins; stop_insn(): one of its instructions;
 * stop_block_end(): that was all. What it is for stop_at_block() is returned.
 */
void stop_block(void);
void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d);
const struct bound *stop_block_end(void);

/* stop_is_single() - the block is of one instruction that may reach a target; then stop_watch(),
 * once all else is asked for that is done when it runs. */
bool stop_is_single(void);
void stop_watch(struct qemu_plugin_insn *insn);

/*
 * stop_at_block() - a block is about to run, and nothing of it is counted; it was called from
 * `return_address`. Where it must not run as it is, this does not return: the caller is called
 * again, for another block. stop_unlooked: so many blocks cannot reach a target together.
 */
extern uint64_t stop_unlooked;
void stop_look(const struct bound *bound, uintptr_t return_address);
static inline void stop_at_block(const struct bound *bound, void *return_address)
{
	if (!stop_unlooked--)
		stop_look(bound, (uintptr_t)return_address);
}

#endif
