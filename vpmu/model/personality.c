// SPDX-License-Identifier: BSD-2-Clause
/*
 * personality.c - the list of the personalities. Each plays one CPU.
 *
 * A personality may have other counters than its CPU: fewer, more, narrower, or of another version.
 * Dependent facts follow: without the fixed counter of slots there are no metrics, with version 1
 * there are no fixed counters, and AMD's four counters are at the old addresses.
 */
#include "vpmu/model/personality.h"

#include "lib/string.h"
#include "lib/words/shape_words.h"

#define ROW(id, vendor, pfm) &vpmu_uarch_##id,
static const struct vpmu_uarch *const uarchs[] = {VPMU_PERSONALITIES(ROW)};
#undef ROW

const struct vpmu_uarch *const *vpmu_uarch_list(size_t *count)
{
	*count = sizeof(uarchs) / sizeof(*uarchs);
	return uarchs;
}

const struct vpmu_uarch *vpmu_uarch_find(const char *name)
{
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(*uarchs); i++)
		if (!strcmp(uarchs[i]->name, name))
			return uarchs[i];
	return NULL;
}

const struct vpmu_uarch *vpmu_uarch_of(const struct vpmu_uarch *uarch, unsigned number,
				       unsigned cpus)
{
	return uarch->small && number >= (cpus + 1) / 2 ? uarch->small : uarch;
}

/* The first version with leaf 23H, UMASK2, EQ and auto counter reload. */
#define EXTENDED_VERSION 5
#define WIDE_VERSION     6

#define FIRST(n) ((1u << (n)) - 1)
#define SLOTS    (1u << FIXED_SLOTS) /* the fixed counter of slots */

static bool is_given(const struct vpmu_shape *shape, enum shape_part part)
{
	return shape->given >> part & 1;
}

static void reshape(struct vpmu_uarch *u, const struct vpmu_shape *shape)
{
	if (is_given(shape, SHAPE_GP))
		u->gp[0] = u->gp[1] = shape->value[SHAPE_GP];
	u->amd_core = u->vendor == VPMU_AMD && (u->version >= 2 || u->gp[0] > SHAPE_AMD_OLD);
	if (is_given(shape, SHAPE_WIDTH))
		u->width = shape->value[SHAPE_WIDTH];
	if (is_given(shape, SHAPE_VERSION))
		u->version = shape->value[SHAPE_VERSION];
	if (is_given(shape, SHAPE_FIXED))
		u->fixed = (uint16_t)FIRST(shape->value[SHAPE_FIXED]);
	if (u->version < SHAPE_FIXED_VERSION)
		u->fixed = 0;
	u->extended &= u->version >= EXTENDED_VERSION;
	u->wide_select &= u->version >= WIDE_VERSION;
	u->reloads = u->version >= WIDE_VERSION ? u->reloads : 0;
	if (u->fixed & SLOTS)
		return;
	u->metrics = 0;
	u->perf_capabilities &= ~PERF_CAP_METRICS;
}

int vpmu_uarch_shape(struct vpmu_uarch shaped[2], const struct vpmu_uarch *uarch,
		     const struct vpmu_shape *shape, struct reason *why)
{
	const int err = shape_check(shape, uarch->name, why);

	if (err)
		return err;
	shaped[0] = *uarch;
	reshape(&shaped[0], shape);
	if (!uarch->small)
		return 0;
	shaped[1] = *uarch->small;
	shaped[0].small = &shaped[1];
	reshape(&shaped[1], shape);
	return 0;
}
