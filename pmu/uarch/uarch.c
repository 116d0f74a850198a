// SPDX-License-Identifier: BSD-2-Clause
/* uarch.c - finds the rows; see uarch.h. */
#include "pmu/uarch/uarch.h"

#include "lib/string.h"
#include "pmu/bits.h"
#include "pmu/uarch/rows.h"

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
	/* A hybrid with its small cores off may not say what it is: then it is the large ones. */
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

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* `name` is one of the words in `words`. */
static bool is_word(const char *words, const char *name)
{
	while (*words) {
		size_t n = 0;

		while (name[n] && name[n] != ' ' && lower(words[n]) == lower(name[n]))
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
		if (is_word(u->name, name) || is_word(u->aliases, name))
			return u;
	return NULL;
}

uint64_t uarch_machine_counters(const struct uarch *uarch, bool ht_on)
{
	return bits_low(ht_on && uarch->gp_ht ? uarch->gp_ht : uarch->gp) |
	       (uint64_t)uarch->fixed << GLOBAL_FIXED_SHIFT;
}

/* Was the row with these dates in force in `version`? What Linux had to unlearn never was. */
static bool in_force(uint32_t since, uint32_t until, uint32_t version)
{
	return version >= since && (!until || version < until);
}

static const struct uarch_constraint *find(const struct uarch_constraint *rows, size_t n,
					   uint64_t select, uint32_t version)
{
	for (size_t i = 0; i < n; i++)
		if ((select & rows[i].mask) == rows[i].match &&
		    in_force(rows[i].since, rows[i].until, version))
			return &rows[i];
	return NULL;
}

const struct uarch_constraint *uarch_constraint(const struct uarch *uarch, uint64_t select,
						uint32_t version)
{
	const struct uarch_constraint *row = NULL;

	if (uarch->vendor == CPU_VENDOR_INTEL)
		row = find(uarch_intel_fixed, uarch_intel_nfixed, select, version);
	if (!row)
		row = find(uarch->constraints, uarch->nconstraints, select, version);
	return row;
}

uint64_t uarch_counters(const struct uarch *uarch, uint64_t select)
{
	const struct uarch_constraint *row = uarch_constraint(uarch, select, UARCH_NOW);

	return row ? row->counters : UARCH_GENERAL;
}

const struct uarch_extra *uarch_extra(const struct uarch *uarch, uint64_t select)
{
	for (size_t i = 0; i < uarch->nextras; i++)
		if ((select & uarch->extras[i].mask) == uarch->extras[i].match)
			return &uarch->extras[i];
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

/* MEM_TRANS_RETIRED.LOAD_LATENCY from the least latency on, MEM_INST_RETIRED.ALL_STORES. */
static const struct uarch_memory memory[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xd0, 0x82), 0},
};

const struct uarch_memory *uarch_memory_event(const struct uarch *uarch, size_t i)
{
	return uarch->memory_names && i < UARCH_COUNT(memory) ? &memory[i] : NULL;
}

const struct uarch_memory *uarch_memory_find(const struct uarch *uarch, const char *text, size_t n)
{
	const struct uarch_memory *m;

	for (size_t i = 0; (m = uarch_memory_event(uarch, i)); i++)
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
