// SPDX-License-Identifier: BSD-2-Clause
/* shape_words.c - see shape_words.h. */
#include "lib/words/shape_words.h"

#include "include/perf0/personalities.h"
#include "lib/string.h"
#include "lib/words/listed.h"
#include "lib/words/number.h"

#include <linux/errno.h>

static const struct part {
	const char *name;
	uint8_t least, most;
} parts[] = {
#define PART(part, name, least, most) [SHAPE_##part] = {name, least, most},
	SHAPE_ROWS(PART)
#undef PART
};

static int set_shape_part(const struct listed_word *word, struct vpmu_shape *shape,
			  struct reason *why)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < SHAPE_PARTS; i++) {
		const struct part *part = &parts[i];

		if (!listed_is(word, part->name))
			continue;
		if (!word->number || number_parse(word->number, &n) || n < part->least ||
		    n > part->most)
			return refuse(why, EINVAL, "%s wants a number from %u to %u: '%s'",
				      part->name, part->least, part->most,
				      word->number ? word->number : "");
		shape->given |= (uint8_t)(1u << i);
		shape->value[i] = (uint8_t)n;
		return 0;
	}
	return refuse(why, EINVAL,
		      "there is no '%.*s'; there are gp:N, fixed:N, width:N, version:N",
		      (int)word->name, word->text);
}

int shape_parse(const char *text, struct vpmu_shape *shape, struct reason *why)
{
	struct listed_word word;

	while (text) {
		if (!listed_next(&text, &word))
			return refuse(why, EINVAL, "'%s' is too long", text);
		if (set_shape_part(&word, shape, why))
			return -EINVAL;
	}
	return 0;
}

/* --- Which shapes a CPU can have --- */

/* The way in which CPUID reports the counters. */
enum told { BY_INTEL, BY_AMD, BY_PERFMON_V2 };

static enum told told_by(const char *personality)
{
	static const char *const v2[] = {
#define NAME(id) #id,
		VPMU_PERFMON_V2(NAME)
#undef NAME
	};
	static const char *const amd[] = {
#define VENDOR_OF(id, vendor, pfm) VPMU_##vendor == VPMU_AMD ? #id : "",
		VPMU_PERSONALITIES(VENDOR_OF)
#undef VENDOR_OF
	};

	for (unsigned i = 0; i < sizeof(v2) / sizeof(*v2); i++)
		if (!strcmp(v2[i], personality))
			return BY_PERFMON_V2;
	for (unsigned i = 0; i < sizeof(amd) / sizeof(*amd); i++)
		if (!strcmp(amd[i], personality))
			return BY_AMD;
	return BY_INTEL;
}

static bool is_given(const struct vpmu_shape *shape, enum shape_part part)
{
	return shape->given >> part & 1;
}

static int check_fixed_version(const struct vpmu_shape *shape, struct reason *why)
{
	const unsigned fixed = shape->value[SHAPE_FIXED];

	if (is_given(shape, SHAPE_VERSION) && shape->value[SHAPE_VERSION] < SHAPE_FIXED_VERSION &&
	    is_given(shape, SHAPE_FIXED) && fixed)
		return refuse(why, EINVAL, "fixed:%u wants version:%d or later", fixed,
			      SHAPE_FIXED_VERSION);
	return 0;
}

/* APM vol. 3, "CPUID", 8000_0001h and 8000_0022h. */
static int check_amd(const struct vpmu_shape *shape, bool v2, struct reason *why)
{
	const unsigned gp = shape->value[SHAPE_GP];

	if (is_given(shape, SHAPE_VERSION))
		return refuse(why, EINVAL, "version is one of Intel's architecture");
	if (is_given(shape, SHAPE_FIXED) && shape->value[SHAPE_FIXED])
		return refuse(why, EINVAL, "AMD's CPUs have no fixed counters");
	if (is_given(shape, SHAPE_WIDTH) && shape->value[SHAPE_WIDTH] != SHAPE_AMD_WIDTH)
		return refuse(why, EINVAL,
			      "AMD's counters have %d bits, and CPUID does not tell it otherwise",
			      SHAPE_AMD_WIDTH);
	if (!is_given(shape, SHAPE_GP) || gp == SHAPE_AMD_CORE || gp == SHAPE_AMD_OLD)
		return 0;
	if (!v2)
		return refuse(why, EINVAL,
			      "before PerfMonV2 CPUID tells that there are %d counters or %d",
			      SHAPE_AMD_OLD, SHAPE_AMD_CORE);
	if (gp > SHAPE_AMD_CORE)
		return refuse(why, EINVAL, "AMD's cores have registers for %d counters",
			      SHAPE_AMD_CORE);
	return 0;
}

int shape_check(const struct vpmu_shape *shape, const char *personality, struct reason *why)
{
	const enum told told = told_by(personality);

	return told == BY_INTEL ? check_fixed_version(shape, why)
				: check_amd(shape, told == BY_PERFMON_V2, why);
}
