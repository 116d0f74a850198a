// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_rate.c - what an event adds: counts of QEMU's plugin, or else a ratio of instructions or
 * cycles. A register selects the kinds of some events.
 *
 * Where time is modelled, cycles and slots are the model's, and ratios of cycles use them.
 * Reference cycles do, too, as a guest divides one by the other. An exception is a counter that
 * will overflow soon, if the guest cannot be stopped at a count: an instruction may take hundreds
 * of cycles, so all the way to the overflow would have to be stepped. It counts the clock's cycles.
 * So does a counter with the long period of a watchdog.
 *
 * Counter masks: rows have the masks of event names. Other masks are clear in two cases: all cycles
 * are meant, or the mask is 1 and a cycle has the event once at most. The model also counts the
 * cycles that had so many slots lost by the front end, or operations. Without counts of the plugin,
 * the model's events come one at a time and evenly; slots come `slots` at a time. There a mask up
 * to that number counts the cycles that have the event, and a higher one nothing. INV counts the
 * other cycles (without a mask it has no effect, as the SDM says). EDGE changes nothing, as no two
 * consecutive cycles have the event. ANY counts one thread, as there is no other.
 */
#include "vpmu/model/model_priv.h"

#define UMASK_SHIFT        8
#define CMASK_SHIFT        24
#define AMD_EVENT_HI_SHIFT 24 /* bits 35:32 of the selector become bits 11:8 of the event */

/* SDM vol. 3, "Load Latency Performance Monitoring Facility": the least threshold. */
#define LD_LAT_LEAST 3

/* --- Rows --- */

/* EQ: cycles count that have exactly as many events as the mask says. No event name uses it. */
static bool counts_equal(const struct vpmu_model *m, uint64_t sel)
{
	return m->uarch->wide_select && sel & EVTSEL_INTEL_EQ;
}

static bool masks_match(const struct vpmu_model *m, const struct vpmu_event *event, uint64_t sel)
{
	return event->cmask == (uint8_t)(sel >> CMASK_SHIFT) &&
	       !(event->cmask && counts_equal(m, sel)) && event->inv == !!(sel & EVTSEL_INV) &&
	       event->edge == !!(sel & EVTSEL_EDGE);
}

static bool counts_on(const struct vpmu_model *m, const struct vpmu_event *event, unsigned i)
{
	return event->counters >> i & 1 || m->machine.errata & VPMU_COUNTS_ANYWHERE;
}

const struct vpmu_event *vpmu_model_event(const struct vpmu_model *m, unsigned i, uint64_t sel)
{
	unsigned code = sel & EVTSEL_EVENT;
	uint8_t umask = (uint8_t)(sel >> UMASK_SHIFT);
	const struct vpmu_event *plain = NULL;

	if (is_amd(m))
		code |= (sel & EVTSEL_AMD_EVENT_HI) >> AMD_EVENT_HI_SHIFT;
	else if (sel & EVTSEL_INTEL_UMASK2)
		return NULL; /* no event of these cores uses these bits */
	for (uint16_t k = m->rows.first[code & EVTSEL_EVENT]; k != VPMU_NO_ROW;
	     k = m->rows.next[k]) {
		const struct vpmu_event *event = m->rows.row[k];

		if (event->code != code || event->umask != umask || !event->counters)
			continue;
		if (masks_match(m, event, sel))
			return counts_on(m, event, i) ? event : NULL;
		if (masks_match(m, event, 0) && counts_on(m, event, i))
			plain = event;
	}
	return plain;
}

/* --- Sums of counts --- */

static void add_term(struct vpmu_sum *sum, enum events_count count, bool minus)
{
	unsigned i = 0;

	while (sum->term[i])
		i++;
	sum->term[i] = (int16_t)(minus ? -(count + 1) : count + 1);
}

enum events_level vpmu_sum_level(const struct vpmu_sum *sum)
{
	enum events_level level = EVENTS_LEVEL_NONE, needed;

