/* SPDX-License-Identifier: BSD-2-Clause */
/* stop_at_count.h - stops the guest behind the exact instruction with which a sum of counts reaches
 * a target (include/perf0/events_page.h). */
#ifndef VPMU_PLUGIN_STOP_AT_COUNT_H
#define VPMU_PLUGIN_STOP_AT_COUNT_H

#include "vpmu/plugin/block_bound.h"
#include "vpmu/plugin/vcpu_counts.h"

/* stop_begin() - once the page exists. For tests, `tells` and `does` may differ: the page announces
 * stops, and the plugin does them. */
void stop_begin(unsigned vcpus, bool tells, bool does);

/* stop_model() - the modelled geometry from now on; NULL: nothing is modelled. */
void stop_model(const struct geometry *geometry);

/* stop_bell() - vpmu rings the bell: the guest has stopped, or runs next. */
void stop_bell(unsigned vcpu);

/* stop_needs_clock() - whether its targets need no other counts than follow_sum_clock() sums up. */
bool stop_needs_clock(unsigned vcpu);

/* A block's contribution to targets. */
struct stop_block {
	struct bound bound;
	uint64_t va;
	uint64_t weight;  /* its part of the distance to the target */
	uint32_t targets; /* number of the set of targets that the weight is for; 0: not known */
};

/* While a block is translated: stop_begin_block() at its start, stop_insn() for each instruction,
 * stop_end_block() at its end. */
void stop_begin_block(void);
void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d,
	       const struct core_insn *timed);
void stop_end_block(struct stop_block *block, uint64_t va);

/* stop_watch() - after all other callbacks are attached to a block of one instruction, which may
 * reach a target: where single_is_on(). */
void stop_watch(struct qemu_plugin_insn *insn);

/*
 * stop_is_due() - the block about to run may reach a target. Then call stop_look(), with everything
 * before the block counted and nothing of it; `return_address` is that of the callback. It does not
 * return if the block must not run as it is: QEMU then calls the callback for another block.
 */
struct stop_unlooked {
	bool is_armed;    /* targets are set */
	uint32_t targets; /* the number of the set of targets; sets of other counts have other
			     numbers */
	int64_t left;     /* weight that blocks may have before the next check */
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
