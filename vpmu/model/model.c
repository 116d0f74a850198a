// SPDX-License-Identifier: BSD-2-Clause
/*
 * model.c - the PMU as a state machine: counting, overflows and PMIs.
 *
 * A counter counts in a ring while its selector enables that ring, the global control enables the
 * counter, nothing is frozen, and that very counter can count the selected event. It adds a
 * rational function of the guest's progress. The rest of each division is kept, so counts do not
 * depend on how often counters are read.
 */
#include "vpmu/model/model.h"

#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "lib/string.h"
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_quick.h"
#include "vpmu/model/model_trace.h"

#define UPPER_BITS 0xffffull /* upper bits of a merged counter */

/* An overflow that is this many events away is no target. */
#define TARGET_FAR       (1ull << 40)
#define TARGET_FAR_ALONE (1ull << 18)

/* Top-down shares of the slots in 255ths: retiring, bad speculation, front end, back end. Parts of
 * these: heavy operations, mispredictions, latency of fetches, memory. */
#define METRICS_SPLIT 0x33260d0699260d33ull
#define METRICS_WHOLE 255

static unsigned threads_of_core(const struct vpmu_uarch *uarch, bool ht_on)
{
	if (!ht_on || uarch->core_type)
		return 1;
	return uarch->threads ? uarch->threads : 2;
}

void vpmu_model_init(struct vpmu_model *m, const struct vpmu_uarch *uarch, bool ht_on,
		     uint64_t cycles_per_instruction)
{
	*m = (struct vpmu_model){
		.uarch = uarch,
		.geometry = vpmu_geometry_of(uarch),
		.layout = {.ngp = uarch->gp[ht_on],
			   .nfixed = bits_length(uarch->fixed),
			   .told_gp = uarch->gp[ht_on],
			   .told_fixed = uarch->fixed,
			   .told_events = uarch->arch_events},
		.machine = {.threads = threads_of_core(uarch, ht_on),
			    .cycles_per_instruction = cycles_per_instruction,
			    .errata = uarch->errata},
		.regs = {.misc_enable = MISC_ENABLE_FAST_STRINGS | MISC_ENABLE_PERFMON |
					MISC_ENABLE_BTS_UNAVAILABLE,
			 .global_ctrl = bits(uarch->gp[ht_on]),
			 .gp[0 ... VPMU_MAX_GP - 1] = {.den = VPMU_COUNTER_STILL},
			 .fixed[0 ... VPMU_MAX_FIXED - 1] = {.den = VPMU_COUNTER_STILL}},
	};
	vpmu_counters_init(m);
	vpmu_rows_init(&m->rows, uarch->events);
	vpmu_leaves_init(&m->leaves, m->uarch);
	vpmu_ibs_init(m);
	vpmu_branches_init(m);
	if (!pebs_format(m))
		m->regs.misc_enable |= MISC_ENABLE_PEBS_UNAVAILABLE;
	vpmu_model_derive(m);
}

/* On a hybrid leaf 0AH reports what all cores have. Software finds what single cores have by leaf
 * 23H, or by trying. */
void vpmu_model_beside(struct vpmu_model *m, const struct vpmu_uarch *other)
{
	if (other->gp[0] < m->layout.told_gp)
		m->layout.told_gp = other->gp[0];
	m->layout.told_fixed &= other->fixed;
	m->layout.told_events &= other->arch_events;
}

/* --- Counting --- */

/*
 * PPR of family 19h, "Large Increment per Cycle Events": the odd counter that has event 0xfff holds
 * the upper 16 bits of the even one below it.
 */
static bool is_merged(const struct vpmu_model *m, unsigned i)
{
	const uint64_t event = EVTSEL_AMD_EVENT_HI | EVTSEL_EVENT;

	return is_amd(m) && !(i & 1) && i + 1 < m->layout.ngp &&
	       m->regs.evtsel[i + 1] & EVTSEL_EN && (m->regs.evtsel[i + 1] & event) == event;
}

static uint64_t cycles_in(const struct vpmu_model *m, const struct vpmu_progress *p,
			  enum vpmu_ring ring)
{
	return m->machine.ipc1 ? p->instructions[ring] : p->cycles[ring];
}

