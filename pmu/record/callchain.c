// SPDX-License-Identifier: BSD-2-Clause
/*
 * callchain.c - see callchain.h. The host reads the stacks by following frame pointers.
 *
 * The frame of an interrupt has ring 3's frame pointer, if ring 3 was interrupted. If ring 0 was,
 * its own chain leads there: every entry keeps RBP, so the last frame of ring 0 has saved it.
 */
#include "pmu/record/callchain.h"

#include "arch/x86/cpu/trap_frame.h"
#include "pmu/state/hold.h"

static unsigned put_kernel(const struct pmu_regs *regs, uint64_t *to, unsigned most,
			   uint64_t *user_fp)
{
	to[0] = PERF_CONTEXT_KERNEL;
	to[1] = regs->ip;
	if (!regs->frame)
		return 2;
	return 2 + pmu.host->chain_kernel(regs->frame, to + 2, most - 1, user_fp);
}

static inline unsigned put_user(uint64_t ip, uint64_t fp, uint64_t *to, unsigned most)
{
	uint64_t held;
	unsigned n;

	to[0] = PERF_CONTEXT_USER;
	to[1] = ip;
	held = pmu_breakpoints_hold();
	n = pmu.host->chain_user(fp, to + 2, most - 1);
	pmu_breakpoints_release(held);
	return 2 + n;
}

/* For a chain of ring 3 alone, the walk through ring 0 only finds the frame pointer. */
static uint64_t find_user_fp(const struct pmu_regs *was)
{
	uint64_t ignored[PMU_MAX_STACK], fp = 0;

	if (was->frame)
		pmu.host->chain_kernel(was->frame, ignored, PMU_MAX_STACK, &fp);
	return fp;
}

static __attribute__((noinline)) unsigned chain_through_ring_0(const struct pmu_event *e,
							       const struct pmu_regs *regs,
							       const struct pmu_regs *was,
							       uint64_t *to)
{
	const struct perf_event_attr *attr = &e->attr;
	unsigned most = attr->sample_max_stack ? attr->sample_max_stack : PMU_MAX_STACK, n = 0;
	uint64_t ip = regs->ip, fp = 0;

	if (!regs->user && !attr->exclude_callchain_kernel) {
		n = put_kernel(regs, to, most, &fp);
		most -= n - 1;
	} else {
		fp = find_user_fp(was);
	}
	if (!regs->user)
		ip = pmu.task && pmu.host->user_ip ? pmu.host->user_ip() : 0;
	if (!most || !ip || attr->exclude_callchain_user)
		return n;
	return n + put_user(ip, fp, to + n, most);
}

unsigned pmu_callchain(const struct pmu_event *e, const struct pmu_regs *regs,
		       const struct pmu_regs *was, uint64_t *to)
{
	const unsigned most = e->attr.sample_max_stack ? e->attr.sample_max_stack : PMU_MAX_STACK;

	if (!regs->user || !was->user)
		return chain_through_ring_0(e, regs, was, to);
	if (e->attr.exclude_callchain_user)
		return 0;
	return put_user(regs->ip, was->frame ? was->frame->rbp : 0, to, most);
}
