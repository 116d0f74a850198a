// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_uncore.c - counters that the cores of a package share (platform.h): Intel's uncore of
 * servers (clock, UBOX, CHAs, memory channels), AMD's L3, data fabric and northbridge, Jaguar's L2.
 *
 * The ratios are those of quantities.h. The uncore's clock ticks three times in four ticks of the
 * TSC. Lookups in the last level are the cores' L2 misses (in Jaguar's L2, L1 misses); reads of
 * memory are its misses; one line is written back for every second read. Boxes and channels share
 * evenly. An event without a row never increments.
 */
#include "vpmu/model/platform_priv.h"

#include "lib/bits.h"

/* --- What the uncore counts --- */

enum vpmu_unit {
	UNIT_CLOCK,
	UNIT_UBOX,
	UNIT_CHA,
	UNIT_IMC,
	UNIT_L3,    /* from Zen 3 on */
	UNIT_L3_17, /* family 17h */
	UNIT_DF_V2,
	UNIT_DF,
	UNIT_NB_15, /* the northbridge of family 15h */
	UNIT_NB_16,
	UNIT_L2_16,
};

/* num events per den ticks of the TSC, or instructions of the package. */
static const struct uncore_event {
	uint8_t unit;
	uint16_t event, umask;
	bool ticks;
	uint16_t num, den;
} events[] = {
	{UNIT_CLOCK, 0, 0, true, 3, 4},
	{UNIT_CHA, 0x00, 0x00, true, 3, 4},                     /* CLOCKTICKS */
	{UNIT_CHA, 0x34, 0x11, false, 1, 400 * VPMU_CHAS},      /* LLC_LOOKUP.ANY */
	{UNIT_CHA, 0x35, 0x11, false, 1, 500 * VPMU_CHAS},      /* TOR_INSERTS.IA_HIT */
	{UNIT_CHA, 0x35, 0x21, false, 1, 2000 * VPMU_CHAS},     /* TOR_INSERTS.IA_MISS */
	{UNIT_CHA, 0x35, 0x31, false, 1, 400 * VPMU_CHAS},      /* TOR_INSERTS.IA */
	{UNIT_CHA, 0x50, 0x03, false, 1, 2000 * VPMU_CHAS},     /* REQUESTS.READS */
	{UNIT_CHA, 0x50, 0x0c, false, 1, 4000 * VPMU_CHAS},     /* REQUESTS.WRITES */
	{UNIT_CHA, 0x59, 0x01, false, 1, 2000 * VPMU_CHAS},     /* IMC_READS_COUNT.NORMAL */
	{UNIT_CHA, 0x5b, 0x01, false, 1, 4000 * VPMU_CHAS},     /* IMC_WRITES_COUNT.FULL */
	{UNIT_IMC, 0x00, 0x00, true, 5, 8},                     /* DCLK */
	{UNIT_IMC, 0x04, 0x03, false, 1, 2000 * VPMU_CHANNELS}, /* CAS_COUNT.RD */
	{UNIT_IMC, 0x04, 0x0c, false, 1, 4000 * VPMU_CHANNELS}, /* CAS_COUNT.WR */
	{UNIT_IMC, 0x04, 0x0f, false, 3, 4000 * VPMU_CHANNELS}, /* CAS_COUNT.ALL */
	{UNIT_L3, 0x04, 0x01, false, 1, 2000}, /* L3LookupState: misses, hits, all */
	{UNIT_L3, 0x04, 0xfe, false, 1, 500},
	{UNIT_L3, 0x04, 0xff, false, 1, 400},
	{UNIT_L3_17, 0x01, 0x80, false, 1, 400},  /* L3RequestG1: cached accesses */
	{UNIT_L3_17, 0x04, 0xff, false, 1, 400},  /* L3LookupState: all */
	{UNIT_L3_17, 0x06, 0x01, false, 1, 2000}, /* L3CombClstrState: misses */
	/* Beats of 32 bytes, two a line, of two channels: read, written. */
	{UNIT_DF_V2, 0x1f, 0x7fe, false, 1, 2000},
	{UNIT_DF_V2, 0x5f, 0x7fe, false, 1, 2000},
	{UNIT_DF_V2, 0x1f, 0x7ff, false, 1, 4000},
	{UNIT_DF_V2, 0x5f, 0x7ff, false, 1, 4000},
	/* Lines of two channels, read or written. */
	{UNIT_DF, 0x07, 0x38, false, 3, 8000},
	{UNIT_DF, 0x47, 0x38, false, 3, 8000},
	{UNIT_NB_15, 0x0e0, 0x3f, false, 3, 4000}, /* DRAM_ACCESSES, of all channels and kinds */
	{UNIT_NB_16, 0x3ec, 0x07, false, 3, 4000},
	{UNIT_NB_15, 0x0e9, 0xa8, false, 3, 4000}, /* CPU_IO_REQUESTS_TO_MEMORY_IO: CPUs, memory */
	{UNIT_NB_16, 0x0e9, 0xa8, false, 3, 4000},
	{UNIT_NB_15, 0x1f0, 0x01, false, 1, 4000}, /* MEMORY_CONTROLLER_REQUESTS: writes, reads */
	{UNIT_NB_15, 0x1f0, 0x02, false, 1, 2000},
	{UNIT_NB_16, 0x1f0, 0x01, false, 1, 4000},
	{UNIT_NB_16, 0x1f0, 0x02, false, 1, 2000},
	{UNIT_L2_16, 0x7d, 0x01, false, 1, 500}, /* requests: for code, for data, for both */
	{UNIT_L2_16, 0x7d, 0x02, false, 1, 80},
	{UNIT_L2_16, 0x7d, 0x03, false, 29, 2000},
	{UNIT_L2_16, 0x7e, 0x03, false, 1, 2000}, /* misses of both */
	{UNIT_L2_16, 0x7f, 0x01, false, 1, 2000}, /* lines that come, and that are written back */
	{UNIT_L2_16, 0x7f, 0x02, false, 1, 4000},
};