static uint64_t source_units(const struct vpmu_model *m, const struct vpmu_rate *rate,
			     const struct vpmu_progress *p, enum vpmu_ring ring)
{
	switch (rate->source) {
	case VPMU_SRC_INSTRUCTIONS:
		return p->instructions[ring];
	case VPMU_SRC_CYCLES:
		return cycles_in(m, p, ring);
	case VPMU_SRC_REF_CYCLES:
		return m->machine.ipc1 ? p->instructions[ring] : p->ref_cycles[ring];
	case VPMU_SRC_SLOTS:
		return cycles_in(m, p, ring) * m->uarch->slots;
	case VPMU_SRC_COUNTS:
		return vpmu_sum_of(&rate->sum, p->counts[ring]);
	case VPMU_SRC_NONE:
		break;
	}
	return 0;
}

/* The events of the progress in one ring, in units of 1/den. */
static uint64_t scaled_units(const struct vpmu_model *m, const struct vpmu_rate *rate,
			     const struct vpmu_progress *p, enum vpmu_ring ring)
{
	uint64_t with = source_units(m, rate, p, ring) * rate->num, all;

	if (!rate->inverted)
		return with;
	all = cycles_in(m, p, ring) * rate->den;
	return all > with ? all - with : 0;
}

/* --- Which counter counts where --- */

static const struct vpmu_counter *counter_of(const struct vpmu_model *m, const struct vpmu_live *l)
{
	return l->fixed ? &m->regs.fixed[l->number] : &m->regs.gp[l->number];
}

static struct vpmu_counter *counter_to_add(struct vpmu_model *m, const struct vpmu_live *l)
{
	return l->fixed ? &m->regs.fixed[l->number] : &m->regs.gp[l->number];
}

/*
 * The categories of PERF_METRICS in its order, in slots. All bad speculation is mispredictions, and
 * the front end's part is not split. The second micro-operations of instructions are not counted:
 * an eighth of all is taken for heavy.
 */
#define HEAVY_PART 8
static const struct vpmu_sum topdown_sums[VPMU_TOPDOWN] = {
	{.term = {EVENTS_UOPS + 1}},
	{.term = {EVENTS_WRONG_PATH + 1}},
	{.term = {EVENTS_SLOTS_FRONTEND + 1}},
	{.term = {EVENTS_SLOTS_MEMORY + 1, EVENTS_SLOTS_CORE + 1}},
	{.term = {EVENTS_UOPS + 1}},
	{.term = {EVENTS_WRONG_PATH + 1}},
	{.term = {EVENTS_SLOTS_FRONTEND + 1}},
	{.term = {EVENTS_SLOTS_MEMORY + 1}},
};
static const uint8_t topdown_part[VPMU_TOPDOWN] = {1, 1, 1, 1, HEAVY_PART, 1, 1, 1};

/* The shares come from the timing model, like the slots themselves. */
static bool times_metrics(const struct vpmu_model *m)
{
	return vpmu_rate_fixed(m, FIXED_SLOTS).source == VPMU_SRC_COUNTS;
}

static struct vpmu_live live_gp(const struct vpmu_model *m, unsigned i)
{
	uint64_t sel = m->regs.evtsel[i];
	bool merged = is_merged(m, i);
	bool on = sel & EVTSEL_EN && m->regs.event[i] && (merged || !m->regs.event[i]->large);

	return (struct vpmu_live){
		.bit = 1ull << i,
		.number = (uint8_t)i,
		.merged = merged,
		.rate = vpmu_rate_gp(m, i),
		.runs = {[VPMU_OS] = on && sel & EVTSEL_OS, [VPMU_USR] = on && sel & EVTSEL_USR},
		.interrupts = sel & EVTSEL_INT,
	};
}

static struct vpmu_live live_fixed(const struct vpmu_model *m, unsigned i)
{
	unsigned mode = fixed_mode(m, i);

	return (struct vpmu_live){
		.bit = 1ull << (GLOBAL_FIXED_SHIFT + i),
		.number = (uint8_t)i,
		.fixed = true,
		.rate = vpmu_rate_fixed(m, i),
		.runs = {[VPMU_OS] = mode & FIXED_CTRL_OS, [VPMU_USR] = mode & FIXED_CTRL_USR},
		.interrupts = mode & FIXED_CTRL_PMI,
	};
}

static bool is_selected(const struct vpmu_model *m, unsigned bit)
{
	if (bit < VPMU_MAX_GP)
		return m->regs.evtsel[bit] & EVTSEL_EN;
	return fixed_mode(m, bit - GLOBAL_FIXED_SHIFT) & (FIXED_CTRL_OS | FIXED_CTRL_USR);
}

