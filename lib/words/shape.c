// SPDX-License-Identifier: BSD-2-Clause
/* shape.c - see shape.h. */
#include "lib/words/shape.h"

#include "lib/string.h"
#include "lib/words/number.h"

#include <linux/errno.h>

#include <stddef.h>

#define WORD_MOST 32

static const struct part {
	const char *name;
	uint8_t least, most;
} parts[] = {
#define PART(part, name, least, most) [SHAPE_##part] = {name, least, most},
	SHAPE_ROWS(PART)
#undef PART
};

/* `word` is NAME:N. */
static int take_part(char *word, struct vpmu_shape *shape, struct reason *why)
{
	char *colon = strchr(word, ':');
	uint64_t n = 0;

	if (colon)
		*colon = '\0';
	for (unsigned i = 0; i < SHAPE_PARTS; i++) {
		const struct part *part = &parts[i];

		if (strcmp(word, part->name))
			continue;
		if (!colon || number_parse(colon + 1, &n) || n < part->least || n > part->most)
			return refuse(why, EINVAL, "%s wants a number from %u to %u: '%s'",
				      part->name, part->least, part->most, colon ? colon + 1 : "");
		shape->given |= (uint8_t)(1u << i);
		shape->value[i] = (uint8_t)n;
		return 0;
	}
	return refuse(why, EINVAL, "there is no '%s'; there are gp:N, fixed:N, width:N, version:N",
		      word);
}

int shape_parse(const char *text, struct vpmu_shape *shape, struct reason *why)
{
	for (;;) {
		char word[WORD_MOST];
		const char *comma = strchr(text, ',');
		const size_t n = comma ? (size_t)(comma - text) : strlen(text);

		if (n >= sizeof(word))
			return refuse(why, EINVAL, "'%s' is too long", text);
		memcpy(word, text, n);
		word[n] = '\0';
		if (take_part(word, shape, why))
			return -EINVAL;
		if (!comma)
			return 0;
		text = comma + 1;
	}
}

int shape_check(const struct vpmu_shape *shape, bool amd, struct reason *why)
{
	const unsigned fixed = 1u << SHAPE_FIXED, version = 1u << SHAPE_VERSION;

	if (amd && shape->given)
		return refuse(why, EINVAL,
			      "AMD's CPUs have the counters of their family, which CPUID does not "
			      "tell otherwise: one of Intel's may have others");
	if (shape->given & version && shape->value[SHAPE_VERSION] < SHAPE_FIXED_VERSION &&
	    shape->given & fixed && shape->value[SHAPE_FIXED])
		return refuse(why, EINVAL, "fixed:%u wants version:%d or later",
			      shape->value[SHAPE_FIXED], SHAPE_FIXED_VERSION);
	return 0;
}
