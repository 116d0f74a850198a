/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stop.h - stops the guest behind the very instruction with which a sum of counts reaches a target
 * (include/perf0/events_page.h).
 */
#ifndef VPMU_PLUGIN_STOP_H
#define VPMU_PLUGIN_STOP_H

#include "vpmu/plugin/bound.h"
#include "vpmu/plugin/counted.h"

/* stop_begin() - once the page is there. For tests it may tell vpmu that it stops guests, and not
 * do it, or the other way. */
void stop_begin(unsigned vcpus, bool tells, bool does);

/* stop_model() - what is modelled is of this geometry from now on; NULL: nothing is. */
void stop_model(const struct geometry *geometry);

/* stop_bell() - vpmu rings: the guest has stopped, or runs next. */
void stop_bell(unsigned vcpu);

/*
 * While a block is translated. stop_block() - it begins; stop_insn(): one of its instructions;
 * stop_block_end(): that was all. What it is for stop_look() is returned.
 */
void stop_block(void);
void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d);
const struct bound *stop_block_end(void);

/* stop_is_single() - the block is of one instruction that may reach a target; then stop_watch(),
 * once all else is asked for that is done when it runs. */
bool stop_is_single(void);
void stop_watch(struct qemu_plugin_insn *insn);

/*
 * stop_is_due() - a block is about to run, and it may reach a target: then stop_look(), with
 * nothing of it counted, and all before; it was called from `return_address`. Where the block must
 * not run as it is, this does not return: the caller is called again, for another block.
 */
struct stop_unlooked {
	uint64_t blocks; /* so many cannot reach a target together */
	uint8_t reserved[56];
};
extern struct stop_unlooked *stop_unlooked; /* of each vCPU */
static inline bool stop_is_due(unsigned vcpu)
{
	return !stop_unlooked[vcpu].blocks--;
}
void stop_look(unsigned vcpu, const struct bound *bound, uintptr_t return_address);

#endif