	for (unsigned i = 0; i < VPMU_TERMS && sum->term[i]; i++) {
		needed = events_level_of(events_term_count(sum->term[i]));
		level = needed > level ? needed : level;
	}
	return level;
}

static bool is_modelled(const struct vpmu_sum *sum)
{
	for (unsigned i = 0; i < VPMU_TERMS && sum->term[i]; i++)
		if (events_term_count(sum->term[i]) >= EVENTS_UOPS)
			return true;
	return false;
}

bool vpmu_sum_is_timed(const struct vpmu_sum *sum)
{
	const enum events_count count = events_term_count(sum->term[0]);

	return sum->term[0] && ((count >= EVENTS_CYCLES && count <= EVENTS_PENDING_LLC) ||
				(count >= EVENTS_UOPS_DECODERS && count <= EVENTS_PORT_11));
}

void vpmu_sum_use(struct vpmu_model *m, const struct vpmu_sum *sum)
{
	need_level(m, vpmu_sum_level(sum));
	for (unsigned i = 0; i < VPMU_TERMS && sum->term[i]; i++) {
		const enum events_count count = events_term_count(sum->term[i]);

		m->derived.used[count / 64] |= 1ull << count % 64;
	}
}

uint64_t vpmu_sum_of(const struct vpmu_sum *sum, const uint64_t *counts)
{
	return counts ? events_sum(sum->term, counts) : 0;
}

/* --- Kinds, which a register selects --- */

/*
 * MSR_OFFCORE_RSP_x (SDM vol. 3, "Off-core Response Performance Monitoring"): the requests that the
 * model makes, and the suppliers that it has, the last level and memory. Lines that another core
 * had are told apart if only these are selected.
 */
#define OFFCORE_LOADS    (1ull << 0)
#define OFFCORE_STORES   (1ull << 1)
#define OFFCORE_CODE     (1ull << 2)
#define OFFCORE_TO_L2    (1ull << 4) /* loads that L2 prefetches */
#define OFFCORE_PREFETCH (1ull << 10)
#define OFFCORE_ANY      (1ull << 16)
#define OFFCORE_HITS     (0xfull << 18)
#define OFFCORE_MISSES   (0xffull << 22)
#define OFFCORE_ALONE    (7ull << 31) /* no snoop, none needed, none answered */
#define OFFCORE_SHARED   (3ull << 34) /* another core had it, unmodified */
#define OFFCORE_MODIFIED (1ull << 36)

static struct vpmu_sum snooped_sum(uint64_t rsp)
{
	struct vpmu_sum sum = {.most = 8};

	if (!(rsp & OFFCORE_HITS))
		return sum;
	if (rsp & OFFCORE_LOADS && rsp & OFFCORE_SHARED)
		add_term(&sum, EVENTS_LOADS_SHARED, false);
	if (rsp & OFFCORE_LOADS && rsp & OFFCORE_MODIFIED)
		add_term(&sum, EVENTS_LOADS_MODIFIED, false);
	if (rsp & OFFCORE_STORES && rsp & OFFCORE_MODIFIED)
		add_term(&sum, EVENTS_STORES_MODIFIED, false);
	return sum;
}

/* Nehalem and Westmere have other bits from 7 on: hits in the last level and in this core's
 * neighbours; caches and memory of other nodes; memory. */
#define OLD_OFFCORE_HITS   (7ull << 8)
#define OLD_OFFCORE_MEMORY (1ull << 14)

static uint64_t offcore_of(const struct vpmu_model *m, unsigned i)
{
	const uint64_t rsp = m->regs.offcore_rsp[i];

	if (!m->uarch->offcore_old)
		return rsp;
	return (rsp & 0x7f) | OFFCORE_ALONE | (rsp & OLD_OFFCORE_HITS ? OFFCORE_HITS : 0) |
	       (rsp & OLD_OFFCORE_MEMORY ? OFFCORE_MISSES : 0);
}

