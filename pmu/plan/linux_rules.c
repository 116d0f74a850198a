// SPDX-License-Identifier: BSD-2-Clause
/* linux_rules.c - the rules with their versions, as rows; see linux_rules.h. */
#include "pmu/plan/linux_rules.h"

#define FOREVER UINT32_MAX

/* A rule holds from `since` on and before `until`. */
struct span {
	uint32_t since, until;
};

static const struct span rules[PMU_RULES] = {
	[PMU_RULE_WEIGHT] = {PMU_KERNEL(2, 34, 1), FOREVER},
	[PMU_RULE_FIXED_FIRST] = {PMU_KERNEL(3, 3, 1), FOREVER},
	[PMU_RULE_OVERLAP] = {PMU_KERNEL(3, 3, 1), FOREVER},
	[PMU_RULE_LEAK] = {PMU_KERNEL(4, 1, 1), FOREVER},
	[PMU_RULE_SIBLING] = {PMU_KERNEL(4, 1, 1), FOREVER},
	[PMU_RULE_LIMIT_TOTAL] = {PMU_KERNEL(4, 1, 1), PMU_KERNEL(4, 1, 7)},
	[PMU_RULE_LIMIT_GENERAL] = {PMU_KERNEL(4, 1, 7), FOREVER},
	[PMU_RULE_TFA] = {PMU_KERNEL(5, 1, 1), FOREVER},
	[PMU_RULE_SOFT_SIBLING] = {0, PMU_KERNEL(4, 18, 1)},
	[PMU_RULE_PINNED_LAST] = {PMU_KERNEL(4, 11, 1), PMU_KERNEL(4, 13, 2)},
	[PMU_RULE_TIME_STANDS] = {PMU_KERNEL(4, 5, 6), PMU_KERNEL(4, 6, 2)},
};

static bool is_version_within(const struct span *s, uint32_t version)
{
	return version >= s->since && version < s->until;
}

/* Parses one to three digits. */
static bool parse_rule_number(const char **text, uint32_t max, uint32_t *number)
{
	const char *p = *text;

	*number = 0;
	for (; *p >= '0' && *p <= '9' && p < *text + 3; p++)
		*number = *number * 10 + (uint32_t)(*p - '0');
	if (p == *text || *number > max)
		return false;
	*text = p;
	return true;
}

static bool skip_text(const char **text, const char *what)
{
	const char *p = *text;

	while (*what)
		if (*p++ != *what++)
			return false;
	*text = p;
	return true;
}

bool pmu_kernel_parse(const char *text, uint32_t *version)
{
	uint32_t major, minor, patch = 0, candidate = PMU_RELEASE;

	if (!parse_rule_number(&text, 255, &major) || !skip_text(&text, ".") ||
	    !parse_rule_number(&text, 255, &minor))
		return false;
	if (skip_text(&text, ".") && !parse_rule_number(&text, 255, &patch))
		return false;
	if (skip_text(&text, "-rc") && (!parse_rule_number(&text, 254, &candidate) || !candidate))
		return false;
	*version = PMU_KERNEL(major, major == 2 ? patch : minor, candidate);
	return !*text;
}

uint32_t pmu_kernel_rules(uint32_t version)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < PMU_RULES; i++)
		if (is_version_within(&rules[i], version))
			bits |= 1u << i;
	return bits;
}
