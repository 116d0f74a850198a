// SPDX-License-Identifier: BSD-2-Clause
/* fault_words.c - see fault_words.h. A fault is a row. */
#include "lib/words/fault_words.h"

#include "lib/printf.h"
#include "lib/words/listed.h"
#include "lib/words/number.h"

#include <linux/errno.h>

#include <stddef.h>

#define NAMES_MOST 512 /* length of the list of all names */

struct fault {
	const char *name;
	const char *number; /* the name of its number; NULL: it takes no number */
	uint64_t least, most;
	int (*set)(struct vpmu_faults *faults, uint64_t n);
};

#define FLAG(member)                                                    \
	static int set_##member(struct vpmu_faults *faults, uint64_t n) \
	{                                                               \
		(void)n;                                                \
		faults->member = true;                                  \
		return 0;                                               \
	}
FLAG(exit)
FLAG(locked)
FLAG(thermal)
FLAG(turbo)
FLAG(stuck)
FLAG(crystal)
FLAG(extranmi)
FLAG(vmrun)
#undef FLAG

#define NUMBER(member)                                                  \
	static int set_##member(struct vpmu_faults *faults, uint64_t n) \
	{                                                               \
		faults->member = n;                                     \
		return 0;                                               \
	}
NUMBER(smi)
NUMBER(inuse)
NUMBER(steal)
NUMBER(skid)
NUMBER(latenmi)
NUMBER(still)
#undef NUMBER

static int set_cpu(struct vpmu_faults *faults, uint64_t n)
{
	faults->only_cpu = (unsigned)n + 1;
	return 0;
}

static int add_gp(struct vpmu_faults *faults, uint64_t n)
{
	if (faults->ngp == VPMU_FAULTS_GP)
		return -ENOSPC;
	faults->gp[faults->ngp++] = (uint32_t)n;
	return 0;
}

static const struct fault rows[] = {
	{"smi", "N", 1, UINT64_MAX, set_smi},
	{"gp", "MSR", 0, UINT32_MAX, add_gp},
	{"exit", NULL, 0, 0, set_exit},
	{"locked", NULL, 0, 0, set_locked},
	{"thermal", NULL, 0, 0, set_thermal},
	{"turbo", NULL, 0, 0, set_turbo},
	{"stuck", NULL, 0, 0, set_stuck},
	{"inuse", "MASK", 1, UINT64_MAX, set_inuse},
	{"steal", "N", 1, UINT64_MAX, set_steal},
	{"crystal", NULL, 0, 0, set_crystal},
	{"skid", "N", 1, UINT32_MAX, set_skid},
	{"latenmi", "N", 1, UINT64_MAX, set_latenmi},
	{"extranmi", NULL, 0, 0, set_extranmi},
	{"vmrun", NULL, 0, 0, set_vmrun},
	{"still", "MASK", 1, UINT64_MAX, set_still},
	{"cpu", "N", 0, VPMU_FAULTS_CPU_MOST, set_cpu},
};

static const struct {
	const char *name;
	enum vpmu_erratum bit;
} errata[] = {
	{"ibs-fetch-restart", VPMU_IBS_FETCH_RESTART},
	{"ibs-clear-maximum", VPMU_IBS_CLEAR_MAXIMUM},
	{"ibs-fetch-at-zero", VPMU_IBS_FETCH_AT_ZERO},
	{"ibs-false-l2", VPMU_IBS_FALSE_L2},
	{"ibs-slow-l3-only", VPMU_IBS_SLOW_L3_ONLY},
	{"lbr-erroneous", VPMU_LBR_ERRONEOUS},
	{"counters-reset", VPMU_COUNTERS_RESET},
	{"c1e-stops-apic", VPMU_C1E_STOPS_APIC},
	{"counts-anywhere", VPMU_COUNTS_ANYWHERE},
};

/* The bit of the erratum of this name; 0: there is none. */
static uint32_t find_erratum(const struct listed_word *word)
{
	for (size_t i = 0; i < sizeof(errata) / sizeof(errata[0]); i++)
		if (listed_is(word, errata[i].name))
			return errata[i].bit;
	return 0;
}

static const struct fault *find_fault(const struct listed_word *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (listed_is(word, rows[i].name))
			return &rows[i];
	return NULL;
}

static int refuse_unknown(const char *text, struct reason *why)
{
	char names[NAMES_MOST];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		n += (size_t)fmt_print(names + n, sizeof(names) - n, "%s%s%s%s", i ? ", " : "",
				       rows[i].name, rows[i].number ? ":" : "",
				       rows[i].number ? rows[i].number : "");
	for (size_t i = 0; i < sizeof(errata) / sizeof(errata[0]); i++)
		n += (size_t)fmt_print(names + n, sizeof(names) - n, ", %s", errata[i].name);
	return refuse(why, EINVAL, "there is no fault '%s'; there are: %s", text, names);
}

static int take_fault(const struct listed_word *word, struct vpmu_faults *faults,
		      struct reason *why)
{
	const struct fault *fault = find_fault(word);
	const uint32_t erratum = find_erratum(word);
	uint64_t number = 0;

	faults->errata |= erratum;
	if (erratum && !word->number)
		return 0;
	if (!fault)
		return refuse_unknown(word->text, why);
	if (!fault->number && word->number)
		return refuse(why, EINVAL, "%s takes no number", fault->name);
	if (fault->number && (!word->number || number_parse(word->number, &number) ||
			      number < fault->least || number > fault->most))
		return refuse(why, EINVAL, "%s wants a number: '%s'", fault->name, word->text);
	if (fault->set(faults, number))
		return refuse(why, EINVAL, "at most %d of %s", VPMU_FAULTS_GP, fault->name);
	return 0;
}

int faults_parse(const char *text, struct vpmu_faults *faults, struct reason *why)
{
	struct listed_word word;

	while (text) {
		if (!listed_next(&text, &word))
			return refuse_unknown(text, why);
		if (take_fault(&word, faults, why))
			return -EINVAL;
	}
	return 0;
}