static struct vpmu_sum offcore_sum(const struct vpmu_model *m, uint64_t rsp)
{
	const uint64_t prefetch =
		m->uarch->offcore_prefetch ? m->uarch->offcore_prefetch : OFFCORE_PREFETCH;
	const struct {
		uint64_t bit;
		enum events_count all, misses;
	} requests[] = {
		{OFFCORE_LOADS, EVENTS_LLC_READS, EVENTS_LLC_READ_MISSES},
		{OFFCORE_STORES, EVENTS_LLC_STORES, EVENTS_LLC_STORE_MISSES},
		{OFFCORE_CODE, EVENTS_L2_CODE_MISSES, EVENTS_LLC_CODE_MISSES},
		{OFFCORE_TO_L2, EVENTS_L2_PREFETCH_MISSES, EVENTS_L2_PREFETCH_LLC_MISSES},
		{prefetch, EVENTS_PREFETCH_MISSES, EVENTS_PREFETCH_LLC_MISSES},
	};
	const bool hits = rsp & (OFFCORE_HITS | OFFCORE_ANY);
	const bool misses = rsp & ((OFFCORE_MISSES & ~m->uarch->offcore_remote) | OFFCORE_ANY);
	struct vpmu_sum sum = {.most = 20};

	if (!(rsp & (OFFCORE_ALONE | OFFCORE_ANY)))
		return snooped_sum(rsp);
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		if (!(rsp & requests[i].bit))
			continue;
		if (hits)
			add_term(&sum, requests[i].all, false);
		if (hits != misses)
			add_term(&sum, requests[i].misses, hits);
	}
	return sum;
}

/* The plugin knows the threshold. */
static struct vpmu_sum latent_sum(const struct vpmu_model *m)
{
	struct vpmu_sum sum = {.most = 64};

	if (m->regs.ld_lat >= LD_LAT_LEAST)
		add_term(&sum, EVENTS_LATENT_LOADS, false);
	return sum;
}

/* MSR_PEBS_FRONTEND (SDM vol. 3, "FRONTEND_RETIRED"): the event in bits 7:0. */
static struct vpmu_sum frontend_sum(const struct vpmu_model *m)
{
	static const struct {
		uint8_t event, count;
	} kinds[] = {
		{0x06, EVENTS_LATENT_FETCHES}, {0x12, EVENTS_L1I_MISSES},
		{0x13, EVENTS_L2_CODE_MISSES}, {0x14, EVENTS_ITLB_MISSES},
		{0x15, EVENTS_ITLB_WALKS},
	};
	struct vpmu_sum sum = {.most = 2};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if ((m->regs.frontend & 0xff) == kinds[i].event)
			add_term(&sum, kinds[i].count, false);
	return sum;
}

static unsigned count_bits(uint64_t v)
{
	unsigned n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}

/* For ratios: each kind of request is equally frequent, and four of five hit the last level. */
#define OFFCORE_REQUESTS  0xffffull
#define OFFCORE_TOLD      5u /* parts of one kind of request */
#define OFFCORE_TOLD_HITS 4u

static unsigned offcore_parts(uint64_t rsp)
{
	const unsigned requests = count_bits(rsp & OFFCORE_REQUESTS);
	const bool hits = rsp & OFFCORE_HITS, misses = rsp & OFFCORE_MISSES;

	if (rsp & OFFCORE_ANY || hits == misses)
		return requests * OFFCORE_TOLD;
	return requests * (hits ? OFFCORE_TOLD_HITS : OFFCORE_TOLD - OFFCORE_TOLD_HITS);
}

/* The number of selected kinds, for a ratio. */
static unsigned count_kinds(const struct vpmu_model *m, const struct vpmu_event *event)
{
	switch (event->kinds) {
	case VPMU_KINDS_OFFCORE_0:
		return offcore_parts(offcore_of(m, 0));
	case VPMU_KINDS_OFFCORE_1:
		return offcore_parts(offcore_of(m, 1));
	case VPMU_KINDS_LD_LAT:
		return m->regs.ld_lat >= LD_LAT_LEAST;
	case VPMU_KINDS_FRONTEND:
		return count_bits(m->regs.frontend);
	default:
		return 1;
	}
}