/* Running counters, by their bits in GLOBAL_CTRL. */
static uint64_t running_counters(const struct vpmu_model *m)
{
	uint64_t on = 0;

	if (m->regs.global_status & GLOBAL_STATUS_CTR_FRZ)
		return 0;
	for (uint64_t left = m->regs.global_ctrl & ~GLOBAL_METRICS; left; left &= left - 1)
		if (is_selected(m, (unsigned)__builtin_ctzll(left)))
			on |= left & -left;
	return on & ~m->firmware.still & ~m->firmware.unready;
}

/* Events for an instruction, in units of 1/den, on the machine below; for counts of the plugin, the
 * most. */
static uint64_t scaled_per_instruction(const struct vpmu_model *m, const struct vpmu_rate *rate)
{
	const struct vpmu_progress one = {
		.instructions = {1},
		.cycles = {m->machine.cycles_per_instruction},
		.ref_cycles = {m->machine.cycles_per_instruction},
	};

	if (rate->source == VPMU_SRC_COUNTS && !rate->inverted)
		return rate->num * (rate->sum.most ? rate->sum.most : 1);
	return scaled_units(m, rate, &one, VPMU_OS);
}

/*
 * A PEBS record must come from the model of a core; otherwise its instruction is stepped, to be
 * decoded first. A very far overflow belongs to no sample. If a target alone would make QEMU look
 * at each block, the timer is cheaper from some distance on; but no timer bounds instructions that
 * no clock tells.
 */
static bool is_target(const struct vpmu_model *m, const struct vpmu_live *l)
{
	const bool looked_at = vpmu_sum_level(&l->rate.sum) >= EVENTS_LEVEL_BRANCHES ||
			       l->rate.source == VPMU_SRC_INSTRUCTIONS;
	const uint64_t left = (1ull << m->uarch->width) - counter_of(m, l)->value;

	return m->plugin.stops && m->derived.ntargets < VPMU_TARGETS && l->rate.sum.term[0] &&
	       l->rate.num && !l->rate.inverted &&
	       (l->pebs ? m->derived.needed >= EVENTS_LEVEL_CACHES : l->interrupts || l->reloads) &&
	       left < (looked_at ? TARGET_FAR : TARGET_FAR_ALONE);
}

/* No clock counts instructions here, only the plugin does. */
static void sum_instructions(const struct vpmu_model *m, struct vpmu_rate *rate)
{
	if (m->plugin.counts_instructions && rate->source == VPMU_SRC_INSTRUCTIONS)
		rate->sum.term[0] = EVENTS_INSTRUCTIONS + 1;
}

static void use_target(struct vpmu_model *m, struct vpmu_live *l)
{
	l->target = is_target(m, l);
	m->derived.ntargets += l->target;
	if (l->target)
		need_level(m, EVENTS_LEVEL_BRANCHES);
}

/* Instructions without a row are counted with modelled time, in its rings. */
static void derive_timed(struct vpmu_model *m, const struct vpmu_live *l)
{
	if (l->rate.source != VPMU_SRC_COUNTS || !vpmu_sum_is_timed(&l->rate.sum))
		return;
	for (unsigned ring = 0; ring < VPMU_RINGS; ring++)
		m->derived.times[ring] |= l->runs[ring];
	for (unsigned i = EVENTS_ROWLESS; i < EVENTS_NUMBERS; i++)
		m->derived.used[i / 64] |= 1ull << i % 64;
}

static void derive_each(struct vpmu_model *m, const struct vpmu_live *l)
{
	struct vpmu_counter *c = counter_to_add(m, l);

	if (l->merged || l->pebs || l->reloads || l->rate.source == VPMU_SRC_COUNTS) {
		m->derived.is_intricate = true;
		return;
	}
	if (!l->per_instruction)
		return;
	for (unsigned ring = 0; ring < VPMU_RINGS; ring++)
		c->each[ring] = l->runs[ring] ? l->per_instruction : 0;
	c->den = l->rate.den;
}

static void forget_each(struct vpmu_model *m)
{
	for (unsigned i = 0; i < m->derived.nlive; i++) {
		struct vpmu_counter *c = counter_to_add(m, &m->derived.live[i]);

		memset(c->each, 0, sizeof(c->each));
		c->den = VPMU_COUNTER_STILL;
	}
	m->derived.is_intricate = false;
}