/*
 * Selectors: eight bits of an event, eight of a unit mask, and the other fields. Intel's manual,
 * "Uncore PMU Counter/Timer Control"; the PPRs, "L3 PMC", "DF PMC"; the BKDGs of families 15h and
 * 16h, "Northbridge Performance Event Select".
 */
#define SELECT_EN    (1ull << 22)
#define SELECT_RESET (1ull << 17)
#define COUNTER_BITS 0xffffffffffffull
#define AMD_SELECT   (SELECT_EN | 0xffff)
#define SELECT_CMASK 0xff800000 /* and INV: count cycles, which no event here does */

struct bit_field {
	uint8_t at, n;
};

static const struct select_format {
	uint64_t valid;
	struct bit_field event[2], umask;
} formats[] = {
	[UNIT_CLOCK] = {SELECT_EN | 1ull << 20},
	[UNIT_UBOX] = {0x1fdeffff},
	[UNIT_CHA] = {0xffdeffff}, /* threshold, invert, enable, thread, edge, reset, ... */
	[UNIT_IMC] = {0xffdeffff},
	[UNIT_L3] = {AMD_SELECT | 0x0307dc0000000000},
	[UNIT_L3_17] = {AMD_SELECT | 0xff0f000000000000},
	[UNIT_DF_V2] = {AMD_SELECT | 0x0000003f0f000000, {{32, 6}}, {24, 4}},
	[UNIT_DF] = {AMD_SELECT | 0x1800000f00000000, {{32, 4}, {59, 2}}},
	[UNIT_NB_15] = {AMD_SELECT | 0x000001ff00100000, {{32, 4}}},
	[UNIT_NB_16] = {AMD_SELECT | 0x000001ff00100000, {{32, 4}}},
	[UNIT_L2_16] = {AMD_SELECT | SELECT_CMASK | 0x0f0f000f00100000, {{32, 4}}},
};