/* The number of parts that make up one kind. */
static unsigned parts_of_kind(const struct vpmu_event *event)
{
	return event->kinds == VPMU_KINDS_OFFCORE_0 || event->kinds == VPMU_KINDS_OFFCORE_1
		       ? OFFCORE_TOLD
		       : 1;
}

/* The sum of counts that makes up the event; an empty sum counts nothing. False: there is none, so
 * a ratio is used. */
static bool find_sum(const struct vpmu_model *m, const struct vpmu_event *event,
		     struct vpmu_sum *sum)
{
	switch (event->kinds) {
	case VPMU_KINDS_OFFCORE_0:
		*sum = offcore_sum(m, offcore_of(m, 0));
		return m->plugin.level == EVENTS_LEVEL_MODEL;
	case VPMU_KINDS_OFFCORE_1:
		*sum = offcore_sum(m, offcore_of(m, 1));
		return m->plugin.level == EVENTS_LEVEL_MODEL;
	case VPMU_KINDS_LD_LAT:
		*sum = latent_sum(m);
		return m->plugin.level == EVENTS_LEVEL_MODEL;
	case VPMU_KINDS_FRONTEND:
		*sum = frontend_sum(m);
		break;
	default:
		*sum = vpmu_quantity(event)->sum;
	}
	return sum->term[0] && vpmu_sum_level(sum) <= m->plugin.level &&
	       !(m->machine.ipc1 && vpmu_sum_is_timed(sum));
}

bool vpmu_event_is_counted(const struct vpmu_model *m, const struct vpmu_event *event)
{
	struct vpmu_sum sum;

	return find_sum(m, event, &sum);
}

/* --- Rates --- */

/* SDM vol. 3, "Fixed-function Performance Counters", by number. */
static const struct vpmu_event fixed_events[] = {
	{.counts = VPMU_COUNTS_INSTRUCTIONS},   {.counts = VPMU_COUNTS_ALL_CYCLES},
	{.counts = VPMU_COUNTS_REFERENCE},      {.counts = VPMU_COUNTS_ALL_SLOTS},
	{.counts = VPMU_COUNTS_RECOVERY_SLOTS}, {.counts = VPMU_COUNTS_FRONTEND_SLOTS},
	{.counts = VPMU_COUNTS_RETIRING_SLOTS},
};
#define FIXED_CYCLES 1

static struct vpmu_rate ratio_of(const struct vpmu_model *m, const struct vpmu_event *event)
{
	const struct vpmu_quantity *what = vpmu_quantity(event);

	return (struct vpmu_rate){.source = what->source,
				  .num = (uint64_t)what->num * count_kinds(m, event),
				  .den = (uint64_t)what->den * parts_of_kind(event)};
}

static struct vpmu_rate counted_rate(const struct vpmu_model *m, const struct vpmu_sum *sum)
{
	const unsigned width = m->uarch->slots;

	return (struct vpmu_rate){
		.source = VPMU_SRC_COUNTS,
		.num = 1,
		.den = sum->unit == VPMU_PER_WIDTH ? width : 1,
		.sum = *sum,
	};
}

static bool is_of_time(const struct vpmu_event *event)
{
	const enum vpmu_source source = vpmu_quantity(event)->source;

	return source == VPMU_SRC_CYCLES || source == VPMU_SRC_SLOTS;
}

/* Reference cycles equal core cycles, as the core runs at its nominal frequency. */
#define REFERENCE_NUM 1
#define REFERENCE_DEN 1

static struct vpmu_rate reference_of(struct vpmu_rate cycles)
{
	cycles.num *= REFERENCE_NUM;
	cycles.den *= REFERENCE_DEN;
	return cycles;
}