static void derive_one(struct vpmu_model *m, unsigned bit)
{
	struct vpmu_live *l = &m->derived.live[m->derived.nlive++];

	*l = bit < VPMU_MAX_GP ? live_gp(m, bit) : live_fixed(m, bit - GLOBAL_FIXED_SHIFT);
	sum_instructions(m, &l->rate);
	l->per_instruction = scaled_per_instruction(m, &l->rate);
	l->pebs = vpmu_pebs_live(m, l);
	l->reloads = m->reload.causes & l->bit;
	if (l->pebs && vpmu_pebs_tells_access(m, l))
		vpmu_model_need_accesses(m);
	if (counter_of(m, l)->rest >= l->rate.den) /* it belongs to another rate */
		counter_to_add(m, l)->rest = 0;
	if (l->rate.source == VPMU_SRC_COUNTS)
		vpmu_sum_use(m, &l->rate.sum);
	derive_timed(m, l);
	derive_each(m, l);
	m->derived.asymmetric |= l->runs[VPMU_OS] != l->runs[VPMU_USR] && l->per_instruction;
}

/* An event is selected, whether it runs or not. */
static bool any_selected(const struct vpmu_model *m)
{
	uint64_t on = m->regs.fixed_ctrl;

	for (unsigned i = 0; i < m->layout.ngp; i++)
		on |= m->regs.evtsel[i] & EVTSEL_EN;
	return on;
}

/* SDM vol. 3, "IA32_PERF_METRICS MSR": the shares are measured with the slots, in their rings. */
static void derive_metrics(struct vpmu_model *m)
{
	m->derived.measures_metrics =
		has_metrics(m) && m->regs.global_ctrl & GLOBAL_METRICS &&
		running_counters(m) & 1ull << (GLOBAL_FIXED_SHIFT + FIXED_SLOTS);
	for (unsigned i = 0; m->derived.measures_metrics && times_metrics(m) && i < VPMU_TOPDOWN;
	     i++)
		vpmu_sum_use(m, &topdown_sums[i]);
}

/* Each exit has to bring the clock up to date, so none is plain. */
static void derive_clock(struct vpmu_model *m)
{
	if (!m->machine.clock_is_modelled || !vpmu_models_time(m))
		return;
	m->derived.is_intricate = true;
	vpmu_sum_use(m, &vpmu_quantities[VPMU_COUNTS_ALL_CYCLES].sum);
}

static bool uses_counts(const struct vpmu_model *m)
{
	uint64_t used = 0;

	for (unsigned word = 0; word < VPMU_USED_WORDS; word++)
		used |= m->derived.used[word];
	return used;
}

/* Counting is never switched off again, as switching on costs QEMU all of its translations. */
static void need_no_more_than_counts(struct vpmu_model *m)
{
	if (m->derived.needed > EVENTS_LEVEL_COUNTS)
		m->derived.needed = EVENTS_LEVEL_COUNTS;
}

void vpmu_model_derive(struct vpmu_model *m)
{
	forget_each(m);
	m->derived.nlive = m->derived.ntargets = 0;
	memset(m->derived.used, 0, sizeof(m->derived.used));
	memset(m->derived.times, 0, sizeof(m->derived.times));
	if (!any_selected(m) && !m->ibs.was_on)
		need_no_more_than_counts(m);
	m->derived.asymmetric &= any_selected(m);
	for (uint64_t left = running_counters(m); left; left &= left - 1)
		derive_one(m, (unsigned)__builtin_ctzll(left));
	for (unsigned i = 0; i < m->derived.nlive; i++) /* the level depends on all of them */
		use_target(m, &m->derived.live[i]);
	derive_metrics(m);
	derive_clock(m);
	m->derived.uses_counts = uses_counts(m);
	m->derived.traces = vpmu_model_traces(m);
	m->derived.follows = m->derived.traces || vpmu_model_branches_on(m);
	m->trace.was_on |= m->derived.traces;
	if (m->derived.follows || m->trace.was_on)
		vpmu_model_need_accesses(m);
}

/* Samples report accesses and branches, if there is a model of a core. */
void vpmu_model_need_accesses(struct vpmu_model *m)
{
	if (m->plugin.level >= EVENTS_LEVEL_MODEL)
		m->derived.needed = EVENTS_LEVEL_MODEL;
}