static uint64_t bits_of_field(uint64_t select, struct bit_field field)
{
	return select >> field.at & bits_low(field.n);
}

static uint64_t event_in_select(enum vpmu_unit unit, uint64_t select)
{
	const struct bit_field *more = formats[unit].event;
	const uint64_t upper = bits_of_field(select, more[0]) | bits_of_field(select, more[1])
									<< more[0].n;

	return (select & 0xff) | upper << 8;
}

static uint64_t umask_in_select(enum vpmu_unit unit, uint64_t select)
{
	return (select >> 8 & 0xff) | bits_of_field(select, formats[unit].umask) << 8;
}

#define BOX_RESET_CONTROLS (1ull << 0)
#define BOX_RESET_COUNTERS (1ull << 1)
#define BOX_FREEZE         (1ull << 8)
#define BOX_VALID          (BOX_RESET_CONTROLS | BOX_RESET_COUNTERS | BOX_FREEZE | 3ull << 16)
#define GLOBAL_FREEZE      (1ull << 63)
#define GLOBAL_UNFREEZE    (1ull << 61)
#define GLOBAL_VALID       (7ull << 61 | 0xffffffffull)

/* The part of a cache that a selector means. An L3: eight or four cores of two threads each, and
 * eight or four slices. Family 16h's L2: the unmasked ones of four cores and banks. */
struct part {
	uint32_t num, den;
};

#define L3_ALL_CORES  (1ull << 47)
#define L3_ALL_SLICES (1ull << 46)

static const struct bit_field l3_threads = {56, 2}, l3_17_threads = {56, 8}, l3_17_slices = {48, 4},
			      l2_cores = {56, 4}, l2_banks = {48, 4};

static struct part part_in_select(enum vpmu_unit unit, uint64_t select)
{
	if (unit == UNIT_L3)
		return (struct part){bits_count(bits_of_field(select, l3_threads)),
				     2 * (select & L3_ALL_CORES ? 1 : 8) *
					     (select & L3_ALL_SLICES ? 1 : 8)};
	if (unit == UNIT_L3_17)
		return (struct part){bits_count(bits_of_field(select, l3_17_threads)) *
					     bits_count(bits_of_field(select, l3_17_slices)),
				     8 * 4};
	if (unit == UNIT_L2_16)
		return (struct part){(4 - bits_count(bits_of_field(select, l2_cores))) *
					     (4 - bits_count(bits_of_field(select, l2_banks))) *
					     !(select & SELECT_CMASK),
				     4 * 4};
	return (struct part){1, 1};
}

/* The units of the last level, and of what lies behind it. */
static enum vpmu_unit l3_unit(const struct vpmu_platform *p)
{
	if (p->uarch->has & VPMU_L2_SHARED)
		return UNIT_L2_16;
	return p->uarch->has & VPMU_L3_MASKS ? UNIT_L3_17 : UNIT_L3;
}

static enum vpmu_unit fabric_unit(const struct vpmu_platform *p)
{
	if (p->uarch->has & VPMU_NORTHBRIDGE)
		return p->uarch->has & VPMU_L2_SHARED ? UNIT_NB_16 : UNIT_NB_15;
	return p->uarch->has & VPMU_DF_V2 ? UNIT_DF_V2 : UNIT_DF;
}

static const struct uncore_event *find_uncore_event(enum vpmu_unit unit, uint64_t select)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i].unit == unit && events[i].event == event_in_select(unit, select) &&
		    events[i].umask == umask_in_select(unit, select))
			return &events[i];
	return NULL;
}

static void settle_one(const struct vpmu_platform *p, enum vpmu_unit unit,
		       struct vpmu_uncore_counter *c)
{
	const struct vpmu_elapsed *then = &p->package->settled;
	const struct uncore_event *e;
	struct part part;
	uint64_t units, den, sum;