bool vpmu_models_time(const struct vpmu_model *m)
{
	return m->plugin.level == EVENTS_LEVEL_MODEL && !m->machine.ipc1;
}

static bool is_reference(const struct vpmu_event *event)
{
	return vpmu_quantity(event)->source == VPMU_SRC_REF_CYCLES;
}

/* A ratio of the model's cycles or slots. */
static struct vpmu_rate ratio_of_modelled(const struct vpmu_model *m,
					  const struct vpmu_event *event, bool slots)
{
	const struct vpmu_quantity *what = vpmu_quantity(event);
	struct vpmu_rate rate = counted_rate(
		m, &vpmu_quantities[slots ? VPMU_COUNTS_ALL_SLOTS : VPMU_COUNTS_ALL_CYCLES].sum);

	if (is_reference(event))
		rate = reference_of(rate);

	rate.num *= ratio_of(m, event).num;
	rate.den *= what->den;
	return rate;
}

/* The counter counts the clock's cycles: it measures a time, or the way to its overflow would have
 * to be stepped. */
static bool is_by_clock(const struct vpmu_model *m, const struct vpmu_counter *c)
{
	return vpmu_counter_is_alarm(m, c) || (vpmu_counter_samples(m, c) && !m->plugin.stops);
}

static struct vpmu_rate event_rate(const struct vpmu_model *m, const struct vpmu_event *event,
				   bool by_clock)
{
	struct vpmu_sum sum;

	if (find_sum(m, event, &sum) && !(by_clock && vpmu_sum_is_timed(&sum)))
		return counted_rate(m, &sum);
	if ((is_of_time(event) || is_reference(event)) && vpmu_models_time(m) && !by_clock)
		return ratio_of_modelled(m, event, vpmu_quantity(event)->source == VPMU_SRC_SLOTS);
	return ratio_of(m, event);
}

struct vpmu_rate vpmu_rate_fixed(const struct vpmu_model *m, unsigned i)
{
	return event_rate(m, &fixed_events[i], is_by_clock(m, &m->regs.fixed[i]));
}

/* --- Counter masks --- */

static unsigned cmask_of(uint64_t sel)
{
	return sel >> CMASK_SHIFT & 0xff;
}

/* The row has this very mask. Without a mask, INV and EQ have no effect. */
static bool has_mask_of(const struct vpmu_model *m, const struct vpmu_event *event, uint64_t sel)
{
	const unsigned mask = cmask_of(sel);

	return event->cmask == mask && !(mask && counts_equal(m, sel)) &&
	       (!mask || event->inv == !!(sel & EVTSEL_INV)) &&
	       event->edge == !!(sel & EVTSEL_EDGE);
}

/* The event counts cycles, so a cycle has it once at most. The sum over waiting loads has it
 * several times. */
static bool is_once_a_cycle(const struct vpmu_event *event)
{
	const struct vpmu_quantity *what = vpmu_quantity(event);

	return what->source == VPMU_SRC_CYCLES && what->sum.term[0] != EVENTS_MISS_SLOTS + 1;
}

#define MASK_IS_WIDTH 0xff /* instead of a mask: the core's width */

/* The mask changes nothing: it is the row's own, or 1 and a cycle has no more. */
static bool counts_plainly(const struct vpmu_model *m, const struct vpmu_event *event, uint64_t sel)
{
	return has_mask_of(m, event, sel) || event->cmask == MASK_IS_WIDTH ||
	       (!event->cmask && cmask_of(sel) == 1 && !(sel & (EVTSEL_INV | EVTSEL_EDGE)) &&
		is_once_a_cycle(event));
}

/* Quantities with a counter mask, where the model counts the cycles by their number of events. */
#define MASKED(of, mask, invert, what)                                                 \
	{                                                                              \
		VPMU_COUNTS_##of,                                                      \
		{                                                                      \
			.cmask = (mask), .inv = (invert), .counts = VPMU_COUNTS_##what \
		}                                                                      \
	}
