// SPDX-License-Identifier: BSD-2-Clause
/* uarch.c - finds the rows; see uarch.h. */
#include "pmu/uarch/uarch.h"

static const struct uarch *const uarchs[] = {
	&uarch_haswell,
	&uarch_skylake,
	&uarch_icelake,
	&uarch_zen4,
};

static bool is_one(const struct uarch *u, const struct pmu_caps *caps)
{
	if (u->vendor != caps->vendor)
		return false;
	for (const struct uarch_model *m = u->models; m->family; m++)
		if (m->family == caps->family && caps->model >= m->first && caps->model <= m->last)
			return true;
	return false;
}

const struct uarch *uarch_find(const struct pmu_caps *caps)
{
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++)
		if (is_one(uarchs[i], caps))
			return uarchs[i];
	return caps->vendor == CPU_VENDOR_AMD ? &uarch_amd_generic : &uarch_intel_generic;
}

static const struct uarch_constraint *find(const struct uarch_constraint *rows, size_t n,
					   uint64_t select)
{
	for (size_t i = 0; i < n; i++)
		if ((select & rows[i].mask) == rows[i].match)
			return &rows[i];
	return NULL;
}

uint64_t uarch_counters(const struct uarch *uarch, uint64_t select)
{
	const struct uarch_constraint *row = NULL;

	if (uarch->vendor == CPU_VENDOR_INTEL)
		row = find(uarch_intel_fixed, uarch_intel_nfixed, select);
	if (!row)
		row = find(uarch->constraints, uarch->nconstraints, select);
	return row ? row->counters : UARCH_GENERAL;
}