	if (!(c->select & SELECT_EN))
		return;
	e = find_uncore_event(unit, c->select);
	part = part_in_select(unit, c->select);
	if (!e || !part.num)
		return;
	units = e->ticks ? p->now.tsc - then->tsc
			 : p->now.package_instructions - then->package_instructions;
	den = (uint64_t)e->den * part.den;
	sum = c->rest + units * e->num * part.num;
	c->value = (c->value + sum / den) & COUNTER_BITS;
	c->rest = sum % den;
}

static void settle_some(const struct vpmu_platform *p, enum vpmu_unit unit,
			struct vpmu_uncore_counter *counters, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		settle_one(p, unit, &counters[i]);
}

static void settle_units(const struct vpmu_platform *p)
{
	struct vpmu_package *k = p->package;

	if (!k->frozen) {
		settle_one(p, UNIT_CLOCK, &k->clock);
		settle_some(p, UNIT_UBOX, k->ubox, VPMU_UBOX);
	}
	for (unsigned i = 0; i < VPMU_CHAS; i++)
		if (!k->frozen && !k->cha[i].frozen)
			settle_some(p, UNIT_CHA, k->cha[i].counters, VPMU_CHA_COUNTERS);
	for (unsigned i = 0; i < VPMU_CHANNELS; i++)
		if (!k->frozen && !k->imc[i].frozen) {
			settle_one(p, UNIT_IMC, &k->imc[i].clock);
			settle_some(p, UNIT_IMC, k->imc[i].counters, VPMU_IMC_COUNTERS);
		}
	settle_some(p, l3_unit(p), k->l3, VPMU_L3_COUNTERS);
	settle_some(p, fabric_unit(p), k->df, VPMU_DF_COUNTERS);
	k->settled = p->now;
}

/* --- Words of state: where each is kept, and which bits it has --- */

struct place {
	uint64_t *word; /* NULL: there is none */
	uint64_t valid;
	struct vpmu_uncore_counter *counter; /* the counter that the word belongs to; NULL: none */
};

static const struct place nowhere;

static struct place selector_place(struct vpmu_uncore_counter *c, enum vpmu_unit unit)
{
	return (struct place){&c->select, formats[unit].valid, c};
}

static struct place counter_place(struct vpmu_uncore_counter *c)
{
	return (struct place){&c->value, COUNTER_BITS, c};
}

static struct place clock_place(struct vpmu_package *k, unsigned i)
{
	return i ? counter_place(&k->clock) : selector_place(&k->clock, UNIT_CLOCK);
}

static struct place ubox_place(struct vpmu_package *k, unsigned i)
{
	const unsigned counters = UBOX_SPAN - VPMU_UBOX;

	if (i < VPMU_UBOX)
		return selector_place(&k->ubox[i], UNIT_UBOX);
	return i < counters ? nowhere : counter_place(&k->ubox[i - counters]);
}

/* Box control, four selectors, two filters, status, four counters. */
static struct place cha_place(struct vpmu_package *k, unsigned i)
{
	const unsigned selectors = 1, filters = 5, counters = 8;
	unsigned box = i / CHA_SPAN, at = i % CHA_SPAN;

	if (at - selectors < VPMU_CHA_COUNTERS)
		return selector_place(&k->cha[box].counters[at - selectors], UNIT_CHA);
	if (at - filters < VPMU_CHA_FILTERS)
		return (struct place){&k->cha[box].filter[at - filters], UINT32_MAX, NULL};
	if (at - counters < VPMU_CHA_COUNTERS)
		return counter_place(&k->cha[box].counters[at - counters]);
	return nowhere;
}

static struct place amd_pair(struct vpmu_uncore_counter *counters, unsigned i, enum vpmu_unit unit)
{
	struct vpmu_uncore_counter *c = &counters[i / AMD_PAIR];