static const struct {
	uint8_t counts;
	struct vpmu_event masked;
} masks[] = {
	MASKED(FRONTEND_SLOTS, 1, false, FRONTEND_1),
	MASKED(FRONTEND_SLOTS, 2, false, FRONTEND_2),
	MASKED(FRONTEND_SLOTS, 3, false, FRONTEND_3),
	MASKED(FRONTEND_SLOTS, 4, false, FRONTEND_4),
	MASKED(FRONTEND_SLOTS, 5, false, FRONTEND_5),
	MASKED(FRONTEND_SLOTS, MASK_IS_WIDTH, false, FRONTEND_CYCLES),
	MASKED(FRONTEND_SLOTS, 1, true, FRONTEND_OK),
	MASKED(FRONTEND_SLOTS, MASK_IS_WIDTH, true, FRONTEND_SOME),
	MASKED(EXECUTED, 1, false, EXECUTING_1),
	MASKED(EXECUTED, 2, false, EXECUTING_2),
	MASKED(EXECUTED, 3, false, EXECUTING_3),
	MASKED(EXECUTED, 4, false, EXECUTING_4),
	MASKED(EXECUTED, 5, false, EXECUTING_5),
	MASKED(EXECUTED, 1, true, STALLED_EXECUTE),
	MASKED(ISSUED, 1, false, NOT_STALLED),
	MASKED(ISSUED, 1, true, STALLED),
	MASKED(UOPS, 1, false, RETIRING_CYCLES),
	MASKED(UOPS, 1, true, STALLED_RETIRE),
	MASKED(RETIRING_SLOTS, 1, false, RETIRING_CYCLES),
	MASKED(RETIRING_SLOTS, 1, true, STALLED_RETIRE),
};

static bool is_masked_so(const struct vpmu_model *m, const struct vpmu_event *masked, uint64_t sel)
{
	const unsigned mask = masked->cmask == MASK_IS_WIDTH ? m->uarch->slots : masked->cmask;

	return cmask_of(sel) == mask && masked->inv == !!(sel & EVTSEL_INV);
}

/* The event that the selector's mask makes of `event`: itself, unless the model knows it. */
static const struct vpmu_event *masked_event(const struct vpmu_model *m,
					     const struct vpmu_event *event, uint64_t sel)
{
	if (!event || !cmask_of(sel) || event->cmask || sel & EVTSEL_EDGE || counts_equal(m, sel) ||
	    !vpmu_models_time(m))
		return event;
	for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++)
		if (masks[i].counts == event->counts && is_masked_so(m, &masks[i].masked, sel))
			return &masks[i].masked;
	return event;
}

/* The most events in one cycle. */
static unsigned at_once(const struct vpmu_model *m, const struct vpmu_event *event)
{
	return vpmu_quantity(event)->source == VPMU_SRC_SLOTS ? m->uarch->slots : 1;
}

/* A mask of 1 on cycles holds in each cycle. A mask above the core's width, inverted, also holds in
 * each cycle: event names for all cycles are made so. */
static bool means_all_cycles(const struct vpmu_model *m, const struct vpmu_event *event,
			     uint64_t sel)
{
	const unsigned mask = cmask_of(sel);

	if (sel & EVTSEL_EDGE || !mask)
		return false;
	if (sel & EVTSEL_INV)
		return mask > m->uarch->slots;
	if (!is_of_time(event) || vpmu_quantity(event)->num != vpmu_quantity(event)->den)
		return false;
	return counts_equal(m, sel) ? mask == at_once(m, event) : mask <= at_once(m, event);
}

