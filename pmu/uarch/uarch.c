// SPDX-License-Identifier: BSD-2-Clause
/* uarch.c - finds the rows; see uarch.h. */
#include "pmu/uarch/uarch.h"

#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/uarch/rows.h"
#include "lib/ascii.h"

static const char *const sources[UARCH_NSOURCES] = {
	[UARCH_PERFMON] = "Intel's event files",
	[UARCH_SDM] = "Intel SDM",
	[UARCH_UPDATE] = "Intel's specification update",
	[UARCH_BKDG] = "AMD BKDG",
	[UARCH_PPR] = "AMD PPR",
	[UARCH_FIELD] = "the history of Linux's perf",
};

static bool is_core(const struct uarch_model *m, const struct pmu_caps *caps)
{
	/*
	 * A hybrid with its small cores off may not report a core type: the core is then a large
	 * one.
	 */
	uint8_t core = caps->core_type ? caps->core_type : UARCH_CORE;

	return (!m->core || m->core == core) &&
	       (!m->native || m->native == (caps->native_model & 0xff));
}

static bool is_model(const struct uarch_model *m, const struct pmu_caps *caps)
{
	return m->family == caps->family && caps->model >= m->first && caps->model <= m->last &&
	       (!m->steppings || (unsigned)(caps->stepping - m->stepping) < m->steppings) &&
	       is_core(m, caps);
}

bool uarch_is(const struct uarch *uarch, const struct pmu_caps *caps)
{
	if (uarch->vendor != caps->vendor)
		return false;
	for (const struct uarch_model *m = uarch->models; m->family; m++)
		if (is_model(m, caps))
			return true;
	return false;
}

const struct uarch *uarch_list(size_t i)
{
#define ROW(row) &uarch_##row,
	static const struct uarch *const rows[] = {UARCH_ROWS(ROW)};
#undef ROW

	return i < UARCH_COUNT(rows) ? rows[i] : NULL;
}

const struct uarch *uarch_find(const struct pmu_caps *caps)
{
	const struct uarch *u;

	for (size_t i = 0; (u = uarch_list(i)); i++)
		if (uarch_is(u, caps))
			return u;
	return caps->vendor == CPU_VENDOR_AMD ? &uarch_amd_generic : &uarch_intel_generic;
}

/* True: `name` is one of the words in `words`. */
static bool is_one_of_words(const char *words, const char *name)
{
	while (*words) {
		size_t n = 0;

		while (name[n] && name[n] != ' ' && ascii_lower(words[n]) == ascii_lower(name[n]))
			n++;
		if (n && !name[n] && (words[n] == ' ' || !words[n]))
			return true;
		while (*words && *words != ' ')
			words++;
		while (*words == ' ')
			words++;
	}
	return false;
}

const struct uarch *uarch_by_name(const char *name)
{
	const struct uarch *u;

	for (size_t i = 0; (u = uarch_list(i)); i++)
		if (is_one_of_words(u->name, name) || is_one_of_words(u->aliases, name))
			return u;
	return NULL;
}

bool uarch_is_kvm_name(const char *name)
{
	for (const char *k = "kvm"; *k; k++, name++)
		if (ascii_lower(*name) != *k)
			return false;
	return true;
}

bool uarch_has_core(const struct uarch *uarch, uint8_t core)
{
	bool any = false;

	for (const struct uarch_model *m = uarch->models; m->family; m++)
		any |= m->core && (!core || m->core == core);
	return any;
}

/* True: the models are the two kinds of core of one CPU. */
static bool is_model_beside(const struct uarch_model *a, const struct uarch_model *b)
{
	return a->core && b->core && a->core != b->core && a->family == b->family &&
	       a->first <= b->last && b->first <= a->last;
}

const struct uarch *uarch_beside(const struct uarch *uarch)
{
	const struct uarch *other;

	for (const struct uarch_model *m = uarch->models; m->family; m++)
		for (size_t i = 0; (other = uarch_list(i)); i++)
			for (const struct uarch_model *o = other->models; o->family; o++)
				if (is_model_beside(m, o))
					return other;
	return NULL;
}