	return i % AMD_PAIR ? counter_place(c) : selector_place(c, unit);
}

/* Intel faults on reserved bits, AMD drops them. */
static bool place_faults(const struct place *place, uint64_t v)
{
	return !place->word || v & ~place->valid;
}

static uint64_t read_place(const struct vpmu_platform *p, const struct place *place)
{
	settle_units(p);
	return place->word ? *place->word : 0;
}

static void write_place(const struct vpmu_platform *p, const struct place *place, uint64_t v)
{
	struct vpmu_uncore_counter *c = place->counter;

	settle_units(p);
	*place->word = v & place->valid;
	if (!c)
		return;
	if (p->uarch->vendor == VPMU_INTEL && c->select & SELECT_RESET)
		c->value = 0;
	c->select &= ~SELECT_RESET;
	c->rest = 0;
}

/* --- Registers, as platform_priv.h says --- */

bool vpmu_uncore_global_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	*v = !i && p->package->frozen ? GLOBAL_FREEZE : 0;
	return true;
}

/* Status and configuration keep what is written, as no counter overflows. */
bool vpmu_uncore_global_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	if (v & ~(i ? (uint64_t)UINT32_MAX : GLOBAL_VALID))
		return false;
	if (!really || i)
		return true;
	settle_units(p);
	p->package->frozen = (p->package->frozen || v & GLOBAL_FREEZE) && !(v & GLOBAL_UNFREEZE);
	return true;
}

bool vpmu_uncore_clock_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct place place = clock_place(p->package, i);

	*v = read_place(p, &place);
	return true;
}

bool vpmu_uncore_clock_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	const struct place place = clock_place(p->package, i);

	if (place_faults(&place, v))
		return false;
	if (really)
		write_place(p, &place, v);
	return true;
}

static bool is_ubox_status(unsigned i)
{
	return i == 3;
}

bool vpmu_uncore_ubox_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct place place = ubox_place(p->package, i);

	*v = read_place(p, &place);
	return place.word || is_ubox_status(i);
}

bool vpmu_uncore_ubox_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	const struct place place = ubox_place(p->package, i);

	if (is_ubox_status(i))
		return !(v >> 32);
	if (place_faults(&place, v))
		return false;
	if (really)
		write_place(p, &place, v);
	return true;
}

static bool is_cha_control(unsigned i)
{
	return i % CHA_SPAN == 0;
}

static bool is_cha_status(unsigned i)
{
	return i % CHA_SPAN == 7;
}

bool vpmu_uncore_cha_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct place place = cha_place(p->package, i);

	*v = is_cha_control(i) && p->package->cha[i / CHA_SPAN].frozen ? BOX_FREEZE
								       : read_place(p, &place);
	return place.word || is_cha_control(i) || is_cha_status(i);
}

static void reset_box(struct vpmu_uncore_counter *c, unsigned n, uint64_t control)
{
	for (unsigned i = 0; i < n; i++) {
		if (control & BOX_RESET_CONTROLS)
			c[i].select = 0;
		if (control & BOX_RESET_COUNTERS)
			c[i].value = c[i].rest = 0;
	}
}

static void control_box(const struct vpmu_platform *p, unsigned box, uint64_t v)
{
	settle_units(p);
	p->package->cha[box].frozen = v & BOX_FREEZE;
	reset_box(p->package->cha[box].counters, VPMU_CHA_COUNTERS, v);
}

bool vpmu_uncore_cha_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	const struct place place = cha_place(p->package, i);

	if (is_cha_status(i))
		return !(v >> 32);
	if (is_cha_control(i) ? v & ~BOX_VALID : place_faults(&place, v))
		return false;
	if (!really)
		return true;
	if (is_cha_control(i))
		control_box(p, i / CHA_SPAN, v);
	else
		write_place(p, &place, v);
	return true;
}