static struct vpmu_rate evenly_masked(const struct vpmu_model *m, const struct vpmu_event *event,
				      uint64_t sel, bool by_clock)
{
	struct vpmu_rate rate = ratio_of(m, event);

	if (is_of_time(event) && vpmu_models_time(m) && !by_clock && !(sel & EVTSEL_INV))
		rate = ratio_of_modelled(m, event, false);
	if (cmask_of(sel) > at_once(m, event) ||
	    (counts_equal(m, sel) && cmask_of(sel) < at_once(m, event)))
		rate.num = 0;
	else if (rate.source == VPMU_SRC_SLOTS && cmask_of(sel))
		rate.source = VPMU_SRC_CYCLES;
	rate.inverted = sel & EVTSEL_INV;
	return rate;
}

struct vpmu_rate vpmu_rate_gp(const struct vpmu_model *m, unsigned i)
{
	const uint64_t sel = m->regs.evtsel[i];
	const struct vpmu_event *event = masked_event(m, m->regs.event[i], sel);
	const bool by_clock = is_by_clock(m, &m->regs.gp[i]);

	if (!event)
		return (struct vpmu_rate){.source = VPMU_SRC_NONE, .den = 1};
	if (counts_plainly(m, event, sel) || !cmask_of(sel))
		return event_rate(m, event, by_clock);
	if (means_all_cycles(m, event, sel))
		return event_rate(m, &fixed_events[FIXED_CYCLES], by_clock);
	return evenly_masked(m, event, sel, by_clock);
}

/* --- Reports about events --- */

/* With code 0 the unit mask is a fixed counter's number, from 1 on. From METRIC_UMASK on it is
 * Linux's number of a share of the slots. */
#define METRIC_UMASK 0x80u
static const struct vpmu_event *fixed_event_of(const struct vpmu_model *m, unsigned umask)
{
	if (umask >= METRIC_UMASK && umask - METRIC_UMASK < m->uarch->metrics)
		return &fixed_events[FIXED_SLOTS];
	return umask && has_fixed(m, umask - 1) ? &fixed_events[umask - 1] : NULL;
}

static const struct vpmu_event *event_of(const struct vpmu_model *m, uint64_t sel)
{
	const struct vpmu_event *event = NULL;

	if (!is_amd(m) && !(sel & EVTSEL_EVENT))
		return fixed_event_of(m, (uint8_t)(sel >> UMASK_SHIFT));
	for (unsigned i = 0; i < m->layout.ngp && !event; i++)
		event = vpmu_model_event(m, i, sel);
	return masked_event(m, event, sel);
}

uint32_t vpmu_model_counters(const struct vpmu_model *m, uint64_t sel)
{
	const struct vpmu_event *event = event_of(m, sel);
	uint32_t counters = 0;

	if (!event || (m->plugin.level != EVENTS_LEVEL_NONE && !counts_plainly(m, event, sel) &&
		       !means_all_cycles(m, event, sel)))
		return 0;
	for (unsigned i = 0; i < m->layout.ngp; i++)
		counters |= vpmu_model_event(m, i, sel) ? 1u << i : 0;
	return counters;
}

static bool counts_instructions(const struct vpmu_event *event)
{
	const struct vpmu_quantity *what = vpmu_quantity(event);

	return what->source == VPMU_SRC_INSTRUCTIONS && what->num == what->den;
}

enum truth vpmu_model_truth(const struct vpmu_model *m, uint64_t sel)
{
	const struct vpmu_event *event = event_of(m, sel);
	struct vpmu_sum sum;
	bool plain;

	if (event && !counts_plainly(m, event, sel) && means_all_cycles(m, event, sel))
		event = &fixed_events[FIXED_CYCLES];
	plain = event && (event == &fixed_events[FIXED_CYCLES] || counts_plainly(m, event, sel));
	if (plain && find_sum(m, event, &sum))
		return event->kinds || is_modelled(&sum) ? TRUTH_MODELLED : TRUTH_EXACT;
	if (plain && is_reference(event) && vpmu_models_time(m))
		return TRUTH_MODELLED;
	if (m->machine.estimates)
		return TRUTH_ESTIMATE;
	if (plain && counts_instructions(event))
		return TRUTH_EXACT;
	return TRUTH_RATIO;
}