void vpmu_model_begin(struct vpmu_model *m)
{
	vpmu_rests_forget(m);
	m->ibs.was_on = vpmu_ibs_is_on(m);
	m->trace.was_on = false;
	/* The plugin begins now, so that the first measurement takes as long as the others. */
	need_level(m, EVENTS_LEVEL_COUNTS);
	vpmu_model_derive(m);
}

void vpmu_model_counts(struct vpmu_model *m, enum events_level level)
{
	m->plugin.level = level;
	if (level >= EVENTS_LEVEL_MODEL)
		vpmu_branches_offer(m);
	m->plugin.stops &= level >= EVENTS_LEVEL_BRANCHES;
	vpmu_model_derive(m);
}

void vpmu_model_clock(struct vpmu_model *m)
{
	m->machine.clock_is_modelled = true;
	vpmu_model_derive(m);
}

void vpmu_model_counts_instructions(struct vpmu_model *m, bool counts)
{
	m->plugin.counts_instructions = counts;
	if (counts)
		need_level(m, EVENTS_LEVEL_COUNTS);
	vpmu_model_derive(m);
}

void vpmu_model_stops(struct vpmu_model *m, bool stops)
{
	m->plugin.stops = stops && m->plugin.level >= EVENTS_LEVEL_BRANCHES;
	vpmu_model_offer_trace(m, m->plugin.stops);
	vpmu_model_derive(m);
}

/* --- Counting --- */

/* Adds the carry to the upper counter; false: it has wrapped around. */
static bool carry_to_upper(struct vpmu_counter *upper)
{
	upper->value = (upper->value + 1) & UPPER_BITS;
	return upper->value;
}

/* A share of `all` in 255ths; slots fit into a counter. */
static uint64_t share_of(const struct vpmu_model *m, unsigned i, uint64_t all)
{
	return m->topdown[i] / topdown_part[i] * METRICS_WHOLE / all;
}

/* The largest share gets what rounding leaves over, as the first four sum up to 255. */
static uint64_t metrics_of(const struct vpmu_model *m)
{
	uint64_t all = 0, left = METRICS_WHOLE, metrics = 0;
	unsigned largest = 0;

	for (unsigned i = 0; i < VPMU_TOPDOWN_1; i++) {
		all += m->topdown[i];
		largest = m->topdown[i] > m->topdown[largest] ? i : largest;
	}
	if (!all)
		return 0;
	for (unsigned i = 0; i < m->uarch->metrics; i++) {
		const uint64_t share = share_of(m, i, all);

		metrics |= share << 8 * i;
		left -= i < VPMU_TOPDOWN_1 ? share : 0;
	}
	return metrics + (left << 8 * largest);
}

/* Written shares are shares of the slots that were counted so far. */
void vpmu_metrics_restart(struct vpmu_model *m)
{
	const uint64_t slots = m->regs.fixed[FIXED_SLOTS].value;

	for (unsigned i = 0; i < VPMU_TOPDOWN; i++)
		m->topdown[i] = (m->regs.perf_metrics >> 8 * i & 0xff) * topdown_part[i] * slots /
				METRICS_WHOLE;
}

static void interrupt_by(struct vpmu_model *m, const struct vpmu_live *l)
{
	m->pmi.pending |= l->bit;
	if (!l->fixed)
		vpmu_branches_overflow(m, l->number);
}

/* A pending PMI does not go out yet. */
static bool is_pmi_late(const struct vpmu_model *m)
{
	return m->pmi.skid_left || vpmu_branches_hold(m);
}

static void count_live(struct vpmu_model *m, const struct vpmu_live *l,
		       const struct vpmu_progress *p)
{
	struct vpmu_counter *c = counter_to_add(m, l);
	uint64_t sum = c->rest, n;

	for (unsigned ring = 0; ring < VPMU_RINGS; ring++)
		if (l->runs[ring])
			sum += scaled_units(m, &l->rate, p, ring);
	n = sum / l->rate.den;
	c->rest = sum % l->rate.den;
	if (l->pebs) {
		vpmu_pebs_count(m, l, c, n);
		return;
	}
	c->value += n;
	if (!(c->value >> m->uarch->width))
		return;
	c->value &= bits(m->uarch->width);
	if (l->merged && carry_to_upper(c + 1))
		return;
	m->reload.due |= l->reloads ? l->bit : 0;
	if (!l->reloads || !vpmu_reload_is_own(m, l->bit))
		m->regs.global_status |= l->bit;
	if (l->interrupts)
		interrupt_by(m, l);
}

