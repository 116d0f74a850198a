// SPDX-License-Identifier: BSD-2-Clause
/* faults.c - see faults.h. A fault is a row. */
#include "lib/words/faults.h"

#include "lib/string.h"
#include "lib/words/number.h"

#include <linux/errno.h>

#include <stddef.h>

#define WORD_MOST 32

struct fault {
	const char *name;
	uint64_t most; /* of its number; 0: it has none */
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
#undef FLAG

static int set_smi(struct vpmu_faults *faults, uint64_t n)
{
	faults->smi = n;
	return n ? 0 : -EINVAL;
}

static int add_gp(struct vpmu_faults *faults, uint64_t n)
{
	if (faults->ngp == VPMU_FAULTS_GP)
		return -ENOSPC;
	faults->gp[faults->ngp++] = (uint32_t)n;
	return 0;
}

static const struct fault rows[] = {
	{"smi", UINT64_MAX, set_smi}, {"gp", UINT32_MAX, add_gp},  {"locked", 0, set_locked},
	{"exit", 0, set_exit},        {"thermal", 0, set_thermal}, {"turbo", 0, set_turbo},
	{"stuck", 0, set_stuck},
};

static const struct fault *find_fault(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == n && !strncmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}

/* `word` is one of them, of whose characters the first `n` are its name. */
static int take_fault(const char *word, size_t n, struct vpmu_faults *faults, struct reason *why)
{
	const struct fault *fault = find_fault(word, n);
	uint64_t number = 0;
	int err;

	if (!fault)
		return refuse(why, EINVAL, "there is no fault '%s'; there are: %s", word,
			      FAULTS_NAMES);
	if (!fault->most && word[n])
		return refuse(why, EINVAL, "%s takes no number", fault->name);
	if (fault->most &&
	    (!word[n] || number_parse(word + n + 1, &number) || number > fault->most))
		return refuse(why, EINVAL, "%s wants a number: '%s'", fault->name, word);
	err = fault->set(faults, number);
	if (err == -ENOSPC)
		return refuse(why, EINVAL, "at most %d of %s", VPMU_FAULTS_GP, fault->name);
	return err ? refuse(why, EINVAL, "%s wants a number: '%s'", fault->name, word) : 0;
}

int faults_parse(const char *text, struct vpmu_faults *faults, struct reason *why)
{
	for (;;) {
		char word[WORD_MOST];
		const char *comma = strchr(text, ',');
		const size_t n = comma ? (size_t)(comma - text) : strlen(text);
		const char *colon;

		if (n >= sizeof(word))
			return refuse(why, EINVAL, "there is no fault '%s'; there are: %s", text,
				      FAULTS_NAMES);
		memcpy(word, text, n);
		word[n] = '\0';
		colon = strchr(word, ':');
		if (take_fault(word, colon ? (size_t)(colon - word) : n, faults, why))
			return -EINVAL;
		if (!comma)
			return 0;
		text = comma + 1;
	}
}