/* A channel's registers: four counters of two double words, one of the clock (DCLK), selectors,
 * that of the clock, the box control. Configuration space drops writes of reserved bits. */
enum imc_reg {
	IMC_COUNTERS = VPMU_IMC_FROM,
	IMC_COUNTERS_END = IMC_COUNTERS + 8 * VPMU_IMC_COUNTERS,
	IMC_CLOCK = 0xd0,
	IMC_SELECTORS = 0xd8,
	IMC_SELECTORS_END = IMC_SELECTORS + 4 * VPMU_IMC_COUNTERS,
	IMC_CLOCK_SELECT = 0xf0,
	IMC_CONTROL = 0xf4,
};

static struct place imc_place(struct vpmu_package *k, unsigned channel, unsigned reg)
{
	struct vpmu_uncore_counter *c = k->imc[channel].counters;

	if (reg >= IMC_COUNTERS && reg < IMC_COUNTERS_END)
		return counter_place(&c[(reg - IMC_COUNTERS) / 8]);
	if (reg >= IMC_SELECTORS && reg < IMC_SELECTORS_END)
		return selector_place(&c[(reg - IMC_SELECTORS) / 4], UNIT_IMC);
	if (reg == IMC_CLOCK || reg == IMC_CLOCK + 4)
		return counter_place(&k->imc[channel].clock);
	if (reg == IMC_CLOCK_SELECT)
		return (struct place){&k->imc[channel].clock.select, SELECT_EN,
				      &k->imc[channel].clock};
	return nowhere;
}

/* Only counters have two double words. */
static unsigned shift_of(const struct place *place, unsigned reg)
{
	return place->counter && place->word == &place->counter->value && reg & 4 ? 32 : 0;
}

uint32_t vpmu_uncore_imc_read(const struct vpmu_platform *p, unsigned channel, unsigned reg)
{
	const struct place place = imc_place(p->package, channel, reg);

	if (reg == IMC_CONTROL)
		return p->package->imc[channel].frozen ? BOX_FREEZE : 0;
	return (uint32_t)(read_place(p, &place) >> shift_of(&place, reg));
}

static void control_channel(const struct vpmu_platform *p, unsigned channel, uint64_t v)
{
	struct vpmu_package *k = p->package;

	settle_units(p);
	k->imc[channel].frozen = v & BOX_FREEZE;
	reset_box(k->imc[channel].counters, VPMU_IMC_COUNTERS, v);
	reset_box(&k->imc[channel].clock, 1, v);
}

void vpmu_uncore_imc_write(const struct vpmu_platform *p, unsigned channel, unsigned reg,
			   uint32_t v, uint32_t mask)
{
	const struct place place = imc_place(p->package, channel, reg);
	const unsigned shift = shift_of(&place, reg);
	uint64_t whole;

	if (reg == IMC_CONTROL)
		control_channel(p, channel,
				(vpmu_uncore_imc_read(p, channel, reg) & ~mask) | (v & mask));
	if (!place.word)
		return;
	whole = read_place(p, &place);
	write_place(p, &place,
		    (whole & ~((uint64_t)mask << shift)) | (uint64_t)(v & mask) << shift);
}

bool vpmu_uncore_l3_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct place place = amd_pair(p->package->l3, i, l3_unit(p));

	*v = read_place(p, &place);
	return true;
}

bool vpmu_uncore_l3_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	const struct place place = amd_pair(p->package->l3, i, l3_unit(p));

	if (really)
		write_place(p, &place, v);
	return true;
}

bool vpmu_uncore_df_read(const struct vpmu_platform *p, unsigned i, uint64_t *v)
{
	const struct place place = amd_pair(p->package->df, i, fabric_unit(p));

	*v = read_place(p, &place);
	return true;
}

bool vpmu_uncore_df_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really)
{
	const struct place place = amd_pair(p->package->df, i, fabric_unit(p));

	if (really)
		write_place(p, &place, v);
	return true;
}