static void measure_metrics(struct vpmu_model *m, const struct vpmu_progress *p)
{
	const unsigned mode = fixed_mode(m, FIXED_SLOTS);
	const bool runs[VPMU_RINGS] = {
		[VPMU_OS] = mode & FIXED_CTRL_OS, [VPMU_USR] = mode & FIXED_CTRL_USR};

	if (!times_metrics(m)) {
		m->regs.perf_metrics = METRICS_SPLIT & metrics_bits(m);
		return;
	}
	for (unsigned ring = 0; ring < VPMU_RINGS; ring++)
		for (unsigned i = 0; runs[ring] && i < VPMU_TOPDOWN; i++)
			m->topdown[i] += vpmu_sum_of(&topdown_sums[i], p->counts[ring]);
	m->regs.perf_metrics = metrics_of(m);
}

/* vpmu does some instructions itself: they have no counts. */
static void count_timed(struct vpmu_model *m, const struct vpmu_progress *p, enum vpmu_ring ring)
{
	const uint64_t *counts = p->counts[ring];

	if (!m->derived.times[ring])
		return;
	m->timed.instructions += p->instructions[ring];
	for (unsigned i = 0; counts && i < EVENTS_ROWLESS_KINDS; i++)
		m->timed.rowless[i] += counts[EVENTS_ROWLESS + i];
}

/* Counts down the skid between an overflow and its PMI. */
static void wait_skid(struct vpmu_model *m, bool waited, uint64_t n)
{
	if (!waited)
		m->pmi.skid_left = m->pmi.skid;
	else
		m->pmi.skid_left -= n < m->pmi.skid_left ? n : m->pmi.skid_left;
}

void vpmu_model_advance(struct vpmu_model *m, const struct vpmu_progress *p)
{
	const bool waited = m->pmi.pending;

	if (m->derived.measures_metrics)
		measure_metrics(m, p);
	if (m->firmware.steal)
		vpmu_model_steal(m, p);
	for (unsigned ring = 0; ring < VPMU_RINGS; ring++)
		count_timed(m, p, (enum vpmu_ring)ring);
	m->pebs.now = 0;
	for (unsigned i = 0; i < m->derived.nlive; i++)
		count_live(m, &m->derived.live[i], p);
	if (m->reload.due)
		vpmu_reload_counters(m);
	vpmu_ibs_advance(m, p);
	if (m->pmi.skid)
		wait_skid(m, waited, p->instructions[VPMU_OS] + p->instructions[VPMU_USR]);
}

/* Instructions until the counter has counted `events` more. */
static uint64_t until_counted(const struct vpmu_live *l, const struct vpmu_counter *c,
			      uint64_t events)
{
	uint64_t need = events * l->rate.den - c->rest;

	return need / l->per_instruction + !!(need % l->per_instruction);
}

/* The counter that it is merged with does not overflow with it. */
static bool is_carried(const struct vpmu_model *m, const struct vpmu_live *l)
{
	const struct vpmu_counter *c = counter_of(m, l);

	return l->merged && c[1].value != UPPER_BITS;
}

/* Events to the PMI or to the record, whichever comes first. */
static uint64_t events_to_due(const struct vpmu_model *m, const struct vpmu_live *l)
{
	const struct vpmu_counter *c = counter_of(m, l);

	if (l->pebs && (!l->interrupts || m->pebs.armed & l->bit))
		return vpmu_pebs_events(m, l, c);
	return (1ull << m->uarch->width) - c->value;
}

static uint64_t until_due(const struct vpmu_model *m, const struct vpmu_live *l)
{
	if (!l->per_instruction || is_carried(m, l))
		return UINT64_MAX;
	return until_counted(l, counter_of(m, l), events_to_due(m, l));
}

/* --- Targets --- */

static struct events_target target_of(const struct vpmu_model *m, const struct vpmu_live *l)
{
	const uint64_t need = events_to_due(m, l) * l->rate.den - counter_of(m, l)->rest;
	struct events_target target = {.left = need / l->rate.num + !!(need % l->rate.num)};

	memcpy(target.term, l->rate.sum.term, sizeof(target.term));
	return target;
}