unsigned uarch_general(const struct uarch *uarch, bool ht_on)
{
	const struct uarch *with = UARCH_WITH(uarch, gp);

	return ht_on ? with->gp_ht : with->gp;
}

uint64_t uarch_machine_counters(const struct uarch *uarch, bool ht_on)
{
	unsigned general = uarch_general(uarch, ht_on && uarch_general(uarch, true));

	return bits_low(general) | (uint64_t)UARCH_WITH(uarch, fixed)->fixed << GLOBAL_FIXED_SHIFT;
}

bool uarch_has_latency_parts(const struct uarch *uarch)
{
	return UARCH_WITH(uarch, latency_parts)->latency_parts;
}

uint64_t uarch_generic(const struct uarch *uarch, uint64_t event)
{
	uint64_t select;

	if (event >= PERF_COUNT_HW_MAX)
		return 0;
	select = UARCH_WITH(uarch, generic[event])->generic[event];
	return select == UARCH_NONE ? 0 : select;
}

static const struct uarch_cache *find_cache_row(const struct uarch *uarch, unsigned cache,
						unsigned op)
{
	for (; uarch; uarch = uarch->like)
		for (size_t i = 0; i < uarch->ncaches; i++)
			if (uarch->caches[i].cache == cache && uarch->caches[i].op == op)
				return &uarch->caches[i];
	return NULL;
}

uint64_t uarch_cache(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result)
{
	const struct uarch_cache *row = find_cache_row(uarch, cache, op);

	return row && result < PERF_COUNT_HW_CACHE_RESULT_MAX ? row->select[result] : 0;
}

uint64_t uarch_cache_value(const struct uarch *uarch, unsigned cache, unsigned op, unsigned result)
{
	const struct uarch_cache *row = find_cache_row(uarch, cache, op);

	return row && result < PERF_COUNT_HW_CACHE_RESULT_MAX ? row->value[result] : 0;
}

/*
 * True: the row with these dates is in force in `version`. A row that Linux dropped again never
 * holds for UARCH_NOW.
 */
static bool in_force(uint32_t since, uint32_t until, uint32_t version)
{
	return version >= since && (!until || version < until);
}

/*
 * True: `row`, which `of` states, holds for `uarch`, which is `of` or descends from it. A row for
 * the same events that is nearer to `uarch` takes its place.
 */
static bool constraint_holds(const struct uarch *uarch, const struct uarch *of,
			     const struct uarch_constraint *row)
{
	if (row->flags & UARCH_GONE)
		return false;
	for (; uarch != of; uarch = uarch->like)
		for (size_t i = 0; i < uarch->nconstraints; i++)
			if (uarch->constraints[i].match == row->match &&
			    uarch->constraints[i].mask == row->mask)
				return false;
	return true;
}

static bool extra_holds(const struct uarch *uarch, const struct uarch *of,
			const struct uarch_extra *row)
{
	if (!row->msr)
		return false;
	for (; uarch != of; uarch = uarch->like)
		for (size_t i = 0; i < uarch->nextras; i++)
			if (uarch->extras[i].match == row->match &&
			    uarch->extras[i].mask == row->mask)
				return false;
	return true;
}

/*
 * True: the row is for all events with a modifier. It comes before the rows for some events, also
 * before those of descendants.
 */
static bool is_of_any_event(const struct uarch_constraint *row)
{
	return !(row->mask & UARCH_CODE);
}

static const struct uarch_constraint *constraint_row(const struct uarch *uarch, bool any, size_t *i)
{
	for (const struct uarch *of = uarch; of; of = of->like)
		for (size_t k = 0; k < of->nconstraints; k++)
			if (is_of_any_event(&of->constraints[k]) == any &&
			    constraint_holds(uarch, of, &of->constraints[k]) && !(*i)--)
				return &of->constraints[k];
	return NULL;
}

