// SPDX-License-Identifier: BSD-2-Clause
/* step_report.c - fills struct events_last of the page while the instruction runs. */
#include "vpmu/plugin/step_report.h"

bool stepped_is_wanted(unsigned vcpu)
{
	return vcpu < EVENTS_PAGE_CPUS && counted_page()->cpu[vcpu].follow;
}

/* The report of the running instruction; NULL: vpmu does not want one. */
static struct events_last *followed_of(unsigned vcpu)
{
	struct events_cpu *cpu = &counted_page()->cpu[vcpu];

	if (vcpu >= EVENTS_PAGE_CPUS || !cpu->follow || cpu->last.number != cpu->follow)
		return NULL;
	return &cpu->last;
}

/* --- Code --- */

void stepped_fetches(struct stepped_fetches *fetches, const uint64_t *n)
{
	*fetches = (struct stepped_fetches){
		.l1 = n[EVENTS_L1I_MISSES],
		.l2 = n[EVENTS_L2_CODE_MISSES],
		.llc = n[EVENTS_LLC_MISSES],
		.misses = n[EVENTS_ITLB_MISSES],
		.walks = n[EVENTS_ITLB_WALKS],
	};
}

static uint8_t source_of_code(const struct stepped_fetches *a, const struct stepped_fetches *b)
{
	if (b->l1 == a->l1)
		return EVENTS_FROM_L1;
	if (b->l2 == a->l2)
		return EVENTS_FROM_L2;
	return b->llc == a->llc ? EVENTS_FROM_LLC : EVENTS_FROM_MEMORY;
}

static uint8_t translation_of_code(const struct stepped_fetches *a, const struct stepped_fetches *b)
{
	if (b->misses == a->misses)
		return EVENTS_TLB_HIT;
	return b->walks == a->walks ? EVENTS_STLB_HIT : EVENTS_WALK;
}

static uint16_t clamp_cycles(uint64_t cycles)
{
	return (uint16_t)(cycles < UINT16_MAX ? cycles : UINT16_MAX);
}

void stepped_begin(unsigned vcpu, uint64_t rip, bool locked, const struct stepped_fetches *before,
		   const uint64_t *n, uint64_t latency)
{
	struct events_cpu *cpu = &counted_page()->cpu[vcpu];
	struct stepped_fetches now;

	if (vcpu >= EVENTS_PAGE_CPUS || !cpu->follow)
		return;
	stepped_fetches(&now, n);
	cpu->last = (struct events_last){
		.number = cpu->follow,
		.rip = rip,
		.locked = locked,
		.fetch_source = source_of_code(before, &now),
		.fetch_translation = translation_of_code(before, &now),
		.fetch_latency = clamp_cycles(latency),
	};
}

void stepped_branch(unsigned vcpu, uint64_t rip, bool taken, bool mispredicted)
{
	struct events_last *last = followed_of(vcpu);

	if (!last || last->rip != rip)
		return;
	last->branch = true;
	last->taken = taken;
	last->mispredicted = mispredicted;
}

/* --- Accesses --- */

static uint8_t source_of(const struct timed_access *o)
{
	static const uint8_t sources[] = {
		[MICRO_L1] = EVENTS_FROM_L1,
		[MICRO_L2] = EVENTS_FROM_L2,
		[MICRO_LLC] = EVENTS_FROM_LLC,
		[MICRO_MEMORY] = EVENTS_FROM_MEMORY,
	};

	return o->in_flight ? EVENTS_FROM_FILL : sources[o->level];
}

static void report_access(struct events_access *to, const struct timed_access *a,
			  const struct core_access *at)
{
	*to = (struct events_access){.va = at->va,
				     .bytes = at->bytes,
				     .store = a->stores,
				     .latency = a->cycles,
				     .source = source_of(a),
				     .translation = a->tlb,
				     .snoop = a->snoop};
}

void stepped_accesses(unsigned vcpu, const struct run_time *time)
{
	struct events_last *last = followed_of(vcpu);
	const unsigned n = time->naccesses < EVENTS_ACCESSES ? time->naccesses : EVENTS_ACCESSES;

	if (!last || last->rip != (time->run ? time->run->va : time->ended))
		return;
	for (unsigned i = 0; i < n; i++)
		report_access(&last->access[i], &time->access[i], &time->at[i]);
	last->naccesses = (uint8_t)n;
}