bool vpmu_model_targets_record(const struct vpmu_model *m)
{
	for (unsigned i = 0; i < m->derived.nlive; i++)
		if (m->derived.live[i].target && m->derived.live[i].pebs)
			return true;
	return false;
}

unsigned vpmu_model_targets(const struct vpmu_model *m, enum vpmu_ring ring,
			    struct events_target targets[VPMU_TARGETS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->derived.nlive && n < VPMU_TARGETS; i++) {
		const struct vpmu_live *l = &m->derived.live[i];

		if (l->target && l->runs[ring] && !is_carried(m, l))
			targets[n++] = target_of(m, l);
	}
	return n;
}

/* At least one of `counters` runs in the ring. */
static bool runs_in(const struct vpmu_model *m, uint64_t counters, enum vpmu_ring ring)
{
	for (unsigned i = 0; i < m->derived.nlive; i++)
		if (m->derived.live[i].bit & counters && m->derived.live[i].runs[ring])
			return true;
	return false;
}

/* Only for events that each instruction has: others may be far. */
bool vpmu_model_record_is_next(const struct vpmu_model *m, enum vpmu_ring ring)
{
	for (unsigned i = 0; i < m->derived.nlive && m->pebs.armed; i++) {
		const struct vpmu_live *l = &m->derived.live[i];

		if (m->pebs.armed & l->bit && l->runs[ring] && l->per_instruction >= l->rate.den)
			return true;
	}
	return false;
}

uint64_t vpmu_model_until(const struct vpmu_model *m, enum vpmu_ring ring)
{
	uint64_t least = vpmu_ibs_until(m);

	if ((m->pmi.pending && !is_pmi_late(m)) || vpmu_model_ibs_waits(m) || m->ibs.interrupts)
		return 0;
	if (m->pmi.pending && vpmu_branches_hold(m))
		return 1;
	if (m->pmi.pending && m->pmi.skid_left < least)
		least = m->pmi.skid_left;
	if (m->pebs.due && runs_in(m, m->pebs.due, ring))
		return 1;
	for (unsigned i = 0; i < m->derived.nlive; i++) {
		const struct vpmu_live *l = &m->derived.live[i];
		uint64_t until = UINT64_MAX;

		if (l->runs[ring] && (l->interrupts || l->pebs || l->reloads) && !l->target)
			until = until_due(m, l);
		if (until < least)
			least = until;
	}
	return least;
}

/* vpmu_model_until() covers counters that interrupt. */
static bool wraps_soon(const struct vpmu_model *m)
{
	uint64_t ends = 0;

	for (unsigned i = 0; i < m->derived.nlive; i++)
		if (!m->derived.live[i].interrupts)
			ends |= counter_of(m, &m->derived.live[i])->value +
				m->derived.live[i].per_instruction * VPMU_PLAIN_MOST;
	return ends >> m->uarch->width;
}

bool vpmu_model_samples(const struct vpmu_model *m)
{
	return m->pebs.enable || m->pebs.due || vpmu_ibs_is_on(m) || vpmu_model_ibs_waits(m) ||
	       m->ibs.interrupts;
}

bool vpmu_model_is_plain(const struct vpmu_model *m)
{
	return !vpmu_model_samples(m) && !m->pmi.pending && !m->firmware.steal &&
	       !m->derived.measures_metrics && !m->derived.uses_counts && !m->derived.follows &&
	       !m->derived.is_intricate && !wraps_soon(m);
}

bool vpmu_model_asymmetric(const struct vpmu_model *m)
{
	return m->derived.asymmetric;
}

/* SDM vol. 3, "Freezing LBR and Performance Counters on PMI"; PPR of family 19h, "DBG_CTL_MSR". */
bool vpmu_model_deliver(struct vpmu_model *m)
{
	if (!m->pmi.pending || is_pmi_late(m))
		return false;
	m->pmi.pending = 0;
	vpmu_branches_freeze(m);
	if (!(m->regs.debugctl & DEBUGCTL_FREEZE_PERFMON)) {
		vpmu_model_derive(m);
		return true;
	}
	if (is_amd(m) || m->uarch->version >= 4)
		m->regs.global_status |= GLOBAL_STATUS_CTR_FRZ;
	else
		m->regs.global_ctrl = 0;
	vpmu_model_derive(m);
	return true;
}