const struct uarch_constraint *uarch_constraint_row(const struct uarch *uarch, size_t i)
{
	const struct uarch_constraint *row = constraint_row(uarch, true, &i);

	return row ? row : constraint_row(uarch, false, &i);
}

const struct uarch_extra *uarch_extra_row(const struct uarch *uarch, size_t i)
{
	for (const struct uarch *of = uarch; of; of = of->like)
		for (size_t k = 0; k < of->nextras; k++)
			if (extra_holds(uarch, of, &of->extras[k]) && !i--)
				return &of->extras[k];
	return NULL;
}

uint8_t uarch_flags(const struct uarch *uarch)
{
	const struct uarch_constraint *row;
	uint8_t flags = 0;

	for (size_t i = 0; (row = uarch_constraint_row(uarch, i)); i++)
		flags |= row->flags;
	return flags;
}

uint8_t uarch_shared_registers(const struct uarch *uarch)
{
	const struct uarch_extra *row;
	uint8_t registers = 0;

	for (size_t i = 0; (row = uarch_extra_row(uarch, i)); i++)
		if (row->shared && row->reg != UARCH_LBR_SELECT)
			registers |= (uint8_t)(1u << row->reg);
	return registers;
}

static bool row_matches(const struct uarch_constraint *row, uint64_t select, uint32_t version)
{
	return (select & row->mask) == row->match && in_force(row->since, row->until, version);
}

static const struct uarch_constraint *find_fixed(uint64_t select, uint32_t version)
{
	for (size_t i = 0; i < uarch_intel_nfixed; i++)
		if (row_matches(&uarch_intel_fixed[i], select, version))
			return &uarch_intel_fixed[i];
	return NULL;
}

static const struct uarch_constraint *find_constraint(const struct uarch *uarch, bool any,
						      uint64_t select, uint32_t version)
{
	for (const struct uarch *of = uarch; of; of = of->like)
		for (size_t i = 0; i < of->nconstraints; i++)
			if (is_of_any_event(&of->constraints[i]) == any &&
			    row_matches(&of->constraints[i], select, version) &&
			    constraint_holds(uarch, of, &of->constraints[i]))
				return &of->constraints[i];
	return NULL;
}

const struct uarch_constraint *uarch_constraint(const struct uarch *uarch, uint64_t select,
						uint32_t version)
{
	const struct uarch_constraint *row = NULL;

	if (uarch->vendor == CPU_VENDOR_INTEL)
		row = find_fixed(select, version);
	if (!row)
		row = find_constraint(uarch, true, select, version);
	return row ? row : find_constraint(uarch, false, select, version);
}

uint64_t uarch_raw_select(const struct uarch *uarch, uint64_t config)
{
	uint64_t dropped = EVTSEL_USR | EVTSEL_OS | EVTSEL_PC | EVTSEL_INT | EVTSEL_EN;

	if (uarch->vendor == CPU_VENDOR_AMD)
		dropped |= EVTSEL_ANY | EVTSEL_AMD_WORLDS;
	return config & ~dropped;
}

uint64_t uarch_counters(const struct uarch *uarch, uint64_t select)
{
	const struct uarch_constraint *row = uarch_constraint(uarch, select, UARCH_NOW);

	return row ? row->counters : UARCH_GENERAL;
}

const struct uarch_extra *uarch_extra(const struct uarch *uarch, uint64_t select)
{
	for (const struct uarch *of = uarch; of; of = of->like)
		for (size_t i = 0; i < of->nextras; i++)
			if ((select & of->extras[i].mask) == of->extras[i].match)
				return of->extras[i].msr ? &of->extras[i] : NULL;
	return NULL;
}

struct uarch_lbr uarch_lbr(const struct uarch *uarch)
{
	return UARCH_WITH(uarch, lbr.depth)->lbr;
}

