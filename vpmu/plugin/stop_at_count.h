/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stop_at_count.h - stops the guest behind the very instruction with which a sum of counts reaches
 * a target (include/perf0/events_page.h).
 */
#ifndef VPMU_PLUGIN_STOP_AT_COUNT_H
#define VPMU_PLUGIN_STOP_AT_COUNT_H

#include "vpmu/plugin/block_bound.h"
#include "vpmu/plugin/vcpu_counts.h"

/* stop_begin() - once the page is there. For tests it may tell vpmu that it stops guests, and not
 * do it, or the other way. */
void stop_begin(unsigned vcpus, bool tells, bool does);

/* stop_model() - what is modelled is of this geometry from now on; NULL: nothing is. */
void stop_model(const struct geometry *geometry);

/* stop_bell() - vpmu rings: the guest has stopped, or runs next. */
void stop_bell(unsigned vcpu);

/* A block, as targets see it. */
struct stop_block {
	struct bound bound;
	uint64_t va;
	uint64_t weight;  /* what it takes of what is left, */
	uint32_t targets; /* to targets of that number; 0: that is not known */
};

/*
 * While a block is translated. stop_begin_block() - it begins; stop_insn(): one of its
 * instructions; stop_end_block(): that was all.
 */
void stop_begin_block(void);
void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d);
void stop_end_block(struct stop_block *block, uint64_t va);

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
	bool is_armed;    /* there are targets */
	uint32_t targets; /* their number: it is another one when they are of other counts */
	int64_t left;     /* of what blocks weigh, until one is looked at */
	uint8_t reserved[48];
};
extern struct stop_unlooked *stop_unlooked; /* of each vCPU */
void stop_weigh(unsigned vcpu, struct stop_block *block);
static inline bool stop_is_due(unsigned vcpu, struct stop_block *block)
{
	struct stop_unlooked *u = &stop_unlooked[vcpu];

	if (!u->is_armed)
		return false;
	if (block->targets != u->targets)
		stop_weigh(vcpu, block);
	u->left -= (int64_t)block->weight;
	return u->left < 0;
}
void stop_look(unsigned vcpu, const struct stop_block *block, uintptr_t return_address);

#endif
