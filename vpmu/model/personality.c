// SPDX-License-Identifier: BSD-2-Clause
/* personality.c - the list of the personalities. Each plays one CPU. */
#include "vpmu/model/personality.h"

#include "lib/string.h"

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