const struct uarch_extra *uarch_branches(const struct uarch *uarch)
{
	for (const struct uarch *of = uarch; of; of = of->like)
		for (size_t i = 0; i < of->nextras; i++)
			if (of->extras[i].reg == UARCH_LBR_SELECT)
				return &of->extras[i];
	return NULL;
}

const struct uarch_extra *uarch_alternative(const struct uarch *uarch, uint64_t *select)
{
	const struct uarch_extra *row = uarch_extra(uarch, *select);

	if (!row || !row->alternative)
		return NULL;
	*select = (*select & ~row->mask) | row->alternative;
	return uarch_extra(uarch, *select);
}

unsigned uarch_metrics(const struct uarch *uarch)
{
	return UARCH_WITH(uarch, metrics)->metrics;
}

#define METRIC(n, name)                                            \
	{                                                          \
		name, UARCH_SELECT(0, UARCH_METRIC_UMASK + (n)), 0 \
	}

/* The slots, followed by their shares in the order of PERF_METRICS. */
static const struct uarch_named topdown[1 + UARCH_METRICS_MOST] = {
	{"slots", UARCH_SLOTS, 0},          METRIC(0, "topdown-retiring"),
	METRIC(1, "topdown-bad-spec"),      METRIC(2, "topdown-fe-bound"),
	METRIC(3, "topdown-be-bound"),      METRIC(4, "topdown-heavy-ops"),
	METRIC(5, "topdown-br-mispredict"), METRIC(6, "topdown-fetch-lat"),
	METRIC(7, "topdown-mem-bound"),
};

const struct uarch_named *uarch_named_event(const struct uarch *uarch, size_t i)
{
	const struct uarch_named *m = UARCH_WITH(uarch, memory)->memory;
	const unsigned metrics = uarch_metrics(uarch);

	for (; m && m->name && i; i--)
		m++;
	if (m && m->name)
		return m;
	return metrics && i <= metrics ? &topdown[i] : NULL;
}

const struct uarch_setting *uarch_setting(const struct uarch *uarch, uint64_t select,
					  unsigned precise_ip)
{
	const struct uarch *with = UARCH_WITH(uarch, settings);

	for (size_t i = 0; i < with->nsettings; i++) {
		const struct uarch_setting *s = &with->settings[i];

		if ((select & s->mask) == s->match && precise_ip >= s->precise)
			return s->least ? s : NULL;
	}
	return NULL;
}

uint64_t uarch_latency_aux(const struct uarch *uarch)
{
	const uint64_t aux = UARCH_WITH(uarch, latency_aux)->latency_aux;

	return aux == UARCH_NONE ? 0 : aux;
}

enum uarch_sources uarch_sources(const struct uarch *uarch)
{
	const uint8_t table = UARCH_WITH(uarch, sources)->sources;

	return table ? (enum uarch_sources)table : UARCH_SOURCES_SANDYBRIDGE;
}

bool uarch_mid_ack(const struct uarch *uarch)
{
	return UARCH_WITH(uarch, mid_ack)->mid_ack;
}

const struct uarch_named *uarch_named_find(const struct uarch *uarch, const char *text, size_t n)
{
	const struct uarch_named *m;

	for (size_t i = 0; (m = uarch_named_event(uarch, i)); i++)
		if (strlen(m->name) == n && !memcmp(m->name, text, n))
			return m;
	return NULL;
}

const struct uarch_erratum *uarch_erratum(const struct uarch *uarch, enum uarch_trouble trouble,
					  uint64_t select, uint32_t version)
{
	for (size_t i = 0; i < uarch->nerrata; i++) {
		const struct uarch_erratum *row = &uarch->errata[i];

		if (row->trouble == trouble && (select & row->mask) == row->match &&
		    in_force(row->since, row->until, version))
			return row;
	}
	return NULL;
}

const char *uarch_source_name(uint8_t source)
{
	return source < UARCH_NSOURCES ? sources[source] : "nobody";
}
